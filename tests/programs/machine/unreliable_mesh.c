/* Losses, jitter, failures, noise and background traffic: messages arrive whole and in order all the same, and every
 * clock and counter is the same for every quantum, tier and number of host threads. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 12, COUNT = 3000 };

int main(int argc, char **argv)
{
    static int data[COUNT];
    int rank, size, wrong = 0;
    long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        int to = (rank + round + 1) % size, from = (rank + size - (round + 1) % size) % size;
        for (int i = 0; i < COUNT; i++)
            data[i] = rank * round + i;
        MPI_Sendrecv_replace(data, COUNT, MPI_INT, to, 1, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < COUNT; i++)
            wrong += data[i] != from * round + i;
        sum += data[COUNT - 1];
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong %d, sum %ld\n", wrong, sum);
    MPI_Finalize();
    return 0;
}
