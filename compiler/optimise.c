/* optimise.c - the passes, in their order.
 *
 *   cc_flow_clean            optimise_flow.c      jumps to jumps, blocks that nothing reaches
 *   cc_flow_copy_loop_tests  optimise_flow.c      loops with their test at the bottom
 *   cc_ssa_enter             optimise_ssa.c       into SSA form; copies go
 *   cc_optimise_values       optimise_values.c    constants, common subexpressions, loads, known branches
 *   cc_optimise_divisions    optimise_divide.c    divisions by constants
 *   cc_ssa_legalise          optimise_legal.c     immediates that fit vCode's fields
 *   cc_find_loops            optimise_loops.c     loops and their preheaders
 *   cc_optimise_loops        optimise_loops.c     what does not change moves out of loops
 *   cc_optimise_strength     optimise_strength.c  addresses and products in loops by steps
 *   cc_optimise_stores       optimise_stores.c    stores that nothing reads
 *   cc_ssa_leave             optimise_leave.c     out of SSA form
 *   cc_coalesce              optimise_coalesce.c  copies go again
 *
 * At -O0 the flow graph is cleaned and dead code dropped, no more. So it is with functions that SSA form does not suit
 * (computed goto, setjmp, hundreds of thousands of instructions), except that copies within a block are looked through.
 * Every pass is near-linear in the size of the function; what could cost more has a limit beyond which it does less.
 */
#include "compiler/optimise.h"

#include <string.h>

/* -- copies ------------------------------------------------------------------------------------ */

typedef struct Copy {
    uint32_t version; /* of the register: number of times it was set so far */
    uint32_t block;   /* 1 + number of the block where the rest was noted */
    CcReg source;
    uint32_t own_version, source_version;
} Copy;

static CcReg source_of(const Copy *copies, CcReg reg, uint32_t block)
{
    const Copy *c = &copies[reg];
    bool valid = c->block == block && c->own_version == c->version && copies[c->source].version == c->source_version;
    return valid ? c->source : reg;
}

static void note_copy(Copy *copies, const CcIrInstr *i, uint32_t block)
{
    Copy *c = &copies[i->a];
    *c = (Copy){c->version, block, i->b, c->version, copies[i->b].version};
}

static void propagate_in_block(CcIrFunction *f, CcIrBlock *b, Copy *copies)
{
    for (uint32_t k = 0; k < b->count; k++) {
        CcIrInstr *i = &b->items[k];
        CcIrUses uses = cc_ir_uses(f, i);
        for (unsigned u = 0; u < uses.n; u++)
            if (i->op != VCODE_CMOV || uses.field[u] != &i->a)
                *uses.field[u] = source_of(copies, *uses.field[u], b->index + 1);
        for (unsigned u = 0; u < uses.n_list; u++)
            uses.list[u] = source_of(copies, uses.list[u], b->index + 1);
        CcReg set = cc_ir_defined(i);
        if (set == CC_NO_REG)
            continue;
        copies[set].version++;
        if (i->op == VCODE_MOV && i->a != i->b)
            note_copy(copies, i, b->index + 1);
    }
}

static void propagate_copies(CcIrFunction *f)
{
    Copy *copies = cc_alloc(f->arena, (f->n_regs + 1) * sizeof *copies);
    for (CcIrBlock *b = f->first; b; b = b->next)
        propagate_in_block(f, b, copies);
}

/* -- dead code --------------------------------------------------------------------------------- */

static void count_uses(const CcIrFunction *f, CcIrInstr *i, uint32_t *counts, int by)
{
    CcIrUses uses = cc_ir_uses(f, i);
    for (unsigned u = 0; u < uses.n; u++)
        counts[*uses.field[u]] += (uint32_t)by;
    for (unsigned u = 0; u < uses.n_list; u++)
        counts[uses.list[u]] += (uint32_t)by;
}

static bool is_dead(const CcIrInstr *i, const uint32_t *counts)
{
    CcReg set = cc_ir_defined(i);
    if (i->op == VCODE_NOP || (i->op == VCODE_MOV && i->a == i->b))
        return true;
    return set != CC_NO_REG && counts[set] == 0 && cc_ir_is_pure(i);
}

/* Backwards, so that what only fed dead code goes in the same walk. */
static void remove_dead(CcIrFunction *f)
{
    uint32_t *counts = cc_alloc(f->arena, (f->n_regs + 1) * sizeof *counts);
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++)
            count_uses(f, &b->items[k], counts, 1);
    for (CcIrBlock *b = f->first; b; b = b->next) {
        uint32_t kept = b->count;
        for (uint32_t k = b->count; k-- > 0;) {
            CcIrInstr *i = &b->items[k];
            if (is_dead(i, counts)) {
                if (i->op != VCODE_NOP)
                    count_uses(f, i, counts, -1);
                continue;
            }
            if (i->op == CC_IR_CALL && i->a != CC_NO_REG && counts[i->a] == 0)
                i->a = CC_NO_REG;
            b->items[--kept] = *i;
        }
        memmove(b->items, b->items + kept, (b->count - kept) * sizeof *b->items);
        b->count -= kept;
    }
}

static bool optimise_in_ssa(CcIrFunction *f)
{
    CcSsa s;
    if (!cc_ssa_enter(&s, f))
        return false;
    cc_optimise_values(&s);
    cc_optimise_divisions(&s);
    cc_ssa_legalise(&s);
    cc_find_loops(&s);
    if (s.n_loops) {
        cc_optimise_loops(&s);
        cc_optimise_values(&s);
        cc_find_loops(&s);
        cc_optimise_strength(&s);
        cc_optimise_loops(&s);
        cc_optimise_values(&s);
    }
    cc_optimise_stores(&s);
    cc_ssa_leave(&s);
    cc_flow_clean(f);
    cc_coalesce(f);
    return true;
}

void cc_optimise(CcIrFunction *f, int level)
{
    cc_flow_clean(f);
    if (level > 0) {
        cc_flow_copy_loop_tests(f);
        cc_flow_clean(f);
        if (!optimise_in_ssa(f))
            propagate_copies(f);
    }
    remove_dead(f);
    cc_flow_clean(f);
}
