/* operator.c - lowers arithmetic, comparisons and conversions of scalar values.
 *
 * Tables give the instruction for each operator and class of operands. Constants are folded. An operator with one
 * constant operand uses the immediate form; cc_optimise_legalise() handles constants that do not fit. Values are
 * canonical for their type before and after. Therefore one 64-bit comparison serves every width.
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/tree/tree.h"

#include <string.h>

static const CcType *plain(const CcType *type)
{
    return type->kind == CC_ENUM && type->target ? type->target : type;
}

CcClass cc_lower_class(const CcType *type)
{
    type = plain(type);
    switch (type->kind) {
    case CC_FLOAT:
    case CC_CFLOAT: return CC_CLASS_F;
    case CC_DOUBLE:
    case CC_LDOUBLE:
    case CC_CDOUBLE:
    case CC_CLDOUBLE: return CC_CLASS_D;
    case CC_UINT: return CC_CLASS_UW;
    case CC_LONG:
    case CC_LLONG: return CC_CLASS_L;
    case CC_ULONG:
    case CC_ULLONG:
    case CC_POINTER:
    case CC_ARRAY:
    case CC_FUNCTION: return CC_CLASS_UL;
    case CC_ENUM: return cc_type_is_signed(type) ? CC_CLASS_W : CC_CLASS_UW;
    default: return CC_CLASS_W;
    }
}

int64_t cc_lower_real_bits(const CcType *type, double value)
{
    if (cc_lower_class(type) == CC_CLASS_F) {
        float narrow = (float)value;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        return bits;
    }
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

const CcType *cc_lower_pair_part(const CcType *type)
{
    static const CcType half = {.kind = CC_ULONG, .size = 8, .align = 8};
    return cc_is_wide(type) ? &half : cc_type_complex_part(type);
}

/* -- arithmetic -------------------------------------------------------------------------------- */

/* The tables below have one row for each operator from here on. */
enum { FIRST_OPERATOR = CC_ADD };

static const uint16_t register_form[][6] = {
    /*                                W            UW            L            UL            F            D */
    [CC_ADD - FIRST_OPERATOR] = {VCODE_ADD_W, VCODE_ADD_UW, VCODE_ADD_L, VCODE_ADD_L, VCODE_ADD_F, VCODE_ADD_D},
    [CC_SUBTRACT - FIRST_OPERATOR] = {VCODE_SUB_W, VCODE_SUB_UW, VCODE_SUB_L, VCODE_SUB_L, VCODE_SUB_F, VCODE_SUB_D},
    [CC_MULTIPLY - FIRST_OPERATOR] = {VCODE_MUL_W, VCODE_MUL_UW, VCODE_MUL_L, VCODE_MUL_L, VCODE_MUL_F, VCODE_MUL_D},
    [CC_DIVIDE - FIRST_OPERATOR] = {VCODE_DIV_W, VCODE_DIV_UW, VCODE_DIV_L, VCODE_DIV_UL, VCODE_DIV_F, VCODE_DIV_D},
    [CC_REMAINDER - FIRST_OPERATOR] = {VCODE_MOD_W, VCODE_MOD_UW, VCODE_MOD_L, VCODE_MOD_UL, 0, 0},
    [CC_SHIFT_LEFT - FIRST_OPERATOR] = {VCODE_SHL_W, VCODE_SHL_UW, VCODE_SHL_L, VCODE_SHL_L, 0, 0},
    [CC_SHIFT_RIGHT - FIRST_OPERATOR] = {VCODE_SAR_W, VCODE_SHR_UW, VCODE_SAR_L, VCODE_SHR_UL, 0, 0},
    [CC_AND - FIRST_OPERATOR] = {VCODE_AND, VCODE_AND, VCODE_AND, VCODE_AND, 0, 0},
    [CC_OR - FIRST_OPERATOR] = {VCODE_OR, VCODE_OR, VCODE_OR, VCODE_OR, 0, 0},
    [CC_XOR - FIRST_OPERATOR] = {VCODE_XOR, VCODE_XOR, VCODE_XOR, VCODE_XOR, 0, 0},
};

