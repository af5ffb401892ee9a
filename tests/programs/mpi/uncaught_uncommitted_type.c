/* A derived type must be committed before it is used in communication (MPI-3.1 section 4.1.9). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
