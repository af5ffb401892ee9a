/* Non-blocking collectives go on while their ranks do other things, in any order of completion, several at a time on
 * one communicator, mixed with messages and blocking collectives (MPI-3.1 section 5.12). */
#include "in_order.h"

static volatile double sink;

static void compute(int steps)
{
    for (int i = 0; i < steps; i++)
        sink += i * 0.5;
}

static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

int main(int argc, char **argv)
{
    enum { MANY = 12 };
    int rank, size, flag = 0, index, count, in[MANY], out[MANY], indices[MANY + 2], token = -1, total, top;
    MPI_Request requests[MANY + 2];
    MPI_Status status;
    MPI_Op max;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* Nobody is through the barrier before all have begun it. */
    double begun, last;
    compute(1000 * (rank + 1));
    begun = MPI_Wtime(); /* before the call: on a real machine a process may lose its processor at any time */
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    double ended = MPI_Wtime();
    MPI_Allreduce(&begun, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    say("rank %d: the barrier %s, the request is %s\n", rank, ended >= last ? "held" : "leaked",
        requests[0] == MPI_REQUEST_NULL ? "null" : "still there");

    /* Many at once; blocking ones and messages between; completed backwards. */
    for (int i = 0; i < MANY; i++) {
        in[i] = rank * 100 + i;
        MPI_Iallreduce(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
        if (i == 3)
            MPI_Allreduce(&rank, &top, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (i == 5)
            MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &token, 1, MPI_INT, (rank + size - 1) % size, 0,
                         MPI_COMM_WORLD, &status);
    }
    for (int i = MANY; i-- > 0;)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    total = 0;
    for (int i = 0; i < MANY; i++)
        total += out[i] == 100 * size * (size - 1) / 2 + i * size;
    say("rank %d: %d of %d sums are right, top %d, token %d\n", rank, total, MANY, top, token);

    /* Testsome and Waitany over collectives and receives. */
    for (int i = 0; i < MANY; i++) {
        out[i] = rank == i % size ? 1000 + i : -1;
        MPI_Ibcast(&out[i], 1, MPI_INT, i % size, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Irecv(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[MANY]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[MANY + 1]);
    for (int left = MANY + 2; left > 0;) {
        if (left % 2) {
            MPI_Waitany(MANY + 2, requests, &index, MPI_STATUS_IGNORE);
            left--;
        } else {
            MPI_Testsome(MANY + 2, requests, &count, indices, MPI_STATUSES_IGNORE);
            left -= count;
        }
    }
    total = 0;
    for (int i = 0; i < MANY; i++)
        total += out[i] == 1000 + i;
    say("rank %d: %d of %d broadcasts are right, token %d\n", rank, total, MANY, token);

    /* A function of the user runs while its rank is in other calls, or only polls. */
    MPI_Op_create(larger, 0, &max);
    MPI_Iallreduce(&rank, &top, 1, MPI_INT, max, MPI_COMM_WORLD, &requests[0]);
    MPI_Ireduce(&rank, &total, 1, MPI_INT, max, size - 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Op_free(&max); /* the operations still have it */
    if (rank % 2)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 8, MPI_COMM_WORLD, &status);
    else if (rank + 1 < size) {
        compute(20000);
        MPI_Ssend(&rank, 1, MPI_INT, rank + 1, 8, MPI_COMM_WORLD);
    }
    while (!flag) {
        MPI_Test(&requests[0], &flag, &status);
        compute(10);
    }
    MPI_Wait(&requests[1], &status);
    say("rank %d: the largest is %d%s\n", rank, top, rank == size - 1 && total == size - 1 ? ", at the root too" : "");

    /* The buffer of a broadcast may be read while it goes on at the root only: long ones overlap with computing. */
    static int large[60000];
    for (int i = 0; rank == 0 && i < 60000; i++)
        large[i] = i;
    MPI_Ibcast(large, 60000, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    compute(3000 * (size - rank));
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = total = 0; i < 60000; i++)
        total += large[i] == i;
    say("rank %d: %d of 60000 arrived\n", rank, total);
    say_all();
    MPI_Finalize();
    return 0;
}
