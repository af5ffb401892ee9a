/* A grid with reorder (MPI-3.1 section 7.5.1) on a mesh of the same shape, on which the ranks lie scattered: every two
 * neighbours of the grid are on neighbouring nodes, and everything that asks for ranks agrees on the new ones. Without
 * reorder ranks stay. MPI_Cart_map answers what MPI_Cart_create with reorder gives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, RANKS = SIDE * SIDE };

static int node(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(name, &length);
    return atoi(name + strlen("node"));
}

static int links_between(int a, int b)
{
    return abs(a / SIDE - b / SIDE) + abs(a % SIDE - b % SIDE);
}

/* The most links between neighbours of a 4 x 4 grid. */
static int dilation(MPI_Comm grid)
{
    int nodes[RANKS], mine = node(), most = 0;
    MPI_Allgather(&mine, 1, MPI_INT, nodes, 1, MPI_INT, grid);
    for (int rank = 0; rank < RANKS; rank++) {
        if (rank % SIDE < SIDE - 1 && links_between(nodes[rank], nodes[rank + 1]) > most)
            most = links_between(nodes[rank], nodes[rank + 1]);
        if (rank + SIDE < RANKS && links_between(nodes[rank], nodes[rank + SIDE]) > most)
            most = links_between(nodes[rank], nodes[rank + SIDE]);
    }
    return most;
}

static void wrong(const char *what)
{
    printf("wrong: %s\n", what);
}

/* Who has which rank, by groups, by collectives and by messages. */
static void check_ranks(MPI_Comm grid)
{
    int rank, size, world, seen[RANKS], all[RANKS], translated[RANKS], coordinates[2], back, from, to, got = -1;
    MPI_Group group, world_group;
    MPI_Comm_rank(grid, &rank), MPI_Comm_size(grid, &size), MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_group(grid, &group), MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    for (int i = 0; i < size; i++)
        all[i] = i, seen[i] = -1;
    MPI_Group_translate_ranks(group, size, all, world_group, translated);
    MPI_Allgather(&world, 1, MPI_INT, seen, 1, MPI_INT, grid);
    if (memcmp(seen, translated, size * sizeof *seen))
        wrong("groups and collectives disagree");
    for (int i = 0; i < size; i++)
        for (int j = 0; j < i; j++)
            if (seen[i] == seen[j])
                wrong("two ranks for one process");
    MPI_Cart_coords(grid, rank, 2, coordinates);
    MPI_Cart_rank(grid, coordinates, &back);
    if (back != rank)
        wrong("coordinates");
    for (int d = 0; d < 2; d++) {
        MPI_Cart_shift(grid, d, 1, &from, &to);
        MPI_Sendrecv(&world, 1, MPI_INT, to, 5, &got, 1, MPI_INT, from, 5, grid, MPI_STATUS_IGNORE);
        if (from != MPI_PROC_NULL && got != seen[from])
            wrong("a neighbour's message");
    }
    int root = world, least;
    MPI_Bcast(&root, 1, MPI_INT, size - 1, grid);
    if (root != seen[size - 1])
        wrong("broadcast");
    MPI_Scan(&rank, &least, 1, MPI_INT, MPI_SUM, grid);
    if (least != rank * (rank + 1) / 2)
        wrong("scan");
    MPI_Group_free(&group), MPI_Group_free(&world_group);
}

static void check_rows(MPI_Comm grid)
{
    int keep[2] = {0, 1}, rank, row_rank, coordinates[2];
    MPI_Comm row;
    MPI_Cart_sub(grid, keep, &row);
    MPI_Comm_rank(grid, &rank), MPI_Comm_rank(row, &row_rank);
    MPI_Cart_coords(grid, rank, 2, coordinates);
    if (row_rank != coordinates[1])
        wrong("a row");
    MPI_Comm_free(&row);
}

/* A grid that is smaller than the communicator takes as many processes as it has places. */
static void check_small_grid(void)
{
    int dims[2] = {2, 3}, periods[2] = {0, 0}, inside, in_all, place, rank = MPI_UNDEFINED;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &place);
    inside = grid != MPI_COMM_NULL;
    MPI_Allreduce(&inside, &in_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (in_all != 6)
        wrong("places of a small grid");
    if (inside) {
        check_ranks(grid);
        MPI_Comm_rank(grid, &rank);
        MPI_Comm_free(&grid);
    }
    if (place != rank)
        wrong("MPI_Cart_map");
}

int main(int argc, char **argv)
{
    int dims[2] = {SIDE, SIDE}, periods[2] = {0, 0}, world, rank, moved, any_moved;
    MPI_Comm plain, grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &plain);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Comm_rank(plain, &rank);
    if (rank != world)
        wrong("without reorder ranks stay");
    MPI_Comm_rank(grid, &rank);
    moved = rank != world;
    MPI_Reduce(&moved, &any_moved, 1, MPI_INT, MPI_LOR, 0, grid);
    int before = dilation(plain), after = dilation(grid);
    check_ranks(plain), check_ranks(grid), check_rows(grid), check_small_grid();
    if (rank == 0)
        printf("moved: %d, links between neighbours: %d, then %d\n", any_moved, before, after);
    MPI_Finalize();
}
