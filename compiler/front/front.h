/* front.h - shared by the whole front end: the parser's state, names and scopes, types, reports.
 *
 *   cpp text --syntax/lexer.l--> raw tokens --syntax/tokens.c--> tokens (typedef names told apart, strings joined)
 *      --syntax/grammar.y--> calls of sema/sema.h --> typed tree (tree/tree.h)
 *
 * There is no untyped tree. C cannot be parsed without knowing which names are types, so each grammar action builds
 * typed nodes at once. A CcParser holds all state of a translation unit; nothing is global.
 *
 * A wrong expression has the type parser->error_type (compared by identity). Expressions built from it cause no further
 * reports.
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
typedef struct CcInquired CcInquired;

enum {
    CC_MAX_TYPE_DEPTH = 250,  /* levels of a type: nested derivations and structs */
    CC_MAX_SUGGESTIONS = 100, /* suggestions per unit, because each searches all names */
    CC_MAX_NESTING = 5000,    /* nested brackets and nested statements */
    CC_MAX_DEPTH = 20000,     /* height of an expression's tree */
};
#define CC_MAX_INITIALISED ((uint64_t)1 << 30) /* bytes of a static object with initialiser, which fill the file */
#define CC_MAX_OBJECT      ((uint64_t)1 << 47) /* bytes of an array or struct */

/* -- names (scope.c) --------------------------------------------------------------------------- */

/* An interned spelling: equal names are equal pointers. It points to its meanings at the current point of the parse. */
struct CcIdent {
    const char *text;
    uint32_t length, hash;
    int keyword;               /* token number; 0: not a keyword */
    CcBinding *ordinary, *tag; /* innermost visible bindings; NULL: none */
    CcLabel *label;            /* valid only while label_function is the serial of the current function */
    unsigned label_function;
    const CcSymbol *ended;          /* its last meaning in a scope that has ended, for a hint; NULL: none */
    unsigned ended_in;              /* serial of the function that had that scope */
    CcIdent *next_in_bucket, *next; /* hash chain; all identifiers in the order of first appearance */
};
struct CcBinding { /* the meaning that a scope gives a name */
    CcIdent *ident;
    CcScope *scope;
    CcSymbol *symbol;           /* for an ordinary name, else NULL */
    CcType *type;               /* for a tag, else NULL */
    CcBinding *shadowed, *next; /* the binding of an outer scope that it hides; the next binding of the same scope */
};
typedef enum CcScopeKind { CC_SCOPE_FILE, CC_SCOPE_PROTOTYPE, CC_SCOPE_BLOCK } CcScopeKind;
struct CcScope {
    CcScopeKind kind;
    CcScope *outer;
    CcBinding *first, *last;
    bool open; /* pushed or reopened, and not popped since */
    struct CcLocalLabel *local_labels;
    const struct CcFence *fence; /* the innermost fence at the current point; NULL: none */
};
/* A region that no jump may enter (C11 6.8.6.1p1, 6.8.4.2p2): the scope of a variably modified name from its
 * declaration on, or a statement expression. */
typedef struct CcFence {
    const struct CcFence *outer;
    const CcSymbol *symbol; /* the variably modified name; NULL: statement expression */
} CcFence;
/* The structured block of a directive of OpenMP: no jump may enter or leave it. */
typedef struct CcBlockOfDirective {
    struct CcBlockOfDirective *outer;
    const char *directive;     /* "parallel for" */
    CcLoc loc;                 /* of the directive */
    struct CcContext *context; /* the innermost loop or switch around it */
} CcBlockOfDirective;

/* A part of a function that becomes a function of its own (sema/regions.c): the block of a directive of OpenMP that
 * other threads run, or a task runs later. */
