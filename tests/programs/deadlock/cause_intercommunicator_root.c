/* No rank of the group that should give the root says that it is: all say MPI_PROC_NULL. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &between);
    MPI_Bcast(&out, 1, MPI_INT, rank % 2 ? 0 : MPI_PROC_NULL, between);
    MPI_Finalize();
    return in + out + size < 0;
}
