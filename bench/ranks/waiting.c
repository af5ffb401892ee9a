/* Rank 0 computes, then sends. The other ranks wait for the message by WAY: `receive` it, or poll by `test`, or by
 * `count`, which also counts the polls.
 *
 *     waiting WAY STEPS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long poll(int counting, MPI_Request *request)
{
    long polls = 0;
    int done = 0;
    while (!done && !counting)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    for (; !done; polls++)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return polls;
}

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    long steps = argc > 2 ? atol(argv[2]) : 1000, polls = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (volatile long i = 0; i < steps; i++)
            ;
        for (int to = 1; to < size; to++)
            MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    } else if (argc > 1 && strcmp(argv[1], "receive") == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        polls = poll(argc > 1 && strcmp(argv[1], "count") == 0, &request);
    }
    long all = 0;
    MPI_Reduce(&polls, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld\n", all);
    MPI_Finalize();
    return 0;
}
