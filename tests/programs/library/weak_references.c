/* Weak references to what is not there are null and link; to what is there they are it. */
#include <stdio.h>
#include <sys/types.h>

#pragma weak popen
extern pid_t fork(void) __attribute__((weak));
extern int puts(const char *) __attribute__((weak));

int main(void)
{
    if (popen)
        popen("ls", "r");
    if (fork)
        fork();
    printf("%d %d %d\n", popen != NULL, fork != NULL, puts != NULL);
    return 0;
}
