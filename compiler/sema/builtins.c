/* builtins.c - functions whose names start with __builtin_.
 *
 * If NAME is an ordinary library function, __builtin_NAME is a call of NAME. The built-ins that the compiler itself
 * implements are in one table here, each with its maker (builtins.h). If the result depends on the arguments alone and
 * they are constants, the result is a constant.
 */
#include "compiler/sema/builtins.h"

#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

static CcExpr *builtin(CcParser *p, CcBuiltin which, CcType *result, CcExpr *argument, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_BUILTIN, result, loc, NULL, NULL);
    e->builtin = which;
    if (argument) {
        e->arguments = cc_arena_alloc(p->arena, sizeof *e->arguments);
        e->arguments[0] = argument;
        e->n_arguments = 1;
        cc_sema_set_depth(p, e, argument);
    }
    return e;
}

/* -- bits -------------------------------------------------------------------------------------- */

static int leading_zeros(uint64_t value, unsigned bits)
{
    int n = 0;
    for (uint64_t bit = (uint64_t)1 << (bits - 1); bit && !(value & bit); bit >>= 1)
        n++;
    return n;
}

/* Computes an integer built-in of a number. Returns false if the result is undefined or does not depend on the argument
 * alone. */
static bool fold_bits(int which, uint64_t value, uint64_t *result)
{
    switch (which) {
    case CC_BUILTIN_CLZ: *result = (uint64_t)leading_zeros((uint32_t)value, 32); return (uint32_t)value != 0;
    case CC_BUILTIN_CLZL: *result = (uint64_t)leading_zeros(value, 64); return value != 0;
    case CC_BUILTIN_CTZ: *result = value ? (uint64_t)__builtin_ctzll(value) : 64; return value != 0;
    case CC_BUILTIN_POPCOUNT: *result = (uint64_t)__builtin_popcountll(value); return true;
    case CC_BUILTIN_BSWAP16: *result = __builtin_bswap16((uint16_t)value); return true;
    case CC_BUILTIN_BSWAP32: *result = __builtin_bswap32((uint32_t)value); return true;
    case CC_BUILTIN_BSWAP64: *result = __builtin_bswap64(value); return true;
    default: return false;
    }
}

static CcExpr *fold_plain(CcParser *p, int which, CcExpr *number, CcType *result, CcLoc loc)
{
    uint64_t value;
    if (which == CC_BUILTIN_FABS)
        return cc_sema_real(p, result, fabs(number->real), loc);
    if (which == CC_BUILTIN_SQRT && number->real >= 0)
        return cc_sema_real(p, result, sqrt(number->real), loc);
    return fold_bits(which, number->integer, &value) ? cc_sema_integer(p, result, value, loc) : NULL;
}

static CcExpr *make_plain(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *argument = b->arguments ? arguments[0] : NULL;
    CcType *result = b->result == CC_POINTER ? p->void_pointer : p->basic[b->result];
    if (argument) {
        CcAssignContext context = {CC_PASSING, 1, b->name, NULL};
        argument = cc_sema_assign_convert(p, argument, p->basic[b->argument], &context);
        if (cc_is_error(p, argument))
            return argument;
        if (b->value == CC_BUILTIN_CTZ || b->value == CC_BUILTIN_POPCOUNT) /* zero-extension is harmless */
            argument = cc_sema_convert(p, argument, p->basic[CC_ULONG]);
        CcExpr *folded = cc_is_number(argument) ? fold_plain(p, b->value, argument, result, loc) : NULL;
        if (folded)
            return folded;
    }
    return builtin(p, (CcBuiltin)b->value, result, argument, loc);
}

static CcExpr *count(CcParser *p, CcBuiltin which, CcExpr *x, CcLoc loc)
{
    uint64_t value;
    x = cc_sema_convert(p, x, p->basic[CC_ULONG]);
    if (cc_is_number(x) && fold_bits((int)which, x->integer, &value))
        return cc_sema_integer(p, p->basic[CC_INT], value, loc);
    return builtin(p, which, p->basic[CC_INT], x, loc);
}

static CcExpr *op(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc)
{
    return cc_sema_binary(p, kind, left, right, loc, loc);
}

