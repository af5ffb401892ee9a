/* world.c - makes worlds, and runs their calls: from the VM's request to its completion.
 *
 * A GLOBAL function of a program becomes an MpiCall on its rank's stack of calls. Its handler returns a step:
 *
 *      DONE      flush activity, set the VM's clock to call->now, give the result to the VM, pop the call
 *      BLOCK     the rank waits, and arrivals are handled on the call's time; when none of its requests is open (or the
 *                schedule needs simulated code), env.wake wakes the rank and call->step goes on
 *      UPCALL    simulated code runs first; it may make calls of its own, which are pushed on top
 *
 * core/calls.c accounts for the time of a call.
 *
 * LOCAL functions run inside the VM, with an MpiCall on the host's stack. They must touch nothing but their own rank,
 * since other ranks may be running on other threads. */
#include "mpi/core/world.h"
#include "mpi/collective/collective.h"
#include "mpi/collective/exchange.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/places.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/threads.h"
#include "mpi/failure/failure.h"
#include "mpi/functions.h"
#include "mpi/kinds.h"
#include "mpi/p2p/p2p.h"
#include "mpi/parts.h"
#include "mpi/process/process.h"
#include "mpi/protocol/protocol.h"
#include "mpi/rma/rma.h"

#include <assert.h>

/* Cost of a LOCAL function in VM cycles, in units of 1/256 cycle. */
enum { MPI_LOCAL_COST_Q8 = 20 * 256 };

/* -- state (MPI-3.1 section 8.7) --------------------------------------------------------------- */

static bool check_state(MpiCall *call, MpiStep *step)
{
    MpiRankState state = call->rank->state;
    bool starts = call->function == MPI_FUNCTION_Init || call->function == MPI_FUNCTION_Init_thread;
    if (starts ? state == MPI_RANK_STARTED : state == MPI_RANK_ACTIVE || mpi_process_has_session(call->rank))
        return true;
    if (mpi_function_is_always_allowed(call->function))
        return true;
    const char *reason = starts                        ? "MPI has been initialized already; a program does that once"
                         : state == MPI_RANK_FINALIZED ? "called after MPI_Finalize"
                                                       : "called before MPI_Init; MPI_Init comes first";
    *step = mpi_call_error(call, NULL, MPI_ERR_OTHER, "%s", reason);
    return false;
}

/* -- LOCAL functions --------------------------------------------------------------------------- */

static inline void call_free_state(MpiCall *call)
{
    if (call->state)
        (call->state_free ? call->state_free : g_free)(call->state);
    call->state = NULL;
    call->state_free = NULL;
}

static VmCallResult run_local(VmRank *process, uint64_t *args, unsigned n, void *user)
{
    const MpiBinding *binding = user;
    if (binding->function == MPI_FUNCTION_Wtime && !vm_rank_may_look_at_clock(process))
        return VM_CALL_AGAIN;
    MpiCall call = {.local = true};
    mpi_call_init(&call, mpi_world_rank(binding->world, vm_rank_index(process)), binding->function, args, n,
                  vm_clock_now(vm_rank_clock(process)), mpi_place_in_program(process));
    MpiStep step;
    if (check_state(&call, &step))
        step = call.world->handlers[binding->function](&call);
    call_free_state(&call);
    switch (step) {
    case MPI_STEP_DONE:
        mpi_count_calls(call.rank, 1);
        if (call.now > call.entered_ps)
            vm_clock_set(vm_rank_clock(process), call.now);
        mpi_tell_left_local(call.world, &call);
        args[0] = call.result;
        return VM_CALL_DONE;
    case MPI_STEP_GLOBAL: return VM_CALL_REQUEST;
    default: g_assert(step == MPI_STEP_FAULT); return VM_CALL_FAULT;
    }
}

static VmCallResult send_at_once(VmRank *process, uint64_t *args, unsigned n, void *user)
{
    const MpiBinding *binding = user;
    (void)n;
    return mpi_plain_send_at_once(mpi_world_rank(binding->world, vm_rank_index(process)), args) ? VM_CALL_DONE
                                                                                                : VM_CALL_REQUEST;
}

