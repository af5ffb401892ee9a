/* halo_exchange.c - a grid of ranks exchanges its edges, as solvers of differential equations do, in two communicators:
 * one with the ranks as they are numbered, one whose ranks the library may choose.
 *
 * Run:      orrery run -n 16 --machine hypercube-4 --set mapping.ranks=random samples/halo_exchange.c
 * Look at:  the two times, and what --stats says of the busiest links. Here the library knows the network, so that with
 *           `reorder` neighbours in the grid become neighbours in it.
 * Change:   leave out the random mapping: now the numbering is good already. Try mesh-4x4, ring-8, bus-16.
 */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 1000, STEPS = 20 };

static double edges[4][CELLS], halo[4][CELLS];

/* Seconds that the slowest rank takes. */
static double exchange(MPI_Comm grid)
{
    int neighbours[4];
    double begin, mine, slowest;

    MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
    MPI_Barrier(grid);
    begin = MPI_Wtime();
    for (int step = 0; step < STEPS; step++) {
        MPI_Request requests[8];
        for (int side = 0; side < 4; side++) {
            MPI_Irecv(halo[side], CELLS, MPI_DOUBLE, neighbours[side], 0, grid, &requests[side]);
            MPI_Isend(edges[side], CELLS, MPI_DOUBLE, neighbours[side], 0, grid, &requests[4 + side]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    }
    mine = MPI_Wtime() - begin;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, grid);
    return slowest;
}

int main(int argc, char **argv)
{
    int size, dims[2] = {0, 0}, periods[2] = {0, 0};

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    for (int reorder = 0; reorder <= 1; reorder++) {
        MPI_Comm grid;
        int rank;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, &grid);
        MPI_Comm_rank(grid, &rank);
        double seconds = exchange(grid);
        if (rank == 0)
            printf("%d x %d, ranks %s: %.0f ms\n", dims[0], dims[1], reorder ? "chosen by the library" : "as they are",
                   seconds * 1e3);
        MPI_Comm_free(&grid);
    }
    MPI_Finalize();
    return 0;
}
