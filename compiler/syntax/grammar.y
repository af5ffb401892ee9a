/* grammar.y - the LALR(1) grammar of C11 with the GNU extensions that programs use.
 *
 * Actions build the typed tree at once (sema/sema.h). Some parts of C are difficult for LALR(1). They are solved so:
 *
 *   typedef names     terminals.c returns TYPE_NAME for them. After a type specifier, such a name can only be the name
 *                     being declared. There are therefore two kinds of specifiers, with a type (specs_typed) and
 *                     without (specs_bare), and two of declarators. Only a declarator after a type may start with a
 *                     TYPE_NAME (C11 6.7.8p3).
 *   f(int (T))        is a function taking a function (6.7.6.3p11). In a parameter, a name in parentheses is no
 *                     TYPE_NAME.
 *   when names begin  The action right after a declarator declares its name, before the initialiser (6.2.1p7). No name
 *                     token can have been read ahead by then.
 *   K&R definitions   The token after the declarator tells them from declarations.
 *
 * Scopes and loops opened by mid-rule actions have typed values with destructors, so that error recovery closes them
 * too. The parser recovers from errors at the ; } and { of statements, declarations and members.
 */
%code requires {
#include "compiler/omp/omp.h"
#include "compiler/sema/sema.h"
typedef struct CcSpecItem {
    enum {
        SPEC_WORD, SPEC_STORAGE, SPEC_TYPEDEF, SPEC_QUALIFIER, SPEC_INLINE, SPEC_NORETURN, SPEC_THREAD, SPEC_ATTRIBUTE,
        SPEC_TYPE, SPEC_AUTO_TYPE, SPEC_ALIGN
    } what;
    unsigned value;
    void *data, *type;
} CcSpecItem;
typedef struct CcDeclaration {
    CcSpecs *specs;
    CcStmtList list;
    CcDeclarator *last;    /* the last one declared */
    CcDeclarator *pending; /* __auto_type: to be declared when its initialiser is known */
} CcDeclaration;
typedef struct CcDeclarators { CcDeclarator **items; unsigned count, capacity; } CcDeclarators;
typedef struct CcPointerPart { CcPart *first, *last; } CcPointerPart;
typedef struct CcSuffix { CcAttributes *attributes; const char *asm_label; } CcSuffix;
}

%define api.prefix {cc_syntax_}
%define api.pure full
%define api.location.type {CcLoc}
%define parse.error custom
%locations
%param {CcParser *p}

%code {
#include "compiler/syntax/mend.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"
#include <string.h>
/* For a declarator that turned out to have no body: the token that was read ahead begins the next declaration. */
#define ENDED_EARLY(declarator)                                                                                        \
    if (!cc_sema_declares_function(declarator) ? yychar != CC_SYNTAX_EMPTY && cc_token_end_before_name(p)              \
                                          : ends_head(p, declarator, begins_declaration(yychar)))                      \
        yyclearin;
#define YYMAXDEPTH 300000
#define YYLLOC_DEFAULT(current, rhs, n) \
    ((current) = (n) ? cc_front_join_locs(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) : YYRHSLOC(rhs, 0))

int cc_syntax_lex(CC_SYNTAX_STYPE *value, CcLoc *loc, CcParser *p);
static void yyerror(const CcLoc *loc, CcParser *p, const char *message);
static void apply(CcParser *p, CcSpecs *specs, const CcSpecItem *item, CcLoc loc);
static CcSpecs *start(CcParser *p, const CcSpecItem *item, CcLoc loc);
static void add_suffix(CcDeclarator *declarator, const CcSuffix *suffix, const CcAttributes *more);
static const char *asm_label(CcParser *p, const CcExpr *text);
static void nested_function(CcParser *p, const CcDeclaration *declaration, CcLoc loc);
static CcAsmOperand *asm_operand(CcParser *p, CcIdent *name, const CcExpr *constraint, CcExpr *expr);
static CcAsmOperand *asm_append(CcAsmOperand *list, CcAsmOperand *operand);
static CcFunctionState *define(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, const CcSuffix *suffix);
static bool ends_head(CcParser *p, const CcDeclarator *declarator, bool reads_type);
static bool begins_declaration(int token);
static void declare(CcParser *p, CcDeclaration *into, CcDeclarator *declarator, const CcSuffix *suffix,
                    const CcAttributes *more);
static CcSymbol *declare_initialised(CcParser *p, CcDeclaration *into, CcDeclarator *declarator, const CcSuffix *suffix,
                                     const CcAttributes *more);
static void initialise(CcParser *p, CcDeclaration *into, CcSymbol *symbol, CcInitNode *init);
static CcDeclarators *declarators_add(CcParser *p, CcDeclarators *list, CcDeclarator *declarator);
static void members_add(CcParser *p, CcMemberList *list, CcSpecs *specs, const CcDeclarators *declarators);
static CcDeclarator *bit_field(CcParser *p, CcDeclarator *declarator, CcExpr *width,
                               const CcAttributes *attributes, CcLoc loc);
static CcAttributes *merge_attributes(CcParser *p, CcAttributes *into, const CcAttributes *from);
static CcPart *function_part(CcParser *p, const CcParamList *list, CcScope *scope, CcLoc loc);
static void param_add(CcParamList *list, CcParam *param);
static CcPart *array_part(CcParser *p, CcExpr *length, unsigned qualifiers, bool star, bool is_static, CcLoc loc);
static CcPart *pointer_part(CcParser *p, unsigned qualifiers, CcLoc loc);
static CcInitNode *braces(CcParser *p, CcInitNode *list, CcLoc loc);
static CcInitNode *init_append(CcParser *p, CcInitNode *list, CcInitNode *item, CcLoc loc);
static CcDesignator *path_append(CcDesignator *path, CcDesignator *last);
static CcEnumState *enum_begin(CcParser *p, CcIdent *tag, CcLoc loc);
static void unwind(CcParser *p, CcScope *scope);
static const char *loop_head(CcParser *p, CcLoc loc);
static CcOmpClause *new_clause(CcParser *p, const CcOmpClauseKind *kind, CcLoc loc);
static void add_word(CcOmpClause *clause, const char *word);
static void add_clause(CcParser *p, CcOmpClauses *clauses, CcOmpClause *clause);
static void outside(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc);
}

%union {
    CcIdent *ident;
    CcExpr *expr;
    CcExprList *expr_list;
    CcType *type;
    CcStmt *stmt;
    CcStmtList list;
    CcSpecItem spec;
    CcSpecs *specs;
    CcDeclarator *declarator;
    CcDeclarators *declarators;
    CcDeclaration declaration;
    CcPart *part;
    CcPointerPart pointer;
    CcParam *param;
    CcParamList params;
    CcAttributes *attributes;
    CcSuffix suffix;
    CcInitNode *init;
    CcDesignator *designator;
    CcMemberList *members;
    CcEnumState *enumeration;
    CcAssociation *association;
    CcSymbol *symbol;
    CcScope *scope;
    CcContext *context;
    CcFunctionState *function;
    const char *text;
    unsigned bits;
    CcExprKind op;
    CcAsmOperand *operand;
    const CcFence *fence;
    const CcOmpKind *omp_kind;
    const CcOmpClauseKind *omp_clause_kind;
    CcOmpClause *omp_clause;
    CcOmpClauses omp_clauses;
    CcOmpItem *omp_item;
    CcOmpConstruct *construct;
    CcOmpDeclared *declared;
    int token;
}

%destructor { unwind(p, $$); } <scope>
%destructor { if (p->context) cc_sema_context_pop(p); } <context>
%destructor { if (p->function) cc_sema_function_end(p, NULL); } <function>
%destructor { cc_omp_abandon(p, $$); } <construct>

%token END 0 "end of file"
%token <ident> IDENTIFIER "identifier" TYPE_NAME "type name" ATTRIBUTE_NAME "attribute name"
%token <expr> CONSTANT "constant" STRING_LITERAL "string literal"
%token <ident> UNSUPPORTED_TYPE "type"
%token ASM "asm"
%token ATTRIBUTE "__attribute__" DECLARATOR_ATTRIBUTE "__attribute__ of a declarator"
%token RAW_NAME RAW_NUMBER RAW_CHARACTER STRING RAW_BAD EXTENSION "__extension__" LABEL_DECLARATION "__label__"
%token OMP_PRAGMA "#pragma omp" OMP_END "end of the directive"
%token <omp_kind> OMP_CONSTRUCT "directive" OMP_ALONE "directive without a statement" OMP_MODIFIER "name of a directive"
%token <omp_kind> OMP_THREADPRIVATE "threadprivate" OMP_DECLARE_REDUCTION "declare reduction"
%token <omp_clause_kind> OMP_BARE "clause" OMP_EXPR "clause with an expression" OMP_LIST "clause with a list"
%token <omp_clause_kind> OMP_OPERATION "reduction" OMP_STEP "linear" OMP_WORDS "clause with a word" OMP_WORD_LIST "depend or map"
%token <omp_clause_kind> OMP_NAME "name of a critical region"
%token <text> OMP_WORD "word of the clause" OMP_SINK "sink"
%token INQUIRY "an expression" /* stands in front of what a user of the debugger asks (inquiry.h) */
%token OMP_INITIALIZER "initializer" OMP_PRIV "omp_priv"
%token AUTO "auto" AUTO_TYPE "__auto_type" BREAK "break" CASE "case" CHAR "char" CONST "const" CONTINUE "continue" DEFAULT "default" DO "do"
%token DOUBLE "double" ELSE "else" ENUM "enum" EXTERN "extern" FLOAT "float" FOR "for" GOTO "goto" IF "if"
%token INLINE "inline"
%token INT "int" LONG "long" REGISTER "register" RESTRICT "restrict" RETURN "return" SHORT "short" SIGNED "signed"
%token INT128 "__int128" SIZEOF "sizeof" STATIC "static" STRUCT "struct" SWITCH "switch" TYPEDEF "typedef" UNION "union"
%token UNSIGNED "unsigned" VOID "void" VOLATILE "volatile" WHILE "while" ALIGNAS "_Alignas" ALIGNOF "_Alignof"
%token ATOMIC "_Atomic" ATOMIC_TYPE "_Atomic(" BOOL "_Bool" COMPLEX "_Complex" GENERIC "_Generic" IMAGINARY "_Imaginary" NORETURN "_Noreturn"
%token STATIC_ASSERT "_Static_assert" THREAD_LOCAL "_Thread_local" TYPEOF "typeof"
%token FUNCTION_NAME "__func__" REAL_PART "__real__" IMAGINARY_PART "__imag__" VA_ARG "__builtin_va_arg"
%token OFFSETOF "__builtin_offsetof" TYPES_COMPATIBLE "__builtin_types_compatible_p" CHOOSE "__builtin_choose_expr"
%token ELLIPSIS "..." ARROW "->" INCREMENT "++" DECREMENT "--"
%token SHIFT_LEFT_ASSIGN "<<=" SHIFT_RIGHT_ASSIGN ">>=" ADD_ASSIGN "+=" SUBTRACT_ASSIGN "-=" MULTIPLY_ASSIGN "*="
%token DIVIDE_ASSIGN "/=" REMAINDER_ASSIGN "%=" AND_ASSIGN "&=" XOR_ASSIGN "^=" OR_ASSIGN "|="
%token LOGICAL_OR "||" LOGICAL_AND "&&" EQUAL "==" NOT_EQUAL "!=" LESS_EQUAL "<=" GREATER_EQUAL ">=" SHIFT_LEFT "<<"
%token SHIFT_RIGHT ">>"

