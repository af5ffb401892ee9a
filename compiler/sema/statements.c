/* statements.c - statements (C11 6.8).
 *
 * The enclosing loops and switches are a stack of CcContext. A label, case or default in a block is a statement of its
 * own with an empty body. The labelled statement follows it, so that many cases in a row do not nest.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

CcStmt *cc_sema_stmt_new(CcParser *p, CcStmtKind kind, CcLoc loc)
{
    CcStmt *statement = CC_NEW(p->arena, CcStmt);
    statement->kind = kind;
    statement->loc = loc;
    return statement;
}

void cc_sema_append(CcStmtList *list, CcStmt *statement)
{
    if (list->last)
        list->last->next = statement;
    else
        list->first = statement;
    list->last = statement;
}

CcStmtList cc_sema_concat(CcStmtList a, CcStmtList b)
{
    if (!a.first)
        return b;
    if (b.first) {
        a.last->next = b.first;
        a.last = b.last;
    }
    return a;
}

CcStmt *cc_sema_block(CcParser *p, CcStmtList items, CcLoc loc, CcLoc end)
{
    CcStmt *block = cc_sema_stmt_new(p, CC_BLOCK, loc);
    block->first = items.first;
    block->end = end;
    return block;
}

CcStmt *cc_sema_expression_statement(CcParser *p, CcExpr *e, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_EXPRESSION, e ? e->loc : loc);
    statement->expr = e ? cc_sema_rvalue(p, e) : NULL;
    return statement;
}

CcStmt *cc_sema_if(CcParser *p, CcExpr *condition, CcStmt *body, CcStmt *otherwise, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_IF, loc);
    statement->expr = cc_sema_condition(p, condition, "condition of 'if'");
    statement->body = body;
    statement->otherwise = otherwise;
    return statement;
}

CcStmt *cc_sema_loop(CcParser *p, CcStmtKind kind, CcExpr *condition, CcStmt *body, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, kind, loc);
    statement->expr = cc_sema_condition(p, condition, "condition of a loop");
    statement->body = body;
    return statement;
}

CcStmt *cc_sema_for(CcParser *p, CcStmt *init, CcExpr *condition, CcExpr *step, CcStmt *body, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_FOR, loc);
    statement->init = init;
    statement->expr = condition ? cc_sema_condition(p, condition, "condition of a loop") : NULL;
    statement->step = step ? cc_sema_rvalue(p, step) : NULL;
    statement->body = body;
    return statement;
}

/* -- loops and switches ------------------------------------------------------------------------ */

void cc_sema_context_push(CcParser *p, bool loop)
{
    CcContext *context = CC_NEW(p->arena, CcContext);
    context->outer = p->context;
    context->loop = loop;
    p->context = context;
}

void cc_sema_context_pop(CcParser *p)
{
    g_assert(p->context);
    p->context = p->context->outer;
}

static CcContext *innermost(CcParser *p, bool loop)
{
    CcContext *context = p->context;
    while (context && context->loop != loop)
        context = context->outer;
    return context;
}

void cc_sema_switch_begin(CcParser *p, CcExpr *operand, CcLoc loc)
{
    operand = cc_sema_promote(p, operand);
    if (!cc_is_error(p, operand) && !cc_is_integer(operand->type)) {
        char *text = cc_type_name(operand->type);
        cc_front_error(p, operand->loc, "switch quantity of type '%s' is not an integer", text);
        g_free(text);
        operand = cc_sema_error_expr(p, operand->loc);
    }
    cc_sema_context_push(p, false);
    p->context->statement = cc_sema_stmt_new(p, CC_SWITCH, loc);
    p->context->statement->expr = operand;
    p->context->operand_type = operand->type;
    p->context->fence = p->scope->fence;
}

/* Whether values of the type must be compared as uint64_t. Those of other types are in the order of int64_t. */
static bool is_wide_unsigned(const CcType *type)
{
    return type->size == 8 && cc_is_integer(type) && !cc_type_is_signed(type);
}

static int compare_wide_cases(const void *a, const void *b)
{
    const CcStmt *x = *(CcStmt *const *)a, *y = *(CcStmt *const *)b;
    if (x->low != y->low)
        return (uint64_t)x->low < (uint64_t)y->low ? -1 : 1;
    return x->loc.line != y->loc.line ? (x->loc.line < y->loc.line ? -1 : 1) : (int)x->loc.column - (int)y->loc.column;
}

