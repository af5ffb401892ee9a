/* sema_builtins.c - functions whose names start with __builtin_.
 *
 * __builtin_NAME of an ordinary library function is a call of NAME; the few that mean something to the compiler are in
 * one table here, each with its maker. Most makers build an expression of plain operators; an operand that is needed
 * more than once goes through a hidden variable.
 */
#include "compiler/front.h"

#include <math.h>
#include <string.h>

typedef struct Builtin Builtin;
typedef CcExpr *(*Maker)(CcParser *p, const Builtin *builtin, CcExpr **arguments, CcLoc loc);
struct Builtin {
    const char *name; /* without __builtin_ */
    unsigned arguments;
    Maker make;
    int value; /* CcBuiltin, CcExprKind or CcKind, as the maker likes */
    CcKind argument, result;
};

static CcExpr *builtin(CcParser *p, CcBuiltin which, CcType *result, CcExpr *argument, CcLoc loc)
{
    CcExpr *e = cc_expr_new(p, CC_BUILTIN, result, loc, NULL, NULL);
    e->builtin = which;
    if (argument) {
        e->arguments = cc_alloc(p->arena, sizeof *e->arguments);
        e->arguments[0] = argument;
        e->n_arguments = 1;
        cc_set_depth(p, e, argument);
    }
    return e;
}

static CcExpr *make_plain(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *argument = b->arguments ? arguments[0] : NULL;
    if (argument) {
        CcAssignContext context = {CC_PASSING, 1, b->name, NULL};
        argument = cc_assign_convert(p, argument, p->basic[b->argument], &context);
        if (cc_is_error(p, argument))
            return argument;
        if (b->value == CC_BUILTIN_CTZ || b->value == CC_BUILTIN_POPCOUNT) /* zero-extension changes neither */
            argument = cc_convert(p, argument, p->basic[CC_ULONG]);
    }
    CcType *result = b->result == CC_POINTER ? p->void_pointer : p->basic[b->result];
    return builtin(p, (CcBuiltin)b->value, result, argument, loc);
}

static CcExpr *make_expect(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    (void)loc;
    return cc_convert(p, cc_promote(p, arguments[0]), p->basic[CC_LONG]);
}

static CcExpr *make_constant_p(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    CcExpr *e = cc_rvalue(p, arguments[0]);
    bool constant = cc_is_number(e) || (e->kind == CC_DECAY && e->left->kind == CC_STRING);
    return cc_integer(p, p->basic[CC_INT], constant, loc);
}

static CcExpr *make_infinity(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    (void)arguments;
    return cc_real(p, p->basic[b->result], INFINITY, loc);
}

static CcExpr *make_nan(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    (void)arguments;
    return cc_real(p, p->basic[b->result], (double)NAN, loc);
}

static bool is_list(const CcExpr *e)
{
    return e->lvalue && e->type->kind == CC_POINTER && e->type->target->kind == CC_CHAR;
}

static CcExpr *make_va(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    bool copy = b->value == CC_VA_COPY;
    if (cc_is_error(p, arguments[0]))
        return arguments[0];
    CcExpr *source = copy ? cc_rvalue(p, arguments[1]) : NULL;
    bool good_source = !copy || (source->type->kind == CC_POINTER && source->type->target->kind == CC_CHAR);
    if (!is_list(arguments[0]) || !good_source) {
        cc_error(p, arguments[0]->loc, "argument of '%s' is not of type 'va_list'", b->name);
        return cc_error_expr(p, loc);
    }
    if (b->value == CC_VA_START &&
        (!p->function || p->function->type->kind != CC_FUNCTION || !p->function->type->variadic)) {
        cc_error(p, loc, "'va_start' used in a function with fixed arguments");
        return cc_error_expr(p, loc);
    }
    if (arguments[0]->kind == CC_VARIABLE)
        arguments[0]->symbol->addressed = true;
    return cc_expr_new(p, (CcExprKind)b->value, p->basic[CC_VOID], loc, arguments[0], source);
}

/* Comparisons that never trap are the plain ones here; unordered is x != x || y != y. */
static CcExpr *make_compare(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    if (b->value != CC_NOT_EQUAL)
        return cc_binary(p, (CcExprKind)b->value, arguments[0], arguments[1], loc, loc);
    CcExpr *less = cc_binary(p, CC_LESS, arguments[0], arguments[1], loc, loc);
    CcExpr *greater = cc_binary(p, CC_GREATER, arguments[0], arguments[1], loc, loc);
    return cc_binary(p, CC_LOGICAL_OR, less, greater, loc, loc);
}

