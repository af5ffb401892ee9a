/* MPI-3.1 3.7.2: a buffer belongs to its request until that is complete. One rank of a ring frees it too early; with
 * --check that is seen when the message is put there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int *new_halo(int cells)
{
    return calloc(cells, sizeof(int));
}

static int exchange(int rank, int size, int *halo, int cells)
{
    MPI_Request request;
    int own[8] = {rank}, sum = 0;
    MPI_Irecv(halo, cells, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    if (rank == 2)
        free(halo);
    MPI_Send(own, cells, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < cells; i++)
        sum += halo[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *halo = new_halo(8);
    int sum = exchange(rank, size, halo, 8);
    free(halo);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %d\n", rank, sum);
    MPI_Finalize();
    return 0;
}
