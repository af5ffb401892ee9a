/* stores.c - removes stores whose bytes nothing reads.
 *
 * Blocks are walked backwards with two sets of facts:
 *
 *   overwrites  bytes anywhere that a later store of the block certainly overwrites before anything may read them:
 *                   p->a = 1;  x = y + 1;  p->a = 2;
 *               A store within them is removed. If its address is bad, the later store faults in its place. So nothing
 *               that others could notice may lie between the two: a call, an access that may fault, a volatile one.
 *   live bytes  of the frame, if none of its addresses escapes: those that may be read on some path from here. Solved
 *               over the flow graph like live variables (Aho et al., "Compilers", 9.2.5). A store to dead
 *               bytes is removed.
 *
 * The frame counts as overwritten when the function returns. Only the first bytes of a frame are tracked, and fewer the
 * more blocks there are, so that time and memory stay near-linear.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

enum { MOST_BYTES = 1 << 14, MOST_WORDS = 1 << 18, MOST_OVERWRITES = 16, MOST_ROUNDS = 16, BITS = 64 };

typedef struct Stores {
    CcSsa *s;
    uint32_t n_words;                    /* size of a set of bytes of the frame; 0: they are not tracked */
    uint64_t *read, *overwritten, *live; /* per block: bytes read before they are written; written; live at its start */
    uint64_t *now;                       /* bytes live at the current instruction */
    uint64_t *gone;                      /* bytes to which some store was removed */
    CcAccess later[MOST_OVERWRITES];     /* the overwrites */
    uint32_t n_later;
    bool removed;
} Stores;

/* -- sets of bytes ----------------------------------------------------------------------------- */

/* Bytes [from, to) of the frame. */
typedef struct Range {
    uint64_t from, to;
} Range;

/* Returns the range of an access that is tracked. */
static Range followed(const Stores *st, const CcAccess *access)
{
    uint64_t end = (uint64_t)st->n_words * BITS;
    if (!access->exact)
        return (Range){0, end};
    if (access->at < 0) {
        uint64_t before = 0 - (uint64_t)access->at;
        return (Range){0, before < access->size ? MIN(access->size - before, end) : 0};
    }
    uint64_t from = MIN((uint64_t)access->at, end);
    return (Range){from, from + MIN(access->size, end - from)};
}

/* Returns the part of a word that is in the range, and advances the range to the next word. */
static uint64_t next_part(Range *range)
{
    unsigned low = range->from % BITS;
    uint64_t n = MIN(BITS - low, range->to - range->from);
    range->from += n;
    return (n == BITS ? UINT64_MAX : (UINT64_C(1) << n) - 1) << low;
}

static void add_bytes(uint64_t *set, Range range)
{
    g_assert(set);
    while (range.from < range.to) {
        uint64_t word = range.from / BITS;
        set[word] |= next_part(&range);
    }
}

static void remove_bytes(uint64_t *set, Range range)
{
    g_assert(set);
    while (range.from < range.to) {
        uint64_t word = range.from / BITS;
        set[word] &= ~next_part(&range);
    }
}

static bool has_bytes(const uint64_t *set, Range range)
{
    g_assert(set);
    while (range.from < range.to) {
        uint64_t word = range.from / BITS;
        if (set[word] & next_part(&range))
            return true;
    }
    return false;
}

/* -- what an instruction does ------------------------------------------------------------------ */

static bool is_block_operation(const CcIrInstr *i)
{
    return cc_ir_form(i->op) == VCODE_FORM_BLOCK;
}

static bool writes(CcSsa *s, const CcIrInstr *i, CcAccess *where)
{
    if (!cc_is_store(i) && !is_block_operation(i))
        return false;
    *where = cc_memory_access(s, i, false);
    return true;
}

static bool reads(CcSsa *s, const CcIrInstr *i, CcAccess *where)
{
    if (!cc_is_load(i) && i->op != VCODE_BCOPY)
        return false;
    *where = cc_memory_access(s, i, i->op == VCODE_BCOPY);
    return true;
}

