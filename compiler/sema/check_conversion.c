/* check_conversion.c - warns of implicit conversions that change a value, or may change it (C11 6.3.1), where it is
 * assigned, passed or returned.
 *
 * The value of a constant is known. If the conversion certainly changes it, the warning is on by default. Whether a
 * variable changes depends on its value, so that warning is on only on demand (-Wconversion and its parts). There is
 * none for an expression that cannot leave the range of its new type, like a comparison, x & 15 or a promoted value.
 */
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/expressions.h"
#include "compiler/tree/tree.h"

#include <math.h>
#include <string.h>

static bool is_unsigned(const CcType *type)
{
    return !cc_type_is_signed(type) || type->kind == CC_BOOL;
}

static char *number_text(const CcExpr *e)
{
    if (!cc_is_integer(e->type)) {
        char *text = g_strdup_printf("%.15g", e->real);
        return text;
    }
    return is_unsigned(e->type) ? g_strdup_printf("%" G_GUINT64_FORMAT, e->integer)
                                : g_strdup_printf("%" G_GINT64_FORMAT, (gint64)e->integer);
}

static void changes(CcParser *p, const CcExpr *e, const CcType *type, const char *option, const char *what)
{
    char *from = cc_type_name(e->type), *to = cc_type_name(type), *old = number_text(e);
    CcExpr copy = *e;
    const CcExpr *converted = cc_sema_fold_cast(p, &copy, cc_type_unqualified(p, (CcType *)type), e->loc);
    char *new = converted->kind == CC_NUMBER ? number_text(converted) : g_strdup("?");
    cc_front_warning(p, e->loc, option, "%s from '%s' to '%s' changes the value from %s to %s", what, from, to, old,
                     new);
    g_free(from);
    g_free(to);
    g_free(old);
    g_free(new);
}

/* -- constants --------------------------------------------------------------------------------- */

static bool fits(const CcType *from, uint64_t value, unsigned bits, bool is_signed)
{
    bool negative = cc_type_is_signed(from) && (int64_t)value < 0;
    if (bits >= 64)
        return is_signed ? negative || value <= INT64_MAX : !negative;
    if (is_signed)
        return negative ? (int64_t)value >= -((int64_t)1 << (bits - 1)) : value < (uint64_t)1 << (bits - 1);
    return !negative && value < (uint64_t)1 << bits;
}

/* Whether the number is a single literal in the source. `decimal`: only a decimal one counts. */
static bool is_literal(const CcParser *p, const CcExpr *e, bool decimal)
{
    size_t size;
    const char *text = cc_report_seen_text(p->unit, e->loc, &size);
    if (!text || e->loc.length > size || (decimal && (text[0] < '1' || text[0] > '9')))
        return false;
    for (size_t i = 0; i < e->loc.length; i++)
        if (!g_ascii_isalnum(text[i]) && text[i] != '.' &&
            !((text[i] == '+' || text[i] == '-') && (i == 0 || g_ascii_tolower(text[i - 1]) == 'e')))
            return false;
    return true;
}

static void integer_to_integer(CcParser *p, const CcExpr *e, const CcType *type)
{
    unsigned bits = cc_bits(type);
    bool is_signed = cc_type_is_signed(type);
    if (type->kind == CC_BOOL || fits(e->type, e->integer, bits, is_signed))
        return;
    bool plain = e->type->size > type->size && is_literal(p, e, true);
    if (!plain && fits(e->type, e->integer, bits, !is_signed)) { /* 0x80000000 as an int, -1 as an unsigned int */
        if (cc_warning_possible(p->unit, CC_WARNING_SIGN_CONVERSION))
            changes(p, e, type, "-Wsign-conversion", "conversion");
        return;
    }
    changes(p, e, type, "-Woverflow", "overflow in the conversion");
}

static void real_to_integer(CcParser *p, const CcExpr *e, const CcType *type)
{
    double low = cc_type_is_signed(type) ? -ldexp(1, (int)cc_bits(type) - 1) : 0;
    double high = ldexp(1, (int)cc_bits(type) - cc_type_is_signed(type));
    if (type->kind == CC_BOOL || isnan(e->real))
        return;
    if (trunc(e->real) < low || trunc(e->real) >= high)
        changes(p, e, type, "-Woverflow", "overflow in the conversion");
    else if (trunc(e->real) != e->real && is_literal(p, e, false))
        changes(p, e, type, "-Wliteral-conversion", "conversion");
    else if (trunc(e->real) != e->real)
        changes(p, e, type, "-Wfloat-conversion", "conversion");
}

static void constant_to_real(CcParser *p, const CcExpr *e, const CcType *type)
{
    if (cc_is_integer(e->type)) {
        bool negative = cc_type_is_signed(e->type) && (int64_t)e->integer < 0;
        uint64_t size = negative ? 0 - e->integer : e->integer;
        unsigned digits = type->kind == CC_FLOAT ? 24 : 53;
        if (size && (64 - (unsigned)__builtin_clzll(size)) - (unsigned)__builtin_ctzll(size) > digits)
            changes(p, e, type, "-Wimplicit-const-int-float-conversion", "conversion");
    } else if (type->kind == CC_FLOAT && e->type->kind != CC_FLOAT && !isnan(e->real) &&
               (double)(float)e->real != e->real)
        cc_front_warning(p, e->loc, isinf((float)e->real) && !isinf(e->real) ? "-Woverflow" : "-Wfloat-conversion",
                         "conversion from 'double' to 'float' changes the value of the constant");
}

