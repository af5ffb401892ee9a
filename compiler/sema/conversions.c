/* conversions.c - implicit conversions (C11 6.3, 6.5.16.1).
 *
 * Each change of a value's type becomes a CC_CAST node marked implicit, or a folded number. An array or function that
 * becomes a pointer is the operand of a CC_DECAY. The back end thus converts only where the tree says so.
 */
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

CcExpr *cc_sema_rvalue(CcParser *p, CcExpr *e)
{
    if (cc_is_error(p, e))
        return e;
    if (e->type->kind == CC_ARRAY || e->type->kind == CC_FUNCTION) {
        CcType *target = e->type->kind == CC_ARRAY ? e->type->target : e->type;
        if (e->type->kind == CC_ARRAY && e->kind == CC_VARIABLE)
            e->symbol->addressed = true;
        CcExpr *decay = cc_sema_expr_new(p, CC_DECAY, cc_type_pointer_to(p, target), e->loc, e, NULL);
        decay->implicit = true;
        return decay;
    }
    return e->lvalue && e->type->qualifiers & CC_ATOMIC ? cc_sema_atomic_load(p, e) : e;
}

CcExpr *cc_sema_convert(CcParser *p, CcExpr *e, CcType *type)
{
    e = cc_sema_rvalue(p, e);
    if (cc_is_error(p, e))
        return e;
    type = cc_type_unqualified(p, type);
    bool same_kind = e->type->kind == type->kind && type->kind <= CC_CLDOUBLE;
    bool bit_field = e->kind == CC_MEMBER && e->member->bit_field;
    if (same_kind && !bit_field)
        return e;
    if (cc_is_number(e))
        return cc_sema_fold_cast(p, e, type, e->loc);
    if (cc_is_wide(type) || cc_is_wide(e->type))
        return cc_sema_wide_convert(p, e, type);
    if ((type->kind == CC_STRUCT || type->kind == CC_UNION) ||
        (type->kind == CC_POINTER && e->type->kind == CC_POINTER && cc_types_compatible(type->target, e->type->target)))
        return e;
    CcExpr *cast = cc_sema_expr_new(p, CC_CAST, type, e->loc, e, NULL);
    cast->implicit = true;
    return cast;
}

/* Returns the bit-field that the value comes from, or NULL. Like gcc, looks through commas, assignments and increments.
 */
static const CcMember *bit_field_of(const CcExpr *e)
{
    for (;;) {
        switch (e->kind) {
        case CC_COMMA: e = e->right; break;
        case CC_ASSIGN:
        case CC_ASSIGN_OP:
        case CC_PRE_INCREMENT:
        case CC_PRE_DECREMENT:
        case CC_POST_INCREMENT:
        case CC_POST_DECREMENT: e = e->left; break;
        case CC_MEMBER: return e->member->bit_field ? e->member : NULL;
        default: return NULL;
        }
    }
}

/* A bit-field that fits an int becomes an int; a wider one keeps its declared type. */
CcExpr *cc_sema_promote(CcParser *p, CcExpr *e)
{
    e = cc_sema_rvalue(p, e);
    if (cc_is_error(p, e) || !cc_is_integer(e->type))
        return e;
    const CcMember *field = bit_field_of(e);
    if (field) {
        const CcType *type = cc_type_integer_of(e->type);
        unsigned width = field->bit_width;
        if (width < 32 || (width == 32 && cc_type_is_signed(type)))
            return cc_sema_convert(p, e, p->basic[CC_INT]);
        if (width == 32)
            return cc_sema_convert(p, e, p->basic[CC_UINT]);
        if (width < 64)
            e->bits = (uint8_t)width;
    }
    const CcType *type = cc_type_integer_of(e->type);
    if (type->kind < CC_INT)
        return cc_sema_convert(p, e, p->basic[CC_INT]);
    return e->type->kind == CC_ENUM ? cc_sema_convert(p, e, p->basic[type->kind]) : e;
}

