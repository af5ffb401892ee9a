/* Exchanges in circles are safe, whoever comes first. These two are not: without buffers, the first of rank 1 ends only
 * when the second of rank 0 begins, and that of rank 0 only when the second of rank 1 does (MPI-3.1 section 3.5). */
#include <mpi.h>

static int in, out;

static void exchange(int peer, int sent, int received)
{
    MPI_Sendrecv(&out, 1, MPI_INT, peer, sent, &in, 1, MPI_INT, peer, received, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 0; turn < 3; turn++) {
        for (volatile int i = 0; rank == turn && i < 10000; i++)
            continue;
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, turn, &in, 1, MPI_INT, (rank + size - 1) % size, turn,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        exchange(1, 11, 12);
        exchange(1, 13, 14);
    } else if (rank == 1) {
        exchange(0, 14, 11);
        exchange(0, 12, 13);
    }
    MPI_Finalize();
}
