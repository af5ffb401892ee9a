/* Messages that nobody waits for when they come, received first to last or last to first.     unexpected COUNT ORDER */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value, sum = 0, count = atoi(argv[1]), last_first = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        for (int i = 0; i < count; i++)
            MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        for (int i = 0; i < count; i++) {
            MPI_Recv(&value, 1, MPI_INT, 0, last_first ? count - 1 - i : i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum = sum * 31 + value;
        }
        printf("%d\n", sum);
    }
    MPI_Finalize();
    return 0;
}