static VmCallResult access_at_once(VmRank *process, uint64_t *args, unsigned n, void *user)
{
    const MpiBinding *binding = user;
    MpiRank *rank = mpi_world_rank(binding->world, vm_rank_index(process));
    (void)n;
    return mpi_plain_access_at_once(rank, args, binding->function == MPI_FUNCTION_Put) ? VM_CALL_DONE : VM_CALL_REQUEST;
}

void mpi_world_queues(const MpiWorld *world, uint32_t rank, uint32_t *posted, uint32_t *unexpected)
{
    const MpiRank *at = mpi_world_rank(world, rank);
    *posted = at->plain != NULL;
    for (unsigned kind = 0; kind < MPI_KINDS; kind++)
        *posted += at->matcher.posted_of[kind];
    *unexpected = at->matcher.n_unexpected;
}

/* -- GLOBAL functions -------------------------------------------------------------------------- */

static inline void call_pop(MpiCall *call)
{
    MpiRank *rank = call->rank;
    mpi_threads_focus_on(call);
    assert(rank->call == call);
    rank->call = call->outer;
    call_free_state(call);
    if (call->collective.schedule)
        mpi_schedule_free(rank->world, call->collective.schedule);
    mpi_pool_give(&rank->world->calls, call);
}

static inline MpiOutcome call_end(MpiCall *call)
{
    VmRank *process = call->process;
    uint64_t result = call->result;
    if (G_UNLIKELY(call->collective.upcalls))
        mpi_operations_postpone(call);
    mpi_tell_left(call->world, call);
    mpi_tell_over(call->world, call);
    vm_clock_set(vm_rank_clock(process), call->now);
    call_pop(call);
    vm_rank_complete(process, result);
    return MPI_OUTCOME_DONE;
}

/* Whether the rank has a fault. A check of its memory accesses may have raised one in the middle of the call. */
static bool has_faulted(const MpiCall *call)
{
    return vm_rank_fault_info(call->process)->kind != VM_FAULT_NONE;
}

static MpiOutcome call_interrupt(MpiCall *call);
static MpiOutcome call_ending(MpiCall *call);

static inline MpiOutcome call_step(MpiCall *call, MpiStep step)
{
    if (has_faulted(call))
        step = MPI_STEP_FAULT;
    switch (step) {
    case MPI_STEP_DONE:
        if (G_UNLIKELY(call->rank->threads))
            mpi_threads_settle_others(call);
        if (G_UNLIKELY(mpi_listens_ending(call->world)))
            return call_ending(call);
        return call_end(call);
    case MPI_STEP_BLOCK:
        assert(call->step && call->engine.blocked);
        if (G_UNLIKELY(call->rank->threads))
            mpi_threads_settle_others(call);
        return call->collective.upcalls ? call_interrupt(call) : MPI_OUTCOME_BLOCKED;
    case MPI_STEP_UPCALL: assert(call->step); return MPI_OUTCOME_UPCALL;
    case MPI_STEP_ABORT:
        mpi_tell_left(call->world, call);
        mpi_tell_over(call->world, call);
        vm_rank_exit(call->process, call->world->abort_code); /* the output written so far is not lost */
        vm_clock_set(vm_rank_clock(call->process), call->now);
        return MPI_OUTCOME_ABORT;
    default:
        assert(step == MPI_STEP_FAULT);
        mpi_tell_left(call->world, call);
        mpi_tell_over(call->world, call);
        vm_clock_set(vm_rank_clock(call->process), call->now);
        return MPI_OUTCOME_FAULT;
    }
}

/* Ends a call when functions of the program that should run before have run. */
static MpiOutcome call_ending(MpiCall *call)
{
    MpiStep step;
    return mpi_ask_ending(call->world, call, &step) ? call_step(call, step) : call_end(call);
}

/* Lets a waiting or waking call run the user-defined operators of background collectives first. */
static MpiOutcome call_interrupt(MpiCall *call)
{
    call->engine.blocked = false;
    call->rank->probing = false; /* a probe looks again afterwards */
    call->collective.interrupted = true;
    return call_step(call, mpi_operations_run(call, call->step));
}

