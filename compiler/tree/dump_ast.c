/* dump_ast.c - prints the typed tree (--dump=ast): one line per node, children indented. */
#include "compiler/tree/tree.h"

#include <inttypes.h>

typedef struct Dump {
    FILE *out;
    const CcUnit *unit;
} Dump;

static const char *const expression_names[] = {
    [CC_NUMBER] = "number",
    [CC_STRING] = "string",
    [CC_VARIABLE] = "variable",
    [CC_ADDRESS_CONSTANT] = "address-constant",
    [CC_LABEL_ADDRESS] = "label-address",
    [CC_DECAY] = "decay",
    [CC_ADDRESS] = "address",
    [CC_DEREFERENCE] = "dereference",
    [CC_MEMBER] = "member",
    [CC_CAST] = "cast",
    [CC_NEGATE] = "negate",
    [CC_COMPLEMENT] = "complement",
    [CC_NOT] = "not",
    [CC_PRE_INCREMENT] = "pre-increment",
    [CC_PRE_DECREMENT] = "pre-decrement",
    [CC_POST_INCREMENT] = "post-increment",
    [CC_POST_DECREMENT] = "post-decrement",
    [CC_ADD] = "add",
    [CC_SUBTRACT] = "subtract",
    [CC_MULTIPLY] = "multiply",
    [CC_DIVIDE] = "divide",
    [CC_REMAINDER] = "remainder",
    [CC_SHIFT_LEFT] = "shift-left",
    [CC_SHIFT_RIGHT] = "shift-right",
    [CC_AND] = "and",
    [CC_OR] = "or",
    [CC_XOR] = "xor",
    [CC_EQUAL] = "equal",
    [CC_NOT_EQUAL] = "not-equal",
    [CC_LESS] = "less",
    [CC_LESS_EQUAL] = "less-equal",
    [CC_GREATER] = "greater",
    [CC_GREATER_EQUAL] = "greater-equal",
    [CC_LOGICAL_AND] = "logical-and",
    [CC_LOGICAL_OR] = "logical-or",
    [CC_CONDITIONAL] = "conditional",
    [CC_COMMA] = "comma",
    [CC_ASSIGN] = "assign",
    [CC_ASSIGN_OP] = "assign-op",
    [CC_CALL] = "call",
    [CC_COMPOUND] = "compound-literal",
    [CC_STATEMENT_EXPR] = "statement-expression",
    [CC_VA_START] = "va-start",
    [CC_VA_ARG] = "va-arg",
    [CC_VA_COPY] = "va-copy",
    [CC_VA_END] = "va-end",
    [CC_BUILTIN] = "builtin",
    [CC_SIZEOF_VARIABLE] = "sizeof-variable",
    [CC_REAL_PART] = "real-part",
    [CC_IMAGINARY_PART] = "imaginary-part",
};
static const char *const statement_names[] = {
    [CC_BLOCK] = "block",
    [CC_EXPRESSION] = "expression",
    [CC_DECLARATION] = "declaration",
    [CC_VLA_SIZE] = "vla-size",
    [CC_IF] = "if",
    [CC_WHILE] = "while",
    [CC_DO] = "do",
    [CC_FOR] = "for",
    [CC_SWITCH] = "switch",
    [CC_CASE] = "case",
    [CC_DEFAULT] = "default",
    [CC_LABEL] = "label",
    [CC_GOTO] = "goto",
    [CC_BREAK] = "break",
    [CC_CONTINUE] = "continue",
    [CC_RETURN] = "return",
};
static const char *const storage_names[] = {
    [CC_AUTO] = "auto",     [CC_REGISTER] = "register", [CC_STATIC] = "static",
    [CC_EXTERN] = "extern", [CC_GLOBAL] = "global",
};

static void indent(const Dump *d, int level)
{
    fprintf(d->out, "%*s", level * 2, "");
}

static void print_type(const Dump *d, const CcType *type)
{
    char *name = cc_type_name(type);
    fprintf(d->out, " '%s'", name);
    g_free(name);
}

static void print_number(const Dump *d, const CcExpr *e)
{
    if (cc_is_complex(e->type))
        fprintf(d->out, " %.17g + %.17gi", e->real, e->imaginary);
    else if (cc_is_real(e->type))
        fprintf(d->out, " %.17g", e->real);
    else
        fprintf(d->out, " %" PRId64, (int64_t)e->integer);
}