/* The value in a hidden variable, to be used more than once: sets *use to it and returns the assignment. */
static CcExpr *once(CcParser *p, CcExpr *value, CcExpr **use, CcLoc loc)
{
    value = cc_rvalue(p, value);
    if (cc_is_error(p, value) || !cc_is_arithmetic(value->type)) {
        *use = cc_error_expr(p, loc);
        return *use;
    }
    CcSymbol *symbol = cc_hidden_variable(p, "once", cc_unqualified(p, value->type), false, loc);
    *use = cc_variable(p, symbol, loc);
    return cc_assignment(p, *use, value, loc);
}

/* isnan(x): x != x. isinf: |x| > largest. isfinite: |x| <= largest. signbit needs the library. */
static CcExpr *make_classify(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x;
    CcExpr *set = once(p, arguments[0], &x, loc);
    if (cc_is_error(p, x))
        return x;
    CcExpr *test;
    if (b->value == CC_NOT_EQUAL)
        test = cc_binary(p, CC_NOT_EQUAL, x, x, loc, loc);
    else {
        CcType *type = x->type->kind == CC_FLOAT ? x->type : p->basic[CC_DOUBLE];
        CcExpr *infinity = cc_real(p, type, INFINITY, loc), *minus = cc_real(p, type, -INFINITY, loc);
        if (b->value == CC_EQUAL)
            test = cc_binary(p, CC_LOGICAL_OR, cc_binary(p, CC_EQUAL, x, infinity, loc, loc),
                             cc_binary(p, CC_EQUAL, x, minus, loc, loc), loc, loc);
        else
            test = cc_binary(p, CC_LOGICAL_AND, cc_binary(p, CC_LESS, x, infinity, loc, loc),
                             cc_binary(p, CC_GREATER, x, minus, loc, loc), loc, loc);
    }
    return cc_comma(p, set, test, loc);
}

/* 1, -1 or 0. */
static CcExpr *make_infinity_sign(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    (void)b;
    CcExpr *x;
    CcExpr *set = once(p, arguments[0], &x, loc);
    if (cc_is_error(p, x))
        return x;
    CcExpr *plus = cc_binary(p, CC_EQUAL, x, cc_real(p, p->basic[CC_DOUBLE], INFINITY, loc), loc, loc);
    CcExpr *minus = cc_binary(p, CC_EQUAL, x, cc_real(p, p->basic[CC_DOUBLE], -INFINITY, loc), loc, loc);
    return cc_comma(p, set, cc_binary(p, CC_SUBTRACT, plus, minus, loc, loc), loc);
}

/* -- arithmetic that tells of overflow ---------------------------------------------------------- */

typedef struct Overflow {
    CcParser *p;
    CcLoc loc;
    CcExpr *x, *y, *w; /* operands and wrapped result, in the wide type */
} Overflow;

static CcExpr *op(const Overflow *o, CcExprKind kind, CcExpr *left, CcExpr *right)
{
    return cc_binary(o->p, kind, left, right, o->loc, o->loc);
}

static CcExpr *constant(const Overflow *o, int64_t value)
{
    return cc_integer(o->p, o->p->basic[CC_LONG], (uint64_t)value, o->loc);
}

/* 64-bit signed: the sign of the result contradicts those of the operands, or dividing back gives something else. */
static CcExpr *signed_overflow(const Overflow *o, CcExprKind kind)
{
    CcExpr *zero = constant(o, 0);
    if (kind == CC_MULTIPLY) {
        CcExpr *by_minus_one = op(o, CC_EQUAL, o->y, constant(o, INT64_MIN));
        CcExpr *back = op(o, CC_NOT_EQUAL, op(o, CC_DIVIDE, o->w, o->x), o->y);
        CcExpr *other = op(o, CC_LOGICAL_AND, op(o, CC_NOT_EQUAL, o->x, zero), back);
        return cc_conditional(o->p, op(o, CC_EQUAL, o->x, constant(o, -1)), by_minus_one, other, o->loc);
    }
    CcExpr *first = op(o, CC_XOR, o->x, kind == CC_ADD ? o->w : o->y);
    CcExpr *second = op(o, CC_XOR, kind == CC_ADD ? o->y : o->x, o->w);
    return op(o, CC_LESS, op(o, CC_AND, first, second), zero);
}

