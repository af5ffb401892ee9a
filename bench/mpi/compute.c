/* compute.c - a compute-bound program: relaxation of a grid by strips of rows, their edges exchanged each step.
 *
 *     compute STEPS [SIDE]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double relax(const double *from, double *to, int rows, int side)
{
    double change = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < side - 1; j++) {
            int at = i * side + j;
            to[at] = 0.25 * (from[at - side] + from[at + side] + from[at - 1] + from[at + 1]);
            double difference = to[at] - from[at];
            change += difference * difference;
        }
    return change;
}

static void exchange(double *grid, int rows, int side, int above, int below)
{
    MPI_Sendrecv(grid + side, side, MPI_DOUBLE, above, 0, grid + (rows + 1) * side, side, MPI_DOUBLE, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grid + rows * side, side, MPI_DOUBLE, below, 1, grid, side, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 100, side = argc > 2 ? atoi(argv[2]) : 512;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = side / size, above = rank ? rank - 1 : MPI_PROC_NULL, below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *now = calloc((size_t)(rows + 2) * (size_t)side, sizeof *now), change = 0, all = 0;
    double *next = calloc((size_t)(rows + 2) * (size_t)side, sizeof *next);
    for (int i = 0; i < rows + 2; i++)
        now[i * side] = next[i * side] = 1;
    for (int step = 0; step < steps; step++) {
        exchange(now, rows, side, above, below);
        change = relax(now, next, rows, side);
        double *t = now;
        now = next;
        next = t;
    }
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double seconds = MPI_Wtime();
    if (rank == 0)
        printf("%.6f %.9f\n", sqrt(all), seconds);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
