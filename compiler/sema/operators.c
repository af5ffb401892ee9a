/* operators.c - binary operators, ?:, assignment, comma (C11 6.5.5 to 6.5.17). */
#include "compiler/front/front.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

static const char *operator_text(CcExprKind kind)
{
    static const char *const texts[] = {
        [CC_ADD] = "+",          [CC_SUBTRACT] = "-",    [CC_MULTIPLY] = "*",     [CC_DIVIDE] = "/",
        [CC_REMAINDER] = "%",    [CC_SHIFT_LEFT] = "<<", [CC_SHIFT_RIGHT] = ">>", [CC_AND] = "&",
        [CC_OR] = "|",           [CC_XOR] = "^",         [CC_EQUAL] = "==",       [CC_NOT_EQUAL] = "!=",
        [CC_LESS] = "<",         [CC_LESS_EQUAL] = "<=", [CC_GREATER] = ">",      [CC_GREATER_EQUAL] = ">=",
        [CC_LOGICAL_AND] = "&&", [CC_LOGICAL_OR] = "||",
    };
    return texts[kind];
}

static CcExpr *invalid_operands(CcParser *p, CcExprKind kind, const CcExpr *left, const CcExpr *right, CcLoc loc)
{
    char *a = cc_type_name(left->type), *b = cc_type_name(right->type);
    cc_front_error(p, loc, "invalid operands to binary %s (have '%s' and '%s')", operator_text(kind), a, b);
    g_free(a);
    g_free(b);
    return cc_sema_error_expr(p, loc);
}

/* Returns the function of the runtime (runtime/complex_arithmetic.c) that computes a complex product or quotient, or
 * NULL for other operators and types. */
static CcSymbol *complex_function(CcParser *p, CcExprKind kind, const CcType *type, CcLoc loc)
{
    if (!cc_is_complex(type) || (kind != CC_MULTIPLY && kind != CC_DIVIDE))
        return NULL;
    bool single = type->kind == CC_CFLOAT;
    const char *name = kind == CC_MULTIPLY ? (single ? "__orrery_complex_multiply_float" : "__orrery_complex_multiply")
                                           : (single ? "__orrery_complex_divide_float" : "__orrery_complex_divide");
    return cc_library_runtime_function(p, name, single ? "Fffff" : "Cdddd", loc);
}

static bool is_whole(const CcType *type)
{
    return cc_is_integer(type) || cc_is_wide(type);
}

static CcExpr *arithmetic(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    bool integers_only = kind == CC_REMAINDER || kind == CC_AND || kind == CC_OR || kind == CC_XOR;
    bool good = integers_only ? is_whole(left->type) && is_whole(right->type)
                              : cc_is_arithmetic(left->type) && cc_is_arithmetic(right->type);
    if (!good)
        return invalid_operands(p, kind, left, right, op_loc);
    left = cc_sema_promote(p, left);
    right = cc_sema_promote(p, right);
    unsigned bits = cc_sema_common_bits(left, right);
    CcType *type = cc_sema_common_type(p, &left, &right);
    if ((kind == CC_DIVIDE || kind == CC_REMAINDER) && cc_is_integer(type) && cc_is_number(right) &&
        right->integer == 0)
        cc_front_warning(p, op_loc, "-Wdiv-by-zero", "division by zero");
    CcExpr *e = cc_sema_fold(p, cc_sema_expr_new(p, kind, type, loc, left, right));
    if (cc_is_wide(type) && (kind == CC_DIVIDE || kind == CC_REMAINDER) && !cc_is_number(e))
        return cc_sema_wide_divide(p, kind, left, right, loc);
    e->symbol = cc_is_number(e) ? NULL : complex_function(p, kind, type, loc);
    return cc_sema_wrap(p, e, bits);
}

static CcExpr *shift(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    if (!is_whole(left->type) || !is_whole(right->type))
        return invalid_operands(p, kind, left, right, op_loc);
    left = cc_sema_promote(p, left);
    right = cc_sema_promote(p, cc_is_wide(right->type) ? cc_sema_convert(p, right, p->basic[CC_LONG]) : right);
    int64_t count;
    if (cc_tree_integer_constant(right, &count)) {
        if (cc_type_is_signed(right->type) && count < 0)
            cc_front_warning(p, op_loc, "-Wshift-count-negative", "shift count is negative");
        else if ((uint64_t)count >= cc_bits(left->type))
            cc_front_warning(p, op_loc, "-Wshift-count-overflow", "shift count >= width of type");
    }
    CcExpr *e = cc_sema_fold(p, cc_sema_expr_new(p, kind, cc_type_unqualified(p, left->type), loc, left, right));
    return cc_sema_wrap(p, e, left->bits);
}

