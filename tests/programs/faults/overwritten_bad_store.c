/* A store that a later one overwrites may go, but not its fault: what the program prints after it must not come out,
 * nor may a division that comes later fault in its place. */
#include <stdio.h>

static int store_twice(int *to, int value, int divisor)
{
    *to = value;
    value /= divisor;
    *to = value;
    return value;
}

int main(int argc, char **argv)
{
    (void)argv;
    int *nowhere = argc > 5 ? &argc : NULL;
    printf("before\n");
    fflush(stdout);
    int quotient = store_twice(nowhere, 6, argc - 1);
    printf("after %d\n", quotient);
    *nowhere = 1;
    *nowhere = 2;
    return 0;
}
