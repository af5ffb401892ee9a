/* Recursion until the stack is full, from inside a loop; each frame has memory. */
#include <stdio.h>

static volatile long deepest;

static long sink(long depth, long *above)
{
    long frame[64];
    deepest = depth;
    for (int i = 0; i < 64; i++)
        frame[i] = above[63 - i] + depth;
    return sink(depth + 1, frame) + frame[(unsigned long)depth % 64];
}

int main(void)
{
    long frame[64] = {1, 2, 3};
    for (int i = 0; i < 1000; i++)
        frame[i % 64] += i;
    printf("%ld\n", frame[5]);
    fflush(stdout);
    printf("%ld\n", sink(0, frame));
}
