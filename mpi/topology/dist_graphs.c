/* dist_graphs.c - distributed graphs as topologies (MPI-3.1 section 7.5.4 and 7.5.5): each process knows its own edges.
 *
 * In MPI_Dist_graph_create_adjacent each member gives its own edges. In MPI_Dist_graph_create any member may give any
 * edges, so they must be exchanged. Members put their edges into one list of the world, and pay for sending them to
 * each other. The first member that knows that all have done so sorts the list twice, by destination and by source.
 * Each takes its part, and the last one frees the list. A process gets its neighbours in the order of (the rank that
 * named the edge, its position in that rank's lists).
 *
 * The ranks in the lists are those of the new communicator: with `reorder` a process that gets rank i there gets the
 * edges of vertex i. So MPI_Dist_graph_create_adjacent with `reorder` needs the edges of all members, too. They are put
 * into such a list, at no cost except that of the barrier which the call needs anyway.
 */
#include "mpi/collective/collective.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/topology/topology.h"

typedef struct Edge {
    int source, destination, weight;
    uint32_t named_by;
    uint32_t place; /* position in the lists of the rank that named it */
} Edge;

/* What the members have said in one MPI_Dist_graph_create. */
typedef struct Gathering {
    MpiOccasion at;
    uint32_t size;    /* number of members */
    uint32_t missing; /* number of members that have not taken their part yet */
    bool weighted;
    GArray *by_destination; /* Edge, by destination; in order of naming until they are sorted */
    GArray *by_source;      /* Edge, by source; NULL: not sorted yet */
    MpiTopology **told;     /* create_adjacent with reorder: by rank, its edges; else NULL */
    uint32_t n_told;        /* number of ranks in `told` */
    MpiGroup *group;        /* reorder: the process for each vertex; NULL: not computed yet */
} Gathering;

/* -- the object -------------------------------------------------------------------------------- */

static MpiTopology *dist_graph_new(int n_sources, int n_destinations, bool weighted)
{
    size_t n = (size_t)n_sources + (size_t)n_destinations;
    MpiTopology *graph = g_new0(MpiTopology, 1);
    graph->refs = 1;
    graph->kind = MPI_TOPOLOGY_DIST_GRAPH;
    graph->weighted = weighted;
    graph->n_sources = n_sources;
    graph->n_destinations = n_destinations;
    graph->sources = g_new0(int, 2 * n + 1);
    graph->destinations = graph->sources + n_sources;
    graph->source_weights = graph->sources + n;
    graph->destination_weights = graph->source_weights + n_sources;
    return graph;
}

/* -- arguments --------------------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static bool check_degree(MpiCall *call, MpiComm *comm, unsigned arg, int *n, MpiStep *step)
{
    *n = mpi_int(call, arg);
    if (*n < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_ARG, "a number of %d edges (argument %u)", *n, arg + 1);
    }
    return *n >= 0;
}

static bool check_ints(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t n, const MpiInt32 **ints, MpiStep *step)
{
    return mpi_check_input(call, comm, arg, n * sizeof(int32_t), (const void **)ints, step);
}

static bool check_ranks(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t n, const MpiInt32 **ranks, MpiStep *step)
{
    if (!check_ints(call, comm, arg, n, ranks, step)) {
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        int rank = (*ranks)[i];
        if (rank < 0 || (uint32_t)rank >= comm->group->size) {
            *step = mpi_call_error(call, comm, MPI_ERR_RANK,
                                   "rank %d at index %" G_GUINT64_FORMAT
                                   " (argument %u), but the communicator has ranks 0 to %u",
                                   rank, i, arg + 1, comm->group->size - 1);
            return false;
        }
    }
    return true;
}

/* Checks an array of weights. *weights is NULL for MPI_UNWEIGHTED and if there are no edges. */
static bool check_weights(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t n, const MpiInt32 **weights,
                          MpiStep *step)
{
    *weights = NULL;
    if (call->args[arg] == MPI_UNWEIGHTED_ || !n) {
        return true;
    }
    if (!check_ints(call, comm, arg, n, weights, step)) {
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        if ((*weights)[i] < 0) {
            *step = mpi_call_error(call, comm, MPI_ERR_ARG,
                                   "weight %d at index %" G_GUINT64_FORMAT " is negative (argument %u)", (*weights)[i],
                                   i, arg + 1);
            return false;
        }
    }
    return true;
}

