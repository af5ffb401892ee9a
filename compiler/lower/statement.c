/* statement.c - lowers statements, declarations, scopes, and the targets of goto.
 *
 * Loops have their test at the bottom, which takes one branch a turn.
 *
 *      jmp test; body: ...; continue: step; test: branch body, exit; exit:
 *
 * Variable-length arrays lie on the stack above the frame. Each keeps the stack pointer from before its allocation.
 * Every way out of its scope restores that. l->vla is the innermost array alive at the current point of the source.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

/* -- scopes ------------------------------------------------------------------------------------ */

static void scope_open(CcLower *l, CcScopeState *state)
{
    *state = (CcScopeState){l->frame_next, l->vla, l->f->n_variables};
}

static void leave_vlas(CcLower *l, const CcVla *until)
{
    const CcVla *leave = NULL;
    for (const CcVla *vla = l->vla; vla != until; vla = vla->outer)
        leave = vla;
    if (leave)
        cc_lower_emit(l, VCODE_SETSP)->a = leave->saved;
}

static void scope_close(CcLower *l, const CcScopeState *state, bool give_back)
{
    const CcIrInstr *last = cc_ir_last(l->block);
    if (!last || !cc_ir_ends_block(last->op))
        leave_vlas(l, state->vla);
    l->vla = state->vla;
    if (give_back)
        l->frame_next = state->frame_next;
    for (uint32_t i = state->first_variable; i < l->f->n_variables; i++)
        if (l->f->variables[i].loc_high == UINT32_MAX)
            l->f->variables[i].loc_high = l->f->n_locs;
}

/* -- variable-length arrays -------------------------------------------------------------------- */

static CcPlace symbol_place(CcLower *l, CcSymbol *symbol)
{
    CcExpr expr = {.kind = CC_VARIABLE, .type = symbol->type, .symbol = symbol, .lvalue = true};
    return cc_lower_place(l, &expr);
}

static void lower_vla_sizes(CcLower *l, CcType *type)
{
    for (CcType *t = type; t && (t->kind == CC_ARRAY || t->kind == CC_POINTER); t = t->target)
        if (t->kind == CC_ARRAY && t->variable && t->length_expr) {
            CcPlace place = symbol_place(l, t->length_symbol);
            (void)cc_lower_place_store(l, &place, cc_lower_value(l, t->length_expr));
        }
}

CcValue cc_lower_size(CcLower *l, CcType *type)
{
    if (!type->variable || type->kind != CC_ARRAY)
        return cc_value_constant((int64_t)type->size);
    CcType size_type = {.kind = CC_ULONG, .size = 8, .align = 8};
    CcValue length = cc_value_constant((int64_t)type->length);
    if (type->length_symbol) {
        CcPlace place = symbol_place(l, type->length_symbol);
        length = cc_lower_place_load(l, &place);
    }
    return cc_lower_binary_op(l, CC_MULTIPLY, &size_type, length, cc_lower_size(l, type->target));
}

static void declare_vla(CcLower *l, CcSymbol *symbol)
{
    lower_vla_sizes(l, symbol->type);
    CcReg size = cc_lower_to_reg(l, cc_lower_size(l, symbol->type));
    CcStorageInfo *info = cc_lower_variable(l, symbol);
    CcVla *vla = CC_NEW(l->f->arena, CcVla);
    vla->outer = l->vla;
    vla->depth = l->vla ? l->vla->depth + 1 : 1;
    vla->saved = cc_lower_new_reg(l);
    l->f->regs[vla->saved].variable = true;
    l->f->regs[vla->saved].pinned = l->in_memory;
    l->vla = vla;
    cc_lower_emit(l, VCODE_GETSP)->a = vla->saved;
    CcIrInstr *alloca_ = cc_lower_emit(l, VCODE_ALLOCA);
    alloca_->a = info->reg;
    alloca_->b = size;
}

/* -- declarations ------------------------------------------------------------------------------ */

static CcAddress variable_address(const CcStorageInfo *info)
{
    if (info->where == CC_BY_ADDRESS)
        return cc_lower_address_of(info->reg);
    return cc_lower_frame_address(info->object);
}

