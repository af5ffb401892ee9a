/* pthread_attributes.c - attributes of threads, mutexes, condition variables, read-write locks and barriers, and what
 * is made with them. */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Defines getter and setter of an attribute: `now` is its value, `set` the statement that sets it to `value`. */
#define ACCESSORS(record, field, type, wrong, now, set)                                                                \
    int record##_get##field(const record##_t *attributes, type *value)                                                 \
    {                                                                                                                  \
        *value = now;                                                                                                  \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int record##_set##field(record##_t *attributes, type value)                                                        \
    {                                                                                                                  \
        if (wrong)                                                                                                     \
            return EINVAL;                                                                                             \
        set;                                                                                                           \
        return 0;                                                                                                      \
    }
/* One number in a record of attributes. */
#define ATTRIBUTE(record, field, type, member, wrong)                                                                  \
    ACCESSORS(record, field, type, wrong, attributes->member, attributes->member = value)
/* Some bits of orrery_settings. */
#define BITS(record, field, type, shift, mask, wrong)                                                                  \
    ACCESSORS(record, field, type, wrong, attributes->orrery_settings >> (shift) & (mask),                             \
              attributes->orrery_settings =                                                                            \
                  ((attributes->orrery_settings & ~((mask) << (shift))) | (int)value << (shift)))
#define RECORD(record)                                                                                                 \
    int record##_init(record##_t *attributes)                                                                          \
    {                                                                                                                  \
        memset(attributes, 0, sizeof *attributes);                                                                     \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int record##_destroy(record##_t *attributes)                                                                       \
    {                                                                                                                  \
        (void)attributes;                                                                                              \
        return 0;                                                                                                      \
    }

/* -- mutexes: bits 0 to 9 are the kind of the mutex (threads/core/layouts.h) -------------------------------------- */

enum { KIND = 0x3ff, CEILING = 12 };

RECORD(pthread_mutexattr)
BITS(pthread_mutexattr, type, int, 0, 3, value<0 || value> 3)
BITS(pthread_mutexattr, robust, int, 4, 1, value<0 || value> 1)
BITS(pthread_mutexattr, protocol, int, 5, 3, value<0 || value> 2)
BITS(pthread_mutexattr, pshared, int, 7, 1, value<0 || value> 1)

/* The usual ceiling is the lowest priority. */
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling)
{
    int set = attributes->orrery_settings >> CEILING & 127;
    *ceiling = set ? set : 1;
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling)
{
    if (ceiling < 1 || ceiling > 99)
        return EINVAL;
    attributes->orrery_settings = (attributes->orrery_settings & ~(127 << CEILING)) | ceiling << CEILING;
    return 0;
}

int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attributes, int *robust)
{
    return pthread_mutexattr_getrobust(attributes, robust);
}

int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attributes, int robust)
{
    return pthread_mutexattr_setrobust(attributes, robust);
}

int pthread_mutex_consistent_np(pthread_mutex_t *mutex)
{
    return pthread_mutex_consistent(mutex);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    int settings = attributes ? attributes->orrery_settings : 0, ceiling = settings >> CEILING;
    __orrery_mutex_init(mutex, settings & KIND, ceiling ? ceiling : 1);
    return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling)
{
    if ((mutex->orrery_state.orrery_kind >> 5 & 3) != PTHREAD_PRIO_PROTECT)
        return EINVAL;
    *ceiling = mutex->orrery_state.orrery_ceiling;
    return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old)
{
    int before;
    if (pthread_mutex_getprioceiling(mutex, &before) != 0 || ceiling < 1 || ceiling > 99)
        return EINVAL;
    int error = pthread_mutex_lock(mutex);
    if (error && error != EDEADLK)
        return error;
    mutex->orrery_state.orrery_ceiling = ceiling;
    if (old)
        *old = before;
    return error ? 0 : pthread_mutex_unlock(mutex);
}

/* -- condition variables ----------------------------------------------------------------------- */

RECORD(pthread_condattr)
BITS(pthread_condattr, clock, clockid_t, 0, 15, value != CLOCK_REALTIME && value != CLOCK_MONOTONIC)
BITS(pthread_condattr, pshared, int, 4, 1, value<0 || value> 1)

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    memset(condition, 0, sizeof *condition);
    if (attributes)
        condition->orrery_state.orrery_clock = attributes->orrery_settings & 15;
    return 0;
}

/* -- read-write locks, barriers, spin locks ----------------------------------------------------- */

RECORD(pthread_rwlockattr)
ATTRIBUTE(pthread_rwlockattr, pshared, int, orrery_shared, value<0 || value> 1)
ATTRIBUTE(pthread_rwlockattr, kind_np, int, orrery_kind, value<0 || value> 2)

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    memset(lock, 0, sizeof *lock);
    if (attributes)
        lock->orrery_state.orrery_kind = attributes->orrery_kind;
    return 0;
}

RECORD(pthread_barrierattr)
ATTRIBUTE(pthread_barrierattr, pshared, int, orrery_shared, value<0 || value> 1)

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

/* -- threads ----------------------------------------------------------------------------------- */

enum { STACK = 8 << 20, GUARD = 4096 };

static pthread_attr_t usual;

