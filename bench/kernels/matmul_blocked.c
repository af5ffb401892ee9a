/* matmul_blocked.c - dense matrix product by blocks that fit the first-level cache. The innermost loop runs along rows,
 * with stride one and no dependence between iterations. The side of a block is a constant, so gcc -O2 vectorises it.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 512, BLOCK = 32 };
static double a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];

static void multiply_block(int i0, int j0, int k0)
{
    for (int i = i0; i < i0 + BLOCK; i++)
        for (int k = k0; k < k0 + BLOCK; k++) {
            double factor = a[i][k];
            const double *from = &b[k][j0];
            double *to = &c[i][j0];
            for (int j = 0; j < BLOCK; j++)
                to[j] += factor * from[j];
        }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 24, n = argc > 2 ? atoi(argv[2]) : 320;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = (i + j) % 7;
            b[i][j] = (3 * i + j) % 5;
        }
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < n; i += BLOCK)
            for (int k = 0; k < n; k += BLOCK)
                for (int j = 0; j < n; j += BLOCK)
                    multiply_block(i, j, k);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += c[i][(i * 3) % n];
    printf("%.0f\n", sum);
    return 0;
}