static const uint16_t immediate_form[][4] = {
    [CC_ADD - FIRST_OPERATOR] = {VCODE_ADDI_W, VCODE_ADDI_UW, VCODE_ADDI_L, VCODE_ADDI_L},
    [CC_SUBTRACT - FIRST_OPERATOR] = {VCODE_ADDI_W, VCODE_ADDI_UW, VCODE_ADDI_L, VCODE_ADDI_L}, /* adds the negative */
    [CC_MULTIPLY - FIRST_OPERATOR] = {VCODE_MULI_W, VCODE_MULI_UW, VCODE_MULI_L, VCODE_MULI_L},
    [CC_SHIFT_LEFT - FIRST_OPERATOR] = {VCODE_SHLI_W, VCODE_SHLI_UW, VCODE_SHLI_L, VCODE_SHLI_L},
    [CC_SHIFT_RIGHT - FIRST_OPERATOR] = {VCODE_SARI_W, VCODE_SHRI_UW, VCODE_SARI_L, VCODE_SHRI_UL},
    [CC_AND - FIRST_OPERATOR] = {VCODE_ANDI, VCODE_ANDI, VCODE_ANDI, VCODE_ANDI},
    [CC_OR - FIRST_OPERATOR] = {VCODE_ORI, VCODE_ORI, VCODE_ORI, VCODE_ORI},
    [CC_XOR - FIRST_OPERATOR] = {VCODE_XORI, VCODE_XORI, VCODE_XORI, VCODE_XORI},
};

static int64_t canonical(CcClass class, uint64_t value)
{
    return class == CC_CLASS_W    ? (int32_t)(uint32_t)value
           : class == CC_CLASS_UW ? (int64_t)(uint32_t)value
                                  : (int64_t)value;
}

static bool fold(CcExprKind kind, CcClass class, uint64_t a, uint64_t b, int64_t *result)
{
    unsigned bits = class == CC_CLASS_W || class == CC_CLASS_UW ? 32 : 64;
    bool is_signed = class == CC_CLASS_W || class == CC_CLASS_L;
    uint64_t value;
    switch (kind) {
    case CC_ADD: value = a + b; break;
    case CC_SUBTRACT: value = a - b; break;
    case CC_MULTIPLY: value = a * b; break;
    case CC_AND: value = a & b; break;
    case CC_OR: value = a | b; break;
    case CC_XOR: value = a ^ b; break;
    case CC_SHIFT_LEFT: value = a << (b & (bits - 1)); break;
    case CC_SHIFT_RIGHT: value = is_signed ? (uint64_t)((int64_t)a >> (b & (bits - 1))) : a >> (b & (bits - 1)); break;
    default: return false; /* division may fault, which must happen at run time */
    }
    *result = canonical(class, value);
    return true;
}

/* Returns the exponent of a power of two above 1, or 0 if the value is none. */
static unsigned power_of_two(int64_t value)
{
    return value > 1 && (value & (value - 1)) == 0 ? (unsigned)__builtin_ctzll((uint64_t)value) : 0;
}

static bool is_identity(CcExprKind kind, int64_t right)
{
    if (right == 0)
        return kind == CC_ADD || kind == CC_SUBTRACT || kind == CC_OR || kind == CC_XOR || kind == CC_SHIFT_LEFT ||
               kind == CC_SHIFT_RIGHT;
    return right == 1 && (kind == CC_MULTIPLY || kind == CC_DIVIDE);
}

/* Computes `left` op constant, for integers. */
static CcValue immediate_op(CcLower *l, CcExprKind kind, CcClass class, CcReg left, int64_t right)
{
    unsigned power = power_of_two(right);
    if (is_identity(kind, right))
        return cc_value_reg(left);
    if (kind == CC_MULTIPLY && right == 0)
        return cc_value_constant(0);
    bool is_unsigned = class == CC_CLASS_UW || class == CC_CLASS_UL;
    if (power && kind == CC_MULTIPLY) {
        kind = CC_SHIFT_LEFT;
        right = power;
    } else if (power && is_unsigned && kind == CC_DIVIDE) {
        kind = CC_SHIFT_RIGHT;
        right = power;
    } else if (power && is_unsigned && kind == CC_REMAINDER) {
        kind = CC_AND;
        right--;
    }
    if (kind == CC_DIVIDE || kind == CC_REMAINDER)
        return cc_value_reg(
            cc_lower_emit_rrr(l, register_form[kind - FIRST_OPERATOR][class], left, cc_lower_emit_constant(l, right)));
    if (kind == CC_SUBTRACT)
        right = (int64_t)(0 - (uint64_t)right);
    return cc_value_reg(cc_lower_emit_rri(l, immediate_form[kind - FIRST_OPERATOR][class], left, right));
}

static bool commutes(CcExprKind kind)
{
    return kind == CC_ADD || kind == CC_MULTIPLY || kind == CC_AND || kind == CC_OR || kind == CC_XOR;
}

