/* pthread.c - POSIX threads: their ends, keys, clean-up handlers, cancellation, once, scheduling and names.
 *
 * Mutexes, condition variables and the like are functions of the simulator (threads/functions.def). What runs code of
 * the program is here: destructors, handlers, routines. A thread's own data hang from its word 0.
 */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct thread first;

struct thread *__orrery_thread_here(void)
{
    struct thread *thread = __orrery_thread_word(WORD_THREAD);
    if (thread)
        return thread;
    thread = __orrery_thread_self() == 1 ? &first : calloc(1, sizeof *thread);
    if (!thread)
        abort();
    __orrery_thread_set_word(WORD_THREAD, thread);
    return thread;
}

int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

int pthread_yield(void)
{
    return sched_yield();
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare, (void)parent, (void)child;
    return 0; /* nobody forks, so the handlers are never called */
}

/* -- keys: a key's version is odd while it is used ---------------------------------------------- */

static pthread_mutex_t keys_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned version;
    void (*destructor)(void *);
} keys[KEYS];

static int is_used(pthread_key_t key)
{
    return key < KEYS && keys[key].version & 1;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    int error = EAGAIN;
    pthread_mutex_lock(&keys_lock);
    for (pthread_key_t i = 0; i < KEYS; i++)
        if (!is_used(i)) {
            keys[i].version++;
            keys[i].destructor = destructor;
            *key = i;
            error = 0;
            break;
        }
    pthread_mutex_unlock(&keys_lock);
    return error;
}

int pthread_key_delete(pthread_key_t key)
{
    pthread_mutex_lock(&keys_lock);
    int error = is_used(key) ? 0 : EINVAL;
    if (!error)
        keys[key].version++;
    pthread_mutex_unlock(&keys_lock);
    return error;
}

void *pthread_getspecific(pthread_key_t key)
{
    const struct thread *thread = __orrery_thread_word(WORD_THREAD);
    if (!thread || !thread->values || !is_used(key) || thread->values[key].version != keys[key].version)
        return 0;
    return thread->values[key].value;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    struct thread *thread = __orrery_thread_here();
    if (!is_used(key))
        return EINVAL;
    if (!thread->values && !(thread->values = calloc(KEYS, sizeof *thread->values)))
        return ENOMEM;
    thread->values[key].value = (void *)value;
    thread->values[key].version = keys[key].version;
    return 0;
}

/* Calls the destructors of values that are not null, until there are none, but not for ever. */
static void destroy_values(struct thread *thread)
{
    int more = thread->values != 0;
    for (int turn = 0; more && turn < PTHREAD_DESTRUCTOR_ITERATIONS; turn++) {
        more = 0;
        for (pthread_key_t key = 0; key < KEYS; key++) {
            void *value = thread->values[key].value;
            void (*destructor)(void *) = keys[key].destructor;
            if (!value || !is_used(key) || thread->values[key].version != keys[key].version)
                continue;
            thread->values[key].value = 0;
            if (!destructor)
                continue;
            more = 1;
            destructor(value);
        }
    }
    free(thread->values);
    thread->values = 0;
}

/* -- ends -------------------------------------------------------------------------------------- */

void __orrery_cleanup_push(struct __orrery_cleanup *cleanup, void (*routine)(void *), void *argument)
{
    struct thread *thread = __orrery_thread_here();
    cleanup->orrery_routine = routine;
    cleanup->orrery_argument = argument;
    cleanup->orrery_outer = thread->cleanup;
    thread->cleanup = cleanup;
}

void __orrery_cleanup_pop(struct __orrery_cleanup *cleanup, int execute)
{
    __orrery_thread_here()->cleanup = cleanup->orrery_outer;
    if (execute)
        cleanup->orrery_routine(cleanup->orrery_argument);
}

void pthread_exit(void *result)
{
    struct thread *thread = __orrery_thread_here();
    __orrery_thread_ending();
    while (thread->cleanup)
        __orrery_cleanup_pop(thread->cleanup, 1);
    destroy_values(thread);
    __orrery_thread_set_word(WORD_THREAD, 0);
    if (thread != &first)
        free(thread);
    __orrery_thread_exit(result);
    exit(0); /* it was the last one */
}

void __orrery_thread_main(void *argument)
{
    struct thread *thread = argument;
    char here;
    thread->stack_top = &here;
    pthread_exit(thread->start(thread->argument));
}

/* -- cancellation ------------------------------------------------------------------------------ */

/* The simulator calls this inside another call of the thread. */
static int attention(long cancelled)
{
    if (cancelled)
        pthread_exit(PTHREAD_CANCELED);
    int before = errno, interrupts = __orrery_signals_deliver();
    errno = interrupts ? EINTR : before;
    return interrupts;
}

void __orrery_thread_attend(void)
{
    __orrery_thread_attention(attention);
}

int pthread_cancel(pthread_t thread)
{
    __orrery_thread_attend();
    return __orrery_thread_cancel(thread);
}

/* -- once -------------------------------------------------------------------------------------- */

static void give_up(void *control)
{
    __orrery_once_end(control, 0);
}

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    if (!__orrery_once_begin(control))
        return 0;
    pthread_cleanup_push(give_up, control);
    routine();
    pthread_cleanup_pop(0);
    __orrery_once_end(control, 1);
    return 0;
}

/* -- what threads are and where they run -------------------------------------------------------- */

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters)
{
    return __orrery_thread_scheduled(thread, policy, &parameters->sched_priority);
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
    return __orrery_thread_schedule(thread, policy, parameters->sched_priority);
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    int policy, before, error = __orrery_thread_scheduled(thread, &policy, &before);
    return error ? error : __orrery_thread_schedule(thread, policy, priority);
}

static int concurrency;

int pthread_getconcurrency(void)
{
    return concurrency;
}

int pthread_setconcurrency(int level)
{
    if (level < 0)
        return EINVAL;
    concurrency = level;
    return 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    long number = __orrery_thread_number(thread);
    if (number < 0)
        return ESRCH;
    *clock = (clockid_t)(-2 - number); /* as the functions of <time.h> know it */
    return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    return size < sizeof(__cpu_mask) ? EINVAL
                                     : __orrery_thread_bound(thread, (unsigned long *)set, size / sizeof(__cpu_mask));
}

int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    int error = __orrery_thread_name(thread, name, size);
    if (!error && !*name) {
        strncpy(name, program_invocation_short_name, 15);
        name[15] = '\0';
    }
    return error;
}

int pthread_getattr_np(pthread_t id, pthread_attr_t *attributes)
{
    int error = __orrery_thread_exists(id), policy, priority;
    if (error)
        return error;
    const struct thread *thread = __orrery_thread_word_of(id, WORD_THREAD);
    pthread_attr_init(attributes);
    if (thread && thread != &first)
        attributes->orrery_state = thread->attributes.orrery_state;
    char *top = thread && thread->stack_top ? thread->stack_top : (char *)&policy;
    if (!attributes->orrery_state.orrery_stack)
        attributes->orrery_state.orrery_stack =
            (char *)(((unsigned long)top + 4095) & ~4095UL) - attributes->orrery_state.orrery_stack_size;
    attributes->orrery_state.orrery_set = 0;
    cpu_set_t set;
    if (pthread_getaffinity_np(id, sizeof set, &set) == 0)
        pthread_attr_setaffinity_np(attributes, sizeof set, &set);
    if (__orrery_thread_scheduled(id, &policy, &priority) == 0) {
        attributes->orrery_state.orrery_policy = (char)policy;
        attributes->orrery_state.orrery_priority = priority;
    }
    return 0;
}
