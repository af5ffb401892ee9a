/* error_handlers.c - the functions on error handlers (MPI-3.1 section 8.3).
 *
 * A handler stays alive while a communicator or another object uses it, even after MPI_Errhandler_free. Each
 * MPI_Comm_get_errhandler gives the program the handle again. So the handle becomes invalid when it has been freed as
 * often as it was given.
 */
#include "mpi/environment/error_handlers.h"
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

static MpiStep bad_handler(MpiCall *call, unsigned arg, uint64_t handle)
{
    return mpi_call_error(call, NULL, MPI_ERR_ARG, "%s is not an error handler (argument %u)",
                          handle == MPI_HANDLE(MPI_KIND_ERRHANDLER, 0) ? "MPI_ERRHANDLER_NULL" : "this value", arg + 1);
}

/* -- for every kind of object ------------------------------------------------------------------ */

MpiStep mpi_error_handler_create(MpiCall *call, MpiHandleKind kind)
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
    handler->kind = kind;
    handler->function = call->args[0];
    *handle = handler->handle = mpi_handle_register(call, MPI_KIND_ERRHANDLER, handler);
    return done(call);
}

bool mpi_error_handler_check(MpiCall *call, unsigned arg, MpiHandleKind kind, MpiErrhandler **handler, MpiStep *step)
{
    *handler = mpi_handle_lookup(call->rank, MPI_KIND_ERRHANDLER, call->args[arg]);
    if (!*handler) {
        *step = bad_handler(call, arg, call->args[arg]);
        return false;
    }
    if ((*handler)->sort == MPI_HANDLER_USER && (*handler)->kind != kind) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG, "this error handler is for a %s, not for a %s (argument %u)",
                               mpi_argument_noun((*handler)->kind), mpi_argument_noun(kind), arg + 1);
        return false;
    }
    return true;
}

MpiStep mpi_error_handler_set(MpiCall *call, MpiHandleKind kind, MpiErrhandler **of)
{
    MpiErrhandler *handler;
    MpiStep step;
    if (!mpi_error_handler_check(call, 1, kind, &handler, &step)) {
        return step;
    }
    mpi_error_handler_ref(handler);
    mpi_error_handler_unref(*of);
    *of = handler;
    return done(call);
}

MpiStep mpi_error_handler_get(MpiCall *call, MpiComm *comm, MpiErrhandler *handler)
{
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, comm, 1, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    if (!handler->predefined && !handler->handles++) {
        handler->handle = mpi_handle_register(call, MPI_KIND_ERRHANDLER, mpi_error_handler_ref(handler));
    }
    *handle = handler->handle;
    return done(call);
}

MpiStep mpi_error_handler_call(MpiCall *call, MpiComm *comm, const MpiErrhandler *handler, MpiHandle object)
{
    int code = mpi_int(call, 1);
    if (handler->sort == MPI_HANDLER_USER) {
        return mpi_error_run_handler(call, handler, object, code, false);
    }
    if (handler->sort == MPI_HANDLER_RETURN) {
        return done(call);
    }
    const char *text = mpi_error_text(call->rank, code);
    return mpi_call_error(call, comm, code, "the program reports error %d (%s)", code,
                          text && *text ? text : "no error of MPI's own");
}

/* -- communicators, and handlers --------------------------------------------------------------- */

MPI_HANDLER(Comm_create_errhandler, mpi_error_handler_create(call, MPI_KIND_COMM))

MpiStep mpi_do_Comm_call_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step)
               ? mpi_error_handler_call(call, comm, mpi_error_handler_of(comm), comm->handle)
               : step;
}

MpiStep mpi_do_Comm_set_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_error_handler_set(call, MPI_KIND_COMM, &comm->errhandler) : step;
}

MpiStep mpi_do_Comm_get_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step)) {
        return step;
    }
    MpiErrhandler *fatal = mpi_error_handler_predefined(1);
    return mpi_error_handler_get(call, comm, comm->errhandler ? comm->errhandler : fatal);
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
