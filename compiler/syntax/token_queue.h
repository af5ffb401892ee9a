/* token_queue.h - what the files that read tokens share: those that were read ahead, and where the parser is. */
#ifndef ORRERY_COMPILER_TOKEN_QUEUE_H
#define ORRERY_COMPILER_TOKEN_QUEUE_H

#include "compiler/syntax/tokens.h"

/* What a bracket holds, as the tokens before it tell. */
typedef enum CcBracketRole {
    CC_IN_GROUP,     /* ( of an expression, a cast, a declarator */
    CC_IN_ARGUMENTS, /* ( behind a name: of a call, or of parameters */
    CC_IN_CONDITION, /* ( of if, while, switch */
    CC_IN_FOR_HEAD,
    CC_IN_SUBSCRIPT,
    CC_IN_BLOCK,
    CC_IN_RECORD,
    CC_IN_ENUMERATORS,
    CC_IN_LIST, /* { of an initialiser */
} CcBracketRole;

typedef struct CcBracket {
    char sign; /* ( [ { */
    CcBracketRole role;
    CcLoc loc;
    unsigned indent;    /* of the line that it stands in */
    uint32_t left_line; /* {: the first line behind it that begins no deeper than that one; 0: none yet */
} CcBracket;

typedef struct CcTokenQueue {
    CcToken items[8];
    unsigned head, count;
    CcToken previous;  /* last one given to the parser */
    int before;        /* the kind of the one before that */
    CcToken last_name; /* the same, as it was read, if it is a name; else of another kind */
    CcIdent *previous_ident;
    unsigned attribute;     /* brackets open within __attribute__, 0: not inside; 1: its first ( is still to come */
    unsigned in_declarator; /* attributes behind the ( of a declarator that are still to come */
    unsigned n_open;        /* brackets not closed yet, outermost first */
    CcBracket open[CC_MAX_NESTING + 1];
    struct {                /* what mend.c has found out */
        unsigned to_close;  /* so many { are to be closed before the next token */
        bool told_unclosed; /* a { that is not closed was reported */
        bool outside;       /* a statement outside of functions was reported, and no function began since */
        CcBracket suspect;  /* { whose } stands less deep than it; sign 0: none in this function */
        uint32_t suspect_closed;
        CcLoc last_end;     /* of the last function: its } */
        bool end_suspect;   /* that } stands deeper than the line of the { */
        bool record_end;    /* the last } was that of a struct, union or enum */
        GHashTable *macros; /* names that were reported */
    } mend;
    GArray *pieces; /* of strings being joined: CcText */
    GArray *locations;
} CcTokenQueue;

void cc_token_next(CcParser *p, CcToken *token);
const CcToken *cc_token_peek(CcParser *p, unsigned ahead);
/* Reads up to and including the bracket that closes the one just read. */
void cc_token_skip_group(CcParser *p, char open, char close);
/* The end of the text was read: the parser must see it too. */
void cc_token_keep_end(CcParser *p, const CcToken *end);
/* Makes a token the next one again; false: no room. */
bool cc_token_put_back(CcParser *p, const CcToken *token);
/* The same with one that nobody wrote; of names "if" only. */
void cc_token_push_front(CcParser *p, int kind, CcLoc loc);

/* -- brackets (brackets.c) --------------------------------------------------------------------- */

/* Counts a token that the parser gets. */
void cc_bracket(CcParser *p, const CcToken *token);
/* A { that was left out, around all that follows. */
void cc_bracket_assume(CcParser *p);
/* Forgets the innermost bracket of that sign. */
void cc_bracket_drop(CcParser *p, char sign);
/* The innermost, or NULL. */
const CcBracket *cc_bracket_innermost(const CcTokenQueue *q);
/* Open ones of an expression, within the innermost { */
unsigned cc_bracket_parentheses(const CcTokenQueue *q);
static inline bool cc_bracket_is_within(const CcTokenQueue *q, CcBracketRole role)
{
    return q->n_open && q->open[q->n_open - 1].role == role;
}
/* The column of the first thing in the line of the token, tabs as in an editor; UINT_MAX: not known. *first: it is the
 * token itself. */
unsigned cc_bracket_indent(const CcParser *p, const CcToken *token, bool *first);
/* Tells sema where the last token stands: CcParser.at. After each one, and where brackets are made up. */
void cc_bracket_tell(CcParser *p);

#endif
