/* pthread.c - POSIX threads for a process with one thread: what a serial program needs of them.
 *
 * Locks are only counters. A lock that could never be had is a deadlock of the program with itself; it ends the program
 * with a message. Starting, joining and awaiting other threads is not supported: the linker refuses those names and
 * says why.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int hang(const char *function)
{
    fprintf(stderr, "%s: the only thread of this rank would wait for itself forever\n", function);
    abort();
}

pthread_t pthread_self(void)
{
    return 1;
}

int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    if (*control == PTHREAD_ONCE_INIT) {
        *control = 1;
        routine();
    }
    return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare, (void)parent, (void)child;
    return 0; /* nobody forks, so the handlers are never called */
}

int pthread_yield(void)
{
    return 0;
}

/* -- keys -------------------------------------------------------------------------------------- */

enum { KEYS = 1024 };

static struct {
    int used;
    void *value;
    void (*destructor)(void *);
} * keys;

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    if (!keys && !(keys = calloc(KEYS, sizeof *keys)))
        return ENOMEM;
    for (pthread_key_t i = 0; i < KEYS; i++)
        if (!keys[i].used) {
            keys[i].used = 1;
            keys[i].value = 0;
            keys[i].destructor = destructor;
            *key = i;
            return 0;
        }
    return EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
    if (!keys || key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].used = 0;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return keys && key < KEYS && keys[key].used ? keys[key].value : 0;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (!keys || key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].value = (void *)value;
    return 0;
}

/* When the last thread ends, the process ends (POSIX XSH pthread_exit), after the destructors of the thread's keys. */
void pthread_exit(void *result)
{
    (void)result;
    for (pthread_key_t i = 0; keys && i < KEYS; i++) {
        void *value = keys[i].value;
        keys[i].value = 0;
        if (keys[i].used && value && keys[i].destructor)
            keys[i].destructor(value);
    }
    exit(0);
}

/* -- mutexes ----------------------------------------------------------------------------------- */

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
    (void)attributes;
    return 0;
}

/* Defines getter and setter of one number in a record of attributes. */
#define ATTRIBUTE(record, field, type, member, wrong)                                                                  \
    int record##_get##field(const record##_t *attributes, type *value)                                                 \
    {                                                                                                                  \
        *value = attributes->member;                                                                                   \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int record##_set##field(record##_t *attributes, type value)                                                        \
    {                                                                                                                  \
        if (wrong)                                                                                                     \
            return EINVAL;                                                                                             \
        attributes->member = value;                                                                                    \
        return 0;                                                                                                      \
    }

ATTRIBUTE(pthread_mutexattr, type, int, orrery_type, value<0 || value> 3)
ATTRIBUTE(pthread_mutexattr, pshared, int, orrery_shared, value<0 || value> 1)
ATTRIBUTE(pthread_mutexattr, protocol, int, orrery_protocol, value<0 || value> 2)
ATTRIBUTE(pthread_mutexattr, robust, int, orrery_robust, value<0 || value> 1)

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    memset(mutex, 0, sizeof *mutex);
    if (attributes)
        mutex->orrery_type = attributes->orrery_type;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return mutex->orrery_depth ? EBUSY : 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    if (mutex->orrery_depth && mutex->orrery_type != PTHREAD_MUTEX_RECURSIVE)
        return EBUSY;
    mutex->orrery_depth++;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (mutex->orrery_depth && mutex->orrery_type == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    return pthread_mutex_trylock(mutex) == 0 ? 0 : hang("pthread_mutex_lock");
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    if (mutex->orrery_depth && mutex->orrery_type == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    if (pthread_mutex_trylock(mutex) == 0)
        return 0;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, until, 0);
    return ETIMEDOUT;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (mutex->orrery_depth == 0)
        return mutex->orrery_type == PTHREAD_MUTEX_NORMAL ? 0 : EPERM;
    mutex->orrery_depth--;
    return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    (void)mutex;
    return EINVAL;
}

/* -- condition variables: signalling nobody is fine -------------------------------------------- */

int pthread_condattr_init(pthread_condattr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    (void)attributes;
    return 0;
}

ATTRIBUTE(pthread_condattr, clock, clockid_t, orrery_clock, value != CLOCK_REALTIME && value != CLOCK_MONOTONIC)
ATTRIBUTE(pthread_condattr, pshared, int, orrery_shared, value<0 || value> 1)

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    condition->orrery_clock = attributes ? attributes->orrery_clock : CLOCK_REALTIME;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

/* Nobody signals, so the time passes. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    (void)mutex;
    clock_nanosleep(condition->orrery_clock, TIMER_ABSTIME, until, 0);
    return ETIMEDOUT;
}

/* -- read-write locks, spin locks, barriers ---------------------------------------------------- */

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes)
{
    attributes->orrery_shared = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes)
{
    (void)attributes;
    return 0;
}