CcExpr *cc_sema_promote_argument(CcParser *p, CcExpr *e)
{
    e = cc_sema_promote(p, e);
    if (!cc_is_error(p, e) && e->type->kind == CC_FLOAT)
        return cc_sema_convert(p, e, p->basic[CC_DOUBLE]);
    return e;
}

static CcKind real_kind(const CcType *type)
{
    switch (type->kind) {
    case CC_LDOUBLE:
    case CC_CLDOUBLE: return CC_LDOUBLE;
    case CC_DOUBLE:
    case CC_CDOUBLE: return CC_DOUBLE;
    case CC_FLOAT:
    case CC_CFLOAT: return CC_FLOAT;
    default: return CC_VOID;
    }
}

/* Returns the common type of promoted integers (C11 6.3.1.8). The kinds are in the order of their rank, each unsigned
 * kind right behind its signed one. */
static CcKind common_integer(CcKind a, CcKind b)
{
    CcKind high = MAX(a, b), low = MIN(a, b);
    bool high_unsigned = high == CC_UINT || high == CC_ULONG || high == CC_ULLONG;
    bool low_unsigned = low == CC_UINT || low == CC_ULONG || low == CC_ULLONG;
    if (high_unsigned || !low_unsigned)
        return high;
    /* long holds every unsigned int, but long long does not hold every unsigned long. */
    return high == CC_LLONG && low == CC_ULONG ? CC_ULLONG : high;
}

static CcType *arithmetic_type(CcParser *p, const CcType *a, const CcType *b)
{
    CcKind real = MAX(real_kind(a), real_kind(b));
    if (cc_is_complex(a) || cc_is_complex(b))
        return p->basic[real - CC_FLOAT + CC_CFLOAT];
    if (real != CC_VOID)
        return p->basic[real];
    return p->basic[common_integer(a->kind, b->kind)];
}

/* The width is that of the wider bit-field, if the other operand is a wide bit-field too or no wider than an int. */
unsigned cc_sema_common_bits(const CcExpr *left, const CcExpr *right)
{
    bool left_fits = left->bits || (cc_is_integer(left->type) && left->type->size < 8);
    bool right_fits = right->bits || (cc_is_integer(right->type) && right->type->size < 8);
    return left_fits && right_fits ? MAX(left->bits, right->bits) : 0;
}

CcExpr *cc_sema_wrap(CcParser *p, CcExpr *e, unsigned bits)
{
    if (!bits || cc_is_error(p, e))
        return e;
    CcExpr *count = cc_sema_integer(p, p->basic[CC_INT], 64 - bits, e->loc);
    CcExpr *up = cc_sema_fold(p, cc_sema_expr_new(p, CC_SHIFT_LEFT, p->basic[CC_ULONG], e->loc, e, count));
    CcExpr *same = cc_sema_convert(p, up, e->type);
    CcExpr *down = cc_sema_fold(p, cc_sema_expr_new(p, CC_SHIFT_RIGHT, e->type, e->loc, same, count));
    down->bits = cc_is_number(down) ? 0 : (uint8_t)bits;
    return down;
}

CcType *cc_sema_common_type(CcParser *p, CcExpr **left, CcExpr **right)
{
    *left = cc_sema_promote(p, *left);
    *right = cc_sema_promote(p, *right);
    CcType *type = arithmetic_type(p, (*left)->type, (*right)->type);
    unsigned bits = cc_sema_common_bits(*left, *right);
    if (bits && (*left)->bits != (*right)->bits) /* the type of the wider field, whatever its sign */
        type =
            cc_type_unqualified(p, p->basic[cc_type_integer_of(((*left)->bits == bits ? *left : *right)->type)->kind]);
    if (bits && !cc_type_is_signed(type)) {
        *left = cc_sema_wrap(p, cc_sema_convert(p, *left, type), (*left)->bits == bits ? 0 : bits);
        *right = cc_sema_wrap(p, cc_sema_convert(p, *right, type), (*right)->bits == bits ? 0 : bits);
        return type;
    }
    bool constant = cc_is_number(*left) && cc_is_number(*right);
    *left = constant ? cc_sema_convert(p, *left, type) : cc_sema_operand(p, *left, type);
    *right = constant ? cc_sema_convert(p, *right, type) : cc_sema_operand(p, *right, type);
    return type;
}

