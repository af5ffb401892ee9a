/* divide.c - replaces division by a constant by multiplication by its reciprocal.
 *
 * Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (PLDI 1994). A division costs as much
 * as twenty multiplications (vcode/costs.def). For 32-bit operands 64 bits are enough: the high half of x * (2^64 / d +
 * 1) is the quotient, less one if x is negative. Division by a power of two becomes a shift, after a negative x is
 * rounded up. Unsigned 64-bit division by other constants stays, and so does division that may fault (by 0 or -1).
 */
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

typedef struct Divide {
    CcSsa *s;
    CcNode *at;
} Divide;

static CcReg emit(Divide *d, unsigned op, CcReg b, CcReg c, int64_t imm)
{
    CcIrInstr i = {.op = (uint16_t)op, .b = b, .c = c, .imm = imm, .loc = d->at->i.loc};
    i.a = cc_ssa_reg(d->s);
    (void)cc_ssa_insert_before(d->s, d->at, &i);
    return i.a;
}

static CcReg emit_constant(Divide *d, uint64_t value)
{
    return emit(d, CC_IR_CONSTANT, CC_NO_REG, CC_NO_REG, (int64_t)value);
}

static CcReg sign_of(Divide *d, CcReg x)
{
    return emit(d, VCODE_SARI_L, x, CC_NO_REG, 63);
}

/* Returns x, plus 2^power - 1 if x is negative. */
static CcReg biased(Divide *d, CcReg x, unsigned power)
{
    CcReg sign = power > 1 ? sign_of(d, x) : x;
    return emit(d, VCODE_ADD_L, x, emit(d, VCODE_SHRI_UL, sign, CC_NO_REG, 64 - (int64_t)power), 0);
}

static CcReg divide_narrow(Divide *d, CcReg x, uint64_t by)
{
    CcReg high = emit(d, VCODE_MULH_L, x, emit_constant(d, UINT64_MAX / by + 1), 0);
    return emit(d, VCODE_SUB_L, high, sign_of(d, x), 0);
}

static CcReg divide_wide(Divide *d, CcReg x, uint64_t by)
{
    unsigned length = 64 - (unsigned)__builtin_clzll(by - 1);
    unsigned __int128 reciprocal = ((unsigned __int128)1 << (63 + length)) / by + 1;
    CcReg high = emit(d, VCODE_MULH_L, x, emit_constant(d, (uint64_t)reciprocal), 0);
    CcReg sum = emit(d, VCODE_ADD_L, high, x, 0);
    if (length > 1)
        sum = emit(d, VCODE_SARI_L, sum, CC_NO_REG, length - 1);
    return emit(d, VCODE_SUB_L, sum, sign_of(d, x), 0);
}

static bool is_power(uint64_t x)
{
    return (x & (x - 1)) == 0;
}

static CcReg quotient_unsigned(Divide *d, unsigned op, CcReg x, uint64_t by)
{
    if (is_power(by))
        return emit(d, VCODE_SHRI_UL, x, CC_NO_REG, __builtin_ctzll(by));
    if (op != VCODE_DIV_UW && op != VCODE_MOD_UW)
        return CC_NO_REG;
    return emit(d, VCODE_MULH_UL, x, emit_constant(d, UINT64_MAX / by + 1), 0);
}

static CcReg quotient_signed(Divide *d, unsigned op, CcReg x, uint64_t by)
{
    if (is_power(by)) {
        unsigned power = (unsigned)__builtin_ctzll(by);
        return emit(d, VCODE_SARI_L, biased(d, x, power), CC_NO_REG, power);
    }
    return op == VCODE_DIV_W || op == VCODE_MOD_W ? divide_narrow(d, x, by) : divide_wide(d, x, by);
}

static CcReg remainder_of(Divide *d, unsigned op, CcReg x, uint64_t by, bool is_signed)
{
    if (!is_signed && is_power(by))
        return emit(d, VCODE_ANDI, x, CC_NO_REG, (int64_t)(by - 1));
    CcReg down;
    if (is_signed && is_power(by)) {
        CcReg sum = biased(d, x, (unsigned)__builtin_ctzll(by));
        down = emit(d, VCODE_ANDI, sum, CC_NO_REG, -(int64_t)by);
    } else {
        CcReg quotient = is_signed ? quotient_signed(d, op, x, by) : quotient_unsigned(d, op, x, by);
        if (quotient == CC_NO_REG)
            return CC_NO_REG;
        down = emit(d, VCODE_MULI_L, quotient, CC_NO_REG, (int64_t)by);
    }
    return emit(d, VCODE_SUB_L, x, down, 0);
}

static void replace(CcSsa *s, CcNode *node)
{
    unsigned op = node->i.op;
    bool quotient = op == VCODE_DIV_W || op == VCODE_DIV_UW || op == VCODE_DIV_L || op == VCODE_DIV_UL;
    bool remainder = op == VCODE_MOD_W || op == VCODE_MOD_UW || op == VCODE_MOD_L || op == VCODE_MOD_UL;
    bool narrow = op == VCODE_DIV_W || op == VCODE_DIV_UW || op == VCODE_MOD_W || op == VCODE_MOD_UW;
    bool is_signed = op == VCODE_DIV_W || op == VCODE_DIV_L || op == VCODE_MOD_W || op == VCODE_MOD_L;
    int64_t value;
    if ((!quotient && !remainder) || !cc_ssa_constant(s, node->i.c, &value))
        return;
    if (narrow)
        value = is_signed ? (int64_t)(int32_t)(uint32_t)value : (int64_t)(uint32_t)value;
    bool negative = is_signed && value < 0;
    if (value == 0 || (is_signed && (value == 1 || value == -1 || value == INT64_MIN)) || value == 1)
        return;
    Divide d = {s, node};
    CcReg x = node->i.b;
    if (narrow && !cc_fold_fits_word(s, x, is_signed)) /* nothing is known about a parameter, for example */
        x = emit(&d, is_signed ? VCODE_SEXT32 : VCODE_ZEXT32, x, CC_NO_REG, 0);
    uint64_t by = negative ? 0 - (uint64_t)value : (uint64_t)value;
    CcReg result = remainder   ? remainder_of(&d, op, x, by, is_signed)
                   : is_signed ? quotient_signed(&d, op, x, by)
                               : quotient_unsigned(&d, op, x, by);
    if (result == CC_NO_REG)
        return;
    if (negative && quotient)
        result = emit(&d, VCODE_NEG_L, result, CC_NO_REG, 0);
    cc_ssa_replace(s, node, result);
}

void cc_optimise_divisions(CcSsa *s)
{
    for (uint32_t o = 0; o < s->n_order; o++)
        for (CcNode *node = s->order[o]->head, *next; node; node = next) {
            next = node->next;
            cc_ssa_resolve(s, &node->i);
            replace(s, node);
        }
    cc_ssa_resolve_all(s);
}