/* -- gathering --------------------------------------------------------------------------------- */

static void gathering_free(void *value)
{
    Gathering *g = value;
    g_array_unref(g->by_destination);
    g_clear_pointer(&g->by_source, g_array_unref);
    for (uint32_t i = 0; g->told && i < g->size; i++) {
        mpi_comm_topology_unref(g->told[i]);
    }
    g_free(g->told);
    mpi_group_unref(g->group);
    g_free(g);
}

/* Returns the table of distributed graphs being made. */
static GHashTable *graphs_of(MpiWorld *world)
{
    return mpi_slots_table(world, MPI_SLOT_GRAPHS, mpi_turn_occasion_hash, mpi_turn_occasion_equal, gathering_free,
                           NULL);
}

static Gathering *gathering_of(MpiWorld *world, const MpiComm *comm, uint64_t turn)
{
    MpiOccasion key = {comm->context, turn};
    return g_hash_table_lookup(graphs_of(world), &key);
}

static Gathering *gathering_enter(MpiCall *call, const MpiComm *comm, bool weighted)
{
    MpiWorld *world = call->world;
    uint64_t turn = mpi_comm_turn(call, comm);
    Gathering *g = gathering_of(world, comm, turn);
    if (!g) {
        g = g_new0(Gathering, 1);
        g->at = (MpiOccasion){comm->context, turn};
        g->size = g->missing = comm->group->size;
        g->weighted = weighted;
        g->by_destination = g_array_new(FALSE, FALSE, sizeof(Edge));
        g_hash_table_add(graphs_of(world), g);
    }
    return g;
}

static int compare_naming(const Edge *x, const Edge *y)
{
    if (x->named_by != y->named_by) {
        return x->named_by < y->named_by ? -1 : 1;
    }
    return x->place < y->place ? -1 : x->place > y->place;
}

static int compare_destinations(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    return x->destination != y->destination ? (x->destination < y->destination ? -1 : 1) : compare_naming(x, y);
}

static int compare_sources(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    return x->source != y->source ? (x->source < y->source ? -1 : 1) : compare_naming(x, y);
}

static void gathering_sort(Gathering *g)
{
    if (!g->by_source) {
        g->by_source = g_array_copy(g->by_destination);
        g_array_sort(g->by_source, compare_sources);
        g_array_sort(g->by_destination, compare_destinations);
    }
}

