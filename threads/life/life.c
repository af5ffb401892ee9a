/* life.c - threads begin, end, and are joined (POSIX XSH pthread_create). */
#include "threads/life/life.h"
#include "threads/sync/sync.h"

/* __orrery_thread_create(entry, argument, stack_bytes, flags, word) */
ThreadsStep threads_do_thread_create(ThreadsCall *call)
{
    enum { DETACHED = 1, UNPLACED = 2 };
    if (call->local)
        return THREADS_STEP_GLOBAL;
    const ThreadsEnv *env = &call->world->env;
    ThreadsProcess *process = call->process;
    threads_charge(call, call->world->costs.create);
    const uint64_t *set = call->args[3] & UNPLACED ? call->thread->outside : call->thread->set;
    uint32_t number = process->threads->len < UINT32_MAX / 4
                          ? env->start(env->user, process->rank, call->args[0], call->args[1], call->args[5],
                                       call->args[2], set, call->now)
                          : THREADS_NONE;
    if (number == THREADS_NONE)
        return threads_return(call, 0);
    ThreadsThread *thread = threads_thread_add(process, number);
    thread->detached = call->args[3] & DETACHED;
    thread->words[0] = call->args[4];
    thread->words[THREADS_WORD_BLOCKED] = call->thread->words[THREADS_WORD_BLOCKED];
    memcpy(thread->name, call->thread->name, THREADS_NAME);
    thread->created_pc = call->pc;
    thread->set = g_memdup2(set, THREADS_PROCESSOR_WORDS * sizeof *set);
    thread->outside = g_memdup2(set, THREADS_PROCESSOR_WORDS * sizeof *set);
    thread->policy = call->thread->policy;
    thread->priority = call->thread->priority;
    process->stats.created++;
    THREADS_TELL(call->world, created, process->rank, call->thread->number, number, call->now);
    return threads_return(call, (int64_t)thread->id);
}

/* Whether a thread may run on one of the processors in a set of the program's. */
static bool has_processor(const ThreadsCall *call, uint64_t set, uint64_t bytes)
{
    const ThreadsEnv *env = &call->world->env;
    uint32_t there_are = env->processors ? env->processors(env->user, call->process->rank) : 1;
    const uint8_t *bits = set ? vm_rank_peek(call->vm, set, MIN(bytes, there_are / 8 + 1)) : NULL;
    for (uint32_t i = 0; bits && i < there_are && i / 8 < bytes; i++)
        if (bits[i / 8] >> i % 8 & 1)
            return true;
    return !bits;
}

/* __orrery_thread_create_on(..., stack): the same for a thread that begins with a ThreadsStart, its word */
ThreadsStep threads_do_thread_create_on(ThreadsCall *call)
{
    const ThreadsStart *start = vm_rank_peek(call->vm, call->args[4], sizeof *start);
    if (call->local)
        return THREADS_STEP_GLOBAL;
    if (start && !has_processor(call, start->attributes.set, start->attributes.set_bytes))
        return threads_return(call, 0);
    enum { UNBLOCKABLE = 1 << (9 - 1) | 1 << (19 - 1) }; /* SIGKILL, SIGSTOP */
    uint64_t mask = start ? start->attributes.mask : 0;
    ThreadsStep step = threads_do_thread_create(call);
    ThreadsThread *thread = mask ? threads_thread_by_id(call->process, call->result) : NULL;
    if (thread)
        thread->words[THREADS_WORD_BLOCKED] = mask & ~(uint64_t)UNBLOCKABLE;
    return step;
}

/* The one who joins an ended thread takes its result and forgets it. */
static bool take_leave(ThreadsCall *call, ThreadsThread *thread)
{
    uint64_t *result = call->args[1] ? threads_call_memory(call, call->args[1], sizeof *result) : NULL;
    if (call->args[1] && !result)
        return false;
    if (result)
        *result = thread->result;
    threads_charge(call, call->world->costs.join);
    threads_acquired(call->thread, THREADS_THREAD, thread->id, false, call->now);
    threads_thread_forget(thread);
    return true;
}

