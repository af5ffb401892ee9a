/* errors.c - error handlers (MPI-3.1 section 8.3), and how a call ends with an error.
 *
 * The errors that calls raise are error classes (error_codes.c). What happens when a call fails is decided by the
 * handler of the communicator that it names, or of MPI_COMM_WORLD where it names none: MPI_ERRORS_ARE_FATAL stops the
 * program with a fault whose reason is the sentence that the call gave, MPI_ERRORS_RETURN makes the class the call's
 * result, a user's handler is simulated code, called with the communicator and the code in rank memory, after which the
 * call returns the code.
 *
 * A handler stays alive while a communicator uses it, also after MPI_Errhandler_free. MPI_Comm_get_errhandler gives the
 * handle out again, as often as it is asked, so a handle dies when it has been freed as often as it was given.
 */
#include "mpi/core/local.h"

#include <string.h>

/* -- handlers ---------------------------------------------------------------------------------- */

static const MpiErrhandler predefined[] = {
    [1] = {.refs = 1, .predefined = true, .sort = MPI_HANDLER_FATAL, .handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 1)},
    [2] = {.refs = 1, .predefined = true, .sort = MPI_HANDLER_RETURN, .handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 2)},
    [3] = {.refs = 1, .predefined = true, .sort = MPI_HANDLER_FATAL, .handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 3)},
};

/* MPI_ERRORS_ARE_FATAL and MPI_ERRORS_RETURN by their index in handles.def, or NULL. */
static MpiErrhandler *predefined_errhandler(uint32_t index)
{
    bool exists = index < G_N_ELEMENTS(predefined) && predefined[index].predefined;
    return exists ? (MpiErrhandler *)&predefined[index] : NULL;
}

MpiErrhandler *mpi_errhandler_ref(MpiErrhandler *handler)
{
    if (!handler->predefined) {
        g_atomic_int_inc(&handler->refs);
    }
    return handler;
}

void mpi_errhandler_unref(MpiErrhandler *handler)
{
    if (handler && !handler->predefined && g_atomic_int_dec_and_test(&handler->refs)) {
        g_free(handler);
    }
}

void *mpi_predefined(MpiHandleKind kind, uint32_t index)
{
    switch (kind) {
    case MPI_KIND_TYPE:
        return index >= 1 && index <= MPI_PRIMITIVE_COUNT ? mpi_type_predefined((MpiPrimitive)(index - 1)) : NULL;
    case MPI_KIND_OP: return (MpiOp *)mpi_op_predefined(index);
    case MPI_KIND_GROUP: return index == MPI_GROUP_EMPTY_INDEX ? mpi_group_empty() : NULL;
    case MPI_KIND_ERRHANDLER: return predefined_errhandler(index);
    default: return NULL;
    }
}

/* -- raising ----------------------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static void replace_state(MpiCall *call, void *state)
{
    if (call->state) {
        (call->state_free ? call->state_free : g_free)(call->state);
    }
    call->state = state;
    call->state_free = NULL;
}

/* While a user's handler runs: where its arguments lie in rank memory, and what the call returns afterwards. */
typedef struct HandlerRun {
    uint64_t memory;
    int result;
} HandlerRun;

static MpiStep handler_returned(MpiCall *call)
{
    const HandlerRun *run = call->state;
    vm_library_free(call->process, run->memory);
    call->result = (uint64_t)(int64_t)run->result;
    return MPI_STEP_DONE;
}

