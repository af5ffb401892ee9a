/* MPI_Abort ends all ranks; nobody is told that MPI_Finalize is missing, nor of leaks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 1)
        return 0;
    MPI_Abort(copy, 3);
}
