/* Ranks probe before they send: one with MPI_Probe, one with MPI_Mprobe on another communicator. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Message message;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank)
        MPI_Mprobe(0, MPI_ANY_TAG, comm, &message, MPI_STATUS_IGNORE);
    else
        MPI_Probe(1, 6, comm, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 6, comm);
    (void)size, (void)in;
    MPI_Finalize();
}
