/* A producer that nothing slows down: the longer it runs, the more messages wait at the consumer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char data[200];
    volatile double x = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1500; i++) {
        if (rank == 0) {
            MPI_Send(data, 200, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(data, 200, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int k = 0; k < 200; k++)
                x += k;
        }
    }
    MPI_Finalize();
}
