/* live_ranges.c - computes where registers hold values that are still needed.
 *
 * Instructions are numbered in layout order; number i reads at position 2i and sets at 2i + 1. A register's range is a
 * list of segments, ascending and disjoint. Ranges are computed register by register: from each block that needs the
 * value, a walk goes to its predecessors until a block sets it. So the cost is the size of the result, and a value that
 * lives within one block costs nothing in other blocks.
 */

#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"

#include <stdlib.h>
#include <string.h>

/* A place where an instruction reads or sets a register. */
typedef struct Occurrence {
    uint32_t position;
    uint32_t block; /* index in layout order */
} Occurrence;

typedef struct Finder {
    CcIrFunction *f;
    CcArena *arena;
    CcIrBlock **blocks; /* in layout order */
    uint32_t n_blocks;
    uint32_t *number; /* CcIrBlock.index -> index in layout order */
    uint32_t **predecessor;
    uint32_t *n_predecessors;
    uint32_t *first;                /* register -> index of its first occurrence; one more entry at the end */
    Occurrence *occurrences;        /* sorted by register, then by position */
    uint32_t *wanted_at_end, *seen; /* block -> 1 + the last register noted */
    uint32_t *last;                 /* block -> its last segment, which may grow to the block's end */
    uint32_t *work;                 /* blocks whose predecessors must be visited */
    CcLiveSegment *segments;
    uint32_t n_segments, segments_capacity;
} Finder;

static uint32_t block_start(const Finder *l, uint32_t block)
{
    return l->blocks[block]->first_position;
}

static uint32_t block_end(const Finder *l, uint32_t block)
{
    return l->blocks[block]->first_position + 2 * l->blocks[block]->count - 1;
}

/* -- the graph --------------------------------------------------------------------------------- */

typedef struct Visit {
    Finder *l;
    uint32_t from;
    bool count;
} Visit;

static void visit_successor(CcIrBlock *to, void *user)
{
    Visit *visit = user;
    Finder *l = visit->l;
    uint32_t number = l->number[to->index];
    if (l->seen[number] == visit->from + 1)
        return;
    l->seen[number] = visit->from + 1;
    if (!visit->count)
        l->predecessor[number][l->n_predecessors[number]] = visit->from;
    l->n_predecessors[number]++;
}

static void visit_all(Finder *l, bool count)
{
    memset(l->seen, 0, l->n_blocks * sizeof *l->seen);
    memset(l->n_predecessors, 0, l->n_blocks * sizeof *l->n_predecessors);
    for (uint32_t i = 0; i < l->n_blocks; i++) {
        Visit visit = {l, i, count};
        cc_ir_successors(l->f, l->blocks[i], visit_successor, &visit);
    }
}

static void find_blocks(Finder *l)
{
    CcIrFunction *f = l->f;
    uint32_t position = 0;
    l->blocks = cc_arena_alloc(l->arena, (f->n_blocks + 1) * sizeof *l->blocks);
    l->number = cc_arena_alloc(l->arena, (f->n_blocks + 1) * sizeof *l->number);
    for (CcIrBlock *b = f->first; b; b = b->next) {
        b->first_position = position;
        position += 2 * b->count;
        l->number[b->index] = l->n_blocks;
        l->blocks[l->n_blocks++] = b;
    }
    size_t size = (l->n_blocks + 1) * sizeof(uint32_t);
    l->seen = cc_arena_alloc(l->arena, size);
    l->n_predecessors = cc_arena_alloc(l->arena, size);
    l->predecessor = cc_arena_alloc(l->arena, (l->n_blocks + 1) * sizeof *l->predecessor);
    visit_all(l, true);
    for (uint32_t i = 0; i < l->n_blocks; i++)
        l->predecessor[i] = cc_arena_alloc(l->arena, (l->n_predecessors[i] + 1) * sizeof(uint32_t));
    visit_all(l, false);
    memset(l->seen, 0, size);
}

/* -- occurrences ------------------------------------------------------------------------------- */

static void occur(Finder *l, CcReg reg, uint32_t position, uint32_t block, bool count)
{
    if (!count)
        l->occurrences[l->first[reg]] = (Occurrence){position, block};
    l->first[reg]++;
}

static void list_occurrences(Finder *l, bool count)
{
    CcIrFunction *f = l->f;
    for (uint32_t i = 0; i < l->n_blocks; i++) {
        CcIrBlock *b = l->blocks[i];
        for (uint32_t k = 0; k < b->count; k++) {
            uint32_t position = b->first_position + 2 * k;
            CcIrUses uses = cc_ir_uses(f, &b->items[k]);
            for (unsigned u = 0; u < uses.n; u++)
                occur(l, *uses.field[u], position, i, count);
            for (unsigned u = 0; u < uses.n_list; u++)
                occur(l, uses.list[u], position, i, count);
            CcReg set = cc_ir_defined(&b->items[k]);
            if (set != CC_NO_REG)
                occur(l, set, position + 1, i, count);
        }
    }
}

/* Counting sort. After the second walk first[reg] is the end of the register's part, which is where the next one
 * begins. */
static void find_occurrences(Finder *l)
{
    uint32_t n = l->f->n_regs, total = 0;
    l->first = cc_arena_alloc(l->arena, (n + 2) * sizeof *l->first);
    list_occurrences(l, true);
    for (uint32_t reg = 0; reg <= n; reg++) {
        uint32_t count = l->first[reg];
        l->first[reg] = total;
        total += count;
    }
    l->occurrences = cc_arena_alloc(l->arena, (total + 1) * sizeof *l->occurrences);
    list_occurrences(l, false);
    memmove(l->first + 1, l->first, n * sizeof *l->first);
    l->first[0] = 0;
}

