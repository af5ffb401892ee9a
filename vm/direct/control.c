/* control.c - branches, jumps, calls and returns. A block's cost is charged here, and fuel is tested where a jump is
 * taken, as in cases.h.
 *
 * Jumps within the function are the processor's. All others go through VmInstr.direct of the instruction that they lead
 * to, so that they find code that is made later, and the interpreter where there is none.
 */
#include "internal.h"

enum { FEW_CLEARED = 8, MOST_CLEARED = 64 };

/* Whether the cost of the block that ends here fits into an instruction of the processor. */
static bool charges(const VmInstr *i)
{
    return i->cost <= INT32_MAX;
}

static void charge(Maker *m, const VmInstr *i)
{
    if (i->cost)
        vm_x86_immediate(&m->text, X_DO_SUB, true, vm_x86_reg(REG_FUEL), (int32_t)i->cost);
}

static void end_by(Maker *m, uint8_t *jump, VmDirectEnd end)
{
    (void)m;
    vm_x86_target(jump, m->common->at[end]);
}

/* Goes on at the instruction in rax. */
static void go_on(Maker *m, VmDirectEnd end)
{
    if (end == VM_DIRECT_ARRIVED) {
        vm_x86_op(&m->text, X_TEST, true, REG_FUEL, vm_x86_reg(REG_FUEL));
        end_by(m, vm_x86_jump_if(&m->text, X_IF_LE), end);
    }
    vm_x86_op(&m->text, X_LOAD, true, X_RCX, vm_x86_at(X_RAX, offsetof(VmInstr, direct)));
    vm_x86_op(&m->text, X_TEST, true, X_RCX, vm_x86_reg(X_RCX));
    end_by(m, vm_x86_jump_if(&m->text, X_IF_E), end);
    vm_x86_jump_through(&m->text, vm_x86_reg(X_RCX));
    m->reachable = false;
}

static uint32_t target_of(const Maker *m, const VmInstr *i)
{
    return (uint32_t)((int64_t)m->pc + i->target);
}

/* A jump that is always taken from here on. */
static void jump(Maker *m, uint32_t target)
{
    vm_x86_op(&m->text, X_TEST, true, REG_FUEL, vm_x86_reg(REG_FUEL));
    vm_function_add_later(m, (Later){.kind = LATER_ARRIVE, .pc = target, .jump = vm_x86_jump_if(&m->text, X_IF_LE)});
    const uint8_t *there = vm_function_arrive(m, target);
    uint8_t *jump = vm_x86_jump(&m->text);
    if (there) {
        vm_x86_target(jump, there);
    } else {
        Jump entry = {jump, target - m->function->code_start};
        g_array_append_val(m->jumps, entry);
    }
    m->reachable = false;
}

/* Goes to the target if the condition holds. Backward branches are mostly taken. */
static void branch_if(Maker *m, const VmInstr *i, X86Condition condition)
{
    uint32_t target = target_of(m, i);
    if (target > m->pc) {
        vm_function_arrive(m, target);
        vm_function_add_later(m,
                              (Later){.kind = LATER_TAKEN, .pc = target, .jump = vm_x86_jump_if(&m->text, condition)});
        return;
    }
    uint8_t *past = vm_x86_jump_if(&m->text, (X86Condition)(condition ^ 1));
    vm_x86_op(&m->text, X_TEST, true, REG_FUEL, vm_x86_reg(REG_FUEL));
    vm_function_add_later(m, (Later){.kind = LATER_ARRIVE, .pc = target, .jump = vm_x86_jump_if(&m->text, X_IF_LE)});
    Held held = m->held;
    const uint8_t *there = vm_function_arrive(m, target);
    vm_x86_target(vm_x86_jump(&m->text), there);
    m->held = held;
    vm_x86_here(&m->text, past);
}

static void branch(Maker *m, const VmInstr *i, X86Condition condition)
{
    unsigned a = vm_held_take(m, i->a), b = vm_held_take(m, i->b);
    charge(m, i);
    vm_x86_op(&m->text, X_CMP, true, a, vm_x86_reg(b));
    branch_if(m, i, condition);
}

