/* schedule.c - the engine that executes collectives (see schedule.h).
 *
 *      write round --> start its messages --> wait until all are complete --> do its local steps --> write next round
 *           |                                                                      |
 *      no more: finished                                       operator of the program: simulated code runs first
 *
 * mpi_schedule_advance() goes as far as it can without simulated code. The collective's own call calls it. While the
 * rank is blocked, arriving messages call it, too, on the blocked call's time. Combining and copying cost copy_byte per
 * byte; user operators cost what they compute.
 *
 * The messages of one collective carry its turn on the communicator (turns.c) as their tag. That is enough: between
 * two ranks they keep their order, and every algorithm receives from a peer in the order in which that peer sends. */
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/pool.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- a schedule's life ------------------------------------------------------------------------- */

MpiSchedule *mpi_schedule_new(MpiCall *call, MpiComm *comm, MpiCollective collective, const MpiPlan *plan)
{
    GHashTable *names = call->world->params.algorithms;
    MpiSchedule *schedule = mpi_pool_take(&call->world->schedules);
    schedule->plan = *plan;
    schedule->plan.rank = comm->rank;
    schedule->plan.size = comm->group->size;
    schedule->plan.remote = comm->inter ? comm->inter->remote->size : 0;
    schedule->plan.eager_limit = call->world->params.eager_limit;
    schedule->plan.multicast = call->world->env.multicast;
    schedule->comm = comm;
    comm->refs++;
    if (!call->background) { /* a background collective takes its turn when its operation is made */
        schedule->sequence = comm->collective_sequence;
        schedule->turn = mpi_comm_take_turn(call, comm);
    }
    schedule->algorithm = mpi_algorithm_choose(
        collective, names ? g_hash_table_lookup(names, mpi_collective_key(collective)) : NULL, &schedule->plan);
    schedule->algorithm->setup(&schedule->plan);
    if (schedule->plan.memory && !schedule->plan.phantom)
        schedule->memory = g_malloc0(schedule->plan.memory);
    if (call->collective.schedule)
        mpi_schedule_free(call->world, call->collective.schedule);
    call->collective.schedule = schedule;
    mpi_tell_collective_begun(call->world, call, schedule);
    return schedule;
}

static void release_requests(MpiSchedule *schedule)
{
    for (uint32_t i = 0; schedule->requests && i < schedule->round.n_messages; i++)
        if (schedule->requests[i])
            mpi_request_release(schedule->requests[i]);
    if (schedule->requests)
        memset(schedule->requests, 0, schedule->round.n_messages * sizeof(MpiRequest *));
}

void mpi_schedule_free(MpiWorld *world, MpiSchedule *schedule)
{
    release_requests(schedule);
    mpi_tell_collective_gone(world, schedule);
    mpi_round_free(&schedule->round);
    if (schedule->op)
        mpi_op_unref(schedule->op);
    if (schedule->type)
        mpi_type_unref(schedule->type);
    mpi_comm_unref(schedule->comm);
    g_free(schedule->requests);
    g_free(schedule->memory);
    mpi_pool_give(&world->schedules, schedule);
}

/* -- executing --------------------------------------------------------------------------------- */

/* Sends to all others at once: like an eager message or, if each of them has said that it is ready, like the data of a
 * rendezvous. */
static void start_multicast(MpiCall *call, MpiSchedule *schedule, uint32_t i)
{
    const MpiScheduleStep *step = &schedule->round.messages[i];
    MpiComm *comm = schedule->comm;
    MpiBuffer buffer = {.host = schedule->memory ? schedule->memory + step->from : NULL, .count = step->bytes};
    int tag = (int)(schedule->turn & INT32_MAX), other = comm->rank == 0;
    MpiRequest *request = NULL;
    g_assert(step->from + step->bytes <= schedule->plan.memory);
    if (step->bytes > call->world->params.eager_limit) {
        request = mpi_request_new(call, MPI_REQUEST_SEND, MPI_MODE_STANDARD, &buffer, comm, other, tag, true);
        request->schedule = schedule;
        schedule->requests[i] = request;
        schedule->head.open++;
    }
    mpi_transfer_multicast(call, &buffer, comm, tag, request);
}