%precedence LOW
%precedence '{'
%precedence ATTRIBUTE
%precedence THEN
%precedence ELSE
%precedence '('
%left LOGICAL_OR
%left LOGICAL_AND
%left '|'
%left '^'
%left '&'
%left EQUAL NOT_EQUAL
%left '<' '>' LESS_EQUAL GREATER_EQUAL
%left SHIFT_LEFT SHIFT_RIGHT
%left '+' '-'
%left '*' '/' '%'
%left '@'

%type <ident> any_identifier tag_opt
%type <expr> primary postfix unary cast binary conditional assignment expression expression_opt constant_expression
%type <expr> offset_path argument
%type <expr_list> arguments arguments_opt
%type <op> assignment_operator
%type <association> association associations
%type <spec> bare_spec type_spec reserved_spec
%type <specs> specs_bare specs_typed
%type <type> record_spec enum_spec type_name
%type <bits> record_keyword qualifiers qualifier array_qualifiers
%type <members> members
%type <declarators> member_declarators
%type <declarator> member_declarator declarator direct bare_declarator bare_direct parm_declarator parm_direct parm_inner parm_inner_direct
%type <declarator> abstract abstract_direct
%type <pointer> pointer
%type <part> array_part function_part prototype_part
%type <params> parameters parameter_list identifier_list
%type <param> parameter
%type <attributes> attribute attributes attributes_opt attribute_list attribute_item inner_attributes
%type <suffix> suffix
%type <declaration> init_list init_rest bare_init_list bare_init_rest default_init_list
%type <enumeration> enum_open enum_items
%type <init> initialiser init_items init_item
%type <designator> designator designators
%type <list> declaration block_item items label for_init
%type <operand> asm_operands asm_operands_opt asm_operand
%type <stmt> asm_statement
%type <stmt> statement branch plain_statement keyword_statement compound block_in_expression
%type <scope> block_open open

%type <omp_clause> omp_clause omp_words
%type <omp_clauses> omp_clauses omp_line
%type <omp_item> omp_item omp_items
%type <token> omp_sign
%type <stmt> omp_statement omp_alone
%type <declared> omp_combiner

%start text
%%

/* -- the outside (C11 6.9) --------------------------------------------------------------------- */

text:
    unit
  | INQUIRY expression                  { p->inquiry->expr = $2; }
  | INQUIRY type_name                   { p->inquiry->type = $2; }
  ;
unit: %empty | unit external ;

external:
    function_definition
  | declaration                         { (void)$1; }
  | default_init_list ';'               { (void)$1; }
  | init_rest error                     { (void)$1; } /* a missing ; is assumed */
  | bare_init_rest error                { (void)$1; }
  | ';'
  | '{'                                 { cc_syntax_body_without_head(p, @1); }
  | ASM '(' STRING_LITERAL ')' ';'      { (void)cc_sema_assembly(p, $3, NULL, NULL, @1); }
  | omp_declaration
  | OMP_CONSTRUCT omp_line              { outside(p, $1, &$2, @1); }
  | OMP_ALONE omp_line                  { outside(p, $1, &$2, @1); }
  | error ';'                           { yyerrok; }
  | error '}'                           { yyerrok; }
  | error '{'                           { cc_token_skip_braces(p); yyerrok; }
  ;

function_definition:
    specs_typed declarator suffix <function>{ $$ = define(p, $1, $2, &$3); ENDED_EARLY($2) }
        old_declarations function_body  { (void)$4; }
  | specs_bare bare_declarator suffix <function>{ $$ = define(p, $1, $2, &$3); ENDED_EARLY($2) }
        old_declarations function_body  { (void)$4; }
  | bare_declarator suffix <function>{ $$ = define(p, cc_sema_specs_new(p, @1), $1, &$2); }
        old_declarations function_body  { (void)$3; }
  ;

old_declarations: %empty | old_declarations old_declaration ;
old_declaration:
    specs_typed old_declarators ';'
  | specs_bare old_bare_declarators ';'
  | specs_typed ';'
  ;
old_declarators:
    declarator suffix                   { cc_sema_old_parameter(p, $<specs>0, $1); }
  | old_declarators ',' { $<specs>$ = $<specs>0; } declarator suffix { cc_sema_old_parameter(p, $<specs>3, $4); }
  ;
old_bare_declarators:
    bare_declarator suffix              { cc_sema_old_parameter(p, $<specs>0, $1); }
  | old_bare_declarators ',' { $<specs>$ = $<specs>0; } bare_declarator suffix { cc_sema_old_parameter(p, $<specs>3, $4); }
  ;
function_body:
    error ';'                           { yyerrok; cc_sema_function_end(p, NULL); } /* it was no definition */
  | body_open items '}'                 { cc_sema_function_end(p, cc_sema_block(p, $2, @1, @3)); }
  | body_open items error '}'           { yyerrok; cc_sema_function_end(p, cc_sema_block(p, $2, @1, @4)); }
  ;
body_open:
    '{'                                 { cc_sema_function_body(p); }
  | error '{'                           { yyerrok; cc_sema_function_body(p); }
  | missing_open first_statement
  ;
first_statement: /* a statement here shows that a { is missing */
    keyword_statement
  | IDENTIFIER '(' arguments_opt ')' ';' { (void)cc_sema_call_name(p, $1, $3, @1, @1); }
  | IDENTIFIER '=' assignment ';'       { (void)cc_sema_assignment(p, cc_sema_name(p, $1, @1), $3, @1); }
  ;
missing_open: %empty
        { cc_syntax_missing_brace(p, p->function->symbol->name); cc_sema_function_body(p); } ;

/* -- declarations (6.7) ------------------------------------------------------------------------ */

declaration:
    specs_typed ';'                     { cc_sema_empty_declaration(p, $1, @1); $$ = (CcStmtList){NULL, NULL}; }
  | specs_bare ';'
        { $$ = (CcStmtList){NULL, NULL};
          if ($1->attributes.fallthrough && p->function) {
              CcStmt *s = cc_sema_expression_statement(p, NULL, @1);
              s->fallthrough = true;
              $$ = (CcStmtList){s, s};
          } else
              cc_sema_empty_declaration(p, $1, @1); }
  | init_list ';'                       { $$ = $1.list; }
  | bare_init_list ';'                  { $$ = $1.list; }
  | static_assert                       { $$ = (CcStmtList){NULL, NULL}; }
  | LABEL_DECLARATION label_names ';'   { $$ = (CcStmtList){NULL, NULL}; }
  ;
label_names:
    any_identifier                      { cc_sema_local_label(p, $1, @1); }
  | label_names ',' any_identifier      { cc_sema_local_label(p, $3, @3); }
  ;

static_assert:
    STATIC_ASSERT '(' constant_expression ',' STRING_LITERAL ')' ';' { cc_sema_static_assert(p, $3, $5, @3); }
  | STATIC_ASSERT '(' constant_expression ')' ';'                    { cc_sema_static_assert(p, $3, NULL, @3); }
  ;

init_list:
    specs_typed declarator suffix       { $$ = (CcDeclaration){.specs = $1}; declare(p, &$$, $2, &$3, NULL); }
  | init_rest
  ;
init_rest: /* lists that cannot be a function definition */
    specs_typed declarator suffix '=' <declaration>{ $$ = (CcDeclaration){.specs = $1}; }
        <symbol>{ $$ = declare_initialised(p, &$5, $2, &$3, NULL); }
        initialiser                     { $$ = $5; initialise(p, &$$, $6, $7); }
  | init_list ',' attributes_opt declarator suffix { $$ = $1; declare(p, &$$, $4, &$5, $3); }
  | init_list ',' attributes_opt declarator suffix '=' <symbol>{ $$ = declare_initialised(p, &$1, $4, &$5, $3); }
        initialiser                     { $$ = $1; initialise(p, &$$, $7, $8); }
  ;
bare_init_list:
    specs_bare bare_declarator suffix   { $$ = (CcDeclaration){.specs = $1}; declare(p, &$$, $2, &$3, NULL); }
  | bare_init_rest
  ;
bare_init_rest:
    specs_bare bare_declarator suffix '=' <declaration>{ $$ = (CcDeclaration){.specs = $1}; }
        <symbol>{ $$ = declare_initialised(p, &$5, $2, &$3, NULL); }
        initialiser                     { $$ = $5; initialise(p, &$$, $6, $7); }
  | bare_init_list ',' attributes_opt bare_declarator suffix { $$ = $1; declare(p, &$$, $4, &$5, $3); }
  | bare_init_list ',' attributes_opt bare_declarator suffix '='
        <symbol>{ $$ = declare_initialised(p, &$1, $4, &$5, $3); }
        initialiser                     { $$ = $1; initialise(p, &$$, $7, $8); }
  ;
