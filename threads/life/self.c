/* self.c - what a thread knows of itself and of others: number, words, name, priority, processors; and its costs. */
#include "threads/life/life.h"

ThreadsStep threads_do_thread_self(ThreadsCall *call)
{
    return threads_return(call, (int64_t)call->thread->id);
}

/* __orrery_thread_exists(thread): 0, or ESRCH. An ended thread that nobody has joined exists. */
ThreadsStep threads_do_thread_exists(ThreadsCall *call)
{
    return threads_return(call, threads_thread_by_id(call->process, call->args[0]) ? 0 : ESRCH);
}

/* __orrery_thread_number(thread): its number in the VM; -1: there is none, or it has ended */
ThreadsStep threads_do_thread_number(ThreadsCall *call)
{
    const ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    return threads_return(call, thread && !thread->ended ? (int64_t)thread->number : -1);
}

ThreadsStep threads_do_thread_word(ThreadsCall *call)
{
    return threads_return(call, call->args[0] < THREADS_WORDS ? (int64_t)call->thread->words[call->args[0]] : 0);
}

ThreadsStep threads_do_thread_set_word(ThreadsCall *call)
{
    if (call->args[0] < THREADS_WORDS)
        call->thread->words[call->args[0]] = call->args[1];
    return threads_return(call, 0);
}

ThreadsStep threads_do_thread_count(ThreadsCall *call)
{
    return threads_return(call, call->process->alive);
}

static ThreadsStep turn(ThreadsCall *call)
{
    const ThreadsEnv *env = &call->world->env;
    if (env->turn)
        env->turn(env->user, call->process->rank, call->thread->number);
    if (G_UNLIKELY(call->world->turned != NULL))
        call->world->turned(call);
    return threads_return(call, 0);
}

/* Nothing but the order: others whose time has come have run. */
ThreadsStep threads_do_turn(ThreadsCall *call)
{
    return turn(call);
}

ThreadsStep threads_do_yield(ThreadsCall *call)
{
    const ThreadsEnv *env = &call->world->env;
    if (env->yield)
        env->yield(env->user, call->process->rank, call->thread->number);
    return threads_return(call, 0);
}

/* What comes next is an atomic operation. */
ThreadsStep threads_do_atomic_turn(ThreadsCall *call)
{
    if (call->process->alive > 1)
        threads_charge(call, call->world->costs.atomic);
    return turn(call);
}

/* __orrery_thread_charge(cost, times); for a fork, which is paid once, the team instead of the times */
ThreadsStep threads_do_thread_charge(ThreadsCall *call)
{
    enum {
#define THREADS_COST(field, key, default_ps, what) COST_##field,
#include "threads/costs.def"
    };
    const uint64_t costs[] = {
#define THREADS_COST(field, key, default_ps, what) call->world->costs.field,
#include "threads/costs.def"
    };
    uint64_t ps, times = call->args[0] == COST_fork ? 1 : call->args[1];
    if (G_UNLIKELY(call->world->counts_locks) && call->args[0] == COST_fork)
        threads_region_fork(call, call->args[1]);
    else if (call->args[0] == COST_task)
        call->thread->pending.tasks += times;
    if (call->args[0] < G_N_ELEMENTS(costs) && !__builtin_mul_overflow(costs[call->args[0]], times, &ps))
        threads_charge(call, MIN(ps, UINT64_C(1) << 60));
    return threads_return(call, 0);
}

/* -- names ------------------------------------------------------------------------------------- */

ThreadsStep threads_do_setname(ThreadsCall *call)
{
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    const char *name = vm_rank_string(call->vm, call->args[1]);
    if (!name)
        return threads_call_readable(call, call->args[1], 1) ? threads_return(call, ERANGE) : THREADS_STEP_FAULT;
    if (!thread)
        return threads_return(call, ESRCH);
    if (strlen(name) >= THREADS_NAME)
        return threads_return(call, ERANGE);
    g_strlcpy(thread->name, name, THREADS_NAME);
    return threads_return(call, 0);
}

ThreadsStep threads_do_getname(ThreadsCall *call)
{
    const ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    if (!thread)
        return threads_return(call, ESRCH);
    size_t bytes = strlen(thread->name) + 1;
    if (call->args[2] < THREADS_NAME)
        return threads_return(call, ERANGE);
    char *name = threads_call_memory(call, call->args[1], bytes);
    if (!name)
        return THREADS_STEP_FAULT;
    memcpy(name, thread->name, bytes);
    return threads_return(call, 0);
}

/* -- scheduling -------------------------------------------------------------------------------- */

enum { OTHER, FIFO, ROUND_ROBIN, BATCH, IDLE = 5, LOWEST = 1, HIGHEST = 99 };

static bool is_policy(int policy, int priority)
{
    if (policy == FIFO || policy == ROUND_ROBIN)
        return priority >= LOWEST && priority <= HIGHEST;
    return (policy == OTHER || policy == BATCH || policy == IDLE) && priority == 0;
}

/* __orrery_thread_schedule(thread, policy, priority) */
ThreadsStep threads_do_thread_schedule(ThreadsCall *call)
{
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    int policy = (int)call->args[1], priority = (int)call->args[2];
    if (!thread)
        return threads_return(call, ESRCH);
    if (!is_policy(policy, priority))
        return threads_return(call, EINVAL);
    thread->policy = policy;
    thread->priority = priority;
    call->process->prioritised |= priority != 0;
    return threads_return(call, 0);
}

