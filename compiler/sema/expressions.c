/* expressions.c - primary, postfix and unary expressions (C11 6.5.1 to 6.5.4).
 *
 * Each function takes typed operands and returns a typed node. If it reports an error, it returns an error expression.
 * It calls cc_sema_fold() at the end, so that constants become numbers at once.
 */
#include "compiler/sema/expressions.h"

#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- nodes ------------------------------------------------------------------------------------- */

void cc_sema_set_depth(CcParser *p, CcExpr *e, const CcExpr *child)
{
    if (!child || child->depth < e->depth)
        return;
    e->depth = (uint16_t)(child->depth + 1);
    if (e->depth > CC_MAX_DEPTH) {
        if (!p->stop)
            cc_front_fatal(p, e->loc, "expression is nested deeper than %d operators", CC_MAX_DEPTH);
        e->left = e->right = e->condition = NULL;
        e->kind = CC_NUMBER;
        e->type = p->error_type;
        e->depth = 0;
    }
}

CcExpr *cc_sema_expr_new(CcParser *p, CcExprKind kind, CcType *type, CcLoc loc, CcExpr *left, CcExpr *right)
{
    CcExpr *e = CC_NEW(p->arena, CcExpr);
    e->kind = kind;
    e->type = type;
    e->loc = loc;
    e->left = left;
    e->right = right;
    cc_sema_set_depth(p, e, left);
    cc_sema_set_depth(p, e, right);
    return e;
}

CcExpr *cc_sema_error_expr(CcParser *p, CcLoc loc)
{
    return cc_sema_expr_new(p, CC_NUMBER, p->error_type, loc, NULL, NULL);
}

CcExpr *cc_sema_integer(CcParser *p, CcType *type, uint64_t value, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, type, loc, NULL, NULL);
    e->integer = value;
    return e;
}

CcExpr *cc_sema_real(CcParser *p, CcType *type, double value, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, type, loc, NULL, NULL);
    e->real = value;
    return e;
}

CcExpr *cc_sema_variable(CcParser *p, CcSymbol *symbol, CcLoc loc)
{
    symbol->used = true;
    cc_check_use(p, symbol, loc);
    symbol->references++;
    if (p->region)
        cc_region_use(p, symbol, loc);
    if (symbol->thread && p->function && symbol->type != p->error_type)
        return cc_thread_object(p, symbol, loc);
    if (symbol->kind == CC_SYM_ENUMERATOR)
        return cc_sema_integer(p, symbol->type, (uint64_t)symbol->value, loc);
    CcExpr *e = cc_sema_expr_new(p, CC_VARIABLE, symbol->type, loc, NULL, NULL);
    e->symbol = symbol;
    e->lvalue = symbol->kind == CC_SYM_VARIABLE;
    return e;
}

/* Adds a note if the name had a meaning in a block that has ended, like the counter of a loop. */
static void note_ended(CcParser *p, const CcIdent *ident, const char *hint)
{
    if (ident->ended && ident->ended->type != p->error_type && !*hint && p->function &&
        ident->ended_in == p->function->serial)
        cc_front_note(p, ident->ended->loc, "this '%s' ended with its block", ident->text);
}

/* Reports an unknown name, once per function. The name is then declared with the error type, which silences further
 * reports. */
static CcExpr *undeclared(CcParser *p, CcIdent *ident, CcLoc loc)
{
    if (p->inquiry) {
        cc_front_error(p, loc, "no variable '%s' is in scope here", ident->text);
        return cc_sema_error_expr(p, loc);
    }
    char *hint = cc_hint_unknown_name(p, ident->text, false);
    if (!cc_hint_was_told(p, hint, true)) {
        bool counter = !*hint && p->at.begins_for;
        cc_front_error(p, loc, counter ? "'%s' undeclared%s; did you mean 'int %s'?" : "'%s' undeclared%s", ident->text,
                       hint, ident->text);
        if (counter) {
            loc.length = 0;
            cc_report_fix(p->unit, loc, "int ");
        }
        if (cc_hint_fix(p, loc, hint))
            cc_front_hush(p); /* the rest was written for the keyword and would cause a syntax error */
        note_ended(p, ident, hint);
    }
    g_free(hint);
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, ident->text, p->error_type, loc);
    cc_scope_bind(p, p->function ? p->function->outermost : p->file_scope, ident, symbol);
    return cc_sema_error_expr(p, loc);
}

/* Whether the symbol comes from "extern int errno;", as programs before 1989 wrote. The name is reserved (C11 7.5p2),
 * and no such object exists. */