static bool may_fault(CcSsa *s, const CcIrInstr *i)
{
    CcAccess to, from;
    bool written = writes(s, i, &to), read = reads(s, i, &from);
    if (!written && !read)
        return !cc_ir_is_pure(i) && !cc_ir_ends_block(i->op);
    return (written && !cc_memory_is_surely_mapped(s, &to)) || (read && !cc_memory_is_surely_mapped(s, &from));
}

/* -- live bytes of the frame ------------------------------------------------------------------- */

static void step_live(Stores *st, const CcIrInstr *i, uint64_t *live, uint64_t *overwritten)
{
    CcAccess where;
    if (writes(st->s, i, &where) && where.root == CC_ROOT_FRAME && where.exact) {
        Range range = followed(st, &where);
        remove_bytes(live, range);
        if (overwritten)
            add_bytes(overwritten, range);
    }
    if (reads(st->s, i, &where) && where.root == CC_ROOT_FRAME)
        add_bytes(live, followed(st, &where));
}

/* Computes the live bytes at the end of a block. After a trap anything may be looked at. */
static void start_live(const Stores *st, const CcIrBlock *b, uint64_t *live)
{
    g_assert(b->tail);
    memset(live, b->tail->i.op == VCODE_TRAP ? 0xff : 0, st->n_words * sizeof *live);
    for (uint32_t k = 0; k < b->n_successors; k++) {
        const uint64_t *there = st->live + (size_t)b->successor[k]->index * st->n_words;
        for (uint32_t w = 0; w < st->n_words; w++)
            live[w] |= there[w];
    }
}

static bool update_live(Stores *st, const CcIrBlock *b)
{
    size_t at = (size_t)b->index * st->n_words;
    bool changed = false;
    start_live(st, b, st->now);
    for (uint32_t w = 0; w < st->n_words; w++) {
        uint64_t live = st->read[at + w] | (st->now[w] & ~st->overwritten[at + w]);
        changed |= live != st->live[at + w];
        st->live[at + w] = live;
    }
    return changed;
}

static void find_live(Stores *st)
{
    CcSsa *s = st->s;
    uint64_t n_blocks = s->f->n_blocks;
    uint64_t n_words = (MIN(s->f->frame_bytes, MOST_BYTES) + BITS - 1) / BITS;
    st->n_words = s->frame_escapes ? 0 : (uint32_t)MIN(n_words, MOST_WORDS / n_blocks);
    if (!st->n_words)
        return;
    size_t size = n_blocks * st->n_words * sizeof(uint64_t);
    st->read = cc_arena_alloc(s->arena, size);
    st->overwritten = cc_arena_alloc(s->arena, size);
    st->live = cc_arena_alloc(s->arena, size);
    st->now = cc_arena_alloc(s->arena, st->n_words * sizeof(uint64_t));
    st->gone = cc_arena_alloc(s->arena, st->n_words * sizeof(uint64_t));
    for (uint32_t o = 0; o < s->n_order; o++) {
        size_t at = (size_t)s->order[o]->index * st->n_words;
        for (CcNode *node = s->order[o]->tail; node; node = node->previous)
            step_live(st, &node->i, st->read + at, st->overwritten + at);
    }
    bool changed = true;
    for (unsigned round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t o = s->n_order; o-- > 0;)
            changed |= update_live(st, s->order[o]);
    }
    if (changed)
        st->n_words = 0; /* no fixed point within MOST_ROUNDS: live bytes are not used */
}

/* -- overwrites -------------------------------------------------------------------------------- */

static bool within(int64_t at, uint64_t size, int64_t outer_at, uint64_t outer_size)
{
    return at >= outer_at && size <= outer_size && (uint64_t)at - (uint64_t)outer_at <= outer_size - size;
}

static bool covers(const CcAccess *later, const CcAccess *where)
{
    if (later->base == where->base && later->index == where->index && later->shift == where->shift)
        return within(where->offset, where->size, later->offset, later->size);
    return later->exact && where->exact && later->root == where->root && later->symbol == where->symbol &&
           within(where->at, where->size, later->at, later->size);
}

static void forget_read(Stores *st, const CcAccess *where)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < st->n_later; k++)
        if (!cc_memory_may_overlap(st->s, &st->later[k], where))
            st->later[kept++] = st->later[k];
    st->n_later = kept;
}

