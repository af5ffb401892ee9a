/* One of several requests would be enough, and none can come. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request requests[2];
    int index;
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&in, 1, MPI_INT, (rank + 1 + i) % size, 4, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD);
    MPI_Finalize();
}