static CcExpr *number(CcParser *p, int value, CcLoc loc)
{
    return cc_sema_integer(p, p->basic[CC_INT], (uint64_t)(int64_t)value, loc);
}

static CcExpr *argument_as(CcParser *p, const CcBuiltinRow *b, CcExpr *argument, CcKind kind)
{
    CcAssignContext context = {CC_PASSING, 1, b->name, NULL};
    return cc_sema_assign_convert(p, argument, p->basic[kind], &context);
}

/* ffs: one more than the index of the lowest set bit, or 0 if there is none. */
static CcExpr *make_ffs(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x, *set = cc_sema_once(p, argument_as(p, b, arguments[0], b->argument), &x, loc);
    if (cc_is_error(p, x))
        return x;
    CcExpr *lowest = cc_is_number(x) && x->integer == 0 ? number(p, 0, loc) : count(p, CC_BUILTIN_CTZ, x, loc);
    CcExpr *place = op(p, CC_ADD, lowest, number(p, 1, loc), loc);
    return cc_sema_then(p, set, cc_sema_conditional(p, x, place, number(p, 0, loc), loc), loc);
}

static CcExpr *make_parity(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x = argument_as(p, b, arguments[0], b->argument);
    if (cc_is_error(p, x))
        return x;
    return op(p, CC_AND, count(p, CC_BUILTIN_POPCOUNT, x, loc), number(p, 1, loc), loc);
}

static CcExpr *wide_argument(CcParser *p, const CcBuiltinRow *b, CcExpr *argument)
{
    return cc_sema_convert(p, argument_as(p, b, argument, b->argument), p->basic[CC_LONG]);
}

/* clrsb: the number of bits directly below the sign bit that are equal to it. */
static CcExpr *make_sign_bits(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x, *set = cc_sema_once(p, wide_argument(p, b, arguments[0]), &x, loc);
    if (cc_is_error(p, x))
        return x;
    CcExpr *differ = op(p, CC_XOR, x, op(p, CC_SHIFT_RIGHT, x, number(p, 63, loc), loc), loc);
    CcExpr *marked =
        op(p, CC_OR, op(p, CC_SHIFT_LEFT, cc_sema_convert(p, differ, p->basic[CC_ULONG]), number(p, 1, loc), loc),
           number(p, 1, loc), loc);
    int more = b->argument == CC_INT ? 32 : 0; /* the 64-bit result counts 32 bits too many */
    return cc_sema_then(p, set, op(p, CC_SUBTRACT, count(p, CC_BUILTIN_CLZL, marked, loc), number(p, more, loc), loc),
                        loc);
}

/* -- hints and questions ----------------------------------------------------------------------- */

/* The first argument as a long. The other arguments, the expected value and its probability, only guide an optimiser.
 */
static CcExpr *make_expect(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    CcExpr *value = cc_sema_convert(p, cc_sema_promote(p, arguments[0]), p->basic[CC_LONG]);
    CcExpr *expected = cc_sema_promote(p, arguments[1]);
    if (cc_is_error(p, value) || cc_is_number(expected))
        return value;
    CcExpr *kept, *set = cc_sema_once(p, value, &kept, loc); /* the expected value may have side effects */
    return cc_sema_then(p, set, cc_sema_comma(p, expected, kept, loc), loc);
}

/* The first argument, converted to the type of the row. The other arguments are hints that are not used. */
static CcExpr *make_first(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *e = cc_sema_rvalue(p, arguments[0]);
    if (cc_is_error(p, e) || b->result == CC_UNION) /* CC_UNION: keep its type */
        return e;
    return cc_sema_cast_expr(p, b->result == CC_POINTER ? p->void_pointer : p->basic[b->result], e, loc);
}

/* An integer that the row gives. The arguments are not evaluated. */
static CcExpr *make_integer(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)arguments;
    CcType *type = b->result == CC_POINTER ? p->void_pointer : p->basic[b->result];
    return cc_sema_convert(p, number(p, b->value, loc), type);
}

static CcExpr *make_nothing(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    (void)arguments;
    return cc_sema_cast_expr(p, p->basic[CC_VOID], number(p, 0, loc), loc);
}

