/* graph_topologies.c - general graphs as topologies (MPI-3.1 section 7.5.3 and 7.5.5), and the neighbours that a
 * process has in any topology.
 *
 * Every member gives the whole graph and keeps it, as the interface demands. The graph takes the first ranks of the
 * communicator in order, or with `reorder` ranks that are close to each other (reorder.c). Distributed graphs are in
 * dist_graphs.c.
 */
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/topology/topology.h"

#include <string.h>

/* -- neighbours -------------------------------------------------------------------------------- */

/* Returns the index of a node's first edge. */
static int first_edge(const MpiTopology *graph, uint32_t node)
{
    return node ? graph->index[node - 1] : 0;
}

static int degree(const MpiTopology *graph, uint32_t node)
{
    return graph->index[node] - first_edge(graph, node);
}

bool mpi_topology_degrees(const MpiComm *comm, int *sources, int *destinations)
{
    const MpiTopology *topology = comm->topology;
    *sources = *destinations = 0;
    switch (topology ? topology->kind : MPI_TOPOLOGY_NONE) {
    case MPI_TOPOLOGY_CART: *sources = *destinations = 2 * topology->n_dims; return true;
    case MPI_TOPOLOGY_GRAPH: *sources = *destinations = degree(topology, comm->rank); return true;
    case MPI_TOPOLOGY_DIST_GRAPH:
        *sources = topology->n_sources;
        *destinations = topology->n_destinations;
        return true;
    default: return false;
    }
}