/* Returns the index of the first of the sorted edges whose end is not below `rank`. */
static guint lower_bound(const GArray *edges, bool sources, int rank)
{
    guint low = 0, high = edges->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const Edge *edge = &g_array_index(edges, Edge, middle);
        if ((sources ? edge->source : edge->destination) < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the edges of one process. */
static MpiTopology *gathering_take(Gathering *g, int rank)
{
    gathering_sort(g);
    guint in = lower_bound(g->by_destination, false, rank), in_end = lower_bound(g->by_destination, false, rank + 1);
    guint out = lower_bound(g->by_source, true, rank), out_end = lower_bound(g->by_source, true, rank + 1);
    MpiTopology *graph = dist_graph_new((int)(in_end - in), (int)(out_end - out), g->weighted);
    for (guint i = in; i < in_end; i++) {
        const Edge *edge = &g_array_index(g->by_destination, Edge, i);
        graph->sources[i - in] = edge->source;
        graph->source_weights[i - in] = edge->weight;
    }
    for (guint i = out; i < out_end; i++) {
        const Edge *edge = &g_array_index(g->by_source, Edge, i);
        graph->destinations[i - out] = edge->destination;
        graph->destination_weights[i - out] = edge->weight;
    }
    return graph;
}

/* -- MPI_Dist_graph_create_adjacent ------------------------------------------------------------ */

static bool check_both_weighted(MpiCall *call, MpiComm *comm, unsigned a, unsigned b, MpiStep *step)
{
    if ((call->args[a] == MPI_UNWEIGHTED_) == (call->args[b] == MPI_UNWEIGHTED_)) {
        return true;
    }
    *step =
        mpi_call_error(call, comm, MPI_ERR_ARG,
                       "argument %u is MPI_UNWEIGHTED and argument %u is not; without edges on one side give "
                       "MPI_WEIGHTS_EMPTY there",
                       (call->args[a] == MPI_UNWEIGHTED_ ? a : b) + 1, (call->args[a] == MPI_UNWEIGHTED_ ? b : a) + 1);
    return false;
}

static void copy_ints(int *to, const MpiInt32 *from, int n)
{
    for (int i = 0; from && i < n; i++) {
        to[i] = from[i];
    }
}

/* Records the edges of a member. Takes the graph. */
static void tell(MpiCall *call, const MpiComm *comm, MpiTopology *graph)
{
    Gathering *g = gathering_enter(call, comm, graph->weighted);
    if (!g->told) {
        g->told = g_new0(MpiTopology *, g->size);
    }
    g->told[comm->rank] = graph;
    g->n_told++;
    for (int i = 0; i < graph->n_destinations; i++) {
        Edge edge = {.source = (int)comm->rank,
                     .destination = graph->destinations[i],
                     .weight = graph->destination_weights[i],
                     .named_by = comm->rank,
                     .place = (uint32_t)i};
        g_array_append_val(g->by_destination, edge);
    }
}

/* Returns the process for each vertex, as a group. */
static MpiGroup *gathering_reorder(Gathering *g, MpiWorld *world, const MpiComm *comm)
{
    gathering_sort(g);
    uint32_t n_edges = g->by_source->len;
    MpiWeightedEdge *edges = g_new(MpiWeightedEdge, (size_t)n_edges + 1);
    for (uint32_t i = 0; i < n_edges; i++) {
        const Edge *edge = &g_array_index(g->by_source, Edge, i);
        uint64_t weight = g->weighted ? (uint64_t)edge->weight : 1;
        edges[i] = (MpiWeightedEdge){(uint32_t)edge->source, (uint32_t)edge->destination, weight};
    }
    MpiArrangement a = {.n = comm->group->size, .n_edges = n_edges, .edges = edges};
    MpiGroup *group = mpi_reorder(world, comm, &a);
    g_free(edges);
    return group;
}

/* Returns the group of the new communicator, the same for all members; the caller gets a reference. */
static MpiGroup *gathering_group(Gathering *g, MpiWorld *world, MpiComm *comm)
{
    if (!g->group) {
        g->group = gathering_reorder(g, world, comm);
    }
    return mpi_group_ref(g->group);
}

static void gathering_leave(MpiWorld *world, Gathering *g)
{
    if (--g->missing == 0) {
        g_hash_table_remove(graphs_of(world), g);
    }
}

/* Returns what the members of the call, whose turn is in call->room, have gathered. Returns NULL on an error, which is
 * in *step. */
static Gathering *gathering_of_call(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    return mpi_check_comm(call, 0, comm, step) ? gathering_of(call->world, *comm, call->room[0]) : NULL;
}

static MpiStep adjacent_finish(MpiCall *call)
{
    enum { INFO = 7, RESULT = 9 };
    MpiComm *comm;
    MpiStep step;
    Gathering *g = gathering_of_call(call, &comm, &step);
    if (!g)
        return step;
    bool all = g->n_told == g->size; /* if not, some members did not ask for reordering, which is an error */
    MpiGroup *group = all ? gathering_group(g, call->world, comm) : mpi_group_ref(comm->group);
    int vertex = mpi_group_find(group, call->rank->index);
    MpiTopology *graph = mpi_comm_topology_ref(g->told[vertex]);
    gathering_leave(call->world, g);
    return mpi_topology_make(call, comm, call->room[0], 0, group, graph, (MpiTopologyArgs){RESULT, INFO});
}

MpiStep mpi_do_Dist_graph_create_adjacent(MpiCall *call)
{
    enum {
        COMM,
        N_SOURCES,
        SOURCES,
        SOURCE_WEIGHTS,
        N_DESTINATIONS,
        DESTINATIONS,
        DESTINATION_WEIGHTS,
        INFO,
        REORDER,
        RESULT
    };
    MpiComm *comm;
    int n_sources, n_destinations;
    const MpiInt32 *sources, *destinations, *source_weights, *destination_weights;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !check_degree(call, comm, N_SOURCES, &n_sources, &step) ||
        !check_degree(call, comm, N_DESTINATIONS, &n_destinations, &step) ||
        !check_ranks(call, comm, SOURCES, (uint64_t)n_sources, &sources, &step) ||
        !check_ranks(call, comm, DESTINATIONS, (uint64_t)n_destinations, &destinations, &step) ||
        !check_both_weighted(call, comm, SOURCE_WEIGHTS, DESTINATION_WEIGHTS, &step) ||
        !check_weights(call, comm, SOURCE_WEIGHTS, (uint64_t)n_sources, &source_weights, &step) ||
        !check_weights(call, comm, DESTINATION_WEIGHTS, (uint64_t)n_destinations, &destination_weights, &step) ||
        !mpi_check_info(call, comm, INFO, &step) || !mpi_check_result(call, RESULT, sizeof(MpiHandle), &step) ||
        !mpi_share_check(call, comm, -1, &step)) {
        return step;
    }
    MpiTopology *graph = dist_graph_new(n_sources, n_destinations, call->args[SOURCE_WEIGHTS] != MPI_UNWEIGHTED_);
    if (n_sources) {
        copy_ints(graph->sources, sources, n_sources);
    }
    if (n_destinations) {
        copy_ints(graph->destinations, destinations, n_destinations);
    }
    copy_ints(graph->source_weights, source_weights, n_sources);
    copy_ints(graph->destination_weights, destination_weights, n_destinations);
    if (mpi_int(call, REORDER)) {
        tell(call, comm, graph);
        call->room[0] = mpi_comm_turn(call, comm);
        return mpi_collective_synchronize(call, comm, adjacent_finish);
    }
    return mpi_topology_create(call, comm, 0, mpi_group_ref(comm->group), graph, (MpiTopologyArgs){RESULT, INFO});
}

/* -- MPI_Dist_graph_create --------------------------------------------------------------------- */

enum { COMM, COUNT, SOURCES, DEGREES, DESTINATIONS, WEIGHTS, INFO, REORDER, RESULT };

/* Checks the number of sources and the degree of each, and computes the total number of edges. */
static bool check_degrees(MpiCall *call, MpiComm *comm, int n, const MpiInt32 **degrees, uint64_t *n_edges,
                          MpiStep *step)
{
    *n_edges = 0;
    if (!check_ints(call, comm, DEGREES, (uint64_t)n, degrees, step)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        if ((*degrees)[i] < 0) {
            *step = mpi_call_error(call, comm, MPI_ERR_ARG, "degree %d at index %d is negative (argument 4)",
                                   (*degrees)[i], i);
            return false;
        }
        *n_edges += (uint64_t)(*degrees)[i];
    }
    return true;
}

static MpiStep create_finish(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    Gathering *g = gathering_of_call(call, &comm, &step);
    if (!g)
        return step;
    MpiGroup *group = mpi_int(call, REORDER) ? gathering_group(g, call->world, comm) : mpi_group_ref(comm->group);
    MpiTopology *graph = gathering_take(g, mpi_group_find(group, call->rank->index));
    gathering_leave(call->world, g);
    return mpi_topology_make(call, comm, call->room[0], 0, group, graph, (MpiTopologyArgs){RESULT, INFO});
}

/* The numbers of edges have been exchanged. Now exchanges the edges themselves, with the average size. */
static MpiStep create_exchange(MpiCall *call)
{
    enum { EDGE_BYTES = 3 * sizeof(int32_t) };
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step)) {
        return step;
    }
    const Gathering *g = gathering_of(call->world, comm, call->room[0]);
    uint64_t bytes = (uint64_t)g->by_destination->len * EDGE_BYTES / comm->group->size;
    return mpi_collective_agree(call, comm, bytes, create_finish);
}