default_init_list: /* no specifiers at all: file scope, implicit int */
    bare_declarator suffix
        { $$ = (CcDeclaration){.specs = cc_sema_specs_new(p, @1)}; declare(p, &$$, $1, &$2, NULL); }
  | bare_declarator suffix '=' <declaration>{ $$ = (CcDeclaration){.specs = cc_sema_specs_new(p, @1)}; }
        <symbol>{ $$ = declare_initialised(p, &$4, $1, &$2, NULL); }
        initialiser                     { $$ = $4; initialise(p, &$$, $5, $6); }
  | default_init_list ',' bare_declarator suffix { $$ = $1; declare(p, &$$, $3, &$4, NULL); }
  | default_init_list ',' bare_declarator suffix '=' <symbol>{ $$ = declare_initialised(p, &$1, $3, &$4, NULL); }
        initialiser                     { $$ = $1; initialise(p, &$$, $6, $7); }
  ;

suffix:
    attributes_opt                      { $$ = (CcSuffix){$1, NULL}; }
  | attributes_opt ASM '(' STRING_LITERAL ')' attributes_opt
        { $$ = (CcSuffix){merge_attributes(p, $1, $6), asm_label(p, $4)}; }
  ;

specs_bare:
    bare_spec                           { $$ = start(p, &$1, @1); }
  | specs_bare bare_spec                { $$ = $1; apply(p, $$, &$2, @2); }
  ;
specs_typed:
    type_spec                           { $$ = start(p, &$1, @1); }
  | specs_bare type_spec                { $$ = $1; apply(p, $$, &$2, @2); }
  | specs_typed bare_spec               { $$ = $1; apply(p, $$, &$2, @2); }
  | specs_typed reserved_spec           { $$ = $1; apply(p, $$, &$2, @2); }
  ;

bare_spec:
    TYPEDEF                             { $$ = (CcSpecItem){.what = SPEC_TYPEDEF}; }
  | EXTERN                              { $$ = (CcSpecItem){.what = SPEC_STORAGE, .value = CC_EXTERN}; }
  | STATIC                              { $$ = (CcSpecItem){.what = SPEC_STORAGE, .value = CC_STATIC}; }
  | AUTO                                { $$ = (CcSpecItem){.what = SPEC_STORAGE, .value = CC_AUTO}; }
  | REGISTER                            { $$ = (CcSpecItem){.what = SPEC_STORAGE, .value = CC_REGISTER}; }
  | THREAD_LOCAL                        { $$ = (CcSpecItem){.what = SPEC_THREAD}; }
  | INLINE                              { $$ = (CcSpecItem){.what = SPEC_INLINE}; }
  | NORETURN                            { $$ = (CcSpecItem){.what = SPEC_NORETURN}; }
  | qualifier                           { $$ = (CcSpecItem){.what = SPEC_QUALIFIER, .value = $1}; }
  | attribute                           { $$ = (CcSpecItem){.what = SPEC_ATTRIBUTE, .data = $1}; }
  | ALIGNAS '(' constant_expression ')' { $$ = (CcSpecItem){.what = SPEC_ALIGN, .data = $3}; }
  | ALIGNAS '(' type_name ')'           { $$ = (CcSpecItem){.what = SPEC_ALIGN, .type = $3}; }
  ;
qualifier:
    CONST                               { $$ = CC_CONST; }
  | VOLATILE                            { $$ = CC_VOLATILE; }
  | RESTRICT                            { $$ = CC_RESTRICT; }
  | ATOMIC                              { $$ = CC_ATOMIC; }
  ;
type_spec:
    reserved_spec
  | TYPE_NAME                           { CcSymbol *name = cc_scope_lookup($1);
                                          name->used = true;
                                          cc_check_use(p, name, @1);
                                          $$ = (CcSpecItem){.what = SPEC_TYPE, .data = name->type}; }
  ;
reserved_spec:
    VOID                                { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_VOID}; }
  | CHAR                                { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_CHAR}; }
  | SHORT                               { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_SHORT}; }
  | INT                                 { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_INT}; }
  | LONG                                { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_LONG}; }
  | INT128                              { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_INT128}; }
  | FLOAT                               { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_FLOAT}; }
  | DOUBLE                              { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_DOUBLE}; }
  | SIGNED                              { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_SIGNED}; }
  | UNSIGNED                            { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_UNSIGNED}; }
  | BOOL                                { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_BOOL}; }
  | COMPLEX                             { $$ = (CcSpecItem){.what = SPEC_WORD, .value = CC_WORD_COMPLEX}; }
  | IMAGINARY                           { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = p->error_type};
                                          cc_front_error(p, @1, "imaginary types are not supported"); }
  | UNSUPPORTED_TYPE                    { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = p->error_type};
                                          cc_front_error(p, @1, "type '%s' is not supported", $1->text); }
  | AUTO_TYPE                           { $$ = (CcSpecItem){.what = SPEC_AUTO_TYPE}; }
  | ATOMIC_TYPE '(' type_name ')'       { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = cc_sema_atomic_type(p, $3, @3)}; }
  | record_spec                         { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = $1, .value = 1}; }
  | enum_spec                           { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = $1, .value = 1}; }
  | TYPEOF '(' expression ')'           { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = cc_sema_typeof_type(p, $3)}; }
  | TYPEOF '(' type_name ')'            { $$ = (CcSpecItem){.what = SPEC_TYPE, .data = $3}; }
  ;

any_identifier: IDENTIFIER | TYPE_NAME ;
tag_opt: %empty { $$ = NULL; } | any_identifier ;

record_keyword: STRUCT { $$ = CC_STRUCT; } | UNION { $$ = CC_UNION; } ;
record_spec:
    record_keyword attributes_opt any_identifier { $$ = cc_sema_tag_reference(p, (CcKind)$1, $3, @3, yychar == ';'); }
  | members '}' attributes_opt
        { $$ = cc_sema_record_finish(p, $1->type, $1, merge_attributes(p, $1->record_attributes, $3)); }
  | members specs_typed member_declarators '}' attributes_opt
        { members_add(p, $1, $2, $3); cc_front_warning(p, @4, "-Wpedantic", "no ';' behind the last member");
          $$ = cc_sema_record_finish(p, $1->type, $1, merge_attributes(p, $1->record_attributes, $5)); }
  | members error '}'                   { yyerrok; $$ = cc_sema_record_finish(p, $1->type, $1, $1->record_attributes); }
  ;
members:
    record_keyword attributes_opt tag_opt '{' { $$ = CC_NEW(p->arena, CcMemberList); $$->record_attributes = $2;
                                                $$->type = cc_sema_tag_begin(p, (CcKind)$1, $3, $3 ? @3 : @1); }
  | members specs_typed member_declarators ';' { $$ = $1; members_add(p, $$, $2, $3); }
  | members specs_typed member_declarators error { $$ = $1; members_add(p, $$, $2, $3); }
  | members specs_typed ';'             { $$ = $1; cc_sema_member_add(p, $$, $2, NULL); }
  | members static_assert
  | members ';'
  | members error ';'                   { yyerrok; $$ = $1; }
  ;
member_declarators:
    member_declarator                   { $$ = declarators_add(p, NULL, $1); }
  | member_declarators ',' attributes_opt member_declarator
        { $$ = declarators_add(p, $1, $4); add_suffix($4, NULL, $3); }
  ;
member_declarator:
    declarator attributes_opt           { $$ = $1; add_suffix($$, NULL, $2); }
  | declarator ':' constant_expression attributes_opt { $$ = bit_field(p, $1, $3, $4, @1); }
  | ':' constant_expression attributes_opt { $$ = bit_field(p, NULL, $2, $3, @1); }
  ;

enum_spec:
    ENUM attributes_opt any_identifier  { $$ = cc_sema_tag_reference(p, CC_ENUM, $3, @3, yychar == ';'); }
  | enum_items '}' attributes_opt       { $$ = cc_sema_enum_finish(p, $1); }
  | enum_items ',' '}' attributes_opt   { $$ = cc_sema_enum_finish(p, $1); }
  | enum_open '}' attributes_opt        { cc_front_error(p, @1, "empty enum is invalid"); $$ = cc_sema_enum_finish(p, $1); }
  | enum_open error '}'                 { yyerrok; $$ = cc_sema_enum_finish(p, $1); }
  | enum_items error '}'                { yyerrok; $$ = cc_sema_enum_finish(p, $1); }
  ;
enum_open: ENUM attributes_opt tag_opt '{' { $$ = enum_begin(p, $3, $3 ? @3 : @1); } ;
enum_items:
    enum_open any_identifier attributes_opt { $$ = $1; cc_sema_enumerator(p, $$, $2, NULL, @2); }
  | enum_open any_identifier attributes_opt '=' constant_expression { $$ = $1; cc_sema_enumerator(p, $$, $2, $5, @2); }
  | enum_items ',' any_identifier attributes_opt { $$ = $1; cc_sema_enumerator(p, $$, $3, NULL, @3); }
  | enum_items ',' any_identifier attributes_opt '=' constant_expression { $$ = $1; cc_sema_enumerator(p, $$, $3, $6, @3); }
  ;

attributes_opt: %empty %prec LOW { $$ = NULL; } | attributes %prec LOW ;
attributes: attribute | attributes attribute { $$ = merge_attributes(p, $1, $2); } ;
attribute: ATTRIBUTE '(' '(' attribute_list ')' ')' { $$ = $4; } ;
inner_attributes: /* behind the ( of a declarator (terminals.c) */
    DECLARATOR_ATTRIBUTE '(' '(' attribute_list ')' ')' { $$ = $4; }
  | inner_attributes DECLARATOR_ATTRIBUTE '(' '(' attribute_list ')' ')' { $$ = merge_attributes(p, $1, $5); }
  ;
