/* checkpoint.c - ranks that share a matrix by columns write it to one file, row after row, in three ways.
 *
 *      file:   row 0: rank 0 | rank 1 | ... | row 1: rank 0 | rank 1 | ...       each part has PART numbers
 *
 *   each row     every rank seeks and writes each of its parts by itself: a storm of short requests
 *   a view       the same parts by one MPI_File_write; the library may write several together (sieving)
 *   all together the same view with MPI_File_write_all: the library may collect the parts at a few aggregators
 *
 * The first argument is the number of the first way to try, from 0 on; the second one a hint for the number of
 * aggregators (cb_nodes), the third one for romio_cb_write: enable or disable. On a machine without [storage] files
 * take no time, so:
 *
 * Run:      orrery run -n 16 --machine storage-32 samples/checkpoint.c
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PART = 512, ROWS = 128 };

static int rank, size;

static MPI_File open_file(int argc, char **argv)
{
    MPI_File file;
    MPI_Info info;
    MPI_Info_create(&info);
    if (argc > 2)
        MPI_Info_set(info, "cb_nodes", argv[2]);
    if (argc > 3)
        MPI_Info_set(info, "romio_cb_write", argv[3]);
    MPI_File_open(MPI_COMM_WORLD, "checkpoint.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                  &file);
    MPI_Info_free(&info);
    return file;
}

/* Returns the sum of what the file has: all ranks must have written their parts. */
static long sum_of(MPI_File file)
{
    long sum = 0;
    int *row = malloc(sizeof(int) * PART * size);
    for (int i = rank; i < ROWS; i += size) {
        MPI_File_read_at(file, (MPI_Offset)i * PART * size * (MPI_Offset)sizeof(int), row, PART * size, MPI_INT,
                         MPI_STATUS_IGNORE);
        for (int k = 0; k < PART * size; k++)
            sum += row[k];
    }
    free(row);
    return sum;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"each row", "a view", "all together"};
    int *numbers = malloc(sizeof(int) * PART * ROWS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < PART * ROWS; i++)
        numbers[i] = rank * PART * ROWS + i;
    MPI_Datatype parts;
    MPI_Type_vector(ROWS, PART, PART * size, MPI_INT, &parts);
    MPI_Type_commit(&parts);

    for (int way = argc > 1 ? atoi(argv[1]) : 0; way < 3; way++) {
        MPI_File file = open_file(argc, argv);
        if (way > 0)
            MPI_File_set_view(file, (MPI_Offset)rank * PART * (MPI_Offset)sizeof(int), MPI_INT, parts, "native",
                              MPI_INFO_NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        for (int i = 0; way == 0 && i < ROWS; i++)
            MPI_File_write_at(file, ((MPI_Offset)i * size + rank) * PART * (MPI_Offset)sizeof(int), numbers + i * PART,
                              PART, MPI_INT, MPI_STATUS_IGNORE);
        if (way == 1)
            MPI_File_write(file, numbers, PART * ROWS, MPI_INT, MPI_STATUS_IGNORE);
        if (way == 2)
            MPI_File_write_all(file, numbers, PART * ROWS, MPI_INT, MPI_STATUS_IGNORE);
        double time = MPI_Wtime() - start, longest;
        MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

        MPI_File_sync(file); /* what others have written is seen after sync, barrier, sync */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(file);
        MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        long sum = sum_of(file), all, n = (long)size * PART * ROWS;
        MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%-12s %9.2f ms, %s\n", names[way], longest * 1e3,
                   all == n * (n - 1) / 2 ? "the file is right" : "the file is WRONG");
        MPI_File_close(&file);
    }
    MPI_Type_free(&parts);
    free(numbers);
    MPI_Finalize();
    return 0;
}