ATTRIBUTE(pthread_rwlockattr, pshared, int, orrery_shared, value<0 || value> 1)

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    (void)attributes;
    memset(lock, 0, sizeof *lock);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    if (lock->orrery_writer)
        return EBUSY;
    lock->orrery_readers++;
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    if (lock->orrery_writer || lock->orrery_readers)
        return EBUSY;
    lock->orrery_writer = 1;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return pthread_rwlock_tryrdlock(lock) ? EDEADLK : 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (lock->orrery_writer)
        return EDEADLK;
    return pthread_rwlock_trywrlock(lock) ? hang("pthread_rwlock_wrlock") : 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    if (lock->orrery_writer)
        lock->orrery_writer = 0;
    else if (lock->orrery_readers > 0)
        lock->orrery_readers--;
    return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    if (*lock)
        return EBUSY;
    *lock = 1;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    return pthread_spin_trylock(lock) ? hang("pthread_spin_lock") : 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    *lock = 0;
    return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes)
{
    attributes->orrery_shared = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared)
{
    attributes->orrery_shared = shared;
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    (void)attributes;
    if (count == 0)
        return EINVAL;
    barrier->orrery_count = count;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    (void)barrier;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    return barrier->orrery_count == 1 ? PTHREAD_BARRIER_SERIAL_THREAD : hang("pthread_barrier_wait");
}

/* -- attributes of threads --------------------------------------------------------------------- */

int pthread_attr_init(pthread_attr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->orrery_stack_size = 8UL << 20;
    attributes->orrery_guard_size = 4096;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    (void)attributes;
    return 0;
}

ATTRIBUTE(pthread_attr, detachstate, int, orrery_detached, value<0 || value> 1)
ATTRIBUTE(pthread_attr, guardsize, size_t, orrery_guard_size, 0)
ATTRIBUTE(pthread_attr, inheritsched, int, orrery_inherit, value<0 || value> 1)
ATTRIBUTE(pthread_attr, schedpolicy, int, orrery_policy, value<0 || value> 2)
ATTRIBUTE(pthread_attr, stacksize, size_t, orrery_stack_size, value < 16384)

int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope)
{
    *scope = attributes->orrery_scope;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
    if (scope != PTHREAD_SCOPE_SYSTEM)
        return scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
    attributes->orrery_scope = scope;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters)
{
    parameters->sched_priority = attributes->orrery_priority;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters)
{
    attributes->orrery_priority = parameters->sched_priority;
    return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size)
{
    *stack = attributes->orrery_stack;
    *size = attributes->orrery_stack_size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t size)
{
    if (size < 16384)
        return EINVAL;
    attributes->orrery_stack = stack;
    attributes->orrery_stack_size = size;
    return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set)
{
    (void)attributes, (void)size;
    return CPU_ISSET(0, set) ? 0 : EINVAL;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    return thread == 1 ? pthread_attr_init(attributes) : ESRCH;
}

/* -- scheduling, names, cancellation ----------------------------------------------------------- */

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters)
{
    *policy = SCHED_OTHER;
    parameters->sched_priority = 0;
    return thread == 1 ? 0 : ESRCH;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
    return thread != 1 ? ESRCH : policy == SCHED_OTHER && parameters->sched_priority == 0 ? 0 : EPERM;
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    return thread != 1 ? ESRCH : priority == 0 ? 0 : EINVAL;
}

int pthread_getconcurrency(void)
{
    return 0;
}

int pthread_setconcurrency(int level)
{
    return level < 0 ? EINVAL : 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return thread == 1 ? 0 : ESRCH;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    return thread != 1 ? ESRCH : sched_getaffinity(0, size, set) < 0 ? errno : 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    return thread != 1 ? ESRCH : sched_setaffinity(0, size, set) < 0 ? errno : 0;
}

static char thread_name[16];

int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    if (size < sizeof thread_name)
        return ERANGE;
    strcpy(name, thread_name[0] ? thread_name : program_invocation_short_name);
    name[15] = '\0';
    return thread == 1 ? 0 : ESRCH;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
    if (strlen(name) >= sizeof thread_name)
        return ERANGE;
    strcpy(thread_name, name);
    return thread == 1 ? 0 : ESRCH;
}

static int cancel_state, cancel_type;

int pthread_setcancelstate(int state, int *old)
{
    if (state < 0 || state > 1)
        return EINVAL;
    if (old)
        *old = cancel_state;
    cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type < 0 || type > 1)
        return EINVAL;
    if (old)
        *old = cancel_type;
    cancel_type = type;
    return 0;
}

void pthread_testcancel(void) {}
