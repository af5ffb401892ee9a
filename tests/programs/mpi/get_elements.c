/* MPI_Get_count knows whole items only, MPI_Get_elements counts the primitives of a partial one (MPI-3.1
 * section 4.1.11, examples 4.12). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, count, elements;
    double buffer[16] = {0};
    MPI_Datatype pair, mixed, types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Aint at[2] = {0, 8};
    int lengths[2] = {1, 1};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_create_struct(2, lengths, at, types, &mixed);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&mixed);
    for (int n = 0; n < 6; n++) {
        if (rank == 0)
            MPI_Send(buffer, n, MPI_DOUBLE, 1, n, MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Recv(buffer, 4, pair, 0, n, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, pair, &count);
            MPI_Get_elements(&status, pair, &elements);
            printf("%d doubles: ", n);
            printf(count == MPI_UNDEFINED ? "no whole number of pairs" : "%d pairs", count);
            printf(", %d elements\n", elements);
        }
    }
    if (rank == 0) {
        int head = 7;
        MPI_Send(buffer, 2, mixed, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&head, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(buffer, 3, MPI_DOUBLE_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(buffer, 0, mixed, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Datatype receive[4] = {mixed, mixed, MPI_DOUBLE_INT, mixed};
        for (int i = 0; i < 4; i++) {
            MPI_Recv(buffer, 5, receive[i], 0, 0, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, receive[i], &count);
            MPI_Get_elements(&status, receive[i], &elements);
            printf("message %d: count %s%d, elements %d\n", i, count == MPI_UNDEFINED ? "undefined " : "",
                   count == MPI_UNDEFINED ? 0 : count, elements);
        }
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&mixed);
    MPI_Finalize();
    return 0;
}
