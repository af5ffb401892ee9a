/* engine.c - calls: from the VM's request to its completion.
 *
 * A GLOBAL function of a program becomes an MpiCall on its rank's stack of calls. Its handler answers a step:
 *
 *      DONE      flush activity, set the VM's clock to call->now, give the result to the VM, pop the call
 *      BLOCK     the rank waits; arrivals are handled on the call's time, and when call->waiting has come down to 0 (or
 *                the schedule needs simulated code) the rank is woken through env.wake and call->step goes on
 *      UPCALL    simulated code runs first; it may make calls of its own, which are pushed on top
 *
 * The account of time: call->now starts at the VM's clock. mpi_call_charge() moves it by overhead, mpi_call_advance()
 * by waiting, upcalls by what they computed; nothing else moves it. So, per rank, finish = compute + overhead +
 * blocked.
 *
 * LOCAL functions run on a stack MpiCall inside the VM. They must not touch anything but their own rank, since other
 * ranks may be running on other threads: what observers should hear of them is told at the rank's next GLOBAL call. */
#include "mpi/watch/choices.h"

#include <assert.h>

/* Cycles (in 1/256) that the VM charges for a LOCAL function. */
enum { MPI_LOCAL_COST_Q8 = 20 * 256 };

/* -- the table of functions -------------------------------------------------------------------- */

#define MPI_SORT_LOCAL  true
#define MPI_SORT_GLOBAL false

static const MpiFunctionInfo function_infos[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) {"MPI_" #name, standard, MPI_SORT_##sort},
#include "mpi/functions.def"
};

