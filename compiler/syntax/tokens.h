/* tokens.h - a token with its place and spelling; functions that scanner, token queue and grammar share. */
#ifndef ORRERY_COMPILER_TOKENS_H
#define ORRERY_COMPILER_TOKENS_H

#include "compiler/front/front.h"

typedef struct CcToken {
    int kind;
    CcLoc loc;
    const char *text; /* in the scanner's copy of the source, or elsewhere if the token is not in the source */
    size_t length;
} CcToken;

/* Scans a raw token (lexer.l). Returns its kind, or 0 at the end of the text. */
int cc_lexer_scan(CcToken *token, void *scanner);
/* Sets location, text and length of a token. */
void cc_token_place(CcParser *p, CcToken *token, const char *text, size_t length);
/* Counts the lines of a comment. */
void cc_token_count_lines(CcParser *p, const char *text, size_t length);
/* Obeys a line that starts with #: a marker or a pragma. Returns false if the # is not the first thing in its line. */
bool cc_token_directive(CcParser *p, const char *text, size_t length);
/* Whether the line is a directive of OpenMP that is obeyed. Returns the length of "#pragma omp", or 0. The scanner then
 * returns OMP_PRAGMA and reads the rest of the line as tokens. */
size_t cc_token_begins_directive(CcParser *p, const char *text, size_t length);
/* Whether the end of the line ends a directive. */
bool cc_token_ends_directive(CcParser *p);
/* Obeys a #pragma (pragma.c). [at, end) is the text behind that word, `line` the start of the line. */
void cc_pragma(CcParser *p, const char *at, const char *end, const char *line);
/* Report characters that are not C: text in curly quotes, other signs of word processors, stray bytes. They return the
 * kind of the token that was meant, or RAW_BAD; 0: skip the character. */
int cc_token_curly(CcParser *p, CcToken *token);
int cc_token_typographic(CcParser *p, CcToken *token);
int cc_token_stray(CcParser *p, const CcToken *token, const char *text);

/* Recovers from an error just behind a {: reads up to and including its }. */
void cc_token_skip_braces(CcParser *p);
/* Reports an unexpected token. `expected` ("expected ';'") may be NULL. `after_previous`: the report points behind the
 * token before it. */
void cc_syntax_unexpected(CcParser *p, CcLoc loc, bool at_end, const char *expected, bool after_previous);

/* Reports that the { of a function is missing, unless a report about the same has been made. */
void cc_syntax_missing_brace(CcParser *p, const char *function);
/* Makes the ';' just read the next token again, because a list in braces was not closed before it. */
void cc_token_unread_semicolon(CcParser *p, CcLoc loc);
/* Makes the name that was read last the next token again and puts a ';' in front of it. Returns false if the last token
 * was no name. */
bool cc_token_end_before_name(CcParser *p);
/* Reports an else without if. `first` is the list of statements in the block before it. */
void cc_syntax_else_without_if(CcParser *p, const CcStmt *first, CcLoc loc);
/* Reports a type in a call, like f(int x), unless the statement has another error. */
void cc_syntax_type_in_call(CcParser *p, const CcIdent *ident, CcLoc loc);
/* Reports a { at file scope and skips to behind its }. */
void cc_syntax_body_without_head(CcParser *p, CcLoc loc);

/* Opens the scanner over the text. The caller closes it with cc_tokens_close(). */
void cc_tokens_open(CcParser *p, const char *text, size_t size);
void cc_tokens_close(CcParser *p);

#endif
