/* errors.c - ends a call with an error (MPI-3.1 section 8.3). The functions on error handlers are in environment/.
 *
 * Calls raise error classes (error_codes.c). The handler of the communicator, window, file or session that a call names
 * decides what happens when it fails; the handler of MPI_COMM_SELF decides if it names none (of_no_object()).
 * MPI_ERRORS_ARE_FATAL stops the program with a fault whose reason is the sentence that the call gave.
 * MPI_ERRORS_RETURN makes the class the call's result. A user's handler is simulated code; it is called with the
 * communicator and the code in rank memory, and then the call returns the code.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"

#include <string.h>

/* -- handlers ---------------------------------------------------------------------------------- */

static const MpiErrhandler predefined[] = {
    [1] = {.refs = 1, .predefined = true, .sort = MPI_HANDLER_FATAL, .handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 1)},
    [2] = {.refs = 1, .predefined = true, .sort = MPI_HANDLER_RETURN, .handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 2)},
    [3] = {.refs = 1, .predefined = true, .sort = MPI_HANDLER_FATAL, .handle = MPI_HANDLE(MPI_KIND_ERRHANDLER, 3)},
};

/* Returns MPI_ERRORS_ARE_FATAL or MPI_ERRORS_RETURN by their index in handles.def, or NULL. */
MpiErrhandler *mpi_error_handler_predefined(uint32_t index)
{
    bool exists = index < G_N_ELEMENTS(predefined) && predefined[index].predefined;
    return exists ? (MpiErrhandler *)&predefined[index] : NULL;
}

MpiErrhandler *mpi_error_handler_ref(MpiErrhandler *handler)
{
    if (!handler->predefined) {
        g_atomic_int_inc(&handler->refs);
    }
    return handler;
}

void mpi_error_handler_unref(MpiErrhandler *handler)
{
    if (handler && !handler->predefined && g_atomic_int_dec_and_test(&handler->refs)) {
        g_free(handler);
    }
}

const char *const *mpi_comm_initial_errhandlers(void)
{
    static const char *const names[] = {"mpi_errors_are_fatal", "mpi_errors_return", "mpi_errors_abort", NULL};
    return names;
}

uint32_t mpi_error_initial_index(const char *name)
{
    const char *const *names = mpi_comm_initial_errhandlers();
    for (uint32_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i + 1;
    return 0;
}

MpiErrhandler *mpi_error_initial_handler(const MpiRank *rank)
{
    uint32_t index = rank->initial_errhandler;
    return mpi_error_handler_predefined(index ? index : 1 + (uint32_t)rank->world->params.initial_errhandler);
}

/* -- raising ----------------------------------------------------------------------------------- */

static void replace_state(MpiCall *call, void *state)
{
    if (call->state) {
        (call->state_free ? call->state_free : g_free)(call->state);
    }
    call->state = state;
    call->state_free = NULL;
}

/* State of a call while a user's handler runs. */
typedef struct HandlerRun {
    uint64_t memory; /* address of the handler's arguments in rank memory: the object, the error code */
    bool returned;   /* the call returns the error code afterwards */
} HandlerRun;

static MpiStep handler_returned(MpiCall *call)
{
    const HandlerRun *run = call->state;
    const MpiInt32 *code = vm_rank_read(call->process, run->memory + sizeof(uint64_t), sizeof *code);
    call->result = run->returned && code ? (uint64_t)(int64_t)*code : MPI_SUCCESS;
    vm_library_free(call->process, run->memory);
    return MPI_STEP_DONE;
}

/* Calls f(MPI_Comm *, int *, ...) without variable arguments. */
MpiStep mpi_error_run_handler(MpiCall *call, const MpiErrhandler *handler, MpiHandle object, int code, bool returned)
{
    HandlerRun *run = g_new0(HandlerRun, 1);
    run->returned = returned;
    run->memory = vm_library_malloc(call->process, 2 * sizeof(uint64_t));
    MpiWord *memory = run->memory ? vm_rank_write(call->process, run->memory, 2 * sizeof(uint64_t)) : NULL;
    replace_state(call, run);
    if (!memory) {
        vm_rank_fault(call->process, VM_FAULT_OUT_OF_MEMORY, 0,
                      "%s: the heap is full, so the error handler cannot be called for %s", call->name,
                      mpi_error_name(code));
        return MPI_STEP_FAULT;
    }
    memory[0] = object;
    *(MpiInt32 *)&memory[1] = code;
    uint64_t args[] = {run->memory, run->memory + sizeof(uint64_t), 0};
    return mpi_call_upcall(call, handler->function, args, G_N_ELEMENTS(args), handler_returned);
}

const MpiErrhandler *mpi_error_handler_of(const MpiComm *comm)
{
    return comm && comm->errhandler ? comm->errhandler : &predefined[1];
}

/* Returns the communicator whose handler gets the error of a call that names no object: MPI_COMM_SELF (MPI-4.1 section
 * 9.3). Before MPI-4 this was MPI_COMM_WORLD. Programs that have set a handler there and none here were written for
 * that, and get what they expect. NULL: the initial handler decides, because there is no other, or because MPI is not
 * yet or no longer there. */
static MpiComm *of_no_object(MpiRank *rank)
{
    if (rank->state != MPI_RANK_ACTIVE)
        return NULL;
    MpiComm *self = mpi_rank_self_comm(rank), *world = rank->world_comm;
    return self->errhandler ? self : world && world->errhandler ? world : NULL;
}

const MpiRaiser *mpi_error_raiser_of(const MpiRank *rank, const MpiComm *comm)
{
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        const MpiRaiser *raiser = entry->object;
        if (raiser && (entry->kind == MPI_KIND_WIN || entry->kind == MPI_KIND_FILE) && raiser->comm == comm)
            return raiser;
    }
    return NULL;
}

