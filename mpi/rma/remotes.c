/* remotes.c - the ways of accesses and synchronisations between the members of a window.
 *
 *   origin: mpi_remote_send() ---- network ----> target: handled by whoever the machine says
 *           received            <--- network ----         mpi_remote_answer(), if an answer is wanted
 *
 * Who handles what arrives (MpiWorld.progress; p2p/progress.c says the same of messages):
 *   offload   the network interface, at once, and it costs no processor time
 *   inline    the rank, at once if it is blocked in an MPI call, else at the beginning of its next one; it pays for
 *             that as for receiving and sending a message
 *   thread    the communication thread, one thing after the other, in the time that the rank would need
 *
 * A rank that computes is not stopped when its window is accessed. In the simulator it may have come further than the
 * access, or not so far; so it first comes to where it is at that time in every run (MpiEnv.still). Programs that order
 * their accesses cannot tell the difference, and others get the same results in every run. Data for a computing origin
 * wait in its inbox for its next call, before which it may not look at them.
 *
 * A synchronisation never overtakes the accesses before it: MpiPeer.on_way counts those that are not done.
 */
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/threads.h"
#include "mpi/rma/windows.h"

#include <assert.h>
#include <string.h>

/* What a rank keeps of transfers that it has to handle. */
typedef struct Inbox {
    MpiMessage note; /* stands for all of them in the rank's inbox; phase MPI_PHASE_REMOTES */
    MpiRemote *first, **end;
} Inbox;

static Inbox *inbox_of(MpiRank *rank)
{
    Inbox *inbox = mpi_rank_slot(rank, MPI_RANK_SLOT_REMOTES);
    if (!inbox) {
        inbox = g_new0(Inbox, 1);
        inbox->note.phase = MPI_PHASE_REMOTES;
        inbox->end = &inbox->first;
        mpi_rank_set_slot(rank, MPI_RANK_SLOT_REMOTES, inbox, g_free);
    }
    return inbox;
}

static MpiRemote *remote_of(uint64_t cookie)
{
    return (MpiRemote *)(void *)mpi_remote_head(cookie);
}

static bool is_access(const MpiRemote *remote)
{
    return remote->sort <= MPI_REMOTE_SWAP;
}

/* Returns the time of a copy that begins in_ps from now in the call, or, if that is NULL, anywhere else. */
static uint64_t copy_ps(const MpiWorld *world, const MpiCall *call, uint64_t in_ps, uint64_t bytes)
{
    return call ? mpi_call_copying_ps(call, in_ps, bytes) : mpi_call_bytes_ps(bytes, world->params.copy_byte_fs);
}

/* -- life -------------------------------------------------------------------------------------- */

MpiRemote *mpi_remote_make(const MpiRank *rank, MpiWin *origin, MpiWin *target, MpiPeer *peer, MpiRemoteSort sort,
                           uint32_t pc)
{
    MpiRemote *remote = mpi_pool_take_unset(&origin->window->pools->remotes);
    memset(remote, 0, offsetof(MpiRemote, bytes_inline));
    remote->head = (MpiRemoteHead){.from = rank->index,
                                   .to = target->owner->index,
                                   .id = rank->world->next_message++,
                                   .context = origin->window->context,
                                   .access = sort <= MPI_REMOTE_SWAP};
    remote->origin = origin;
    remote->target = target;
    remote->peer = peer;
    remote->sort = (uint8_t)sort;
    remote->refs = 1;
    remote->live = true;
    remote->pc = pc;
    origin->window->refs++;
    if (peer)
        peer->refs++;
    return remote;
}

MpiRemote *mpi_remote_new(MpiCall *call, MpiWin *origin, MpiWin *target, MpiPeer *peer, MpiRemoteSort sort)
{
    return mpi_remote_make(call->rank, origin, target, peer, sort, call->pc);
}

