/* Everybody sends everybody, by MPI_Alltoall of BYTES.     exchange BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, bytes = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *from = calloc(size, bytes), *to = calloc(size, bytes);
    from[0] = (char)rank;
    MPI_Alltoall(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", to[bytes * (size - 1)]);
    MPI_Finalize();
    free(from);
    free(to);
    return 0;
}
