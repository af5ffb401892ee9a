/* attribute_warning.c - warns of uses of functions that are declared with attribute warning.
 *
 * Headers contain helpers that a program never calls. Therefore only code that can be reached from outside the unit
 * counts: functions with external linkage, functions whose address is in a static initialiser, and all functions that
 * these refer to. Each function with the attribute is reported once, at its first use.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

typedef struct Uses {
    CcUnit *unit;
    GHashTable *met; /* set of CcSymbol *: all symbols reached so far */
    GQueue bodies;   /* CcSymbol *: reached functions whose bodies have not been searched yet */
} Uses;

static void meet(Uses *u, CcSymbol *symbol, CcLoc loc)
{
    if (!symbol || symbol->kind != CC_SYM_FUNCTION || !g_hash_table_add(u->met, symbol))
        return;
    if (symbol->body)
        g_queue_push_tail(&u->bodies, symbol);
    else if (symbol->warning_text && !symbol->weak) /* a weak one may be null: the program tests it */
        cc_report(u->unit, CC_WARNING, loc, "-Wattribute-warning", "'%s': %s", symbol->name, symbol->warning_text);
}

static bool visit_expression(const CcExpr *e, void *user)
{
    if (e->symbol)
        meet(user, e->symbol, e->loc);
    return true;
}

static const CcVisitor visitor = {.expression = visit_expression};

static void walk_initialiser(Uses *u, const CcSymbol *symbol)
{
    for (const CcInit *init = symbol->init; init; init = init->next)
        cc_walk_expression(init->value, &visitor, u);
}

/* Whether a function can be called from outside the unit, or runs by itself as a constructor or destructor. */
static bool is_root(const CcSymbol *symbol)
{
    bool hidden = symbol->storage == CC_STATIC || (symbol->inline_ && !symbol->always_emit);
    return symbol->body && (!hidden || symbol->constructor || symbol->destructor);
}

void cc_check_attribute_warning(CcUnit *unit)
{
    Uses u = {.unit = unit, .met = g_hash_table_new(NULL, NULL)};
    for (guint i = 0; i < unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(unit->symbols, i);
        if (symbol->kind == CC_SYM_FUNCTION && is_root(symbol))
            meet(&u, symbol, symbol->loc);
        else if (symbol->kind == CC_SYM_VARIABLE)
            walk_initialiser(&u, symbol);
    }
    CcSymbol *symbol;
    while ((symbol = g_queue_pop_head(&u.bodies)))
        cc_walk_statements(symbol->body->body, &visitor, &u);
    g_hash_table_destroy(u.met);
}
