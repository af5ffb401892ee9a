/* The clock that a program reads in the middle of loops and calls is exact: the same cycle in every tier. What it says
 * goes to standard error, which is the same for all quanta and tiers but not for all optimisation levels. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double __attribute__((noinline)) work(int n)
{
    double x = 1;
    for (int i = 0; i < n; i++)
        x = x * 1.0001 + 1 / (x + i);
    return x;
}

int main(int argc, char **argv)
{
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double last = MPI_Wtime(), longest = 0;
    unsigned long hash = 5381;
    for (int i = 0; i < 300; i++) {
        double now = MPI_Wtime();
        longest = now - last > longest ? now - last : longest;
        hash = hash * 33 + (unsigned long)(now * 1e12);
        n += work(i * 7 % 90) > 2;
        if (i % 3 == 0) {
            struct timespec time;
            clock_gettime(CLOCK_MONOTONIC, &time);
            hash = hash * 33 + (unsigned long)time.tv_nsec + (unsigned long)clock();
        }
        last = now;
    }
    fprintf(stderr, "%d: %lu %.12f\n", rank, hash, longest);
    printf("%d: %d\n", rank, n);
    MPI_Finalize();
}
