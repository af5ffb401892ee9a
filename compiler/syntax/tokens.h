/* tokens.h - between lexer.l and tokens.c: one token with its place and spelling. */
#ifndef ORRERY_COMPILER_TOKENS_H
#define ORRERY_COMPILER_TOKENS_H

#include "compiler/front/front.h"

typedef struct CcToken {
    int kind;
    CcLoc loc;
    const char *text; /* into the scanner's copy of the source */
    size_t length;
} CcToken;

int cc_lexer_scan(CcToken *token, void *scanner);
void cc_token_place(CcParser *p, CcToken *token, const char *text, size_t length);
void cc_token_count_lines(CcParser *p, const char *text, size_t length);
bool cc_token_directive(CcParser *p, const char *text, size_t length);
/* pragma.c: a #pragma line, from behind that word; `line` is where the line starts. */
void cc_pragma(CcParser *p, const char *at, const char *end, const char *line);
int cc_token_curly(CcParser *p, CcToken *token);
int cc_token_typographic(CcParser *p, CcToken *token);
int cc_token_stray(CcParser *p, const CcToken *token, const char *text);

/* After an error at file scope, just behind a {: reads up to and including its }. */
void cc_token_skip_braces(CcParser *p);
/* Reports a token that cannot stand here; `expected` ("expected ';'") may be NULL. */
void cc_syntax_unexpected(CcParser *p, CcLoc loc, bool at_end, const char *expected, bool after_previous);

/* Says that the { of a function is missing, unless something like it was said. */
void cc_syntax_missing_brace(CcParser *p, const char *function);
/* A list in braces was not closed before this ';': makes it the next token again. */
void cc_token_unread_semicolon(CcParser *p, CcLoc loc);
/* Puts a ; in front of the name that was read last, which will be read again; false: that was no name. */
bool cc_token_end_before_name(CcParser *p);
/* An else that no if waits for; `first`: the statements of the block before it. */
void cc_syntax_else_without_if(CcParser *p, const CcStmt *first, CcLoc loc);
/* f(int x), unless something else was said of the statement. */
void cc_syntax_type_in_call(CcParser *p, const CcIdent *ident, CcLoc loc);
/* A { at file scope: reports and skips it up to its }. */
void cc_syntax_body_without_head(CcParser *p, CcLoc loc);

/* Opens the scanner over the text; close with cc_tokens_close. */
void cc_tokens_open(CcParser *p, const char *text, size_t size);
void cc_tokens_close(CcParser *p);

#endif
