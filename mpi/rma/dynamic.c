/* dynamic.c - memory that is attached to a window after it was made (MPI-4.1 section 12.2.4). */
#include "mpi/core/handlers.h"
#include "mpi/rma/windows.h"

static bool check_dynamic(MpiCall *call, MpiWin **win, MpiStep *step)
{
    if (!mpi_rma_check_win(call, 0, win, step))
        return false;
    if ((*win)->window->flavour == MPI_FLAVOUR_DYNAMIC)
        return true;
    g_autofree char *place = mpi_rma_place(*win, (*win)->made_pc);
    *step =
        mpi_call_error(call, NULL, MPI_ERR_RMA_FLAVOR,
                       "only windows of MPI_Win_create_dynamic can be given memory later; this one was made by %s at "
                       "%s",
                       (*win)->made_by, place);
    return false;
}

static const MpiRegion *overlapping(const MpiWin *win, uint64_t address, uint64_t bytes)
{
    for (guint i = 0; win->regions && i < win->regions->len; i++) {
        const MpiRegion *region = &g_array_index(win->regions, MpiRegion, i);
        if (address < region->address + region->bytes && region->address < address + bytes)
            return region;
    }
    return NULL;
}

MpiStep mpi_do_Win_attach(MpiCall *call)
{
    enum { WIN, BASE, SIZE };
    MpiWin *win;
    MpiStep step;
    int64_t size = (int64_t)call->args[SIZE];
    uint64_t base = call->args[BASE];
    if (!check_dynamic(call, &win, &step))
        return step;
    if (size < 0)
        return mpi_call_error(call, NULL, MPI_ERR_SIZE, "argument 3, the size, is negative (%" G_GINT64_FORMAT ")",
                              size);
    if (size && !vm_rank_can_write(call->process, base, (uint64_t)size))
        return mpi_call_error(call, NULL, MPI_ERR_RMA_ATTACH,
                              "the %" G_GINT64_FORMAT " bytes at 0x%" G_GINT64_MODIFIER
                              "x are not all in the program's writable memory; is the array smaller? The size counts "
                              "bytes",
                              size, base);
    const MpiRegion *other = overlapping(win, base, (uint64_t)size);
    if (other) {
        g_autofree char *place = mpi_rma_place(win, other->pc);
        return mpi_call_error(call, NULL, MPI_ERR_RMA_ATTACH,
                              "the memory overlaps the %" G_GUINT64_FORMAT
                              " bytes that were attached at %s; detach those first",
                              other->bytes, place);
    }
    mpi_window_add_region(win, base, (uint64_t)size, call->pc);
    mpi_window_tell(call, win, NULL, MPI_WINDOW_ATTACHED);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Win_detach(MpiCall *call)
{
    enum { WIN, BASE };
    MpiWin *win;
    MpiStep step;
    if (!check_dynamic(call, &win, &step))
        return step;
    for (guint i = 0; win->regions && i < win->regions->len; i++) {
        if (g_array_index(win->regions, MpiRegion, i).address != call->args[BASE])
            continue;
        mpi_window_remove_region(win, i);
        mpi_window_tell(call, win, NULL, MPI_WINDOW_ATTACHED);
        return MPI_STEP_DONE;
    }
    return mpi_call_error(call, NULL, MPI_ERR_RMA_ATTACH,
                          "no memory at 0x%" G_GINT64_MODIFIER
                          "x is attached to the window; name the address that was given to MPI_Win_attach",
                          call->args[BASE]);
}
