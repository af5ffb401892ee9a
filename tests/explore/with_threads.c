/* Rank 0 receives in any order, and has a thread beside. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument)
{
    return argument;
}

int main(int argc, char **argv)
{
    int rank, ranks, value;
    pthread_t thread;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 1; i < ranks && rank == 0; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", value);
    }
    if (rank)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
