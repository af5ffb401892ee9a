/* On a clock so slow that a cycle is as long as a turn of a thread, compare and exchange is still one operation: each
 * value is taken by one thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, TURNS = 40 };

static _Atomic int next;
static _Atomic long sum;
static _Atomic short narrow;
static int taken[THREADS * TURNS];

static void *run(void *argument)
{
    for (int i = 0; i < TURNS; i++) {
        int old = atomic_load(&next);
        while (!atomic_compare_exchange_strong(&next, &old, old + 1))
            ;
        taken[old]++;
        long before = sum;
        while (!atomic_compare_exchange_weak(&sum, &before, before + 3))
            ;
        narrow += 2;
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    int wrong = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS * TURNS; i++)
        wrong += taken[i] != 1;
    printf("%d %ld %d, %d wrong\n", next, sum, narrow, wrong);
    return 0;
}
