/* bounds.c - warns of accesses outside of arrays that are certain without running the program: constant indices, loops
 * with constant bounds, and library functions that write more than the array holds.
 *
 * In a loop, only accesses that every iteration makes are judged, and only if nothing in the body can leave the loop
 * early or change its variable.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- arrays and their sizes -------------------------------------------------------------------- */

/* Whether the array may be longer than its type. The last member of a struct often is, if it has one element or none.
 */
static bool may_be_longer(const CcExpr *array)
{
    if (array->kind != CC_MEMBER)
        return false;
    const CcTag *tag = array->left->type->tag;
    return array->type->length <= 1 && tag->n_members && array->member == &tag->members[tag->n_members - 1];
}

static bool is_known_array(const CcExpr *e)
{
    return e->type->kind == CC_ARRAY && !e->type->variable && !e->type->incomplete && !may_be_longer(e);
}

/* Returns the array that `e` indexes, or NULL. */
static const CcExpr *indexed_array(const CcExpr *e)
{
    if (e->kind != CC_DEREFERENCE || e->left->kind != CC_ADD || e->left->left->kind != CC_DECAY)
        return NULL;
    const CcExpr *array = e->left->left->left;
    return is_known_array(array) ? array : NULL;
}

/* Sets *room to the number of bytes from the pointer to the end of its object. Returns false if it is not known. */
static bool room_at(const CcExpr *pointer, uint64_t *room)
{
    const CcExpr *e = cc_tree_without_casts(pointer);
    uint64_t offset = 0;
    if (e->kind == CC_ADD && e->right->kind == CC_NUMBER && e->type->kind == CC_POINTER) {
        offset = e->right->integer * e->type->target->size;
        e = cc_tree_without_casts(e->left);
    }
    bool array = e->kind == CC_DECAY && is_known_array(e->left) && e->left->kind != CC_STRING;
    bool object = e->kind == CC_ADDRESS && e->left->kind == CC_VARIABLE && e->left->symbol->kind == CC_SYM_VARIABLE &&
                  !e->left->type->incomplete && !e->left->type->variable &&
                  !(e->left->type->tag && e->left->type->tag->flexible);
    if ((!array && !object) || offset > e->left->type->size)
        return false;
    *room = e->left->type->size - offset;
    return true;
}

/* -- indices ----------------------------------------------------------------------------------- */

static void check_index(CcUnit *unit, const CcExpr *e)
{
    const CcExpr *array = indexed_array(e);
    int64_t index;
    if (!array || !cc_tree_integer_constant(e->left->right, &index) ||
        (index >= 0 && (uint64_t)index < array->type->length))
        return;
    char *type = cc_type_name(array->type);
    cc_report(unit, CC_WARNING, e->loc, "-Warray-bounds", "index %" G_GINT64_FORMAT " is outside of the array '%s'",
              index, type);
    if (array->kind == CC_VARIABLE)
        cc_report(unit, CC_NOTE, array->symbol->loc, NULL, "'%s' is declared here", array->symbol->name);
    g_free(type);
}

typedef struct Loop {
    CcUnit *unit;
    const CcSymbol *variable;
    int64_t first, last; /* values of the variable in the first and the last iteration */
    bool changed;        /* the body may change the variable, or not run to its end */
} Loop;

static bool find_change(const CcExpr *e, void *user)
{
    Loop *loop = user;
    bool store = e->kind == CC_ASSIGN || e->kind == CC_ASSIGN_OP || e->kind == CC_ADDRESS ||
                 (e->kind >= CC_PRE_INCREMENT && e->kind <= CC_POST_DECREMENT);
    if (store && e->left->kind == CC_VARIABLE && e->left->symbol == loop->variable)
        loop->changed = true;
    const CcSymbol *function = cc_tree_callee(e);
    if (function && function->noreturn_)
        loop->changed = true;
    return !loop->changed;
}

static void find_exit(const CcStmt *s, void *user)
{
    Loop *loop = user;
    loop->changed |= s->kind == CC_BREAK || s->kind == CC_CONTINUE || s->kind == CC_GOTO || s->kind == CC_RETURN ||
                     s->kind == CC_LABEL;
}

