/* constant_wide.c - folds __int128 by the host's own __int128. */
#include "compiler/front/front.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <math.h>

typedef __int128 Wide;
typedef unsigned __int128 UnsignedWide;

static UnsignedWide value_of(const CcExpr *number)
{
    const CcType *type = number->type;
    if (cc_is_wide(type))
        return (UnsignedWide)number->high << 64 | number->integer;
    return type->kind == CC_POINTER || (cc_is_integer(type) && cc_type_is_signed(type))
               ? (UnsignedWide)(Wide)(int64_t)number->integer
               : number->integer;
}

static CcExpr *make(CcParser *p, CcType *type, UnsignedWide value, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, cc_type_unqualified(p, type), loc, NULL, NULL);
    e->integer = (uint64_t)value;
    e->high = cc_is_wide(type) ? (uint64_t)(value >> 64) : 0;
    return e;
}

/* -- casts ------------------------------------------------------------------------------------- */

/* A value out of range is undefined. It becomes the nearest value of the type, and a NaN becomes 0. */
static UnsignedWide from_real(const CcType *type, double value)
{
    bool is_signed = cc_type_is_signed(type);
    double limit = ldexp(1, is_signed ? 127 : 128);
    UnsignedWide most = is_signed ? ~(UnsignedWide)0 >> 1 : ~(UnsignedWide)0;
    if (isnan(value))
        return 0;
    if (value >= limit)
        return most;
    if (is_signed)
        return value <= -limit ? (UnsignedWide)1 << 127 : (UnsignedWide)(Wide)value;
    return value <= -1 ? 0 : (UnsignedWide)value;
}

static double to_real(const CcExpr *number, const CcType *type)
{
    UnsignedWide value = value_of(number);
    bool single = type->kind == CC_FLOAT || type->kind == CC_CFLOAT, is_signed = cc_type_is_signed(number->type);
    if (single)
        return is_signed ? (double)(float)(Wide)value : (double)(float)value;
    return is_signed ? (double)(Wide)value : (double)value;
}

CcExpr *cc_sema_fold_wide_cast(CcParser *p, const CcExpr *number, CcType *type, CcLoc loc)
{
    bool real = cc_is_real(number->type) || cc_is_complex(number->type);
    if (cc_is_wide(type))
        return make(p, type, real ? from_real(type, number->real) : value_of(number), loc);
    CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, type, loc, NULL, NULL);
    if (type->kind == CC_BOOL)
        e->integer = value_of(number) != 0;
    else if (cc_is_integer(type))
        e->integer = cc_type_canonical(cc_type_integer_of(type), number->integer);
    else if (type->kind == CC_POINTER)
        e->integer = number->integer;
    else
        e->real = to_real(number, type);
    return e;
}

/* -- operators --------------------------------------------------------------------------------- */

static bool divide(CcExprKind kind, UnsignedWide a, UnsignedWide b, bool is_signed, UnsignedWide *result)
{
    if (b == 0 || (is_signed && b == ~(UnsignedWide)0 && a == (UnsignedWide)1 << 127))
        return false;
    if (kind == CC_DIVIDE)
        *result = is_signed ? (UnsignedWide)((Wide)a / (Wide)b) : a / b;
    else
        *result = is_signed ? (UnsignedWide)((Wide)a % (Wide)b) : a % b;
    return true;
}

/* Returns false if the operation cannot be folded. */
static bool operate(const CcExpr *e, UnsignedWide a, UnsignedWide b, UnsignedWide *result)
{
    bool is_signed = cc_type_is_signed(e->type);
    switch (e->kind) {
    case CC_NEGATE: *result = 0 - a; return true;
    case CC_COMPLEMENT: *result = ~a; return true;
    case CC_ADD: *result = a + b; return true;
    case CC_SUBTRACT: *result = a - b; return true;
    case CC_MULTIPLY: *result = a * b; return true;
    case CC_AND: *result = a & b; return true;
    case CC_OR: *result = a | b; return true;
    case CC_XOR: *result = a ^ b; return true;
    case CC_DIVIDE:
    case CC_REMAINDER: return divide(e->kind, a, b, is_signed, result);
    case CC_SHIFT_LEFT: *result = b < 128 ? a << b : 0; return b < 128;
    case CC_SHIFT_RIGHT:
        if (b < 128)
            *result = is_signed ? (UnsignedWide)((Wide)a >> b) : a >> b;
        return b < 128;
    default: return false;
    }
}

CcExpr *cc_sema_fold_wide(CcParser *p, CcExpr *e)
{
    UnsignedWide a = value_of(e->left), b = e->right ? value_of(e->right) : 0, result;
    if (e->kind == CC_NOT)
        return cc_sema_integer(p, e->type, a == 0, e->loc);
    if (cc_is_comparison(e->kind)) {
        bool less = cc_type_is_signed(e->left->type) ? (Wide)a < (Wide)b : a < b;
        return cc_sema_integer(p, e->type, cc_tree_holds(e->kind, less, a == b, !less && a != b), e->loc);
    }
    return operate(e, a, b, &result) ? make(p, e->type, result, e->loc) : e;
}
