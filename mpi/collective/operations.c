/* operations.c - collectives in the background: non-blocking and persistent ones.
 *
 * An operation is a request, a task, and an *agent*: an MpiCall that is on no rank's stack and only has a clock. The
 * schedule runs on the agent as a blocking one runs on its call, so one engine serves both:
 *
 *      MPI_Ibcast --> agent: schedule --> messages handled on the agent's clock, whatever the rank is doing
 *                                              |
 *         finished, or an operator is the user's function: MpiEnv.alarm at the agent's time
 *                                              |
 *      rank is blocked in a call: attended at once         rank computes: the note lies in its inbox till its next call
 *                                              |
 *                  result unpacked, request complete       or: the function runs as an upcall of that call
 *
 * Where the machine says no more, a collective progresses as if a second processor worked on it: the cost of messages
 * and combinations delays the schedule, not the rank. That processor can be the rank's communication thread, which does
 * other things as well, or the rank's own, in its calls only (p2p/progress.c). User-defined operators are code of the
 * rank: they run only while the rank is in an MPI call, on its time. Only calls of the rank touch its memory, because
 * the rank may be running on another thread of the host. That is why results are unpacked in such calls. */
#include "mpi/collective/collective.h"
#include "mpi/collective/exchange.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/remote.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

struct MpiOperation {
    MpiCall agent;
    MpiMessage note; /* lies in the rank's inbox when the operation needs a call of the rank */
    MpiRequest *request;
    MpiTask *task;
    bool kept;               /* that note lets the agent go on, who has no other processor */
    uint64_t sequence, turn; /* number of the collective on its communicator; number for the tags of its messages */
    MpiOperation *next;      /* next in MpiCall.upcalls */
    MpiHandler after;        /* only in the first of the list: the handler after the upcalls */
};

const MpiSchedule *mpi_operation_schedule(const MpiOperation *operation)
{
    return operation->agent.collective.schedule;
}

const MpiTask *mpi_operation_task(const MpiOperation *operation)
{
    return operation->task;
}

void mpi_operation_free(MpiOperation *operation)
{
    if (operation->agent.collective.schedule)
        mpi_schedule_free(operation->agent.world, operation->agent.collective.schedule);
    mpi_task_free(operation->task);
    g_free(operation);
}

static MpiOperation *operation_of(MpiCall *agent)
{
    g_assert(agent->background);
    return (MpiOperation *)((char *)agent - offsetof(MpiOperation, agent));
}

/* -- in a call of the rank, when the agent's time has come ------------------------------------- */

static void deliver(MpiOperation *operation)
{
    MpiSchedule *schedule = operation->agent.collective.schedule;
    const MpiTask *task = operation->task;
    int error = schedule->head.error;
    if (!error && task->has_result && !mpi_vector_unpack(&task->result, schedule->memory + schedule->plan.result))
        error = MPI_ERR_BUFFER;
    mpi_schedule_free_scratch(&operation->agent, schedule);
    mpi_tell_collective_ended(operation->agent.world, &operation->agent, schedule, operation->request);
    operation->agent.collective.schedule = NULL;
    mpi_schedule_free(operation->agent.world, schedule);
    mpi_request_complete(operation->request, error);
}

static void attend(MpiCall *call, MpiOperation *operation)
{
    if (operation->agent.collective.schedule->finished) {
        deliver(operation);
        return;
    }
    MpiOperation **last = &call->collective.upcalls;
    while (*last)
        last = &(*last)->next;
    operation->next = NULL;
    *last = operation;
}

void mpi_operation_note(MpiCall *call, MpiMessage *note)
{
    MpiOperation *operation = (MpiOperation *)((char *)note - offsetof(MpiOperation, note));
    MpiCall *agent = &operation->agent;
    if (G_LIKELY(!operation->kept)) {
        attend(call, operation);
        return;
    }
    operation->kept = false;
    MpiProgress by = mpi_progress_enter(agent, call, call->now);
    mpi_operation_settle(agent);
    mpi_progress_leave(by, agent, call);
}

