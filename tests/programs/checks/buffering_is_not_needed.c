/* Safe programs: ordered sends, exchanges, receives that are started first, sends completed later, by any of the calls
 * for it, polls, buffered and persistent sends, workers that a master answers in the order of their coming, and a
 * receive from any source that without buffering would get another message. */
#include <mpi.h>
#include <stdlib.h>

enum { TASKS = 6 };

static void exchange(int rank, int size)
{
    MPI_Request requests[4];
    int left = (rank + size - 1) % size, right = (rank + 1) % size, in[2], out = rank, flag = 0, index;
    MPI_Sendrecv(&out, 1, MPI_INT, right, 1, in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(&out, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[0]);
    for (int received = 0; !flag || !received;) {
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        MPI_Iprobe(left, 5, MPI_COMM_WORLD, &index, MPI_STATUS_IGNORE);
        if (index)
            MPI_Recv(in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        received += index;
    }
    MPI_Isendrecv(&out, 1, MPI_INT, right, 6, in, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void modes(int rank, int size)
{
    MPI_Request requests[2];
    int left = (rank + size - 1) % size, right = (rank + 1) % size, in, out = rank, bytes;
    void *buffer = malloc(1000);
    MPI_Buffer_attach(buffer, 1000);
    MPI_Bsend(&out, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    MPI_Recv_init(&in, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void master(int size)
{
    MPI_Status status;
    int value, stopped = 0;
    for (int task = 0; stopped < size - 1; task++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status);
        value = task < TASKS ? task : -1;
        stopped += value < 0;
        MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, 10, MPI_COMM_WORLD);
    }
}

static void worker(int rank)
{
    int value = 0;
    while (value >= 0) {
        MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (volatile int i = 0; i < 100 * (4 - rank); i++)
            ;
    }
}

/* The long message of rank 1 comes after the short one of rank 2, which was sent later. */
static void overtaken(int rank)
{
    static char large[16000];
    if (rank == 0) {
        MPI_Recv(large, 16000, MPI_CHAR, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(large, 16000, MPI_CHAR, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(large, 16000, MPI_CHAR, 0, 11, MPI_COMM_WORLD);
        MPI_Send(large, 1, MPI_CHAR, 2, 12, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(large, 1, MPI_CHAR, 1, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(large, 1, MPI_CHAR, 0, 11, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank, size, value = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank % 2) {
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    exchange(rank, size);
    modes(rank, size);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank)
        worker(rank);
    else
        master(size);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    overtaken(rank);
    MPI_Finalize();
}