/* Sizes of objects are not tracked. The result is "unknown": all ones for the upper bounds, 0 for the lower bounds. */
static CcExpr *make_object_size(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    int64_t which = 0;
    if (!cc_tree_integer_constant(arguments[1], &which) || which < 0 || which > 3) {
        cc_front_error(p, arguments[1]->loc, "last argument of '__builtin_%s' is not an integer from 0 to 3", b->name);
        return cc_sema_error_expr(p, loc);
    }
    return cc_sema_integer(p, p->basic[CC_ULONG], which < 2 ? UINT64_MAX : 0, loc);
}

static CcExpr *make_constant_p(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    CcExpr *e = cc_sema_rvalue(p, arguments[0]);
    bool constant = cc_is_number(e) || (e->kind == CC_DECAY && e->left->kind == CC_STRING);
    return cc_sema_integer(p, p->basic[CC_INT], constant, loc);
}

/* The class of a type in gcc's numbering (its typeclass.h), which macros rely on. */
static CcExpr *make_classify_type(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    const CcType *type = cc_sema_rvalue(p, arguments[0])->type;
    int class = type->kind == CC_VOID      ? 0
                : cc_is_integer(type)      ? 1
                : cc_is_wide(type)         ? 1
                : type->kind == CC_POINTER ? 5
                : cc_is_real(type)         ? 8
                : cc_is_complex(type)      ? 9
                : type->kind == CC_STRUCT  ? 12
                : type->kind == CC_UNION   ? 13
                                           : -1;
    return number(p, class, loc);
}

static CcExpr *string(CcParser *p, const char *text, CcLoc loc)
{
    CcExpr *e =
        cc_sema_expr_new(p, CC_STRING, cc_type_array_of(p, p->basic[CC_CHAR], strlen(text) + 1), loc, NULL, NULL);
    e->lvalue = true;
    e->string = text;
    e->string_size = strlen(text) + 1;
    return cc_sema_rvalue(p, e);
}

/* __builtin_LINE, FILE, FUNCTION: the place of the call. */
static CcExpr *make_place(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)arguments;
    if (b->value == 'L')
        return number(p, (int)loc.line, loc);
    if (b->value == 'F')
        return string(p, p->function ? p->function->symbol->name : "", loc);
    return string(p, g_ptr_array_index(p->unit->files, loc.file), loc);
}

/* For a literal a constant expression, otherwise a call of the library's strlen(). */
static CcExpr *make_strlen(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    const CcExpr *e = arguments[0];
    if (e->kind == CC_STRING && e->type->target->size == 1)
        return cc_sema_integer(p, p->basic[CC_ULONG], strlen(e->string), loc);
    CcSymbol *symbol = cc_library_function(p, b->name, loc);
    CcExprList *list = cc_sema_expr_list(p, NULL, arguments[0]);
    return symbol ? cc_sema_call(p, cc_sema_variable(p, symbol, loc), list, loc) : cc_sema_error_expr(p, loc);
}

/* __builtin_complex(a, b): takes the parts as they are. a + b * I would go wrong with infinities and negative zeros. */
static CcExpr *make_complex(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    CcExpr *re = cc_sema_rvalue(p, arguments[0]), *im = cc_sema_rvalue(p, arguments[1]);
    if (!cc_is_real(re->type) || !cc_is_real(im->type) || re->type->kind != im->type->kind) {
        cc_front_error(p, loc, "'__builtin_complex' needs two arguments of one real floating type");
        return cc_sema_error_expr(p, loc);
    }
    CcType *type = p->basic[re->type->kind - CC_FLOAT + CC_CFLOAT];
    if (cc_is_number(re) && cc_is_number(im)) {
        CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, type, loc, NULL, NULL);
        e->real = re->real;
        e->imaginary = im->real;
        return e;
    }
    CcExpr *z = cc_sema_variable(p, cc_sema_hidden_variable(p, "complex", type, false, loc), loc);
    CcExpr *first = cc_sema_assignment(p, cc_sema_unary(p, CC_REAL_PART, z, loc), re, loc);
    CcExpr *second = cc_sema_assignment(p, cc_sema_unary(p, CC_IMAGINARY_PART, z, loc), im, loc);
    return cc_sema_comma(p, cc_sema_comma(p, first, second, loc), z, loc);
}

