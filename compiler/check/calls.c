/* calls.c - warns of calls of library functions that are most likely mistakes, and of addresses that outlive their
 * objects. */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

static bool is_named(const CcSymbol *function, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], function->name) == 0)
            return true;
    return false;
}

/* -- sizes ------------------------------------------------------------------------------------- */

/* Warns of memset(p, 0, sizeof p) and the like: the size is that of the pointer. */
static void check_memory(CcUnit *unit, const CcExpr *e, const CcSymbol *function)
{
    static const char *const names[] = {"memset", "memcpy", "memmove", "memcmp", "strncpy", "strncmp", "strncat"};
    if (!is_named(function, names, G_N_ELEMENTS(names)) || e->n_arguments != 3)
        return;
    const CcExpr *size = cc_tree_without_casts(e->arguments[2]);
    for (unsigned i = 0; i < 2 && size->kind == CC_NUMBER && size->symbol; i++) {
        const CcExpr *pointer = cc_tree_without_casts(e->arguments[i]);
        if (pointer->kind != CC_VARIABLE || pointer->symbol != size->symbol || pointer->type->kind != CC_POINTER)
            continue;
        cc_report(unit, CC_WARNING, size->loc, "-Wsizeof-pointer-memaccess",
                  "this is the size of the pointer '%s'; was that of what it points to meant?", size->symbol->name);
        return;
    }
    bool memset_ = strcmp(function->name, "memset") == 0;
    if (memset_ && size->kind == CC_NUMBER && size->integer == 0 && !size->operation_type &&
        !(e->arguments[1]->kind == CC_NUMBER && e->arguments[1]->integer == 0))
        cc_report(unit, CC_WARNING, e->loc, "-Wmemset-transposed-args",
                  "'memset' of 0 bytes: are value and size exchanged?");
}

/* Returns the sizeof in "sizeof(T)" or "n * sizeof(T)", or another constant in its place, or NULL. */
static const CcExpr *size_within(const CcExpr *e)
{
    e = cc_tree_without_casts(e);
    if (e->kind == CC_NUMBER)
        return e;
    if (e->kind != CC_MULTIPLY)
        return NULL;
    const CcExpr *left = cc_tree_without_casts(e->left), *right = cc_tree_without_casts(e->right);
    return right->kind == CC_NUMBER && right->operation_type ? right : left->kind == CC_NUMBER ? left : NULL;
}

static bool is_allocation(const CcSymbol *function)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "alloca"};
    return function && is_named(function, names, G_N_ELEMENTS(names));
}

/* Warns if the result of an allocation becomes a `T *` but its size does not fit T. */
static void check_allocation(CcUnit *unit, const CcExpr *cast)
{
    const CcSymbol *function = cc_tree_callee(cast->left);
    if (!is_allocation(function) || cast->type->kind != CC_POINTER || cast->left->n_arguments == 0)
        return;
    const CcType *target = cast->type->target;
    const CcExpr *call = cast->left, *last = call->arguments[call->n_arguments - 1], *size = size_within(last);
    bool counted = strcmp(function->name, "calloc") == 0;
    if (!size || target->size == 0 || target->incomplete || target->kind == CC_FUNCTION)
        return;
    const CcType *measured = size->operation_type;
    char *type = cc_type_name(target);
    if (measured && measured->kind == CC_POINTER && target->kind != CC_POINTER && measured->size != target->size)
        cc_report(unit, CC_WARNING, size->loc, "-Walloc-size", "this is the size of a pointer; was sizeof(%s) meant?",
                  type);
    else if (!counted && cc_tree_without_casts(last) == size && size->integer < target->size && size->integer > 0)
        cc_report(unit, CC_WARNING, call->loc, "-Walloc-size",
                  "%" G_GUINT64_FORMAT " bytes are allocated for '%s', which takes %" G_GUINT64_FORMAT, size->integer,
                  type, target->size);
    g_free(type);
}

/* -- arguments --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned mask; /* bit i: parameter i (from 0) must not be null */
} not_null[] = {
    {"strlen", 1},  {"strcpy", 3},  {"strcat", 3}, {"strcmp", 3}, {"strncpy", 3}, {"strncat", 3}, {"strncmp", 3},
    {"strchr", 1},  {"strrchr", 1}, {"strstr", 3}, {"strdup", 1}, {"atoi", 1},    {"atol", 1},    {"atof", 1},
    {"fopen", 3},   {"fclose", 1},  {"fputs", 3},  {"fgets", 5},  {"puts", 1},    {"printf", 1},  {"fprintf", 3},
    {"sprintf", 3}, {"qsort", 9},   {"memset", 1}, {"fread", 9},  {"fwrite", 9},  {"getenv", 1},  {"sscanf", 3},
};

