/* General graphs: creation, questions, ranks left out, order of neighbours, self loops and double edges (MPI-3.1 section
 * 7.5.3 and 7.5.5). */
#include "in_order.h"

#include <stdlib.h>

static void show(MPI_Comm graph)
{
    int nodes, edges, index[16], targets[32], n, neighbours[16], rank, status;
    MPI_Comm_rank(graph, &rank);
    MPI_Topo_test(graph, &status);
    MPI_Graphdims_get(graph, &nodes, &edges);
    MPI_Graph_get(graph, 16, 32, index, targets);
    say("rank %d: %s, %d nodes, %d edges:", rank, status == MPI_GRAPH ? "MPI_GRAPH" : "?", nodes, edges);
    for (int i = 0; i < nodes; i++)
        say(" %d", index[i]);
    say(" |");
    for (int i = 0; i < edges; i++)
        say(" %d", targets[i]);
    say("\n");
    for (int i = 0; i < nodes; i++) {
        MPI_Graph_neighbors_count(graph, i, &n);
        MPI_Graph_neighbors(graph, i, 16, neighbours);
        say("  %d has %d:", i, n);
        for (int j = 0; j < n; j++)
            say(" %d", neighbours[j]);
        say("\n");
    }
}

int main(int argc, char **argv)
{
    /* the example of the standard: 0-1, 0-3, 1-0, 2-3, 3-0, 3-2 */
    int index[] = {2, 3, 4, 6}, edges[] = {1, 3, 0, 3, 0, 2}, rank, status, place;
    int odd_index[] = {3, 3, 4}, odd_edges[] = {0, 2, 2, 1};
    MPI_Comm graph, copy, odd, none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Topo_test(MPI_COMM_WORLD, &status);
    say("world: %s\n", status == MPI_UNDEFINED ? "MPI_UNDEFINED" : "?");
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
    MPI_Graph_create(MPI_COMM_WORLD, 3, odd_index, odd_edges, 0, &odd);
    MPI_Graph_create(MPI_COMM_WORLD, 0, index, edges, 1, &none);
    say("no nodes: %s\n", none == MPI_COMM_NULL ? "MPI_COMM_NULL" : "?");
    if (graph == MPI_COMM_NULL) {
        say("rank %d of the world is not in it\n", rank);
    } else {
        MPI_Comm_dup(graph, &copy);
        show(copy);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&graph);
    }
    if (odd != MPI_COMM_NULL) {
        show(odd);
        MPI_Comm_free(&odd);
    }
    MPI_Graph_map(MPI_COMM_WORLD, 4, index, edges, &place);
    say("mapped to %d\n", place == MPI_UNDEFINED ? -1 : place);
    say_all();
    MPI_Finalize();
    return 0;
}
