/* A file that ends within a number: what is there is read, and in a representation that must be converted only whole
 * numbers are. */
#include <mpi.h>
#include <stdio.h>

static void read_as(MPI_File file, const char *representation)
{
    int numbers[3] = {-1, -1, -1}, count, bytes;
    MPI_Status status;
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, representation, MPI_INFO_NULL);
    int result = MPI_File_read(file, numbers, 3, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    printf("%s: %s, %d numbers, %d bytes: %x %x %x\n", representation, result == MPI_SUCCESS ? "ok" : "an error",
           count == MPI_UNDEFINED ? -1 : count, bytes, numbers[0], numbers[1], numbers[2]);
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "file_truncated.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write(file, "\1\2\3\4\5\6\7", 7, MPI_BYTE, MPI_STATUS_IGNORE);
    read_as(file, "native");
    read_as(file, "external32");
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
