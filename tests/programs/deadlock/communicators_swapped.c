/* Two communicators, their collectives in another order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm a, b;
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    MPI_Comm_set_name(a, "a");
    MPI_Comm_set_name(b, "b");
    MPI_Barrier(rank ? a : b);
    MPI_Barrier(rank ? b : a);
    (void)in, (void)out, (void)size;
    MPI_Finalize();
}