void mpi_remote_take_data(MpiRemote *remote, uint64_t bytes)
{
    remote->bytes = bytes;
    remote->data = bytes <= MPI_REMOTE_INLINE_BYTES
                       ? remote->bytes_inline
                       : mpi_pool_payload_take(&remote->origin->window->world->payloads, bytes);
}

static void type_unref(MpiType *type)
{
    if (type && !type->predefined)
        mpi_type_unref(type);
}

void mpi_remote_drop(MpiRemote *remote)
{
    MpiWindow *window = remote->origin->window;
    MpiWorld *world = window->world;
    assert(remote->live && remote->refs > 0);
    if (--remote->refs)
        return;
    if (remote->data && remote->data != remote->bytes_inline)
        mpi_pool_payload_give(&world->payloads, remote->data, remote->bytes);
    type_unref(remote->type);
    type_unref(remote->result.type);
    if (remote->peer)
        mpi_peer_unref(remote->peer);
    remote->live = false;
    mpi_pool_give(&window->pools->remotes, remote);
    mpi_window_unref(window);
}

/* -- waiting ----------------------------------------------------------------------------------- */

bool mpi_rma_is(const MpiWin *win, MpiWinWait wait, const MpiPeer *peer)
{
    uint32_t local = peer ? peer->fetches + peer->leaving : win->fetches + win->leaving;
    uint32_t acks = peer ? peer->acks : win->acks;
    switch (wait) {
    case MPI_WIN_WAIT_NONE: return true;
    case MPI_WIN_WAIT_DONE: return local + acks == 0;
    case MPI_WIN_WAIT_LOCAL: return local == 0;
    case MPI_WIN_WAIT_LOCK: return acks == 0;
    case MPI_WIN_WAIT_POST: return win->missing_posts == 0;
    case MPI_WIN_WAIT_COMPLETE: return win->completes >= win->exposed->size;
    }
    return true;
}

void mpi_rma_look(MpiWin *win)
{
    for (MpiCall **at = &win->waiters, *call; (call = *at);) {
        if (!mpi_rma_is(win, call->remote.wait, call->remote.peer)) {
            at = &call->remote.next;
            continue;
        }
        *at = call->remote.next;
        call->remote.next = NULL;
        call->remote.wait = MPI_WIN_WAIT_NONE;
        call->engine.waiting = 0;
    }
}

MpiStep mpi_rma_wait(MpiCall *call, MpiWin *win, MpiWinWait wait, MpiPeer *peer, MpiHandler then)
{
    if (mpi_rma_is(win, wait, peer))
        return then(call);
    assert(call->engine.waiting == 0 && !call->remote.next);
    call->remote.win = win;
    call->remote.wait = (uint8_t)wait;
    call->remote.peer = peer;
    call->remote.next = win->waiters;
    win->waiters = call;
    call->engine.waiting = 1;
    mpi_tell_waits(call->world, call, NULL, 0, false);
    return mpi_call_block(call, then);
}

static void settle_threads(MpiRank *rank, uint64_t time_ps)
{
    uint32_t thread = 0;
    for (MpiCall *call; !rank->failed && (call = mpi_threads_next_blocked(rank, &thread)); thread++) {
        bool waits = call->remote.win || call->engine.awaits;
        if (!waits || call->engine.waiting || rank->probing || call->collective.schedule)
            continue;
        mpi_call_advance(call, time_ps);
        mpi_call_settle(call);
    }
}