/* A real operand of a complex operator must stay known as real, even if it is a constant. It has no imaginary part, not
 * even a zero that an infinity could be multiplied with (C11 G.5.1p2). A constant is therefore cast, not folded. */
CcExpr *cc_sema_operand(CcParser *p, CcExpr *e, CcType *type)
{
    if (!cc_is_complex(type) || cc_is_error(p, e) || cc_is_complex(e->type) || cc_is_wide(e->type) || !cc_is_number(e))
        return cc_sema_convert(p, e, type);
    CcExpr *cast = cc_sema_expr_new(p, CC_CAST, type, e->loc, e, NULL);
    cast->implicit = true;
    return cast;
}

CcExpr *cc_sema_condition(CcParser *p, CcExpr *e, const char *what)
{
    e = cc_sema_rvalue(p, e);
    if (cc_is_error(p, e) || cc_is_scalar(e->type))
        return e;
    char *name = cc_type_name(e->type);
    cc_front_error(p, e->loc, "%s has type '%s' where a number or pointer is required", what, name);
    g_free(name);
    return cc_sema_error_expr(p, e->loc);
}

/* -- as if by assignment (6.5.16.1) ------------------------------------------------------------ */

static char *describe(const CcAssignContext *context)
{
    switch (context->kind) {
    case CC_ASSIGNING: return g_strdup("assignment to");
    case CC_INITIALISING: return g_strdup("initialization of");
    case CC_RETURNING: return g_strdup("returning");
    case CC_PASSING:
        return context->function
                   ? g_strdup_printf("passing argument %u of '%s' as", context->argument, context->function)
                   : g_strdup_printf("passing argument %u as", context->argument);
    }
    g_assert_not_reached();
}

static void note_callee(CcParser *p, const CcAssignContext *context)
{
    if (context->callee && context->callee->loc.line)
        cc_front_note(p, context->callee->loc, "'%s' is declared here", context->callee->name);
}

static bool is_void(const CcType *type)
{
    return type->kind == CC_VOID;
}

/* What the user most likely meant to write for the value. */
typedef struct Advice {
    const char *format; /* format of the hint, with %s for `name`; NULL: no advice */
    const char *put;    /* text to insert before the value; NULL: no certain correction */
    const char *name;
} Advice;

static bool is_arithmetic_like(const CcType *to, const CcType *from)
{
    return cc_types_compatible_unqualified(to, from) || (cc_is_arithmetic(to) && cc_is_arithmetic(from));
}

static Advice advise_address(CcParser *p, const CcExpr *e, const CcType *type)
{
    const CcType *to = type->target;
    bool object =
        e->lvalue && (cc_types_compatible_unqualified(to, e->type) || (is_void(to) && e->type->kind != CC_POINTER));
    if (object)
        return (Advice){"; did you mean '&%s'?", "&", e->kind == CC_VARIABLE ? e->symbol->name : "..."};
    size_t size;
    const char *seen = e->kind == CC_NUMBER ? cc_report_seen_text(p->unit, e->loc, &size) : NULL;
    if (seen && size && *seen == '\'' && cc_is_integer(to) && to->size == 1)
        return (Advice){"; a string stands in double quotes", NULL, NULL};
    return (Advice){0};
}

