/* A loop that would run for ever is stopped at --max-time, at the same virtual time in every tier. */
#include <stdio.h>

int main(void)
{
    unsigned long n = 1;
    printf("started\n");
    fflush(stdout);
    for (;;)
        n = n * 3 + (n >> 7);
}