static CcExpr *unsigned_overflow(const Overflow *o, CcExprKind kind)
{
    if (kind == CC_SUBTRACT)
        return op(o, CC_LESS, o->x, o->y);
    if (kind == CC_ADD)
        return op(o, CC_LESS, o->w, o->x);
    return op(o, CC_LOGICAL_AND, op(o, CC_NOT_EQUAL, o->x, constant(o, 0)),
              op(o, CC_NOT_EQUAL, op(o, CC_DIVIDE, o->w, o->x), o->y));
}

/* Integers of 4 bytes and less, and constants that fit either way, may be taken as signed or unsigned long. */
static bool fits_signed(const CcExpr *e)
{
    return cc_is_signed(e->type) || e->type->size < 8 || (cc_is_number(e) && (int64_t)e->integer >= 0);
}
static bool fits_unsigned(const CcExpr *e)
{
    return !cc_is_signed(e->type) || (cc_is_number(e) && (int64_t)e->integer >= 0);
}

static CcExpr *check_overflow(Overflow *o, CcExprKind kind, CcExpr *result, CcExpr *set, bool is_signed)
{
    CcParser *p = o->p;
    CcSymbol *wide = cc_hidden_variable(p, "once", o->x->type, false, o->loc);
    CcExpr *raw = op(o, kind, cc_cast_expr(p, p->basic[CC_ULONG], o->x, o->loc),
                     cc_cast_expr(p, p->basic[CC_ULONG], o->y, o->loc));
    o->w = cc_variable(p, wide, o->loc);
    set = cc_comma(p, set, cc_assignment(p, o->w, cc_cast_expr(p, o->x->type, raw, o->loc), o->loc), o->loc);
    CcExpr *place = cc_dereference(p, result, o->loc);
    set = cc_comma(p, set, cc_assignment(p, place, cc_cast_expr(p, place->type, o->w, o->loc), o->loc), o->loc);
    CcExpr *lost = is_signed ? signed_overflow(o, kind) : unsigned_overflow(o, kind);
    CcExpr *stored = cc_cast_expr(p, o->x->type, cc_cast_expr(p, place->type, o->w, o->loc), o->loc);
    CcExpr *narrowed = op(o, CC_NOT_EQUAL, stored, o->w);
    if (!is_signed && kind == CC_SUBTRACT && cc_is_signed(place->type)) { /* a negative difference may be fine */
        CcExpr *as_signed = cc_cast_expr(p, p->basic[CC_LONG], o->w, o->loc);
        lost = op(o, CC_NOT_EQUAL, lost, op(o, CC_LESS, as_signed, constant(o, 0)));
        narrowed = op(o, CC_NOT_EQUAL, cc_cast_expr(p, place->type, o->w, o->loc), as_signed);
    } else if (!is_signed && cc_is_signed(place->type)) { /* what became negative was too large */
        CcExpr *negative = op(o, CC_LESS, cc_cast_expr(p, p->basic[CC_LONG], stored, o->loc), constant(o, 0));
        narrowed = op(o, CC_LOGICAL_OR, narrowed, negative);
    } else if (is_signed && place->type->size == 8 &&
               !cc_is_signed(place->type)) { /* wrong iff the exact result is negative */
        narrowed = op(o, CC_NOT_EQUAL, lost, op(o, CC_LESS, o->w, constant(o, 0)));
        lost = constant(o, 0);
    }
    return cc_comma(p, set, op(o, CC_LOGICAL_OR, lost, narrowed), o->loc);
}

/* __builtin_add_overflow(a, b, result): as if computed exactly, then stored (gcc manual 6.56). Operands are taken as
 * long or as unsigned long, whichever holds both; no type holds a negative and a large unsigned one, which is refused.
 */
