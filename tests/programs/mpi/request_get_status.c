/* MPI_Request_get_status tells whether an operation is complete and leaves its request alone (MPI-3.1 section 3.8). */
#include "in_order.h"

int main(int argc, char **argv)
{
    int rank, flag, number = -1, n;
    MPI_Request request, persistent, none = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request_get_status(none, &flag, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    say("null: flag %d, %d %d %d\n", flag, status.MPI_SOURCE == MPI_ANY_SOURCE, status.MPI_TAG == MPI_ANY_TAG, n);
    if (rank == 1) {
        MPI_Irecv(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        say("too early: flag %d\n", flag);
        MPI_Barrier(MPI_COMM_WORLD);
        do
            MPI_Request_get_status(request, &flag, &status);
        while (!flag);
        MPI_Get_count(&status, MPI_INT, &n);
        say("complete: from %d, tag %d, count %d, request %s\n", status.MPI_SOURCE, status.MPI_TAG, n,
            request == MPI_REQUEST_NULL ? "gone" : "still there");
        MPI_Request_get_status(request, &flag, &status);
        say("again: flag %d, number %d\n", flag, number);
        MPI_Wait(&request, &status);
        say("waited: tag %d, request %s\n", status.MPI_TAG, request == MPI_REQUEST_NULL ? "gone" : "still there");
        MPI_Recv_init(&number, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &persistent);
        MPI_Request_get_status(persistent, &flag, &status);
        say("inactive: flag %d, %d\n", flag, status.MPI_SOURCE == MPI_ANY_SOURCE);
        MPI_Request_free(&persistent);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Send(&rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    }
    say_all();
    MPI_Finalize();
    return 0;
}
