/* Windows that are open at a time, each written to once.     windows COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, count = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *cells = calloc(count, sizeof *cells);
    MPI_Win *windows = malloc(sizeof *windows * count);
    for (int i = 0; i < count; i++) {
        MPI_Win_create(&cells[i], sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &windows[i]);
        MPI_Win_fence(0, windows[i]);
        MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, windows[i]);
        MPI_Win_fence(0, windows[i]);
    }
    for (int i = 0; i < count; i++)
        MPI_Win_free(&windows[i]);
    if (rank == 0)
        printf("%d\n", cells[count - 1]);
    MPI_Finalize();
    free(windows);
    free(cells);
    return 0;
}
