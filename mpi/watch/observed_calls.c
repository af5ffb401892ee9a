/* observed_calls.c - tells an observer (MpiObserver.call) about calls that are over, without closing the short ways of
 * messages.
 *
 * LOCAL calls run on the thread of their rank, but observers are called in order and from one thread. So those that
 * take time are kept until the rank enters MPI again or has ended. Nothing is told while MPI_Pcontrol has ended the
 * rank's recording.
 */
#include "mpi/watch/observed_calls.h"

#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/watch/wait_causes.h"

/* What is kept of a LOCAL call; its arguments follow in Kept.arguments. */
typedef struct LocalCall {
    uint64_t from_ps, to_ps;
    const char *name;
    uint32_t pc, thread;
    unsigned n;
    bool controls;
} LocalCall;

typedef struct Kept {
    GArray *calls;              /* LocalCall; NULL: none yet */
    GArray *arguments;          /* of uint64_t */
    const VcodeModule *program; /* NULL: not known yet */
    bool fed;                   /* calls on their short ways are put into the observer's feed */
    bool quick;                 /* the same, and no LOCAL call is kept */
} Kept;

typedef struct ObservedCalls {
    MpiObserver observer;
    uint32_t n_ranks;
    uint64_t heads[MPI_FUNCTIONS]; /* word 0 of an MPI_RECORD_PLAIN of each function, by rank 0 */
    Kept kept[];
} ObservedCalls;

static ObservedCalls *observed_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_OBSERVED_CALLS);
}

static void tell(ObservedCalls *observed, const MpiRank *rank, const MpiCallInfo *info)
{
    Kept *kept = &observed->kept[rank->index];
    const MpiObserver *observer = &observed->observer;
    if (G_UNLIKELY(!kept->program)) {
        kept->program = vm_image_module(vm_rank_image(rank->process));
        kept->fed = kept->quick = observer->feed && rank->index < observer->fed;
    }
    observer->call(observer->user, info, kept->program);
}

/* -- LOCAL calls ------------------------------------------------------------------------------- */

