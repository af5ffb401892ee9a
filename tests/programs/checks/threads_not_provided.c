/* MPI_THREAD_MULTIPLE is asked for and not given; rank 0 never looks, the others do, in one way or another (MPI-3.1
 * section 12.4.3). */
#include <mpi.h>

static int provided;

int main(int argc, char **argv)
{
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && provided < MPI_THREAD_MULTIPLE)
        provided = 0;
    if (rank == 2)
        MPI_Query_thread(&level);
    MPI_Finalize();
}