/* Initialises an object by copying a picture of its constant elements from rodata. This saves code if there are many.
 * Returns false if there are too few. */
static bool init_from_picture(CcLower *l, CcSymbol *symbol, CcAddress address, uint64_t size)
{
    unsigned constants = 0;
    for (CcInit *init = symbol->init; init; init = init->next)
        constants += init->value->kind == CC_STRING ? 8 : init->value->kind == CC_NUMBER;
    if (constants < 5 || size > (1u << 20))
        return false;
    g_autofree uint8_t *picture = g_malloc0(size);
    for (const CcInit *init = symbol->init; init; init = init->next)
        (void)cc_lower_constant_init(init, picture, size);
    uint32_t align = MIN(MAX(symbol->type->align, 1u), 16u);
    uint32_t blob = cc_lower_blob(l->generate, picture, size, align);
    CcAddress from = cc_lower_address_of(CC_NO_REG);
    from.symbol = blob;
    cc_lower_copy_memory(l, address, from, size);
    return true;
}

static void init_element(CcLower *l, CcInit *init, CcAddress address)
{
    CcPlace place = cc_lower_place_of(init->type, cc_lower_address_add(address, (int64_t)init->offset));
    place.bit_offset = init->bit_offset;
    place.bit_width = init->bit_width;
    place.reach = init->reach;
    place.address.unaligned |= init->type->align > 1 && init->offset % init->type->align != 0;
    if (init->type->kind == CC_ARRAY || cc_is_aggregate(init->type)) {
        uint64_t size = init->type->size;
        if (init->value->kind == CC_STRING)
            size = MIN(size, init->value->string_size);
        cc_lower_copy_memory(l, place.address, cc_lower_aggregate(l, init->value), size);
    } else if (cc_is_pair(init->type)) {
        CcReg part[2];
        cc_lower_pair(l, init->value, part);
        cc_lower_store_pair(l, init->type, place.address, part);
    } else {
        (void)cc_lower_place_store(l, &place, cc_lower_value(l, init->value));
    }
}

/* Initialises an object. C11 6.7.9p21: elements without initialiser are zero. */
void cc_lower_init(CcLower *l, CcSymbol *symbol, CcAddress address)
{
    CcType *type = symbol->type;
    CcInit *init = symbol->init;
    bool whole = init && !init->next && init->offset == 0 && !init->bit_width && init->type->size == type->size &&
                 (init->value->kind != CC_STRING || init->value->string_size >= type->size);
    bool picture = false;
    address.unaligned |= type->align == 1;
    if (!whole) {
        picture = init_from_picture(l, symbol, address, type->size);
        if (!picture)
            cc_lower_clear_memory(l, address, type->size);
    }
    for (; init; init = init->next) {
        bool done = picture && (init->value->kind == CC_NUMBER || init->value->kind == CC_STRING);
        if (!done)
            init_element(l, init, address);
    }
}

static void lower_declaration(CcLower *l, CcSymbol *symbol)
{
    if (symbol->storage == CC_STATIC || symbol->storage == CC_EXTERN || symbol->kind != CC_SYM_VARIABLE)
        return;
    if (symbol->type->variable && symbol->type->kind == CC_ARRAY) {
        declare_vla(l, symbol);
        return;
    }
    if (symbol->type->variable)
        lower_vla_sizes(l, symbol->type);
    CcStorageInfo *info = cc_lower_variable(l, symbol);
    if (!symbol->initialised)
        return;
    if (info->where == CC_IN_REGISTER)
        cc_lower_emit_move(l, info->reg, cc_lower_value(l, symbol->init->value));
    else
        cc_lower_init(l, symbol, variable_address(info));
}

/* -- jumps ------------------------------------------------------------------------------------- */

CcLabelInfo *cc_lower_label_info(CcLower *l, CcLabel *label)
{
    CcLabelInfo *info = label->back;
    if (info)
        return info;
    info = CC_NEW(l->generate->unit->arena, CcLabelInfo);
    label->back = info;
    info->block = cc_ir_block_new(l->f);
    info->block->address_taken = label->address_taken;
    if (label->address_taken) {
        cc_arena_grow(l->f->arena, (void **)&l->labels, l->n_labels, &l->labels_capacity, sizeof *l->labels);
        l->labels[l->n_labels++] = info;
    }
    return info;
}

