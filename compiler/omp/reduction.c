/* reduction.c - reductions: the neutral values of operators, how copies are combined, and declare reduction.
 *
 * What declare reduction says becomes two functions. Each is called with a record of two addresses, those of omp_out
 * and omp_in, or of omp_priv and omp_orig. Arrays and array sections are reduced element by element.
 */
#include "compiler/arena/arena.h"
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct CcOmpDeclared {
    struct CcOmpDeclared *next;
    CcIdent *name; /* NULL: an operator, `sign` */
    int sign;
    CcType *type;
    CcSymbol *combiner, *initialiser; /* initialiser NULL: zeros */
    CcRegion region;                  /* of the function being read */
    CcSymbol *first, *second;         /* omp_out and omp_in, or omp_priv and omp_orig */
    const CcScope *scope;             /* it is declared for */
    bool reads_original;              /* the initialiser uses omp_orig */
    CcLoc loc;
} CcOmpDeclared;

/* -- declare reduction ------------------------------------------------------------------------- */

static CcSymbol *bind(CcParser *p, const char *name, CcType *type, CcLoc loc)
{
    CcIdent *ident = cc_scope_ident(p, name, strlen(name));
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, ident->text, type, loc);
    symbol->storage = CC_AUTO;
    symbol->defined = symbol->used = symbol->addressed = true;
    symbol->region = NULL;
    cc_scope_bind(p, p->scope, ident, symbol);
    return symbol;
}

/* Begins a function of two variables, which its record has the addresses of. */
static void begin_function(CcParser *p, CcOmpDeclared *d, const char *what, const char *first, const char *second)
{
    g_autofree char *name = g_strdup_printf("%s.%u", what, ++p->serial);
    d->region =
        (CcRegion){.outer = p->region, .kind = CC_REGION_PARALLEL, .directive = "declare reduction", .loc = d->loc};
    d->region.function = cc_region_function(p, name, d->loc);
    d->region.record = d->region.function->body->parameters[0];
    (void)cc_scope_push(p, CC_SCOPE_BLOCK);
    d->first = bind(p, first, d->type, d->loc);
    d->second = bind(p, second, d->type, d->loc);
    d->region.captures = cc_arena_alloc(p->arena, 2 * sizeof *d->region.captures);
    d->region.captures[0] = (CcCapture){d->first, CC_CAPTURE_ADDRESS, 0};
    d->region.captures[1] = (CcCapture){d->second, CC_CAPTURE_ADDRESS, 8};
    d->region.n_captures = d->region.capacity = 2;
    p->region = &d->region;
}

static CcSymbol *end_function(CcParser *p, CcOmpDeclared *d, CcStmtList list)
{
    d->region.n_captures = 2; /* others were reported */
    cc_region_end(p, &d->region, cc_omp_block(p, list, d->loc, d->loc), d->loc);
    cc_scope_pop(p);
    return d->region.function;
}

CcOmpDeclared *cc_omp_reduction_begin(CcParser *p, CcIdent *name, int sign, CcType *type, CcLoc loc)
{
    CcOmpDeclared *d = CC_NEW(p->arena, CcOmpDeclared);
    d->name = name;
    d->sign = sign;
    d->type = cc_type_unqualified(p, type);
    d->loc = loc;
    d->scope = p->scope;
    if (type->kind == CC_ARRAY || type->kind == CC_FUNCTION || type->kind == CC_VOID)
        cc_front_error(p, loc, "a reduction cannot be declared for arrays, functions and void");
    else if (type->qualifiers)
        cc_front_error(p, loc, "a reduction cannot be declared for a type that is const, volatile or the like");
    begin_function(p, d, "omp_combiner", "omp_out", "omp_in");
    return d;
}

typedef struct Foreign {
    const CcOmpDeclared *declared;
    const CcExpr *found; /* a variable that is neither of the two */
} Foreign;

static bool find_foreign(const CcExpr *e, void *user)
{
    Foreign *foreign = user;
    const CcOmpDeclared *d = foreign->declared;
    if (e->kind == CC_VARIABLE && e->symbol->kind == CC_SYM_VARIABLE && e->symbol != d->first && e->symbol != d->second)
        foreign->found = e;
    return true;
}