static CcExpr *make_overflow(CcParser *p, const Builtin *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x = cc_promote(p, arguments[0]), *y = cc_promote(p, arguments[1]), *result = cc_rvalue(p, arguments[2]);
    if (cc_is_error(p, x) || cc_is_error(p, y) || cc_is_error(p, result))
        return cc_error_expr(p, loc);
    if (b->argument != CC_VOID) { /* the typed forms */
        x = cc_convert(p, x, p->basic[b->argument]);
        y = cc_convert(p, y, p->basic[b->argument]);
    }
    if (!cc_is_integer(x->type) || !cc_is_integer(y->type) || result->type->kind != CC_POINTER ||
        !cc_is_integer(result->type->target)) {
        cc_error(p, loc, "'__builtin_%s' needs two integers and a pointer to an integer", b->name);
        return cc_error_expr(p, loc);
    }
    const CcType *target = result->type->target;
    bool both_unsigned = fits_unsigned(x) && fits_unsigned(y);
    bool big_product = b->value == CC_MULTIPLY && x->type->size == 4 && y->type->size == 4;
    bool is_signed = fits_signed(x) && fits_signed(y) && !(both_unsigned && (big_product || !cc_is_signed(target)));
    if (!is_signed && !(fits_unsigned(x) && fits_unsigned(y))) {
        cc_error(p, loc, "'__builtin_%s' of a signed and a 64-bit unsigned operand is not supported", b->name);
        return cc_error_expr(p, loc);
    }
    if (b->value == CC_MULTIPLY && is_signed && MAX(x->type->size, y->type->size) == 8 && target->size == 8 &&
        !cc_is_signed(target)) {
        cc_error(p, loc, "'__builtin_%s' of signed 64-bit operands into an unsigned result is not supported", b->name);
        return cc_error_expr(p, loc);
    }
    CcType *wide = p->basic[is_signed ? CC_LONG : CC_ULONG];
    Overflow o = {p, loc, NULL, NULL, NULL};
    CcExpr *set_x = once(p, cc_cast_expr(p, wide, x, loc), &o.x, loc),
           *set_y = once(p, cc_cast_expr(p, wide, y, loc), &o.y, loc);
    CcSymbol *pointer = cc_hidden_variable(p, "once", cc_unqualified(p, result->type), false, loc);
    CcExpr *set_result = cc_assignment(p, cc_variable(p, pointer, loc), result, loc);
    CcExpr *set = cc_comma(p, cc_comma(p, set_x, set_y, loc), set_result, loc);
    return check_overflow(&o, (CcExprKind)b->value, cc_variable(p, pointer, loc), set, is_signed);
}

#define OVERFLOW(name, kind)                                                                                           \
    {name "_overflow", 3, make_overflow, kind, CC_VOID, CC_INT},                                                       \
        {"s" name "_overflow", 3, make_overflow, kind, CC_INT, CC_INT},                                                \
        {"u" name "_overflow", 3, make_overflow, kind, CC_UINT, CC_INT},                                               \
        {"s" name "l_overflow", 3, make_overflow, kind, CC_LONG, CC_INT},                                              \
        {"u" name "l_overflow", 3, make_overflow, kind, CC_ULONG, CC_INT},                                             \
        {"s" name "ll_overflow", 3, make_overflow, kind, CC_LLONG, CC_INT},                                            \
    {                                                                                                                  \
        "u" name "ll_overflow", 3, make_overflow, kind, CC_ULLONG, CC_INT                                              \
    }

