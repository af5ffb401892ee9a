/* What is wrong with files and accesses: the class of each error, and that all ranks get those of collective calls. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

static void expect(const char *what, int result, int class)
{
    int got;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_class(result, &got);
    if (got != class) {
        MPI_Error_string(result, text, &length);
        printf("[%d] %s: class %d instead of %d (%s)\n", rank, what, got, class, text);
    } else if (rank == 0) {
        printf("%s: as expected\n", what);
    }
}
#define EXPECT(call, class) expect(#call, call, class)

static int handled;
static void handler(MPI_File *file, int *code, ...)
{
    handled++;
    if (file && code)
        printf("[%d] handler: code %d\n", rank, *code);
}

static void opening(void)
{
    MPI_File f;
    MPI_Comm world = MPI_COMM_WORLD;
    char name[6000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    EXPECT(MPI_File_open(world, "not_there", MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_NO_SUCH_FILE);
    EXPECT(MPI_File_open(world, "x", MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    EXPECT(MPI_File_open(world, "x", MPI_MODE_CREATE, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    EXPECT(MPI_File_open(world, "x", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    EXPECT(MPI_File_open(world, "x", MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    EXPECT(MPI_File_open(world, "x", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    EXPECT(MPI_File_open(world, "x", MPI_MODE_RDWR | 1 << 20, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    EXPECT(MPI_File_open(world, "x", rank ? MPI_MODE_RDWR : MPI_MODE_WRONLY, MPI_INFO_NULL, &f), MPI_ERR_NOT_SAME);
    EXPECT(MPI_File_open(world, rank ? "x" : "y", MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_ERR_NOT_SAME);
    EXPECT(MPI_File_open(world, ".", MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    EXPECT(MPI_File_open(world, name, MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    EXPECT(MPI_File_open(world, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &f), MPI_ERR_ACCESS);
    EXPECT(MPI_File_open(world, "../outside", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f), MPI_ERR_ACCESS);
    EXPECT(MPI_File_open(world, NULL, MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_ERR_ARG);
    EXPECT(MPI_File_open(MPI_COMM_NULL, "x", MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_ERR_COMM);
    EXPECT(MPI_File_delete("not_there", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    EXPECT(MPI_File_close(&(MPI_File){MPI_FILE_NULL}), MPI_ERR_FILE);
}

static void accesses(void)
{
    MPI_File f, other;
    MPI_Offset at;
    MPI_Status status;
    MPI_Request request;
    MPI_Datatype three, backwards;
    int data[4] = {1, 2, 3, 4};
    MPI_File_open(MPI_COMM_WORLD, "file_errors.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_set_size(f, 0);
    EXPECT(MPI_File_open(MPI_COMM_WORLD, "file_errors.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL,
                         MPI_INFO_NULL, &other),
           MPI_ERR_FILE_EXISTS);
    EXPECT(
        MPI_File_open(MPI_COMM_WORLD, "file_errors.dat", MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL, &other),
        MPI_ERR_FILE_IN_USE);
    EXPECT(MPI_File_delete("file_errors.dat", MPI_INFO_NULL), MPI_ERR_FILE_IN_USE);
    EXPECT(MPI_File_write_at(f, -1, data, 1, MPI_INT, &status), MPI_ERR_ARG);
    EXPECT(MPI_File_write(f, data, -1, MPI_INT, &status), MPI_ERR_COUNT);
    EXPECT(MPI_File_write(f, data, 1, MPI_DATATYPE_NULL, &status), MPI_ERR_TYPE);
    EXPECT(MPI_File_write(f, NULL, 1, MPI_INT, &status), MPI_ERR_BUFFER);
    EXPECT(MPI_File_seek(f, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    EXPECT(MPI_File_seek(f, 0, 12345), MPI_ERR_ARG);
    EXPECT(MPI_File_set_size(f, -1), MPI_ERR_ARG);
    EXPECT(MPI_File_set_size(f, rank), MPI_ERR_NOT_SAME);
    EXPECT(MPI_File_seek_shared(f, rank, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
    EXPECT(MPI_File_set_atomicity(f, rank == 1), MPI_ERR_NOT_SAME);
    EXPECT(MPI_File_set_view(f, -5, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    EXPECT(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "no such", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP);
    EXPECT(MPI_File_set_view(f, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    EXPECT(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    EXPECT(MPI_File_set_view(f, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    MPI_Type_create_indexed_block(2, 1, (int[]){3, 0}, MPI_INT, &backwards);
    MPI_Type_commit(&backwards);
    EXPECT(MPI_File_set_view(f, 0, MPI_INT, backwards, "native", MPI_INFO_NULL), MPI_ERR_IO);
    MPI_Type_free(&backwards);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    EXPECT(MPI_File_set_view(f, 0, three, three, "native", MPI_INFO_NULL), MPI_SUCCESS);
    EXPECT(MPI_File_write(f, data, 2, MPI_INT, &status), MPI_ERR_IO);
    MPI_Type_free(&three);
    EXPECT(MPI_File_write_all_end(f, data, &status), MPI_ERR_IO);
    EXPECT(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_SUCCESS);
    EXPECT(MPI_File_write_all_begin(f, data, 1, MPI_INT), MPI_SUCCESS);
    EXPECT(MPI_File_write_all(f, data, 1, MPI_INT, &status), MPI_ERR_IO);
    EXPECT(MPI_File_close(&f), MPI_ERR_OTHER);
    EXPECT(MPI_File_write_at_all_end(f, data, &status), MPI_ERR_IO);
    EXPECT(MPI_File_write_all_end(f, data + 1, &status), MPI_ERR_BUFFER);
    EXPECT(MPI_File_write_all_end(f, data, &status), MPI_SUCCESS);
    EXPECT(MPI_File_iwrite_at(f, 0, data, 1, MPI_INT, &request), MPI_SUCCESS);
    EXPECT(MPI_File_close(&f), MPI_ERR_OTHER);
    MPI_Wait(&request, &status);
    EXPECT(MPI_File_get_byte_offset(f, 0x7fffffffffffffff, &at), MPI_ERR_ARG);
    EXPECT(MPI_File_close(&f), MPI_SUCCESS);
    MPI_File_open(MPI_COMM_WORLD, "file_errors.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    EXPECT(MPI_File_write(f, data, 1, MPI_INT, &status), MPI_ERR_READ_ONLY);
    EXPECT(MPI_File_set_size(f, 0), MPI_ERR_READ_ONLY);
    MPI_File_close(&f);
    MPI_File_open(MPI_COMM_WORLD, "file_errors.dat", MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    EXPECT(MPI_File_write_ordered(f, data, 1, MPI_INT, &status), MPI_SUCCESS);
    EXPECT(MPI_File_read_ordered(f, data, 1, MPI_INT, &status), MPI_ERR_ACCESS);
    EXPECT(MPI_File_write(f, data, 1, MPI_INT, &status), MPI_ERR_UNSUPPORTED_OPERATION);
    EXPECT(MPI_File_seek_shared(f, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
    MPI_File_close(&f);
}

static void handlers(void)
{
    MPI_File f;
    MPI_Errhandler mine, got;
    MPI_File_get_errhandler(MPI_FILE_NULL, &got);
    printf("[%d] default: %d\n", rank, got == MPI_ERRORS_RETURN);
    MPI_File_create_errhandler(handler, &mine);
    MPI_File_set_errhandler(MPI_FILE_NULL, mine);
    MPI_File_open(MPI_COMM_SELF, "not_there", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    MPI_File_open(MPI_COMM_SELF, rank ? "file_errors_1.dat" : "file_errors_0.dat",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    MPI_File_seek(f, -1, MPI_SEEK_SET);
    MPI_File_call_errhandler(f, MPI_ERR_IO);
    MPI_File_set_errhandler(f, MPI_ERRORS_RETURN);
    MPI_File_seek(f, -1, MPI_SEEK_SET);
    MPI_File_get_errhandler(f, &got);
    printf("[%d] handled %d, now %d\n", rank, handled, got == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&mine);
    MPI_File_close(&f);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    opening();
    accesses();
    handlers();
    MPI_Finalize();
    return 0;
}
