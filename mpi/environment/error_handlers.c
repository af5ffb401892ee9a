/* error_handlers.c - the functions on error handlers (MPI-3.1 section 8.3).
 *
 * A handler stays alive while a communicator uses it, even after MPI_Errhandler_free. Each MPI_Comm_get_errhandler
 * gives the program the handle again. So the handle becomes invalid when it has been freed as often as it was given.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/environment/environment.h"

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_call_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    int code = mpi_int(call, 1);
    if (!mpi_check_comm(call, 0, &comm, &step)) {
        return step;
    }
    const MpiErrhandler *handler = mpi_error_handler_of(comm);
    if (handler->sort == MPI_HANDLER_USER) {
        return mpi_error_run_handler(call, handler, comm->handle, code, MPI_SUCCESS);
    }
    if (handler->sort == MPI_HANDLER_RETURN) {
        return done(call);
    }
    const char *text = mpi_error_text(call->rank, code);
    return mpi_call_error(call, comm, code, "the program reports error %d (%s)", code,
                          text && *text ? text : "no error of MPI's own");
}

MpiStep mpi_do_Comm_create_errhandler(MpiCall *call)
{
    MpiWord *handle;
    MpiStep step;
    if (!call->args[0]) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the function is a null pointer (argument 1)");
    }
    if (!mpi_check_output(call, NULL, 1, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiErrhandler *handler = g_new0(MpiErrhandler, 1);
    handler->refs = 1;
    handler->handles = 1;
    handler->sort = MPI_HANDLER_USER;
    handler->function = call->args[0];
    *handle = handler->handle = mpi_handle_register(call, MPI_KIND_ERRHANDLER, handler);
    return done(call);
}

static MpiStep bad_handler(MpiCall *call, unsigned arg, uint64_t handle)
{
    return mpi_call_error(call, NULL, MPI_ERR_ARG, "%s is not an error handler (argument %u)",
                          handle == MPI_HANDLE(MPI_KIND_ERRHANDLER, 0) ? "MPI_ERRHANDLER_NULL" : "this value", arg + 1);
}

MpiStep mpi_do_Comm_set_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step)) {
        return step;
    }
    MpiErrhandler *handler = mpi_handle_lookup(call->rank, MPI_KIND_ERRHANDLER, call->args[1]);
    if (!handler) {
        return bad_handler(call, 1, call->args[1]);
    }
    mpi_error_handler_ref(handler);
    mpi_error_handler_unref(comm->errhandler);
    comm->errhandler = handler;
    return done(call);
}

MpiStep mpi_do_Comm_get_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) ||
        !mpi_check_output(call, comm, 1, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiErrhandler *handler = comm->errhandler;
    if (!handler || handler->predefined) {
        *handle = mpi_error_handler_of(comm)->handle;
        return done(call);
    }
    if (!handler->handles++) {
        handler->handle = mpi_handle_register(call, MPI_KIND_ERRHANDLER, mpi_error_handler_ref(handler));
    }
    *handle = handler->handle;
    return done(call);
}

MpiStep mpi_do_Errhandler_free(MpiCall *call)
{
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiErrhandler *handler = mpi_handle_lookup(call->rank, MPI_KIND_ERRHANDLER, *handle);
    if (!handler) {
        return bad_handler(call, 0, *handle);
    }
    if (!handler->predefined && --handler->handles == 0) {
        mpi_handle_unregister(call->rank, *handle);
        mpi_error_handler_unref(handler);
    }
    *handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 0);
    return done(call);
}

MPI_HANDLER(Errhandler_create, mpi_do_Comm_create_errhandler(call))
MPI_HANDLER(Errhandler_set, mpi_do_Comm_set_errhandler(call))
MPI_HANDLER(Errhandler_get, mpi_do_Comm_get_errhandler(call))
