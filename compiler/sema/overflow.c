/* overflow.c - __builtin_add_overflow and its relatives (gcc manual 6.56): they tell whether the exact result fits.
 *
 * The operands are converted to long or unsigned long, whichever holds both. Neither holds both a negative number and a
 * large unsigned one. In that case a function of the runtime computes in sign and magnitude.
 */
#include "compiler/front/front.h"
#include "compiler/sema/builtins.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Overflow {
    CcParser *p;
    CcLoc loc;
    CcExpr *x, *y, *w; /* operands and wrapped result in the common 64-bit type */
} Overflow;

static CcExpr *op(const Overflow *o, CcExprKind kind, CcExpr *left, CcExpr *right)
{
    return cc_sema_binary(o->p, kind, left, right, o->loc, o->loc);
}

static CcExpr *constant(const Overflow *o, int64_t value)
{
    return cc_sema_integer(o->p, o->p->basic[CC_LONG], (uint64_t)value, o->loc);
}

/* Returns whether a signed 64-bit operation overflowed: the sign of the result contradicts the signs of the operands,
 * or dividing the product by a factor does not give the other factor. */
static CcExpr *signed_overflow(const Overflow *o, CcExprKind kind)
{
    CcExpr *zero = constant(o, 0);
    if (kind == CC_MULTIPLY) {
        CcExpr *by_minus_one = op(o, CC_EQUAL, o->y, constant(o, INT64_MIN));
        CcExpr *back = op(o, CC_NOT_EQUAL, op(o, CC_DIVIDE, o->w, o->x), o->y);
        CcExpr *other = op(o, CC_LOGICAL_AND, op(o, CC_NOT_EQUAL, o->x, zero), back);
        return cc_sema_conditional(o->p, op(o, CC_EQUAL, o->x, constant(o, -1)), by_minus_one, other, o->loc);
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

/* Whether a long holds the value. It holds every integer of at most 4 bytes. */
static bool fits_signed(const CcExpr *e)
{
    return cc_type_is_signed(e->type) || e->type->size < 8 || (cc_is_number(e) && (int64_t)e->integer >= 0);
}
static bool fits_unsigned(const CcExpr *e)
{
    return !cc_type_is_signed(e->type) || (cc_is_number(e) && (int64_t)e->integer >= 0);
}

static CcExpr *check_overflow(Overflow *o, CcExprKind kind, CcExpr *result, CcExpr *set, bool is_signed)
{
    CcParser *p = o->p;
    CcSymbol *wide = cc_sema_hidden_variable(p, "once", o->x->type, false, o->loc);
    CcExpr *raw = op(o, kind, cc_sema_cast_expr(p, p->basic[CC_ULONG], o->x, o->loc),
                     cc_sema_cast_expr(p, p->basic[CC_ULONG], o->y, o->loc));
    o->w = cc_sema_variable(p, wide, o->loc);
    set = cc_sema_comma(p, set, cc_sema_assignment(p, o->w, cc_sema_cast_expr(p, o->x->type, raw, o->loc), o->loc),
                        o->loc);
    CcExpr *place = cc_sema_dereference(p, result, o->loc);
    set = cc_sema_comma(p, set, cc_sema_assignment(p, place, cc_sema_cast_expr(p, place->type, o->w, o->loc), o->loc),
                        o->loc);
    CcExpr *lost = is_signed ? signed_overflow(o, kind) : unsigned_overflow(o, kind);
    CcExpr *stored = cc_sema_cast_expr(p, o->x->type, cc_sema_cast_expr(p, place->type, o->w, o->loc), o->loc);
    CcExpr *narrowed = op(o, CC_NOT_EQUAL, stored, o->w);
    if (!is_signed && kind == CC_SUBTRACT && cc_type_is_signed(place->type)) { /* a negative result may fit */
        CcExpr *as_signed = cc_sema_cast_expr(p, p->basic[CC_LONG], o->w, o->loc);
        lost = op(o, CC_NOT_EQUAL, lost, op(o, CC_LESS, as_signed, constant(o, 0)));
        narrowed = op(o, CC_NOT_EQUAL, cc_sema_cast_expr(p, place->type, o->w, o->loc), as_signed);
    } else if (!is_signed && cc_type_is_signed(place->type)) { /* a value that became negative was too large */
        CcExpr *negative = op(o, CC_LESS, cc_sema_cast_expr(p, p->basic[CC_LONG], stored, o->loc), constant(o, 0));
        narrowed = op(o, CC_LOGICAL_OR, narrowed, negative);
    } else if (is_signed && place->type->size == 8 &&
               !cc_type_is_signed(place->type)) { /* wrong iff the exact result is negative */
        narrowed = op(o, CC_NOT_EQUAL, lost, op(o, CC_LESS, o->w, constant(o, 0)));
        lost = constant(o, 0);
    }
    return cc_sema_comma(p, set, op(o, CC_LOGICAL_OR, lost, narrowed), o->loc);
}

/* Returns a call of the runtime, which computes in sign and magnitude (overflow.c there explains `how`). */
static CcExpr *call_runtime(CcParser *p, CcExprKind kind, CcExpr *x, CcExpr *y, CcExpr *result, CcLoc loc)
{
    const CcType *target = result->type->target;
    unsigned how = kind == CC_ADD ? 0 : kind == CC_SUBTRACT ? 1 : 2;
    how |= (unsigned)cc_type_is_signed(x->type) << 2 | (unsigned)cc_type_is_signed(y->type) << 3;
    how |= (unsigned)cc_type_is_signed(target) << 4 | (unsigned)target->size << 5;
    CcExprList *arguments = cc_sema_expr_list(p, NULL, cc_sema_integer(p, p->basic[CC_UINT], how, loc));
    cc_sema_expr_list(p, arguments, cc_sema_cast_expr(p, p->basic[CC_ULONG], x, loc));
    cc_sema_expr_list(p, arguments, cc_sema_cast_expr(p, p->basic[CC_ULONG], y, loc));
    cc_sema_expr_list(p, arguments, result);
    CcSymbol *function = cc_library_runtime_function(p, "__orrery_overflow", "iuzzp", loc);
    return cc_sema_call(p, cc_sema_variable(p, function, loc), arguments, loc);
}

/* Whether neither long nor unsigned long suffices for the computation. */
static bool needs_runtime(CcExprKind kind, const CcExpr *x, const CcExpr *y, const CcType *target, bool is_signed)
{
    if (!is_signed)
        return !(fits_unsigned(x) && fits_unsigned(y));
    return kind == CC_MULTIPLY && MAX(x->type->size, y->type->size) == 8 && target->size == 8 &&
           !cc_type_is_signed(target);
}

static CcExpr *store_and_tell(CcParser *p, CcExprKind kind, CcExpr *x, CcExpr *y, CcExpr *result, CcLoc loc)
{
    const CcType *target = result->type->target;
    bool both_unsigned = fits_unsigned(x) && fits_unsigned(y);
    bool big_product = kind == CC_MULTIPLY && x->type->size == 4 && y->type->size == 4;
    bool is_signed =
        fits_signed(x) && fits_signed(y) && !(both_unsigned && (big_product || !cc_type_is_signed(target)));
    if (needs_runtime(kind, x, y, target, is_signed))
        return call_runtime(p, kind, x, y, result, loc);
    CcType *wide = p->basic[is_signed ? CC_LONG : CC_ULONG];
    Overflow o = {p, loc, NULL, NULL, NULL};
    CcExpr *set_x = cc_sema_once(p, cc_sema_cast_expr(p, wide, x, loc), &o.x, loc);
    CcExpr *set_y = cc_sema_once(p, cc_sema_cast_expr(p, wide, y, loc), &o.y, loc);
    CcSymbol *pointer = cc_sema_hidden_variable(p, "once", cc_type_unqualified(p, result->type), false, loc);
    CcExpr *set_result = cc_sema_assignment(p, cc_sema_variable(p, pointer, loc), result, loc);
    CcExpr *set = cc_sema_comma(p, cc_sema_comma(p, set_x, set_y, loc), set_result, loc);
    return check_overflow(&o, kind, cc_sema_variable(p, pointer, loc), set, is_signed);
}

static CcExpr *refuse(CcParser *p, const CcBuiltinRow *b, const char *third, CcLoc loc)
{
    cc_front_error(p, loc, "'__builtin_%s' needs two integers and %s", b->name, third);
    return cc_sema_error_expr(p, loc);
}

/* __builtin_add_overflow(a, b, &result) */
static CcExpr *make_overflow(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x = cc_sema_promote(p, arguments[0]), *y = cc_sema_promote(p, arguments[1]),
           *result = cc_sema_rvalue(p, arguments[2]);
    if (cc_is_error(p, x) || cc_is_error(p, y) || cc_is_error(p, result))
        return cc_sema_error_expr(p, loc);
    if (b->argument != CC_VOID) { /* the typed forms, like __builtin_sadd_overflow */
        x = cc_sema_convert(p, x, p->basic[b->argument]);
        y = cc_sema_convert(p, y, p->basic[b->argument]);
    }
    if (!cc_is_integer(x->type) || !cc_is_integer(y->type) || result->type->kind != CC_POINTER ||
        !cc_is_integer(result->type->target))
        return refuse(p, b, "a pointer to an integer", loc);
    return store_and_tell(p, (CcExprKind)b->value, x, y, result, loc);
}

/* Whether the exact result does not fit the type. 128 bits hold every exact sum and difference. */
static bool constant_overflows(CcExprKind kind, const CcExpr *x, const CcExpr *y, const CcType *type)
{
    __int128 a = cc_type_is_signed(x->type) ? (__int128)(int64_t)x->integer : (__int128)x->integer;
    __int128 b = cc_type_is_signed(y->type) ? (__int128)(int64_t)y->integer : (__int128)y->integer, exact;
    if (kind == CC_MULTIPLY && __builtin_mul_overflow(a, b, &exact))
        return true;
    if (kind != CC_MULTIPLY)
        exact = kind == CC_ADD ? a + b : a - b;
    uint64_t stored = cc_type_canonical(type, (uint64_t)exact);
    return exact != (cc_type_is_signed(type) ? (__int128)(int64_t)stored : (__int128)stored);
}

/* __builtin_add_overflow_p(a, b, c): tells whether the result fits the type of c, without storing it. The result for
 * constants is a constant. */
static CcExpr *make_overflow_p(CcParser *p, const CcBuiltinRow *b, CcExpr **arguments, CcLoc loc)
{
    CcExpr *x = cc_sema_promote(p, arguments[0]), *y = cc_sema_promote(p, arguments[1]),
           *third = cc_sema_rvalue(p, arguments[2]);
    if (cc_is_error(p, x) || cc_is_error(p, y) || cc_is_error(p, third))
        return cc_sema_error_expr(p, loc);
    if (!cc_is_integer(x->type) || !cc_is_integer(y->type) || !cc_is_integer(third->type))
        return refuse(p, b, "another of the type of the result", loc);
    CcExprKind kind = (CcExprKind)b->value;
    if (cc_is_number(x) && cc_is_number(y))
        return cc_sema_integer(p, p->basic[CC_INT], constant_overflows(kind, x, y, cc_type_integer_of(third->type)),
                               loc);
    CcSymbol *nobody = cc_sema_hidden_variable(p, "result", cc_type_unqualified(p, third->type), false, loc);
    return store_and_tell(p, kind, x, y, cc_sema_address(p, cc_sema_variable(p, nobody, loc), loc), loc);
}

#define OVERFLOW(name, kind)                                                                                           \
    {name "_overflow", 3, 3, make_overflow, kind, CC_VOID, CC_INT},                                                    \
        {name "_overflow_p", 3, 3, make_overflow_p, kind, CC_VOID, CC_INT},                                            \
        {"s" name "_overflow", 3, 3, make_overflow, kind, CC_INT, CC_INT},                                             \
        {"u" name "_overflow", 3, 3, make_overflow, kind, CC_UINT, CC_INT},                                            \
        {"s" name "l_overflow", 3, 3, make_overflow, kind, CC_LONG, CC_INT},                                           \
        {"u" name "l_overflow", 3, 3, make_overflow, kind, CC_ULONG, CC_INT},                                          \
        {"s" name "ll_overflow", 3, 3, make_overflow, kind, CC_LLONG, CC_INT},                                         \
    {                                                                                                                  \
        "u" name "ll_overflow", 3, 3, make_overflow, kind, CC_ULLONG, CC_INT                                           \
    }

static const CcBuiltinRow rows[] = {OVERFLOW("add", CC_ADD), OVERFLOW("sub", CC_SUBTRACT),
                                    OVERFLOW("mul", CC_MULTIPLY)};

const CcBuiltinRow *cc_sema_overflow_builtin(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}
