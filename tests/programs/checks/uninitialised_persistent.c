/* A persistent send gives its buffer away when it is started, not when it is made: the first start is told, and the second, of
 * values that are set by then, is not. */
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *out = malloc(4 * sizeof *out), in[4];
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(out, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(in, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++)
        out[i] = i;
    MPI_Startall(1, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    free(out);
    MPI_Finalize();
    return 0;
}
