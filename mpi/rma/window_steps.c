/* window_steps.c - what checks are told of the epochs of windows, if there are any. */
#include "mpi/core/hooks.h"
#include "mpi/rma/windows.h"

bool mpi_window_ask(MpiCall *call, MpiWin *win, const MpiPeer *peer, MpiWindowEvent event, MpiStep *step)
{
    if (G_LIKELY(!mpi_listens_window(call->world)))
        return true;
    MpiWindowStep at = {.event = event, .win = win, .own = &win->kept};
    if (peer) {
        at.kept = &peer->target->kept;
        at.target = peer->target->rank;
        at.lock = peer->lock;
        at.nocheck = peer->nocheck;
    } else if (event == MPI_WINDOW_FENCING || event == MPI_WINDOW_POSTING) {
        at.nostore = call->args[event == MPI_WINDOW_FENCING ? 0 : 1] & MPI_MODE_NOSTORE;
    }
    return mpi_ask_window(call->world, call, &at, step);
}

void mpi_window_tell(MpiCall *call, MpiWin *win, const MpiPeer *peer, MpiWindowEvent event)
{
    MpiStep step;
    mpi_window_ask(call, win, peer, event, &step);
}

void mpi_window_tell_all(MpiCall *call, MpiWin *win, MpiWindowEvent event)
{
    for (const MpiPeer *peer = mpi_listens_window(call->world) ? win->peers : NULL; peer; peer = peer->next)
        mpi_window_tell(call, win, peer, event);
}

bool mpi_window_extent(const MpiWin *win, uint64_t address, uint64_t *low, uint64_t *high)
{
    if (win->window->flavour != MPI_FLAVOUR_DYNAMIC) {
        *low = win->base;
        *high = win->base + win->size;
        return address < *high;
    }
    for (guint i = 0; win->regions && i < win->regions->len; i++) {
        const MpiRegion *region = &g_array_index(win->regions, MpiRegion, i);
        *low = region->address;
        *high = region->address + region->bytes;
        if (address < *high)
            return true;
    }
    return false;
}

MpiSlotValue *mpi_window_shared_extent(const MpiWin *win, uint64_t *low, uint64_t *high)
{
    const MpiWindow *window = win->window;
    MpiWin *first = window->members[0], *last = window->members[window->group->size - 1];
    if (window->flavour != MPI_FLAVOUR_SHARED)
        return NULL;
    *low = first->base;
    *high = last->base + last->size;
    return &first->kept;
}

uint32_t mpi_window_part(const MpiWin *win, uint64_t address, uint64_t *base)
{
    uint32_t part = win->window->group->size;
    while (part-- > 1)
        if (win->window->members[part]->size && win->window->members[part]->base <= address)
            break;
    *base = win->window->members[part]->base;
    return part;
}
