/* build.c - helpers that build trees for constructs. */
#include "compiler/arena/arena.h"
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

#include <string.h>

CcSymbol *cc_omp_hidden(CcParser *p, CcStmtList *list, const char *stem, CcType *type, CcLoc loc)
{
    CcSymbol *symbol = cc_sema_hidden_variable(p, stem, type, false, loc);
    CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, loc);
    declaration->symbol = symbol;
    cc_sema_append(list, declaration);
    return symbol;
}

CcExpr *cc_omp_var(CcParser *p, CcSymbol *symbol, CcLoc loc)
{
    return cc_sema_variable(p, symbol, loc);
}

CcOmpValue cc_omp_once(CcParser *p, CcStmtList *list, const char *stem, CcExpr *expr)
{
    if (expr->kind == CC_NUMBER)
        return (CcOmpValue){NULL, expr};
    CcSymbol *symbol = cc_omp_hidden(p, list, stem, cc_omp_plain_type(p, expr->type), expr->loc);
    cc_omp_set(p, list, cc_omp_var(p, symbol, expr->loc), expr);
    return (CcOmpValue){symbol, NULL};
}

CcExpr *cc_omp_value(CcParser *p, const CcOmpValue *value, CcLoc loc)
{
    return value->symbol ? cc_omp_var(p, value->symbol, loc) : value->number;
}

CcExpr *cc_omp_int(CcParser *p, int64_t value, CcLoc loc)
{
    return cc_sema_integer(p, p->basic[CC_INT], (uint64_t)value, loc);
}

CcExpr *cc_omp_ulong(CcParser *p, CcExpr *expr)
{
    return cc_sema_cast_expr(p, p->basic[CC_ULONG], expr, expr->loc);
}

CcExpr *cc_omp_binary(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right)
{
    return cc_sema_binary(p, kind, left, right, left->loc, left->loc);
}

void cc_omp_do(CcParser *p, CcStmtList *list, CcExpr *expr)
{
    cc_sema_append(list, cc_sema_expression_statement(p, expr, expr->loc));
}

void cc_omp_set(CcParser *p, CcStmtList *list, CcExpr *left, CcExpr *right)
{
    if (cc_is_scalar(left->type))
        right = cc_sema_cast_expr(p, left->type, right, right->loc);
    cc_omp_do(p, list, cc_sema_assignment(p, left, right, right->loc));
}

CcExpr *cc_omp_call(CcParser *p, CcLoc loc, const char *name, const char *signature, ...)
{
    CcSymbol *function = cc_library_runtime_function(p, name, signature, (CcLoc){0});
    CcExprList *arguments = NULL;
    va_list list;
    va_start(list, signature);
    for (const char *letter = signature + 1; *letter; letter++) {
        CcExpr *argument = va_arg(list, CcExpr *);
        if (*letter == 'p')
            argument = cc_sema_cast_expr(p, p->void_pointer, argument, argument->loc);
        arguments = cc_sema_expr_list(p, arguments, argument);
    }
    va_end(list);
    return cc_sema_call(p, cc_sema_variable(p, function, loc), arguments, loc);
}

CcExpr *cc_omp_field(CcParser *p, CcExpr *pointer, uint64_t offset, CcType *type)
{
    CcLoc loc = pointer->loc;
    CcExpr *at = cc_sema_cast_expr(p, p->char_pointer, pointer, loc);
    at = cc_omp_binary(p, CC_ADD, at, cc_sema_integer(p, p->basic[CC_LONG], offset, loc));
    return cc_sema_dereference(p, cc_sema_cast_expr(p, cc_type_pointer_to(p, type), at, loc), loc);
}

CcExpr *cc_omp_address(CcParser *p, CcExpr *lvalue)
{
    return cc_sema_cast_expr(p, p->void_pointer, cc_sema_address(p, lvalue, lvalue->loc), lvalue->loc);
}

void cc_omp_copy(CcParser *p, CcStmtList *list, CcExpr *to, CcExpr *from)
{
    if (to->type->kind != CC_ARRAY) {
        cc_omp_set(p, list, to, from);
        return;
    }
    CcExpr *size = cc_sema_sizeof_expr(p, to, to->loc);
    cc_omp_do(p, list, cc_omp_call(p, to->loc, "memcpy", "pppz", cc_omp_address(p, to), cc_omp_address(p, from), size));
}

CcStmt *cc_omp_count(CcParser *p, CcSymbol *k, CcExpr *from, CcExpr *to, CcStmt *body, CcLoc loc)
{
    CcStmtList init = {NULL, NULL};
    cc_omp_set(p, &init, cc_omp_var(p, k, loc), from);
    CcExpr *more = cc_omp_binary(p, CC_LESS, cc_omp_var(p, k, loc), to);
    CcExpr *step = cc_sema_increment(p, CC_PRE_INCREMENT, cc_omp_var(p, k, loc), loc);
    return cc_sema_for(p, init.first, more, step, body, loc);
}

CcStmt *cc_omp_block(CcParser *p, CcStmtList list, CcLoc loc, CcLoc end)
{
    return cc_sema_block(p, list, loc, end);
}

CcLoc cc_omp_end_of(const CcStmt *body, CcLoc loc)
{
    return body && body->kind == CC_BLOCK && body->end.line ? body->end : body && body->loc.line ? body->loc : loc;
}

CcLabel *cc_omp_label(CcParser *p, const char *name, CcLoc loc)
{
    CcLabel *label = CC_NEW(p->arena, CcLabel);
    label->name = name;
    label->loc = loc;
    label->used = true;
    label->block = p->block;
    return label;
}

CcStmt *cc_omp_label_here(CcParser *p, CcLabel *label, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_LABEL, loc);
    statement->label = label;
    statement->body = cc_sema_stmt_new(p, CC_EXPRESSION, loc);
    label->statement = statement;
    return statement;
}

CcStmt *cc_omp_goto(CcParser *p, CcLabel *label, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_GOTO, loc);
    statement->label = label;
    return statement;
}
