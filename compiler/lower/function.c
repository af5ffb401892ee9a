/* function.c - lowers one function: frame, parameters, variables; and the helpers that emit code.
 *
 * Registers R[0..n) of a new frame hold what the caller passes, in this order: the address for a result that travels by
 * address, the parameters, the address of the variable arguments. They are the virtual registers 0..n-1.
 *
 * A scalar whose address nobody takes lives in a register. There are two exceptions: the optimiser is off (so that the
 * debugger finds every variable), or the function calls setjmp (C11 7.13.2.1p3: variables must survive longjmp).
 */
#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/lowering.h"
#include "compiler/object/object.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- emitting ---------------------------------------------------------------------------------- */

CcIrInstr *cc_lower_emit(CcLower *l, unsigned op)
{
    const CcIrInstr *last = cc_ir_last(l->block);
    if (last && cc_ir_ends_block(last->op)) { /* code after a jump is unreachable, but it needs a block */
        CcIrBlock *dead = cc_ir_block_new(l->f);
        cc_ir_place(l->f, dead);
        l->block = dead;
    }
    CcIrInstr *i = cc_ir_append(l->f, l->block, op);
    i->loc = l->loc;
    return i;
}

CcReg cc_lower_new_reg(CcLower *l)
{
    return cc_ir_reg(l->f);
}

CcReg cc_lower_emit_rr(CcLower *l, unsigned op, CcReg b)
{
    CcReg a = cc_lower_new_reg(l);
    CcIrInstr *i = cc_lower_emit(l, op);
    i->a = a;
    i->b = b;
    return a;
}

CcReg cc_lower_emit_rrr(CcLower *l, unsigned op, CcReg b, CcReg c)
{
    CcReg a = cc_lower_new_reg(l);
    CcIrInstr *i = cc_lower_emit(l, op);
    i->a = a;
    i->b = b;
    i->c = c;
    return a;
}

CcReg cc_lower_emit_rri(CcLower *l, unsigned op, CcReg b, int64_t imm)
{
    CcReg a = cc_lower_new_reg(l);
    CcIrInstr *i = cc_lower_emit(l, op);
    i->a = a;
    i->b = b;
    i->imm = imm;
    return a;
}

CcReg cc_lower_emit_constant(CcLower *l, int64_t value)
{
    CcReg a = cc_lower_new_reg(l);
    CcIrInstr *i = cc_lower_emit(l, CC_IR_CONSTANT);
    i->a = a;
    i->imm = value;
    return a;
}

CcReg cc_lower_to_reg(CcLower *l, CcValue value)
{
    return value.constant ? cc_lower_emit_constant(l, value.value) : value.reg;
}

/* Sets dst to src. If the last instruction computed src into a temporary, that instruction sets dst instead. */
void cc_lower_emit_move(CcLower *l, CcReg dst, CcValue src)
{
    if (src.constant) {
        CcIrInstr *i = cc_lower_emit(l, CC_IR_CONSTANT);
        i->a = dst;
        i->imm = src.value;
        return;
    }
    CcIrInstr *last = cc_ir_last(l->block);
    if (last && src.reg != dst && !l->f->regs[src.reg].variable && last->op != VCODE_CMOV &&
        cc_ir_defined(last) == src.reg) {
        last->a = dst;
        return;
    }
    if (src.reg != dst) {
        CcIrInstr *i = cc_lower_emit(l, VCODE_MOV);
        i->a = dst;
        i->b = src.reg;
    }
}

void cc_lower_emit_jump(CcLower *l, CcIrBlock *target)
{
    const CcIrInstr *last = cc_ir_last(l->block);
    if (last && cc_ir_ends_block(last->op))
        return;
    (void)cc_lower_emit(l, VCODE_JMP);
    l->block->target[0] = target;
}

void cc_lower_start_block(CcLower *l, CcIrBlock *block)
{
    cc_lower_emit_jump(l, block);
    cc_ir_place(l->f, block);
    l->block = block;
}

void cc_lower_set_loc(CcLower *l, CcLoc loc, bool statement)
{
    CcIrLoc *record = CC_IR_PUSH(l->f, locs);
    record->loc = loc;
    record->statement = statement;
    l->loc = l->f->n_locs - 1;
}

/* -- variables --------------------------------------------------------------------------------- */

