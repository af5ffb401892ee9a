/* affinity.c - binding threads to processors. A file of its own: of a program without it the simulator knows that no
 * rank takes the core of another. */
#define _GNU_SOURCE
#include "threads_abi.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    return __orrery_thread_bind(thread, (const unsigned long *)set, size / sizeof(__cpu_mask));
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    int error = process == 0 || process == getpid()
                    ? __orrery_thread_bind(0, (const unsigned long *)set, size / sizeof(__cpu_mask))
                    : ESRCH;
    if (error)
        errno = error;
    return error ? -1 : 0;
}
