/* Messages that nobody receives: queued when their receiver ends, arriving after that, still under way when all have
 * ended, by rendezvous, and found by a matched probe but not received. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    static char large[100000];
    MPI_Message message;
    MPI_Request request;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(large, 8, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Send(large, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
        MPI_Isend(large, 100000, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        for (volatile int i = 0; i < 100000; i++)
            ;
        MPI_Send(large, 8, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
        MPI_Request_free(&request);
        return 0; /* MPI_Finalize would wait for the large one */
    }
    MPI_Mprobe(0, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