/* Two steps may be complete before the rank's next call: one note stands for both. */
void mpi_operation_keep(MpiCall *agent)
{
    MpiOperation *operation = operation_of(agent);
    if (!operation->kept)
        mpi_transfer_inbox_put(agent->rank, &operation->note);
    operation->kept = true;
}

/* -- on the agent's time ----------------------------------------------------------------------- */

/* Asks for a call of the rank, which the next step needs. */
static void ask_for_rank(MpiOperation *operation)
{
    MpiCall *agent = &operation->agent;
    const MpiEnv *env = &agent->world->env;
    if (agent->collective.schedule->finished && operation->task->has_result)
        mpi_call_charge(agent, mpi_vector_copy_ps(agent, &operation->task->result));
    g_assert(env->alarm);
    env->alarm(env->user, agent->rank->index, agent->now, (uint64_t)(uintptr_t)operation);
}

void mpi_operation_settle(MpiCall *agent)
{
    if (!mpi_schedule_advance(agent))
        return;
    if (agent->step)
        agent->step(agent);
    else
        ask_for_rank(operation_of(agent));
}

uint64_t mpi_world_work(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    return world->upper->protocol_work(world, cookie, time_ps);
}

void mpi_world_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    if (cookie & 1) {
        mpi_tell_alarm(world, cookie, time_ps);
        return;
    }
    if ((cookie & MPI_COOKIE_PACKET) == MPI_COOKIE_PACKET) {
        world->upper->protocol_alarm(world, cookie, time_ps);
        return;
    }
    if (cookie & MPI_COOKIE_REMOTE) {
        world->upper->remote_alarm(world, cookie, time_ps);
        return;
    }
    if (cookie & MPI_PROGRESS_ALARM) {
        mpi_progress_done(world, cookie, time_ps);
        return;
    }
    if (cookie & MPI_FAILURE_ALARM) {
        world->upper->failure_alarm(world, cookie, time_ps);
        return;
    }
    if (cookie & MPI_EXCHANGE_ALARM) {
        mpi_exchange_alarm(world, cookie);
        return;
    }
    if (cookie & MPI_AGENT_ALARM) {
        MpiCall *agent = (MpiCall *)(uintptr_t)(cookie - MPI_AGENT_ALARM);
        agent->step(agent);
        return;
    }
    MpiOperation *operation = (MpiOperation *)(uintptr_t)cookie;
    MpiRank *rank = operation->agent.rank;
    MpiCall *call = mpi_call_receptive_for(operation->request);
    g_assert(rank->world == world);
    if (rank->failed)
        return;
    mpi_call_touch_rank(rank);
    mpi_loans_settle(rank);
    if (!call) {
        mpi_transfer_inbox_put(rank, &operation->note);
        return;
    }
    bool awaited = operation->request->waiter == call;
    attend(call, operation);
    if (!awaited && !call->collective.upcalls)
        return;
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

/* -- the operators' functions, inside a call --------------------------------------------------- */

static MpiStep upcall_done(MpiCall *call);

/* Removes the first operation, whose function has run. Returns the handler that follows the upcalls. */
static MpiHandler remove_first(MpiCall *call)
{
    MpiHandler after = call->collective.upcalls->after;
    call->collective.upcalls = call->collective.upcalls->next;
    if (call->collective.upcalls)
        call->collective.upcalls->after = after;
    return after;
}

static MpiStep go_on(MpiCall *call, MpiHandler after)
{
    bool waits = call->collective.interrupted && !call->collective.schedule && call->engine.waiting > 0;
    call->collective.interrupted = false;
    return waits ? mpi_call_block(call, after) : after(call);
}

