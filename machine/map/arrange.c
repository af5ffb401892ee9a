/* arrange.c - which process gets which vertex in a topology of MPI that may be reordered.
 *
 * The members of the communicator are the slots, and the vertices of the topology are the tasks. A grid on a network
 * that is a grid is laid out so that neighbours stay neighbours, where possible. Otherwise, and for graphs, bisection,
 * greedy placement and exchange look for few hop-bytes. If the result is not better than the present order, the present
 * order is kept. The work is bounded: with many processes less is tried. If all nodes are equally far from each other,
 * nothing is.
 */
#include "machine/map/map.h"
#include "machine/map/placement.h"

#include <string.h>

enum { MOST_WORK = 30000000, WORK_PER_ARC = 5000, MOST_SEARCHED = 1 << 14, MOST_EMBEDDED = 1 << 18 };

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Returns whether some members share a node and some do not. */
static bool mixed(const uint32_t *node, uint32_t n)
{
    g_autofree uint32_t *sorted = g_memdup2(node, n * sizeof *node);
    bool same = false, different = false;
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    for (uint32_t i = 1; i < n; i++) {
        same |= sorted[i] == sorted[i - 1];
        different |= sorted[i] != sorted[i - 1];
    }
    return same && different;
}

static bool all_on_one(const uint32_t *node, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (node[i] != node[0])
            return false;
    return true;
}

static GArray *edges_of(const MpiArrangement *a)
{
    if (a->n_dims)
        return mach_map_grid_edges(a->n_dims, a->dims, a->periods, a->n);
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(MapEdge));
    for (uint64_t i = 0; i < a->n_edges; i++) {
        MapEdge edge = {a->edges[i].from, a->edges[i].to, a->edges[i].weight};
        g_array_append_val(edges, edge);
    }
    return edges;
}

static void take_better(const MapProblem *problem, const uint32_t *try, uint32_t *best, uint64_t *least)
{
    uint64_t cost = mach_map_cost(problem, try);
    if (cost >= *least)
        return;
    *least = cost;
    memcpy(best, try, problem->tasks * sizeof *best);
}

/* Looks for a placement that is better than the present order. Returns false if there is none. */
static bool improve(const MapProblem *problem, const MpiArrangement *a, uint32_t *best)
{
    g_autofree uint32_t *try = g_new(uint32_t, problem->tasks), *start = NULL;
    for (uint32_t task = 0; task < problem->tasks; task++)
        best[task] = task;
    uint64_t first = mach_map_cost(problem, best), least = first;
    bool alone = problem->n_nodes == problem->slots;
    if (alone && least <= problem->weight) /* every neighbour is at most one link away */
        return false;
    if (a->n_dims && mach_map_grid(problem, a->n_dims, a->dims, a->periods, try))
        take_better(problem, try, best, &least);
    if (a->n_dims && mach_map_grid_in_order(problem, a->n_dims, a->dims, a->periods, try))
        take_better(problem, try, best, &least);
    if (problem->tasks > MOST_SEARCHED || (alone && least <= problem->weight))
        return least < first;
    start = g_memdup2(best, problem->tasks * sizeof *best);
    mach_map_search(problem, start, try);
    take_better(problem, try, best, &least);
    return least < first;
}

bool mach_map_arrange(const Network *net, uint32_t *node, const MpiArrangement *a, uint32_t *chosen)
{
    g_autoptr(MapHops) hops = a->n < 2 || a->n > MOST_EMBEDDED ? NULL : mach_map_hops_new(net, UINT64_MAX);
    if (!hops || all_on_one(node, a->n_members) || (mach_map_hops_uniform(hops) && !mixed(node, a->n_members))) {
        g_free(node);
        return false;
    }
    g_autoptr(GArray) edges = edges_of(a);
    g_autoptr(MapProblem) problem =
        mach_map_problem_new(a->n, (const MapEdge *)edges->data, edges->len, a->n_members, node, hops);
    mach_map_problem_allow(problem, WORK_PER_ARC, MOST_WORK);
    return improve(problem, a, chosen);
}
