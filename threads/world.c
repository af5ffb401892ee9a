/* world.c - worlds, and calls on their way from the VM to their handlers and back. */
#include "threads/check/check.h"
#include "threads/core/call.h"
#include "threads/handlers.h"
#include "threads/life/life.h"
#include "threads/pipe/pipe.h"
#include "threads/sync/sync.h"

/* -- calls inside the VM ----------------------------------------------------------------------- */

static void call_init(ThreadsCall *call, ThreadsThread *thread, const ThreadsBinding *binding, const uint64_t *args,
                      unsigned n, uint64_t now_ps)
{
    ThreadsProcess *process = thread->process;
    *call = (ThreadsCall){.world = process->world,
                          .process = process,
                          .thread = thread,
                          .vm = process->vm,
                          .binding = binding,
                          .pc = threads_place(process),
                          .now = now_ps,
                          .outer = thread->call};
    memcpy(call->args, args, MIN(n, THREADS_ARGUMENTS) * sizeof *args);
}

/* Whether the thread has something else to do before the call. */
static bool is_diverted(const ThreadsThread *thread, const ThreadsBinding *binding)
{
    return (threads_is_cancelled(thread) && (binding->point || thread->asynchronous)) ||
           (thread->attention && thread->process->attention);
}

static VmCallResult call_in_place(ThreadsThread *thread, const ThreadsBinding *binding, uint64_t *args, unsigned n)
{
    VmClock *clock = vm_rank_clock(thread->process->vm);
    uint64_t now_ps = vm_clock_now(clock);
    ThreadsCall call;
    call_init(&call, thread, binding, args, n, now_ps);
    call.local = true;
    if (G_UNLIKELY(binding->world->called != NULL))
        binding->world->called(&call);
    switch (binding->handler(&call)) {
    case THREADS_STEP_DONE:
        if (call.now > now_ps)
            vm_clock_set(clock, call.now);
        args[0] = call.result;
        return VM_CALL_DONE;
    case THREADS_STEP_FAULT: return VM_CALL_FAULT;
    default: return VM_CALL_REQUEST;
    }
}

/* Behind all externs of functions.def. */
static VmCallResult enter(VmRank *vm, uint64_t *args, unsigned n, void *user)
{
    const ThreadsBinding *binding = user;
    ThreadsProcess *process = threads_process(binding->world, vm);
    if ((process->alive > 1 || process->ordered) && !binding->in_place)
        return VM_CALL_REQUEST;
    ThreadsThread *thread = threads_thread_selected(process);
    if (G_UNLIKELY(thread->cancel || thread->attention) && !binding->in_place && is_diverted(thread, binding))
        return VM_CALL_REQUEST;
    if (binding->library && !binding->in_place)
        return binding->library->function(vm, args, n, binding->library->user);
    return call_in_place(thread, binding, args, n);
}

/* -- worlds ------------------------------------------------------------------------------------ */

static int compare_extern(const void *name, const void *row)
{
    return strcmp(name, ((const VmExtern *)row)->name);
}

static void bind(ThreadsWorld *world)
{
    size_t n, n_library;
    const ThreadsFunction *functions = threads_functions_table(&n);
    const VmExtern *library = vm_library(&n_library);
    world->n_externs = n;
    world->externs = g_new0(VmExtern, n);
    world->bindings = g_new0(ThreadsBinding, n);
    for (size_t i = 0; i < n; i++) {
        const ThreadsFunction *function = &functions[i];
        const VmExtern *behind = NULL;
        if (function->mode >= THREADS_MODE_LIBRARY)
            behind = bsearch(function->name, library, n_library, sizeof *library, compare_extern);
        world->bindings[i] =
            (ThreadsBinding){.world = world,
                             .handler = function->handler,
                             .name = function->name,
                             .library = behind,
                             .in_place = function->mode == THREADS_MODE_PLACE || function->mode == THREADS_MODE_BESIDE,
                             .point = function->mode == THREADS_MODE_POINT || function->mode == THREADS_MODE_SLEEP};
        world->externs[i] = (VmExtern){.name = function->name,
                                       .function = enter,
                                       .user = &world->bindings[i],
                                       .base_q8 = behind ? behind->base_q8 : 0,
                                       .unit_q8 = behind ? behind->unit_q8 : 0,
                                       .arity = function->arity};
    }
}

static void ended_free(void *item)
{
    ThreadsEnded *ended = item;
    g_array_unref(ended->locks);
    g_array_unref(ended->regions);
    g_free(ended);
}

