#include <mpi.h>
static char buffer[1000];
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(buffer, 1000, MPI_CHAR, 1 - rank, 3, MPI_COMM_WORLD);
    MPI_Recv(buffer, 1000, MPI_CHAR, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