/* Whether arithmetic on the pointer is possible. As with gcc, pointers to void and to functions count bytes. */
static bool can_step(CcParser *p, const CcExpr *pointer, CcLoc loc)
{
    const CcType *target = pointer->type->target;
    if (!target->incomplete || target->kind == CC_VOID)
        return target != p->error_type;
    char *text = cc_type_name(target);
    cc_front_error(p, loc, "arithmetic on a pointer to incomplete type '%s'", text);
    g_free(text);
    return false;
}

static CcExpr *pointer_step(CcParser *p, CcExprKind kind, CcExpr *pointer, CcExpr *index, CcLoc loc)
{
    if (!can_step(p, pointer, loc))
        return cc_sema_error_expr(p, loc);
    CcExpr *offset = cc_sema_convert(p, cc_sema_promote(p, index), p->basic[CC_LONG]);
    CcType *type = cc_type_unqualified(p, pointer->type);
    uint64_t size = type->target->size ? type->target->size : 1;
    if (cc_is_number(pointer) && cc_is_number(offset) && !cc_type_has_variable_size(type->target)) {
        uint64_t bytes = offset->integer * size;
        return cc_sema_integer(p, type, kind == CC_ADD ? pointer->integer + bytes : pointer->integer - bytes, loc);
    }
    return cc_sema_expr_new(p, kind, type, loc, pointer, offset);
}

static CcExpr *add(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    if (left->type->kind == CC_POINTER && is_whole(right->type))
        return pointer_step(p, CC_ADD, left, right, loc);
    if (right->type->kind == CC_POINTER && is_whole(left->type))
        return pointer_step(p, CC_ADD, right, left, loc);
    return arithmetic(p, CC_ADD, left, right, loc, op_loc);
}

static CcExpr *subtract(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    if (left->type->kind == CC_POINTER && is_whole(right->type))
        return pointer_step(p, CC_SUBTRACT, left, right, loc);
    if (left->type->kind != CC_POINTER || right->type->kind != CC_POINTER)
        return arithmetic(p, CC_SUBTRACT, left, right, loc, op_loc);
    if (!cc_types_compatible_unqualified(left->type->target, right->type->target) || !can_step(p, left, op_loc))
        return invalid_operands(p, CC_SUBTRACT, left, right, op_loc);
    if (left->type->target->size == 0 && left->type->target->tag) {
        cc_front_error(p, op_loc, "difference of pointers to elements of no size");
        return cc_sema_error_expr(p, loc);
    }
    return cc_sema_fold_address(p, cc_sema_expr_new(p, CC_SUBTRACT, p->basic[CC_LONG], loc, left, right));
}

/* -- comparison -------------------------------------------------------------------------------- */

static void warn_mixed(CcParser *p, const CcExpr *left, const CcExpr *right, CcLoc loc, const char *option,
                       const char *what)
{
    char *a = cc_type_name(left->type), *b = cc_type_name(right->type);
    cc_front_warning(p, loc, option, "%s ('%s' and '%s')", what, a, b);
    g_free(a);
    g_free(b);
}

static CcExpr *compare(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    bool a = left->type->kind == CC_POINTER, b = right->type->kind == CC_POINTER;
    if (!a && !b) {
        bool ordered = kind != CC_EQUAL && kind != CC_NOT_EQUAL;
        if (!cc_is_arithmetic(left->type) || !cc_is_arithmetic(right->type) ||
            (ordered && (cc_is_complex(left->type) || cc_is_complex(right->type))))
            return invalid_operands(p, kind, left, right, op_loc);
        cc_sema_common_type(p, &left, &right);
    } else if (a && b) {
        const CcType *to = left->type->target, *from = right->type->target;
        bool null = cc_tree_is_null_constant(left) || cc_tree_is_null_constant(right);
        if (!null && to->kind != CC_VOID && from->kind != CC_VOID && !cc_types_compatible_unqualified(to, from))
            warn_mixed(p, left, right, op_loc, "-Wincompatible-pointer-types",
                       "comparison of distinct pointer types lacks a cast");
        if (to->kind == CC_VOID && from->kind != CC_VOID)
            left = cc_sema_convert(p, left, right->type);
        else
            right = cc_sema_convert(p, right, left->type);
    } else {
        CcExpr **integer = a ? &right : &left;
        if (!cc_is_integer((*integer)->type))
            return invalid_operands(p, kind, left, right, op_loc);
        if (!cc_tree_is_null_constant(*integer))
            warn_mixed(p, left, right, op_loc, "-Wint-conversion", "comparison between pointer and integer");
        *integer = cc_sema_convert(p, cc_sema_promote(p, *integer), a ? left->type : right->type);
    }
    return cc_sema_fold(p, cc_sema_expr_new(p, kind, p->basic[CC_INT], loc, left, right));
}

