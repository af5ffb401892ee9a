/* Gatherv: rank 1 contributes what the root does not expect; that shows when all have called. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, counts[3] = {2, 0, 2}, places[3] = {0, 2, 4}, out[2] = {0}, in[6];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(out, 2, MPI_INT, in, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
