/* passive.c - epochs in which the target takes no part: MPI_Win_lock and its relatives, flushes, MPI_Win_sync (MPI-4.1
 * sections 12.5.3 and 12.5.4). */
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/rma/windows.h"

MpiStep mpi_rma_done(MpiCall *call, MpiWin *win)
{
    int failed = win->failed;
    if (!failed)
        return MPI_STEP_DONE;
    g_autofree char *why = g_steal_pointer(&win->failure);
    win->failed = 0;
    return mpi_call_error(call, NULL, failed, "%s", why);
}

/* -- beginning --------------------------------------------------------------------------------- */

MpiStep mpi_rma_still_open(MpiCall *call, const MpiWin *win, uint32_t pc, const char *what, const char *end)
{
    g_autofree char *place = mpi_rma_place(win, pc);
    return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                          "the epoch that %s at %s has begun is still open; end it first, with %s", what, place, end);
}

/* Gets the window and the rank of a target. Returns false if the call is over: after an error, or with nothing to do.
 */
static bool parse(MpiCall *call, unsigned rank_arg, unsigned win_arg, MpiWin **win, int *rank, MpiStep *step)
{
    *step = MPI_STEP_DONE;
    return mpi_rma_check_win(call, win_arg, win, step) &&
           mpi_check_peer(call, (*win)->comm, rank_arg, false, rank, step) && *rank != MPI_PROC_NULL_;
}

/* Checks that no epoch is open in which the window cannot be locked as well. */
static bool check_may_lock(MpiCall *call, MpiWin *win, MpiStep *step)
{
    if (win->no_locks)
        *step =
            mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                           "the window was made with the info key no_locks, which promises that it is never locked");
    else if (win->all)
        *step = mpi_rma_still_open(call, win, win->all_pc, "MPI_Win_lock_all", "MPI_Win_unlock_all");
    else if (win->started)
        *step = mpi_rma_still_open(call, win, win->start_pc, "MPI_Win_start", "MPI_Win_complete");
    else if (win->fence_open && win->fence_ops)
        *step = mpi_rma_still_open(call, win, win->fence_pc, "MPI_Win_fence", "MPI_Win_fence");
    else
        return true;
    return false;
}

/* The lock cannot be had, since a process has failed: the epoch does not begin. */
static MpiStep not_granted(MpiCall *call, MpiWin *win, MpiPeer *peer)
{
    mpi_rma_note_loss(win, peer->target->rank);
    if (peer->all)
        win->all = false;
    else
        win->locks--;
    peer->all = false;
    peer->lock = MPI_LOCK_NONE;
    mpi_peer_retire(peer);
    return mpi_rma_done(call, win);
}

/* `call->room[1]`: the peer. */
static MpiStep locked(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    MpiPeer *peer = (MpiPeer *)(uintptr_t)call->room[1];
    if (G_UNLIKELY(peer->refused || peer->target->owner->failure_known))
        return not_granted(call, win, peer);
    mpi_window_fetch(win);
    mpi_window_tell(call, win, (const MpiPeer *)(uintptr_t)call->room[1], MPI_WINDOW_LOCKED);
    return MPI_STEP_DONE;
}

/* Asks for the lock of a peer and waits for it. */
static MpiStep ask(MpiCall *call, MpiWin *win, MpiPeer *peer)
{
    MpiStep step;
    call->remote.win = win;
    call->room[1] = (uint64_t)(uintptr_t)peer;
    if (!mpi_window_ask(call, win, peer, MPI_WINDOW_LOCKING, &step))
        return step;
    if (peer->nocheck)
        return locked(call);
    MpiRemote *remote = mpi_remote_new(call, win, peer->target, peer, MPI_REMOTE_LOCK);
    remote->answers = true;
    remote->lock = peer->lock;
    peer->asked = true;
    peer->acks++;
    win->acks++;
    mpi_remote_send(call, remote, 0);
    return mpi_rma_wait(call, win, MPI_WIN_WAIT_LOCK, peer, locked);
}

