/* constant.c - folds constants (C11 6.6).
 *
 * Operators on numbers are folded as soon as the node is created. An expression is therefore constant if and only if
 * its node is a CC_NUMBER. Integers wrap at the width of their type. Float arithmetic is rounded to float. An operation
 * that would trap is not folded. Addresses of static objects are recognised on demand, for initialisers and for a
 * hand-written offsetof.
 */
#include "compiler/front/front.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"
#include "vcode/arithmetic.h"

#include <complex.h>
#undef complex /* the name is used for variables and functions here */
#include <math.h>
#include <string.h>

#ifndef CMPLX /* glibc's header defines them for gcc only */
#define CMPLX(x, y)  __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#endif

/* -- casts ------------------------------------------------------------------------------------- */

static double as_real(const CcExpr *e)
{
    if (cc_is_real(e->type) || cc_is_complex(e->type))
        return e->real;
    return cc_is_integer(e->type) && cc_type_is_signed(e->type) ? (double)(int64_t)e->integer : (double)e->integer;
}

/* A value out of range is undefined (6.3.1.4p1). Like gcc, it becomes the nearest value of the type, and a NaN becomes
 * 0. */
static uint64_t real_to_integer(const CcType *type, double value)
{
    unsigned bits = cc_bits(type) - cc_type_is_signed(type);
    double limit = ldexp(1, (int)bits);
    if (isnan(value))
        return 0;
    if (value >= limit)
        return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (cc_type_is_signed(type) ? value <= -limit : value <= -1)
        return cc_type_is_signed(type) ? cc_type_canonical(type, (uint64_t)1 << bits) : 0;
    return cc_type_canonical(type, value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value);
}

static bool single(const CcType *type)
{
    return type->kind == CC_FLOAT || type->kind == CC_CFLOAT;
}

static double integer_to_real(const CcExpr *number, const CcType *type)
{
    if (single(type) && !cc_is_real(number->type) && !cc_is_complex(number->type)) /* round once, not to double first */
        return cc_is_integer(number->type) && cc_type_is_signed(number->type) ? (double)(float)(int64_t)number->integer
                                                                              : (double)(float)number->integer;
    double value = as_real(number);
    return single(type) ? (double)(float)value : value;
}

CcExpr *cc_sema_fold_cast(CcParser *p, CcExpr *number, CcType *type, CcLoc loc)
{
    g_assert(number->kind == CC_NUMBER);
    if (cc_is_wide(type) || cc_is_wide(number->type))
        return cc_sema_fold_wide_cast(p, number, type, loc);
    CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, type, loc, NULL, NULL);
    bool from_real = cc_is_real(number->type) || cc_is_complex(number->type);
    if (type->kind == CC_BOOL)
        e->integer = from_real ? number->real != 0 || number->imaginary != 0 : number->integer != 0;
    else if (cc_is_integer(type))
        e->integer = from_real ? real_to_integer(cc_type_integer_of(type), number->real)
                               : cc_type_canonical(type, number->integer);
    else if (type->kind == CC_POINTER)
        e->integer = number->integer;
    else {
        e->real = integer_to_real(number, type);
        if (cc_is_complex(type) && cc_is_complex(number->type))
            e->imaginary = single(type) ? (double)(float)number->imaginary : number->imaginary;
    }
    return e;
}

/* -- operators --------------------------------------------------------------------------------- */

static bool compare(CcExprKind kind, const CcExpr *left, const CcExpr *right, const CcType *type)
{
    if (cc_is_real(type))
        return cc_tree_holds(kind, (left->real < right->real), left->real == right->real, (left->real > right->real));
    uint64_t a = left->integer, b = right->integer;
    bool less = cc_is_integer(type) && cc_type_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
    return cc_tree_holds(kind, less, a == b, !less && a != b);
}

