/* Counts beyond all memory, displacements that wrap around, null arrays and handles that are none are refused with their
 * error class, in the functions for large counts and elsewhere (MPI-4.0 section 2.5.8). */
#include "../mpi/in_order.h"

#define TELL(call)                                                                                                     \
    do {                                                                                                               \
        MPI_Error_class(call, &class);                                                                                 \
        say("%.24s: %s\n", #call,                                                                                      \
            class == MPI_SUCCESS       ? "success"                                                                     \
            : class == MPI_ERR_BUFFER  ? "buffer"                                                                      \
            : class == MPI_ERR_ARG     ? "arg"                                                                         \
            : class == MPI_ERR_INFO    ? "info"                                                                        \
            : class == MPI_ERR_COMM    ? "comm"                                                                        \
            : class == MPI_ERR_REQUEST ? "request"                                                                     \
                                       : "other");                                                                     \
    } while (0)

int main(int argc, char **argv)
{
    int a[4], class;
    MPI_Request request;
    MPI_Datatype empty;
    MPI_Comm comm;
    MPI_Count counts[2] = {1LL << 60, 1LL << 60};
    MPI_Aint places[2] = {1LL << 61, -(1LL << 61)};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    TELL(MPI_Bcast_c(a, 1LL << 40, MPI_INT, 0, MPI_COMM_WORLD));
    TELL(MPI_Send_c(a, 1LL << 62, MPI_INT, 0, 0, MPI_COMM_WORLD));
    TELL(MPI_Allgather_c(a, 1LL << 61, MPI_INT, a, 1LL << 61, MPI_INT, MPI_COMM_WORLD));
    TELL(MPI_Ialltoall_c(a, 1LL << 62, MPI_DOUBLE, a, 1LL << 62, MPI_DOUBLE, MPI_COMM_WORLD, &request));
    TELL(MPI_Alltoallv_c(a, counts, places, MPI_INT, a, counts, places, MPI_INT, MPI_COMM_WORLD));
    TELL(MPI_Reduce_local_c(a, a + 1, 1LL << 50, MPI_INT, MPI_SUM));
    TELL(MPI_Psend_init(a, 2000000000, 1LL << 40, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    TELL(MPI_Bcast_c(a, 1LL << 62, empty, 0, MPI_COMM_WORLD)); /* of nothing there is as much as you like */
    TELL(MPI_Barrier_init(MPI_COMM_WORLD, (MPI_Info)0x12345, &request));
    TELL(MPI_Pready(0, (MPI_Request)7));
    TELL(MPI_Alltoallw(a, NULL, NULL, NULL, a, NULL, NULL, NULL, MPI_COMM_WORLD));
    TELL(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 0, NULL));
    TELL(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm));
    MPI_Type_free(&empty);
    say_all();
    MPI_Finalize();
    return 0;
}
