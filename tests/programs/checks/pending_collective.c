/* The result of a collective in the background: memset touches it too early (MPI-3.1 section 5.12). */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    double mine[4] = {0}, sum[4];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Allreduce_init(mine, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    memset(sum, 0, sizeof sum);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    memset(sum, 0, sizeof sum);
    MPI_Start(&request);
    memset(sum + 3, 0, sizeof *sum);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
