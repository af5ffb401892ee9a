/* tasks.c - tasks: what the arguments of a collective say, and how each form of the call makes a schedule of it. */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/type/type.h"

MpiTask *mpi_task_new(MpiCall *call, MpiComm *comm, MpiCollective collective)
{
    MpiTask *task = g_new0(MpiTask, 1);
    task->comm = comm;
    comm->refs++;
    task->collective = collective;
    g_assert(!call->state);
    call->state = task;
    call->state_free = mpi_task_free;
    return task;
}

void mpi_task_free(void *state)
{
    MpiTask *task = state;
    if (!task->begun)
        mpi_vector_clear(&task->input);
    mpi_vector_clear(&task->result);
    if (task->op)
        mpi_op_unref(task->op);
    g_free(task->peers);
    mpi_comm_unref(task->comm);
    g_free(task);
}

/* Non-blocking forms have the request as their last argument. Persistent forms have the info before it. */
static bool parse_form(MpiCall *call, MpiStep *step)
{
    unsigned last = mpi_function(call->function)->arguments - 1;
    if (call->form == MPI_FORM_PERSISTENT && !mpi_check_info(call, NULL, last - 1, step))
        return false;
    return call->form == MPI_FORM_BLOCKING || mpi_check_result(call, last, 8, step);
}

bool mpi_task_parse(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step)
{
    return mpi_check_comm(call, arg, comm, step) && parse_form(call, step);
}

/* Whether input and result are memory of the program without gaps. */
static bool places_of(const MpiTask *task, MpiPlaces *places)
{
    const MpiVector *input = &task->input, *result = &task->result;
    if (!task->has_input || !task->has_result || task->in_place || input->n || result->n || !input->type ||
        !result->type || !input->type->contiguous || !result->type->contiguous)
        return false;
    *places = (MpiPlaces){.process = input->process,
                          .input = input->address,
                          .input_bytes = input->bytes,
                          .result = result->address,
                          .result_bytes = result->bytes};
    return true;
}

bool mpi_task_begin(MpiCall *call, MpiCall *agent, const MpiTask *task)
{
    MpiPlaces places;
    MpiSchedule *schedule = mpi_schedule_new(agent, task->comm, task->collective, &task->plan);
    if (task->op) {
        const MpiVector *elements = task->has_input ? &task->input : &task->result;
        schedule->op = mpi_op_ref(task->op);
        schedule->type = mpi_type_ref(elements->type);
    }
    if (!task->has_input)
        return true;
    if (call == agent && places_of(task, &places) && mpi_schedule_use_buffers(call, schedule, &places))
        return true;
    mpi_call_charge(call, mpi_vector_copy_ps(call, &task->input));
    return !task->input.bytes || mpi_vector_pack(&task->input, schedule->memory + schedule->plan.input);
}

static MpiStep blocking_done(MpiCall *call)
{
    const MpiTask *task = call->state;
    const MpiSchedule *schedule = call->collective.schedule;
    if (!task->has_result)
        return MPI_STEP_DONE;
    mpi_call_charge(call, mpi_vector_copy_ps(call, &task->result));
    if (!schedule->place.process && !mpi_vector_unpack(&task->result, schedule->memory + schedule->plan.result))
        return mpi_schedule_buffer_gone(call, schedule);
    return MPI_STEP_DONE;
}

/* Frees data that only the beginning of a call needs, unless the plan needs it: a million ranks may wait in one
 * collective. */
static void shrink(MpiCall *call, MpiTask *task)
{
    if (task->input.n)
        return;
    mpi_vector_clear(&task->input);
    task->begun = true;
    call->state = g_realloc(task, offsetof(MpiTask, input));
}

MpiStep mpi_task_run(MpiCall *call)
{
    MpiTask *task = call->state;
    MpiStep step;
    if (!mpi_ask_task(call->world, call, task, &step))
        return step;
    if (call->form != MPI_FORM_BLOCKING) {
        unsigned last = mpi_function(call->function)->arguments - 1;
        call->state = NULL;
        call->state_free = NULL;
        return mpi_operation_new(call, task, call->form == MPI_FORM_PERSISTENT, call->args[last]);
    }
    mpi_task_begin(call, call, task); /* the memory was checked when the call began */
    shrink(call, task);
    return mpi_schedule_run(call, blocking_done);
}

/* -- pieces ------------------------------------------------------------------------------------- */

/* Extends the piece by the block if that starts where the piece ends. Returns whether it does. */
static bool joins(MpiBuffer *piece, const MpiVector *block)
{
    bool next = piece->type == block->type && block->type->contiguous &&
                block->address == piece->address + piece->count * piece->type->size;
    piece->count += next ? block->count : 0;
    return next;
}

static bool visit_vector(const MpiVector *vector, bool written, MpiPieceVisitor visit, void *context)
{
    uint32_t n = MAX(vector->n, 1);
    MpiBuffer piece = {0};
    bool good = true;
    for (uint32_t i = 0; i < n && vector->bytes && good; i++) {
        MpiVector block;
        mpi_vector_block(&block, vector, i, n);
        if (block.count && !joins(&piece, &block)) {
            good = !piece.count || visit(&piece, written, context);
            piece = (MpiBuffer){
                .process = block.process, .address = block.address, .type = block.type, .count = block.count};
        }
        mpi_vector_clear(&block); /* the original vector keeps the type alive */
    }
    return good && (!piece.count || visit(&piece, written, context));
}

bool mpi_task_visit(const MpiTask *task, MpiPieceVisitor visit, void *context)
{
    return (!task->has_input || visit_vector(&task->input, false, visit, context)) &&
           (!task->has_result || visit_vector(&task->result, true, visit, context));
}
