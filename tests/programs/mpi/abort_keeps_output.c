/* MPI_Abort ends all ranks with its code (MPI-3.1 section 8.7); what the rank that calls it has written is not lost,
 * with or without an end of line, on both streams. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        printf("a line\nthe beginning of another");
        fprintf(stderr, "cannot go on");
        MPI_Abort(MPI_COMM_SELF, 259);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
