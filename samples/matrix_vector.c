/* matrix_vector.c - y = A x with the rows of A, and x and y, spread over the ranks in blocks.
 *
 * Rank 0 makes the matrix and scatters its rows; an allgather brings the whole of x to everybody.
 *
 * Run:      orrery run -n 4 --machine mesh-4x4 --stats samples/matrix_vector.c
 * Look at:  MPI_Scatterv makes rank 0 the bottleneck: its links carry nearly all bytes.
 * Change:   let every rank fill its own rows instead, and compare the makespan.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void multiply(const double *rows, int n_rows, const double *x, int n, double *y)
{
    for (int i = 0; i < n_rows; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++)
            y[i] += rows[i * n + j] * x[j];
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int n = argc > 1 ? atoi(argv[1]) : 16;
    int *counts = malloc(size * sizeof *counts), *starts = malloc(size * sizeof *starts);
    int *row_counts = malloc(size * sizeof *row_counts), *row_starts = malloc(size * sizeof *row_starts);
    for (int r = 0; r < size; r++) {
        row_starts[r] = n * r / size;
        row_counts[r] = n * (r + 1) / size - row_starts[r];
        starts[r] = row_starts[r] * n;
        counts[r] = row_counts[r] * n;
    }
    int mine = row_counts[rank];

    double *matrix = NULL;
    if (rank == 0) {
        matrix = malloc(n * n * sizeof *matrix);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                matrix[i * n + j] = i == j ? 2.0 : (abs(i - j) == 1 ? -1.0 : 0.0);
    }
    double *rows = malloc((mine * n + 1) * sizeof *rows);
    double *my_x = malloc((mine + 1) * sizeof *my_x), *my_y = malloc((mine + 1) * sizeof *my_y);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < mine; i++)
        my_x[i] = (row_starts[rank] + i) * (row_starts[rank] + i);

    MPI_Scatterv(matrix, counts, starts, MPI_DOUBLE, rows, mine * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(my_x, mine, MPI_DOUBLE, x, row_counts, row_starts, MPI_DOUBLE, MPI_COMM_WORLD);
    multiply(rows, mine, x, n, my_y);
    MPI_Gatherv(my_y, mine, MPI_DOUBLE, y, row_counts, row_starts, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        printf("y =");
        for (int i = 0; i < n; i++)
            printf(" %g", y[i]);
        printf("\n");
    }

    free(matrix);
    free(rows);
    free(my_x);
    free(my_y);
    free(x);
    free(y);
    free(counts);
    free(starts);
    free(row_counts);
    free(row_starts);
    MPI_Finalize();
    return 0;
}
