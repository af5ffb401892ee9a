/* functions.c - function definitions with prototypes and in K&R style (C11 6.9.1). */
#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- definitions ------------------------------------------------------------------------------- */

static CcPart *function_part(const CcDeclarator *declarator)
{
    CcPart *last = declarator->parts;
    while (last && last->next)
        last = last->next;
    return last && last->kind == CC_PART_FUNCTION ? last : NULL;
}

typedef struct Definition {
    CcFunctionState state;
    CcPart *part;
    CcScope *scope;
    CcContext *context;
} Definition;

static CcSymbol *declare_definition(CcParser *p, CcSpecs *specs, CcDeclarator *declarator)
{
    if (specs->is_typedef) {
        cc_front_error(p, declarator->loc, "a function definition cannot be a typedef");
        specs->is_typedef = false;
    }
    CcSymbol *earlier = g_hash_table_lookup(p->linkage, declarator->ident->text);
    if (earlier && earlier->kind == CC_SYM_FUNCTION && earlier->defined && !earlier->gnu_inline) {
        cc_front_error(p, declarator->loc, "redefinition of '%s'", earlier->name);
        cc_front_note(p, earlier->loc, "previous definition is here");
    }
    CcPart *part = function_part(declarator);
    const CcType *known = earlier && earlier->kind == CC_SYM_FUNCTION && !earlier->assumed ? earlier->type : NULL;
    if (part->identifiers && part->n_params && known && known->kind == CC_FUNCTION && !known->old_style &&
        !known->variadic && known->n_parameters == part->n_params)
        part->prototype = known;
    CcStmtList none = {NULL, NULL};
    cc_sema_declare(p, specs, declarator, false, &none);
    CcSymbol *symbol = cc_scope_lookup(declarator->ident);
    if (symbol)
        symbol->gnu_inline = specs->inline_ && specs->has_storage && specs->storage == CC_EXTERN &&
                             cc_sema_gnu_inline(p, specs, declarator);
    if (symbol && symbol->kind == CC_SYM_FUNCTION)
        cc_check_definition(p, symbol, earlier, known && !known->old_style, part->identifiers, part->n_params);
    return symbol && symbol->kind == CC_SYM_FUNCTION ? symbol : NULL;
}

bool cc_sema_declares_function(const CcDeclarator *declarator)
{
    return function_part(declarator);
}

bool cc_sema_has_prototype(const CcDeclarator *declarator)
{
    const CcPart *part = function_part(declarator);
    return part && !(part->identifiers && part->n_params > 0);
}

/* Returns a symbol that no name is bound to. The declarator is no function, but the body behind it must be parsed. */
static CcSymbol *replacement(CcParser *p, const CcDeclarator *declarator)
{
    CcType *type = cc_type_function(p, p->basic[CC_INT], NULL, 0, false, true);
    return cc_scope_new_symbol(p, CC_SYM_FUNCTION, declarator->ident->text, type, declarator->loc);
}

void cc_sema_function_begin(CcParser *p, CcSpecs *specs, CcDeclarator *declarator)
{
    CcPart *part = function_part(declarator);
    CcSymbol *symbol = NULL;
    g_assert(!p->function);
    if (!part)
        symbol = replacement(p, declarator);
    else
        symbol = declare_definition(p, specs, declarator);
    Definition *definition = CC_NEW(p->arena, Definition);
    if (!symbol) {
        symbol = cc_scope_new_symbol(p, CC_SYM_FUNCTION, declarator->ident->text,
                                     cc_type_function(p, p->basic[CC_INT], NULL, 0, false, true), declarator->loc);
    }
    definition->part = part;
    definition->context = p->context;
    p->context = NULL;
    definition->state.symbol = symbol;
    definition->state.type = symbol->type;
    definition->state.serial = ++p->serial;
    symbol->loc = declarator->loc;
    cc_use_symbol(p, symbol, 2, declarator->loc);
    p->function = &definition->state;
    if (part && part->scope)
        cc_scope_reopen(p, part->scope);
    else
        cc_scope_push(p, CC_SCOPE_BLOCK);
    p->scope->kind = CC_SCOPE_BLOCK;
    p->function->outermost = p->scope;
}

void cc_sema_old_parameter(CcParser *p, CcSpecs *specs, CcDeclarator *declarator)
{
    Definition *definition = (Definition *)(void *)p->function;
    CcParam *found = NULL;
    for (CcParam *param = definition->part ? definition->part->params : NULL; param; param = param->next)
        if (param->ident == declarator->ident)
            found = param;
    CcParam *declared = cc_sema_parameter(p, specs, declarator, declarator->loc);
    if (!found || !definition->part->identifiers)
        cc_front_error(p, declarator->loc, "declaration of '%s', which is not a parameter", declarator->ident->text);
    else if (!found->symbol)
        found->symbol = declared->symbol;
}

