/* placement.h - what the files that place ranks on nodes share.
 *
 *   map.c            from [mapping] of a machine file to a node for every rank
 *   node_orders.c    block, cyclic, random, Gray code, snake: mappings that look at nobody's traffic
 *   file.c           mappings from a file
 *   hops.c           how far two nodes are from each other
 *   search.c         mappings for recorded traffic
 *   problem.c        a graph of tasks and the slots that they may take; what a placement of them costs
 *   bisection.c      recursive bisection (Kernighan and Lin; Fiduccia and Mattheyses)
 *   exchange.c       greedy placement, exchange of pairs
 *   grid.c           grids of tasks onto grids of nodes, neighbours staying neighbours
 *   report.c         hop-bytes, dilation, link loads
 *   traffic.c        files of recorded traffic
 *   arrange.c        the same for MPI's topologies with `reorder`
 *
 * Everything counts in integers, and of equals the one with the least index is taken: the same question has the same
 * answer everywhere. Work is bounded by counting looks at a distance, which is the same everywhere, too.
 */
#ifndef ORRERY_MACHINE_MAP_PLACEMENT_H
#define ORRERY_MACHINE_MAP_PLACEMENT_H

#include "machine/machine.h"

#define MAP_NONE UINT32_MAX

/* -- mappings of a machine file (map.c) ---------------------------------------------------- */

/* Each row of mappings.def: fills nodes[ranks] or refuses. */
#define MACH_MAPPING(symbol, name, needs, help, source)                                                                \
    bool mach_map_ranks_##symbol(const MachMapping *request, uint32_t *nodes, GError **error);
