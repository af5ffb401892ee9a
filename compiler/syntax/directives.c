/* directives.c - the tokens of a line "#pragma omp ...".
 *
 * The scanner reads such a line like any other text, between the tokens OMP_PRAGMA and OMP_END. Here its words become
 * terminals: the words of the directive's name become one token, the name of a clause a token for its shape
 * (omp_clauses.def), and words that only mean something within that clause OMP_WORD. All else are the tokens of C. What
 * is unknown is reported and left out.
 */
#include "compiler/syntax/directives.h"

#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/omp/omp.h"
#include "compiler/report/report.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"
#include "grammar.h"

#include <string.h>

enum { MOST_WORDS = 7 };

static bool is_word(const char *words, const char *text, size_t length)
{
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && memcmp(at, text, length) == 0)
            return true;
    return false;
}

/* Leaves out the rest of the directive. */
static void skip_line(CcParser *p)
{
    CcToken token;
    do {
        cc_token_next(p, &token);
    } while (token.kind != OMP_END && token.kind != 0 && !p->stop);
    if (token.kind == 0)
        cc_token_keep_end(p, &token);
}

/* Returns the longest name of a directive that the next words make, and its number of words. */
static const CcOmpKind *match_directive(CcParser *p, unsigned *n)
{
    g_autoptr(GString) name = g_string_new(NULL);
    const CcOmpKind *found = NULL;
    for (unsigned i = 0; i < MOST_WORDS; i++) {
        const CcToken *token = cc_token_peek(p, i);
        if (token->kind != RAW_NAME)
            break;
        if (i)
            g_string_append_c(name, ' ');
        g_string_append_len(name, token->text, (gssize)token->length);
        const CcOmpKind *kind = cc_omp_find_directive(name->str);
        if (kind) {
            found = kind;
            *n = i + 1;
        }
        if (!cc_omp_begins_directive(name->str))
            break;
    }
    return found;
}

static void take(CcParser *p, unsigned n)
{
    CcToken token;
    for (; n > 0; n--)
        cc_token_next(p, &token);
}

static int unknown_directive(CcParser *p, CcLoc loc)
{
    const CcToken *token = cc_token_peek(p, 0);
    if (token->kind == RAW_NAME)
        cc_front_error(p, token->loc, "'%.*s' is not a directive of OpenMP 4.5", (int)MIN(token->length, 60),
                       token->text);
    else
        cc_front_error(p, loc, "'#pragma omp' needs the name of a directive");
    skip_line(p);
    return EXTENSION;
}

/* Returns the index of the next sign within the outermost brackets from `at` on, or the number of tokens. */
static unsigned find_sign(const GArray *tokens, unsigned at, char sign, char other)
{
    unsigned depth = 1;
    for (; at < tokens->len && depth > 0; at++) {
        int kind = g_array_index(tokens, CcToken, at).kind;
        if (depth == 1 && (kind == sign || kind == other))
            return at;
        depth += kind == '(' || kind == '[' || kind == '{';
        depth -= kind == ')' || kind == ']' || kind == '}';
    }
    return tokens->len;
}

/* declare reduction(name : type, type : combiner): the directive is read once for each of its types. */
static void repeat_for_types(CcParser *p, const CcToken *pragma)
{
    g_autoptr(GArray) tokens = g_array_new(FALSE, FALSE, sizeof(CcToken));
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(CcToken));
    CcToken token;
    do {
        cc_token_next(p, &token);
        g_array_append_val(tokens, token);
    } while (token.kind != OMP_END && token.kind != 0 && !p->stop);
    const CcToken head[] = {*pragma,
                            {RAW_NAME, pragma->loc, "declare", strlen("declare")},
                            {RAW_NAME, pragma->loc, "reduction", strlen("reduction")}};
    unsigned first = find_sign(tokens, 1, ':', ':'), at = first + 1, end = find_sign(tokens, at, ':', ':');
    if (end >= tokens->len)
        at = tokens->len; /* malformed: it is read as it is */
    else
        for (unsigned next; (next = find_sign(tokens, at, ',', ':')) < end; at = next + 1) {
            g_array_append_vals(all, tokens->data, first + 1);
            g_array_append_vals(all, &g_array_index(tokens, CcToken, at), next - at);
            g_array_append_vals(all, &g_array_index(tokens, CcToken, end), tokens->len - end);
            g_array_append_vals(all, head, G_N_ELEMENTS(head));
        }
    if (at == tokens->len) {
        g_array_append_vals(all, tokens->data, tokens->len);
    } else {
        g_array_append_vals(all, tokens->data, first + 1);
        g_array_append_vals(all, &g_array_index(tokens, CcToken, at), tokens->len - at);
    }
    cc_token_replay(p, (const CcToken *)(void *)all->data, all->len);
}