/* What happens to windows never lets a collective go on. */
void mpi_rma_settle(MpiRank *rank, uint64_t time_ps)
{
    if (G_UNLIKELY(rank->threads)) {
        settle_threads(rank, time_ps);
        return;
    }
    MpiCall *call = mpi_call_receptive(rank);
    if (!call || call->collective.schedule || call->engine.waiting || rank->probing)
        return;
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

/* -- sending ----------------------------------------------------------------------------------- */

static void arrive(MpiRemote *remote, MpiCall *call, uint64_t time_ps);

void mpi_remote_transmit(MpiRemote *remote, uint64_t began_ps, uint64_t time_ps)
{
    MpiWorld *world = remote->origin->window->world;
    const MpiEnv *env = &world->env;
    MpiRemoteHead *head = &remote->head;
    MpiRank *from = mpi_world_rank(world, head->from);
    bool reported = remote->leaves && !remote->back;
    head->sent_ps = time_ps;
    if (head->data)
        mpi_count_sent(from, head->bytes);
    mpi_transfer_hurry(world, from);
    mpi_tell_remote(world, MPI_TRANSFER_SENT, head, began_ps, time_ps);
    remote->refs += reported;
    env->transmit(env->user, head->from, head->to, world->params.envelope_bytes + head->bytes, time_ps,
                  (uint64_t)(uintptr_t)remote | MPI_COOKIE_REMOTE | (reported ? 0 : MPI_COOKIE_UNREPORTED));
}

/* The call that pays for what is done here; NULL: the processor is not needed. */
static MpiCall *payer(const MpiWorld *world, MpiCall *call)
{
    return world->progress[MPI_PROGRESS_ONE_SIDED] == MPI_PROGRESS_INLINE ? call : NULL;
}

void mpi_remote_send(MpiCall *call, MpiRemote *remote, uint64_t copied)
{
    MpiWorld *world = call->world;
    MpiPeer *peer = remote->peer;
    uint64_t began_ps = call->now;
    if (G_UNLIKELY(remote->target->owner->failure_known)) {
        mpi_rma_lose(remote);
        return;
    }
    remote->head.bytes = remote->bytes;
    remote->head.data = is_access(remote) && remote->bytes;
    if (is_access(remote)) {
        peer->on_way++;
        remote->ordered = remote->sort >= MPI_REMOTE_ACCUMULATE && !world->env.in_order &&
                          !remote->origin->window->unordered && remote->origin != remote->target;
        if (remote->ordered)
            remote->number = peer->numbered++;
    }
    if (remote->origin == remote->target) {
        remote->head.sent_ps = began_ps;
        mpi_call_charge(call, copy_ps(world, call, 0, copied));
        if (remote->head.data)
            mpi_count_sent(call->rank, remote->bytes);
        arrive(remote, payer(world, call), call->now);
        return;
    }
    mpi_call_charge(call, copy_ps(world, call, 0, copied) +
                              mpi_transfer_overhead_ps(&world->params.send_overhead, remote->head.bytes));
    if (G_UNLIKELY(world->env.doorbell))
        mpi_progress_ring(call, remote->head.to);
    mpi_remote_transmit(remote, began_ps, call->now);
}

void mpi_remote_answer(MpiCall *call, MpiRemote *remote, uint64_t time_ps)
{
    MpiWorld *world = remote->origin->window->world;
    MpiRemoteHead *head = &remote->head;
    bool fetches = is_access(remote) && remote->sort != MPI_REMOTE_PUT && remote->sort != MPI_REMOTE_ACCUMULATE;
    remote->back = true;
    head->from = remote->target->owner->index;
    head->to = remote->origin->owner->index;
    head->data = fetches && remote->bytes;
    head->bytes = head->data ? remote->bytes : 0;
    uint64_t overhead_ps = mpi_transfer_overhead_ps(&world->params.send_overhead, head->bytes), began_ps = time_ps;
    if (remote->origin == remote->target) {
        if (head->data)
            mpi_count_sent(remote->origin->owner, head->bytes);
        arrive(remote, call, call ? call->now : time_ps);
        return;
    }
    if (call) {
        began_ps = call->now;
        mpi_call_charge(call, overhead_ps + copy_ps(world, call, overhead_ps, head->bytes));
        if (G_UNLIKELY(world->env.doorbell))
            mpi_progress_ring(call, head->to);
        time_ps = call->now;
    } else if (world->progress[MPI_PROGRESS_ONE_SIDED] == MPI_PROGRESS_THREAD) {
        uint64_t work_ps = overhead_ps + copy_ps(world, NULL, 0, head->bytes);
        time_ps = mpi_progress_serve(remote->target->owner, MPI_PROGRESS_THREAD, time_ps, work_ps);
        began_ps = time_ps - work_ps;
    }
    mpi_remote_transmit(remote, began_ps, time_ps);
}

void mpi_remotes_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiRemote *remote = remote_of(cookie);
    MpiWin *win = remote->origin;
    (void)world;
    if (G_UNLIKELY(win->owner->failed || remote->target->owner->failure_known)) { /* nobody waits for it */
        mpi_remote_drop(remote);
        return;
    }
    mpi_call_touch_rank(win->owner);
    remote->peer->leaving--;
    win->leaving--;
    if (remote->request && !remote->answers)
        mpi_request_complete(g_steal_pointer(&remote->request), MPI_SUCCESS);
    mpi_rma_look(win);
    mpi_rma_settle(win->owner, time_ps);
    mpi_remote_drop(remote);
}