static const MpiFunction function_rows[] = {
#define MPI_FUNCTION(name, sort, arguments, standard)                                                                  \
    {{"MPI_" #name, standard, MPI_SORT_##sort}, arguments, mpi_do_##name},
#include "mpi/functions.def"
};

static const char *const profiling_names[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) "PMPI_" #name,
#include "mpi/functions.def"
};

const MpiFunctionInfo *mpi_functions(size_t *count)
{
    *count = G_N_ELEMENTS(function_infos);
    return function_infos;
}

/* Functions that programs may only mention, under both names. */
static const VmExtern absent_externs[] = {
#define ABSENT_EXTERN(text, standard)                                                                                  \
    {.name = text,                                                                                                     \
     .function = vm_extern_refused,                                                                                    \
     .user = "Orrery does not have this function of MPI " standard "; `orrery mpi --list` shows those that it has"},
#define MPI_ABSENT(function, standard)                                                                                 \
    ABSENT_EXTERN("MPI_" #function, standard) ABSENT_EXTERN("PMPI_" #function, standard)
#include "mpi/absent.def"
};

const MpiFunctionInfo *mpi_functions_absent(size_t *count)
{
    static const MpiFunctionInfo infos[] = {
#define MPI_ABSENT(name, standard) {"MPI_" #name, standard, false},
#include "mpi/absent.def"
    };
    *count = G_N_ELEMENTS(infos);
    return infos;
}

const MpiFunction *mpi_function(uint32_t function)
{
    assert(function < G_N_ELEMENTS(function_rows));
    return &function_rows[function];
}

/* -- time -------------------------------------------------------------------------------------- */

uint64_t mpi_bytes_ps(uint64_t bytes, uint64_t byte_fs)
{
    uint64_t product;
    if (!__builtin_mul_overflow(bytes, byte_fs, &product)) /* the usual case, and much faster */
        return product / 1000;
    return (uint64_t)((unsigned __int128)bytes * byte_fs / 1000);
}

static void call_report(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    if (env->activity && call->now > call->reported_ps && !call->local)
        env->activity(env->user, call->rank->index, call->activity, call->reported_ps, call->now, call->name);
    call->reported_ps = call->now;
}

/* What the rank does from now on. */
static inline void call_does(MpiCall *call, MpiActivity activity)
{
    call->reported_ps = call->now;
    call->activity = activity;
}

static G_GNUC_NO_INLINE void call_begin_charge(MpiCall *call, uint64_t ps)
{
    call_report(call);
    call_does(call, MPI_ACTIVITY_OVERHEAD);
    mpi_call_charge(call, ps);
}

void mpi_call_charge(MpiCall *call, uint64_t ps)
{
    if (G_UNLIKELY(call->background)) { /* nobody's processor time */
        call->now += ps;
        return;
    }
    if (call->activity != MPI_ACTIVITY_OVERHEAD) {
        if (G_UNLIKELY(call->world->env.activity)) {
            call_begin_charge(call, ps);
            return;
        }
        call_does(call, MPI_ACTIVITY_OVERHEAD);
    }
    call->now += ps;
    call->overhead_ps += ps;
    call->rank->stats.overhead_ps += ps;
}

static G_GNUC_NO_INLINE void call_begin_wait(MpiCall *call, uint64_t time_ps)
{
    call_report(call);
    call_does(call, MPI_ACTIVITY_BLOCKED);
    mpi_call_advance(call, time_ps);
}

void mpi_call_advance(MpiCall *call, uint64_t time_ps)
{
    assert(!call->local);
    if (time_ps <= call->now)
        return;
    if (G_UNLIKELY(call->background)) {
        call->now = time_ps;
        return;
    }
    if (call->activity != MPI_ACTIVITY_BLOCKED) {
        if (G_UNLIKELY(call->world->env.activity)) {
            call_begin_wait(call, time_ps);
            return;
        }
        call_does(call, MPI_ACTIVITY_BLOCKED);
    }
    call->rank->stats.blocked_ps += time_ps - call->now;
    call->now = time_ps;
}

/* -- LOCAL functions --------------------------------------------------------------------------- */

/* mpi_program_pc() for GLOBAL calls, which one thread makes: it remembers what it found. */
uint32_t mpi_global_pc(MpiWorld *world, VmRank *process)
{
    const VmImage *image = vm_rank_image(process);
    uint32_t pc = vm_rank_pc(process, 0);
    MpiPlace *place = &world->places[pc % MPI_PLACES];
    if (place->image == image && place->pc == pc)
        return pc;
    uint32_t found = mpi_program_pc(process);
    if (found == pc)
        *place = (MpiPlace){.image = image, .pc = pc};
    return found;
}

static inline void call_init(MpiCall *call, MpiRank *rank, uint32_t function, uint64_t *args, unsigned n,
                             uint64_t now_ps, uint32_t pc)
{
    call->world = rank->world;
    call->rank = rank;
    call->process = rank->process;
    call->args = args;
    call->n = n;
    call->function = function;
    call->name = mpi_function(function)->info.name;
    call->entered_ps = call->now = call->reported_ps = now_ps;
    call->activity = MPI_ACTIVITY_OVERHEAD;
    call->pc = pc;
}

static inline void call_free_state(MpiCall *call)
{
    if (call->state)
        (call->state_free ? call->state_free : g_free)(call->state);
    call->state = NULL;
    call->state_free = NULL;
}

/* Observers are told in order and from one thread, so not from here. */
static void local_remember(MpiCall *call)
{
    MpiRank *rank = call->rank;
    vm_clock_set(vm_rank_clock(rank->process), call->now);
    if (!rank->world->env.activity)
        return;
    if (!rank->local_times)
        rank->local_times = g_array_new(FALSE, FALSE, sizeof(MpiLocalTime));
    MpiLocalTime time = {.from_ps = call->entered_ps, .to_ps = call->now, .name = call->name};
    g_array_append_val(rank->local_times, time);
}

static void local_report(MpiRank *rank)
{
    const MpiEnv *env = &rank->world->env;
    if (!rank->local_times)
        return;
    for (guint i = 0; i < rank->local_times->len; i++) {
        const MpiLocalTime *time = &g_array_index(rank->local_times, MpiLocalTime, i);
        env->activity(env->user, rank->index, MPI_ACTIVITY_OVERHEAD, time->from_ps, time->to_ps, time->name);
    }
    g_array_set_size(rank->local_times, 0);
}

static VmCallResult run_local(VmRank *process, uint64_t *args, unsigned n, void *user)
{
    const MpiBinding *binding = user;
    MpiCall call = {.local = true};
    call_init(&call, mpi_world_rank(binding->world, vm_rank_index(process)), binding->function, args, n,
              vm_clock_now(vm_rank_clock(process)), mpi_program_pc(process));
    MpiStep step;
    if (mpi_check_state(&call, &step))
        step = mpi_function(binding->function)->handler(&call);
    call_free_state(&call);
    switch (step) {
    case MPI_STEP_DONE:
        call.rank->stats.calls++;
        if (call.now > call.entered_ps)
            local_remember(&call);
        args[0] = call.result;
        return VM_CALL_DONE;
    case MPI_STEP_GLOBAL: return VM_CALL_REQUEST;
    default: g_assert(step == MPI_STEP_FAULT); return VM_CALL_FAULT;
    }
}

/* -- GLOBAL functions -------------------------------------------------------------------------- */

static inline void call_pop(MpiCall *call)
{
    MpiRank *rank = call->rank;
    assert(rank->call == call);
    rank->call = call->outer;
    call_free_state(call);
    if (call->schedule)
        mpi_schedule_free(rank->world, call->schedule);
    mpi_pool_give(&rank->world->calls, call);
}

static inline MpiOutcome call_end(MpiCall *call)
{
    VmRank *process = call->process;
    uint64_t result = call->result;
    if (G_UNLIKELY(call->upcalls))
        mpi_operations_postpone(call);
    if (G_UNLIKELY(call->world->env.activity))
        call_report(call);
    vm_clock_set(vm_rank_clock(process), call->now);
    call_pop(call);
    vm_rank_complete(process, result);
    return MPI_OUTCOME_DONE;
}

/* A check of the rank's accesses may have stopped it in the middle of a call, whatever the call made of that. */
static bool has_faulted(const MpiCall *call)
{
    return vm_rank_fault_info(call->process)->kind != VM_FAULT_NONE;
}

static MpiOutcome call_interrupt(MpiCall *call);

static inline MpiOutcome call_step(MpiCall *call, MpiStep step)
{
    if (has_faulted(call))
        step = MPI_STEP_FAULT;
    switch (step) {
    case MPI_STEP_DONE: return call_end(call);
    case MPI_STEP_BLOCK:
        assert(call->step && call->blocked);
        return call->upcalls ? call_interrupt(call) : MPI_OUTCOME_BLOCKED;
    case MPI_STEP_UPCALL: assert(call->step); return MPI_OUTCOME_UPCALL;
    case MPI_STEP_ABORT:
        call_report(call);
        vm_rank_exit(call->process, call->world->abort_code); /* what it has written is not lost */
        vm_clock_set(vm_rank_clock(call->process), call->now);
        return MPI_OUTCOME_ABORT;
    default:
        assert(step == MPI_STEP_FAULT);
        call_report(call);
        vm_clock_set(vm_rank_clock(call->process), call->now);
        return MPI_OUTCOME_FAULT;
    }
}

/* The call waits, or is about to go on, but functions of the user have to run in it first. */
static MpiOutcome call_interrupt(MpiCall *call)
{
    call->blocked = false;
    call->rank->probing = false; /* a probe looks again */
    call->interrupted = true;
    return call_step(call, mpi_operations_run(call, call->step));
}

MpiOutcome mpi_world_call(MpiWorld *world, uint32_t index, uint64_t now_ps)
{
    MpiRank *rank = mpi_world_rank(world, index);
    const VmRequest *request = vm_rank_request(rank->process);
    const MpiBinding *binding = request->function->user;
    assert(binding->world == world);
    assert(now_ps == vm_clock_now(vm_rank_clock(rank->process)));
    if (world->straight && binding->function == MPI_FUNCTION_Send && mpi_straight_send(rank, request, now_ps))
        return MPI_OUTCOME_DONE;
    MpiCall *call = mpi_pool_take(&world->calls);
    call_init(call, rank, binding->function, request->args, request->n, now_ps, mpi_global_pc(world, rank->process));
    call->outer = rank->call;
    rank->call = call;
    rank->stats.calls++;
    local_report(rank);
    call->idle_polls = rank->idle_polls;
    rank->idle_polls = 0;
    MpiStep step;
    bool usual = rank->state == MPI_RANK_ACTIVE && binding->function != MPI_FUNCTION_Init &&
                 binding->function != MPI_FUNCTION_Init_thread;
    if (G_UNLIKELY(!usual) && !mpi_check_state(call, &step))
        return call_step(call, step);
    mpi_call_charge(call, world->params.call_overhead_ps);
    if (rank->inbox)
        mpi_progress(call);
    if (G_UNLIKELY(call->stopped))
        return call_step(call, MPI_STEP_FAULT);
    MpiHandler handler = mpi_function(binding->function)->handler;
    if (G_UNLIKELY(world->choices) && mpi_choices_called(call))
        return call_step(call, mpi_call_block(call, handler));
    return call_step(call, call->upcalls ? mpi_operations_run(call, handler) : handler(call));
}

MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then)
{
    g_assert(!call->local);
    call_report(call);
    vm_clock_set(vm_rank_clock(call->process), call->now);
    call->step = then;
    return vm_rank_upcall(call->process, function, args, n) ? MPI_STEP_UPCALL : MPI_STEP_FAULT;
}

MpiOutcome mpi_world_upcall_done(MpiWorld *world, uint32_t index)
{
    MpiRank *rank = mpi_world_rank(world, index);
    MpiCall *call = rank->call;
    g_assert(call && call->step && !call->blocked);
    local_report(rank);
    call->upcall_result = vm_rank_upcall_result(rank->process);
    call->args = vm_rank_request(rank->process)->args;
    call->now = call->reported_ps = vm_clock_now(vm_rank_clock(rank->process));
    call->activity = MPI_ACTIVITY_OVERHEAD;
    mpi_progress(call);
    return call_step(call, call->stopped ? MPI_STEP_FAULT : call->step(call));
}

/* -- blocking and waking ----------------------------------------------------------------------- */

MpiCall *mpi_rank_receptive(MpiRank *rank)
{
    MpiCall *call = rank->call;
    return call && call->blocked && !call->finishing ? call : NULL;
}

MpiStep mpi_call_block(MpiCall *call, MpiHandler then)
{
    assert(!call->local);
    call->step = then;
    call->blocked = true;
    return MPI_STEP_BLOCK;
}

/* Whether what is left of a call that waited is between the rank and its only request. */
static bool call_ends_alone(const MpiCall *call)
{
    const MpiRequest *only = call->rank->requests;
    return only && !only->next && only->complete && !only->error &&
           (only->sort == MPI_REQUEST_RECEIVE || only->sort == MPI_REQUEST_SEND) && !call->schedule && !call->upcalls &&
           !call->stopped && !vm_rank_is_watched(call->process);
}

static void call_wake(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    call->finishing = true;
    (env->wake_alone && call_ends_alone(call) ? env->wake_alone : env->wake)(env->user, call->rank->index, call->now);
}

void mpi_call_settle(MpiCall *call)
{
    assert(call->blocked && !call->finishing);
    if (call->stopped || call->upcalls ||
        (call->schedule ? mpi_schedule_advance(call) : call->waiting == 0 && !call->rank->probing))
        call_wake(call);
}

void mpi_call_stop(MpiCall *call, MpiCheck check, const char *reason)
{
    call->stopped = true;
    mpi_call_wrong(call, check, "%s", reason);
}

MpiOutcome mpi_world_resume(MpiWorld *world, uint32_t index, uint64_t time_ps)
{
    MpiCall *call = mpi_world_rank(world, index)->call;
    assert(call && call->blocked && call->finishing);
    mpi_call_advance(call, time_ps);
    call->blocked = call->finishing = false;
    if (G_UNLIKELY(call->stopped))
        return call_step(call, MPI_STEP_FAULT);
    if (call->upcalls)
        return call_interrupt(call);
    return call_step(call, call->step(call));
}

MpiStep mpi_call_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then)
{
    assert(call->waiting == 0);
    if (G_UNLIKELY(call->world->rehearsal))
        mpi_rehearse_wait(call, requests, n, false);
    for (unsigned i = 0; i < n; i++) {
        if (!requests[i] || !mpi_request_pending(requests[i]) || requests[i]->waiter)
            continue;
        requests[i]->waiter = call;
        call->waiting++;
    }
    return call->waiting ? mpi_call_block(call, then) : then(call);
}

