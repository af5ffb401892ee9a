#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, value = 0, flag = 0, n = 0;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        while (!flag) {
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
#ifdef COUNT
            n++;
#endif
        }
        printf("%d %s\n", value, n > 1 ? "many" : "once");
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