static bool overflows(CcExprKind kind, int64_t a, int64_t b, const CcType *type)
{
    int64_t wide = 0;
    bool lost = false;
    if (kind == CC_ADD)
        lost = __builtin_add_overflow(a, b, &wide);
    else if (kind == CC_SUBTRACT)
        lost = __builtin_sub_overflow(a, b, &wide);
    else if (kind == CC_MULTIPLY)
        lost = __builtin_mul_overflow(a, b, &wide);
    return lost || (int64_t)cc_type_canonical(type, (uint64_t)wide) != wide;
}

/* Returns false if the operation cannot be folded: division by zero, or a quotient out of range. */
static bool fold_integers(CcParser *p, const CcExpr *e, uint64_t a, uint64_t b, uint64_t *result)
{
    bool is_signed = cc_type_is_signed(e->type);
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    switch (e->kind) {
    case CC_ADD: *result = a + b; break;
    case CC_SUBTRACT: *result = a - b; break;
    case CC_MULTIPLY: *result = a * b; break;
    case CC_DIVIDE:
    case CC_REMAINDER:
        if (b == 0 || (is_signed && sb == -1 && (cc_type_canonical(e->type, 0 - a) == a && a != 0)))
            return false;
        if (e->kind == CC_DIVIDE)
            *result = is_signed ? (uint64_t)(sa / sb) : a / b;
        else
            *result = is_signed ? (uint64_t)(sa % sb) : a % b;
        break;
    case CC_AND: *result = a & b; break;
    case CC_OR: *result = a | b; break;
    case CC_XOR: *result = a ^ b; break;
    case CC_SHIFT_LEFT:
    case CC_SHIFT_RIGHT:
        if (b >= cc_bits(e->type))
            return false;
        if (e->kind == CC_SHIFT_LEFT)
            *result = a << b;
        else
            *result = is_signed ? (uint64_t)(sa >> b) : a >> b;
        break;
    default: return false;
    }
    if (is_signed && overflows(e->kind, sa, sb, e->type))
        cc_front_warning(p, e->loc, "-Woverflow", "integer overflow in expression");
    *result = cc_type_canonical(e->type, *result);
    return true;
}

static double fold_reals(CcExprKind kind, double a, double b, bool is_single)
{
    double result = kind == CC_ADD        ? add_d(a, b)
                    : kind == CC_SUBTRACT ? sub_d(a, b)
                    : kind == CC_MULTIPLY ? mul_d(a, b)
                                          : div_d(a, b);
    return is_single ? (double)(float)result
                     : result; /* two roundings, to double and then to float, are as good as one here (Figueroa 1995) */
}

/* Stores a result of the host's complex arithmetic, which equals that of the runtime. */
static void set_complex(CcExpr *out, double _Complex z)
{
    out->real = creal(z);
    out->imaginary = cimag(z);
}

static void multiply_complex(CcExpr *out, const CcExpr *x, const CcExpr *y, bool is_single)
{
    if (is_single)
        set_complex(out, CMPLXF((float)x->real, (float)x->imaginary) * CMPLXF((float)y->real, (float)y->imaginary));
    else
        set_complex(out, CMPLX(x->real, x->imaginary) * CMPLX(y->real, y->imaginary));
}

static void divide_complex(CcExpr *out, const CcExpr *x, const CcExpr *y, bool is_single)
{
    if (is_single)
        set_complex(out, CMPLXF((float)x->real, (float)x->imaginary) / CMPLXF((float)y->real, (float)y->imaginary));
    else
        set_complex(out, CMPLX(x->real, x->imaginary) / CMPLX(y->real, y->imaginary));
}

static bool fold_complex(CcExpr *out, const CcExpr *e)
{
    double a = e->left->real, b = e->left->imaginary, c = e->right->real, d = e->right->imaginary;
    switch (e->kind) {
    case CC_ADD:
        out->real = a + c;
        out->imaginary = b + d;
        break;
    case CC_SUBTRACT:
        out->real = a - c;
        out->imaginary = b - d;
        break;
    case CC_MULTIPLY: multiply_complex(out, e->left, e->right, e->type->kind == CC_CFLOAT); break;
    case CC_DIVIDE: divide_complex(out, e->left, e->right, e->type->kind == CC_CFLOAT); break;
    default: return false;
    }
    if (e->type->kind == CC_CFLOAT) {
        out->real = (double)(float)out->real;
        out->imaginary = (double)(float)out->imaginary;
    }
    return true;
}