static void left_local(MpiWorld *world, const MpiCall *call)
{
    Kept *kept = &observed_of(world)->kept[call->rank->index];
    bool controls = call->function == MPI_FUNCTION_Pcontrol; /* it may just have ended the recording */
    if (!controls && (call->now == call->entered_ps || call->rank->unrecorded))
        return;
    if (!kept->calls) {
        kept->calls = g_array_new(FALSE, FALSE, sizeof(LocalCall));
        kept->arguments = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    LocalCall local = {.from_ps = call->entered_ps,
                       .to_ps = call->now,
                       .name = call->name,
                       .pc = call->pc,
                       .thread = call->thread,
                       .n = call->n,
                       .controls = controls};
    kept->quick = false;
    g_array_append_val(kept->calls, local);
    g_array_append_vals(kept->arguments, call->args, call->n);
}

static void tell_local_calls(MpiWorld *world, const MpiRank *rank)
{
    ObservedCalls *observed = observed_of(world);
    Kept *kept = &observed->kept[rank->index];
    if (!kept->calls || kept->calls->len == 0)
        return;
    const uint64_t *arguments = (const uint64_t *)(const void *)kept->arguments->data;
    for (guint i = 0; i < kept->calls->len; i++) {
        const LocalCall *local = &g_array_index(kept->calls, LocalCall, i);
        MpiCallInfo info = {.rank = rank->index,
                            .thread = local->thread,
                            .name = local->name,
                            .controls = local->controls,
                            .pc = local->pc,
                            .from_ps = local->from_ps,
                            .to_ps = local->to_ps,
                            .overhead_ps = local->to_ps - local->from_ps,
                            .n = local->n,
                            .args = arguments};
        tell(observed, rank, &info);
        arguments += local->n;
    }
    g_array_set_size(kept->calls, 0);
    g_array_set_size(kept->arguments, 0);
    kept->quick = kept->fed;
}

/* -- GLOBAL calls ------------------------------------------------------------------------------ */

static void over(MpiWorld *world, const MpiCall *call)
{
    MpiCallInfo info = {.rank = call->rank->index,
                        .thread = call->thread,
                        .name = call->name,
                        .pc = call->pc,
                        .from_ps = call->entered_ps,
                        .to_ps = call->now,
                        .overhead_ps = call->overhead_ps,
                        .n = call->n,
                        .args = call->args};
    mpi_wait_causes_collective(world, call, &info);
    info.waits = mpi_wait_causes_of(world, call, &info.n_waits);
    if (!call->rank->unrecorded)
        tell(observed_of(world), call->rank, &info);
}

static G_GNUC_NO_INLINE void tell_plainly(MpiWorld *world, const MpiPlainCall *call)
{
    ObservedCalls *observed = observed_of(world);
    const MpiFunction *function = mpi_function(call->function);
    MpiCallInfo info = {.rank = call->rank->index,
                        .name = function->info.name,
                        .pc = call->pc,
                        .from_ps = call->from_ps,
                        .to_ps = call->to_ps,
                        .overhead_ps = call->overhead_ps,
                        .n = function->arguments,
                        .args = call->args};
    if (observed->observer.waits)
        info.waits = mpi_wait_causes_of_plain(world, call, &info.n_waits);
    tell(observed, call->rank, &info);
}

/* Puts a call into the feed. Calls with shorter ways have few arguments, and mostly as many as MPI_Send or MPI_Recv. */
static inline void record(const ObservedCalls *observed, const MpiPlainCall *call)
{
    enum { SEND = 6, RECEIVE = 7 };
    BaseFeed *feed = observed->observer.feed;
    uint64_t head = observed->heads[call->function], *record = base_feed_room(feed);
    const uint64_t from_ps = call->from_ps, to_ps = call->to_ps, *args = call->args;
    const uint64_t rest = mpi_record_pair((uint32_t)call->overhead_ps, call->pc);
    unsigned n = head >> 8 & 0xff;
    feed->at = record + MPI_RECORD_PLAIN_WORDS + n;
    record[0] = head | (uint64_t)call->rank->index << 32;
    record[1] = to_ps;
    record[2] = from_ps;
    record[3] = rest;
    record += MPI_RECORD_PLAIN_WORDS;
    if (G_LIKELY(n == SEND || n == RECEIVE)) {
        memcpy(record, args, SEND * sizeof *record);
        record[n - 1] = args[n - 1];
    } else {
        base_feed_copy(record, args, n);
    }
}

static bool can_be_record(const MpiPlainCall *call)
{
    return call->overhead_ps <= UINT32_MAX && !call->rank->unrecorded;
}

static G_GNUC_NO_INLINE void over_slowly(MpiWorld *world, const MpiPlainCall *call)
{
    ObservedCalls *observed = observed_of(world);
    tell_local_calls(world, call->rank);
    if (observed->kept[call->rank->index].fed && can_be_record(call))
        record(observed, call);
    else if (!call->rank->unrecorded)
        tell_plainly(world, call);
}

/* Nearly all calls of most programs come here: what can need a function to be called is apart. */
static void over_plainly(MpiWorld *world, const MpiPlainCall *call)
{
    ObservedCalls *observed = observed_of(world);
    if (G_LIKELY(observed->kept[call->rank->index].quick && can_be_record(call) &&
                 base_feed_has_room(observed->observer.feed)))
        record(observed, call);
    else
        over_slowly(world, call);
}

/* -- observing --------------------------------------------------------------------------------- */

static const MpiHooks hooks = {
    .entered = tell_local_calls,
    .exited = tell_local_calls,
    .left_local = left_local,
    .over = over,
    .over_plainly = over_plainly,
};

static void observed_free(gpointer data)
{
    ObservedCalls *observed = data;
    for (uint32_t i = 0; i < observed->n_ranks; i++) {
        if (!observed->kept[i].calls)
            continue;
        g_array_unref(observed->kept[i].calls);
        g_array_unref(observed->kept[i].arguments);
    }
    g_free(observed);
}

void mpi_observe_calls(MpiWorld *world, const MpiObserver *observer)
{
    ObservedCalls *observed = observed_of(world);
    if (!observed) {
        observed = g_malloc0(sizeof *observed + world->room * sizeof *observed->kept);
        observed->n_ranks = world->room;
        for (uint32_t i = 0; i < MPI_FUNCTIONS; i++)
            observed->heads[i] = mpi_record_head(MPI_RECORD_PLAIN, mpi_function(i)->arguments, 0) | i << 16;
        mpi_world_set_slot(world, MPI_SLOT_OBSERVED_CALLS, observed, observed_free);
        mpi_hooks_add_short(world, &hooks);
    }
    observed->observer = *observer;
    if (observer->waits)
        mpi_wait_causes_begin(world, observer->sums);
}
