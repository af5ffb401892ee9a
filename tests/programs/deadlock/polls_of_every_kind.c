/* Each rank polls in its own way for what nobody sends, with caches that learn, branches that are predicted and noise:
 * turns of a loop take other times, but what the program sees is the same in each, so it is a deadlock. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, flag = 0, other = 0, values[4], indices[4];
    MPI_Request requests[4], none = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &requests[i]);
    switch (rank) {
    case 0:
        while (!flag)
            MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        break;
    case 1: /* several polls in a turn */
        while (!flag)
            for (int i = 0; i < 4; i++)
                MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        break;
    case 2: /* of several kinds, and with a sleep */
        while (!flag || !other) {
            MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
            MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &other, MPI_STATUS_IGNORE);
            usleep(10);
        }
        break;
    case 3: /* one of which always succeeds */
        while (!flag) {
            MPI_Test(&none, &other, MPI_STATUS_IGNORE);
            MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
        }
        break;
    case 4:
        while (!flag)
            MPI_Testsome(4, requests, &flag, indices, MPI_STATUSES_IGNORE);
        break;
    case 5: /* ever longer pauses, up to a limit */
        for (int pause = 1; !flag; pause = pause < 1000 ? pause * 2 : 1000) {
            MPI_Testany(4, requests, &other, &flag, MPI_STATUS_IGNORE);
            usleep((unsigned)pause);
        }
        break;
    default: MPI_Recv(values, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