static void print_details(const Dump *d, const CcExpr *e)
{
    if (e->kind == CC_NUMBER)
        print_number(d, e);
    if (e->kind == CC_STRING)
        fprintf(d->out, " %" PRIu64 " bytes", e->string_size);
    if (e->symbol)
        fprintf(d->out, " %s", e->symbol->name);
    if (e->kind == CC_ADDRESS_CONSTANT && e->integer)
        fprintf(d->out, " + %" PRId64, (int64_t)e->integer);
    if (e->kind == CC_MEMBER) {
        fprintf(d->out, " .%s at %" PRIu64, e->member->name ? e->member->name : "<anonymous>", e->member->offset);
        if (e->member->bit_field)
            fprintf(d->out, " bits %u..%u", e->member->bit_offset, e->member->bit_offset + e->member->bit_width);
    }
    if (e->kind == CC_ASSIGN_OP)
        fprintf(d->out, " %s", expression_names[e->op]);
    if (e->operation_type)
        print_type(d, e->operation_type);
    if (e->label)
        fprintf(d->out, " %s", e->label->name);
    fputs(e->implicit ? " implicit" : "", d->out);
    fputs(e->lvalue ? " lvalue" : "", d->out);
}

static void dump_statement(const Dump *d, const CcStmt *s, int level);

static void dump_init(const Dump *d, const CcInit *init, int level);

static void dump_expression(const Dump *d, const CcExpr *e, int level)
{
    if (!e)
        return;
    indent(d, level);
    fputs(expression_names[e->kind], d->out);
    print_type(d, e->type);
    print_details(d, e);
    fputc('\n', d->out);
    dump_expression(d, e->condition, level + 1);
    dump_expression(d, e->left, level + 1);
    dump_expression(d, e->right, level + 1);
    for (uint32_t i = 0; i < e->n_arguments; i++)
        dump_expression(d, e->arguments[i], level + 1);
    if (e->kind == CC_COMPOUND)
        dump_init(d, e->symbol->init, level + 1);
    if (e->statement)
        dump_statement(d, e->statement, level + 1);
}

static void dump_init(const Dump *d, const CcInit *init, int level)
{
    for (; init; init = init->next) {
        indent(d, level);
        fprintf(d->out, "at %" PRIu64, init->offset);
        if (init->bit_width)
            fprintf(d->out, " bits %u..%u", init->bit_offset, init->bit_offset + init->bit_width);
        print_type(d, init->type);
        fputc('\n', d->out);
        dump_expression(d, init->value, level + 1);
    }
}

static void dump_symbol(const Dump *d, const CcSymbol *symbol, int level)
{
    indent(d, level);
    fprintf(d->out, "%s %s %s", symbol->kind == CC_SYM_FUNCTION ? "function" : "variable",
            storage_names[symbol->storage], symbol->name);
    print_type(d, symbol->type);
    if (symbol->link_name != symbol->name)
        fprintf(d->out, " as %s", symbol->link_name);
    fputs(symbol->addressed ? " addressed" : "", d->out);
    fputs(symbol->tentative ? " tentative" : symbol->defined ? " defined" : "", d->out);
    fputs(symbol->weak ? " weak" : "", d->out);
    fputc('\n', d->out);
    dump_init(d, symbol->init, level + 1);
}

static void dump_statement(const Dump *d, const CcStmt *s, int level)
{
    for (; s; s = s->next) {
        indent(d, level);
        fprintf(d->out, "%s line %u", statement_names[s->kind], s->loc.line);
        if (s->kind == CC_CASE)
            fprintf(d->out, " %" PRId64 "..%" PRId64, s->low, s->high);
        if (s->label)
            fprintf(d->out, " %s", s->label->name);
        if (s->type)
            print_type(d, s->type);
        fputc('\n', d->out);
        if (s->symbol)
            dump_symbol(d, s->symbol, level + 1);
        dump_statement(d, s->init, level + 1);
        dump_expression(d, s->expr, level + 1);
        dump_expression(d, s->step, level + 1);
        dump_statement(d, s->first, level + 1);
        dump_statement(d, s->body, level + 1);
        dump_statement(d, s->otherwise, level + 1);
    }
}

void cc_dump_ast(const CcUnit *unit, FILE *out)
{
    Dump d = {out, unit};
    for (guint i = 0; i < unit->symbols->len; i++) {
        const CcSymbol *symbol = g_ptr_array_index(unit->symbols, i);
        if (!symbol->used && !symbol->defined && !symbol->tentative)
            continue; /* declared by a header, never used */
        dump_symbol(&d, symbol, 0);
        for (uint32_t k = 0; symbol->body && k < symbol->body->n_parameters; k++)
            dump_symbol(&d, symbol->body->parameters[k], 1);
        if (symbol->body && symbol->body->body)
            dump_statement(&d, symbol->body->body, 1);
    }
}
