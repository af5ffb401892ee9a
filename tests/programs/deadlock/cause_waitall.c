/* One of several requests has the wrong tag. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int values[3];
    MPI_Request requests[6];
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, 1 - rank, i + (i == 2 && rank), MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[3 + i]);
    }
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return in + out + size < 0;
}
