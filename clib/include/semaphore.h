/* semaphore.h - POSIX semaphores between the threads of a rank; named ones are the rank's own */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <orrery_features.h>
#include <orrery_timespec.h>

typedef union {
    struct {
        unsigned orrery_value;
        int orrery_shared, orrery_kind;
        unsigned orrery_waiters;
    } orrery_state;
    char orrery_size[32];
    long orrery_align;
} sem_t;
#define SEM_FAILED    ((sem_t *)0)
#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 2147483647
#endif

int sem_close(sem_t *semaphore);
int sem_destroy(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);
int sem_init(sem_t *semaphore, int shared, unsigned value);
sem_t *sem_open(const char *name, int flags, ...);
int sem_post(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *until);
int sem_clockwait(sem_t *semaphore, int clock, const struct timespec *until);
int sem_trywait(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);

#endif
