/* Many ranks start processes at one time, each its own; then all together. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, own, common;
    int rank, size, n, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parent != MPI_COMM_NULL) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &own, MPI_ERRCODES_IGNORE);
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, size, MPI_INFO_NULL, size - 1, MPI_COMM_WORLD, &common,
                   MPI_ERRCODES_IGNORE);
    MPI_Allreduce(&rank, &n, 1, MPI_INT, MPI_SUM, own);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, common);
    if (n != 1 || sum != size * (size - 1) / 2)
        printf("wrong: %d %d\n", n, sum);
    MPI_Comm_disconnect(&common);
    MPI_Comm_disconnect(&own);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
