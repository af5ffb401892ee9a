/* Groups that have no process in common make the same topology, with reordering: each gets its own processes. */
#include <mpi.h>
#include <stdio.h>

static void look(const char *what, MPI_Comm parent)
{
    MPI_Comm grid;
    int size, result, periodic = 0;
    MPI_Comm_size(parent, &size);
    MPI_Cart_create(parent, 1, &size, &periodic, 1, &grid);
    if (grid == MPI_COMM_NULL) {
        printf("%s: no member\n", what);
        return;
    }
    MPI_Comm_compare(parent, grid, &result);
    if (result != MPI_CONGRUENT && result != MPI_SIMILAR)
        printf("%s: other processes\n", what);
    MPI_Comm_free(&grid);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    look("itself", MPI_COMM_SELF);
    look("half", half);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
