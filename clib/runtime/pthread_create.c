/* pthread_create.c - making threads. A file of its own: a program without it has one thread, and the simulator knows.
 */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <stdlib.h>

/* A stack whose size nobody has asked for has the one that the simulator finds right (0). */
static unsigned long begin(struct thread *thread, unsigned flags)
{
    unsigned long bytes =
        thread->attributes.orrery_state.orrery_sized ? thread->attributes.orrery_state.orrery_stack_size : 0;
    return __orrery_thread_create_on(__orrery_thread_main, thread, bytes, flags, thread,
                                     thread->attributes.orrery_state.orrery_stack);
}

/* Whether there are none of the processors in a set. */
static int cannot_run(const unsigned char *set, unsigned long bytes)
{
    unsigned long there_are = __orrery_processors();
    for (unsigned long i = 0; i < bytes * 8 && i < there_are; i++)
        if (set[i / 8] >> i % 8 & 1)
            return 0;
    return 1;
}

int pthread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return EAGAIN;
    if (attributes)
        thread->attributes = *attributes;
    else
        __orrery_usual_attributes(&thread->attributes);
    thread->start = start;
    thread->argument = argument;
    int explicit = thread->attributes.orrery_state.orrery_inherit == PTHREAD_EXPLICIT_SCHED;
    int policy = thread->attributes.orrery_state.orrery_policy;
    int priority = thread->attributes.orrery_state.orrery_priority;
    if (explicit && (priority < sched_get_priority_min(policy) || priority > sched_get_priority_max(policy))) {
        free(thread);
        return EINVAL;
    }
    __orrery_thread_attend();
    int detached = thread->attributes.orrery_state.orrery_detached == PTHREAD_CREATE_DETACHED;
    void *set = thread->attributes.orrery_state.orrery_set;
    unsigned long set_bytes = thread->attributes.orrery_state.orrery_set_bytes;
    thread->stack_top = 0; /* until it runs */
    unsigned long id = begin(thread, detached ? __ORRERY_THREAD_DETACHED : 0);
    if (!id) {
        free(thread);
        return set && cannot_run(set, set_bytes) ? EINVAL : EAGAIN;
    }
    *made = id;
    if (explicit)
        __orrery_thread_schedule(id, policy, priority);
    if (set)
        __orrery_thread_bind(id, set, set_bytes / sizeof(unsigned long));
    return 0;
}
