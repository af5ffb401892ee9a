/* tree.h - types, symbols and the typed tree: the interface between front end and lowering.
 *
 * The front end (rooms front, sema, syntax) builds the tree. The checks and the back end (room lower) read it. Sema
 * guarantees these invariants:
 *   - Every expression has a type.
 *   - Every implicit conversion is an explicit CC_CAST.
 *   - Every array or function that decays is the operand of a CC_DECAY.
 *   - Constants are folded where the language demands constants.
 *   - All errors have been reported: lowering never fails on a tree without errors.
 *
 * Everything is allocated in the translation unit's arena and freed with it.
 */
#ifndef ORRERY_COMPILER_TREE_H
#define ORRERY_COMPILER_TREE_H

#include "compiler/arena/arena.h"
#include "compiler/compiler.h"

typedef struct CcType CcType;
typedef struct CcSymbol CcSymbol;
typedef struct CcExpr CcExpr;
typedef struct CcStmt CcStmt;
typedef struct CcInit CcInit;
typedef struct CcMember CcMember;

typedef struct CcLoc { /* a range within one line of the source */
    uint32_t file;     /* index in unit->files */
    uint32_t line;     /* 1-based; 0: no location */
    uint16_t column;   /* 1-based, in bytes */
    uint16_t length;   /* bytes; UINT16_MAX: to the end of the line */
} CcLoc;

/* -- types ------------------------------------------------------------------------------------- */

typedef enum CcKind { /* the arithmetic kinds are in the order of conversion rank */
                      CC_VOID,
                      CC_BOOL,
                      CC_CHAR,
                      CC_SCHAR,
                      CC_UCHAR,
                      CC_SHORT,
                      CC_USHORT,
                      CC_INT,
                      CC_UINT,
                      CC_LONG,
                      CC_ULONG,
                      CC_LLONG,
                      CC_ULLONG,
                      CC_INT128, /* __int128: passed by address, computed in two registers (lower/wide.c) */
                      CC_UINT128,
                      CC_FLOAT,
                      CC_DOUBLE,
                      CC_LDOUBLE,
                      CC_CFLOAT,
                      CC_CDOUBLE,
                      CC_CLDOUBLE,
                      CC_ENUM,
                      CC_POINTER,
                      CC_ARRAY,
                      CC_FUNCTION,
                      CC_STRUCT,
                      CC_UNION,
} CcKind;
enum { CC_CONST = 1, CC_VOLATILE = 2, CC_RESTRICT = 4, CC_ATOMIC = 8 };

