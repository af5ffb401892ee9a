/* statements.c - warns of statements that do not do what their layout suggests: empty bodies, misleading indentation,
 * an else that could belong to two ifs, switches that miss a value or fall through, endless recursion.
 *
 * The layout is read from the user's own lines, not from the preprocessed text.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- layout ------------------------------------------------------------------------------------ */

/* Sets *blanks to the indentation of the line. Returns false if `loc` is not the first thing in it, or if the line is
 * not known. */
static bool indentation(CcUnit *unit, CcLoc loc, GString *blanks)
{
    size_t size, from;
    const char *line = cc_report_source_at(unit, loc, &size, &from);
    if (!line)
        return false;
    size_t n = 0;
    while (n < size && (line[n] == ' ' || line[n] == '\t'))
        n++;
    g_string_truncate(blanks, 0);
    g_string_append_len(blanks, line, (gssize)n);
    return n == from;
}

static bool is_guard(const CcStmt *s)
{
    return s->kind == CC_IF || s->kind == CC_WHILE || s->kind == CC_FOR;
}

static const char *guard_name(const CcStmt *s)
{
    return s->kind == CC_WHILE ? "while" : s->kind == CC_FOR ? "for" : "if";
}

/* Whether the lines of two statements have the same indentation. The location of a declaration or expression may be
 * behind its start, but is in the same line. */
static bool same_start(CcUnit *unit, CcLoc a, CcLoc b)
{
    GString *first = g_string_new(NULL), *second = g_string_new(NULL);
    (void)indentation(unit, a, first);
    (void)indentation(unit, b, second);
    bool same = first->len == second->len && strcmp(first->str, second->str) == 0;
    g_string_free(first, TRUE);
    g_string_free(second, TRUE);
    return same;
}

static bool is_deeper(CcUnit *unit, CcLoc inner, CcLoc outer)
{
    GString *first = g_string_new(NULL), *second = g_string_new(NULL);
    (void)indentation(unit, inner, first);
    (void)indentation(unit, outer, second);
    bool deeper = first->len > second->len && strncmp(first->str, second->str, second->len) == 0;
    g_string_free(first, TRUE);
    g_string_free(second, TRUE);
    return deeper;
}

static void check_indentation(CcUnit *unit, const CcStmt *s, const CcStmt *next)
{
    const CcStmt *body = s->otherwise ? s->otherwise : s->body;
    bool plain = next->kind == CC_EXPRESSION
                     ? next->expr != NULL
                     : next->kind != CC_LABEL && next->kind != CC_CASE && next->kind != CC_DEFAULT;
    if (!body || body->kind == CC_BLOCK || !plain || (s->otherwise && s->otherwise->kind == CC_IF))
        return;
    if (body->kind == CC_EXPRESSION && !body->expr)
        return;
    if (body->loc.file != s->loc.file || next->loc.file != s->loc.file || next->loc.line <= body->loc.line ||
        body->loc.line <= s->loc.line || next->kind == CC_BLOCK)
        return;
    if (!same_start(unit, body->loc, next->loc) || !is_deeper(unit, body->loc, s->loc) ||
        cc_report_is_from_macro(unit, body->loc) || cc_report_is_from_macro(unit, next->loc))
        return;
    const char *name = s->otherwise ? "else" : guard_name(s);
    cc_report(unit, CC_WARNING, next->loc, "-Wmisleading-indentation",
              "this is indented as if the '%s' guarded it, and it does not", name);
    cc_report(unit, CC_NOTE, s->loc, NULL, "this '%s'", guard_name(s));
}

/* Warns of an empty body: ) and ; in one line of the user's text. A loop counts only if a block follows it. */
static void check_empty(CcUnit *unit, const CcStmt *s, const CcStmt *next)
{
    const CcStmt *body = s->body;
    size_t size, from;
    if (!body || body->kind != CC_EXPRESSION || body->expr)
        return;
    const char *line = cc_report_source_at(unit, body->loc, &size, &from);
    if (!line || from >= size || line[from] != ')')
        return;
    for (from++; from < size && line[from] == ' '; from++)
        ;
    if (from >= size || line[from] != ';' || (s->kind != CC_IF && (!next || next->kind != CC_BLOCK)))
        return;
    CcLoc loc = body->loc;
    cc_report(unit, CC_WARNING, loc, "-Wempty-body", "this '%s' guards nothing but the semicolon behind it",
              guard_name(s));
}

static void check_else(CcUnit *unit, const CcStmt *s)
{
    const CcStmt *inner = s->body;
    while (inner && (inner->kind == CC_WHILE || inner->kind == CC_FOR))
        inner = inner->body;
    if (s->kind != CC_IF || s->otherwise || !inner || inner->kind != CC_IF || !inner->otherwise ||
        cc_report_is_from_macro(unit, s->loc) || cc_report_is_from_macro(unit, inner->loc))
        return;
    cc_report(unit, CC_WARNING, s->loc, "-Wdangling-else", "the 'else' belongs to the inner 'if'; braces would say so");
}

/* -- switch ------------------------------------------------------------------------------------ */

static bool handles(const CcStmt *s, int64_t value)
{
    for (const CcStmt *c = s->cases; c; c = c->next_case)
        if (c->low <= value && value <= c->high)
            return true;
    return false;
}

/* Whether an enumerator before the i-th has the same value. */
static bool is_repeated(const CcTag *tag, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (tag->enumerators[k]->value == tag->enumerators[i]->value)
            return true;
    return false;
}

