/* copies.c - replaces copies by their sources, within blocks of functions that SSA form does not suit. */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

typedef struct Copy {
    uint32_t version; /* number of times that the register was set so far */
    uint32_t block;   /* 1 + number of the block for which the other fields hold */
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

void cc_optimise_copies(CcIrFunction *f)
{
    Copy *copies = cc_arena_alloc(f->arena, (f->n_regs + 1) * sizeof *copies);
    for (CcIrBlock *b = f->first; b; b = b->next)
        propagate_in_block(f, b, copies);
}