static const Builtin builtins[] = {
    OVERFLOW("add", CC_ADD),
    OVERFLOW("sub", CC_SUBTRACT),
    OVERFLOW("mul", CC_MULTIPLY),
    {"isinf_sign", 1, make_infinity_sign, 0, CC_VOID, CC_INT},
    {"va_start", 2, make_va, CC_VA_START, CC_VOID, CC_VOID},
    {"va_end", 1, make_va, CC_VA_END, CC_VOID, CC_VOID},
    {"va_copy", 2, make_va, CC_VA_COPY, CC_VOID, CC_VOID},
    {"alloca", 1, make_plain, CC_BUILTIN_ALLOCA, CC_ULONG, CC_POINTER},
    {"trap", 0, make_plain, CC_BUILTIN_TRAP, CC_VOID, CC_VOID},
    {"unreachable", 0, make_plain, CC_BUILTIN_UNREACHABLE, CC_VOID, CC_VOID},
    {"clz", 1, make_plain, CC_BUILTIN_CLZ, CC_UINT, CC_INT},
    {"clzl", 1, make_plain, CC_BUILTIN_CLZL, CC_ULONG, CC_INT},
    {"clzll", 1, make_plain, CC_BUILTIN_CLZL, CC_ULONG, CC_INT},
    {"ctz", 1, make_plain, CC_BUILTIN_CTZ, CC_UINT, CC_INT},
    {"ctzl", 1, make_plain, CC_BUILTIN_CTZ, CC_ULONG, CC_INT},
    {"ctzll", 1, make_plain, CC_BUILTIN_CTZ, CC_ULONG, CC_INT},
    {"popcount", 1, make_plain, CC_BUILTIN_POPCOUNT, CC_UINT, CC_INT},
    {"popcountl", 1, make_plain, CC_BUILTIN_POPCOUNT, CC_ULONG, CC_INT},
    {"popcountll", 1, make_plain, CC_BUILTIN_POPCOUNT, CC_ULONG, CC_INT},
    {"bswap16", 1, make_plain, CC_BUILTIN_BSWAP16, CC_USHORT, CC_USHORT},
    {"bswap32", 1, make_plain, CC_BUILTIN_BSWAP32, CC_UINT, CC_UINT},
    {"bswap64", 1, make_plain, CC_BUILTIN_BSWAP64, CC_ULONG, CC_ULONG},
    {"sqrt", 1, make_plain, CC_BUILTIN_SQRT, CC_DOUBLE, CC_DOUBLE},
    {"fabs", 1, make_plain, CC_BUILTIN_FABS, CC_DOUBLE, CC_DOUBLE},
    {"frame_address", 1, make_plain, CC_BUILTIN_FRAME_ADDRESS, CC_UINT, CC_POINTER},
    {"expect", 2, make_expect, 0, CC_LONG, CC_LONG},
    {"constant_p", 1, make_constant_p, 0, CC_VOID, CC_INT},
    {"inf", 0, make_infinity, 0, CC_VOID, CC_DOUBLE},
    {"inff", 0, make_infinity, 0, CC_VOID, CC_FLOAT},
    {"infl", 0, make_infinity, 0, CC_VOID, CC_LDOUBLE},
    {"huge_val", 0, make_infinity, 0, CC_VOID, CC_DOUBLE},
    {"huge_valf", 0, make_infinity, 0, CC_VOID, CC_FLOAT},
    {"huge_vall", 0, make_infinity, 0, CC_VOID, CC_LDOUBLE},
    {"nan", 1, make_nan, 0, CC_VOID, CC_DOUBLE},
    {"nanf", 1, make_nan, 0, CC_VOID, CC_FLOAT},
    {"nanl", 1, make_nan, 0, CC_VOID, CC_LDOUBLE},
    {"isnan", 1, make_classify, CC_NOT_EQUAL, CC_VOID, CC_INT},
    {"isinf", 1, make_classify, CC_EQUAL, CC_VOID, CC_INT},
    {"isfinite", 1, make_classify, CC_LESS, CC_VOID, CC_INT},
    {"isgreater", 2, make_compare, CC_GREATER, CC_VOID, CC_INT},
    {"isgreaterequal", 2, make_compare, CC_GREATER_EQUAL, CC_VOID, CC_INT},
    {"isless", 2, make_compare, CC_LESS, CC_VOID, CC_INT},
    {"islessequal", 2, make_compare, CC_LESS_EQUAL, CC_VOID, CC_INT},
    {"islessgreater", 2, make_compare, CC_NOT_EQUAL, CC_VOID, CC_INT},
};

CcExpr *cc_call_builtin(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc)
{
    const char *name = ident->text + strlen("__builtin_");
    unsigned n = arguments ? arguments->count : 0;
    for (size_t i = 0; i < G_N_ELEMENTS(builtins); i++) {
        const Builtin *b = &builtins[i];
        if (strcmp(b->name, name) != 0)
            continue;
        bool lone_start = b->make == make_va && b->value == CC_VA_START && n == 1; /* C23 */
        if (n != b->arguments && !lone_start) {
            cc_error(p, loc, "too %s arguments to '%s': expected %u, have %u", n < b->arguments ? "few" : "many",
                     ident->text, b->arguments, n);
            return cc_error_expr(p, loc);
        }
        for (unsigned k = 0; k < n; k++)
            if (cc_is_error(p, arguments->items[k]))
                return cc_error_expr(p, loc);
        return b->make(p, b, arguments ? arguments->items : NULL, loc);
    }
    CcSymbol *symbol = cc_library_function(p, name, name_loc);
    if (symbol)
        return cc_call(p, cc_variable(p, symbol, name_loc), arguments, loc);
    cc_error(p, name_loc, "built-in function '%s' is not supported", ident->text);
    return cc_error_expr(p, loc);
}
