/* cache_blocking.c - three ways through a matrix product, and what caches make of them.
 *
 * All three do the same multiplications. The first walks down the columns of B, so that each access is to another
 * line; the second has the two inner loops exchanged and walks along rows; the third does small blocks, which stay in
 * the cache while they are used. Times go to standard error.
 *
 * Run:      orrery run --stats --set memory.model=hierarchy --set L1-size='4 KiB' samples/cache_blocking.c
 * Look at:  the misses of L1, and the three times. Without memory.model=hierarchy all accesses cost the same.
 * Change:   BLOCK, or the size, the line and the ways of L1: when do the blocks no longer fit?
 */
#include <mpi.h>
#include <stdio.h>

enum { N = 48, BLOCK = 8 };

static double a[N][N], b[N][N], c[N][N];

static void by_columns(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
}

static void by_rows(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                c[i][j] += a[i][k] * b[k][j];
}

static void by_blocks(void)
{
    for (int kk = 0; kk < N; kk += BLOCK)
        for (int jj = 0; jj < N; jj += BLOCK)
            for (int i = 0; i < N; i++)
                for (int k = kk; k < kk + BLOCK; k++)
                    for (int j = jj; j < jj + BLOCK; j++)
                        c[i][j] += a[i][k] * b[k][j];
}

static void measure(const char *name, void (*product)(void))
{
    double trace = 0.0, start;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = 0.0;
    start = MPI_Wtime();
    product();
    fprintf(stderr, "%-10s %9.3f us\n", name, (MPI_Wtime() - start) * 1e6);
    for (int i = 0; i < N; i++)
        trace += c[i][i];
    printf("%-10s trace %.0f\n", name, trace);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i + 2 * j;
        }
    measure("by columns", by_columns);
    measure("by rows", by_rows);
    measure("by blocks", by_blocks);
    MPI_Finalize();
    return 0;
}
