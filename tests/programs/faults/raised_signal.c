/* C11 7.14.1.1 (3): a signal whose action is the default may end the program; POSIX: the shell then sees 128 + signal. */
#include <signal.h>
#include <stdio.h>

int main(void)
{
    printf("before\n");
    raise(SIGTERM);
    printf("not reached\n");
    return 0;
}
