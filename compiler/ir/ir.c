/* ir.c - builds intermediate code and answers what an instruction reads and sets.
 *
 * The form of an instruction in the instruction table tells what it reads and sets. So a new vCode instruction needs
 * nothing here. All memory belongs to the function's arena and is freed with it.
 */
#include "compiler/ir/ir.h"

#include "compiler/arena/arena.h"

#include <string.h>

CcIrFunction *cc_ir_function_new(CcArena *arena)
{
    CcIrFunction *f = CC_NEW(arena, CcIrFunction);
    f->arena = arena;
    f->frame = CC_NO_REG;
    CC_IR_PUSH(f, locs); /* index 0: no location */
    return f;
}

CcIrBlock *cc_ir_block_new(CcIrFunction *f)
{
    CcIrBlock *block = CC_NEW(f->arena, CcIrBlock);
    block->index = f->n_blocks;
    *CC_IR_PUSH(f, blocks) = block;
    return block;
}

void cc_ir_place(CcIrFunction *f, CcIrBlock *block)
{
    g_assert(!block->placed);
    block->placed = true;
    if (f->last)
        f->last->next = block;
    else
        f->first = block;
    f->last = block;
}

CcReg cc_ir_reg(CcIrFunction *f)
{
    CcIrReg *reg = CC_IR_PUSH(f, regs);
    memset(reg, 0, sizeof *reg);
    return f->n_regs - 1;
}

CcIrInstr *cc_ir_insert(CcIrFunction *f, CcIrBlock *block, uint32_t at, unsigned op)
{
    g_assert(at <= block->count);
    cc_arena_grow(f->arena, (void **)&block->items, block->count, &block->capacity, sizeof *block->items);
    CcIrInstr *i = &block->items[at];
    memmove(i + 1, i, (block->count - at) * sizeof *i);
    block->count++;
    *i = (CcIrInstr){.op = (uint16_t)op, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG};
    return i;
}

CcIrInstr *cc_ir_append(CcIrFunction *f, CcIrBlock *block, unsigned op)
{
    return cc_ir_insert(f, block, block->count, op);
}

VcodeForm cc_ir_form(unsigned op)
{
    g_assert(op < CC_IR_OP_COUNT);
    return op < VCODE_OP_COUNT ? vcode_op_info[op].form : VCODE_FORM_RI32;
}

CcReg cc_ir_defined(const CcIrInstr *i)
{
    switch (cc_ir_form(i->op)) {
    case VCODE_FORM_RR:
    case VCODE_FORM_RRR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_RI32:
    case VCODE_FORM_RK:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_LOADX: return i->a;
    case VCODE_FORM_R: return i->op == VCODE_GETSP ? i->a : CC_NO_REG;
    default: return CC_NO_REG;
    }
}

CcIrUses cc_ir_uses(const CcIrFunction *f, CcIrInstr *i)
{
    CcIrUses uses = {{NULL, NULL, NULL}, 0, NULL, 0};
    switch (cc_ir_form(i->op)) {
    case VCODE_FORM_RR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD: uses.field[uses.n++] = &i->b; break;
    case VCODE_FORM_RRR:
    case VCODE_FORM_LOADX:
        uses.field[uses.n++] = &i->b;
        uses.field[uses.n++] = &i->c;
        if (i->op == VCODE_CMOV)
            uses.field[uses.n++] = &i->a;
        break;
    case VCODE_FORM_STOREX: uses.field[uses.n++] = &i->c; /* fall through */
    case VCODE_FORM_STORE:
    case VCODE_FORM_BRR:
        uses.field[uses.n++] = &i->a;
        uses.field[uses.n++] = &i->b;
        break;
    case VCODE_FORM_BLOCK:
        uses.field[uses.n++] = &i->a;
        if (i->op != VCODE_BZERO)
            uses.field[uses.n++] = &i->b;
        break;
    case VCODE_FORM_R:
        if (i->op != VCODE_GETSP)
            uses.field[uses.n++] = &i->a;
        break;
    case VCODE_FORM_BRI:
    case VCODE_FORM_SWITCH: uses.field[uses.n++] = &i->a; break;
    default: break;
    }
    if (i->op == CC_IR_PHI) {
        uses.list = f->phis[i->extra].arguments;
        uses.n_list = f->phis[i->extra].n;
    }
    if (i->op == CC_IR_CALL) {
        CcIrCall *call = &f->calls[i->extra];
        if (call->symbol == VCODE_NONE)
            uses.field[uses.n++] = &call->callee;
        uses.list = call->arguments;
        uses.n_list = call->n;
    }
    return uses;
}

/* A load may fault, and so may a division. A program that faults must do so at every optimisation level, so neither is
 * pure. */
bool cc_ir_is_pure(const CcIrInstr *i)
{
    switch (i->op) {
    case CC_IR_CALL:
    case VCODE_ENTER:
    case VCODE_ALLOCA: return false;
    case CC_IR_CONSTANT:
    case CC_IR_ADDRESS:
    case CC_IR_LABEL:
    case CC_IR_FRAME:
    case CC_IR_PHI:
    case VCODE_GETSP: return true;
    default: break;
    }
    switch (cc_ir_form(i->op)) {
    case VCODE_FORM_RR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_RI32: return true;
    case VCODE_FORM_RRR: return vcode_op_info[i->op].cost != VCODE_COST_DIVIDE;
    case VCODE_FORM_LOADX: return i->op == VCODE_LEAX;
    default: return false;
    }
}