static void lower_label(CcLower *l, CcStmt *s)
{
    CcLabelInfo *info = cc_lower_label_info(l, s->label);
    info->vla = l->vla;
    if (!info->placed)
        cc_lower_start_block(l, info->block);
    info->placed = true;
    if (s->body)
        cc_lower_statement(l, s->body);
}

static void lower_goto(CcLower *l, CcStmt *s)
{
    if (s->expr) {
        CcReg to = cc_lower_reg(l, s->expr);
        cc_lower_emit(l, VCODE_JMPR)->a = to;
        return;
    }
    CcLabelInfo *info = cc_lower_label_info(l, s->label);
    CcIrInstr *jump = cc_lower_emit(l, VCODE_JMP);
    jump->loc = l->loc;
    l->block->target[0] = info->block;
    if (!l->vla)
        return;
    cc_arena_grow(l->f->arena, (void **)&l->gotos, l->n_gotos, &l->gotos_capacity, sizeof *l->gotos);
    l->gotos[l->n_gotos++] = (CcPendingGoto){l->block, l->vla, info};
}

static void lower_leave(CcLower *l, CcStmt *s)
{
    CcTarget *target = l->target;
    while (target && s->kind == CC_CONTINUE && !target->on_continue)
        target = target->outer;
    g_assert(target);
    leave_vlas(l, target->vla);
    cc_lower_emit_jump(l, s->kind == CC_CONTINUE ? target->on_continue : target->on_break);
}

static void lower_return(CcLower *l, CcStmt *s)
{
    if (!s->expr) {
        (void)cc_lower_emit(l, VCODE_RETV);
        return;
    }
    if (l->result->kind == CC_VOID) {
        cc_lower_effect(l, s->expr);
        (void)cc_lower_emit(l, VCODE_RETV);
        return;
    }
    CcReg value;
    if (cc_is_pair(l->result)) {
        CcReg part[2];
        cc_lower_pair(l, s->expr, part);
        value = l->result_address;
        cc_lower_store_pair(l, l->result, cc_lower_address_of(value), part);
    } else if (cc_by_address(l->result)) {
        value = l->result_address;
        cc_lower_copy_memory(l, cc_lower_address_of(value), cc_lower_aggregate(l, s->expr), l->result->size);
    } else {
        value = cc_lower_reg(l, s->expr);
    }
    cc_lower_emit(l, VCODE_RET)->a = value;
}

/* -- selection and iteration ------------------------------------------------------------------- */

static void lower_if(CcLower *l, CcStmt *s)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcIrBlock *no = s->otherwise ? cc_ir_block_new(l->f) : end;
    cc_lower_branch(l, s->expr, yes, no);
    cc_lower_start_block(l, yes);
    cc_lower_statement(l, s->body);
    if (s->otherwise) {
        cc_lower_emit_jump(l, end);
        cc_lower_start_block(l, no);
        cc_lower_statement(l, s->otherwise);
    }
    cc_lower_start_block(l, end);
}

static void lower_body(CcLower *l, CcStmt *body, CcIrBlock *on_break, CcIrBlock *on_continue)
{
    CcTarget target = {l->target, on_break, on_continue, l->vla};
    l->target = &target;
    if (body)
        cc_lower_statement(l, body);
    l->target = target.outer;
}

/* Lowers the first clause of a for. Several declarators form a block, but they live as long as the loop. */
static void lower_init(CcLower *l, CcStmt *init)
{
    bool several = init && init->kind == CC_BLOCK;
    for (CcStmt *item = several ? init->first : init; item; item = several ? item->next : NULL)
        cc_lower_statement(l, item);
}

