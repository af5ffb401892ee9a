/* Processes that were started start others, and those others: each asks for two of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int depth, n = 1, below = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    depth = argc > 1 ? atoi(argv[1]) : 4;
    if (depth > 0) {
        char text[8];
        char *arguments[] = {text, NULL};
        snprintf(text, sizeof text, "%d", depth - 1);
        MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
        MPI_Reduce(NULL, &below, 1, MPI_INT, MPI_SUM, MPI_ROOT, children);
        n += below;
        MPI_Comm_disconnect(&children);
    }
    if (parent == MPI_COMM_NULL) {
        printf("rank %d: a tree of %d\n", rank, n);
    } else {
        MPI_Reduce(&n, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
