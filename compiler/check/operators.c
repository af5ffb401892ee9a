/* operators.c - warns of expressions that hardly mean what they say: unexpected precedence, comparisons with a constant
 * result, conditions that are no conditions.
 *
 * Expressions that came out of a macro are not reported, because a macro is written for all its uses.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- what expressions are ---------------------------------------------------------------------- */

static const CcExpr *bare(const CcExpr *e)
{
    while (e->kind == CC_CAST && e->implicit)
        e = e->left;
    return e;
}

static bool is_ordering(const CcExpr *e)
{
    return e->kind >= CC_LESS && e->kind <= CC_GREATER_EQUAL;
}

static bool is_truth_value(const CcExpr *e)
{
    return cc_is_comparison(e->kind) || e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR || e->kind == CC_NOT ||
           e->type->kind == CC_BOOL;
}

/* Whether two expressions are the same object, or the same value. Calls and volatile objects are never the same. */
static bool same(const CcExpr *a, const CcExpr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->type->kind != b->type->kind || a->type->qualifiers & CC_VOLATILE)
        return false;
    switch (a->kind) {
    case CC_VARIABLE: return a->symbol == b->symbol;
    case CC_NUMBER: return a->integer == b->integer && a->real == b->real && cc_is_integer(a->type);
    case CC_MEMBER: return a->member == b->member && same(a->left, b->left);
    case CC_DECAY:
    case CC_DEREFERENCE:
    case CC_ADDRESS:
    case CC_CAST:
    case CC_NEGATE:
    case CC_COMPLEMENT:
    case CC_NOT: return same(a->left, b->left);
    case CC_ADD:
    case CC_SUBTRACT:
    case CC_MULTIPLY:
    case CC_AND:
    case CC_OR: return same(a->left, b->left) && same(a->right, b->right);
    default: return false;
    }
}

static const char *sign_of(CcExprKind kind)
{
    static const char *const signs[] = {
        [CC_ADD] = "+",
        [CC_SUBTRACT] = "-",
        [CC_SHIFT_LEFT] = "<<",
        [CC_SHIFT_RIGHT] = ">>",
        [CC_AND] = "&",
        [CC_OR] = "|",
        [CC_XOR] = "^",
        [CC_EQUAL] = "==",
        [CC_NOT_EQUAL] = "!=",
        [CC_LESS] = "<",
        [CC_LESS_EQUAL] = "<=",
        [CC_GREATER] = ">",
        [CC_GREATER_EQUAL] = ">=",
        [CC_LOGICAL_AND] = "&&",
        [CC_LOGICAL_OR] = "||",
    };
    return kind < G_N_ELEMENTS(signs) && signs[kind] ? signs[kind] : "?";
}

static void say(CcUnit *unit, const CcExpr *e, const char *option, const char *text)
{
    CcLoc at = e->op_loc.line ? e->op_loc : e->loc;
    if (!cc_report_is_from_macro(unit, at) && !cc_report_is_from_macro(unit, e->loc))
        cc_report_range(unit, CC_WARNING, at, e->loc, option, "%s", text);
}

/* -- precedence -------------------------------------------------------------------------------- */

static void check_operand(CcUnit *unit, const CcExpr *e, const CcExpr *operand)
{
    char text[100] = "";
    bool arithmetic = operand->kind == CC_ADD || operand->kind == CC_SUBTRACT;
    bool bitwise = e->kind == CC_AND || e->kind == CC_OR || e->kind == CC_XOR;
    if (operand->parenthesized || operand->implicit || operand->loc.length >= e->loc.length) /* from a built-in */
        return;
    if (e->kind == CC_LOGICAL_OR && operand->kind == CC_LOGICAL_AND)
        g_snprintf(text, sizeof text, "parentheses around '&&' within '||' would help the reader");
    else if ((e->kind == CC_SHIFT_LEFT || e->kind == CC_SHIFT_RIGHT) && arithmetic)
        g_snprintf(text, sizeof text, "'%s' binds tighter than '%s'; put it in parentheses", sign_of(operand->kind),
                   sign_of(e->kind));
    else if (bitwise && cc_is_comparison(operand->kind))
        g_snprintf(text, sizeof text, "'%s' binds tighter than '%s'; put it in parentheses", sign_of(operand->kind),
                   sign_of(e->kind));
    else if (bitwise && arithmetic)
        g_snprintf(text, sizeof text, "'%s' binds tighter than '%s'; put it in parentheses", sign_of(operand->kind),
                   sign_of(e->kind));
    else if (is_ordering(e) && is_ordering(operand))
        g_snprintf(text, sizeof text, "a comparison like 'X < Y < Z' does not have its mathematical meaning");
    else if ((e->kind == CC_EQUAL || e->kind == CC_NOT_EQUAL) && cc_is_comparison(operand->kind))
        g_snprintf(text, sizeof text, "parentheses around the comparison beside '%s' would help the reader",
                   sign_of(e->kind));
    if (*text)
        say(unit, operand, "-Wparentheses", text);
}

