/* A long message to oneself, before its receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static char large[100000];
    MPI_Send(large, 100000, MPI_CHAR, rank, 7, MPI_COMM_WORLD);
    MPI_Recv(large, 100000, MPI_CHAR, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + out + size < 0;
}