static void copy_ints(int *to, const int *from, int n)
{
    if (n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
}

/* For each dimension: first the neighbour in the negative direction, then the one in the positive direction. */
static void grid_neighbours(const MpiComm *comm, int *neighbours)
{
    for (int i = 0; i < comm->topology->n_dims; i++) {
        neighbours[2 * i] = mpi_cart_neighbour(comm->topology, comm->rank, i, -1);
        neighbours[2 * i + 1] = mpi_cart_neighbour(comm->topology, comm->rank, i, 1);
    }
}

void mpi_topology_neighbours(const MpiComm *comm, int *sources, int *destinations)
{
    const MpiTopology *topology = comm->topology;
    switch (topology ? topology->kind : MPI_TOPOLOGY_NONE) {
    case MPI_TOPOLOGY_CART:
        grid_neighbours(comm, sources);
        grid_neighbours(comm, destinations);
        break;
    case MPI_TOPOLOGY_GRAPH:
        copy_ints(sources, topology->edges + first_edge(topology, comm->rank), degree(topology, comm->rank));
        copy_ints(destinations, topology->edges + first_edge(topology, comm->rank), degree(topology, comm->rank));
        break;
    case MPI_TOPOLOGY_DIST_GRAPH:
        copy_ints(sources, topology->sources, topology->n_sources);
        copy_ints(destinations, topology->destinations, topology->n_destinations);
        break;
    default: break;
    }
}

/* -- the object -------------------------------------------------------------------------------- */

static MpiTopology *graph_new(int n, const MpiInt32 *index, const MpiInt32 *edges)
{
    int n_edges = n ? index[n - 1] : 0;
    MpiTopology *graph = g_new0(MpiTopology, 1);
    graph->refs = 1;
    graph->kind = MPI_TOPOLOGY_GRAPH;
    graph->n_nodes = n;
    graph->n_edges = n_edges;
    graph->index = g_new(int, (size_t)n + (size_t)n_edges + 1);
    graph->edges = graph->index + n;
    for (int i = 0; i < n; i++) {
        graph->index[i] = index[i];
    }
    for (int i = 0; i < n_edges; i++) {
        graph->edges[i] = edges[i];
    }
    return graph;
}

/* -- arguments --------------------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static bool check_ints(MpiCall *call, MpiComm *comm, unsigned arg, int n, MpiInt32 **ints, MpiStep *step)
{
    return mpi_check_output(call, comm, arg, (uint64_t)n * sizeof(int32_t), (void **)ints, step);
}

static bool check_graph(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    if (!mpi_check_comm(call, 0, comm, step)) {
        return false;
    }
    bool graph = (*comm)->topology && (*comm)->topology->kind == MPI_TOPOLOGY_GRAPH;
    if (!graph) {
        *step = mpi_call_error(call, *comm, MPI_ERR_TOPOLOGY,
                               "the communicator has no graph topology (argument 1); make one with MPI_Graph_create");
    }
    return graph;
}

/* Arguments 2 to 4 of MPI_Graph_create and MPI_Graph_map. */
typedef struct GraphArguments {
    int n;
    const MpiInt32 *index, *edges;
} GraphArguments;

enum { COMM, NODES, INDEX, EDGES };

static bool check_nodes(MpiCall *call, MpiComm *comm, int n, MpiStep *step)
{
    if (n >= 0 && (uint32_t)n <= comm->group->size) {
        return true;
    }
    *step = mpi_call_error(call, comm, MPI_ERR_ARG,
                           "the graph has %d nodes (argument 2), but the communicator has %u "
                           "ranks",
                           n, comm->group->size);
    return false;
}

static bool check_index(MpiCall *call, MpiComm *comm, const GraphArguments *a, MpiStep *step)
{
    for (int i = 0, before = 0; i < a->n; before = a->index[i++]) {
        if (a->index[i] < before) {
            *step = mpi_call_error(call, comm, MPI_ERR_ARG,
                                   "index %d is %d (argument 3); it counts the edges of nodes 0 to %d, so it is at "
                                   "least %d",
                                   i, a->index[i], i, before);
            return false;
        }
    }
    return true;
}

static bool check_edges(MpiCall *call, MpiComm *comm, const GraphArguments *a, int n_edges, MpiStep *step)
{
    for (int i = 0; i < n_edges; i++) {
        if (a->edges[i] < 0 || a->edges[i] >= a->n) {
            *step = mpi_call_error(call, comm, MPI_ERR_ARG, "edge %d leads to %d (argument 4); nodes are 0 to %d", i,
                                   a->edges[i], a->n - 1);
            return false;
        }
    }
    return true;
}

static bool read_graph(MpiCall *call, MpiComm *comm, GraphArguments *a, MpiStep *step)
{
    a->n = mpi_int(call, NODES);
    if (!check_nodes(call, comm, a->n, step) ||
        !mpi_check_input(call, comm, INDEX, (uint64_t)a->n * sizeof(int32_t), (const void **)&a->index, step) ||
        !check_index(call, comm, a, step)) {
        return false;
    }
    int n_edges = a->n ? a->index[a->n - 1] : 0;
    return mpi_check_input(call, comm, EDGES, (uint64_t)n_edges * sizeof(int32_t), (const void **)&a->edges, step) &&
           check_edges(call, comm, a, n_edges, step);
}

/* -- functions --------------------------------------------------------------------------------- */

MpiStep mpi_do_Graph_create(MpiCall *call)
{
    enum { REORDER = EDGES + 1, RESULT };
    MpiComm *comm;
    GraphArguments a;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !read_graph(call, comm, &a, &step) || !mpi_check_result(call, RESULT, sizeof(MpiHandle), &step) ||
        !mpi_share_check(call, comm, -1, &step)) {
        return step;
    }
    MpiGroup *group = mpi_int(call, REORDER) ? mpi_reorder_graph(call->world, comm, (uint32_t)a.n, a.index, a.edges)
                                             : mpi_topology_first_members(comm->group, (uint32_t)a.n);
    group = mpi_topology_group_if_member(group, call->rank);
    return mpi_topology_create(call, comm, 0, group, group ? graph_new(a.n, a.index, a.edges) : NULL,
                               (MpiTopologyArgs){.result = RESULT});
}

