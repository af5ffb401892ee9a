/* front.h - what the files of the front end share.
 *
 *   cpp text --lexer.l--> raw tokens --tokens.c--> tokens (typedef names told apart, strings joined)
 *      --grammar.y--> calls into sema_*.c --> typed tree (ast.h)
 *
 * There is no untyped tree: each grammar action builds typed nodes at once, because C cannot be parsed without knowing
 * which names are types. Everything hangs from a CcParser, one per translation unit; nothing is global.
 *
 * An expression in error has type parser->error_type (compared by identity) and silences all that is built from it.
 */
#ifndef ORRERY_COMPILER_FRONT_H
#define ORRERY_COMPILER_FRONT_H

#include "compiler/ast.h"

typedef struct CcParser CcParser;
typedef struct CcIdent CcIdent;
typedef struct CcScope CcScope;
typedef struct CcBinding CcBinding;

enum {
    CC_MAX_TYPE_DEPTH = 250,  /* derivations and structs inside each other */
    CC_MAX_SUGGESTIONS = 100, /* per unit: they cost a look at every name */
    CC_MAX_NESTING = 5000,    /* brackets and statements inside each other, levels of a type */
    CC_MAX_DEPTH = 20000,     /* of an expression's tree */
    CC_MAX_ERRORS = 20,       /* then compiling stops */
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

void cc_names_init(CcParser *p);
CcIdent *cc_ident(CcParser *p, const char *text, size_t length);
CcScope *cc_scope_push(CcParser *p, CcScopeKind kind);
void cc_scope_pop(CcParser *p);
/* Opens a scope again, with all it held (a prototype's parameters in the function's body). */
void cc_scope_reopen(CcParser *p, CcScope *scope);
void cc_bind(CcParser *p, CcScope *scope, CcIdent *ident, CcSymbol *symbol);
void cc_bind_tag(CcParser *p, CcScope *scope, CcIdent *ident, CcType *type);
/* The visible meaning, or NULL. */
CcSymbol *cc_lookup(const CcIdent *ident);
/* The visible name most like `ident` (of any ordinary kind), or NULL. */
const char *cc_suggest(CcParser *p, const char *text, bool functions_only);
/* The complete struct, union or enum whose tag is most like that of the type, or NULL. */
const char *cc_suggest_tag(CcParser *p, const CcType *type);
/* Of all names that are tried the one most like `wanted`, but not the same; of several as near the first. */
typedef struct CcNearest {
    const char *wanted, *best; /* best: NULL where none is near */
    unsigned limit;            /* farther away is not near; in quarters of a letter */
} CcNearest;
CcNearest cc_nearest(const char *wanted);
void cc_nearest_try(CcNearest *nearest, const char *name);

/* -- tokens (lexer.l, tokens.c, literals.c) ---------------------------------------------------- */

typedef struct CcText { /* a raw spelling inside the source text, or decoded bytes in the arena */
    const char *bytes;
    size_t size;
    CcType *element; /* strings: type of the characters; NULL: not decoded */
} CcText;

CcExpr *cc_number_literal(CcParser *p, const char *text, size_t length, CcLoc loc);
CcExpr *cc_character_literal(CcParser *p, const char *text, size_t length, CcLoc loc);
CcExpr *cc_string_literal(CcParser *p, const CcText *pieces, const CcLoc *locations, size_t n);
/* Handles "# 12 "file.c" 1 3" and other lines that start with #. */
void cc_line_marker(CcParser *p, const char *text, size_t length);
CcLoc cc_loc_join(CcLoc first, CcLoc last);

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

/* Private to the front end, reached from CcUnit for reports after parsing. */
typedef struct CcFront {
    const char *text;
    size_t size;
    GByteArray *system; /* per file: 1 if it is a system header */
    guint seen_marker;  /* diagnostics.c: where it last looked */
    size_t seen_offset;
    unsigned seen_line;
    GArray *markers;                /* CcMarker, in text order */
    GArray *includers;              /* CcIncluder, per file: who included it first */
    GArray *choices, *choice_stack; /* CcChoices, in text order (warnings.c) */
    struct CcMacros *macros;        /* macros.c; NULL: not asked for yet */
    GString *joined;                /* diagnostics.c: a line that markers cut into pieces */
} CcFront;
typedef struct CcChoices { /* what #pragma GCC diagnostic has chosen, from an offset of the text on */
    size_t offset;
    const uint8_t *choices; /* CcWarningChoice of each warning; NULL: as the command line says */
} CcChoices;
typedef struct CcIncluder {
    uint32_t file, line; /* line 0: not included */
} CcIncluder;
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
typedef struct CcMarker {
    size_t offset;
    uint32_t file, line, last; /* last: line before the next marker; 0: there is none */
} CcMarker;

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
    bool stop;     /* a fatal error was reported: end of input from here on */
    bool overlong; /* reported already */
    CcLoc last_token;

