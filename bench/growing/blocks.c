/* A type of so many blocks, made once, sent, received and packed.     blocks COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, count = atoi(argv[1]), position = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *lengths = malloc(sizeof *lengths * count), *places = malloc(sizeof *places * count);
    for (int i = 0; i < count; i++) {
        lengths[i] = 1 + i % 3;
        places[i] = 4 * i + i % 2;
    }
    char *data = calloc(4 * count + 4, 1), *packed = malloc(3 * count);
    for (int i = 0; i < 4 * count; i++)
        data[i] = (char)(rank + i);
    MPI_Datatype type;
    MPI_Type_indexed(count, lengths, places, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(data, 1, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Pack(data, 1, type, packed, 3 * count, &position, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    if (rank == 1)
        printf("%d %d\n", position, packed[position / 2]);
    MPI_Finalize();
    free(lengths);
    free(places);
    free(data);
    free(packed);
    return 0;
}