static CcExpr *logical(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc)
{
    left = cc_sema_condition(p, left, "operand of a logical operator");
    right = cc_sema_condition(p, right, "operand of a logical operator");
    if (cc_is_error(p, left) || cc_is_error(p, right))
        return cc_sema_error_expr(p, loc);
    return cc_sema_fold(p, cc_sema_expr_new(p, kind, p->basic[CC_INT], loc, left, right));
}

static CcExpr *binary(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    switch (kind) {
    case CC_ADD: return add(p, left, right, loc, op_loc);
    case CC_SUBTRACT: return subtract(p, left, right, loc, op_loc);
    case CC_SHIFT_LEFT:
    case CC_SHIFT_RIGHT: return shift(p, kind, left, right, loc, op_loc);
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: return logical(p, kind, left, right, loc);
    case CC_EQUAL:
    case CC_NOT_EQUAL:
    case CC_LESS:
    case CC_LESS_EQUAL:
    case CC_GREATER:
    case CC_GREATER_EQUAL: return compare(p, kind, left, right, loc, op_loc);
    default: return arithmetic(p, kind, left, right, loc, op_loc);
    }
}

CcExpr *cc_sema_binary(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc)
{
    left = cc_sema_rvalue(p, left);
    right = cc_sema_rvalue(p, right);
    if (cc_is_error(p, left) || cc_is_error(p, right))
        return cc_sema_error_expr(p, loc);
    if (kind == CC_DIVIDE)
        cc_check_size_division(p, left, right, op_loc);
    CcExpr *e = binary(p, kind, left, right, loc, op_loc);
    e->op_loc = op_loc;
    return e;
}

/* -- ?: (6.5.15) ------------------------------------------------------------------------------- */

static CcType *pointer_result(CcParser *p, const CcExpr *yes, const CcExpr *no, CcLoc loc)
{
    CcType *a = yes->type->target, *b = no->type->target;
    unsigned qualifiers = a->qualifiers | b->qualifiers;
    if (cc_tree_is_null_constant(yes))
        return no->type;
    if (cc_tree_is_null_constant(no))
        return yes->type;
    if (a->kind == CC_VOID || b->kind == CC_VOID)
        return cc_type_pointer_to(p, cc_type_qualified(p, p->basic[CC_VOID], qualifiers));
    if (!cc_types_compatible_unqualified(a, b)) {
        warn_mixed(p, yes, no, loc, "-Wincompatible-pointer-types", "pointer type mismatch in conditional expression");
        return p->void_pointer;
    }
    return cc_type_pointer_to(
        p,
        cc_type_qualified(p, cc_type_composite(p, cc_type_unqualified(p, a), cc_type_unqualified(p, b)), qualifiers));
}

static CcType *conditional_type(CcParser *p, CcExpr **yes, CcExpr **no, CcLoc loc)
{
    CcType *a = (*yes)->type, *b = (*no)->type;
    if (cc_is_arithmetic(a) && cc_is_arithmetic(b))
        return cc_sema_common_type(p, yes, no);
    if (a->kind == CC_VOID || b->kind == CC_VOID)
        return p->basic[CC_VOID];
    if (cc_is_aggregate(a) && cc_types_compatible_unqualified(a, b))
        return cc_type_unqualified(p, a);
    if (a->kind == CC_POINTER && b->kind == CC_POINTER)
        return pointer_result(p, *yes, *no, loc);
    if ((a->kind == CC_POINTER && cc_is_integer(b)) || (b->kind == CC_POINTER && cc_is_integer(a))) {
        CcExpr *integer = cc_is_integer(a) ? *yes : *no;
        if (!cc_tree_is_null_constant(integer))
            warn_mixed(p, *yes, *no, loc, "-Wint-conversion",
                       "pointer/integer type mismatch in conditional expression");
        return a->kind == CC_POINTER ? a : b;
    }
    return NULL;
}