static int compare_cases(const void *a, const void *b)
{
    const CcStmt *x = *(CcStmt *const *)a, *y = *(CcStmt *const *)b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->loc.line != y->loc.line ? (x->loc.line < y->loc.line ? -1 : 1) : (int)x->loc.column - (int)y->loc.column;
}

static void check_duplicates(CcParser *p, const CcStmt *statement)
{
    GPtrArray *cases = g_ptr_array_new();
    for (CcStmt *item = statement->cases; item; item = item->next_case)
        g_ptr_array_add(cases, item);
    bool wide = is_wide_unsigned(statement->expr->type);
    if (cases->len)
        qsort(cases->pdata, cases->len, sizeof *cases->pdata, wide ? compare_wide_cases : compare_cases);
    for (guint i = 1; i < cases->len; i++) {
        const CcStmt *before = g_ptr_array_index(cases, i - 1), *now = g_ptr_array_index(cases, i);
        if (wide ? (uint64_t)now->low > (uint64_t)before->high : now->low > before->high)
            continue;
        cc_front_error(p, now->loc, "duplicate case value %" PRId64, now->low);
        cc_front_note(p, before->loc, "previously used here");
    }
    g_ptr_array_free(cases, TRUE);
}

CcStmt *cc_sema_switch_end(CcParser *p, CcStmt *body)
{
    CcStmt *statement = p->context->statement;
    statement->body = body;
    check_duplicates(p, statement);
    cc_sema_context_pop(p);
    return statement;
}

/* -- jumps ------------------------------------------------------------------------------------- */

void cc_sema_fence(CcParser *p, const CcSymbol *symbol)
{
    CcFence *fence = CC_NEW(p->arena, CcFence);
    fence->outer = p->scope->fence;
    fence->symbol = symbol;
    p->scope->fence = fence;
}

/* Returns the outermost fence that a jump from `from` to `to` would enter, or NULL: the jump is allowed. */
static const CcFence *fence_between(const CcFence *from, const CcFence *to)
{
    const CcFence *found = NULL;
    for (; to; to = to->outer) {
        const CcFence *around = from;
        while (around && around != to)
            around = around->outer;
        if (around)
            break;
        found = to;
    }
    return found;
}

static void jumps_into(CcParser *p, const CcFence *fence, const char *what, CcLoc loc)
{
    if (!fence->symbol) {
        cc_front_error(p, loc, "%s jumps into a statement expression", what);
        return;
    }
    cc_front_error(p, loc, "%s jumps into the scope of '%s', which has a variably modified type", what,
                   fence->symbol->name);
    cc_front_note(p, fence->symbol->loc, "'%s' is declared here", fence->symbol->name);
}

static void check_fence(CcParser *p, const CcContext *context, CcLoc loc)
{
    const CcFence *fence = fence_between(context->fence, p->scope->fence);
    if (fence)
        jumps_into(p, fence, "switch", loc);
}

/* Reports a goto that enters or leaves the structured block of a directive. */
static void crosses_block(CcParser *p, const CcJump *jump)
{
    const CcBlockOfDirective *around = jump->block;
    while (around && around != jump->label->block)
        around = around->outer;
    bool leaves = around == jump->label->block;
    const CcBlockOfDirective *block = leaves ? jump->block : jump->label->block;
    if (jump->address) { /* it may be printed, but the label may be in another function */
        cc_front_warning(p, jump->loc, NULL,
                         "no goto can use this address: it %s the structured block of '#pragma omp %s'",
                         leaves ? "leaves" : "enters", block->directive);
        jump->address->kind = CC_NUMBER;
        return;
    }
    cc_front_error(p, jump->loc, "goto %s the structured block of '#pragma omp %s'", leaves ? "leaves" : "enters",
                   block->directive);
    cc_front_note(p, jump->label->loc, "label '%s' is here", jump->label->name);
}

void cc_sema_check_jumps(CcParser *p)
{
    for (const CcJump *jump = p->function->jumps; jump; jump = jump->next) {
        bool goes = jump->label->statement && !jump->address;
        const CcFence *fence = goes ? fence_between(jump->from, jump->label->fence) : NULL;
        if (fence)
            jumps_into(p, fence, "goto", jump->loc);
        else if (jump->label->statement && jump->block != jump->label->block)
            crosses_block(p, jump);
    }
}

static CcStmt *empty(CcParser *p, CcLoc loc)
{
    return cc_sema_stmt_new(p, CC_EXPRESSION, loc);
}

