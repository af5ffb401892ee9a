/* grid.c - places grids of tasks on networks that are grids, so that neighbours stay neighbours.
 *
 * A dimension of the tasks takes one or several dimensions of the network. It winds through them as a snake. That is
 * the reflected Gray code of mixed radix, in which successive numbers differ by 1 in one digit (F. Gray, US patent
 * 2632058, 1953). On hypercubes, whose dimensions have length 2, it is the binary Gray code (Y. Saad and M. H. Schultz,
 * "Topological Properties of Hypercubes", IEEE Trans. Computers 37(7), 1988). A periodic dimension needs a closed path:
 *
 *      7 -> 0 -> 1 -> 2      a snake through all but the first column, then back along it;
 *      ^              |      the number of rows must be even
 *      6 <- 5 <- 4 <- 3
 *
 * If a node holds several tasks, they form a block of the tasks' grid, and the blocks are placed. All divisions of the
 * dimensions are tried (there are few), and all shapes of blocks. The one with the fewest hop-bytes is taken.
 */
#include "machine/map/placement.h"

#include <string.h>

enum { MOST_TRIES = 400, MOST_DIVISIONS = 100000, UNUSED = -1 };

typedef struct Embedding {
    const MapProblem *problem;
    unsigned n; /* number of dimensions of the grid of tasks */
    const int *dims, *periods;
    const NetGrid *grid;                                                /* NULL: the nodes are taken in order */
    uint32_t corner[NET_GRID_DIMENSIONS], extents[NET_GRID_DIMENSIONS]; /* the bounding box of the nodes */
    uint32_t per_node;                                                  /* most tasks that a node takes */
    uint32_t *block;                /* extents of a block, by dimension of the tasks */
    int owner[NET_GRID_DIMENSIONS]; /* by dimension of the network: the dimension of the tasks that has it, or UNUSED */
    uint32_t *used, *try, *best;    /* used: number of tasks at each node so far; the others are placements */
    uint64_t least;
    unsigned tries, divisions;
} Embedding;

/* -- paths ------------------------------------------------------------------------------------- */

void mach_map_snake(unsigned n, const uint32_t *extents, uint64_t index, uint32_t *coordinates)
{
    uint64_t prefix = index;
    for (unsigned d = n; d-- > 0;) {
        coordinates[d] = (uint32_t)(prefix % extents[d]);
        prefix /= extents[d];
        if (prefix & 1) /* the digits before form an odd number: this one runs backwards */
            coordinates[d] = extents[d] - 1 - coordinates[d];
    }
}

/* Finds point `index` of the closed path through a box whose first extent is even. The other dimensions count as one
 * line, through which the path goes as a snake. */
static void closed_path(unsigned n, const uint32_t *extents, uint64_t index, uint32_t *coordinates)
{
    uint64_t rows = extents[0], line = 1, row, at;
    for (unsigned d = 1; d < n; d++)
        line *= extents[d];
    if (index < rows * (line - 1)) {
        row = index / (line - 1);
        at = index % (line - 1);
        at = row & 1 ? line - 1 - at : at + 1;
    } else {
        row = rows - 1 - (index - rows * (line - 1));
        at = 0;
    }
    coordinates[0] = (uint32_t)row;
    mach_map_snake(n - 1, extents + 1, at, coordinates + 1);
}

/* -- one way to do it -------------------------------------------------------------------------- */

/* Finds point `index` of dimension d of the blocks, in the dimensions of the network that it owns. */
static void wind(const Embedding *e, unsigned d, uint32_t index, uint32_t *coordinates)
{
    uint32_t extents[NET_GRID_DIMENSIONS], at[NET_GRID_DIMENSIONS], owned[NET_GRID_DIMENSIONS];
    uint64_t volume = 1;
    unsigned n = 0, even = UINT_MAX;
    for (unsigned h = 0; h < e->grid->n; h++) {
        if (e->owner[h] != (int)d)
            continue;
        if (e->extents[h] % 2 == 0 && even == UINT_MAX)
            even = n;
        owned[n] = h;
        extents[n++] = e->extents[h];
        volume *= e->extents[h];
    }
    if (!n)
        return;
    uint64_t length = ((uint32_t)e->dims[d] + e->block[d] - 1) / e->block[d];
    if (e->periods[d] && n > 1 && volume == length && even != UINT_MAX) {
        uint32_t swap = owned[0], extent = extents[0]; /* move an even extent to the front */
        owned[0] = owned[even], extents[0] = extents[even];
        owned[even] = swap, extents[even] = extent;
        closed_path(n, extents, index, at);
    } else {
        mach_map_snake(n, extents, index, at);
    }
    for (unsigned i = 0; i < n; i++)
        coordinates[owned[i]] = e->corner[owned[i]] + at[i];
}

