/* observers.c - tells an observer (MpiObserver) about ranks and messages. It is a listener of hooks.def like others.
 *
 * Ranks spend their time in small pieces. Consecutive pieces of the same activity in one call are reported as one
 * activity, when the rank does something else or leaves MPI. LOCAL calls run on the thread of their rank, but observers
 * are called in order and from one thread. So the times of LOCAL calls are kept until the rank enters MPI again or has
 * ended.
 *
 * Nothing is told of what a rank does in MPI while MPI_Pcontrol has ended its recording, nor of the messages that it
 * sends meanwhile. The rank's own calls look at that, so it does not matter how far the rank has run ahead; a message
 * keeps for the rest of its way what it was when it was sent.
 */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/remote.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"
#include "mpi/watch/observed_calls.h"
#include "mpi/watch/observed_collectives.h"
#include "mpi/watch/observed_events.h"

typedef struct LocalTime {
    uint64_t from_ps, to_ps;
    const char *name;
} LocalTime;

typedef struct Account { /* what the observer has not been told yet about a rank */
    MpiActivity activity;
    uint64_t from_ps, to_ps; /* equal if there is nothing */
    GArray *local_times;     /* LocalTime; NULL: no LOCAL calls */
    GArray *threads;         /* Account, by number of the thread, if the rank has several; NULL: none is needed yet */
} Account;

typedef struct Observed {
    MpiObserver observer;
    bool times; /* its listeners of of_times are there */
    uint32_t n_ranks;
    Account accounts[];
} Observed;

static Observed *observed_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_OBSERVED);
}

/* -- what ranks do ----------------------------------------------------------------------------- */

/* Calls of several threads are under way at once. */
static Account *account_of(Observed *observed, const MpiCall *call)
{
    Account *account = &observed->accounts[call->rank->index];
    if (G_LIKELY(!call->rank->threads))
        return account;
    if (!account->threads)
        account->threads = g_array_new(FALSE, TRUE, sizeof(Account));
    if (call->thread >= account->threads->len)
        g_array_set_size(account->threads, call->thread + 1);
    return &g_array_index(account->threads, Account, call->thread);
}

static void tell_activity(const Observed *observed, const Account *account, const MpiCall *call)
{
    const MpiObserver *observer = &observed->observer;
    uint32_t rank = call->rank->index;
    if (observer->activity && account->to_ps > account->from_ps)
        observer->activity(observer->user, rank, account->activity, account->from_ps, account->to_ps, call->name);
}

static void spent(MpiWorld *world, const MpiCall *call, MpiActivity activity, uint64_t from_ps)
{
    Observed *observed = observed_of(world);
    Account *account = account_of(observed, call);
    if (call->local || call->rank->unrecorded)
        return;
    if (account->activity != activity) {
        tell_activity(observed, account, call);
        account->from_ps = account->to_ps;
    }
    if (account->from_ps == account->to_ps)
        account->from_ps = from_ps;
    account->activity = activity;
    account->to_ps = call->now;
}

static void left(MpiWorld *world, const MpiCall *call)
{
    Observed *observed = observed_of(world);
    Account *account = account_of(observed, call);
    tell_activity(observed, account, call);
    account->from_ps = account->to_ps;
}

static void left_local(MpiWorld *world, const MpiCall *call)
{
    Account *account = &observed_of(world)->accounts[call->rank->index];
    if (call->now == call->entered_ps || call->rank->unrecorded)
        return;
    if (!account->local_times)
        account->local_times = g_array_new(FALSE, FALSE, sizeof(LocalTime));
    LocalTime time = {.from_ps = call->entered_ps, .to_ps = call->now, .name = call->name};
    g_array_append_val(account->local_times, time);
}

static void tell_local_times(MpiWorld *world, const MpiRank *rank)
{
    const Observed *observed = observed_of(world);
    const MpiObserver *observer = &observed->observer;
    GArray *times = observed->accounts[rank->index].local_times;
    if (!times)
        return;
    for (guint i = 0; observer->activity && i < times->len; i++) {
        const LocalTime *time = &g_array_index(times, LocalTime, i);
        observer->activity(observer->user, rank->index, MPI_ACTIVITY_OVERHEAD, time->from_ps, time->to_ps, time->name);
    }
    g_array_set_size(times, 0);
}

/* -- what messages do -------------------------------------------------------------------------- */

static int32_t told_tag(const MpiMessage *message)
{
    return message->collective ? ~message->item.key.tag : message->item.key.tag;
}

static MpiTransfer transfer_of(const MpiMessage *message, MpiPhase phase)
{
    static const MpiTransferKind kinds[] = {[MPI_PHASE_EAGER] = MPI_TRANSFER_EAGER,
                                            [MPI_PHASE_RTS] = MPI_TRANSFER_REQUEST,
                                            [MPI_PHASE_CTS] = MPI_TRANSFER_PERMISSION,
                                            [MPI_PHASE_DATA] = MPI_TRANSFER_DATA};
    bool back = phase == MPI_PHASE_CTS;
    return (MpiTransfer){.message = message->id,
                         .kind = message->multicast ? MPI_TRANSFER_MULTICAST : kinds[phase],
                         .from = back ? message->to : message->from,
                         .to = back ? message->from : message->to,
                         .tag = told_tag(message),
                         .bytes = !mpi_phase_has_payload(phase) ? 0
                                  : message->piece              ? message->piece
                                                                : message->bytes};
}

/* All of these are internal: they have no tag. */
enum { REMOTE_TAG = -1 };