attribute_list: attribute_item | attribute_list ',' attribute_item { $$ = merge_attributes(p, $1, $3); } ;
attribute_item:
    %empty                              { $$ = NULL; }
  | ATTRIBUTE_NAME                      { $$ = CC_NEW(p->arena, CcAttributes); cc_sema_attribute(p, $$, $1, NULL, 0, @1); }
  | ATTRIBUTE_NAME '(' arguments_opt ')' { $$ = CC_NEW(p->arena, CcAttributes);
                                           cc_sema_attribute(p, $$, $1, $3 ? $3->items : NULL, $3 ? $3->count : 0, @1); }
  ;

/* -- declarators (6.7.6): after a type, without one, in a parameter, without a name ------------ */

declarator:
    direct
  | pointer direct                      { $$ = cc_sema_declarator_add(p, $2, $1.first); }
  ;
direct:
    any_identifier                      { $$ = cc_sema_declarator_new(p, $1, @1); }
  | '(' attributes_opt declarator ')'   { $$ = $3; add_suffix($$, NULL, $2); }
  | '(' inner_attributes declarator ')' { $$ = $3; add_suffix($$, NULL, $2); }
  | direct array_part                   { $$ = cc_sema_declarator_add(p, $1, $2); }
  | direct function_part                { $$ = cc_sema_declarator_add(p, $1, $2); }
  ;
bare_declarator:
    bare_direct
  | pointer bare_direct                 { $$ = cc_sema_declarator_add(p, $2, $1.first); }
  ;
bare_direct:
    IDENTIFIER                          { $$ = cc_sema_declarator_new(p, $1, @1); }
  | '(' bare_declarator ')'             { $$ = $2; }
  | '(' inner_attributes bare_declarator ')' { $$ = $3; add_suffix($$, NULL, $2); }
  | bare_direct array_part              { $$ = cc_sema_declarator_add(p, $1, $2); }
  | bare_direct function_part           { $$ = cc_sema_declarator_add(p, $1, $2); }
  ;
parm_declarator:
    parm_direct
  | pointer parm_direct                 { $$ = cc_sema_declarator_add(p, $2, $1.first); }
  ;
parm_direct:
    any_identifier                      { $$ = cc_sema_declarator_new(p, $1, @1); }
  | '(' parm_inner ')'                  { $$ = $2; }
  | '(' inner_attributes parm_inner ')' { $$ = $3; add_suffix($$, NULL, $2); }
  | parm_direct array_part              { $$ = cc_sema_declarator_add(p, $1, $2); }
  | parm_direct function_part           { $$ = cc_sema_declarator_add(p, $1, $2); }
  ;
parm_inner: /* behind a *, a type name can only be the name of the parameter */
    parm_inner_direct
  | pointer parm_direct                 { $$ = cc_sema_declarator_add(p, $2, $1.first); }
  ;
parm_inner_direct:
    IDENTIFIER                          { $$ = cc_sema_declarator_new(p, $1, @1); }
  | '(' parm_inner ')'                  { $$ = $2; }
  | '(' inner_attributes parm_inner ')' { $$ = $3; add_suffix($$, NULL, $2); }
  | parm_inner_direct array_part        { $$ = cc_sema_declarator_add(p, $1, $2); }
  | parm_inner_direct function_part     { $$ = cc_sema_declarator_add(p, $1, $2); }
  ;
abstract:
    pointer                             { $$ = cc_sema_declarator_add(p, cc_sema_declarator_new(p, NULL, @1), $1.first); }
  | abstract_direct
  | pointer abstract_direct             { $$ = cc_sema_declarator_add(p, $2, $1.first); }
  ;
abstract_direct:
    '(' abstract ')'                    { $$ = $2; }
  | '(' inner_attributes abstract ')'   { $$ = $3; add_suffix($$, NULL, $2); }
  | array_part                          { $$ = cc_sema_declarator_add(p, cc_sema_declarator_new(p, NULL, @1), $1); }
  | prototype_part                      { $$ = cc_sema_declarator_add(p, cc_sema_declarator_new(p, NULL, @1), $1); }
  | abstract_direct array_part          { $$ = cc_sema_declarator_add(p, $1, $2); }
  | abstract_direct prototype_part      { $$ = cc_sema_declarator_add(p, $1, $2); }
  ;

pointer:
    '*' qualifiers %prec LOW            { $$.first = $$.last = pointer_part(p, $2, @1); }
  | pointer '*' qualifiers %prec LOW    { $$ = $1; $$.last = $$.last->next = pointer_part(p, $3, @2); }
  ;
qualifiers:
    %empty                              { $$ = 0; }
  | qualifiers qualifier                { $$ = $1 | $2; }
  | qualifiers attribute                { $$ = $1; }
  ;

array_part:
    '[' array_qualifiers ']'            { $$ = array_part(p, NULL, $2, false, false, @1); }
  | '[' array_qualifiers assignment ']' { $$ = array_part(p, $3, $2, false, false, @1); }
  | '[' array_qualifiers '*' ']'        { $$ = array_part(p, NULL, $2, true, false, @1); }
  | '[' array_qualifiers STATIC array_qualifiers assignment ']' { $$ = array_part(p, $5, $2 | $4, false, true, @1); }
  ;
array_qualifiers:
    %empty                              { $$ = 0; }
  | array_qualifiers qualifier          { $$ = $1 | $2; }
  ;

function_part:
    prototype_part
  | '(' identifier_list ')'             { $$ = function_part(p, &$2, NULL, @1); }
  ;
prototype_part:
    '(' ')'                             { $$ = function_part(p, &(CcParamList){.identifiers = true}, NULL, @1); }
  | '(' <scope>{ $$ = cc_scope_push(p, CC_SCOPE_PROTOTYPE); } parameters ')'
        { cc_sema_leave_scope(p); $$ = function_part(p, &$3, $2, @1); }
  ;
identifier_list:
    IDENTIFIER
        { $$ = (CcParamList){.identifiers = true}; param_add(&$$, cc_sema_parameter_identifier(p, $1, @1)); }
  | identifier_list ',' IDENTIFIER      { $$ = $1; param_add(&$$, cc_sema_parameter_identifier(p, $3, @3)); }
  ;
parameters:
    parameter_list
  | parameter_list ',' ELLIPSIS         { $$ = $1; $$.variadic = true; }
  | ELLIPSIS                            { $$ = (CcParamList){.variadic = true}; }
  ;
parameter_list:
    parameter                           { $$ = (CcParamList){0}; param_add(&$$, $1); }
  | parameter_list ',' parameter        { $$ = $1; param_add(&$$, $3); }
  | parameter_list ',' IDENTIFIER
        { cc_front_error(p, @3, "parameter '%s' has no type: each one needs its own", $3->text); $$ = $1;
          CcSpecs *specs = cc_sema_specs_new(p, @3);
          specs->words = CC_WORD_INT;
          param_add(&$$, cc_sema_parameter(p, specs, cc_sema_declarator_new(p, $3, @3), @3)); }
  ;
parameter:
    specs_typed parm_declarator suffix  { add_suffix($2, &$3, NULL); $$ = cc_sema_parameter(p, $1, $2, @2); }
  | specs_typed abstract suffix         { $$ = cc_sema_parameter(p, $1, $2, @1); }
  | specs_typed                         { $$ = cc_sema_parameter(p, $1, NULL, @1); }
  | specs_bare bare_declarator suffix   { $$ = cc_sema_parameter(p, $1, $2, @2); }
  | specs_typed '&' any_identifier
        { cc_front_error(p, @2, "C has no references; a pointer does it: '*%s' here, '&' in calls", $3->text);
          cc_report_fix(p->unit, @2, "*"); cc_front_hush(p);
          $$ = cc_sema_parameter(p, $1, cc_sema_declarator_new(p, $3, @3), @3); $$->symbol->type = p->error_type; }
  | specs_typed parm_declarator suffix '=' assignment
        { cc_front_error(p, @4, "C has no default arguments: each call gives them all");
          add_suffix($2, &$3, NULL); $$ = cc_sema_parameter(p, $1, $2, @2); }
  ;

type_name:
    specs_typed                         { $$ = cc_sema_type_of_name(p, $1, NULL); }
  | specs_typed abstract                { $$ = cc_sema_type_of_name(p, $1, $2); }
  ;

/* -- initialisers (6.7.9) ---------------------------------------------------------------------- */

initialiser:
    assignment                          { $$ = cc_sema_init_node(p, $1, @1); }
  | '{' '}'                             { $$ = braces(p, NULL, @$); }
  | '{' init_items '}'                  { $$ = braces(p, $2, @$); }
  | '{' init_items ',' '}'              { $$ = braces(p, $2, @$); }
  | '{' error '}'                       { yyerrok; $$ = cc_sema_init_node(p, cc_sema_error_expr(p, @1), @1); }
  | '{' init_items error ';'
        { yyerrok; cc_token_unread_semicolon(p, @4); $$ = cc_sema_init_node(p, cc_sema_error_expr(p, @1), @1); }
  | '{' init_items error '}'            { yyerrok; $$ = cc_sema_init_node(p, cc_sema_error_expr(p, @1), @1); }
  ;
init_items:
    init_item                           { $$ = init_append(p, NULL, $1, @1); }
  | init_items ',' init_item            { $$ = init_append(p, $1, $3, @1); }
  ;
init_item:
    initialiser
  | designators '=' initialiser         { $$ = $3; $$->designators = $1; }
  | designators initialiser             { $$ = $2; $$->designators = $1; }
  | any_identifier ':' initialiser      { $$ = $3; $$->designators = cc_sema_designator(p, $1, NULL, NULL, @1); }
  ;
designators: designator | designators designator { $$ = path_append($1, $2); } ;
designator:
    '.' any_identifier                  { $$ = cc_sema_designator(p, $2, NULL, NULL, @2); }
  | '[' constant_expression ']'         { $$ = cc_sema_designator(p, NULL, $2, $2, @2); }
  | '[' constant_expression ELLIPSIS constant_expression ']' { $$ = cc_sema_designator(p, NULL, $2, $4, @2); }
  ;

