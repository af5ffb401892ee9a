/* function.c - a function's direct code: its instructions one after the other, where it may be entered, and what stands
 * out of line behind it.
 */
#include "internal.h"

#include <stdlib.h>

enum { LARGEST_INSTRUCTION = 1000, LARGEST_LATER = 300 }; /* bytes */
enum { MOST_KEPT = 4, MOST_REAL_KEPT = 10 };              /* registers that a loop keeps */
enum { FAR_ENOUGH = 8 };                                  /* instructions that are looked at for the next use */

/* -- ends -------------------------------------------------------------------------------------- */

static void end_with(Maker *m, uint32_t pc, VmDirectEnd end)
{
    vm_x86_constant(&m->text, X_RAX, (uint64_t)pc << PC_SHIFT);
    vm_x86_target(vm_x86_jump(&m->text), m->common->distance[end]);
}

void vm_function_end_here(Maker *m)
{
    end_with(m, m->pc, VM_DIRECT_DO);
}

void vm_function_add_later(Maker *m, Later later)
{
    g_array_append_val(m->laters, later);
}

void vm_function_end_at(Maker *m, uint8_t *jump)
{
    vm_function_add_later(m, (Later){.kind = LATER_DO, .pc = m->pc, .jump = jump});
}

static uint8_t *mark_ahead(const Maker *m, uint32_t pc)
{
    return m->ahead[pc - m->function->code_start];
}

uint8_t *vm_function_arrive(Maker *m, uint32_t target)
{
    uint32_t k = target - m->function->code_start;
    Held **there = &m->arrivals[k];
    if (target <= m->pc) {
        vm_held_become(m, *there);
        return m->marks[k];
    }
    if (*there)
        vm_held_meet(*there, &m->held);
    else
        *there = g_memdup2(&m->held, sizeof m->held);
    return NULL;
}

/* rax is the address, less data_base. */
static void read_constant(Maker *m, const Later *later)
{
    const VcodeModule *module = m->image->module;
    if (module->rodata.count >= later->size && module->rodata.count <= INT32_MAX) {
        vm_x86_op(&m->text, X_ADD, true, X_RAX, vm_x86_reg(REG_DATA_BASE));
        vm_x86_immediate(&m->text, X_DO_SUB, true, vm_x86_reg(X_RAX), (int32_t)VCODE_RODATA_BASE);
        vm_x86_immediate(&m->text, X_DO_CMP, true, vm_x86_reg(X_RAX), (int32_t)(module->rodata.count - later->size));
        uint8_t *outside = vm_x86_jump_if(&m->text, X_IF_A);
        vm_x86_constant(&m->text, X_RCX, (uint64_t)(uintptr_t)module->rodata.items);
        vm_x86_op(&m->text, later->load, later->wide, later->reg, vm_x86_indexed(X_RCX, X_RAX, 0));
        vm_x86_target(vm_x86_jump(&m->text), later->back);
        vm_x86_here(&m->text, outside);
    }
    end_with(m, later->pc, VM_DIRECT_DO);
}

