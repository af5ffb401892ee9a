/* Ranks compute, touch memory, branch, write, sleep and send until one of them ends the run in the way that the first
 * argument says; the second says when. What the others are in the middle of then is many things at once. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS = 3000, LONG = 9000 };
static int words[WORDS];
static char out[LONG], in[LONG], brief[64], never;

static unsigned work(unsigned x, int turns)
{
    for (int i = 0; i < turns; i++) {
        x = x * 1103515245 + 12345;
        if (x & 0x10000)
            words[x >> 8 & 2047] += i;
        else if (x & 0x400000)
            words[i % WORDS] ^= (int)x;
    }
    return x;
}

static void end(const char *how, int rank)
{
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "fault") == 0)
        *(volatile int *)0 = rank;
    if (strcmp(how, "exit") == 0)
        exit(4);
    if (strcmp(how, "deadlock") == 0)
        MPI_Recv(&never, 1, MPI_CHAR, rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int size = 1000; strcmp(how, "memory") == 0; size += 1000) {
        work(1, 10);
        memset(malloc((size_t)size), 1, (size_t)size);
    }
    for (volatile int go = 1; strcmp(how, "time") == 0 && go;)
        work(1, 100);
}

int main(int argc, char **argv)
{
    int rank, size, flag, turns = argc > 2 ? atoi(argv[2]) : 5;
    const char *how = argc > 1 ? argv[1] : "end";
    struct timespec nap = {.tv_nsec = 3000};
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned x = (unsigned)rank + 1;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int turn = 0; turn < turns; turn++) {
        MPI_Irecv(in, LONG, MPI_CHAR, before, turn, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 1 + turn * 977 % LONG, MPI_CHAR, next, turn, MPI_COMM_WORLD, &requests[1]);
        bool last = turn + 1 == turns;
        if (last && rank == 1 && turns % 2 == 0) { /* its message is on its way */
            work(x, 20);
            end(how, rank);
        }
        x = work(x, last && rank > 1 ? 200000 : 300 + 211 * rank); /* longer than what is told of the others */
        MPI_Isend(out, 64, MPI_CHAR, (rank + 2) % size, 1000 + turn, MPI_COMM_WORLD, &requests[2]);
        MPI_Irecv(brief, 64, MPI_CHAR, (rank + size - 2) % size, 1000 + turn, MPI_COMM_WORLD, &requests[3]);
        if (last && rank == 1)
            end(how, rank);
        if (turn == 1)
            nanosleep(&nap, NULL);
        MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        x += (unsigned)(MPI_Wtime() * 1e9);
        printf("rank %d turn %d: %u\n", rank, turn, x);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        if (turn % 2)
            MPI_Allreduce(MPI_IN_PLACE, words, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
