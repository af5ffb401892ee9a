/* File types that reach into each other when they are repeated, as a struct with a subarray in it does: its extent is
 * that between the subarray's markers. Only within one file type must bytes not be there twice. Faults of a file type
 * have the class MPI_ERR_IO, and an error handler may change what a call returns. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void forgive(MPI_File *file, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    printf("handler: %s\n", class == MPI_ERR_NO_SUCH_FILE ? "no such file" : "another error");
    *code = *file == MPI_FILE_NULL ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static int set_view(MPI_File file, MPI_Datatype type)
{
    int class;
    MPI_Type_commit(&type);
    MPI_Error_class(MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL), &class);
    MPI_Type_free(&type);
    return class;
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "file_tiles.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);

    MPI_Datatype part, both;
    MPI_Type_create_subarray(2, (int[]){4, 4}, (int[]){2, 2}, (int[]){1, 1}, MPI_ORDER_C, MPI_CHAR, &part);
    MPI_Type_create_struct(2, (int[]){4, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_CHAR, part}, &both);
    MPI_Aint lower, extent;
    MPI_Type_get_extent(both, &lower, &extent);
    printf("from %ld, extent %ld, view: %d\n", (long)lower, (long)extent, set_view(file, both));
    MPI_File_write_all(file, "headabcd", 8, MPI_CHAR, MPI_STATUS_IGNORE);
    char bytes[24];
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    memset(bytes, 0, sizeof bytes);
    MPI_File_read(file, bytes, 19, MPI_CHAR, MPI_STATUS_IGNORE);
    for (int i = 0; i < 19; i++)
        putchar(bytes[i] ? bytes[i] : '.');

    MPI_Datatype twice, back;
    MPI_Type_indexed(2, (int[]){3, 1}, (int[]){0, 1}, MPI_INT, &twice);
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){-2, 2}, MPI_INT, &back);
    int first = set_view(file, twice), second = set_view(file, back);
    printf("\ntwice: %s, before the beginning: %s\n", first == MPI_ERR_IO ? "MPI_ERR_IO" : "other",
           second == MPI_ERR_IO ? "MPI_ERR_IO" : "other");
    MPI_Type_free(&part);
    MPI_File_close(&file);

    MPI_Errhandler handler;
    MPI_File_create_errhandler(forgive, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_Errhandler_free(&handler);
    printf("open: %d\n", MPI_File_open(MPI_COMM_SELF, "not_there", MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MPIO_Request request = MPIO_REQUEST_NULL;
    MPI_Status status;
    MPIO_Wait(&request, &status);
    MPI_Finalize();
    return 0;
}
