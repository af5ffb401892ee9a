/* brackets.c - the stack of open brackets; the tokens before a bracket tell what it holds. */
#include "compiler/front/front.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"
#include "grammar.h"

unsigned cc_bracket_indent(const CcParser *p, const CcToken *token, bool *first)
{
    enum { LONGEST = 500 };
    const char *start = token->text;
    if (start < p->text_start || !token->length)
        return UINT_MAX; /* the token is not in the source */
    for (unsigned n = 0; start > p->text_start && start[-1] != '\n'; start--)
        if (n++ == LONGEST)
            return UINT_MAX;
    unsigned indent = 0;
    for (; *start == ' ' || *start == '\t'; start++)
        indent += *start == '\t' ? 8 - indent % 8 : 1;
    *first = start == token->text;
    return indent;
}

static CcBracketRole role_of(const CcTokenQueue *q, int sign)
{
    int before = q->previous.kind;
    const CcBracket *around = cc_bracket_innermost(q);
    bool named = before == IDENTIFIER || before == TYPE_NAME;
    int word = named ? q->before : before;
    switch (sign) {
    case '[': return CC_IN_SUBSCRIPT;
    case '(':
        return before == FOR                                            ? CC_IN_FOR_HEAD
               : before == IF || before == WHILE || before == SWITCH    ? CC_IN_CONDITION
               : before == IDENTIFIER || before == ')' || before == ']' ? CC_IN_ARGUMENTS
                                                                        : CC_IN_GROUP;
    default:
        if (before == '=' || (around && around->role == CC_IN_LIST))
            return CC_IN_LIST;
        return word == ENUM ? CC_IN_ENUMERATORS : word == STRUCT || word == UNION ? CC_IN_RECORD : CC_IN_BLOCK;
    }
}

static void open_bracket(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    bool first;
    if (q->n_open >= CC_MAX_NESTING) {
        cc_front_fatal(p, token->loc, "brackets are nested deeper than %d", CC_MAX_NESTING);
        return;
    }
    if (q->n_open == 0 && token->kind == '{') {
        q->mend.suspect.sign = 0;
        q->mend.outside = q->mend.told_unclosed = false;
    }
    unsigned indent = token->kind == '{' ? cc_bracket_indent(p, token, &first) : UINT_MAX;
    q->open[q->n_open] = (CcBracket){(char)token->kind, role_of(q, token->kind), token->loc, indent, 0};
    q->n_open++;
}

/* Compares the indentation of a } that begins its line with that of its {. If they differ, the } was most likely
 * written for another {. */
static void judge_close(CcParser *p, const CcToken *token, const CcBracket *open)
{
    CcTokenQueue *q = p->queue;
    bool first = false;
    unsigned indent = cc_bracket_indent(p, token, &first);
    bool known = first && indent != UINT_MAX && open->indent != UINT_MAX && open->loc.line != token->loc.line;
    if (known && indent < open->indent && !q->mend.suspect.sign) {
        q->mend.suspect = *open;
        q->mend.suspect_closed = token->loc.line;
    }
    if (open == &q->open[0] && p->function) {
        q->mend.last_end = token->loc;
        q->mend.end_suspect = known && indent > open->indent;
    }
}

static void close_bracket(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    char sign = token->kind == ')' ? '(' : token->kind == ']' ? '[' : '{';
    unsigned n = q->n_open;
    while (n > 0 && q->open[n - 1].sign != sign && (sign == '{' || q->open[n - 1].sign != '{'))
        n--;
    if (n == 0 || q->open[n - 1].sign != sign)
        return; /* there is no bracket to close */
    if (sign == '{') {
        q->mend.record_end = q->open[n - 1].role == CC_IN_RECORD || q->open[n - 1].role == CC_IN_ENUMERATORS;
        judge_close(p, token, &q->open[n - 1]);
    }
    q->n_open = n - 1;
}

void cc_bracket(CcParser *p, const CcToken *token)
{
    if (token->kind == '(' || token->kind == '[' || token->kind == '{')
        open_bracket(p, token);
    else if (token->kind == ')' || token->kind == ']' || token->kind == '}')
        close_bracket(p, token);
}

void cc_bracket_assume(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    if (q->n_open == 0)
        open_bracket(p, &(CcToken){'{', q->previous.loc, "{", 0});
    cc_bracket_tell(p);
}

void cc_bracket_drop(CcParser *p, char sign)
{
    CcTokenQueue *q = p->queue;
    for (unsigned n = q->n_open; n > 0; n--)
        if (q->open[n - 1].sign == sign) {
            q->n_open = n - 1;
            cc_bracket_tell(p);
            return;
        }
}

const CcBracket *cc_bracket_innermost(const CcTokenQueue *q)
{
    return q->n_open ? &q->open[q->n_open - 1] : NULL;
}

unsigned cc_bracket_parentheses(const CcTokenQueue *q)
{
    unsigned n = 0, i = q->n_open;
    for (; i > 0 && q->open[i - 1].sign != '{'; i--)
        n += q->open[i - 1].sign == '(';
    return n;
}

void cc_bracket_tell(CcParser *p)
{
    const CcTokenQueue *q = p->queue;
    p->at.begins_for = cc_bracket_is_within(q, CC_IN_FOR_HEAD) && q->previous.kind == '=';
    p->at.within_subscript = cc_bracket_is_within(q, CC_IN_SUBSCRIPT);
}