/* -- one register ------------------------------------------------------------------------------ */

static uint32_t add_segment(Finder *l, uint32_t start, uint32_t end)
{
    cc_arena_grow(l->arena, (void **)&l->segments, l->n_segments, &l->segments_capacity, sizeof *l->segments);
    l->segments[l->n_segments] = (CcLiveSegment){start, end};
    return l->n_segments++;
}

/* Adds the segments inside a block, from occurrences [i, end). Returns how many blocks are now in work[]. */
static uint32_t walk_block(Finder *l, CcReg reg, uint32_t i, uint32_t end, uint32_t n_work)
{
    uint32_t block = l->occurrences[i].block, segment;
    bool set_before = l->occurrences[i].position & 1;
    l->seen[block] = reg + 1;
    if (set_before || (block == 0 && reg < l->f->n_parameters)) {
        segment = add_segment(l, set_before ? l->occurrences[i].position : 0, l->occurrences[i].position);
    } else {
        segment = add_segment(l, block_start(l, block), l->occurrences[i].position);
        l->work[n_work++] = block;
    }
    for (i++; i < end; i++) {
        uint32_t position = l->occurrences[i].position;
        if (position & 1)
            segment = add_segment(l, position, position);
        l->segments[segment].end = position;
    }
    l->last[block] = segment;
    return n_work;
}

static void want_at_ends(Finder *l, CcReg reg, uint32_t n_work)
{
    while (n_work) {
        uint32_t block = l->work[--n_work];
        for (uint32_t p = 0; p < l->n_predecessors[block]; p++) {
            uint32_t from = l->predecessor[block][p];
            if (l->wanted_at_end[from] == reg + 1)
                continue;
            l->wanted_at_end[from] = reg + 1;
            if (l->seen[from] == reg + 1) {
                l->segments[l->last[from]].end = block_end(l, from);
                continue;
            }
            (void)add_segment(l, block_start(l, from), block_end(l, from));
            l->work[n_work++] = from;
        }
    }
}

static int compare_segments(const void *a, const void *b)
{
    const CcLiveSegment *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static CcLiveRange collect(Finder *l)
{
    bool sorted = true;
    for (uint32_t i = 1; i < l->n_segments; i++)
        sorted &= l->segments[i - 1].start < l->segments[i].start;
    if (!sorted)
        qsort(l->segments, l->n_segments, sizeof *l->segments, compare_segments);
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n_segments; i++) {
        if (n && l->segments[i].start <= l->segments[n - 1].end + 1)
            l->segments[n - 1].end = MAX(l->segments[n - 1].end, l->segments[i].end);
        else
            l->segments[n++] = l->segments[i];
    }
    CcLiveRange range = {cc_arena_alloc(l->arena, (n + 1) * sizeof(CcLiveSegment)), n};
    if (n)
        memcpy(range.items, l->segments, n * sizeof *range.items);
    return range;
}

static CcLiveRange find_range(Finder *l, CcReg reg)
{
    uint32_t i = l->first[reg], end = l->first[reg + 1], n_work = 0;
    l->n_segments = 0;
    while (i < end) {
        uint32_t next = i;
        while (next < end && l->occurrences[next].block == l->occurrences[i].block)
            next++;
        n_work = walk_block(l, reg, i, next, n_work);
        i = next;
    }
    want_at_ends(l, reg, n_work);
    return collect(l);
}

CcLiveRange *cc_live_ranges(CcIrFunction *f, CcArena *arena)
{
    Finder l = {.f = f, .arena = arena};
    find_blocks(&l);
    find_occurrences(&l);
    size_t size = (l.n_blocks + 1) * sizeof(uint32_t);
    l.wanted_at_end = cc_arena_alloc(arena, size);
    l.last = cc_arena_alloc(arena, size);
    l.work = cc_arena_alloc(arena, 2 * size);
    CcLiveRange *ranges = cc_arena_alloc(arena, (f->n_regs + 1) * sizeof *ranges);
    for (CcReg reg = 0; reg < f->n_regs; reg++)
        ranges[reg] = find_range(&l, reg);
    return ranges;
}

bool cc_live_ranges_meet(const CcLiveRange *a, const CcLiveRange *b)
{
    uint32_t i = 0, k = 0;
    while (i < a->n && k < b->n) {
        if (a->items[i].end < b->items[k].start)
            i++;
        else if (b->items[k].end < a->items[i].start)
            k++;
        else
            return true;
    }
    return false;
}

CcLiveRange cc_live_ranges_join(CcArena *arena, const CcLiveRange *a, const CcLiveRange *b)
{
    CcLiveRange range = {cc_arena_alloc(arena, (a->n + b->n + 1) * sizeof(CcLiveSegment)), 0};
    uint32_t i = 0, k = 0;
    while (i < a->n || k < b->n) {
        bool first = k == b->n || (i < a->n && a->items[i].start < b->items[k].start);
        CcLiveSegment segment = first ? a->items[i++] : b->items[k++];
        if (range.n && segment.start <= range.items[range.n - 1].end + 1)
            range.items[range.n - 1].end = MAX(range.items[range.n - 1].end, segment.end);
        else
            range.items[range.n++] = segment;
    }
    return range;
}