static void branch_immediate(Maker *m, const VmInstr *i, X86Condition condition)
{
    unsigned a = vm_held_take(m, i->a);
    int32_t value = (int16_t)i->b;
    charge(m, i);
    if (value == 0 && (condition == X_IF_E || condition == X_IF_NE))
        vm_x86_op(&m->text, X_TEST, true, a, vm_x86_reg(a));
    else
        vm_x86_immediate(&m->text, X_DO_CMP, true, vm_x86_reg(a), value);
    branch_if(m, i, condition);
}

/* `<` and `<=` with operands exchanged, so that unordered means no. */
static void branch_real(Maker *m, const VmInstr *i, X86Condition condition)
{
    unsigned a = vm_held_take_real(m, i->a), b = vm_held_take_real(m, i->b);
    charge(m, i);
    vm_x86_op(&m->text, X_COMISD, false, b, vm_x86_reg(a));
    branch_if(m, i, condition);
}

static void branch_equal(Maker *m, const VmInstr *i, bool equal)
{
    unsigned a = vm_held_take_real(m, i->a), b = vm_held_take_real(m, i->b);
    charge(m, i);
    vm_x86_op(&m->text, X_UCOMISD, false, a, vm_x86_reg(b));
    if (!equal) {
        branch_if(m, i, X_IF_P);
        branch_if(m, i, X_IF_NE);
        return;
    }
    uint8_t *unordered = vm_x86_jump_if(&m->text, X_IF_P);
    branch_if(m, i, X_IF_E);
    vm_x86_here(&m->text, unordered);
}

static void fall(Maker *m, const VmInstr *i)
{
    charge(m, i);
}

static void unconditional(Maker *m, const VmInstr *i)
{
    charge(m, i);
    jump(m, target_of(m, i));
}

static void by_table(Maker *m, const VmInstr *i)
{
    const VmSwitch *table = &m->image->switches[i->target];
    unsigned a = vm_held_take(m, i->a);
    charge(m, i);
    vm_x86_constant(&m->text, X_RCX, table->low);
    vm_x86_op(&m->text, X_LOAD, true, X_RAX, vm_x86_reg(a));
    vm_x86_op(&m->text, X_SUB, true, X_RAX, vm_x86_reg(X_RCX));
    vm_x86_constant(&m->text, X_RCX, table->count);
    vm_x86_op(&m->text, X_CMP, true, X_RAX, vm_x86_reg(X_RCX));
    uint8_t *outside = vm_x86_jump_if(&m->text, X_IF_AE);
    vm_x86_constant(&m->text, X_RCX, (uint64_t)(uintptr_t)table->targets);
    vm_x86_op(&m->text, X_LOAD, true, X_RAX, vm_x86_indexed(X_RCX, X_RAX, 3));
    go_on(m, VM_DIRECT_ARRIVED);
    vm_x86_here(&m->text, outside);
    jump(m, vm_image_pc(m->image, table->default_target));
}

/* What is no label is left to the interpreter. */
static void computed(Maker *m, const VmInstr *i)
{
    const VmImage *image = m->image;
    unsigned a = vm_held_take(m, i->a), word = vm_held_fresh(m);
    vm_x86_constant(&m->text, X_RCX, VCODE_LABEL_BASE);
    vm_x86_op(&m->text, X_LOAD, true, X_RAX, vm_x86_reg(a));
    vm_x86_op(&m->text, X_SUB, true, X_RAX, vm_x86_reg(X_RCX));
    vm_x86_immediate(&m->text, X_DO_CMP, true, vm_x86_reg(X_RAX), (int32_t)m->function->code_count);
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_AE));
    vm_x86_immediate(&m->text, X_DO_ADD, true, vm_x86_reg(X_RAX), (int32_t)m->function->code_start);
    vm_x86_op(&m->text, X_LOAD, false, word, vm_x86_reg(X_RAX));
    vm_x86_shift(&m->text, X_DO_SHR, false, word, 6);
    vm_x86_constant(&m->text, X_RCX, (uint64_t)(uintptr_t)image->block_starts);
    vm_x86_op(&m->text, X_LOAD, true, word, vm_x86_indexed(X_RCX, word, 3));
    vm_x86_op(&m->text, X_BT, true, X_RAX, vm_x86_reg(word));
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_AE));
    charge(m, i);
    vm_x86_shift(&m->text, X_DO_SHL, true, X_RAX, PC_SHIFT);
    vm_x86_op(&m->text, X_ADD, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, code)));
    go_on(m, VM_DIRECT_ARRIVED);
}