struct CcMember {
    const char *name; /* NULL: anonymous struct/union or unnamed bit-field */
    CcType *type;
    uint64_t offset; /* bytes from the start of the struct; for a bit-field the offset of its storage unit */
    uint8_t bit_offset, bit_width; /* bit-field: its first bit in the storage unit, and its width in bits */
    uint8_t reach;                 /* bit-field: how many bytes from `offset` on an access may touch */
    bool bit_field;
    CcLoc loc;
};
typedef struct CcTag { /* struct, union or enum: all qualified versions of the type share it */
    const char *name;  /* NULL: no tag */
    bool complete, packed;
    bool transparent; /* GNU transparent union: a call may pass any of its members in its place */
    CcMember *members;
    uint32_t n_members;
    CcSymbol **enumerators;
    uint32_t n_enumerators;
    uint64_t size;  /* bytes */
    uint32_t align; /* bytes */
    CcLoc loc;
    bool flexible;    /* the last member is a flexible array */
    uint32_t depth;   /* front end: how deep its members nest, at most CC_MAX_TYPE_DEPTH (see cc_type_depth()) */
    CcType *variants; /* front end: the types that share this tag, chained by next_variant */
    void *back;       /* owned by lowering: its debug type */
} CcTag;
struct CcType {
    CcKind kind;
    uint8_t qualifiers;
    uint64_t size;       /* bytes; 0 for void, functions, incomplete and variably modified types */
    uint32_t align;      /* bytes */
    CcType *target;      /* pointee, element type or return type; for an enum its integer type */
    uint64_t length;     /* array: number of elements */
    bool incomplete;     /* array without size, struct without body */
    bool unsigned_char;  /* CC_CHAR under -funsigned-char */
    bool variable;       /* variable length array: its size is known at run time only */
    CcExpr *length_expr; /* VLA: number of elements (unsigned long). The declaration evaluates it and stores the value
                            in length_symbol. NULL in a variable array: it was evaluated earlier (typedef, sizeof);
                            read length_symbol */
    CcSymbol *length_symbol; /* VLA: the hidden variable (unsigned long) that holds the number of elements */
    CcType **parameters;
    uint32_t n_parameters;
    bool variadic, old_style; /* old_style: declared with () or in K&R style, arguments are not checked */
    CcTag *tag;
    const char *name;     /* the typedef name that the source used, for messages and the debugger; NULL: none */
    CcType *next_variant; /* front end: next in tag->variants */
    void *back;           /* owned by lowering */
};
static inline bool cc_is_integer(const CcType *t)
{
    return (t->kind >= CC_BOOL && t->kind <= CC_ULLONG) || t->kind == CC_ENUM;
}
/* Signed or unsigned __int128. cc_is_integer() is false for it, because its callers assume at most 64 bits. */
static inline bool cc_is_wide(const CcType *t)
{
    return t->kind == CC_INT128 || t->kind == CC_UINT128;
}
static inline bool cc_is_real(const CcType *t)
{
    return t->kind >= CC_FLOAT && t->kind <= CC_LDOUBLE;
}
static inline bool cc_is_complex(const CcType *t)
{
    return t->kind >= CC_CFLOAT && t->kind <= CC_CLDOUBLE;
}
static inline bool cc_is_arithmetic(const CcType *t)
{
    return cc_is_integer(t) || cc_is_wide(t) || cc_is_real(t) || cc_is_complex(t);
}
static inline bool cc_is_scalar(const CcType *t)
{
    return cc_is_arithmetic(t) || t->kind == CC_POINTER;
}
static inline bool cc_is_aggregate(const CcType *t)
{
    return t->kind == CC_STRUCT || t->kind == CC_UNION;
}
static inline unsigned cc_bits(const CcType *type)
{
    return (unsigned)type->size * 8;
}
/* Whether an integer type is signed. An enum is as signed as its integer type; _Bool is unsigned. */
bool cc_type_is_signed(const CcType *type);
/* Returns the type in C's notation, like "const char *[4]", for messages. The caller frees it with g_free(). */
char *cc_type_name(const CcType *type);
/* Returns the declaration of `name` with that type, like "int *a[4]". The caller frees it with g_free(). */
char *cc_type_declaration(const CcType *type, const char *name);
/* Whether two types are compatible (C11 6.2.7). Qualifiers count. */
bool cc_types_compatible(const CcType *a, const CcType *b);
/* Like cc_types_compatible(), but ignores the outermost qualifiers. */
bool cc_types_compatible_unqualified(const CcType *a, const CcType *b);
/* Returns how deep derivations and structs nest in the type: the bound on recursion over it. */
unsigned cc_type_depth(const CcType *type);
/* Returns the integer type of an enum, and any other type itself. */
const CcType *cc_type_integer_of(const CcType *type);
/* Returns a type with the kind of the real part of a complex type. The type is static. */
CcType *cc_type_complex_part(const CcType *type);
bool cc_type_has_variable_size(const CcType *type);
bool cc_type_is_variably_modified(const CcType *type);
/* Returns the member called `name`, which must be interned (scope.c), or NULL. Searches anonymous members too.
 * *offset: bytes from the start of `type`. */
const CcMember *cc_type_find_member(const CcType *type, const char *name, uint64_t *offset);
/* Returns the value cut to the width of the type, then sign- or zero-extended to 64 bits. */
uint64_t cc_type_canonical(const CcType *type, uint64_t value);

