/* An access of 8 bytes of which 4 lie behind the end of memory is wild as a whole: nothing of it is written. */
#include <stdio.h>
#include <stdlib.h>

static void fill(char *from)
{
    for (int i = 0; i < 1000; i++)
        *(long *)(from + 8L * i) = i;
}

int main(void)
{
    char *block = malloc(20 * 4096 - 32); /* with its header and the mark behind it: 20 pages, the end of memory */
    char *end = block + 20 * 4096 - 16;
    fill(end - 8016);
    printf("%ld\n", *(long *)(end - 24));
    fflush(stdout);
    fill(end - 8000 + 4);
}
