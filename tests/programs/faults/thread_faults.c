/* A fault names its thread, and says what the others of the rank do. */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *volatile nothing;

static void *waits(void *argument)
{
    pthread_mutex_lock(&mutex);
    return argument;
}

static void *writes(void *argument)
{
    pthread_setname_np(pthread_self(), "writer");
    usleep(100);
    *nothing = 1;
    return argument;
}

static void *sleeps(void *argument)
{
    usleep(1000000);
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, writes, NULL);
    pthread_create(&threads[2], NULL, sleeps, NULL);
    for (volatile long i = 0;; i++)
        ;
}
