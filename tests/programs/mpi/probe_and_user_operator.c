/* A function of the user runs inside MPI_Probe, and the message that is probed for comes meanwhile: found, and later
 * calls wait as ever. */
#include "in_order.h"

static volatile double sink;

static void compute(int steps)
{
    for (int i = 0; i < steps; i++)
        sink += i * 0.5;
}

static void add_slowly(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    compute(200000);
    for (int i = 0; i < *n; i++)
        b[i] += a[i];
}

int main(int argc, char **argv)
{
    int rank, size, sum, token = 0, more = 0;
    MPI_Op op;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add_slowly, 1, &op);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    if (rank % 2) {
        MPI_Probe(rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&token, 1, MPI_INT, rank - 1, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&more, 1, MPI_INT, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank + 1 < size) {
        token = 5;
        more = 6;
        compute(50000);
        MPI_Send(&token, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        compute(5000000);
        MPI_Send(&more, 1, MPI_INT, rank + 1, 2, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("rank %d: sum %d, %d %d\n", rank, sum, token, more);
    MPI_Op_free(&op);
    say_all();
    MPI_Finalize();
    return 0;
}