static void check_precedence(CcUnit *unit, const CcExpr *e)
{
    if (e->kind < CC_SHIFT_LEFT || e->kind > CC_LOGICAL_OR)
        return;
    check_operand(unit, e, bare(e->left));
    check_operand(unit, e, bare(e->right));
    const CcExpr *left = bare(e->left);
    if (cc_is_comparison(e->kind) && left->kind == CC_NOT && !left->parenthesized && !is_truth_value(bare(e->right)) &&
        !(bare(e->right)->kind == CC_NUMBER && bare(e->right)->integer <= 1) && bare(left->left)->type->kind != CC_BOOL)
        say(unit, e, "-Wlogical-not-parentheses", "'!' applies only to the left side of this comparison");
}

/* -- comparisons ------------------------------------------------------------------------------- */

static bool is_string(const CcExpr *e)
{
    return e->kind == CC_DECAY && e->left->kind == CC_STRING;
}

static bool is_null(const CcExpr *e)
{
    return e->kind == CC_NUMBER && e->integer == 0;
}

static void check_pointers(CcUnit *unit, const CcExpr *e, const CcExpr *a, const CcExpr *b)
{
    bool equality = e->kind == CC_EQUAL || e->kind == CC_NOT_EQUAL;
    if ((is_string(a) && !is_null(b)) || (is_string(b) && !is_null(a)))
        say(unit, e, "-Wstring-compare", "this compares addresses, not strings; use strcmp()");
    const CcExpr *object = is_null(b) ? a : is_null(a) ? b : NULL;
    bool address = object && ((object->kind == CC_ADDRESS && object->left->kind == CC_VARIABLE) ||
                              (object->kind == CC_DECAY && object->left->kind == CC_VARIABLE));
    if (equality && address && !object->left->symbol->weak)
        say(unit, e, "-Waddress", "the address of an object or function is never NULL");
}

/* Returns the signed operand that is converted to unsigned, if it may be negative, or NULL. */
static const CcExpr *changed_sign(const CcExpr *operand)
{
    if (operand->kind != CC_CAST || !operand->implicit || !cc_is_integer(operand->type) ||
        cc_type_is_signed(operand->type))
        return NULL;
    const CcExpr *inner = operand->left, *origin = bare(inner);
    if (!cc_is_integer(inner->type) || !cc_type_is_signed(inner->type))
        return NULL;
    if (!cc_is_integer(origin->type) || !cc_type_is_signed(origin->type) || is_truth_value(origin))
        return NULL;
    if (origin->kind == CC_MEMBER && origin->member->bit_field && !cc_type_is_signed(origin->type))
        return NULL;
    if (origin->kind == CC_AND && ((origin->left->kind == CC_NUMBER && (int64_t)origin->left->integer >= 0) ||
                                   (origin->right->kind == CC_NUMBER && (int64_t)origin->right->integer >= 0)))
        return NULL;
    if (origin->kind == CC_CONDITIONAL && origin->left && origin->left->kind == CC_NUMBER &&
        origin->right->kind == CC_NUMBER && (int64_t)origin->left->integer >= 0 && (int64_t)origin->right->integer >= 0)
        return NULL;
    return inner;
}

