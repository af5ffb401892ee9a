/* A file written and read all together through views of so many blocks that take turns.     views BLOCKS FILE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, count = atoi(argv[1]), wrong = 0;
    MPI_Datatype blocks;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *out = malloc(sizeof *out * count), *in = calloc(count, sizeof *in);
    for (int i = 0; i < count; i++)
        out[i] = i * size + rank;
    MPI_Type_vector(count, 1, size, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, rank * sizeof(int), MPI_INT, blocks, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, out, count, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, in, count, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        wrong += in[i] != out[i];
    MPI_File_close(&file);
    MPI_Type_free(&blocks);
    if (rank == 0)
        printf("%d\n", wrong);
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