MpiStep mpi_do_Graph_map(MpiCall *call)
{
    enum { RESULT = EDGES + 1 };
    MpiComm *comm;
    GraphArguments a;
    MpiInt32 *result;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !read_graph(call, comm, &a, &step) || !check_ints(call, comm, RESULT, 1, &result, &step)) {
        return step;
    }
    MpiGroup *group = mpi_reorder_graph(call->world, comm, (uint32_t)a.n, a.index, a.edges);
    int rank = mpi_group_find(group, call->rank->index);
    *result = rank < 0 ? MPI_UNDEFINED_ : rank;
    mpi_group_unref(group);
    return done(call);
}

MpiStep mpi_do_Graphdims_get(MpiCall *call)
{
    MpiComm *comm;
    MpiInt32 *nodes, *edges;
    MpiStep step;
    if (!check_graph(call, &comm, &step) || !check_ints(call, comm, 1, 1, &nodes, &step) ||
        !check_ints(call, comm, 2, 1, &edges, &step)) {
        return step;
    }
    *nodes = comm->topology->n_nodes;
    *edges = comm->topology->n_edges;
    return done(call);
}

static bool check_room(MpiCall *call, MpiComm *comm, unsigned arg, int n, const char *what, MpiStep *step)
{
    int room = mpi_int(call, arg);
    if (room < n) {
        *step = mpi_call_error(call, comm, MPI_ERR_ARG, "room for %d (argument %u), but the graph has %d %s", room,
                               arg + 1, n, what);
    }
    return room >= n;
}

MpiStep mpi_do_Graph_get(MpiCall *call)
{
    enum { MAX_INDEX = 1, MAX_EDGES, TO_INDEX, TO_EDGES };
    MpiComm *comm;
    MpiInt32 *index, *edges;
    MpiStep step;
    if (!check_graph(call, &comm, &step)) {
        return step;
    }
    const MpiTopology *graph = comm->topology;
    if (!check_room(call, comm, MAX_INDEX, graph->n_nodes, "nodes", &step) ||
        !check_room(call, comm, MAX_EDGES, graph->n_edges, "edges", &step) ||
        !check_ints(call, comm, TO_INDEX, graph->n_nodes, &index, &step) ||
        !check_ints(call, comm, TO_EDGES, graph->n_edges, &edges, &step)) {
        return step;
    }
    copy_ints((int *)index, graph->index, graph->n_nodes);
    copy_ints((int *)edges, graph->edges, graph->n_edges);
    return done(call);
}

static bool check_node(MpiCall *call, MpiComm *comm, uint32_t *node, MpiStep *step)
{
    int rank = mpi_int(call, 1);
    *node = (uint32_t)rank;
    if (rank < 0 || rank >= comm->topology->n_nodes) {
        *step = mpi_call_error(call, comm, MPI_ERR_RANK, "rank %d (argument 2) is outside the graph of %d nodes", rank,
                               comm->topology->n_nodes);
    }
    return rank >= 0 && rank < comm->topology->n_nodes;
}

MpiStep mpi_do_Graph_neighbors_count(MpiCall *call)
{
    MpiComm *comm;
    uint32_t node;
    MpiInt32 *count;
    MpiStep step;
    if (!check_graph(call, &comm, &step) || !check_node(call, comm, &node, &step) ||
        !check_ints(call, comm, 2, 1, &count, &step)) {
        return step;
    }
    *count = degree(comm->topology, node);
    return done(call);
}

/* Stores as many neighbours as there is room for. */
MpiStep mpi_do_Graph_neighbors(MpiCall *call)
{
    enum { ROOM = 2, NEIGHBOURS };
    MpiComm *comm;
    uint32_t node;
    MpiInt32 *neighbours;
    MpiStep step;
    if (!check_graph(call, &comm, &step) || !check_node(call, comm, &node, &step)) {
        return step;
    }
    int room = mpi_int(call, ROOM), n = MIN(room, degree(comm->topology, node));
    if (room < 0) {
        return mpi_call_error(call, comm, MPI_ERR_ARG, "room for %d neighbours (argument 3)", room);
    }
    if (!check_ints(call, comm, NEIGHBOURS, n, &neighbours, &step)) {
        return step;
    }
    copy_ints((int *)neighbours, comm->topology->edges + first_edge(comm->topology, node), n);
    return done(call);
}
