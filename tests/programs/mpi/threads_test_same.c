/* A thread tests the request that another thread waits for: it gets an error, and the wait is not disturbed. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static MPI_Request request;

static void *test(void *argument)
{
    MPI_Request copy;
    int done = 0, error = MPI_SUCCESS;
    usleep(1000);
    copy = request;
    while (!done && error == MPI_SUCCESS)
        error = MPI_Test(&copy, &done, MPI_STATUS_IGNORE);
    MPI_Error_class(error, &error);
    printf("%s\n", error == MPI_ERR_REQUEST ? "the test is refused" : "the test has an answer");
    return argument;
}

int main(int argc, char **argv)
{
    int rank, value = 0, provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, test, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        printf("received %d\n", value);
    } else {
        usleep(5000);
        value = 7;
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
