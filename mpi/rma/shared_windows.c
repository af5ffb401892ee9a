/* shared_windows.c - windows whose memory the ranks of one node share (MPI-4.1 section 12.2.3).
 *
 * The parts of the members lie one behind the other in the order of ranks; with the info key alloc_shared_noncontig,
 * each begins at a page of its own. mpi_window_share() is the one place that gets the memory. */
#include "mpi/core/handlers.h"
#include "mpi/core/stores.h"
#include "mpi/rma/windows.h"

enum { PAGE = 4096 };

/* Returns where the part of a member begins in the memory of all. */
static uint64_t offset_of(const MpiWindow *window, uint32_t rank, bool apart)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < rank; i++) {
        uint64_t bytes = window->members[i]->size;
        offset += apart ? (bytes + PAGE - 1) / PAGE * PAGE : bytes;
    }
    return offset;
}

bool mpi_window_share(MpiCall *call, MpiWin *win)
{
    MpiWindow *window = win->window;
    bool apart = mpi_rma_info_is(window->members[0]->info, "alloc_shared_noncontig");
    uint64_t bytes = offset_of(window, window->group->size, apart);
    if (window->group->size > 1) /* there is no memory that several ranks share */
        return false;
    win->memory = vm_library_malloc(call->process, MAX(bytes, 1));
    win->base = win->memory;
    return win->memory;
}

bool mpi_window_on_one_node(const MpiCall *call, const MpiComm *comm)
{
    const MpiEnv *env = &call->world->env;
    uint32_t own = env->node ? env->node(env->user, call->rank->index) : 0;
    for (uint32_t i = 0; env->node && i < comm->group->size; i++)
        if (env->node(env->user, mpi_group_world_rank(comm->group, i)) != own)
            return false;
    return true;
}

/* Returns the member that a query is about: for MPI_PROC_NULL the first one with memory. */
static const MpiWin *queried(const MpiWin *win, int rank)
{
    const MpiWindow *window = win->window;
    if (rank != MPI_PROC_NULL_)
        return window->members[rank];
    for (uint32_t i = 0; i < window->group->size; i++)
        if (window->members[i]->size)
            return window->members[i];
    return NULL;
}

MpiStep mpi_do_Win_shared_query(MpiCall *call)
{
    enum { WIN, RANK, SIZE, UNIT, BASE };
    MpiWin *win;
    int rank;
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &win, &step) || !mpi_check_peer(call, win->comm, RANK, false, &rank, &step) ||
        !mpi_check_result(call, SIZE, 8, &step) || !mpi_check_result(call, UNIT, call->large ? 8 : 4, &step) ||
        !mpi_check_result(call, BASE, 8, &step))
        return step;
    if (win->window->flavour == MPI_FLAVOUR_DYNAMIC)
        return mpi_call_error(call, NULL, MPI_ERR_RMA_FLAVOR,
                              "a window of MPI_Win_create_dynamic has no memory of its own that ranks could share");
    const MpiWin *member = queried(win, rank);
    bool reachable = member && (win->window->flavour == MPI_FLAVOUR_SHARED || member == win);
    mpi_store_handle(call, call->args[SIZE], reachable ? member->size : 0);
    if (call->large)
        mpi_store_handle(call, call->args[UNIT], reachable ? (uint64_t)member->disp_unit : 0);
    else
        mpi_store_int(call, call->args[UNIT], reachable ? member->disp_unit : 0);
    mpi_store_handle(call, call->args[BASE], reachable ? member->base : 0);
    return MPI_STEP_DONE;
}
