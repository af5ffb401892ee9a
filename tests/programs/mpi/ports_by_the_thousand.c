/* 100,000 ports, all with names of their own, and all closed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = 100000 };

int main(int argc, char **argv)
{
    char(*ports)[MPI_MAX_PORT_NAME] = malloc((size_t)PORTS * MPI_MAX_PORT_NAME);
    int same = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < PORTS; i++)
        MPI_Open_port(MPI_INFO_NULL, ports[i]);
    for (int i = 1; i < PORTS; i++)
        same += strcmp(ports[i], ports[i - 1]) == 0;
    for (int i = 0; i < PORTS; i++)
        MPI_Close_port(ports[i]);
    printf("%d ports, %d the same as another\n", PORTS, same);
    free(ports);
    MPI_Finalize();
    return 0;
}