static void check_signs(CcUnit *unit, const CcExpr *e)
{
    const CcExpr *left = changed_sign(e->left), *right = changed_sign(e->right);
    const CcExpr *other = left ? e->right : e->left;
    if (!left == !right)
        return;
    if ((e->kind == CC_EQUAL || e->kind == CC_NOT_EQUAL) && other->kind == CC_NUMBER && other->integer <= INT32_MAX)
        return;
    char *a = cc_type_name(left ? left->type : bare(e->left)->type);
    char *b = cc_type_name(right ? right->type : bare(e->right)->type);
    char *text = g_strdup_printf("comparison of values of different signedness: '%s' and '%s'", a, b);
    say(unit, e, "-Wsign-compare", text);
    g_free(a);
    g_free(b);
    g_free(text);
}

/* Sets the range of an integer type narrower than long. Returns false for other types. */
static bool range_of(const CcType *type, int64_t *low, int64_t *high)
{
    if (!cc_is_integer(type) || type->size >= 8)
        return false;
    unsigned bits = type->kind == CC_BOOL ? 1 : cc_bits(type);
    bool is_signed = cc_type_is_signed(type) && type->kind != CC_BOOL;
    *low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    *high = ((int64_t)1 << (bits - is_signed)) - 1;
    return true;
}

/* Judges "value OP constant" for a value from low to high: 1 is always true, 0 never, -1 depends on the value. */
static int decided(CcExprKind kind, int64_t low, int64_t high, int64_t constant)
{
    switch (kind) {
    case CC_LESS: return high < constant ? 1 : low >= constant ? 0 : -1;
    case CC_LESS_EQUAL: return high <= constant ? 1 : low > constant ? 0 : -1;
    case CC_GREATER: return low > constant ? 1 : high <= constant ? 0 : -1;
    case CC_GREATER_EQUAL: return low >= constant ? 1 : high < constant ? 0 : -1;
    case CC_EQUAL: return constant < low || constant > high ? 0 : -1;
    case CC_NOT_EQUAL: return constant < low || constant > high ? 1 : -1;
    default: return -1;
    }
}

static CcExprKind mirrored(CcExprKind kind)
{
    static const CcExprKind mirror[] = {[CC_LESS] = CC_GREATER,
                                        [CC_GREATER] = CC_LESS,
                                        [CC_LESS_EQUAL] = CC_GREATER_EQUAL,
                                        [CC_GREATER_EQUAL] = CC_LESS_EQUAL,
                                        [CC_EQUAL] = CC_EQUAL,
                                        [CC_NOT_EQUAL] = CC_NOT_EQUAL};
    return mirror[kind];
}

static void check_limits(CcUnit *unit, const CcExpr *e)
{
    bool on_left = e->left->kind == CC_NUMBER;
    const CcExpr *constant = on_left ? e->left : e->right, *value = bare(on_left ? e->right : e->left);
    CcExprKind kind = on_left ? mirrored(e->kind) : e->kind;
    if (constant->kind != CC_NUMBER || value->kind == CC_NUMBER || !cc_is_integer(constant->type) ||
        !cc_is_integer(value->type))
        return;
    int64_t low, high;
    char text[100];
    if (is_ordering(e) && is_ordering(value) && !value->parenthesized)
        return; /* 0 < x < 3 has been reported */
    if (is_truth_value(value) && decided(kind, 0, 1, (int64_t)constant->integer) >= 0) {
        g_snprintf(text, sizeof text, "this comparison of a truth value is always %s",
                   decided(kind, 0, 1, (int64_t)constant->integer) ? "true" : "false");
        say(unit, e, "-Wbool-compare", text);
        return;
    }
    if (!cc_type_is_signed(value->type) && value->type->size == 8 && constant->integer == 0 &&
        (kind == CC_LESS || kind == CC_GREATER_EQUAL)) {
        low = 0;
        high = INT64_MAX;
    } else if (!range_of(value->type, &low, &high) || value->type->kind == CC_ENUM)
        return;
    int outcome = decided(kind, low, high, (int64_t)constant->integer);
    if (outcome < 0)
        return;
    char *name = cc_type_name(value->type);
    g_snprintf(text, sizeof text, "this comparison is always %s: the type is '%.40s'", outcome ? "true" : "false",
               name);
    say(unit, e, "-Wtype-limits", text);
    g_free(name);
}