/* -- expressions (6.5) ------------------------------------------------------------------------- */

primary:
    IDENTIFIER %prec LOW                { $$ = cc_sema_name(p, $1, @1); }
  | CONSTANT
  | STRING_LITERAL
  | FUNCTION_NAME                       { $$ = cc_sema_variable(p, cc_sema_function_name_symbol(p, @1), @1); }
  | '(' expression ')'                  { $$ = $2; $$->parenthesized = true; }
  | '(' block_in_expression ')'         { $$ = cc_sema_statement_expr(p, $2, @$); }
  | GENERIC '(' assignment ',' associations ')' { $$ = cc_sema_generic(p, $3, $5, @$); }
  | VA_ARG '(' assignment ',' type_name ')' { $$ = cc_sema_va_arg(p, $3, $5, @$); }
  | OFFSETOF '(' type_name ','
    <expr>{ $$ = cc_sema_dereference(p, cc_sema_integer(p, cc_type_pointer_to(p, $3), 0, @3), @3); }
        offset_path ')'                 { (void)$5; $$ = cc_sema_offsetof(p, $6, @$); }
  | TYPES_COMPATIBLE '(' type_name ',' type_name ')'
        { $$ = cc_sema_integer(p, p->basic[CC_INT], cc_types_compatible_unqualified($3, $5), @$); }
  | CHOOSE '(' assignment ',' assignment ',' assignment ')' { $$ = cc_sema_choose(p, $3, $5, $7, @$); }
  ;
block_in_expression:
    '{' <fence>{ if (!p->function) cc_front_error(p, @1, "statement expression outside of a function");
                 $$ = p->scope->fence; cc_sema_fence(p, NULL); }
        <scope>{ $$ = cc_scope_push(p, CC_SCOPE_BLOCK); } items block_end
        { (void)$3; cc_sema_leave_scope(p); p->scope->fence = $2; $$ = cc_sema_block(p, $4, @1, @5); }
  ;
block_end: '}' | error '}'              { yyerrok; @$ = @2; } ;
offset_path:
    any_identifier                      { $$ = cc_sema_member(p, $<expr>0, $1, false, @1, @1); }
  | offset_path '.' any_identifier      { $$ = cc_sema_member(p, $1, $3, false, @3, @3); }
  | offset_path ARROW any_identifier    { $$ = cc_sema_member(p, $1, $3, true, @3, @3); }
  | offset_path '[' expression ']'      { $$ = cc_sema_index(p, $1, $3, @$); }
  ;
associations: association | associations ',' association { $$ = $3; $$->next = $1; } ;
association:
    type_name ':' assignment
        { $$ = CC_NEW(p->arena, CcAssociation); *$$ = (CcAssociation){NULL, $1, $3, @1}; }
  | DEFAULT ':' assignment
        { $$ = CC_NEW(p->arena, CcAssociation); *$$ = (CcAssociation){NULL, NULL, $3, @1}; }
  ;

postfix:
    primary
  | IDENTIFIER '(' arguments_opt ')'    { $$ = cc_sema_call_name(p, $1, $3, @$, @1); }
  | postfix '(' arguments_opt ')'       { $$ = cc_sema_call(p, $1, $3, @$); }
  | postfix '[' expression ']'          { $$ = cc_sema_index(p, $1, $3, @$); }
  | postfix '[' expression_opt ':' expression_opt ']'
        { $$ = cc_sema_section(p, $1, $3, $5, NULL, @$); }
  | postfix '[' expression_opt ':' expression_opt ':' expression_opt ']'
        { $$ = cc_sema_section(p, $1, $3, $5, $7, @$); }
  | postfix '.' any_identifier          { $$ = cc_sema_member(p, $1, $3, false, @$, @3); }
  | postfix ARROW any_identifier        { $$ = cc_sema_member(p, $1, $3, true, @$, @3); }
  | postfix INCREMENT                   { $$ = cc_sema_increment(p, CC_POST_INCREMENT, $1, @$); }
  | postfix DECREMENT                   { $$ = cc_sema_increment(p, CC_POST_DECREMENT, $1, @$); }
  | '(' type_name ')' '{' '}'           { $$ = cc_sema_compound_literal(p, $2, braces(p, NULL, @4), @$); }
  | '(' type_name ')' '{' init_items '}' { $$ = cc_sema_compound_literal(p, $2, braces(p, $5, @4), @$); }
  | '(' type_name ')' '{' init_items ',' '}' { $$ = cc_sema_compound_literal(p, $2, braces(p, $5, @4), @$); }
  ;
arguments_opt: %empty { $$ = NULL; } | arguments ;
arguments:
    argument                            { $$ = cc_sema_expr_list(p, NULL, $1); }
  | arguments ',' argument              { $$ = cc_sema_expr_list(p, $1, $3); }
  ;
argument:
    assignment
  | specs_typed                         { $$ = cc_sema_type_as_value(p, cc_sema_type_of_name(p, $1, NULL), @1); }
  | specs_typed any_identifier
        { cc_syntax_type_in_call(p, $2, @1); (void)$1; $$ = cc_sema_error_expr(p, @2); }
  ;

unary:
    postfix
  | INCREMENT unary                     { $$ = cc_sema_increment(p, CC_PRE_INCREMENT, $2, @$); }
  | DECREMENT unary                     { $$ = cc_sema_increment(p, CC_PRE_DECREMENT, $2, @$); }
  | '&' cast                            { $$ = cc_sema_address(p, $2, @$); }
  | '*' cast                            { $$ = cc_sema_dereference(p, $2, @$); }
  | '+' cast                            { $$ = cc_sema_unary(p, CC_CAST, $2, @$); }
  | '-' cast                            { $$ = cc_sema_unary(p, CC_NEGATE, $2, @$); }
  | '~' cast                            { $$ = cc_sema_unary(p, CC_COMPLEMENT, $2, @$); }
  | '!' cast                            { $$ = cc_sema_unary(p, CC_NOT, $2, @$); }
  | REAL_PART cast                      { $$ = cc_sema_unary(p, CC_REAL_PART, $2, @$); }
  | IMAGINARY_PART cast                 { $$ = cc_sema_unary(p, CC_IMAGINARY_PART, $2, @$); }
  | SIZEOF unary                        { $$ = cc_sema_sizeof_expr(p, $2, @$); }
  | SIZEOF '(' type_name ')' %prec LOW  { $$ = cc_sema_sizeof_type(p, $3, @$); }
  | ALIGNOF unary                       { $$ = cc_sema_alignof_expr(p, $2, @$); }
  | ALIGNOF '(' type_name ')' %prec LOW { $$ = cc_sema_alignof(p, $3, @$); }
  | LOGICAL_AND any_identifier          { $$ = cc_sema_label_address(p, $2, @$); }
  ;
cast:
    unary
  | '(' type_name ')' cast              { $$ = cc_sema_cast_expr(p, $2, $4, @$); }
  ;
binary:
    cast
  | binary '*' binary                   { $$ = cc_sema_binary(p, CC_MULTIPLY, $1, $3, @$, @2); }
  | binary '@' binary                   { $$ = cc_sema_repeat(p, $1, $3, @$); }
  | binary '/' binary                   { $$ = cc_sema_binary(p, CC_DIVIDE, $1, $3, @$, @2); }
  | binary '%' binary                   { $$ = cc_sema_binary(p, CC_REMAINDER, $1, $3, @$, @2); }
  | binary '+' binary                   { $$ = cc_sema_binary(p, CC_ADD, $1, $3, @$, @2); }
  | binary '-' binary                   { $$ = cc_sema_binary(p, CC_SUBTRACT, $1, $3, @$, @2); }
  | binary SHIFT_LEFT binary            { $$ = cc_sema_binary(p, CC_SHIFT_LEFT, $1, $3, @$, @2); }
  | binary SHIFT_RIGHT binary           { $$ = cc_sema_binary(p, CC_SHIFT_RIGHT, $1, $3, @$, @2); }
  | binary '<' binary                   { $$ = cc_sema_binary(p, CC_LESS, $1, $3, @$, @2); }
  | binary '>' binary                   { $$ = cc_sema_binary(p, CC_GREATER, $1, $3, @$, @2); }
  | binary LESS_EQUAL binary            { $$ = cc_sema_binary(p, CC_LESS_EQUAL, $1, $3, @$, @2); }
  | binary GREATER_EQUAL binary         { $$ = cc_sema_binary(p, CC_GREATER_EQUAL, $1, $3, @$, @2); }
  | binary EQUAL binary                 { $$ = cc_sema_binary(p, CC_EQUAL, $1, $3, @$, @2); }
  | binary NOT_EQUAL binary             { $$ = cc_sema_binary(p, CC_NOT_EQUAL, $1, $3, @$, @2); }
  | binary '&' binary                   { $$ = cc_sema_binary(p, CC_AND, $1, $3, @$, @2); }
  | binary '^' binary                   { $$ = cc_sema_binary(p, CC_XOR, $1, $3, @$, @2); }
  | binary '|' binary                   { $$ = cc_sema_binary(p, CC_OR, $1, $3, @$, @2); }
  | binary LOGICAL_AND binary           { $$ = cc_sema_binary(p, CC_LOGICAL_AND, $1, $3, @$, @2); }
  | binary LOGICAL_OR binary            { $$ = cc_sema_binary(p, CC_LOGICAL_OR, $1, $3, @$, @2); }
  ;
conditional:
    binary
  | binary '?' expression ':' conditional { $$ = cc_sema_conditional(p, $1, $3, $5, @$); }
  | binary '?' ':' conditional          { $$ = cc_sema_conditional(p, $1, NULL, $4, @$); }
  ;
