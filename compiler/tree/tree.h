/* tree.h - types, symbols and the typed tree: the seam between front end and lowering.
 *
 * The front end (rooms front, sema, syntax) builds it; checks and the back end (room lower) read it. After sema every
 * expression has a type, every implicit conversion is an explicit CC_CAST, arrays and functions that decay are under
 * CC_DECAY, constants are folded where the language demands constants, and everything that can be wrong has been
 * reported: lowering never fails on a tree without errors.
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

typedef struct CcLoc {
    uint32_t file;
    uint32_t line;
    uint16_t column;
    uint16_t length;
} CcLoc; /* file: unit->files */

/* -- types ------------------------------------------------------------------------------------- */

typedef enum CcKind { /* arithmetic kinds in order of conversion rank */
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
                      CC_INT128, /* __int128: travels by address, computed with as two registers (lower/wide.c) */
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
enum { CC_CONST = 1, CC_VOLATILE = 2, CC_RESTRICT = 4 };

struct CcMember {
    const char *name; /* NULL: anonymous struct/union or unnamed bit-field */
    CcType *type;
    uint64_t offset; /* bytes; of a bit-field: of its storage unit */
    uint8_t bit_offset, bit_width;
    uint8_t reach; /* bit-field: bytes from `offset` on that an access may touch */
    bool bit_field;
    CcLoc loc;
};
typedef struct CcTag { /* struct, union or enum: shared by all qualified versions of the type */
    const char *name;  /* NULL: no tag */
    bool complete, packed;
    bool transparent; /* GNU: a union whose members may be passed for it */
    CcMember *members;
    uint32_t n_members;
    CcSymbol **enumerators;
    uint32_t n_enumerators;
    uint64_t size;
    uint32_t align;
    CcLoc loc;
    bool flexible;    /* last member is a flexible array */
    uint32_t depth;   /* front end: of structs inside this one, bounded */
    CcType *variants; /* front end: the types that share this tag, chained by next_variant */
    void *back;       /* for lowering: its debug type */
} CcTag;
struct CcType {
    CcKind kind;
    uint8_t qualifiers;
    uint64_t size; /* bytes; 0 for void, functions, incomplete and variably modified types */
    uint32_t align;
    CcType *target;      /* pointee, element, return type; of an enum: its integer type */
    uint64_t length;     /* array: elements */
    bool incomplete;     /* array without size, struct without body */
    bool unsigned_char;  /* CC_CHAR under -funsigned-char */
    bool variable;       /* variably modified: size known at run time only */
    CcExpr *length_expr; /* VLA: number of elements (unsigned long); sema wraps it in a hidden variable that is set at
                            the declaration. NULL in a variable array: evaluated earlier (typedef, sizeof), read
                            length_symbol */
    CcSymbol *length_symbol; /* that variable (type unsigned long) */
    CcType **parameters;
    uint32_t n_parameters;
    bool variadic, old_style; /* () or K&R: arguments not checked */
    CcTag *tag;
    const char *name;     /* typedef name it was written with, for messages and the debugger; else NULL */
    CcType *next_variant; /* front end */
    void *back;           /* for lowering */
};
static inline bool cc_is_integer(const CcType *t)
{
    return (t->kind >= CC_BOOL && t->kind <= CC_ULLONG) || t->kind == CC_ENUM;
}
/* __int128, with sign or without. It is no cc_is_integer(): whoever asks that thinks of 64 bits. */
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
bool cc_type_is_signed(const CcType *type);                 /* of integers; enum and bool: of their integer type */
char *cc_type_name(const CcType *type);                     /* "const char *[4]", for messages; g_free */
bool cc_types_compatible(const CcType *a, const CcType *b); /* C11 6.2.7, qualifiers count */
bool cc_types_compatible_unqualified(const CcType *a, const CcType *b); /* ... but not the outermost ones */
/* Derivations and structs inside one another: what a walk over the type recurses through. */
unsigned cc_type_depth(const CcType *type);
const CcType *cc_type_integer_of(const CcType *type); /* an enum's integer type, else itself */
CcType *cc_type_complex_part(const CcType *type);     /* a type with the kind of the parts */
bool cc_type_has_variable_size(const CcType *type);
bool cc_type_is_variably_modified(const CcType *type);
const CcMember *cc_type_find_member(const CcType *type, const char *name, uint64_t *offset);
uint64_t cc_type_canonical(const CcType *type, uint64_t value);

/* -- symbols ----------------------------------------------------------------------------------- */

typedef enum CcSymbolKind { CC_SYM_VARIABLE, CC_SYM_FUNCTION, CC_SYM_TYPEDEF, CC_SYM_ENUMERATOR } CcSymbolKind;
typedef enum CcStorage {
    CC_AUTO,
    CC_REGISTER,
    CC_STATIC,
    CC_EXTERN,
    CC_GLOBAL /* file scope, external, defined here */
} CcStorage;

struct CcSymbol {
    CcSymbolKind kind;
    const char *name;
    const char *link_name; /* asm label or unique name of a static local; else == name */
    CcType *type;
    CcStorage storage;
    CcLoc loc;
    int64_t value; /* enumerator */
    bool file_scope, parameter, defined, tentative, used, addressed /* & taken or array/struct: must live in memory */;
    bool weak, constructor, destructor, noreturn_, inline_, always_emit /* extern inline etc.: emit even if unused */;
    bool always_inline, no_inline; /* attributes */
    bool assumed; /* undeclared, taken for the library's function of the name: the program's declaration counts */
    uint32_t references;                                /* how often the unit's expressions name it */
    uint16_t constructor_priority, destructor_priority; /* constructor(101); 0: none given */
    bool array_parameter;                               /* declared as an array */
    bool maybe_unused, must_use, deprecated;            /* attributes unused, warn_unused_result, deprecated */
    const char *deprecated_text;                        /* what the attribute says; NULL */
    const char *warning_text;                           /* attribute warning: what to say where it is used; NULL */
    const struct CcFormat *format;                      /* attribute format; NULL */
    uint64_t nonnull;  /* attribute nonnull: bit i for parameter i, all bits: each pointer */
    uint32_t align;    /* from _Alignas or attribute; 0: the type's */
    const char *alias; /* __attribute__((alias("x"))) */
    bool initialised;  /* has an initialiser, though its list may be empty: all of the object is set */
    CcInit *init;      /* flattened; NULL: none, or one that names nothing */
    struct CcFunctionBody *body;
    bool gnu_inline; /* defined by GNU's extern inline: another definition may follow */
    void *back;      /* for lowering */
};

/* __attribute__((format(printf, 1, 2))): which argument is the format, and the first that it describes; from 1. */
typedef struct CcFormat {
    enum { CC_FORMAT_PRINTF, CC_FORMAT_SCANF, CC_FORMAT_STRFTIME } kind;
    unsigned format, first; /* first 0: a va_list, nothing to compare */
} CcFormat;

typedef struct CcFunctionBody {
    CcSymbol **parameters;
    uint32_t n_parameters;
    CcStmt *body;      /* a CC_BLOCK */
    CcSymbol **labels; /* unused */
    CcLoc end;         /* of the closing brace */
    bool calls_setjmp;
} CcFunctionBody;

/* -- initialisers: flat list in ascending offset; what is not named is zero -------------------- */

struct CcInit {
    CcInit *next;
    uint64_t offset;               /* bytes from the start of the object */
    CcType *type;                  /* of the scalar (or struct copied whole, or array initialised by a string) */
    uint8_t bit_offset, bit_width; /* width 0: not a bit-field */
    uint8_t reach;                 /* bit-field: see CcMember */
    CcExpr *value;  /* converted to `type`; for static objects a constant (CC_NUMBER, CC_STRING for arrays) or an
                       address: CC_ADDRESS_CONSTANT */
    CcSymbol *once; /* front end: the hidden variable that keeps the value of a designated range */
};

/* -- expressions ------------------------------------------------------------------------------- */

typedef enum CcExprKind {
    CC_NUMBER, /* integer or real constant: .integer or .real by type (pointer constants: .integer); complex: .real and
                  .imaginary */
    CC_STRING, /* lvalue array: .string bytes, .string_size including the terminating zero */
    CC_VARIABLE,         /* lvalue (or function designator): .symbol */
    CC_ADDRESS_CONSTANT, /* .symbol (or .left: a CC_STRING / CC_COMPOUND) + .integer bytes; in static initialisers */
    CC_LABEL_ADDRESS,    /* &&label: .label */
    CC_DECAY,            /* array -> pointer to first element, function -> pointer: .left */
    CC_ADDRESS,          /* &: .left is an lvalue or function */
    CC_DEREFERENCE,      /* lvalue: *.left */
    CC_MEMBER, /* .left (struct lvalue or struct value) . member; lvalue if .left is. (p->m is MEMBER of DEREFERENCE) */
    CC_CAST,   /* .left converted to .type, explicit or implicit (to void: value dropped; to bool: != 0) */
    CC_NEGATE,
    CC_COMPLEMENT,
    CC_NOT, /* -, ~, ! : .left */
    CC_PRE_INCREMENT,
    CC_PRE_DECREMENT,
    CC_POST_INCREMENT,
    CC_POST_DECREMENT, /* .left lvalue */
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
    /* operands converted to the common type (shifts: each promoted). Pointer + integer: .left is the
       pointer, .right a long, NOT scaled; pointer - pointer: in elements. */
    CC_EQUAL,
    CC_NOT_EQUAL,
    CC_LESS,
    CC_LESS_EQUAL,
    CC_GREATER,
    CC_GREATER_EQUAL, /* int result, operands of one type */
    CC_LOGICAL_AND,
    CC_LOGICAL_OR,
    CC_CONDITIONAL, /* .condition ? .left : .right; .left NULL: the condition's value (GNU) */
    CC_COMMA,
    CC_ASSIGN,         /* .left = .right, right converted to left's type; struct assignment too */
    CC_ASSIGN_OP,      /* .left .op= .right: computed in .operation_type, then converted to left's type; right already
                          converted to operation_type (shifts: promoted; pointer += : long, not scaled) */
    CC_CALL,           /* .left: function pointer (CC_DECAY of a function for direct calls); .arguments converted */
    CC_COMPOUND,       /* compound literal: lvalue, .symbol is a hidden variable with init */
    CC_STATEMENT_EXPR, /* ({ ... }): .statement; value of its last expression statement */
    CC_VA_START,
    CC_VA_ARG,
    CC_VA_COPY,
    CC_VA_END,          /* .left: lvalue of type va_list (char *); VA_ARG: .type; VA_COPY: .right */
    CC_BUILTIN,         /* .builtin with .arguments */
    CC_SIZEOF_VARIABLE, /* size in bytes of variably modified .operation_type */
    CC_REAL_PART,
    CC_IMAGINARY_PART, /* of complex .left; lvalue if it is */
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
    bool implicit;      /* made by the compiler */
    bool parenthesized; /* stood in parentheses of its own */
    uint8_t bits;   /* front end: 33 to 63 in the value of a wide bit-field, which GNU C computes with in that width */
    uint16_t depth; /* of the tree below, bounded at parse time: recursive walks are safe */
    CcExprKind op;  /* CC_ASSIGN_OP */
    CcLoc op_loc;   /* binary operators: the operator itself */
    CcType *operation_type; /* a number that sizeof made: of its operand, which is .symbol if it was a variable */
    CcExpr *left, *right, *condition;
    CcSymbol *symbol;
    CcMember *member;
    uint64_t integer; /* canonical for the type (sign- or zero-extended) */
    uint64_t high;    /* of a wide number: the upper half */
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
    CC_DECLARATION, /* .symbol: automatic variable comes to life (initialise; VLA: evaluate sizes, allocate); static
                       ones are not here */
    CC_VLA_SIZE,    /* evaluate the length expressions of .type (through arrays and pointers, where not NULL) into their
                       hidden    variables: typedef, parameter, variable that is a pointer to a VLA. (A VLA's own
                       CC_DECLARATION does it) */
    CC_IF,
    CC_WHILE,
    CC_DO,
    CC_FOR,    /* .expr condition (may be NULL in for), .init, .step, .body, .otherwise */
    CC_SWITCH, /* .expr (promoted), .body, .cases chained by next_case, .default_case */
    CC_CASE,   /* .low, .high (equal unless a range), .body; CC_DEFAULT: .body. The body of a case, default or label in
                  a block is an empty CC_EXPRESSION: what it labels follows as .next */
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
    const struct CcFence *fence; /* front end: where it stands */
    bool used, address_taken;
    bool maybe_unused; /* attribute */
    void *back;
} CcLabel;

struct CcStmt {
    CcStmtKind kind;
    CcLoc loc;
    CcLoc end; /* block: closing brace */
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
    void *back;
};

/* -- translation unit -------------------------------------------------------------------------- */

typedef struct CcUnit {
    CcArena *arena;
    const CcOptions *options;
    CcDiagnostics *diagnostics;
    GPtrArray *files; /* char *: file names, indexed by CcLoc.file */
    GPtrArray
        *symbols; /* CcSymbol *: file-scope and static local variables and functions, in order of first declaration */
    const char *name;
    struct CcSeen *seen; /* report.h: the text that was compiled, and its line map */
} CcUnit;

static inline bool cc_is_comparison(CcExprKind kind)
{
    return kind >= CC_EQUAL && kind <= CC_GREATER_EQUAL;
}

/* -- questions asked of the tree --------------------------------------------------------------- */

/* The function that a call names, or NULL (a call through a pointer, or no call). */
const CcSymbol *cc_tree_callee(const CcExpr *call);
/* The expression below implicit and explicit casts. */
const CcExpr *cc_tree_without_casts(const CcExpr *expr);
/* Whether a comparison holds of two values of which the first is less, equal, more, or (NaN) none of these. */
bool cc_tree_holds(CcExprKind comparison, bool less, bool equal, bool more);
/* The value of an integer constant that fits in 64 bits. */
bool cc_tree_integer_constant(const CcExpr *expr, int64_t *value);
bool cc_tree_is_null_constant(const CcExpr *expr);
static inline bool cc_is_number(const CcExpr *e)
{
    return e->kind == CC_NUMBER;
}
/* Whether control can come behind the statement, if it comes to it and to every label in it (flow.c). */
bool cc_tree_falls_through(const CcStmt *s);
/* Whether it can come to the end of a function's body. */
bool cc_tree_reaches_end(const CcStmt *body);

/* Is told of every node, parents first, in order of the source. NULL: not interested. `expression` answers whether to
 * go on below the node. */
typedef struct CcVisitor {
    void (*statement)(const CcStmt *statement, void *user);
    bool (*expression)(const CcExpr *expr, void *user);
} CcVisitor;
/* A statement and all that follows it in its block; NULL is nothing. Statement expressions and the initialisers of
 * declared variables are walked too. Recursion is bounded by the limits on nesting that the parser keeps. */
void cc_walk_statements(const CcStmt *first, const CcVisitor *visitor, void *user);
void cc_walk_expression(const CcExpr *expr, const CcVisitor *visitor, void *user);

/* Prints the tree (--dump=ast). */
void cc_dump_ast(const CcUnit *unit, FILE *out);

#endif
