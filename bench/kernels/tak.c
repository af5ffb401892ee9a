/* tak.c - Takeuchi's function: calls with three arguments, three calls to find the arguments of the fourth. */
#include <stdio.h>
#include <stdlib.h>

static int tak(int x, int y, int z)
{
    return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 500, sum = 0;
    for (int turn = 0; turn < turns; turn++)
        sum += tak(20 + turn % 2, 13, 6);
    printf("%d\n", sum);
    return 0;
}
