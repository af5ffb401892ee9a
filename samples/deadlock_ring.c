/* deadlock_ring.c - wrong on purpose: every rank receives from its left neighbour before it sends to its right one.
 *
 * Run:      orrery run -n 4 --machine ring-8 samples/deadlock_ring.c
 * Look at:  the explanation: per rank the line, the call, the peer, and the cycle that they wait in.
 * Change:   let rank 0 send first: one rank out of step is enough. Or swap the calls everywhere: that works as long as
 *           the messages are below the eager limit, and --eager-limit 0 shows that it is wrong all the same.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, token;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Recv(&token, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    printf("Rank %d has the token of rank %d\n", rank, token);

    MPI_Finalize();
    return 0;
}
