/* exchange.c - greedy placement, and exchange of pairs: the local search.
 *
 * Greedy: the task that talks most with tasks already placed gets the free slot where that costs least (H. Mueller-
 * Merbach, "Optimale Reihenfolgen", 1970; for ranks on networks T. Hoefler and M. Snir, "Generic Topology Mapping
 * Strategies for Large-Scale Parallel Architectures", ICS 2011).
 *
 * Exchange: two tasks swap slots, or one moves to a free slot, wherever that saves hop-bytes (M. A. Heider, "A
 * Computationally Simplified Pair-Exchange Algorithm for the Quadratic Assignment Problem", 1972). At first only slots
 * around the partners of a task are tried: most of the gain is there, and it is cheap enough for many tasks (C. Schulz
 * and J. L. Traeff, "Better Process Mapping and Sparse Quadratic Assignment", SEA 2017). Then all slots are tried.
 */
#include "machine/map/placement.h"

#include <string.h>

enum { NEAR_NODES = 9, NEAR_SLOTS = 64, STRONGEST = 8, SEARCHED_VERTICES = 256 };

/* -- greedy ------------------------------------------------------------------------------------ */

/* Returns the cost of a task at a node, due to tasks that have a slot. */
static uint64_t cost_at(const MapProblem *problem, const uint32_t *slot_of, uint32_t task, uint32_t node)
{
    uint64_t cost = 0;
    for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++) {
        const MapArc *arc = &problem->arcs[i];
        if (slot_of[arc->to] == MAP_NONE)
            continue;
        uint32_t there = problem->node[slot_of[arc->to]];
        cost += arc->out ? arc->out * mach_map_hops_between(problem->hops, node, there) : 0;
        cost += arc->in ? arc->in * mach_map_hops_between(problem->hops, there, node) : 0;
    }
    return cost;
}

/* Returns the unplaced task that talks most with placed ones. Of equal ones, that is the one with most traffic in
 * all. */
static uint32_t most_wanted(const MapProblem *problem, const uint32_t *slot_of, const uint64_t *placed,
                            const uint64_t *all)
{
    uint32_t best = MAP_NONE;
    for (uint32_t task = 0; task < problem->tasks; task++) {
        if (slot_of[task] != MAP_NONE)
            continue;
        if (best == MAP_NONE || placed[task] > placed[best] || (placed[task] == placed[best] && all[task] > all[best]))
            best = task;
    }
    return best;
}

typedef struct Greedy {
    const MapProblem *problem;
    uint32_t *slot_of;
    uint32_t *used;    /* used slots, by index of a node */
    uint32_t *room;    /* available slots, by index of a node */
    uint32_t first;    /* nodes before this index have no free slot */
    MapAround *around; /* NULL: few enough nodes to look at all */
} Greedy;

static void try_node(Greedy *g, uint32_t task, uint32_t index, uint32_t *best, uint64_t *least)
{
    if (g->used[index] == g->room[index])
        return;
    uint64_t cost = cost_at(g->problem, g->slot_of, task, g->problem->nodes[index]);
    if (*best == MAP_NONE || cost < *least) {
        *best = index;
        *least = cost;
    }
}

/* Returns the node of the placed task that this task talks most with, or MAP_NONE. */
static uint32_t best_friend(const Greedy *g, uint32_t task)
{
    const MapProblem *problem = g->problem;
    uint64_t most = 0;
    uint32_t node = MAP_NONE;
    for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++) {
        const MapArc *arc = &problem->arcs[i];
        if (g->slot_of[arc->to] == MAP_NONE || arc->out + arc->in <= most)
            continue;
        most = arc->out + arc->in;
        node = problem->node[g->slot_of[arc->to]];
    }
    return node;
}

/* Tries a few nodes with free slots around that of the best friend, where there are many nodes. */
static void try_around_friend(Greedy *g, uint32_t task, uint32_t *best, uint64_t *least)
{
    enum { ENOUGH = 16 };
    uint32_t friend = best_friend(g, task), node;
    if (friend == MAP_NONE)
        return;
    mach_map_around_begin(g->around, friend, SEARCHED_VERTICES * ENOUGH);
    for (unsigned tried = 0; tried < ENOUGH && (node = mach_map_around_next(g->around)) != MAP_NONE;) {
        uint32_t index = mach_map_node_index(g->problem, node);
        if (index == MAP_NONE || g->used[index] == g->room[index])
            continue;
        try_node(g, task, index, best, least);
        tried++;
    }
}

