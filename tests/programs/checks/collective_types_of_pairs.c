/* Alltoallv: what rank 0 sends to rank 2 is not what that receives from it (MPI-3.1 section 5.8). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, counts[3] = {1, 1, 1}, expected[3] = {1, 1, 1}, places[3] = {0, 8, 16};
    double out[24] = {0}, in[24];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        counts[2] = 3;
    if (rank == 2)
        expected[0] = 4;
    MPI_Ialltoallv(out, counts, places, MPI_DOUBLE, in, expected, places, MPI_DOUBLE, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