/* Runs the function that the first operation needs. If no operation is left, goes on with the call. */
static MpiStep next_upcall(MpiCall *call, MpiHandler after)
{
    while (call->collective.upcalls) {
        MpiSchedule *schedule = call->collective.upcalls->agent.collective.schedule;
        uint64_t arguments[4];
        call->collective.upcalls->after = after;
        if (mpi_schedule_operator_begin(call, schedule, arguments))
            return mpi_call_upcall(call, schedule->op->function, arguments, 4, upcall_done);
        schedule->head.error = MPI_ERR_NO_MEM;
        mpi_operation_settle(&call->collective.upcalls->agent);
        remove_first(call);
    }
    return go_on(call, after);
}

static MpiStep upcall_done(MpiCall *call)
{
    MpiOperation *operation = call->collective.upcalls;
    MpiCall *agent = &operation->agent;
    mpi_schedule_operator_end(call, agent->collective.schedule);
    MpiProgress by = mpi_progress_enter(agent, call, call->now);
    MpiHandler after = remove_first(call);
    bool stops = mpi_schedule_advance(agent);
    mpi_progress_leave(by, agent, call);
    if (stops) {
        if (agent->now <= call->now && !agent->collective.schedule->finished)
            attend(call, operation);
        else
            ask_for_rank(operation);
    }
    return next_upcall(call, after);
}

MpiStep mpi_operations_run(MpiCall *call, MpiHandler after)
{
    return next_upcall(call, after);
}

void mpi_operations_postpone(MpiCall *call)
{
    while (call->collective.upcalls) {
        MpiOperation *operation = call->collective.upcalls;
        call->collective.upcalls = operation->next;
        mpi_transfer_inbox_put(call->rank, &operation->note);
    }
}

/* -- making and starting ----------------------------------------------------------------------- */

static void agent_init(MpiOperation *operation, const MpiCall *call)
{
    mpi_call_begin_agent(call, &operation->agent);
    operation->note.phase = MPI_PHASE_NOTE;
}

void mpi_operation_start(MpiCall *call, MpiRequest *request)
{
    MpiOperation *operation = request->operation;
    MpiCall *agent = &operation->agent;
    g_assert(!agent->collective.schedule && !request->active);
    request->active = true;
    request->complete = false;
    request->error = MPI_SUCCESS;
    request->status = mpi_status_empty();
    agent->pc = call->pc;
    mpi_tell_background_begun(call->world, call, agent, request);
    bool begun = mpi_task_begin(call, agent, operation->task);
    agent->collective.schedule->sequence = operation->sequence;
    agent->collective.schedule->turn = operation->turn;
    agent->collective.schedule->begun_ps = call->now;
    agent->collective.schedule->head.agent = agent;
    agent->now = call->now;
    MpiProgress by = mpi_progress_enter(agent, call, call->now);
    if (!begun)
        agent->collective.schedule->head.error = MPI_ERR_BUFFER;
    bool stops = mpi_schedule_advance(agent);
    mpi_progress_leave(by, agent, call);
    if (!stops)
        return;
    if (agent->collective.schedule->finished && agent->now <= call->now)
        deliver(operation);
    else
        ask_for_rank(operation);
}

MpiStep mpi_operation_new(MpiCall *call, MpiTask *task, bool persistent, uint64_t address)
{
    MpiOperation *operation = g_new0(MpiOperation, 1);
    MpiBuffer none = {0};
    operation->task = task;
    operation->sequence = task->comm->collective_sequence;
    operation->turn = mpi_comm_take_turn(call, task->comm);
    agent_init(operation, call);
    operation->request =
        mpi_request_new(call, MPI_REQUEST_COLLECTIVE, MPI_MODE_STANDARD, &none, task->comm, 0, 0, true);
    operation->request->operation = operation;
    operation->request->persistent = persistent;
    MpiStep step = mpi_request_publish(call, operation->request, address);
    if (!persistent)
        mpi_operation_start(call, operation->request);
    return step;
}
