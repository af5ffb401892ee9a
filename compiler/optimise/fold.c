/* fold.c - simplifies one instruction, using the instructions that set its operands.
 *
 * Constants are computed as the VM computes them (vcode/arithmetic.def), including wrap-around, shift counts and
 * conversions that do not fit. A division that would fault is left as it is. Real arithmetic is folded in the default
 * rounding mode, which is the only one.
 *
 * Other rules cover identities, immediate forms, sums of sums, and addresses: a constant or a scaled index that is
 * added to the base of a load or store moves into its fields.
 */
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"
#include "vcode/arithmetic.h"

#include <math.h>

/* -- values ------------------------------------------------------------------------------------ */

/* Returns whether the result is a NaN. The bits of a NaN depend on the processor, so they are left to run time. */
static bool is_nan(unsigned op, uint64_t a)
{
    /* clang-format off */
    switch (op) {
#define REAL_I(name)
#define REAL_D(name) case VCODE_##name: return isnan(as_double(a));
#define REAL_F(name) case VCODE_##name: return isnan(as_float(a));
#define BINARY(name, A, B, C, expression) REAL_##A(name)
#define UNARY(name, A, B, expression) REAL_##A(name)
#include "vcode/arithmetic.def"
    default: return false;
    }
    /* clang-format on */
}

/* Computes an instruction. Returns false if it has no result, or if the result must be left to run time. An immediate
 * form takes its immediate as c. */
