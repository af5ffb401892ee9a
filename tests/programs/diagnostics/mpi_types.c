/* A buffer's type against its MPI_Datatype (MPI-3.1 section 3.3.1), the count against the array. */
#pragma GCC diagnostic error "-Wmpi-type"
#pragma GCC diagnostic error "-Wmpi-count"
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double values[10];
    int *numbers = malloc(10 * sizeof *numbers), *more = malloc(10 * sizeof *more);
    MPI_Init(&argc, &argv);
    MPI_Bcast(values, 10, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&numbers, 10, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&values[4], 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(more, 20, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    free(numbers);
    free(more);
    return 0;
}
