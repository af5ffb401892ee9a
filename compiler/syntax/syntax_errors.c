/* syntax_errors.c - reports of syntax errors: those that no grammar rule matches, and those that have a rule. */
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/syntax/mend.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"
#include "compiler/tree/tree.h"

#include <string.h>

void cc_syntax_else_without_if(CcParser *p, const CcStmt *first, CcLoc loc)
{
    const CcStmt *last = NULL;
    unsigned behind = 0;
    for (const CcStmt *s = first; s; s = s->next, behind++)
        if (s->kind == CC_IF) {
            last = s;
            behind = 0;
        }
    const CcStmt *body = last ? last->body : NULL;
    if (!last)
        cc_front_error(p, loc, "'else' without 'if'");
    else if (last->otherwise)
        cc_front_error(p, loc, "'else' without 'if': the 'if' before it has its 'else' already");
    else if (body->kind == CC_EXPRESSION && !body->expr)
        cc_front_error(p, loc, "'else' without 'if': the ';' behind the condition ends the 'if'");
    else if (behind == 0)
        cc_front_error(p, loc, "'else' without 'if'");
    else if (body->kind == CC_BLOCK)
        cc_front_error(p, loc, "'else' without 'if': nothing may stand between the '}' of the 'if' and its 'else'");
    else
        cc_front_error(p, loc, "'else' without 'if': several statements belong to an 'if' only within { }");
    if (last)
        cc_front_note(p, last->loc, "this is the 'if'");
}

void cc_syntax_type_in_call(CcParser *p, const CcIdent *ident, CcLoc loc)
{
    if (!p->damaged)
        cc_front_error(p, loc, "a type does not stand in a call: '%s' alone is the argument", ident->text);
}

void cc_syntax_body_without_head(CcParser *p, CcLoc loc)
{
    if (p->queue->before == ';')
        cc_front_error(p, p->last_token, "the ';' ends the declaration, so the body behind it belongs to no function");
    else
        cc_front_error(p, loc, "unexpected '{': a body without the head of a function");
    cc_token_skip_braces(p);
}

void cc_syntax_missing_brace(CcParser *p, const char *function)
{
    if (!p->damaged)
        cc_front_error(p, cc_front_behind_previous(p), "expected '{' to begin the body of '%s'", function);
    cc_bracket_assume(p);
    cc_front_hush(p);
}

void cc_syntax_unexpected(CcParser *p, CcLoc loc, bool at_end, const char *expected, bool after_previous)
{
    const CcToken *token = &p->queue->previous; /* the unexpected token, which was read last */
    if (p->stop || p->damaged) {                /* an error was reported before that causes this one */
        p->damaged = 0;
        return;
    }
    CcLoc place = after_previous && p->last_token.line ? cc_front_behind_previous(p) : loc;
    const char *foreign = cc_mend_foreign(p, token);
    if (foreign) {
        cc_front_error(p, loc, "%s", foreign);
        return;
    }
    if (!at_end && token->length == 1 && *token->text == '\n')
        cc_front_error(p, place, "%s before the end of the directive", expected ? expected : "something is missing");
    else if (at_end)
        cc_front_error(p, place, expected ? "%s at end of input" : "unexpected end of input", expected);
    else if (expected)
        cc_front_error(p, place, "%s before '%.*s'", expected, (int)MIN(token->length, 40), token->text);
    else
        cc_front_error(p, loc, "unexpected '%.*s'", (int)MIN(token->length, 40), token->text);
    static const char sign_expected[] = "expected ';'";
    if (expected && after_previous && strlen(expected) == strlen(sign_expected) && expected[9] == '\'') {
        char sign[2] = {expected[10], 0};
        place.length = 0;
        cc_report_fix(p->unit, place, sign);
    }
    const CcBracket *open = cc_bracket_innermost(p->queue);
    if (at_end && open)
        cc_front_note(p, open->loc, "to match this '%c'", open->sign);
}
