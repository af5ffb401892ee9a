/* Graphs with reorder, where the ranks lie scattered over a torus: rank i of the new communicator is vertex i, with its
 * neighbours and their weights (MPI-3.1 sections 7.5.3 to 7.5.5), and exchange with them takes less time than without.
 * MPI_Graph_map answers what MPI_Graph_create with reorder gives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, BYTES = 20000 };

static int size;

/* A ring of rings: the vertices that `vertex` talks to. */
static int neighbours_of(int vertex, int *to)
{
    int columns = size / 8, row = vertex / columns, column = vertex % columns;
    to[0] = row * columns + (column + 1) % columns;
    to[1] = (row + 1) % 8 * columns + column;
    return 2;
}

static void wrong(const char *what, int vertex)
{
    printf("wrong: %s of vertex %d\n", what, vertex);
}

/* Mean time of a process in exchanges with its neighbours. */
static double exchange(MPI_Comm graph)
{
    static char out[BYTES], in[MOST][BYTES];
    int rank, from_me[MOST], requests_made = 0, n, all_of_them[MOST];
    MPI_Request requests[2 * MOST];
    MPI_Comm_rank(graph, &rank);
    n = neighbours_of(rank, from_me);
    double begin = MPI_Wtime(), mine, sum;
    for (int vertex = 0; vertex < size; vertex++) {
        int m = neighbours_of(vertex, all_of_them);
        for (int i = 0; i < m; i++)
            if (all_of_them[i] == rank) {
                MPI_Irecv(in[requests_made], BYTES, MPI_CHAR, vertex, 3, graph, &requests[requests_made]);
                requests_made++;
            }
    }
    for (int i = 0; i < n; i++)
        MPI_Isend(out, BYTES, MPI_CHAR, from_me[i], 3, graph, &requests[requests_made++]);
    MPI_Waitall(requests_made, requests, MPI_STATUSES_IGNORE);
    mine = MPI_Wtime() - begin;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, graph);
    return sum / size;
}

static void check_permutation(MPI_Comm graph)
{
    int rank, world, everybody[MOST];
    MPI_Comm_rank(graph, &rank), MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Allgather(&rank, 1, MPI_INT, everybody, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        if (i != world && everybody[i] == rank)
            wrong("two processes", rank);
}

static MPI_Comm whole_graph(int reorder)
{
    int index[MOST], edges[2 * MOST], place, rank;
    for (int vertex = 0, n = 0; vertex < size; vertex++)
        index[vertex] = n += neighbours_of(vertex, edges + n);
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &graph);
    MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &place);
    MPI_Comm_rank(graph, &rank);
    if (reorder && place != rank)
        wrong("MPI_Graph_map", rank);
    int n, got[2], expected[2];
    MPI_Graph_neighbors_count(graph, rank, &n);
    MPI_Graph_neighbors(graph, rank, 2, got);
    neighbours_of(rank, expected);
    if (n != 2 || got[0] != expected[0] || got[1] != expected[1])
        wrong("neighbours in the graph", rank);
    return graph;
}

static void check_lists(MPI_Comm graph, int weighted)
{
    int rank, in, out, has_weights, sources[MOST], destinations[MOST], in_weights[MOST], out_weights[MOST], expected[2];
    MPI_Comm_rank(graph, &rank);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &has_weights);
    if (in != 2 || out != 2 || has_weights != weighted)
        wrong("numbers", rank);
    MPI_Dist_graph_neighbors(graph, MOST, sources, in_weights, MOST, destinations, out_weights);
    neighbours_of(rank, expected);
    for (int i = 0; i < 2; i++) {
        int back[2];
        neighbours_of(sources[i], back);
        if (destinations[i] != expected[i] || (weighted && out_weights[i] != 1 + rank + i))
            wrong("destinations", rank);
        if ((back[0] != rank && back[1] != rank) || (weighted && in_weights[i] != 1 + sources[i] + (back[1] == rank)))
            wrong("sources", rank);
    }
}

/* Each process tells the edges of the next one's vertex. */
static MPI_Comm distributed(int reorder, int weighted)
{
    int rank, to[2], weights[2], degree = 2;
    MPI_Comm graph;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int vertex = (rank + 1) % size;
    neighbours_of(vertex, to);
    weights[0] = 1 + vertex, weights[1] = 2 + vertex;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &vertex, &degree, to, weighted ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL,
                          reorder, &graph);
    check_lists(graph, weighted);
    return graph;
}

static MPI_Comm adjacent(int reorder)
{
    int rank, to[2], from[2], n = 0, to_weights[2], from_weights[2];
    MPI_Comm graph;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    neighbours_of(rank, to);
    to_weights[0] = 1 + rank, to_weights[1] = 2 + rank;
    for (int vertex = 0; vertex < size; vertex++) {
        int theirs[2];
        neighbours_of(vertex, theirs);
        for (int i = 0; i < 2; i++)
            if (theirs[i] == rank)
                from[n] = vertex, from_weights[n++] = 1 + vertex + i;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, from, from_weights, 2, to, to_weights, MPI_INFO_NULL, reorder,
                                   &graph);
    check_lists(graph, 1);
    return graph;
}

/* Messages along the edges by the topology itself: each gets the numbers of its sources. */
static void check_neighbourhood(MPI_Comm graph)
{
    int rank, got[2] = {-1, -1}, sources[2], destinations[2];
    MPI_Comm_rank(graph, &rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, graph);
    MPI_Dist_graph_neighbors(graph, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED);
    if (got[0] != sources[0] || got[1] != sources[1])
        wrong("what came", rank);
}

int main(int argc, char **argv)
{
    int world;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size), MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm graphs[] = {whole_graph(1), distributed(1, 0), distributed(1, 1), adjacent(1), distributed(0, 1), adjacent(0)};
    MPI_Comm plain = whole_graph(0);
    double before = exchange(plain);
    for (int i = 0; i < 4; i++) {
        check_permutation(graphs[i]);
        if (i)
            check_neighbourhood(graphs[i]);
        double after = exchange(graphs[i]);
        if (world == 0)
            printf("%s\n", after < 0.8 * before ? "faster" : "not faster");
    }
    for (int i = 4; i < 6; i++) {
        int rank;
        check_neighbourhood(graphs[i]);
        MPI_Comm_rank(graphs[i], &rank);
        if (rank != world)
            wrong("without reorder: rank", rank);
    }
    MPI_Finalize();
}