MpiStep mpi_call_wait_any(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then)
{
    for (unsigned i = 0; i < n; i++)
        if (requests[i] && mpi_request_pending(requests[i]))
            requests[i]->waiter = call;
    call->waiting = 1;
    return mpi_call_block(call, then);
}

void mpi_call_poll_failed(MpiCall *call)
{
    call->rank->idle_polls = call->idle_polls < UINT32_MAX ? call->idle_polls + 1 : UINT32_MAX;
    if (call->world->params.call_overhead_ps == 0)
        mpi_call_charge(call, 1000);
}

void mpi_rank_touch(MpiRank *rank)
{
    const MpiEnv *env = &rank->world->env;
    if (!rank->idle_polls)
        return;
    rank->idle_polls = 0;
    if (env->touch)
        env->touch(env->user, rank->index);
}

uint32_t mpi_world_idle_polls(const MpiWorld *world, uint32_t rank)
{
    return mpi_world_rank(world, rank)->idle_polls;
}

void mpi_world_repeat_poll(MpiWorld *world, uint32_t rank, uint64_t times, uint64_t overhead_ps)
{
    MpiRankStats *stats = &mpi_world_rank(world, rank)->stats;
    stats->calls += times;
    stats->overhead_ps += times * overhead_ps;
}

void mpi_world_slept(MpiWorld *world, uint32_t rank, uint64_t ps)
{
    mpi_world_rank(world, rank)->stats.blocked_ps += ps;
}