CcValue cc_lower_binary_op(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right)
{
    CcClass class = cc_lower_class(type);
    g_assert(kind >= CC_ADD && kind <= CC_XOR);
    if (class < CC_CLASS_F) {
        int64_t result;
        if (left.constant && right.constant && fold(kind, class, (uint64_t)left.value, (uint64_t)right.value, &result))
            return cc_value_constant(result);
        if (left.constant && commutes(kind)) {
            CcValue swap = left;
            left = right;
            right = swap;
        }
        if (right.constant && !left.constant)
            return immediate_op(l, kind, class, left.reg, right.value);
    }
    CcReg a = cc_lower_to_reg(l, left), b = cc_lower_to_reg(l, right);
    g_assert(register_form[kind - FIRST_OPERATOR][class]);
    return cc_value_reg(cc_lower_emit_rrr(l, register_form[kind - FIRST_OPERATOR][class], a, b));
}

CcValue cc_lower_negate(CcLower *l, const CcType *type, CcValue value)
{
    static const uint16_t op[] = {VCODE_NEG_W, VCODE_NEG_UW, VCODE_NEG_L, VCODE_NEG_L, VCODE_NEG_F, VCODE_NEG_D};
    CcClass class = cc_lower_class(type);
    if (value.constant && class < CC_CLASS_F)
        return cc_value_constant(canonical(class, 0 - (uint64_t)value.value));
    return cc_value_reg(cc_lower_emit_rr(l, op[class], cc_lower_to_reg(l, value)));
}

/* -- comparisons ------------------------------------------------------------------------------- */

/* An integer comparison, reduced to a test of two registers or of a register and a constant. */
typedef struct Test {
    enum { TEST_EQ, TEST_NE, TEST_LT, TEST_LE, TEST_GT, TEST_GE } relation;
    bool is_unsigned;
    CcValue left, right;
} Test;

static Test integer_test(CcExprKind kind, bool is_unsigned, CcValue left, CcValue right)
{
    static const int mirrored[] = {TEST_EQ, TEST_NE, TEST_GT, TEST_GE, TEST_LT, TEST_LE};
    static const int relation[] = {TEST_EQ, TEST_NE, TEST_LT, TEST_LE, TEST_GT, TEST_GE};
    Test t = {relation[kind - CC_EQUAL], is_unsigned, left, right};
    if (left.constant && !right.constant) {
        t.left = right;
        t.right = left;
        t.relation = mirrored[t.relation];
    }
    return t;
}

static bool known_result(const Test *t)
{
    int64_t a = t->left.value, b = t->right.value;
    int order = t->is_unsigned ? ((uint64_t)a > (uint64_t)b) - ((uint64_t)a < (uint64_t)b) : (a > b) - (a < b);
    switch (t->relation) {
    case TEST_EQ: return order == 0;
    case TEST_NE: return order != 0;
    case TEST_LT: return order < 0;
    case TEST_LE: return order <= 0;
    case TEST_GT: return order > 0;
    default: return order >= 0;
    }
}

/* Rewrites unsigned x <= c and x > c, which have no immediate form, as x < c + 1 and x >= c + 1. Returns false if c + 1
 * wraps. */
static bool widen_unsigned(Test *t)
{
    if (!t->is_unsigned || (t->relation != TEST_LE && t->relation != TEST_GT))
        return true;
    if (t->right.value == -1)
        return false;
    t->right.value++;
    t->relation = t->relation == TEST_LE ? TEST_LT : TEST_GE;
    return true;
}

static CcValue compare_integers(CcLower *l, Test t)
{
    static const uint16_t immediate[] = {VCODE_SEQI, VCODE_SNEI, VCODE_SLTI, VCODE_SLEI, VCODE_SGTI, VCODE_SGEI};
    static const uint16_t registers[] = {VCODE_SEQ, VCODE_SNE, VCODE_SLT, VCODE_SLE, VCODE_SLT, VCODE_SLE};
    static const uint16_t unsigned_[] = {VCODE_SEQ, VCODE_SNE, VCODE_SLTU, VCODE_SLEU, VCODE_SLTU, VCODE_SLEU};
    if (t.left.constant)
        return cc_value_constant(known_result(&t));
    if (t.right.constant && widen_unsigned(&t)) {
        unsigned op = immediate[t.relation];
        if (t.is_unsigned && t.relation >= TEST_LT)
            op = t.relation == TEST_LT ? VCODE_SLTUI : VCODE_SGEUI;
        return cc_value_reg(cc_lower_emit_rri(l, op, t.left.reg, t.right.value));
    }
    unsigned op = t.is_unsigned ? unsigned_[t.relation] : registers[t.relation];
    CcReg a = t.left.reg, b = cc_lower_to_reg(l, t.right);
    return cc_value_reg(t.relation >= TEST_GT ? cc_lower_emit_rrr(l, op, b, a) : cc_lower_emit_rrr(l, op, a, b));
}