int __orrery_usual_attributes(pthread_attr_t *attributes)
{
    if (!usual.orrery_state.orrery_stack_size)
        pthread_attr_init(&usual);
    *attributes = usual;
    return 0;
}

int pthread_attr_init(pthread_attr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->orrery_state.orrery_stack_size = STACK;
    attributes->orrery_state.orrery_guard_size = GUARD;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    free(attributes->orrery_state.orrery_set);
    attributes->orrery_state.orrery_set = 0;
    return 0;
}

/* Copies attributes, with a set of processors of their own. */
static int copy(pthread_attr_t *to, const pthread_attr_t *from)
{
    *to = *from;
    to->orrery_state.orrery_set = 0;
    return from->orrery_state.orrery_set
               ? pthread_attr_setaffinity_np(to, from->orrery_state.orrery_set_bytes, from->orrery_state.orrery_set)
               : 0;
}

int pthread_getattr_default_np(pthread_attr_t *attributes)
{
    pthread_attr_t shared;
    __orrery_usual_attributes(&shared);
    return copy(attributes, &shared);
}

int pthread_setattr_default_np(const pthread_attr_t *attributes)
{
    if (attributes->orrery_state.orrery_stack || attributes->orrery_state.orrery_detached)
        return EINVAL;
    pthread_attr_t now;
    int error = copy(&now, attributes);
    if (error)
        return error;
    pthread_attr_destroy(&usual);
    usual = now;
    if (!usual.orrery_state.orrery_stack_size)
        usual.orrery_state.orrery_stack_size = STACK;
    return 0;
}

ATTRIBUTE(pthread_attr, guardsize, size_t, orrery_state.orrery_guard_size, 0)

#define SMALL_ATTRIBUTE(field, member, wrong)                                                                          \
    int pthread_attr_get##field(const pthread_attr_t *attributes, int *value)                                          \
    {                                                                                                                  \
        *value = attributes->orrery_state.member;                                                                      \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int pthread_attr_set##field(pthread_attr_t *attributes, int value)                                                 \
    {                                                                                                                  \
        if (wrong)                                                                                                     \
            return EINVAL;                                                                                             \
        attributes->orrery_state.member = (char)value;                                                                 \
        return 0;                                                                                                      \
    }

SMALL_ATTRIBUTE(detachstate, orrery_detached, value<0 || value> 1)
SMALL_ATTRIBUTE(inheritsched, orrery_inherit, value<0 || value> 1)
SMALL_ATTRIBUTE(schedpolicy, orrery_policy, value<0 || value> 2)

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size)
{
    *size = attributes->orrery_state.orrery_stack_size;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    if (size < PTHREAD_STACK_MIN)
        return EINVAL;
    attributes->orrery_state.orrery_stack_size = size;
    attributes->orrery_state.orrery_sized = 1;
    return 0;
}

int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope)
{
    (void)attributes;
    *scope = PTHREAD_SCOPE_SYSTEM;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
    (void)attributes;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters)
{
    parameters->sched_priority = attributes->orrery_state.orrery_priority;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters)
{
    int policy = attributes->orrery_state.orrery_policy, priority = parameters->sched_priority;
    if (priority < sched_get_priority_min(policy) || priority > sched_get_priority_max(policy))
        return EINVAL;
    attributes->orrery_state.orrery_priority = priority;
    return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size)
{
    *stack = attributes->orrery_state.orrery_stack;
    *size = attributes->orrery_state.orrery_stack_size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t size)
{
    if (size < PTHREAD_STACK_MIN)
        return EINVAL;
    attributes->orrery_state.orrery_stack = stack;
    return pthread_attr_setstacksize(attributes, size);
}

int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **stack)
{
    *stack = (char *)attributes->orrery_state.orrery_stack + attributes->orrery_state.orrery_stack_size;
    return 0;
}

int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *stack)
{
    attributes->orrery_state.orrery_stack = (char *)stack - attributes->orrery_state.orrery_stack_size;
    attributes->orrery_state.orrery_sized = 1;
    return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set)
{
    void *copy = size ? malloc(size) : 0;
    if (size && !copy)
        return ENOMEM;
    if (size)
        memcpy(copy, set, size);
    free(attributes->orrery_state.orrery_set);
    attributes->orrery_state.orrery_set = copy;
    attributes->orrery_state.orrery_set_bytes = size;
    return 0;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t size, cpu_set_t *set)
{
    size_t there = attributes->orrery_state.orrery_set_bytes;
    memset(set, attributes->orrery_state.orrery_set ? 0 : 255, size);
    if (attributes->orrery_state.orrery_set)
        memcpy(set, attributes->orrery_state.orrery_set, there < size ? there : size);
    return 0;
}

int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask)
{
    attributes->orrery_state.orrery_mask = mask ? *mask | 1UL << (SIGKILL - 1) : 0;
    return 0;
}

int pthread_attr_getsigmask_np(const pthread_attr_t *attributes, sigset_t *mask)
{
    *mask = attributes->orrery_state.orrery_mask & ~(1UL << (SIGKILL - 1));
    return attributes->orrery_state.orrery_mask ? 0 : PTHREAD_ATTR_NO_SIGMASK_NP;
}
