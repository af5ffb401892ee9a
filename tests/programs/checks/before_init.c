/* A call before MPI_Init (MPI-3.1 section 8.7). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
}
