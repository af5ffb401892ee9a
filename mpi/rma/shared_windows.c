/* shared_windows.c - windows whose memory the ranks of one node share (MPI-4.1 section 12.2.3).
 *
 * The parts of the members lie one behind the other in the order of ranks; with the info key alloc_shared_noncontig,
 * each begins at a page of its own. A part of no bytes has no address. All members see the memory at the same address
 * (vm/rank/shared.c). */
#include "mpi/core/handlers.h"
#include "mpi/core/stores.h"
#include "mpi/rma/windows.h"

enum { PAGE = 4096 };

/* Gets the memory, and tells each member where its part begins. */
static bool allocate(MpiCall *call, MpiWindow *window)
{
    bool apart = mpi_rma_info_is(window->members[0]->info, "alloc_shared_noncontig");
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < window->group->size; i++) {
        MpiWin *member = window->members[i];
        member->base = bytes;
        bytes += apart ? (member->size + PAGE - 1) / PAGE * PAGE : member->size;
        if (bytes > INT64_MAX)
            return false;
    }
    window->segment = vm_shared_new(call->process, bytes);
    for (uint32_t i = 0; window->segment && i < window->group->size; i++)
        window->members[i]->base += vm_shared_address(window->segment);
    return window->segment;
}

bool mpi_window_share(MpiCall *call, MpiWin *win)
{
    if (!win->window->segment && !allocate(call, win->window))
        return false;
    vm_shared_attach(call->process, win->window->segment, win->size);
    return true;
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
    mpi_store_handle(call, call->args[BASE], reachable && member->size ? member->base : 0);
    return MPI_STEP_DONE;
}