assignment:
    conditional
  | binary '=' assignment               { $$ = cc_sema_assignment(p, $1, $3, @$); }
  | binary assignment_operator assignment { $$ = cc_sema_assignment_op(p, $2, $1, $3, @$); }
  | binary '=' '{' init_items close_list
        { cc_front_error(p, @3, "a list in braces can only initialise, where the variable is declared");
          $$ = cc_sema_error_expr(p, @1); }
  ;
close_list: '}' | ',' '}' ;
assignment_operator:
    MULTIPLY_ASSIGN { $$ = CC_MULTIPLY; } | DIVIDE_ASSIGN { $$ = CC_DIVIDE; } | REMAINDER_ASSIGN { $$ = CC_REMAINDER; }
  | ADD_ASSIGN { $$ = CC_ADD; } | SUBTRACT_ASSIGN { $$ = CC_SUBTRACT; } | SHIFT_LEFT_ASSIGN { $$ = CC_SHIFT_LEFT; }
  | SHIFT_RIGHT_ASSIGN
        { $$ = CC_SHIFT_RIGHT; } | AND_ASSIGN { $$ = CC_AND; } | XOR_ASSIGN { $$ = CC_XOR; } | OR_ASSIGN { $$ = CC_OR; }
  ;
expression:
    assignment
  | expression ',' assignment           { $$ = cc_sema_comma(p, $1, $3, @$); }
  ;
expression_opt: %empty { $$ = NULL; } | expression ;
constant_expression: conditional ;

/* -- statements (6.8) -------------------------------------------------------------------------- */

compound:
    block_open items '}'                { (void)$1; cc_sema_leave_scope(p); $$ = cc_sema_block(p, $2, @1, @3); }
  | block_open items error '}'          { (void)$1; yyerrok; cc_sema_leave_scope(p); $$ = cc_sema_block(p, $2, @1, @4); }
  ;
block_open: '{'                         { $$ = cc_scope_push(p, CC_SCOPE_BLOCK); } ;
items:
    %empty                              { $$ = (CcStmtList){NULL, NULL}; }
  | items block_item
        { const CcStmt *last = $1.last, *next = $2.first;
          if (last && next && next->kind == CC_DECLARATION && last->kind != CC_DECLARATION && last->kind != CC_VLA_SIZE)
              cc_front_warning(p, next->loc, "-Wdeclaration-after-statement", "C90 has no declarations behind statements");
          $$ = cc_sema_concat($1, $2); }
  | items ELSE                          { cc_syntax_else_without_if(p, $1.first, @2); $$ = $1; }
  ;
block_item:
    declaration
  | init_list '{'                       { nested_function(p, &$1, @2); $$ = $1.list; }
  | init_list error                     { $$ = $1.list; } /* a missing ; is assumed, here and below */
  | bare_init_list error                { $$ = $1.list; }
  | label
  | plain_statement                     { $$ = (CcStmtList){$1, $1}; }
  | omp_alone                           { $$ = (CcStmtList){$1, $1}; }
  | omp_declaration                     { $$ = (CcStmtList){NULL, NULL}; }
  | error ';'                           { yyerrok; $$ = (CcStmtList){NULL, NULL}; }
  | error compound                      { yyerrok; $$ = (CcStmtList){$2, $2}; }
  ;
label: /* its value is a list of one statement with an empty body */
    any_identifier ':' attributes_opt
        { CcStmt *s = cc_sema_label_statement(p, $1, @1); $$ = (CcStmtList){s, s};
          if (s->label && $3) s->label->maybe_unused = $3->maybe_unused; }
  | CASE constant_expression ':'        { CcStmt *s = cc_sema_case(p, $2, NULL, @1); $$ = (CcStmtList){s, s}; }
  | CASE constant_expression ELLIPSIS constant_expression ':'
        { CcStmt *s = cc_sema_case(p, $2, $4, @1); $$ = (CcStmtList){s, s}; }
  | DEFAULT ':'                         { CcStmt *s = cc_sema_default(p, @1); $$ = (CcStmtList){s, s}; }
  ;
statement:
    plain_statement
  | label statement                     { $$ = $1.first; $$->body = $2; }
  | attributes ';'                      { (void)$1; $$ = cc_sema_stmt_new(p, CC_EXPRESSION, @1); }
  | omp_alone
        { cc_front_error(p, @1, "this directive is no statement; { } around it make a block"); $$ = $1; }
  ;
plain_statement:
    compound
  | omp_statement
  | keyword_statement
  | expression_opt ';'                  { $$ = cc_sema_expression_statement(p, $1, @1); }
  | expression error                    { $$ = cc_sema_expression_statement(p, $1, @1); }
  | asm_statement
  ;
asm_statement: /* GNU: ASM ("template" : outputs : inputs : clobbered : labels) */
    ASM asm_qualifiers '(' STRING_LITERAL ')' ';' { $$ = cc_sema_assembly(p, $4, NULL, NULL, @1); }
  | ASM asm_qualifiers '(' STRING_LITERAL ':' asm_operands_opt ')' ';' { $$ = cc_sema_assembly(p, $4, $6, NULL, @1); }
  | ASM asm_qualifiers '(' STRING_LITERAL ':' asm_operands_opt ':' asm_operands_opt asm_rest ')' ';'
        { $$ = cc_sema_assembly(p, $4, $6, $8, @1); }
  | ASM asm_qualifiers '(' error ')' ';' { yyerrok; $$ = cc_sema_stmt_new(p, CC_EXPRESSION, @1); }
  | ASM asm_qualifiers '{'              { cc_sema_no_assembly(p, @1); cc_token_skip_braces(p);
                                          $$ = cc_sema_stmt_new(p, CC_EXPRESSION, @1); }
  ;
asm_qualifiers: %empty | asm_qualifiers VOLATILE | asm_qualifiers INLINE | asm_qualifiers GOTO | asm_qualifiers CONST ;
asm_rest: %empty | ':' asm_clobbers_opt | ':' asm_clobbers_opt ':' asm_labels ;
asm_clobbers_opt: %empty | asm_clobbers ;
asm_clobbers: STRING_LITERAL | asm_clobbers ',' STRING_LITERAL ;
asm_labels: any_identifier { (void)$1; } | asm_labels ',' any_identifier { (void)$3; } ;
asm_operands_opt: %empty { $$ = NULL; } | asm_operands ;
asm_operands: asm_operand | asm_operands ',' asm_operand { $$ = asm_append($1, $3); } ;
asm_operand:
    STRING_LITERAL '(' expression ')'   { $$ = asm_operand(p, NULL, $1, $3); }
  | '[' any_identifier ']' STRING_LITERAL '(' expression ')' { $$ = asm_operand(p, $2, $4, $6); }
  ;
keyword_statement:
    IF '(' open expression close branch %prec THEN
        { (void)$3; cc_sema_leave_scope(p); $$ = cc_sema_if(p, $4, $6, NULL, @1); }
  | IF '(' open expression close branch ELSE branch
        { (void)$3; cc_sema_leave_scope(p); $$ = cc_sema_if(p, $4, $6, $8, @1); }
  | SWITCH '(' open expression close <context>{ cc_sema_switch_begin(p, $4, @1); $$ = p->context; } branch
        { (void)$3; (void)$6; cc_sema_leave_scope(p); $$ = cc_sema_switch_end(p, $7); }
  | WHILE '(' open expression close <context>{ cc_sema_context_push(p, true); $$ = p->context; } branch
        { (void)$3; (void)$6; cc_sema_context_pop(p); cc_sema_leave_scope(p); $$ = cc_sema_loop(p, CC_WHILE, $4, $7, @1); }
  | DO <context>{ cc_sema_context_push(p, true); $$ = p->context; } branch WHILE '(' open expression ')' ';'
        { (void)$2; (void)$6; cc_sema_context_pop(p); cc_sema_leave_scope(p); $$ = cc_sema_loop(p, CC_DO, $7, $3, @1); }
  | FOR '(' open <text>{ $$ = loop_head(p, @1); } for_init expression_opt ';' expression_opt close
        <context>{ cc_sema_context_push(p, true); $$ = p->context; p->context->directive = $4; if ($4) cc_omp_loop_body(p); } branch
        { (void)$3; (void)$10; cc_sema_context_pop(p); cc_sema_leave_scope(p);
          CcStmt *init = $5.first == $5.last ? $5.first : cc_sema_block(p, $5, @5, @5);
          $$ = cc_sema_for(p, init, $6, $8, $11, @1); }
  | GOTO any_identifier ';'             { $$ = cc_sema_goto(p, $2, @2); }
  | GOTO '*' expression ';'             { $$ = cc_sema_goto_computed(p, $3, @1); }
  | CONTINUE ';'                        { $$ = cc_sema_continue(p, @1); }
  | CONTINUE error                      { $$ = cc_sema_continue(p, @1); }
  | BREAK ';'                           { $$ = cc_sema_break(p, @1); }
  | BREAK error                         { $$ = cc_sema_break(p, @1); }
  | RETURN expression error             { $$ = cc_sema_return(p, $2, cc_front_join_locs(@1, @2)); }
  | RETURN expression_opt ';'           { $$ = cc_sema_return(p, $2, $2 ? cc_front_join_locs(@1, @2) : @1); }
  ;
open: %empty                            { $$ = cc_scope_push(p, CC_SCOPE_BLOCK); } ; /* 6.8.4p3, 6.8.5p5 */
branch:
    open statement                      { (void)$1; cc_sema_leave_scope(p); $$ = $2; }
  | open type_spec
        { (void)$2; cc_front_hush(p);
          cc_front_error(p, @2, "a declaration cannot be all that is guarded; { } around it make a block"); }
        error ';'
        { (void)$1; yyerrok; cc_sema_leave_scope(p); $$ = cc_sema_stmt_new(p, CC_EXPRESSION, @2); }
  ;
close: ')' | error ; /* after a missing ) the statement behind it is parsed nevertheless */
for_init:
    expression_opt ';'
        { CcStmt *s = $1 ? cc_sema_expression_statement(p, $1, @1) : NULL; $$ = (CcStmtList){s, s}; }
  | declaration                         { cc_sema_check_for_declaration(p, p->scope); $$ = $1; }
  ;

