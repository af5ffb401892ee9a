/* problem.c - the problem that mapping solves: which slot for which task, so that hop-bytes are few.
 *
 * Hop-bytes are the sum over all edges of (weight * links between the nodes of its two ends). To minimise them is the
 * quadratic assignment problem (Koopmans and Beckmann, 1957; as mapping: Bokhari, "On the Mapping Problem", IEEE Trans.
 * Computers C-30(3), 1981). Only heuristics are fast for it.
 */
#include "machine/map/placement.h"

#include <string.h>

/* Sums of weight * links stay below 2^63, for the longest possible route. */
enum { WEIGHT_BITS = 38 };
enum { CHOICE_WORK = 1 << 25 };

static int compare_edges(const void *a, const void *b)
{
    const MapEdge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Returns how far weights must be shifted to the right. */
static unsigned shift_for(const MapEdge *edges, uint64_t n_edges)
{
    unsigned __int128 sum = 0;
    unsigned shift = 0;
    for (uint64_t i = 0; i < n_edges; i++)
        sum += edges[i].weight;
    while (sum >> WEIGHT_BITS >> shift)
        shift++;
    return shift;
}

/* Each edge is stored at both of its ends: its weight counts as `out` at the one, as `in` (reverse) at the other. */
typedef struct HalfEdge {
    MapEdge edge;
    bool reverse;
} HalfEdge;

static int compare_halves(const void *a, const void *b)
{
    return compare_edges(&((const HalfEdge *)a)->edge, &((const HalfEdge *)b)->edge);
}

static HalfEdge *make_halves(const MapEdge *edges, uint64_t n_edges, uint64_t *count)
{
    unsigned shift = shift_for(edges, n_edges);
    HalfEdge *halves = g_new(HalfEdge, 2 * n_edges + 1);
    *count = 0;
    for (uint64_t i = 0; i < n_edges; i++) {
        const MapEdge *edge = &edges[i];
        if (edge->from == edge->to || !edge->weight)
            continue;
        uint64_t weight = MAX(edge->weight >> shift, 1);
        halves[(*count)++] = (HalfEdge){{edge->from, edge->to, weight}, false};
        halves[(*count)++] = (HalfEdge){{edge->to, edge->from, weight}, true};
    }
    qsort(halves, *count, sizeof *halves, compare_halves);
    return halves;
}

static void make_arcs(MapProblem *problem, const MapEdge *edges, uint64_t n_edges)
{
    uint64_t count;
    g_autofree HalfEdge *halves = make_halves(edges, n_edges, &count);
    uint32_t arcs = 0, last_from = MAP_NONE;
    problem->first = g_new0(uint32_t, (size_t)problem->tasks + 1);
    problem->arcs = g_new(MapArc, count + 1);
    for (uint64_t i = 0; i < count; i++) {
        const MapEdge *edge = &halves[i].edge;
        g_assert(edge->from < problem->tasks && edge->to < problem->tasks);
        if (edge->from != last_from || problem->arcs[arcs - 1].to != edge->to) {
            problem->arcs[arcs++] = (MapArc){.to = edge->to};
            problem->first[edge->from + 1]++;
            last_from = edge->from;
        }
        MapArc *arc = &problem->arcs[arcs - 1];
        *(halves[i].reverse ? &arc->in : &arc->out) += edge->weight;
        problem->weight += halves[i].reverse ? 0 : edge->weight;
    }
    for (uint32_t task = 0; task < problem->tasks; task++)
        problem->first[task + 1] += problem->first[task];
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint32_t mach_map_node_index(const MapProblem *problem, uint32_t node)
{
    const uint32_t *found = bsearch(&node, problem->nodes, problem->n_nodes, sizeof node, compare_numbers);
    return found ? (uint32_t)(found - problem->nodes) : MAP_NONE;
}

static void index_nodes(MapProblem *problem)
{
    uint32_t n = 0, slots = problem->slots;
    problem->nodes = g_memdup2(problem->node, slots * sizeof *problem->node);
    qsort(problem->nodes, slots, sizeof *problem->nodes, compare_numbers);
    for (uint32_t i = 0; i < slots; i++)
        if (!n || problem->nodes[n - 1] != problem->nodes[i])
            problem->nodes[n++] = problem->nodes[i];
    problem->n_nodes = n;
    problem->node_first = g_new0(uint32_t, (size_t)n + 2);
    problem->node_slots = g_new(uint32_t, slots);
    for (uint32_t slot = 0; slot < slots; slot++)
        problem->node_first[mach_map_node_index(problem, problem->node[slot]) + 2]++;
    for (uint32_t i = 0; i < n; i++)
        problem->node_first[i + 2] += problem->node_first[i + 1];
    for (uint32_t slot = 0; slot < slots; slot++)
        problem->node_slots[problem->node_first[mach_map_node_index(problem, problem->node[slot]) + 1]++] = slot;
}

MapProblem *mach_map_problem_new(uint32_t tasks, const MapEdge *edges, uint64_t n_edges, uint32_t slots, uint32_t *node,
                                 MapHops *hops)
{
    MapProblem *problem = g_new0(MapProblem, 1);
    g_assert(tasks && slots >= tasks);
    *problem = (MapProblem){.tasks = tasks, .slots = slots, .node = node, .hops = hops};
    make_arcs(problem, edges, n_edges);
    index_nodes(problem);
    return problem;
}

void mach_map_problem_free(MapProblem *problem)
{
    if (!problem)
        return;
    g_free(problem->first);
    g_free(problem->arcs);
    g_free(problem->node);
    g_free(problem->nodes);
    g_free(problem->node_first);
    g_free(problem->node_slots);
    g_free(problem);
}

void mach_map_problem_allow(MapProblem *problem, uint64_t per_arc, uint64_t most)
{
    uint64_t size = (uint64_t)problem->tasks + problem->first[problem->tasks];
    problem->hops->most = problem->hops->work + MIN(per_arc * size, most);
}

uint64_t mach_map_cost(const MapProblem *problem, const uint32_t *slot_of)
{
    uint64_t cost = 0;
    for (uint32_t task = 0; task < problem->tasks; task++) {
        uint32_t node = problem->node[slot_of[task]];
        for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++) {
            const MapArc *arc = &problem->arcs[i];
            if (arc->out)
                cost += arc->out * mach_map_hops_between(problem->hops, node, problem->node[slot_of[arc->to]]);
        }
    }
    return cost;
}

/* -- fewer slots ------------------------------------------------------------------------------- */

/* Chooses slots node by node: always those of the node nearest to all nodes chosen before. */
static void choose_by_growth(const MapProblem *problem, bool *taken)
{
    MapHops *hops = problem->hops;
    g_autofree uint64_t *sum = g_new0(uint64_t, problem->n_nodes);
    g_autofree bool *in = g_new0(bool, problem->n_nodes);
    for (uint32_t chosen = 0; chosen < problem->tasks;) {
        uint32_t best = MAP_NONE;
        for (uint32_t i = 0; i < problem->n_nodes; i++)
            if (!in[i] && (best == MAP_NONE || sum[i] < sum[best]))
                best = i;
        in[best] = true;
        uint32_t weight = 0;
        for (uint32_t s = problem->node_first[best]; s < problem->node_first[best + 1] && chosen < problem->tasks;
             s++) {
            taken[problem->node_slots[s]] = true;
            chosen++;
            weight++;
        }
        for (uint32_t i = 0; i < problem->n_nodes; i++)
            sum[i] += (uint64_t)weight * (mach_map_hops_between(hops, problem->nodes[best], problem->nodes[i]) +
                                          mach_map_hops_between(hops, problem->nodes[i], problem->nodes[best]));
    }
}

uint32_t *mach_map_choose_slots(const MapProblem *problem)
{
    uint32_t *chosen = g_new(uint32_t, problem->tasks);
    g_autofree bool *taken = g_new0(bool, problem->slots);
    bool few = (uint64_t)problem->tasks * problem->n_nodes <= CHOICE_WORK;
    if (problem->slots > problem->tasks && few)
        choose_by_growth(problem, taken);
    else
        memset(taken, true, problem->tasks * sizeof *taken);
    for (uint32_t slot = 0, n = 0; slot < problem->slots; slot++)
        if (taken[slot])
            chosen[n++] = slot;
    return chosen;
}
