/* Files that are open at a time, each with a view of its own.     opened COUNT DIRECTORY */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, count = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File *files = malloc(sizeof *files * count);
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/opened%d", argv[2], i);
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &files[i]);
        MPI_File_set_view(files[i], rank * sizeof(int), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        MPI_File_write(files[i], &i, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < count; i++)
        MPI_File_close(&files[i]);
    if (rank == 0)
        printf("%d\n", count);
    MPI_Finalize();
    free(files);
    return 0;
}
