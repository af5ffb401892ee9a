/* What arrives is what a long message was when its data left, whoever writes to the buffers before it arrives: a sender
 * that goes on, a receive of the sender into the same memory, a collective in the background, a message to oneself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000 };

static int rank, size;
static int a[2 * N], b[2 * N];

static void fill(int *to, int n, int from)
{
    for (int i = 0; i < n; i++)
        to[i] = from + i * 7;
}

static unsigned sum(const int *of, int n)
{
    unsigned hash = 17;
    for (int i = 0; i < n; i++)
        hash = hash * 31 + (unsigned)of[i];
    return hash;
}

static void tell(const char *what)
{
    printf("%d %s %u %u\n", rank, what, sum(a, 2 * N), sum(b, 2 * N));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    fill(a, 2 * N, 1000 * rank);
    fill(b, 2 * N, -1000 * rank);

    /* a chain: each sender goes on and writes while its message is still under way */
    if (rank > 0)
        MPI_Recv(b, N, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < size) {
        MPI_Send(a, N, MPI_INT, right, 0, MPI_COMM_WORLD);
        fill(a, N, 5 + rank);
    }
    tell("chain");

    /* rings, with other lengths for some, so that some finish early */
    for (int turn = 0; turn < 6; turn++) {
        int mine = rank % 3 == turn % 3 ? N / 20 + 1000 : N, theirs = left % 3 == turn % 3 ? N / 20 + 1000 : N;
        MPI_Sendrecv(turn % 2 ? a : b, mine, MPI_INT, right, turn, turn % 2 ? b : a, theirs, MPI_INT, left, turn,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        (turn % 2 ? a : b)[turn] += rank;
    }
    tell("ring");

    /* several at a time, out of memory into which others are received: wrong, but what happens is known */
    MPI_Request requests[8];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(a + i * N / 4 + N / 8, N / 4, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 4; i++)
        MPI_Isend(a + i * N / 4, N / 4, MPI_INT, right, i, MPI_COMM_WORLD, &requests[4 + i]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    tell("overlapping");

    /* to oneself, with a shift */
    MPI_Irecv(b + 100, N, MPI_INT, rank, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(b, N, MPI_INT, rank, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    tell("oneself");

    /* into every other place */
    MPI_Datatype every;
    MPI_Type_vector(N / 2, 1, 2, MPI_INT, &every);
    MPI_Type_commit(&every);
    MPI_Sendrecv(a, N / 2, MPI_INT, right, 1, a + 1, 1, every, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tell("every other");
    MPI_Type_free(&every);

    /* an exchange beside a collective that works on the same memory */
    MPI_Iallreduce(MPI_IN_PLACE, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(b, N, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(a, N, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    tell("beside a collective");

    /* a poll in between */
    MPI_Irecv(b, N, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(a, N, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[1]);
    for (int done = 0; !done;)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    tell("polled");

    /* received and sent on, without a look at it */
    for (int turn = 0; turn < 5; turn++) {
        int *out = turn % 2 ? a : b, *in = turn % 2 ? b : a;
        MPI_Sendrecv(out, N, MPI_INT, right, turn, in, N, MPI_INT, left, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(a + 10, N - 20, MPI_INT, right, 1, b + 10, N - 20, MPI_INT, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    b[N - 11]++;
    MPI_Bcast(b, N, MPI_INT, 0, MPI_COMM_WORLD);
    tell("passed on");
    int *heap = malloc(sizeof(int) * N), *other = malloc(sizeof(int) * N);
    fill(heap, N, rank);
    for (int turn = 0; turn < 4; turn++) {
        MPI_Sendrecv(heap, N, MPI_INT, right, turn, other, N, MPI_INT, left, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int *t = heap;
        heap = other;
        other = t;
    }
    char *more = malloc(100000);
    memset(more, rank, 100000);
    heap = realloc(heap, 2 * sizeof(int) * N);
    printf("%d heap %u %u %d\n", rank, sum(heap, N), sum(other, N), more[99999]);
    free(more);
    free(heap);
    free(other);
    MPI_Finalize();
    return 0;
}
