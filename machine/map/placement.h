/* placement.h - what the files that place ranks on nodes share.
 *
 *   map.c            from [mapping] of a machine file to a node for every rank
 *   node_orders.c    block, cyclic, random, Gray code, snake: mappings that do not depend on traffic
 *   file.c           mappings from a file
 *   hops.c           how far two nodes are from each other
 *   search.c         mappings for recorded traffic
 *   problem.c        a graph of tasks and the slots that they may take; what a placement of them costs
 *   bisection.c      recursive bisection (Kernighan and Lin; Fiduccia and Mattheyses)
 *   exchange.c       greedy placement, exchange of pairs
 *   grid.c           grids of tasks onto grids of nodes, neighbours staying neighbours
 *   report.c         hop-bytes, dilation, link loads
 *   traffic.c        files of recorded traffic
 *   arrange.c        placement for MPI's topologies with `reorder`
 *
 * All arithmetic is in integers, and of equal candidates the one with the least index is taken. So the same problem has
 * the same solution on every host. Work is bounded by a count of distance look-ups, which does not depend on the host
 * either.
 */
#ifndef ORRERY_MACHINE_MAP_PLACEMENT_H
#define ORRERY_MACHINE_MAP_PLACEMENT_H

#include "machine/machine.h"

#define MAP_NONE UINT32_MAX

/* -- mappings of a machine file (map.c) ---------------------------------------------------- */

/* A function for each row of mappings.def: it fills nodes[ranks], or returns false with an error. */
#define MACH_MAPPING(symbol, name, needs, help, source)                                                                \
    bool mach_map_ranks_##symbol(const MachMapping *request, uint32_t *nodes, GError **error);