static void describe(CcLower *l, CcSymbol *symbol, const CcStorageInfo *info)
{
    static const uint32_t locations[] = {0, VCODE_AT_DATA, VCODE_AT_REGISTER, VCODE_AT_FRAME,
                                         VCODE_AT_REGISTER_ADDRESS};
    CcIrVariable *v = CC_IR_PUSH(l->f, variables);
    *v = (CcIrVariable){.symbol = symbol,
                        .location = locations[info->where],
                        .reg = info->reg,
                        .where = info->object,
                        .loc_low = l->loc,
                        .loc_high = UINT32_MAX};
}

static bool fits_register(const CcLower *l, const CcSymbol *symbol)
{
    return !l->in_memory && !symbol->addressed && cc_is_scalar(symbol->type) && !cc_is_pair(symbol->type) &&
           !(symbol->type->qualifiers & CC_VOLATILE);
}

static CcReg variable_reg(CcLower *l)
{
    CcReg reg = cc_lower_new_reg(l);
    l->f->regs[reg].variable = true;
    return reg;
}

/* Returns a register that holds an address for the whole run of the function. */
static CcReg address_reg(CcLower *l)
{
    CcReg reg = variable_reg(l);
    l->f->regs[reg].pinned = l->in_memory;
    return reg;
}

/* Computes the address of an over-aligned variable once, right after ENTER and so before every use. */
static void over_align(CcLower *l, CcStorageInfo *info, uint32_t align)
{
    CcIrFunction *f = l->f;
    info->reg = address_reg(l);
    info->where = CC_BY_ADDRESS;
    CcReg raw = cc_lower_new_reg(l);
    CcIrInstr *address = cc_ir_insert(f, f->first, 1, CC_IR_FRAME);
    address->a = raw;
    address->extra = info->object;
    address->imm = align - 1;
    CcIrInstr *and = cc_ir_insert(f, f->first, 2, VCODE_ANDI);
    and->a = info->reg;
    and->b = raw;
    and->imm = -(int64_t)align;
}

/* Describes a static local. It is in the module, but the debugger shows it in its function only. */
static CcStorageInfo *module_variable(CcLower *l, CcSymbol *symbol)
{
    (void)cc_lower_symbol(l->generate, symbol);
    CcStorageInfo *info = symbol->back;
    if (symbol->storage == CC_STATIC && !symbol->file_scope && !info->described) {
        CcIrVariable *v = CC_IR_PUSH(l->f, variables);
        *v = (CcIrVariable){.symbol = symbol, .location = VCODE_AT_DATA, .reg = CC_NO_REG, .where = info->symbol};
        v->loc_high = UINT32_MAX - 1;
        info->described = true;
    }
    return info;
}

/* Adds an object to the frame. An alignment of more than the stack's 16 bytes needs extra space, and the address is
 * rounded up at run time. */
static uint32_t frame_object(CcLower *l, uint64_t size, uint32_t align, CcType *type)
{
    CcIrObject *object = CC_IR_PUSH(l->f, objects);
    uint64_t at = cc_align_up(l->frame_next, MIN(MAX(align, 1u), 16u));
    *object = (CcIrObject){at, size + (align > 16 ? align : 0), type, NULL, false, 0};
    l->frame_next = at + object->size;
    l->frame_high = MAX(l->frame_high, l->frame_next);
    return l->f->n_objects - 1;
}

CcStorageInfo *cc_lower_variable(CcLower *l, CcSymbol *symbol)
{
    CcStorageInfo *known = symbol->back;
    if (known && (known->where != CC_IN_MODULE || known->described))
        return known;
    if (symbol->storage == CC_STATIC || symbol->storage == CC_EXTERN || symbol->file_scope ||
        symbol->kind == CC_SYM_FUNCTION)
        return module_variable(l, symbol);
    CcStorageInfo *info = CC_NEW(l->generate->unit->arena, CcStorageInfo);
    symbol->back = info;
    uint32_t align = MAX(symbol->align, symbol->type->align);
    if (symbol->type->variable && symbol->type->kind == CC_ARRAY) {
        info->where = CC_BY_ADDRESS;
        info->reg = address_reg(l);
    } else if (fits_register(l, symbol)) {
        info->where = CC_IN_REGISTER;
        info->reg = variable_reg(l);
    } else {
        info->where = CC_IN_FRAME;
        info->object = frame_object(l, symbol->type->size, align, symbol->type);
        l->frame_kept = true;
        if (align > 16)
            over_align(l, info, align);
    }
    describe(l, symbol, info);
    return info;
}

