/* A type with overlapping entries may be sent, but not received into (MPI-3.1 section 4.1.11). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[16] = {0};
    MPI_Datatype rows;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(3, 2, 1, MPI_INT, &rows);
    MPI_Type_commit(&rows);
    if (rank == 0)
        MPI_Send(numbers, 1, rows, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(numbers, 1, rows, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