/* Returns the index of the node that a task is placed on, or MAP_NONE if there is no such node. */
static uint32_t wound_node(const Embedding *e, uint32_t task)
{
    uint32_t coordinates[NET_GRID_DIMENSIONS];
    memcpy(coordinates, e->corner, sizeof coordinates);
    for (unsigned d = e->n; d-- > 0;) {
        wind(e, d, task % (uint32_t)e->dims[d] / e->block[d], coordinates);
        task /= (uint32_t)e->dims[d];
    }
    return mach_map_node_index(e->problem, net_grid_join(e->grid, coordinates));
}

/* Returns the index of the node of a task where the blocks, row by row, take the nodes in order; MAP_NONE: none is
 * left. */
static uint32_t node_in_order(const Embedding *e, uint32_t task)
{
    uint64_t index = 0, stride = 1;
    for (unsigned d = e->n; d-- > 0;) {
        index += stride * (task % (uint32_t)e->dims[d] / e->block[d]);
        stride *= ((uint32_t)e->dims[d] + e->block[d] - 1) / e->block[d];
        task /= (uint32_t)e->dims[d];
    }
    return index < e->problem->n_nodes ? (uint32_t)index : MAP_NONE;
}

/* Takes a slot on the node of a task. Returns MAP_NONE if that has none left. */
static uint32_t slot_for(const Embedding *e, uint32_t task)
{
    uint32_t index = e->grid ? wound_node(e, task) : node_in_order(e, task);
    if (index == MAP_NONE)
        return MAP_NONE;
    uint32_t slot = e->problem->node_first[index] + e->used[index];
    if (slot >= e->problem->node_first[index + 1])
        return MAP_NONE;
    e->used[index]++;
    return e->problem->node_slots[slot];
}

static void try_it(Embedding *e)
{
    const MapProblem *problem = e->problem;
    e->tries++;
    problem->hops->work += (uint64_t)problem->tasks * e->n;
    memset(e->used, 0, problem->n_nodes * sizeof *e->used);
    for (uint32_t task = 0; task < problem->tasks; task++) {
        e->try[task] = slot_for(e, task);
        if (e->try[task] == MAP_NONE)
            return;
    }
    uint64_t cost = mach_map_cost(problem, e->try);
    if (cost < e->least) {
        e->least = cost;
        memcpy(e->best, e->try, problem->tasks * sizeof *e->best);
    }
}

/* -- all ways ---------------------------------------------------------------------------------- */

/* Returns whether the best placement cannot be improved: a task a node, and no edge takes more than one link. */
static bool perfect(const Embedding *e)
{
    return e->per_node == 1 && e->least <= e->problem->weight;
}

/* Returns whether each dimension of the blocks owns enough of the network. */
static bool fits(const Embedding *e)
{
    for (unsigned d = 0; d < e->n; d++) {
        uint64_t room = 1;
        for (unsigned h = 0; h < e->grid->n; h++)
            room *= e->owner[h] == (int)d ? e->extents[h] : 1;
        if (room * e->block[d] < (uint64_t)e->dims[d])
            return false;
    }
    return true;
}