static void check_comparison(CcUnit *unit, const CcExpr *e)
{
    const CcExpr *a = bare(e->left), *b = bare(e->right);
    if (a->kind == CC_CAST && a->type->kind == CC_POINTER)
        a = cc_tree_without_casts(a);
    if (b->kind == CC_CAST && b->type->kind == CC_POINTER)
        b = cc_tree_without_casts(b);
    bool real = cc_is_real(e->left->type);
    if (same(a, b) && !real && a->kind != CC_NUMBER) {
        bool outcome = e->kind == CC_EQUAL || e->kind == CC_LESS_EQUAL || e->kind == CC_GREATER_EQUAL;
        say(unit, e, "-Wtautological-compare",
            outcome ? "this compares something with itself: always true"
                    : "this compares something with itself: always false");
        return;
    }
    if (e->left->type->kind == CC_POINTER)
        check_pointers(unit, e, a, b);
    if (real && (e->kind == CC_EQUAL || e->kind == CC_NOT_EQUAL) && !same(a, b))
        say(unit, e, "-Wfloat-equal", "floating numbers compared with == or != are rarely equal");
    if (a->type->kind == CC_ENUM && b->type->kind == CC_ENUM && a->type->tag != b->type->tag)
        say(unit, e, "-Wenum-compare", "comparison of values of two different enums");
    if (cc_is_integer(e->left->type)) {
        check_signs(unit, e);
        check_limits(unit, e);
    }
    if (a->kind == CC_AND && a->right->kind == CC_NUMBER && b->kind == CC_NUMBER && (e->kind == CC_EQUAL) &&
        (b->integer & ~a->right->integer) != 0)
        say(unit, e, "-Wtautological-compare", "a bitwise '&' can never give this value: always false");
}

/* Warns of x != 1 || x != 2, which is always true, and of x == 1 && x == 2, which is always false. */
static void check_pair(CcUnit *unit, const CcExpr *e)
{
    CcExprKind kind = e->kind == CC_LOGICAL_OR ? CC_NOT_EQUAL : CC_EQUAL;
    const CcExpr *a = e->left, *b = e->right;
    if (a->kind != kind || b->kind != kind || a->right->kind != CC_NUMBER || b->right->kind != CC_NUMBER ||
        !cc_is_integer(a->right->type) || !cc_is_integer(b->right->type) || !same(bare(a->left), bare(b->left)) ||
        a->right->integer == b->right->integer)
        return;
    say(unit, e, "-Wtautological-compare",
        kind == CC_EQUAL ? "it cannot be equal to both: always false; was '||' meant?"
                         : "it is different from one of the two: always true; was '&&' meant?");
}

/* -- conditions -------------------------------------------------------------------------------- */

static void check_condition(CcUnit *unit, const CcExpr *e)
{
    if (!e)
        return;
    if (e->kind == CC_ASSIGN && !e->parenthesized && !cc_report_is_from_macro(unit, e->loc)) {
        cc_report(unit, CC_WARNING, e->loc, "-Wparentheses", "an assignment as a condition: '==' compares");
        cc_report(unit, CC_NOTE, e->loc, NULL, "parentheses around it say that it is meant");
    }
    const CcExpr *object = e->kind == CC_CAST && e->implicit ? e->left : e;
    bool address = (object->kind == CC_ADDRESS || object->kind == CC_DECAY) && object->left->kind == CC_VARIABLE;
    if (address && !object->left->symbol->weak) {
        char *text = g_strdup_printf("the address of '%s' is always true", object->left->symbol->name);
        say(unit, object, "-Waddress", text);
        g_free(text);
    }
    if (e->kind == CC_SHIFT_LEFT && cc_type_is_signed(e->type))
        say(unit, e, "-Wint-in-bool-context", "'<<' as a condition: was '<' meant?");
    else if (e->kind == CC_MULTIPLY && cc_is_integer(e->type) && bare(e->left)->kind != CC_NUMBER)
        say(unit, e, "-Wint-in-bool-context", "'*' as a condition: was '&&' meant?");
    else if (e->kind == CC_CONDITIONAL && e->left && e->left->kind == CC_NUMBER && e->right->kind == CC_NUMBER &&
             cc_is_integer(e->type) && (e->left->integer > 1 || e->right->integer > 1) &&
             (e->left->integer && e->right->integer))
        say(unit, e, "-Wint-in-bool-context", "'?:' of two numbers as a condition is always true");
}

