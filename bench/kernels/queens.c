/* queens.c - ways to place queens that do not attack each other: recursion with loops and arrays of flags. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 14 };
static char column[MOST], rising[2 * MOST], falling[2 * MOST];

static int place(int row, int n)
{
    if (row == n)
        return 1;
    int ways = 0;
    for (int c = 0; c < n; c++) {
        if (column[c] || rising[row + c] || falling[row - c + n])
            continue;
        column[c] = rising[row + c] = falling[row - c + n] = 1;
        ways += place(row + 1, n);
        column[c] = rising[row + c] = falling[row - c + n] = 0;
    }
    return ways;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 13;
    printf("%d %d\n", place(0, n), place(0, n - 1));
    return 0;
}