static void write_later(Maker *m, const Later *later)
{
    if (later->jump)
        vm_x86_here(&m->text, later->jump);
    switch (later->kind) {
    case LATER_DO: end_with(m, later->pc, VM_DIRECT_DO); return;
    case LATER_ARRIVE: end_with(m, later->pc, VM_DIRECT_ARRIVED); return;
    case LATER_TAKEN:
        vm_x86_op(&m->text, X_TEST, true, REG_FUEL, vm_x86_reg(REG_FUEL));
        vm_x86_target(vm_x86_jump_if(&m->text, X_IF_G), mark_ahead(m, later->pc));
        end_with(m, later->pc, VM_DIRECT_ARRIVED);
        return;
    case LATER_CONSTANT: read_constant(m, later); return;
    case LATER_ENTRY:
        later->entry->text = m->text.at;
        vm_held_forget_all(m);
        vm_held_become(m, m->arrivals[later->pc - m->function->code_start]);
        vm_x86_target(vm_x86_jump(&m->text), m->marks[later->pc - m->function->code_start]);
        return;
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
            vm_x86_target(later->jump, text);
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

bool vm_function_uses_real(const Maker *m, unsigned reg)
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

static void note_jump(Maker *m, uint32_t from, uint32_t to)
{
    m->targets[to] = true;
    if (to <= from)
        m->loops[to] = from + 1;
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
            note_jump(m, k, (uint32_t)((int64_t)k + code[k].target));
        else if (form == VCODE_FORM_SWITCH)
            note_switch(m, &m->image->switches[code[k].target]);
        computed |= op == VCODE_JMPR;
    }
    for (uint32_t k = 0; k < f->code_count && computed; k++)
        m->targets[k] |= vm_bit(m->image->block_starts, f->code_start + k);
}

/* -- loops ------------------------------------------------------------------------------------- */

/* How often a loop reads a register whose value comes from the turn before. */
typedef struct Wish {
    uint32_t reg;
    unsigned count;
    bool real, written;
} Wish;
enum { MOST_WISHES = 48 };

static Wish *wish_for(Wish *wishes, unsigned *count, uint32_t reg)
{
    for (unsigned k = 0; k < *count; k++)
        if (wishes[k].reg == reg)
            return &wishes[k];
    if (*count == MOST_WISHES)
        return NULL;
    wishes[*count] = (Wish){.reg = reg};
    return &wishes[(*count)++];
}

/* Adds what [from, end) of the function reads. Returns false if that is not worth while: it calls, or has loops. */
static bool find_wishes(const Maker *m, uint32_t from, uint32_t end, Wish *wishes, unsigned *count)
{
    for (uint32_t k = from; k < end; k++) {
        VcodeInstr i = m->image->module->code.items[m->function->code_start + k];
        VmOp op = m->image->ops[m->function->code_start + k];
        if (vm_code_is_call(i) || op == VM_OP_LOST || (k > from && m->loops[k]))
            return false;
        VmEffects effects = vm_effects(i);
        for (unsigned r = 0; r < effects.read_count; r++) {
            Wish *wish = wish_for(wishes, count, effects.reads[r]);
            if (wish && !wish->written) {
                wish->real |= computes_with_reals(op);
                wish->count++;
            }
        }
        Wish *wish = effects.written >= 0 ? wish_for(wishes, count, (uint32_t)effects.written) : NULL;
        if (wish && wish->count == 0)
            wish->written = true;
    }
    return true;
}

static int compare_wishes(const void *a, const void *b)
{
    const Wish *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : (x->reg > y->reg) - (x->reg < y->reg);
}

/* At the head of an innermost loop: loads what it reads most, and gives up everything else that is held, since each
 * jump back would have to bring it about. */
static void begin_loop(Maker *m, uint32_t k)
{
    Wish wishes[MOST_WISHES];
    unsigned count = 0, kept[2] = {0, 0};
    Held *held = &m->held;
    vm_held_release(m);
    held->kept = held->real_kept = 0;
    if (!find_wishes(m, k, m->loops[k], wishes, &count)) {
        vm_held_forget_all(m);
        return;
    }
    qsort(wishes, count, sizeof *wishes, compare_wishes);
    for (unsigned w = 0; w < count && wishes[w].count > 0; w++) {
        bool real = wishes[w].real;
        if (kept[real] == (real ? MOST_REAL_KEPT : MOST_KEPT))
            continue;
        kept[real]++;
        if (real)
            held->real_kept |= 1u << vm_held_take_real(m, wishes[w].reg);
        else
            held->kept |= 1u << vm_held_take(m, wishes[w].reg);
    }
    for (unsigned x = 0; x < X86_REGISTERS; x++) {
        if (!(held->kept >> x & 1))
            held->whole[x] = NOTHING;
        if (!(held->real_kept >> x & 1))
            held->real[x] = NOTHING;
        held->narrow[x] = false;
    }
    m->loop_end = m->loops[k];
}

/* -- instructions ------------------------------------------------------------------------------ */

/* What is held at a target, however control comes there. */
static void begin_target(Maker *m, uint32_t k)
{
    Held *arrival = m->arrivals[k];
    if (arrival && m->reachable)
        vm_held_meet(&m->held, arrival);
    else if (arrival)
        m->held = *arrival;
    else if (!m->reachable)
        vm_held_forget_all(m);
    m->ahead[k] = m->text.at;
    if (m->loops[k])
        begin_loop(m, k);
    if (!arrival)
        arrival = m->arrivals[k] = g_new(Held, 1);
    *arrival = m->held;
}

static bool holds_anything(const Held *held)
{
    for (unsigned x = 0; x < X86_REGISTERS; x++)
        if (held->whole[x] != NOTHING || held->real[x] != NOTHING)
            return true;
    return false;
}

static bool make_instruction(Maker *m, const VmInstr *i, VmOp op)
{
    vm_held_release(m);
    if (op == VM_OP_LOST) {
        const VmLost *lost = vm_image_lost(m->image, m->pc);
        op = lost->op;
        if (!vm_control_clear_lost(m, i, lost))
            return false;
    }
    return vm_compute_make(m, i, op) || vm_access_make(m, i, op) || vm_control_make(m, i, op);
}

/* Returns false if there is not enough room. */
static bool make_instructions(Maker *m, DirectEntry *entries)
{
    const VcodeFunction *f = m->function;
    bool enters = true;
    m->reachable = true;
    for (uint32_t k = 0; k < f->code_count; k++) {
        m->pc = f->code_start + k;
        if (m->limit - m->text.at < LARGEST_INSTRUCTION)
            return false;
        if (k == m->loop_end)
            m->held.kept = m->held.real_kept = 0;
        if (enters) {
            vm_held_forget_all(m);
            m->reachable = true;
        }
        uint8_t *entry = m->text.at;
        if (m->targets[k])
            begin_target(m, k);
        m->marks[k] = m->text.at;
        m->reachable = true;
        VmOp op = m->image->ops[m->pc];
        bool late = m->targets[k] && !enters && holds_anything(&m->held);
        bool made = make_instruction(m, &m->image->code[m->pc], op);
        if (enters || m->targets[k])
            entries[k] = (DirectEntry){entry, made};
        if (late)
            vm_function_add_later(m, (Later){.kind = LATER_ENTRY, .pc = m->pc, .entry = &entries[k]});
        if (!made)
            vm_function_end_here(m);
        enters = !made || vm_code_is_call(m->image->module->code.items[m->pc]);
    }
    return true;
}

uint8_t *vm_function_make(const VmImage *image, uint32_t index, const Common *common, uint8_t *at, const uint8_t *limit,
                          DirectEntry *entries)
{
    const VcodeFunction *f = &image->module->functions.items[index];
    Maker m = {.text = {at}, .limit = limit, .image = image, .common = common, .function = f};
    m.marks = g_new0(uint8_t *, f->code_count);
    m.ahead = g_new0(uint8_t *, f->code_count);
    m.targets = g_new0(bool, f->code_count);
    m.loops = g_new0(uint32_t, f->code_count);
    m.arrivals = g_new0(Held *, f->code_count);
    m.jumps = g_array_new(FALSE, FALSE, sizeof(Jump));
    m.laters = g_array_new(FALSE, FALSE, sizeof(Later));
    note_targets(&m);
    bool done = make_instructions(&m, entries) && write_laters(&m);
    for (guint k = 0; k < m.jumps->len && done; k++) {
        const Jump *jump = &g_array_index(m.jumps, Jump, k);
        vm_x86_target(jump->jump, m.ahead[jump->target]);
    }
    for (uint32_t k = 0; k < f->code_count; k++)
        g_free(m.arrivals[k]);
    g_free(m.arrivals);
    g_free(m.loops);
    g_free(m.ahead);
    g_free(m.marks);
    g_free(m.targets);
    g_array_free(m.jumps, TRUE);
    g_array_free(m.laters, TRUE);
    return done ? m.text.at : NULL;
}
