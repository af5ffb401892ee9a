/* sema.h - builds typed declarations, expressions and statements for the grammar, and checks them against C11.
 *
 * Each grammar action calls a function of this header, which returns a piece of the typed tree (tree/tree.h). The
 * functions report errors themselves; a wrong expression has the type parser->error_type. Declarations that only the
 * files of this room share are in expressions.h, declarations.h and builtins.h.
 */
#ifndef ORRERY_COMPILER_SEMA_H
#define ORRERY_COMPILER_SEMA_H

#include "compiler/front/front.h"

/* -- literals (literals.c) --------------------------------------------------------------------- */

typedef struct CcText { /* a piece of a string literal: its raw spelling in the source text, or its decoded bytes */
    const char *bytes;  /* raw: in the source text; decoded: in the arena */
    size_t size;
    CcType *element; /* decoded: type of the characters; NULL: raw */
} CcText;

CcExpr *cc_sema_number_literal(CcParser *p, const char *text, size_t length, CcLoc loc);
CcExpr *cc_sema_character_literal(CcParser *p, const char *text, size_t length, CcLoc loc);
CcExpr *cc_sema_string_literal(CcParser *p, const CcText *pieces, const CcLoc *locations, size_t n);

/* -- declarations (types.c, tags.c, declarations.c, functions.c) ------------------------------- */

typedef struct CcAttributes { /* GNU attributes; most become fields of CcSymbol (tree.h), which explains them */
    uint32_t align;           /* bytes; 0: none */
    bool packed, weak, constructor, destructor, noreturn_, gnu_inline, always_inline, no_inline;
    const char *weakref;                                /* the target; NULL: none */
    uint16_t constructor_priority, destructor_priority; /* 0: none given */
    bool maybe_unused, must_use, deprecated, fallthrough, transparent;
    const char *deprecated_text, *warning_text;
    const CcFormat *format;
    uint64_t nonnull;
    const char *alias;
    enum { CC_LAYOUT_DEFAULT, CC_LAYOUT_GCC, CC_LAYOUT_MS } layout; /* gcc_struct, ms_struct */
    uint8_t mode_size; /* bytes that the attribute mode asks for, mode(DI): 8; 0: none */
    bool mode_real;    /* the mode is a floating-point one */
} CcAttributes;