static void check_null(CcUnit *unit, const CcExpr *e, const CcSymbol *function)
{
    uint64_t mask = function->nonnull;
    for (size_t i = 0; !function->body && i < G_N_ELEMENTS(not_null); i++)
        if (strcmp(not_null[i].name, function->name) == 0)
            mask |= not_null[i].mask;
    for (unsigned i = 0; mask && i < e->n_arguments && i < 64; i++)
        if (mask >> i & 1 && e->arguments[i]->type->kind == CC_POINTER && e->arguments[i]->kind == CC_NUMBER &&
            e->arguments[i]->integer == 0)
            cc_report(unit, CC_WARNING, e->arguments[i]->loc, "-Wnonnull", "argument %u of '%s' must not be null",
                      i + 1, function->name);
}

static void check_free(CcUnit *unit, const CcExpr *e, const CcSymbol *function)
{
    static const char *const names[] = {"free", "realloc"};
    if (!is_named(function, names, G_N_ELEMENTS(names)) || e->n_arguments == 0)
        return;
    const CcExpr *pointer = cc_tree_without_casts(e->arguments[0]);
    if (pointer->kind != CC_ADDRESS && pointer->kind != CC_DECAY)
        return;
    if (pointer->left->kind == CC_VARIABLE)
        cc_report(unit, CC_WARNING, e->loc, "-Wfree-nonheap-object", "'%s' of '%s', which was not allocated",
                  function->name, pointer->left->symbol->name);
    else if (pointer->left->kind == CC_STRING)
        cc_report(unit, CC_WARNING, e->loc, "-Wfree-nonheap-object", "'%s' of a string literal", function->name);
}

static void check_absolute(CcUnit *unit, const CcExpr *e, const CcSymbol *function)
{
    static const char *const names[] = {"abs", "labs", "llabs"};
    if (!is_named(function, names, G_N_ELEMENTS(names)) || e->n_arguments != 1 || function->body)
        return;
    const CcExpr *value = e->arguments[0];
    while (value->kind == CC_CAST && value->implicit)
        value = value->left;
    if (value->kind == CC_NUMBER)
        return;
    if (cc_is_real(value->type))
        cc_report(unit, CC_WARNING, e->loc, "-Wabsolute-value",
                  "'%s' drops the fraction of a floating number; use '%s'", function->name,
                  value->type->kind == CC_FLOAT ? "fabsf" : "fabs");
    else if (cc_is_integer(value->type) && !cc_type_is_signed(value->type) && value->type->size >= 4)
        cc_report(unit, CC_WARNING, e->loc, "-Wabsolute-value", "'%s' of an unsigned value has no effect",
                  function->name);
    else if (cc_is_integer(value->type) && value->type->size > e->type->size)
        cc_report(unit, CC_WARNING, e->loc, "-Wabsolute-value", "'%s' cuts a 'long' off; use 'labs'", function->name);
}

/* -- addresses of locals ----------------------------------------------------------------------- */

static const CcSymbol *local_object(const CcExpr *e)
{
    while (e->kind == CC_MEMBER ||
           (e->kind == CC_DEREFERENCE && e->left->kind == CC_ADD && e->left->left->kind == CC_DECAY))
        e = e->kind == CC_MEMBER ? e->left : e->left->left->left;
    bool variable = e->kind == CC_VARIABLE || e->kind == CC_COMPOUND;
    if (!variable || e->symbol->kind != CC_SYM_VARIABLE || e->symbol->file_scope)
        return NULL;
    return e->symbol->storage == CC_AUTO || e->symbol->storage == CC_REGISTER ? e->symbol : NULL;
}

static void check_returned(CcUnit *unit, const CcExpr *e)
{
    e = cc_tree_without_casts(e);
    if (e->kind == CC_CONDITIONAL && e->left) {
        check_returned(unit, e->left);
        check_returned(unit, e->right);
        return;
    }
    if (e->type->kind == CC_POINTER && (e->kind == CC_ADD || e->kind == CC_SUBTRACT))
        e = cc_tree_without_casts(e->left);
    const CcSymbol *local = e->kind == CC_ADDRESS || e->kind == CC_DECAY ? local_object(e->left) : NULL;
    if (!local)
        return;
    if (strchr(local->name, '.'))
        cc_report(unit, CC_WARNING, e->loc, "-Wreturn-local-addr", "the address of a temporary object is returned");
    else
        cc_report(unit, CC_WARNING, e->loc, "-Wreturn-local-addr", "the address of the %s '%s' is returned",
                  local->parameter ? "parameter" : "local variable", local->name);
}

/* -- the pass ---------------------------------------------------------------------------------- */

static bool visit_expression(const CcExpr *e, void *unit)
{
    const CcSymbol *function = cc_tree_callee(e);
    if (e->kind == CC_CAST)
        check_allocation(unit, e);
    if (!function)
        return true;
    check_memory(unit, e, function);
    check_null(unit, e, function);
    check_free(unit, e, function);
    check_absolute(unit, e, function);
    return true;
}

static void visit_statement(const CcStmt *s, void *unit)
{
    if (s->kind == CC_RETURN && s->expr && s->expr->type->kind == CC_POINTER)
        check_returned(unit, s->expr);
}

void cc_check_calls(CcUnit *unit, CcSymbol *symbol)
{
    CcVisitor visitor = {visit_statement, visit_expression};
    cc_walk_statements(symbol->body->body, &visitor, unit);
}