bool cc_ir_ends_block(unsigned op)
{
    return op == VCODE_JMP || op == VCODE_RET || op == VCODE_RETV || op == VCODE_TRAP || op == VCODE_SWITCH ||
           op == VCODE_JMPR || cc_ir_is_branch(op);
}

void cc_ir_invert(CcIrInstr *i)
{
    static const struct {
        uint16_t op, inverse;
        bool exchange;
    } table[] = {
        {VCODE_BEQ, VCODE_BNE, false},      {VCODE_BNE, VCODE_BEQ, false},      {VCODE_BLT, VCODE_BLE, true},
        {VCODE_BLE, VCODE_BLT, true},       {VCODE_BLTU, VCODE_BLEU, true},     {VCODE_BLEU, VCODE_BLTU, true},
        {VCODE_BEQI, VCODE_BNEI, false},    {VCODE_BNEI, VCODE_BEQI, false},    {VCODE_BLTI, VCODE_BGEI, false},
        {VCODE_BGEI, VCODE_BLTI, false},    {VCODE_BLEI, VCODE_BGTI, false},    {VCODE_BGTI, VCODE_BLEI, false},
        {VCODE_BLTUI, VCODE_BGEUI, false},  {VCODE_BGEUI, VCODE_BLTUI, false},  {VCODE_BEQ_D, VCODE_BNE_D, false},
        {VCODE_BNE_D, VCODE_BEQ_D, false},  {VCODE_BLT_D, VCODE_BNLT_D, false}, {VCODE_BNLT_D, VCODE_BLT_D, false},
        {VCODE_BLE_D, VCODE_BNLE_D, false}, {VCODE_BNLE_D, VCODE_BLE_D, false},
    };
    for (unsigned k = 0; k < G_N_ELEMENTS(table); k++)
        if (table[k].op == i->op) {
            i->op = table[k].inverse;
            if (table[k].exchange) {
                CcReg a = i->a;
                i->a = i->b;
                i->b = a;
            }
            return;
        }
    g_assert_not_reached();
}

void cc_ir_successors(CcIrFunction *f, CcIrBlock *block, void (*visit)(CcIrBlock *successor, void *user), void *user)
{
    const CcIrInstr *last = cc_ir_last(block);
    g_assert(last && cc_ir_ends_block(last->op));
    if (last->op == VCODE_JMP || cc_ir_is_branch(last->op))
        visit(block->target[0], user);
    if (cc_ir_is_branch(last->op))
        visit(block->target[1], user);
    if (last->op == VCODE_SWITCH) {
        const CcIrSwitch *s = &f->switches[last->extra];
        for (uint32_t i = 0; i < s->n; i++)
            visit(s->targets[i], user);
        visit(s->otherwise, user);
    }
    if (last->op == VCODE_JMPR)
        for (uint32_t i = 0; i < f->n_blocks; i++)
            if (f->blocks[i]->address_taken)
                visit(f->blocks[i], user);
}

static void dump_instruction(const CcIrFunction *f, const VcodeModule *module, const CcIrBlock *block, CcIrInstr *i,
                             FILE *out)
{
    static const char *const names[] = {"constant", "address", "label", "call", "phi", "frame"};
    fprintf(out, "    %-8s", i->op < VCODE_OP_COUNT ? vcode_op_info[i->op].mnemonic : names[i->op - VCODE_OP_COUNT]);
    CcReg set = cc_ir_defined(i);
    if (set != CC_NO_REG)
        fprintf(out, " v%u =", set);
    CcIrUses uses = cc_ir_uses(f, i);
    for (unsigned k = 0; k < uses.n; k++)
        fprintf(out, " v%u", *uses.field[k]);
    if (uses.n_list)
        fprintf(out, " (");
    for (unsigned k = 0; k < uses.n_list; k++)
        fprintf(out, "%sv%u", k ? " " : "", uses.list[k]);
    if (uses.n_list)
        fprintf(out, ")");
    if (i->op == CC_IR_ADDRESS)
        fprintf(out, " %s", vcode_text(module, module->symbols.items[i->extra].name));
    if (i->op == CC_IR_CALL && f->calls[i->extra].symbol != VCODE_NONE)
        fprintf(out, " %s", vcode_text(module, module->symbols.items[f->calls[i->extra].symbol].name));
    if (i->op == CC_IR_LABEL)
        fprintf(out, " b%u", i->extra);
    if (i->op == CC_IR_FRAME)
        fprintf(out, " object %u", i->extra);
    if (i->imm)
        fprintf(out, " %+" G_GINT64_FORMAT, i->imm);
    if (i->n)
        fprintf(out, " <<%u", i->n);
    if (i->op == VCODE_JMP || cc_ir_is_branch(i->op))
        fprintf(out, " -> b%u", block->target[0]->index);
    if (cc_ir_is_branch(i->op))
        fprintf(out, " else b%u", block->target[1]->index);
    fprintf(out, "  ; line %u\n", f->locs[i->loc].loc.line);
}

void cc_ir_dump(const CcIrFunction *f, const VcodeModule *module, FILE *out)
{
    fprintf(out, "function %s: %u parameters, %u registers, frame of %" G_GUINT64_FORMAT " bytes\n", f->symbol->name,
            f->n_parameters, f->n_regs, f->frame_bytes);
    for (const CcIrBlock *b = f->first; b; b = b->next) {
        fprintf(out, "  b%u:\n", b->index);
        for (uint32_t i = 0; i < b->count; i++)
            dump_instruction(f, module, b, &b->items[i], out);
    }
}
