/* overlap.c - a long message behind a computation: how much of its time is hidden?
 *
 * Rank 0 starts to send 4 MiB to rank 1, computes, and then waits for the message; rank 1 receives it. The message is
 * too long to be sent at once: it leaves when rank 1 has answered that it is ready. Who hears that answer while rank 0
 * computes? That is the key progress of section [mpi]: with inline nobody does, so the data leave when the computation
 * is over; with thread or offload they leave at once, and the wait is short.
 *
 *     overlap [BYTES [TURNS]]          TURNS: of the computation */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { EVERY = 1000 }; /* bytes from one number in the message to the next */

static double compute(long turns)
{
    double x = 1.0;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 0.5;
    return x;
}

int main(int argc, char **argv)
{
    int rank, bytes = argc > 1 ? atoi(argv[1]) : 4 << 20;
    long turns = argc > 2 ? atol(argv[2]) : 37142857; /* 65 ms at 2 GHz */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *data = calloc((size_t)bytes, 1);
    for (int i = 0; i < bytes; i += EVERY)
        data[i] = (char)(i / EVERY % 101 + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Request request;
        double began = MPI_Wtime();
        MPI_Isend(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        double sent = MPI_Wtime(), x = compute(turns), computed = MPI_Wtime();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        double ended = MPI_Wtime();
        printf("MPI_Isend %.3f ms, computing %.3f ms (x = %.1f), MPI_Wait %.3f ms\n", 1e3 * (sent - began),
               1e3 * (computed - sent), x, 1e3 * (ended - computed));
    } else if (rank == 1) {
        MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        long sum = 0;
        for (int i = 0; i < bytes; i += EVERY)
            sum += data[i];
        printf("received %d bytes, sum %ld\n", bytes, sum);
    }
    free(data);
    MPI_Finalize();
    return 0;
}