/* Tries all ways to give the dimensions of the network from h on to dimensions of the tasks, or to none. */
static void divide_up(Embedding *e, unsigned h)
{
    if (e->tries >= MOST_TRIES || ++e->divisions > MOST_DIVISIONS || perfect(e) ||
        mach_map_hops_exhausted(e->problem->hops))
        return;
    if (h == e->grid->n) {
        if (fits(e))
            try_it(e);
        return;
    }
    e->owner[h] = UNUSED;
    for (unsigned d = 0; d < e->n && e->extents[h] > 1; d++) {
        if (e->dims[d] == 1)
            continue;
        e->owner[h] = (int)d;
        divide_up(e, h + 1);
    }
    e->owner[h] = UNUSED;
    divide_up(e, h + 1);
}

/* Divides up a hypercube: all its dimensions are alike, so each dimension of the tasks takes the next ones, as many as
 * it needs. */
static void take_in_order(Embedding *e)
{
    unsigned h = 0;
    for (unsigned d = 0; d < e->n; d++)
        for (uint64_t room = e->block[d]; room < (uint64_t)e->dims[d]; h++) {
            if (h == e->grid->n)
                return;
            e->owner[h] = e->extents[h] > 1 ? (int)d : UNUSED;
            room *= e->extents[h];
        }
    for (; h < e->grid->n; h++)
        e->owner[h] = UNUSED;
    try_it(e);
}

/* Tries all shapes of blocks of `left` tasks, from dimension d on. */
static void choose_blocks(Embedding *e, unsigned d, uint32_t left)
{
    enum { FEW_DIMENSIONS = 8 };
    if (e->tries >= MOST_TRIES || mach_map_hops_exhausted(e->problem->hops))
        return;
    if (d == e->n) {
        if (left == 1 && !e->grid)
            try_it(e);
        else if (left == 1 && e->grid->n > FEW_DIMENSIONS)
            take_in_order(e);
        else if (left == 1)
            divide_up(e, 0);
        return;
    }
    for (uint32_t size = 1; size <= left && size <= (uint32_t)e->dims[d]; size++)
        if (left % size == 0) {
            e->block[d] = size;
            choose_blocks(e, d + 1, left / size);
        }
}

/* Finds the most tasks that a node takes. */
static void count_slots(Embedding *e)
{
    const MapProblem *problem = e->problem;
    for (uint32_t i = 0; i < problem->n_nodes; i++)
        e->per_node = MAX(e->per_node, problem->node_first[i + 1] - problem->node_first[i]);
}

/* Finds the bounding box of the nodes. */
static void measure_nodes(Embedding *e)
{
    const MapProblem *problem = e->problem;
    uint32_t least[NET_GRID_DIMENSIONS], at[NET_GRID_DIMENSIONS], greatest[NET_GRID_DIMENSIONS] = {0};
    memset(least, 0xff, sizeof least);
    for (uint32_t i = 0; i < problem->n_nodes; i++) {
        net_grid_split(e->grid, problem->nodes[i], at);
        for (unsigned d = 0; d < e->grid->n; d++) {
            least[d] = MIN(least[d], at[d]);
            greatest[d] = MAX(greatest[d], at[d]);
        }
    }
    for (unsigned d = 0; d < e->grid->n; d++) {
        e->corner[d] = least[d];
        e->extents[d] = greatest[d] - least[d] + 1;
    }
}

static bool embed(Embedding *e)
{
    e->least = UINT64_MAX;
    e->block = g_new(uint32_t, e->n);
    e->used = g_new(uint32_t, e->problem->n_nodes);
    e->try = g_new(uint32_t, e->problem->tasks);
    count_slots(e);
    choose_blocks(e, 0, e->per_node);
    g_free(e->block);
    g_free(e->used);
    g_free(e->try);
    return e->least != UINT64_MAX;
}

bool mach_map_grid(const MapProblem *problem, unsigned n, const int *dims, const int *periods, uint32_t *slot_of)
{
    Embedding e = {
        .problem = problem, .n = n, .dims = dims, .periods = periods, .grid = &problem->hops->grid, .best = slot_of};
    if (!e.grid->n || !n)
        return false;
    measure_nodes(&e);
    return embed(&e);
}

bool mach_map_grid_in_order(const MapProblem *problem, unsigned n, const int *dims, const int *periods,
                            uint32_t *slot_of)
{
    Embedding e = {.problem = problem, .n = n, .dims = dims, .periods = periods, .best = slot_of};
    return n && embed(&e);
}
