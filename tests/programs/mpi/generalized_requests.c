/* Generalized requests: query, free and cancel functions run when the standard says so, in all calls that wait and test,
 * alone and among requests of MPI (MPI-3.1 section 12.2). */
#include <mpi.h>
#include <stdio.h>

typedef struct Work {
    int number, answer;
} Work;

static int query(void *extra, MPI_Status *status)
{
    const Work *work = extra;
    printf("  query %d\n", work->number);
    MPI_Status_set_elements(status, MPI_INT, work->number);
    MPI_Status_set_cancelled(status, work->number == 9);
    status->MPI_SOURCE = 100 + work->number;
    status->MPI_TAG = 200 + work->number;
    return work->answer;
}

static int release(void *extra)
{
    printf("  free %d\n", ((Work *)extra)->number);
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    printf("  cancel %d, complete %d\n", ((Work *)extra)->number, complete);
    return MPI_SUCCESS;
}

static void show(const char *what, const MPI_Status *status, MPI_Request request)
{
    int n, cancelled;
    MPI_Get_elements(status, MPI_INT, &n);
    MPI_Test_cancelled(status, &cancelled);
    printf("%s: source %d, tag %d, %d elements, cancelled %d, %s\n", what, status->MPI_SOURCE, status->MPI_TAG, n,
           cancelled, request == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "still there");
}

int main(int argc, char **argv)
{
    Work works[10];
    MPI_Request request, requests[3];
    MPI_Status status, statuses[3];
    int flag, index, n, indices[3], number = 5, received = 0;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        works[i] = (Work){i, MPI_SUCCESS};
    MPI_Grequest_start(query, release, cancel, &works[0], &request);
    MPI_Test(&request, &flag, &status);
    printf("test: flag %d\n", flag);
    MPI_Request_get_status(request, &flag, &status);
    printf("status: flag %d\n", flag);
    MPI_Grequest_complete(request);
    MPI_Request_get_status(request, &flag, &status);
    show("status", &status, request);
    MPI_Test(&request, &flag, &status);
    show("test", &status, request);

    MPI_Grequest_start(query, release, cancel, &works[1], &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    show("wait", &status, request);
    MPI_Grequest_start(query, release, cancel, &works[2], &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Grequest_start(query, release, cancel, &works[3], &requests[0]);
    MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
    MPI_Grequest_start(query, release, cancel, &works[4], &requests[2]);
    MPI_Testall(3, requests, &flag, statuses);
    printf("testall: flag %d\n", flag);
    MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Grequest_complete(requests[2]);
    MPI_Grequest_complete(requests[0]);
    MPI_Waitall(3, requests, statuses);
    for (int i = 0; i < 3; i++)
        show("waitall", &statuses[i], requests[i]);
    printf("received %d\n", received);

    MPI_Grequest_start(query, release, cancel, &works[5], &requests[0]);
    MPI_Grequest_start(query, release, cancel, &works[6], &requests[1]);
    MPI_Grequest_start(query, release, cancel, &works[7], &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitany(3, requests, &index, &status);
    printf("waitany: %d\n", index);
    show("waitany", &status, requests[1]);
    MPI_Testany(3, requests, &index, &flag, &status);
    printf("testany: flag %d\n", flag);
    MPI_Grequest_complete(requests[0]);
    MPI_Grequest_complete(requests[2]);
    MPI_Waitsome(3, requests, &n, indices, statuses);
    printf("waitsome: %d, %d %d\n", n, indices[0], indices[1]);
    show("waitsome", &statuses[0], requests[0]);
    show("waitsome", &statuses[1], requests[2]);

    MPI_Grequest_start(query, release, cancel, &works[8], &request);
    MPI_Grequest_complete(request);
    MPI_Request_free(&request);
    printf("freed late: %s\n", request == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "?");

    MPI_Grequest_start(query, release, cancel, &works[9], &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    show("cancelled", &status, request);
    MPI_Finalize();
    return 0;
}