/* -- expressions ------------------------------------------------------------------------------- */

/* Returns how many bits the value needs at most. *negative: it may be negative, and the bits include the sign. */
static unsigned needed_bits(const CcExpr *e, bool *negative)
{
    while (e->kind == CC_CAST && e->implicit && cc_is_integer(e->left->type) && cc_is_integer(e->type) &&
           e->left->type->size <= e->type->size && !(cc_type_is_signed(e->left->type) && is_unsigned(e->type)))
        e = e->left;
    *negative = false;
    if (e->kind >= CC_EQUAL && e->kind <= CC_LOGICAL_OR)
        return 1;
    if (e->kind == CC_NOT || e->type->kind == CC_BOOL)
        return 1;
    if (e->kind == CC_NUMBER && !(cc_type_is_signed(e->type) && (int64_t)e->integer < 0))
        return e->integer ? 64 - (unsigned)__builtin_clzll(e->integer) : 0;
    bool a, b;
    if (e->kind == CC_AND) {
        unsigned left = needed_bits(e->left, &a), right = needed_bits(e->right, &b);
        if (!a || !b)
            return a ? right : b ? left : MIN(left, right);
    }
    if (e->kind == CC_OR || e->kind == CC_XOR || e->kind == CC_CONDITIONAL) {
        const CcExpr *first = e->left ? e->left : e->condition;
        unsigned left = needed_bits(first, &a), right = needed_bits(e->right, &b);
        *negative = a || b;
        return MAX(left, right);
    }
    if (e->kind == CC_REMAINDER && e->right->kind == CC_NUMBER) {
        unsigned right = needed_bits(e->right, &b);
        (void)needed_bits(e->left, &a);
        *negative = a;
        return right + a;
    }
    if (e->kind == CC_SHIFT_RIGHT && e->right->kind == CC_NUMBER) {
        unsigned left = needed_bits(e->left, &a);
        *negative = a;
        return left > e->right->integer ? left - (unsigned)e->right->integer : 1u + a;
    }
    if (e->kind == CC_MEMBER && e->member->bit_field) {
        *negative = cc_type_is_signed(e->type);
        return e->member->bit_width;
    }
    *negative = cc_type_is_signed(e->type);
    return cc_bits(e->type);
}

static void may_change(CcParser *p, const CcExpr *e, const CcType *type, const char *option, const char *what)
{
    char *from = cc_type_name(e->type), *to = cc_type_name(type);
    cc_front_warning(p, e->loc, option, "conversion from '%s' to '%s' %s", from, to, what);
    g_free(from);
    g_free(to);
}

static void check_integers(CcParser *p, const CcExpr *e, const CcType *type)
{
    bool negative, is_signed = cc_type_is_signed(type);
    unsigned bits = needed_bits(e, &negative), room = cc_bits(type);
    if (type->kind == CC_BOOL || (is_signed ? bits + !negative <= room : !negative && bits <= room))
        return;
    if (bits > room)
        may_change(p, e, type, "-Wconversion", "may change the value");
    else
        may_change(p, e, type, "-Wsign-conversion", "may change the sign of the result");
}

static void check_variable(CcParser *p, const CcExpr *e, const CcType *type)
{
    bool negative;
    if (cc_is_integer(e->type) && cc_is_integer(type))
        check_integers(p, e, type);
    else if (cc_is_integer(type) && cc_is_real(e->type) && type->kind != CC_BOOL)
        may_change(p, e, type, "-Wfloat-conversion", "may change the value");
    else if (cc_is_integer(e->type) && cc_is_real(type)) {
        unsigned bits = needed_bits(e, &negative) - negative;
        if (bits > (type->kind == CC_FLOAT ? 24u : 53u))
            may_change(p, e, type, "-Wconversion", "may change the value");
    } else if (type->kind == CC_FLOAT && (e->type->kind == CC_DOUBLE || e->type->kind == CC_LDOUBLE))
        may_change(p, e, type, "-Wfloat-conversion", "may change the value");
}

static void check_enums(CcParser *p, const CcExpr *e, const CcType *type)
{
    if (type->kind == CC_ENUM && e->type->kind == CC_ENUM && type->tag != e->type->tag)
        may_change(p, e, type, "-Wenum-conversion", "mixes two enums");
}

void cc_check_conversion(CcParser *p, const CcExpr *e, const CcType *type)
{
    const CcUnit *unit = p->unit;
    if (unit->options->no_warnings || e->type == type || cc_is_complex(type) || cc_is_complex(e->type) ||
        cc_is_wide(type) || cc_is_wide(e->type))
        return;
    check_enums(p, e, type);
    if (e->kind == CC_NUMBER) {
        if (cc_is_integer(type) && cc_is_integer(e->type))
            integer_to_integer(p, e, type);
        else if (cc_is_integer(type))
            real_to_integer(p, e, type);
        else
            constant_to_real(p, e, type);
        return;
    }
    if (cc_warning_possible(unit, CC_WARNING_CONVERSION) || cc_warning_possible(unit, CC_WARNING_SIGN_CONVERSION) ||
        cc_warning_possible(unit, CC_WARNING_FLOAT_CONVERSION))
        check_variable(p, e, type);
}