static bool is_old_errno(CcParser *p, const CcSymbol *symbol)
{
    return symbol->kind == CC_SYM_VARIABLE && symbol->storage == CC_EXTERN && !symbol->defined && !symbol->init &&
           symbol->type == p->basic[CC_INT] && strcmp(symbol->name, "errno") == 0;
}

/* Returns what the macro of <errno.h> expands to. */
static CcExpr *errno_of_thread(CcParser *p, CcLoc loc)
{
    CcSymbol *place = cc_library_function(p, "__errno_location", loc);
    return cc_sema_dereference(p, cc_sema_call(p, cc_sema_variable(p, place, loc), NULL, loc), loc);
}

CcExpr *cc_sema_name(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcSymbol *symbol = cc_scope_lookup(ident);
    if (!symbol && g_str_has_prefix(ident->text, "__builtin_")) {
        symbol = cc_library_function(p, ident->text + strlen("__builtin_"), loc);
        if (!symbol) {
            cc_front_error(p, loc, "built-in function '%s' can only be called", ident->text);
            return cc_sema_error_expr(p, loc);
        }
    }
    if (!symbol)
        return undeclared(p, ident, loc);
    if (is_old_errno(p, symbol))
        return errno_of_thread(p, loc);
    return cc_sema_variable(p, symbol, loc);
}

/* -- members and elements ---------------------------------------------------------------------- */

static CcExpr *member_access(CcParser *p, CcExpr *object, const CcMember *member, CcLoc loc)
{
    CcExpr *e =
        cc_sema_expr_new(p, CC_MEMBER, cc_type_qualified(p, member->type, object->type->qualifiers), loc, object, NULL);
    if (cc_is_error(p, e))
        return e;
    e->member = (CcMember *)member;
    e->lvalue = object->lvalue;
    return e;
}

/* Returns the access to the member called `name`, through anonymous members if necessary, or NULL. */
static CcExpr *find_member(CcParser *p, CcExpr *object, const char *name, CcLoc loc)
{
    const CcTag *tag = object->type->tag;
    for (uint32_t i = 0; i < tag->n_members; i++) {
        const CcMember *member = &tag->members[i];
        if (member->name == name)
            return member_access(p, object, member, loc);
        uint64_t offset;
        if (!member->name && cc_is_aggregate(member->type) && cc_type_find_member(member->type, name, &offset))
            return find_member(p, member_access(p, object, member, loc), name, loc);
    }
    return NULL;
}

static void suggest_member(const CcType *type, BaseNearest *nearest)
{
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        if (!member->name && cc_is_aggregate(member->type))
            suggest_member(member->type, nearest);
        if (member->name)
            base_nearest_try(nearest, member->name);
    }
}

static CcExpr *no_member(CcParser *p, const CcType *type, const char *name, CcLoc loc)
{
    BaseNearest nearest = base_nearest_of(name);
    suggest_member(type, &nearest);
    const char *like = nearest.best;
    char *text = cc_type_name(type);
    if (like)
        cc_front_error(p, loc, "'%s' has no member named '%s'; did you mean '%s'?", text, name, like);
    if (like)
        cc_report_fix(p->unit, loc, like);
    else
        cc_front_error(p, loc, "'%s' has no member named '%s'", text, name);
    g_free(text);
    return cc_sema_error_expr(p, loc);
}

CcExpr *cc_sema_member(CcParser *p, CcExpr *object, CcIdent *name, bool arrow, CcLoc loc, CcLoc name_loc)
{
    if (arrow)
        object = cc_sema_rvalue(p, object);
    if (cc_is_error(p, object))
        return cc_sema_error_expr(p, loc);
    cc_uses_probe_member(p, name->text, object->type);
    const CcType *type = object->type;
    bool pointer = type->kind == CC_POINTER;
    if (pointer && arrow)
        type = type->target;
    if (!cc_is_aggregate(type) || pointer != arrow) {
        char *text = cc_type_name(object->type);
        if (cc_is_aggregate(type) && arrow)
            cc_front_error(p, loc, "'%s' is not a pointer; did you mean to use '.'?", text);
        else if (pointer && !arrow && cc_is_aggregate(type->target))
            cc_front_error(p, loc, "'%s' is a pointer; did you mean to use '->'?", text);
        else
            cc_front_error(p, loc, "request for member '%s' in something of type '%s', which is not a struct or union",
                           name->text, text);
        g_free(text);
        return cc_sema_error_expr(p, loc);
    }
    if (type->incomplete) {
        char *text = cc_type_name(type);
        cc_front_error(p, loc, "invalid use of incomplete type '%s'", text);
        g_free(text);
        return cc_sema_error_expr(p, loc);
    }
    if (arrow)
        object = cc_sema_dereference(p, object, object->loc);
    CcExpr *e = find_member(p, object, name->text, loc);
    if (e)
        cc_use_member(p, e->member, name_loc);
    return e ? e : no_member(p, type, name->text, name_loc);
}