typedef struct CcSpecs { /* the declaration specifiers of a declaration (C11 6.7) */
    CcLoc loc;
    bool is_typedef, has_storage, inline_, thread, implicit_int, auto_type;
    bool noreturn_word, alignas_word; /* _Noreturn or _Alignas was given: they are not allowed everywhere */
    CcStorage storage;                /* valid if has_storage */
    uint8_t qualifiers;
    unsigned words;    /* CcSpecWord bits */
    CcType *type;      /* from struct, union, enum, a typedef name or typeof; until finished NULL if from `words` */
    bool tag_declared; /* declares a tag, by "struct x;" or a body: "struct x {...};" needs no declarator */
    bool finished;     /* cc_sema_specs_finish() has run: `type` is complete */
    CcAttributes attributes;
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
typedef struct CcParam { /* a parameter of a function declarator */
    struct CcParam *next;
    CcExpr *length;   /* length of the array it was declared as, to be evaluated at entry; NULL: none, or a constant */
    CcIdent *ident;   /* NULL: abstract, without a name */
    CcSymbol *symbol; /* NULL: a name of a K&R list whose declaration has not been read */
    CcLoc loc;
} CcParam;
typedef struct CcPart { /* a derivation in a declarator: pointer to, array of, function returning */
    CcPartKind kind;
    struct CcPart *next; /* the next part, nearer to the name */
    CcLoc loc;
    uint8_t qualifiers;   /* of the pointer, or those in the brackets of an array parameter */
    CcExpr *length;       /* array: number of elements; NULL: none given */
    bool star, is_static; /* array parameter: [*], [static n] */
    CcParam *params;
    unsigned n_params;
    bool variadic, identifiers; /* identifiers: a K&R list of names, or () */
    CcScope *scope;             /* the scope of the parameters */
    const CcType *prototype;    /* K&R definition: the type of an earlier prototype, which it follows (GNU) */
} CcPart;
typedef struct CcDeclarator {
    CcIdent *ident; /* NULL: abstract */
    CcLoc loc;
    CcPart *parts; /* in the order in which they apply to the base type */
    unsigned n_parts;
    CcAttributes attributes;
    const char *asm_label; /* NULL: none */
    CcExpr *length;        /* parameter: length of the outermost array if it is not constant, else NULL */
    CcExpr *width;         /* bit-field */
    bool has_width;
} CcDeclarator;

typedef struct CcParamList { /* the list while it is being read */
    CcParam *first, *last;
    unsigned count;
    bool variadic, identifiers;
} CcParamList;

/* Specifiers are added one by one. Each of these functions reports a wrong combination. */
CcSpecs *cc_sema_specs_new(CcParser *p, CcLoc loc);
void cc_sema_specs_word(CcParser *p, CcSpecs *specs, unsigned word, CcLoc loc);
void cc_sema_specs_storage(CcParser *p, CcSpecs *specs, CcStorage storage, CcLoc loc);
void cc_sema_specs_typedef(CcParser *p, CcSpecs *specs, CcLoc loc);
void cc_sema_specs_type(CcParser *p, CcSpecs *specs, CcType *type, CcLoc loc);
void cc_sema_attributes_merge(CcAttributes *into, const CcAttributes *from);
void cc_sema_attribute(CcParser *p, CcAttributes *into, CcIdent *name, CcExpr **arguments, unsigned n, CcLoc loc);
/* _Alignas: either `expr` or `type` is given, the other is NULL. */
void cc_sema_specs_align(CcParser *p, CcSpecs *specs, CcExpr *expr, CcType *type, CcLoc loc);

CcDeclarator *cc_sema_declarator_new(CcParser *p, CcIdent *ident, CcLoc loc);
CcPart *cc_sema_part_new(CcParser *p, CcPartKind kind, CcLoc loc);
CcDeclarator *cc_sema_declarator_add(CcParser *p, CcDeclarator *declarator, CcPart *parts);
/* Returns the type of a type-name (C11 6.7.7). */
CcType *cc_sema_type_of_name(CcParser *p, CcSpecs *specs, CcDeclarator *declarator);
/* Returns the type that typeof means for this expression. */
CcType *cc_sema_typeof_type(CcParser *p, const CcExpr *expr);
/* Returns the type that __auto_type means for this initialiser. */
CcType *cc_sema_auto_type(CcParser *p, CcExpr *expr);

/* Struct or union: cc_sema_tag_begin() binds the tag, cc_sema_record_finish() lays the record out as the System V ABI
 * for x86-64 says. */
/* Returns the type that "struct x" names; declares the tag if it is unknown. `declares_alone`: it is the declaration
 * "struct x;", which hides a tag of an outer scope. */
CcType *cc_sema_tag_reference(CcParser *p, CcKind kind, CcIdent *tag, CcLoc loc, bool declares_alone);
CcType *cc_sema_tag_begin(CcParser *p, CcKind kind, CcIdent *tag, CcLoc loc);
typedef struct CcMemberList { /* the members of a struct or union while its body is being read */
    CcType *type;             /* the struct or union */
    CcAttributes *record_attributes;
    CcMember *items;
    unsigned count, capacity;
    CcAttributes *attributes; /* one for each item */
} CcMemberList;
void cc_sema_member_add(CcParser *p, CcMemberList *list, CcSpecs *specs, CcDeclarator *declarator);
CcType *cc_sema_record_finish(CcParser *p, CcType *type, CcMemberList *list, const CcAttributes *attributes);
typedef struct CcEnumState { /* an enum while its body is being read */
    CcType *type;
    int64_t next; /* value of the next enumerator that has none */
    uint64_t maximum;
    int64_t minimum;
    CcSymbol **items;
    unsigned count, capacity;
} CcEnumState;
/* Declares an enumerator. `value` NULL: one more than the enumerator before it. */
void cc_sema_enumerator(CcParser *p, CcEnumState *state, CcIdent *ident, CcExpr *value, CcLoc loc);
CcType *cc_sema_enum_finish(CcParser *p, CcEnumState *state);

typedef struct CcInitNode CcInitNode;
typedef struct CcDesignator {
    struct CcDesignator *next;
    CcIdent *member;    /* .member; NULL: an index */
    uint64_t low, high; /* [low ... high]; equal unless it is a range */
    CcLoc loc;
} CcDesignator;
struct CcInitNode { /* an initialiser as it was written */
    CcInitNode *next;
    CcDesignator *designators; /* NULL: none */
    CcExpr *expr;              /* NULL: a list in braces */
    CcInitNode *first, *last;  /* the items of the list */
    CcLoc loc;
};

/* Declares one declarator of a declaration. Appends the statements that it needs to `out`. */
CcSymbol *cc_sema_declare(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, bool initialised, CcStmtList *out);
/* Initialises a variable that cc_sema_declare() has declared. Appends the statements that it needs to `out`. */
void cc_sema_initialise(CcParser *p, CcSymbol *symbol, CcInitNode *init, CcStmtList *out);
/* Checks the declaration in the head of a for (C11 6.8.5p3). `scope` is that of the for statement. */
void cc_sema_check_for_declaration(CcParser *p, const CcScope *scope);
/* Checks a declaration without declarators, like "struct x;". */
void cc_sema_empty_declaration(CcParser *p, CcSpecs *specs, CcLoc loc);
CcParam *cc_sema_parameter(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcLoc loc);
CcParam *cc_sema_parameter_identifier(CcParser *p, CcIdent *ident, CcLoc loc);
/* A function definition is three calls: begin after the declarator, body after the K&R declarations just before the {,
 * end after the }. */
void cc_sema_function_begin(CcParser *p, CcSpecs *specs, CcDeclarator *declarator);
void cc_sema_function_body(CcParser *p);
void cc_sema_function_end(CcParser *p, CcStmt *body);
bool cc_sema_declares_function(const CcDeclarator *declarator);
/* Whether the declarator has a prototype, not the names of an old-style definition. */
bool cc_sema_has_prototype(const CcDeclarator *declarator);
/* Declares a parameter of a K&R definition. */
void cc_sema_old_parameter(CcParser *p, CcSpecs *specs, CcDeclarator *declarator);
/* Returns the symbol of __func__. */
CcSymbol *cc_sema_function_name_symbol(CcParser *p, CcLoc loc);
void cc_sema_static_assert(CcParser *p, CcExpr *condition, const CcExpr *message, CcLoc loc);

CcInitNode *cc_sema_init_node(CcParser *p, CcExpr *expr, CcLoc loc);
CcDesignator *cc_sema_designator(CcParser *p, CcIdent *member, CcExpr *low, CcExpr *high, CcLoc loc);

/* Returns the type that _Atomic(type) names. Reports an error if there is none (atomic_objects.c). */
CcType *cc_sema_atomic_type(CcParser *p, CcType *type, CcLoc loc);

/* -- expressions (expressions.c, operators.c, calls.c) ----------------------------------------- */

/* Returns an expression that stands for a wrong one. */
CcExpr *cc_sema_error_expr(CcParser *p, CcLoc loc);
static inline bool cc_is_error(const CcParser *p, const CcExpr *e)
{
    return e->type == p->error_type;
}
CcExpr *cc_sema_integer(CcParser *p, CcType *type, uint64_t value, CcLoc loc);
CcExpr *cc_sema_variable(CcParser *p, CcSymbol *symbol, CcLoc loc);
CcExpr *cc_sema_name(CcParser *p, CcIdent *ident, CcLoc loc);
/* array[index]; one of the two is a pointer or array, the other an integer. */
CcExpr *cc_sema_index(CcParser *p, CcExpr *array, CcExpr *index, CcLoc loc);
/* In inquiries (sections.c): array[from:to:step], of which each may be NULL; object@count. */
CcExpr *cc_sema_section(CcParser *p, CcExpr *array, CcExpr *from, CcExpr *to, CcExpr *step, CcLoc loc);
CcExpr *cc_sema_repeat(CcParser *p, CcExpr *object, CcExpr *count, CcLoc loc);
/* object.name, or object->name if `arrow`. */
CcExpr *cc_sema_member(CcParser *p, CcExpr *object, CcIdent *name, bool arrow, CcLoc loc, CcLoc name_loc);
CcExpr *cc_sema_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc);
/* `kind` is CC_NEGATE, CC_CAST for unary +, CC_COMPLEMENT, CC_NOT, CC_REAL_PART or CC_IMAGINARY_PART. */
CcExpr *cc_sema_unary(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc);
CcExpr *cc_sema_address(CcParser *p, CcExpr *operand, CcLoc loc);
CcExpr *cc_sema_dereference(CcParser *p, CcExpr *operand, CcLoc loc);
CcExpr *cc_sema_binary(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc, CcLoc op_loc);
CcExpr *cc_sema_conditional(CcParser *p, CcExpr *condition, CcExpr *yes, CcExpr *no, CcLoc loc);
CcExpr *cc_sema_assignment(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_comma(CcParser *p, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_sizeof_type(CcParser *p, CcType *type, CcLoc loc);
CcExpr *cc_sema_sizeof_expr(CcParser *p, CcExpr *expr, CcLoc loc);
CcExpr *cc_sema_alignof(CcParser *p, CcType *type, CcLoc loc);
CcExpr *cc_sema_alignof_expr(CcParser *p, CcExpr *e, CcLoc loc);
CcExpr *cc_sema_cast_expr(CcParser *p, CcType *type, CcExpr *expr, CcLoc loc);
CcExpr *cc_sema_compound_literal(CcParser *p, CcType *type, CcInitNode *init, CcLoc loc);
CcExpr *cc_sema_statement_expr(CcParser *p, CcStmt *block, CcLoc loc);
CcExpr *cc_sema_label_address(CcParser *p, CcIdent *ident, CcLoc loc);
CcExpr *cc_sema_offsetof(CcParser *p, CcExpr *path, CcLoc loc);
CcExpr *cc_sema_va_arg(CcParser *p, CcExpr *list, CcType *type, CcLoc loc);
typedef struct CcAssociation { /* of a _Generic selection */
    struct CcAssociation *next;
    CcType *type; /* NULL: default */
    CcExpr *expr;
    CcLoc loc;
} CcAssociation;
/* _Generic. The list runs from the last association to the first. */
CcExpr *cc_sema_generic(CcParser *p, CcExpr *control, CcAssociation *list, CcLoc loc);
/* __builtin_choose_expr. */
CcExpr *cc_sema_choose(CcParser *p, CcExpr *condition, CcExpr *yes, CcExpr *no, CcLoc loc);
typedef struct CcExprList {
    CcExpr **items;
    unsigned count, capacity;
} CcExprList;
/* Appends an expression to a list. `list` NULL: a new list. */
CcExprList *cc_sema_expr_list(CcParser *p, CcExprList *list, CcExpr *expr);
CcExpr *cc_sema_call(CcParser *p, CcExpr *callee, CcExprList *arguments, CcLoc loc);
/* Reports an argument that is a type, as in MPI_Bcast(&n, 1, int, 0, comm). Suggests MPI's datatype. */
CcExpr *cc_sema_type_as_value(CcParser *p, const CcType *type, CcLoc loc);
/* Calls a function by its name, which may be undeclared or that of a built-in. */
CcExpr *cc_sema_call_name(CcParser *p, CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc);

/* Returns a new variable that the program cannot name. `stem` begins its unique name. */
CcSymbol *cc_sema_hidden_variable(CcParser *p, const char *stem, CcType *type, bool is_static, CcLoc loc);

/* -- statements (statements.c) ----------------------------------------------------------------- */

CcStmt *cc_sema_stmt_new(CcParser *p, CcStmtKind kind, CcLoc loc);
void cc_sema_append(CcStmtList *list, CcStmt *statement);
CcStmtList cc_sema_concat(CcStmtList a, CcStmtList b);
CcStmt *cc_sema_block(CcParser *p, CcStmtList items, CcLoc loc, CcLoc end);
CcStmt *cc_sema_expression_statement(CcParser *p, CcExpr *expr, CcLoc loc);
CcStmt *cc_sema_if(CcParser *p, CcExpr *condition, CcStmt *body, CcStmt *otherwise, CcLoc loc);
CcStmt *cc_sema_loop(CcParser *p, CcStmtKind kind, CcExpr *condition, CcStmt *body, CcLoc loc);
CcStmt *cc_sema_for(CcParser *p, CcStmt *init, CcExpr *condition, CcExpr *step, CcStmt *body, CcLoc loc);
void cc_sema_context_push(CcParser *p, bool loop);
void cc_sema_switch_begin(CcParser *p, CcExpr *operand, CcLoc loc);
CcStmt *cc_sema_switch_end(CcParser *p, CcStmt *body);
void cc_sema_context_pop(CcParser *p);
CcStmt *cc_sema_case(CcParser *p, CcExpr *low, CcExpr *high, CcLoc loc);
CcStmt *cc_sema_default(CcParser *p, CcLoc loc);
CcStmt *cc_sema_label_statement(CcParser *p, CcIdent *ident, CcLoc loc);
/* Begins a region that no jump may enter. It ends with the innermost scope. `symbol` as in CcFence. */
void cc_sema_fence(CcParser *p, const CcSymbol *symbol);
void cc_sema_local_label(CcParser *p, CcIdent *ident, CcLoc loc);
CcStmt *cc_sema_goto(CcParser *p, CcIdent *ident, CcLoc loc);
CcStmt *cc_sema_goto_computed(CcParser *p, CcExpr *target, CcLoc loc);
/* GNU asm: an empty template does nothing, any other is an error. */
typedef struct CcAsmOperand {
    struct CcAsmOperand *next;
    CcIdent *name; /* [name]; NULL: none */
    const CcExpr *constraint;
    CcExpr *expr;
} CcAsmOperand;
CcStmt *cc_sema_assembly(CcParser *p, const CcExpr *template, CcAsmOperand *outputs, CcAsmOperand *inputs, CcLoc loc);
/* Reports inline assembly that is not supported. */
void cc_sema_no_assembly(CcParser *p, CcLoc loc);
CcStmt *cc_sema_break(CcParser *p, CcLoc loc);
CcStmt *cc_sema_continue(CcParser *p, CcLoc loc);
CcStmt *cc_sema_return(CcParser *p, CcExpr *expr, CcLoc loc);

/* Returns the call at which other threads of the process may run: what follows, up to the next one, is indivisible. */
CcExpr *cc_sema_turn(CcParser *p, CcLoc loc);

/* -- outlined regions (regions.c) -------------------------------------------------------------- */

/* Begins a region: what is parsed from here on belongs to a function of its own. */
CcRegion *cc_region_begin(CcParser *p, CcRegionKind kind, const char *directive, CcLoc loc);
/* Says how the region gets the variable. The first word holds. */
void cc_region_list(CcParser *p, CcRegion *region, const CcSymbol *symbol, bool by_value);
/* Ends the region and gives its function the body. The captures are complete then, and p->region is the outer one. */
void cc_region_end(CcParser *p, CcRegion *region, CcStmt *body, CcLoc end);
/* Notes that the code being parsed uses the variable: outlined regions that do not declare it capture it. */
void cc_region_use(CcParser *p, CcSymbol *symbol, CcLoc loc);
/* The same for the variables that hold the lengths of a variably modified type. */
void cc_region_use_type(CcParser *p, const CcType *type, CcLoc loc);
/* Begins and ends a structured block, which no jump may enter or leave. */
CcBlockOfDirective *cc_region_block_begin(CcParser *p, const char *directive, CcLoc loc);
void cc_region_block_end(CcParser *p, CcBlockOfDirective *block);
/* Returns a new function without a name in the program. */
CcSymbol *cc_region_function(CcParser *p, const char *name, CcLoc loc);

/* -- names (check_names.c) --------------------------------------------------------------------- */

/* Leaves the innermost scope. Warns of unused variables, parameters and types in it. */
void cc_sema_leave_scope(CcParser *p);
/* Warns if the symbol is deprecated. */
void cc_check_use(CcParser *p, const CcSymbol *symbol, CcLoc loc);
/* Completes and checks the declarations of a unit that was read to its end. */
void cc_sema_end_of_unit(CcParser *p);

#endif
