/* front.h - what the whole front end shares: the parser's state, names and scopes, types, reports.
 *
 *   cpp text --syntax/lexer.l--> raw tokens --syntax/tokens.c--> tokens (typedef names told apart, strings joined)
 *      --syntax/grammar.y--> calls of sema/sema.h --> typed tree (tree/tree.h)
 *
 * There is no untyped tree: each grammar action builds typed nodes at once, because C cannot be parsed without knowing
 * which names are types. Everything hangs from a CcParser, one per translation unit; nothing is global.
 *
 * An expression in error has type parser->error_type (compared by identity) and silences all that is built from it.
 */
#ifndef ORRERY_COMPILER_FRONT_H
#define ORRERY_COMPILER_FRONT_H

#include "base/nearest.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

typedef struct CcParser CcParser;
typedef struct CcIdent CcIdent;
typedef struct CcScope CcScope;
typedef struct CcBinding CcBinding;

enum {
    CC_MAX_TYPE_DEPTH = 250,  /* derivations and structs inside each other */
    CC_MAX_SUGGESTIONS = 100, /* per unit: they cost a look at every name */
    CC_MAX_NESTING = 5000,    /* brackets and statements inside each other, levels of a type */
    CC_MAX_DEPTH = 20000,     /* of an expression's tree */
};
#define CC_MAX_INITIALISED ((uint64_t)1 << 30) /* bytes that a static object with initialiser takes in the file */
#define CC_MAX_OBJECT      ((uint64_t)1 << 47) /* bytes: beyond, an array or struct is too large */

/* -- names (scope.c) --------------------------------------------------------------------------- */

/* A spelling, kept once: equal names are equal pointers. It knows what it means at this point of the parse. */
struct CcIdent {
    const char *text;
    uint32_t length, hash;
    int keyword; /* token number, or 0 */
    CcBinding *ordinary, *tag;
    CcLabel *label; /* valid while label_function is the current function's serial */
    unsigned label_function;
    const CcSymbol *ended; /* its last meaning in a block that was left, of the function of that serial */
    unsigned ended_in;
    CcIdent *next_in_bucket, *next; /* next: in order of first appearance */
};
struct CcBinding {
    CcIdent *ident;
    CcScope *scope;
    CcSymbol *symbol; /* ordinary names */
    CcType *type;     /* tags */
    CcBinding *shadowed, *next;
};
typedef enum CcScopeKind { CC_SCOPE_FILE, CC_SCOPE_PROTOTYPE, CC_SCOPE_BLOCK } CcScopeKind;
struct CcScope {
    CcScopeKind kind;
    CcScope *outer;
    CcBinding *first, *last;
    bool open;
    struct CcLocalLabel *local_labels;
    const struct CcFence *fence; /* the innermost one here */
};
/* What no jump may enter (C11 6.8.6.1p1, 6.8.4.2p2): the scope of a variably modified name, from its declaration on, or
 * a statement expression. */
typedef struct CcFence {
    const struct CcFence *outer;
    const CcSymbol *symbol; /* NULL: statement expression */
} CcFence;
typedef struct CcJump { /* a goto, to be judged at the end of the function */
    struct CcJump *next;
    const CcLabel *label;
    const CcFence *from;
    CcLoc loc;
} CcJump;
typedef struct CcLocalLabel { /* GNU __label__: hides what the name meant as a label outside */
    struct CcLocalLabel *next;
    CcIdent *ident;
    CcLabel *hidden;
    unsigned hidden_function;
} CcLocalLabel;
typedef struct CcNames {
    CcIdent **buckets;
    uint32_t n_buckets, n_idents;
    CcIdent *first, *last;
} CcNames;

void cc_scope_init(CcParser *p);
CcIdent *cc_scope_ident(CcParser *p, const char *text, size_t length);
CcScope *cc_scope_push(CcParser *p, CcScopeKind kind);
void cc_scope_pop(CcParser *p);
/* Opens a scope again, with all it held (a prototype's parameters in the function's body). */
void cc_scope_reopen(CcParser *p, CcScope *scope);
void cc_scope_bind(CcParser *p, CcScope *scope, CcIdent *ident, CcSymbol *symbol);
void cc_scope_bind_tag(CcParser *p, CcScope *scope, CcIdent *ident, CcType *type);
CcSymbol *cc_scope_new_symbol(CcParser *p, CcSymbolKind kind, const char *name, CcType *type, CcLoc loc);
/* The visible meaning, or NULL. */
CcSymbol *cc_scope_lookup(const CcIdent *ident);
/* -- parsing state ----------------------------------------------------------------------------- */

typedef struct CcStmtList {
    CcStmt *first, *last;
} CcStmtList;

/* What is true inside one function body. */
typedef struct CcFunctionState {
    CcSymbol *symbol;
    CcType *type;
    unsigned serial;
    CcLabel **labels;
    unsigned n_labels;
    CcJump *jumps;
    CcSymbol *name_symbol; /* __func__ */
    CcScope *outermost;
} CcFunctionState;

/* An enclosing loop or switch. */
typedef struct CcContext {
    struct CcContext *outer;
    bool loop;
    CcStmt *statement; /* the switch */
    CcType *operand_type;
    const CcFence *fence;
    CcStmt *last_case;
    bool broken; /* a break leaves it */
} CcContext;

