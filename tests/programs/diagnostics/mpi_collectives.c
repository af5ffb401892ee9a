/* Collective calls that only some ranks reach (MPI-3.1 section 5.1), and operators (section 5.9.2). */
#pragma GCC diagnostic error "-Wmpi-collective"
#pragma GCC diagnostic error "-Wmpi-op"
#pragma GCC diagnostic error "-Wmpi-alias"
#include <mpi.h>

static double share(double x)
{
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return x;
}

int main(int argc, char **argv)
{
    int rank;
    double x = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        x = share(x);
    for (int i = 0; i < rank; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
    MPI_Allreduce(&x, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank != 0) {
        MPI_Finalize();
        return 0;
    }
    MPI_Scan(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
