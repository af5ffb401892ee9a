/* A receive has room for more than there is memory behind its buffer: it is the message that must fit. What is no
 * memory at all is refused at once, and so is data that would be sent from beyond the end. */
#include "../mpi/invalid_arguments.h"

static int last[4];

int main(int argc, char **argv)
{
    static int from[4] = {1, 2, 3, 4};
    int rank, most = 1 << 28;
    MPI_Request request;
    MPI_Status status;

    start(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    WORKS(MPI_Irecv(last, most, MPI_INT, rank, 7, MPI_COMM_WORLD, &request));
    WORKS(MPI_Send(from, 4, MPI_INT, rank, 7, MPI_COMM_WORLD));
    WORKS(MPI_Wait(&request, &status));
    if (last[3] != 4)
        printf("received %d\n", last[3]);
    WORKS(MPI_Irecv((char *)&last + sizeof last - 4, most, MPI_INT, rank, 7, MPI_COMM_WORLD, &request));
    WORKS(MPI_Send(NULL, 0, MPI_INT, rank, 7, MPI_COMM_WORLD));
    WORKS(MPI_Wait(&request, &status));
    FAILS(MPI_ERR_BUFFER, MPI_Irecv((void *)12345, most, MPI_INT, rank, 7, MPI_COMM_WORLD, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Sendrecv_replace(last, most, MPI_INT, rank, 7, rank, 7, MPI_COMM_WORLD, &status));
    FAILS(MPI_ERR_BUFFER, MPI_Isend(last, most, MPI_INT, rank, 7, MPI_COMM_WORLD, &request));
    return finish();
}
