/* sema_calls.c - function calls and built-in functions (C11 6.5.2.2).
 *
 * __builtin_NAME of an ordinary library function is a call of NAME; the few that mean something to the compiler are in
 * one table here, each with its maker.
 */
#include "compiler/front.h"

#include <math.h>
#include <string.h>

CcExprList *cc_expr_list(CcParser *p, CcExprList *list, CcExpr *e)
{
    if (!list)
        list = CC_NEW(p->arena, CcExprList);
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 4;
        CcExpr **items = cc_alloc(p->arena, list->capacity * sizeof *items);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
    }
    list->items[list->count++] = e;
    return list;
}

/* -- calls -------------------------------------------------------------------------------------------- */

static bool check_count(CcParser *p, const CcType *type, unsigned n, const CcExpr *callee, CcLoc loc)
{
    if (type->old_style || n == type->n_parameters || (n > type->n_parameters && type->variadic))
        return true;
    const CcSymbol *symbol = callee->kind == CC_VARIABLE ? callee->symbol : NULL;
    const char *few = n < type->n_parameters ? "few" : "many";
    if (symbol)
        cc_error(p, loc, "too %s arguments to function '%s': expected %s%u, have %u", few, symbol->name,
                 type->variadic ? "at least " : "", type->n_parameters, n);
    else
        cc_error(p, loc, "too %s arguments to function: expected %s%u, have %u", few, type->variadic ? "at least " : "",
                 type->n_parameters, n);
    if (symbol)
        cc_note(p, symbol->loc, "'%s' is declared here", symbol->name);
    return false;
}

static CcExpr *pass(CcParser *p, CcExpr *argument, const CcType *type, unsigned i, const CcSymbol *symbol)
{
    if (!type->old_style && i < type->n_parameters) {
        CcAssignContext context = {CC_PASSING, i + 1, symbol ? symbol->name : NULL, symbol};
        return cc_assign_convert(p, argument, type->parameters[i], &context);
    }
    argument = cc_promote_argument(p, argument);
    if (!cc_is_error(p, argument) && (argument->type->kind == CC_VOID || argument->type->incomplete)) {
        cc_error(p, argument->loc, "argument %u has no value to pass", i + 1);
        return cc_error_expr(p, argument->loc);
    }
    return argument;
}

static bool returns_twice(const char *name)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

CcExpr *cc_call(CcParser *p, CcExpr *callee, CcExprList *arguments, CcLoc loc)
{
    const CcExpr *designator = callee;
    callee = cc_rvalue(p, callee);
    unsigned n = arguments ? arguments->count : 0;
    if (cc_is_error(p, callee))
        return callee;
    if (callee->type->kind != CC_POINTER || callee->type->target->kind != CC_FUNCTION) {
        if (designator->kind == CC_VARIABLE)
            cc_error(p, loc, "called object '%s' is not a function", designator->symbol->name);
        else
            cc_error(p, loc, "called object is not a function");
        return cc_error_expr(p, loc);
    }
    const CcType *type = callee->type->target;
    bool good = check_count(p, type, n, designator, loc);
    CcExpr *e = cc_expr_new(p, CC_CALL, type->target, loc, callee, NULL);
    e->arguments = cc_alloc(p->arena, (n + 1) * sizeof *e->arguments);
    e->n_arguments = n;
    const CcSymbol *symbol =
        designator->kind == CC_VARIABLE && designator->symbol->kind == CC_SYM_FUNCTION ? designator->symbol : NULL;
    for (unsigned i = 0; i < n; i++) {
        e->arguments[i] = pass(p, arguments->items[i], type, i, symbol);
        good &= !cc_is_error(p, e->arguments[i]);
        cc_set_depth(p, e, e->arguments[i]);
    }
    if (type->target->incomplete && type->target->kind != CC_VOID) {
        cc_error(p, loc, "call of a function that returns an incomplete type");
        good = false;
    }
    if (symbol && p->function && returns_twice(symbol->name) && p->function->symbol->body)
        p->function->symbol->body->calls_setjmp = true;
    if (!good && type->target->kind != CC_VOID)
        return cc_error_expr(p, loc);
    return e;
}

/* -- built-ins --------------------------------------------------------------------------------------------- */

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

static const Builtin builtins[] = {
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

static CcExpr *call_builtin(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc)
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

CcExpr *cc_call_name(CcParser *p, CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc)
{
    CcSymbol *symbol = cc_lookup(ident);
    if (!symbol && g_str_has_prefix(ident->text, "__builtin_"))
        return call_builtin(p, ident, arguments, loc, name_loc);
    if (!symbol)
        symbol = cc_implicit_function(p, ident, name_loc);
    return cc_call(p, cc_variable(p, symbol, name_loc), arguments, loc);
}
