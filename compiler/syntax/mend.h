/* mend.h - corrects tokens that cannot be C, so that the parser can go on. */
#ifndef ORRERY_COMPILER_MEND_H
#define ORRERY_COMPILER_MEND_H

#include "compiler/report/report.h"
#include "compiler/syntax/token_queue.h"
#include "grammar.h"

/* Checks whether the token just read can follow the tokens before it. If it cannot and it is clear what was meant,
 * reports that, and changes the token or inserts others before it. Returns false if the token must be left out. */
bool cc_mend(CcParser *p, CcToken *token);
/* Reports a missing { or ; behind a function's head; the layout decides which. Makes it the next token, followed by the
 * name that was read last. Returns false if nothing was done. */
bool cc_mend_behind_head(CcParser *p, const CcIdent *function);

/* -- words of other languages (mend_words.c) --------------------------------------------------- */

/* Like cc_mend(), for a name that nothing declares, before it is taken for a type or variable. Returns the kind of
 * token that it stands for, or 0. */
int cc_mend_name(CcParser *p, CcIdent *ident, const CcToken *token);
/* Returns a hint that explains an unexpected token by its meaning in another language, or NULL. */
const char *cc_mend_foreign(const CcParser *p, const CcToken *token);

/* -- what stands around a token ---------------------------------------------------------------- */

static inline bool cc_mend_touches(const CcToken *first, const CcToken *second)
{
    return first->text + first->length == second->text;
}

static inline CcLoc cc_mend_joined(CcLoc first, const CcToken *second)
{
    return cc_front_join_locs(first, second->loc);
}

/* Whether the parser has just got a whole operand. A tag or label is not an operand. */
static inline bool cc_mend_has_operand(const CcTokenQueue *q)
{
    int kind = q->previous.kind, before = q->before;
    return (kind == IDENTIFIER && before != STRUCT && before != UNION && before != ENUM && before != GOTO) ||
           kind == CONSTANT || kind == STRING_LITERAL;
}

static inline bool cc_mend_begins_statement(const CcTokenQueue *q)
{
    int before = q->previous.kind;
    return before == ';' || before == '{' || before == '}' || before == ELSE || before == DO || before == ':' ||
           before == ')' || before == 0;
}

/* Returns the source text from the token on. The scanner's own copy is cut behind the token. NULL: the token is not in
 * the source. */
static inline const char *cc_mend_text_from(const CcParser *p, const CcToken *token)
{
    const CcSeen *front = p->unit->seen;
    return token->text >= p->text_start && token->text < p->text_start + front->size
               ? front->text + (token->text - p->text_start)
               : NULL;
}

static inline const char *cc_mend_text_end(const CcParser *p)
{
    return p->unit->seen->text + p->unit->seen->size;
}

#endif