/* conj, creal and cimag. */
static CcExpr *make_complex_part(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *z = argument_as(p, b, arguments[0], b->argument);
    return cc_is_error(p, z) ? z : cc_sema_rvalue(p, cc_sema_unary(p, (CcExprKind)b->value, z, loc));
}

/* -- floating point ---------------------------------------------------------------------------- */

static CcExpr *make_infinity(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)arguments;
    return cc_sema_real(p, p->basic[b->result], INFINITY, loc);
}

static CcExpr *make_nan(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    const CcExpr *text = arguments[0];
    double value = (double)NAN;
    if (text->kind == CC_STRING && text->type->target->size == 1 && text->string[0]) { /* the payload */
        union {
            double real;
            uint64_t bits;
        } nan = {.real = value};
        unsigned shift = b->result == CC_FLOAT ? 29 : 0;
        nan.bits |= g_ascii_strtoull(text->string, NULL, 0) << shift & (((uint64_t)1 << 51) - 1);
        value = nan.real;
    }
    return cc_sema_real(p, p->basic[b->result], value, loc);
}

static bool is_list(const CcExpr *e)
{
    return e->lvalue && e->type->kind == CC_POINTER && e->type->target->kind == CC_CHAR;
}

static CcExpr *make_va(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    bool copy = b->value == CC_VA_COPY;
    if (cc_is_error(p, arguments[0]))
        return arguments[0];
    CcExpr *source = copy ? cc_sema_rvalue(p, arguments[1]) : NULL;
    bool good_source = !copy || (source->type->kind == CC_POINTER && source->type->target->kind == CC_CHAR);
    if (!is_list(arguments[0]) || !good_source) {
        cc_front_error(p, arguments[0]->loc, "argument of '%s' is not of type 'va_list'", b->name);
        return cc_sema_error_expr(p, loc);
    }
    if (b->value == CC_VA_START &&
        (!p->function || p->function->type->kind != CC_FUNCTION || !p->function->type->variadic)) {
        cc_front_error(p, loc, "'va_start' used in a function with fixed arguments");
        return cc_sema_error_expr(p, loc);
    }
    if (arguments[0]->kind == CC_VARIABLE)
        arguments[0]->symbol->addressed = true;
    return cc_sema_expr_new(p, (CcExprKind)b->value, p->basic[CC_VOID], loc, arguments[0], source);
}

/* isgreater and the like. Floating-point comparisons never trap on the simulated machine, so they are plain operators.
 * islessgreater is x < y || x > y; isunordered is x != x || y != y. */
static CcExpr *make_compare(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    bool unordered = b->value == CC_EQUAL;
    if (!unordered && b->value != CC_NOT_EQUAL)
        return op(p, (CcExprKind)b->value, arguments[0], arguments[1], loc);
    CcExpr *x, *y, *set_x = cc_sema_once(p, arguments[0], &x, loc), *set_y = cc_sema_once(p, arguments[1], &y, loc);
    CcExprKind first = unordered ? CC_NOT_EQUAL : CC_LESS, second = unordered ? CC_NOT_EQUAL : CC_GREATER;
    CcExpr *either = unordered ? op(p, CC_LOGICAL_OR, op(p, first, x, x, loc), op(p, second, y, y, loc), loc)
                               : op(p, CC_LOGICAL_OR, op(p, first, x, y, loc), op(p, second, x, y, loc), loc);
    return cc_sema_then(p, set_x, cc_sema_then(p, set_y, either, loc), loc);
}

CcExpr *cc_sema_once(CcParser *p, CcExpr *value, CcExpr **use, CcLoc loc)
{
    value = cc_sema_rvalue(p, value);
    if (cc_is_error(p, value) || !cc_is_scalar(value->type)) {
        *use = cc_sema_error_expr(p, loc);
        return *use;
    }
    if (cc_is_number(value))
        return *use = value;
    CcSymbol *symbol = cc_sema_hidden_variable(p, "once", cc_type_unqualified(p, value->type), false, loc);
    *use = cc_sema_variable(p, symbol, loc);
    return cc_sema_assignment(p, *use, value, loc);
}

