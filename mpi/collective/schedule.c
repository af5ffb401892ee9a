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
#include "mpi/collective/exchange.h"
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

static bool ends_program(const MpiComm *comm)
{
    return !comm->errhandler || comm->errhandler->sort == MPI_HANDLER_FATAL;
}

/* Counts that differ are a mistake of the program, which MPI need not find. It is told where the program handles
 * errors, for broadcasts; --check finds it everywhere. */
MpiSchedule *mpi_schedule_new(MpiCall *call, MpiComm *comm, MpiCollective collective, const MpiPlan *plan)
{
    MpiSchedule *schedule = mpi_pool_take(&call->world->schedules);
    schedule->plan = *plan;
    schedule->plan.rank = comm->rank;
    schedule->plan.size = comm->group->size;
    schedule->plan.remote = comm->inter ? comm->inter->remote->size : 0;
    schedule->plan.eager_limit = call->world->params.eager_limit;
    schedule->plan.multicast = call->world->env.multicast;
    schedule->comm = comm;
    comm->refs++;
    schedule->begun_ps = call->background ? call->now : call->entered_ps;
    if (!call->background) { /* a background collective takes its turn when its operation is made */
        schedule->sequence = comm->collective_sequence;
        schedule->turn = mpi_comm_take_turn(call, comm);
    }
    schedule->algorithm = mpi_algorithm_choose(
        collective, mpi_rank_algorithm(call->rank, mpi_collective_key(collective)), &schedule->plan);
    schedule->head.exact = collective == MPI_COLLECTIVE_BCAST && !ends_program(comm);
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
    for (uint32_t i = 0; i < schedule->n_requests; i++)
        if (schedule->requests[i])
            mpi_request_release(schedule->requests[i]);
    schedule->n_requests = 0;
}

/* Makes room for the requests of n more messages, and none of them yet. */
static void add_requests(MpiSchedule *schedule, uint32_t n)
{
    uint32_t before = schedule->n_requests, all = before + n;
    if (all > schedule->requests_capacity) {
        schedule->requests_capacity = before ? MAX(all, 2 * before) : all;
        schedule->requests = g_renew(MpiRequest *, schedule->requests, schedule->requests_capacity);
    }
    if (n)
        memset(schedule->requests + before, 0, n * sizeof(MpiRequest *));
    schedule->n_requests = all;
}

void mpi_schedule_keep(MpiSchedule *schedule, MpiRequest *request)
{
    add_requests(schedule, 1);
    schedule->requests[schedule->n_requests - 1] = request;
    request->schedule = schedule;
}

void mpi_schedule_fail(MpiSchedule *schedule, int error)
{
    for (uint32_t i = 0; i < schedule->n_requests; i++)
        if (schedule->requests[i] && mpi_request_pending(schedule->requests[i]))
            mpi_request_fail(schedule->requests[i], error);
    schedule->head.error = error;
    schedule->finished = true;
}

