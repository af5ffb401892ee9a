/* Loops that poll in vain but end by themselves, by counting or by the clock, end as they would anywhere; that nothing
 * can come is told when it has lasted long. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, flag = 0, value;
    long turns = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    double end = MPI_Wtime() + 0.007;
    while (!flag && (rank ? MPI_Wtime() < end : turns < 140000)) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        turns++;
    }
    printf("rank %d: %d after %ld turns\n", rank, flag, rank ? turns > 1000 : turns);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
