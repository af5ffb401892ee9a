/* One rank sums, another takes the maximum (MPI-3.1 section 5.9). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value, result;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    value = rank;
    MPI_Allreduce(&value, &result, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}
