/* window_errors.c - error handlers of windows (MPI-4.1 section 9.3.2). */
#include "mpi/attribute/attribute.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/environment/error_handlers.h"

MPI_HANDLER(Win_create_errhandler, mpi_error_handler_create(call, MPI_KIND_WIN))

/* Gets the window in argument 0. */
static MpiRaiser *window(MpiCall *call, MpiStep *step)
{
    MpiAttributed *win = mpi_handle_lookup(call->rank, MPI_KIND_WIN, call->args[0]);
    if (!win) {
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_WIN, 0);
        return NULL;
    }
    call->raiser = &win->raiser;
    return &win->raiser;
}

MpiStep mpi_do_Win_set_errhandler(MpiCall *call)
{
    MpiStep step;
    MpiRaiser *raiser = window(call, &step);
    return raiser ? mpi_error_handler_set(call, MPI_KIND_WIN, &raiser->errhandler) : step;
}

MpiStep mpi_do_Win_get_errhandler(MpiCall *call)
{
    MpiStep step;
    MpiRaiser *raiser = window(call, &step);
    return raiser ? mpi_error_handler_get(call, NULL, raiser->errhandler) : step;
}

MpiStep mpi_do_Win_call_errhandler(MpiCall *call)
{
    MpiStep step;
    MpiRaiser *raiser = window(call, &step);
    return raiser ? mpi_error_handler_call(call, NULL, raiser->errhandler, raiser->handle) : step;
}