/* -- OpenMP (directives.c makes the tokens) ---------------------------------------------------- */

omp_line:
    omp_clauses OMP_END
  | omp_clauses error OMP_END           { yyerrok; $$ = $1; }
  ;
omp_clauses:
    %empty                              { $$ = (CcOmpClauses){NULL, NULL}; }
  | omp_clauses omp_clause              { $$ = $1; add_clause(p, &$$, $2); }
  | omp_clauses ',' omp_clause          { $$ = $1; add_clause(p, &$$, $3); }
  ;
omp_clause:
    OMP_BARE                            { $$ = new_clause(p, $1, @1); }
  | OMP_EXPR '(' expression ')'         { $$ = new_clause(p, $1, @$); $$->expr = $3; }
  | OMP_EXPR '(' OMP_MODIFIER ':' expression ')' { $$ = new_clause(p, $1, @$); $$->modifier = $3; $$->expr = $5; }
  | OMP_NAME '(' any_identifier ')'     { $$ = new_clause(p, $1, @$); $$->operation = $3; }
  | OMP_LIST '(' omp_items ')'          { $$ = new_clause(p, $1, @$); $$->items = $3; }
  | OMP_OPERATION '(' omp_sign ':' omp_items ')' { $$ = new_clause(p, $1, @$); $$->sign = $3; $$->items = $5; }
  | OMP_OPERATION '(' any_identifier ':' omp_items ')' { $$ = new_clause(p, $1, @$); $$->operation = $3; $$->items = $5; }
  | OMP_STEP '(' omp_items ')'          { $$ = new_clause(p, $1, @$); $$->items = $3; }
  | OMP_STEP '(' omp_items ':' expression ')' { $$ = new_clause(p, $1, @$); $$->items = $3; $$->expr = $5; }
  | OMP_STEP '(' OMP_WORD '(' omp_items ')' ')' { $$ = new_clause(p, $1, @$); $$->items = $5; add_word($$, $3); }
  | OMP_STEP '(' OMP_WORD '(' omp_items ')' ':' expression ')'
        { $$ = new_clause(p, $1, @$); $$->items = $5; $$->expr = $8; add_word($$, $3); }
  | OMP_WORDS '(' omp_words ')'         { $$ = $3; $$->kind = $1; $$->loc = @$; }
  | OMP_WORDS '(' omp_words ',' expression ')' { $$ = $3; $$->kind = $1; $$->loc = @$; $$->expr = $5; }
  | OMP_WORD_LIST '(' omp_words ')'     { $$ = $3; $$->kind = $1; $$->loc = @$; }
  | OMP_WORD_LIST '(' omp_words ':' omp_items ')' { $$ = $3; $$->kind = $1; $$->loc = @$; $$->items = $5; }
  | OMP_WORD_LIST '(' OMP_SINK ':' arguments ')'
        { $$ = new_clause(p, $1, @$); $$->words[$$->n_words++] = $3; $$->vector = $5; }
  | OMP_WORD_LIST '(' omp_items ')'     { $$ = new_clause(p, $1, @$); $$->items = $3; }
  ;
omp_words:
    OMP_WORD                            { $$ = new_clause(p, NULL, @1); add_word($$, $1); }
  | omp_words ',' OMP_WORD              { $$ = $1; add_word($$, $3); }
  | omp_words ':' OMP_WORD              { $$ = $1; add_word($$, $3); }
  | omp_words OMP_WORD                  { $$ = $1; add_word($$, $2); } /* map(always to: ...) */
  ;
omp_sign:
    '+' { $$ = '+'; } | '-' { $$ = '-'; } | '*' { $$ = '*'; } | '&' { $$ = '&'; } | '|' { $$ = '|'; } | '^' { $$ = '^'; }
  | LOGICAL_AND { $$ = CC_OMP_SIGN_BOTH; } | LOGICAL_OR { $$ = CC_OMP_SIGN_EITHER; }
  ;
omp_items: omp_item | omp_items ',' omp_item { $$ = cc_omp_items_add($1, $3); } ;
omp_item:
    any_identifier                      { $$ = cc_omp_item(p, $1, @1); }
  | omp_item '[' expression ']'         { $$ = cc_omp_item_index(p, $1, $3, @$); }
  | omp_item '[' expression_opt ':' expression_opt ']' { $$ = cc_omp_item_section(p, $1, $3, $5, @$); }
  | omp_item '.' any_identifier         { $$ = cc_omp_item_member(p, $1, $3, false, @$); }
  | omp_item ARROW any_identifier       { $$ = cc_omp_item_member(p, $1, $3, true, @$); }
  ;
omp_statement:
    OMP_CONSTRUCT omp_line <construct>{ $$ = cc_omp_begin(p, $1, &$2, @1); } branch { $$ = cc_omp_end(p, $3, $4); }
  ;
omp_alone:
    OMP_ALONE omp_line                  { $$ = cc_omp_alone(p, $1, &$2, @1); }
  ;
omp_declaration:
    OMP_THREADPRIVATE '(' omp_items ')' OMP_END { cc_omp_threadprivate(p, $3, @1); }
  | OMP_THREADPRIVATE error OMP_END     { yyerrok; }
  | omp_combiner OMP_END                { cc_omp_reduction_end(p, $1, NULL, NULL); }
  | omp_combiner OMP_INITIALIZER '(' { cc_omp_reduction_initialiser(p, $1); } assignment ')' OMP_END
        { cc_omp_reduction_end(p, $1, $5, NULL); }
  | omp_combiner OMP_INITIALIZER '(' OMP_PRIV '=' { cc_omp_reduction_initialiser(p, $1); } initialiser ')' OMP_END
        { cc_omp_reduction_end(p, $1, NULL, $7); }
  | OMP_DECLARE_REDUCTION error OMP_END { yyerrok; }
  ;
omp_combiner:
    OMP_DECLARE_REDUCTION '(' omp_sign ':' type_name ':'
        <declared>{ $$ = cc_omp_reduction_begin(p, NULL, $3, $5, @1); } expression ')'
        { $$ = $7; cc_omp_reduction_combiner(p, $$, $8); }
  | OMP_DECLARE_REDUCTION '(' any_identifier ':' type_name ':'
        <declared>{ $$ = cc_omp_reduction_begin(p, $3, 0, $5, @1); } expression ')'
        { $$ = $7; cc_omp_reduction_combiner(p, $$, $8); }
  ;
%%

/* Tells of the head of a for, just behind its (, whether a directive hands out the iterations. */
static const char *loop_head(CcParser *p, CcLoc loc)
{
    if (!p->omp)
        return NULL;
    const CcToken *name = cc_token_peek(p, 0);
    bool assigns = name->kind == RAW_NAME && cc_token_peek(p, 1)->kind == '=';
    name = cc_token_peek(p, 0);
    return cc_omp_loop_head(p, assigns ? cc_scope_ident(p, name->text, name->length) : NULL, assigns ? name->loc : loc);
}

static CcOmpClause *new_clause(CcParser *p, const CcOmpClauseKind *kind, CcLoc loc)
{
    CcOmpClause *clause = CC_NEW(p->arena, CcOmpClause);
    clause->kind = kind;
    clause->loc = loc;
    return clause;
}

static void add_word(CcOmpClause *clause, const char *word)
{
    if (clause->n_words < G_N_ELEMENTS(clause->words))
        clause->words[clause->n_words++] = word;
}

static void add_clause(CcParser *p, CcOmpClauses *clauses, CcOmpClause *clause)
{
    for (const CcOmpClause *other = clauses->first; other; other = other->next)
        if (clause->kind->once && other->kind == clause->kind) {
            cc_front_error(p, clause->loc, "clause '%s' is given twice", clause->kind->name);
            cc_front_note(p, other->loc, "it is here, too");
            return;
        }
    if (clauses->last)
        clauses->last->next = clause;
    else
        clauses->first = clause;
    clauses->last = clause;
}

/* Reports a directive that can only stand in a function. */
static void outside(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc)
{
    (void)clauses;
    cc_front_error(p, loc, "'#pragma omp %s' is outside of a function", kind->name);
}

static void yyerror(const CcLoc *loc, CcParser *p, const char *message)
{
    /* The only message is "memory exhausted": the stack reached YYMAXDEPTH. */
    (void)message;
    cc_front_fatal(p, *loc, "statements or expressions are nested too deeply");
}


/* Whether `name` (as declared above, with its quotes) is among the expected symbols. */
static bool expects(const yysymbol_kind_t *symbols, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(yysymbol_name(symbols[i]), name) == 0)
            return true;
    return false;
}

/* What is most likely missing, the best guess first. */
enum { CLOSING_BRACE = 9 };
static const struct Guess { const char *symbol, *text; bool after_previous; } guesses[] = {
    {"constant", "expected expression", false}, {"';'", "expected ';'", true},   {"')'", "expected ')'", true},
    {"']'", "expected ']'", true},              {"'{'", "expected '{'", true},
    {"identifier", "expected identifier", false}, {"'('", "expected '('", true}, {"':'", "expected ':'", true}, {"while", "expected 'while'", true},
    {"'}'", "expected '}'", true},              {"','", "expected ','", true},
};

static int yyreport_syntax_error(const yypcontext_t *context, CcParser *p)
{
    yysymbol_kind_t symbols[YYNTOKENS];
    int n = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    const struct Guess *guess = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(guesses) && !guess; i++)
        if (expects(symbols, n, guesses[i].symbol))
            guess = &guesses[i];
    if (expects(symbols, n, "type name") && expects(symbols, n, "';'") && expects(symbols, n, "'}'"))
        guess = NULL; /* a statement or declaration could begin here: no guess is good */
    bool at_end = yypcontext_token(context) == YYSYMBOL_YYEOF;
    if (at_end && expects(symbols, n, "'}'"))
        guess = &guesses[CLOSING_BRACE];
    cc_syntax_unexpected(p, *yypcontext_location(context), at_end,
                    guess ? guess->text : NULL, guess && guess->after_previous);
    return 0;
}