/* -- symbols ----------------------------------------------------------------------------------- */

typedef enum CcSymbolKind { CC_SYM_VARIABLE, CC_SYM_FUNCTION, CC_SYM_TYPEDEF, CC_SYM_ENUMERATOR } CcSymbolKind;
typedef enum CcStorage {
    CC_AUTO,
    CC_REGISTER,
    CC_STATIC,
    CC_EXTERN,
    CC_GLOBAL /* external linkage at file scope, defined in this unit */
} CcStorage;

struct CcSymbol {
    CcSymbolKind kind;
    const char *name;
    const char *link_name; /* asm label or the unique name of a static local; otherwise equal to `name` */
    CcType *type;
    CcStorage storage;
    CcLoc loc;
    int64_t value; /* enumerator: its value */
    bool file_scope, parameter, defined, tentative, used, addressed /* array, struct or & taken: lives in memory */;
    bool weak, constructor, destructor, noreturn_, inline_, always_emit /* extern inline etc.: emit even if unused */;
    bool always_inline, no_inline; /* attributes */
    bool assumed; /* called undeclared: taken for the library function of that name. A later declaration replaces it */
    uint32_t references;                                /* how often expressions of the unit name it */
    uint16_t constructor_priority, destructor_priority; /* from constructor(101) or destructor(101); 0: none given */
    bool array_parameter;                               /* a parameter that was declared as an array */
    bool maybe_unused, must_use, deprecated;            /* attributes unused, warn_unused_result, deprecated */
    const char *deprecated_text;                        /* the text of the attribute deprecated; NULL: none */
    const char *warning_text;      /* the text of the attribute warning, reported at each use; NULL: none */
    const struct CcFormat *format; /* attribute format; NULL: none */
    uint64_t nonnull;              /* attribute nonnull: bit i for parameter i (from 0); all bits: every pointer */
    uint32_t align;                /* bytes, from _Alignas or an attribute; 0: the alignment of the type */
    const char *alias;             /* the target of __attribute__((alias("x"))); NULL: none */
    bool initialised;              /* has an initialiser, even an empty one: the whole object is set */
    CcInit *init;                  /* the flattened initialiser; NULL: none, or an empty one */
    struct CcFunctionBody *body;   /* NULL: not defined in this unit */
    bool thread;                   /* each thread has a copy: _Thread_local, threadprivate */
    bool gnu_inline;               /* defined by GNU's extern inline: another definition may follow */
    const struct CcRegion *region; /* front end: the outlined region that declares it (regions.c); NULL: none */
    void *back;                    /* owned by lowering */
};

/* __attribute__((format(printf, 1, 2))). Both argument numbers count from 1. */
typedef struct CcFormat {
    enum { CC_FORMAT_PRINTF, CC_FORMAT_SCANF, CC_FORMAT_STRFTIME } kind;
    unsigned format, first; /* the format string, and the first argument that it describes; first 0: a va_list */
} CcFormat;

/* A variable of another function that an outlined function uses (OpenMP). The caller passes a record, whose address is
 * the only parameter; the record says where the variable is. */
typedef struct CcCapture {
    CcSymbol *symbol;
    enum {
        CC_CAPTURE_ADDRESS, /* the record holds its address */
        CC_CAPTURE_VALUE,   /* the record holds the variable itself, a copy */
        CC_CAPTURE_OFFSET   /* the same for a VLA: the record holds how far behind its start the copy begins */
    } how;
    uint64_t offset; /* bytes in the record */
} CcCapture;

typedef struct CcFunctionBody {
    CcSymbol **parameters;
    uint32_t n_parameters;
    CcCapture *captures; /* of an outlined function */
    uint32_t n_captures;
    CcStmt *body; /* a CC_BLOCK */
    CcLoc end;    /* the closing brace */
    bool calls_setjmp;
} CcFunctionBody;

/* -- initialisers: flat list in ascending offset; what is not named is zero -------------------- */

