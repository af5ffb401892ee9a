/* Seven threads on two cores take turns: they compute four times as long as two would. Whatever they wait by, plain
 * variables, yields, sleeps, locks, conditions, barriers, what comes out and when is the same in every quantum and tier.
 * Threads that are bound to one core share that, and those who wait there let others have it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 7, WORDS = 64 };

static volatile int flags[4], token;
static int words[WORDS], shared;
static _Atomic int started;
static unsigned traces[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static long now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void work(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

static unsigned race(int number, int turns)
{
    unsigned hash = (unsigned)number;
    for (int i = 0; i < turns; i++) {
        int j = (i * 7 + number) % WORDS;
        words[j] = (words[(j + 11) % WORDS] & 0xffff) * 3 + number;
        hash = hash * 31 + (unsigned)words[(j + 5) % WORDS];
    }
    return hash;
}

static void *run(void *argument)
{
    int number = (int)(long)argument;
    unsigned hash = race(number, 300 * (number + 1)), turns = 0;
    atomic_fetch_add(&started, 1);
    if (number == 2) {
        work(20000);
        flags[0] = 1;
    }
    while (!flags[0]) /* it burns its slices */
        turns++;
    hash = hash * 31 + turns;
    for (int round = 0; round < 3; round++) {
        while (token != number + round * THREADS)
            sched_yield();
        work(100 * number);
        token++;
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        shared = shared * 3 + number;
        work(300);
        pthread_mutex_unlock(&lock);
    }
    if (number == 5) {
        usleep(30);
        pthread_mutex_lock(&lock);
        flags[1] = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    } else {
        pthread_mutex_lock(&lock);
        while (!flags[1])
            pthread_cond_wait(&changed, &lock);
        hash = hash * 31 + (unsigned)shared++;
        pthread_mutex_unlock(&lock);
    }
    turns = 0;
    if (number == 1) {
        work(3000);
        flags[2] = 1;
    }
    for (; !flags[2]; turns++)
        usleep(7);
    traces[number] = hash * 31 + turns;
    return NULL;
}

static void *compute(void *argument)
{
    cpu_set_t set;
    long own = (long)argument, wrong = 0;
    if (own >= 0) {
        CPU_ZERO(&set);
        CPU_SET((size_t)own, &set);
        pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    }
    for (int i = 0; i < 10; i++) {
        work(30000);
        wrong += own >= 0 && sched_getcpu() != own;
    }
    return (void *)wrong;
}

static long compute_all(int n, long core)
{
    pthread_t threads[THREADS];
    long begin = now_us(), wrong = 0;
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, compute, (void *)core);
    for (int i = 0; i < n; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    return wrong ? -wrong : now_us() - begin;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned hash = 0;
    cpu_set_t set;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        hash = hash * 31 + traces[i];
    printf("%d started, %d in turn\n", started, token);
    work((int)((hash ^ (unsigned)shared) % 10000)); /* what the races have led to shows in the time */
    long one = compute_all(1, -1), two = compute_all(2, -1), six = compute_all(6, -1), bound = compute_all(2, 1);
    printf("two as long as one: %d, six three times: %d, two on one core twice: %d\n", two < one + 30,
           six > 3 * one && six < 3 * one + 150, bound > 2 * one - 30 && bound < 2 * one + 50);
    sched_getaffinity(0, sizeof set, &set);
    printf("%d of %ld processors", CPU_COUNT(&set), sysconf(_SC_NPROCESSORS_CONF));
    CPU_CLR(0, &set);
    int failed = sched_setaffinity(0, sizeof set, &set);
    printf(", %d, on %d", failed, sched_getcpu());
    CPU_ZERO(&set);
    CPU_SET(2, &set);
    printf(", %d\n", sched_setaffinity(0, sizeof set, &set));
    return 0;
}