/* Reads a directive that has no effect on a host: its clauses have names, no more is looked at. */
static void read_ignored(CcParser *p, const CcOmpKind *kind, CcLoc loc)
{
    bool simd = strcmp(kind->name, "declare simd") == 0, inside = false, outside = false;
    const char *clauses = simd ? "uniform linear aligned simdlen inbranch notinbranch"
                          : strcmp(kind->name, "declare target") == 0 ? "to link"
                                                                      : "";
    unsigned depth = 0;
    CcToken token;
    for (cc_token_next(p, &token); token.kind != OMP_END && token.kind != 0 && !p->stop; cc_token_next(p, &token)) {
        depth += token.kind == '(';
        depth -= token.kind == ')' && depth > 0;
        if (depth > 0 || token.kind != RAW_NAME)
            continue;
        if (!is_word(clauses, token.text, token.length))
            cc_front_error(p, token.loc, "'%.*s' is not a clause of '#pragma omp %s'", (int)MIN(token.length, 60),
                           token.text, kind->name);
        inside |= is_word("inbranch", token.text, token.length);
        outside |= is_word("notinbranch", token.text, token.length);
    }
    if (inside && outside)
        cc_front_error(p, loc, "clauses 'inbranch' and 'notinbranch' exclude each other");
    if (token.kind == 0)
        cc_token_keep_end(p, &token);
}

int cc_directive_begin(CcParser *p, const CcToken *first, CC_SYNTAX_STYPE *value)
{
    CcTokenQueue *q = p->queue;
    unsigned n = 0;
    const CcOmpKind *kind = match_directive(p, &n);
    if (!kind)
        return unknown_directive(p, first->loc);
    take(p, n);
    value->omp_kind = kind;
    if (kind->follows == CC_OMP_SKIP) {
        read_ignored(p, kind, first->loc);
        return EXTENSION;
    }
    q->directive = (CcDirectiveState){.kind = kind};
    switch (kind->follows) {
    case CC_OMP_THREADPRIVATE: return OMP_THREADPRIVATE;
    case CC_OMP_DECLARES: repeat_for_types(p, first); return OMP_DECLARE_REDUCTION;
    case CC_OMP_ALONE: return OMP_ALONE;
    default: break;
    }
    const CcToken *next = cc_token_peek(p, 0);
    bool waits =
        strcmp(kind->name, "ordered") == 0 && next->kind == RAW_NAME && is_word("depend", next->text, next->length);
    return waits ? OMP_ALONE : OMP_CONSTRUCT;
}

static int unknown_clause(CcParser *p, const CcToken *token, const char *name)
{
    CcTokenQueue *q = p->queue;
    if (cc_omp_is_clause(name))
        cc_front_error(p, token->loc, "'#pragma omp %s' takes no clause '%s'", q->directive.kind->name, name);
    else
        cc_front_error(p, token->loc, "'%s' is not a clause of '#pragma omp %s'", name, q->directive.kind->name);
    if (cc_token_peek(p, 0)->kind != '(')
        return EXTENSION;
    unsigned depth = 0;
    do {
        int kind = cc_token_peek(p, 0)->kind;
        if (kind == OMP_END || kind == 0)
            break;
        depth += kind == '(';
        depth -= kind == ')';
        take(p, 1);
    } while (depth > 0);
    return EXTENSION;
}

