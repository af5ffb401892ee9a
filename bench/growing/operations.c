/* One-sided operations under way at a time: puts and gets that one flush ends.     operations COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, count = atoi(argv[1]), *cells, *got = calloc(count, sizeof *got);
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(count * sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &window);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < count; i++)
        if (i % 2)
            MPI_Put(&i, 1, MPI_INT, (rank + 1) % size, i, 1, MPI_INT, window);
        else
            MPI_Get(&got[i], 1, MPI_INT, (rank + 1) % size, i, 1, MPI_INT, window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    if (rank == 0)
        printf("%d\n", got[0]);
    MPI_Finalize();
    free(got);
    return 0;
}