CcExpr *cc_sema_index(CcParser *p, CcExpr *array, CcExpr *index, CcLoc loc)
{
    array = cc_sema_rvalue(p, array);
    index = cc_sema_rvalue(p, index);
    if (cc_is_error(p, array) || cc_is_error(p, index))
        return cc_sema_error_expr(p, loc);
    if (index->type->kind == CC_POINTER && (cc_is_integer(array->type) || cc_is_wide(array->type))) {
        CcExpr *swap = array;
        array = index;
        index = swap;
    }
    if (index->kind == CC_COMMA && !index->parenthesized)
        cc_front_warning(p, index->loc, "-Wcomma-subscript",
                         "this comma is an operator; the elements of a matrix are a[i][j]");
    if (array->type->kind != CC_POINTER) {
        cc_front_error(p, loc, "subscripted value is neither array nor pointer");
        return cc_sema_error_expr(p, loc);
    }
    if (!cc_is_integer(index->type) && !cc_is_wide(index->type)) {
        cc_front_error(p, index->loc, "array subscript is not an integer");
        return cc_sema_error_expr(p, loc);
    }
    if (array->type->target->kind == CC_FUNCTION) {
        cc_front_error(p, loc, "subscripted value is a pointer to a function");
        return cc_sema_error_expr(p, loc);
    }
    CcExpr *sum = cc_sema_binary(p, CC_ADD, array, index, loc, loc);
    return cc_is_error(p, sum) ? sum : cc_sema_dereference(p, sum, loc);
}

/* -- unary operators --------------------------------------------------------------------------- */

/* Whether the type or any member of it, however deep, is const (C11 6.3.2.1p1). */
static bool has_const(const CcType *type)
{
    while (type->kind == CC_ARRAY)
        type = type->target;
    if (type->qualifiers & CC_CONST)
        return true;
    for (uint32_t i = 0; cc_is_aggregate(type) && i < type->tag->n_members; i++)
        if (has_const(type->tag->members[i].type))
            return true;
    return false;
}

/* Whether the expression can be assigned to. Reports an error if not. */
static bool modifiable(CcParser *p, const CcExpr *e, const char *what)
{
    if (!e->lvalue || e->type->kind == CC_ARRAY) {
        const CcType *element = e->type->kind == CC_ARRAY ? e->type->target : NULL;
        if (element && element->size == 1 && cc_is_integer(element))
            cc_front_error(p, e->loc, "%s an expression of array type; strcpy() copies a string", what);
        else if (element)
            cc_front_error(p, e->loc, "%s an expression of array type; arrays are copied by memcpy() or a loop", what);
        else if (cc_is_number(e) && p->at.within_subscript) {
            cc_front_error(p, e->loc, "expected ']' behind the index");
            cc_front_hush(p);
        } else
            cc_front_error(p, e->loc, "lvalue required: %s something that has no place in memory", what);
        return false;
    }
    bool is_const = has_const(e->type);
    if (is_const) {
        if (e->kind == CC_VARIABLE)
            cc_front_error(p, e->loc, "%s read-only variable '%s'", what, e->symbol->name);
        else if (e->kind == CC_MEMBER && e->member->name)
            cc_front_error(p, e->loc, "%s read-only member '%s'", what, e->member->name);
        else
            cc_front_error(p, e->loc, "%s read-only location", what);
    }
    return !is_const;
}

bool cc_sema_modifiable(CcParser *p, const CcExpr *e, const char *what)
{
    return modifiable(p, e, what);
}

