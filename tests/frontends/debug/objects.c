#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, value = 7, memory[4] = {0}, *counters;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    MPI_Request receive, persistent;
    MPI_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &receive);
    MPI_Send_init(&rank, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, &persistent);

    MPI_Win fenced, locked;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &fenced);
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &locked);
    MPI_Win_set_name(locked, "counters");
    MPI_Win_fence(0, fenced);
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, locked);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "objects.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_seek(file, 3, MPI_SEEK_SET);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);

    if (rank == 1)
        MPI_Win_unlock(0, locked);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, fenced);
    MPI_Win_free(&fenced);
    MPI_Win_free(&locked);
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
