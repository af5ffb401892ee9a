/* Clients connect to one port, whose server accepts them one after the other: in any order. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, number = 0;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm client;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &client);
        MPI_Recv(&number, 1, MPI_INT, 0, 0, client, MPI_STATUS_IGNORE);
        printf("client %d\n", number);
        MPI_Comm_disconnect(&client);
    }
    if (rank) {
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &client);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, client);
        MPI_Comm_disconnect(&client);
    }
    MPI_Finalize();
    return 0;
}