/* Executes a call in the general way. */
static G_GNUC_NO_INLINE MpiOutcome call_run(MpiWorld *world, MpiRank *rank, const VmRequest *request, uint64_t now_ps)
{
    const MpiBinding *binding = request->function->user;
    MpiCall *call = mpi_pool_take(&world->calls);
    mpi_call_init(call, rank, binding->function, request->args, request->n, now_ps,
                  mpi_place_of_call(world, rank->process));
    call->outer = rank->call;
    rank->call = call;
    mpi_count_calls(rank, 1);
    mpi_tell_entered(world, rank);
    call->engine.idle_polls = rank->idle_polls;
    rank->idle_polls = 0;
    MpiStep step;
    bool usual = rank->state == MPI_RANK_ACTIVE && binding->function != MPI_FUNCTION_Init &&
                 binding->function != MPI_FUNCTION_Init_thread;
    if (G_UNLIKELY(!usual) && !check_state(call, &step))
        return call_step(call, step);
    mpi_call_charge(call, world->params.call_overhead_ps);
    if (rank->inbox)
        mpi_transfer_progress(call);
    if (G_UNLIKELY(call->engine.stopped))
        return call_step(call, MPI_STEP_FAULT);
    MpiHandler handler = world->handlers[binding->function];
    mpi_tell_called(world, call);
    if (G_UNLIKELY(call->engine.stopped))
        return call_step(call, MPI_STEP_FAULT);
    if (mpi_ask_delay(world, call))
        return call_step(call, mpi_call_block(call, handler));
    return call_step(call, call->collective.upcalls ? mpi_operations_run(call, handler) : handler(call));
}

MpiOutcome mpi_world_call(MpiWorld *world, uint32_t index, uint64_t now_ps)
{
    MpiRank *rank = mpi_world_rank(world, index);
    const VmRequest *request = vm_rank_request(rank->process);
    uint32_t function = ((const MpiBinding *)request->function->user)->function;
    MpiOutcome outcome;
    assert(((const MpiBinding *)request->function->user)->world == world);
    assert(now_ps == vm_clock_now(vm_rank_clock(rank->process)));
    if (G_UNLIKELY(rank->threads))
        return call_run(world, rank, request, now_ps);
    if (function == MPI_FUNCTION_Send && mpi_plain_send(rank, request, now_ps))
        return MPI_OUTCOME_DONE;
    if (function == MPI_FUNCTION_Recv && mpi_plain_receive(rank, request, now_ps, &outcome))
        return outcome;
    if (function == MPI_FUNCTION_Sendrecv && mpi_plain_exchange(rank, request, now_ps, &outcome))
        return outcome;
    if (function == MPI_FUNCTION_Isend && mpi_plain_start_send(rank, request, now_ps))
        return MPI_OUTCOME_DONE;
    if (function == MPI_FUNCTION_Irecv && mpi_plain_start_receive(rank, request, now_ps))
        return MPI_OUTCOME_DONE;
    if ((function == MPI_FUNCTION_Put || function == MPI_FUNCTION_Get) &&
        mpi_plain_access(rank, request, now_ps, function == MPI_FUNCTION_Put))
        return MPI_OUTCOME_DONE;
    return call_run(world, rank, request, now_ps);
}

MpiOutcome mpi_world_upcall_done(MpiWorld *world, uint32_t index)
{
    MpiRank *rank = mpi_world_rank(world, index);
    MpiCall *call = rank->call;
    g_assert(call && call->step && !call->engine.blocked);
    mpi_tell_entered(world, rank);
    call->upcall_result = vm_rank_upcall_result(rank->process);
    call->args = vm_rank_request(rank->process)->args;
    call->now = vm_clock_now(vm_rank_clock(rank->process));
    mpi_transfer_progress(call);
    return call_step(call, call->engine.stopped ? MPI_STEP_FAULT : call->step(call));
}

/* -- blocking and waking ----------------------------------------------------------------------- */

