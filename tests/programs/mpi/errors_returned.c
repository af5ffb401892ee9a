/* MPI_ERRORS_RETURN and user error handlers, from calls that communicate and calls that do not (MPI-3.1 section 8.3). */
#include <mpi.h>
#include <stdio.h>

static int handled, last;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    MPI_Error_class(*code, &last);
}

static const char *name(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS       ? "success"
           : class == MPI_ERR_RANK     ? "rank"
           : class == MPI_ERR_TAG      ? "tag"
           : class == MPI_ERR_COUNT    ? "count"
           : class == MPI_ERR_TYPE     ? "type"
           : class == MPI_ERR_ROOT     ? "root"
           : class == MPI_ERR_TRUNCATE ? "truncate"
                                       : "other";
}

int main(int argc, char **argv)
{
    int rank, size, data[8] = {0};
    MPI_Errhandler own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        printf("%s\n", name(MPI_Send(data, 1, MPI_INT, size, 0, MPI_COMM_WORLD)));
        printf("%s\n", name(MPI_Send(data, 1, MPI_INT, 0, -5, MPI_COMM_WORLD)));
        printf("%s\n", name(MPI_Send(data, -1, MPI_INT, 0, 0, MPI_COMM_WORLD)));
        printf("%s\n", name(MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD)));
        printf("%s\n", name(MPI_Bcast(data, 1, MPI_INT, size, MPI_COMM_WORLD)));
    }
    if (size > 1 && rank < 2) {
        MPI_Status status;
        if (rank == 0)
            MPI_Send(data, 8, MPI_INT, 1, 3, MPI_COMM_WORLD);
        else
            printf("%s\n", name(MPI_Recv(data, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, &status)));
    }
    if (size > 1 && rank < 2) { /* one of two fails: MPI_ERR_IN_STATUS (section 3.7.5) */
        MPI_Request requests[2];
        MPI_Status statuses[2];
        if (rank == 0) {
            MPI_Send(data, 8, MPI_INT, 1, 4, MPI_COMM_WORLD);
            MPI_Send(data, 2, MPI_INT, 1, 5, MPI_COMM_WORLD);
        } else {
            MPI_Irecv(data, 2, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[0]);
            MPI_Irecv(data + 2, 2, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[1]);
            int code = MPI_Waitall(2, requests, statuses);
            printf("in status %d: %s\n", code == MPI_ERR_IN_STATUS, name(statuses[0].MPI_ERROR));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Errhandler_free(&own);
    if (rank == 0) {
        MPI_Recv(data, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("handled %d, %s\n", handled, name(last));
        int count;
        MPI_Status status;
        MPI_Iprobe(0, -7, MPI_COMM_WORLD, &count, &status);
        printf("handled %d, %s\n", handled, name(last));
    }
    MPI_Finalize();
    return 0;
}