    CcNames names;
    GHashTable *file_names; /* name -> index + 1 */
    GHashTable *linkage;    /* name -> CcSymbol with linkage, declared in any scope */
    CcScope *scope, *file_scope;
    CcType *basic[CC_UNION + 1];
    CcType *error_type, *char_pointer, *const_char_pointer, *void_pointer, *const_void_pointer, *wide_pointer;
    CcFunctionState *function;
    CcContext *context;
    struct CcSpecs *last_specs;
    unsigned suggestions;
    struct CcToldHeader *told_headers; /* macros.c: headers that were said to be missing */
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

/* -- the preprocessor's messages (preprocess_messages.c) --------------------------------------- */

/* Adds them to the diagnostics; answers what is no message. `cut`: the last line may be half. Free with g_free. */
char *cc_preprocess_messages(const char *text, bool cut, const CcOptions *options, CcDiagnostics *diagnostics);

/* -- types (types.c) --------------------------------------------------------------------------- */

void cc_types_init(CcParser *p);
CcType *cc_pointer_to(CcParser *p, CcType *target);
CcType *cc_array_of(CcParser *p, CcType *element, uint64_t length);
CcType *cc_function_type(CcParser *p, CcType *result, CcType **parameters, unsigned n, bool variadic, bool old_style);
CcType *cc_tag_type(CcParser *p, CcKind kind, const char *name, CcLoc loc);
void cc_complete_tag(CcType *type); /* copies size, align and state of the tag to all its variants */
CcType *cc_copy_type(CcParser *p, const CcType *type);
CcType *cc_qualified(CcParser *p, CcType *type, unsigned qualifiers); /* adds; arrays: to the elements */
CcType *cc_unqualified(CcParser *p, CcType *type);
bool cc_compatible(const CcType *a, const CcType *b);             /* C11 6.2.7, qualifiers count */
bool cc_compatible_unqualified(const CcType *a, const CcType *b); /* ... but not the outermost ones */
CcType *cc_composite(CcParser *p, CcType *a, CcType *b);
/* Derivations and structs inside one another: what a walk over the type recurses through. */
unsigned cc_type_depth(const CcType *type);
const CcType *cc_integer_of(const CcType *type); /* an enum's integer type, else itself */
bool cc_has_variable_size(const CcType *type);
bool cc_variably_modified(const CcType *type);
CcType *cc_evaluated_type(CcParser *p, CcType *type); /* the same without length expressions */
const CcMember *cc_find_member(const CcType *type, const char *name, uint64_t *offset);
uint64_t cc_canonical(const CcType *type, uint64_t value);
static inline unsigned cc_bits(const CcType *type)
{
    return (unsigned)type->size * 8;
}

/* -- declarations (sema_types.c, sema_declarations.c) ------------------------------------------ */

typedef struct CcAttributes {
    uint32_t align; /* 0: none */
    bool packed, weak, constructor, destructor, noreturn_, gnu_inline, always_inline, no_inline;
    const char *weakref;
    uint16_t constructor_priority, destructor_priority; /* 0: none given */
    bool maybe_unused, must_use, deprecated, fallthrough, transparent;
    const char *deprecated_text, *warning_text;
    const CcFormat *format;
    uint64_t nonnull;
    const char *alias;
    enum { CC_LAYOUT_DEFAULT, CC_LAYOUT_GCC, CC_LAYOUT_MS } layout; /* gcc_struct, ms_struct */
    uint8_t mode_size;                                              /* mode(DI): 8; 0: none */
    bool mode_real;
} CcAttributes;

typedef struct CcSpecs {
    CcLoc loc;
    bool is_typedef, has_storage, inline_, thread, implicit_int, auto_type;
    bool noreturn_word, alignas_word; /* _Noreturn, _Alignas: may not stand everywhere */
    CcStorage storage;
    uint8_t qualifiers;
    unsigned words;    /* CcSpecWord bits */
    CcType *type;      /* struct, union, enum, typedef name, typeof; else from words */
    bool tag_declared; /* "struct x;" or with a body, so that "struct {...};" can be judged */
    bool finished;
    CcAttributes attributes;
    struct CcSpecs *outer;
} CcSpecs;
enum CcSpecWord {
    CC_WORD_VOID = 1,
    CC_WORD_BOOL = 2,
    CC_WORD_CHAR = 4,
    CC_WORD_SHORT = 8,
    CC_WORD_INT = 16,
    CC_WORD_LONG = 32,
    CC_WORD_LONG_LONG = 64,
    CC_WORD_SIGNED = 128,
    CC_WORD_UNSIGNED = 256,
    CC_WORD_FLOAT = 512,
    CC_WORD_DOUBLE = 1024,
    CC_WORD_COMPLEX = 2048,
    CC_WORD_INT128 = 4096,
};

typedef enum CcPartKind { CC_PART_POINTER, CC_PART_ARRAY, CC_PART_FUNCTION } CcPartKind;
typedef struct CcParam {
    struct CcParam *next;
    CcExpr *length; /* of the array it was written as, if that does something; NULL */
    CcIdent *ident; /* NULL: abstract */
    CcSymbol *symbol;
    CcLoc loc;
} CcParam;
typedef struct CcPart {
    CcPartKind kind;
    struct CcPart *next; /* nearer to the name */
    CcLoc loc;
    uint8_t qualifiers; /* pointer; array parameter */
    CcExpr *length;     /* array; NULL: none */
    bool star, is_static;
    CcParam *params;
    unsigned n_params;
    bool variadic, identifiers; /* identifiers: K&R list (or empty) */
    CcScope *scope;             /* of the parameters */
    const CcType *prototype;    /* K&R definition: the prototype declared before, which it then follows (GNU) */
} CcPart;
typedef struct CcDeclarator {
    CcIdent *ident;
    CcLoc loc;
    CcPart *parts; /* in order of application to the base type */
    unsigned n_parts;
    CcAttributes attributes;
    const char *asm_label;
    CcExpr *length; /* parameter: of the outermost array, if it is no constant */
    CcExpr *width;  /* bit-field */
    bool has_width;
} CcDeclarator;

typedef struct CcParamList {
    CcParam *first, *last;
    unsigned count;
    bool variadic, only_void, identifiers;
} CcParamList;

CcSpecs *cc_specs_new(CcParser *p, CcLoc loc);
void cc_specs_word(CcParser *p, CcSpecs *specs, unsigned word, CcLoc loc);
void cc_specs_storage(CcParser *p, CcSpecs *specs, CcStorage storage, CcLoc loc);
void cc_specs_typedef(CcParser *p, CcSpecs *specs, CcLoc loc);
void cc_specs_type(CcParser *p, CcSpecs *specs, CcType *type, CcLoc loc);
CcType *cc_specs_finish(CcParser *p, CcSpecs *specs); /* checks the combination; the type with its qualifiers */
void cc_attributes_merge(CcAttributes *into, const CcAttributes *from);
void cc_attribute(CcParser *p, CcAttributes *into, CcIdent *name, CcExpr **arguments, unsigned n, CcLoc loc);
CcType *cc_mode_type(CcParser *p, CcType *type, const CcAttributes *attributes);
void cc_specs_align(CcParser *p, CcSpecs *specs, CcExpr *expr, CcType *type, CcLoc loc);

CcDeclarator *cc_declarator_new(CcParser *p, CcIdent *ident, CcLoc loc);
CcPart *cc_part_new(CcParser *p, CcPartKind kind, CcLoc loc);
CcDeclarator *cc_declarator_add(CcParser *p, CcDeclarator *declarator, CcPart *parts);
CcType *cc_declarator_type(CcParser *p, CcType *base, CcDeclarator *declarator, bool parameter);
CcType *cc_type_of_name(CcParser *p, CcSpecs *specs, CcDeclarator *declarator); /* a type-name */
CcType *cc_typeof_type(CcParser *p, CcExpr *expr);
CcType *cc_auto_type(CcParser *p, CcExpr *expr); /* of an initialiser, for __auto_type */

/* Struct, union: begin binds the tag, finish lays it out as the System V ABI for x86-64 says. */
CcType *cc_tag_reference(CcParser *p, CcKind kind, CcIdent *tag, CcLoc loc, bool declares_alone);
CcType *cc_tag_begin(CcParser *p, CcKind kind, CcIdent *tag, CcLoc loc);
typedef struct CcMemberList {
    CcType *type; /* being defined */
    CcAttributes *record_attributes;
    CcMember *items;
    unsigned count, capacity;
    CcAttributes *attributes; /* of each member */
} CcMemberList;
void cc_member_add(CcParser *p, CcMemberList *list, CcSpecs *specs, CcDeclarator *declarator);
CcType *cc_record_finish(CcParser *p, CcType *type, CcMemberList *list, const CcAttributes *attributes);
typedef struct CcEnumState {
    CcType *type;
    int64_t next;
    bool next_unsigned, any_negative;
    uint64_t maximum;
    int64_t minimum;
    CcSymbol **items;
    unsigned count, capacity;
} CcEnumState;
void cc_enumerator(CcParser *p, CcEnumState *state, CcIdent *ident, CcExpr *value, CcLoc loc);
CcType *cc_enum_finish(CcParser *p, CcEnumState *state);

typedef struct CcInitNode CcInitNode;
typedef struct CcDesignator {
    struct CcDesignator *next;
    CcIdent *member; /* NULL: index */
    uint64_t low, high;
    CcLoc loc;
} CcDesignator;
struct CcInitNode { /* an initialiser as written */
    CcInitNode *next;
    CcDesignator *designators;
    CcExpr *expr; /* NULL: braces */
    CcInitNode *first, *last;
    CcLoc loc;
};

/* Declares one declarator of a declaration; its statements (if any) go to `out`. */
CcSymbol *cc_declare(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, bool initialised, CcStmtList *out);
void cc_initialise(CcParser *p, CcSymbol *symbol, CcInitNode *init, CcStmtList *out);
void cc_declare_finish(CcParser *p, CcSymbol *symbol);
/* C11 6.8.5p3: what a for declares; the scope is the statement's. */
void cc_check_for_declaration(CcParser *p, const CcScope *scope);
void cc_empty_declaration(CcParser *p, CcSpecs *specs, CcLoc loc);
bool cc_gnu_inline(const CcParser *p, const CcSpecs *specs, const CcDeclarator *declarator);
CcParam *cc_parameter(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcLoc loc);
CcParam *cc_parameter_identifier(CcParser *p, CcIdent *ident, CcLoc loc);
void cc_function_begin(CcParser *p, CcSpecs *specs, CcDeclarator *declarator); /* up to the K&R declarations */
void cc_function_body(CcParser *p);                                            /* just before the { */
void cc_function_end(CcParser *p, CcStmt *body);
bool cc_declares_function(const CcDeclarator *declarator);
bool cc_has_prototype(const CcDeclarator *declarator); /* and not the names of an old-style definition */
void cc_old_parameter(CcParser *p, CcSpecs *specs, CcDeclarator *declarator);
CcSymbol *cc_symbol_new(CcParser *p, CcSymbolKind kind, const char *name, CcType *type, CcLoc loc);
CcSymbol *cc_hidden_variable(CcParser *p, const char *stem, CcType *type, bool is_static, CcLoc loc);
CcSymbol *cc_implicit_function(CcParser *p, CcIdent *ident, CcLoc loc);
void cc_suggest_known(CcParser *p, CcNearest *nearest); /* tries the constants of headers that were included */
const char *cc_header_of(const char *name);             /* "stdio.h" for printf; NULL */
CcSymbol *cc_library_function(CcParser *p, const char *name, CcLoc loc); /* NULL: not in the table */
/* A function of the runtime that only the compiler calls; signature as in library.def. */
CcSymbol *cc_runtime_function(CcParser *p, const char *name, const char *signature, CcLoc loc);
CcSymbol *cc_function_name_symbol(CcParser *p, CcLoc loc);
void cc_static_assert(CcParser *p, CcExpr *condition, const CcExpr *message, CcLoc loc);
void cc_end_of_unit(CcParser *p);

/* Flattens an initialiser (initialiser.c). Completes the type of an array without length. */
CcInit *cc_flatten(CcParser *p, CcType **type, CcInitNode *node, bool is_static, const char *name);
CcInitNode *cc_init_node(CcParser *p, CcExpr *expr, CcLoc loc);
CcDesignator *cc_designator(CcParser *p, CcIdent *member, CcExpr *low, CcExpr *high, CcLoc loc);

/* -- expressions (sema_expressions.c, sema_operators.c, sema_calls.c, sema_conversions.c, constant.c) -- */

CcExpr *cc_expr_new(CcParser *p, CcExprKind kind, CcType *type, CcLoc loc, CcExpr *left, CcExpr *right);
CcExpr *cc_error_expr(CcParser *p, CcLoc loc);
static inline bool cc_is_error(const CcParser *p, const CcExpr *e)
{
    return e->type == p->error_type;
}
void cc_set_depth(CcParser *p, CcExpr *expr, const CcExpr *child);
CcExpr *cc_integer(CcParser *p, CcType *type, uint64_t value, CcLoc loc);
CcExpr *cc_real(CcParser *p, CcType *type, double value, CcLoc loc);
CcExpr *cc_variable(CcParser *p, CcSymbol *symbol, CcLoc loc);
CcExpr *cc_name(CcParser *p, CcIdent *ident, CcLoc loc);
CcExpr *cc_index(CcParser *p, CcExpr *array, CcExpr *index, CcLoc loc);
CcExpr *cc_member(CcParser *p, CcExpr *object, CcIdent *name, bool arrow, CcLoc loc, CcLoc name_loc);
CcExpr *cc_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc);
bool cc_modifiable(CcParser *p, const CcExpr *expr, const char *what); /* "assignment to"; says why not */
CcExpr *cc_unary(CcParser *p, CcExprKind kind, CcExpr *operand,
                 CcLoc loc); /* NEGATE (also unary +: CC_CAST), COMPLEMENT, NOT, REAL_PART... */