typedef enum CcRegionKind {
    CC_REGION_PARALLEL, /* variables of the function are shared */
    CC_REGION_TASK,     /* those that the team does not share are copied when the task is made */
    CC_REGION_TARGET,   /* scalars are copied */
} CcRegionKind;
typedef struct CcListed { /* what a clause says of a variable */
    struct CcListed *next;
    const CcSymbol *symbol;
    bool by_value; /* the region gets a copy; false: it is shared */
} CcListed;
typedef struct CcRegion {
    struct CcRegion *outer;
    CcRegionKind kind;
    const char *directive;
    CcLoc loc;
    enum { CC_DEFAULT_RULES, CC_DEFAULT_SHARED, CC_DEFAULT_NONE } rule; /* the clause default */
    bool before; /* what is read now is evaluated in front of the region */
    CcListed *listed;
    CcSymbol *function; /* the function that it becomes */
    CcSymbol *record;   /* the parameter of that function */
    CcCapture *captures;
    uint32_t n_captures, capacity;
    uint64_t size; /* bytes of the record so far */
    uint32_t align;
} CcRegion;

/* A goto or a label's address, to be checked at the end of the function when all labels are known. */
typedef struct CcJump {
    struct CcJump *next;
    const CcLabel *label;
    const CcFence *from; /* the innermost fence around the goto */
    const CcBlockOfDirective *block;
    CcLoc loc;
    CcExpr *address; /* the expression &&label: where it is used is not known; NULL: a goto */
} CcJump;
typedef struct CcLocalLabel { /* GNU __label__: hides the outer label of the same name in its block */
    struct CcLocalLabel *next;
    CcIdent *ident;
    CcLabel *hidden; /* label and label_function of the identifier outside the block */
    unsigned hidden_function;
} CcLocalLabel;
typedef struct CcNames { /* hash table of all identifiers */
    CcIdent **buckets;
    uint32_t n_buckets, n_idents; /* n_buckets is a power of two */
    CcIdent *first, *last;        /* in the order of first appearance */
} CcNames;

void cc_scope_init(CcParser *p);
/* Returns the identifier of that spelling, which it creates if necessary. Expected O(length). */
CcIdent *cc_scope_ident(CcParser *p, const char *text, size_t length);
CcScope *cc_scope_push(CcParser *p, CcScopeKind kind);
/* Leaves the innermost scope. The names that it hid are visible again. */
void cc_scope_pop(CcParser *p);
/* Opens a scope again with all its bindings: the function's body sees the parameters of its prototype. */
void cc_scope_reopen(CcParser *p, CcScope *scope);
/* Give a name a meaning in a scope, as an ordinary name or as a tag. */
void cc_scope_bind(CcParser *p, CcScope *scope, CcIdent *ident, CcSymbol *symbol);
void cc_scope_bind_tag(CcParser *p, CcScope *scope, CcIdent *ident, CcType *type);
/* Returns a new symbol that no name is bound to yet. */
CcSymbol *cc_scope_new_symbol(CcParser *p, CcSymbolKind kind, const char *name, CcType *type, CcLoc loc);
/* Returns the visible meaning of an ordinary name, or NULL. O(1). */
CcSymbol *cc_scope_lookup(const CcIdent *ident);
/* -- parsing state ----------------------------------------------------------------------------- */

typedef struct CcStmtList { /* statements chained by next; both NULL: empty */
    CcStmt *first, *last;
} CcStmtList;

/* State that lasts for one function body. */
typedef struct CcFunctionState {
    CcSymbol *symbol;
    CcType *type;
    unsigned serial; /* unique number of the function in its unit */
    CcLabel **labels;
    unsigned n_labels;
    CcJump *jumps;
    CcSymbol *name_symbol; /* __func__; NULL until it is used */
    CcScope *outermost;    /* the scope of the parameters and the outermost block */
    unsigned n_regions;    /* number of its outlined regions so far */
} CcFunctionState;

/* An enclosing loop or switch: the target of break and continue. */
typedef struct CcContext {
    struct CcContext *outer;
    bool loop;
    CcStmt *statement;     /* the switch; NULL: a loop */
    CcType *operand_type;  /* switch: the promoted type of its operand */
    const CcFence *fence;  /* switch: the innermost fence around it */
    CcStmt *last_case;     /* switch: end of the list of its cases */
    bool broken;           /* a break leaves it */
    const char *directive; /* a loop whose iterations a directive of OpenMP hands out: its name; NULL: no such loop */
} CcContext;

