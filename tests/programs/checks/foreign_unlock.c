/* A thread unlocks what main() has locked, and a mutex is destroyed that is locked. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *argument)
{
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    printf("%d\n", pthread_mutex_destroy(&mutex) == EBUSY);
    return 0;
}
