/* shift.c - neighbour shift: every rank sends to its right and receives from its left, all at the same time.
 *
 *     shift TURNS [BYTES]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, turns = argc > 1 ? atoi(argv[1]) : 100, bytes = argc > 2 ? atoi(argv[2]) : 1024;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned char *out = malloc((size_t)bytes), *in = malloc((size_t)bytes);
    memset(out, rank & 255, (size_t)bytes);
    for (int turn = 0; turn < turns; turn++) {
        MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, turn, in, bytes, MPI_BYTE, (rank + size - 1) % size, turn,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unsigned char *t = out;
        out = in;
        in = t;
    }
    double seconds = MPI_Wtime();
    if (rank == 0)
        printf("%d %.9f\n", out[0], seconds);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
