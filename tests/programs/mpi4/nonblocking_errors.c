/* What is wrong with non-blocking and persistent collectives is said when they are called, or when they complete; their
 * requests cannot be cancelled, nor freed while active (MPI-3.1 section 5.12, MPI-4.0 section 6.13). */
#include "../mpi/in_order.h"

static const char *name(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS        ? "success"
           : class == MPI_ERR_COMM     ? "comm"
           : class == MPI_ERR_COUNT    ? "count"
           : class == MPI_ERR_TYPE     ? "type"
           : class == MPI_ERR_ROOT     ? "root"
           : class == MPI_ERR_OP       ? "op"
           : class == MPI_ERR_REQUEST  ? "request"
           : class == MPI_ERR_TRUNCATE ? "truncate"
           : class == MPI_ERR_BUFFER   ? "buffer"
           : class == MPI_ERR_ARG      ? "arg"
                                       : "other";
}

int main(int argc, char **argv)
{
    int rank, size, data[8] = {0}, all[64];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        say("null communicator: %s\n", name(MPI_Ibarrier(MPI_COMM_NULL, &request)));
        say("root: %s\n", name(MPI_Ibcast(data, 1, MPI_INT, size, MPI_COMM_WORLD, &request)));
        say("count: %s\n", name(MPI_Ibcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD, &request)));
        say("large count: %s\n", name(MPI_Ibcast_c(data, -5000000000, MPI_INT, 0, MPI_COMM_WORLD, &request)));
        say("type: %s\n", name(MPI_Iallgather(data, 1, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD, &request)));
        say("operator: %s\n", name(MPI_Iallreduce(data, all, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_WORLD, &request)));
        say("null operator: %s\n", name(MPI_Iscan(data, all, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, &request)));
        say("persistent root: %s\n",
            name(MPI_Reduce_init(data, all, 1, MPI_INT, MPI_SUM, -1, MPI_COMM_WORLD, MPI_INFO_NULL, &request)));
        say("the request is %s\n", request == MPI_REQUEST_NULL ? "untouched" : "set");
    }

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    say("cancel: %s\n", name(MPI_Cancel(&request)));
    say("free: %s\n", name(MPI_Request_free(&request)));
    say("start: %s\n", name(MPI_Start(&request)));
    say("wait: %s\n", name(MPI_Wait(&request, MPI_STATUS_IGNORE)));

    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    say("wait for an inactive one: %s\n", name(MPI_Wait(&request, MPI_STATUS_IGNORE)));
    say("start: %s\n", name(MPI_Start(&request)));
    say("start an active one: %s\n", name(MPI_Start(&request)));
    say("free an active one: %s\n", name(MPI_Request_free(&request)));
    say("wait: %s\n", name(MPI_Wait(&request, MPI_STATUS_IGNORE)));
    say("free: %s\n", name(MPI_Request_free(&request)));
    say("the request is %s\n", request == MPI_REQUEST_NULL ? "null" : "still there");

    /* Rank 0 sends more than rank 1 expects. */
    if (size == 2) {
        MPI_Ibcast(data, rank == 0 ? 8 : 4, MPI_INT, 0, MPI_COMM_WORLD, &request);
        int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        say("too long: %s\n", name(code));
    }
    say_all();
    MPI_Finalize();
    return 0;
}
