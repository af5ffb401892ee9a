/* A view of doubles is written as numbers of another type that are as long. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    long long numbers[2] = {1, 2};
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "file_signature.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 16 * rank, numbers, 2, MPI_LONG_LONG, MPI_STATUS_IGNORE); /* the etype is MPI_BYTE */
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 2 * rank, numbers, 2, MPI_LONG_LONG, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
