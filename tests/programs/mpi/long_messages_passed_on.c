/* Long messages that are sent on, received over, looked at in part, freed, moved and copied without a look at the
 * whole: what is read is always what was sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 20, PLACES = 64 };

static int rank, size, right, left;

static void shift(const unsigned char *out, unsigned char *in, int bytes, int tag)
{
    MPI_Sendrecv(out, bytes, MPI_BYTE, right, tag, in, bytes, MPI_BYTE, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Reads a few places only. */
static unsigned few(const unsigned char *of)
{
    unsigned hash = 17;
    for (int i = 0; i < PLACES; i++)
        hash = hash * 31 + of[(long)i * (N - 1) / (PLACES - 1)];
    return hash;
}

static void tell(const char *what, const unsigned char *a, const unsigned char *b)
{
    unsigned mine[2] = {few(a), few(b)}, sums[2];
    MPI_Reduce(mine, sums, 2, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %u %u\n", what, sums[0], sums[1]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size, left = (rank + size - 1) % size;
    unsigned char *out = malloc(N), *in = malloc(N), *other = malloc(N), *t;
    memset(out, 1 + rank, N);
    memset(in, 101 + rank, N);
    memset(other, 201 - rank, N);

    for (int turn = 0; turn < 6; turn++) { /* sent on, without a look */
        shift(out, in, N, turn);
        t = out, out = in, in = t;
    }
    out[rank] = 0; /* and with one */
    for (int turn = 0; turn < 6; turn++) {
        shift(out, in, N, turn);
        t = out, out = in, in = t;
    }
    tell("sent on", out, in);

    for (int turn = 0; turn < 4; turn++) /* received over and over */
        shift(out, in, N, turn);
    out[7]++; /* the sender writes, the receiver has not looked yet */
    MPI_Barrier(MPI_COMM_WORLD);
    tell("received over", out, in);

    shift(out, in, N, 0);
    shift(out + 100, in + 5000, N - 5000, 1); /* partly over it */
    shift(in + 4096, other, N - 8192, 2);
    tell("partly", in, other);

    shift(other, in, N, 0);
    memcpy(out, in, N / 2); /* copied as a block, by the program and by a message to itself */
    memmove(in + 1, in, N - 1);
    MPI_Sendrecv(in, N / 4, MPI_BYTE, rank, 3, in + N / 2, N / 4, MPI_BYTE, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tell("copied", in, out);

    shift(out, in, N, 0);
    in = realloc(in, 2 * N); /* moved; and what is freed is the next that is allocated */
    memset(in + N, 5, N);
    free(other);
    other = malloc(N);
    memset(other, 0, 16);
    tell("moved", in, out);
    shift(in + N, other, N, 1);
    tell("allocated", in + N / 2, other);

    MPI_Request requests[4]; /* one buffer to two ranks, from two */
    int far = (rank + size / 2) % size, back = (rank + size - size / 2) % size;
    for (int turn = 0; turn < 3; turn++) {
        MPI_Irecv(in, N, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + N, N, MPI_BYTE, back, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(out, N, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(out, N, MPI_BYTE, far, 2, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        if (turn == 1)
            out[N / 2] ^= in[N - 1];
    }
    tell("two ways", in, in + N);

    MPI_Datatype every;
    MPI_Type_vector(N / 8192, 4096, 8192, MPI_BYTE, &every);
    MPI_Type_commit(&every);
    shift(in, out, N, 1);
    MPI_Sendrecv(out, 1, every, right, 1, in + N, N, MPI_BYTE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&every);
    shift(in + N, other, N, 1);
    MPI_Bcast(other + N / 2, N / 2, MPI_BYTE, size - 1, MPI_COMM_WORLD);
    tell("types and collectives", in + N, other);

    strcpy((char *)in, "ends there"); /* a string that runs on into what has arrived */
    memset(in, 'x', 200);
    shift(out, in + 100, N - 100, 1);
    in[N] = 0;
    tell(memchr(in, 0, N) ? "found" : "not found", in, out);
    free(in);
    free(other);
    free(out);
    MPI_Finalize();
    return 0;
}