/* Drops the overwrites that no longer permit removal, where the program may end or other code may look at memory. Bytes
 * that are certainly in the frame remain, unless others look and may know them. After a fault nobody looks at the
 * frame. */
static void forget_noticed(Stores *st, bool others_look)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < st->n_later; k++) {
        const CcAccess *later = &st->later[k];
        bool in_frame = later->root == CC_ROOT_FRAME && cc_memory_is_surely_mapped(st->s, later);
        if (in_frame && !(others_look && cc_memory_is_shared(st->s, later)))
            st->later[kept++] = *later;
    }
    st->n_later = kept;
}

static void note_overwrite(Stores *st, const CcAccess *where)
{
    if (st->n_later < MOST_OVERWRITES) {
        st->later[st->n_later++] = *where;
        return;
    }
    memmove(st->later, st->later + 1, (MOST_OVERWRITES - 1) * sizeof *st->later);
    st->later[MOST_OVERWRITES - 1] = *where;
}

/* -- the walk ---------------------------------------------------------------------------------- */

static bool is_dead(Stores *st, const CcIrInstr *i)
{
    CcAccess where, source;
    if (i->volatile_ || !writes(st->s, i, &where))
        return false;
    if (reads(st->s, i, &source) && !cc_memory_is_surely_mapped(st->s, &source))
        return false;
    for (uint32_t k = 0; k < st->n_later; k++)
        if (covers(&st->later[k], &where))
            return true;
    if (where.root != CC_ROOT_FRAME || !cc_memory_is_surely_mapped(st->s, &where))
        return false;
    uint64_t end = (uint64_t)where.at + where.size;
    if (end > (uint64_t)st->n_words * BITS || has_bytes(st->now, followed(st, &where)))
        return false;
    add_bytes(st->gone, followed(st, &where));
    return true;
}

static void step_back(Stores *st, const CcIrInstr *i)
{
    CcAccess where;
    bool access = cc_is_load(i) || cc_is_store(i) || is_block_operation(i);
    if (i->volatile_ || (!access && may_fault(st->s, i)))
        forget_noticed(st, true);
    else if (may_fault(st->s, i))
        forget_noticed(st, false);
    if (!i->volatile_ && writes(st->s, i, &where))
        note_overwrite(st, &where);
    if (reads(st->s, i, &where))
        forget_read(st, &where);
    if (st->n_words)
        step_live(st, i, st->now, NULL);
}

static void walk_back(Stores *st, CcIrBlock *b)
{
    CcSsa *s = st->s;
    unsigned end = b->tail->i.op;
    st->n_later = 0;
    if (end == VCODE_RET || end == VCODE_RETV) {
        CcAccess frame = {.base = CC_NO_REG, .index = CC_NO_REG, .root = CC_ROOT_FRAME, .exact = true};
        frame.size = s->f->frame_bytes;
        note_overwrite(st, &frame);
    }
    if (st->n_words)
        start_live(st, b, st->now);
    for (CcNode *node = b->tail, *previous; node; node = previous) {
        previous = node->previous;
        if (is_dead(st, &node->i)) {
            cc_ssa_remove(s, node);
            st->removed = true;
        } else {
            step_back(st, &node->i);
        }
    }
}

/* Marks variables whose bytes memory does not hold any more. A debugger shows them as optimised out. */
static void hide_variables(const Stores *st)
{
    CcIrFunction *f = st->s->f;
    for (uint32_t k = 0; k < f->n_variables; k++) {
        CcIrVariable *v = &f->variables[k];
        if (v->location != VCODE_AT_FRAME)
            continue;
        CcAccess bytes = {.exact = true, .at = v->where, .size = v->symbol->type->size};
        if (!has_bytes(st->gone, followed(st, &bytes)))
            continue;
        v->location = VCODE_AT_PLACES;
        v->where = f->n_pieces;
        v->n_pieces = 0;
    }
}

void cc_optimise_stores(CcSsa *s)
{
    Stores st = {.s = s};
    cc_memory_find_escapes(s);
    find_live(&st);
    for (uint32_t o = 0; o < s->n_order; o++)
        walk_back(&st, s->order[o]);
    if (!st.removed)
        return;
    if (st.n_words)
        hide_variables(&st);
    cc_ssa_remove_dead(s);
}
