/* tokens.h - between lexer.l and tokens.c: one token with its place and spelling. */
#ifndef ORRERY_COMPILER_TOKENS_H
#define ORRERY_COMPILER_TOKENS_H

#include "compiler/front.h"

typedef struct CcToken {
    int kind;
    CcLoc loc;
    const char *text; /* into the scanner's copy of the source */
    size_t length;
} CcToken;

int cc_scan(CcToken *token, void *scanner);
void cc_token_place(CcParser *p, CcToken *token, const char *text, size_t length);
void cc_count_lines(CcParser *p, const char *text, size_t length);
bool cc_directive(CcParser *p, const char *text, size_t length);
/* pragma.c: a #pragma line, from behind that word; `line` is where the line starts. */
void cc_pragma(CcParser *p, const char *at, const char *end, const char *line);
/* Applies #pragma weak and redefine_extname to what was declared. */
void cc_apply_pragmas(CcParser *p);
int cc_curly(CcParser *p, CcToken *token);
int cc_typographic(CcParser *p, CcToken *token);
int cc_stray(CcParser *p, const CcToken *token, const char *text);

/* After an error at file scope, just behind a {: reads up to and including its }. */
void cc_skip_braces(CcParser *p);
/* Reports a token that cannot stand here; `expected` ("expected ';'") may be NULL. */
void cc_syntax_error(CcParser *p, CcLoc loc, bool at_end, const char *expected, bool after_previous);

/* Just behind the token before the last one read: where something is missing. */
CcLoc cc_behind_previous(const CcParser *p);

/* Says that the { of a function is missing, unless something like it was said. */
void cc_missing_brace(CcParser *p, const char *function);
/* A list in braces was not closed before this ';': makes it the next token again. */
void cc_unread_semicolon(CcParser *p, CcLoc loc);
/* Puts a ; in front of the name that was read last, which will be read again; false: that was no name. */
bool cc_end_before_name(CcParser *p);
/* An else that no if waits for; `first`: the statements of the block before it. */
void cc_else_without_if(CcParser *p, const CcStmt *first, CcLoc loc);
/* f(int x), unless something else was said of the statement. */
void cc_type_in_call(CcParser *p, const CcIdent *ident, CcLoc loc);
/* A { at file scope: reports and skips it up to its }. */
void cc_body_without_head(CcParser *p, CcLoc loc);
/* mend.c: reports the { or ; that is missing behind a function's head, as the layout tells, and puts it and the name
 * that was read last in front of what is to be read. False: nothing was done. */
bool cc_missing_behind_head(CcParser *p, const CcIdent *function);
/* mend.c: "; ..." for names that other languages have, or NULL. */
const char *cc_foreign_hint(const char *name);
/* mend.c: what a token that cannot stand here is in another language, or NULL. */
const char *cc_foreign_syntax(const CcParser *p, const CcToken *token);
/* mend.c: whether the parser is at the first = in the head of a for; within the brackets of an index. */
bool cc_begins_for(const CcParser *p);
bool cc_within_subscript(const CcParser *p);
/* Does not report the next syntax error: it follows from what was said. */
void cc_hush(CcParser *p);

/* Opens the scanner over the text; close with cc_tokens_close. */
void cc_tokens_open(CcParser *p, const char *text, size_t size);
void cc_tokens_close(CcParser *p);

#endif