static uint32_t cheapest_node(Greedy *g, uint32_t task)
{
    uint32_t best = MAP_NONE;
    uint64_t least = 0;
    while (g->used[g->first] == g->room[g->first])
        g->first++;
    if (g->around)
        try_around_friend(g, task, &best, &least);
    else
        for (uint32_t index = g->first; index < g->problem->n_nodes; index++)
            try_node(g, task, index, &best, &least);
    return best == MAP_NONE ? g->first : best;
}

static void put(Greedy *g, uint32_t task, uint32_t index, uint64_t *placed)
{
    const MapProblem *problem = g->problem;
    /* Slots of a node are interchangeable, so the next one in node_slots is taken. */
    g->slot_of[task] = problem->node_slots[problem->node_first[index] + g->used[index]++];
    for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++)
        placed[problem->arcs[i].to] += problem->arcs[i].out + problem->arcs[i].in;
}

/* Counts the slots to be used on each node. Returns the index of a node in the middle. */
static uint32_t count_room(Greedy *g)
{
    const MapProblem *problem = g->problem;
    g_autofree uint32_t *chosen = mach_map_choose_slots(problem);
    for (uint32_t i = 0; i < problem->tasks; i++)
        g->room[mach_map_node_index(problem, problem->node[chosen[i]])]++;
    return mach_map_node_index(problem, problem->node[chosen[problem->tasks / 2]]);
}

void mach_map_greedy(const MapProblem *problem, uint32_t *slot_of)
{
    enum { FEW = 1 << 21 };
    bool few = (uint64_t)problem->tasks * problem->n_nodes <= FEW;
    Greedy g = {.problem = problem,
                .slot_of = slot_of,
                .used = g_new0(uint32_t, problem->n_nodes),
                .room = g_new0(uint32_t, problem->n_nodes),
                .around = few ? NULL : mach_map_around_new(problem->hops->net)};
    g_autofree uint64_t *placed = g_new0(uint64_t, problem->tasks), *all = g_new0(uint64_t, problem->tasks);
    uint32_t middle = count_room(&g);
    memset(slot_of, 0xff, problem->tasks * sizeof *slot_of);
    for (uint32_t task = 0; task < problem->tasks; task++)
        for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++)
            all[task] += problem->arcs[i].out + problem->arcs[i].in;
    for (uint32_t n = 0; n < problem->tasks; n++) {
        uint32_t task = most_wanted(problem, slot_of, placed, all);
        put(&g, task, n ? cheapest_node(&g, task) : middle, placed);
    }
    mach_map_around_free(g.around);
    g_free(g.used);
    g_free(g.room);
}

/* -- exchange ---------------------------------------------------------------------------------- */

typedef struct Exchange {
    const MapProblem *problem;
    uint32_t *slot_of, *task_in; /* task_in[slot] is MAP_NONE if the slot is free */
    MapAround *around;
    uint32_t *near; /* NEAR_NODES indices for each index of a node; the first is MAP_NONE until searched */
} Exchange;

/* Returns what a move of a task between two nodes saves, without its traffic with the task `except`. */
static int64_t saved_by_move(const MapProblem *problem, const uint32_t *slot_of, uint32_t task, uint32_t from,
                             uint32_t to, uint32_t except)
{
    MapHops *hops = problem->hops;
    int64_t saved = 0;
    for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++) {
        const MapArc *arc = &problem->arcs[i];
        if (arc->to == except)
            continue;
        uint32_t there = problem->node[slot_of[arc->to]];
        if (arc->out)
            saved += (int64_t)arc->out * ((int64_t)mach_map_hops_between(hops, from, there) -
                                          (int64_t)mach_map_hops_between(hops, to, there));
        if (arc->in)
            saved += (int64_t)arc->in * ((int64_t)mach_map_hops_between(hops, there, from) -
                                         (int64_t)mach_map_hops_between(hops, there, to));
    }
    return saved;
}

/* Returns what is saved on the traffic between two tasks that swap slots. It is not 0 only where the way back has
 * another length. */
static int64_t saved_between(const MapProblem *problem, uint32_t task, uint32_t other, uint32_t from, uint32_t to)
{
    for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++)
        if (problem->arcs[i].to == other)
            return ((int64_t)problem->arcs[i].out - (int64_t)problem->arcs[i].in) *
                   ((int64_t)mach_map_hops_between(problem->hops, from, to) -
                    (int64_t)mach_map_hops_between(problem->hops, to, from));
    return 0;
}

/* Returns what is saved if a task moves to a slot, and the task there to its old one. Makes the move and sets *moved if
 * that is at least `least`.
 */
