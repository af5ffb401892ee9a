/* search.c - mappings for a recorded traffic matrix. */
#include "machine/map/placement.h"

typedef void (*Strategy)(const MachMapping *request, const MapProblem *problem, uint32_t *slot_of);

enum { MOST_WORK = 400000000, WORK_PER_ARC = 50000 };

static bool place(const MachMapping *request, Strategy strategy, uint32_t *nodes)
{
    uint32_t count;
    uint32_t *node = mach_map_request_slots(request, &count);
    g_autoptr(MapHops) hops = mach_map_hops_new(request->net, UINT64_MAX);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(MapEdge));
    for (guint i = 0; i < request->traffic->flows->len; i++) {
        const MachFlow *flow = &g_array_index(request->traffic->flows, MachFlow, i);
        MapEdge edge = {flow->from, flow->to, flow->bytes};
        g_array_append_val(edges, edge);
    }
    g_autoptr(MapProblem) problem =
        mach_map_problem_new(request->ranks, (const MapEdge *)edges->data, edges->len, count, node, hops);
    mach_map_problem_allow(problem, WORK_PER_ARC, MOST_WORK);
    g_autofree uint32_t *slot_of = g_new(uint32_t, request->ranks);
    strategy(request, problem, slot_of);
    for (uint32_t rank = 0; rank < request->ranks; rank++)
        nodes[rank] = problem->node[slot_of[rank]];
    return true;
}

/* Finds slots on the nodes where the ranks are now. Returns false if too many ranks are on one node. */
static bool current_slots(const MachMapping *request, const MapProblem *problem, uint32_t *slot_of)
{
    g_autofree uint32_t *used = g_new0(uint32_t, problem->n_nodes);
    for (uint32_t rank = 0; rank < request->ranks; rank++) {
        uint32_t index = mach_map_node_index(problem, request->current[rank]);
        if (index == MAP_NONE || problem->node_first[index] + used[index] >= problem->node_first[index + 1])
            return false;
        slot_of[rank] = problem->node_slots[problem->node_first[index] + used[index]++];
    }
    return true;
}

static void search(const MachMapping *request, const MapProblem *problem, uint32_t *slot_of)
{
    g_autofree uint32_t *start = g_new(uint32_t, problem->tasks);
    if (!request->current || !current_slots(request, problem, start))
        for (uint32_t rank = 0; rank < request->ranks; rank++) /* the first slots are those of the block mapping */
            start[rank] = rank;
    mach_map_search(problem, start, slot_of);
}

static void greedy(const MachMapping *request, const MapProblem *problem, uint32_t *slot_of)
{
    (void)request;
    mach_map_greedy(problem, slot_of);
}

static void bisection(const MachMapping *request, const MapProblem *problem, uint32_t *slot_of)
{
    (void)request;
    mach_map_bisect(problem, slot_of);
}

bool mach_map_ranks_greedy(const MachMapping *request, uint32_t *nodes, GError **error)
{
    (void)error;
    return place(request, greedy, nodes);
}

bool mach_map_ranks_bisection(const MachMapping *request, uint32_t *nodes, GError **error)
{
    (void)error;
    return place(request, bisection, nodes);
}

bool mach_map_ranks_local_search(const MachMapping *request, uint32_t *nodes, GError **error)
{
    (void)error;
    return place(request, search, nodes);
}