/* -- at the target ----------------------------------------------------------------------------- */

/* Notes at the origin that an access could not be done. */
static void fail(MpiRemote *remote)
{
    MpiWin *origin = remote->origin;
    if (origin->failed)
        return;
    g_autofree char *place = mpi_rma_place(origin, remote->pc);
    origin->failed = MPI_ERR_RMA_RANGE;
    origin->failure =
        g_strdup_printf("the access at %s has met no memory at rank %u of the window, address 0x%" G_GINT64_MODIFIER
                        "x: has it been freed, or detached?",
                        place, remote->target->rank, remote->address);
}

/* A flush, unlock or complete whose accesses are all done. */
static void conclude(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    if (remote->sort == MPI_REMOTE_UNLOCK && peer->granted)
        mpi_lock_give_back(peer, call, time_ps);
    if (remote->sort == MPI_REMOTE_COMPLETE) {
        remote->target->completes++;
        mpi_rma_look(remote->target);
    }
    if (remote->answers)
        mpi_remote_answer(call, remote, time_ps);
    else
        mpi_remote_drop(remote);
}

static void conclude_held(MpiPeer *peer, MpiCall *call, uint64_t time_ps)
{
    MpiRemote *held = g_steal_pointer(&peer->held), *oldest = NULL;
    for (MpiRemote *next; held; held = next) {
        next = held->next;
        held->next = oldest;
        oldest = held;
    }
    for (MpiRemote *next; oldest; oldest = next) {
        next = oldest->next;
        conclude(oldest, call, time_ps);
    }
}

/* The access has been done at the target, or refused. */
static void end_access(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    assert(peer->on_way > 0);
    peer->on_way--;
    if (remote->answers)
        mpi_remote_answer(call, remote, time_ps);
    else
        mpi_remote_drop(remote);
    if (!peer->on_way && peer->held)
        conclude_held(peer, call, time_ps);
}

static void do_access(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    if (!mpi_combine(remote))
        fail(remote);
    if (remote->origin == remote->target && remote->bytes)
        mpi_tell_accessed_own(remote->origin->window->world, &remote->head, call ? call->now : time_ps);
    end_access(remote, call, time_ps);
}

static void tell_granted(const MpiRemote *remote, uint64_t time_ps)
{
    mpi_tell_remote(remote->origin->window->world, MPI_TRANSFER_GRANTED, &remote->head, time_ps, time_ps);
}

/* Under MPI_Win_lock_all, the first access to a target asks for its lock, and those after it wait for that. */
static bool waits_for_lock(MpiRemote *remote, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    if (!peer->lock || peer->granted || peer->nocheck)
        return false;
    if (!peer->asked) {
        peer->asked = true;
        if (!mpi_lock_ask(remote))
            return true;
        tell_granted(remote, time_ps);
        return false;
    }
    if (!peer->ungranted)
        peer->ungranted_end = &peer->ungranted;
    *peer->ungranted_end = remote;
    peer->ungranted_end = &remote->next;
    remote->next = NULL;
    return true;
}