struct CcInit {
    CcInit *next;
    uint64_t offset; /* bytes from the start of the object */
    CcType *type;    /* the type of the scalar, of the struct that is copied whole, or of the array set by a string */
    uint8_t bit_offset, bit_width; /* as in CcMember; width 0: not a bit-field */
    uint8_t reach;                 /* bit-field: as in CcMember */
    CcExpr *value;  /* converted to `type`. For a static object it is a constant (CC_NUMBER; CC_STRING for an array) or
                       an address (CC_ADDRESS_CONSTANT) */
    CcSymbol *once; /* front end: the hidden variable that keeps the value of a designated range; NULL: none */
};

/* -- expressions ------------------------------------------------------------------------------- */

typedef enum CcExprKind {
    CC_NUMBER,   /* constant. Integer or pointer type: .integer; real type: .real; complex type: .real and .imaginary */
    CC_STRING,   /* lvalue array: .string bytes, .string_size including the terminating zero */
    CC_VARIABLE, /* lvalue (or function designator): .symbol */
    CC_ADDRESS_CONSTANT, /* .symbol (or .left: a CC_STRING / CC_COMPOUND) + .integer bytes; in static initialisers */
    CC_LABEL_ADDRESS,    /* &&label: .label */
    CC_DECAY,            /* array -> pointer to first element, function -> pointer: .left */
    CC_ADDRESS,          /* &: .left is an lvalue or function */
    CC_DEREFERENCE,      /* lvalue: *.left */
    CC_MEMBER, /* .left.member: .left is a struct lvalue or value; an lvalue if .left is. p->m is a MEMBER of a
                  DEREFERENCE */
    CC_CAST,   /* .left converted to .type, explicit or implicit (to void: value dropped; to bool: != 0) */
    CC_NEGATE,
    CC_COMPLEMENT,
    CC_NOT, /* these three, -, ~ and !: of .left */
    CC_PRE_INCREMENT,
    CC_PRE_DECREMENT,
    CC_POST_INCREMENT,
    CC_POST_DECREMENT, /* these four: of the lvalue .left */
    CC_ADD,
    CC_SUBTRACT,
    CC_MULTIPLY,
    CC_DIVIDE,
    CC_REMAINDER,
    CC_SHIFT_LEFT,
    CC_SHIFT_RIGHT,
    CC_AND,
    CC_OR,
    CC_XOR,
    /* From CC_ADD on: both operands are converted to the common type (shifts: each is promoted alone). In pointer +
       integer, .left is the pointer and .right a long that is NOT scaled. Pointer - pointer counts elements. */
    CC_EQUAL,
    CC_NOT_EQUAL,
    CC_LESS,
    CC_LESS_EQUAL,
    CC_GREATER,
    CC_GREATER_EQUAL, /* comparisons: the result is an int, both operands have one type */
    CC_LOGICAL_AND,
    CC_LOGICAL_OR,
    CC_CONDITIONAL, /* .condition ? .left : .right; .left NULL: the condition's value (GNU) */
    CC_COMMA,
    CC_ASSIGN,         /* .left = .right, right converted to left's type; struct assignment too */
    CC_ASSIGN_OP,      /* .left .op= .right: computed in .operation_type, then converted to left's type. .right has
                          operation_type already (shifts: it is promoted; pointer +=: a long, not scaled) */
    CC_CALL,           /* .left: function pointer (CC_DECAY of a function for direct calls); .arguments converted */
    CC_COMPOUND,       /* compound literal: lvalue, .symbol is a hidden variable with init */
    CC_STATEMENT_EXPR, /* ({ ... }): .statement; value of its last expression statement */
    CC_VA_START,
    CC_VA_ARG,
    CC_VA_COPY,
    CC_VA_END,          /* all four: .left is an lvalue of type va_list (char *). VA_ARG: .type; VA_COPY: .right */
    CC_BUILTIN,         /* .builtin with .arguments */
    CC_SIZEOF_VARIABLE, /* size in bytes of variably modified .operation_type */
    CC_REAL_PART,
    CC_IMAGINARY_PART, /* a part of the complex .left; an lvalue if .left is one */
    CC_SECTION, /* only in inquiries: elements .arguments[0] .. [1] - 1, each [2]nd, behind the pointer .left; an absent
                   bound is NULL. .type: of one element. .operation_type: the array that .left was; NULL: a pointer */
} CcExprKind;

