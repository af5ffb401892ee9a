/* check_names.c - warns of names that nothing uses, and of names that hide others.
 *
 * Only the scopes know these, so the checks run when a name is bound and when its scope is left. After an error there
 * are no warnings of unused names, because the code that uses them may not have been understood.
 */
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

static bool has_errors(const CcParser *p)
{
    return cc_diagnostics_mistakes(p->unit->diagnostics) > 0;
}

static bool is_hidden(const CcSymbol *symbol)
{
    return !symbol->name || !symbol->loc.line || strchr(symbol->name, '.');
}

/* -- unused names ------------------------------------------------------------------------------ */

static void leave_variable(CcParser *p, const CcSymbol *symbol)
{
    if (symbol->file_scope || symbol->storage == CC_EXTERN || symbol->storage == CC_GLOBAL)
        return;
    if (symbol->parameter)
        cc_front_warning(p, symbol->loc, "-Wunused-parameter", "unused parameter '%s'", symbol->name);
    else if (strcmp(symbol->name, "__func__") != 0)
        cc_front_warning(p, symbol->loc, "-Wunused-variable", "unused variable '%s'", symbol->name);
}

static void check_left(CcParser *p, const CcScope *scope)
{
    if (scope->kind != CC_SCOPE_BLOCK || !p->function || has_errors(p))
        return;
    for (const CcBinding *binding = scope->first; binding; binding = binding->next) {
        const CcSymbol *symbol = binding->symbol;
        if (!symbol || symbol->used || symbol->maybe_unused || symbol->type == p->error_type || is_hidden(symbol))
            continue;
        if (symbol->kind == CC_SYM_VARIABLE)
            leave_variable(p, symbol);
        else if (symbol->kind == CC_SYM_TYPEDEF)
            cc_front_warning(p, symbol->loc, "-Wunused-local-typedefs", "unused type name '%s'", symbol->name);
    }
}

void cc_sema_leave_scope(CcParser *p)
{
    check_left(p, p->scope);
    cc_scope_pop(p);
}

void cc_sema_leave_function(CcParser *p)
{
    for (unsigned i = 0; i < p->function->n_labels && !has_errors(p); i++) {
        const CcLabel *label = p->function->labels[i];
        if (label->statement && !label->used && !label->maybe_unused)
            cc_front_warning(p, label->loc, "-Wunused-label", "label '%s' is defined, and not used", label->name);
    }
}

static void leave_static(CcParser *p, const CcSymbol *symbol)
{
    if (symbol->kind == CC_SYM_FUNCTION && symbol->inline_)
        return;
    if (symbol->kind == CC_SYM_FUNCTION)
        cc_front_warning(p, symbol->loc, "-Wunused-function",
                         symbol->defined ? "'%s' is defined, and not used"
                                         : "'%s' is declared 'static', and never defined",
                         symbol->name);
    else if (!(symbol->type->qualifiers & CC_CONST) &&
             !(symbol->type->kind == CC_ARRAY && symbol->type->target->qualifiers & CC_CONST))
        cc_front_warning(p, symbol->loc, "-Wunused-variable", "'%s' is defined, and not used", symbol->name);
}

void cc_sema_leave_unit(CcParser *p)
{
    for (guint i = 0; i < p->unit->symbols->len && !has_errors(p); i++) {
        const CcSymbol *symbol = g_ptr_array_index(p->unit->symbols, i);
        bool local = !symbol->file_scope || symbol->storage != CC_STATIC;
        if (local || symbol->used || symbol->maybe_unused || symbol->constructor || symbol->destructor ||
            symbol->alias || symbol->type == p->error_type || is_hidden(symbol))
            continue;
        leave_static(p, symbol);
    }
}

/* -- names that hide others -------------------------------------------------------------------- */

static bool is_function_pointer(const CcType *type)
{
    return type->kind == CC_POINTER && type->target->kind == CC_FUNCTION;
}

