/* All ranks find the mistake and call MPI_Abort, rank 0 alone says which. It takes longer for that and is not the first; what
 * it says is shown all the same. What a rank would say after its next call of MPI, or much later, is not. */
#include <mpi.h>
#include <stdio.h>

static volatile int turns;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "usage: %s COUNT\n", "abort_after_a_message");
    if (rank == 1) {
        MPI_Recv(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("not reached\n");
    }
    if (rank == 2) {
        for (turns = 0; turns < 1000000; turns++)
            ;
        printf("too late\n");
    }
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 0;
}