/* Evaluates a case label in the type of the switch (6.8.4.2p5). Returns false if it is not constant. */
static bool case_value(CcParser *p, CcExpr *e, const CcType *type, int64_t *value)
{
    e = cc_sema_rvalue(p, e);
    if (cc_is_error(p, e) || type == p->error_type)
        return false;
    if (!cc_tree_integer_constant(e, value)) {
        cc_front_error(p, e->loc, "case label is not an integer constant");
        return false;
    }
    *value = (int64_t)cc_type_canonical(type, (uint64_t)*value);
    return true;
}

CcStmt *cc_sema_case(CcParser *p, CcExpr *low, CcExpr *high, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_CASE, loc);
    statement->body = empty(p, loc);
    CcContext *context = innermost(p, false);
    if (!context) {
        cc_front_error(p, loc, "case label not within a switch statement");
        return statement->body;
    }
    check_fence(p, context, loc);
    if (!case_value(p, low, context->operand_type, &statement->low))
        return statement->body;
    statement->high = statement->low;
    if (high && !case_value(p, high, context->operand_type, &statement->high))
        return statement->body;
    bool wrong = is_wide_unsigned(context->operand_type) ? (uint64_t)statement->high < (uint64_t)statement->low
                                                         : statement->high < statement->low;
    if (wrong) {
        cc_front_warning(p, loc, NULL, "empty range of case values");
        return statement->body;
    }
    if (context->last_case)
        context->last_case->next_case = statement;
    else
        context->statement->cases = statement;
    context->last_case = statement;
    return statement;
}

CcStmt *cc_sema_default(CcParser *p, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_DEFAULT, loc);
    statement->body = empty(p, loc);
    CcContext *context = innermost(p, false);
    if (!context) {
        cc_front_error(p, loc, "'default' label not within a switch statement");
        return statement->body;
    }
    if (context->statement->default_case) {
        cc_front_error(p, loc, "multiple default labels in one switch");
        cc_front_note(p, context->statement->default_case->loc, "this is the first default label");
        return statement->body;
    }
    check_fence(p, context, loc);
    return context->statement->default_case = statement;
}

CcStmt *cc_sema_break(CcParser *p, CcLoc loc)
{
    if (p->context && p->context->directive)
        cc_front_error(p, loc,
                       "break leaves the loop of '#pragma omp %s', whose number of iterations must be known at its "
                       "start; skip the rest by a flag, or use '#pragma omp cancel'",
                       p->context->directive);
    else if (!p->context && p->block && p->block->context)
        cc_front_error(p, loc, "break leaves the structured block of '#pragma omp %s'", p->block->directive);
    else if (!p->context)
        cc_front_error(p, loc, "break statement not within loop or switch");
    else
        p->context->broken = true;
    return cc_sema_stmt_new(p, CC_BREAK, loc);
}

CcStmt *cc_sema_continue(CcParser *p, CcLoc loc)
{
    if (!innermost(p, true) && p->block && p->block->context)
        cc_front_error(p, loc, "continue leaves the structured block of '#pragma omp %s'", p->block->directive);
    else if (!innermost(p, true))
        cc_front_error(p, loc, "continue statement not within a loop");
    return cc_sema_stmt_new(p, CC_CONTINUE, loc);
}

/* -- labels ------------------------------------------------------------------------------------ */

CcLabel *cc_sema_label(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcFunctionState *function = p->function;
    if (ident->label && ident->label_function == function->serial) {
        cc_use_label(p, ident->label, 0, loc);
        return ident->label;
    }
    CcLabel *label = CC_NEW(p->arena, CcLabel);
    label->name = ident->text;
    label->loc = loc;
    cc_use_label(p, label, 0, loc);
    ident->label = label;
    ident->label_function = function->serial;
    if ((function->n_labels & (function->n_labels + 1)) == 0) { /* the array is full at 0, 1, 3, 7 ... */
        CcLabel **more = cc_arena_alloc(p->arena, (function->n_labels + 1) * 2 * sizeof *more);
        if (function->n_labels)
            memcpy(more, function->labels, function->n_labels * sizeof *more);
        function->labels = more;
    }
    function->labels[function->n_labels++] = label;
    return label;
}

CcStmt *cc_sema_label_statement(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_LABEL, loc);
    statement->body = empty(p, loc);
    if (!p->function)
        return statement;
    CcLabel *label = cc_sema_label(p, ident, loc);
    if (label->statement) {
        cc_front_error(p, loc, "duplicate label '%s'", ident->text);
        cc_front_note(p, label->loc, "previous definition is here");
        return statement->body;
    }
    label->statement = statement;
    label->fence = p->scope->fence;
    label->block = p->block;
    label->loc = loc;
    statement->label = label;
    return statement;
}

