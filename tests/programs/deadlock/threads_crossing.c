/* Two threads lock two mutexes in different orders, and both have the first. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *argument)
{
    pthread_mutex_lock(&b);
    usleep(1000);
    pthread_mutex_lock(&a);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a);
    usleep(1000);
    pthread_mutex_lock(&b);
    return 0;
}
