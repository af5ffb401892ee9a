/* function.c - a function's direct code: its instructions one after the other, where it may be entered, and what stands
 * out of line behind it.
 */
#include "internal.h"

#include <string.h>

enum { LARGEST_INSTRUCTION = 400, LARGEST_LATER = 64 }; /* bytes */
enum { FAR_ENOUGH = 8 };                                /* instructions that are looked at for the next use */

/* -- ends -------------------------------------------------------------------------------------- */

static void end_with(Maker *m, uint32_t pc, VmDirectEnd end)
{
    x86_constant(&m->text, X_RAX, (uint64_t)pc << PC_SHIFT);
    x86_target(x86_jump(&m->text), m->common->distance[end]);
}

void end_here(Maker *m)
{
    end_with(m, m->pc, VM_DIRECT_DO);
}

void add_later(Maker *m, Later later)
{
    g_array_append_val(m->laters, later);
}

void end_at(Maker *m, uint8_t *jump)
{
    add_later(m, (Later){.kind = LATER_DO, .pc = m->pc, .jump = jump});
}

static uint8_t *mark_of(const Maker *m, uint32_t pc)
{
    return m->marks[pc - m->function->code_start];
}

/* rax is the address, less data_base. */
static void read_constant(Maker *m, const Later *later)
{
    const VcodeModule *module = m->image->module;
    if (module->rodata.count >= later->size && module->rodata.count <= INT32_MAX) {
        x86_op(&m->text, X_ADD, true, X_RAX, x86_reg(REG_DATA_BASE));
        x86_immediate(&m->text, X_DO_SUB, true, x86_reg(X_RAX), (int32_t)VCODE_RODATA_BASE);
        x86_immediate(&m->text, X_DO_CMP, true, x86_reg(X_RAX), (int32_t)(module->rodata.count - later->size));
        uint8_t *outside = x86_jump_if(&m->text, X_IF_A);
        x86_constant(&m->text, X_RCX, (uint64_t)(uintptr_t)module->rodata.items);
        x86_op(&m->text, later->load, later->wide, later->reg, x86_indexed(X_RCX, X_RAX, 0));
        x86_target(x86_jump(&m->text), later->back);
        x86_here(&m->text, outside);
    }
    end_with(m, later->pc, VM_DIRECT_DO);
}

static void write_later(Maker *m, const Later *later)
{
    x86_here(&m->text, later->jump);
    switch (later->kind) {
    case LATER_DO: end_with(m, later->pc, VM_DIRECT_DO); return;
    case LATER_ARRIVE: end_with(m, later->pc, VM_DIRECT_ARRIVED); return;
    case LATER_TAKEN:
        x86_op(&m->text, X_TEST, true, REG_FUEL, x86_reg(REG_FUEL));
        x86_target(x86_jump_if(&m->text, X_IF_G), mark_of(m, later->pc));
        end_with(m, later->pc, VM_DIRECT_ARRIVED);
        return;
    case LATER_CONSTANT: read_constant(m, later); return;
    }
}

/* Returns false if there is not enough room. */
static bool write_laters(Maker *m)
{
    const Later *last = NULL;
    const uint8_t *text = NULL;
    for (guint k = 0; k < m->laters->len; k++) {
        const Later *later = &g_array_index(m->laters, Later, k);
        if (m->limit - m->text.at < LARGEST_LATER)
            return false;
        if (last && later->kind == LATER_DO && last->kind == LATER_DO && later->pc == last->pc) {
            x86_target(later->jump, text);
            continue;
        }
        last = later;
        text = m->text.at;
        write_later(m, later);
    }
    return true;
}

/* -- what comes next --------------------------------------------------------------------------- */

static bool computes_with_reals(VmOp op)
{
    if (op == VM_OP_NEG_D || op == VM_OP_ABS_D || op == VM_OP_NEG_F)
        return false;
    return (op >= VM_OP_ADD_D && op <= VM_OP_SLE_F) || (op >= VM_OP_CVT_W_D && op <= VM_OP_CVT_F_D) ||
           (op >= VM_OP_BEQ_D && op <= VM_OP_BNLE_D);
}