static int64_t try_slot(Exchange *e, uint32_t task, uint32_t slot, int64_t least, bool *moved)
{
    const MapProblem *problem = e->problem;
    uint32_t own = e->slot_of[task], other = e->task_in[slot];
    uint32_t from = problem->node[own], to = problem->node[slot];
    if (from == to)
        return 0;
    int64_t saved = saved_by_move(problem, e->slot_of, task, from, to, other);
    if (other != MAP_NONE)
        saved +=
            saved_by_move(problem, e->slot_of, other, to, from, task) + saved_between(problem, task, other, from, to);
    if (saved < least)
        return 0;
    *moved = true;
    e->slot_of[task] = slot;
    e->task_in[slot] = task;
    e->task_in[own] = other;
    if (other != MAP_NONE)
        e->slot_of[other] = own;
    return saved;
}

/* Returns the indices of the nodes nearest to a node, itself first. */
static const uint32_t *near_nodes(Exchange *e, uint32_t index)
{
    uint32_t *near = e->near + (size_t)index * NEAR_NODES, n = 0;
    if (near[0] != MAP_NONE)
        return near;
    mach_map_around_begin(e->around, e->problem->nodes[index], SEARCHED_VERTICES);
    while (n < NEAR_NODES) {
        uint32_t node = mach_map_around_next(e->around);
        if (node == MAP_NONE)
            break;
        uint32_t found = mach_map_node_index(e->problem, node);
        if (found != MAP_NONE)
            near[n++] = found;
    }
    return near;
}

/* Finds the arcs of a task with the most weight, STRONGEST at most. Returns their number. */
static unsigned strongest(const MapProblem *problem, uint32_t task, uint32_t *arcs)
{
    unsigned n = 0;
    for (uint32_t i = problem->first[task]; i < problem->first[task + 1]; i++) {
        uint64_t weight = problem->arcs[i].out + problem->arcs[i].in;
        unsigned at = n;
        while (at && problem->arcs[arcs[at - 1]].out + problem->arcs[arcs[at - 1]].in < weight)
            at--;
        if (at >= STRONGEST)
            continue;
        n = MIN(n + 1, STRONGEST);
        memmove(&arcs[at + 1], &arcs[at], (n - 1 - at) * sizeof *arcs);
        arcs[at] = i;
    }
    return n;
}

static bool try_around(Exchange *e, uint32_t task, uint32_t index)
{
    const MapProblem *problem = e->problem;
    const uint32_t *near = near_nodes(e, index);
    bool better = false;
    for (unsigned i = 0, slots = 0; i < NEAR_NODES && near[i] != MAP_NONE; i++)
        for (uint32_t s = problem->node_first[near[i]]; s < problem->node_first[near[i] + 1] && slots < NEAR_SLOTS;
             s++, slots++)
            try_slot(e, task, problem->node_slots[s], 1, &better);
    return better;
}

static bool pass_near(Exchange *e)
{
    const MapProblem *problem = e->problem;
    bool better = false;
    for (uint32_t task = 0; task < problem->tasks && !mach_map_hops_exhausted(problem->hops); task++) {
        uint32_t arcs[STRONGEST];
        unsigned n = strongest(problem, task, arcs);
        problem->hops->work += problem->first[task + 1] - problem->first[task];
        for (unsigned i = 0; i < n; i++) {
            uint32_t other = problem->arcs[arcs[i]].to;
            better |= try_around(e, task, mach_map_node_index(problem, problem->node[e->slot_of[other]]));
        }
    }
    return better;
}

static bool pass_all(Exchange *e)
{
    const MapProblem *problem = e->problem;
    bool better = false;
    for (uint32_t task = 0; task < problem->tasks; task++)
        for (uint32_t slot = 0; slot < problem->slots && !mach_map_hops_exhausted(problem->hops); slot++)
            if (e->task_in[slot] == MAP_NONE || e->task_in[slot] > task)
                try_slot(e, task, slot, 1, &better);
    return better;
}

static Exchange exchange_begin(const MapProblem *problem, uint32_t *slot_of)
{
    Exchange e = {.problem = problem,
                  .slot_of = slot_of,
                  .task_in = g_new(uint32_t, problem->slots),
                  .around = mach_map_around_new(problem->hops->net),
                  .near = g_new(uint32_t, (size_t)problem->n_nodes * NEAR_NODES)};
    memset(e.task_in, 0xff, problem->slots * sizeof *e.task_in);
    memset(e.near, 0xff, (size_t)problem->n_nodes * NEAR_NODES * sizeof *e.near);
    for (uint32_t task = 0; task < problem->tasks; task++)
        e.task_in[slot_of[task]] = task;
    return e;
}

static void exchange_end(Exchange *e)
{
    mach_map_around_free(e->around);
    g_free(e->task_in);
    g_free(e->near);
}