static int clause_token(CcParser *p, const CcToken *token, CC_SYNTAX_STYPE *value)
{
    static const int tokens[] = {
        [CC_OMP_SHAPE_BARE] = OMP_BARE,           [CC_OMP_SHAPE_EXPR] = OMP_EXPR,
        [CC_OMP_SHAPE_MAYBE] = OMP_BARE,          [CC_OMP_SHAPE_LIST] = OMP_LIST,
        [CC_OMP_SHAPE_STEP] = OMP_STEP,           [CC_OMP_SHAPE_WORDS] = OMP_WORDS,
        [CC_OMP_SHAPE_OPERATION] = OMP_OPERATION, [CC_OMP_SHAPE_WORD_LIST] = OMP_WORD_LIST,
    };
    CcTokenQueue *q = p->queue;
    g_autofree char *name = g_strndup(token->text, token->length);
    const CcOmpClauseKind *clause = cc_omp_find_clause(q->directive.kind, name);
    if (!clause)
        return unknown_clause(p, token, name);
    value->omp_clause_kind = clause;
    q->directive.clause = clause;
    q->directive.colon = false;
    if (clause->shape == CC_OMP_SHAPE_MAYBE && cc_token_peek(p, 0)->kind == '(')
        return OMP_EXPR;
    return tokens[clause->shape];
}

/* The ( behind the name of the directive itself begins a list, or a name. */
static int operand_token(CcParser *p, const CcToken *token, CC_SYNTAX_STYPE *value)
{
    CcTokenQueue *q = p->queue;
    const CcOmpClauseKind *clause = cc_omp_find_clause(q->directive.kind, "(");
    if (!clause)
        return '(';
    (void)cc_token_put_back(p, token);
    value->omp_clause_kind = clause;
    q->directive.clause = clause;
    return strcmp(q->directive.kind->name, "critical") == 0 ? OMP_NAME : OMP_LIST;
}

/* if(parallel: ...): the words before the colon name a part of the directive. */
static int modifier_token(CcParser *p, const CcToken *token, CC_SYNTAX_STYPE *value)
{
    if (!cc_token_put_back(p, token))
        return 0;
    unsigned n = 0;
    const CcOmpKind *kind = match_directive(p, &n);
    if (!kind || cc_token_peek(p, n)->kind != ':') {
        take(p, 1);
        return 0;
    }
    take(p, n);
    value->omp_kind = kind;
    return OMP_MODIFIER;
}

static bool is_clause_word(CcParser *p, const CcToken *token)
{
    const CcDirectiveState *d = &p->queue->directive;
    if (!d->clause || d->depth != 1 || !is_word(d->clause->words, token->text, token->length))
        return false;
    if (d->clause->shape == CC_OMP_SHAPE_WORDS)
        return true;
    int next = cc_token_peek(p, 0)->kind;
    if (d->colon)
        return false;
    return next == ':' || ((next == ',' || next == RAW_NAME) && is_word("always", token->text, token->length)) ||
           (next == '(' && d->clause->shape == CC_OMP_SHAPE_STEP) ||
           (next == ')' && is_word("source", token->text, token->length));
}

int cc_directive_token(CcParser *p, const CcToken *token, CC_SYNTAX_STYPE *value)
{
    CcDirectiveState *d = &p->queue->directive;
    if (token->kind == OMP_END || token->kind == 0) {
        d->kind = NULL;
        return OMP_END;
    }
    bool lists = d->kind->follows <= CC_OMP_ALONE, opened = d->opened;
    d->opened = token->kind == '(';
    if (token->kind == '(' && d->depth == 0 && !d->clause && lists) {
        int kind = operand_token(p, token, value);
        if (kind != '(')
            return kind;
    }
    d->depth += token->kind == '(';
    d->colon |= token->kind == ':' && d->depth == 1;
    if (token->kind == ')' && d->depth > 0 && --d->depth == 0)
        d->clause = NULL;
    if (token->kind != RAW_NAME)
        return 0;
    if (d->kind->follows == CC_OMP_DECLARES && d->depth == 0 && is_word("initializer", token->text, token->length))
        return OMP_INITIALIZER;
    if (d->kind->follows == CC_OMP_DECLARES && opened && d->depth == 1 && cc_token_peek(p, 0)->kind == '=' &&
        is_word("omp_priv", token->text, token->length))
        return OMP_PRIV;
    if (!lists)
        return 0;
    if (d->depth == 0)
        return clause_token(p, token, value);
    if (opened && d->depth == 1 && d->clause && d->clause->id == CC_OMP_IF)
        return modifier_token(p, token, value);
    if (!is_clause_word(p, token))
        return 0;
    value->text = cc_arena_strdup(p->arena, token->text, token->length);
    return is_word("sink", token->text, token->length) ? OMP_SINK : OMP_WORD;
}