/* -- parameters -------------------------------------------------------------------------------- */

static void lower_parameter(CcLower *l, CcSymbol *symbol, CcReg reg)
{
    if (symbol->back)
        return;
    if (cc_by_address(symbol->type)) {
        CcStorageInfo *info = CC_NEW(l->generate->unit->arena, CcStorageInfo);
        info->where = CC_BY_ADDRESS;
        info->reg = reg;
        symbol->back = info;
        l->f->regs[reg].pinned = l->in_memory;
        describe(l, symbol, info);
        return;
    }
    if (fits_register(l, symbol)) {
        CcStorageInfo *info = CC_NEW(l->generate->unit->arena, CcStorageInfo);
        info->where = CC_IN_REGISTER;
        info->reg = reg;
        symbol->back = info;
        describe(l, symbol, info);
        return;
    }
    CcStorageInfo *info = cc_lower_variable(l, symbol);
    bool in_frame = info->where == CC_IN_FRAME;
    cc_lower_store(l, symbol->type, in_frame ? cc_lower_frame_address(info->object) : cc_lower_address_of(info->reg),
                   reg);
}

static void lower_parameters(CcLower *l, const CcFunctionBody *body, const CcType *type)
{
    CcIrFunction *f = l->f;
    uint32_t hidden = cc_by_address(type->target) ? 1 : 0;
    f->variadic = type->variadic;
    f->n_parameters = hidden + body->n_parameters + (type->variadic ? 1 : 0);
    for (uint32_t i = 0; i < f->n_parameters; i++) {
        uint32_t reg = variable_reg(l); /* may move f->regs */
        f->regs[reg].pinned = l->in_memory;
    }
    l->result_address = hidden ? 0 : CC_NO_REG;
    l->variable_arguments = type->variadic ? f->n_parameters - 1 : CC_NO_REG;
    f->frame = variable_reg(l);
    f->regs[f->frame].pinned = true;
    for (uint32_t i = 0; i < body->n_parameters; i++)
        lower_parameter(l, body->parameters[i], hidden + i);
}

/* -- variables of other functions -------------------------------------------------------------- */

/* Makes the place of a captured variable known: the record, whose address is the only parameter, says where it is. */
static CcStorageInfo *lower_capture(CcLower *l, const CcCapture *capture)
{
    CcSymbol *symbol = capture->symbol;
    CcStorageInfo *info = CC_NEW(l->generate->unit->arena, CcStorageInfo);
    CcType word = {.kind = CC_ULONG, .size = 8, .align = 8};
    CcAddress at = cc_lower_address_add(cc_lower_address_of(0), (int64_t)capture->offset);
    if (capture->how == CC_CAPTURE_VALUE && fits_register(l, symbol)) {
        info->where = CC_IN_REGISTER;
        info->reg = variable_reg(l);
        cc_lower_emit_move(l, info->reg, cc_value_reg(cc_lower_load(l, symbol->type, at)));
        return info;
    }
    info->where = CC_BY_ADDRESS;
    info->reg = address_reg(l);
    CcReg address = capture->how == CC_CAPTURE_VALUE ? cc_lower_address_reg(l, at) : cc_lower_load(l, &word, at);
    if (capture->how == CC_CAPTURE_OFFSET)
        address = cc_lower_emit_rrr(l, VCODE_ADD_L, address, 0);
    cc_lower_emit_move(l, info->reg, cc_value_reg(address));
    return info;
}

/* While an outlined function is lowered, the variables that it captures are where its record says. Returns what
 * lowering knew of them before. */
static void **enter_captures(CcLower *l, const CcFunctionBody *body)
{
    void **before = cc_arena_alloc(l->f->arena, (body->n_captures + 1) * sizeof *before);
    for (uint32_t i = 0; i < body->n_captures; i++) {
        CcSymbol *symbol = body->captures[i].symbol;
        before[i] = symbol->back;
        CcStorageInfo *info = lower_capture(l, &body->captures[i]);
        symbol->back = info;
        describe(l, symbol, info);
    }
    return before;
}

