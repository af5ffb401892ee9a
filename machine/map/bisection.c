/* bisection.c - recursive bisection: halves the slots into parts that are close together and the tasks into parts that
 * exchange little, until one node is left.
 *
 * Tasks are halved by exchanges between the two sides. Each exchange is the one that gains most, even if it costs for a
 * while, and the best state on the way is kept: B. W. Kernighan and S. Lin, "An Efficient Heuristic Procedure for
 * Partitioning Graphs", Bell System Technical Journal 49(2), 1970. Single moves, and gains that are kept up to date,
 * are from C. M. Fiduccia and R. M. Mattheyses, "A Linear-Time Heuristic for Improving Network Partitions", DAC 1982. A
 * heap replaces their buckets, as weights are not small numbers. Edges that are cut count by their distance. So do
 * edges to tasks outside, as far as the part of the machine that these tasks are in is known ("terminal propagation",
 * A. E. Dunlop and B. W. Kernighan, IEEE Trans. CAD 4(1), 1985). For that, all parts of one size are halved before the
 * next smaller ones.
 */
#include "machine/map/placement.h"

#include <string.h>

enum { MOST_PASSES = 6, LEAST_PATIENCE = 50 };

/* -- a heap of moves, greatest gain first ------------------------------------------------------ */

typedef struct Move {
    int64_t gain;
    uint32_t task; /* index in the part */
} Move;

typedef struct Heap {
    Move *moves;
    size_t count, capacity;
} Heap;

static bool before(Move a, Move b)
{
    return a.gain != b.gain ? a.gain > b.gain : a.task < b.task;
}

static void heap_push(Heap *heap, int64_t gain, uint32_t task)
{
    if (heap->count == heap->capacity) {
        heap->capacity = MAX(2 * heap->capacity, 64);
        heap->moves = g_renew(Move, heap->moves, heap->capacity);
    }
    Move move = {gain, task};
    size_t at = heap->count++;
    for (; at && before(move, heap->moves[(at - 1) / 2]); at = (at - 1) / 2)
        heap->moves[at] = heap->moves[(at - 1) / 2];
    heap->moves[at] = move;
}

static Move heap_pop(Heap *heap)
{
    Move top = heap->moves[0], last = heap->moves[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && before(heap->moves[child + 1], heap->moves[child]))
            child++;
        if (!before(heap->moves[child], last))
            break;
        heap->moves[at] = heap->moves[child];
        at = child;
    }
    heap->moves[at] = last;
    return top;
}

/* -- state ------------------------------------------------------------------------------------- */

typedef struct Part { /* a range of both arrays, tasks and slots; it holds as many of both */
    uint32_t first, count;
} Part;

typedef struct Bisection {
    const MapProblem *problem;
    uint32_t *tasks, *slots;
    uint32_t *place; /* by task: a node in the middle of the part of the machine that the task is in */
    uint32_t *index; /* by task: index in the part that is being halved; MAP_NONE: not in it */
    /* The following are by index in the part that is being halved. */
    uint8_t *side, *best_side;
    bool *locked;
    int64_t *gain;  /* what a move to the other side would save */
    int64_t *bias;  /* cost on side 1 minus cost on side 0, due to tasks outside the part */
    uint64_t apart; /* number of links between the middles of the two sides */
    Heap heaps[2];
    uint32_t *order; /* the moves made in a pass, in order */
} Bisection;

/* -- halving slots ----------------------------------------------------------------------------- */

typedef struct Keyed {
    int64_t key;
    uint32_t node, slot;
} Keyed;

