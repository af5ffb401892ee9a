/* Some ranks leave the loop sooner: three ended, one is in MPI_Recv, the others have called MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3 + (rank == 0); i++)
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 4)
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 4)
        return 0;
    MPI_Finalize();
    return in + out + size < 0;
}
