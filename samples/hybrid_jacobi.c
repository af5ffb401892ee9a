/* hybrid_jacobi.c - ranks times threads: the heat in a plate, by Jacobi's method, with MPI between blocks and OpenMP in
 * them.
 *
 * Each rank has a block of rows; its threads share them. Only the first thread of a rank calls MPI, between two loops
 * of the team (MPI_THREAD_FUNNELED). So the same cores can run many ranks of one thread, which exchange many rows, or
 * few ranks of many threads, which wait for each other at the end of each loop. Which is better depends on the machine.
 * The result is the same to the last bit, and the program prints a sum that shows it.
 *
 * Build:    mpicc -fopenmp hybrid_jacobi.c -o hybrid_jacobi
 * Run:      orrery run -n 4 -fopenmp --env OMP_NUM_THREADS=2 samples/hybrid_jacobi.c
 * Look at:  the time for many ranks of one thread and few of many (docs/lessons/15-ranks-and-threads.md).
 * Change:   --set threads.barrier=20us (a bad barrier), or --set node.local-latency=10us (bad messages).
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 256, STEPS = 40 };

typedef double Row[WIDTH];

/* Exchanges the outermost rows with the ranks above and below. Called by one thread. */
static void exchange(Row *plate, int rows, int above, int below)
{
    MPI_Sendrecv(plate[1], WIDTH, MPI_DOUBLE, above, 0, plate[rows + 1], WIDTH, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(plate[rows], WIDTH, MPI_DOUBLE, below, 1, plate[0], WIDTH, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void step(Row *to, Row *from, int first, int last)
{
#pragma omp for schedule(static)
    for (int i = first; i <= last; i++)
        for (int j = 1; j < WIDTH - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(int argc, char **argv)
{
    int provided, rank, size, threads = 0, height = argc > 1 ? atoi(argv[1]) : 256;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided < MPI_THREAD_FUNNELED)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int begin = height * rank / size, rows = height * (rank + 1) / size - begin;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    int first = rank > 0 ? 1 : 2, last = rank < size - 1 ? rows : rows - 1; /* the plate's edges stay as they are */
    Row *old = calloc(rows + 2, sizeof(Row)), *new = calloc(rows + 2, sizeof(Row));
    for (int i = 1; i <= rows; i++)
        old[i][0] = new[i][0] = 100.0; /* the left edge is hot */

    MPI_Barrier(MPI_COMM_WORLD);
    double time = MPI_Wtime();
#pragma omp parallel
    for (int n = 0; n < STEPS; n++) {
#pragma omp master
        {
            threads = omp_get_num_threads();
            exchange(old, rows, above, below);
        }
#pragma omp barrier
        step(new, old, first, last);
#pragma omp single
        {
            Row *swap = old;
            old = new;
            new = swap;
        }
    }
    time = MPI_Wtime() - time;

    double sum = 0.0, all[height], longest; /* a sum per row: its order does not depend on the ranks */
    double *sums = malloc(rows * sizeof *sums);
    int counts[size], places[size];
    for (int i = 0; i < rows; i++) {
        sums[i] = 0.0;
        for (int j = 0; j < WIDTH; j++)
            sums[i] += old[i + 1][j];
    }
    for (int r = 0; r < size; r++) {
        places[r] = height * r / size;
        counts[r] = height * (r + 1) / size - places[r];
    }
    MPI_Gatherv(sums, rows, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < height; i++)
            sum += all[i];
        printf("%2d ranks of %d threads: heat %.6f", size, threads, sum);
        if (argc < 3) /* a second argument, any, leaves the time out */
            printf(", %6.2f ms", 1e3 * longest);
        printf("\n");
    }
    free(sums);
    free(old);
    free(new);
    MPI_Finalize();
    return 0;
}
