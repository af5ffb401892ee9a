/* The two buffers of MPI_Sendrecv must be apart (MPI-3.1 section 3.10). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[10] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(numbers, 5, MPI_INT, 1 - rank, 0, numbers + 5, 5, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(numbers, 5, MPI_INT, 1 - rank, 0, numbers + 4, 5, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