static void refuse_access(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    remote->refused = true;
    mpi_rma_note_lost_lock(remote);
    end_access(remote, call, time_ps);
}

void mpi_remote_refuse(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    MpiRemote *waiting = g_steal_pointer(&peer->ungranted);
    peer->refused = true;
    if (remote->sort == MPI_REMOTE_LOCK) {
        remote->refused = true;
        mpi_rma_note_lost_lock(remote);
        mpi_remote_answer(call, remote, time_ps);
    } else {
        refuse_access(remote, call, time_ps);
    }
    for (MpiRemote *next; waiting; waiting = next) {
        next = waiting->next;
        refuse_access(waiting, call, time_ps);
    }
}

static void access_in_turn(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    if (G_UNLIKELY(peer->refused)) {
        refuse_access(remote, call, time_ps);
        return;
    }
    if (G_UNLIKELY(peer->lock && !peer->granted && !peer->nocheck &&
                   mpi_rma_lock_is_lost(&remote->target->lock, peer))) {
        mpi_remote_refuse(remote, call, time_ps);
        return;
    }
    if (!waits_for_lock(remote, time_ps))
        do_access(remote, call, time_ps);
}

void mpi_remote_granted(MpiCall *call, MpiRemote *remote, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    MpiRemote *waiting = g_steal_pointer(&peer->ungranted);
    if (remote->sort == MPI_REMOTE_LOCK) {
        mpi_remote_answer(call, remote, time_ps);
    } else {
        tell_granted(remote, time_ps);
        do_access(remote, call, time_ps);
    }
    for (MpiRemote *next; waiting; waiting = next) {
        next = waiting->next;
        do_access(waiting, call, time_ps);
    }
}

/* Lets ordered accesses happen in the order in which they were made, also where the network has another. */
static void access_ordered(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    MpiPeer *peer = remote->peer;
    remote->next = peer->early;
    peer->early = remote;
    for (MpiRemote **at = &peer->early; *at;) {
        MpiRemote *turn = *at;
        if (turn->number != peer->turn) {
            at = &turn->next;
            continue;
        }
        *at = turn->next;
        peer->turn++;
        access_in_turn(turn, call, time_ps);
        at = &peer->early;
    }
}

static void post_arrives(MpiRemote *remote)
{
    MpiWin *win = remote->target; /* of the message: it is the origin of accesses */
    MpiPeer *peer = mpi_peer_of(win, remote->origin->rank);
    if (peer->awaits_post) {
        peer->awaits_post = false;
        win->missing_posts--;
        mpi_rma_look(win);
    } else {
        peer->posts++;
    }
    mpi_remote_drop(remote);
}

static void arrive_at_target(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    if (remote->head.data)
        mpi_count_received(remote->target->owner, remote->head.bytes);
    if (remote->ordered) {
        access_ordered(remote, call, time_ps);
    } else if (is_access(remote)) {
        access_in_turn(remote, call, time_ps);
    } else if (remote->sort == MPI_REMOTE_POST) {
        post_arrives(remote);
    } else if (remote->sort == MPI_REMOTE_LOCK) {
        if (mpi_rma_lock_is_lost(&remote->target->lock, remote->peer))
            mpi_remote_refuse(remote, call, time_ps);
        else if (mpi_lock_ask(remote))
            mpi_remote_granted(call, remote, time_ps);
    } else if (remote->peer->on_way) {
        remote->next = remote->peer->held;
        remote->peer->held = remote;
    } else {
        conclude(remote, call, time_ps);
    }
}

/* -- back at the origin ------------------------------------------------------------------------ */

static bool store_result(const MpiRemote *remote)
{
    const MpiBuffer *result = &remote->result;
    MpiRank *rank = remote->origin->owner;
    if (!remote->head.data || !result->type)
        return true;
    mpi_loans_settle(rank);
    if (vm_rank_is_watched(rank->process) && !mpi_ask_place(rank->world, result, remote->bytes))
        return false;
    if (!result->type->contiguous)
        return mpi_type_unpack(result->type, result->count, rank->process, result->address, remote->data,
                               remote->bytes);
    void *to = vm_rank_write(rank->process, result->address, remote->bytes);
    if (to)
        memcpy(to, remote->data, remote->bytes);
    return to;
}