static void start_message(MpiCall *call, MpiSchedule *schedule, uint32_t i)
{
    const MpiScheduleStep *step = &schedule->round.messages[i];
    if (G_UNLIKELY(step->kind == MPI_SCHEDULE_MULTICAST)) {
        start_multicast(call, schedule, i);
        return;
    }
    bool send = step->kind == MPI_SCHEDULE_SEND;
    uint64_t offset = send ? step->from : step->to;
    g_assert(offset + step->bytes <= schedule->plan.memory);
    MpiBuffer buffer = {.host = schedule->memory ? schedule->memory + offset : NULL, .count = step->bytes};
    int tag = (int)(schedule->turn & INT32_MAX), error;
    MpiComm *comm = schedule->comm;
    uint32_t peer = step->peer;
    if (G_UNLIKELY(comm->inter)) {
        peer -= peer < schedule->plan.size ? 0 : schedule->plan.size;
        comm = step->peer < schedule->plan.size ? comm->inter->local : comm;
    }
    /* The data is in the simulator's own memory, so this cannot fail. */
    if (send && mpi_transfer_send_at_once(call, &buffer, comm, (int)peer, tag, true, &error))
        return;
    MpiRequest *request = mpi_request_new(call, send ? MPI_REQUEST_SEND : MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD,
                                          &buffer, comm, (int)peer, tag, true);
    request->schedule = schedule;
    schedule->requests[i] = request;
    schedule->head.open++;
    mpi_request_start(call, request);
}

/* Whether an error ends the schedule. A message was too long for its buffer. If that does not end the program, the
 * messages of the other rounds are still exchanged, with any contents, so that no rank waits for ever for this one. */
static bool gives_up(const MpiSchedule *schedule)
{
    const MpiErrhandler *handler = schedule->comm->errhandler;
    return schedule->head.error && (!handler || handler->sort == MPI_HANDLER_FATAL);
}

/* Writes the next round and starts its messages. Returns false if there is none. */
static bool begin_round(MpiCall *call, MpiSchedule *schedule)
{
    release_requests(schedule);
    mpi_round_clear(&schedule->round);
    schedule->number += schedule->begun;
    schedule->begun = true;
    schedule->local = 0;
    if (gives_up(schedule) || !schedule->algorithm->round(&schedule->plan, schedule->number, &schedule->round))
        return false;
    uint32_t n = schedule->round.n_messages;
    if (n > schedule->requests_capacity) {
        schedule->requests = g_renew(MpiRequest *, schedule->requests, n);
        schedule->requests_capacity = n;
    }
    if (n)
        memset(schedule->requests, 0, n * sizeof(MpiRequest *));
    for (uint32_t i = 0; i < n; i++)
        start_message(call, schedule, i);
    mpi_tell_waits(call->world, call, schedule->requests, n, false);
    return true;
}

static bool needs_upcall(const MpiSchedule *schedule, const MpiScheduleStep *step)
{
    return step->kind == MPI_SCHEDULE_COMBINE && schedule->op->function;
}

static void do_local(MpiCall *call, MpiSchedule *schedule, const MpiScheduleStep *step)
{
    g_assert(step->from + step->bytes <= schedule->plan.memory && step->to + step->bytes <= schedule->plan.memory);
    mpi_call_charge(call, mpi_call_bytes_ps(step->bytes, call->world->params.copy_byte_fs));
    if (!schedule->memory)
        return;
    uint8_t *from = schedule->memory + step->from, *to = schedule->memory + step->to;
    if (step->kind == MPI_SCHEDULE_COPY)
        memmove(to, from, step->bytes);
    else
        mpi_op_apply(schedule->op, schedule->type, step->bytes / schedule->type->size, from, to);
}

bool mpi_schedule_advance(MpiCall *call)
{
    MpiSchedule *schedule = call->collective.schedule;
    while (!schedule->finished) {
        if (schedule->head.open)
            return false;
        while (!schedule->head.error && schedule->local < schedule->round.n_locals) {
            const MpiScheduleStep *step = &schedule->round.locals[schedule->local];
            if (needs_upcall(schedule, step))
                return true;
            do_local(call, schedule, step);
            schedule->local++;
        }
        schedule->finished = !begin_round(call, schedule);
    }
    return true;
}

/* -- user operators: void f(void in, void inout, int n, MPI_Datatype type) on memory of the rank -- */

