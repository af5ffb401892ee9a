/* Broadcasts on two communicators in another order: the roots need not wait, so it goes well while messages are
 * buffered (section 5.14, example 5.26). */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm a, b;
    int rank, x = 0, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    MPI_Bcast(&x, 1, MPI_INT, rank, rank ? b : a);
    MPI_Bcast(&y, 1, MPI_INT, 1 - rank, rank ? a : b);
    MPI_Comm_free(&a);
    MPI_Comm_free(&b);
    MPI_Finalize();
}
