/* Half of the ranks accept, each at a port of its own; the others connect in another order. All connect and part. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, got = -1;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int partner = size - 1 - rank, number = 7 * rank, serves = rank < size / 2;
    if (serves) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    } else {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    }
    MPI_Sendrecv(&number, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
    int wrong = got != 7 * partner, all;
    MPI_Comm_disconnect(&other);
    if (serves)
        MPI_Close_port(port);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d of %d ranks got a wrong number\n", all, size);
    MPI_Finalize();
    return 0;
}
