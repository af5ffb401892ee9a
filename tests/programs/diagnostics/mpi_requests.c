/* Requests and statuses (MPI-3.1 section 3.7): lost, overwritten, never started, a buffer touched too early. */
#pragma GCC diagnostic error "-Wmpi-request"
#pragma GCC diagnostic error "-Wmpi-status"
#include <mpi.h>
#include <stdio.h>

static void lost(int to)
{
    static int data;
    MPI_Request request;
    MPI_Isend(&data, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &request);
}

static void overwritten(int size)
{
    int data = 1;
    MPI_Request request;
    for (int i = 0; i < size; i++)
        MPI_Isend(&data, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void too_early(void)
{
    int data[4];
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    printf("%d\n", data[0]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d\n", status.MPI_SOURCE);
}

int main(int argc, char **argv)
{
    MPI_Request never;
    MPI_Init(&argc, &argv);
    lost(0);
    overwritten(1);
    too_early();
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
