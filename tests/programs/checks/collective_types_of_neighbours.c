/* On a ring of two places both neighbours are the same process; what goes left comes in from the right, and there the
 * types differ. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size = 2, periodic = 1, counts[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    double out[2] = {0}, in[2];
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Datatype sent[2] = {MPI_DOUBLE, MPI_LONG}, received[2] = {MPI_LONG, MPI_DOUBLE};
    MPI_Neighbor_alltoallw(out, counts, places, sent, in, counts, places, received, ring);
    if (rank == 1)
        received[1] = MPI_LONG;
    MPI_Neighbor_alltoallw(out, counts, places, sent, in, counts, places, received, ring);
    MPI_Finalize();
    return 0;
}