void mpi_world_select(MpiWorld *world, uint32_t index, uint32_t thread, uint32_t task)
{
    MpiRank *rank = mpi_world_rank(world, index);
    if (!rank->threads)
        mpi_threads_begin(rank);
    mpi_threads_focus(rank, thread);
    rank->task = task;
}

MpiOutcome mpi_world_resume(MpiWorld *world, uint32_t index, uint64_t time_ps)
{
    MpiCall *call = mpi_world_rank(world, index)->call;
    if (!call) /* a receive that ended on its short way: no rank with loans has one */
        return MPI_OUTCOME_DONE;
    assert(call->engine.blocked && call->engine.finishing);
    mpi_loans_settle(call->rank);
    mpi_call_advance(call, time_ps);
    call->engine.blocked = call->engine.finishing = false;
    if (G_UNLIKELY(call->engine.stopped))
        return call_step(call, MPI_STEP_FAULT);
    if (call->collective.upcalls)
        return call_interrupt(call);
    return call_step(call, call->step(call));
}

uint32_t mpi_world_idle_polls(const MpiWorld *world, uint32_t rank)
{
    return mpi_world_rank(world, rank)->idle_polls;
}

void mpi_world_repeat_poll(MpiWorld *world, uint32_t rank, uint64_t times, uint64_t overhead_ps)
{
    mpi_count_calls(mpi_world_rank(world, rank), times);
    mpi_count_overhead(mpi_world_rank(world, rank), times * overhead_ps);
}

void mpi_world_slept(MpiWorld *world, uint32_t rank, uint64_t ps)
{
    mpi_count_blocked(mpi_world_rank(world, rank), ps);
}

/* -- the world --------------------------------------------------------------------------------- */

/* Returns the function that is tried before a GLOBAL function leaves the VM, or NULL. */
static VmExternFunction tried_at_once(const MpiWorld *world, uint32_t function)
{
    if (!world->env.is_turn)
        return NULL;
    return function == MPI_FUNCTION_Send                                  ? send_at_once
           : function == MPI_FUNCTION_Put || function == MPI_FUNCTION_Get ? access_at_once
                                                                          : NULL;
}

static void world_make_externs(MpiWorld *world)
{
    size_t n = MPI_FUNCTIONS, n_absent;
    const VmExtern *absent = mpi_functions_absent_externs(&n_absent);
    world->bindings = g_new0(MpiBinding, n);
    world->n_externs = 2 * n + n_absent;
    world->externs = g_new0(VmExtern, world->n_externs);
    memcpy(world->externs + 2 * n, absent, n_absent * sizeof *absent);
    for (size_t i = 0; i < n; i++) {
        const MpiFunction *function = mpi_function((uint32_t)i);
        const MpiFunctionInfo *info = &function->info;
        world->bindings[i] = (MpiBinding){.world = world, .function = (uint32_t)i};
        VmExtern row = {.name = info->name,
                        .function = info->local ? run_local : tried_at_once(world, (uint32_t)i),
                        .user = &world->bindings[i],
                        .base_q8 = info->local ? MPI_LOCAL_COST_Q8 : 0,
                        .arity = function->arguments};
        world->externs[2 * i] = row;
        row.name = function->profiling_name;
        world->externs[2 * i + 1] = row;
    }
    mpi_turns_name(world->bindings, (uint32_t)n);
}

