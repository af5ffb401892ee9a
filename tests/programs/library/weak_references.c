/* Weak references to what is not there are null and link; to what is there they are it. */
#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>

#pragma weak pthread_create
extern pid_t fork(void) __attribute__((weak));
extern int puts(const char *) __attribute__((weak));

int main(void)
{
    pthread_t thread;
    if (pthread_create)
        pthread_create(&thread, NULL, NULL, NULL);
    if (fork)
        fork();
    printf("%d %d %d\n", pthread_create != NULL, fork != NULL, puts != NULL);
    return 0;
}
