/* Rank 0 talks to one rank after the other. */
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
    for (int to = 1; rank == 0 && to < size; to++)
        MPI_Ssend(&n, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    if (rank)
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int first = (int)((long)n * rank / size), last = (int)((long)n * (rank + 1) / size);
    double h = 1.0 / n, mine = 0, sum = 0;
    for (int i = first; i < last; i++)
        mine += (f(i * h) + f((i + 1) * h)) * h / 2;
    sum = mine;
    for (int from = 1; rank == 0 && from < size; from++) {
        MPI_Recv(&mine, 1, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += mine;
    }
    if (rank)
        MPI_Ssend(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    if (rank == 0)
        printf("n = %d, integral = %.8f\n", n, sum);
    MPI_Finalize();
    return 0;
}
