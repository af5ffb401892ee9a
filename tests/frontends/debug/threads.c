#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int go, sum;
static _Thread_local int mine = 7;

static int add(int x)
{
    int before = sum;
    mine += x;
    pthread_mutex_lock(&m);
    sum = before + x;
    pthread_mutex_unlock(&m);
    return sum;
}

static void *worker(void *argument)
{
    int number = (int)(long)argument;
    pthread_setname_np(pthread_self(), number == 1 ? "one" : "two");
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    add(number);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
    mine = 3;
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", sum, mine);
    return 0;
}
