/* losses.c - windows of which a member has failed.
 *
 * What is on its way to a failed process is lost, and so are answers that it owes. When the failure becomes known, each
 * other member forgets what it has open there; its next synchronisation tells MPI_ERR_PROC_FAILED. What the failed
 * process held stays held: the memory may be half written. So who asks for a lock that only the failed one could give
 * back is *refused*, now or whenever it asks; who waits for MPI_Win_post or MPI_Win_complete of it goes on with the
 * error. Such a window can be freed without the others. */
#include "mpi/comm/comm.h"
#include "mpi/rma/windows.h"

#include <assert.h>

void mpi_rma_note_loss(MpiWin *win, uint32_t member)
{
    if (win->failed)
        return;
    win->failed = MPI_ERR_PROC_FAILED;
    win->failure = g_strdup_printf("rank %u of the window has failed", member);
}

bool mpi_rma_has_lost(const MpiWin *win)
{
    return mpi_group_has_failed(win->window->world, win->window->group);
}

/* -- what is open towards the failed member -------------------------------------------------------- */

static void fail_requests(const MpiWin *win, uint32_t member)
{
    for (MpiRequest *request = win->owner->requests, *next; request; request = next) {
        next = request->next;
        if (request->sort == MPI_REQUEST_REMOTE && request->comm == win->comm && request->peer == (int)member &&
            mpi_request_pending(request))
            mpi_request_complete(request, MPI_ERR_PROC_FAILED);
    }
}

static void bury(MpiPeer *peer)
{
    MpiWin *win = peer->win;
    bool open = peer->fetches || peer->leaving || peer->acks || peer->unconfirmed || peer->on_way || peer->awaits_post;
    if (open)
        mpi_rma_note_loss(win, peer->target->rank);
    win->fetches -= peer->fetches;
    win->leaving -= peer->leaving;
    win->acks -= peer->acks;
    win->missing_posts -= peer->awaits_post;
    peer->fetches = peer->leaving = peer->acks = peer->unconfirmed = peer->on_way = 0;
    peer->awaits_post = false;
    fail_requests(win, peer->target->rank);
}

/* The counters of the origin know of it already. */
void mpi_rma_lose(MpiRemote *remote)
{
    MpiPeer *peer = remote->peer;
    if (peer) {
        mpi_rma_note_loss(remote->origin, remote->target->rank);
        bury(peer);
    }
    if (remote->request)
        remote->request = NULL; /* which bury() has completed */
    mpi_remote_drop(remote);
}

/* -- exposures --------------------------------------------------------------------------------------- */

void mpi_rma_complete_for_lost(MpiWin *win)
{
    if (win->completes >= win->exposed->size || !mpi_group_has_failed(win->window->world, win->exposed))
        return;
    for (uint32_t i = 0; i < win->exposed->size; i++) {
        uint32_t member = mpi_group_world_rank(win->exposed, i);
        if (win->window->world->ranks[member].failure_known)
            mpi_rma_note_loss(win, (uint32_t)mpi_group_find(win->window->group, member));
    }
    win->completes = win->exposed->size;
}

/* -- locks -------------------------------------------------------------------------------------------- */

bool mpi_rma_lock_is_lost(const MpiLock *lock, const MpiPeer *peer)
{
    if (!peer->win->window->world->failures)
        return false;
    for (const MpiPeer *holder = lock->holders; holder; holder = holder->after)
        if (holder->win->owner->failure_known && (lock->sort == MPI_LOCK_EXCLUSIVE || peer->lock == MPI_LOCK_EXCLUSIVE))
            return true;
    return false;
}

void mpi_rma_note_lost_lock(const MpiRemote *remote)
{
    const MpiPeer *holder = remote->target->lock.holders;
    while (holder->after && !holder->win->owner->failure_known)
        holder = holder->after;
    mpi_rma_note_loss(remote->origin, holder->win->rank);
}

/* Drops those who have failed themselves, and refuses those whom a failed holder keeps out. */
static void look_through_lock(MpiLock *lock, uint64_t time_ps)
{
    MpiRemote *waiting = lock->waiting;
    lock->waiting = NULL;
    for (MpiRemote *next; waiting; waiting = next) {
        next = waiting->next;
        if (waiting->origin->owner->failed)
            mpi_remote_drop(waiting);
        else if (mpi_rma_lock_is_lost(lock, waiting->peer))
            mpi_remote_refuse(waiting, NULL, time_ps);
        else if (mpi_lock_ask(waiting))
            mpi_remote_granted(NULL, waiting, time_ps);
    }
}

/* -- a failure becomes known ------------------------------------------------------------------------ */

static void look_through(MpiWin *win, uint32_t failed, uint64_t time_ps)
{
    int member = mpi_group_find(win->window->group, failed);
    if (member < 0)
        return;
    MpiPeer *peer = mpi_peer_find(win, (uint32_t)member);
    if (peer)
        bury(peer);
    for (const MpiCall *call = win->waiters; call; call = call->remote.next)
        if (call->remote.wait == MPI_WIN_WAIT_COMPLETE) {
            mpi_rma_complete_for_lost(win);
            break;
        }
    look_through_lock(&win->lock, time_ps);
    mpi_rma_look(win);
}

void mpi_rma_process_failed(MpiRank *rank, uint32_t failed, uint64_t time_ps)
{
    bool any = false;
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (!entry->object || entry->kind != MPI_KIND_WIN)
            continue;
        any = true;
        look_through(entry->object, failed, time_ps);
    }
    if (any)
        mpi_rma_settle(rank, time_ps);
}