static const MpiUpper upper = {
    .schedule_advance = mpi_schedule_advance,
    .operation_start = mpi_operation_start,
    .operation_free = mpi_operation_free,
    .operation_settle = mpi_operation_settle,
    .operation_note = mpi_operation_note,
    .operation_keep = mpi_operation_keep,
    .exchange_hurry = mpi_exchange_hurry,
    .exchange_alarm = mpi_exchange_alarm,
    .exchange_store = mpi_exchange_store,
    .exchange_request = mpi_exchange_request,
    .exchange_head = mpi_exchange_head,
    .remote_sent = mpi_remotes_sent,
    .remote_delivered = mpi_remotes_delivered,
    .remote_alarm = mpi_remotes_alarm,
    .remote_note = mpi_remotes_note,
    .process_begin = mpi_process_begin,
    .process_end = mpi_process_end,
    .comm_made = mpi_connected_made,
    .comm_left = mpi_connected_left,
    .failure_alarm = mpi_failure_alarm,
    .protocol_send = mpi_protocol_send,
    .protocol_handle = mpi_protocol_handle,
    .protocol_posted = mpi_protocol_posted,
    .protocol_may_cancel = mpi_protocol_may_cancel,
    .protocol_is_held = mpi_protocol_is_held,
    .protocol_brought = mpi_protocol_brought,
    .protocol_arrives = mpi_protocol_arrives,
    .protocol_lost = mpi_protocol_lost,
    .protocol_failed = mpi_protocol_failed,
    .protocol_revoked = mpi_protocol_revoked,
    .protocol_delivered = mpi_protocol_delivered,
    .protocol_sent = mpi_protocol_sent,
    .protocol_alarm = mpi_protocol_alarm,
    .protocol_work = mpi_protocol_work,
    .protocol_hand_over = mpi_protocol_hand_over,
    .protocol_note = mpi_protocol_note,
    .protocol_explain = mpi_protocol_explain,
    .protocol_describe = mpi_protocol_describe,
};

MpiWorld *mpi_world_new(uint32_t ranks, const MpiParams *params, const MpiEnv *env)
{
    g_assert(env->transmit && env->wake);
    MpiWorld *world = g_new0(MpiWorld, 1);
    world->n_ranks = world->n_first = ranks;
    world->room = ranks + env->newcomers;
    world->params = *params;
    if (params->algorithms)
        g_hash_table_ref(params->algorithms);
    world->env = *env;
    world->upper = &upper;
    world->handlers = mpi_function_handlers;
    world->kinds = mpi_kinds;
    world->ranks = g_new0(MpiRank, world->room); /* ranks must not move */
    world->world_group = mpi_group_new(ranks, NULL);
    world->next_message = 1;
    world->next_context = MPI_COMM_SELF_INDEX + 1;
    world->findings = mpi_findings_new();
    mpi_slots_new(world);
    mpi_pool_init(&world->messages, sizeof(MpiMessage));
    mpi_pool_init(&world->requests, sizeof(MpiRequest));
    mpi_pool_init(&world->calls, sizeof(MpiCall));
    mpi_pool_init(&world->bins, mpi_match_bin_size());
    mpi_pool_init(&world->schedules, sizeof(MpiSchedule));
    mpi_pool_init(&world->receives, sizeof(MpiPlainReceive));
    world_make_externs(world);
    world->parts = mpi_parts;
    for (const MpiPart *const *part = world->parts; *part; part++)
        if ((*part)->begin)
            (*part)->begin(world);
    return world;
}

const VmExtern *mpi_world_externs(MpiWorld *world, size_t *count)
{
    *count = world->n_externs;
    return world->externs;
}

void mpi_world_attach(MpiWorld *world, uint32_t index, VmRank *process)
{
    MpiRank *rank = mpi_world_rank(world, index);
    g_assert(!rank->process);
    rank->world = world;
    rank->process = process;
    rank->index = rank->task = index;
    rank->eager_limit = world->params.eager_limit;
}

uint32_t mpi_world_add(MpiWorld *world, uint32_t n)
{
    uint32_t first = world->n_ranks;
    g_assert(n <= world->room - first);
    world->n_ranks += n;
    for (uint32_t index = first; index < world->n_ranks; index++) {
        MpiRank *rank = mpi_world_rank(world, index);
        rank->world = world;
        rank->index = index;
        for (const MpiPart *const *part = world->parts; *part; part++)
            if ((*part)->came)
                (*part)->came(rank);
    }
    return first;
}

static void rank_free(MpiRank *rank)
{
    for (uint32_t thread = mpi_threads_count(rank); thread--;) {
        if (rank->threads)
            mpi_threads_focus(rank, thread);
        while (rank->call)
            call_pop(rank->call);
    }
    mpi_threads_free(rank);
    while (rank->requests)
        mpi_request_dispose(rank->requests);
    mpi_match_clear(&rank->matcher);
    mpi_handles_clear(rank);
    g_free(rank->attached);
    for (int i = 0; i < MPI_RANK_SLOT_COUNT; i++)
        if (rank->slots[i].destroy)
            rank->slots[i].destroy(rank->slots[i].data);
}

