/* errno, signals that a process raises itself, setjmp (C11 7.5, 7.13, 7.14). */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf place;
static volatile sig_atomic_t caught;

static void handler(int number)
{
    caught = number;
}

static void deep(int level)
{
    if (level == 0)
        longjmp(place, 7);
    deep(level - 1);
}

static void on_abort(int number)
{
    printf("abort caught %d\n", number == SIGABRT);
    longjmp(place, 1);
}

int main(void)
{
    volatile int tries = 0;
    int value = setjmp(place);
    printf("setjmp gives %d\n", value);
    if (tries++ == 0)
        deep(10);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    printf("%d\n", caught == SIGUSR1);
    signal(SIGTERM, SIG_IGN);
    printf("%d\n", raise(SIGTERM));
    errno = 0;
    FILE *file = fopen("/nonexistent/file", "r");
    printf("%d %d\n", file == NULL, errno != 0);
    signal(SIGABRT, on_abort);
    if (setjmp(place) == 0)
        abort();
    printf("done\n");
    return 0;
}
