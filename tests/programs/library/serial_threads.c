/* What POSIX threads offer a process that never starts one: mutexes of all types, once, keys, attributes, locks. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma weak pthread_create

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int calls;

static void once(void)
{
    calls++;
}

static void goodbye(void *value)
{
    printf("destructor %d\n", *(int *)value);
}

int main(void)
{
    pthread_mutexattr_t type;
    pthread_mutex_t recursive, checking;
    printf("%d ", pthread_mutex_lock(&mutex));
    printf("%d ", pthread_mutex_trylock(&mutex) == EBUSY);
    printf("%d ", pthread_mutex_unlock(&mutex));
    printf("%d\n", pthread_mutex_destroy(&mutex));
    pthread_mutexattr_init(&type);
    pthread_mutexattr_settype(&type, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &type);
    pthread_mutexattr_settype(&type, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &type);
    printf("%d ", pthread_mutex_lock(&recursive));
    printf("%d ", pthread_mutex_lock(&recursive));
    printf("%d ", pthread_mutex_unlock(&recursive));
    printf("%d ", pthread_mutex_unlock(&recursive));
    printf("%d ", pthread_mutex_lock(&checking));
    printf("%d ", pthread_mutex_lock(&checking) == EDEADLK);
    printf("%d ", pthread_mutex_unlock(&checking));
    printf("%d\n", pthread_mutex_unlock(&checking) == EPERM);
    pthread_once(&control, once);
    pthread_once(&control, once);
    printf("%d ", calls);
    printf("%d ", pthread_equal(pthread_self(), pthread_self()) != 0);
    printf("%d\n", pthread_mutexattr_destroy(&type));
    pthread_key_t key;
    static int value = 5;
    printf("%d ", pthread_key_create(&key, goodbye));
    printf("%d ", pthread_getspecific(key) == NULL);
    printf("%d ", pthread_setspecific(key, &value));
    printf("%d\n", *(int *)pthread_getspecific(key));
    pthread_attr_t attributes;
    int state;
    size_t size;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    pthread_attr_getstacksize(&attributes, &size);
    printf("%d %zu %d\n", state, size, pthread_attr_destroy(&attributes));
    printf("%d ", pthread_rwlock_rdlock(&lock));
    printf("%d ", pthread_rwlock_tryrdlock(&lock));
    printf("%d ", pthread_rwlock_unlock(&lock));
    printf("%d ", pthread_rwlock_unlock(&lock));
    printf("%d ", pthread_rwlock_wrlock(&lock));
    printf("%d ", pthread_rwlock_tryrdlock(&lock) == EBUSY);
    printf("%d\n", pthread_rwlock_unlock(&lock));
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    printf("%d ", pthread_cond_signal(&condition));
    printf("%d ", pthread_cond_broadcast(&condition));
    printf("%d\n", pthread_cond_timedwait(&condition, &mutex, &soon) == ETIMEDOUT);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 1);
    printf("%d\n", pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_spinlock_t spin;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    printf("%d ", pthread_spin_lock(&spin));
    printf("%d ", pthread_spin_trylock(&spin) == EBUSY);
    printf("%d\n", pthread_spin_unlock(&spin));
    pthread_cleanup_push(goodbye, &value);
    printf("inside\n");
    pthread_cleanup_pop(1);
    pthread_exit(NULL);
}