/* K&R: declares the parameters without declaration as int. */
static void complete_old_parameters(CcParser *p, CcPart *part)
{
    for (CcParam *param = part->params; param; param = param->next) {
        if (param->symbol)
            continue;
        if (p->unit->options->warn_all) /* K&R programs have many, so warn only with -Wall */
            cc_front_warning(p, param->loc, "-Wimplicit-int", "type of '%s' defaults to 'int'", param->ident->text);
        param->symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, param->ident->text, p->basic[CC_INT], param->loc);
        param->symbol->parameter = param->symbol->defined = true;
        cc_scope_bind(p, p->scope, param->ident, param->symbol);
    }
}

/* Whether the list is (void): one nameless parameter of type void, which means no parameters. */
static bool is_void_list(const CcPart *part)
{
    return part->n_params == 1 && !part->params->ident && part->params->symbol->type->kind == CC_VOID;
}

static void collect_parameters(CcParser *p, CcFunctionBody *body, const CcPart *part)
{
    if (is_void_list(part))
        return;
    body->parameters = cc_arena_alloc(p->arena, (part->n_params + 1) * sizeof *body->parameters);
    for (const CcParam *param = part->params; param; param = param->next) {
        CcSymbol *symbol = param->symbol;
        if (!param->ident)
            cc_front_warning(p, param->loc, "-Wpedantic", "parameter without a name");
        else
            cc_check_shadow(p, param->ident, symbol);
        if (symbol->type->incomplete && symbol->type != p->error_type) {
            char *type = cc_type_name(symbol->type);
            cc_front_error(p, param->loc, "parameter '%s' has incomplete type '%s'",
                           param->ident ? param->ident->text : "", type);
            g_free(type);
            symbol->type = p->error_type;
        }
        body->parameters[body->n_parameters++] = symbol;
    }
}

/* A definition f() has no parameters (6.7.6.3p14). It is no prototype, but calls with arguments are wrong. */
void cc_sema_function_body(CcParser *p)
{
    Definition *definition = (Definition *)(void *)p->function;
    CcSymbol *symbol = p->function->symbol;
    CcType *result = symbol->type->target;
    if (definition->part && definition->part->identifiers)
        complete_old_parameters(p, definition->part);
    if (symbol->type->kind == CC_FUNCTION && result->incomplete && result->kind != CC_VOID)
        cc_front_error(p, symbol->loc, "return type of '%s' is an incomplete type", symbol->name);
    if (!symbol->body)
        symbol->body = CC_NEW(p->arena, CcFunctionBody);
    else
        memset(symbol->body, 0, sizeof *symbol->body);
    if (definition->part)
        collect_parameters(p, symbol->body, definition->part);
    symbol->defined = true;
    if (symbol->storage == CC_EXTERN)
        symbol->storage = CC_GLOBAL;
    if (symbol->alias) {
        cc_front_error(p, symbol->loc, "'%s' is defined and has an alias attribute", symbol->name);
        symbol->alias = NULL;
    }
}

static void undefined_label(CcParser *p, const CcLabel *label)
{
    BaseNearest nearest = base_nearest_of(label->name);
    for (unsigned i = 0; i < p->function->n_labels; i++)
        if (p->function->labels[i]->statement)
            base_nearest_try(&nearest, p->function->labels[i]->name);
    for (unsigned i = 0; nearest.best && i < p->function->n_labels; i++)
        if (p->function->labels[i]->name == nearest.best)
            p->function->labels[i]->used = true;
    if (nearest.best)
        cc_front_error(p, label->loc, "label '%s' used but not defined; did you mean '%s'?", label->name, nearest.best);
    else
        cc_front_error(p, label->loc, "label '%s' used but not defined", label->name);
}

static void check_labels(CcParser *p)
{
    for (unsigned i = 0; i < p->function->n_labels; i++) {
        const CcLabel *label = p->function->labels[i];
        if (!label->statement)
            undefined_label(p, label);
    }
}

/* K&R: the caller promotes a float, char or short argument. A hidden parameter receives it, and the named variable is
 * initialised from that. */
static void narrow_parameter(CcParser *p, CcSymbol **parameter, CcStmtList *list)
{
    CcSymbol *symbol = *parameter;
    const CcType *type = cc_type_integer_of(symbol->type);
    if (type->kind != CC_FLOAT && !(type->kind >= CC_BOOL && type->kind <= CC_USHORT))
        return;
    CcSymbol *wide = cc_scope_new_symbol(p, CC_SYM_VARIABLE, symbol->name,
                                         p->basic[type->kind == CC_FLOAT ? CC_DOUBLE : CC_INT], symbol->loc);
    wide->parameter = wide->defined = wide->used = true;
    *parameter = wide;
    symbol->parameter = false;
    symbol->initialised = true;
    symbol->init = CC_NEW(p->arena, CcInit);
    symbol->init->type = cc_type_unqualified(p, symbol->type);
    symbol->init->value = cc_sema_convert(p, cc_sema_variable(p, wide, symbol->loc), symbol->type);
    CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, symbol->loc);
    declaration->symbol = symbol;
    cc_sema_append(list, declaration);
}

