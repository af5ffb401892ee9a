/* A collective whose ranks do not agree on the amount (MPI-3.1 section 5.1): under MPI_ERRORS_RETURN some rank is told of
 * the truncation, none waits for ever for one that has been told, and the next collective works again. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 64 };

static int rank, size, told, other;

static void note(int error)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    told += error_class == MPI_ERR_TRUNCATE;
    other += error_class != MPI_ERR_TRUNCATE && error_class != MPI_SUCCESS;
}

static void show(const char *what)
{
    int counts[2] = {told, other}, all[2], sum, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(counts, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %s, other errors %d, afterwards %d\n", what, all[0] ? "told" : "not told", all[1], sum);
    told = other = 0;
}

static void combine(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    static int in[MOST * 16], out[MOST * 16];
    MPI_Request request;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Op_create(combine, 1, &op);
    int more = rank == 0 ? 40 : 20;
    note(MPI_Bcast(in, more, MPI_INT, 0, MPI_COMM_WORLD));
    show("bcast");
    note(MPI_Reduce(in, out, rank == size - 1 ? 40 : 20, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
    show("reduce");
    note(MPI_Allreduce(in, out, more, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    show("allreduce");
    note(MPI_Allreduce(in, out, more, MPI_INT, op, MPI_COMM_WORLD));
    show("allreduce by a function");
    note(MPI_Gather(in, rank == size - 1 ? 40 : 20, MPI_INT, out, 20, MPI_INT, 0, MPI_COMM_WORLD));
    show("gather");
    note(MPI_Allgather(in, more, MPI_INT, out, more, MPI_INT, MPI_COMM_WORLD));
    show("allgather");
    note(MPI_Scan(in, out, more, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    show("scan");
    note(MPI_Ibcast(in, more, MPI_INT, 0, MPI_COMM_WORLD, &request));
    note(MPI_Wait(&request, MPI_STATUS_IGNORE));
    show("bcast in the background");
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
