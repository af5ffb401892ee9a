/* The last trip of a counted loop reads one element too many, behind the end of memory: all trips before have counted. */
#include <stdio.h>
#include <stdlib.h>

static long sum(const long *values, long n)
{
    long total = 0;
    for (long i = 0; i <= n; i++)
        total += values[i];
    return total;
}

int main(void)
{
    char *block = malloc(20 * 4096 - 32); /* with its header and the mark behind it: 20 pages, the end of memory */
    long *values = (long *)(block + 20 * 4096 - 16) - 512;
    for (long i = 0; i < 510; i++)
        values[i] = i;
    printf("%ld\n", sum(values, 509));
    fflush(stdout);
    printf("%d\n", sum(values, 511) > 0);
    fflush(stdout);
    printf("%ld\n", sum(values, 512));
}
