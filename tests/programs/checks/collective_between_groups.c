/* Between two groups, what one gives is what the other takes (section 5.2.3): here it is not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm mine, both;
    int rank, out[2] = {0}, in[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    MPI_Allgather(out, 1 + rank % 2, MPI_INT, in, 1, MPI_INT, both);
    MPI_Finalize();
}