typedef struct CcPragma { /* #pragma weak name [= other], #pragma redefine_extname name other */
    struct CcPragma *next;
    const char *name, *other; /* other NULL: none */
    bool weak;                /* false: redefine_extname */
    CcLoc loc;
} CcPragma;
typedef struct CcToldHeader { /* a header that a hint has named as missing */
    struct CcToldHeader *next;
    const char *header;
    bool as_error; /* in an error; false: in a warning */
} CcToldHeader;
struct CcParser {
    CcUnit *unit;
    CcArena *arena;
    void *scanner;
    const char *text_start, *line_start; /* in the scanner's copy of the text */
    uint32_t file, line;
    struct {                 /* a line that a marker cut, because it expands a macro of a system header */
        uint32_t file, line; /* the line */
        size_t length;       /* bytes of it before the marker, which columns behind the marker add */
    } cut;
    struct CcTokenQueue *queue;
    CcInquired *inquiry; /* the text is what a user of the debugger asks, no unit; else NULL */
    bool inquiry_begun;  /* its first token has been read */
    bool told_openmp;    /* it was said that pragmas of OpenMP are ignored */
    bool stop;           /* a fatal error was reported: the parser sees the end of input from here on */
    unsigned damaged;    /* 2: an unterminated literal was read in this statement; 1: its ';' was the last token */
    struct {             /* context of the token read last, set by its reader (syntax/) */
        bool begins_for; /* it is the first = in the head of a for */
        bool within_subscript; /* it is within the brackets of an index */
    } at;
    CcLoc last_token; /* the token before the one read last */

    CcNames names;
    GHashTable *file_names; /* name -> index in unit->files, plus 1 */
    GHashTable *linkage;    /* name -> CcSymbol: functions and objects with linkage, declared in any scope */
    CcScope *scope, *file_scope;
    CcType *basic[CC_UNION + 1]; /* by kind; NULL for kinds that are not basic types */
    CcType *error_type, *char_pointer, *const_char_pointer, *void_pointer, *const_void_pointer;
    CcFunctionState *function;             /* NULL: at file scope */
    CcContext *context;                    /* the innermost loop or switch; NULL: none */
    CcBlockOfDirective *block;             /* the innermost structured block; NULL: none */
    CcRegion *region;                      /* the innermost outlined region; NULL: none */
    struct CcOmpConstruct *omp;            /* the innermost construct of OpenMP; NULL: none */
    struct CcThreadObject *thread_objects; /* objects with thread storage that the unit uses (thread_storage.c) */
    struct CcOmpDeclared *reductions;      /* those that declare reduction has made, the last one first */
    unsigned suggestions;                  /* number of searches so far, at most CC_MAX_SUGGESTIONS */
    struct CcToldHeader *told_headers;     /* hints.c */
    unsigned serial;                       /* counter for unique names and functions */
    unsigned depth;                        /* nested statements */

    unsigned enumerating; /* number of open lists of enumerators, in which a name is no type */
    bool in_static_value; /* an initialiser of a static object is being folded: it must become a number */
    CcPragma *pragmas;    /* to be applied at the end of the unit, the last one first */
    struct {              /* #pragma pack: greatest alignment of members in bytes (0: no limit), and the saved ones */
        uint32_t align, saved[32];
        unsigned n_saved;
    } pack;
};

/* What a user of the debugger asks: an expression or the name of a type, without declarations of what it mentions. */
struct CcInquired {
    void (*declare)(CcParser *p, void *user); /* declares what the text mentions */
    void *user;
    CcExpr *expr; /* the result; NULL: it is a type, or wrong */
    CcType *type;
};

/* -- types (types.c) --------------------------------------------------------------------------- */

