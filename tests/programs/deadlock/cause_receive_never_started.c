/* A persistent receive that was never started, and a long send for it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static char large[100000];
    MPI_Request receive;
    if (rank == 0) {
        MPI_Send(large, 100000, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(large, 100000, MPI_CHAR, 0, 4, MPI_COMM_WORLD, &receive);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return in + out + size < 0;
}
