/* The forms of MPI_Request_get_status for arrays (MPI-4.1 section 3.7.6). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int numbers[3] = {-1, -1, -1}, flag, index, n, indices[4], value = 7;
    MPI_Request requests[4] = {MPI_REQUEST_NULL};
    MPI_Status statuses[4], status;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&numbers[i], 1, MPI_INT, 0, 10 + i, MPI_COMM_SELF, &requests[i + 1]);
    MPI_Request_get_status_any(4, requests, &index, &flag, &status);
    printf("any: flag %d, %s\n", flag, index == MPI_UNDEFINED ? "MPI_UNDEFINED" : "?");
    MPI_Request_get_status_some(4, requests, &n, indices, statuses);
    printf("some: %d\n", n);
    MPI_Request_get_status_all(4, requests, &flag, statuses);
    printf("all: flag %d\n", flag);
    MPI_Send(&value, 1, MPI_INT, 0, 11, MPI_COMM_SELF);
    do
        MPI_Request_get_status_any(4, requests, &index, &flag, &status);
    while (!flag);
    printf("any: number %d, tag %d\n", index, status.MPI_TAG);
    MPI_Request_get_status_some(4, requests, &n, indices, statuses);
    printf("some: %d, number %d, tag %d\n", n, indices[0], statuses[0].MPI_TAG);
    MPI_Send(&value, 1, MPI_INT, 0, 12, MPI_COMM_SELF);
    MPI_Send(&value, 1, MPI_INT, 0, 10, MPI_COMM_SELF);
    do
        MPI_Request_get_status_all(4, requests, &flag, statuses);
    while (!flag);
    printf("all: tags %d %d %d, the null one %d\n", statuses[1].MPI_TAG, statuses[2].MPI_TAG, statuses[3].MPI_TAG,
           statuses[0].MPI_TAG == MPI_ANY_TAG);
    MPI_Request_get_status_some(4, requests, &n, indices, MPI_STATUSES_IGNORE);
    printf("some: %d, numbers %d %d %d\n", n, indices[0], indices[1], indices[2]);
    MPI_Waitall(4, requests, statuses);
    MPI_Request_get_status_some(4, requests, &n, indices, statuses);
    printf("none active: %s\n", n == MPI_UNDEFINED ? "MPI_UNDEFINED" : "?");
    MPI_Request_get_status_any(4, requests, &index, &flag, &status);
    printf("none active: flag %d, %s\n", flag, index == MPI_UNDEFINED ? "MPI_UNDEFINED" : "?");
    MPI_Finalize();
    return 0;
}