/* A thread that is interrupted does nothing but what it was interrupted for. */
static ThreadsStep go_on_as_before(ThreadsCall *call)
{
    return threads_return(call, 0);
}

static void bind_library(ThreadsWorld *world)
{
    world->library = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    world->interruption = (VmExtern){.name = "a signal", .user = &world->interrupting};
    world->interrupting = (ThreadsBinding){.world = world,
                                           .handler = go_on_as_before,
                                           .name = world->interruption.name,
                                           .repeats = true,
                                           .stream = THREADS_NO_STREAM};
}

ThreadsWorld *threads_world_new(uint32_t ranks, const ThreadsCosts *costs, const ThreadsEnv *env, uint32_t checks)
{
    ThreadsWorld *world = g_new0(ThreadsWorld, 1);
    world->ranks = ranks;
    world->checks = checks;
    world->costs = *costs;
    world->env = *env;
    world->processes = g_new0(ThreadsProcess *, ranks);
    world->observers = g_array_new(FALSE, FALSE, sizeof(ThreadsObserver));
    world->ended = g_hash_table_new_full(NULL, NULL, NULL, ended_free);
    bind(world);
    bind_library(world);
    if (checks & THREADS_CHECK_LOCK_ORDER)
        threads_check_lock_order(world);
    if (checks & THREADS_CHECK_RACES)
        threads_check_races(world);
    return world;
}

void threads_world_free(ThreadsWorld *world)
{
    for (uint32_t rank = 0; rank < world->ranks; rank++)
        if (world->processes[rank])
            threads_process_free(world->processes[rank]); /* the VM may be gone: nothing is asked of it */
    g_array_unref(world->observers);
    g_clear_pointer(&world->marks, g_hash_table_unref);
    g_clear_pointer(&world->known, g_hash_table_unref);
    g_clear_pointer(&world->watched, g_ptr_array_unref);
    g_hash_table_unref(world->ended);
    g_hash_table_unref(world->library);
    g_free(world->processes);
    g_free(world->externs);
    g_free(world->bindings);
    g_free(world);
}

void threads_world_observe(ThreadsWorld *world, const ThreadsObserver *observer)
{
    g_array_append_val(world->observers, *observer);
}

const VmExtern *threads_world_externs(ThreadsWorld *world, size_t *count)
{
    *count = world->n_externs;
    return world->externs;
}

bool threads_world_answers(const ThreadsWorld *world, const VmExtern *function)
{
    const ThreadsBinding *binding = function->user;
    return (binding >= world->bindings && binding < world->bindings + world->n_externs) ||
           binding == &world->interrupting;
}

void threads_world_count_locks(ThreadsWorld *world)
{
    world->counts_locks = true;
}

/* Threads that live until the process ends: those that wait for work, most of all. Thread 0 is the process. */
static void tell_rest(ThreadsWorld *world, const ThreadsProcess *process, uint64_t time_ps)
{
    for (guint number = 1; number < process->by_number->len; number++) {
        const ThreadsThread *thread = process->by_number->pdata[number];
        if (!thread || thread->ended)
            continue;
        const ThreadsWait *wait = thread->call ? &thread->call->wait : NULL;
        if (wait && wait->object && wait->since_ps < time_ps)
            THREADS_TELL(world, waited, process->rank, number, wait->sort, wait->address, wait->since_ps, time_ps);
        THREADS_TELL(world, ended, process->rank, number, time_ps);
    }
}

void threads_world_exited(ThreadsWorld *world, uint32_t rank, uint64_t time_ps)
{
    ThreadsProcess *process = world->processes[rank];
    if (!process)
        return;
    tell_rest(world, process, time_ps);
    ThreadsEnded *ended = g_new(ThreadsEnded, 1);
    *ended = (ThreadsEnded){process->stats, threads_world_locks(world, rank), threads_world_regions(world, rank)};
    g_hash_table_insert(world->ended, GUINT_TO_POINTER(rank), ended);
    threads_process_free(process);
    world->processes[rank] = NULL;
}

uint32_t threads_world_count(const ThreadsWorld *world, uint32_t rank)
{
    return world->processes[rank] ? world->processes[rank]->alive : 1;
}

const uint64_t *threads_world_set(const ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsProcess *process = world->processes[rank];
    return process ? threads_thread_by_number(process, thread)->set : NULL;
}

void threads_world_told(ThreadsWorld *world, uint32_t from, uint32_t to)
{
    if (G_UNLIKELY(world->told != NULL))
        world->told(world, from, to);
}

