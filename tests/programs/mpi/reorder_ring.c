/* A ring with reorder on a hypercube lies along a Gray code: every two neighbours are one link apart, the ends, too; and
 * so is a grid of 2 x 8 with one periodic dimension. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int most_links(MPI_Comm grid, int dimensions)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int length, mine, theirs, most = 0, all, from, to;
    MPI_Get_processor_name(name, &length);
    mine = atoi(name + strlen("node"));
    for (int d = 0; d < dimensions; d++) {
        theirs = mine;
        MPI_Cart_shift(grid, d, 1, &from, &to);
        MPI_Sendrecv(&mine, 1, MPI_INT, to, 0, &theirs, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
        int links = 0;
        for (int apart = mine ^ theirs; apart; apart &= apart - 1)
            links++;
        most = links > most ? links : most;
    }
    MPI_Allreduce(&most, &all, 1, MPI_INT, MPI_MAX, grid);
    return all;
}

int main(int argc, char **argv)
{
    int ring_dims[] = {16}, ring_periods[] = {1}, dims[] = {2, 8}, periods[] = {0, 1}, rank;
    MPI_Comm ring, grid;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, ring_dims, ring_periods, 1, &ring);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    int in_ring = most_links(ring, 1), in_grid = most_links(grid, 2);
    MPI_Comm_rank(ring, &rank);
    if (rank == 0)
        printf("ring %d, grid %d\n", in_ring, in_grid);
    MPI_Finalize();
}