static void apply(CcParser *p, CcSpecs *specs, const CcSpecItem *item, CcLoc loc)
{
    switch (item->what) {
    case SPEC_WORD: cc_sema_specs_word(p, specs, item->value, loc); break;
    case SPEC_STORAGE: cc_sema_specs_storage(p, specs, (CcStorage)item->value, loc); break;
    case SPEC_TYPEDEF: cc_sema_specs_typedef(p, specs, loc); break;
    case SPEC_QUALIFIER: specs->qualifiers |= (uint8_t)item->value; break;
    case SPEC_INLINE: specs->inline_ = true; break;
    case SPEC_NORETURN:
        specs->attributes.noreturn_ = specs->noreturn_word = true;
        break;
    case SPEC_THREAD: specs->thread = true; break;
    case SPEC_ATTRIBUTE: cc_sema_attributes_merge(&specs->attributes, item->data); break;
    case SPEC_TYPE:
        cc_sema_specs_type(p, specs, item->data, loc);
        specs->tag_declared |= item->value;
        break;
    case SPEC_AUTO_TYPE:
        specs->auto_type = true;
        specs->type = p->error_type;
        break;
    case SPEC_ALIGN: cc_sema_specs_align(p, specs, item->data, item->type, loc); break;
    }
}

static CcSpecs *start(CcParser *p, const CcSpecItem *item, CcLoc loc)
{
    CcSpecs *specs = cc_sema_specs_new(p, loc);
    apply(p, specs, item, loc);
    return specs;
}

static void add_suffix(CcDeclarator *declarator, const CcSuffix *suffix, const CcAttributes *more)
{
    if (suffix) {
        cc_sema_attributes_merge(&declarator->attributes, suffix->attributes);
        if (suffix->asm_label)
            declarator->asm_label = suffix->asm_label;
    }
    cc_sema_attributes_merge(&declarator->attributes, more);
}

static const char *asm_label(CcParser *p, const CcExpr *text)
{
    if (text->kind != CC_STRING || text->type->target->size == 1)
        return text->kind == CC_STRING ? text->string : NULL;
    cc_front_error(p, text->loc, "the name in 'asm' is a wide string");
    return NULL;
}

static CcAsmOperand *asm_operand(CcParser *p, CcIdent *name, const CcExpr *constraint, CcExpr *expr)
{
    CcAsmOperand *operand = CC_NEW(p->arena, CcAsmOperand);
    *operand = (CcAsmOperand){NULL, name, constraint, expr};
    return operand;
}

static CcAsmOperand *asm_append(CcAsmOperand *list, CcAsmOperand *operand)
{
    CcAsmOperand *last = list;
    while (last->next)
        last = last->next;
    last->next = operand;
    return list;
}

/* Reports a { behind a declaration inside a function. If it begins a nested function of GNU C, the report says so. */
static void nested_function(CcParser *p, const CcDeclaration *declaration, CcLoc loc)
{
    const CcSymbol *symbol = declaration->last ? cc_scope_lookup(declaration->last->ident) : NULL;
    if (symbol && symbol->kind == CC_SYM_FUNCTION && p->function)
        cc_front_error(p, declaration->last->loc, "nested function '%s' is not supported: define it outside of '%s'",
                 symbol->name, p->function->symbol->name);
    else
        cc_front_error(p, loc, "expected ';' before '{'");
    cc_token_skip_braces(p);
}

static CcFunctionState *define(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, const CcSuffix *suffix)
{
    CcDeclaration variable = {.specs = specs};
    add_suffix(declarator, suffix, NULL);
    if (!cc_sema_declares_function(declarator)) {
        cc_front_error(p, cc_front_behind_previous(p), "expected ';' after '%s'", declarator->ident->text);
        cc_front_hush(p);
        declare(p, &variable, declarator, NULL, NULL);
    }
    cc_sema_function_begin(p, specs, declarator);
    return p->function;
}

/* Handles declarations behind the head of a function with a prototype: a { or a ; is missing. */
static bool ends_head(CcParser *p, const CcDeclarator *declarator, bool reads_type)
{
    return reads_type && p->function && cc_sema_has_prototype(declarator) && cc_mend_behind_head(p, declarator->ident);
}

static bool begins_declaration(int token)
{
    static const int tokens[] = {TYPE_NAME, CHAR, SHORT, INT,  LONG,   FLOAT,  DOUBLE, SIGNED,  UNSIGNED, VOID, BOOL,
                                 STRUCT,    UNION, ENUM, CONST, STATIC, EXTERN, TYPEDEF, INLINE, VOLATILE, REGISTER};
    for (size_t i = 0; i < G_N_ELEMENTS(tokens); i++)
        if (token == tokens[i])
            return true;
    return false;
}

static void declare(CcParser *p, CcDeclaration *into, CcDeclarator *declarator, const CcSuffix *suffix,
                    const CcAttributes *more)
{
    add_suffix(declarator, suffix, more);
    into->last = declarator;
    if (into->specs->auto_type)
        cc_front_error(p, declarator->loc, "'__auto_type' needs an initializer for '%s'", declarator->ident->text);
    CcSymbol *symbol = cc_sema_declare(p, into->specs, declarator, false, &into->list);
    if (symbol)
        cc_sema_initialise(p, symbol, NULL, &into->list);
}

static CcSymbol *declare_initialised(CcParser *p, CcDeclaration *into, CcDeclarator *declarator, const CcSuffix *suffix,
                                     const CcAttributes *more)
{
    add_suffix(declarator, suffix, more);
    into->last = declarator;
    into->pending = into->specs->auto_type ? declarator : NULL;
    return into->pending ? NULL : cc_sema_declare(p, into->specs, declarator, true, &into->list);
}

static void initialise(CcParser *p, CcDeclaration *into, CcSymbol *symbol, CcInitNode *init)
{
    if (into->pending) {
        into->specs->type = init->expr ? cc_sema_auto_type(p, init->expr) : p->error_type;
        into->specs->finished = false;
        if (!init->expr)
            cc_front_error(p, init->loc, "'__auto_type' needs an expression to take the type of '%s' from",
                     into->pending->ident->text);
        symbol = cc_sema_declare(p, into->specs, into->pending, true, &into->list);
        into->pending = NULL;
    }
    if (symbol)
        cc_sema_initialise(p, symbol, init, &into->list);
}

static CcDeclarators *declarators_add(CcParser *p, CcDeclarators *list, CcDeclarator *declarator)
{
    if (!list)
        list = CC_NEW(p->arena, CcDeclarators);
    cc_arena_grow(p->arena, (void **)&list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = declarator;
    return list;
}

static void members_add(CcParser *p, CcMemberList *list, CcSpecs *specs, const CcDeclarators *declarators)
{
    for (unsigned i = 0; i < declarators->count; i++)
        cc_sema_member_add(p, list, specs, declarators->items[i]);
}

static CcDeclarator *bit_field(CcParser *p, CcDeclarator *declarator, CcExpr *width,
                               const CcAttributes *attributes, CcLoc loc)
{
    if (!declarator)
        declarator = cc_sema_declarator_new(p, NULL, loc);
    declarator->width = width;
    declarator->has_width = true;
    add_suffix(declarator, NULL, attributes);
    return declarator;
}

static CcAttributes *merge_attributes(CcParser *p, CcAttributes *into, const CcAttributes *from)
{
    if (!from)
        return into;
    if (!into)
        into = CC_NEW(p->arena, CcAttributes);
    cc_sema_attributes_merge(into, from);
    return into;
}

static CcPart *function_part(CcParser *p, const CcParamList *list, CcScope *scope, CcLoc loc)
{
    CcPart *part = cc_sema_part_new(p, CC_PART_FUNCTION, loc);
    part->params = list->first;
    part->n_params = list->count;
    part->variadic = list->variadic;
    part->identifiers = list->identifiers;
    part->scope = scope;
    return part;
}

static void param_add(CcParamList *list, CcParam *param)
{
    if (list->last)
        list->last->next = param;
    else
        list->first = param;
    list->last = param;
    list->count++;
}

static CcPart *array_part(CcParser *p, CcExpr *length, unsigned qualifiers, bool star, bool is_static, CcLoc loc)
{
    CcPart *part = cc_sema_part_new(p, CC_PART_ARRAY, loc);
    part->length = length;
    part->qualifiers = (uint8_t)qualifiers;
    part->star = star;
    part->is_static = is_static;
    return part;
}

static CcPart *pointer_part(CcParser *p, unsigned qualifiers, CcLoc loc)
{
    CcPart *part = cc_sema_part_new(p, CC_PART_POINTER, loc);
    part->qualifiers = (uint8_t)qualifiers;
    return part;
}

static CcInitNode *braces(CcParser *p, CcInitNode *list, CcLoc loc)
{
    CcInitNode *node = list ? list : cc_sema_init_node(p, NULL, loc);
    node->loc = loc;
    return node;
}

static CcInitNode *init_append(CcParser *p, CcInitNode *list, CcInitNode *item, CcLoc loc)
{
    if (!list)
        list = cc_sema_init_node(p, NULL, loc);
    if (list->last)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
    return list;
}

static CcDesignator *path_append(CcDesignator *path, CcDesignator *last)
{
    CcDesignator *end = path;
    while (end->next)
        end = end->next;
    end->next = last;
    return path;
}

static CcEnumState *enum_begin(CcParser *p, CcIdent *tag, CcLoc loc)
{
    CcEnumState *state = CC_NEW(p->arena, CcEnumState);
    state->type = cc_sema_tag_begin(p, CC_ENUM, tag, loc);
    p->enumerating++;
    return state;
}

/* Closes the scopes that an error left open, `scope` included. */
static void unwind(CcParser *p, CcScope *scope)
{
    while (scope && scope->open && p->scope != p->file_scope) {
        bool last = p->scope == scope;
        cc_sema_leave_scope(p);
        if (last)
            break;
    }
}
