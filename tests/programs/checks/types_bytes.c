/* MPI_BYTE matches MPI_BYTE alone (MPI-3.1 section 3.3.1). Most programs get away with it: it takes --check. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char text[8] = "text";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv_replace(text, 8, rank == 0 ? MPI_BYTE : MPI_CHAR, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
