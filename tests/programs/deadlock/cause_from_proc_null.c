/* The receiver names MPI_PROC_NULL, and the sender waits. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm grid;
    int n = 2, periodic = 0, left, right;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &left, &right);
    if (rank == 0)
        MPI_Ssend(&out, 1, MPI_INT, 1, 7, grid);
    else
        MPI_Recv(&in, 1, MPI_INT, right, 7, grid, MPI_STATUS_IGNORE);
    MPI_Barrier(grid);
    MPI_Finalize();
    return in + out + size < 0;
}
