/* Threads that compute are cancelled and get signals; streams have locks; library functions are cancellation points. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long turns;
static volatile int seen;
static pthread_key_t key;

static void say(void *text)
{
    printf("clean-up: %s\n", (char *)text);
}

static void destroy(void *text)
{
    printf("destructor: %s\n", (char *)text);
}

static void *computes(void *argument)
{
    (void)argument;
    pthread_setspecific(key, "after the handlers");
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    pthread_cleanup_push(say, "outer");
    pthread_cleanup_push(say, "inner");
    for (;;)
        turns++;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

static void *deferred(void *argument)
{
    int *done = argument;
    for (int i = 0; i < 100000; i++)
        turns++;
    *done = 1;
    pthread_testcancel();
    *done = 2;
    return 0;
}

static void handler(int number)
{
    seen = number;
}

static void *until_seen(void *argument)
{
    (void)argument;
    while (!seen)
        turns++;
    return (void *)(long)seen;
}

static void *keeps_stream(void *argument)
{
    (void)argument;
    flockfile(stdout);
    flockfile(stdout);
    printf("one ");
    usleep(100);
    funlockfile(stdout);
    printf("line ");
    usleep(100);
    puts("of one thread");
    funlockfile(stdout);
    return 0;
}

static void *prints(void *argument)
{
    usleep(50);
    printf("try: %d\n", ftrylockfile(stderr));
    funlockfile(stderr);
    printf("another: %s\n", (char *)argument);
    return 0;
}

static void *writes(void *argument)
{
    int descriptor = *(int *)argument;
    for (;;)
        write(descriptor, "", 0);
    return 0;
}

static void *sleeps(void *argument)
{
    (void)argument;
    for (;;)
        nanosleep(&(struct timespec){1000, 0}, 0);
    return 0;
}

static long run(void *(*start)(void *), void *argument, void (*disturb)(pthread_t), long *ns)
{
    pthread_t thread;
    struct timespec before, after;
    void *result;
    pthread_create(&thread, 0, start, argument);
    usleep(40);
    clock_gettime(CLOCK_MONOTONIC, &before);
    disturb(thread);
    pthread_join(thread, &result);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (ns)
        *ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    return (long)result;
}

static void cancel(pthread_t thread)
{
    pthread_cancel(thread);
}

static void kill_it(pthread_t thread)
{
    pthread_kill(thread, SIGUSR1);
}

int main(void)
{
    long ns;
    int done = 0;
    pthread_key_create(&key, destroy);
    long result = run(computes, 0, cancel, &ns);
    printf("a thread that computes: %ld, within 20 us: %d\n", result, ns < 20000);
    result = run(deferred, &done, cancel, 0);
    printf("at its next point: %ld, done %d\n", result, done);
    signal(SIGUSR1, handler);
    result = run(until_seen, 0, kill_it, &ns);
    printf("a signal: %ld, within 20 us: %d\n", result, ns < 20000);
    pthread_t keeper, other;
    pthread_create(&keeper, 0, keeps_stream, 0);
    pthread_create(&other, 0, prints, "when the lock is free");
    pthread_join(keeper, 0);
    pthread_join(other, 0);
    int descriptor = STDERR_FILENO;
    printf("write(): %ld\n", run(writes, &descriptor, cancel, 0));
    printf("nanosleep(): %ld\n", run(sleeps, 0, cancel, 0));
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    pthread_cancel(pthread_self());
    puts("not yet");
    fflush(stdout);
    pthread_cleanup_push(say, "of main, whose thread is the last one");
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return 1;
}
