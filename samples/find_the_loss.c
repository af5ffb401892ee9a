/* find_the_loss.c - sums of the rows of a triangular matrix, several times, with losses to be found.
 *
 *   find_the_loss [cyclic] [packed]
 *
 * Row i of the matrix has i + 1 elements. Each rank sums its rows and shows the sums to the next rank. Without
 * arguments, rows are dealt out in blocks, and every sum is a message of its own. With "cyclic", rank r of p ranks has
 * rows r, r + p, r + 2p and so on. With "packed", one message has all sums.
 *
 * Run:      orrery run -n 8 --machine crossbar-16 --stats samples/find_the_loss.c
 * Look at:  the largest losses, at the end.
 * Change:   the arguments (docs/lessons/18-find-the-loss.md).
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 960, STEPS = 5 };

static int rank, ranks, cyclic, packed;

static double sum_row(int row, int step)
{
    double sum = 0;
    for (int column = 0; column <= row; column++)
        sum += (row * 31 + column * 17 + step) % 101;
    return sum;
}

static int first_row(void)
{
    return cyclic ? rank : ROWS / ranks * rank;
}

static double sum_rows(double *sums, int step)
{
    double sum = 0;
    for (int i = 0; i < ROWS / ranks; i++) {
        sums[i] = sum_row(first_row() + i * (cyclic ? ranks : 1), step);
        sum += sums[i];
    }
    return sum;
}

/* The sums of the rank before arrive in `others`. */
static void show(double *sums, double *others)
{
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, length = packed ? ROWS / ranks : 1;
    for (int i = 0; i < ROWS / ranks; i += length)
        MPI_Sendrecv(sums + i, length, MPI_DOUBLE, next, 0, others + i, length, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    double sums[ROWS], others[ROWS], total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++) {
        cyclic |= strcmp(argv[i], "cyclic") == 0;
        packed |= strcmp(argv[i], "packed") == 0;
    }
    for (int step = 0; step < STEPS; step++) {
        double mine = sum_rows(sums, step), all;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        show(sums, others);
        total += all;
    }
    if (rank == 0)
        printf("the sum is %.0f\n", total);
    MPI_Finalize();
    return 0;
}
