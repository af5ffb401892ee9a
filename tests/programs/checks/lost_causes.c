/* Messages and receives that missed each other: by the tag, by the communicator (which nobody has any more), by the
 * rank, by a persistent receive that was never started; and a message that its sender sent to itself. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in, out = 1;
    MPI_Comm turned, copy;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 2, 7, copy);
        MPI_Send(&out, 1, MPI_INT, 3, 9, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 5, 11, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 5, 13, turned);
    }
    if (rank == 1)
        MPI_Irecv(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request);
    if (rank == 2)
        MPI_Irecv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    if (rank == 4)
        MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
    if (rank == 5)
        MPI_Recv_init(&in, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, &request);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&turned);
    MPI_Finalize();
}