static CcExpr *fold_binary(CcParser *p, CcExpr *e)
{
    const CcExpr *left = e->left, *right = e->right;
    const CcType *operand = left->type;
    if (cc_is_wide(operand))
        return cc_sema_fold_wide(p, e);
    CcExpr *out = cc_sema_expr_new(p, CC_NUMBER, e->type, e->loc, NULL, NULL);
    if (cc_is_comparison(e->kind) && cc_is_complex(operand)) {
        bool same = left->real == right->real && left->imaginary == right->imaginary;
        out->integer = same == (e->kind == CC_EQUAL);
        return out;
    }
    if (cc_is_comparison(e->kind)) {
        out->integer = compare(e->kind, left, right, operand);
        return out;
    }
    if (cc_is_complex(e->type))
        return fold_complex(out, e) ? out : e;
    if (cc_is_real(e->type)) {
        out->real = fold_reals(e->kind, left->real, right->real, e->type->kind == CC_FLOAT);
        if (isnan(out->real) && !isnan(left->real) && !isnan(right->real)) {
            if (!p->in_static_value)
                return e; /* at run time it raises an exception and yields the machine's own NaN */
            out->real = (double)NAN;
        }
        return out;
    }
    if (!cc_is_integer(e->type))
        return e;
    return fold_integers(p, e, left->integer, right->integer, &out->integer) ? out : e;
}

static CcExpr *fold_unary(CcParser *p, CcExpr *e)
{
    const CcExpr *operand = e->left;
    if (cc_is_wide(operand->type))
        return cc_sema_fold_wide(p, e);
    CcExpr *out = cc_sema_expr_new(p, CC_NUMBER, e->type, e->loc, NULL, NULL);
    bool real = cc_is_real(operand->type), complex = cc_is_complex(operand->type);
    switch (e->kind) {
    case CC_NOT:
        out->integer = real      ? operand->real == 0
                       : complex ? operand->real == 0 && operand->imaginary == 0
                                 : operand->integer == 0;
        break;
    case CC_NEGATE:
        out->real = -operand->real;
        out->imaginary = complex ? -operand->imaginary : 0;
        out->integer = real || complex ? 0 : cc_type_canonical(e->type, 0 - operand->integer);
        if (!real && !complex && cc_type_is_signed(e->type) && out->integer == operand->integer && operand->integer)
            cc_front_warning(p, e->loc, "-Woverflow", "integer overflow in expression");
        break;
    case CC_COMPLEMENT:
        out->real = operand->real;
        out->imaginary = -operand->imaginary;
        out->integer = complex ? 0 : cc_type_canonical(e->type, ~operand->integer);
        break;
    case CC_REAL_PART: out->real = operand->real; break;
    case CC_IMAGINARY_PART: out->real = operand->imaginary; break;
    default: return e;
    }
    return out;
}

static bool truth(const CcExpr *number)
{
    if (cc_is_real(number->type) || cc_is_complex(number->type))
        return number->real != 0 || number->imaginary != 0;
    return number->integer != 0 || (cc_is_wide(number->type) && number->high != 0);
}

/* Whether the expression contains a statement expression. It must not be dropped, because a jump from elsewhere may
 * lead to a label in it. */
static bool has_statements(const CcExpr *e)
{
    if (!e)
        return false;
    return e->kind == CC_STATEMENT_EXPR || has_statements(e->left) || has_statements(e->right) ||
           has_statements(e->condition);
}

