/* Rank 1 ends without MPI_Finalize. It holds a lock that others want, and they write a file together that it has opened.
 * The handlers of window and file let them go on: they hear MPIX_ERR_PROC_FAILED as soon as nothing else can happen. */
#include <mpi.h>
#include <stdio.h>

static void expect(const char *what, int result, int wanted)
{
    int class;
    MPI_Error_class(result, &class);
    if (class != wanted)
        printf("%s: class %d instead of %d\n", what, class, wanted);
}

int main(int argc, char **argv)
{
    int rank, size, *memory, one = 1;
    MPI_Win win;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_File_open(MPI_COMM_WORLD, "the_departed", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        return 0;
    if (rank % 2)
        expect("file", MPI_File_write_at_all(file, 4 * rank, &one, 1, MPI_INT, MPI_STATUS_IGNORE),
               MPIX_ERR_PROC_FAILED);
    else
        expect("lock", MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win), MPIX_ERR_PROC_FAILED);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    printf("rank %d goes on\n", rank);
    MPI_Finalize();
    return 0;
}
