/* Nodes of four cores with two network interfaces: the two halves of a node's ranks do not get into each other's way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 60000 };

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *block = calloc(BYTES, 1);
    block[0] = (char)rank;
    int to = (rank + size / 2) % size;
    MPI_Sendrecv_replace(block, BYTES, MPI_CHAR, to, 0, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d has the block of %d\n", rank, block[0]);
    free(block);
    MPI_Finalize();
    return 0;
}