static void check_variables(CcParser *p, const CcOmpDeclared *d, const CcExpr *e)
{
    const CcVisitor visitor = {.expression = find_foreign};
    Foreign foreign = {d, NULL};
    cc_walk_expression(e, &visitor, &foreign);
    if (foreign.found)
        cc_front_error(p, foreign.found->loc, "declare reduction uses '%s'; it may use %s and %s only",
                       foreign.found->symbol->name, d->first->name, d->second->name);
}

void cc_omp_reduction_combiner(CcParser *p, CcOmpDeclared *d, CcExpr *combiner)
{
    CcStmtList list = {NULL, NULL};
    check_variables(p, d, combiner);
    cc_omp_do(p, &list, combiner);
    d->combiner = end_function(p, d, list);
}

void cc_omp_reduction_initialiser(CcParser *p, CcOmpDeclared *d)
{
    begin_function(p, d, "omp_initializer", "omp_priv", "omp_orig");
}

static bool is_built_in(const CcOmpDeclared *d);

/* A scope declares a reduction once for a type, and none that the language has. */
static void check_new(CcParser *p, const CcOmpDeclared *d)
{
    if (is_built_in(d))
        cc_front_error(p, d->loc, "the language has this reduction of an arithmetic type already");
    for (const CcOmpDeclared *other = p->reductions; other; other = other->next)
        if (other->scope == d->scope && other->name == d->name && other->sign == d->sign &&
            cc_types_compatible_unqualified(other->type, d->type)) {
            cc_front_error(p, d->loc, "this reduction is declared twice for its type");
            cc_front_note(p, other->loc, "it is declared here, too");
            return;
        }
}

void cc_omp_reduction_end(CcParser *p, CcOmpDeclared *d, CcExpr *call, CcInitNode *value)
{
    CcStmtList list = {NULL, NULL};
    if (call) {
        check_variables(p, d, call);
        if (d->first->references == 0)
            cc_front_error(p, d->loc,
                           "the initializer must be 'omp_priv = value' or a call with omp_priv or &omp_priv");
        cc_omp_do(p, &list, call);
    }
    if (value && !value->expr)
        value = cc_sema_init_node(p, cc_sema_compound_literal(p, d->type, value, d->loc), d->loc);
    if (value && value->expr)
        check_variables(p, d, value->expr);
    if (value)
        cc_omp_do(p, &list, cc_sema_assignment(p, cc_sema_variable(p, d->first, d->loc), value->expr, d->loc));
    if (call || value) {
        d->reads_original = d->second->references > 0;
        d->initialiser = end_function(p, d, list);
    }
    check_new(p, d);
    d->next = p->reductions;
    p->reductions = d;
}

static const CcOmpDeclared *find_declared(const CcParser *p, const CcOmpClause *clause, const CcType *type)
{
    for (const CcOmpDeclared *d = p->reductions; d; d = d->next)
        if (d->scope->open && d->name == clause->operation && d->sign == clause->sign &&
            cc_types_compatible_unqualified(d->type, type))
            return d;
    return NULL;
}

static CcExpr *call_with_two(CcParser *p, CcStmtList *list, CcSymbol *function, CcExpr *first, CcExpr *second)
{
    CcLoc loc = first->loc;
    CcSymbol *record = cc_omp_hidden(p, list, "pair", cc_type_array_of(p, p->void_pointer, 2), loc);
    cc_omp_set(p, list, cc_sema_index(p, cc_omp_var(p, record, loc), cc_omp_int(p, 0, loc), loc),
               cc_omp_address(p, first));
    cc_omp_set(p, list, cc_sema_index(p, cc_omp_var(p, record, loc), cc_omp_int(p, 1, loc), loc),
               cc_omp_address(p, second));
    CcExprList *arguments = cc_sema_expr_list(p, NULL, cc_omp_var(p, record, loc));
    return cc_sema_call(p, cc_sema_variable(p, function, loc), arguments, loc);
}

/* -- operators --------------------------------------------------------------------------------- */

typedef enum Operation { SUM, PRODUCT, AND, OR, XOR, BOTH, EITHER, MINIMUM, MAXIMUM, NO_OPERATION } Operation;

