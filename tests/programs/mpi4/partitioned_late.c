/* A partitioned receive that starts before the sender is even initialized, with datatypes with gaps; the order of
 * initializations is the order of matching; and what is wrong with partitions (MPI-4.0 chapter 4). */
#include "../mpi/in_order.h"

static const char *name(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS        ? "success"
           : class == MPI_ERR_ARG      ? "arg"
           : class == MPI_ERR_COUNT    ? "count"
           : class == MPI_ERR_REQUEST  ? "request"
           : class == MPI_ERR_RANK     ? "rank"
           : class == MPI_ERR_TAG      ? "tag"
           : class == MPI_ERR_TRUNCATE ? "truncate"
                                       : "other";
}

int main(int argc, char **argv)
{
    int rank, size, in[24], out[24], go = 1, last = 0, flag;
    MPI_Request first, second, short_one, plain;
    MPI_Datatype pairs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pairs); /* x.x */
    MPI_Type_create_resized(pairs, 0, 4 * sizeof(int), &pairs);
    MPI_Type_commit(&pairs);
    for (int i = 0; i < 24; i++) {
        in[i] = -1;
        out[i] = i;
    }
    if (rank == 0) {
        MPI_Precv_init(in, 3, 2, pairs, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &first);
        MPI_Precv_init(&last, 1, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &second);
        MPI_Start(&first);
        MPI_Start(&second);
        MPI_Parrived(first, 0, &flag);
        say("before the sender: %d\n", flag);
        MPI_Send(&go, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&first, MPI_STATUS_IGNORE);
        MPI_Wait(&second, MPI_STATUS_IGNORE);
        for (int i = 0; i < 24; i++)
            say("%d%s", in[i], i % 12 == 11 ? "\n" : " ");
        say("the second: %d\n", last);
        MPI_Request_free(&first);
        MPI_Request_free(&second);

        MPI_Precv_init(in, 1, 3, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &short_one);
        MPI_Start(&short_one);
        say("too long: %s\n", name(MPI_Wait(&short_one, MPI_STATUS_IGNORE)));
        MPI_Request_free(&short_one);
    } else if (rank == 1) {
        MPI_Recv(&go, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Psend_init(out, 4, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &first);
        go = 77;
        MPI_Psend_init(&go, 1, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &second);
        say("not started: %s\n", name(MPI_Pready(0, first)));
        MPI_Start(&second);
        MPI_Start(&first);
        say("started twice: %s\n", name(MPI_Start(&first)));
        MPI_Pready(0, second);
        say("no such partition: %s\n", name(MPI_Pready(4, first)));
        say("backwards: %s\n", name(MPI_Pready_range(2, 1, first)));
        MPI_Pready_range(1, 3, first);
        say("twice ready: %s\n", name(MPI_Pready(2, first)));
        say("arrived at a sender: %s\n", name(MPI_Parrived(first, 2, &flag)));
        say("active, freed: %s\n", name(MPI_Request_free(&first)));
        MPI_Pready(0, first);
        MPI_Wait(&first, MPI_STATUS_IGNORE);
        MPI_Wait(&second, MPI_STATUS_IGNORE);
        MPI_Request_free(&first);
        MPI_Request_free(&second);
        MPI_Psend_init(out, 2, 2, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &first);
        MPI_Start(&first);
        MPI_Pready_range(0, 1, first);
        MPI_Wait(&first, MPI_STATUS_IGNORE);
        MPI_Request_free(&first);

        say("partitions: %s\n", name(MPI_Psend_init(out, -1, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &first)));
        say("count: %s\n", name(MPI_Psend_init(out, 1, -3, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &first)));
        say("any source: %s\n",
            name(MPI_Precv_init(in, 1, 3, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &first)));
        say("any tag: %s\n",
            name(MPI_Precv_init(in, 1, 3, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &first)));
        MPI_Send_init(out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &plain);
        say("another request: %s\n", name(MPI_Pready(0, plain)));
        MPI_Request_free(&plain);
    }
    MPI_Type_free(&pairs);
    say_all();
    MPI_Finalize();
    return 0;
}
