/* sudoku.c - solves a sudoku by trying: recursion, and many short loops with division and an end in the middle.
 */
#include <stdio.h>
#include <stdlib.h>

static int grid[9][9];
static long nodes;

static int ok(int r, int c, int v)
{
    for (int i = 0; i < 9; i++)
        if (grid[r][i] == v || grid[i][c] == v)
            return 0;
    int r0 = r / 3 * 3, c0 = c / 3 * 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (grid[r0 + i][c0 + j] == v)
                return 0;
    return 1;
}

static int solve(int at)
{
    nodes++;
    while (at < 81 && grid[at / 9][at % 9])
        at++;
    if (at == 81)
        return 1;
    int r = at / 9, c = at % 9;
    for (int v = 1; v <= 9; v++)
        if (ok(r, c, v)) {
            grid[r][c] = v;
            if (solve(at + 1))
                return 1;
            grid[r][c] = 0;
        }
    return 0;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 90;
    const char *p[] = {"..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
                       "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."};
    for (int k = 1; k < 2; k++)
        for (int rep = 0; rep < turns; rep++) {
            for (int i = 0; i < 81; i++)
                grid[i / 9][i % 9] = p[k][i] == '.' ? 0 : p[k][i] - '0';
            solve(0);
        }
    for (int i = 0; i < 81; i++)
        putchar('0' + grid[i / 9][i % 9]);
    printf(" %ld\n", nodes);
    return 0;
}
