/* A deadlock in the network that is resolved: eight ranks of a ring send a long message to the third rank further on, all
 * at once, and each of their packets holds a link and waits for the next one. One of them is aborted and sent again, so
 * everything arrives, in the order in which it was sent; the run says so. */
#include <mpi.h>
#include <stdio.h>

enum { LENGTH = 2000, ROUNDS = 3 };

int main(int argc, char **argv)
{
    int rank, size;
    static int out[ROUNDS][LENGTH], in[LENGTH];
    MPI_Request requests[ROUNDS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LENGTH; i++)
            out[round][i] = rank * 1000000 + round * 10000 + i;
        MPI_Isend(out[round], LENGTH, MPI_INT, (rank + 3) % size, 1, MPI_COMM_WORLD, &requests[round]);
    }
    int from = (rank + size - 3) % size, wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Recv(in, LENGTH, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < LENGTH; i++)
            wrong += in[i] != from * 1000000 + round * 10000 + i;
    }
    MPI_Waitall(ROUNDS, requests, MPI_STATUSES_IGNORE);
    int all;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d of %d numbers are wrong\n", all, size * ROUNDS * LENGTH);
    MPI_Finalize();
    return 0;
}
