/* seidel.c - relaxation in place: each point needs the one computed just before, so nothing can run in parallel. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 300 };
static float grid[MOST][MOST];

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : 400, n = argc > 2 ? atoi(argv[2]) : MOST;
    for (int i = 0; i < n; i++)
        grid[i][0] = grid[0][i] = (float)(i % 9);
    for (int s = 0; s < sweeps; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float around = grid[i - 1][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i + 1][j];
                grid[i][j] += 1.5f * (0.25f * around - grid[i][j]);
            }
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += grid[i][j];
    printf("%.4f\n", sum);
    return 0;
}