#include "machine/mappings.def"
bool mach_map_ranks_file(const MachMapping *request, uint32_t *nodes, GError **error);
/* Says what is wrong with a key of [mapping], and where the machine file has it; answers false. */
bool mach_map_refuse(const MachMapping *request, const char *key, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* The cores of all nodes, one node after the other in an order. */
typedef struct MapSlots {
    const MachConfig *config;
    uint32_t nodes;
    uint64_t total;
    uint32_t *order;  /* NULL: by number */
    uint64_t *before; /* by position: slots of the nodes before it; NULL where all nodes have as many cores */
} MapSlots;
MapSlots mach_map_slots_new(const MachConfig *config, uint32_t nodes, uint32_t *order /* taken */);
void mach_map_slots_clear(MapSlots *slots);
/* The node of a rank that goes to the slot of its number; more ranks than slots share them evenly. */
uint32_t mach_map_slots_node(const MapSlots *slots, uint32_t rank, uint32_t ranks);
/* The nodes of slots for the ranks of a request, at least as many; the first ones are those of the block mapping. */
enum { MAP_MOST_SLOTS = 1 << 17 }; /* more are not looked at, unless there are more ranks */
uint32_t *mach_map_request_slots(const MachMapping *request, uint32_t *count);
/* Evenly distributed in [0, bound). */
uint32_t mach_map_random_below(uint64_t *state, uint32_t bound);
/* MapEdge, weight 1, both ways between all neighbours in a grid of tasks. */
GArray *mach_map_grid_edges(unsigned n, const int *dims, const int *periods, uint32_t tasks);

/* -- distances (hops.c) ---------------------------------------------------------------- */

typedef struct MapHops {
    const Network *net;
    uint32_t nodes;
    bool linked;         /* the network has links; else all nodes are 1 from each other */
    bool closed_form;    /* a grid, and messages take its shortest paths */
    NetGrid grid;        /* n == 0: it is none */
    uint16_t *matrix;    /* of all pairs, filled as they are asked for; NULL: too many nodes */
    uint64_t *recent;    /* else: pairs that were asked for lately */
    uint64_t work, most; /* looks so far, and how many are allowed */
} MapHops;

MapHops *mach_map_hops_new(const Network *net, uint64_t most_work);
void mach_map_hops_free(MapHops *hops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MapHops, mach_map_hops_free)
uint32_t mach_map_hops_look_up(MapHops *hops, uint32_t from, uint32_t to);
/* Links on the way of a message; 0 within a node. */
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

/* The nodes around one, itself first, the nearer ones earlier: breadth first along the links. */
typedef struct MapAround MapAround;
MapAround *mach_map_around_new(const Network *net);
void mach_map_around_free(MapAround *around);
void mach_map_around_begin(MapAround *around, uint32_t node, uint32_t limit); /* look at that many vertices */
uint32_t mach_map_around_next(MapAround *around);                             /* MAP_NONE: there are no more */

/* -- problems (problem.c) -------------------------------------------------------------- */

typedef struct MapEdge { /* from one task to another */
    uint32_t from, to;
    uint64_t weight;
} MapEdge;

typedef struct MapArc { /* an edge as one of its ends sees it */
    uint32_t to;
    uint64_t out, in;
} MapArc;

/* Tasks that talk to each other, and slots, each on a node and for one task. */
typedef struct MapProblem {
    uint32_t tasks;
    uint32_t *first; /* tasks + 1: the arcs of task t are arcs[first[t]] .. arcs[first[t + 1] - 1], by other end */
    MapArc *arcs;
    uint64_t weight; /* of all edges between two tasks */
    uint32_t slots;  /* at least as many as tasks */
    uint32_t *node;  /* by slot */
    MapHops *hops;
    /* The slots of each node: node_slots[node_first[i]] .. for nodes[i]; nodes ascending. */
    uint32_t n_nodes, *nodes, *node_first, *node_slots;
} MapProblem;

/* Takes `node`. Edges of a task to itself are left out; weights are made smaller where sums could overflow. */
MapProblem *mach_map_problem_new(uint32_t tasks, const MapEdge *edges, uint64_t n_edges, uint32_t slots, uint32_t *node,
                                 MapHops *hops);
void mach_map_problem_free(MapProblem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MapProblem, mach_map_problem_free)
/* Bounds the work on it. */
void mach_map_problem_allow(MapProblem *problem, uint64_t per_arc, uint64_t most);
/* Hop-bytes of a placement: slot_of[task]. */
uint64_t mach_map_cost(const MapProblem *problem, const uint32_t *slot_of);
/* As many slots as tasks, near each other, ascending. g_free. */
uint32_t *mach_map_choose_slots(const MapProblem *problem);
/* Index in `nodes`. */
uint32_t mach_map_node_index(const MapProblem *problem, uint32_t node);

/* -- strategies -------------------------------------------------------------------------------- */

/* Each fills slot_of[tasks]. */
void mach_map_bisect(const MapProblem *problem, uint32_t *slot_of);
void mach_map_greedy(const MapProblem *problem, uint32_t *slot_of);
/* Makes a placement better until no exchange helps or the work that is allowed has been done. */
void mach_map_exchange(const MapProblem *problem, uint32_t *slot_of);
/* Tasks that are a grid in row-major order, the last dimension fastest: the best placement found that keeps it a grid
 * on a network that is one. False: there is none. */
bool mach_map_grid(const MapProblem *problem, unsigned n, const int *dims, const int *periods, uint32_t *slot_of);
/* The same on any network: in blocks as large as nodes have slots, which take the nodes in order. */
bool mach_map_grid_in_order(const MapProblem *problem, unsigned n, const int *dims, const int *periods,
                            uint32_t *slot_of);
/* From the best of a start, which may be NULL, greedy placement and bisection, by exchange. */
void mach_map_search(const MapProblem *problem, const uint32_t *start, uint32_t *slot_of);
/* Position `index` of a path that visits all places of a box, each a neighbour of the one before: the snake, or
 * reflected Gray code of mixed radix. */
void mach_map_snake(unsigned n, const uint32_t *extents, uint64_t index, uint32_t *coordinates);

#endif