void mpi_world_free(MpiWorld *world)
{
    if (!world)
        return;
    mpi_order_clear(&world->in_flight);
    mpi_transfer_clear(world);
    for (uint32_t i = 0; i < world->n_ranks; i++)
        rank_free(&world->ranks[i]);
    mpi_hooks_clear(world);
    mpi_slots_free(world);
    mpi_findings_free(world->findings);
    mpi_group_unref(world->world_group);
    mpi_pool_payloads_clear(&world->payloads);
    mpi_pool_clear(&world->messages);
    mpi_pool_clear(&world->requests);
    mpi_pool_clear(&world->calls);
    mpi_pool_clear(&world->bins);
    mpi_pool_clear(&world->schedules);
    mpi_pool_clear(&world->receives);
    if (world->params.algorithms)
        g_hash_table_unref(world->params.algorithms);
    g_free(world->externs);
    g_free(world->bindings);
    g_free(world->ranks);
    g_free(world);
}

void mpi_world_exited(MpiWorld *world, uint32_t index)
{
    MpiRank *rank = mpi_world_rank(world, index);
    uint64_t now = vm_clock_now(vm_rank_clock(rank->process));
    mpi_tell_exited(world, rank);
    rank->exited = true;
    mpi_connected_over(world, index);
    mpi_connected_look(world, now);
    const VmFault *fault = vm_rank_fault_info(rank->process);
    if (fault && fault->kind != VM_FAULT_NONE)
        return; /* a process stopped by a fault cannot tidy up */
    for (const MpiPart *const *part = world->parts; *part; part++)
        if ((*part)->exited)
            (*part)->exited(rank, now);
}

void mpi_world_failed(MpiWorld *world, uint32_t index)
{
    mpi_failure_happens(world, index);
    mpi_connected_over(world, index);
}

void mpi_world_failure_known(MpiWorld *world, uint32_t index, uint64_t time_ps)
{
    mpi_failure_becomes_known(world, index, time_ps);
    mpi_connected_look(world, time_ps);
}

bool mpi_world_relent(MpiWorld *world, uint64_t time_ps)
{
    return mpi_connected_look(world, time_ps) || mpi_desertion_tell(world, time_ps) ||
           mpi_connect_give_up(world, time_ps);
}

int mpi_world_abort_code(const MpiWorld *world)
{
    return world->abort_code;
}

void mpi_world_fetch(const MpiWorld *world, uint32_t index, bool begun)
{
    const MpiRank *rank = &world->ranks[index];
    const char *from = (const char *)(!begun        ? (const void *)rank
                                      : rank->plain ? (const void *)rank->plain
                                                    : rank->call);
    size_t bytes = !begun ? offsetof(MpiRank, stats) : rank->plain ? sizeof(MpiPlainReceive) : sizeof(MpiCall);
    for (size_t line = 0; from && line < bytes; line += 64)
        __builtin_prefetch(from + line);
    if (begun && rank->world_comm)
        __builtin_prefetch(rank->world_comm);
}

void mpi_world_buffered(const MpiWorld *world, uint64_t *messages, uint64_t *bytes)
{
    *messages = world->live_messages;
    *bytes = world->payloads.bytes;
}

void mpi_world_unreceived(const MpiWorld *world, uint32_t rank, uint64_t *messages, uint64_t *bytes)
{
    const MpiMatcher *matcher = &mpi_world_rank(world, rank)->matcher;
    *messages = *bytes = 0;
    for (const MpiItem *item = matcher->oldest; item; item = item->next) {
        const MpiMessage *message = (const MpiMessage *)item;
        bool apart = message->data && message->data != message->bytes_inline;
        ++*messages;
        *bytes += apart ? message->bytes : 0;
    }
}

uint64_t mpi_world_messages(const MpiWorld *world)
{
    return world->next_message - 1;
}

const MpiRankStats *mpi_world_stats(const MpiWorld *world, uint32_t rank)
{
    return &mpi_world_rank(world, rank)->stats;
}
