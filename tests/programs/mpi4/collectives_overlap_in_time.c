/* In virtual time a collective in the background costs its rank nothing but the calls: together with a computation it
 * takes as long as the longer of the two. A reduction by a function of the user cannot go on while its rank computes.
 */
#include "../mpi/in_order.h"

#include <stdlib.h>

enum { ITEMS = 200000 };

static int data[ITEMS], result[ITEMS];
static volatile double sink;

static void compute(int steps)
{
    for (int i = 0; i < steps; i++)
        sink += i * 0.5;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++)
        b[i] += a[i];
}

/* Seconds until the last rank is through. */
static double lasting(double since)
{
    double mine = MPI_Wtime() - since, longest;
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

static double begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

int main(int argc, char **argv)
{
    enum { STEPS = 1000000 };
    int rank, size;
    MPI_Request request;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add, 1, &op);

    double start = begin();
    compute(STEPS);
    double computing = lasting(start);
    start = begin();
    MPI_Bcast(data, ITEMS, MPI_INT, 0, MPI_COMM_WORLD);
    double talking = lasting(start);
    start = begin();
    MPI_Ibcast(data, ITEMS, MPI_INT, 0, MPI_COMM_WORLD, &request);
    compute(STEPS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    double both = lasting(start), longer = computing > talking ? computing : talking;
    start = begin();
    MPI_Iallreduce(data, result, ITEMS, MPI_INT, op, MPI_COMM_WORLD, &request);
    compute(STEPS);
    double before = MPI_Wtime();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    double waited = lasting(before);
    if (rank == 0) {
        say("a broadcast and a computation: %s\n", both < 1.05 * longer ? "the longer of the two" : "longer");
        say("a function of the user: %s\n", waited > 1e-5 ? "when the rank waits" : "meanwhile");
    }
    MPI_Op_free(&op);
    say_all();
    MPI_Finalize();
    return 0;
}
