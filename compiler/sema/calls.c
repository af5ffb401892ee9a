/* calls.c - function calls (C11 6.5.2.2). */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/mpi_types/mpi_types.h"
#include "compiler/report/report.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

CcExprList *cc_sema_expr_list(CcParser *p, CcExprList *list, CcExpr *e)
{
    if (!list)
        list = CC_NEW(p->arena, CcExprList);
    cc_arena_grow(p->arena, (void **)&list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = e;
    return list;
}

CcExpr *cc_sema_type_as_value(CcParser *p, const CcType *type, CcLoc loc)
{
    const CcMpiItem *item = type != p->error_type && cc_is_arithmetic(type) ? cc_mpi_item_for(type) : NULL;
    char *name = cc_type_name(type);
    if (item && cc_scope_lookup(cc_scope_ident(p, "MPI_Bcast", strlen("MPI_Bcast")))) {
        g_autofree char *handle = g_strconcat("MPI_", item->name, NULL);
        cc_front_error(p, loc, "expected expression, not the type '%s'; MPI's datatype for it is '%s'", name, handle);
        cc_report_fix(p->unit, loc, handle);
    } else {
        cc_front_error(p, loc, "expected expression, not the type '%s'", name);
    }
    g_free(name);
    return cc_sema_error_expr(p, loc);
}

/* -- calls ------------------------------------------------------------------------------------- */

static void note_prototype(CcParser *p, const CcSymbol *symbol)
{
    char *type = cc_type_name(symbol->type);
    cc_front_note(p, symbol->loc, "'%s' is declared here, as '%s'", symbol->name, type);
    g_free(type);
}

static bool check_count(CcParser *p, const CcType *type, unsigned n, const CcExpr *callee, CcLoc loc)
{
    if (type->old_style || n == type->n_parameters || (n > type->n_parameters && type->variadic))
        return true;
    const CcSymbol *symbol = callee->kind == CC_VARIABLE ? callee->symbol : NULL;
    const char *few = n < type->n_parameters ? "few" : "many";
    if (symbol)
        cc_front_error(p, loc, "too %s arguments to function '%s': expected %s%u, have %u", few, symbol->name,
                       type->variadic ? "at least " : "", type->n_parameters, n);
    else
        cc_front_error(p, loc, "too %s arguments to function: expected %s%u, have %u", few,
                       type->variadic ? "at least " : "", type->n_parameters, n);
    if (symbol)
        note_prototype(p, symbol);
    return false;
}

static CcExpr *pass(CcParser *p, CcExpr *argument, const CcType *type, unsigned i, const CcSymbol *symbol)
{
    if (!type->old_style && i < type->n_parameters) {
        CcAssignContext context = {CC_PASSING, i + 1, symbol ? symbol->name : NULL, symbol};
        return cc_sema_assign_convert(p, argument, type->parameters[i], &context);
    }
    argument = cc_sema_promote_argument(p, argument);
    if (!cc_is_error(p, argument) && (argument->type->kind == CC_VOID || argument->type->incomplete)) {
        cc_front_error(p, argument->loc, "argument %u has no value to pass", i + 1);
        return cc_sema_error_expr(p, argument->loc);
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

CcExpr *cc_sema_call(CcParser *p, CcExpr *callee, CcExprList *arguments, CcLoc loc)
{
    const CcExpr *designator = callee;
    callee = cc_sema_rvalue(p, callee);
    unsigned n = arguments ? arguments->count : 0;
    if (cc_is_error(p, callee))
        return callee;
    if (callee->type->kind != CC_POINTER || callee->type->target->kind != CC_FUNCTION) {
        const char *hint = callee->type->kind == CC_POINTER ? "; an element is written with [ ]"
                           : cc_is_number(callee)           ? "; is a '*' missing before the '('?"
                                                            : "";
        if (designator->kind == CC_VARIABLE)
            cc_front_error(p, loc, "called object '%s' is not a function%s", designator->symbol->name, hint);
        else
            cc_front_error(p, loc, "called object is not a function%s", hint);
        return cc_sema_error_expr(p, loc);
    }
    const CcType *type = callee->type->target;
    if (!check_count(p, type, n, designator, loc))
        return cc_sema_error_expr(p, loc);
    bool good = true;
    CcExpr *e = cc_sema_expr_new(p, CC_CALL, type->target, loc, callee, NULL);
    e->arguments = cc_arena_alloc(p->arena, (n + 1) * sizeof *e->arguments);
    e->n_arguments = n;
    const CcSymbol *symbol =
        designator->kind == CC_VARIABLE && designator->symbol->kind == CC_SYM_FUNCTION ? designator->symbol : NULL;
    for (unsigned i = 0; i < n; i++) {
        e->arguments[i] = pass(p, arguments->items[i], type, i, symbol);
        good &= !cc_is_error(p, e->arguments[i]);
        cc_sema_set_depth(p, e, e->arguments[i]);
    }
    if (type->target->incomplete && type->target->kind != CC_VOID) {
        cc_front_error(p, loc, "call of a function that returns an incomplete type");
        good = false;
    }
    if (symbol && p->function && returns_twice(symbol->name) && p->function->symbol->body)
        (p->region ? p->region->function : p->function->symbol)->body->calls_setjmp = true;
    if (!good)
        return cc_sema_error_expr(p, loc);
    return e;
}

/* Whether the name means the built-in alloca(), which needs the caller's frame: it does, declared or not, unless the
 * program defines an alloca() of its own. */
static bool is_alloca(const CcSymbol *symbol, const CcIdent *ident)
{
    if (strcmp(ident->text, "alloca") != 0)
        return false;
    return !symbol || (symbol->kind == CC_SYM_FUNCTION && !symbol->defined && symbol->storage != CC_STATIC);
}

CcExpr *cc_sema_call_name(CcParser *p, CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc)
{
    CcSymbol *symbol = cc_scope_lookup(ident);
    if (!symbol && cc_sema_is_builtin_name(ident->text))
        return cc_sema_call_builtin(p, ident, arguments, loc, name_loc);
    if (is_alloca(symbol, ident))
        return cc_sema_call_builtin(p, cc_scope_ident(p, "__builtin_alloca", strlen("__builtin_alloca")), arguments,
                                    loc, name_loc);
    if (!symbol)
        symbol = cc_library_implicit_function(p, ident, name_loc);
    return cc_sema_call(p, cc_sema_variable(p, symbol, name_loc), arguments, loc);
}