/* Creates the basic types of the unit. */
void cc_types_init(CcParser *p);
CcType *cc_type_pointer_to(CcParser *p, CcType *target);
CcType *cc_type_array_of(CcParser *p, CcType *element, uint64_t length);
CcType *cc_type_function(CcParser *p, CcType *result, CcType **parameters, unsigned n, bool variadic, bool old_style);
/* Returns a new struct, union or enum type without members. `name` NULL: no tag. */
CcType *cc_type_tag(CcParser *p, CcKind kind, const char *name, CcLoc loc);
/* Copies size, alignment and completeness of the tag to all its variants. */
void cc_type_complete_tag(CcType *type);
/* Returns a copy of the type. The copy of a struct, union or enum becomes a variant of the same tag. */
CcType *cc_type_copy(CcParser *p, const CcType *type);
/* Returns the type with the qualifiers added, for an array to its elements (C11 6.7.3p9). */
CcType *cc_type_qualified(CcParser *p, CcType *type, unsigned qualifiers);
CcType *cc_type_unqualified(CcParser *p, CcType *type);
/* Returns the composite type of two compatible types (C11 6.2.7p3). */
CcType *cc_type_composite(CcParser *p, CcType *a, CcType *b);
/* Returns the type without length expressions: they have been evaluated, and the length symbols hold their values. */
CcType *cc_type_evaluated(CcParser *p, CcType *type);

/* -- names that nothing declares (hints.c, library.c) ------------------------------------------ */

/* Returns the function of that name with linkage. If the program has not declared it, it is declared as library.def
 * says. NULL: the name is not in the table, or the program declares something else by it. */
CcSymbol *cc_library_function(CcParser *p, const char *name, CcLoc loc);
/* Returns a function of the runtime that only the compiler calls. `signature` is as in library.def. */
CcSymbol *cc_library_runtime_function(CcParser *p, const char *name, const char *signature, CcLoc loc);
/* Declares a function that is called without a declaration, and warns. Binds the name at file scope. */
CcSymbol *cc_library_implicit_function(CcParser *p, CcIdent *ident, CcLoc loc);
/* Returns the header that declares the name ("stdio.h" for printf), or NULL. */
const char *cc_library_header_of(const char *name);
/* Offers the names of library.def whose headers are included to the search for the nearest name. */
void cc_library_suggest(CcParser *p, BaseNearest *nearest);
/* Returns the visible ordinary name, keyword or macro that is most like `text`, or NULL. */
const char *cc_hint_suggest(CcParser *p, const char *text, bool functions_only);
/* Returns the tag of the complete struct, union or enum that is most like the type's tag, or NULL. */
const char *cc_hint_suggest_tag(CcParser *p, const CcType *type);
/* Returns a hint "; ..." for a name that other languages have, or NULL. The text is static. */
const char *cc_hint_foreign(const char *name);
/* Returns a hint for a name that nothing declares: "; include <stdio.h>", "; did you mean 'x'?" or "". The caller frees
 * it with g_free(). */
char *cc_hint_unknown_name(CcParser *p, const char *name, bool functions_only);
/* Whether a report has named this header as missing before. A warning does not count if this report is an error.
 * Remembers the header otherwise: one header, one report. */
bool cc_hint_told_header(CcParser *p, const char *header, bool as_error);
/* Like cc_hint_told_header(), for the header in a hint. Returns false if the hint names no header. */
bool cc_hint_was_told(CcParser *p, const char *hint, bool as_error);
/* Suggests the name in the hint as a correction of the report that ended in it. Returns true if the name is a keyword.
 */
bool cc_hint_fix(CcParser *p, CcLoc loc, const char *hint);

/* -- reports (report.c) ------------------------------------------------------------------------ */