CcExpr *cc_address(CcParser *p, CcExpr *operand, CcLoc loc);
CcExpr *cc_dereference(CcParser *p, CcExpr *operand, CcLoc loc);
CcExpr *cc_binary(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc);
CcExpr *cc_conditional(CcParser *p, CcExpr *condition, CcExpr *yes, CcExpr *no, CcLoc loc);
CcExpr *cc_assignment(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_comma(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sizeof_type(CcParser *p, CcType *type, CcLoc loc);
CcExpr *cc_sizeof_expr(CcParser *p, CcExpr *expr, CcLoc loc);
CcExpr *cc_alignof(CcParser *p, CcType *type, CcLoc loc);
CcExpr *cc_alignof_expr(CcParser *p, CcExpr *e, CcLoc loc);
CcExpr *cc_cast_expr(CcParser *p, CcType *type, CcExpr *expr, CcLoc loc);
/* The argument as a transparent union (GNU) by the first member that takes it; NULL: none does. */
CcExpr *cc_transparent_argument(CcParser *p, CcType *type, CcExpr *argument);
CcExpr *cc_compound_literal(CcParser *p, CcType *type, CcInitNode *init, CcLoc loc);
CcExpr *cc_statement_expr(CcParser *p, CcStmt *block, CcLoc loc);
CcExpr *cc_label_address(CcParser *p, CcIdent *ident, CcLoc loc);
CcExpr *cc_offsetof(CcParser *p, CcExpr *path, CcLoc loc);
CcExpr *cc_va_arg(CcParser *p, CcExpr *list, CcType *type, CcLoc loc);
typedef struct CcAssociation {
    struct CcAssociation *next;
    CcType *type;
    CcExpr *expr;
    CcLoc loc;
} CcAssociation;
CcExpr *cc_generic(CcParser *p, CcExpr *control, CcAssociation *list, CcLoc loc);
CcExpr *cc_choose(CcParser *p, CcExpr *condition, CcExpr *yes, CcExpr *no, CcLoc loc);
typedef struct CcExprList {
    CcExpr **items;
    unsigned count, capacity;
} CcExprList;
CcExprList *cc_expr_list(CcParser *p, CcExprList *list, CcExpr *expr);
CcExpr *cc_call(CcParser *p, CcExpr *callee, CcExprList *arguments, CcLoc loc);
CcExpr *cc_type_as_value(CcParser *p, const CcType *type, CcLoc loc); /* an argument that is a type: an error */
bool cc_is_builtin_name(const char *name);
CcExpr *cc_call_builtin(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc);
CcExpr *cc_call_name(CcParser *p, CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc);

CcExpr *cc_rvalue(CcParser *p, CcExpr *expr);                       /* decays arrays and functions */
CcExpr *cc_convert(CcParser *p, CcExpr *expr, CcType *type);        /* implicit cast without checks; folds numbers */
CcExpr *cc_operand(CcParser *p, CcExpr *expr, CcType *type);        /* converts an operand of an operator */
CcExpr *cc_promote(CcParser *p, CcExpr *expr);                      /* integer promotions */
CcExpr *cc_promote_argument(CcParser *p, CcExpr *expr);             /* default argument promotions */
CcType *cc_common_type(CcParser *p, CcExpr **left, CcExpr **right); /* usual arithmetic conversions, C11 6.3.1.8 */
unsigned cc_common_bits(const CcExpr *left, const CcExpr *right);   /* GNU: of wide bit-fields; 0: none */
CcExpr *cc_wrap(CcParser *p, CcExpr *expr, unsigned bits);
/* __int128 (sema_wide.c): conversions from and to it, quotients, and what changes an object. */
CcExpr *cc_wide_convert(CcParser *p, CcExpr *expr, CcType *type);
CcExpr *cc_wide_divide(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_wide_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_wide_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc);
bool cc_is_null_constant(const CcExpr *expr);
/* Converts as if by assignment. `what` completes "...": "assigning to", "passing argument 2 of 'f'" ... */
typedef enum CcAssignKind { CC_ASSIGNING, CC_INITIALISING, CC_PASSING, CC_RETURNING } CcAssignKind;
typedef struct CcAssignContext {
    CcAssignKind kind;
    unsigned argument;
    const char *function;
    const CcSymbol *callee;
} CcAssignContext;
CcExpr *cc_assign_convert(CcParser *p, CcExpr *expr, CcType *type, const CcAssignContext *context);
CcExpr *cc_condition(CcParser *p, CcExpr *expr, const char *what); /* a scalar rvalue */

CcExpr *cc_fold(CcParser *p, CcExpr *expr); /* the node itself, or the number it is */
CcExpr *cc_fold_cast(CcParser *p, CcExpr *number, CcType *type, CcLoc loc);
static inline bool cc_is_number(const CcExpr *e)
{
    return e->kind == CC_NUMBER;
}
/* The same for __int128 (constant_wide.c). */
CcExpr *cc_fold_wide(CcParser *p, CcExpr *expr);
CcExpr *cc_fold_wide_cast(CcParser *p, const CcExpr *number, CcType *type, CcLoc loc);
CcExpr *cc_fold_address(CcParser *p, CcExpr *expr); /* casts and differences of known addresses */
bool cc_integer_constant(const CcExpr *expr, int64_t *value);
/* For static objects: a number, a string for arrays, or an address constant; NULL (reported) if not constant. */
CcExpr *cc_static_value(CcParser *p, CcExpr *expr, const char *name);

/* -- statements (sema_statements.c) ------------------------------------------------------------ */

CcStmt *cc_stmt_new(CcParser *p, CcStmtKind kind, CcLoc loc);
void cc_append(CcStmtList *list, CcStmt *statement);
CcStmtList cc_concat(CcStmtList a, CcStmtList b);
CcStmt *cc_block(CcParser *p, CcStmtList items, CcLoc loc, CcLoc end);
CcStmt *cc_expression_statement(CcParser *p, CcExpr *expr, CcLoc loc);
CcStmt *cc_if(CcParser *p, CcExpr *condition, CcStmt *body, CcStmt *otherwise, CcLoc loc);
CcStmt *cc_loop(CcParser *p, CcStmtKind kind, CcExpr *condition, CcStmt *body, CcLoc loc);
CcStmt *cc_for(CcParser *p, CcStmt *init, CcExpr *condition, CcExpr *step, CcStmt *body, CcLoc loc);
void cc_context_push(CcParser *p, bool loop);
void cc_switch_begin(CcParser *p, CcExpr *operand, CcLoc loc);
CcStmt *cc_switch_end(CcParser *p, CcStmt *body);
void cc_context_pop(CcParser *p);
CcStmt *cc_case(CcParser *p, CcExpr *low, CcExpr *high, CcLoc loc);
CcStmt *cc_default(CcParser *p, CcLoc loc);
CcStmt *cc_label_statement(CcParser *p, CcIdent *ident, CcLoc loc);
/* From here to the end of the scope no jump may enter. */
void cc_fence(CcParser *p, const CcSymbol *symbol);
void cc_check_jumps(CcParser *p);
void cc_local_label(CcParser *p, CcIdent *ident, CcLoc loc);
void cc_local_labels_end(CcScope *scope);
CcStmt *cc_goto(CcParser *p, CcIdent *ident, CcLoc loc);
CcStmt *cc_goto_computed(CcParser *p, CcExpr *target, CcLoc loc);
/* asm (GNU): nothing if the template is empty, else refused. */
typedef struct CcAsmOperand {
    struct CcAsmOperand *next;
    CcIdent *name; /* [name]; NULL: none */
    const CcExpr *constraint;
    CcExpr *expr;
} CcAsmOperand;
CcStmt *cc_assembly(CcParser *p, const CcExpr *template, CcAsmOperand *outputs, CcAsmOperand *inputs, CcLoc loc);
void cc_no_assembly(CcParser *p, CcLoc loc);
CcStmt *cc_break(CcParser *p, CcLoc loc);
CcStmt *cc_continue(CcParser *p, CcLoc loc);
CcStmt *cc_return(CcParser *p, CcExpr *expr, CcLoc loc);
/* Warns where a function that returns a value can reach its end. */
void cc_check_return(CcParser *p, const CcStmt *body);
/* Whether control can come behind the statement, if it comes to it and to every label in it. */
bool cc_falls_through(const CcStmt *s);
CcLabel *cc_label(CcParser *p, CcIdent *ident, CcLoc loc);

/* -- warnings (warnings.c) --------------------------------------------------------------------- */

/* "GCC diagnostic ignored "-Wname"" and clang's: holds from this offset of the text on. */
void cc_pragma_diagnostic(CcParser *p, const char *text, const char *end, size_t offset, CcLoc loc);
/* Whether a warning (NULL: one without a name) is given at this offset of the text; as an error, if it counts as one.
 */
bool cc_warning_severity(const CcUnit *unit, const char *option, size_t offset, CcSeverity *severity);
/* Whether it is given anywhere in the unit. */
bool cc_warning_possible(const CcUnit *unit, CcWarningId warning);
/* The flags for the preprocessor that the options about its warnings amount to. */
void cc_warning_cpp_flags(const CcOptions *options, GPtrArray *flags);

/* -- checks of names (check_names.c) ----------------------------------------------------------- */

void cc_leave_scope(CcParser *p, const CcScope *scope); /* unused variables, parameters, types */
void cc_leave_function(CcParser *p);                    /* unused labels */
void cc_leave_unit(CcParser *p);                        /* unused static functions and variables */
/* Before `symbol` is bound in the innermost scope: does it hide something? */
void cc_check_shadow(CcParser *p, const CcIdent *ident, const CcSymbol *symbol);
void cc_check_definition(CcParser *p, const CcSymbol *symbol, bool declared, bool prototyped, bool identifiers,
                         unsigned n_parameters);
/* sizeof(a) / sizeof(a[0]) of what is no array. */
void cc_check_size_division(CcParser *p, const CcExpr *left, const CcExpr *right, CcLoc loc);
/* An implicit conversion between arithmetic types, as if by assignment (check_conversion.c). */
void cc_check_conversion(CcParser *p, const CcExpr *e, const CcType *type);
void cc_check_use(CcParser *p, const CcSymbol *symbol, CcLoc loc); /* is it deprecated? */

/* -- reports ----------------------------------------------------------------------------------- */

void cc_error(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
void cc_warning(CcParser *p, CcLoc loc, const char *option, const char *format, ...) G_GNUC_PRINTF(4, 5);
void cc_note(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Reports and ends parsing. */
void cc_fatal(CcParser *p, CcLoc loc, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The preprocessed text from a location to the end of its line; NULL: not known. Valid until the next question. */
const char *cc_seen_text(const CcUnit *unit, CcLoc loc, size_t *size);
/* The user's line that holds a location, and where in it that is; NULL: not known, or it came out of a macro. */
const char *cc_source_at(CcUnit *unit, CcLoc loc, size_t *size, size_t *at);
/* diagnostics.c: the collected form. `seen_line` is the source line as the compiler saw it, may be NULL. */
void cc_diagnostics_included(CcDiagnostics *diagnostics, const char *file, const char *chain);
void cc_diagnostics_add(CcDiagnostics *diagnostics, const CcDiagnostic *diagnostic, const char *seen_line,
                        size_t seen_size);
/* Errors that are not warnings raised by -Werror: after these the tree cannot be trusted. */
unsigned cc_diagnostics_mistakes(const CcDiagnostics *diagnostics);

#endif
