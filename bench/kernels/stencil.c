/* stencil.c - Jacobi iteration on a grid: neighbouring loads, additions. */
#include <stdio.h>

enum { N = 400, STEPS = 200 };
static double grid[2][N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        grid[0][i][0] = grid[1][i][0] = 1.0;
    for (int s = 0; s < STEPS; s++) {
        double(*from)[N] = grid[s % 2], (*to)[N] = grid[1 - s % 2];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += grid[0][i][j];
    printf("%.9f\n", sum);
    return 0;
}