CcExpr *cc_sema_then(CcParser *p, CcExpr *set, CcExpr *value, CcLoc loc)
{
    return !set || cc_is_number(set) ? value : cc_sema_comma(p, set, value, loc);
}

static CcExpr *real_once(CcParser *p, const CcBuiltinRow *b, CcExpr *argument, CcExpr **x, CcLoc loc)
{
    CcExpr *value = cc_sema_rvalue(p, argument);
    if (!cc_is_error(p, value) && !cc_is_real(value->type)) {
        cc_front_error(p, argument->loc, "argument of '%s' is not a real floating number", b->name);
        value = cc_sema_error_expr(p, loc);
    }
    if (!cc_is_error(p, value) && b->argument != CC_VOID) /* a typed form like isinff */
        value = cc_sema_convert(p, value, p->basic[b->argument]);
    return cc_sema_once(p, value, x, loc);
}

static CcExpr *real_like(CcParser *p, const CcExpr *x, double value, CcLoc loc)
{
    return cc_sema_real(p, x->type, value, loc);
}

static CcExpr *is_infinite(CcParser *p, CcExpr *x, CcLoc loc)
{
    return op(p, CC_LOGICAL_OR, op(p, CC_EQUAL, x, real_like(p, x, INFINITY, loc), loc),
              op(p, CC_EQUAL, x, real_like(p, x, -INFINITY, loc), loc), loc);
}

/* -limit < x && x < limit */
static CcExpr *is_within(CcParser *p, CcExpr *x, double limit, CcLoc loc)
{
    return op(p, CC_LOGICAL_AND, op(p, CC_LESS, x, real_like(p, x, limit, loc), loc),
              op(p, CC_GREATER, x, real_like(p, x, -limit, loc), loc), loc);
}

static CcExpr *is_normal(CcParser *p, CcExpr *x, CcLoc loc)
{
    CcExpr *tiny = is_within(p, x, x->type->kind == CC_FLOAT ? (double)FLT_MIN : DBL_MIN, loc);
    return op(p, CC_LOGICAL_AND, is_within(p, x, INFINITY, loc), cc_sema_unary(p, CC_NOT, tiny, loc), loc);
}

/* isnan, isinf, isfinite, isnormal and isinf_sign. */
static CcExpr *make_classify(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x, *set = real_once(p, b, arguments[0], &x, loc), *test;
    if (cc_is_error(p, x))
        return x;
    switch (b->value) {
    case 'n': test = op(p, CC_NOT_EQUAL, x, x, loc); break;
    case 'i': test = is_infinite(p, x, loc); break;
    case 'f': test = is_within(p, x, INFINITY, loc); break;
    case 'l': test = is_normal(p, x, loc); break;
    default: /* 's': 1, -1 or 0 */
        test = op(p, CC_SUBTRACT, op(p, CC_EQUAL, x, real_like(p, x, INFINITY, loc), loc),
                  op(p, CC_EQUAL, x, real_like(p, x, -INFINITY, loc), loc), loc);
    }
    return cc_sema_then(p, set, test, loc);
}

/* __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x): returns the argument for the class of x. */
static CcExpr *make_fpclassify(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x, *set = real_once(p, b, arguments[5], &x, loc);
    if (cc_is_error(p, x))
        return x;
    CcExpr *zero = op(p, CC_EQUAL, x, real_like(p, x, 0, loc), loc);
    CcExpr *small = cc_sema_conditional(p, zero, arguments[4], arguments[3], loc);
    CcExpr *finite = cc_sema_conditional(p, is_normal(p, x, loc), arguments[2], small, loc);
    CcExpr *ordered = cc_sema_conditional(p, is_infinite(p, x, loc), arguments[1], finite, loc);
    return cc_sema_then(p, set, cc_sema_conditional(p, op(p, CC_NOT_EQUAL, x, x, loc), arguments[0], ordered, loc),
                        loc);
}