void cc_front_error(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
void cc_front_warning(CcParser *p, CcLoc loc, const char *option, const char *format, ...) G_GNUC_PRINTF(4, 5);
void cc_front_note(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Reports a fatal error and ends parsing. */
void cc_front_fatal(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Suppresses the next syntax error, which follows from an error reported before. */
static inline void cc_front_hush(CcParser *p)
{
    p->damaged = 2;
}
/* Returns the location just behind the token before the one read last: something is missing there. */
CcLoc cc_front_behind_previous(const CcParser *p);
/* Returns the range from the start of `first` to the end of `last`, or to the end of the line if `last` is in a later
 * line. */
CcLoc cc_front_join_locs(CcLoc first, CcLoc last);

/* -- the unit (unit.c) ------------------------------------------------------------------------- */

/* Creates a unit for the preprocessed text. Text, options and diagnostics must outlive it. The caller frees it with
 * cc_unit_free(). */
CcUnit *cc_unit_new(const char *text, size_t size, const char *name, const CcOptions *options,
                    CcDiagnostics *diagnostics);
void cc_unit_free(CcUnit *unit);
/* Whether the unit contains a file whose name ends in `header`. O(number of files). */
bool cc_unit_includes(const CcUnit *unit, const char *header);

/* -- uses of names (uses.c) --------------------------------------------------------------------- */

/* CcUnit.uses is the record of where names are declared and used, which the parser keeps if an index is asked for. It
 * is NULL in plain compiling, so that each call here costs one test. */
typedef enum CcUseOf { CC_USE_OF_SYMBOL, CC_USE_OF_TAG, CC_USE_OF_MEMBER, CC_USE_OF_LABEL } CcUseOf;
typedef struct CcUse {
    const void *object; /* CcSymbol, CcTag, CcMember or CcLabel */
    CcUseOf what;
    uint8_t role; /* CcRole of compiler.h: 0 use, 1 declaration, 2 definition */
    CcLoc loc;
    const CcSymbol *function; /* in which it is; NULL: file scope */
} CcUse;

typedef struct CcUses {
    GArray *uses;    /* CcUse, in the order of the parser */
    GPtrArray *tags; /* CcType *: struct, union and enum types, each tag once, with `functions` beside it */
    GPtrArray *functions;
    const char *probe;       /* spelling that is probed; NULL: none */
    int probed;              /* the token before the probe, as in grammar.h; -1: the probe was not met */
    GPtrArray *visible;      /* CcSymbol *: ordinary names that are visible at the probe */
    GPtrArray *visible_tags; /* CcTag * */
    const CcTag *members;    /* whose members could stand at the probe; NULL: no member can */
    const CcSymbol *within;  /* the function around the probe; NULL: none */
} CcUses;

CcUses *cc_uses_new(const char *probe);
void cc_uses_free(CcUses *uses);
void cc_uses_add(CcParser *p, CcUseOf what, const void *object, unsigned role, CcLoc loc);
void cc_uses_add_tag(CcParser *p, CcType *type);
/* Notes what is visible if the name just read is the probe. `before` is the token before it. */
void cc_uses_probe(CcParser *p, const char *name, int before);
/* Notes that a member of the type is asked for. */
void cc_uses_probe_member(CcParser *p, const char *name, const CcType *type);

static inline void cc_use_symbol(CcParser *p, const CcSymbol *symbol, unsigned role, CcLoc loc)
{
    if (p->unit->uses)
        cc_uses_add(p, CC_USE_OF_SYMBOL, symbol, role, loc);
}
static inline void cc_use_tag(CcParser *p, const CcTag *tag, unsigned role, CcLoc loc)
{
    if (p->unit->uses)
        cc_uses_add(p, CC_USE_OF_TAG, tag, role, loc);
}
static inline void cc_use_member(CcParser *p, const CcMember *member, CcLoc loc)
{
    if (p->unit->uses && member)
        cc_uses_add(p, CC_USE_OF_MEMBER, member, 0, loc);
}
static inline void cc_use_label(CcParser *p, const CcLabel *label, unsigned role, CcLoc loc)
{
    if (p->unit->uses)
        cc_uses_add(p, CC_USE_OF_LABEL, label, role, loc);
}

#endif