void threads_world_heard(ThreadsWorld *world, uint32_t rank)
{
    if (G_UNLIKELY(world->heard != NULL))
        world->heard(world, rank);
}

void threads_world_accessed(ThreadsWorld *world, uint32_t rank, uint64_t address, uint64_t size, bool write)
{
    if (G_UNLIKELY(world->accessed != NULL))
        world->accessed(world, rank, address, size, write);
}

void threads_world_piped(ThreadsWorld *world, uint32_t rank, const VmPipeChange *change)
{
    if (world->processes[rank])
        threads_pipe_changed(world->processes[rank], change);
}

const ThreadsStats *threads_world_stats(const ThreadsWorld *world, uint32_t rank)
{
    static const ThreadsStats none = {.most = 1};
    const ThreadsEnded *ended = g_hash_table_lookup(world->ended, GUINT_TO_POINTER(rank));
    return world->processes[rank] ? &world->processes[rank]->stats : ended ? &ended->stats : &none;
}

/* -- calls in their turn ----------------------------------------------------------------------- */

/* What stands before a function of the C library (library.def). */
static const ThreadsBinding *before_library(ThreadsWorld *world, const VmExtern *function)
{
    static const struct {
        const char *name;
        bool point;
        int stream;
    } rows[] = {
#define LIBRARY_FUNCTION(name, point, stream) {#name, point, stream},
#include "threads/library.def"
    };
    ThreadsBinding *binding = g_hash_table_lookup(world->library, function);
    if (binding)
        return binding;
    binding = g_new(ThreadsBinding, 1);
    *binding = (ThreadsBinding){.world = world,
                                .handler = threads_stream_await,
                                .name = function->name,
                                .repeats = true,
                                .stream = THREADS_NO_STREAM};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].name, function->name) == 0) {
            binding->point = rows[i].point;
            binding->stream = rows[i].stream;
        }
    g_hash_table_insert(world->library, (void *)function, binding);
    return binding;
}

bool threads_world_precedes(ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsProcess *process = world->processes[rank];
    const ThreadsThread *self = process ? threads_thread_by_number(process, thread) : NULL;
    if (!self || (G_LIKELY(!self->cancel && !self->attention) && !process->streams))
        return false;
    const VmRequest *request = vm_rank_request(process->vm);
    const ThreadsBinding *binding = before_library(world, request->function);
    return is_diverted(self, binding) || threads_stream_must_wait(self, binding, request->args, request->n);
}

/* A call of another library that is open must not be left, so it is waited for. */
bool threads_world_interrupts(const ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsProcess *process = world->processes[rank];
    const ThreadsThread *self = process ? threads_thread_by_number(process, thread) : NULL;
    if (!self || (G_LIKELY(!self->cancel && !self->attention)) || !is_diverted(self, &world->interrupting))
        return false;
    uint32_t own = 0;
    for (const ThreadsCall *call = self->call; call; call = call->outer)
        own++;
    return vm_rank_open_requests(process->vm) == own;
}

const VmExtern *threads_world_interruption(const ThreadsWorld *world)
{
    return &world->interruption;
}

bool threads_world_attends(const ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsProcess *process = world->processes[rank];
    const ThreadsThread *self = process ? threads_thread_by_number(process, thread) : NULL;
    const VmRequest *request = self ? vm_rank_request(process->vm) : NULL;
    return request && self->call && self->call->attending &&
           (request->in_order || threads_world_answers(world, request->function));
}

static ThreadsCall *push(ThreadsThread *thread, const VmRequest *request, uint64_t now_ps)
{
    ThreadsCall *call = thread->call ? g_new(ThreadsCall, 1) : &thread->first;
    const ThreadsBinding *binding = request->function->user;
    if (G_UNLIKELY(request->in_order))
        binding = before_library(thread->process->world, request->function);
    call_init(call, thread, binding, request->args, request->n, now_ps);
    return thread->call = call;
}

static void pop(ThreadsCall *call)
{
    call->thread->call = call->outer;
    if (call != &call->thread->first)
        g_free(call);
}

/* The thread will not go on with a call, from whose upcall it has ended. */
static void abandon(ThreadsCall *call)
{
    ThreadsThread *joins = call->wait.object && call->wait.sort == THREADS_THREAD
                               ? threads_thread_by_id(call->process, call->wait.address)
                               : NULL;
    if (joins)
        joins->joiner = NULL;
    if (call->wait.object)
        threads_wait_remove(call);
    pop(call);
}

