/* The ring is closed for receives, and for sends it ends at the border. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Send(&out, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + out + size < 0;
}
