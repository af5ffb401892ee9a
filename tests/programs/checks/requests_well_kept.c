/* Nothing to say: null and inactive requests in every call that completes requests or asks for them, persistent ones
 * that are waited for, tested and freed before their first start or after their last; active ones that are freed when
 * the program knows that they are complete, or has cancelled them; what MPI_PROC_NULL has to do with. */
#include <mpi.h>

static int rank, other, in, out = 1, flag, n, at, indices[4];
static MPI_Status statuses[4];

/* Everything that may be done to requests of which none is active. */
static void ask_all(MPI_Request *requests, int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Wait(&requests[i], &statuses[0]);
        MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(count, requests, statuses);
    MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitany(count, requests, &at, &statuses[0]);
    MPI_Testany(count, requests, &at, &flag, &statuses[0]);
    MPI_Waitsome(count, requests, &n, indices, statuses);
    MPI_Testsome(count, requests, &n, indices, statuses);
}

static void persistent(void)
{
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    ask_all(requests, 4);
    MPI_Send_init(&out, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    ask_all(requests, 4);
    for (int i = 0; i < 3; i++) {
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); /* of the turn before */
        MPI_Startall(3, requests);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    ask_all(requests, 4);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    if (rank == 0)
        MPI_Psend_init(&out, 1, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    else
        MPI_Precv_init(&in, 1, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Rsend_init(&out, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[1]);
    ask_all(requests, 2);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void active(void)
{
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Isend(&out, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &request);
    MPI_Recv(&in, 1, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    do
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    persistent();
    active();
    MPI_Finalize();
}