static void arrive_at_origin(MpiRemote *remote)
{
    MpiWin *win = remote->origin;
    MpiPeer *peer = remote->peer;
    if (G_UNLIKELY(remote->target->owner->failure_known)) { /* mpi_rma_process_failed() has been here */
        mpi_remote_drop(remote);
        return;
    }
    int error = remote->refused ? MPI_ERR_PROC_FAILED : store_result(remote) ? MPI_SUCCESS : MPI_ERR_BUFFER;
    if (remote->head.data)
        mpi_count_received(win->owner, remote->head.bytes);
    if (is_access(remote)) {
        peer->fetches--;
        win->fetches--;
    } else {
        peer->acks--;
        win->acks--;
    }
    if (error == MPI_ERR_BUFFER && !win->failed && !remote->request) {
        win->failed = error;
        win->failure = g_strdup("the buffer for the result of an access is no longer in the program's memory");
    }
    if (remote->request)
        mpi_request_complete(g_steal_pointer(&remote->request), error);
    mpi_rma_look(win);
    mpi_remote_drop(remote);
}

/* -- arriving ---------------------------------------------------------------------------------- */

/* Does what has arrived, on the time of `call`, which pays for the answer, or at time_ps if that is NULL. */
static void arrive(MpiRemote *remote, MpiCall *call, uint64_t time_ps)
{
    if (remote->back)
        arrive_at_origin(remote);
    else
        arrive_at_target(remote, call, time_ps);
}

static uint64_t handling_ps(const MpiWorld *world, const MpiCall *call, const MpiRemote *remote)
{
    uint64_t overhead_ps = mpi_transfer_overhead_ps(&world->params.recv_overhead, remote->head.bytes);
    return overhead_ps + copy_ps(world, call, overhead_ps, remote->head.bytes);
}

static void handle_in_call(MpiCall *call, MpiRemote *remote)
{
    uint64_t began_ps = call->now;
    mpi_call_charge(call, handling_ps(call->world, call, remote));
    mpi_tell_remote(call->world, MPI_TRANSFER_RECEIVED, &remote->head, began_ps, call->now);
    arrive(remote, call, call->now);
}

static void keep(MpiRank *rank, MpiRemote *remote)
{
    Inbox *inbox = inbox_of(rank);
    if (!inbox->first)
        mpi_transfer_inbox_put(rank, &inbox->note);
    *inbox->end = remote;
    inbox->end = &remote->next;
    remote->next = NULL;
}

void mpi_remotes_note(MpiCall *call, MpiMessage *note)
{
    Inbox *inbox = inbox_of(call->rank);
    MpiRemote *remote = inbox->first;
    g_assert(note == &inbox->note);
    inbox->first = NULL;
    inbox->end = &inbox->first;
    for (MpiRemote *next; remote; remote = next) {
        next = remote->next;
        if (call->world->progress[MPI_PROGRESS_ONE_SIDED] == MPI_PROGRESS_INLINE)
            handle_in_call(call, remote);
        else
            arrive(remote, NULL, call->now);
    }
}

bool mpi_remotes_take_answers(MpiRank *rank, uint64_t time_ps)
{
    Inbox *inbox = inbox_of(rank);
    if (rank->inbox != &inbox->note || inbox->note.next ||
        rank->world->progress[MPI_PROGRESS_ONE_SIDED] == MPI_PROGRESS_INLINE)
        return false;
    MpiRemote *remote = inbox->first;
    rank->inbox = NULL;
    inbox->first = NULL;
    inbox->end = &inbox->first;
    for (MpiRemote *next; remote; remote = next) {
        next = remote->next;
        arrive(remote, NULL, time_ps);
    }
    return true;
}

