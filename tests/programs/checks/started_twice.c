/* A persistent request is started while it is active. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(&in, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Start(&request);
    MPI_Finalize();
}