/* The sign bit, also of zeros and NaNs. Widening a float to double keeps it. */
static CcExpr *make_signbit(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *value = cc_sema_rvalue(p, arguments[0]);
    if (!cc_is_error(p, value) && !cc_is_real(value->type)) {
        cc_front_error(p, arguments[0]->loc, "argument of '%s' is not a real floating number", b->name);
        return cc_sema_error_expr(p, loc);
    }
    value = cc_sema_convert(p, value, p->basic[CC_DOUBLE]);
    if (cc_is_error(p, value))
        return value;
    if (cc_is_number(value))
        return number(p, signbit(value->real) != 0, loc);
    CcExpr *x = cc_sema_variable(p, cc_sema_hidden_variable(p, "once", p->basic[CC_DOUBLE], false, loc), loc);
    CcExpr *bits = cc_sema_cast_expr(p, cc_type_pointer_to(p, p->basic[CC_LONG]), cc_sema_address(p, x, loc), loc);
    CcExpr *test = op(p, CC_LESS, cc_sema_dereference(p, bits, loc), number(p, 0, loc), loc);
    return cc_sema_comma(p, cc_sema_assignment(p, x, value, loc), test, loc);
}

/* -- the table --------------------------------------------------------------------------------- */

/* The rows for the three widths of an integer function: without suffix, "l" and "ll". */
#define WIDTHS(name, maker, value, narrow, wide, widest, result)                                                       \
    {name, 1, 0, maker, value, narrow, result}, {name "l", 1, 0, maker, value, wide, result},                          \
    {                                                                                                                  \
        name "ll", 1, 0, maker, value, widest, result                                                                  \
    }
/* The rows for the three types of a floating-point function. `any` is the type of the function without suffix. */
#define TYPES(name, n, maker, value, any, result)                                                                      \
    {name, n, 0, maker, value, any, result}, {name "f", n, 0, maker, value, CC_FLOAT, result},                         \
    {                                                                                                                  \
        name "l", n, 0, maker, value, CC_LDOUBLE, result                                                               \
    }
#define CONSTANTS(name, n, maker)                                                                                      \
    {name, n, 0, maker, 0, CC_VOID, CC_DOUBLE}, {name "f", n, 0, maker, 0, CC_VOID, CC_FLOAT},                         \
        {name "l", n, 0, maker, 0, CC_VOID, CC_LDOUBLE}, {name "f32", n, 0, maker, 0, CC_VOID, CC_FLOAT},              \
    {                                                                                                                  \
        name "f64", n, 0, maker, 0, CC_VOID, CC_DOUBLE                                                                 \
    }
#define PARTS(name, kind, f, d, l)                                                                                     \
    {name, 1, 0, make_complex_part, kind, CC_CDOUBLE, d}, {name "f", 1, 0, make_complex_part, kind, CC_CFLOAT, f},     \
    {                                                                                                                  \
        name "l", 1, 0, make_complex_part, kind, CC_CLDOUBLE, l                                                        \
    }

/* orrery_note(pointer, mark): the object, accesses of which have a mark. For the runtime library. */
static CcExpr *make_note(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    CcExpr *mark = cc_sema_rvalue(p, arguments[1]), *object = cc_sema_dereference(p, arguments[0], loc);
    return cc_is_error(p, object) ? object : cc_sema_marked(p, object, (unsigned)mark->integer);
}