static Advice advise_value(const CcExpr *e, const CcType *type)
{
    const CcType *from = e->type->target;
    bool decayed = e->kind == CC_DECAY, string = decayed && e->left->kind == CC_STRING;
    if (string && cc_is_integer(type))
        return e->left->string_size == 2 ? (Advice){"; a character stands in single quotes", NULL, NULL} : (Advice){0};
    if (decayed && is_arithmetic_like(type, from))
        return (Advice){"; did you mean an element, '%s[...]'?", NULL,
                        e->left->kind == CC_VARIABLE ? e->left->symbol->name : "..."};
    if (e->kind == CC_ADDRESS && e->left->kind == CC_VARIABLE && is_arithmetic_like(type, from))
        return (Advice){"; did you mean '%s', without '&'?", NULL, e->left->symbol->name};
    if (!decayed && is_arithmetic_like(type, from))
        return (Advice){"; did you mean '*%s'?", e->kind == CC_VARIABLE ? "*" : NULL,
                        e->kind == CC_VARIABLE ? e->symbol->name : "..."};
    return (Advice){0};
}

static Advice advise(CcParser *p, const CcExpr *e, const CcType *type)
{
    if (type->kind == CC_POINTER && e->type->kind != CC_POINTER)
        return advise_address(p, e, type);
    if (type->kind != CC_POINTER && e->type->kind == CC_POINTER)
        return advise_value(e, type);
    if (type->kind == CC_POINTER && cc_types_compatible_unqualified(type->target, e->type))
        return advise_address(p, e, type);
    if (type->kind == CC_POINTER && e->type->target->kind == CC_POINTER &&
        cc_types_compatible_unqualified(type->target, e->type->target->target))
        return advise_value(e, type);
    return (Advice){0};
}

/* Reports in gcc's words: "<doing> 'T' from incompatible pointer type 'U'". An error if `option` is NULL, otherwise a
 * warning. */
static void complain(CcParser *p, const CcExpr *e, const CcType *type, const CcAssignContext *context,
                     const char *option, const char *from)
{
    char *to = cc_type_name(type), *source = cc_type_name(e->type), *doing = describe(context);
    Advice advice = advise(p, e, type);
    g_autofree char *hint = advice.format ? g_strdup_printf(advice.format, advice.name) : g_strdup("");
    if (context->kind == CC_RETURNING && option)
        cc_front_warning(p, e->loc, option, "returning '%s' from a function with return type '%s': %s%s", source, to,
                         from, hint);
    else if (context->kind == CC_RETURNING)
        cc_front_error(p, e->loc, "incompatible types when returning '%s' from a function with return type '%s'%s",
                       source, to, hint);
    else if (option)
        cc_front_warning(p, e->loc, option, "%s '%s' from '%s': %s%s", doing, to, source, from, hint);
    else
        cc_front_error(p, e->loc, "%s '%s' from incompatible type '%s'%s", doing, to, source, hint);
    if (advice.put) {
        CcLoc place = e->loc;
        place.length = 0;
        cc_report_fix(p->unit, place, advice.put);
    }
    note_callee(p, context);
    g_free(to);
    g_free(source);
    g_free(doing);
}

/* Whether two integer types may differ only in their sign. */
static bool differ_in_sign(const CcType *a, const CcType *b)
{
    return cc_is_integer(a) && cc_is_integer(b) && a->size == b->size && (a->kind == CC_BOOL) == (b->kind == CC_BOOL);
}

static void tell_void(CcParser *p, const CcExpr *e)
{
    const CcSymbol *function = e->kind == CC_CALL && e->left->kind == CC_DECAY && e->left->left->kind == CC_VARIABLE
                                   ? e->left->left->symbol
                                   : NULL;
    if (function)
        cc_front_error(p, e->loc, "void value not ignored as it ought to be: '%s' returns nothing", function->name);
    else
        cc_front_error(p, e->loc, "void value not ignored as it ought to be");
}