typedef enum CcBuiltin {
    CC_BUILTIN_ALLOCA,
    CC_BUILTIN_TRAP,
    CC_BUILTIN_UNREACHABLE,
    CC_BUILTIN_CLZ,
    CC_BUILTIN_CLZL,
    CC_BUILTIN_CTZ,
    CC_BUILTIN_POPCOUNT,
    CC_BUILTIN_BSWAP16,
    CC_BUILTIN_BSWAP32,
    CC_BUILTIN_BSWAP64,
    CC_BUILTIN_SQRT,
    CC_BUILTIN_FABS,
    CC_BUILTIN_FRAME_ADDRESS,
    CC_BUILTIN_MEMCPY_FIXED,
} CcBuiltin;

struct CcExpr {
    CcExprKind kind;
    CcType *type;
    CcLoc loc;
    bool lvalue;
    bool implicit;      /* a cast that the compiler added */
    bool parenthesized; /* was written in parentheses of its own */
    uint8_t bits;       /* front end: width of a bit-field of 33 to 63 bits, in which GNU C computes with it; else 0 */
    uint8_t mark;       /* what an access to the object is to other threads: VCODE_MARK_* of vcode.h; of a call: it is a
                           fence */
    uint16_t depth;     /* height of the tree below, at most CC_MAX_DEPTH: recursive walks are safe */
    CcExprKind op;      /* CC_ASSIGN_OP: the operator, CC_ADD for += */
    CcLoc op_loc;       /* binary operators: the location of the operator itself */
    CcType *operation_type; /* CC_ASSIGN_OP, CC_SIZEOF_VARIABLE: see there. In a CC_NUMBER that sizeof made: the type
                               of its operand; .symbol is the operand if that was a variable */
    CcExpr *left, *right, *condition;
    CcSymbol *symbol;
    CcMember *member;
    uint64_t integer; /* canonical for the type: see cc_type_canonical() */
    uint64_t high;    /* __int128: the upper 64 bits */
    double real, imaginary;
    const char *string;
    uint64_t string_size;
    CcExpr **arguments;
    uint32_t n_arguments;
    CcStmt *statement;
    struct CcLabel *label;
    CcBuiltin builtin;
};

/* -- statements -------------------------------------------------------------------------------- */

typedef enum CcStmtKind {
    CC_BLOCK,       /* .first, chained by next; a scope */
    CC_EXPRESSION,  /* .expr, may be NULL */
    CC_DECLARATION, /* .symbol: the lifetime of an automatic variable begins (initialise; VLA: evaluate the sizes and
                       allocate). Static variables have no CC_DECLARATION */
    CC_VLA_SIZE,    /* evaluate the length expressions of .type (through arrays and pointers, where not NULL) into
                       their hidden variables: for a typedef, a parameter, or a variable that points to a VLA. (For a
                       VLA itself its CC_DECLARATION does this) */
    CC_IF,
    CC_WHILE,
    CC_DO,
    CC_FOR,    /* from CC_IF on: .expr is the condition (NULL in a for without one), .init, .step, .body, .otherwise */
    CC_SWITCH, /* .expr (promoted), .body, .cases chained by next_case, .default_case */
    CC_CASE,   /* .low, .high (equal unless a range), .body; CC_DEFAULT: .body. In a block, the body of a case, default
                  or label is an empty CC_EXPRESSION: the labelled statement follows as .next */
    CC_DEFAULT,
    CC_LABEL, /* .label, .body */
    CC_GOTO,  /* .label; computed: .expr */
    CC_BREAK,
    CC_CONTINUE,
    CC_RETURN, /* .expr converted to the return type, or NULL */
} CcStmtKind;

