/* Cancellation: at cancellation points and at any time, put off, with clean-up handlers and destructors of keys. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static sem_t started, nothing;
static int cleaned, destroyed;

static void clean(void *by)
{
    cleaned += *(int *)by;
}

static void unlock(void *locked)
{
    pthread_mutex_unlock(locked);
    cleaned += 100;
}

static void destroy(void *value)
{
    if (++destroyed < 3)
        pthread_setspecific(key, value);
}

static void *waits_for_condition(void *argument)
{
    pthread_setspecific(key, &cleaned);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    sem_post(&started);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    return argument;
}

static void *waits_for_semaphore(void *argument)
{
    int one = 1;
    pthread_cleanup_push(clean, &one);
    sem_post(&started);
    sem_wait(&nothing);
    pthread_cleanup_pop(0);
    return argument;
}

static void *sleeps(void *argument)
{
    int ten = 10;
    pthread_cleanup_push(clean, &ten);
    sem_post(&started);
    sleep(1000);
    pthread_cleanup_pop(0);
    return argument;
}

static void *joins(void *thread)
{
    sem_post(&started);
    pthread_join(*(pthread_t *)thread, 0);
    return 0;
}

static void *puts_off(void *argument)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    sem_post(&started);
    usleep(100000);
    pthread_testcancel();
    cleaned += 1000;
    pthread_setcancelstate(old, 0);
    pthread_testcancel();
    cleaned += 10000;
    return argument;
}

static void *spins(void *argument)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    sem_post(&started);
    for (;;)
        sched_yield();
    return argument;
}

static void cancel(const char *what, void *(*function)(void *), void *argument)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, function, argument);
    sem_wait(&started);
    usleep(1000);
    int cancelled = pthread_cancel(thread), joined = pthread_join(thread, &result);
    printf("%s: %d %d %d, cleaned %d, destroyed %d\n", what, cancelled, joined, result == PTHREAD_CANCELED, cleaned,
           destroyed);
}

int main(void)
{
    pthread_t self = pthread_self();
    pthread_key_create(&key, destroy);
    sem_init(&started, 0, 0);
    sem_init(&nothing, 0, 0);
    cancel("condition", waits_for_condition, 0);
    printf("the mutex is free: %d\n", pthread_mutex_trylock(&mutex) == 0);
    cancel("semaphore", waits_for_semaphore, 0);
    cancel("sleep", sleeps, 0);
    cancel("join", joins, &self);
    cancel("put off", puts_off, 0);
    cancel("any time", spins, 0);
    return 0;
}