static void check_switch(CcUnit *unit, const CcStmt *s)
{
    enum { MOST_NAMED = 3, MOST_VALUES = 1000 };
    const CcType *type = cc_tree_without_casts(s->expr)->type;
    if (!s->default_case)
        cc_report(unit, CC_WARNING, s->loc, "-Wswitch-default", "this 'switch' has no 'default'");
    if (s->default_case || type->kind != CC_ENUM || type->tag->n_enumerators > MOST_VALUES || !s->cases)
        return;
    GString *names = g_string_new(NULL);
    unsigned missing = 0;
    for (uint32_t i = 0; i < type->tag->n_enumerators; i++) {
        const CcSymbol *value = type->tag->enumerators[i];
        if (handles(s, value->value) || is_repeated(type->tag, i))
            continue;
        if (missing++ < MOST_NAMED)
            g_string_append_printf(names, "%s'%s'", names->len ? ", " : "", value->name);
    }
    if (missing > MOST_NAMED)
        g_string_append_printf(names, " and %u more", missing - MOST_NAMED);
    if (missing)
        cc_report(unit, CC_WARNING, s->loc, "-Wswitch", "%s %s not handled in this 'switch'", names->str,
                  missing == 1 ? "is" : "are");
    g_string_free(names, TRUE);
}

static void check_fallthrough(CcUnit *unit, const CcStmt *first)
{
    const CcStmt *before = NULL;
    bool falls = false;
    for (const CcStmt *s = first; s; before = s, s = s->next) {
        bool label = s->kind == CC_CASE || s->kind == CC_DEFAULT, named = s->kind == CC_LABEL;
        bool counts = before && before->kind != CC_CASE && before->kind != CC_DEFAULT && before->kind != CC_LABEL;
        if (label && counts && !before->fallthrough && falls)
            cc_report(unit, CC_WARNING, s->loc, "-Wimplicit-fallthrough",
                      "the case before goes on into this one; __attribute__((fallthrough)) says that it is meant");
        falls = (falls || label || named) && cc_tree_falls_through(s);
    }
}

/* -- recursion --------------------------------------------------------------------------------- */

typedef enum Ends { ENDS_NOT, ENDS_CALL, ENDS_EXIT } Ends;

/* Whether every evaluation of the expression calls the function. */
static bool calls(const CcExpr *e, const CcSymbol *function)
{
    if (!e)
        return false;
    if (cc_tree_callee(e) == function)
        return true;
    if (e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR)
        return calls(e->left, function);
    if (e->kind == CC_CONDITIONAL)
        return calls(e->condition, function) || (e->left && calls(e->left, function) && calls(e->right, function));
    for (uint32_t i = 0; i < e->n_arguments; i++)
        if (calls(e->arguments[i], function))
            return true;
    return calls(e->left, function) || calls(e->right, function);
}

static bool may_leave(const CcExpr *e)
{
    const CcSymbol *function = e ? cc_tree_callee(e) : NULL;
    return e && ((e->kind == CC_CALL && (!function || function->noreturn_)) || e->kind == CC_STATEMENT_EXPR);
}

/* Returns what the statements certainly reach first: a call of the function itself, a possible way out, or neither. */
static Ends ends(const CcStmt *s, const CcSymbol *function)
{
    for (; s; s = s->next) {
        Ends inner = ENDS_NOT;
        switch (s->kind) {
        case CC_BLOCK: inner = ends(s->first, function); break;
        case CC_EXPRESSION:
            inner = calls(s->expr, function) ? ENDS_CALL : may_leave(s->expr) ? ENDS_EXIT : ENDS_NOT;
            break;
        case CC_DECLARATION:
            for (const CcInit *init = s->symbol->init; init && inner == ENDS_NOT; init = init->next)
                inner = calls(init->value, function) ? ENDS_CALL : ENDS_NOT;
            break;
        case CC_VLA_SIZE: break;
        case CC_RETURN: return calls(s->expr, function) ? ENDS_CALL : ENDS_EXIT;
        case CC_IF: {
            if (calls(s->expr, function))
                return ENDS_CALL;
            Ends yes = ends(s->body, function), no = s->otherwise ? ends(s->otherwise, function) : ENDS_NOT;
            inner = yes == ENDS_EXIT || no == ENDS_EXIT   ? ENDS_EXIT
                    : yes == ENDS_CALL && no == ENDS_CALL ? ENDS_CALL
                                                          : ENDS_NOT;
            break;
        }
        default: return ENDS_EXIT; /* loops and jumps: assume a way out */
        }
        if (inner != ENDS_NOT)
            return inner;
    }
    return ENDS_NOT;
}

/* -- the pass ---------------------------------------------------------------------------------- */

static void visit_statement(const CcStmt *s, void *unit)
{
    if (is_guard(s)) {
        check_empty(unit, s, s->next);
        if (s->next)
            check_indentation(unit, s, s->next);
        check_else(unit, s);
    }
    if (s->kind == CC_SWITCH) {
        check_switch(unit, s);
        if (s->body && s->body->kind == CC_BLOCK && cc_warning_possible(unit, CC_WARNING_IMPLICIT_FALLTHROUGH))
            check_fallthrough(unit, s->body->first);
    }
}

void cc_check_statements(CcUnit *unit, CcSymbol *symbol)
{
    CcVisitor visitor = {visit_statement, NULL};
    cc_walk_statements(symbol->body->body, &visitor, unit);
    if (!symbol->weak && ends(symbol->body->body->first, symbol) == ENDS_CALL)
        cc_report(unit, CC_WARNING, symbol->loc, "-Winfinite-recursion", "'%s' calls itself on every path",
                  symbol->name);
}