/* -- the world --------------------------------------------------------------------------------- */

void mpi_params_default(MpiParams *params)
{
    /* Assumed: round numbers of a present-day cluster node. */
    *params = (MpiParams){
        .eager_limit = 16384,
        .send_overhead.ps = 400000,
        .recv_overhead.ps = 400000,
        .copy_byte_fs = 100000,
        .call_overhead_ps = 100000,
        .envelope_bytes = 64,
        .wtime_resolution_ps = 1000,
        .checks = mpi_checks_default(),
    };
}

static void world_make_externs(MpiWorld *world)
{
    size_t n = G_N_ELEMENTS(function_rows);
    world->bindings = g_new0(MpiBinding, n);
    world->n_externs = 2 * n + G_N_ELEMENTS(absent_externs);
    world->externs = g_new0(VmExtern, world->n_externs);
    memcpy(world->externs + 2 * n, absent_externs, sizeof absent_externs);
    for (size_t i = 0; i < n; i++) {
        const MpiFunctionInfo *info = &function_rows[i].info;
        world->bindings[i] = (MpiBinding){.world = world, .function = (uint32_t)i};
        VmExtern row = {.name = info->name,
                        .function = info->local ? run_local : NULL,
                        .user = &world->bindings[i],
                        .base_q8 = info->local ? MPI_LOCAL_COST_Q8 : 0,
                        .arity = function_rows[i].arguments};
        world->externs[2 * i] = row;
        row.name = profiling_names[i];
        world->externs[2 * i + 1] = row;
    }
    mpi_turns_name(world->bindings, (uint32_t)n);
}