/* __orrery_thread_scheduled(thread, int *policy, int *priority) */
ThreadsStep threads_do_thread_scheduled(ThreadsCall *call)
{
    const ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    int32_t *policy = threads_call_memory(call, call->args[1], sizeof *policy);
    int32_t *priority = threads_call_memory(call, call->args[2], sizeof *priority);
    if (!policy || !priority)
        return THREADS_STEP_FAULT;
    if (!thread)
        return threads_return(call, ESRCH);
    *policy = thread->policy;
    *priority = thread->priority;
    return threads_return(call, 0);
}

/* -- processors -------------------------------------------------------------------------------- */

static uint32_t processors(const ThreadsCall *call)
{
    const ThreadsEnv *env = &call->world->env;
    return env->processors ? env->processors(env->user, call->process->rank) : 1;
}

/* Those of the node. */
static uint32_t cores(const ThreadsCall *call)
{
    const ThreadsEnv *env = &call->world->env;
    return env->cores ? env->cores(env->user, call->process->rank) : processors(call);
}

ThreadsStep threads_do_processors(ThreadsCall *call)
{
    const uint64_t *set = call->thread->set;
    int n = 0;
    for (unsigned i = 0; set && i < THREADS_PROCESSOR_WORDS; i++)
        n += __builtin_popcountll(set[i]);
    return threads_return(call, set ? n : (int64_t)processors(call));
}

/* sysconf(): how many processors there are is known here. */
ThreadsStep threads_do_sysconf(ThreadsCall *call)
{
    enum { NPROCESSORS_CONF = 83, NPROCESSORS_ONLN = 84 };
    int32_t name = (int32_t)call->args[0];
    const VmExtern *library = call->binding->library;
    if (name == NPROCESSORS_CONF)
        return threads_return(call, cores(call));
    if (name == NPROCESSORS_ONLN)
        return threads_return(call, processors(call));
    VmCallResult result = library->function(call->vm, call->args, 1, library->user);
    return result == VM_CALL_FAULT ? THREADS_STEP_FAULT : threads_return(call, (int64_t)call->args[0]);
}

/* A thread that runs ahead of its turn does not know it yet. */
ThreadsStep threads_do_processor(ThreadsCall *call)
{
    const ThreadsEnv *env = &call->world->env;
    if (call->local)
        return THREADS_STEP_GLOBAL;
    return threads_return(call,
                          env->processor ? env->processor(env->user, call->process->rank, call->thread->number) : 0);
}

static ThreadsThread *addressed(const ThreadsCall *call)
{
    return call->args[0] ? threads_thread_by_id(call->process, call->args[0]) : call->thread;
}

/* Drops the processors that there are not. Returns whether any is left. */
static bool restrict_set(uint64_t *set, uint32_t there_are)
{
    uint64_t left = 0;
    for (unsigned i = 0; i < THREADS_PROCESSOR_WORDS; i++) {
        unsigned n = there_are > i * 64 ? there_are - i * 64 : 0;
        set[i] &= n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
        left |= set[i];
    }
    return left != 0;
}

static ThreadsStep bind(ThreadsCall *call, ThreadsThread *thread, uint64_t address, uint64_t n, bool to_place)
{
    const ThreadsEnv *env = &call->world->env;
    size_t words = MIN(n, THREADS_PROCESSOR_WORDS);
    uint64_t set[THREADS_PROCESSOR_WORDS] = {0};
    if (call->local)
        return THREADS_STEP_GLOBAL;
    const uint64_t *given = threads_call_readable(call, address, words * sizeof *given);
    if (!given)
        return THREADS_STEP_FAULT;
    if (!thread)
        return threads_return(call, ESRCH);
    memcpy(set, given, words * sizeof *set);
    if (!restrict_set(set, cores(call)))
        return threads_return(call, EINVAL);
    bool changes = !thread->set || memcmp(thread->set, set, sizeof set) != 0;
    g_free(thread->set);
    thread->set = g_memdup2(set, sizeof set);
    if (!to_place) {
        g_free(thread->outside);
        thread->outside = g_memdup2(set, sizeof set);
    }
    if (env->bind && !thread->ended && changes)
        env->bind(env->user, call->process->rank, thread->number, set);
    return threads_return(call, 0);
}

/* __orrery_thread_bind(thread, set, words) */
ThreadsStep threads_do_thread_bind(ThreadsCall *call)
{
    return bind(call, addressed(call), call->args[1], call->args[2], false);
}

/* __orrery_thread_place(set, words) */
ThreadsStep threads_do_thread_place(ThreadsCall *call)
{
    return bind(call, call->thread, call->args[0], call->args[1], true);
}

static void usual_set(const ThreadsCall *call, uint64_t *set)
{
    const ThreadsEnv *env = &call->world->env;
    memset(set, env->usual_set ? 0 : 0xff, THREADS_PROCESSOR_WORDS * sizeof *set);
    if (env->usual_set)
        env->usual_set(env->user, call->process->rank, set);
    (void)restrict_set(set, cores(call));
}

/* __orrery_thread_bound(thread, set, words) */
ThreadsStep threads_do_thread_bound(ThreadsCall *call)
{
    const ThreadsThread *thread = addressed(call);
    uint64_t all[THREADS_PROCESSOR_WORDS];
    unsigned words = (unsigned)MIN(call->args[2], THREADS_PROCESSOR_WORDS);
    uint64_t *set = threads_call_memory(call, call->args[1], call->args[2] * sizeof *set);
    if (!set)
        return THREADS_STEP_FAULT;
    if (!thread)
        return threads_return(call, ESRCH);
    usual_set(call, all);
    memset(set, 0, call->args[2] * sizeof *set);
    memcpy(set, thread->set ? thread->set : all, words * sizeof *set);
    return threads_return(call, 0);
}
