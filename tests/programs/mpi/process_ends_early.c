/* A process that ends between MPI_Init and MPI_Finalize has failed. Where the error handler lets them, others hear of
 * it when nothing else can happen: in messages, probes and collectives. Receives from any source wait for the living.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void expect(const char *what, int result, int wanted)
{
    int class;
    MPI_Error_class(result, &class);
    if (class != wanted)
        printf("rank %d: %s: class %d instead of %d\n", rank, what, class, wanted);
}

int main(int argc, char **argv)
{
    static int large[100000];
    int size, small = 1, got = 0, flag = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    MPI_Comm living;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &living);
    MPI_Comm_set_errhandler(living, MPI_ERRORS_ARE_FATAL);
    if (rank == 1) {
        small = 7;
        MPI_Send(&small, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        exit(0);
    }
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        expect("probe", MPI_Probe(1, 9, MPI_COMM_WORLD, &status), MPIX_ERR_PROC_FAILED);
        expect("poll", MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, &status), MPIX_ERR_PROC_FAILED);
        expect("matched probe", MPI_Mprobe(1, 9, MPI_COMM_WORLD, &message, &status), MPIX_ERR_PROC_FAILED);
        expect("sent before", MPI_Recv(&small, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status), MPI_SUCCESS);
        expect("send", MPI_Ssend(large, 100000, MPI_INT, 1, 9, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    } else if (rank == 2) {
        expect("receive", MPI_Recv(&small, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status), MPIX_ERR_PROC_FAILED);
        expect("any source", MPI_Recv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status),
               MPIX_ERR_PROC_FAILED);
    } else {
        expect("barrier", MPI_Barrier(MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    }
    /* The request stays pending, however often that is said, and completes when its message comes. */
    expect("pending", MPI_Wait(&request, &status), MPIX_ERR_PROC_FAILED_PENDING);
    expect("still pending", MPI_Test(&request, &flag, &status), MPIX_ERR_PROC_FAILED_PENDING);
    if (request == MPI_REQUEST_NULL)
        printf("rank %d: the request is gone\n", rank);
    MPI_Barrier(living); /* on which nobody is missing */
    small = rank;
    MPI_Send(&small, 1, MPI_INT, rank == 0 ? size - 1 : rank == 2 ? 0 : rank - 1, 2, MPI_COMM_WORLD);
    MPI_Barrier(living);
    expect("complete", MPI_Wait(&request, &status), MPI_SUCCESS);
    if (got != (rank == size - 1 ? 0 : rank == 0 ? 2 : rank + 1) || request != MPI_REQUEST_NULL)
        printf("rank %d: received %d\n", rank, got);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    expect("pending", MPI_Wait(&request, &status), MPIX_ERR_PROC_FAILED_PENDING);
    MPI_Cancel(&request);
    expect("cancelled", MPI_Wait(&request, &status), MPI_SUCCESS);
    MPI_Test_cancelled(&status, &flag);
    if (rank == 0)
        printf("%s\n", flag ? "cancelled" : "not cancelled");
    MPI_Comm_free(&living);
    MPI_Finalize();
    return 0;
}
