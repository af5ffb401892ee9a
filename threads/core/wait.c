/* wait.c - queues of calls that wait for an object, by the object's address. */
#include "threads/core/call.h"

/* Addresses have fewer than 56 bits. */
uint64_t threads_wait_key(ThreadsSort sort, uint64_t address)
{
    return address ^ (uint64_t)sort << 56;
}

ThreadsObject *threads_wait_find(const ThreadsProcess *process, ThreadsSort sort, uint64_t address)
{
    return g_hash_table_lookup(process->objects, GSIZE_TO_POINTER(threads_wait_key(sort, address)));
}

static ThreadsObject *object_at(ThreadsProcess *process, ThreadsSort sort, uint64_t address)
{
    ThreadsObject *object = threads_wait_find(process, sort, address);
    if (object)
        return object;
    object = g_new0(ThreadsObject, 1);
    *object = (ThreadsObject){.key = threads_wait_key(sort, address), .address = address, .sort = sort};
    g_hash_table_insert(process->objects, GSIZE_TO_POINTER(object->key), object);
    return object;
}

static void append(ThreadsObject *object, ThreadsCall *call)
{
    call->wait.object = object;
    call->wait.before = object->last;
    call->wait.behind = NULL;
    if (object->last)
        object->last->wait.behind = call;
    else
        object->first = call;
    object->last = call;
    object->waiting++;
}

void threads_wait_remove(ThreadsCall *call)
{
    ThreadsWait *wait = &call->wait;
    ThreadsObject *object = wait->object;
    *(wait->before ? &wait->before->wait.behind : &object->first) = wait->behind;
    *(wait->behind ? &wait->behind->wait.before : &object->last) = wait->before;
    wait->object = NULL;
    if (--object->waiting == 0)
        g_hash_table_remove(call->process->objects, GSIZE_TO_POINTER(object->key));
}

void threads_wait_move(ThreadsCall *call, ThreadsSort sort, uint64_t address, uint64_t time_ps)
{
    ThreadsWait *wait = &call->wait;
    if (wait->object)
        threads_wait_remove(call);
    time_ps = MAX(time_ps, wait->since_ps);
    threads_account_wait(call, time_ps);
    wait->sort = sort;
    wait->address = address;
    wait->late = false;
    wait->since_ps = time_ps;
    append(object_at(call->process, sort, address), call);
}

ThreadsStep threads_wait(ThreadsCall *call, ThreadsSort sort, uint64_t address, uint64_t deadline_ps,
                         ThreadsHandler then)
{
    if (call->local)
        return THREADS_STEP_GLOBAL;
    const ThreadsEnv *env = &call->world->env;
    ThreadsWait *wait = &call->wait;
    wait->sort = sort;
    wait->address = address;
    wait->since_ps = call->now;
    if (!wait->spins)
        threads_charge(call, call->world->costs.wait);
    wait->number = ++call->process->waits;
    wait->over = wait->late = false;
    wait->result = 0;
    call->step = then;
    append(object_at(call->process, sort, address), call);
    if (deadline_ps != THREADS_NEVER)
        env->alarm(env->user, call->process->rank, call->thread->number, MAX(deadline_ps, call->now), wait->number);
    return wait->spins ? THREADS_STEP_SPIN : THREADS_STEP_BLOCK;
}

ThreadsStep threads_wait_counted(ThreadsCall *call, ThreadsSort sort, uint32_t *waiters, uint64_t deadline_ps,
                                 ThreadsHandler then, ThreadsLeave leave)
{
    ThreadsStep step = threads_wait(call, sort, call->args[0], deadline_ps, then);
    if (step == THREADS_STEP_BLOCK) {
        ++*waiters;
        call->wait.leave = leave;
    }
    return step;
}

void threads_wait_end(ThreadsCall *call, int result, uint64_t time_ps)
{
    const ThreadsEnv *env = &call->world->env;
    ThreadsWait *wait = &call->wait;
    g_assert(!wait->object && !wait->over);
    wait->over = true;
    wait->result = result;
    wait->until_ps = MAX(time_ps, call->now);
    if (call->attending || wait->waking)
        return; /* it is looked at when the upcall is done, or soon anyway */
    wait->waking = true;
    env->wake(env->user, call->process->rank, call->thread->number, wait->until_ps);
}

void threads_wait_leave(ThreadsCall *call, int result, uint64_t time_ps)
{
    threads_wait_remove(call);
    threads_wait_end(call, result, time_ps);
}

ThreadsCall *threads_wait_first(const ThreadsObject *object)
{
    ThreadsCall *first = object->first;
    if (G_LIKELY(!first || !first->process->prioritised))
        return first;
    for (ThreadsCall *call = first->wait.behind; call; call = call->wait.behind)
        if (call->thread->priority > first->thread->priority)
            first = call;
    return first;
}

static bool is_waiting(const ThreadsCall *call)
{
    return call->wait.object && !call->wait.over;
}

void threads_wait_alert(ThreadsThread *thread, uint64_t time_ps)
{
    const ThreadsEnv *env = &thread->process->world->env;
    ThreadsCall *call = thread->call;
    if (!call || !is_waiting(call) || call->attending)
        return;
    if (threads_is_cancelled(thread) && (call->wait.point || thread->asynchronous)) {
        (call->wait.leave ? call->wait.leave : threads_wait_leave)(call, THREADS_CANCELLED, time_ps);
    } else if (thread->attention && !call->wait.waking) {
        call->wait.waking = true;
        env->wake(env->user, thread->process->rank, thread->number, MAX(time_ps, call->now));
    }
}

void threads_wait_time_out(ThreadsThread *thread, uint64_t number, uint64_t time_ps)
{
    for (ThreadsCall *call = thread->call; call; call = call->outer)
        if (call->wait.number == number && is_waiting(call) && call->attending)
            call->wait.late = true;
        else if (call->wait.number == number && is_waiting(call))
            (call->wait.leave ? call->wait.leave : threads_wait_leave)(call, ETIMEDOUT, time_ps);
}

ThreadsStep threads_wait_result(ThreadsCall *call)
{
    return call->wait.result == THREADS_CANCELLED ? threads_call_attend(call, true)
                                                  : threads_return(call, call->wait.result);
}
