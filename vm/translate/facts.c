/* facts.c - memory that comparisons have shown to be accessible, within a block and in blocks that only come behind it.
 *
 * A fact is about what a register held, not about the register: `p + 4` and a copy of `p` are as good as `p` itself. So
 * for each register there is its *origin*: what was in which variable when it was set last, and the constant that has
 * been added since.
 *
 *     r5 = r3            r5 is r3's origin
 *     r3 = r3 + 4        r3 is its own origin + 4
 *     load [r5]          tests [origin, origin + 8) if the next one is
 *     load [r3]          ... which needs no test
 */
#include "vm/translate/access.h"

enum {
    WIDEST_TEST = 1 << 15,
    NEARBY = 64,        /* behind a branch */
    DEPTH = 2,          /* branches */
    MOST_BRANCHES = 16, /* of a switch */
    MOST_HOLDERS = 6
};

/* -- origins ----------------------------------------------------------------------------------- */

/* The register that an instruction copies, with a constant added; false for others. */
static bool is_copy(VcodeInstr i, uint32_t *from, int64_t *added)
{
    *from = vcode_b(i);
    *added = vcode_op(i) == VCODE_ADDI_L ? vcode_simm_c(i) : 0;
    return vcode_op(i) == VCODE_MOV || vcode_op(i) == VCODE_ADDI_L;
}

void vm_facts_step(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    int written = vm_effects(i).written;
    uint32_t from;
    int64_t added;
    if (written < 0)
        return;
    VmOrigin *origin = &p->origins[written];
    if (is_copy(i, &from, &added)) {
        *origin = p->origins[from];
        origin->added += added;
        return;
    }
    *origin =
        (VmOrigin){p->flow->set_web[pc - p->flow->function->code_start], 1 + pc - p->flow->blocks[p->block].start, 0};
}

static bool same_origin(const VmOrigin *a, const VmOrigin *b)
{
    return a->web == b->web && a->set == b->set;
}

/* -- facts ------------------------------------------------------------------------------------- */

VmFact vm_facts_key(const VmPrinter *p, VmAccess *access)
{
    VmFact key = {.base = p->origins[access->base_reg], .shift = (uint8_t)access->shift};
    key.index.web = VCODE_NONE;
    if (access->index_reg != VCODE_NONE)
        key.index = p->origins[access->index_reg];
    access->origin = key.base.added + (int64_t)((uint64_t)key.index.added << access->shift);
    return key;
}

static bool same_key(const VmFact *a, const VmFact *b)
{
    return a->base.web != VCODE_NONE && same_origin(&a->base, &b->base) && same_origin(&a->index, &b->index) &&
           (a->index.web == VCODE_NONE || a->shift == b->shift);
}

const VmFact *vm_facts_find(const VmPrinter *p, const VmFact *key, const VmAccess *access)
{
    int64_t at = access->origin + access->displacement;
    for (guint k = 0; k < p->facts->len; k++) {
        const VmFact *fact = &g_array_index(p->facts, VmFact, k);
        if (same_key(fact, key) && (fact->writable || access->load) && at >= fact->low &&
            at + (int64_t)access->size <= fact->high)
            return fact;
    }
    return NULL;
}

void vm_facts_add(VmPrinter *p, const VmFact *fact)
{
    g_array_append_vals(p->facts, fact, 1);
}

static bool is_in(const VmFlow *flow, uint32_t block, uint32_t loop)
{
    uint32_t around = flow->blocks[block].loop;
    while (around != VCODE_NONE && around != loop)
        around = flow->loops[around].outer;
    return around == loop;
}

/* Whether strips come from `from` to the block as well, which test nothing of that kind. */
static bool follows_strip(const VmPrinter *p, uint32_t from, uint32_t block)
{
    const VmFlow *flow = p->flow;
    for (uint32_t l = flow->blocks[from].loop; l != VCODE_NONE; l = flow->loops[l].outer)
        if (p->strips[flow->loops[l].header] && !is_in(flow, block, l))
            return true;
    return false;
}

/* A block begins with what its only predecessor ended with. */
void vm_facts_begin_block(VmPrinter *p)
{
    const VmFlowBlock *block = &p->flow->blocks[p->block];
    for (uint32_t r = 0; r < p->flow->function->registers; r++)
        p->origins[r] = (VmOrigin){p->now[r], 0, 0};
    g_array_set_size(p->facts, 0);
    if (p->strip || block->predecessors != 1 || !p->block_facts[block->only_from] ||
        follows_strip(p, block->only_from, p->block))
        return;
    const GArray *inherited = p->block_facts[block->only_from];
    if (inherited->len)
        g_array_append_vals(p->facts, inherited->data, inherited->len);
}

/* The facts once more for a register that is of their base's origin, as the next block knows it. */
static void keep(const VmPrinter *p, const VmFact *fact, uint32_t reg, uint32_t index, GArray *kept)
{
    VmFact of = *fact;
    int64_t moved = p->origins[reg].added;
    of.base = (VmOrigin){p->now[reg], 0, 0};
    if (index != VCODE_NONE) {
        of.index = (VmOrigin){p->now[index], 0, 0};
        moved += (int64_t)((uint64_t)p->origins[index].added << fact->shift);
    }
    of.low -= moved;
    of.high -= moved;
    g_array_append_val(kept, of);
}