void mpi_schedule_free(MpiWorld *world, MpiSchedule *schedule)
{
    mpi_exchange_end(world, schedule, false);
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

/* -- its data ---------------------------------------------------------------------------------- */

static bool are_apart(const MpiPlaces *places)
{
    return places->input >= places->result + places->result_bytes ||
           places->result >= places->input + places->input_bytes;
}

/* The steps of an exchange only send from the input, and receive or copy into the result. So the copies can be told
 * from the program's memory only if the two overlap, or if somebody else looks at that memory. */
bool mpi_schedule_use_buffers(const MpiCall *call, MpiSchedule *schedule, const MpiPlaces *places)
{
    const MpiPlan *plan = &schedule->plan;
    if (schedule->algorithm->round != mpi_collective_round_alltoall_linear || vm_rank_is_watched(places->process) ||
        !are_apart(places) || plan->result != places->input_bytes || !mpi_exchange_is_possible(call, schedule))
        return false;
    schedule->place.process = places->process;
    schedule->place.input = places->input;
    schedule->place.result = places->result;
    g_clear_pointer(&schedule->memory, g_free);
    return true;
}

/* Returns the address of what an offset in the schedule's memory stands for. */
static uint64_t place_of(const MpiSchedule *schedule, uint64_t offset)
{
    uint64_t result = schedule->plan.result;
    return offset < result ? schedule->place.input + offset : schedule->place.result + (offset - result);
}

MpiBuffer mpi_schedule_buffer(const MpiSchedule *schedule, uint64_t offset, uint64_t bytes)
{
    g_assert(offset + bytes <= schedule->plan.memory);
    if (schedule->place.process)
        return (MpiBuffer){.process = schedule->place.process, .address = place_of(schedule, offset), .count = bytes};
    return (MpiBuffer){.host = schedule->memory ? schedule->memory + offset : NULL, .count = bytes};
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
    if (step->bytes > schedule->plan.eager_limit) {
        request = mpi_request_new(call, MPI_REQUEST_SEND, MPI_MODE_STANDARD, &buffer, comm, other, tag, true);
        request->schedule = schedule;
        schedule->requests[i] = request;
        schedule->head.open++;
    }
    mpi_multicast_send(call, &buffer, comm, tag, request);
}

static void start_message(MpiCall *call, MpiSchedule *schedule, uint32_t i)
{
    const MpiScheduleStep *step = &schedule->round.messages[i];
    if (G_UNLIKELY(step->kind == MPI_SCHEDULE_MULTICAST)) {
        start_multicast(call, schedule, i);
        return;
    }
    bool send = step->kind == MPI_SCHEDULE_SEND;
    MpiBuffer buffer = mpi_schedule_buffer(schedule, send ? step->from : step->to, step->bytes);
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
    return schedule->head.error && ends_program(schedule->comm);
}

/* Returns the error that members behind this one have, too, as they get what it has received, which is not whole. */
static uint8_t passed_on(const MpiSchedule *schedule)
{
    int error = schedule->head.error;
    bool damages = error == MPI_ERR_TRUNCATE || error == MPI_ERR_COUNT;
    return damages && !(schedule->algorithm->needs & MPI_ALGORITHM_DIRECT) ? (uint8_t)error : 0;
}

/* Whether a member is known to have failed, so that the collective cannot begin. Agreements do without such members. */
static bool misses_member(const MpiWorld *world, const MpiSchedule *schedule)
{
    const MpiComm *comm = schedule->comm;
    return world->failures && schedule->algorithm->collective != MPI_COLLECTIVE_AGREEMENT &&
           (mpi_group_has_failed(world, comm->group) ||
            (comm->inter && mpi_group_has_failed(world, comm->inter->remote)));
}

/* Writes the next round and starts its messages. Returns false if there is none. */
static bool begin_round(MpiCall *call, MpiSchedule *schedule)
{
    mpi_exchange_end(call->world, schedule, true);
    release_requests(schedule);
    mpi_round_clear(&schedule->round);
    if (G_UNLIKELY(!schedule->begun && misses_member(call->world, schedule)))
        schedule->head.error = MPI_ERR_PROC_FAILED;
    if (schedule->head.error == MPI_ERR_PROC_FAILED)
        return false;
    schedule->number += schedule->begun;
    schedule->begun = true;
    schedule->local = 0;
    if (gives_up(schedule) || !schedule->algorithm->round(&schedule->plan, schedule->number, &schedule->round))
        return false;
    if (schedule->round.all_with_all && mpi_exchange_is_possible(call, schedule)) {
        mpi_exchange_begin(call, schedule);
        return true;
    }
    mpi_round_spell_out(&schedule->plan, &schedule->round);
    schedule->head.damage = passed_on(schedule);
    uint32_t n = schedule->round.n_messages;
    add_requests(schedule, n);
    for (uint32_t i = 0; i < n; i++)
        start_message(call, schedule, i);
    mpi_tell_waits(call->world, call, schedule->requests, n, false);
    return true;
}

static bool needs_upcall(const MpiSchedule *schedule, const MpiScheduleStep *step)
{
    return step->kind == MPI_SCHEDULE_COMBINE && schedule->op->function;
}

static void copy_in_place(MpiSchedule *schedule, const MpiScheduleStep *step)
{
    VmRank *process = schedule->place.process;
    void *to = vm_rank_write(process, place_of(schedule, step->to), step->bytes);
    const void *from = vm_rank_read(process, place_of(schedule, step->from), step->bytes);
    if (from && to)
        memcpy(to, from, step->bytes);
    else
        schedule->head.error = MPI_ERR_BUFFER;
}

static void do_local(MpiCall *call, MpiSchedule *schedule, const MpiScheduleStep *step)
{
    g_assert(step->from + step->bytes <= schedule->plan.memory && step->to + step->bytes <= schedule->plan.memory);
    mpi_call_charge(call, mpi_call_copying_ps(call, 0, step->bytes));
    if (schedule->place.process)
        copy_in_place(schedule, step);
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

MpiStep mpi_schedule_buffer_gone(MpiCall *call, const MpiSchedule *schedule)
{
    return mpi_call_error(call, schedule->comm, MPI_ERR_BUFFER,
                          "the receive buffer is no longer in the program's memory");
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
    if (schedule->head.error == MPI_ERR_BUFFER && schedule->place.process)
        return mpi_schedule_buffer_gone(call, schedule);
    if (schedule->head.error == MPI_ERR_PROC_FAILED || schedule->head.error == MPI_ERR_REVOKED)
        return mpi_call_error(call, schedule->comm, schedule->head.error,
                              "%s; MPIX_Comm_shrink makes a communicator that can be used",
                              schedule->head.error == MPI_ERR_REVOKED ? "the communicator has been revoked"
                                                                      : "a process of the communicator has failed");
    if (schedule->head.error == MPI_ERR_COUNT)
        return mpi_call_error(
            call, schedule->comm, MPI_ERR_COUNT,
            "a message of this collective is shorter than what was to come: the ranks do not agree on "
            "count or datatype");
    if (schedule->head.error)
        return mpi_call_error(call, schedule->comm, schedule->head.error,
                              "a message of this collective is longer than the place for it, here or on its way: the "
                              "ranks do not agree on count or datatype");
    return call->collective.then(call);
}

MpiStep mpi_schedule_run(MpiCall *call, MpiHandler then)
{
    call->collective.then = then;
    return schedule_go(call);
}