static const CcBuiltinRow rows[] = {
    {"orrery_note", 2, 0, make_note, 0, CC_VOID, CC_VOID},
    {"va_start", 1, 2, make_va, CC_VA_START, CC_VOID, CC_VOID},
    {"va_end", 1, 0, make_va, CC_VA_END, CC_VOID, CC_VOID},
    {"va_copy", 2, 0, make_va, CC_VA_COPY, CC_VOID, CC_VOID},
    {"alloca", 1, 0, make_plain, CC_BUILTIN_ALLOCA, CC_ULONG, CC_POINTER},
    {"alloca_with_align", 2, 0, make_plain, CC_BUILTIN_ALLOCA, CC_ULONG, CC_POINTER},
    {"trap", 0, 0, make_plain, CC_BUILTIN_TRAP, CC_VOID, CC_VOID},
    {"unreachable", 0, 0, make_plain, CC_BUILTIN_UNREACHABLE, CC_VOID, CC_VOID},
    {"clz", 1, 0, make_plain, CC_BUILTIN_CLZ, CC_UINT, CC_INT},
    {"clzl", 1, 0, make_plain, CC_BUILTIN_CLZL, CC_ULONG, CC_INT},
    {"clzll", 1, 0, make_plain, CC_BUILTIN_CLZL, CC_ULLONG, CC_INT},
    WIDTHS("ctz", make_plain, CC_BUILTIN_CTZ, CC_UINT, CC_ULONG, CC_ULLONG, CC_INT),
    WIDTHS("popcount", make_plain, CC_BUILTIN_POPCOUNT, CC_UINT, CC_ULONG, CC_ULLONG, CC_INT),
    WIDTHS("ffs", make_ffs, 0, CC_INT, CC_LONG, CC_LLONG, CC_INT),
    WIDTHS("parity", make_parity, 0, CC_UINT, CC_ULONG, CC_ULLONG, CC_INT),
    WIDTHS("clrsb", make_sign_bits, 0, CC_INT, CC_LONG, CC_LLONG, CC_INT),
    {"bswap16", 1, 0, make_plain, CC_BUILTIN_BSWAP16, CC_USHORT, CC_USHORT},
    {"bswap32", 1, 0, make_plain, CC_BUILTIN_BSWAP32, CC_UINT, CC_UINT},
    {"bswap64", 1, 0, make_plain, CC_BUILTIN_BSWAP64, CC_ULONG, CC_ULONG},
    {"sqrt", 1, 0, make_plain, CC_BUILTIN_SQRT, CC_DOUBLE, CC_DOUBLE},
    {"fabs", 1, 0, make_plain, CC_BUILTIN_FABS, CC_DOUBLE, CC_DOUBLE},
    {"fabsf", 1, 0, make_plain, CC_BUILTIN_FABS, CC_FLOAT, CC_FLOAT},
    {"fabsl", 1, 0, make_plain, CC_BUILTIN_FABS, CC_LDOUBLE, CC_LDOUBLE},
    {"frame_address", 1, 0, make_plain, CC_BUILTIN_FRAME_ADDRESS, CC_UINT, CC_POINTER},
    {"return_address", 1, 0, make_integer, 0, CC_UINT, CC_POINTER},
    {"extract_return_addr", 1, 0, make_first, 0, CC_VOID, CC_POINTER},
    {"frob_return_addr", 1, 0, make_first, 0, CC_VOID, CC_POINTER},
    {"expect", 2, 0, make_expect, 0, CC_LONG, CC_LONG},
    {"expect_with_probability", 3, 0, make_expect, 0, CC_LONG, CC_LONG},
    {"assume_aligned", 2, 3, make_first, 0, CC_VOID, CC_POINTER},
    {"speculation_safe_value", 1, 2, make_first, 0, CC_VOID, CC_UNION},
    {"prefetch", 1, 3, make_first, 0, CC_VOID, CC_VOID},
    {"__clear_cache", 2, 0, make_nothing, 0, CC_VOID, CC_VOID},
    {"cpu_init", 0, 0, make_nothing, 0, CC_VOID, CC_VOID},
    {"cpu_supports", 1, 0, make_integer, 0, CC_VOID, CC_INT},
    {"cpu_is", 1, 0, make_integer, 0, CC_VOID, CC_INT},
    {"object_size", 2, 0, make_object_size, 0, CC_VOID, CC_ULONG},
    {"dynamic_object_size", 2, 0, make_object_size, 0, CC_VOID, CC_ULONG},
    {"constant_p", 1, 0, make_constant_p, 0, CC_VOID, CC_INT},
    {"classify_type", 1, 0, make_classify_type, 0, CC_VOID, CC_INT},
    {"LINE", 0, 0, make_place, 'L', CC_VOID, CC_INT},
    {"FILE", 0, 0, make_place, 'N', CC_VOID, CC_POINTER},
    {"FUNCTION", 0, 0, make_place, 'F', CC_VOID, CC_POINTER},
    {"strlen", 1, 0, make_strlen, 0, CC_VOID, CC_ULONG},
    {"complex", 2, 0, make_complex, 0, CC_VOID, CC_VOID},
    PARTS("conj", CC_COMPLEMENT, CC_CFLOAT, CC_CDOUBLE, CC_CLDOUBLE),
    PARTS("creal", CC_REAL_PART, CC_FLOAT, CC_DOUBLE, CC_LDOUBLE),
    PARTS("cimag", CC_IMAGINARY_PART, CC_FLOAT, CC_DOUBLE, CC_LDOUBLE),
    CONSTANTS("inf", 0, make_infinity),
    CONSTANTS("huge_val", 0, make_infinity),
    CONSTANTS("nan", 1, make_nan),
    CONSTANTS("nans", 1, make_nan),
    TYPES("isnan", 1, make_classify, 'n', CC_VOID, CC_INT),
    TYPES("isinf", 1, make_classify, 'i', CC_VOID, CC_INT),
    TYPES("finite", 1, make_classify, 'f', CC_VOID, CC_INT),
    {"isfinite", 1, 0, make_classify, 'f', CC_VOID, CC_INT},
    {"isnormal", 1, 0, make_classify, 'l', CC_VOID, CC_INT},
    {"isinf_sign", 1, 0, make_classify, 's', CC_VOID, CC_INT},
    {"fpclassify", 6, 0, make_fpclassify, 0, CC_VOID, CC_INT},
    TYPES("signbit", 1, make_signbit, 0, CC_VOID, CC_INT),
    {"isgreater", 2, 0, make_compare, CC_GREATER, CC_VOID, CC_INT},
    {"isgreaterequal", 2, 0, make_compare, CC_GREATER_EQUAL, CC_VOID, CC_INT},
    {"isless", 2, 0, make_compare, CC_LESS, CC_VOID, CC_INT},
    {"islessequal", 2, 0, make_compare, CC_LESS_EQUAL, CC_VOID, CC_INT},
    {"islessgreater", 2, 0, make_compare, CC_NOT_EQUAL, CC_VOID, CC_INT},
    {"isunordered", 2, 0, make_compare, CC_EQUAL, CC_VOID, CC_INT},
};

