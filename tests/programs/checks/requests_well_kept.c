/* Nothing to say: null and inactive requests among others, a persistent one that is waited for before its first start,
 * a short send that is freed, since its data have gone. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int rank, in, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Send_init(&out, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* of the turn before */
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Start(&requests[1]);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[1]);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[2]);
    MPI_Request_free(&requests[2]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
}