MpiWorld *mpi_world_new(uint32_t ranks, const MpiParams *params, const MpiEnv *env)
{
    g_assert(env->transmit && env->wake);
    MpiWorld *world = g_new0(MpiWorld, 1);
    world->n_ranks = ranks;
    world->params = *params;
    if (params->algorithms)
        g_hash_table_ref(params->algorithms);
    world->env = *env;
    world->ranks = g_new0(MpiRank, ranks);
    world->world_group = mpi_group_new(ranks, NULL);
    world->next_message = 1;
    world->next_context = MPI_COMM_SELF_INDEX + 1;
    world->contexts = mpi_contexts_new();
    world->births = mpi_births_new();
    world->splits = mpi_splits_new();
    world->ledger = mpi_ledger_new();
    if (params->checks & (MPI_CHECK_BIT(MPI_CHECK_PENDING) | MPI_CHECK_BIT(MPI_CHECK_OVERLAP)))
        world->pending = g_new0(MpiPendingSet *, ranks);
    world->findings = mpi_findings_new();
    if (params->checks & MPI_CHECK_BIT(MPI_CHECK_BUFFERING))
        world->rehearsal = mpi_rehearsal_new(world);
    if (params->checks & MPI_CHECK_BIT(MPI_CHECK_UNBOUNDED))
        world->backlogs = mpi_backlogs_new(ranks);
    if (params->checks & MPI_CHECK_BIT(MPI_CHECK_THREADS))
        world->thread_watches = g_new0(MpiThreadWatch *, ranks);
    mpi_pool_init(&world->messages, sizeof(MpiMessage));
    mpi_pool_init(&world->requests, sizeof(MpiRequest));
    mpi_pool_init(&world->calls, sizeof(MpiCall));
    mpi_pool_init(&world->bins, mpi_bin_size());
    mpi_pool_init(&world->schedules, sizeof(MpiSchedule));
    world_make_externs(world);
    mpi_choices_new(world);
    mpi_straight_decide(world);
    return world;
}

const VmExtern *mpi_world_externs(MpiWorld *world, size_t *count)
{
    *count = world->n_externs;
    return world->externs;
}

void mpi_world_observe(MpiWorld *world, const MpiEnv *env)
{
    world->env.activity = env->activity;
    world->env.message = env->message;
    world->env.transfer = env->transfer;
    mpi_straight_decide(world);
}

