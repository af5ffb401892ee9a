/* What is refused on inter-communicators, and in making them (MPI-3.1 sections 5.2.3, 6.6). */
#include "../mpi/in_order.h"

static const char *name(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS      ? "success"
           : class == MPI_ERR_COMM   ? "comm"
           : class == MPI_ERR_ROOT   ? "root"
           : class == MPI_ERR_RANK   ? "rank"
           : class == MPI_ERR_TAG    ? "tag"
           : class == MPI_ERR_ARG    ? "arg"
           : class == MPI_ERR_BUFFER ? "buffer"
                                     : "other";
}

int main(int argc, char **argv)
{
    int rank, size, dims = 1, in = 0, out = 0, n;
    MPI_Comm local, inter, made;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &local);
    MPI_Comm_set_errhandler(local, MPI_ERRORS_RETURN); /* the inter-communicator inherits it */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    say("local leader: %s\n", name(MPI_Intercomm_create(local, 7, MPI_COMM_WORLD, 0, 0, &inter)));
    say("own group: %s\n", name(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, rank, 0, &inter)));
    say("remote size: %s\n", name(MPI_Comm_remote_size(local, &n)));
    say("merge: %s\n", name(MPI_Intercomm_merge(local, 0, &made)));
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, !(rank % 2), 0, &inter);
    say("scan: %s\n", name(MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, inter)));
    say("exscan: %s\n", name(MPI_Exscan(&in, &out, 1, MPI_INT, MPI_SUM, inter)));
    say("grid: %s\n", name(MPI_Cart_create(inter, 1, &dims, &dims, 0, &made)));
    say("root: %s\n", name(MPI_Bcast(&in, 1, MPI_INT, 9, inter)));
    say("in place: %s\n", name(MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, inter)));
    say("destination: %s\n", name(MPI_Send(&in, 1, MPI_INT, 2, 0, inter)));
    say("on an intra-communicator: %s\n", name(MPI_Bcast(&in, 1, MPI_INT, MPI_ROOT, local)));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
    say_all();
    MPI_Finalize();
    return 0;
}
