/* node_orders.c - mappings that do not depend on traffic: only the number of a rank decides.
 *
 * Most are block mappings along an order of the nodes. On a hypercube, Gray code is such an order: successive numbers
 * differ in one bit (F. Gray, US patent 2632058, 1953). On a mesh the snake is one; Gray code is a special case of it.
 */
#include "base/random.h"
#include "machine/map/placement.h"

/* SplitMix64: small, well mixed, equal on every host. */
static uint64_t next_random(uint64_t *state)
{
    return base_random_scramble(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Evenly distributed in [0, bound), by rejection. */
uint32_t mach_map_random_below(uint64_t *state, uint32_t bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value;
    do
        value = next_random(state);
    while (value >= limit);
    return (uint32_t)(value % bound);
}

static void fill(const MachMapping *request, uint32_t *order /* taken */, uint32_t *nodes)
{
    MapSlots slots = mach_map_slots_new(request->config, net_network_nodes(request->net), order);
    for (uint32_t rank = 0; rank < request->ranks; rank++)
        nodes[rank] = mach_map_slots_node(&slots, rank, request->ranks);
    mach_map_slots_clear(&slots);
}

bool mach_map_ranks_block(const MachMapping *request, uint32_t *nodes, GError **error)
{
    (void)error;
    fill(request, NULL, nodes);
    return true;
}

bool mach_map_ranks_cyclic(const MachMapping *request, uint32_t *nodes, GError **error)
{
    (void)error;
    for (uint32_t rank = 0; rank < request->ranks; rank++)
        nodes[rank] = rank % net_network_nodes(request->net);
    return true;
}

/* Shuffles all slots (Fisher and Yates), so that few ranks on many nodes are scattered too. */
bool mach_map_ranks_random(const MachMapping *request, uint32_t *nodes, GError **error)
{
    (void)error;
    MapSlots slots = mach_map_slots_new(request->config, net_network_nodes(request->net), NULL);
    uint32_t count = (uint32_t)MAX(slots.total, request->ranks);
    uint64_t seed = request->config->mapping_seed;
    uint32_t *all = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        all[i] = mach_map_slots_node(&slots, i, count);
    for (uint32_t i = 0; i < request->ranks; i++) {
        uint32_t j = i + mach_map_random_below(&seed, count - i);
        nodes[i] = all[j];
        all[j] = all[i];
    }
    g_free(all);
    mach_map_slots_clear(&slots);
    return true;
}

/* -- orders of nodes --------------------------------------------------------------------------- */

static bool need_grid(const MachMapping *request, NetGrid *grid, GError **error)
{
    if (net_network_grid(request->net, grid))
        return true;
    return mach_map_refuse(request, "ranks", error,
                           "%s is for linear arrays, rings, meshes, tori and hypercubes; this network is a %s",
                           request->mapping, net_network_params(request->net)->topology);
}

bool mach_map_ranks_snake(const MachMapping *request, uint32_t *nodes, GError **error)
{
    NetGrid grid;
    if (!need_grid(request, &grid, error))
        return false;
    uint32_t *order = g_new(uint32_t, net_network_nodes(request->net)), at[NET_GRID_DIMENSIONS];
    for (uint32_t i = 0; i < net_network_nodes(request->net); i++) {
        mach_map_snake(grid.n, grid.extents, i, at);
        order[i] = net_grid_join(&grid, at);
    }
    fill(request, order, nodes);
    return true;
}

/* -- a grid of ranks --------------------------------------------------------------------------- */

static bool check_rank_grid(const MachMapping *request, GError **error)
{
    const MachConfig *config = request->config;
    uint64_t size = 1;
    if (!config->mapping_grid.n)
        return mach_map_refuse(request, "ranks", error,
                               "%s needs the extents of the grid of ranks in mapping.grid, like 4x4", request->mapping);
    for (uint32_t d = 0; d < config->mapping_grid.n && size <= UINT32_MAX; d++)
        size *= config->mapping_grid.extents[d];
    if (size == request->ranks)
        return true;
    return mach_map_refuse(request, "grid", error, "a grid of %" G_GUINT64_FORMAT " is not one of %u ranks", size,
                           request->ranks);
}

static void add_edge(GArray *edges, uint32_t a, uint32_t b)
{
    MapEdge there = {a, b, 1}, back = {b, a, 1};
    g_array_append_val(edges, there);
    g_array_append_val(edges, back);
}

GArray *mach_map_grid_edges(unsigned n, const int *dims, const int *periods, uint32_t tasks)
{
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(MapEdge));
    uint32_t stride = tasks;
    for (unsigned d = 0; d < n; d++) {
        uint32_t extent = (uint32_t)dims[d];
        g_assert(extent > 0 && extent <= stride); /* the grid has no more points than there are tasks */
        stride /= extent;
        for (uint32_t task = 0; task < tasks; task++) {
            uint32_t at = task / stride % extent;
            if (at + 1 < extent)
                add_edge(edges, task, task + stride);
            else if (periods[d] && extent > 1)
                add_edge(edges, task, task - at * stride);
        }
    }
    return edges;
}

/* The slots are the cores of all nodes. If these are fewer than the ranks, each node has as many slots as the block
 * mapping puts ranks there. */
uint32_t *mach_map_request_slots(const MachMapping *request, uint32_t *count)
{
    MapSlots slots = mach_map_slots_new(request->config, net_network_nodes(request->net), NULL);
    *count = (uint32_t)MIN(MAX(slots.total, request->ranks), MAX(request->ranks, MAP_MOST_SLOTS));
    uint32_t *node = g_new(uint32_t, *count);
    for (uint32_t i = 0; i < *count; i++)
        node[i] = mach_map_slots_node(&slots, i, slots.total < request->ranks ? request->ranks : *count);
    mach_map_slots_clear(&slots);
    return node;
}

bool mach_map_ranks_grid(const MachMapping *request, uint32_t *nodes, GError **error)
{
    const MachConfig *config = request->config;
    int dims[NET_MAX_DIMENSIONS], periods[NET_MAX_DIMENSIONS] = {0};
    NetGrid grid;
    uint32_t count;
    if (!need_grid(request, &grid, error) || !check_rank_grid(request, error))
        return false;
    for (uint32_t d = 0; d < config->mapping_grid.n; d++)
        dims[d] = (int)config->mapping_grid.extents[d];
    uint32_t *node = mach_map_request_slots(request, &count);
    g_autoptr(MapHops) hops = mach_map_hops_new(request->net, UINT64_MAX);
    g_autoptr(GArray) edges = mach_map_grid_edges(config->mapping_grid.n, dims, periods, request->ranks);
    g_autoptr(MapProblem) problem =
        mach_map_problem_new(request->ranks, (const MapEdge *)edges->data, edges->len, count, node, hops);
    g_autofree uint32_t *slot_of = g_new(uint32_t, request->ranks);
    if (!mach_map_grid(problem, config->mapping_grid.n, dims, periods, slot_of)) {
        const char *shape = mach_config_value(config, "mapping", "grid");
        return mach_map_refuse(
            request, "grid", error,
            "a grid of %s ranks cannot be laid onto this network; its extents, divided by those of a "
            "block of ranks per node, must fit the network's",
            shape);
    }
    for (uint32_t rank = 0; rank < request->ranks; rank++)
        nodes[rank] = problem->node[slot_of[rank]];
    return true;
}

static bool check_gray(const MachMapping *request, GError **error)
{
    const MachConfig *config = request->config;
    const char *topology = net_network_params(request->net)->topology;
    if (!net_topology_is_power(topology))
        return mach_map_refuse(request, "ranks", error,
                               "gray is for hypercubes; this network is a %s, for which there is %s", topology,
                               "snake if it is a grid");
    for (uint32_t d = 0; d < config->mapping_grid.n; d++)
        if (config->mapping_grid.extents[d] & (config->mapping_grid.extents[d] - 1))
            return mach_map_refuse(request, "grid", error, "gray needs extents that are powers of two, which %u is not",
                                   config->mapping_grid.extents[d]);
    return true;
}

bool mach_map_ranks_gray(const MachMapping *request, uint32_t *nodes, GError **error)
{
    if (!check_gray(request, error))
        return false;
    return request->config->mapping_grid.n ? mach_map_ranks_grid(request, nodes, error)
                                           : mach_map_ranks_snake(request, nodes, error);
}