CcExpr *cc_sema_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc)
{
    if (cc_is_error(p, operand))
        return cc_sema_error_expr(p, loc);
    bool up = kind == CC_PRE_INCREMENT || kind == CC_POST_INCREMENT;
    if (!modifiable(p, operand, up ? "increment of" : "decrement of"))
        return cc_sema_error_expr(p, loc);
    const CcType *type = operand->type;
    if (!cc_is_scalar(type)) {
        cc_front_error(p, loc, "wrong type argument to %s", up ? "increment" : "decrement");
        return cc_sema_error_expr(p, loc);
    }
    if (type->kind == CC_POINTER && type->target->incomplete && type->target->kind != CC_VOID) {
        cc_front_error(p, loc, "arithmetic on a pointer to an incomplete type");
        return cc_sema_error_expr(p, loc);
    }
    if (type->qualifiers & CC_ATOMIC)
        return cc_sema_atomic_change(p, up ? CC_ADD : CC_SUBTRACT, operand,
                                     cc_sema_integer(p, p->basic[CC_INT], 1, loc),
                                     kind == CC_POST_INCREMENT || kind == CC_POST_DECREMENT, loc);
    if (cc_is_wide(type))
        return cc_sema_wide_increment(p, kind, operand, loc);
    return cc_sema_expr_new(p, kind, cc_type_unqualified(p, operand->type), loc, operand, NULL);
}

static CcExpr *wrong_operand(CcParser *p, const CcExpr *operand, const char *operator, CcLoc loc)
{
    char *text = cc_type_name(operand->type);
    cc_front_error(p, loc, "wrong type argument '%s' to unary %s", text, operator);
    g_free(text);
    return cc_sema_error_expr(p, loc);
}

static CcExpr *part_of_complex(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc)
{
    if (!cc_is_arithmetic(operand->type))
        return wrong_operand(p, operand, kind == CC_REAL_PART ? "__real__" : "__imag__", loc);
    if (!cc_is_complex(operand->type)) {
        if (kind == CC_REAL_PART)
            return operand;
        return cc_sema_comma(p, operand,
                             cc_sema_convert(p, cc_sema_integer(p, p->basic[CC_INT], 0, loc), operand->type), loc);
    }
    CcType *type = p->basic[operand->type->kind - CC_CFLOAT + CC_FLOAT];
    CcExpr *e = cc_sema_expr_new(p, kind, cc_type_qualified(p, type, operand->type->qualifiers), loc, operand, NULL);
    e->lvalue = operand->lvalue;
    return cc_sema_fold(p, e);
}

CcExpr *cc_sema_unary(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc)
{
    operand = cc_sema_rvalue(p, operand);
    if (cc_is_error(p, operand))
        return operand;
    switch (kind) {
    case CC_NOT:
        operand = cc_sema_condition(p, operand, "operand of '!'");
        if (cc_is_error(p, operand))
            return operand;
        return cc_sema_fold(p, cc_sema_expr_new(p, CC_NOT, p->basic[CC_INT], loc, operand, NULL));
    case CC_COMPLEMENT:
        if (!cc_is_integer(operand->type) && !cc_is_wide(operand->type) && !cc_is_complex(operand->type))
            return wrong_operand(p, operand, "~", loc);
        break;
    case CC_REAL_PART:
    case CC_IMAGINARY_PART: return part_of_complex(p, kind, operand, loc);
    default:
        if (!cc_is_arithmetic(operand->type))
            return wrong_operand(p, operand, kind == CC_NEGATE ? "minus" : "plus", loc);
    }
    operand = cc_sema_promote(p, operand);
    if (kind == CC_CAST) { /* unary plus: the value, which is no lvalue */
        if (!operand->lvalue)
            return operand;
        return cc_sema_expr_new(p, CC_CAST, cc_type_unqualified(p, operand->type), loc, operand, NULL);
    }
    CcExpr *e = cc_sema_fold(p, cc_sema_expr_new(p, kind, cc_type_unqualified(p, operand->type), loc, operand, NULL));
    return cc_sema_wrap(p, e, operand->bits);
}

/* Marks the variable in the expression as one that must live in memory. Returns false if it has no address. */
static bool take_address(CcParser *p, const CcExpr *e, CcLoc loc)
{
    for (; e->kind == CC_MEMBER || e->kind == CC_REAL_PART || e->kind == CC_IMAGINARY_PART; e = e->left)
        if (e->kind == CC_MEMBER && e->member->bit_field) {
            cc_front_error(p, loc, "cannot take the address of bit-field '%s'", e->member->name ? e->member->name : "");
            return false;
        }
    if (e->kind == CC_VARIABLE) {
        if (e->symbol->storage == CC_REGISTER) {
            cc_front_error(p, loc, "address of register variable '%s' requested", e->symbol->name);
            return false;
        }
        e->symbol->addressed = true;
    }
    return true;
}

