/* collective_files.c - all ranks write one file, in which their rows alternate, and read it back.
 *
 *      file:   rank 0 | rank 1 | rank 2 | rank 0 | rank 1 | rank 2 | ...       each part is a row of ROW numbers
 *
 * MPI_File_write_all may collect the rows at a few ranks, the aggregators, which then write long pieces (two-phase
 * collective buffering). The hint romio_cb_write switches that on and off. On a machine whose files take time, such as
 *
 *      orrery run -n 16 --machine crossbar-16 --set storage.kind=parallel --set storage.seek=2ms collective_files.c
 *
 * the two differ; without [storage] in the machine file, only messages take time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 128, ROWS = 32 };

static double write_rows(const char *buffering, const int *numbers, int rank, int size)
{
    MPI_File file;
    MPI_Info info;
    MPI_Datatype rows;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", buffering);
    MPI_Info_set(info, "romio_ds_write", "disable");
    MPI_File_open(MPI_COMM_WORLD, "collective_files.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    MPI_Type_vector(ROWS, ROW, ROW * size, MPI_INT, &rows);
    MPI_Type_commit(&rows);
    MPI_File_set_view(file, (MPI_Offset)rank * ROW * sizeof(int), MPI_INT, rows, "native", MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_File_write_all(file, numbers, ROW * ROWS, MPI_INT, MPI_STATUS_IGNORE);
    double time = MPI_Wtime() - start, longest;
    MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Type_free(&rows);
    MPI_File_close(&file);
    return longest;
}

/* Each rank reads the file as it is, a part in one piece. Returns the sum of what it has read. */
static long read_part(int rank)
{
    int *part = malloc(sizeof(int) * ROW * ROWS);
    long sum = 0;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "collective_files.dat", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_read_at_all(file, (MPI_Offset)rank * ROW * ROWS * sizeof(int), part, ROW * ROWS, MPI_INT,
                         MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    for (int i = 0; i < ROW * ROWS; i++)
        sum += part[i];
    free(part);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    int *numbers = malloc(sizeof(int) * ROW * ROWS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROW * ROWS; i++)
        numbers[i] = rank * ROW * ROWS + i;
    double without = write_rows("disable", numbers, rank, size), with = write_rows("enable", numbers, rank, size);
    long sum = read_part(rank), all;
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    long n = (long)size * ROW * ROWS;
    if (rank == 0)
        printf("each for itself: %.2f ms, through aggregators: %.2f ms; the file is %s\n", without * 1e3, with * 1e3,
               all == n * (n - 1) / 2 ? "right" : "wrong");
    free(numbers);
    MPI_Finalize();
    return 0;
}
