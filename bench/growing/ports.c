/* Ports that are open at a time, each connected to by rank 1 under its name.     ports COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, count = atoi(argv[1]), sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char(*ports)[MPI_MAX_PORT_NAME] = malloc(sizeof *ports * count);
    MPI_Comm *links = malloc(sizeof *links * count);
    for (int i = 0; rank == 0 && i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "service %d", i);
        MPI_Open_port(MPI_INFO_NULL, ports[i]);
        MPI_Publish_name(name, MPI_INFO_NULL, ports[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "service %d", i);
        if (rank == 1)
            MPI_Lookup_name(name, MPI_INFO_NULL, ports[i]);
        if (rank == 0)
            MPI_Comm_accept(ports[i], MPI_INFO_NULL, 0, MPI_COMM_SELF, &links[i]);
        else
            MPI_Comm_connect(ports[i], MPI_INFO_NULL, 0, MPI_COMM_SELF, &links[i]);
    }
    for (int i = 0; i < count; i++) {
        int size;
        MPI_Comm_remote_size(links[i], &size);
        sum += size;
        MPI_Comm_disconnect(&links[i]);
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    free(links);
    free(ports);
    return 0;
}