/* Returns the value of an lvalue as an expression that is no lvalue. */
static CcExpr *unary_value(CcParser *p, CcExpr *e)
{
    CcExpr *cast = cc_sema_expr_new(p, CC_CAST, cc_type_unqualified(p, e->type), e->loc, e, NULL);
    cast->implicit = true;
    return cast;
}

CcExpr *cc_sema_address(CcParser *p, CcExpr *operand, CcLoc loc)
{
    if (cc_is_error(p, operand))
        return operand;
    if (operand->kind == CC_DEREFERENCE) { /* 6.5.3.2p3: neither is evaluated */
        CcExpr *pointer = operand->left;
        return pointer->lvalue ? unary_value(p, pointer) : pointer;
    }
    if (!operand->lvalue && operand->type->kind != CC_FUNCTION) {
        cc_front_error(p, loc, "lvalue required as unary '&' operand");
        return cc_sema_error_expr(p, loc);
    }
    if (!take_address(p, operand, loc))
        return cc_sema_error_expr(p, loc);
    return cc_sema_expr_new(p, CC_ADDRESS, cc_type_pointer_to(p, operand->type), loc, operand, NULL);
}

/* Dereferences a pointer to a function: the result is a designator that decays back to the pointer. */
static CcExpr *function_designator(CcParser *p, CcExpr *pointer, CcLoc loc)
{
    return cc_sema_expr_new(p, CC_DEREFERENCE, pointer->type->target, loc, pointer, NULL);
}

CcExpr *cc_sema_dereference(CcParser *p, CcExpr *operand, CcLoc loc)
{
    operand = cc_sema_rvalue(p, operand);
    if (cc_is_error(p, operand))
        return operand;
    if (operand->type->kind != CC_POINTER) {
        char *text = cc_type_name(operand->type);
        cc_front_error(p, loc, "invalid operand of unary '*': '%s' is not a pointer", text);
        g_free(text);
        return cc_sema_error_expr(p, loc);
    }
    CcType *target = operand->type->target;
    if (target->kind == CC_FUNCTION) /* *f is f */
        return operand->kind == CC_DECAY ? operand->left : function_designator(p, operand, loc);
    CcExpr *e = cc_sema_expr_new(p, CC_DEREFERENCE, target, loc, operand, NULL);
    e->lvalue = target->kind != CC_VOID || target->qualifiers;
    return e;
}

/* -- sizeof and _Alignof ----------------------------------------------------------------------- */

/* Returns an expression that assigns the array lengths of the type to their hidden variables. NULL: there are none. */
static CcExpr *evaluate_lengths(CcParser *p, CcType *type, CcLoc loc)
{
    CcExpr *all = NULL;
    for (; type && (type->kind == CC_ARRAY || type->kind == CC_POINTER); type = type->target) {
        if (!type->length_expr)
            continue;
        CcExpr *variable = cc_sema_variable(p, type->length_symbol, loc);
        CcExpr *set = cc_sema_expr_new(p, CC_ASSIGN, p->basic[CC_ULONG], loc, variable, type->length_expr);
        all = all ? cc_sema_comma(p, all, set, loc) : set;
    }
    return all;
}

static bool has_size(CcParser *p, const CcType *type, const char *operator, CcLoc loc)
{
    if (type == p->error_type)
        return false;
    if (type->kind == CC_FUNCTION || type->kind == CC_VOID)
        return true; /* size 1, like gcc */
    if (type->incomplete) {
        char *text = cc_type_name(type);
        cc_front_error(p, loc, "invalid application of '%s' to incomplete type '%s'", operator, text);
        g_free(text);
        return false;
    }
    return true;
}

CcExpr *cc_sema_sizeof_type(CcParser *p, CcType *type, CcLoc loc)
{
    if (!has_size(p, type, "sizeof", loc))
        return cc_sema_error_expr(p, loc);
    if (!cc_type_has_variable_size(type)) {
        bool none = type->kind == CC_FUNCTION || type->kind == CC_VOID;
        CcExpr *number = cc_sema_integer(p, p->basic[CC_ULONG], none ? 1 : type->size, loc);
        number->operation_type = type;
        return number;
    }
    CcExpr *lengths = evaluate_lengths(p, type, loc);
    CcExpr *e = cc_sema_expr_new(p, CC_SIZEOF_VARIABLE, p->basic[CC_ULONG], loc, NULL, NULL);
    e->operation_type = cc_type_evaluated(p, type);
    return lengths ? cc_sema_comma(p, lengths, e, loc) : e;
}

