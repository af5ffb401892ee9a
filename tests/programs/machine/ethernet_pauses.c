/* Incast on switched Ethernet: all send to rank 0 at once, more than the switches have room for. With pause frames nothing
 * is lost; without, frames are lost and sent again (ethernet_loss). Either way all arrives, in order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 20000, BLOCKS = 3 };

int main(int argc, char **argv)
{
    int rank, size;
    static char block[BLOCK];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank) {
        for (int i = 0; i < BLOCKS; i++) {
            block[0] = block[BLOCK - 1] = (char)(rank + i);
            MPI_Send(block, BLOCK, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
    } else {
        int *seen = calloc((size_t)size, sizeof *seen), wrong = 0;
        for (int i = 0; i < BLOCKS * (size - 1); i++) {
            MPI_Status status;
            MPI_Recv(block, BLOCK, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            int from = status.MPI_SOURCE;
            wrong += block[0] != from + seen[from] || block[BLOCK - 1] != from + seen[from];
            seen[from]++;
        }
        printf("%d blocks, %d of them wrong\n", BLOCKS * (size - 1), wrong);
        free(seen);
    }
    MPI_Finalize();
    return 0;
}
