/* A collective that one of eight ranks has begun. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Finalize();
}
