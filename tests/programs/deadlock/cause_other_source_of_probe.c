/* A probe names another source than the message has. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, x = 0, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Message m; MPI_Status s;
    if (rank == 0)
        MPI_Mprobe(2, 1, MPI_COMM_WORLD, &m, &s);
    else if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
