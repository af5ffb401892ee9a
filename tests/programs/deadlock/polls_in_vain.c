/* Rank 0 polls for a message that cannot come any more, the others wait for rank 0: that is a deadlock, too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        while (!flag)
            MPI_Iprobe(1, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    else
        MPI_Recv(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
