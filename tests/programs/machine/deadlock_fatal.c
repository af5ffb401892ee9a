/* A deadlock in the network that is fatal: eight ranks of a ring send a long message to the third rank further on, all at
 * once, and each of their packets holds a link and waits for the next one. The run ends, although rank 0 does not wait
 * for any message and would compute for ever, and draws the circle. */
#include <mpi.h>
#include <stdio.h>

enum { LENGTH = 2000 };

int main(int argc, char **argv)
{
    int rank, size;
    static int out[LENGTH], in[LENGTH];
    MPI_Request send, receive;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(in, LENGTH, MPI_INT, (rank + size - 3) % size, 1, MPI_COMM_WORLD, &receive);
    MPI_Isend(out, LENGTH, MPI_INT, (rank + 3) % size, 1, MPI_COMM_WORLD, &send);
    printf("rank %d has sent\n", rank);
    for (volatile unsigned turns = 0; rank == 0; turns++)
        MPI_Wtime();
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    printf("rank %d does not come here\n", rank);
    MPI_Finalize();
    return 0;
}