typedef struct CcLabel {
    const char *name;
    CcStmt *statement;
    CcLoc loc;
    const struct CcFence *fence; /* front end: the innermost fence around it (front.h), which no jump may enter */
    const struct CcBlockOfDirective *block; /* front end: the innermost structured block around it */
    bool used, address_taken;
    bool maybe_unused; /* attribute unused */
    void *back;        /* owned by lowering */
} CcLabel;

struct CcStmt {
    CcStmtKind kind;
    CcLoc loc;
    CcLoc end; /* block: the closing brace */
    CcStmt *next;
    CcStmt *first;
    CcExpr *expr, *step;
    CcStmt *init, *body, *otherwise;
    CcSymbol *symbol;
    CcType *type;
    CcStmt *cases, *next_case, *default_case;
    int64_t low, high;
    CcLabel *label;
    bool fallthrough; /* __attribute__((fallthrough)); */
    void *back;       /* owned by lowering */
};

/* -- translation unit -------------------------------------------------------------------------- */

typedef struct CcUnit {
    CcArena *arena;
    const CcOptions *options;
    CcDiagnostics *diagnostics;
    GPtrArray *files; /* char *: file names, indexed by CcLoc.file */
    GPtrArray
        *symbols; /* CcSymbol *: file-scope and static local variables and functions, in order of first declaration */
    GPtrArray *enums; /* CcType *: enums outside of system headers that are complete; debug information has them all,
                         because programs use enumerators without a variable of the enum */
    const char *name;
    struct CcSeen *seen; /* the preprocessed text and its line map (report.h) */
    struct CcUses *uses; /* where names are used (front/front.h); NULL: nobody asked for an index */
} CcUnit;

static inline bool cc_is_comparison(CcExprKind kind)
{
    return kind >= CC_EQUAL && kind <= CC_GREATER_EQUAL;
}

/* -- questions asked of the tree --------------------------------------------------------------- */

/* Returns the function that a call names, or NULL for a call through a pointer or any other expression. */
const CcSymbol *cc_tree_callee(const CcExpr *call);
/* Returns the expression below all implicit and explicit casts. */
const CcExpr *cc_tree_without_casts(const CcExpr *expr);
/* Whether a comparison is true for two values. The flags say whether the first value is less than, equal to or greater
 * than the second; all three are false if one of them is a NaN. */
bool cc_tree_holds(CcExprKind comparison, bool less, bool equal, bool more);
/* Returns true and sets *value if `expr` is an integer constant that fits in 64 bits. */
bool cc_tree_integer_constant(const CcExpr *expr, int64_t *value);
/* Whether `expr` is a null pointer constant (C11 6.3.2.3p3). */
bool cc_tree_is_null_constant(const CcExpr *expr);
static inline bool cc_is_number(const CcExpr *e)
{
    return e->kind == CC_NUMBER;
}
/* Whether control can reach the end of the statement, if it reaches its start and every label in it (flow.c). */
bool cc_tree_falls_through(const CcStmt *s);
/* Whether control can reach the end of a function's body (flow.c). */
bool cc_tree_reaches_end(const CcStmt *body);

/* Callbacks for each node of a walk, parents first, in the order of the source. NULL: not called. `expression` returns
 * whether the walk visits the children of the node. */
typedef struct CcVisitor {
    void (*statement)(const CcStmt *statement, void *user);
    bool (*expression)(const CcExpr *expr, void *user);
} CcVisitor;
/* Walks a statement and all that follow it in its block; NULL is an empty list. The walk includes statement
 * expressions and the initialisers of declared variables. The parser's limits on nesting bound the recursion. */
void cc_walk_statements(const CcStmt *first, const CcVisitor *visitor, void *user);
void cc_walk_expression(const CcExpr *expr, const CcVisitor *visitor, void *user);

/* Prints the tree of the unit to `out` (--dump=ast). */
void cc_dump_ast(const CcUnit *unit, FILE *out);

#endif