static CcExpr *fold_logical(CcParser *p, CcExpr *e)
{
    if (!cc_is_number(e->left))
        return e;
    bool decided = truth(e->left) == (e->kind == CC_LOGICAL_OR) && !has_statements(e->right);
    if (decided)
        return cc_sema_integer(p, e->type, e->kind == CC_LOGICAL_OR, e->loc);
    return cc_is_number(e->right) ? cc_sema_integer(p, e->type, truth(e->right), e->loc) : e;
}

CcExpr *cc_sema_fold(CcParser *p, CcExpr *e)
{
    if (e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR)
        return fold_logical(p, e);
    if (e->kind == CC_CONDITIONAL) {
        g_assert(e->condition);
        if (!cc_is_number(e->condition))
            return e;
        CcExpr *chosen = !truth(e->condition) ? e->right : e->left ? e->left : e->condition;
        CcExpr *other = chosen == e->right ? e->left : e->right;
        return cc_is_number(chosen) && !has_statements(other) ? chosen : e;
    }
    if (!e->left || !cc_is_number(e->left) || (e->right && !cc_is_number(e->right)))
        return e;
    return e->right ? fold_binary(p, e) : fold_unary(p, e);
}

/* -- addresses --------------------------------------------------------------------------------- */

/* The address of a symbol or literal plus an offset in bytes. Neither: an absolute address. */
typedef struct Address {
    CcSymbol *symbol;
    CcExpr *literal;
    uint64_t offset;
} Address;

static bool address_of_value(const CcExpr *e, Address *address);

static bool has_static_storage(const CcSymbol *symbol)
{
    return symbol->kind == CC_SYM_FUNCTION || symbol->storage == CC_STATIC || symbol->storage == CC_EXTERN ||
           symbol->storage == CC_GLOBAL;
}

/* Finds the address of an lvalue or function designator. Returns false if the linker cannot know it. */
static bool address_of_lvalue(const CcExpr *e, Address *address)
{
    switch (e->kind) {
    case CC_VARIABLE: *address = (Address){e->symbol, NULL, 0}; return has_static_storage(e->symbol);
    case CC_STRING: *address = (Address){NULL, (CcExpr *)e, 0}; return true;
    case CC_COMPOUND: *address = (Address){e->symbol, NULL, 0}; return e->symbol->storage == CC_STATIC;
    case CC_DEREFERENCE: return address_of_value(e->left, address);
    case CC_MEMBER:
        if (!e->left->lvalue || !address_of_lvalue(e->left, address))
            return false;
        address->offset += e->member->offset;
        return true;
    case CC_REAL_PART: return address_of_lvalue(e->left, address);
    case CC_IMAGINARY_PART:
        if (!address_of_lvalue(e->left, address))
            return false;
        address->offset += e->type->size;
        return true;
    default: return false;
    }
}

static bool address_of_sum(const CcExpr *e, Address *address)
{
    int64_t index;
    if (e->type->kind == CC_POINTER) {
        if (!address_of_value(e->left, address) || !cc_tree_integer_constant(e->right, &index) ||
            cc_type_has_variable_size(e->type->target))
            return false;
        uint64_t size = e->type->target->size ? e->type->target->size : 1;
        address->offset += (e->kind == CC_ADD ? (uint64_t)index : 0 - (uint64_t)index) * size;
        return true;
    }
    /* (long)&x + 4 */
    if (e->type->size != 8 || !cc_is_integer(e->type))
        return false;
    if (address_of_value(e->left, address) && cc_tree_integer_constant(e->right, &index)) {
        address->offset += e->kind == CC_ADD ? (uint64_t)index : 0 - (uint64_t)index;
        return true;
    }
    return e->kind == CC_ADD && cc_tree_integer_constant(e->left, &index) && address_of_value(e->right, address) &&
           (address->offset += (uint64_t)index, true);
}

/* Finds the address in a pointer value, or in an 8-byte integer made from one. Returns false if the linker cannot know
 * it. */