/* Whether the index is i, i + c or i - c for the variable i. *distance is 0, c or -c. */
static bool index_of_variable(const CcExpr *index, const CcSymbol *variable, int64_t *distance)
{
    index = cc_tree_without_casts(index);
    *distance = 0;
    if ((index->kind == CC_ADD || index->kind == CC_SUBTRACT) && cc_tree_integer_constant(index->right, distance)) {
        if (index->kind == CC_SUBTRACT)
            *distance = -*distance;
        index = cc_tree_without_casts(index->left);
    }
    return index->kind == CC_VARIABLE && index->symbol == variable && *distance > -1000000 && *distance < 1000000;
}

static bool check_access(const CcExpr *e, void *user)
{
    Loop *loop = user;
    const CcExpr *array = indexed_array(e);
    int64_t distance;
    if (e->kind == CC_CONDITIONAL || e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR ||
        e->kind == CC_STATEMENT_EXPR)
        return false;
    if (!array || !index_of_variable(e->left->right, loop->variable, &distance))
        return true;
    int64_t low = loop->first + distance, high = loop->last + distance;
    if (low >= 0 && high < (int64_t)MIN(array->type->length, INT64_MAX))
        return true;
    char *type = cc_type_name(array->type);
    cc_report(loop->unit, CC_WARNING, e->loc, "-Warray-bounds",
              "the loop runs the index from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", outside of the array '%s'",
              low, high, type);
    g_free(type);
    return true;
}

/* Checks the statements that every iteration executes. */
static void check_body(Loop *loop, const CcStmt *s)
{
    static const CcVisitor visitor = {NULL, check_access};
    for (; s; s = s->next) {
        if (s->kind == CC_BLOCK)
            check_body(loop, s->first);
        else if (s->kind == CC_EXPRESSION)
            cc_walk_expression(s->expr, &visitor, loop);
        else if (s->kind == CC_DECLARATION && s->symbol)
            for (const CcInit *init = s->symbol->init; init; init = init->next)
                cc_walk_expression(init->value, &visitor, loop);
        else if (s->kind == CC_FOR)
            check_body(loop, s->body);
    }
}

/* Finds the first and last value of i in for (i = a; i < b; i++). Returns false if the loop has another form. */
static bool loop_bounds(const CcStmt *s, Loop *loop)
{
    const CcExpr *test = s->expr, *step = s->step, *init = s->init ? s->init->expr : NULL;
    int64_t limit;
    if (!test || !step || (test->kind != CC_LESS && test->kind != CC_LESS_EQUAL && test->kind != CC_NOT_EQUAL))
        return false;
    if (s->init && s->init->kind == CC_DECLARATION && s->init->symbol && s->init->symbol->init && !s->init->next) {
        loop->variable = s->init->symbol;
        init = s->init->symbol->init->value;
    } else if (init && init->kind == CC_ASSIGN && init->left->kind == CC_VARIABLE) {
        loop->variable = init->left->symbol;
        init = init->right;
    } else
        return false;
    const CcExpr *tested = cc_tree_without_casts(test->left);
    bool counts = (step->kind == CC_PRE_INCREMENT || step->kind == CC_POST_INCREMENT) &&
                  step->left->kind == CC_VARIABLE && step->left->symbol == loop->variable;
    if (!counts || tested->kind != CC_VARIABLE || tested->symbol != loop->variable || loop->variable->file_scope ||
        !cc_is_integer(loop->variable->type) || !cc_tree_integer_constant(init, &loop->first) ||
        !cc_tree_integer_constant(test->right, &limit))
        return false;
    loop->last = test->kind == CC_LESS_EQUAL ? limit : limit - 1;
    return loop->first <= loop->last && limit < INT32_MAX;
}

static void visit_statement(const CcStmt *s, void *unit)
{
    Loop loop = {.unit = unit};
    if (s->kind != CC_FOR || !loop_bounds(s, &loop))
        return;
    CcVisitor visitor = {find_exit, find_change};
    cc_walk_statements(s->body, &visitor, &loop);
    if (!loop.changed)
        check_body(&loop, s->body);
}

