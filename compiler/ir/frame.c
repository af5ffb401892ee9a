/* frame.c - the memory frame of a function: its objects and their offsets.
 *
 * The frame is used like a stack. A variable occupies it from the start of its block to the end, a temporary (a copy of
 * a struct argument, a result buffer) to the end of its statement.
 *
 *      frame -> | variables of outer blocks | of inner blocks | temporaries | ... | frames of inlined functions
 *
 * While code is lowered and functions are inlined, each variable is an object with an address of its own (CC_IR_FRAME).
 * So one variable can move to registers without the others. cc_ir_frame_finish() turns the remaining objects into
 * offsets in the frame: loads and stores get the frame's register as base, and other uses add to it. If the optimiser
 * is on, memory that no object uses any more is removed. Objects that shared memory still share it.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"

#include <stdlib.h>

/* -- layout ------------------------------------------------------------------------------------ */

static void find_used(const CcIrFunction *f, bool *used)
{
    for (const CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++)
            if (b->items[k].op == CC_IR_FRAME)
                used[b->items[k].extra] = true;
}

/* The bytes of the frame that an object covers. */
typedef struct Extent {
    uint64_t offset, end;
    uint32_t object;
} Extent;

static int compare_extents(const void *a, const void *b)
{
    const Extent *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->object < y->object ? -1 : 1;
}

/* Moves objects down over memory that none of them covers. Moves by multiples of 16 to keep alignment. */
static void close_gaps(CcIrFunction *f, const bool *used)
{
    Extent *extents = cc_arena_alloc(f->arena, (f->n_objects + 1) * sizeof *extents);
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_objects; i++)
        if (used[i])
            extents[n++] = (Extent){f->objects[i].offset, f->objects[i].offset + f->objects[i].size, i};
    qsort(extents, n, sizeof *extents, compare_extents);
    uint64_t covered = 0, closed = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t start = extents[i].offset & ~UINT64_C(15);
        uint64_t end = cc_align_up(covered, 16);
        if (start > end)
            closed += start - end;
        covered = MAX(covered, extents[i].end);
        f->objects[extents[i].object].offset -= closed;
    }
    f->frame_bytes = cc_align_up(covered, 16) - closed;
}

void cc_ir_frame_pack(CcIrFunction *f)
{
    bool *used = cc_arena_alloc(f->arena, f->n_objects + 1);
    find_used(f, used);
    close_gaps(f, used);
}

/* -- addresses --------------------------------------------------------------------------------- */

/* Per register: the only instruction that sets it, if that is a CC_IR_FRAME. */
typedef struct Addresses {
    CcIrInstr *only; /* copies of instructions; op 0: no CC_IR_FRAME sets the register */
    uint8_t *times;  /* how often the register is set: 0, 1, or 2 for more */
} Addresses;

static Addresses find_addresses(CcIrFunction *f)
{
    Addresses a = {cc_arena_alloc(f->arena, (f->n_regs + 1) * sizeof(CcIrInstr)),
                   cc_arena_alloc(f->arena, f->n_regs + 1)};
    for (CcReg reg = 0; reg < f->n_parameters; reg++)
        a.times[reg] = 2;
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++) {
            CcReg set = cc_ir_defined(&b->items[k]);
            if (set == CC_NO_REG)
                continue;
            a.times[set] = (uint8_t)MIN(a.times[set] + 1, 2);
            if (b->items[k].op == CC_IR_FRAME)
                a.only[set] = b->items[k];
        }
    return a;
}

static void place_instruction(CcIrFunction *f, const Addresses *addresses, CcIrInstr *i)
{
    VcodeForm form = cc_ir_form(i->op);
    if (form == VCODE_FORM_STORE)
        i->n = 0; /* only earlier passes use the kind of the stored value */
    if (form == VCODE_FORM_STORE || form == VCODE_FORM_LOAD) {
        const CcIrInstr *base = &addresses->only[i->b];
        if (base->op != CC_IR_FRAME || addresses->times[i->b] != 1)
            return;
        i->imm += (int64_t)f->objects[base->extra].offset + base->imm;
        i->b = f->frame;
        i->extra = base->extra + 1;
    } else if (i->op == CC_IR_FRAME) {
        int64_t offset = (int64_t)f->objects[i->extra].offset + i->imm;
        *i = (CcIrInstr){.op = offset ? VCODE_ADDI_L : VCODE_MOV,
                         .a = i->a,
                         .b = f->frame,
                         .c = CC_NO_REG,
                         .loc = i->loc,
                         .extra = i->extra + 1,
                         .imm = offset};
    }
}

static void set_enter(CcIrFunction *f)
{
    g_assert(f->first);
    CcIrInstr *enter = &f->first->items[0];
    g_assert(enter->op == VCODE_ENTER);
    enter->a = f->frame;
    enter->imm = (int64_t)f->frame_bytes;
    if (f->frame_bytes)
        return;
    *enter = (CcIrInstr){.op = VCODE_NOP, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG, .loc = enter->loc};
    f->regs[f->frame].pinned = false;
}

static void place_variables(CcIrFunction *f, const bool *used)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->n_variables; i++) {
        CcIrVariable v = f->variables[i];
        if (v.location == VCODE_AT_FRAME) {
            if (!used[v.where])
                continue;
            f->objects[v.where].symbol = v.symbol;
            v.where = (int64_t)f->objects[v.where].offset;
        }
        f->variables[kept++] = v;
    }
    f->n_variables = kept;
}

void cc_ir_frame_finish(CcIrFunction *f, bool pack)
{
    bool *used = cc_arena_alloc(f->arena, f->n_objects + 1);
    if (pack) {
        cc_ir_frame_pack(f);
        find_used(f, used);
    } else {
        for (uint32_t i = 0; i < f->n_objects; i++)
            used[i] = true;
    }
    for (uint32_t i = 0; i < f->n_objects; i++)
        f->objects[i].used = used[i];
    Addresses addresses = find_addresses(f);
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++)
            place_instruction(f, &addresses, &b->items[k]);
    place_variables(f, used);
    set_enter(f);
}
