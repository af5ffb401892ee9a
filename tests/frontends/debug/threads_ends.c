/* Threads that end while the debugger steps them: by return, exit, cancellation. */
#include <pthread.h>
#include <stdio.h>

static void *leaves(void *argument)
{
    pthread_exit(argument);
}

static void *cancelled(void *argument)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    return argument;
}

static void cleaned(void *argument)
{
    printf("%s\n", (const char *)argument);
}

static void *cleans(void *argument)
{
    pthread_cleanup_push(cleaned, "cleaned");
    cancelled(argument);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, leaves, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, cleans, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return *(volatile int *)0;
}