static int compare_keyed(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Sets keys on a grid: the grid is cut across its longest side. */
static void key_by_grid(const NetGrid *grid, Keyed *keyed, uint32_t n)
{
    uint32_t least[NET_GRID_DIMENSIONS], greatest[NET_GRID_DIMENSIONS] = {0}, at[NET_GRID_DIMENSIONS], longest = 0;
    memset(least, 0xff, sizeof least);
    for (uint32_t i = 0; i < n; i++) {
        net_grid_split(grid, keyed[i].node, at);
        for (uint32_t d = 0; d < grid->n; d++) {
            least[d] = MIN(least[d], at[d]);
            greatest[d] = MAX(greatest[d], at[d]);
        }
    }
    for (uint32_t d = 1; d < grid->n; d++)
        if (greatest[d] - least[d] > greatest[longest] - least[longest])
            longest = d;
    for (uint32_t i = 0; i < n; i++) {
        net_grid_split(grid, keyed[i].node, at);
        keyed[i].key = at[longest];
    }
}

static uint32_t farthest(MapHops *hops, const Keyed *keyed, uint32_t n, uint32_t from)
{
    uint32_t best = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t apart = mach_map_hops_between(hops, from, keyed[i].node);
        if (apart > most) {
            most = apart;
            best = i;
        }
    }
    return keyed[best].node;
}

/* Sets keys on other networks: of two nodes that are far from each other, by how much the one is nearer than the
 * other. */
static void key_by_distance(MapHops *hops, Keyed *keyed, uint32_t n)
{
    uint32_t one = farthest(hops, keyed, n, keyed[0].node), other = farthest(hops, keyed, n, one);
    for (uint32_t i = 0; i < n; i++)
        keyed[i].key = (int64_t)mach_map_hops_between(hops, one, keyed[i].node) -
                       (int64_t)mach_map_hops_between(hops, other, keyed[i].node);
}

/* Sorts the slots of a part. Returns how many belong to the first half, or 0 if all are on one node. The slots of a
 * node stay together. */
static uint32_t halve_slots(Bisection *b, Part part)
{
    const MapProblem *problem = b->problem;
    uint32_t *slots = b->slots + part.first, n = part.count, best = 0;
    g_autofree Keyed *keyed = g_new(Keyed, n);
    for (uint32_t i = 0; i < n; i++)
        keyed[i] = (Keyed){0, problem->node[slots[i]], slots[i]};
    if (problem->hops->grid.n)
        key_by_grid(&problem->hops->grid, keyed, n);
    else
        key_by_distance(problem->hops, keyed, n);
    qsort(keyed, n, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0; i < n; i++)
        slots[i] = keyed[i].slot;
    for (uint32_t cut = 1; cut < n; cut++)
        if (keyed[cut].node != keyed[cut - 1].node && (!best || ABS(2 * (int64_t)cut - n) < ABS(2 * (int64_t)best - n)))
            best = cut;
    return best;
}

/* -- halving tasks ----------------------------------------------------------------------------- */

static void outside_bias(Bisection *b, Part part, uint32_t middle0, uint32_t middle1)
{
    const MapProblem *problem = b->problem;
    for (uint32_t i = 0; i < part.count; i++) {
        uint32_t task = b->tasks[part.first + i];
        b->bias[i] = 0;
        for (uint32_t a = problem->first[task]; a < problem->first[task + 1]; a++) {
            const MapArc *arc = &problem->arcs[a];
            if (b->index[arc->to] != MAP_NONE)
                continue;
            uint32_t there = b->place[arc->to];
            int64_t nearer = (int64_t)mach_map_hops_between(problem->hops, middle1, there) -
                             (int64_t)mach_map_hops_between(problem->hops, middle0, there);
            b->bias[i] += (int64_t)(arc->out + arc->in) * nearer;
        }
    }
}

static void compute_gains(Bisection *b, Part part)
{
    const MapProblem *problem = b->problem;
    for (uint32_t i = 0; i < part.count; i++) {
        uint32_t task = b->tasks[part.first + i];
        b->gain[i] = b->side[i] ? b->bias[i] : -b->bias[i];
        for (uint32_t a = problem->first[task]; a < problem->first[task + 1]; a++) {
            uint32_t other = b->index[problem->arcs[a].to];
            int64_t weight = (int64_t)((problem->arcs[a].out + problem->arcs[a].in) * b->apart);
            if (other != MAP_NONE)
                b->gain[i] += b->side[i] != b->side[other] ? weight : -weight;
        }
    }
}

