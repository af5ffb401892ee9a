/* peers.c - what a member of a window keeps of the others that it works with.
 *
 * A list, and a table beside it once there are more than a few. */
#include "mpi/core/hooks.h"
#include "mpi/rma/windows.h"

#include <assert.h>

enum { FEW_PEERS = 8 };

MpiPeer *mpi_peer_find(const MpiWin *win, uint32_t target)
{
    if (win->last_peer && win->last_peer->target->rank == target)
        return win->last_peer;
    if (win->peer_table)
        return g_hash_table_lookup(win->peer_table, GUINT_TO_POINTER(target + 1));
    MpiPeer *peer = win->peers;
    while (peer && peer->target->rank != target)
        peer = peer->next;
    return peer;
}

static void note_in_table(MpiWin *win, MpiPeer *peer)
{
    if (!win->peer_table && win->n_peers <= FEW_PEERS)
        return;
    if (win->peer_table) {
        g_hash_table_insert(win->peer_table, GUINT_TO_POINTER(peer->target->rank + 1), peer);
        return;
    }
    win->peer_table = g_hash_table_new(NULL, NULL);
    for (MpiPeer *each = win->peers; each; each = each->next)
        g_hash_table_insert(win->peer_table, GUINT_TO_POINTER(each->target->rank + 1), each);
}

MpiPeer *mpi_peer_of(MpiWin *win, uint32_t target)
{
    MpiPeer *peer = mpi_peer_find(win, target);
    if (!peer) {
        peer = mpi_pool_take(&win->window->pools->peers);
        peer->win = win;
        peer->target = win->window->members[target];
        peer->refs = 1;
        peer->flushes = peer->local_flushes = ++win->stamps;
        peer->next = win->peers;
        win->peers = peer;
        win->n_peers++;
        note_in_table(win, peer);
    }
    win->last_peer = peer;
    return peer;
}

void mpi_peer_unref(MpiPeer *peer)
{
    assert(peer->refs > 0);
    if (--peer->refs)
        return;
    if (peer->uses)
        g_ptr_array_unref(peer->uses);
    mpi_pool_give(&peer->win->window->pools->peers, peer);
}

/* Takes the peer that *at points to out of the list. */
static void take_out(MpiWin *win, MpiPeer **at)
{
    MpiPeer *peer = *at;
    *at = peer->next;
    win->n_peers--;
    if (win->last_peer == peer)
        win->last_peer = NULL;
    if (win->peer_table)
        g_hash_table_remove(win->peer_table, GUINT_TO_POINTER(peer->target->rank + 1));
    mpi_peer_unref(peer);
}

void mpi_peer_retire(MpiPeer *peer)
{
    MpiWin *win = peer->win;
    MpiPeer **at = &win->peers;
    uint32_t posts = peer->posts, target = peer->target->rank;
    while (*at != peer)
        at = &(*at)->next;
    take_out(win, at);
    if (posts)
        mpi_peer_of(win, target)->posts = posts;
}

/* A peer that something refers to waits for the end of a later epoch. */
void mpi_peers_tidy(MpiWin *win)
{
    for (MpiPeer **at = &win->peers; *at;) {
        const MpiPeer *peer = *at;
        if (peer->refs > 1 || peer->posts || peer->lock || peer->started || peer->acks || peer->fetches ||
            peer->leaving || peer->unconfirmed)
            at = &(*at)->next;
        else
            take_out(win, at);
    }
    if (!win->peers && win->peer_table) {
        g_hash_table_unref(win->peer_table);
        win->peer_table = NULL;
    }
}

/* -- buffers ----------------------------------------------------------------------------------- */

/* Returns what stands for the buffers of accesses that are made at one place in the program. */
static MpiRequest *use_of(MpiCall *call, MpiPeer *peer, const MpiBuffer *buffer)
{
    MpiRequest *last = peer->uses && peer->uses->len ? peer->uses->pdata[peer->uses->len - 1] : NULL;
    if (last && last->made_pc == call->pc && last->made_by == call->name)
        return last;
    MpiRequest *use = mpi_request_new(call, MPI_REQUEST_REMOTE, MPI_MODE_STANDARD, buffer, peer->win->comm,
                                      (int)peer->target->rank, 0, false);
    use->active = use->complete = true; /* nobody waits for it */
    if (!peer->uses)
        peer->uses = g_ptr_array_new();
    g_ptr_array_add(peer->uses, use);
    return use;
}

void mpi_peer_use(MpiCall *call, MpiPeer *peer, const MpiBuffer *read, const MpiBuffer *written)
{
    const MpiBuffer *buffer = written->type ? written : read;
    guint known = peer->uses ? peer->uses->len : 0;
    MpiRequest *use = use_of(call, peer, buffer);
    bool fresh = peer->uses->len > known, single = !read->type || !written->type;
    if (!fresh && single && use->buffer.address == buffer->address && use->buffer.count == buffer->count &&
        use->buffer.type == buffer->type)
        return; /* a loop that uses one buffer again and again */
    if (read->type)
        mpi_tell_used(call->world, call, use, read, false, -1);
    if (written->type)
        mpi_tell_used(call->world, call, use, written, true, -1);
}

/* Buffers of accesses with a request may be used now, too; the request stays active until somebody waits for it. */
static void look_at_requests(const MpiPeer *peer)
{
    const MpiWin *win = peer->win;
    for (MpiRequest *request = win->owner->requests; request; request = request->next)
        if (request->sort == MPI_REQUEST_REMOTE && request->handle && request->comm == win->comm &&
            request->peer == (int)peer->target->rank)
            mpi_tell_looked(win->window->world, request, -1);
}

static void synchronised(MpiPeer *peer, bool local)
{
    peer->local_flushes = ++peer->win->stamps;
    if (!local)
        peer->flushes = peer->local_flushes;
    for (guint i = 0; peer->uses && i < peer->uses->len; i++) {
        MpiRequest *use = peer->uses->pdata[i];
        mpi_tell_finished(peer->win->window->world, use);
        mpi_request_release(use);
    }
    if (peer->uses)
        g_ptr_array_set_size(peer->uses, 0);
    if (mpi_listens_looked(peer->win->window->world))
        look_at_requests(peer);
}

void mpi_peers_synchronised(MpiWin *win, MpiPeer *peer, bool local)
{
    if (peer) {
        synchronised(peer, local);
        return;
    }
    for (peer = win->peers; peer; peer = peer->next)
        synchronised(peer, local);
}