MpiStep mpi_do_Dist_graph_create(MpiCall *call)
{
    enum { TOLD_BYTES = sizeof(int64_t) };
    MpiComm *comm;
    int n;
    uint64_t n_edges;
    const MpiInt32 *sources, *degrees, *destinations, *weights;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !check_degree(call, comm, COUNT, &n, &step) ||
        !check_ranks(call, comm, SOURCES, (uint64_t)n, &sources, &step) ||
        !check_degrees(call, comm, n, &degrees, &n_edges, &step) ||
        !check_ranks(call, comm, DESTINATIONS, n_edges, &destinations, &step) ||
        !check_weights(call, comm, WEIGHTS, n_edges, &weights, &step) || !mpi_check_info(call, comm, INFO, &step) ||
        !mpi_check_result(call, RESULT, sizeof(MpiHandle), &step) || !mpi_share_check(call, comm, -1, &step)) {
        return step;
    }
    bool weighted = call->args[WEIGHTS] != MPI_UNWEIGHTED_;
    Gathering *g = gathering_enter(call, comm, weighted);
    if (g->weighted != weighted) {
        return mpi_call_error(call, comm, MPI_ERR_ARG,
                              "argument 6 is %sMPI_UNWEIGHTED, but not at another member; all give weights or none",
                              weighted ? "not " : "");
    }
    uint32_t place = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < degrees[i]; j++, place++) {
            Edge edge = {.source = sources[i],
                         .destination = destinations[place],
                         .weight = weights ? weights[place] : 0,
                         .named_by = comm->rank,
                         .place = place};
            g_array_append_val(g->by_destination, edge);
        }
    }
    call->room[0] = mpi_comm_turn(call, comm);
    return mpi_collective_agree(call, comm, TOLD_BYTES, create_exchange);
}