/* Moves a task to the other side, where it stays for the rest of the pass. */
static void move(Bisection *b, Part part, uint32_t i)
{
    const MapProblem *problem = b->problem;
    uint32_t task = b->tasks[part.first + i];
    b->side[i] ^= 1;
    b->locked[i] = true;
    b->gain[i] = -b->gain[i];
    for (uint32_t a = problem->first[task]; a < problem->first[task + 1]; a++) {
        uint32_t other = b->index[problem->arcs[a].to];
        int64_t weight = 2 * (int64_t)((problem->arcs[a].out + problem->arcs[a].in) * b->apart);
        if (other == MAP_NONE)
            continue;
        b->gain[other] += b->side[i] != b->side[other] ? weight : -weight;
        if (!b->locked[other])
            heap_push(&b->heaps[b->side[other]], b->gain[other], other);
    }
    problem->hops->work += problem->first[task + 1] - problem->first[task];
}

/* Returns the best task to move from a side, or MAP_NONE if none is left. Skips heap entries with an outdated gain. */
static uint32_t take(Bisection *b, unsigned side)
{
    Heap *heap = &b->heaps[side];
    while (heap->count) {
        Move best = heap_pop(heap);
        if (!b->locked[best.task] && b->side[best.task] == side && b->gain[best.task] == best.gain)
            return best.task;
    }
    return MAP_NONE;
}

static void begin_pass(Bisection *b, Part part)
{
    b->heaps[0].count = b->heaps[1].count = 0;
    memset(b->locked, 0, part.count * sizeof *b->locked);
    compute_gains(b, part);
    for (uint32_t i = 0; i < part.count; i++)
        heap_push(&b->heaps[b->side[i]], b->gain[i], i);
}

/* Makes one pass of exchanges and returns what it saved. */
static int64_t pass(Bisection *b, Part part)
{
    int64_t saved = 0, most = 0;
    uint32_t moves = 0, kept = 0, patience = MAX(part.count / 8, LEAST_PATIENCE);
    begin_pass(b, part);
    while (moves < kept + 2 * patience) {
        for (unsigned side = 0; side < 2; side++) {
            uint32_t i = take(b, side);
            if (i == MAP_NONE)
                goto finished;
            saved += b->gain[i];
            b->order[moves++] = i;
            move(b, part, i);
        }
        if (saved > most) {
            most = saved;
            kept = moves;
        }
    }
finished:
    while (moves > kept)
        b->side[b->order[--moves]] ^= 1;
    return most;
}

static uint64_t cut_of(const Bisection *b, Part part)
{
    const MapProblem *problem = b->problem;
    int64_t cost = 0;
    for (uint32_t i = 0; i < part.count; i++) {
        uint32_t task = b->tasks[part.first + i];
        cost += b->side[i] ? b->bias[i] : 0;
        for (uint32_t a = problem->first[task]; a < problem->first[task + 1]; a++) {
            uint32_t other = b->index[problem->arcs[a].to];
            if (other != MAP_NONE && b->side[other] && !b->side[i])
                cost += (int64_t)((problem->arcs[a].out + problem->arcs[a].in) * b->apart);
        }
    }
    return (uint64_t)cost + (UINT64_C(1) << 63); /* maps signed to unsigned numbers, in the same order */
}

static uint64_t improve(Bisection *b, Part part)
{
    for (unsigned i = 0; i < MOST_PASSES && !mach_map_hops_exhausted(b->problem->hops); i++)
        if (pass(b, part) <= 0)
            break;
    return cut_of(b, part);
}

/* First way to start: the tasks in their order. */
static void start_in_order(Bisection *b, Part part, uint32_t n0)
{
    for (uint32_t i = 0; i < part.count; i++)
        b->side[i] = i >= n0;
}

