/* A rank keeps its share of the node's cores, whoever comes later; who comes shares with all that are there. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    int rank, all, changes = 0, first;
    MPI_Init(&argc, &argv);
    first = (int)sysconf(_SC_NPROCESSORS_ONLN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL && rank == 0) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE);
        MPI_Reduce(NULL, &all, 1, MPI_INT, MPI_SUM, MPI_ROOT, inter);
        printf("newcomers: %d processors together\n", all);
    } else if (parent == MPI_COMM_NULL) {
        for (int i = 0; i < 2000; i++)
            changes += sysconf(_SC_NPROCESSORS_ONLN) != first;
    } else {
        MPI_Reduce(&first, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
    }
    if (parent == MPI_COMM_NULL)
        printf("rank %d: %d processors, %d changes\n", rank, first, changes);
    MPI_Finalize();
    return 0;
}
