/* semaphore.h - POSIX; a simulated rank has one thread, so a call of the functions ends the run */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <orrery_timespec.h>

typedef struct {
    int orrery_value;
} sem_t;
#define SEM_FAILED    ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647

int sem_close(sem_t *semaphore);
int sem_destroy(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);
int sem_init(sem_t *semaphore, int shared, unsigned value);
sem_t *sem_open(const char *name, int flags, ...);
int sem_post(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *until);
int sem_trywait(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);

#endif