static CcValue compare_reals(CcLower *l, CcExprKind kind, CcClass class, CcValue left, CcValue right)
{
    static const uint16_t op[][2] = {{VCODE_SEQ_F, VCODE_SEQ_D}, {VCODE_SNE_F, VCODE_SNE_D},
                                     {VCODE_SLT_F, VCODE_SLT_D}, {VCODE_SLE_F, VCODE_SLE_D},
                                     {VCODE_SLT_F, VCODE_SLT_D}, {VCODE_SLE_F, VCODE_SLE_D}};
    CcReg a = cc_lower_to_reg(l, left), b = cc_lower_to_reg(l, right);
    unsigned o = op[kind - CC_EQUAL][class == CC_CLASS_D];
    return cc_value_reg(kind >= CC_GREATER ? cc_lower_emit_rrr(l, o, b, a) : cc_lower_emit_rrr(l, o, a, b));
}

static bool compares_unsigned(const CcType *type)
{
    CcClass class = cc_lower_class(type);
    return class == CC_CLASS_UL || class == CC_CLASS_UW;
}

CcValue cc_lower_compare(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right)
{
    CcClass class = cc_lower_class(type);
    if (class >= CC_CLASS_F)
        return compare_reals(l, kind, class, left, right);
    return compare_integers(l, integer_test(kind, compares_unsigned(type), left, right));
}

static void emit_branch(CcLower *l, unsigned op, CcReg a, CcReg b, int64_t imm, CcIrBlock *yes, CcIrBlock *no)
{
    CcIrInstr *i = cc_lower_emit(l, op);
    i->a = a;
    i->b = b;
    i->imm = imm;
    l->block->target[0] = yes;
    l->block->target[1] = no;
}

static void branch_integers(CcLower *l, Test t, CcIrBlock *yes, CcIrBlock *no)
{
    static const uint16_t immediate[] = {VCODE_BEQI, VCODE_BNEI, VCODE_BLTI, VCODE_BLEI, VCODE_BGTI, VCODE_BGEI};
    static const uint16_t registers[] = {VCODE_BEQ, VCODE_BNE, VCODE_BLT, VCODE_BLE, VCODE_BLT, VCODE_BLE};
    static const uint16_t unsigned_[] = {VCODE_BEQ, VCODE_BNE, VCODE_BLTU, VCODE_BLEU, VCODE_BLTU, VCODE_BLEU};
    if (t.left.constant) {
        cc_lower_emit_jump(l, known_result(&t) ? yes : no);
        return;
    }
    if (t.right.constant && widen_unsigned(&t)) {
        unsigned op = immediate[t.relation];
        if (t.is_unsigned && t.relation >= TEST_LT)
            op = t.relation == TEST_LT ? VCODE_BLTUI : VCODE_BGEUI;
        emit_branch(l, op, t.left.reg, CC_NO_REG, t.right.value, yes, no);
        return;
    }
    unsigned op = t.is_unsigned ? unsigned_[t.relation] : registers[t.relation];
    CcReg a = t.left.reg, b = cc_lower_to_reg(l, t.right);
    if (t.relation >= TEST_GT)
        emit_branch(l, op, b, a, 0, yes, no);
    else
        emit_branch(l, op, a, b, 0, yes, no);
}

void cc_lower_branch_compare(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right,
                             CcIrBlock *yes, CcIrBlock *no)
{
    static const uint16_t op[] = {VCODE_BEQ_D, VCODE_BNE_D, VCODE_BLT_D, VCODE_BLE_D, VCODE_BLT_D, VCODE_BLE_D};
    CcClass class = cc_lower_class(type);
    if (class < CC_CLASS_F) {
        branch_integers(l, integer_test(kind, compares_unsigned(type), left, right), yes, no);
        return;
    }
    if (class == CC_CLASS_F) {
        CcReg truth = compare_reals(l, kind, class, left, right).reg;
        emit_branch(l, VCODE_BNEI, truth, CC_NO_REG, 0, yes, no);
        return;
    }
    CcReg a = cc_lower_to_reg(l, left), b = cc_lower_to_reg(l, right);
    if (kind >= CC_GREATER)
        emit_branch(l, op[kind - CC_EQUAL], b, a, 0, yes, no);
    else
        emit_branch(l, op[kind - CC_EQUAL], a, b, 0, yes, no);
}

