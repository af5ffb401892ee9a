/* A rank that MPI_Cart_create left out has MPI_COMM_NULL, which no call accepts (MPI-3.1 section 7.5.1). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[1] = {2}, periods[1] = {0}, rank;
    MPI_Comm line;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Finalize();
    return 0;
}