static ThreadsOutcome finish(ThreadsCall *call, ThreadsStep step)
{
    VmRank *vm = call->vm;
    switch (step) {
    case THREADS_STEP_DONE: {
        uint64_t result = call->result;
        vm_clock_set(vm_rank_clock(vm), call->now);
        bool repeats = call->binding->repeats;
        pop(call);
        if (G_UNLIKELY(repeats))
            vm_rank_repeat(vm);
        else
            vm_rank_complete(vm, result);
        return THREADS_OUTCOME_DONE;
    }
    case THREADS_STEP_PERFORMED: pop(call); return THREADS_OUTCOME_DONE;
    case THREADS_STEP_BLOCK: return THREADS_OUTCOME_BLOCKED;
    case THREADS_STEP_SPIN: return THREADS_OUTCOME_SPINS;
    case THREADS_STEP_UPCALL: return THREADS_OUTCOME_UPCALL;
    case THREADS_STEP_ENDED: { /* one who is detached or joined already is gone with its call */
        ThreadsThread *thread = call->thread;
        thread->number = THREADS_NONE;
        while (thread->call)
            abandon(thread->call);
        if (thread->detached)
            threads_thread_forget(thread);
        return THREADS_OUTCOME_ENDED;
    }
    default: g_assert(step == THREADS_STEP_FAULT); return THREADS_OUTCOME_FAULT;
    }
}

static ThreadsStep begin(ThreadsCall *call)
{
    ThreadsThread *thread = call->thread;
    if (G_UNLIKELY(thread->cancel || thread->attention) && is_diverted(thread, call->binding))
        return threads_call_attend(call,
                                   threads_is_cancelled(thread) && (call->binding->point || thread->asynchronous));
    call->begun = true;
    if (G_UNLIKELY(call->world->called != NULL))
        call->world->called(call);
    if (G_UNLIKELY(call->binding->repeats) && vm_rank_halted(call->vm))
        return threads_pipe_await(call);
    return call->binding->handler(call);
}

ThreadsOutcome threads_world_call(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t now_ps)
{
    ThreadsProcess *process = world->processes[rank];
    ThreadsCall *call = push(threads_thread_by_number(process, thread), vm_rank_request(process->vm), now_ps);
    return finish(call, begin(call));
}

static ThreadsStep go_on(ThreadsCall *call, uint64_t time_ps)
{
    ThreadsWait *wait = &call->wait;
    const ThreadsEnv *env = &call->world->env;
    if (call->thread->attention && call->process->attention)
        return threads_call_attend(call, false);
    if (!wait->over)
        return wait->spins ? THREADS_STEP_SPIN : THREADS_STEP_BLOCK;
    if (wait->until_ps > time_ps) {
        wait->waking = true;
        env->wake(env->user, call->process->rank, call->thread->number, wait->until_ps);
        return THREADS_STEP_BLOCK;
    }
    call->now = time_ps;
    threads_account_wait(call, time_ps);
    return call->step(call);
}

ThreadsOutcome threads_world_resume(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    ThreadsCall *call = threads_thread_by_number(world->processes[rank], thread)->call;
    call->wait.waking = false;
    call->now = MAX(call->now, time_ps);
    return finish(call, go_on(call, time_ps));
}

ThreadsOutcome threads_world_upcall_done(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t now_ps)
{
    ThreadsCall *call = threads_thread_by_number(world->processes[rank], thread)->call;
    uint32_t interrupts = (uint32_t)vm_rank_upcall_result(call->vm);
    call->attending = false;
    call->now = MAX(call->now, now_ps);
    if (!call->begun)
        return finish(call, begin(call));
    if (!call->wait.over && call->wait.interruptible && interrupts >= call->wait.interruptible)
        (call->wait.leave ? call->wait.leave : threads_wait_leave)(call, EINTR, call->now);
    else if (!call->wait.over && call->wait.late)
        (call->wait.leave ? call->wait.leave : threads_wait_leave)(call, ETIMEDOUT, call->now);
    else if (!call->wait.over)
        threads_wait_alert(call->thread, call->now); /* what has come meanwhile */
    return finish(call, call->wait.waking ? THREADS_STEP_BLOCK : go_on(call, call->now));
}

void threads_world_alarm(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t time_ps, uint64_t cookie)
{
    ThreadsProcess *process = world->processes[rank];
    ThreadsThread *found = process ? threads_thread_by_number(process, thread) : NULL;
    if (process && cookie & THREADS_TIMER_COOKIE)
        threads_signal_expire(process, cookie & ~THREADS_TIMER_COOKIE, time_ps);
    else if (found)
        threads_wait_time_out(found, cookie, time_ps);
}
