/* Mistakes with messages and generalized requests: error classes, errors of the program's functions, use of a request by
 * a function that the completion of that request calls (MPI-3.1 sections 3.8 and 12.2). */
#include <mpi.h>
#include <stdio.h>

static MPI_Request inner;

static int query(void *extra, MPI_Status *status)
{
    (void)extra, (void)status;
    return MPI_ERR_INTERN;
}

static int query_that_waits(void *extra, MPI_Status *status)
{
    MPI_Request copy = inner;
    int error = MPI_Wait(&copy, status);
    (void)extra;
    printf("wait for itself: %s\n", error == MPI_ERR_REQUEST ? "MPI_ERR_REQUEST" : "?");
    copy = inner;
    error = MPI_Request_free(&copy);
    printf("free itself: %s\n", error == MPI_ERR_REQUEST ? "MPI_ERR_REQUEST" : "?");
    return MPI_SUCCESS;
}

static int nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int say_freed(void *extra)
{
    (void)extra;
    printf("now it is freed\n");
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_ERR_OTHER;
}

static void expect(const char *what, int error, int expected)
{
    if (error == expected)
        printf("%s: as expected\n", what);
    else
        printf("%s: class %d\n", what, error);
}

int main(int argc, char **argv)
{
    MPI_Request request, requests[2], plain;
    MPI_Message message = MPI_MESSAGE_NULL, copy;
    MPI_Status status, statuses[2];
    int number = 1, sent = 1, flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect("receive no message", MPI_Mrecv(&number, 1, MPI_INT, &message, &status), MPI_ERR_REQUEST);
    expect("probe nowhere", MPI_Mprobe(5, 0, MPI_COMM_WORLD, &message, &status), MPI_ERR_RANK);
    expect("probe to nowhere", MPI_Mprobe(0, 0, MPI_COMM_WORLD, NULL, &status), MPI_ERR_ARG);
    expect("negative tag", MPI_Improbe(0, -5, MPI_COMM_WORLD, &flag, &message, &status), MPI_ERR_TAG);
    MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &plain);
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, &status);
    copy = message;
    expect("negative count", MPI_Mrecv(&number, -1, MPI_INT, &message, &status), MPI_ERR_COUNT);
    expect("after the mistake", MPI_Mrecv(&number, 1, MPI_INT, &message, &status), MPI_SUCCESS);
    expect("received before", MPI_Mrecv(&number, 1, MPI_INT, &copy, &status), MPI_ERR_REQUEST);
    expect("complete another request", MPI_Grequest_complete(plain), MPI_ERR_REQUEST);
    MPI_Wait(&plain, MPI_STATUS_IGNORE);
    expect("complete no request", MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    expect("status of no request", MPI_Request_get_status((MPI_Request)12, &flag, &status), MPI_ERR_REQUEST);

    MPI_Grequest_start(query, nothing, cancel, NULL, &request);
    expect("cancel function", MPI_Cancel(&request), MPI_ERR_OTHER);
    MPI_Grequest_complete(request);
    expect("complete again", MPI_Grequest_complete(request), MPI_ERR_REQUEST);
    expect("start it", MPI_Start(&request), MPI_ERR_REQUEST);
    expect("query function", MPI_Wait(&request, &status), MPI_ERR_INTERN);
    printf("%s\n", request == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "still there");

    MPI_Grequest_start(query, nothing, cancel, NULL, &requests[0]);
    MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Grequest_complete(requests[0]);
    expect("among others", MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    expect("its status", statuses[0].MPI_ERROR, MPI_ERR_INTERN);
    expect("the other status", statuses[1].MPI_ERROR, MPI_SUCCESS);

    MPI_Grequest_start(query, say_freed, cancel, NULL, &request); /* MPI_Request_free leaves it to the completion */
    inner = request;
    MPI_Request_free(&request);
    printf("freed early: %s\n", request == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "?");
    request = inner;
    expect("wait for what is freed", MPI_Wait(&request, &status), MPI_ERR_REQUEST);
    MPI_Grequest_complete(inner);
    expect("complete what is gone", MPI_Grequest_complete(inner), MPI_ERR_REQUEST);

    MPI_Grequest_start(query_that_waits, nothing, cancel, NULL, &inner);
    MPI_Grequest_complete(inner);
    expect("outer wait", MPI_Wait(&inner, &status), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
