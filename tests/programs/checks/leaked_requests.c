/* Requests that are never completed or freed, each with what happened to it; the receive without a message is told too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request, persistent, started, cancelled;
    int rank, flag, in[4] = {0}, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &request); /* two are overwritten */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Recv(&in[0], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send_init(&out, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &persistent);
    MPI_Recv_init(&in[1], 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &started);
    MPI_Start(&started);
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    MPI_Irecv(&in[2], 1, MPI_INT, 1 - rank, 6, MPI_COMM_WORLD, &cancelled);
    MPI_Cancel(&cancelled);
    if (rank == 0)
        MPI_Irecv(&in[3], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    MPI_Ibarrier(MPI_COMM_WORLD, &cancelled);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Request_get_status(cancelled, &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
