/* The time of accesses on a parallel file system: collective buffering, sieving and neither, and what a server's queue,
 * seek and cache do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, BLOCKS = 64 };

static double timed(const char *buffering, const char *sieving, int reads)
{
    int rank, size;
    MPI_File file;
    MPI_Info info;
    MPI_Datatype type;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Info_create(&info);
    MPI_Info_set(info, reads ? "romio_cb_read" : "romio_cb_write", buffering);
    MPI_Info_set(info, reads ? "romio_ds_read" : "romio_ds_write", sieving);
    MPI_Info_set(info, "cb_buffer_size", "100000");
    MPI_File_open(MPI_COMM_WORLD, "file_storage.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, (MPI_Offset)rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL);
    char *data = malloc(BLOCK * BLOCKS);
    memset(data, rank + 1, BLOCK * BLOCKS);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), end, last;
    if (reads)
        MPI_File_read_all(file, data, BLOCK * BLOCKS, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_write_all(file, data, BLOCK * BLOCKS, MPI_BYTE, MPI_STATUS_IGNORE);
    end = MPI_Wtime() - start;
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK * BLOCKS; i++)
        if (data[i] != rank + 1) {
            printf("rank %d: wrong data\n", rank);
            break;
        }
    free(data);
    MPI_Type_free(&type);
    MPI_File_close(&file);
    return last;
}

int main(int argc, char **argv)
{
    int rank;
    static const char *const ways[3][2] = {{"enable", "disable"}, {"disable", "enable"}, {"disable", "disable"}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int reads = 0; reads < 2; reads++)
        for (int i = 0; i < 3; i++) {
            double time = timed(ways[i][0], ways[i][1], reads);
            if (rank == 0)
                printf("%s, buffering %s, sieving %s: %.0f ms\n", reads ? "read" : "write", ways[i][0], ways[i][1],
                       1e3 * time);
        }
    if (rank == 0)
        MPI_File_delete("file_storage.dat", MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}
