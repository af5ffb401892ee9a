/* locks.c - the locks of windows: one for each member, which others may have shared or one of them exclusively.
 *
 * Who asks waits behind all who asked before, so nobody waits for ever. MPI_Win_lock_all takes the lock of its own
 * rank at once, and that of each other member with the first access to it, so that it costs no more than what it is
 * used for. */
#include "mpi/rma/windows.h"

#include <assert.h>

static bool is_free_for(const MpiLock *lock, const MpiPeer *peer)
{
    return !lock->holders || (lock->sort == MPI_LOCK_SHARED && peer->lock == MPI_LOCK_SHARED);
}

static void hold(MpiLock *lock, MpiPeer *peer)
{
    peer->granted = true;
    peer->before = NULL;
    peer->after = lock->holders;
    if (lock->holders)
        lock->holders->before = peer;
    lock->holders = peer;
    lock->sort = peer->lock;
}

bool mpi_lock_ask(MpiRemote *remote)
{
    MpiLock *lock = &remote->target->lock;
    if (!lock->waiting && is_free_for(lock, remote->peer)) {
        hold(lock, remote->peer);
        return true;
    }
    if (!lock->waiting)
        lock->end = &lock->waiting;
    *lock->end = remote;
    lock->end = &remote->next;
    remote->next = NULL;
    return false;
}

void mpi_lock_give_back(MpiPeer *peer, MpiCall *call, uint64_t time_ps)
{
    MpiLock *lock = &peer->target->lock;
    assert(peer->granted);
    peer->granted = false;
    if (peer->after)
        peer->after->before = peer->before;
    if (peer->before)
        peer->before->after = peer->after;
    else
        lock->holders = peer->after;
    while (lock->waiting && is_free_for(lock, lock->waiting->peer)) {
        MpiRemote *next = lock->waiting;
        lock->waiting = next->next;
        hold(lock, next->peer);
        mpi_remote_granted(call, next, time_ps);
    }
}
