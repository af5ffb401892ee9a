/* mend.h - tokens that can be no C: mending them, and what stands around them. */
#ifndef ORRERY_COMPILER_MEND_H
#define ORRERY_COMPILER_MEND_H

#include "compiler/report/report.h"
#include "compiler/syntax/token_queue.h"
#include "grammar.h"

/* Looks whether the token just read can follow what the parser has. Where it cannot and it is clear what was meant,
 * says so, and changes the token, or puts others before it. False: the token is to be left out. */
bool cc_mend(CcParser *p, CcToken *token);
/* Reports the { or ; that is missing behind a function's head, as the layout tells, and puts it and the name that was
 * read last in front of what is to be read. False: nothing was done. */
bool cc_mend_behind_head(CcParser *p, const CcIdent *function);

/* -- words of other languages (mend_words.c) --------------------------------------------------- */

/* The same as cc_mend() for a name that nothing declares, before it is taken for a type or variable: its kind, or 0. */
int cc_mend_name(CcParser *p, CcIdent *ident, const CcToken *token);
/* What a token that cannot stand here is in another language, or NULL. */
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

/* Whether the parser has just got a whole operand; the tag behind struct is none. */
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

/* The text from the token on; the scanner's own copy of it is cut behind the token. NULL: nobody wrote it. */
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