/* -- calls ------------------------------------------------------------------------------------- */

/* rax = the end of the callee's window; leaves calls for which there is no room. rcx = the new frame. */
static void make_room(Maker *m)
{
    vm_x86_op(&m->text, X_CMP, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, register_end)));
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_A));
    vm_x86_op(&m->text, X_LEA, true, X_RCX, vm_x86_at(REG_FRAME, sizeof(VmCallFrame)));
    vm_x86_op(&m->text, X_CMP, true, X_RCX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, frame_end)));
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_AE));
}

/* Fills in the frame at rcx and goes over to it. */
static void push_frame(Maker *m, const VmInstr *i)
{
    X86Text *t = &m->text;
    _Static_assert(offsetof(VmCallFrame, outermost) == offsetof(VmCallFrame, window) + 4, "one store sets both");
    charge(m, i);
    vm_x86_op(t, X_LOAD, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, sp)));
    vm_x86_op(t, X_STORE, true, X_RAX, vm_x86_at(X_RCX, offsetof(VmCallFrame, entry_sp)));
    vm_x86_store_constant(t, vm_x86_at(X_RCX, offsetof(VmCallFrame, mark)), 0);
    vm_x86_op(t, X_LOAD, false, X_RAX, vm_x86_at(REG_FRAME, offsetof(VmCallFrame, window)));
    vm_x86_immediate(t, X_DO_ADD, false, vm_x86_reg(X_RAX), i->a);
    vm_x86_op(t, X_STORE, true, X_RAX, vm_x86_at(X_RCX, offsetof(VmCallFrame, window)));
    vm_x86_constant(t, X_RAX, (uint64_t)(uintptr_t)i);
    vm_x86_op(t, X_STORE, true, X_RAX, vm_x86_at(REG_FRAME, offsetof(VmCallFrame, call)));
    vm_x86_op(t, X_LOAD, true, REG_FRAME, vm_x86_reg(X_RCX));
    if (i->a)
        vm_x86_immediate(t, X_DO_ADD, true, vm_x86_reg(REG_WINDOW), 8 * i->a);
}

static bool call(Maker *m, const VmInstr *i)
{
    const VmFunction *f = &m->image->functions[i->target];
    if (f->clear_to > f->clear_from + FEW_CLEARED)
        return false;
    X86Place end = vm_held_place(i->a);
    end.displacement += (int32_t)(8 * f->registers);
    vm_x86_op(&m->text, X_LEA, true, X_RAX, end);
    make_room(m);
    push_frame(m, i);
    for (uint32_t r = f->clear_from; r < f->clear_to; r++)
        vm_x86_store_constant(&m->text, vm_held_place(r), 0);
    vm_x86_constant(&m->text, X_RAX, (uint64_t)(uintptr_t)f->entry);
    go_on(m, VM_DIRECT_ARRIVED);
    return true;
}