/* -- questions --------------------------------------------------------------------------------- */

static bool check_dist_graph(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    if (!mpi_check_comm(call, COMM, comm, step)) {
        return false;
    }
    bool graph = (*comm)->topology && (*comm)->topology->kind == MPI_TOPOLOGY_DIST_GRAPH;
    if (!graph) {
        *step = mpi_call_error(call, *comm, MPI_ERR_TOPOLOGY,
                               "the communicator has no distributed graph topology (argument 1); make one with "
                               "MPI_Dist_graph_create or MPI_Dist_graph_create_adjacent");
    }
    return graph;
}

MpiStep mpi_do_Dist_graph_neighbors_count(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!check_dist_graph(call, &comm, &step)) {
        return step;
    }
    const MpiTopology *graph = comm->topology;
    const int answers[] = {graph->n_sources, graph->n_destinations, graph->weighted};
    for (unsigned i = 0; i < 3; i++) {
        if (!mpi_check_result(call, 1 + i, sizeof(int32_t), &step)) {
            return step;
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        mpi_store_int(call, call->args[1 + i], answers[i]);
    }
    return done(call);
}

/* Stores as many neighbours as there is room for. The room is argument `arg`, and the arrays are the next two. Stores
 * weights if there are any and the program wants them. */
static bool store_side(MpiCall *call, MpiComm *comm, unsigned arg, int n, const int *ranks, const int *weights,
                       MpiStep *step)
{
    int room = mpi_int(call, arg);
    MpiInt32 *to_ranks, *to_weights = NULL;
    n = MIN(n, room);
    if (room < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_ARG, "room for %d neighbours (argument %u)", room, arg + 1);
        return false;
    }
    uint64_t to = call->args[arg + 2], bytes = (uint64_t)n * sizeof(int32_t);
    bool wanted = comm->topology->weighted && to != MPI_UNWEIGHTED_ && to != MPI_WEIGHTS_EMPTY_;
    if (!mpi_check_output(call, comm, arg + 1, bytes, (void **)&to_ranks, step) ||
        (wanted && !mpi_check_output(call, comm, arg + 2, bytes, (void **)&to_weights, step))) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        to_ranks[i] = ranks[i];
        if (to_weights) {
            to_weights[i] = weights[i];
        }
    }
    return true;
}

MpiStep mpi_do_Dist_graph_neighbors(MpiCall *call)
{
    enum { FIRST = 1, SECOND = 4 };
    MpiComm *comm;
    MpiStep step;
    if (!check_dist_graph(call, &comm, &step)) {
        return step;
    }
    const MpiTopology *graph = comm->topology;
    if (!store_side(call, comm, FIRST, graph->n_sources, graph->sources, graph->source_weights, &step) ||
        !store_side(call, comm, SECOND, graph->n_destinations, graph->destinations, graph->destination_weights,
                    &step)) {
        return step;
    }
    return done(call);
}