/* -- library functions ------------------------------------------------------------------------- */

static const CcExpr *literal(const CcExpr *e)
{
    e = cc_tree_without_casts(e);
    return e->kind == CC_DECAY && e->left->kind == CC_STRING && e->left->type->target->size == 1 ? e->left : NULL;
}

/* Sets *size to the least number of bytes that sprintf() writes, without the terminating zero. Returns false if it is
 * not known. */
static bool least_output(const CcExpr *call, unsigned format, uint64_t *size)
{
    const CcExpr *string = literal(call->arguments[format]);
    unsigned argument = format + 1;
    *size = 0;
    if (!string)
        return false;
    for (const char *c = string->string; *c; c++, ++*size) {
        if (*c != '%' || c[1] == '%') {
            c += *c == '%';
            continue;
        }
        const CcExpr *e = argument < call->n_arguments ? call->arguments[argument++] : NULL,
                     *text = e ? literal(e) : NULL;
        for (c++; *c && strchr("-+ #0123456789hlzjtL", *c); c++)
            ;
        if (!*c || !strchr("dicuxXosfgepG", *c))
            return false; /* a precision, a * or an unknown conversion */
        if (*c == 's')
            *size += (text ? text->string_size - 1 : 0) - 1; /* the loop counts one byte itself */
    }
    return true;
}

typedef struct Writer { /* a library function that writes to its first argument */
    const char *name;
    int size;    /* index of the argument that is the number of bytes; -1: none */
    int source;  /* index of the argument that is a string to be copied whole; -1: none */
    bool printf; /* the source is a format */
} Writer;

static const Writer writers[] = {
    {"memset", 2, -1, false},   {"memcpy", 2, -1, false},   {"memmove", 2, -1, false},   {"strncpy", 2, -1, false},
    {"fgets", 1, -1, false},    {"snprintf", 1, -1, false}, {"vsnprintf", 1, -1, false}, {"bzero", 1, -1, false},
    {"strcpy", -1, 1, false},   {"stpcpy", -1, 1, false},   {"sprintf", -1, 1, true},    {"gethostname", 1, -1, false},
    {"strftime", 1, -1, false},
};

static void check_writer(CcUnit *unit, const CcExpr *call, const Writer *writer)
{
    uint64_t room, bytes;
    int64_t size;
    unsigned needed = (unsigned)MAX(writer->size, writer->source) + 1;
    if (call->n_arguments < needed || !room_at(call->arguments[0], &room))
        return;
    if (writer->printf) {
        if (!least_output(call, 1, &bytes))
            return;
        bytes++;
    } else if (writer->source >= 0) {
        const CcExpr *source = literal(call->arguments[writer->source]);
        if (!source)
            return;
        bytes = source->string_size;
    } else {
        if (!cc_tree_integer_constant(call->arguments[writer->size], &size))
            return;
        bytes = (uint64_t)size;
    }
    if (bytes > room)
        cc_report(unit, CC_WARNING, call->loc, writer->printf ? "-Wformat-overflow" : "-Wstringop-overflow",
                  "'%s' writes %s%" G_GUINT64_FORMAT " bytes to where there is room for %" G_GUINT64_FORMAT,
                  writer->name,
                  writer->printf      ? "at least "
                  : writer->size >= 0 ? "up to "
                                      : "",
                  bytes, room);
}

static bool visit_expression(const CcExpr *e, void *unit)
{
    const CcSymbol *function = cc_tree_callee(e);
    check_index(unit, e);
    for (size_t i = 0; function && !function->body && i < G_N_ELEMENTS(writers); i++)
        if (strcmp(writers[i].name, function->name) == 0)
            check_writer(unit, e, &writers[i]);
    return true;
}

void cc_check_bounds(CcUnit *unit, CcSymbol *symbol)
{
    CcVisitor visitor = {visit_statement, visit_expression};
    cc_walk_statements(symbol->body->body, &visitor, unit);
}
