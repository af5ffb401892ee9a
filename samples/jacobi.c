/* jacobi.c - Jacobi's method for a system of linear equations, with rows in blocks.
 *
 * Each step computes the rank's part of the new x from the whole old x; an allgather puts the parts together again.
 *
 * Run:      orrery run -n 4 --machine mesh-4x4 --stats samples/jacobi.c 32
 * Look at:  compute against overhead and blocked time as the number of ranks grows: where does it stop paying?
 * Change:   --set collectives.allgather=ring against --set collectives.allgather=recursive-doubling, on a ring and on a
 * hypercube.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_STEPS 200
#define TOLERANCE 1.0e-9

/* Diagonally dominant: 2n on the diagonal, 1 elsewhere; the right-hand side makes x[i] = i + 1 the solution. */
static double coefficient(int i, int j, int n)
{
    return i == j ? 2.0 * n : 1.0;
}

static double right_hand_side(int i, int n)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += coefficient(i, j, n) * (j + 1);
    return sum;
}

static double largest_change(const double *old_x, const double *new_x, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(new_x[i] - old_x[i]));
    return largest;
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* the same number of rows for all ranks */
    int wanted = argc > 1 ? atoi(argv[1]) : 16;
    int rows = (wanted + size - 1) / size, n = rows * size, first = rank * rows;
    double *matrix = malloc(rows * n * sizeof *matrix), *b = malloc(rows * sizeof *b),
           *part = malloc(rows * sizeof *part);
    double *x = calloc(n, sizeof *x), *next = calloc(n, sizeof *next);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = coefficient(first + i, j, n);
        b[i] = right_hand_side(first + i, n);
    }

    int step = 0;
    double change;
    do {
        for (int i = 0; i < rows; i++) {
            double sum = b[i];
            for (int j = 0; j < n; j++)
                if (j != first + i)
                    sum -= matrix[i * n + j] * x[j];
            part[i] = sum / matrix[i * n + first + i];
        }
        MPI_Allgather(part, rows, MPI_DOUBLE, next, rows, MPI_DOUBLE, MPI_COMM_WORLD);
        change = largest_change(x, next, n);
        double *swap = x;
        x = next;
        next = swap;
        step++;
    } while (step < MAX_STEPS && change > TOLERANCE);

    if (rank == 0) {
        printf("%d equations, %d steps, converged: %s\n", n, step, change <= TOLERANCE ? "yes" : "no");
        printf("x =");
        for (int i = 0; i < n; i++)
            printf(" %.4f", x[i]);
        printf("\n");
    }
    free(matrix);
    free(b);
    free(part);
    free(x);
    free(next);
    MPI_Finalize();
    return 0;
}
