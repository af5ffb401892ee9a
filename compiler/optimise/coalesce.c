/* coalesce.c - removes copies: source and target become one register if their values are never live at once.
 *
 * Copies in the innermost loops come first. Two registers may be merged if their live ranges do not meet (Chaitin,
 * "Register allocation and spilling via graph coloring", 1982). The merged range is kept for later queries, so the
 * answers are exact. Two parameters are never merged, nor is the frame's address with anything.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SEGMENTS = 2048, DEEPEST = 8 };

typedef struct Coalesce {
    CcIrFunction *f;
    CcArena *arena;
    CcReg *joined; /* link towards the representative of the merged registers */
    CcLiveRange *ranges;
} Coalesce;

static CcReg representative(Coalesce *c, CcReg reg)
{
    while (c->joined[reg] != reg) {
        c->joined[reg] = c->joined[c->joined[reg]];
        reg = c->joined[reg];
    }
    return reg;
}

static bool may_join(const Coalesce *c, CcReg a, CcReg b)
{
    const CcIrFunction *f = c->f;
    if (f->regs[a].pinned || f->regs[b].pinned || (a < f->n_parameters && b < f->n_parameters))
        return false;
    return c->ranges[a].n <= MOST_SEGMENTS && c->ranges[b].n <= MOST_SEGMENTS &&
           !cc_live_ranges_meet(&c->ranges[a], &c->ranges[b]);
}

/* Returns the origin of a merged register: the variable that all members hold values of, for the debugger. */
static uint32_t common_origin(const CcIrReg *a, const CcIrReg *b)
{
    if (a->origin == b->origin || b->origin == CC_ORIGIN_ANY)
        return a->origin;
    return a->origin == CC_ORIGIN_ANY ? b->origin : CC_ORIGIN_NONE;
}

static void join(Coalesce *c, CcReg a, CcReg b)
{
    if (b < c->f->n_parameters) {
        CcReg swap = a;
        a = b;
        b = swap;
    }
    CcIrReg *regs = c->f->regs;
    c->joined[b] = a;
    c->ranges[a] = cc_live_ranges_join(c->arena, &c->ranges[a], &c->ranges[b]);
    regs[a].origin = common_origin(&regs[a], &regs[b]);
    regs[a].variable |= regs[b].variable;
}

static void try_copies(Coalesce *c, CcIrBlock *b)
{
    for (uint32_t k = 0; k < b->count; k++) {
        const CcIrInstr *i = &b->items[k];
        if (i->op != VCODE_MOV)
            continue;
        CcReg to = representative(c, i->a), from = representative(c, i->b);
        if (to != from && may_join(c, to, from))
            join(c, to, from);
    }
}

static void rename_block(Coalesce *c, CcIrBlock *b)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        CcIrInstr i = b->items[k];
        CcIrUses uses = cc_ir_uses(c->f, &i);
        for (unsigned u = 0; u < uses.n; u++)
            *uses.field[u] = representative(c, *uses.field[u]);
        for (unsigned u = 0; u < uses.n_list; u++)
            uses.list[u] = representative(c, uses.list[u]);
        if (cc_ir_defined(&i) != CC_NO_REG)
            i.a = representative(c, i.a);
        if (i.op != VCODE_MOV || i.a != i.b)
            b->items[kept++] = i;
    }
    b->count = kept;
}

void cc_coalesce(CcIrFunction *f)
{
    CcArena *arena = cc_arena_new();
    Coalesce c = {f, arena, cc_arena_alloc(arena, (f->n_regs + 1) * sizeof(CcReg)), cc_live_ranges(f, arena)};
    for (CcReg reg = 0; reg < f->n_regs; reg++)
        c.joined[reg] = reg;
    for (uint32_t depth = DEEPEST + 1; depth-- > 0;)
        for (CcIrBlock *b = f->first; b; b = b->next)
            if (MIN(b->depth, DEEPEST) == depth)
                try_copies(&c, b);
    for (CcIrBlock *b = f->first; b; b = b->next)
        rename_block(&c, b);
    for (CcReg reg = 0; reg < f->n_equals; reg++)
        if (f->equals[reg] != CC_NO_REG)
            f->equals[reg] = representative(&c, f->equals[reg]);
    cc_arena_free(arena);
}