MpiStep mpi_call_error(MpiCall *call, MpiComm *comm, int error_class, const char *format, ...)
{
    if (vm_rank_fault_info(call->process)->kind != VM_FAULT_NONE)
        return MPI_STEP_FAULT; /* a check of the rank's memory accesses has stopped it */
    const MpiRaiser *raiser = call->raiser;
    const MpiComm *of = comm ? comm : of_no_object(call->rank);
    const MpiErrhandler *handler = raiser ? raiser->errhandler
                                   : of   ? mpi_error_handler_of(of)
                                          : mpi_error_initial_handler(call->rank);
    if (!call->local || handler->sort != MPI_HANDLER_USER) /* else it comes again, as a GLOBAL call */
        mpi_tell_raised(call->world, call, error_class);
    if (handler->sort != MPI_HANDLER_FATAL && !raiser)
        mpi_comm_doubt(call, comm ? comm : mpi_rank_world_comm(call->rank));
    if (handler->sort == MPI_HANDLER_RETURN) {
        call->result = (uint64_t)error_class;
        return MPI_STEP_DONE;
    }
    if (handler->sort == MPI_HANDLER_USER) {
        return call->local
                   ? MPI_STEP_GLOBAL
                   : mpi_error_run_handler(call, handler, raiser ? raiser->handle : of->handle, error_class, true);
    }
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    vm_rank_fault(call->process, VM_FAULT_LIBRARY, 0, "%s: %s", call->name, reason);
    return MPI_STEP_FAULT;
}

/* -- error classes ----------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *name, *text;
} error_classes[] = {
#define MPI_ERROR_CLASS(name, number, text) {number, "MPI_" #name, text},
#include "mpi/errors.def"
};

/* Returns the row of errors.def, or -1. */
static int find_row(int error_class)
{
    for (size_t i = 0; i < G_N_ELEMENTS(error_classes); i++) {
        if (error_classes[i].number == error_class) {
            return (int)i;
        }
    }
    return -1;
}

const char *mpi_error_name(int error_class)
{
    int row = find_row(error_class);
    return row < 0 ? "an error of the program's own" : error_classes[row].name;
}

const char *mpi_error_class_text(int error_class)
{
    int row = find_row(error_class);
    return row < 0 ? NULL : error_classes[row].text;
}

int mpi_error_last_used(const MpiRank *rank)
{
    const GArray *codes = mpi_rank_slot(rank, MPI_RANK_SLOT_ERRORS);
    return MPI_ERR_LASTCODE + (codes ? (int)codes->len : 0);
}