static const struct {
    int sign;
    Operation operation;
    CcExprKind kind;
} operations[] = {
    {'+', SUM, CC_ADD},
    {'-', SUM, CC_ADD},
    {'*', PRODUCT, CC_MULTIPLY},
    {'&', AND, CC_AND},
    {'|', OR, CC_OR},
    {'^', XOR, CC_XOR},
    {CC_OMP_SIGN_BOTH, BOTH, CC_LOGICAL_AND},
    {CC_OMP_SIGN_EITHER, EITHER, CC_LOGICAL_OR},
};

static Operation operation_of(const CcOmpClause *clause, CcExprKind *kind)
{
    if (clause->operation) {
        *kind = CC_LESS;
        return strcmp(clause->operation->text, "min") == 0   ? MINIMUM
               : strcmp(clause->operation->text, "max") == 0 ? MAXIMUM
                                                             : NO_OPERATION;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(operations); i++)
        if (clause->sign == operations[i].sign) {
            *kind = operations[i].kind;
            return operations[i].operation;
        }
    return NO_OPERATION;
}

static CcExpr *real_number(CcParser *p, CcType *type, double value, CcLoc loc)
{
    CcExpr *e = cc_sema_integer(p, type, 0, loc);
    e->real = value;
    return e;
}

/* Returns the least or greatest value of the type. */
static CcExpr *extreme(CcParser *p, CcType *type, bool greatest, CcLoc loc)
{
    if (cc_is_real(type))
        return real_number(p, type, greatest ? INFINITY : -INFINITY, loc);
    unsigned bits = type->kind == CC_BOOL ? 1 : cc_bits(type);
    bool is_signed = cc_type_is_signed(type);
    uint64_t value = is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (!greatest)
        value = is_signed ? ~value : 0;
    return cc_sema_integer(p, type, cc_type_canonical(type, value), loc);
}

static CcExpr *neutral(CcParser *p, Operation operation, CcType *type, CcLoc loc)
{
    switch (operation) {
    case PRODUCT:
    case BOTH: return cc_sema_cast_expr(p, type, cc_omp_int(p, 1, loc), loc);
    case AND: return cc_sema_cast_expr(p, type, cc_omp_int(p, -1, loc), loc);
    case MINIMUM: return extreme(p, type, true, loc);
    case MAXIMUM: return extreme(p, type, false, loc);
    default: return cc_sema_cast_expr(p, type, cc_omp_int(p, 0, loc), loc);
    }
}

static bool is_allowed(Operation operation, const CcType *type)
{
    switch (operation) {
    case AND:
    case OR:
    case XOR: return cc_is_integer(type) || cc_is_wide(type);
    case MINIMUM:
    case MAXIMUM: return cc_is_integer(type) || cc_is_real(type);
    case NO_OPERATION: return false;
    default: return cc_is_arithmetic(type);
    }
}

static bool is_built_in(const CcOmpDeclared *d)
{
    CcExprKind kind;
    const CcOmpClause clause = {.operation = d->name, .sign = d->sign};
    return is_allowed(operation_of(&clause, &kind), d->type);
}

static bool check(CcParser *p, const CcOmpClause *clause, CcType *type, CcLoc loc)
{
    CcExprKind kind;
    if (find_declared(p, clause, type) || is_allowed(operation_of(clause, &kind), type))
        return true;
    g_autofree char *name = cc_type_name(type);
    if (clause->operation)
        cc_front_error(p, loc, "no reduction '%s' is declared for type '%s'", clause->operation->text, name);
    else
        cc_front_error(p, loc,
                       "this operator has no reduction for type '%s'; '#pragma omp declare reduction' makes one", name);
    return false;
}

/* Sets one object to the neutral value. */
static void clear(CcParser *p, CcStmtList *list, const CcOmpClause *clause, CcExpr *copy, CcExpr *original)
{
    CcExprKind kind;
    const CcOmpDeclared *d = find_declared(p, clause, copy->type);
    CcLoc loc = copy->loc;
    if (d && d->initialiser)
        cc_omp_do(p, list, call_with_two(p, list, d->initialiser, copy, original));
    else if (d)
        cc_omp_do(p, list,
                  cc_omp_call(p, loc, "memset", "ppiz", cc_omp_address(p, copy), cc_omp_int(p, 0, loc),
                              cc_sema_sizeof_expr(p, copy, loc)));
    else
        cc_omp_set(p, list, copy, neutral(p, operation_of(clause, &kind), copy->type, loc));
}