MpiStep mpi_do_Win_lock(MpiCall *call)
{
    enum { SORT, RANK, ASSERTION, WIN };
    MpiWin *win;
    int rank, assertion, sort = mpi_int(call, SORT);
    MpiStep step;
    vm_check_argument(call->process, SORT);
    if (!mpi_rma_check_win(call, WIN, &win, &step) || !mpi_check_peer(call, win->comm, RANK, false, &rank, &step) ||
        !mpi_check_assertion(call, ASSERTION, MPI_MODE_NOCHECK, &assertion, &step))
        return step;
    if (sort != MPI_LOCK_SHARED && sort != MPI_LOCK_EXCLUSIVE)
        return mpi_call_error(call, NULL, MPI_ERR_LOCKTYPE,
                              "argument 1, the kind of lock, is %d; it must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
                              sort);
    if (!check_may_lock(call, win, &step))
        return step;
    if (rank == MPI_PROC_NULL_)
        return MPI_STEP_DONE;
    MpiPeer *peer = mpi_peer_of(win, (uint32_t)rank);
    if (peer->lock) {
        g_autofree char *place = mpi_rma_place(win, peer->pc);
        return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                              "the window of rank %d has been locked by this rank already, at %s; unlock it first",
                              rank, place);
    }
    peer->lock = (uint8_t)sort;
    peer->nocheck = assertion & MPI_MODE_NOCHECK;
    peer->pc = call->pc;
    if (!mpi_window_ask(call, win, peer, MPI_WINDOW_ORDERING, &step)) {
        peer->lock = MPI_LOCK_NONE; /* the call begins anew */
        return step;
    }
    win->fence_open = false;
    win->locks++;
    return ask(call, win, peer);
}

MpiStep mpi_do_Win_lock_all(MpiCall *call)
{
    enum { ASSERTION, WIN };
    MpiWin *win;
    int assertion;
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &win, &step) ||
        !mpi_check_assertion(call, ASSERTION, MPI_MODE_NOCHECK, &assertion, &step) || !check_may_lock(call, win, &step))
        return step;
    for (const MpiPeer *peer = win->peers; win->locks && peer; peer = peer->next)
        if (peer->lock)
            return mpi_rma_still_open(call, win, peer->pc, "MPI_Win_lock", "MPI_Win_unlock");
    MpiPeer *self = mpi_peer_of(win, win->rank);
    self->lock = MPI_LOCK_SHARED;
    self->nocheck = assertion & MPI_MODE_NOCHECK;
    self->pc = call->pc;
    if (!mpi_window_ask(call, win, self, MPI_WINDOW_ORDERING, &step)) {
        self->lock = MPI_LOCK_NONE; /* the call begins anew */
        return step;
    }
    self->all = true;
    win->fence_open = false;
    win->all = true;
    win->all_nocheck = self->nocheck;
    win->all_pc = call->pc;
    return ask(call, win, self);
}

/* -- ending ------------------------------------------------------------------------------------ */

/* Gives the lock of a peer back, behind all accesses to it. */
static void give_back(MpiCall *call, MpiPeer *peer)
{
    MpiWin *win = peer->win;
    bool asks = peer->asked || peer->on_way; /* under MPI_Win_lock_all, the first access asks when it arrives */
    mpi_window_tell(call, win, peer, MPI_WINDOW_ENDING);
    mpi_window_tell(call, win, peer, MPI_WINDOW_UNLOCKING);
    if (peer->nocheck || !asks) {
        mpi_rma_flush_peer(call, peer);
        return;
    }
    MpiRemote *remote = mpi_remote_new(call, win, peer->target, peer, MPI_REMOTE_UNLOCK);
    remote->answers = peer->unconfirmed;
    peer->unconfirmed = 0;
    if (remote->answers) {
        peer->acks++;
        win->acks++;
    }
    mpi_remote_send(call, remote, 0);
}

static MpiStep unlocked(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    MpiPeer *peer = mpi_peer_find(win, (uint32_t)mpi_int(call, 0));
    win->locks--;
    mpi_window_tell(call, win, peer, MPI_WINDOW_ENDED);
    mpi_peers_synchronised(win, peer, false);
    mpi_peer_retire(peer);
    return mpi_rma_done(call, win);
}

/* Ends the call because the target is not locked. */
static MpiStep not_locked(MpiCall *call, const MpiWin *win, int rank)
{
    if (win->all)
        return mpi_rma_still_open(call, win, win->all_pc, "MPI_Win_lock_all", "MPI_Win_unlock_all");
    return mpi_call_error(
        call, NULL, MPI_ERR_RMA_SYNC,
        "this rank has not locked the window of rank %d; each MPI_Win_unlock ends one MPI_Win_lock of "
        "the same rank",
        rank);
}

