/* Ranks write one file together, of as many MiB as the first argument says: through views in which their pieces of
 * 64 KiB alternate, forty times one after the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 65536, TURNS = 40 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long megabytes = argc > 1 ? atol(argv[1]) : 1024, all = megabytes << 20;
    int pieces = (int)(all / size / TURNS / PIECE), bytes = pieces * PIECE;
    char *data = malloc(bytes);
    memset(data, rank, bytes);

    MPI_Datatype part, type;
    MPI_Type_vector(pieces, PIECE, PIECE * size, MPI_BYTE, &part);
    MPI_Type_create_resized(part, 0, (MPI_Aint)bytes * size, &type);
    MPI_Type_commit(&type);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "views.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, (MPI_Offset)rank * PIECE, MPI_BYTE, type, "native", MPI_INFO_NULL);
    for (int i = 0; i < TURNS; i++)
        MPI_File_write_all(file, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);

    MPI_Offset written;
    char last = 0;
    MPI_File_get_size(file, &written);
    MPI_File_read_at(file, (MPI_Offset)bytes * TURNS - 1, &last, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    if (rank == 0)
        puts(written == (MPI_Offset)bytes * TURNS * size && last == 0 ? "right" : "wrong");
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
