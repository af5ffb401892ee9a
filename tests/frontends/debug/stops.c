#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double total;
static int add(int *p, int by)
{
    int local = *p;
    local += by;
    *p = local;
    return local;
}
int main(int argc, char **argv)
{
    int rank, size, x = 0, in = -1;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static char big[100000];
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
        MPI_Send(big, sizeof big, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
    } else {
        x = rank * 10;
        MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(big, sizeof big, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &status);
    }
    MPI_Sendrecv(&rank, 1, MPI_INT, rank, 3, &in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 5; i++)
        add(&x, i);
    total = x;
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d: %d %g\n", rank, x, total);
    MPI_Finalize();
    return 0;
}