void mpi_world_attach(MpiWorld *world, uint32_t index, VmRank *process)
{
    MpiRank *rank = mpi_world_rank(world, index);
    g_assert(!rank->process);
    rank->world = world;
    rank->process = process;
    rank->index = index;
}

static void rank_free(MpiRank *rank)
{
    while (rank->call)
        call_pop(rank->call);
    while (rank->requests)
        mpi_request_dispose(rank->requests);
    mpi_matcher_clear(&rank->matcher);
    mpi_handles_clear(rank);
    for (int i = 0; i < MPI_SLOT_COUNT; i++)
        if (rank->slots[i].destroy)
            rank->slots[i].destroy(rank->slots[i].data);
    if (rank->local_times)
        g_array_free(rank->local_times, TRUE);
    if (rank->world && rank->world->pending && rank->world->pending[rank->index])
        mpi_pending_free(rank->world->pending[rank->index]);
}

void mpi_world_free(MpiWorld *world)
{
    if (!world)
        return;
    mpi_pairs_clear(&world->in_flight);
    mpi_messages_clear(world);
    for (uint32_t i = 0; i < world->n_ranks; i++)
        rank_free(&world->ranks[i]);
    mpi_choices_free(world);
    mpi_group_unref(world->world_group);
    g_hash_table_unref(world->contexts);
    g_hash_table_unref(world->splits);
    g_clear_pointer(&world->graphs, g_hash_table_unref);
    g_clear_pointer(&world->reordered, g_hash_table_unref);
    mpi_meetings_free(world->meetings);
    mpi_partition_pairs_free(world->partition_pairs);
    g_clear_pointer(&world->gatherings, g_ptr_array_unref);
    g_hash_table_unref(world->ledger);
    g_clear_pointer(&world->doubtful, g_hash_table_unref);
    mpi_findings_free(world->findings);
    if (world->backlogs)
        mpi_backlogs_free(world->backlogs, world->n_ranks);
    g_free(world->pending);
    g_clear_pointer(&world->rehearsal, mpi_rehearsal_free);
    g_clear_pointer(&world->sent, g_hash_table_unref);
    for (uint32_t i = 0; i < world->n_ranks; i++)
        mpi_threads_forget(world, i);
    g_free(world->thread_watches);
    g_clear_pointer(&world->claims, g_hash_table_unref);
    mpi_payloads_clear(&world->payloads);
    mpi_pool_clear(&world->messages);
    mpi_pool_clear(&world->requests);
    mpi_pool_clear(&world->calls);
    mpi_pool_clear(&world->bins);
    mpi_pool_clear(&world->schedules);
    if (world->params.algorithms)
        g_hash_table_unref(world->params.algorithms);
    g_hash_table_unref(world->births);
    g_free(world->externs);
    g_free(world->bindings);
    g_free(world->ranks);
    g_free(world);
}

void mpi_world_exited(MpiWorld *world, uint32_t index)
{
    MpiRank *rank = mpi_world_rank(world, index);
    uint64_t now = vm_clock_now(vm_rank_clock(rank->process));
    local_report(rank);
    rank->exited = true;
    mpi_check_leftovers(rank, now);
}

int mpi_world_abort_code(const MpiWorld *world)
{
    return world->abort_code;
}

void mpi_world_fetch(const MpiWorld *world, uint32_t index, bool begun)
{
    const MpiRank *rank = &world->ranks[index];
    const char *from = (const char *)(begun ? (const void *)rank->call : rank);
    size_t bytes = begun ? sizeof(MpiCall) : offsetof(MpiRank, stats);
    for (size_t line = 0; from && line < bytes; line += 64)
        __builtin_prefetch(from + line);
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

/* -- what chapters see of a rank --------------------------------------------------------------- */

MpiWorld *mpi_rank_world(const MpiRank *rank)
{
    return rank->world;
}

VmRank *mpi_rank_process(const MpiRank *rank)
{
    return rank->process;
}

uint32_t mpi_rank_index(const MpiRank *rank)
{
    return rank->index;
}

const MpiEnv *mpi_env(const MpiWorld *world)
{
    return &world->env;
}

void *mpi_rank_slot(const MpiRank *rank, MpiSlot slot)
{
    return rank->slots[slot].data;
}

void mpi_rank_set_slot(MpiRank *rank, MpiSlot slot, void *data, GDestroyNotify destroy)
{
    if (rank->slots[slot].destroy)
        rank->slots[slot].destroy(rank->slots[slot].data);
    rank->slots[slot] = (MpiSlotValue){.data = data, .destroy = destroy};
}
