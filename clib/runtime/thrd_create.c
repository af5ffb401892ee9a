/* thrd_create.c - making C11 threads (7.26.5.1); a file of its own for the reason that pthread_create.c is. */
#include <errno.h>
#include <threads.h>

/* A thread's function returns an int, which travels as a pointer. */
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    union {
        thrd_start_t plain;
        void *(*posix)(void *);
    } function = {start};
    int error = pthread_create(thread, 0, function.posix, argument);
    return error == 0 ? thrd_success : error == EAGAIN ? thrd_nomem : thrd_error;
}
