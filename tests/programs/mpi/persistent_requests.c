/* Persistent requests start again and again, and are inactive in between (MPI-3.1 section 3.9). */
#include "in_order.h"

int main(int argc, char **argv)
{
    int rank, size, out, in = -1, flag, index;
    MPI_Request requests[2], synchronous;
    MPI_Status statuses[2], status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &requests[1]);

    MPI_Wait(&requests[1], &status); /* inactive: returns at once with an empty status */
    say("rank %d: inactive: source %s, tag %s\n", rank, status.MPI_SOURCE == MPI_ANY_SOURCE ? "any" : "?",
        status.MPI_TAG == MPI_ANY_TAG ? "any" : "?");
    for (int round = 0; round < 3; round++) {
        out = 10 * rank + round;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        say("rank %d, round %d: %d from %d\n", rank, round, in, statuses[1].MPI_SOURCE);
    }
    MPI_Testany(2, requests, &index, &flag, &status);
    say("rank %d: nothing active: flag %d, index %s\n", rank, flag, index == MPI_UNDEFINED ? "undefined" : "?");
    say("rank %d: the requests are %s\n", rank, requests[0] != MPI_REQUEST_NULL ? "kept" : "gone");
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    say("rank %d: now they are %s\n", rank, requests[0] == MPI_REQUEST_NULL ? "gone" : "kept");

    MPI_Ssend_init(&rank, 1, MPI_INT, rank ^ 1, 4, MPI_COMM_WORLD, &synchronous);
    MPI_Start(&synchronous);
    MPI_Recv(&in, 1, MPI_INT, rank ^ 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&synchronous, MPI_STATUS_IGNORE);
    say("rank %d: exchanged with %d\n", rank, in);
    MPI_Request_free(&synchronous);
    say_all();
    MPI_Finalize();
    return 0;
}