static const CcBuiltinRow *find_row(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return cc_sema_overflow_builtin(name);
}

static CcExpr *call_row(CcParser *p, const CcBuiltinRow *row, CcExprList *arguments, CcLoc loc)
{
    unsigned n = arguments ? arguments->count : 0;
    if (n < row->arguments || n > MAX(row->arguments, row->most)) {
        cc_front_error(p, loc, "too %s arguments to '__builtin_%s': expected %u, have %u",
                       n < row->arguments ? "few" : "many", row->name, row->arguments, n);
        return cc_sema_error_expr(p, loc);
    }
    for (unsigned i = 0; i < n; i++)
        if (cc_is_error(p, arguments->items[i]))
            return cc_sema_error_expr(p, loc);
    return row->make(p, row, arguments ? arguments->items : NULL, loc);
}

bool cc_sema_is_builtin_name(const char *name)
{
    return g_str_has_prefix(name, "__builtin_") || g_str_has_prefix(name, "__sync_") ||
           g_str_has_prefix(name, "__atomic_");
}

CcExpr *cc_sema_call_builtin(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc)
{
    bool plain = g_str_has_prefix(ident->text, "__builtin_");
    const char *name = plain ? ident->text + strlen("__builtin_") : ident->text;
    const CcBuiltinRow *row = find_row(name);
    if (row)
        return call_row(p, row, arguments, loc);
    CcExpr *atomic = plain ? NULL : cc_sema_call_atomic(p, ident, arguments, loc);
    if (atomic)
        return atomic;
    CcSymbol *symbol = plain ? cc_library_function(p, name, name_loc) : NULL;
    if (symbol)
        return cc_sema_call(p, cc_sema_variable(p, symbol, name_loc), arguments, loc);
    cc_front_error(p, name_loc, "built-in function '%s' is not supported", ident->text);
    return cc_sema_error_expr(p, loc);
}