CcExpr *cc_sema_conditional(CcParser *p, CcExpr *condition, CcExpr *yes, CcExpr *no, CcLoc loc)
{
    condition = cc_sema_condition(p, condition, "condition of '?:'");
    bool omitted = !yes;
    yes = omitted ? condition : cc_sema_rvalue(p, yes);
    no = cc_sema_rvalue(p, no);
    if (cc_is_error(p, condition) || cc_is_error(p, yes) || cc_is_error(p, no))
        return cc_sema_error_expr(p, loc);
    if (cc_is_integer(yes->type) && cc_is_integer(no->type)) {
        yes = cc_sema_promote(p, yes);
        no = cc_sema_promote(p, no);
    }
    unsigned bits = cc_sema_common_bits(yes, no);
    CcType *type = conditional_type(p, &yes, &no, loc);
    if (!type) {
        char *a = cc_type_name(yes->type), *b = cc_type_name(no->type);
        cc_front_error(p, loc, "type mismatch in conditional expression ('%s' and '%s')", a, b);
        g_free(a);
        g_free(b);
        return cc_sema_error_expr(p, loc);
    }
    if (type->kind == CC_VOID) { /* the value of the other side is dropped */
        yes = cc_sema_cast_expr(p, type, yes, yes->loc);
        no = cc_sema_cast_expr(p, type, no, no->loc);
    } else {
        yes = cc_sema_convert(p, yes, type);
        no = cc_sema_convert(p, no, type);
    }
    /* If the middle operand is omitted, the condition's value is the result. It is converted and evaluated once. */
    CcExpr *e = cc_sema_expr_new(p, CC_CONDITIONAL, cc_type_unqualified(p, type), loc, omitted ? NULL : yes, no);
    e->condition = omitted ? yes : condition;
    cc_sema_set_depth(p, e, e->condition);
    if (cc_is_error(p, e))
        return e;
    e = cc_sema_fold(p, e);
    e->bits = cc_is_number(e) ? 0 : (uint8_t)bits;
    return e;
}

/* -- assignment (6.5.16) ----------------------------------------------------------------------- */

CcExpr *cc_sema_assignment(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc)
{
    if (cc_is_error(p, left) || cc_is_error(p, right))
        return cc_sema_error_expr(p, loc);
    if (!cc_sema_modifiable(p, left, "assignment to"))
        return cc_sema_error_expr(p, loc);
    if (left->type->qualifiers & CC_ATOMIC)
        return cc_sema_atomic_store(p, left, right, loc);
    CcAssignContext context = {CC_ASSIGNING, 0, NULL, NULL};
    right = cc_sema_assign_convert(p, right, left->type, &context);
    if (cc_is_error(p, right))
        return cc_sema_error_expr(p, loc);
    return cc_sema_expr_new(p, CC_ASSIGN, cc_type_unqualified(p, left->type), loc, left, right);
}

static CcExpr *compound(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcType *operation, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_ASSIGN_OP, cc_type_unqualified(p, left->type), loc, left, right);
    e->op = op;
    e->operation_type = operation;
    e->symbol = complex_function(p, op, operation, loc);
    return e;
}

CcExpr *cc_sema_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc)
{
    right = cc_sema_rvalue(p, right);
    if (cc_is_error(p, left) || cc_is_error(p, right) || !cc_sema_modifiable(p, left, "assignment to"))
        return cc_sema_error_expr(p, loc);
    if (left->type->qualifiers & CC_ATOMIC)
        return cc_sema_atomic_change(p, op, left, right, false, loc);
    if (left->type->kind == CC_POINTER) {
        if ((op != CC_ADD && op != CC_SUBTRACT) || !is_whole(right->type))
            return invalid_operands(p, op, left, right, loc);
        if (!can_step(p, left, loc))
            return cc_sema_error_expr(p, loc);
        return compound(p, op, left, cc_sema_convert(p, cc_sema_promote(p, right), p->basic[CC_LONG]),
                        cc_type_unqualified(p, left->type), loc);
    }
    if (cc_is_wide(left->type) || cc_is_wide(right->type))
        return cc_sema_wide_assignment_op(p, op, left, right, loc);
    /* Build the operation as if written out. It checks the operands and tells the type. */
    CcExpr *probe = cc_sema_binary(p, op, left, right, loc, loc);
    if (cc_is_error(p, probe))
        return probe;
    if (right->type->kind == CC_POINTER)
        return invalid_operands(p, op, left, right, loc);
    if (cc_is_real(probe->type) && cc_is_integer(left->type))
        cc_check_conversion(p, probe, left->type);
    if (op == CC_SHIFT_LEFT || op == CC_SHIFT_RIGHT)
        return compound(p, op, left, cc_sema_promote(p, right), probe->type, loc);
    return compound(p, op, left, cc_sema_operand(p, cc_sema_promote(p, right), probe->type), probe->type, loc);
}

CcExpr *cc_sema_comma(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc)
{
    left = cc_sema_rvalue(p, left);
    right = cc_sema_rvalue(p, right);
    if (cc_is_error(p, left) || cc_is_error(p, right))
        return cc_sema_error_expr(p, loc);
    return cc_sema_expr_new(p, CC_COMMA, cc_type_unqualified(p, right->type), loc, left, right);
}