/* A wait that ends early leaves the thread to others, at once. */
static void leave(ThreadsCall *call, int result, uint64_t time_ps)
{
    threads_thread_by_id(call->process, call->args[0])->joiner = NULL;
    threads_wait_leave(call, result, time_ps);
}

static ThreadsStep joined(ThreadsCall *call)
{
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    if (call->wait.result)
        return threads_wait_result(call);
    return take_leave(call, thread) ? threads_return(call, 0) : THREADS_STEP_FAULT;
}

/* Why a thread cannot be joined; 0: it can. */
static int cannot_join(const ThreadsCall *call, const ThreadsThread *thread)
{
    if (!thread)
        return ESRCH;
    if (thread == call->thread || call->thread->joiner == thread)
        return EDEADLK;
    return thread->detached || thread->joiner ? EINVAL : 0;
}

static ThreadsStep join_until(ThreadsCall *call, uint64_t deadline_ps)
{
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    int error = cannot_join(call, thread);
    if (error)
        return threads_return(call, error);
    if (thread->ended)
        return take_leave(call, thread) ? threads_return(call, 0) : THREADS_STEP_FAULT;
    if (deadline_ps == 0)
        return threads_return(call, EBUSY);
    call->wait.point = true;
    ThreadsStep step = threads_wait(call, THREADS_THREAD, thread->id, deadline_ps, joined);
    if (step == THREADS_STEP_BLOCK) {
        thread->joiner = call->thread;
        call->wait.leave = leave;
    }
    return step;
}

ThreadsStep threads_do_join(ThreadsCall *call)
{
    return join_until(call, THREADS_NEVER);
}

ThreadsStep threads_do_tryjoin(ThreadsCall *call)
{
    return join_until(call, 0);
}

/* __orrery_thread_join(thread, result, deadline) */
ThreadsStep threads_do_thread_join(ThreadsCall *call)
{
    return join_until(call, call->args[2]);
}

static ThreadsStep join_by(ThreadsCall *call, int clock, uint64_t time)
{
    uint64_t deadline_ps;
    int error;
    if (!threads_deadline_clock(clock))
        return threads_return(call, EINVAL);
    if (!time)
        return join_until(call, THREADS_NEVER);
    if (!threads_deadline(call, clock, time, &deadline_ps, &error))
        return error ? threads_return(call, error) : THREADS_STEP_FAULT;
    return join_until(call, MAX(deadline_ps, 1));
}

ThreadsStep threads_do_timedjoin(ThreadsCall *call)
{
    return join_by(call, 0, call->args[2]);
}

ThreadsStep threads_do_clockjoin(ThreadsCall *call)
{
    return join_by(call, (int)call->args[2], call->args[3]);
}

ThreadsStep threads_do_detach(ThreadsCall *call)
{
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    if (!thread)
        return threads_return(call, ESRCH);
    if (thread->detached)
        return threads_return(call, EINVAL);
    thread->detached = true;
    if (thread->ended)
        threads_thread_forget(thread);
    return threads_return(call, 0);
}

/* __orrery_thread_exit(result). The last thread comes back, and calls exit(). */
ThreadsStep threads_do_thread_exit(ThreadsCall *call)
{
    ThreadsProcess *process = call->process;
    ThreadsThread *thread = call->thread;
    const ThreadsEnv *env = &call->world->env;
    if (call->local)
        return threads_return(call, 0);
    threads_mutex_bequeath(call);
    thread->result = call->args[0];
    if (process->alive == 1)
        return threads_return(call, 0);
    process->alive--;
    thread->ended = true;
    threads_released(thread, THREADS_THREAD, thread->id, false, call->now);
    THREADS_TELL(call->world, ended, process->rank, thread->number, call->now);
    vm_clock_set(vm_rank_clock(call->vm), call->now);
    ThreadsObject *object = threads_wait_find(process, THREADS_THREAD, thread->id);
    if (object)
        threads_wait_leave(object->first, 0, call->now + call->world->costs.hand_over);
    g_ptr_array_index(process->by_number, thread->number) = NULL;
    env->end(env->user, process->rank, thread->number, call->now);
    return THREADS_STEP_ENDED;
}
