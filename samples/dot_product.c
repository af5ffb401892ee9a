/* dot_product.c - the dot product of two vectors that are spread over the ranks in blocks.
 *
 * Run:      orrery run -n 8 --machine hypercube-4 --stats samples/dot_product.c 4096
 * Look at:  compute time shrinks with the number of ranks, the allreduce grows with its logarithm.
 * Change:   orrery run -n 8 --set collectives.allreduce=reduce-bcast ...: the same answer along another way.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double local_dot(const double *x, const double *y, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int n = argc > 1 ? atoi(argv[1]) : 1024;
    int first = (int)((long)n * rank / size);
    int count = (int)((long)n * (rank + 1) / size) - first;
    double *x = malloc((count + 1) * sizeof *x);
    double *y = malloc((count + 1) * sizeof *y);
    for (int i = 0; i < count; i++) {
        x[i] = first + i + 1;
        y[i] = 2.0;
    }

    double part = local_dot(x, y, count), dot;
    MPI_Allreduce(&part, &dot, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("Rank %d: my part is %.1f, the dot product of %d elements is %.1f\n", rank, part, n, dot);

    free(x);
    free(y);
    MPI_Finalize();
    return 0;
}