bool next_use_is_real(const Maker *m, unsigned reg)
{
    const VcodeFunction *f = m->function;
    uint32_t end = MIN(m->pc + 1 + FAR_ENOUGH, f->code_start + f->code_count);
    for (uint32_t pc = m->pc + 1; pc < end && !m->targets[pc - f->code_start]; pc++) {
        VcodeInstr i = m->image->module->code.items[pc];
        VmEffects effects = vm_effects(i);
        for (unsigned k = 0; k < effects.read_count; k++)
            if (effects.reads[k] == reg)
                return computes_with_reals(m->image->ops[pc]);
        if (effects.written == (int)reg || vm_code_is_call(i))
            return false;
    }
    return false;
}

/* -- the function ------------------------------------------------------------------------------ */

static void note_switch(Maker *m, const VmSwitch *table)
{
    const VmInstr *start = m->image->code + m->function->code_start;
    for (uint64_t k = 0; k < table->count; k++)
        m->targets[table->targets[k] - start] = true;
    m->targets[table->default_target - start] = true;
}

static void note_targets(Maker *m)
{
    const VcodeFunction *f = m->function;
    const VmInstr *code = m->image->code + f->code_start;
    bool computed = false;
    for (uint32_t k = 0; k < f->code_count; k++) {
        VcodeOp op = vcode_op(m->image->module->code.items[f->code_start + k]);
        VcodeForm form = vcode_op_info[op].form;
        if (form == VCODE_FORM_JUMP || form == VCODE_FORM_BRR || form == VCODE_FORM_BRI)
            m->targets[(int64_t)k + code[k].target] = true;
        else if (form == VCODE_FORM_SWITCH)
            note_switch(m, &m->image->switches[code[k].target]);
        computed |= op == VCODE_JMPR;
    }
    for (uint32_t k = 0; k < f->code_count && computed; k++)
        m->targets[k] |= vm_bit(m->image->block_starts, f->code_start + k);
}

static bool make_instruction(Maker *m, const VmInstr *i, VmOp op)
{
    release(m);
    return make_compute(m, i, op) || make_access(m, i, op) || make_control(m, i, op);
}

/* Returns false if there is not enough room. */
static bool make_instructions(Maker *m, DirectEntry *entries)
{
    const VcodeFunction *f = m->function;
    bool enters = true;
    for (uint32_t k = 0; k < f->code_count; k++) {
        m->pc = f->code_start + k;
        if (m->limit - m->text.at < LARGEST_INSTRUCTION)
            return false;
        enters |= m->targets[k];
        if (enters)
            forget_all(m);
        m->marks[k] = m->text.at;
        VmOp op = m->image->ops[m->pc];
        bool made = make_instruction(m, &m->image->code[m->pc], op);
        if (enters)
            entries[k] = (DirectEntry){m->marks[k], made};
        if (!made)
            end_here(m);
        enters = !made || op == VM_OP_CALL || op == VM_OP_CALLI || op == VM_OP_CALLX;
    }
    return true;
}

uint8_t *make_function(const VmImage *image, uint32_t index, const Common *common, uint8_t *at, const uint8_t *limit,
                       DirectEntry *entries)
{
    const VcodeFunction *f = &image->module->functions.items[index];
    Maker m = {.text = {at}, .limit = limit, .image = image, .common = common, .function = f};
    m.marks = g_new0(uint8_t *, f->code_count);
    m.targets = g_new0(bool, f->code_count);
    m.jumps = g_array_new(FALSE, FALSE, sizeof(Jump));
    m.laters = g_array_new(FALSE, FALSE, sizeof(Later));
    note_targets(&m);
    bool done = make_instructions(&m, entries) && write_laters(&m);
    for (guint k = 0; k < m.jumps->len && done; k++) {
        const Jump *jump = &g_array_index(m.jumps, Jump, k);
        x86_target(jump->jump, m.marks[jump->target]);
    }
    g_free(m.marks);
    g_free(m.targets);
    g_array_free(m.jumps, TRUE);
    g_array_free(m.laters, TRUE);
    return done ? m.text.at : NULL;
}