CcExpr *cc_sema_sizeof_expr(CcParser *p, CcExpr *e, CcLoc loc)
{
    if (cc_is_error(p, e))
        return cc_sema_error_expr(p, loc);
    if (e->kind == CC_MEMBER && e->member->bit_field) {
        cc_front_error(p, loc, "'sizeof' applied to a bit-field");
        return cc_sema_error_expr(p, loc);
    }
    CcExpr *size = cc_sema_sizeof_type(p, cc_type_evaluated(p, e->type), loc);
    if (e->kind == CC_VARIABLE && cc_is_number(size))
        size->symbol = e->symbol;
    if (e->kind == CC_VARIABLE && e->symbol->array_parameter) {
        cc_front_warning(p, loc, "-Wsizeof-array-argument", "this is the size of a pointer: parameter '%s' is no array",
                         e->symbol->name);
        cc_front_note(p, e->symbol->loc, "'%s' is declared here", e->symbol->name);
    }
    return size;
}

CcExpr *cc_sema_alignof(CcParser *p, CcType *type, CcLoc loc)
{
    if (!has_size(p, type, "_Alignof", loc))
        return cc_sema_error_expr(p, loc);
    return cc_sema_integer(p, p->basic[CC_ULONG], type->align, loc);
}

/* GNU: _Alignof an expression. An attribute may have given a variable more than the alignment of its type. */
CcExpr *cc_sema_alignof_expr(CcParser *p, CcExpr *e, CcLoc loc)
{
    if (cc_is_error(p, e))
        return cc_sema_error_expr(p, loc);
    if (e->kind == CC_MEMBER && e->member->bit_field) {
        cc_front_error(p, loc, "'_Alignof' applied to a bit-field");
        return cc_sema_error_expr(p, loc);
    }
    if (e->kind == CC_VARIABLE && e->symbol->align)
        return cc_sema_integer(p, p->basic[CC_ULONG], e->symbol->align, loc);
    return cc_sema_alignof(p, e->type, loc);
}

/* -- casts, literals, statements as expressions ------------------------------------------------ */

static CcExpr *bad_cast(CcParser *p, const CcExpr *e, const CcType *type, CcLoc loc)
{
    char *to = cc_type_name(type), *from = cc_type_name(e->type);
    cc_front_error(p, loc, "cannot convert '%s' to '%s'", from, to);
    g_free(to);
    g_free(from);
    return cc_sema_error_expr(p, loc);
}

static CcExpr *as_member(CcParser *p, CcType *type, const CcMember *member, CcExpr *e, CcLoc loc)
{
    CcInitNode *list = cc_sema_init_node(p, NULL, loc);
    list->first = list->last = cc_sema_init_node(p, e, loc);
    list->first->designators =
        cc_sema_designator(p, cc_scope_ident(p, member->name, strlen(member->name)), NULL, NULL, loc);
    CcExpr *literal = cc_sema_compound_literal(p, type, list, loc);
    literal->lvalue = false;
    return literal;
}

CcExpr *cc_sema_transparent_argument(CcParser *p, CcType *type, CcExpr *argument)
{
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        const CcType *to = member->type, *from = argument->type;
        bool pointers = to->kind == CC_POINTER && from->kind == CC_POINTER &&
                        (to->target->kind == CC_VOID || from->target->kind == CC_VOID);
        bool null = to->kind == CC_POINTER && cc_tree_is_null_constant(argument);
        if (member->name && (pointers || null || cc_types_compatible_unqualified(to, from)))
            return as_member(p, type, member, argument, argument->loc);
    }
    return NULL;
}

/* GNU: casts a value to a union that has a member of its type. */
static CcExpr *cast_to_union(CcParser *p, CcType *type, CcExpr *e, CcLoc loc)
{
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        if (member->name && cc_types_compatible_unqualified(member->type, e->type))
            return as_member(p, type, member, e, loc);
    }
    return bad_cast(p, e, type, loc);
}