/* Does what needs no call of the rank. */
static void handle_beside(MpiRank *rank, MpiRemote *remote, uint64_t time_ps)
{
    const MpiEnv *env = &rank->world->env;
    bool blocked = mpi_call_receptive(rank);
    if (!blocked && remote->back && remote->head.data) {
        keep(rank, remote);
        return;
    }
    if (!blocked && is_access(remote) && !remote->back && !remote->origin->window->separate && env->still)
        env->still(env->user, rank->index);
    arrive(remote, NULL, time_ps);
    mpi_rma_settle(rank, time_ps);
}

void mpi_remotes_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiRemote *remote = remote_of(cookie);
    MpiRank *rank = mpi_world_rank(world, remote->head.to);
    MpiCall *call = NULL;
    if (G_UNLIKELY(rank->failed)) {
        mpi_remote_drop(remote);
        return;
    }
    mpi_tell_remote(world, MPI_TRANSFER_DELIVERED, &remote->head, time_ps, time_ps);
    mpi_call_touch_rank(rank);
    switch (world->progress[MPI_PROGRESS_ONE_SIDED]) {
    case MPI_PROGRESS_OFFLOAD:
        mpi_tell_remote(world, MPI_TRANSFER_RECEIVED, &remote->head, time_ps, time_ps);
        handle_beside(rank, remote, time_ps);
        return;
    case MPI_PROGRESS_THREAD: {
        uint64_t since_ps = mpi_progress_serve(rank, MPI_PROGRESS_THREAD, 0, 0);
        uint64_t work_ps =
            handling_ps(world, NULL, remote) + mpi_progress_interrupt_ps(rank, remote->head.from, since_ps, time_ps);
        uint64_t began_ps = MAX(since_ps, time_ps);
        mpi_tell_remote(world, MPI_TRANSFER_RECEIVED, &remote->head, began_ps, began_ps + work_ps);
        mpi_progress_ask(rank, MPI_PROGRESS_THREAD, time_ps, work_ps, (uint64_t)(uintptr_t)remote | MPI_COOKIE_REMOTE);
        return;
    }
    default:
        if (rank->plain) /* it waits in an MPI call, and handles what comes */
            mpi_plain_receive_expand(rank);
        call = mpi_call_receptive(rank);
        if (!call) {
            keep(rank, remote);
            return;
        }
        uint64_t interrupt_ps = mpi_progress_interrupt_ps(rank, remote->head.from, call->now, time_ps);
        mpi_call_advance(call, time_ps);
        if (interrupt_ps)
            mpi_call_charge(call, interrupt_ps);
        handle_in_call(call, remote);
        uint64_t handled_ps = call->now;
        mpi_call_settle(call);
        if (G_UNLIKELY(rank->threads))
            settle_threads(rank, handled_ps);
    }
}

void mpi_remotes_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiRemote *remote = remote_of(cookie);
    MpiRank *rank = mpi_world_rank(world, remote->head.to);
    if (rank->failed) {
        mpi_remote_drop(remote);
        return;
    }
    mpi_call_touch_rank(rank);
    handle_beside(rank, remote, time_ps);
}

/* -- flushing ---------------------------------------------------------------------------------- */

void mpi_rma_flush_peer(MpiCall *call, MpiPeer *peer)
{
    if (!peer->unconfirmed)
        return;
    peer->unconfirmed = 0;
    if (peer->win == peer->target && !peer->on_way)
        return;
    MpiRemote *flush = mpi_remote_new(call, peer->win, peer->target, peer, MPI_REMOTE_FLUSH);
    flush->answers = true;
    peer->acks++;
    peer->win->acks++;
    mpi_remote_send(call, flush, 0);
}

void mpi_rma_flush_peers(MpiCall *call, MpiWin *win)
{
    for (MpiPeer *peer = win->peers; peer; peer = peer->next)
        mpi_rma_flush_peer(call, peer);
}