/* Calls f(MPI_Comm *, int *, ...); the variable arguments are none. */
static MpiStep run_handler(MpiCall *call, const MpiErrhandler *handler, MpiHandle comm, int code, int result)
{
    HandlerRun *run = g_new0(HandlerRun, 1);
    run->result = result;
    run->memory = vm_library_malloc(call->process, 2 * sizeof(uint64_t));
    MpiWord *memory = run->memory ? vm_rank_write(call->process, run->memory, 2 * sizeof(uint64_t)) : NULL;
    replace_state(call, run);
    if (!memory) {
        vm_rank_fault(call->process, VM_FAULT_OUT_OF_MEMORY, 0,
                      "%s: the heap is full, so the error handler cannot be called for %s", call->name,
                      mpi_error_name(code));
        return MPI_STEP_FAULT;
    }
    memory[0] = comm;
    *(MpiInt32 *)&memory[1] = code;
    uint64_t args[] = {run->memory, run->memory + sizeof(uint64_t), 0};
    return mpi_call_upcall(call, handler->function, args, G_N_ELEMENTS(args), handler_returned);
}

static const MpiErrhandler *handler_of(const MpiComm *comm)
{
    return comm && comm->errhandler ? comm->errhandler : &predefined[1];
}

MpiStep mpi_call_error(MpiCall *call, MpiComm *comm, int error_class, const char *format, ...)
{
    if (vm_rank_fault_info(call->process)->kind != VM_FAULT_NONE)
        return MPI_STEP_FAULT; /* a check of the rank's accesses has stopped it */
    comm = comm ? comm : mpi_rank_world_comm(call->rank);
    const MpiErrhandler *handler = handler_of(comm);
    if (handler->sort != MPI_HANDLER_FATAL)
        mpi_comm_doubt(call, comm);
    if (handler->sort == MPI_HANDLER_RETURN) {
        call->result = (uint64_t)error_class;
        return MPI_STEP_DONE;
    }
    if (handler->sort == MPI_HANDLER_USER) {
        return call->local ? MPI_STEP_GLOBAL : run_handler(call, handler, comm->handle, error_class, error_class);
    }
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    vm_rank_fault(call->process, VM_FAULT_LIBRARY, 0, "%s: %s", call->name, reason);
    return MPI_STEP_FAULT;
}

MpiStep mpi_do_Comm_call_errhandler(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    int code = mpi_int(call, 1);
    if (!mpi_check_comm(call, 0, &comm, &step)) {
        return step;
    }
    const MpiErrhandler *handler = handler_of(comm);
    if (handler->sort == MPI_HANDLER_USER) {
        return run_handler(call, handler, comm->handle, code, MPI_SUCCESS);
    }
    if (handler->sort == MPI_HANDLER_RETURN) {
        return done(call);
    }
    const char *text = mpi_error_text(call->rank, code);
    return mpi_call_error(call, comm, code, "the program reports error %d (%s)", code,
                          text && *text ? text : "no error of MPI's own");
}

/* -- the functions on handlers ----------------------------------------------------------------- */

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
    *handle = handler->handle = mpi_register(call, MPI_KIND_ERRHANDLER, handler);
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
    MpiErrhandler *handler = mpi_lookup(call->rank, MPI_KIND_ERRHANDLER, call->args[1]);
    if (!handler) {
        return bad_handler(call, 1, call->args[1]);
    }
    mpi_errhandler_ref(handler);
    mpi_errhandler_unref(comm->errhandler);
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
        *handle = handler_of(comm)->handle;
        return done(call);
    }
    if (!handler->handles++) {
        handler->handle = mpi_register(call, MPI_KIND_ERRHANDLER, mpi_errhandler_ref(handler));
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
    MpiErrhandler *handler = mpi_lookup(call->rank, MPI_KIND_ERRHANDLER, *handle);
    if (!handler) {
        return bad_handler(call, 0, *handle);
    }
    if (!handler->predefined && --handler->handles == 0) {
        mpi_unregister(call->rank, *handle);
        mpi_errhandler_unref(handler);
    }
    *handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 0);
    return done(call);
}

MpiStep mpi_do_Errhandler_create(MpiCall *call)
{
    return mpi_do_Comm_create_errhandler(call);
}

MpiStep mpi_do_Errhandler_set(MpiCall *call)
{
    return mpi_do_Comm_set_errhandler(call);
}

MpiStep mpi_do_Errhandler_get(MpiCall *call)
{
    return mpi_do_Comm_get_errhandler(call);
}
