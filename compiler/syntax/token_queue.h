/* token_queue.h - shared by the files that read tokens: the tokens read ahead, and the position of the parser. */
#ifndef ORRERY_COMPILER_TOKEN_QUEUE_H
#define ORRERY_COMPILER_TOKEN_QUEUE_H

#include "compiler/syntax/tokens.h"

/* What a bracket holds, judged from the tokens before it. */
typedef enum CcBracketRole {
    CC_IN_GROUP,     /* ( of an expression, a cast or a declarator */
    CC_IN_ARGUMENTS, /* ( behind a name: arguments or parameters */
    CC_IN_CONDITION, /* ( of if, while or switch */
    CC_IN_FOR_HEAD,
    CC_IN_SUBSCRIPT,
    CC_IN_BLOCK,
    CC_IN_RECORD,
    CC_IN_ENUMERATORS,
    CC_IN_LIST, /* { of an initialiser */
} CcBracketRole;

typedef struct CcBracket { /* an open bracket */
    char sign;             /* ( [ or { */
    CcBracketRole role;
    CcLoc loc;
    unsigned indent;    /* {: indentation of its line in columns; UINT_MAX: not known, or another bracket */
    uint32_t left_line; /* {: the first line behind it that is indented no deeper than its own; 0: none yet */
} CcBracket;

typedef struct CcDirectiveState {         /* a line "#pragma omp ..." (directives.c) */
    const struct CcOmpKind *kind;         /* NULL: outside of such a line */
    const struct CcOmpClauseKind *clause; /* NULL: between clauses */
    unsigned depth;                       /* number of ( that are open in the line */
    bool opened;                          /* the last token was a ( */
    bool colon;                           /* the clause has had its colon */
} CcDirectiveState;

typedef struct CcTokenQueue {
    CcDirectiveState directive;
    GArray *replay; /* CcToken: tokens to be read before those of the scanner, from `replayed` on; NULL: none */
    unsigned replayed;
    bool scans_directive; /* the scanner is in a line "#pragma omp ..." */
    CcToken items[8];     /* ring buffer of the raw tokens read ahead */
    unsigned head, count;
    CcToken previous;        /* the last token given to the parser */
    int before;              /* kind of the token before `previous` */
    CcToken last_name;       /* the raw form of `previous` if that is a name (kind RAW_NAME), else of another kind */
    CcIdent *previous_ident; /* the identifier of `previous`, if it is a name */
    unsigned attribute;      /* within __attribute__: one more than its open brackets; 0: not inside */
    unsigned in_declarator;  /* number of attributes still to come behind the ( of a declarator */
    unsigned n_open;         /* number of brackets in `open`, outermost first */
    CcBracket open[CC_MAX_NESTING + 1];
    struct {                     /* state of mend.c */
        unsigned to_close;       /* number of } to insert before the next token */
        bool told_unclosed;      /* an unclosed { was reported */
        bool outside;            /* a statement outside of functions was reported, and no function has begun since */
        CcBracket suspect;       /* first { of this function whose } is indented less deep; sign 0: none */
        uint32_t suspect_closed; /* line of that } */
        CcLoc last_end;          /* the } of the last function */
        bool end_suspect;        /* that } is indented deeper than the line of its { */
        bool record_end;         /* the last } closed a struct, union or enum */
        GHashTable *macros;      /* names of macros that were reported */
    } mend;
    GArray *pieces;    /* CcText: the string literals being joined */
    GArray *locations; /* CcLoc: their locations */
} CcTokenQueue;

/* Reads the next raw token, from the queue or else from the scanner. */
void cc_token_next(CcParser *p, CcToken *token);
/* Makes these tokens the next ones. */
void cc_token_replay(CcParser *p, const CcToken *tokens, unsigned n);
/* Returns the raw token that is `ahead` tokens behind the next one. It is valid until the next call. */
const CcToken *cc_token_peek(CcParser *p, unsigned ahead);
/* Reads up to and including the bracket that closes the one just read. */
void cc_token_skip_group(CcParser *p, char open, char close);
/* Puts the end of the text, which was just read, back for the parser. */
void cc_token_keep_end(CcParser *p, const CcToken *end);
/* Makes a token the next one again. Returns false if the queue is full. */
bool cc_token_put_back(CcParser *p, const CcToken *token);
/* Makes a token that is not in the source the next one. The only name allowed is "if". */
void cc_token_push_front(CcParser *p, int kind, CcLoc loc);

/* -- brackets (brackets.c) --------------------------------------------------------------------- */

/* Opens or closes a bracket if the token, which the parser is about to get, is one. */
void cc_bracket(CcParser *p, const CcToken *token);
/* Opens a { that the source left out, if no bracket is open. */
void cc_bracket_assume(CcParser *p);
/* Forgets the innermost open bracket of that sign and all brackets inside it. */
void cc_bracket_drop(CcParser *p, char sign);
/* Returns the innermost open bracket, or NULL. */
const CcBracket *cc_bracket_innermost(const CcTokenQueue *q);
/* Returns the number of ( that are open inside the innermost {. */
unsigned cc_bracket_parentheses(const CcTokenQueue *q);
static inline bool cc_bracket_is_within(const CcTokenQueue *q, CcBracketRole role)
{
    return q->n_open && q->open[q->n_open - 1].role == role;
}
/* Returns the indentation of the token's line in columns, with a tab every eight columns. UINT_MAX: not known. *first:
 * the token is the first thing in its line. */
unsigned cc_bracket_indent(const CcParser *p, const CcToken *token, bool *first);
/* Updates CcParser.at, the context of the last token for sema. Call it after each token and each bracket that is
 * inserted or dropped. */
void cc_bracket_tell(CcParser *p);

#endif