/* GNU __label__: the name means a new label until the end of this block. */
void cc_sema_local_label(CcParser *p, CcIdent *ident, CcLoc loc)
{
    if (!p->function)
        return;
    CcLocalLabel *local = CC_NEW(p->arena, CcLocalLabel);
    *local = (CcLocalLabel){p->scope->local_labels, ident, ident->label, ident->label_function};
    p->scope->local_labels = local;
    ident->label = NULL;
    ident->label_function = 0;
    cc_sema_label(p, ident, loc);
}

CcStmt *cc_sema_goto(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_GOTO, loc);
    if (!p->function)
        return statement;
    statement->label = cc_sema_label(p, ident, loc);
    statement->label->used = true;
    CcJump *jump = CC_NEW(p->arena, CcJump);
    *jump = (CcJump){p->function->jumps, statement->label, p->scope->fence, p->block, loc, NULL};
    p->function->jumps = jump;
    return statement;
}

CcStmt *cc_sema_goto_computed(CcParser *p, CcExpr *target, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_GOTO, loc);
    target = cc_sema_rvalue(p, target);
    if (!cc_is_error(p, target) && target->type->kind != CC_POINTER) {
        cc_front_error(p, target->loc, "computed goto must be a pointer");
        target = cc_sema_error_expr(p, target->loc);
    }
    statement->expr = cc_sema_convert(p, target, p->void_pointer);
    return statement;
}

/* -- return (6.8.6.4) -------------------------------------------------------------------------- */

CcStmt *cc_sema_return(CcParser *p, CcExpr *e, CcLoc loc)
{
    CcStmt *statement = cc_sema_stmt_new(p, CC_RETURN, loc);
    if (!p->function || p->function->symbol->type->kind != CC_FUNCTION)
        return statement;
    if (p->block)
        cc_front_error(p, loc, "return leaves the structured block of '#pragma omp %s'", p->block->directive);
    CcType *result = p->function->symbol->type->target;
    const char *name = p->function->symbol->name;
    if (!e) {
        if (result->kind != CC_VOID && result != p->error_type)
            cc_front_warning(p, loc, "-Wreturn-mismatch", "'return' with no value in function '%s' returning non-void",
                             name);
        return statement;
    }
    if (result->kind == CC_VOID) {
        e = cc_sema_rvalue(p, e);
        if (!cc_is_error(p, e) && e->type->kind != CC_VOID) {
            cc_front_warning(p, e->loc, "-Wreturn-mismatch", "'return' with a value in function '%s' returning void",
                             name);
            cc_front_note(p, p->function->symbol->loc, "'%s' is declared here", name);
            e = cc_sema_cast_expr(p, p->basic[CC_VOID], e, e->loc); /* no second warning about the unused value */
        }
        statement->kind = CC_BLOCK; /* evaluate, then return */
        statement->first = cc_sema_expression_statement(p, e, loc);
        statement->first->next = cc_sema_stmt_new(p, CC_RETURN, loc);
        statement->end = loc;
        return statement;
    }
    CcAssignContext context = {CC_RETURNING, 0, name, NULL};
    statement->expr = cc_sema_assign_convert(p, e, result, &context);
    return statement;
}

/* -- assembly (GNU) ---------------------------------------------------------------------------- */

void cc_sema_no_assembly(CcParser *p, CcLoc loc)
{
    cc_front_error(p, loc, "inline assembly is not supported: the program runs on a simulated machine");
}

/* Instructions that order memory accesses, wait or do nothing. A rank has one thread and sees its own accesses in
 * order, so they have no effect here. The list has instructions of several processors, because wrong macros may select
 * any. */
static const char *const idle_instructions[] = {
    "nop",    "pause",   "rep",    "rep nop", "mfence", "lfence", "sfence", "yield",     "isb",      "dmb ish",
    "dmb sy", "dsb ish", "dsb sy", "sync",    "lwsync", "isync",  "eieio",  "dmb ishst", "dmb ishld"};

/* Whether the instruction is like lock; addl $0,0(%rsp): it changes nothing in memory and so is only a barrier. */
static bool is_locked_nothing(const char *text)
{
    static const char *const words[] = {"add", "or", "xor", "sub"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (!g_str_has_prefix(text, words[i]))
            continue;
        const char *at = text + strlen(words[i]);
        at += strspn(at, "bwlq");
        at += strspn(at, " \t");
        at = g_str_has_prefix(at, "$0x0") ? at + 4 : g_str_has_prefix(at, "$0") ? at + 2 : text;
        at += strspn(at, " \t,");
        at += strspn(at, "-0123456789");
        bool operand = *at == '%' && (g_ascii_isdigit(at[1]) || at[1] == '[');
        return at > text && (operand || (g_str_has_prefix(at, "(%") && g_str_has_suffix(at, "sp)")));
    }
    return false;
}

