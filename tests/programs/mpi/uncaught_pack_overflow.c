/* Packing past the end of the buffer is refused and says how much room there is (MPI-3.1 section 4.2). */
#include <mpi.h>

int main(int argc, char **argv)
{
    double values[3] = {1, 2, 3};
    char buffer[20];
    int position = 0;

    MPI_Init(&argc, &argv);
    MPI_Pack(values, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Pack(values, 2, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
