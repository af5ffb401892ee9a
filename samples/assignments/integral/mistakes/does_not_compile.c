/* A semicolon is missing. */
#include <mpi.h>
#include <stdio.h>

static double f(double x)
{
    return 4 / (1 + x * x);
}

int main(int argc, char **argv)
{
    int rank, size, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && scanf("%d", &n) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int first = (int)((long)n * rank / size), last = (int)((long)n * (rank + 1) / size);
    double h = 1.0 / n, mine = 0, sum = 0;
    for (int i = first; i < last; i++)
        mine += (f(i * h) + f((i + 1) * h)) * h / 2;
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD) if (rank == 0)
        printf("n = %d, integral = %.8f\n", n, sum);
    MPI_Finalize();
    return 0;
}
