/* In a ring, rank 2 sends one item to the right where rank 0 expects two (section 7.6). */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm ring;
    int rank, size, one = 1, in[4] = {0}, out[4] = {0}, sends[2] = {1, 1}, receives[2] = {1, 1}, places[2] = {0, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &one, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    if (rank == 0)
        receives[0] = 2;
    MPI_Neighbor_alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, ring);
    MPI_Finalize();
}