static bool compute(unsigned op, uint64_t b, uint64_t c, uint64_t *a)
{
    switch (op) {
#define BINARY(name, A, B, C, expression)                                                                              \
    case VCODE_##name:                                                                                                 \
        *a = vcode_do_##name(b, c);                                                                                    \
        break;
#define UNARY(name, A, B, expression)                                                                                  \
    case VCODE_##name:                                                                                                 \
        *a = vcode_do_##name(b);                                                                                       \
        break;
#define IMMEDIATE(name, expression)                                                                                    \
    case VCODE_##name:                                                                                                 \
        *a = vcode_do_##name(b, (int64_t)c);                                                                           \
        break;
#define DIVISION(name, by_zero, overflow, expression)                                                                  \
    case VCODE_##name:                                                                                                 \
        if (vcode_refuses_##name(b, c) != VCODE_DIVIDES)                                                               \
            return false;                                                                                              \
        *a = vcode_do_##name(b, c);                                                                                    \
        break;
#include "vcode/arithmetic.def"
    default: return false;
    }
    return !is_nan(op, *a);
}

/* -- what is known of a value's range ---------------------------------------------------------- */

enum { LOOK_BACK = 4 };

/* Returns whether a value needs at most `bits` bits: it lies in [-2^(bits-1), 2^(bits-1)) if signed, else in [0,
 * 2^bits). */
static bool fits(const CcSsa *s, CcReg reg, unsigned bits, bool is_signed, unsigned depth)
{
    const CcIrInstr *i = cc_ssa_setter(s, reg);
    if (!i || bits >= 64)
        return bits >= 64 && is_signed;
    switch (i->op) {
    case CC_IR_CONSTANT:
        return is_signed ? i->imm >= -(INT64_C(1) << (bits - 1)) && i->imm < INT64_C(1) << (bits - 1)
                         : (uint64_t)i->imm >> bits == 0;
    case VCODE_ANDI:
        if (i->imm >= 0 && (uint64_t)i->imm >> (bits - is_signed) == 0)
            return true;
        if (is_signed && (i->imm < -(INT64_C(1) << (bits - 1)) || i->imm >= INT64_C(1) << (bits - 1)))
            return false;
        return depth && fits(s, i->b, bits, is_signed, depth - 1);
    case VCODE_AND:
        if (!is_signed)
            return depth && (fits(s, i->b, bits, false, depth - 1) || fits(s, i->c, bits, false, depth - 1));
        /* fall through */
    case VCODE_OR:
    case VCODE_XOR:
        return depth && fits(s, i->b, bits, is_signed, depth - 1) && fits(s, i->c, bits, is_signed, depth - 1);
    case VCODE_ORI:
    case VCODE_XORI:
        return depth && fits(s, i->b, bits, is_signed, depth - 1) &&
               (is_signed ? i->imm >= -(INT64_C(1) << (bits - 1)) && i->imm < INT64_C(1) << (bits - 1)
                          : (uint64_t)i->imm >> bits == 0);
    default: break;
    }
    if (i->op >= VCODE_OP_COUNT || !vcode_op_info[i->op].result_bits)
        return false;
    const VcodeOpInfo *info = &vcode_op_info[i->op];
    unsigned most = info->result_bits;
    if (i->op == VCODE_SARI_W || i->op == VCODE_SARI_L || i->op == VCODE_SHRI_UW || i->op == VCODE_SHRI_UL)
        most -= (unsigned)i->imm & (most - 1);
    return info->result_signed ? is_signed && bits >= most : bits >= most + is_signed;
}

bool cc_fold_fits_word(const CcSsa *s, CcReg reg, bool is_signed)
{
    return fits(s, reg, 32, is_signed, LOOK_BACK);
}

/* -- rules ------------------------------------------------------------------------------------- */

static CcReg become_constant(CcIrInstr *i, uint64_t value)
{
    i->op = CC_IR_CONSTANT;
    i->imm = (int64_t)value;
    i->b = i->c = CC_NO_REG;
    i->extra = 0;
    i->n = 0;
    return CC_NO_REG;
}

static CcReg become_immediate(CcIrInstr *i, unsigned op, CcReg b, int64_t imm)
{
    i->op = (uint16_t)op;
    i->b = b;
    i->c = CC_NO_REG;
    i->n = 0;
    i->imm = imm;
    return CC_NO_REG;
}

static CcReg fold_registers(CcSsa *s, CcIrInstr *i)
{
    int64_t b = 0, c = 0;
    uint64_t a;
    bool b_known = cc_ssa_constant(s, i->b, &b), c_known = cc_ssa_constant(s, i->c, &c);
    if (b_known && c_known && compute(i->op, (uint64_t)b, (uint64_t)c, &a))
        return become_constant(i, a);
    unsigned immediate = c_known || b_known ? cc_legal_immediate_form(i->op, !c_known) : 0;
    if (immediate)
        return become_immediate(i, immediate, c_known ? i->b : i->c, c_known ? c : b);
    if (c_known && i->op == VCODE_SUB_L && c != INT64_MIN)
        return become_immediate(i, VCODE_ADDI_L, i->b, -c);
    if (c_known && i->op == VCODE_SUB_W)
        return become_immediate(i, VCODE_ADDI_W, i->b, -(int64_t)(int32_t)(uint32_t)c);
    if (c_known && i->op == VCODE_SUB_UW)
        return become_immediate(i, VCODE_ADDI_UW, i->b, -(int64_t)(int32_t)(uint32_t)c);
    if (i->b == i->c) {
        if (i->op == VCODE_SUB_L || i->op == VCODE_SUB_W || i->op == VCODE_SUB_UW || i->op == VCODE_XOR)
            return become_constant(i, 0);
        if (i->op == VCODE_AND || i->op == VCODE_OR)
            return i->b;
        if (cc_ir_kind(i->op) == VCODE_KIND_COMPARE && compute(i->op, 0, 0, &a))
            return become_constant(i, a);
    }
    return CC_NO_REG;
}

/* Returns the shortest immediate with the same meaning. */
static int64_t narrow_immediate(unsigned op, int64_t imm)
{
    bool narrow = op == VCODE_ADDI_W || op == VCODE_ADDI_UW || op == VCODE_MULI_W || op == VCODE_MULI_UW;
    bool narrow_shift = op == VCODE_SHLI_W || op == VCODE_SHLI_UW || op == VCODE_SARI_W || op == VCODE_SHRI_UW;
    bool shift = op == VCODE_SHLI_L || op == VCODE_SARI_L || op == VCODE_SHRI_UL;
    return narrow ? (int64_t)(int32_t)(uint32_t)(uint64_t)imm : narrow_shift ? imm & 31 : shift ? imm & 63 : imm;
}

static bool is_sum(unsigned op)
{
    return op == VCODE_ADDI_L || op == VCODE_ADDI_W || op == VCODE_ADDI_UW;
}

/* Returns the register's value as an instruction of kind W, UW or L would produce it. */
static CcReg narrowed(CcSsa *s, CcIrInstr *i, CcReg reg, bool word, bool is_unsigned)
{
    if (!word || fits(s, reg, 32, !is_unsigned, LOOK_BACK))
        return reg;
    i->op = is_unsigned ? VCODE_ZEXT32 : VCODE_SEXT32;
    i->b = reg;
    i->c = CC_NO_REG;
    i->imm = 0;
    return CC_NO_REG;
}

static bool is_word(unsigned op)
{
    return op == VCODE_ADDI_W || op == VCODE_MULI_W || op == VCODE_SHLI_W || op == VCODE_SARI_W;
}

static bool is_unsigned_word(unsigned op)
{
    return op == VCODE_ADDI_UW || op == VCODE_MULI_UW || op == VCODE_SHLI_UW || op == VCODE_SHRI_UW;
}

static bool is_identity(const CcIrInstr *i)
{
    switch (i->op) {
    case VCODE_MULI_W:
    case VCODE_MULI_UW:
    case VCODE_MULI_L: return i->imm == 1;
    case VCODE_ADDI_W:
    case VCODE_ADDI_UW:
    case VCODE_ADDI_L:
    case VCODE_ORI:
    case VCODE_XORI: return i->imm == 0;
    case VCODE_ANDI: return i->imm == -1;
    case VCODE_SHLI_W:
    case VCODE_SHLI_UW:
    case VCODE_SARI_W:
    case VCODE_SHRI_UW: return (i->imm & 31) == 0;
    case VCODE_SHLI_L:
    case VCODE_SARI_L:
    case VCODE_SHRI_UL: return (i->imm & 63) == 0;
    default: return false;
    }
}

/* Returns whether the instruction computes the next value of a phi. Looking through it would keep the old value alive
 * beside the new one. */
bool cc_fold_is_step(const CcSsa *s, const CcIrInstr *i)
{
    enum { FEW = 4 };
    const CcIrInstr *phi = i && is_sum(i->op) ? cc_ssa_setter(s, i->b) : NULL;
    if (!phi || phi->op != CC_IR_PHI || s->f->phis[phi->extra].n > FEW)
        return false;
    for (uint32_t k = 0; k < s->f->phis[phi->extra].n; k++)
        if (cc_ssa_value(s, s->f->phis[phi->extra].arguments[k]) == i->a)
            return true;
    return false;
}

static CcReg fold_sum(CcSsa *s, CcIrInstr *i)
{
    const CcIrInstr *b = cc_ssa_setter(s, i->b);
    if (cc_fold_is_step(s, b))
        return CC_NO_REG;
    if (b && b->op == i->op && is_sum(i->op)) {
        i->imm = narrow_immediate(i->op, (int64_t)((uint64_t)i->imm + (uint64_t)b->imm));
        i->b = b->b;
        i->extra = b->extra;
    } else if (b && b->op == CC_IR_ADDRESS && i->op == VCODE_ADDI_L) {
        i->op = CC_IR_ADDRESS;
        i->extra = b->extra;
        i->imm = (int64_t)((uint64_t)i->imm + (uint64_t)b->imm);
        i->b = CC_NO_REG;
    }
    return CC_NO_REG;
}

/* Replaces a product by a power of two by a shift, and one by 3, 5 or 9 by a scaled sum. Both cost half as much
 * (vcode/costs.def). */
static CcReg fold_product(CcIrInstr *i)
{
    uint64_t factor = (uint64_t)i->imm;
    if (i->op == VCODE_MULI_UW || i->op == VCODE_MULI_W)
        factor = (uint32_t)factor;
    if (factor == 0)
        return become_constant(i, 0);
    if ((factor & (factor - 1)) == 0) {
        i->op = i->op == VCODE_MULI_W ? VCODE_SHLI_W : i->op == VCODE_MULI_UW ? VCODE_SHLI_UW : VCODE_SHLI_L;
        i->imm = __builtin_ctzll(factor);
    } else if (i->op == VCODE_MULI_L && (factor == 3 || factor == 5 || factor == 9)) {
        i->op = VCODE_LEAX;
        i->n = (uint8_t)(factor == 3 ? 1 : factor == 5 ? 2 : 3);
        i->c = i->b;
        i->imm = 0;
    }
    return CC_NO_REG;
}

/* Removes masks and shifts that change nothing, and merges masks of masks. */
static CcReg fold_mask(CcSsa *s, CcIrInstr *i)
{
    const CcIrInstr *b = cc_ssa_setter(s, i->b);
    if (i->imm == 0)
        return become_constant(i, 0);
    if (b && b->op == VCODE_ANDI) {
        i->imm &= b->imm;
        i->b = b->b;
    }
    uint64_t mask = (uint64_t)i->imm;
    if (mask != UINT64_MAX && (mask & (mask + 1)) == 0 &&
        fits(s, i->b, (unsigned)__builtin_popcountll(mask), false, LOOK_BACK))
        return i->b;
    return CC_NO_REG;
}

/* Simplifies comparing a truth value with 0 or 1. */
static CcReg fold_truth(CcSsa *s, CcIrInstr *i)
{
    if (!fits(s, i->b, 1, false, LOOK_BACK))
        return CC_NO_REG;
    bool same = (i->op == VCODE_SNEI && i->imm == 0) || (i->op == VCODE_SEQI && i->imm == 1);
    return same ? i->b : CC_NO_REG;
}

static CcReg fold_immediate(CcSsa *s, CcIrInstr *i)
{
    int64_t b;
    uint64_t a;
    if (cc_ssa_constant(s, i->b, &b) && compute(i->op, (uint64_t)b, (uint64_t)i->imm, &a))
        return become_constant(i, a);
    i->imm = narrow_immediate(i->op, i->imm);
    if (is_sum(i->op))
        (void)fold_sum(s, i);
    if (i->op == VCODE_MULI_L || i->op == VCODE_MULI_W || i->op == VCODE_MULI_UW)
        (void)fold_product(i);
    if (is_identity(i))
        return narrowed(s, i, i->b, is_word(i->op) || is_unsigned_word(i->op), is_unsigned_word(i->op));
    if (i->op == VCODE_ANDI)
        return fold_mask(s, i);
    if (i->op == VCODE_SNEI || i->op == VCODE_SEQI)
        return fold_truth(s, i);
    return CC_NO_REG;
}

static CcReg fold_unary(CcSsa *s, CcIrInstr *i)
{
    int64_t b;
    uint64_t a;
    if (cc_ssa_constant(s, i->b, &b) && compute(i->op, (uint64_t)b, 0, &a))
        return become_constant(i, a);
    switch (i->op) {
    case VCODE_SEXT8: return fits(s, i->b, 8, true, LOOK_BACK) ? i->b : CC_NO_REG;
    case VCODE_SEXT16: return fits(s, i->b, 16, true, LOOK_BACK) ? i->b : CC_NO_REG;
    case VCODE_SEXT32: return fits(s, i->b, 32, true, LOOK_BACK) ? i->b : CC_NO_REG;
    case VCODE_ZEXT8: return fits(s, i->b, 8, false, LOOK_BACK) ? i->b : CC_NO_REG;
    case VCODE_ZEXT16: return fits(s, i->b, 16, false, LOOK_BACK) ? i->b : CC_NO_REG;
    case VCODE_ZEXT32: return fits(s, i->b, 32, false, LOOK_BACK) ? i->b : CC_NO_REG;
    case VCODE_MOV: return i->b;
    default: return CC_NO_REG;
    }
}

/* -- addresses --------------------------------------------------------------------------------- */

static bool is_short(int64_t imm)
{
    return imm >= INT16_MIN && imm <= INT16_MAX;
}

static bool is_short_sum(int64_t a, int64_t b)
{
    return is_short(a) && is_short(b) && is_short(a + b);
}

/* Simplifies an address: base + constant goes into the displacement, base + scaled index into the indexed form. */
static void fold_near(CcSsa *s, CcIrInstr *i)
{
    const CcIrInstr *b = cc_ssa_setter(s, i->b);
    if (b && b->op == VCODE_ADDI_L && is_short_sum(i->imm, b->imm) && !cc_fold_is_step(s, b)) {
        i->imm += b->imm;
        i->b = b->b;
        i->extra = b->extra;
        return;
    }
    bool sum = b && (b->op == VCODE_ADD_L || (b->op == VCODE_LEAX && b->n <= 3));
    if (!sum || i->imm != 0)
        return;
    i->op = (uint16_t)cc_legal_indexed_access(i->op);
    i->n = b->op == VCODE_LEAX ? b->n : 0;
    i->c = b->c;
    i->b = b->b;
    i->extra = b->extra;
}

static void fold_indexed(CcSsa *s, CcIrInstr *i)
{
    const CcIrInstr *b = cc_ssa_setter(s, i->b), *c = cc_ssa_setter(s, i->c);
    int64_t index;
    bool access = i->op != VCODE_LEAX;
    if (c && c->op == VCODE_SHLI_L && (c->imm & 63) + i->n <= (access ? 3 : 31)) {
        i->n = (uint8_t)(i->n + (c->imm & 63));
        i->c = c->b;
    }
    if (i->n == 0 && b && b->op == VCODE_SHLI_L && (b->imm & 63) <= 3) { /* the scaled operand comes second */
        CcReg base = i->c;
        i->n = (uint8_t)(b->imm & 63);
        i->c = b->b;
        i->b = base;
    }
    if (!cc_ssa_constant(s, i->c, &index))
        return;
    uint64_t offset = (uint64_t)index << i->n;
    if (access && !is_short((int64_t)offset))
        return;
    i->op = (uint16_t)(access ? cc_legal_plain_access(i->op) : VCODE_ADDI_L);
    i->imm = (int64_t)offset;
    i->c = CC_NO_REG;
    i->n = 0;
}

/* Tries whether one of the two operands is scaled. */
static void fold_sum_of_registers(CcSsa *s, CcIrInstr *i)
{
    i->op = VCODE_LEAX;
    i->n = 0;
    fold_indexed(s, i);
    if (i->op == VCODE_LEAX && i->n == 0)
        i->op = VCODE_ADD_L;
}

CcReg cc_fold_instruction(CcSsa *s, CcNode *node)
{
    CcIrInstr *i = &node->i;
    if (i->op >= VCODE_OP_COUNT)
        return CC_NO_REG;
    switch (cc_ir_form(i->op)) {
    case VCODE_FORM_RR: return i->op == VCODE_ALLOCA ? CC_NO_REG : fold_unary(s, i);
    case VCODE_FORM_RRR: {
        CcReg same = fold_registers(s, i);
        if (i->op == VCODE_ADD_L)
            fold_sum_of_registers(s, i);
        return cc_ir_form(i->op) == VCODE_FORM_RRI ? fold_immediate(s, i) : same;
    }
    case VCODE_FORM_RRI: return fold_immediate(s, i);
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE: fold_near(s, i); return CC_NO_REG;
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX: fold_indexed(s, i); return i->op == VCODE_ADDI_L ? fold_immediate(s, i) : CC_NO_REG;
    default: return CC_NO_REG;
    }
}

/* -- branches ---------------------------------------------------------------------------------- */

static bool branch_result(unsigned op, uint64_t a, uint64_t b)
{
    /* clang-format off */
    switch (op) {
#define CONDITION(name, B, expression) case VCODE_##name: return vcode_do_##name(a, b);
#define CONDITION_IMMEDIATE(name, expression) case VCODE_##name: return vcode_do_##name(a, (int64_t)b);
#include "vcode/arithmetic.def"
    default: g_assert_not_reached();
    }
    /* clang-format on */
}

bool cc_fold_branch(CcSsa *s, const CcIrInstr *i, bool *taken)
{
    int64_t a, b = i->imm;
    bool immediate = cc_ir_form(i->op) == VCODE_FORM_BRI;
    if (!immediate && i->a == i->b && cc_ir_kind(i->op) == VCODE_KIND_BRANCH) {
        *taken = branch_result(i->op, 0, 0);
        return true;
    }
    if (!cc_ssa_constant(s, i->a, &a) || (!immediate && !cc_ssa_constant(s, i->b, &b)))
        return false;
    *taken = branch_result(i->op, (uint64_t)a, (uint64_t)b);
    return true;
}