/* Calls of what is no function, or of one that takes its arguments in another form, are left to the interpreter. */
static void call_indirect(Maker *m, const VmInstr *i)
{
    X86Text *t = &m->text;
    unsigned address = vm_held_take(m, i->b), f = vm_held_fresh(m), from = vm_held_fresh(m);
    vm_x86_constant(t, X_RCX, VCODE_CODE_BASE);
    vm_x86_op(t, X_LOAD, true, f, vm_x86_reg(address));
    vm_x86_op(t, X_SUB, true, f, vm_x86_reg(X_RCX));
    vm_x86_op(t, X_LOAD, false, X_RAX, vm_x86_reg(f));
    vm_x86_immediate(t, X_DO_AND, false, vm_x86_reg(X_RAX), 15);
    vm_function_end_at(m, vm_x86_jump_if(t, X_IF_NE));
    vm_x86_shift(t, X_DO_SHR, true, f, 4);
    vm_x86_immediate(t, X_DO_CMP, true, vm_x86_reg(f), (int32_t)m->image->module->functions.count);
    vm_function_end_at(m, vm_x86_jump_if(t, X_IF_AE));
    vm_x86_multiply_by(t, true, f, vm_x86_reg(f), sizeof(VmFunction));
    vm_x86_constant(t, X_RAX, (uint64_t)(uintptr_t)m->image->functions);
    vm_x86_op(t, X_ADD, true, f, vm_x86_reg(X_RAX));
    vm_x86_op(t, X_MOVZX16, false, X_RAX, vm_x86_at(f, offsetof(VmFunction, shape)));
    vm_x86_immediate(t, X_DO_CMP, false, vm_x86_reg(X_RAX), i->c);
    vm_function_end_at(m, vm_x86_jump_if(t, X_IF_NE));
    vm_x86_op(t, X_LOAD, false, from, vm_x86_at(f, offsetof(VmFunction, clear_from)));
    vm_x86_op(t, X_CMP, false, from, vm_x86_at(f, offsetof(VmFunction, clear_to)));
    vm_function_end_at(m, vm_x86_jump_if(t, X_IF_B));
    vm_x86_op(t, X_LOAD, false, X_RAX, vm_x86_at(f, offsetof(VmFunction, registers)));
    X86Place end = vm_held_place(i->a);
    end.has_index = true;
    end.index = X_RAX;
    end.scale = 3;
    vm_x86_op(t, X_LEA, true, X_RAX, end);
    make_room(m);
    push_frame(m, i);
    vm_x86_op(t, X_LOAD, true, X_RAX, vm_x86_at(f, offsetof(VmFunction, entry)));
    go_on(m, VM_DIRECT_ARRIVED);
}

/* Externs may do anything to the rank but move its registers. */
static void call_extern(Maker *m, const VmInstr *i)
{
    charge(m, i);
    vm_x86_constant(&m->text, X_RSI, (uint64_t)(uintptr_t)i);
    vm_x86_target(vm_x86_call(&m->text), m->common->call_extern);
    end_by(m, vm_x86_jump_if(&m->text, X_IF_NE), VM_DIRECT_CALLED);
}

static void give_back(Maker *m, const VmInstr *i, bool value)
{
    X86Text *t = &m->text;
    vm_x86_immediate(t, X_DO_CMP, false, vm_x86_at(REG_FRAME, offsetof(VmCallFrame, outermost)), 0);
    vm_function_end_at(m, vm_x86_jump_if(t, X_IF_NE));
    if (!value)
        vm_x86_store_constant(t, vm_held_place(0), 0);
    else if (i->a != 0 && vm_held_only_real(m, i->a))
        vm_x86_op(t, X_MOVSD_STORE, false, vm_held_take_real(m, i->a), vm_held_place(0));
    else if (i->a != 0)
        vm_x86_op(t, X_STORE, true, vm_held_take(m, i->a), vm_held_place(0));
    charge(m, i);
    vm_x86_op(t, X_LOAD, true, X_RAX, vm_x86_at(REG_FRAME, offsetof(VmCallFrame, entry_sp)));
    vm_x86_op(t, X_STORE, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, sp)));
    vm_x86_immediate(t, X_DO_SUB, true, vm_x86_reg(REG_FRAME), sizeof(VmCallFrame));
    vm_x86_op(t, X_LOAD, true, X_RAX, vm_x86_at(REG_FRAME, offsetof(VmCallFrame, call)));
    vm_x86_op(t, X_MOVZX16, false, X_RCX, vm_x86_at(X_RAX, offsetof(VmInstr, a)));
    vm_x86_shift(t, X_DO_SHL, true, X_RCX, 3);
    vm_x86_op(t, X_SUB, true, REG_WINDOW, vm_x86_reg(X_RCX));
    vm_x86_immediate(t, X_DO_ADD, true, vm_x86_reg(X_RAX), sizeof(VmInstr));
    go_on(m, VM_DIRECT_RETURNED);
}