/* -- conversions ------------------------------------------------------------------------------- */

static bool is_unsigned_integer(const CcType *type)
{
    return type->kind == CC_POINTER || type->kind == CC_ARRAY || type->kind == CC_FUNCTION || !cc_type_is_signed(type);
}

static uint64_t integer_size(const CcType *type)
{
    return type->kind == CC_POINTER || type->kind == CC_ARRAY || type->kind == CC_FUNCTION ? 8 : type->size;
}

static CcValue narrow(CcLower *l, CcValue value, uint64_t size, bool to_unsigned)
{
    static const uint16_t op[][2] = {
        {VCODE_SEXT8, VCODE_ZEXT8}, {VCODE_SEXT16, VCODE_ZEXT16}, {VCODE_SEXT32, VCODE_ZEXT32}};
    if (size >= 8)
        return value;
    if (value.constant) {
        unsigned shift = 64 - (unsigned)size * 8;
        uint64_t high = (uint64_t)value.value << shift;
        return cc_value_constant(to_unsigned ? (int64_t)(high >> shift) : (int64_t)high >> shift);
    }
    return cc_value_reg(cc_lower_emit_rr(l, op[size == 1 ? 0 : size == 2 ? 1 : 2][to_unsigned], value.reg));
}

static CcValue integer_to_integer(CcLower *l, CcValue value, const CcType *from, const CcType *to)
{
    bool from_unsigned = is_unsigned_integer(from), to_unsigned = is_unsigned_integer(to);
    uint64_t from_size = integer_size(from), to_size = integer_size(to);
    bool same = from_size == to_size && from_unsigned == to_unsigned;
    bool inside = from_size < to_size && (from_unsigned || !to_unsigned);
    return same || inside ? value : narrow(l, value, to_size, to_unsigned);
}

/* Converts a double to an integer. Values that do not fit give the same result as under x86-64 compilers: (unsigned)d
 * goes through 64 bits, and smaller types go through 32. */
static CcValue double_to_integer(CcLower *l, CcReg value, const CcType *to)
{
    uint64_t size = integer_size(to);
    bool to_unsigned = is_unsigned_integer(to);
    if (size == 8)
        return cc_value_reg(cc_lower_emit_rr(l, to_unsigned ? VCODE_CVT_UL_D : VCODE_CVT_L_D, value));
    if (size == 4 && to_unsigned)
        return narrow(l, cc_value_reg(cc_lower_emit_rr(l, VCODE_CVT_L_D, value)), 4, true);
    CcValue word = cc_value_reg(cc_lower_emit_rr(l, VCODE_CVT_W_D, value));
    return size == 4 ? word : narrow(l, word, size, to_unsigned);
}

static CcValue to_bool(CcLower *l, CcValue value, const CcType *from)
{
    CcValue zero = cc_value_constant(0);
    return from->kind == CC_BOOL ? value : cc_lower_compare(l, CC_NOT_EQUAL, from, value, zero);
}

static CcValue real_to(CcLower *l, CcReg value, CcClass class, const CcType *to)
{
    CcClass wanted = cc_lower_class(to);
    if (wanted == class)
        return cc_value_reg(value);
    if (class == CC_CLASS_F)
        value = cc_lower_emit_rr(l, VCODE_CVT_D_F, value);
    if (wanted == CC_CLASS_D)
        return cc_value_reg(value);
    if (wanted == CC_CLASS_F)
        return cc_value_reg(cc_lower_emit_rr(l, VCODE_CVT_F_D, value));
    return double_to_integer(l, value, to);
}

CcValue cc_lower_convert(CcLower *l, CcValue value, const CcType *from, const CcType *to)
{
    from = plain(from);
    to = plain(to);
    CcClass class = cc_lower_class(from), wanted = cc_lower_class(to);
    if (to->kind == CC_VOID)
        return value;
    if (to->kind == CC_BOOL)
        return to_bool(l, value, from);
    if (class >= CC_CLASS_F)
        return wanted == class ? value : real_to(l, cc_lower_to_reg(l, value), class, to);
    if (wanted < CC_CLASS_F)
        return integer_to_integer(l, value, from, to);
    bool big = class == CC_CLASS_UL;
    CcReg reg = cc_lower_to_reg(l, value);
    if (wanted == CC_CLASS_D)
        return cc_value_reg(cc_lower_emit_rr(l, big ? VCODE_CVT_D_UL : VCODE_CVT_D_L, reg));
    return cc_value_reg(cc_lower_emit_rr(l, big ? VCODE_CVT_F_UL : VCODE_CVT_F_L, reg));
}
