/* dead.c - removes instructions whose results nothing reads. */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

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

/* Walks backwards, so that instructions that only fed dead code go in the same walk. */
void cc_optimise_dead(CcIrFunction *f)
{
    uint32_t *counts = cc_arena_alloc(f->arena, (f->n_regs + 1) * sizeof *counts);
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