/* original = original op copy; lvalues are given twice, because each use needs a tree of its own. */
static void combine(CcParser *p, CcStmtList *list, const CcOmpClause *clause, CcExpr *const original[3],
                    CcExpr *const copy[2])
{
    CcExprKind kind = CC_ADD;
    const CcOmpDeclared *d = find_declared(p, clause, original[0]->type);
    if (d) {
        cc_omp_do(p, list, call_with_two(p, list, d->combiner, original[0], copy[0]));
        return;
    }
    Operation operation = operation_of(clause, &kind);
    if (operation == MINIMUM || operation == MAXIMUM) {
        CcStmtList set = {NULL, NULL};
        cc_omp_set(p, &set, original[0], copy[0]);
        CcExpr *better = cc_omp_binary(p, operation == MINIMUM ? CC_LESS : CC_GREATER, copy[1], original[1]);
        cc_sema_append(list, cc_sema_if(p, better, set.first, NULL, original[0]->loc));
        return;
    }
    cc_omp_set(p, list, original[0], cc_omp_binary(p, kind, original[1], copy[0]));
}

/* -- copies ------------------------------------------------------------------------------------ */

static CcType *element_of(CcType *type)
{
    while (type->kind == CC_ARRAY)
        type = type->target;
    return type;
}

/* An array or a section of one: how many elements, and where the first one is. */
void cc_omp_reduction_prepare(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy)
{
    const CcOmpItem *item = copy->item;
    CcExpr *object = item->length ? item->expr : cc_sema_variable(p, item->symbol, item->loc);
    CcType *element = cc_type_unqualified(p, element_of(object->type));
    copy->element = element;
    CcExpr *first = cc_sema_cast_expr(p, cc_type_pointer_to(p, element), cc_omp_address(p, object), item->loc);
    CcExpr *count = cc_sema_binary(p, CC_DIVIDE, cc_sema_sizeof_expr(p, object, item->loc),
                                   cc_sema_sizeof_type(p, element, item->loc), item->loc, item->loc);
    if (item->length)
        count = cc_omp_binary(p, CC_MULTIPLY, cc_omp_ulong(p, item->length), count);
    copy->base = cc_omp_once(p, &c->before, "base", first);
    copy->count = cc_omp_once(p, &c->before, "count", cc_omp_ulong(p, count));
}

static CcExpr *element_at(CcParser *p, const CcOmpValue *base, CcSymbol *k, CcLoc loc)
{
    return cc_sema_index(p, cc_omp_value(p, base, loc), cc_omp_var(p, k, loc), loc);
}

/* Declares the copy of a variable in the innermost scope. */
static CcSymbol *declare(CcParser *p, CcOmpConstruct *c, const CcOmpItem *item, CcType *type)
{
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, item->ident->text, type, item->loc);
    symbol->storage = CC_AUTO;
    symbol->defined = symbol->used = true;
    symbol->addressed = type->kind == CC_ARRAY || cc_is_aggregate(type);
    cc_scope_bind(p, p->scope, item->ident, symbol);
    CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, item->loc);
    declaration->symbol = symbol;
    cc_sema_append(&c->head, declaration);
    return symbol;
}

/* The copy of a whole array is an array. That of a section is a buffer, and the name means a pointer to where element 0
 * would be. */