MpiStep mpi_do_Win_unlock(MpiCall *call)
{
    enum { RANK, WIN };
    MpiWin *win;
    int rank;
    MpiStep step;
    if (!parse(call, RANK, WIN, &win, &rank, &step))
        return step;
    MpiPeer *peer = mpi_peer_find(win, (uint32_t)rank);
    if (!peer || !peer->lock || peer->all)
        return not_locked(call, win, rank);
    call->remote.win = win;
    mpi_window_publish(win);
    give_back(call, peer);
    return mpi_rma_wait(call, win, MPI_WIN_WAIT_DONE, peer, unlocked);
}

static MpiStep unlocked_all(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    mpi_window_tell_all(call, win, MPI_WINDOW_ENDED);
    mpi_peers_synchronised(win, NULL, false);
    for (MpiPeer *peer = win->peers, *next; peer; peer = next) {
        next = peer->next;
        if (peer->all)
            mpi_peer_retire(peer);
    }
    win->all = false;
    return mpi_rma_done(call, win);
}

MpiStep mpi_do_Win_unlock_all(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    if (!mpi_rma_check_win(call, 0, &win, &step))
        return step;
    if (!win->all)
        return mpi_call_error(
            call, NULL, MPI_ERR_RMA_SYNC,
            "this rank has not called MPI_Win_lock_all; locks of MPI_Win_lock end with MPI_Win_unlock");
    call->remote.win = win;
    mpi_window_publish(win);
    for (MpiPeer *peer = win->peers; peer; peer = peer->next)
        if (peer->all)
            give_back(call, peer);
    return mpi_rma_wait(call, win, MPI_WIN_WAIT_DONE, NULL, unlocked_all);
}

/* -- flushing ---------------------------------------------------------------------------------- */

/* Tells checks of a step towards a peer, or towards all of them if that is NULL. */
static void tell(MpiCall *call, MpiWin *win, const MpiPeer *peer, MpiWindowEvent event)
{
    if (peer)
        mpi_window_tell(call, win, peer, event);
    else
        mpi_window_tell_all(call, win, event);
}

/* `call->room[0]`: whether the flush is local; `call->room[1]`: the peer, or 0 for all of them. */
static MpiStep flushed(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    MpiPeer *peer = (MpiPeer *)(uintptr_t)call->room[1];
    tell(call, win, peer, MPI_WINDOW_ENDED);
    mpi_peers_synchronised(win, peer, call->room[0]);
    return mpi_rma_done(call, win);
}

/* Waits until accesses to the peer, or to all of them if that is NULL, are done, or their buffers are free. */
static MpiStep flush_peers(MpiCall *call, MpiWin *win, MpiPeer *peer, bool local)
{
    call->remote.win = win;
    call->room[0] = local;
    call->room[1] = (uint64_t)(uintptr_t)peer;
    tell(call, win, peer, local ? MPI_WINDOW_ENDING_LOCALLY : MPI_WINDOW_ENDING);
    if (!local && peer)
        mpi_rma_flush_peer(call, peer);
    else if (!local)
        mpi_rma_flush_peers(call, win);
    return mpi_rma_wait(call, win, local ? MPI_WIN_WAIT_LOCAL : MPI_WIN_WAIT_DONE, peer, flushed);
}

static MpiStep flush(MpiCall *call, bool local)
{
    enum { RANK, WIN };
    MpiWin *win;
    int rank;
    MpiStep step;
    if (!parse(call, RANK, WIN, &win, &rank, &step))
        return step;
    MpiPeer *peer = mpi_peer_find(win, (uint32_t)rank);
    if (!win->all && !(peer && peer->lock))
        return win->locks ? not_locked(call, win, rank) : mpi_check_passive(call, win, &step) ? MPI_STEP_DONE : step;
    if (!peer)
        return MPI_STEP_DONE;
    return flush_peers(call, win, peer, local);
}

MPI_HANDLER(Win_flush, flush(call, false))
MPI_HANDLER(Win_flush_local, flush(call, true))

static MpiStep flush_all(MpiCall *call, bool local)
{
    MpiWin *win;
    MpiStep step;
    if (!mpi_rma_check_win(call, 0, &win, &step) || !mpi_check_passive(call, win, &step))
        return step;
    return flush_peers(call, win, NULL, local);
}

MPI_HANDLER(Win_flush_all, flush_all(call, false))
MPI_HANDLER(Win_flush_local_all, flush_all(call, true))

MpiStep mpi_do_Win_sync(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    if (!mpi_rma_check_win(call, 0, &win, &step))
        return step;
    mpi_window_publish(win);
    mpi_window_fetch(win);
    mpi_window_tell(call, win, NULL, MPI_WINDOW_SYNCED);
    return MPI_STEP_DONE;
}
