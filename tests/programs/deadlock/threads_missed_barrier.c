/* A barrier for three threads, of which there are two. */
#include <pthread.h>

static pthread_barrier_t all;

static void *other(void *argument)
{
    pthread_barrier_wait(&all);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&all, 0, 3);
    pthread_create(&thread, 0, other, 0);
    pthread_barrier_wait(&all);
    return 0;
}