/* GNU: if the parameter's promoted type is the prototype's type, the argument arrives promoted. */
static void match_prototype(CcParser *p, CcSymbol **place, const CcType *type, CcStmtList *list)
{
    const CcSymbol *parameter = *place;
    const CcType *plain = cc_type_integer_of(parameter->type);
    bool promotes = (plain->kind == CC_FLOAT && type->kind == CC_DOUBLE) ||
                    (plain->kind >= CC_BOOL && plain->kind <= CC_USHORT && type->kind == CC_INT);
    if (promotes) {
        cc_front_warning(p, parameter->loc, "-Wpedantic",
                         "promoted parameter '%s' matches the prototype declared before", parameter->name);
        narrow_parameter(p, place, list);
        return;
    }
    if (parameter->type != p->error_type && type != p->error_type &&
        !cc_types_compatible_unqualified(parameter->type, type))
        cc_front_error(p, parameter->loc, "parameter '%s' does not match the prototype declared before",
                       parameter->name);
}

/* Whether evaluating the expression may have side effects. */
static bool does_something(const CcExpr *e)
{
    if (!e)
        return false;
    bool acts = (e->kind >= CC_PRE_INCREMENT && e->kind <= CC_POST_DECREMENT) || e->kind == CC_ASSIGN ||
                e->kind == CC_ASSIGN_OP || e->kind == CC_CALL || e->kind == CC_STATEMENT_EXPR;
    return acts || does_something(e->left) || does_something(e->right) || does_something(e->condition);
}

/* Appends the evaluation of the outermost lengths of array parameters. They are evaluated although the parameters are
 * pointers (6.9.1p10). */
static void evaluate_lengths(CcParser *p, const CcPart *part, CcStmtList *list)
{
    for (const CcParam *param = part->params; param; param = param->next)
        if (param->length && does_something(param->length))
            cc_sema_append(list, cc_sema_expression_statement(p, param->length, param->loc));
}

/* Puts the statements at the start of the body that narrow parameters and evaluate the sizes of variably modified ones.
 */
static void enter_parameters(CcParser *p, CcFunctionBody *body, CcStmt *block, const CcPart *part)
{
    CcStmtList list = {NULL, NULL};
    for (uint32_t i = 0; i < body->n_parameters; i++) {
        if (part->prototype)
            match_prototype(p, &body->parameters[i], part->prototype->parameters[i], &list);
        else if (part->identifiers)
            narrow_parameter(p, &body->parameters[i], &list);
        if (!cc_type_is_variably_modified(body->parameters[i]->type))
            continue;
        CcStmt *evaluate = cc_sema_stmt_new(p, CC_VLA_SIZE, body->parameters[i]->loc);
        evaluate->type = body->parameters[i]->type;
        cc_sema_append(&list, evaluate);
    }
    evaluate_lengths(p, part, &list);
    if (list.last) {
        list.last->next = block->first;
        block->first = list.first;
    }
}

void cc_sema_function_end(CcParser *p, CcStmt *block)
{
    Definition *definition = (Definition *)(void *)p->function;
    CcFunctionBody *body = p->function->symbol->body;
    if (block && body) {
        body->body = block;
        cc_sema_check_return(p, block);
        body->end = block->end;
        cc_sema_leave_function(p);
        if (definition->part)
            enter_parameters(p, body, block, definition->part);
        check_labels(p);
        cc_sema_check_jumps(p);
    } else if (body)
        body->body = cc_sema_stmt_new(p, CC_BLOCK, p->function->symbol->loc);
    while (p->scope->open && p->scope != p->function->outermost && p->scope != p->file_scope)
        cc_sema_leave_scope(p);
    if (p->scope == p->function->outermost)
        cc_sema_leave_scope(p);
    p->context = definition->context;
    p->block = NULL;
    p->region = NULL;
    p->omp = NULL;
    p->function = NULL;
}

/* __func__ is a static array in the function (6.4.2.2). It is created when it is first used. */
CcSymbol *cc_sema_function_name_symbol(CcParser *p, CcLoc loc)
{
    if (!p->function) {
        cc_front_warning(p, loc, NULL, "'__func__' is not defined outside of function scope");
        CcSymbol *symbol = cc_sema_hidden_variable(p, "__func__", cc_type_array_of(p, p->basic[CC_CHAR], 1), true, loc);
        return symbol;
    }
    if (!p->function->name_symbol) {
        const char *name = p->function->symbol->name;
        char *quoted = g_strdup_printf("\"%s\"", name);
        CcText piece = {quoted, strlen(quoted), NULL};
        CcExpr *text = cc_sema_string_literal(p, &piece, &loc, 1);
        g_free(quoted);
        CcType *type = cc_type_array_of(p, cc_type_qualified(p, p->basic[CC_CHAR], CC_CONST), strlen(name) + 1);
        CcSymbol *symbol = cc_sema_hidden_variable(p, "__func__", type, true, loc);
        symbol->init = cc_sema_flatten(p, &symbol->type, cc_sema_init_node(p, text, loc), true, "__func__");
        p->function->name_symbol = symbol;
    }
    return p->function->name_symbol;
}
