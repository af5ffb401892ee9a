/* ackermann.c - Ackermann's function: recursion thousands of calls deep; the result of a call is the argument of the
 * next.
 */
#include <stdio.h>
#include <stdlib.h>

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 400, n = argc > 2 ? atoi(argv[2]) : 8, sum = 0;
    for (int turn = 0; turn < turns; turn++)
        sum += ackermann(3, n - turn % 2);
    printf("%d\n", sum);
    return 0;
}
