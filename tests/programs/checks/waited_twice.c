/* A request is completed through a copy of its handle: what is left in the variable names nothing any more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request, copy;
    int rank, in, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
    copy = request;
    MPI_Send(&out, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