static void lower_loop(CcLower *l, CcStmt *s)
{
    CcScopeState state;
    scope_open(l, &state);
    lower_init(l, s->init);
    CcIrBlock *body = cc_ir_block_new(l->f), *next = cc_ir_block_new(l->f), *exit = cc_ir_block_new(l->f);
    CcIrBlock *test = s->step ? cc_ir_block_new(l->f) : next;
    if (s->kind != CC_DO && s->expr)
        cc_lower_emit_jump(l, test);
    cc_lower_start_block(l, body);
    lower_body(l, s->body, exit, next);
    cc_lower_start_block(l, next);
    if (s->step) {
        cc_lower_set_loc(l, s->step->loc, true);
        cc_lower_effect(l, s->step);
        cc_lower_start_block(l, test);
    }
    if (s->expr) {
        cc_lower_set_loc(l, s->expr->loc, true);
        cc_lower_branch(l, s->expr, body, exit);
    } else {
        cc_lower_emit_jump(l, body);
    }
    cc_lower_start_block(l, exit);
    scope_close(l, &state, true);
}

/* -- all of them ------------------------------------------------------------------------------- */

static void lower_block(CcLower *l, CcStmt *s)
{
    CcScopeState state;
    scope_open(l, &state);
    for (CcStmt *item = s->first; item; item = item->next)
        cc_lower_statement(l, item);
    scope_close(l, &state, true);
}

CcExpr *cc_lower_statement_expr(CcLower *l, CcExpr *expr, CcScopeState *state)
{
    scope_open(l, state);
    CcStmt *last = expr->statement->first;
    for (; last && last->next; last = last->next)
        cc_lower_statement(l, last);
    while (last && (last->kind == CC_LABEL || last->kind == CC_CASE || last->kind == CC_DEFAULT) && last->body &&
           expr->type->kind != CC_VOID) {
        CcStmt *body = last->body;
        last->body = NULL;
        cc_lower_statement(l, last);
        last->body = body;
        last = body;
    }
    if (last && last->kind == CC_EXPRESSION && last->expr)
        return last->expr;
    if (last)
        cc_lower_statement(l, last);
    return NULL;
}

void cc_lower_statement_expr_end(CcLower *l, const CcScopeState *state)
{
    l->frame_kept = true; /* the value may lie in the block's memory */
    scope_close(l, state, false);
}

static void lower_simple(CcLower *l, CcStmt *s)
{
    switch (s->kind) {
    case CC_EXPRESSION:
        if (s->expr)
            cc_lower_effect(l, s->expr);
        break;
    case CC_DECLARATION: lower_declaration(l, s->symbol); break;
    case CC_VLA_SIZE: lower_vla_sizes(l, s->type); break;
    case CC_GOTO: lower_goto(l, s); break;
    case CC_BREAK:
    case CC_CONTINUE: lower_leave(l, s); break;
    case CC_RETURN: lower_return(l, s); break;
    default: g_assert_not_reached();
    }
}

static void lower_compound(CcLower *l, CcStmt *s)
{
    switch (s->kind) {
    case CC_BLOCK: lower_block(l, s); break;
    case CC_IF: lower_if(l, s); break;
    case CC_WHILE:
    case CC_DO:
    case CC_FOR: lower_loop(l, s); break;
    case CC_SWITCH: cc_lower_switch(l, s); break;
    case CC_CASE:
    case CC_DEFAULT:
        if (s->back)
            cc_lower_start_block(l, s->back);
        if (s->body)
            cc_lower_statement(l, s->body);
        break;
    case CC_LABEL: lower_label(l, s); break;
    default: lower_simple(l, s); break;
    }
}

static bool opens_place(const CcStmt *s)
{
    return s->kind != CC_BLOCK && s->kind != CC_CASE && s->kind != CC_DEFAULT && s->kind != CC_LABEL &&
           !(s->kind == CC_EXPRESSION && !s->expr);
}

/* Lowers a statement. Memory of temporaries is released at its end. If the statement created a variable (a compound
 * literal, say), it is released at the end of the block. */
void cc_lower_statement(CcLower *l, CcStmt *s)
{
    uint64_t frame_next = l->frame_next;
    bool kept = l->frame_kept;
    l->frame_kept = false;
    if (opens_place(s))
        cc_lower_set_loc(l, s->loc, true);
    lower_compound(l, s);
    if (!l->frame_kept)
        l->frame_next = frame_next;
    l->frame_kept |= kept;
    if (s->kind == CC_BLOCK)
        l->frame_kept = kept;
}
