/* Rank 1 fails (--kill) while others are in collective calls on files that it has opened, too, or begin them later.
 * Each kind of call ends with MPIX_ERR_PROC_FAILED; single accesses go on; files are closed without it. */
#include <mpi.h>
#include <stdio.h>

enum { FILES = 8, BYTES = 5000 };

static int rank, size;

static void expect(const char *what, int result, int wanted)
{
    int class;
    MPI_Error_class(result, &class);
    if (class != wanted)
        printf("rank %d: %s: class %d instead of %d\n", rank, what, class, wanted);
}

int main(int argc, char **argv)
{
    static char data[BYTES], back[BYTES];
    MPI_File file[FILES], again;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm left;
    int flag = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < FILES; i++) {
        char name[] = "the_dead_0";
        name[9] = (char)('0' + i);
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file[i]);
    }
    MPI_Offset mine = (MPI_Offset)rank * BYTES;
    expect("all there", MPI_File_write_at_all(file[0], mine, data, BYTES, MPI_CHAR, &status), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&flag, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* nothing comes */
    /* Who waits while it happens. */
    switch (rank % 5) {
    case 0:
        expect("write at all", MPI_File_write_at_all(file[0], mine, data, BYTES, MPI_CHAR, &status),
               MPIX_ERR_PROC_FAILED);
        break;
    case 1: expect("sync", MPI_File_sync(file[3]), MPIX_ERR_PROC_FAILED); break;
    case 2:
        expect("begin", MPI_File_write_all_begin(file[1], data, BYTES, MPI_CHAR), MPI_SUCCESS);
        expect("end", MPI_File_write_all_end(file[1], data, &status), MPIX_ERR_PROC_FAILED);
        break;
    case 3:
        expect("iread all", MPI_File_iread_all(file[2], back, BYTES, MPI_CHAR, &request), MPI_SUCCESS);
        expect("its request", MPI_Wait(&request, &status), MPIX_ERR_PROC_FAILED);
        break;
    default:
        expect("ordered", MPI_File_write_ordered(file[4], data, BYTES, MPI_CHAR, &status), MPIX_ERR_PROC_FAILED);
        break;
    }
    /* Who comes later. */
    MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    expect("later write", MPI_File_write_all(file[5], data, BYTES, MPI_CHAR, &status), MPIX_ERR_PROC_FAILED);
    expect("later read", MPI_File_iread_at_all(file[5], 0, data, BYTES, MPI_CHAR, &request), MPIX_ERR_PROC_FAILED);
    expect("view", MPI_File_set_view(file[5], 0, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL), MPIX_ERR_PROC_FAILED);
    expect("size", MPI_File_set_size(file[6], 100), MPIX_ERR_PROC_FAILED);
    expect("seek", MPI_File_seek_shared(file[6], 0, MPI_SEEK_SET), MPIX_ERR_PROC_FAILED);
    expect("atomicity", MPI_File_set_atomicity(file[6], 1), MPIX_ERR_PROC_FAILED);
    expect("begin ordered", MPI_File_read_ordered_begin(file[6], back, 10, MPI_CHAR), MPIX_ERR_PROC_FAILED);
    expect("alone", MPI_File_write_at(file[7], mine, data, BYTES, MPI_CHAR, &status), MPI_SUCCESS);
    expect("shared", MPI_File_write_shared(file[6], data, 10, MPI_CHAR, &status), MPI_SUCCESS);
    expect("ishared", MPI_File_iread_at(file[7], mine, back, BYTES, MPI_CHAR, &request), MPI_SUCCESS);
    expect("alone, too", MPI_Wait(&request, &status), MPI_SUCCESS);
    for (int i = 0; i < FILES; i++)
        expect("close", MPI_File_close(&file[i]), MPI_SUCCESS);
    /* Those who are left. */
    expect("shrink", MPIX_Comm_shrink(MPI_COMM_WORLD, &left), MPI_SUCCESS);
    expect("open",
           MPI_File_open(left, "the_living", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                         &again),
           MPI_SUCCESS);
    expect("write", MPI_File_write_at_all(again, mine, data, BYTES, MPI_CHAR, &status), MPI_SUCCESS);
    expect("close", MPI_File_close(&again), MPI_SUCCESS);
    MPI_Comm_free(&left);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
