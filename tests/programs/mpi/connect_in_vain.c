/* MPI_Comm_connect gives up where nobody accepts, if its error handler lets the program go on: the one that is least
 * patient first; a process that accepts meanwhile is found. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME], key[16];
    int rank, class, i;
    MPI_Comm half, other;
    MPI_Info info;
    double begin;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    for (i = 0; i < 2; i++) {
        MPI_Info_create(&info);
        sprintf(key, "%d", rank % 2 ? 3 : 5);
        if (!i)
            MPI_Info_set(info, "timeout", key);
        begin = MPI_Wtime();
        MPI_Error_class(MPI_Comm_connect(port, info, 0, half, &other), &class);
        MPI_Info_free(&info);
        MPI_Barrier(half);
        if (rank < 2)
            printf("rank %d: %s after %.0f s%s\n", rank, class == MPI_ERR_PORT ? "MPI_ERR_PORT" : "another class",
                   MPI_Wtime() - begin, other == MPI_COMM_NULL ? "" : ", but there is a communicator");
    }
    if (rank % 2 == 0)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other);
    MPI_Comm_remote_size(other, &i);
    printf("rank %d: %d others\n", rank, i);
    MPI_Comm_disconnect(&other);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Finalize();
    return 0;
}
