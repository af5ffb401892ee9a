/* Members of a file may come to one collective access with an offset or with their file pointers: libraries rely on it
 * where some members have nothing to write. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, numbers[4], failures = 0, got[4] = {0};
    MPI_File file;
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++)
        numbers[i] = 10 * rank + i;
    MPI_File_open(MPI_COMM_WORLD, "mixed.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 16 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    if (rank % 2)
        MPI_File_write_at_all(file, 0, numbers, 4, MPI_INT, &status);
    else
        MPI_File_write_all(file, numbers, rank ? 0 : 4, MPI_INT, &status);
    if (rank % 2 == 0 && rank)
        MPI_File_write_at_all(file, 0, numbers, 4, MPI_INT, &status);
    else
        MPI_File_write_all(file, numbers, 0, MPI_INT, &status);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_set_view(file, 16 * ((rank + 1) % size), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    if (rank % 2)
        MPI_File_iread_all(file, got, 4, MPI_INT, &request);
    else
        MPI_File_iread_at_all(file, 0, got, 4, MPI_INT, &request);
    MPI_Wait(&request, &status);
    for (int i = 0; i < 4; i++)
        failures += got[i] != 10 * ((rank + 1) % size) + i;
    MPI_Reduce(rank ? &failures : MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d failures\n", failures);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
