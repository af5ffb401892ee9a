/* A message to oneself that nobody receives: told by the name of its communicator. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
    MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Finalize();
    return rank;
}
