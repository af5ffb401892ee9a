/* Distributed graphs: edges told by their ends or by anybody, with and without weights (MPI-3.1 section 7.5.4). */
#include "in_order.h"

#include <stdlib.h>

enum { MOST = 64 };

static int rank, size;

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

/* The standard leaves the order open where the edges were not told by their ends. */
static void show_side(const char *what, int n, const int *ranks, const int *weights, int weighted, int sorted)
{
    int pairs[MOST][2];
    for (int i = 0; i < n; i++) {
        pairs[i][0] = ranks[i];
        pairs[i][1] = weighted ? weights[i] : 0;
    }
    if (sorted)
        qsort(pairs, n, sizeof *pairs, compare);
    say(" %s", what);
    for (int i = 0; i < n; i++)
        if (weighted)
            say(" %d(%d)", pairs[i][0], pairs[i][1]);
        else
            say(" %d", pairs[i][0]);
}

static void show(const char *what, MPI_Comm graph, int sorted)
{
    int in, out, weighted, status, sources[MOST], source_weights[MOST], targets[MOST], target_weights[MOST];
    MPI_Topo_test(graph, &status);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(graph, in, sources, weighted ? source_weights : MPI_UNWEIGHTED, out, targets,
                             weighted ? target_weights : MPI_UNWEIGHTED);
    say("rank %d, %s, %s, %s:", rank, what, status == MPI_DIST_GRAPH ? "MPI_DIST_GRAPH" : "?",
        weighted ? "weighted" : "unweighted");
    show_side("from", in, sources, source_weights, weighted, sorted);
    show_side("to", out, targets, target_weights, weighted, sorted);
    say("\n");
}

int main(int argc, char **argv)
{
    MPI_Comm graph, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;

    int sources[] = {left, right, rank}, source_weights[] = {10 * left + rank, 5, 0};
    int targets[] = {right, left, rank}, target_weights[] = {10 * rank + right, 5, 0};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, sources, source_weights, 3, targets, target_weights,
                                   MPI_INFO_NULL, 0, &graph);
    show("ring", graph, 0);
    MPI_Comm_dup(graph, &copy);
    show("copy", copy, 0);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&graph);

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   1, &graph);
    show("one way", graph, 0);
    MPI_Comm_free(&graph);

    /* rank 0 sends only, the others receive only */
    int all[MOST], ones[MOST];
    for (int i = 0; i < size; i++) {
        all[i] = i;
        ones[i] = i + 1;
    }
    if (rank == 0)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, size - 1, all + 1, ones + 1,
                                       MPI_INFO_NULL, 0, &graph);
    else
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, all, ones + rank, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                       0, &graph);
    show("star", graph, 0);
    MPI_Comm_free(&graph);

    /* every rank tells an edge between two others, and rank 0 all edges of a ring besides */
    int from = (rank + 1) % size, degree = 1, to = (rank + 2) % size, weight = 100 + rank;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &from, &degree, &to, &weight, MPI_INFO_NULL, 0, &graph);
    show("told by others", graph, 1);
    MPI_Comm_free(&graph);

    int nodes[MOST], degrees[MOST], ends[2 * MOST];
    for (int i = 0; i < size; i++) {
        nodes[i] = i;
        degrees[i] = 2;
        ends[2 * i] = (i + 1) % size;
        ends[2 * i + 1] = (i + size - 1) % size;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, nodes, degrees, ends, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &graph);
    show("told by one", graph, 1);
    MPI_Comm_free(&graph);
    say_all();
    MPI_Finalize();
    return 0;
}
