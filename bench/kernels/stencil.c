/* stencil.c - Jacobi iteration on a grid: neighbouring loads, additions. The size may come from the command line, so
 * that a compiler cannot specialise the loops for one size.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 400 };
static double grid[2][MOST][MOST];

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 2500, n = argc > 2 ? atoi(argv[2]) : MOST;
    for (int i = 0; i < n; i++)
        grid[0][i][0] = grid[1][i][0] = 1.0;
    for (int s = 0; s < steps; s++) {
        double(*from)[MOST] = grid[s % 2], (*to)[MOST] = grid[1 - s % 2];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += grid[0][i][j];
    printf("%.9f\n", sum);
    return 0;
}