/* -- others ------------------------------------------------------------------------------------ */

static unsigned target_qualifiers(const CcType *pointer)
{
    const CcType *target = pointer->target;
    while (target->kind == CC_ARRAY)
        target = target->target;
    return target->qualifiers;
}

static void check_cast(CcUnit *unit, const CcExpr *e)
{
    if (e->implicit) {
        if (e->left->type->kind == CC_FLOAT && e->type->kind == CC_DOUBLE)
            say(unit, e, "-Wdouble-promotion", "a float becomes a double here");
        return;
    }
    if (e->type->kind != CC_POINTER || e->left->type->kind != CC_POINTER)
        return;
    if (target_qualifiers(e->left->type) & ~target_qualifiers(e->type) & (CC_CONST | CC_VOLATILE))
        say(unit, e, "-Wcast-qual",
            target_qualifiers(e->left->type) & ~target_qualifiers(e->type) & CC_CONST
                ? "the cast takes away 'const'"
                : "the cast takes away 'volatile'");
    if (e->left->type->target->align && e->type->target->align > e->left->type->target->align &&
        e->left->type->target->kind != CC_VOID)
        say(unit, e, "-Wcast-align", "the cast asks for a stricter alignment of the target");
}

static void check_arithmetic(CcUnit *unit, const CcExpr *e)
{
    if (e->type->kind == CC_POINTER &&
        (e->left->type->target->kind == CC_VOID || e->left->type->target->kind == CC_FUNCTION))
        say(unit, e, "-Wpointer-arith", "arithmetic on a pointer to void or to a function");
    if (e->type->kind == CC_POINTER && e->kind == CC_ADD && bare(e->right)->type->kind == CC_CHAR &&
        bare(e->right)->kind != CC_NUMBER)
        say(unit, bare(e->right), "-Wchar-subscripts", "an index of type 'char' may be negative");
}

static bool visit_expression(const CcExpr *e, void *unit)
{
    check_precedence(unit, e);
    if (cc_is_comparison(e->kind))
        check_comparison(unit, e);
    switch (e->kind) {
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR:
        check_pair(unit, e);
        check_condition(unit, e->left);
        check_condition(unit, e->right);
        break;
    case CC_NOT: check_condition(unit, e->left); break;
    case CC_CONDITIONAL: check_condition(unit, e->condition); break;
    case CC_CAST: check_cast(unit, e); break;
    case CC_ADD:
    case CC_SUBTRACT: check_arithmetic(unit, e); break;
    case CC_SHIFT_LEFT:
        if (e->left->kind == CC_NUMBER && cc_type_is_signed(e->left->type) && (int64_t)e->left->integer < 0)
            say(unit, e, "-Wshift-negative-value", "left shift of a negative value");
        break;
    case CC_ASSIGN:
        if (e->left->kind == CC_VARIABLE && same(e->left, e->right))
            say(unit, e, "-Wself-assign", "a variable is assigned to itself");
        break;
    default: break;
    }
    return true;
}

static void visit_statement(const CcStmt *s, void *unit)
{
    if (s->kind == CC_IF || s->kind == CC_WHILE || s->kind == CC_DO || s->kind == CC_FOR)
        check_condition(unit, s->expr);
    if (s->kind == CC_DECLARATION && s->symbol && s->symbol->init && s->symbol->init->value &&
        s->symbol->init->value->kind == CC_VARIABLE && s->symbol->init->value->symbol == s->symbol)
        cc_report(unit, CC_WARNING, s->symbol->init->value->loc, "-Winit-self", "'%s' is initialised with itself",
                  s->symbol->name);
}

void cc_check_operators(CcUnit *unit, CcSymbol *symbol)
{
    CcVisitor visitor = {visit_statement, visit_expression};
    cc_walk_statements(symbol->body->body, &visitor, unit);
}
