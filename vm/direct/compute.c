/* compute.c - instructions that only compute. The results are those of vcode/arithmetic.def; what is rare there is left
 * to the interpreter. Of two operands that are both NaNs, SSE's operations pass on the first.
 */
#include "internal.h"

/* What is done to a result of 32 bits, which the processor zero-extends. */
static void canonical(Maker *m, bool is_signed, unsigned reg)
{
    if (is_signed)
        vm_x86_op(&m->text, X_MOVSXD, true, reg, vm_x86_reg(reg));
}

/* How wide an operation is, and what its result becomes. */
typedef enum Width { WORD, UNSIGNED_WORD, LONG } Width;

static void binary(Maker *m, const VmInstr *i, X86Op op, Width width, bool commutes)
{
    unsigned b = vm_held_take(m, i->b), c = vm_held_take(m, i->c), d;
    bool wide = width == LONG;
    if (i->a == i->b) {
        d = b;
        vm_x86_op(&m->text, op, wide, d, vm_x86_reg(c));
    } else if (i->a == i->c && commutes) {
        d = c;
        vm_x86_op(&m->text, op, wide, d, vm_x86_reg(b));
    } else if (op == X_ADD) {
        d = vm_held_fresh(m);
        vm_x86_op(&m->text, X_LEA, wide, d, vm_x86_indexed(b, c, 0));
    } else {
        d = vm_held_fresh(m);
        vm_x86_op(&m->text, X_LOAD, wide, d, vm_x86_reg(b));
        vm_x86_op(&m->text, op, wide, d, vm_x86_reg(c));
    }
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

/* The register for the result of an operation that changes its first operand: that one, or a copy. */
static unsigned copy_of(Maker *m, const VmInstr *i, bool wide)
{
    unsigned b = vm_held_take(m, i->b);
    if (i->a == i->b)
        return b;
    unsigned d = vm_held_fresh(m);
    vm_x86_op(&m->text, X_LOAD, wide, d, vm_x86_reg(b));
    return d;
}

static void add_immediate(Maker *m, const VmInstr *i, Width width)
{
    if (i->a == i->b) {
        unsigned d = vm_held_take(m, i->b);
        vm_x86_immediate(&m->text, X_DO_ADD, width == LONG, vm_x86_reg(d), i->c_signed);
        canonical(m, width == WORD, d);
        vm_held_set(m, i->a, d);
        return;
    }
    unsigned b = vm_held_take(m, i->b), d = vm_held_fresh(m);
    vm_x86_op(&m->text, X_LEA, width == LONG, d, vm_x86_at(b, i->c_signed));
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

static void immediate(Maker *m, const VmInstr *i, unsigned what)
{
    unsigned d = copy_of(m, i, true);
    vm_x86_immediate(&m->text, what, true, vm_x86_reg(d), i->c_signed);
    vm_held_set(m, i->a, d);
}

static void multiply_immediate(Maker *m, const VmInstr *i, Width width)
{
    unsigned b = vm_held_take(m, i->b), d = i->a == i->b ? b : vm_held_fresh(m);
    vm_x86_multiply_by(&m->text, width == LONG, d, vm_x86_reg(b), i->c_signed);
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

static void shift(Maker *m, const VmInstr *i, unsigned what, Width width)
{
    unsigned c = vm_held_take(m, i->c);
    vm_x86_op(&m->text, X_LOAD, false, X_RCX, vm_x86_reg(c));
    unsigned d = copy_of(m, i, width == LONG);
    vm_x86_shift_by_cl(&m->text, what, width == LONG, d);
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

static void shift_immediate(Maker *m, const VmInstr *i, unsigned what, Width width)
{
    unsigned d = copy_of(m, i, width == LONG);
    vm_x86_shift(&m->text, what, width == LONG, d, i->c & (width == LONG ? 63 : 31));
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

static void alone(Maker *m, const VmInstr *i, unsigned what, Width width)
{
    unsigned d = copy_of(m, i, width == LONG);
    vm_x86_alone(&m->text, what, width == LONG, vm_x86_reg(d));
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

static void extend(Maker *m, const VmInstr *i, X86Op op, bool wide)
{
    unsigned b = vm_held_take(m, i->b), d = i->a == i->b ? b : vm_held_fresh(m);
    vm_x86_op(&m->text, op, wide, d, vm_x86_reg(b));
    vm_held_set(m, i->a, d);
}

static void swap(Maker *m, const VmInstr *i, unsigned bits)
{
    unsigned d = copy_of(m, i, bits == 64);
    vm_x86_swap_bytes(&m->text, bits == 64, d);
    if (bits == 16)
        vm_x86_shift(&m->text, X_DO_SHR, false, d, 16);
    vm_held_set(m, i->a, d);
}

/* For 0, BSF and BSR leave their result as it was and say so. */
static void count_zeros(Maker *m, const VmInstr *i, X86Op op, unsigned bits)
{
    unsigned b = vm_held_take(m, i->b), d = vm_held_fresh(m);
    bool leading = op == X_BSR;
    if (leading)
        vm_x86_constant(&m->text, X_RCX, bits == 64 ? 127 : 63); /* ^ 63 or 31: 64 or 32 */
    else
        vm_x86_constant(&m->text, X_RCX, 64);
    vm_x86_op(&m->text, op, bits == 64, d, vm_x86_reg(b));
    vm_x86_op(&m->text, X_CMOVZ, false, d, vm_x86_reg(X_RCX));
    if (leading)
        vm_x86_immediate(&m->text, X_DO_XOR, false, vm_x86_reg(d), (int32_t)bits - 1);
    vm_held_set(m, i->a, d);
}

static void multiply_high(Maker *m, const VmInstr *i, unsigned what)
{
    vm_held_forget_register(m, X_RDX);
    unsigned b = vm_held_take(m, i->b), c = vm_held_take(m, i->c);
    vm_x86_op(&m->text, X_LOAD, true, X_RAX, vm_x86_reg(b));
    vm_x86_alone(&m->text, what, true, vm_x86_reg(c));
    vm_held_set(m, i->a, X_RDX);
}

static void divide(Maker *m, const VmInstr *i, bool is_signed, bool wide, bool remainder)
{
    vm_held_forget_register(m, X_RDX);
    unsigned b = vm_held_take(m, i->b), c = vm_held_take(m, i->c);
    vm_x86_op(&m->text, X_TEST, wide, c, vm_x86_reg(c));
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_E));
    if (is_signed) { /* by -1: may overflow */
        vm_x86_immediate(&m->text, X_DO_CMP, wide, vm_x86_reg(c), -1);
        vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_E));
    }
    vm_x86_op(&m->text, X_LOAD, wide, X_RAX, vm_x86_reg(b));
    if (is_signed)
        vm_x86_sign_into_rdx(&m->text, wide);
    else
        vm_x86_constant(&m->text, X_RDX, 0);
    vm_x86_alone(&m->text, is_signed ? X_DO_IDIV : X_DO_DIV, wide, vm_x86_reg(c));
    unsigned d = X_RDX;
    if (!remainder) {
        vm_held_release(m);
        d = vm_held_fresh(m);
        vm_x86_op(&m->text, X_LOAD, wide, d, vm_x86_reg(X_RAX));
    }
    canonical(m, is_signed && !wide, d);
    vm_held_set(m, i->a, d);
}

static void set_if(Maker *m, const VmInstr *i, X86Condition condition)
{
    vm_held_release(m);
    unsigned d = vm_held_fresh(m);
    vm_x86_set(&m->text, condition, d);
    vm_held_set(m, i->a, d);
}

static void compare(Maker *m, const VmInstr *i, X86Condition condition)
{
    unsigned b = vm_held_take(m, i->b), c = vm_held_take(m, i->c);
    vm_x86_op(&m->text, X_CMP, true, b, vm_x86_reg(c));
    set_if(m, i, condition);
}

static void compare_immediate(Maker *m, const VmInstr *i, X86Condition condition)
{
    unsigned b = vm_held_take(m, i->b);
    vm_x86_immediate(&m->text, X_DO_CMP, true, vm_x86_reg(b), i->c_signed);
    set_if(m, i, condition);
}

/* -- floating point ---------------------------------------------------------------------------- */

static void real_binary(Maker *m, const VmInstr *i, X86Op op)
{
    unsigned b = vm_held_take_real(m, i->b), c = vm_held_take_real(m, i->c), d = b;
    if (i->a != i->b) {
        d = vm_held_fresh_real(m);
        vm_x86_op(&m->text, X_MOVAPS, false, d, vm_x86_reg(b));
    }
    vm_x86_op(&m->text, op, false, d, vm_x86_reg(c));
    vm_held_set_real(m, i->a, d, false);
}

static void float_binary(Maker *m, const VmInstr *i, X86Op op)
{
    unsigned b = vm_held_take_float(m, i->b), c = vm_held_take_float(m, i->c), d = vm_held_fresh_real(m);
    vm_x86_op(&m->text, X_MOVAPS, false, d, vm_x86_reg(b));
    vm_x86_op(&m->text, op, false, d, vm_x86_reg(c));
    vm_held_set_real(m, i->a, d, true);
}

/* For equality, unordered means different; < and <= are asked the other way round, so that unordered means no. */
static void real_compare(Maker *m, const VmInstr *i, X86Op op, X86Condition condition)
{
    bool is_float = op == X_COMISS || op == X_UCOMISS;
    unsigned b = is_float ? vm_held_take_float(m, i->b) : vm_held_take_real(m, i->b);
    unsigned c = is_float ? vm_held_take_float(m, i->c) : vm_held_take_real(m, i->c);
    if (condition == X_IF_A || condition == X_IF_AE) {
        vm_x86_op(&m->text, op, false, c, vm_x86_reg(b));
        set_if(m, i, condition);
        return;
    }
    vm_x86_op(&m->text, op, false, b, vm_x86_reg(c));
    vm_x86_set_byte(&m->text, condition == X_IF_E ? X_IF_NP : X_IF_P, X_RCX);
    vm_x86_set(&m->text, condition, X_RAX);
    vm_x86_op(&m->text, X_MOVZX8, false, X_RCX, vm_x86_reg(X_RCX));
    vm_x86_op(&m->text, condition == X_IF_E ? X_AND : X_OR, false, X_RAX, vm_x86_reg(X_RCX));
    vm_held_release(m);
    unsigned d = vm_held_fresh(m);
    vm_x86_op(&m->text, X_LOAD, false, d, vm_x86_reg(X_RAX));
    vm_held_set(m, i->a, d);
}

static void change_bit(Maker *m, const VmInstr *i, unsigned what, unsigned bit)
{
    unsigned d = copy_of(m, i, true);
    vm_x86_bit(&m->text, what, d, bit);
    vm_held_set(m, i->a, d);
}

/* as_float() takes the low half only */
static void negate_float(Maker *m, const VmInstr *i)
{
    unsigned d = copy_of(m, i, false);
    if (i->a == i->b)
        vm_x86_op(&m->text, X_LOAD, false, d, vm_x86_reg(d));
    vm_x86_immediate(&m->text, X_DO_XOR, false, vm_x86_reg(d), INT32_MIN);
    vm_held_set(m, i->a, d);
}

static void real_unary(Maker *m, const VmInstr *i, X86Op op)
{
    unsigned b = op == X_CVTSS2SD ? vm_held_take_float(m, i->b) : vm_held_take_real(m, i->b), d = vm_held_fresh_real(m);
    vm_x86_op(&m->text, X_XORPS, false, d, vm_x86_reg(d)); /* waits for nothing, and makes a float narrow */
    vm_x86_op(&m->text, op, false, d, vm_x86_reg(b));
    vm_held_set_real(m, i->a, d, op == X_CVTSD2SS);
}

static void from_integer(Maker *m, const VmInstr *i, X86Op op)
{
    unsigned b = vm_held_take(m, i->b), d = vm_held_fresh_real(m);
    vm_x86_op(&m->text, X_XORPS, false, d, vm_x86_reg(d));
    vm_x86_op(&m->text, op, true, d, vm_x86_reg(b));
    vm_held_set_real(m, i->a, d, op == X_CVTSI2SS);
}

static void to_integer(Maker *m, const VmInstr *i, Width width)
{
    unsigned b = vm_held_take_real(m, i->b), d = vm_held_fresh(m);
    vm_x86_op(&m->text, X_CVTTSD2SI, width == LONG, d, vm_x86_reg(b));
    canonical(m, width == WORD, d);
    vm_held_set(m, i->a, d);
}

/* -- moves ------------------------------------------------------------------------------------- */

static void move(Maker *m, const VmInstr *i)
{
    if (i->a == i->b)
        return;
    if (vm_held_only_real(m, i->b)) {
        unsigned b = vm_held_take_real(m, i->b), d = vm_held_fresh_real(m);
        bool narrow = m->held.narrow[b];
        vm_x86_op(&m->text, X_MOVAPS, false, d, vm_x86_reg(b));
        vm_held_set_real(m, i->a, d, narrow);
        return;
    }
    int held = vm_held_holder(m, i->b);
    if (held == NOTHING) { /* one copy is enough */
        unsigned d = vm_held_fresh(m);
        vm_x86_op(&m->text, X_LOAD, true, d, vm_held_place(i->b));
        vm_held_set(m, i->a, d);
        return;
    }
    m->held.in_use |= 1u << held;
    unsigned d = vm_held_fresh(m);
    vm_x86_op(&m->text, X_LOAD, true, d, vm_x86_reg((unsigned)held));
    vm_held_set(m, i->a, d);
}

static void constant(Maker *m, const VmInstr *i)
{
    unsigned d = vm_held_fresh(m);
    vm_x86_constant(&m->text, d, i->value);
    vm_held_set(m, i->a, d);
}

static void move_if(Maker *m, const VmInstr *i)
{
    unsigned a = vm_held_take(m, i->a), b = vm_held_take(m, i->b), c = vm_held_take(m, i->c);
    vm_x86_op(&m->text, X_TEST, true, c, vm_x86_reg(c));
    vm_x86_op(&m->text, X_CMOVNZ, true, a, vm_x86_reg(b));
    vm_held_set(m, i->a, a);
}

static bool add_scaled(Maker *m, const VmInstr *i)
{
    if (i->n > 63)
        return false;
    unsigned b = vm_held_take(m, i->b), c = vm_held_take(m, i->c), d = vm_held_fresh(m);
    if (i->n <= 3) {
        vm_x86_op(&m->text, X_LEA, true, d, vm_x86_indexed(b, c, i->n));
    } else {
        vm_x86_op(&m->text, X_LOAD, true, d, vm_x86_reg(c));
        vm_x86_shift(&m->text, X_DO_SHL, true, d, i->n);
        vm_x86_op(&m->text, X_ADD, true, d, vm_x86_reg(b));
    }
    vm_held_set(m, i->a, d);
    return true;
}

/* clang-format off */
bool vm_compute_make(Maker *m, const VmInstr *i, VmOp op)
{
    switch (op) {
    case VM_OP_NOP: return true;
    case VM_OP_MOV: move(m, i); return true;
    case VM_OP_MOVI:
    case VM_OP_MOVK: constant(m, i); return true;
    case VM_OP_CMOV: move_if(m, i); return true;
    case VM_OP_LEAX: return add_scaled(m, i);

    case VM_OP_ADD_W: binary(m, i, X_ADD, WORD, true); return true;
    case VM_OP_ADD_UW: binary(m, i, X_ADD, UNSIGNED_WORD, true); return true;
    case VM_OP_ADD_L: binary(m, i, X_ADD, LONG, true); return true;
    case VM_OP_SUB_W: binary(m, i, X_SUB, WORD, false); return true;
    case VM_OP_SUB_UW: binary(m, i, X_SUB, UNSIGNED_WORD, false); return true;
    case VM_OP_SUB_L: binary(m, i, X_SUB, LONG, false); return true;
    case VM_OP_MUL_W: binary(m, i, X_IMUL, WORD, true); return true;
    case VM_OP_MUL_UW: binary(m, i, X_IMUL, UNSIGNED_WORD, true); return true;
    case VM_OP_MUL_L: binary(m, i, X_IMUL, LONG, true); return true;
    case VM_OP_AND: binary(m, i, X_AND, LONG, true); return true;
    case VM_OP_OR: binary(m, i, X_OR, LONG, true); return true;
    case VM_OP_XOR: binary(m, i, X_XOR, LONG, true); return true;
    case VM_OP_DIV_W: divide(m, i, true, false, false); return true;
    case VM_OP_DIV_UW: divide(m, i, false, false, false); return true;
    case VM_OP_DIV_L: divide(m, i, true, true, false); return true;
    case VM_OP_DIV_UL: divide(m, i, false, true, false); return true;
    case VM_OP_MOD_W: divide(m, i, true, false, true); return true;
    case VM_OP_MOD_UW: divide(m, i, false, false, true); return true;
    case VM_OP_MOD_L: divide(m, i, true, true, true); return true;
    case VM_OP_MOD_UL: divide(m, i, false, true, true); return true;
    case VM_OP_MULH_L: multiply_high(m, i, X_DO_IMUL); return true;
    case VM_OP_MULH_UL: multiply_high(m, i, X_DO_MUL); return true;
    case VM_OP_NEG_W: alone(m, i, X_DO_NEG, WORD); return true;
    case VM_OP_NEG_UW: alone(m, i, X_DO_NEG, UNSIGNED_WORD); return true;
    case VM_OP_NEG_L: alone(m, i, X_DO_NEG, LONG); return true;
    case VM_OP_NOT_UW: alone(m, i, X_DO_NOT, UNSIGNED_WORD); return true;
    case VM_OP_NOT_L: alone(m, i, X_DO_NOT, LONG); return true;
    case VM_OP_SHL_W: shift(m, i, X_DO_SHL, WORD); return true;
    case VM_OP_SHL_UW: shift(m, i, X_DO_SHL, UNSIGNED_WORD); return true;
    case VM_OP_SHL_L: shift(m, i, X_DO_SHL, LONG); return true;
    case VM_OP_SAR_W: shift(m, i, X_DO_SAR, WORD); return true;
    case VM_OP_SAR_L: shift(m, i, X_DO_SAR, LONG); return true;
    case VM_OP_SHR_UW: shift(m, i, X_DO_SHR, UNSIGNED_WORD); return true;
    case VM_OP_SHR_UL: shift(m, i, X_DO_SHR, LONG); return true;

    case VM_OP_ADDI_W: add_immediate(m, i, WORD); return true;
    case VM_OP_ADDI_UW: add_immediate(m, i, UNSIGNED_WORD); return true;
    case VM_OP_ADDI_L: add_immediate(m, i, LONG); return true;
    case VM_OP_MULI_W: multiply_immediate(m, i, WORD); return true;
    case VM_OP_MULI_UW: multiply_immediate(m, i, UNSIGNED_WORD); return true;
    case VM_OP_MULI_L: multiply_immediate(m, i, LONG); return true;
    case VM_OP_ANDI: immediate(m, i, X_DO_AND); return true;
    case VM_OP_ORI: immediate(m, i, X_DO_OR); return true;
    case VM_OP_XORI: immediate(m, i, X_DO_XOR); return true;
    case VM_OP_SHLI_W: shift_immediate(m, i, X_DO_SHL, WORD); return true;
    case VM_OP_SHLI_UW: shift_immediate(m, i, X_DO_SHL, UNSIGNED_WORD); return true;
    case VM_OP_SHLI_L: shift_immediate(m, i, X_DO_SHL, LONG); return true;
    case VM_OP_SARI_W: shift_immediate(m, i, X_DO_SAR, WORD); return true;
    case VM_OP_SARI_L: shift_immediate(m, i, X_DO_SAR, LONG); return true;
    case VM_OP_SHRI_UW: shift_immediate(m, i, X_DO_SHR, UNSIGNED_WORD); return true;
    case VM_OP_SHRI_UL: shift_immediate(m, i, X_DO_SHR, LONG); return true;

    case VM_OP_SEXT8: extend(m, i, X_MOVSX8, true); return true;
    case VM_OP_SEXT16: extend(m, i, X_MOVSX16, true); return true;
    case VM_OP_SEXT32: extend(m, i, X_MOVSXD, true); return true;
    case VM_OP_ZEXT8: extend(m, i, X_MOVZX8, false); return true;
    case VM_OP_ZEXT16: extend(m, i, X_MOVZX16, false); return true;
    case VM_OP_ZEXT32: extend(m, i, X_LOAD, false); return true;
    case VM_OP_CLZ_W: count_zeros(m, i, X_BSR, 32); return true;
    case VM_OP_CLZ_L: count_zeros(m, i, X_BSR, 64); return true;
    case VM_OP_CTZ_L: count_zeros(m, i, X_BSF, 64); return true;
    case VM_OP_BSWAP16: swap(m, i, 16); return true;
    case VM_OP_BSWAP32: swap(m, i, 32); return true;
    case VM_OP_BSWAP64: swap(m, i, 64); return true;

    case VM_OP_SEQ: compare(m, i, X_IF_E); return true;
    case VM_OP_SNE: compare(m, i, X_IF_NE); return true;
    case VM_OP_SLT: compare(m, i, X_IF_L); return true;
    case VM_OP_SLE: compare(m, i, X_IF_LE); return true;
    case VM_OP_SLTU: compare(m, i, X_IF_B); return true;
    case VM_OP_SLEU: compare(m, i, X_IF_BE); return true;
    case VM_OP_SEQI: compare_immediate(m, i, X_IF_E); return true;
    case VM_OP_SNEI: compare_immediate(m, i, X_IF_NE); return true;
    case VM_OP_SLTI: compare_immediate(m, i, X_IF_L); return true;
    case VM_OP_SLEI: compare_immediate(m, i, X_IF_LE); return true;
    case VM_OP_SGTI: compare_immediate(m, i, X_IF_G); return true;
    case VM_OP_SGEI: compare_immediate(m, i, X_IF_GE); return true;
    case VM_OP_SLTUI: compare_immediate(m, i, X_IF_B); return true;
    case VM_OP_SGEUI: compare_immediate(m, i, X_IF_AE); return true;

    case VM_OP_ADD_D: real_binary(m, i, X_ADDSD); return true;
    case VM_OP_SUB_D: real_binary(m, i, X_SUBSD); return true;
    case VM_OP_MUL_D: real_binary(m, i, X_MULSD); return true;
    case VM_OP_DIV_D: real_binary(m, i, X_DIVSD); return true;
    case VM_OP_NEG_D: change_bit(m, i, X_DO_BTC, 63); return true;
    case VM_OP_ABS_D: change_bit(m, i, X_DO_BTR, 63); return true;
    case VM_OP_SQRT_D: real_unary(m, i, X_SQRTSD); return true;
    case VM_OP_ADD_F: float_binary(m, i, X_ADDSS); return true;
    case VM_OP_SUB_F: float_binary(m, i, X_SUBSS); return true;
    case VM_OP_MUL_F: float_binary(m, i, X_MULSS); return true;
    case VM_OP_DIV_F: float_binary(m, i, X_DIVSS); return true;
    case VM_OP_NEG_F: negate_float(m, i); return true;
    case VM_OP_SEQ_D: real_compare(m, i, X_UCOMISD, X_IF_E); return true;
    case VM_OP_SNE_D: real_compare(m, i, X_UCOMISD, X_IF_NE); return true;
    case VM_OP_SLT_D: real_compare(m, i, X_COMISD, X_IF_A); return true;
    case VM_OP_SLE_D: real_compare(m, i, X_COMISD, X_IF_AE); return true;
    case VM_OP_SEQ_F: real_compare(m, i, X_UCOMISS, X_IF_E); return true;
    case VM_OP_SNE_F: real_compare(m, i, X_UCOMISS, X_IF_NE); return true;
    case VM_OP_SLT_F: real_compare(m, i, X_COMISS, X_IF_A); return true;
    case VM_OP_SLE_F: real_compare(m, i, X_COMISS, X_IF_AE); return true;
    case VM_OP_CVT_D_L: from_integer(m, i, X_CVTSI2SD); return true;
    case VM_OP_CVT_F_L: from_integer(m, i, X_CVTSI2SS); return true;
    case VM_OP_CVT_W_D: to_integer(m, i, WORD); return true;
    case VM_OP_CVT_L_D: to_integer(m, i, LONG); return true;
    case VM_OP_CVT_D_F: real_unary(m, i, X_CVTSS2SD); return true;
    case VM_OP_CVT_F_D: real_unary(m, i, X_CVTSD2SS); return true;
    default: return false;
    }
}
/* clang-format on */