typedef struct CcPragma { /* #pragma weak name [= other], redefine_extname name other */
    struct CcPragma *next;
    const char *name, *other;
    bool weak;
    CcLoc loc;
} CcPragma;
typedef struct CcToldHeader {
    struct CcToldHeader *next;
    const char *header;
    bool as_error;
} CcToldHeader;
struct CcParser {
    CcUnit *unit;
    CcArena *arena;
    void *scanner;
    const char *text_start, *line_start; /* in the scanner's copy of the text */
    uint32_t file, line;
    struct { /* the text of this line before the marker that cut it: a macro of a system header was expanded in it */
        uint32_t file, line;
        size_t length;
    } cut;
    struct CcTokenQueue *queue;
    bool stop;                 /* a fatal error was reported: end of input from here on */
    unsigned damaged;          /* 2: a literal without end was read in this statement; 1: its ';' was the last token */
    struct {                   /* where the token that was read last stands, as its reader (syntax/) says */
        bool begins_for;       /* it is the first = in the head of a for */
        bool within_subscript; /* within the brackets of an index */
    } at;
    CcLoc last_token;

    CcNames names;
    GHashTable *file_names; /* name -> index + 1 */
    GHashTable *linkage;    /* name -> CcSymbol with linkage, declared in any scope */
    CcScope *scope, *file_scope;
    CcType *basic[CC_UNION + 1];
    CcType *error_type, *char_pointer, *const_char_pointer, *void_pointer, *const_void_pointer;
    CcFunctionState *function;
    CcContext *context;
    unsigned suggestions;
    struct CcToldHeader *told_headers; /* hints.c: headers that were said to be missing */
    unsigned serial;                   /* unique names */
    unsigned depth;                    /* nested statements */

    unsigned enumerating; /* lists of enumerators open: names there are no types */
    bool in_static_value; /* folding for a static initialiser: it must come to a number */
    CcPragma *pragmas;    /* to be applied at the end, last one first */
    struct {              /* #pragma pack: greatest alignment of members, 0: none; and what push has saved */
        uint32_t align, saved[32];
        unsigned n_saved;
    } pack;
};

/* -- types (types.c) --------------------------------------------------------------------------- */

void cc_types_init(CcParser *p);
CcType *cc_type_pointer_to(CcParser *p, CcType *target);
CcType *cc_type_array_of(CcParser *p, CcType *element, uint64_t length);
CcType *cc_type_function(CcParser *p, CcType *result, CcType **parameters, unsigned n, bool variadic, bool old_style);
CcType *cc_type_tag(CcParser *p, CcKind kind, const char *name, CcLoc loc);
void cc_type_complete_tag(CcType *type); /* copies size, align and state of the tag to all its variants */
CcType *cc_type_copy(CcParser *p, const CcType *type);
CcType *cc_type_qualified(CcParser *p, CcType *type, unsigned qualifiers); /* adds; arrays: to the elements */
CcType *cc_type_unqualified(CcParser *p, CcType *type);
CcType *cc_type_composite(CcParser *p, CcType *a, CcType *b);
CcType *cc_type_evaluated(CcParser *p, CcType *type); /* the same without length expressions */

/* -- names that nothing declares (hints.c, library.c) ------------------------------------------ */

/* The library's function of that name as it would be declared; NULL: not in the table. */
CcSymbol *cc_library_function(CcParser *p, const char *name, CcLoc loc);
/* A function of the runtime that only the compiler calls; signature as in library.def. */
CcSymbol *cc_library_runtime_function(CcParser *p, const char *name, const char *signature, CcLoc loc);
/* One that nobody declared. */
CcSymbol *cc_library_implicit_function(CcParser *p, CcIdent *ident, CcLoc loc);
/* "stdio.h" for printf; NULL. */
const char *cc_library_header_of(const char *name);
/* Tries the constants of headers that were included. */
void cc_library_suggest(CcParser *p, BaseNearest *nearest);
/* The visible name most like `ident` (of any ordinary kind), or NULL. */
const char *cc_hint_suggest(CcParser *p, const char *text, bool functions_only);
/* The complete struct, union or enum whose tag is most like that of the type, or NULL. */
const char *cc_hint_suggest_tag(CcParser *p, const CcType *type);
/* "; ..." for names that other languages have, or NULL. */
const char *cc_hint_foreign(const char *name);
/* What may help with a name that nothing declares: "; include <stdio.h>", "; did you mean 'x'?" or ""; g_free. */
char *cc_hint_unknown_name(CcParser *p, const char *name, bool functions_only);
/* Whether a missing header was told of already, as an error if this is one: one header, one report. It is now. */
bool cc_hint_told_header(CcParser *p, const char *header, bool as_error);
/* The same for a hint; false: it names no header. */
bool cc_hint_was_told(CcParser *p, const char *hint, bool as_error);
/* After the report that ended in the hint. True: what was meant is a keyword. */
bool cc_hint_fix(CcParser *p, CcLoc loc, const char *hint);

/* -- reports (report.c) ------------------------------------------------------------------------ */

void cc_front_error(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
void cc_front_warning(CcParser *p, CcLoc loc, const char *option, const char *format, ...) G_GNUC_PRINTF(4, 5);
void cc_front_note(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Reports and ends parsing. */
void cc_front_fatal(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Does not report the next syntax error: it follows from what was said. */
static inline void cc_front_hush(CcParser *p)
{
    p->damaged = 2;
}
/* Just behind the token before the last one read: where something is missing. */
CcLoc cc_front_behind_previous(const CcParser *p);
/* From the start of the first to the end of the last, or of the line if the last stands in another. */
CcLoc cc_front_join_locs(CcLoc first, CcLoc last);

/* -- the unit (unit.c) ------------------------------------------------------------------------- */

CcUnit *cc_unit_new(const char *text, size_t size, const char *name, const CcOptions *options,
                    CcDiagnostics *diagnostics);
void cc_unit_free(CcUnit *unit);
/* Whether a file whose name ends so took part. */
bool cc_unit_includes(const CcUnit *unit, const char *header);

#endif
