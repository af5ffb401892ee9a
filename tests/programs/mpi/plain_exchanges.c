/* MPI_Sendrecv of every kind: those that can go without ado, and all that look like them but cannot; with messages that
 * are there before, and with those that come later, alone or among others (MPI-3.1 section 3.10). */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 40000, TURNS = 400 };
static char out[MOST], in[MOST];

static void shift(const char *what, int rank, int to, int from, int count, MPI_Datatype type, int tag, MPI_Comm comm)
{
    MPI_Status status;
    int got = -1;
    out[0] = (char)('a' + rank);
    in[0] = '-';
    MPI_Sendrecv(out, count, type, to, tag, in, count, type, from, MPI_ANY_TAG, comm, &status);
    MPI_Get_count(&status, type, &got);
    if (rank == 0)
        printf("%s: %d items, '%c', tag %d\n", what, got, in[0], status.MPI_TAG == MPI_ANY_TAG ? -1 : status.MPI_TAG);
}

/* The second message of each pair may come before the receive, or while it waits for the first. */
static void two_at_once(int rank, int next, int last)
{
    int first = 10 * rank, second = 10 * rank + 1, got[2] = {-1, -1};
    MPI_Status status;
    MPI_Send(&second, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
    MPI_Sendrecv(&first, 1, MPI_INT, next, 1, &got[0], 1, MPI_INT, last, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("first %d from %d, second %d\n", got[0], status.MPI_SOURCE, got[1]);
}

/* What comes is shorter than the buffer, of another type of the same size, or longer than is sent at once. */
static void uneven(int rank, int next, int last)
{
    static double room[4000], back[4000];
    MPI_Status status;
    int got;
    for (int i = 0; i < 4000; i++)
        room[i] = rank + i;
    MPI_Sendrecv(room, 2 + rank % 2 * 3000, MPI_DOUBLE, next, 5, back, 4000, MPI_DOUBLE, last, 5, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_DOUBLE, &got);
    if (rank == 0)
        printf("%d of 4000 doubles\n", got);
    MPI_Sendrecv(room, 8, MPI_BYTE, next, 6, in, 8, MPI_BYTE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Ranks come at different times, so that some find their message and others wait for it. */
static unsigned long wander(int rank, int size)
{
    unsigned long state = 12345u + (unsigned)rank, sum = 0;
    volatile unsigned work = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        for (unsigned i = 0; i < (state >> 40) % 3000; i++)
            work += i;
        int step = 1 + turn % (size > 1 ? size - 1 : 1), got = -1, bytes = 1 + (turn * 7) % 90;
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + step) % size, turn, &got, 1, MPI_INT, (rank + size - step) % size, turn,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % size, 1000, in, 100, MPI_CHAR, (rank + size - 1) % size, 1000,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = sum * 31 + (unsigned)got;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    shift("one char", rank, next, last, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    shift("64 bytes", rank, next, last, 64, MPI_CHAR, 1, MPI_COMM_WORLD);
    shift("65 bytes", rank, next, last, 65, MPI_BYTE, 2, MPI_COMM_WORLD);
    shift("nothing", rank, next, last, 0, MPI_DOUBLE, 3, MPI_COMM_WORLD);
    shift("pairs", rank, next, last, 3, MPI_DOUBLE_INT, 4, MPI_COMM_WORLD);
    shift("the longest that is not asked for", rank, next, last, 16384, MPI_CHAR, 5, MPI_COMM_WORLD);
    shift("one more", rank, next, last, 16385, MPI_CHAR, 6, MPI_COMM_WORLD);
    shift("to nobody", rank, MPI_PROC_NULL, MPI_PROC_NULL, 5, MPI_INT, 7, MPI_COMM_WORLD);
    shift("to itself", rank, 0, 0, 9, MPI_CHAR, 8, MPI_COMM_SELF);
    two_at_once(rank, next, last);
    uneven(rank, next, last);
    unsigned long sum = wander(rank, size), all = 0;
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("all that came: %lu\n", all);
    MPI_Finalize();
    return 0;
}
