/* Requests that are freed while they are active (MPI-3.1 section 3.7.3): a receive, a send that still waits for its
 * receiver, one whose data have left by then, a persistent one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char large[100000];
    MPI_Request request;
    int rank, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(large, 100000, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Isend(large, 100000, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Isend(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Send_init(&rank, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
}
