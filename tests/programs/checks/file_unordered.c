/* What the check "files" finds: writes of two ranks that meet, and a read that is ordered by a barrier alone. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[4] = {0};
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "file_unordered.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 8 * rank, numbers, 3, MPI_INT, MPI_STATUS_IGNORE);

    if (rank == 0)
        MPI_File_write_at(file, 100, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_File_read_at(file, 112, numbers, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