CcExpr *cc_sema_cast_expr(CcParser *p, CcType *type, CcExpr *e, CcLoc loc)
{
    e = cc_sema_rvalue(p, e);
    if (cc_is_error(p, e) || type == p->error_type)
        return cc_sema_error_expr(p, loc);
    CcExpr *lengths = cc_type_is_variably_modified(type) ? evaluate_lengths(p, type, loc) : NULL;
    CcType *target = cc_type_unqualified(p, cc_type_evaluated(p, type));
    if (target->kind == CC_VOID)
        return cc_sema_expr_new(p, CC_CAST, target, loc, e, NULL);
    if (target->kind == CC_UNION && !cc_types_compatible_unqualified(target, e->type))
        return cast_to_union(p, target, e, loc);
    if (cc_is_aggregate(target) && cc_types_compatible_unqualified(target, e->type))
        return e;
    bool pointer = target->kind == CC_POINTER, from_pointer = e->type->kind == CC_POINTER;
    bool real = cc_is_real(target) || cc_is_complex(target), from_real = cc_is_real(e->type) || cc_is_complex(e->type);
    if (!cc_is_scalar(target) || !cc_is_scalar(e->type) || (pointer && from_real) || (from_pointer && real))
        return bad_cast(p, e, target, loc);
    if (pointer && !from_pointer)
        e = cc_sema_promote(p, e);
    if (pointer && cc_is_integer(e->type) && e->type->size < 8 && !cc_is_number(e))
        cc_front_warning(p, loc, "-Wint-to-pointer-cast", "cast to pointer from integer of different size");
    if (from_pointer && cc_is_integer(target) && target->size < 8 && target->kind != CC_BOOL)
        cc_front_warning(p, loc, "-Wpointer-to-int-cast", "cast from pointer to integer of different size");
    if (cc_is_number(e))
        return cc_sema_fold_cast(p, e, target, loc);
    bool wide = cc_is_wide(target) || cc_is_wide(e->type);
    CcExpr *cast = wide ? cc_sema_wide_convert(p, e, target)
                        : cc_sema_fold_address(p, cc_sema_expr_new(p, CC_CAST, target, loc, e, NULL));
    return lengths ? cc_sema_comma(p, lengths, cast, loc) : cast;
}

CcExpr *cc_sema_compound_literal(CcParser *p, CcType *type, CcInitNode *init, CcLoc loc)
{
    if (type == p->error_type)
        return cc_sema_error_expr(p, loc);
    if (type->kind == CC_FUNCTION || type->kind == CC_VOID || (type->incomplete && type->kind != CC_ARRAY) ||
        cc_type_has_variable_size(type)) {
        cc_front_error(p, loc, "compound literal of a type that is a function, incomplete or of variable size");
        return cc_sema_error_expr(p, loc);
    }
    bool is_static = !p->function && !p->region; /* a reduction is declared in a function of its own */
    CcSymbol *symbol = cc_sema_hidden_variable(p, "literal", type, is_static, loc);
    symbol->init = cc_sema_flatten(p, &symbol->type, init, is_static, NULL);
    symbol->addressed = true;
    CcExpr *e = cc_sema_expr_new(p, CC_COMPOUND, symbol->type, loc, NULL, NULL);
    for (const CcInit *item = symbol->init; item; item = item->next)
        cc_sema_set_depth(p, e, item->value);
    if (cc_is_error(p, e))
        return e;
    e->symbol = symbol;
    e->lvalue = true;
    return e;
}

CcExpr *cc_sema_statement_expr(CcParser *p, CcStmt *block, CcLoc loc)
{
    if (!p->function)
        return cc_sema_error_expr(p, loc);
    CcStmt *last = block->first;
    while (last && last->next)
        last = last->next;
    CcStmt *value = last;
    while (value && value->kind == CC_LABEL && value->body)
        value = value->body;
    CcType *type = p->basic[CC_VOID];
    CcExpr *e = cc_sema_expr_new(p, CC_STATEMENT_EXPR, type, loc, NULL, NULL);
    if (value && value->kind == CC_EXPRESSION && value->expr) {
        value->expr = cc_sema_rvalue(p, value->expr);
        e->type = cc_is_error(p, value->expr) ? p->error_type : cc_type_unqualified(p, value->expr->type);
        cc_sema_set_depth(p, e, value->expr);
    }
    e->statement = block;
    return e;
}

CcExpr *cc_sema_label_address(CcParser *p, CcIdent *ident, CcLoc loc)
{
    if (!p->function) {
        cc_front_error(p, loc, "label address '&&%s' outside of a function", ident->text);
        return cc_sema_error_expr(p, loc);
    }
    CcExpr *e = cc_sema_expr_new(p, CC_LABEL_ADDRESS, p->void_pointer, loc, NULL, NULL);
    e->label = cc_sema_label(p, ident, loc);
    e->label->used = e->label->address_taken = true;
    CcJump *jump = CC_NEW(p->arena, CcJump);
    *jump = (CcJump){p->function->jumps, e->label, NULL, p->block, loc, e};
    p->function->jumps = jump;
    return e;
}

