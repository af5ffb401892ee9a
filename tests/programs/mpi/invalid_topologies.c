/* Arguments of topology functions that cannot be (MPI-3.1 chapter 7). */
#include "invalid_arguments.h"

#define W MPI_COMM_WORLD

int main(int argc, char **argv)
{
    int size, dims[2] = {50, 50}, periods[2] = {0, 0}, minus[2] = {2, -1}, n, source, other;
    int index[2] = {1, 2}, edges[2] = {1, 9}, list[4];
    MPI_Comm grid, graph;

    start(&argc, &argv);
    MPI_Comm_size(W, &size);
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(W, -1, dims, periods, 0, &grid));
    FAILS(MPI_ERR_ARG, MPI_Cart_create(W, 2, dims, periods, 0, &grid));
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(W, 2, minus, periods, 0, &grid));
    FAILS(MPI_ERR_ARG, MPI_Cart_create(W, 1, NULL, periods, 0, &grid));
    FAILS(MPI_ERR_ARG, MPI_Cart_create(W, 1, (int[]){1}, periods, 0, NULL));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_get(W, 2, dims, periods, list));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(W, &n));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_sub(W, dims, &grid));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graph_get(W, 1, 1, list, list));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Dist_graph_neighbors_count(W, &n, &source, &other));
    WORKS(MPI_Cart_create(W, 1, (int[]){size}, periods, 0, &grid));
    FAILS(MPI_ERR_ARG, MPI_Cart_shift(grid, 5, 1, &source, &other));
    FAILS(MPI_ERR_ARG, MPI_Cart_shift(grid, -1, 1, &source, &other));
    FAILS(MPI_ERR_ARG, MPI_Cart_rank(grid, (int[]){size}, &n));
    FAILS(MPI_ERR_RANK, MPI_Cart_coords(grid, size, 1, list));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graph_neighbors_count(grid, 0, &n));
    FAILS(MPI_ERR_DIMS, MPI_Dims_create(7, 2, (int[]){2, 0}));
    FAILS(MPI_ERR_DIMS, MPI_Dims_create(4, 1, (int[]){-1}));
    FAILS(MPI_ERR_ARG, MPI_Graph_create(W, 2, index, edges, 0, &graph));
    index[1] = 0;
    edges[1] = 0;
    FAILS(MPI_ERR_ARG, MPI_Graph_create(W, 2, index, edges, 0, &graph));
    FAILS(MPI_ERR_ARG, MPI_Graph_create(W, size + 1, index, edges, 0, &graph));
    FAILS(MPI_ERR_RANK, MPI_Dist_graph_create_adjacent(W, 1, &size, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                                       MPI_INFO_NULL, 0, &graph));
    FAILS(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(W, -1, list, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                                      MPI_INFO_NULL, 0, &graph));
    WORKS(MPI_Comm_free(&grid));
    return finish();
}
