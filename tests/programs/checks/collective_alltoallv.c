/* What rank 0 sends to rank 1 is not what that one expects: nothing, so that no message would show it (section 5.8). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in[4] = {0}, out[4] = {0}, sends[2] = {1, 1}, receives[2] = {1, 1}, places[2] = {0, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        receives[0] = 0;
    MPI_Alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
}