static void leave_captures(const CcFunctionBody *body, void **before)
{
    for (uint32_t i = 0; i < body->n_captures; i++)
        body->captures[i].symbol->back = before[i];
}

/* -- jumps out of scopes of variable-length arrays --------------------------------------------- */

/* Restores the stack pointer on a goto that leaves scopes of VLAs. It becomes what it was before the outermost array
 * whose scope the label is outside of. */
static void settle_goto(CcLower *l, const CcPendingGoto *pending)
{
    const CcVla *leave = NULL;
    unsigned depth = pending->label->vla ? pending->label->vla->depth : 0;
    for (const CcVla *vla = pending->vla; vla && vla->depth > depth; vla = vla->outer)
        leave = vla;
    if (!leave)
        return;
    CcIrBlock *block = pending->block;
    CcIrInstr *set = cc_ir_insert(l->f, block, block->count - 1, VCODE_SETSP);
    set->a = leave->saved;
    set->loc = block->items[block->count - 1].loc;
}

/* -- the memory frame -------------------------------------------------------------------------- */

CcAddress cc_lower_frame_address(uint32_t object)
{
    CcAddress address = cc_lower_address_of(CC_NO_REG);
    address.object = object + 1;
    return address;
}

CcAddress cc_lower_frame_temporary(CcLower *l, uint64_t size, uint32_t align)
{
    CcAddress address = cc_lower_frame_address(frame_object(l, size, align, NULL));
    if (align <= 16)
        return address;
    CcReg raw = cc_lower_address_reg(l, cc_lower_address_add(address, align - 1));
    return cc_lower_address_of(cc_lower_emit_rri(l, VCODE_ANDI, raw, -(int64_t)align));
}

/* -- the whole --------------------------------------------------------------------------------- */

static void start_function(CcLower *l, CcSymbol *symbol)
{
    CcFunctionBody *body = symbol->body;
    CcIrFunction *f = l->f;
    f->symbol = symbol;
    f->symbol_index = cc_lower_symbol(l->generate, symbol);
    f->returns_twice = body->calls_setjmp;
    l->result = symbol->type->target;
    l->in_memory = l->generate->unit->options->optimise == 0 || body->calls_setjmp;
    l->block = cc_ir_block_new(f);
    cc_ir_place(f, l->block);
    cc_lower_set_loc(l, symbol->loc, false);
    (void)cc_lower_emit(l, VCODE_ENTER);
    lower_parameters(l, body, symbol->type);
    cc_lower_start_block(l, cc_ir_block_new(f)); /* so that nothing jumps to the first block */
}

/* Ends the function. C11 5.1.2.2.3: reaching the } of main returns 0. In other functions the value must not be used; it
 * is 0, too. */
static void end_function(CcLower *l, CcSymbol *symbol)
{
    CcIrFunction *f = l->f;
    cc_lower_set_loc(l, symbol->body->end, true);
    (void)cc_lower_emit(l, VCODE_RETV);
    for (uint32_t i = 0; i < l->n_gotos; i++)
        settle_goto(l, &l->gotos[i]);
    for (uint32_t i = 0; i < f->n_variables; i++) /* locations that passes add later are in no scope */
        f->variables[i].loc_high = MIN(f->variables[i].loc_high, f->n_locs);
    f->frame_bytes = cc_align_up(l->frame_high, 16);
    if (f->frame_bytes > INT32_MAX)
        cc_report(l->generate->unit, CC_SEVERITY_ERROR, symbol->loc, NULL,
                  "the variables of '%s' take %" G_GUINT64_FORMAT " bytes of stack; make large arrays static or use "
                  "malloc (at most 2 GiB)",
                  symbol->name, f->frame_bytes);
}

CcLowered cc_lower_function(CcGenerate *g, CcSymbol *symbol)
{
    CcLower l = {.generate = g, .f = cc_ir_function_new(cc_arena_new())};
    start_function(&l, symbol);
    void **before = enter_captures(&l, symbol->body);
    cc_lower_statement(&l, symbol->body->body);
    leave_captures(symbol->body, before);
    end_function(&l, symbol);
    return (CcLowered){l.f, l.labels, l.n_labels};
}