static bool address_of_value(const CcExpr *e, Address *address)
{
    switch (e->kind) {
    case CC_NUMBER:
        *address = (Address){NULL, NULL, e->integer};
        return e->type->kind == CC_POINTER || cc_is_integer(e->type);
    case CC_ADDRESS_CONSTANT: *address = (Address){e->symbol, e->left, e->integer}; return true;
    case CC_DECAY:
    case CC_ADDRESS: return address_of_lvalue(e->left, address);
    case CC_CAST:
        if (e->type->kind != CC_POINTER && !(cc_is_integer(e->type) && e->type->size == 8))
            return false;
        if (e->left->type->kind != CC_POINTER && !(cc_is_integer(e->left->type) && e->left->type->size == 8))
            return false;
        return address_of_value(e->left, address);
    case CC_ADD:
    case CC_SUBTRACT: return address_of_sum(e, address);
    case CC_CONDITIONAL:
        if (!cc_is_number(e->condition) || !e->left)
            return false;
        return address_of_value(truth(e->condition) ? e->left : e->right, address);
    default: return false;
    }
}

static CcExpr *address_constant(CcParser *p, const CcExpr *e, const Address *address)
{
    if (!address->symbol && !address->literal)
        return cc_sema_integer(p, e->type, address->offset, e->loc);
    if (address->symbol && address->symbol->thread)
        cc_front_error(p, e->loc, "the address of '%s' is not constant: each thread has its own",
                       address->symbol->name);
    CcExpr *constant = cc_sema_expr_new(p, CC_ADDRESS_CONSTANT, e->type, e->loc, NULL, NULL);
    constant->symbol = address->symbol;
    constant->left = address->literal;
    constant->integer = address->offset;
    if (address->symbol)
        address->symbol->used = address->symbol->addressed = true;
    return constant;
}

/* Whether two literals are one object. Equal string literals are. */
static bool same_literal(const CcExpr *a, const CcExpr *b)
{
    if (a == b)
        return true;
    return a && b && a->kind == CC_STRING && b->kind == CC_STRING && a->string_size == b->string_size &&
           memcmp(a->string, b->string, a->string_size) == 0;
}

/* An absolute address cast to an integer becomes a number, as in a hand-written offsetof. */
CcExpr *cc_sema_fold_address(CcParser *p, CcExpr *e)
{
    Address address;
    if ((e->kind == CC_CAST || e->kind == CC_SUBTRACT) && cc_is_integer(e->type)) {
        if (e->kind == CC_SUBTRACT) { /* (char *)&((T *)0)->m - (char *)0, and &a[3] - &a[1] */
            Address right;
            if (e->left->type->kind != CC_POINTER || !address_of_value(e->left, &address) ||
                !address_of_value(e->right, &right) || address.symbol != right.symbol ||
                !same_literal(address.literal, right.literal) || cc_type_has_variable_size(e->left->type->target))
                return e;
            int64_t bytes = (int64_t)(address.offset - right.offset);
            int64_t size = (int64_t)MAX(e->left->type->target->size, 1); /* void counts as 1 byte */
            return cc_sema_integer(p, e->type, (uint64_t)(bytes / size), e->loc);
        }
        if (e->left->type->kind == CC_POINTER && address_of_value(e->left, &address) && !address.symbol &&
            !address.literal)
            return cc_sema_integer(p, e->type, cc_type_canonical(e->type, address.offset), e->loc);
    }
    return e;
}

/* -- static initialisers ----------------------------------------------------------------------- */

/* Returns the initial value of a const object with static storage, or of a part of it. NULL: not known as a number. */
static CcExpr *read_object(CcParser *p, const CcExpr *e)
{
    Address address;
    if (!cc_is_arithmetic(e->type) || !(e->type->qualifiers & CC_CONST) || (e->type->qualifiers & CC_VOLATILE) ||
        !address_of_lvalue(e, &address) || !address.symbol || !address.symbol->init || address.symbol->weak ||
        (e->kind == CC_MEMBER && e->member->bit_field))
        return NULL;
    for (const CcInit *item = address.symbol->init; item; item = item->next) {
        bool same = item->offset == address.offset && item->type->size == e->type->size && item->bit_width == 0;
        if (same && cc_is_number(item->value))
            return cc_sema_fold_cast(p, item->value, cc_type_unqualified(p, e->type), e->loc);
        if (item->offset < address.offset + e->type->size && address.offset < item->offset + item->type->size)
            return NULL;
    }
    return address.offset + e->type->size <= address.symbol->type->size
               ? cc_sema_convert(p, cc_sema_integer(p, p->basic[CC_INT], 0, e->loc), e->type)
               : NULL;
}

