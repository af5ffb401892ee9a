/* Requests that are freed while they are active, and one that is waited for and never started (MPI-3.1 sections 3.7.3
 * and 3.9). */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char large[100000];
    MPI_Request request, idle;
    int rank, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(large, 100000, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Isend(large, 100000, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Send_init(&rank, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &idle);
    MPI_Wait(&idle, MPI_STATUS_IGNORE);
    MPI_Request_free(&idle);
    MPI_Finalize();
}
