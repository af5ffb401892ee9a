/* Messages order threads: from one thread of a rank to another, and by way of the other rank. The last part has none,
 * and is a data race. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int rank, to_self, by_other, racy;
static char large[100000], returned[100000];

/* Sends on what it gets from the other rank's main thread. */
static void *other(void *argument)
{
    int got;
    MPI_Recv(&got, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    to_self++;
    racy++;
    MPI_Recv(returned, (int)sizeof returned, MPI_CHAR, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    by_other++;
    return argument;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, other, NULL);
        to_self++;
        MPI_Send(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
        racy++;
        by_other++;
        MPI_Send(large, (int)sizeof large, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
        printf("%d %d %d\n", to_self, by_other, racy);
    } else {
        MPI_Recv(large, (int)sizeof large, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(large, (int)sizeof large, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