/* As CLEAR_LOST in loop.h. What stands behind a call holds nothing, so nothing that is held is cleared. */
bool vm_control_clear_lost(Maker *m, const VmInstr *i, const VmLost *lost)
{
    X86Text *t = &m->text;
    X86Place call = vm_x86_at(REG_FRAME, offsetof(VmCallFrame, call));
    if (lost->from < lost->to) {
        if (lost->to - lost->from > MOST_CLEARED)
            return false;
        vm_x86_constant(t, X_RAX, (uint64_t)(uintptr_t)(i - 1));
        vm_x86_op(t, X_CMP, true, X_RAX, call);
        uint8_t *elsewhere = vm_x86_jump_if(t, X_IF_NE);
        vm_x86_op(t, X_XORPS, false, 0, vm_x86_reg(0));
        uint32_t r = lost->from;
        for (; r + 1 < lost->to; r += 2)
            vm_x86_op(t, X_MOVUPS_STORE, false, 0, vm_held_place(r));
        if (r < lost->to)
            vm_x86_op(t, X_MOVSD_STORE, false, 0, vm_held_place(r));
        vm_x86_here(t, elsewhere);
    }
    vm_x86_store_constant(t, call, 0);
    return true;
}

/* -- the memory stack -------------------------------------------------------------------------- */

static bool enter(Maker *m, const VmInstr *i)
{
    if (i->value > INT32_MAX)
        return false;
    X86Text *t = &m->text;
    unsigned d = vm_held_fresh(m);
    vm_x86_op(t, X_LOAD, true, d, vm_x86_at(REG_STAY, offsetof(VmDirectStay, sp)));
    vm_x86_op(t, X_LOAD, true, X_RAX, vm_x86_reg(d));
    vm_x86_op(t, X_SUB, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, stack_low)));
    vm_x86_immediate(t, X_DO_CMP, true, vm_x86_reg(X_RAX), (int32_t)i->value);
    vm_function_end_at(m, vm_x86_jump_if(t, X_IF_B));
    vm_x86_immediate(t, X_DO_SUB, true, vm_x86_reg(d), (int32_t)i->value);
    vm_x86_op(t, X_STORE, true, d, vm_x86_at(REG_STAY, offsetof(VmDirectStay, sp)));
    vm_held_set(m, i->a, d);
    return true;
}

/* clang-format off */
bool vm_control_make(Maker *m, const VmInstr *i, VmOp op)
{
    if (op == VM_OP_ENTER)
        return enter(m, i);
    if (!charges(i))
        return false;
    switch (op) {
    case VM_OP_FALL: fall(m, i); return true;
    case VM_OP_JMP: unconditional(m, i); return true;
    case VM_OP_BEQ: branch(m, i, X_IF_E); return true;
    case VM_OP_BNE: branch(m, i, X_IF_NE); return true;
    case VM_OP_BLT: branch(m, i, X_IF_L); return true;
    case VM_OP_BLE: branch(m, i, X_IF_LE); return true;
    case VM_OP_BLTU: branch(m, i, X_IF_B); return true;
    case VM_OP_BLEU: branch(m, i, X_IF_BE); return true;
    case VM_OP_BEQI: branch_immediate(m, i, X_IF_E); return true;
    case VM_OP_BNEI: branch_immediate(m, i, X_IF_NE); return true;
    case VM_OP_BLTI: branch_immediate(m, i, X_IF_L); return true;
    case VM_OP_BLEI: branch_immediate(m, i, X_IF_LE); return true;
    case VM_OP_BGTI: branch_immediate(m, i, X_IF_G); return true;
    case VM_OP_BGEI: branch_immediate(m, i, X_IF_GE); return true;
    case VM_OP_BLTUI: branch_immediate(m, i, X_IF_B); return true;
    case VM_OP_BGEUI: branch_immediate(m, i, X_IF_AE); return true;
    case VM_OP_BEQ_D: branch_equal(m, i, true); return true;
    case VM_OP_BNE_D: branch_equal(m, i, false); return true;
    case VM_OP_BLT_D: branch_real(m, i, X_IF_A); return true;
    case VM_OP_BLE_D: branch_real(m, i, X_IF_AE); return true;
    case VM_OP_BNLT_D: branch_real(m, i, X_IF_BE); return true;
    case VM_OP_BNLE_D: branch_real(m, i, X_IF_B); return true;
    case VM_OP_SWITCH: by_table(m, i); return true;
    case VM_OP_JMPR: computed(m, i); return true;
    case VM_OP_CALL: return call(m, i);
    case VM_OP_CALLX: call_extern(m, i); return true;
    case VM_OP_CALLI: call_indirect(m, i); return true;
    case VM_OP_RET: give_back(m, i, true); return true;
    case VM_OP_RETV: give_back(m, i, false); return true;
    default: return false;
    }
}
/* clang-format on */
