/* Many ranks wait for the same: they are told together. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 21)
        MPI_Barrier(MPI_COMM_WORLD);
    (void)in, (void)out, (void)size;
    MPI_Finalize();
}
