/* Routers with allocators on a mesh: everybody sends to everybody, short and long, so that headers ask for channels and
 * flits for the switch at the same time. The times must be the same for all quanta, tiers and jobs. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 600 };

int main(int argc, char **argv)
{
    static int out[MOST], in[MOST];
    int rank, size, wrong = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < MOST; i++)
        out[i] = rank * 1000 + i;
    for (int shift = 1; shift < size; shift++) {
        int to = (rank + shift) % size, from = (rank + size - shift) % size;
        int length = (shift * 97) % MOST + 1;
        MPI_Sendrecv(out, length, MPI_INT, to, shift, in, length, MPI_INT, from, shift, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 0; i < length; i++)
            wrong += in[i] != from * 1000 + i;
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d numbers are wrong\n", all);
    MPI_Finalize();
    return 0;
}
