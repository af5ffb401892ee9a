/* Persistent collectives: started many times, several at once and in any order, with the data of the moment
 * (MPI-4.0 section 6.13). */
#include "../mpi/in_order.h"

int main(int argc, char **argv)
{
    int rank, size, in = 0, sum = -1, data[3] = {0}, all[64], wrong = 0, flag;
    MPI_Request requests[4];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(data, 3, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Allgather_init(&in, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[3]);
    for (int round = 0; round < 10; round++) {
        in = rank + round;
        for (int i = 0; i < 3; i++)
            data[i] = rank == size - 1 ? 10 * round + i : -1;
        if (round % 2) {
            MPI_Startall(4, requests);
        } else {
            for (int i = 0; i < 4; i++)
                MPI_Start(&requests[i]);
        }
        if (round % 3 == 0) {
            for (int i = 3; i >= 0; i--)
                for (flag = 0; !flag;)
                    MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        } else {
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        }
        wrong += sum != size * (size - 1) / 2 + size * round;
        for (int i = 0; i < 3; i++)
            wrong += data[i] != 10 * round + i;
        for (int i = 0; i < size; i++)
            wrong += all[i] != i + round;
    }
    MPI_Wait(&requests[2], &status); /* inactive: an empty status */
    say("rank %d: %d wrong, status %d %d\n", rank, wrong, status.MPI_SOURCE == MPI_ANY_SOURCE,
        status.MPI_TAG == MPI_ANY_TAG);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    say_all();
    MPI_Finalize();
    return 0;
}
