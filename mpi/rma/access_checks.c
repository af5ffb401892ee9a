/* access_checks.c - whether a member may access another's window now (MPI-4.1 section 12.5).
 *
 * An access needs an epoch: of a fence, of MPI_Win_start, of MPI_Win_lock or of MPI_Win_lock_all. */
#include "mpi/rma/windows.h"

/* What to do about an access without an epoch. */
static MpiStep no_epoch(MpiCall *call, const MpiWin *win, uint32_t target)
{
    if (win->started) {
        g_autofree char *place = mpi_rma_place(win, win->start_pc);
        return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                              "rank %u is not in the group of MPI_Win_start at %s, so its window must not be accessed "
                              "in this epoch",
                              target, place);
    }
    for (const MpiPeer *peer = win->peers; win->locks && peer; peer = peer->next) {
        if (!peer->lock)
            continue;
        g_autofree char *place = mpi_rma_place(win, peer->pc);
        return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                              "rank %u is accessed, but MPI_Win_lock at %s has locked rank %u; lock the target too",
                              target, place, peer->target->rank);
    }
    if (win->fences && win->fence_pc != VCODE_NONE) {
        g_autofree char *place = mpi_rma_place(win, win->fence_pc);
        return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                              "there is no epoch: the last MPI_Win_fence, at %s, %s; begin one, with MPI_Win_fence, "
                              "MPI_Win_start or MPI_Win_lock",
                              place,
                              win->exposure & MPI_MODE_NOSUCCEED ? "said MPI_MODE_NOSUCCEED"
                                                                 : "was followed by epochs of another kind");
    }
    return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                          "the window is accessed outside of an epoch; begin one before, with MPI_Win_fence, "
                          "MPI_Win_start or MPI_Win_lock");
}

/* Checks what the target has promised with MPI_MODE_NOPUT. */
static bool check_promise(MpiCall *call, const MpiWin *win, uint32_t rank, MpiStep *step)
{
    const MpiWin *target = win->window->members[rank];
    bool fence = win->fence_open && !win->started && target->exposure_fence == win->fences;
    if (!(target->exposure & MPI_MODE_NOPUT) || !(fence || (win->started && target->exposed)))
        return true;
    g_autofree char *place = mpi_rma_place(target, target->exposure_pc);
    *step = mpi_call_error(call, NULL, MPI_ERR_ASSERT,
                           "rank %u has promised at %s, with MPI_MODE_NOPUT, that nobody changes its window in this "
                           "epoch",
                           rank, place);
    return false;
}

/* Notes the first access of a peer in an epoch of MPI_Win_lock_all, which locks it. */
static bool lock_lazily(MpiCall *call, MpiWin *win, uint32_t target, MpiStep *step)
{
    MpiPeer *peer = mpi_peer_of(win, target);
    if (peer->lock)
        return true;
    peer->lock = MPI_LOCK_SHARED;
    peer->all = true;
    peer->nocheck = win->all_nocheck;
    peer->pc = call->pc;
    if (mpi_window_ask(call, win, peer, MPI_WINDOW_ORDERING, step))
        return mpi_window_ask(call, win, peer, MPI_WINDOW_LOCKING, step);
    peer->lock = MPI_LOCK_NONE; /* the call begins anew */
    peer->all = peer->nocheck = false;
    return false;
}

bool mpi_check_epoch(MpiCall *call, MpiWin *win, uint32_t target, bool writes, MpiStep *step)
{
    if (win->all)
        return lock_lazily(call, win, target, step);
    const MpiPeer *peer = win->locks || win->started ? mpi_peer_find(win, target) : NULL;
    if (peer && peer->lock)
        return true;
    bool open = win->started ? peer && peer->started : win->fence_open;
    if (!open) {
        *step = no_epoch(call, win, target);
        return false;
    }
    return !writes || check_promise(call, win, target, step);
}

uint64_t mpi_access_epoch(const MpiWin *win, const MpiPeer *peer)
{
    if (win->all || peer->lock)
        return 0;
    return win->started ? 2 * peer->target->posts + 2 : 2 * (uint64_t)win->fences + 1;
}

bool mpi_check_passive(MpiCall *call, const MpiWin *win, MpiStep *step)
{
    if (win->all || win->locks)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                           "only for epochs of MPI_Win_lock and MPI_Win_lock_all, and there is none now; lock the "
                           "target first");
    return false;
}

bool mpi_check_assertion(MpiCall *call, unsigned arg, int allowed, int *assertion, MpiStep *step)
{
    *assertion = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (!(*assertion & ~allowed))
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_ASSERT,
                           "argument %u, the assertion, is %d, which has bits that this call does not know: it may be "
                           "0%s%s%s",
                           arg + 1, *assertion, allowed & MPI_MODE_NOCHECK ? " or MPI_MODE_NOCHECK" : "",
                           allowed & MPI_MODE_NOSTORE ? " or MPI_MODE_NOSTORE, MPI_MODE_NOPUT" : "",
                           allowed & MPI_MODE_NOPRECEDE ? ", MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED" : "");
    return false;
}