static MpiStep schedule_go(MpiCall *call);

/* The scratch memory for an operator's arguments: in, inout, n, type. */
typedef struct Scratch {
    uint64_t in, inout; /* addresses of offset 0 of the first items */
    uint64_t n, type;   /* addresses of the two values */
} Scratch;

static bool scratch_place(MpiCall *call, MpiSchedule *schedule, uint64_t items, Scratch *scratch)
{
    int64_t first = 0;
    uint64_t span = (mpi_type_span(schedule->type, items, &first) + 15) & ~UINT64_C(15);
    if (schedule->scratch_items < items) {
        if (schedule->scratch)
            vm_library_free(call->process, schedule->scratch);
        schedule->scratch = vm_library_malloc(call->process, 2 * span + 16);
        schedule->scratch_items = schedule->scratch ? items : 0;
    }
    scratch->in = schedule->scratch - (uint64_t)first;
    scratch->inout = scratch->in + span;
    scratch->n = schedule->scratch + 2 * span;
    scratch->type = scratch->n + 8;
    return schedule->scratch != 0;
}

void mpi_schedule_free_scratch(MpiCall *call, MpiSchedule *schedule)
{
    if (schedule->scratch)
        vm_library_free(call->process, schedule->scratch);
    schedule->scratch = schedule->scratch_items = 0;
}

bool mpi_schedule_operator_begin(MpiCall *call, MpiSchedule *schedule, uint64_t arguments[4])
{
    const MpiScheduleStep *step = &schedule->round.locals[schedule->local];
    const MpiType *type = schedule->type;
    uint64_t items = step->bytes / type->size;
    Scratch scratch;
    if (!scratch_place(call, schedule, items, &scratch) ||
        !mpi_type_unpack(type, items, call->process, scratch.in, schedule->memory + step->from, step->bytes) ||
        !mpi_type_unpack(type, items, call->process, scratch.inout, schedule->memory + step->to, step->bytes))
        return false;
    mpi_op_store_items(call, scratch.n, schedule->op, items);
    mpi_store_handle(call, scratch.type, type->handle);
    arguments[0] = scratch.in;
    arguments[1] = scratch.inout;
    arguments[2] = scratch.n;
    arguments[3] = scratch.type;
    return true;
}

void mpi_schedule_operator_end(MpiCall *call, MpiSchedule *schedule)
{
    const MpiScheduleStep *step = &schedule->round.locals[schedule->local++];
    uint64_t items = step->bytes / schedule->type->size;
    Scratch scratch;
    scratch_place(call, schedule, items, &scratch);
    if (!mpi_type_pack(schedule->type, items, call->process, scratch.inout, schedule->memory + step->to))
        schedule->head.error = MPI_ERR_BUFFER;
}

static MpiStep combine_done(MpiCall *call)
{
    mpi_schedule_operator_end(call, call->collective.schedule);
    return schedule_go(call);
}

static MpiStep combine_upcall(MpiCall *call)
{
    MpiSchedule *schedule = call->collective.schedule;
    uint64_t arguments[4];
    if (!mpi_schedule_operator_begin(call, schedule, arguments))
        return mpi_call_error(call, schedule->comm, MPI_ERR_NO_MEM,
                              "no memory for the arguments of the operator's function (%" G_GUINT64_FORMAT " items)",
                              schedule->round.locals[schedule->local].bytes / schedule->type->size);
    return mpi_call_upcall(call, schedule->op->function, arguments, 4, combine_done);
}

static MpiStep schedule_go(MpiCall *call)
{
    MpiSchedule *schedule = call->collective.schedule;
    if (!mpi_schedule_advance(call))
        return mpi_call_block(call, schedule_go);
    if (!schedule->finished)
        return combine_upcall(call);
    mpi_schedule_free_scratch(call, schedule);
    mpi_tell_collective_ended(call->world, call, schedule, NULL);
    if (schedule->head.error)
        return mpi_call_error(call, schedule->comm, schedule->head.error,
                              "a message of this collective is longer than the place for it: the ranks do not agree on "
                              "count or datatype");
    return call->collective.then(call);
}

MpiStep mpi_schedule_run(MpiCall *call, MpiHandler then)
{
    call->collective.then = then;
    return schedule_go(call);
}