/* Whether an instruction, without space around it but perhaps with a lock prefix, has no effect here. */
static bool is_idle_instruction(const char *text)
{
    if (g_str_has_prefix(text, "lock") && strchr(" \t", text[4]) && text[4])
        text += 4 + strspn(text + 4, " \t");
    for (size_t i = 0; i < G_N_ELEMENTS(idle_instructions); i++)
        if (strcmp(idle_instructions[i], text) == 0)
            return true;
    return *text == '\0' || *text == '#' || strcmp(text, "lock") == 0 || is_locked_nothing(text);
}

/* Returns the first instruction that has an effect, or NULL if there is none. The caller frees it with g_free(). */
static char *working_instruction(const char *template)
{
    g_auto(GStrv) parts = g_strsplit_set(template, ";\n", -1);
    for (char **part = parts; *part; part++)
        if (!is_idle_instruction(g_strstrip(*part)))
            return g_strdup(*part);
    return NULL;
}

/* Returns the output that the input's constraint, "0" or "[name]", ties it to. NULL: none. */
static CcAsmOperand *tied_output(CcAsmOperand *outputs, const char *constraint)
{
    while (*constraint == '%' || *constraint == '&')
        constraint++;
    if (g_ascii_isdigit(*constraint)) {
        unsigned n = (unsigned)g_ascii_strtoull(constraint, NULL, 10);
        for (; outputs && n > 0; n--)
            outputs = outputs->next;
        return outputs;
    }
    if (*constraint != '[')
        return NULL;
    size_t length = strcspn(constraint + 1, "]");
    for (; outputs; outputs = outputs->next)
        if (outputs->name && outputs->name->length == length && !memcmp(outputs->name->text, constraint + 1, length))
            return outputs;
    return NULL;
}

/* Programs use barriers, and asm("") with operands to hide values from an optimiser. Without instructions, the inputs
 * are evaluated, an output gets the value of the input tied to it, and other outputs keep their values. */
CcStmt *cc_sema_assembly(CcParser *p, const CcExpr *template, CcAsmOperand *outputs, CcAsmOperand *inputs, CcLoc loc)
{
    CcStmtList list = {NULL, NULL};
    g_autofree char *instruction = template->kind == CC_STRING ? working_instruction(template->string) : NULL;
    if (instruction) {
        cc_front_error(p, loc,
                       "inline assembly is not supported: the program runs on a simulated machine, which has no '%s'",
                       instruction);
        cc_front_note(p, loc,
                      "barriers are: an empty template, nop, pause, mfence, lfence, sfence, lock; addl $0,0(%%rsp)");
        return cc_sema_block(p, list, loc, loc);
    }
    for (CcAsmOperand *output = outputs; output; output = output->next) {
        if (!cc_is_error(p, output->expr) && !output->expr->lvalue)
            cc_front_error(p, output->expr->loc, "output of 'asm' is not an lvalue");
        else if (output->expr->kind == CC_DEREFERENCE) /* computing the address may have side effects */
            cc_sema_append(&list, cc_sema_expression_statement(p, output->expr->left, loc));
    }
    for (CcAsmOperand *input = inputs; input; input = input->next) {
        CcAsmOperand *output =
            input->constraint->kind == CC_STRING ? tied_output(outputs, input->constraint->string) : NULL;
        CcExpr *value = input->expr;
        if (output && !cc_is_error(p, output->expr) && output->expr->lvalue)
            value = cc_sema_assignment(p, output->expr, value, loc);
        else if (cc_is_error(p, value) || value->lvalue)
            continue; /* an lvalue needs no evaluation */
        cc_sema_append(&list, cc_sema_expression_statement(p, value, loc));
    }
    return cc_sema_block(p, list, loc, loc);
}

/* -- ends of functions ------------------------------------------------------------------------- */

void cc_sema_check_return(CcParser *p, const CcStmt *body)
{
    const CcSymbol *symbol = p->function->symbol;
    if (symbol->type->kind != CC_FUNCTION || symbol->type->target->kind == CC_VOID || symbol->noreturn_)
        return;
    if (strcmp(symbol->name, "main") != 0 && cc_tree_reaches_end(body))
        cc_front_warning(p, body->end, "-Wreturn-type", "control reaches end of non-void function '%s'", symbol->name);
}
