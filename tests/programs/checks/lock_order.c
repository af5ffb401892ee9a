/* Two threads lock two mutexes in different orders, but never at the same time. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *other(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    sum++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    usleep(1000);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    sum++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    printf("%d\n", sum);
    return 0;
}