static void start_array(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy)
{
    const CcOmpItem *item = copy->item;
    CcLoc loc = item->loc;
    CcStmtList *list = &c->head;
    CcType *pointer = cc_type_pointer_to(p, copy->element), *type = item->symbol->type;
    CcExpr *start;
    if (item->length) {
        CcExpr *bytes = cc_omp_binary(p, CC_MULTIPLY, cc_omp_value(p, &copy->count, loc),
                                      cc_sema_sizeof_type(p, copy->element, loc));
        start = cc_omp_call(p, loc, "malloc", "pz", bytes);
    } else {
        if (p->region)
            cc_region_use_type(p, type, loc);
        copy->copy = declare(p, c, item, cc_type_evaluated(p, type));
        start = cc_omp_address(p, cc_sema_variable(p, copy->copy, loc));
    }
    copy->buffer = cc_omp_hidden(p, list, "buffer", pointer, loc);
    cc_omp_set(p, list, cc_omp_var(p, copy->buffer, loc), start);
    CcSymbol *k = cc_omp_hidden(p, list, "k", p->basic[CC_ULONG], loc);
    CcStmtList body = {NULL, NULL};
    CcOmpValue buffer = {copy->buffer, NULL};
    clear(p, &body, copy->clause, element_at(p, &buffer, k, loc), element_at(p, &copy->base, k, loc));
    cc_sema_append(list, cc_omp_count(p, k, cc_omp_int(p, 0, loc), cc_omp_value(p, &copy->count, loc),
                                      cc_omp_block(p, body, loc, loc), loc));
    if (!item->length)
        return;
    CcType *to =
        cc_type_pointer_to(p, type->kind == CC_ARRAY || type->kind == CC_POINTER ? type->target : copy->element);
    CcExpr *whole = cc_sema_variable(p, item->symbol, loc);
    if (type->kind == CC_ARRAY)
        whole = cc_omp_address(p, whole);
    CcExpr *low =
        cc_omp_binary(p, CC_SUBTRACT, cc_sema_cast_expr(p, p->char_pointer, cc_omp_value(p, &copy->base, loc), loc),
                      cc_sema_cast_expr(p, p->char_pointer, whole, loc));
    CcExpr *at = cc_sema_cast_expr(p, p->char_pointer, cc_omp_var(p, copy->buffer, loc), loc);
    at = cc_omp_binary(p, CC_SUBTRACT, at, low);
    CcSymbol *name = declare(p, c, item, to);
    cc_omp_set(p, list, cc_sema_variable(p, name, loc), cc_sema_cast_expr(p, to, at, loc));
}

void cc_omp_reduction_start(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy)
{
    const CcOmpItem *item = copy->item;
    CcType *type = copy->element ? copy->element : item->symbol->type;
    if (!check(p, copy->clause, type, item->loc)) {
        c->broken = true;
        return;
    }
    if (copy->element) {
        start_array(p, c, copy);
        return;
    }
    CcExpr *original = cc_sema_variable(p, item->symbol, item->loc);
    copy->copy = declare(p, c, item, cc_type_unqualified(p, type));
    clear(p, &c->head, copy->clause, cc_sema_variable(p, copy->copy, item->loc), original);
}

bool cc_omp_reduction_reads_original(const CcParser *p, const CcOmpCopy *copy)
{
    const CcType *type = copy->element ? copy->element : copy->original->type;
    const CcOmpDeclared *d = find_declared(p, copy->clause, type);
    return d && d->reads_original;
}

void cc_omp_reduction_combine(CcParser *p, CcStmtList *list, const CcOmpCopy *copy)
{
    CcLoc loc = copy->item->loc;
    if (!copy->element) {
        CcExpr *original[] = {cc_sema_variable(p, copy->original, loc), cc_sema_variable(p, copy->original, loc), NULL};
        CcExpr *mine[] = {cc_sema_variable(p, copy->copy, loc), cc_sema_variable(p, copy->copy, loc)};
        combine(p, list, copy->clause, original, mine);
        return;
    }
    CcSymbol *k = cc_omp_hidden(p, list, "k", p->basic[CC_ULONG], loc);
    CcOmpValue buffer = {copy->buffer, NULL};
    CcExpr *original[] = {element_at(p, &copy->base, k, loc), element_at(p, &copy->base, k, loc), NULL};
    CcExpr *mine[] = {element_at(p, &buffer, k, loc), element_at(p, &buffer, k, loc)};
    CcStmtList body = {NULL, NULL};
    combine(p, &body, copy->clause, original, mine);
    cc_sema_append(list, cc_omp_count(p, k, cc_omp_int(p, 0, loc), cc_omp_value(p, &copy->count, loc),
                                      cc_omp_block(p, body, loc, loc), loc));
    if (copy->item->length)
        cc_omp_do(p, list, cc_omp_call(p, loc, "free", "vp", cc_omp_var(p, copy->buffer, loc)));
}