void mach_map_exchange(const MapProblem *problem, uint32_t *slot_of)
{
    Exchange e = exchange_begin(problem, slot_of);
    bool better = true;
    while (better && !mach_map_hops_exhausted(problem->hops)) {
        while (better && !mach_map_hops_exhausted(problem->hops))
            better = pass_near(&e);
        better = pass_all(&e);
    }
    exchange_end(&e);
}

/* -- with steps back --------------------------------------------------------------------------- */

/* Returns a random slot near a random partner of the task, or MAP_NONE. */
static uint32_t random_slot(Exchange *e, uint32_t task, uint64_t *seed)
{
    const MapProblem *problem = e->problem;
    uint32_t arcs = problem->first[task + 1] - problem->first[task];
    if (!arcs)
        return MAP_NONE;
    uint32_t other = problem->arcs[problem->first[task] + mach_map_random_below(seed, arcs)].to;
    uint32_t index = mach_map_node_index(problem, problem->node[e->slot_of[other]]);
    uint32_t near = near_nodes(e, index)[mach_map_random_below(seed, NEAR_NODES)];
    if (near == MAP_NONE)
        return MAP_NONE;
    uint32_t slots = problem->node_first[near + 1] - problem->node_first[near];
    return problem->node_slots[problem->node_first[near] + mach_map_random_below(seed, slots)];
}

/* Threshold accepting (G. Dueck and T. Scheuer, Journal of Computational Physics 90, 1990): makes exchanges that worsen
 * the placement by less than a threshold. The threshold begins at `edges` edges of mean weight, each longer by a link,
 * and falls to 0 as the allowed work is used up. Keeps the best placement. */
static void accept_below_threshold(const MapProblem *problem, uint32_t *slot_of, unsigned edges)
{
    enum { ROUND = 1024 };
    MapHops *hops = problem->hops;
    uint64_t seed = 1, begin = hops->work, room = hops->most > begin ? hops->most - begin : 0;
    uint32_t arcs = MAX(problem->first[problem->tasks], 1);
    int64_t highest = (int64_t)(edges * problem->weight / arcs), now = 0, best = 0;
    g_autofree uint32_t *kept = g_memdup2(slot_of, problem->tasks * sizeof *slot_of);
    Exchange e = exchange_begin(problem, slot_of);
    while (!mach_map_hops_exhausted(hops)) {
        uint64_t left = hops->most - hops->work;
        int64_t threshold = (int64_t)((unsigned __int128)highest * left / room);
        for (unsigned i = 0; i < ROUND; i++) {
            bool moved = false;
            uint32_t task = mach_map_random_below(&seed, problem->tasks), slot = random_slot(&e, task, &seed);
            hops->work++;
            if (slot != MAP_NONE)
                now += try_slot(&e, task, slot, -threshold, &moved);
        }
        if (now > best) {
            best = now;
            memcpy(kept, slot_of, problem->tasks * sizeof *slot_of);
        }
    }
    exchange_end(&e);
    memcpy(slot_of, kept, problem->tasks * sizeof *slot_of);
}

/* -- from several starts ----------------------------------------------------------------------- */

static void try_start(const MapProblem *problem, uint32_t *try, uint32_t *best, uint64_t *least)
{
    mach_map_exchange(problem, try);
    uint64_t cost = mach_map_cost(problem, try);
    if (cost < *least) {
        *least = cost;
        memcpy(best, try, problem->tasks * sizeof *best);
    }
}

/* Allows only a part of the work that is left, part / of, for the next step. */
static void allow(MapHops *hops, uint64_t most, uint64_t part, uint64_t of)
{
    hops->most = hops->work + (most > hops->work ? (most - hops->work) * part / of : 0);
}

void mach_map_search(const MapProblem *problem, const uint32_t *start, uint32_t *slot_of)
{
    static const unsigned thresholds[] = {10, 4}; /* best of 1 to 40, on grids and random graphs of 1,000 to 10,000 */
    MapHops *hops = problem->hops;
    g_autofree uint32_t *try = g_new(uint32_t, problem->tasks);
    uint64_t least = UINT64_MAX, most = hops->most;
    for (unsigned i = 0; i < 2; i++) {
        (i ? mach_map_greedy : mach_map_bisect)(problem, try);
        allow(hops, most, 1, 4);
        try_start(problem, try, slot_of, &least);
        hops->most = most;
    }
    if (start) {
        memcpy(try, start, problem->tasks * sizeof *try);
        allow(hops, most, 1, 4);
        try_start(problem, try, slot_of, &least);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(thresholds); i++) {
        memcpy(try, slot_of, problem->tasks * sizeof *try);
        allow(hops, most, i + 1, G_N_ELEMENTS(thresholds) + 1);
        accept_below_threshold(problem, try, thresholds[i]);
        hops->most = most;
        try_start(problem, try, slot_of, &least);
    }
}
