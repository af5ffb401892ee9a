/* A persistent send that is waited for and was never started; the next one was started once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request send, receive;
    MPI_Send_init(&out, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &send);
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &receive);
        if (rank == 0 && i == 0)
            MPI_Start(&send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return in + out + size < 0;
}