void vm_facts_end_block(VmPrinter *p)
{
    if (p->strip)
        return;
    VcodeInstr last = p->flow->code[p->flow->blocks[p->block].end - 1];
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(VmFact));
    bool calls = vm_code_is_call(last); /* the heap may shrink */
    uint32_t registers = p->flow->function->registers;
    for (guint k = 0; k < p->facts->len && !calls; k++) {
        const VmFact *fact = &g_array_index(p->facts, VmFact, k);
        uint32_t index = VCODE_NONE;
        for (uint32_t r = 0; r < registers && fact->index.web != VCODE_NONE && index == VCODE_NONE; r++)
            if (same_origin(&p->origins[r], &fact->index))
                index = r;
        for (uint32_t r = 0; r < registers && (fact->index.web == VCODE_NONE || index != VCODE_NONE); r++)
            if (same_origin(&p->origins[r], &fact->base))
                keep(p, fact, r, index, kept);
    }
    p->block_facts[p->block] = kept;
}

/* -- widening ---------------------------------------------------------------------------------- */

/* Registers that hold something, with a constant added. */
typedef struct Holders {
    unsigned count;
    uint32_t reg[MOST_HOLDERS];
    int64_t added[MOST_HOLDERS];
} Holders;

typedef struct Widening {
    VmFact *range;
    int64_t widest;
    bool loads; /* nothing of it is stored */
    bool kept;  /* stores behind a branch do not count: what is only loaded may be constant */
    unsigned count;
} Widening;

static const int64_t *held_by(const Holders *h, uint32_t reg)
{
    for (unsigned k = 0; k < h->count; k++)
        if (h->reg[k] == reg)
            return &h->added[k];
    return NULL;
}

static void hold(Holders *h, uint32_t reg, int64_t added)
{
    if (h->count == MOST_HOLDERS)
        return;
    h->reg[h->count] = reg;
    h->added[h->count++] = added;
}

static Holders find_holders(const VmPrinter *p, const VmOrigin *origin)
{
    Holders h = {.count = 0};
    for (uint32_t r = 0; origin->web != VCODE_NONE && r < p->flow->function->registers; r++)
        if (same_origin(&p->origins[r], origin))
            hold(&h, r, p->origins[r].added);
    return h;
}

static void step_holders(Holders *h, VcodeInstr i, uint32_t written)
{
    uint32_t from;
    int64_t added;
    const int64_t *held = is_copy(i, &from, &added) ? held_by(h, from) : NULL;
    int64_t sum = held ? *held + added : 0;
    for (unsigned k = 0; k < h->count; k++)
        if (h->reg[k] == written) {
            h->reg[k] = h->reg[--h->count];
            h->added[k] = h->added[h->count];
            break;
        }
    if (held)
        hold(h, written, sum);
}

static void widen_by(Widening *w, const VmAccess *access, int64_t origin)
{
    int64_t at = origin + access->displacement;
    int64_t low = MIN(w->range->low, at), high = MAX(w->range->high, at + (int64_t)access->size);
    if (high - low > w->widest || (w->kept && w->loads && !access->load))
        return;
    w->range->low = low;
    w->range->high = high;
    w->loads = w->loads && access->load;
    w->count++;
}

/* To what [pc, end) accesses with the same key; false where nothing holds that any more. */
static bool widen_within(const VmFlow *flow, uint32_t pc, uint32_t end, Holders *base, Holders *index, Widening *w)
{
    bool indexed = w->range->index.web != VCODE_NONE;
    for (uint32_t at = pc; at < end && base->count && (!indexed || index->count); at++) {
        VmAccess access;
        VcodeInstr i = flow->code[at];
        if (vm_access_describe(i, &access) && indexed == (access.index_reg != VCODE_NONE)) {
            const int64_t *b = held_by(base, access.base_reg), *x = indexed ? held_by(index, access.index_reg) : NULL;
            if (b && (!indexed || (x && access.shift == w->range->shift)))
                widen_by(w, &access, *b + (x ? (int64_t)((uint64_t)*x << access.shift) : 0));
        }
        int written = vm_effects(i).written;
        if (written < 0)
            continue;
        step_holders(base, i, (uint32_t)written);
        step_holders(index, i, (uint32_t)written);
    }
    return base->count && (!indexed || index->count);
}

/* ... to what blocks that only come behind this one access. */
static void widen_behind(const VmFlow *flow, const VmFlowBlock *block, unsigned depth, const Holders *base,
                         const Holders *index, Widening *w)
{
    if (depth == 0 || vm_code_is_call(flow->code[block->end - 1]))
        return;
    for (uint32_t s = 0; s < MIN(block->successors, MOST_BRANCHES); s++) {
        const VmFlowBlock *to = vm_flow_successor(flow, block, s);
        Holders base_there = *base, index_there = *index;
        if (to->predecessors == 1 && !to->checkpoint &&
            widen_within(flow, to->start, to->end, &base_there, &index_there, w))
            widen_behind(flow, to, depth - 1, &base_there, &index_there, w);
    }
}

unsigned vm_facts_widen(const VmPrinter *p, uint32_t pc, const VmAccess *access, VmFact *range, bool *loads)
{
    const VmFlowBlock *block = &p->flow->blocks[p->block];
    Holders base = find_holders(p, &range->base), index = find_holders(p, &range->index);
    Widening w = {.range = range, .widest = WIDEST_TEST, .loads = true};
    range->low = access->origin + access->displacement;
    range->high = range->low + (int64_t)access->size;
    if (widen_within(p->flow, pc, block->end, &base, &index, &w) && !p->strip) {
        w.widest = NEARBY;
        w.kept = true;
        widen_behind(p->flow, block, DEPTH, &base, &index, &w);
    }
    *loads = w.loads;
    return w.count;
}