static void check_pointers(CcParser *p, const CcExpr *e, const CcType *type, const CcAssignContext *context)
{
    const CcType *to = type->target, *from = e->type->target;
    if (!cc_types_compatible_unqualified(to, from)) {
        bool function_and_void =
            (is_void(to) && from->kind == CC_FUNCTION) || (is_void(from) && to->kind == CC_FUNCTION);
        if ((is_void(to) || is_void(from)) && !function_and_void)
            ;
        else if (function_and_void)
            return; /* POSIX needs this conversion; gcc warns only with -pedantic */
        else if (differ_in_sign(to, from)) {
            complain(p, e, type, context, "-Wpointer-sign", "the pointed-to types differ in signedness");
        } else {
            complain(p, e, type, context, "-Wincompatible-pointer-types", "incompatible pointer types");
            return;
        }
    }
    if (from->kind == CC_FUNCTION)
        return;
    unsigned to_qualifiers = to->qualifiers, from_qualifiers = from->qualifiers;
    for (; to->kind == CC_ARRAY; to = to->target)
        to_qualifiers |= to->target->qualifiers;
    for (; from->kind == CC_ARRAY; from = from->target)
        from_qualifiers |= from->target->qualifiers;
    if (from_qualifiers & ~to_qualifiers & (CC_CONST | CC_VOLATILE))
        complain(p, e, type, context, "-Wdiscarded-qualifiers",
                 from_qualifiers & ~to_qualifiers & CC_CONST ? "discards 'const'" : "discards 'volatile'");
}

/* Whether the value is a constant of several characters like 'hello', which has been reported already. */
static bool is_told_string(CcParser *p, const CcExpr *e)
{
    size_t size;
    const char *seen = e->kind == CC_NUMBER && e->loc.length > 4 ? cc_report_seen_text(p->unit, e->loc, &size) : NULL;
    return seen && size > 2 && seen[0] == '\'' && seen[1] != '\\';
}

CcExpr *cc_sema_assign_convert(CcParser *p, CcExpr *e, CcType *type, const CcAssignContext *context)
{
    e = cc_sema_rvalue(p, e);
    if (cc_is_error(p, e) || type == p->error_type)
        return e;
    if (cc_is_arithmetic(type) && cc_is_arithmetic(e->type)) {
        cc_check_conversion(p, e, type);
        return cc_sema_convert(p, e, type);
    }
    if (type->kind == CC_BOOL && e->type->kind == CC_POINTER)
        return cc_sema_convert(p, e, type);
    if (type->kind == CC_POINTER && cc_tree_is_null_constant(e))
        return cc_sema_convert(p, e, type);
    if (type->kind == CC_POINTER && e->type->kind == CC_POINTER) {
        if (e->kind == CC_DECAY && e->left->kind == CC_STRING && !(type->target->qualifiers & CC_CONST) &&
            type->target->kind != CC_VOID)
            cc_front_warning(p, e->loc, "-Wwrite-strings",
                             "a string literal becomes a pointer through which it may be written");
        check_pointers(p, e, type, context);
        return cc_sema_convert(p, e, type);
    }
    if (type->kind == CC_POINTER && cc_is_integer(e->type)) {
        if (is_told_string(p, e)) /* reported when the constant was read */
            return cc_sema_convert(p, cc_sema_promote(p, e), type);
        complain(p, e, type, context, "-Wint-conversion", "makes pointer from integer without a cast");
        return cc_sema_convert(p, cc_sema_promote(p, e), type);
    }
    if (cc_is_integer(type) && e->type->kind == CC_POINTER) {
        complain(p, e, type, context, "-Wint-conversion", "makes integer from pointer without a cast");
        return cc_sema_convert(p, e, type);
    }
    if (cc_is_aggregate(type) && cc_types_compatible_unqualified(type, e->type))
        return e;
    CcExpr *as_union = type->kind == CC_UNION && type->tag->transparent && context->kind == CC_PASSING
                           ? cc_sema_transparent_argument(p, type, e)
                           : NULL;
    if (as_union)
        return as_union;
    if (is_void(e->type))
        tell_void(p, e);
    else
        complain(p, e, type, context, NULL, NULL);
    return cc_sema_error_expr(p, e->loc);
}
