/* What the check "files" lets pass: sync, barrier, sync; closing and opening; atomic mode; parts that do not meet. */
#include <mpi.h>
#include <stddef.h>

static int rank, numbers[4];

static MPI_File open_it(int amode)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_ordered.dat", MPI_MODE_RDWR | amode, MPI_INFO_NULL, &file);
    return file;
}

static void both_write(MPI_File file)
{
    MPI_File_write_at(file, 0, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
}

static void synchronise(MPI_File file)
{
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

int main(int argc, char **argv)
{
    MPI_Datatype columns;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = open_it(MPI_MODE_CREATE);
    if (rank == 0)
        both_write(file);
    synchronise(file);
    if (rank == 1)
        MPI_File_read_at(file, 0, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    file = open_it(0);
    if (rank == 1)
        both_write(file);
    MPI_File_close(&file);
    file = open_it(0);
    MPI_File_set_atomicity(file, 1);
    both_write(file);
    synchronise(file);
    MPI_File_set_atomicity(file, 0);
    MPI_Type_vector(4, 1, 2, MPI_INT, &columns);
    MPI_Type_commit(&columns);
    MPI_File_set_view(file, rank * (MPI_Offset)sizeof(int), MPI_INT, columns, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_free(&columns);
    MPI_File_close(&file);

    /* A file of one's own, and a message that says when it is there. */
    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, "file_ordered.dat", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        both_write(file);
        MPI_File_close(&file);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_File_open(MPI_COMM_SELF, "file_ordered.dat", MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file);
        MPI_File_read_at(file, 0, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