#include "machine/mappings.def"
bool mach_map_ranks_file(const MachMapping *request, uint32_t *nodes, GError **error);
/* Sets an error that says what is wrong with a key of [mapping], and where the machine file has it. Returns false. */
bool mach_map_refuse(const MachMapping *request, const char *key, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Slots of a machine: a slot is a core. All slots of a node come before those of the next node in `order`. */
typedef struct MapSlots {
    const MachConfig *config;
    uint32_t nodes;
    uint64_t total;
    uint32_t *order;  /* node by position; NULL: nodes in the order of their numbers */
    uint64_t *before; /* by position: sum of the slots of the nodes before it; NULL: all nodes have as many cores */
} MapSlots;
MapSlots mach_map_slots_new(const MachConfig *config, uint32_t nodes, uint32_t *order /* taken */);
void mach_map_slots_clear(MapSlots *slots);
/* Returns the node of the slot that a rank gets, which has the rank's number. More ranks than slots share them
 * evenly. */
uint32_t mach_map_slots_node(const MapSlots *slots, uint32_t rank, uint32_t ranks);
/* Returns the node of each slot that a request may use, at least one slot a rank. The first slots are those that the
 * block mapping uses. The caller frees it with g_free(). */
enum { MAP_MOST_SLOTS = 1 << 17 }; /* most slots that are looked at, unless there are more ranks */
uint32_t *mach_map_request_slots(const MachMapping *request, uint32_t *count);
/* Returns a random number, evenly distributed in [0, bound). */
uint32_t mach_map_random_below(uint64_t *state, uint32_t bound);
/* Returns MapEdge elements of weight 1, both ways between all neighbours in a grid of tasks. */
GArray *mach_map_grid_edges(unsigned n, const int *dims, const int *periods, uint32_t tasks);

/* -- distances (hops.c) ---------------------------------------------------------------- */

typedef struct MapHops {
    const Network *net;
    uint32_t nodes;
    bool linked;         /* false: the network has no links, and all nodes are 1 from each other */
    bool closed_form;    /* distances follow from `grid`: messages take its shortest paths */
    NetGrid grid;        /* n == 0: the network is no grid */
    uint16_t *matrix;    /* distances of all pairs, 0 until asked for; NULL: there are too many nodes */
    uint64_t *recent;    /* used instead of `matrix`: a cache of pairs that were asked for lately */
    uint64_t work, most; /* number of look-ups so far, and how many are allowed */
} MapHops;

MapHops *mach_map_hops_new(const Network *net, uint64_t most_work);
void mach_map_hops_free(MapHops *hops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MapHops, mach_map_hops_free)
/* The slow path of mach_map_hops_between(). */
uint32_t mach_map_hops_look_up(MapHops *hops, uint32_t from, uint32_t to);
/* Returns the number of links on the way of a message between two nodes; 0 within a node. */
static inline uint32_t mach_map_hops_between(MapHops *hops, uint32_t from, uint32_t to)
{
    hops->work++;
    if (from == to)
        return 0;
    if (hops->matrix && hops->matrix[(size_t)from * hops->nodes + to])
        return hops->matrix[(size_t)from * hops->nodes + to];
    return mach_map_hops_look_up(hops, from, to);
}
static inline bool mach_map_hops_exhausted(const MapHops *hops)
{
    return hops->work >= hops->most;
}
/* Whether all nodes are equally far from each other. */
bool mach_map_hops_uniform(const MapHops *hops);

/* Enumerates the nodes around one, itself first and nearer ones earlier, by breadth-first search along the links. */
typedef struct MapAround MapAround;
MapAround *mach_map_around_new(const Network *net);
void mach_map_around_free(MapAround *around);
void mach_map_around_begin(MapAround *around, uint32_t node, uint32_t limit); /* searches at most `limit` vertices */
uint32_t mach_map_around_next(MapAround *around);                             /* MAP_NONE after the last node */

/* -- problems (problem.c) -------------------------------------------------------------- */

typedef struct MapEdge { /* from one task to another */
    uint32_t from, to;
    uint64_t weight;
} MapEdge;

typedef struct MapArc { /* an edge as one of its two ends sees it */
    uint32_t to;
    uint64_t out, in; /* weight to the other end, and from there */
} MapArc;

/* Tasks that talk to each other, and slots for them. Each slot is on a node and takes one task. */
typedef struct MapProblem {
    uint32_t tasks;
    uint32_t *first; /* arcs of task t: arcs[first[t]] .. arcs[first[t + 1] - 1], by `to`; tasks + 1 elements */
    MapArc *arcs;
    uint64_t weight; /* sum of all edges between two different tasks */
    uint32_t slots;  /* at least as many as tasks */
    uint32_t *node;  /* node of each slot */
    MapHops *hops;
    /* The slots of node nodes[i] are node_slots[node_first[i]] .. node_slots[node_first[i + 1] - 1]. `nodes` ascends.
     */
    uint32_t n_nodes, *nodes, *node_first, *node_slots;
} MapProblem;

/* Makes a problem and takes `node`. Edges of a task to itself are left out. Weights are scaled down where sums could
 * overflow. */
MapProblem *mach_map_problem_new(uint32_t tasks, const MapEdge *edges, uint64_t n_edges, uint32_t slots, uint32_t *node,
                                 MapHops *hops);
void mach_map_problem_free(MapProblem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MapProblem, mach_map_problem_free)
/* Limits the look-ups of distances that work on a problem may make: `per_arc` for each arc, but at most `most`. */
void mach_map_problem_allow(MapProblem *problem, uint64_t per_arc, uint64_t most);
/* Returns the hop-bytes of a placement, in which task t has slot slot_of[t]. */
uint64_t mach_map_cost(const MapProblem *problem, const uint32_t *slot_of);
/* Chooses as many slots as there are tasks, near each other, and returns them ascending. The caller frees them with
 * g_free(). */
uint32_t *mach_map_choose_slots(const MapProblem *problem);
/* Returns the index in `nodes`, or MAP_NONE. */
uint32_t mach_map_node_index(const MapProblem *problem, uint32_t node);

/* -- strategies -------------------------------------------------------------------------------- */

/* Each strategy fills slot_of[tasks]. */
void mach_map_bisect(const MapProblem *problem, uint32_t *slot_of);
void mach_map_greedy(const MapProblem *problem, uint32_t *slot_of);
/* Improves a placement until no exchange helps any more or the allowed work is done. */
void mach_map_exchange(const MapProblem *problem, uint32_t *slot_of);
/* Places tasks that form a grid in row-major order (the last dimension fastest) on a network that is a grid, so that
 * neighbours stay near. Fills in the best such placement found. Returns false if there is none. */
bool mach_map_grid(const MapProblem *problem, unsigned n, const int *dims, const int *periods, uint32_t *slot_of);
/* Places a grid of tasks on any network: in blocks of as many tasks as a node has slots, which take the nodes in
 * order. */
bool mach_map_grid_in_order(const MapProblem *problem, unsigned n, const int *dims, const int *periods,
                            uint32_t *slot_of);
/* Improves the best of `start` (may be NULL), greedy placement and bisection by exchange. */
void mach_map_search(const MapProblem *problem, const uint32_t *start, uint32_t *slot_of);
/* Finds position `index` of a path that visits all points of a box, each a neighbour of the one before. The path is the
 * snake, or reflected Gray code of mixed radix. */
void mach_map_snake(unsigned n, const uint32_t *extents, uint64_t index, uint32_t *coordinates);

#endif