static MpiTransfer transfer_of_remote(const MpiRemoteHead *remote)
{
    return (MpiTransfer){.message = remote->id,
                         .kind = remote->kind     ? remote->kind
                                 : remote->access ? MPI_TRANSFER_ACCESS
                                                  : MPI_TRANSFER_WINDOW,
                         .from = remote->from,
                         .to = remote->to,
                         .tag = remote->kind ? remote->tag : REMOTE_TAG,
                         .bytes = remote->bytes,
                         .daemons = remote->daemons};
}

MpiTransfer mpi_world_transfer(uint64_t cookie)
{
    if (cookie & MPI_COOKIE_REMOTE)
        return transfer_of_remote(mpi_remote_head(cookie));
    return transfer_of((const MpiMessage *)(uintptr_t)(cookie & ~UINT64_C(15)), (MpiPhase)(cookie & 3));
}

static void tell_transfer(const MpiWorld *world, MpiTransferStage stage, const MpiMessage *message, MpiPhase phase,
                          uint64_t from_ps, uint64_t to_ps)
{
    const MpiObserver *observer = &observed_of(world)->observer;
    if (!observer->transfer || message->unrecorded)
        return;
    MpiTransfer transfer = transfer_of(message, phase);
    transfer.from_ps = from_ps;
    transfer.to_ps = to_ps;
    observer->transfer(observer->user, stage, &transfer);
}

static void transmitted(MpiWorld *world, const MpiCall *call, const MpiMessage *message, unsigned phase,
                        uint64_t began_ps)
{
    tell_transfer(world, MPI_TRANSFER_SENT, message, (MpiPhase)phase, began_ps, call->now);
}

static void handled(MpiWorld *world, const MpiCall *call, const MpiMessage *message, uint64_t began_ps)
{
    tell_transfer(world, MPI_TRANSFER_RECEIVED, message, (MpiPhase)message->phase, began_ps, call->now);
}

static void delivered(MpiWorld *world, const MpiMessage *message, uint64_t time_ps)
{
    const MpiObserver *observer = &observed_of(world)->observer;
    tell_transfer(world, MPI_TRANSFER_DELIVERED, message, (MpiPhase)message->phase, time_ps, time_ps);
    if (!observer->message || !mpi_phase_has_payload(message->phase) || message->piece || message->unrecorded)
        return;
    MpiMessageInfo info = {
        .id = message->id,
        .from = message->from,
        .to = message->to,
        .tag = told_tag(message),
        .context = message->item.key.space >> 1,
        .bytes = message->bytes,
        .sent_ps = message->sent_ps,
        .delivered_ps = time_ps,
    };
    if (observer->feed && MAX(info.from, info.to) < observer->fed)
        mpi_record_message(observer->feed, &info, info.to, info.from);
    else
        observer->message(observer->user, &info);
}

static void remote(MpiWorld *world, MpiTransferStage stage, const MpiRemoteHead *remote, uint64_t from_ps,
                   uint64_t to_ps)
{
    const MpiObserver *observer = &observed_of(world)->observer;
    MpiTransfer transfer = transfer_of_remote(remote);
    transfer.from_ps = from_ps;
    transfer.to_ps = to_ps;
    if (observer->transfer && stage != MPI_TRANSFER_GRANTED)
        observer->transfer(observer->user, stage, &transfer);
    if (!remote->data || stage != MPI_TRANSFER_DELIVERED)
        return;
    MpiAccessInfo access = {.to_ps = from_ps};
    if (observer->access && mpi_rma_access_brings(remote, &access))
        observer->access(observer->user, &access);
    if (!observer->message)
        return;
    MpiMessageInfo info = {.id = remote->id,
                           .from = remote->from,
                           .to = remote->to,
                           .tag = remote->kind ? remote->tag : REMOTE_TAG,
                           .context = remote->context,
                           .bytes = remote->kind ? remote->whole : remote->bytes,
                           .sent_ps = remote->sent_ps,
                           .delivered_ps = from_ps};
    observer->message(observer->user, &info);
}

/* -- observing --------------------------------------------------------------------------------- */

static void controlled(MpiWorld *world, const MpiCall *call, int level)
{
    const MpiObserver *observer = &observed_of(world)->observer;
    if (observer->control)
        observer->control(observer->user, call->rank->index, level);
}

/* All that short ways pass, too. */
static const MpiHooks of_messages = {
    .delivered = delivered,
    .remote = remote,
    .controlled = controlled,
};
/* What they do not pass. */
static const MpiHooks of_times = {
    .entered = tell_local_times,
    .spent = spent,
    .left = left,
    .left_local = left_local,
    .exited = tell_local_times,
    .transmitted = transmitted,
    .handled = handled,
};

static void observed_free(gpointer data)
{
    Observed *observed = data;
    for (uint32_t i = 0; i < observed->n_ranks; i++) {
        Account *account = &observed->accounts[i];
        g_clear_pointer(&account->local_times, g_array_unref);
        g_clear_pointer(&account->threads, g_array_unref);
    }
    g_free(observed);
}

void mpi_world_observe(MpiWorld *world, const MpiObserver *observer)
{
    Observed *observed = observed_of(world);
    if (!observed) {
        observed = g_malloc0(sizeof *observed + world->room * sizeof *observed->accounts);
        observed->n_ranks = world->room;
        mpi_world_set_slot(world, MPI_SLOT_OBSERVED, observed, observed_free);
        mpi_hooks_add_short(world, &of_messages);
    }
    if ((observer->activity || observer->transfer) && !observed->times) {
        observed->times = true;
        mpi_hooks_add(world, &of_times);
    }
    observed->observer = *observer;
    if (observer->call)
        mpi_observe_calls(world, observer);
    if (observer->collective)
        mpi_observe_collectives(world, observer);
    if (observer->event)
        mpi_observe_events(world, observer);
}
