/* A node with caches: what ranks share of them is divided, library accesses count, and neither quantum nor optimisation
 * changes what is computed. Each rank walks its own array, copies it, sends it round a ring and frees it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096 };

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long *one = malloc(WORDS * sizeof *one), *two = malloc(WORDS * sizeof *two), sum = 0;
    for (int i = 0; i < WORDS; i++)
        one[(i * 577) % WORDS] = i + rank;
    memcpy(two, one, WORDS * sizeof *one);
    MPI_Request request;
    MPI_Isend(two, WORDS, MPI_LONG, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(one, WORDS, MPI_LONG, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < WORDS; i++)
        sum += one[i] ^ two[WORDS - 1 - i];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    long all;
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld\n", all);
    free(one);
    free(two);
    MPI_Finalize();
    return 0;
}