CcExpr *cc_sema_offsetof(CcParser *p, CcExpr *path, CcLoc loc)
{
    if (cc_is_error(p, path))
        return cc_sema_error_expr(p, loc);
    CcExpr *address = cc_sema_address(p, path, loc);
    return cc_is_error(p, address) ? address : cc_sema_cast_expr(p, p->basic[CC_ULONG], address, loc);
}

CcExpr *cc_sema_va_arg(CcParser *p, CcExpr *list, CcType *type, CcLoc loc)
{
    if (cc_is_error(p, list) || type == p->error_type)
        return cc_sema_error_expr(p, loc);
    if (list->type->kind != CC_POINTER || list->type->target->kind != CC_CHAR || !list->lvalue) {
        cc_front_error(p, list->loc, "first argument of 'va_arg' is not of type 'va_list'");
        return cc_sema_error_expr(p, loc);
    }
    const CcType *plain = cc_type_integer_of(type);
    if (type->incomplete || type->kind == CC_VOID || type->kind == CC_FUNCTION || type->kind == CC_ARRAY) {
        cc_front_error(p, loc, "second argument of 'va_arg' is no complete object type");
        return cc_sema_error_expr(p, loc);
    }
    if (plain->kind == CC_FLOAT || (plain->kind >= CC_BOOL && plain->kind < CC_INT)) {
        char *text = cc_type_name(type);
        cc_front_warning(p, loc, NULL, "'%s' is promoted to '%s' when passed through '...': use that in 'va_arg'", text,
                         plain->kind == CC_FLOAT ? "double" : "int");
        g_free(text);
        CcExpr *promoted = cc_sema_va_arg(p, list, p->basic[plain->kind == CC_FLOAT ? CC_DOUBLE : CC_INT], loc);
        return cc_sema_convert(p, promoted, type);
    }
    CcExpr *e = cc_sema_expr_new(p, CC_VA_ARG, cc_type_unqualified(p, type), loc, list, NULL);
    take_address(p, list, loc);
    return e;
}

/* Checks the associations (C11 6.5.1.1p2). The list runs from the last to the first. */
static void check_associations(CcParser *p, const CcAssociation *list)
{
    for (const CcAssociation *item = list; item; item = item->next) {
        const CcType *type = item->type;
        bool bad = type && type != p->error_type;
        if (bad && (type->kind == CC_FUNCTION || type->kind == CC_VOID || type->incomplete ||
                    cc_type_is_variably_modified(type)))
            cc_front_error(p, item->loc, "'_Generic' association has %s type",
                           type->kind == CC_FUNCTION            ? "function"
                           : cc_type_is_variably_modified(type) ? "variable length"
                                                                : "incomplete");
        for (const CcAssociation *before = item->next; before; before = before->next) {
            if (!type && !before->type)
                cc_front_error(p, item->loc, "duplicate 'default' in '_Generic'");
            else if (bad && before->type && before->type != p->error_type && cc_types_compatible(type, before->type))
                cc_front_error(p, item->loc, "'_Generic' specifies two compatible types");
            else
                continue;
            cc_front_note(p, before->loc, "the other one is here");
            break;
        }
    }
}

CcExpr *cc_sema_generic(CcParser *p, CcExpr *control, CcAssociation *list, CcLoc loc)
{
    control = cc_sema_rvalue(p, control);
    if (cc_is_error(p, control))
        return control;
    CcType *type = cc_type_unqualified(p, control->type);
    CcExpr *found = NULL, *otherwise = NULL;
    check_associations(p, list);
    for (const CcAssociation *item = list; item; item = item->next) {
        if (!item->type)
            otherwise = item->expr;
        else if (item->type != p->error_type && cc_types_compatible(item->type, type))
            found = item->expr;
    }
    if (found || otherwise)
        return found ? found : otherwise;
    char *text = cc_type_name(type);
    cc_front_error(p, loc, "'_Generic' selector of type '%s' is not compatible with any association", text);
    g_free(text);
    return cc_sema_error_expr(p, loc);
}

CcExpr *cc_sema_choose(CcParser *p, CcExpr *condition, CcExpr *yes, CcExpr *no, CcLoc loc)
{
    int64_t value;
    if (cc_is_error(p, condition))
        return condition;
    if (cc_tree_integer_constant(condition, &value))
        return value ? yes : no;
    cc_front_error(p, loc, "first argument of '__builtin_choose_expr' is not an integer constant");
    return cc_sema_error_expr(p, loc);
}
