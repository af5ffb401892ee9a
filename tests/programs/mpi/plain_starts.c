/* MPI_Isend and MPI_Irecv of every kind: those that can go without ado, and all that look like them but cannot;
 * completed together, one by one and in any order, with messages that come before and after (MPI-3.1 section 3.7). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 40000, TURNS = 300 };
static char out[MOST], in[2][MOST];

/* Both neighbours at once, as in a halo exchange; `tag` may be a wildcard for the receives. */
static void halo(const char *what, int rank, int left, int right, int count, MPI_Datatype type, int tag, int to_tag)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int got[2] = {-1, -1};
    out[0] = (char)('a' + rank);
    in[0][0] = in[1][0] = '-';
    MPI_Irecv(in[0], count, type, left, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], count, type, right, tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, count, type, right, to_tag, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, count, type, left, to_tag, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    for (int i = 0; i < 2; i++)
        MPI_Get_count(&statuses[i], type, &got[i]);
    if (rank == 0)
        printf("%s: %d and %d items, '%c' '%c', tag %d, %s\n", what, got[0], got[1], in[0][0], in[1][0],
               left == MPI_PROC_NULL ? -1 : statuses[0].MPI_TAG,
               requests[3] == MPI_REQUEST_NULL ? "all over" : "not over");
}

/* The request lies in the buffer that is sent: what is sent is what was there before. */
static void request_within(int rank, int next, int last)
{
    MPI_Request receive, before;
    union {
        MPI_Request request;
        unsigned char bytes[sizeof(MPI_Request)];
    } both, got;
    memset(both.bytes, 'a' + rank % 26, sizeof both);
    MPI_Irecv(&got, sizeof got, MPI_BYTE, last, 9, MPI_COMM_WORLD, &receive);
    MPI_Isend(&both, sizeof both, MPI_BYTE, next, 9, MPI_COMM_WORLD, &both.request);
    before = both.request;
    MPI_Wait(&both.request, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("sent '%c' before the request, which was %s\n", got.bytes[3],
               before == MPI_REQUEST_NULL ? "null" : "not null");
}

/* A receive that is freed, one that is cancelled, and one that MPI_Testany finds. */
static void ends(int rank, int next, int last)
{
    MPI_Request requests[3];
    MPI_Status status;
    int value = rank, got[3] = {-1, -1, -1}, index, flag = 0, cancelled;
    MPI_Irecv(&got[0], 1, MPI_INT, last, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, last, 12, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&got[2], 1, MPI_INT, MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, &requests[2]);
    MPI_Cancel(&requests[1]);
    MPI_Wait(&requests[1], &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Request_free(&requests[0]);
    MPI_Send(&value, 1, MPI_INT, next, 11, MPI_COMM_WORLD);
    MPI_Isend(&value, 1, MPI_INT, next, 13, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    while (!flag)
        MPI_Testany(3, requests, &index, &flag, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("cancelled %d, freed %d, any %d with %d\n", cancelled, got[0], index, got[2]);
}

/* Ranks come at different times, so that some messages are there before their receives, and some are longer than what
 * is sent at once. The order of posting is not that of sending. */
static unsigned long wander(int rank, int size)
{
    unsigned long state = 777u + (unsigned)rank, sum = 0;
    volatile unsigned work = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Request requests[6];
        int got[2] = {-1, -1}, bytes = turn % 50 ? turn % 90 : 30000, at;
        int step = 1 + turn % (size > 1 ? size - 1 : 1);
        int to = (rank + step) % size, from = (rank + size - step) % size;
        state = state * 6364136223846793005u + 1442695040888963407u;
        for (unsigned i = 0; i < (state >> 40) % 3000; i++)
            work += i;
        MPI_Isend(&rank, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, from, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&turn, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &requests[3]);
        MPI_Irecv(in[0], 30000, MPI_CHAR, from, 3, MPI_COMM_WORLD, &requests[4]);
        MPI_Isend(out, bytes, MPI_CHAR, to, 3, MPI_COMM_WORLD, &requests[5]);
        if (turn % 3 == 0) {
            MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        } else if (turn % 3 == 1) {
            for (int i = 5; i >= 0; i--)
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        } else {
            for (int i = 0; i < 6; i++) {
                MPI_Waitany(6, requests, &at, MPI_STATUS_IGNORE);
                sum += (unsigned)at;
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
        sum = sum * 31 + (unsigned)(got[0] + 100 * got[1]);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    halo("bytes", rank, left, right, 5, MPI_CHAR, 1, 1);
    halo("any tag", rank, left, right, 7, MPI_CHAR, MPI_ANY_TAG, 3);
    halo("nothing", rank, left, right, 0, MPI_CHAR, 1, 1);
    halo("much", rank, left, right, MOST, MPI_CHAR, 1, 1);
    halo("itself", rank, rank, rank, 3, MPI_CHAR, 1, 1);
    halo("nobody", rank, MPI_PROC_NULL, MPI_PROC_NULL, 3, MPI_CHAR, 1, 1);
    halo("pairs", rank, left, right, 4, MPI_2INT, 1, 1);
    request_within(rank, right, left);
    ends(rank, right, left);
    unsigned long sum = wander(rank, size), all;
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lu\n", all);
    MPI_Finalize();
    return 0;
}
