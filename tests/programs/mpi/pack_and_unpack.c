/* MPI_Pack, MPI_Unpack, MPI_Pack_size; packed data can be sent as MPI_PACKED and received typed, and the other way
 * round (MPI-3.1 section 4.2). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, position, size, parts[3], count;
    char buffer[200], text[12] = "";
    int numbers[10], more[10] = {0};
    double real = 0;
    MPI_Datatype every_third;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 3, MPI_INT, &every_third);
    MPI_Type_commit(&every_third);
    for (int i = 0; i < 10; i++)
        numbers[i] = 100 * rank + i;

    if (rank == 0) {
        position = 0;
        real = 3.25;
        strcpy(text, "packed");
        MPI_Pack(text, 7, MPI_CHAR, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Pack(numbers, 1, every_third, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Pack(&real, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Pack(numbers, 0, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Pack_size(7, MPI_CHAR, MPI_COMM_WORLD, &parts[0]);
        MPI_Pack_size(1, every_third, MPI_COMM_WORLD, &parts[1]);
        MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &parts[2]);
        printf("packed %d bytes, room for %d\n", position, parts[0] + parts[1] + parts[2]);
        MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);

        position = 0;
        MPI_Pack(numbers, 5, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Send(buffer, position, MPI_PACKED, 1, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 1, every_third, 1, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_PACKED, &size);
        position = 0;
        MPI_Unpack(buffer, size, &position, text, 7, MPI_CHAR, MPI_COMM_WORLD);
        MPI_Unpack(buffer, size, &position, more, 2, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(buffer, size, &position, more + 5, 2, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(buffer, size, &position, &real, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        printf("%s %d %d %d %d %g, %d bytes left\n", text, more[0], more[1], more[5], more[6], real, size - position);

        MPI_Recv(more, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        printf("%d ints, the last is %d\n", count, more[count - 1]);

        MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, 2, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_PACKED, &size);
        memset(more, 0, sizeof more);
        position = 0;
        MPI_Unpack(buffer, size, &position, more, 1, every_third, MPI_COMM_WORLD);
        for (int i = 0; i < 10; i++)
            printf("%d%c", more[i], i < 9 ? ' ' : '\n');
    }
    MPI_Type_free(&every_third);
    MPI_Finalize();
    return 0;
}
