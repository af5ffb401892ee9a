/* window_state.c - a member's view of a window in words, for the debugger: its memory, epochs and what is under way. */
#include "mpi/comm/comm.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/windows.h"

static void append_since(GString *out, const MpiWin *win, const char *what, uint32_t pc)
{
    g_autofree char *place = mpi_rma_place(win, pc);
    g_string_append_printf(out, "; %s since %s", what, place);
}

/* The peers are listed newest first. */
static void append_locks(GString *out, const MpiWin *win)
{
    for (const MpiPeer *peer = win->peers; peer; peer = peer->next) {
        if (!peer->lock || peer->all)
            continue;
        const char *sort = peer->lock == MPI_LOCK_EXCLUSIVE ? "exclusive" : "shared";
        const char *verb = peer->nocheck || peer->granted ? "has" : "wants";
        g_autofree char *what = g_strdup_printf("%s the %s lock of rank %u", verb, sort, peer->target->rank);
        append_since(out, win, what, peer->pc);
    }
}

static void append_memory(GString *out, const MpiWin *win)
{
    if (win->window->flavour == MPI_FLAVOUR_DYNAMIC)
        g_string_append_printf(out, ", %u regions attached", win->regions ? win->regions->len : 0);
    else
        g_string_append_printf(out, ", %" G_GUINT64_FORMAT " bytes at 0x%" G_GINT64_MODIFIER "x, unit %d", win->size,
                               win->base, win->disp_unit);
}

void mpi_window_append_state(GString *out, const void *window)
{
    const MpiWin *win = window;
    uint32_t under_way = win->fetches + win->leaving + win->acks;
    gsize before;
    mpi_rma_append_win(out, win);
    append_memory(out, win);
    before = out->len;
    if (win->all)
        append_since(out, win, "has locked all", win->all_pc);
    append_locks(out, win);
    if (win->started)
        append_since(out, win, "accesses the group of MPI_Win_start", win->start_pc);
    if (win->exposed)
        append_since(out, win, "exposed by MPI_Win_post", win->post_pc);
    if (win->fence_open)
        append_since(out, win, "fence epoch", win->fence_pc);
    if (out->len == before)
        g_string_append(out, "; no epoch");
    if (under_way)
        g_string_append_printf(out, "; %u accesses under way", under_way);
}