/* Second way to start: side 0 grows from the task that gains most there, always by the task that costs least. */
static void start_by_growth(Bisection *b, Part part, uint32_t n0)
{
    memset(b->side, 1, part.count);
    begin_pass(b, part);
    for (uint32_t n = 0; n < n0; n++)
        move(b, part, take(b, 1));
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Moves the tasks of side 0 to the front. On both sides they stay in the order of their numbers. */
static void put_sides(Bisection *b, Part part, uint32_t n0)
{
    uint32_t *tasks = b->tasks + part.first, zero = 0, one = n0;
    g_autofree uint32_t *old = g_memdup2(tasks, part.count * sizeof *tasks);
    for (uint32_t i = 0; i < part.count; i++)
        tasks[b->side[i] ? one++ : zero++] = old[i];
    g_assert(zero == n0 && one == part.count);
}

static void halve_tasks(Bisection *b, Part part, uint32_t n0, uint32_t middle0, uint32_t middle1)
{
    qsort(b->tasks + part.first, part.count, sizeof *b->tasks, compare_indices);
    for (uint32_t i = 0; i < part.count; i++)
        b->index[b->tasks[part.first + i]] = i;
    b->apart = MAX(mach_map_hops_between(b->problem->hops, middle0, middle1), 1);
    outside_bias(b, part, middle0, middle1);
    start_in_order(b, part, n0);
    uint64_t in_order = improve(b, part);
    memcpy(b->best_side, b->side, part.count);
    start_by_growth(b, part, n0);
    if (improve(b, part) >= in_order)
        memcpy(b->side, b->best_side, part.count);
    for (uint32_t i = 0; i < part.count; i++)
        b->index[b->tasks[part.first + i]] = MAP_NONE;
    put_sides(b, part, n0);
}

/* -- recursion, by size ------------------------------------------------------------------------ */

static uint32_t middle_of(const Bisection *b, Part part)
{
    return b->problem->node[b->slots[part.first + part.count / 2]];
}

static void settle(Bisection *b, Part part)
{
    uint32_t middle = middle_of(b, part);
    for (uint32_t i = part.first; i < part.first + part.count; i++)
        b->place[b->tasks[i]] = middle;
}

static void halve(Bisection *b, Part part, GQueue *parts)
{
    uint32_t n0 = part.count > 1 ? halve_slots(b, part) : 0;
    if (!n0)
        return;
    Part *sides = g_new(Part, 2);
    sides[0] = (Part){part.first, n0};
    sides[1] = (Part){part.first + n0, part.count - n0};
    halve_tasks(b, part, n0, middle_of(b, sides[0]), middle_of(b, sides[1]));
    for (unsigned i = 0; i < 2; i++) {
        settle(b, sides[i]);
        g_queue_push_tail(parts, g_memdup2(&sides[i], sizeof sides[i]));
    }
    g_free(sides);
}

void mach_map_bisect(const MapProblem *problem, uint32_t *slot_of)
{
    uint32_t n = problem->tasks;
    Bisection b = {.problem = problem,
                   .tasks = g_new(uint32_t, n),
                   .slots = mach_map_choose_slots(problem),
                   .place = g_new(uint32_t, n),
                   .index = g_new(uint32_t, n),
                   .side = g_new(uint8_t, n),
                   .best_side = g_new(uint8_t, n),
                   .locked = g_new(bool, n),
                   .gain = g_new(int64_t, n),
                   .bias = g_new(int64_t, n),
                   .order = g_new(uint32_t, n)};
    for (uint32_t task = 0; task < n; task++) {
        b.tasks[task] = task;
        b.index[task] = MAP_NONE;
    }
    GQueue parts = G_QUEUE_INIT;
    Part all = {0, n};
    settle(&b, all);
    g_queue_push_tail(&parts, g_memdup2(&all, sizeof all));
    while (!g_queue_is_empty(&parts)) {
        g_autofree Part *part = g_queue_pop_head(&parts);
        halve(&b, *part, &parts);
    }
    for (uint32_t i = 0; i < n; i++)
        slot_of[b.tasks[i]] = b.slots[i];
    void *arrays[] = {b.tasks,  b.slots, b.place, b.index, b.side,           b.best_side,
                      b.locked, b.gain,  b.bias,  b.order, b.heaps[0].moves, b.heaps[1].moves};
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_free(arrays[i]);
}
