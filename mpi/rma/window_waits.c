/* window_waits.c - says what calls on windows wait for, and defines the names of the machine's choices for them. */
#include "mpi/comm/comm.h"
#include "mpi/rma/windows.h"

const char *const *mpi_rma_models(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MPI_WINDOW_MODELS);
    return names;
}

bool mpi_window_is_awaited(const MpiCall *call)
{
    return call->engine.blocked && call->remote.wait != MPI_WIN_WAIT_NONE;
}

bool mpi_window_lock_is_awaited(const MpiCall *call)
{
    return call->remote.wait == MPI_WIN_WAIT_LOCK;
}

const MpiComm *mpi_window_awaited_comm(const MpiCall *call)
{
    return call->remote.win->comm;
}

/* Returns the first member of the group of MPI_Win_start that has not posted, or NULL. */
static const MpiWin *first_without_post(const MpiWin *win)
{
    for (uint32_t i = 0; win->access && i < win->access->size; i++) {
        uint32_t rank = (uint32_t)mpi_group_find(win->window->group, mpi_group_world_rank(win->access, i));
        const MpiPeer *peer = mpi_peer_find(win, rank);
        if (peer && peer->awaits_post)
            return peer->target;
    }
    return NULL;
}

static const MpiPeer *first_open_peer(const MpiCall *call)
{
    if (call->remote.peer)
        return call->remote.peer;
    const MpiPeer *peer = call->remote.win->peers;
    while (peer && !(peer->fetches || peer->acks || peer->leaving))
        peer = peer->next;
    return peer;
}

static void append_holder(GString *out, const MpiPeer *peer)
{
    const MpiLock *lock = &peer->target->lock;
    bool fits = lock->sort == MPI_LOCK_SHARED && peer->lock == MPI_LOCK_SHARED;
    if (!lock->holders || (fits && !lock->waiting)) /* then it will be granted when the request arrives */
        return;
    g_autofree char *place = mpi_rma_place(lock->holders->win, lock->holders->pc);
    g_string_append_printf(out, ", which rank %u has held since %s", lock->holders->win->rank, place);
}

void mpi_window_describe_wait(GString *out, const MpiCall *call)
{
    const MpiWin *win = call->remote.win, *member = NULL;
    const MpiPeer *peer = first_open_peer(call);
    switch (call->remote.wait) {
    case MPI_WIN_WAIT_LOCK:
        g_string_append_printf(out, " waits for the lock of rank %u of ", peer->target->rank);
        mpi_rma_append_win(out, win);
        append_holder(out, peer);
        return;
    case MPI_WIN_WAIT_POST:
        member = first_without_post(win);
        g_string_append_printf(out, " waits for MPI_Win_post of rank %u", member ? member->rank : 0);
        break;
    case MPI_WIN_WAIT_COMPLETE:
        g_string_append_printf(out, " waits for MPI_Win_complete of %u of the %u ranks of its group",
                               win->exposed->size - win->completes, win->exposed->size);
        break;
    default:
        g_string_append(out, " waits for its accesses to be done");
        if (peer)
            g_string_append_printf(out, " at rank %u", peer->target->rank);
    }
    g_string_append(out, ", ");
    mpi_rma_append_win(out, win);
}

int64_t mpi_window_awaited_rank(const MpiCall *call)
{
    enum { NOBODY = -1 };
    const MpiWin *win = call->remote.win, *member = NULL;
    const MpiPeer *peer = first_open_peer(call);
    if (call->remote.wait == MPI_WIN_WAIT_LOCK)
        member = peer->target->lock.holders ? peer->target->lock.holders->win : NULL;
    else if (call->remote.wait == MPI_WIN_WAIT_POST)
        member = first_without_post(win);
    else if (call->remote.wait == MPI_WIN_WAIT_COMPLETE)
        return win->exposed->size == 1 ? (int64_t)mpi_group_world_rank(win->exposed, 0) : NOBODY;
    else
        member = peer ? peer->target : NULL;
    return member ? (int64_t)member->owner->index : NOBODY;
}