void cc_check_shadow(CcParser *p, const CcIdent *ident, const CcSymbol *symbol)
{
    const CcBinding *outer = ident->ordinary;
    while (outer && outer->scope == p->scope)
        outer = outer->shadowed;
    if (!outer || !outer->symbol || outer->symbol->type == p->error_type || !outer->symbol->loc.line ||
        !cc_warning_possible(p->unit, CC_WARNING_SHADOW))
        return;
    const CcSymbol *hidden = outer->symbol;
    const CcSeen *front = p->unit->seen;
    if (hidden->kind == CC_SYM_FUNCTION && !is_function_pointer(symbol->type))
        return; /* like gcc: a call of the variable would be an error anyway */
    if (hidden->loc.file < front->system->len && front->system->data[hidden->loc.file])
        return;
    const char *what = hidden->parameter                   ? "a parameter"
                       : outer->scope == p->file_scope     ? "a global declaration"
                       : hidden->kind == CC_SYM_TYPEDEF    ? "a type name"
                       : hidden->kind == CC_SYM_ENUMERATOR ? "a constant"
                                                           : "a previous local";
    cc_front_warning(p, symbol->loc, "-Wshadow", "declaration of '%s' shadows %s", symbol->name, what);
    cc_front_note(p, hidden->loc, "shadowed declaration is here");
}

/* -- definitions of functions ------------------------------------------------------------------ */

static bool is_main_parameter(const CcType *type, unsigned i)
{
    if (i == 0)
        return cc_type_integer_of(type)->kind == CC_INT;
    return type->kind == CC_POINTER && type->target->kind == CC_POINTER && type->target->target->kind <= CC_UCHAR;
}

static void check_main(CcParser *p, const CcSymbol *symbol)
{
    const CcType *type = symbol->type;
    if (cc_type_integer_of(type->target)->kind != CC_INT && type->target != p->error_type)
        cc_front_warning(p, symbol->loc, "-Wmain", "return type of 'main' is not 'int'");
    if (symbol->storage == CC_STATIC)
        cc_front_warning(p, symbol->loc, "-Wmain", "'main' is static and will not be found");
    if (type->old_style)
        return;
    if (type->n_parameters == 1 || type->n_parameters > 3)
        cc_front_warning(p, symbol->loc, "-Wmain", "'main' takes zero or two arguments");
    for (unsigned i = 0; i < type->n_parameters && i < 3; i++)
        if (!is_main_parameter(type->parameters[i], i))
            cc_front_warning(p, symbol->loc, "-Wmain", "argument %u of 'main' should be '%s'", i + 1,
                             i == 0 ? "int" : "char **");
}

void cc_check_definition(CcParser *p, const CcSymbol *symbol, bool declared, bool prototyped, bool identifiers,
                         unsigned n_parameters)
{
    bool is_main = strcmp(symbol->name, "main") == 0;
    if (is_main)
        check_main(p, symbol);
    if (identifiers && n_parameters)
        cc_front_warning(p, symbol->loc, "-Wold-style-definition", "definition of '%s' in the style of K&R",
                         symbol->name);
    if (symbol->storage == CC_STATIC || symbol->inline_ || is_main)
        return;
    if (!declared)
        cc_front_warning(p, symbol->loc, "-Wmissing-declarations", "no previous declaration of '%s'", symbol->name);
    if (!prototyped)
        cc_front_warning(p, symbol->loc, "-Wmissing-prototypes", "no previous prototype of '%s'", symbol->name);
}

void cc_check_size_division(CcParser *p, const CcExpr *left, const CcExpr *right, CcLoc loc)
{
    const CcType *whole = left->kind == CC_NUMBER ? left->operation_type : NULL;
    const CcType *part = right->kind == CC_NUMBER ? right->operation_type : NULL;
    if (!whole || !part || whole->kind != CC_POINTER || !cc_types_compatible_unqualified(whole->target, part))
        return;
    cc_front_warning(p, loc, "-Wsizeof-pointer-div",
                     "the size of a pointer divided by that of its target is no number of elements");
    if (left->symbol)
        cc_front_note(p, left->symbol->loc, "pointer '%s' is declared here", left->symbol->name);
}

/* -- uses -------------------------------------------------------------------------------------- */

void cc_check_use(CcParser *p, const CcSymbol *symbol, CcLoc loc)
{
    cc_use_symbol(p, symbol, 0, loc);
    if (!symbol->deprecated || (p->function && p->function->symbol->deprecated))
        return;
    cc_front_warning(p, loc, "-Wdeprecated-declarations", "'%s' is deprecated%s%s", symbol->name,
                     symbol->deprecated_text ? ": " : "", symbol->deprecated_text ? symbol->deprecated_text : "");
    cc_front_note(p, symbol->loc, "'%s' was marked so here", symbol->name);
}