/* Folds an initialiser in which, as with gcc, the value of a const object counts as constant. NULL: not constant. */
static CcExpr *read_constants(CcParser *p, CcExpr *e)
{
    if (cc_is_number(e))
        return e;
    if (e->lvalue)
        return read_object(p, e);
    bool operator= e->kind >= CC_NEGATE && e->kind <= CC_NOT;
    operator|= e->kind >= CC_ADD && e->kind <= CC_CONDITIONAL;
    if (e->kind != CC_CAST && !operator)
        return NULL;
    CcExpr *left = e->left ? read_constants(p, e->left) : NULL;
    CcExpr *right = e->right ? read_constants(p, e->right) : NULL;
    CcExpr *condition = e->condition ? read_constants(p, e->condition) : NULL;
    if ((e->left && !left) || (e->right && !right) || (e->condition && !condition))
        return NULL;
    if (e->kind == CC_CAST) {
        g_assert(left); /* a cast has an operand */
        return cc_is_number(left) ? cc_sema_fold_cast(p, left, e->type, e->loc) : NULL;
    }
    CcExpr *copy = cc_sema_expr_new(p, e->kind, e->type, e->loc, left, right);
    copy->condition = condition;
    return cc_sema_fold(p, copy);
}

static CcExpr *without_casts(CcExpr *e)
{
    while (e->kind == CC_CAST && (e->type->kind == CC_POINTER || cc_is_integer(e->type)))
        e = e->left;
    return e;
}

/* Returns the node for &&here - &&there (GNU), which is known once the function is emitted. NULL: another expression.
 */
static CcExpr *label_difference(CcParser *p, CcExpr *e)
{
    CcExpr *difference = without_casts(e);
    if (!cc_is_integer(e->type) || difference->kind != CC_SUBTRACT)
        return NULL;
    CcExpr *left = without_casts(difference->left), *right = without_casts(difference->right);
    if (left->kind != CC_LABEL_ADDRESS || right->kind != CC_LABEL_ADDRESS)
        return NULL;
    return cc_sema_expr_new(p, CC_SUBTRACT, e->type, e->loc, left, right);
}

CcExpr *cc_sema_static_value(CcParser *p, CcExpr *e, const char *name)
{
    if (cc_is_error(p, e) || cc_is_number(e) || e->kind == CC_STRING || e->kind == CC_LABEL_ADDRESS)
        return e;
    Address address;
    if ((e->type->kind == CC_POINTER || (cc_is_integer(e->type) && e->type->size == 8)) &&
        address_of_value(e, &address))
        return address_constant(p, e, &address);
    if (e->kind == CC_CAST && e->type->kind == CC_BOOL && e->left->type->kind == CC_POINTER &&
        address_of_value(e->left, &address))
        return cc_sema_integer(p, e->type, address.symbol || address.literal || address.offset, e->loc);
    if (e->kind == CC_CAST && e->left->kind == CC_LABEL_ADDRESS && e->type->size == 8)
        return e->left;
    CcExpr *distance = label_difference(p, e);
    if (distance)
        return distance;
    p->in_static_value = true;
    CcExpr *reduced = read_constants(p, e);
    p->in_static_value = false;
    if (reduced && cc_is_number(reduced))
        return reduced;
    if (name)
        cc_front_error(p, e->loc, "initializer of '%s' is not constant", name);
    else
        cc_front_error(p, e->loc, "initializer element is not constant");
    return NULL;
}
