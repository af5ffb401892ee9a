/* emit.c - translates intermediate code with assigned registers to vCode.
 *
 * Blocks are emitted in layout order. A branch falls through to the next block where it can. Where control runs into a
 * block that others jump to, `fall` ends the block before it, because costs are charged per block. A call first moves
 * its arguments into the window, as if all at once, and afterwards the result to its own register.
 *
 * Distances are filled in when all blocks have been emitted. In a function so long that a conditional branch might need
 * more than 24 bits, each branch is an inverted branch over a jump.
 */
#include "compiler/emit/emit.h"

#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/object/object.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"
#include "vcode/calling.h"

/* An instruction whose branch distance is filled in at the end. */
typedef struct Fixup {
    uint32_t pc; /* index into code[] */
    CcIrBlock *target;
} Fixup;

typedef struct Emit {
    CcGenerate *g;
    CcIrFunction *f;
    VcodeModule *m;
    uint32_t start;    /* index in code[] of the function's first instruction */
    uint32_t function; /* index in functions[] */
    uint32_t highest;  /* highest frame register used */
    bool long_branches;
    uint32_t loc;           /* location of the last line entry */
    bool unaligned;         /* `unaligned` of the last line entry */
    uint8_t mark;           /* and its `mark` */
    bool *shown;            /* per location: its statement has a line entry */
    GArray *jumps, *labels; /* Fixup: instructions whose target is not yet known */
    CcCodeMap map;
} Emit;

enum { LONG_FUNCTION = 1 << 21 }; /* limit in IR instructions; each becomes a few vCode instructions at most */

/* -- instructions ------------------------------------------------------------------------------ */

static uint32_t here(const Emit *e)
{
    return e->m->code.count;
}

static void put(Emit *e, VcodeInstr instr)
{
    *vcode_push(e->m, code) = instr;
}

/* Returns the field for frame register `place`, and notes the highest one, which sets the size of the frame. */
static unsigned use(Emit *e, uint32_t place)
{
    e->highest = MAX(e->highest, place);
    return place & 0xffff;
}

static unsigned field(Emit *e, CcReg reg)
{
    return reg == CC_NO_REG ? 0 : use(e, e->f->regs[reg].place);
}

static void put_move(Emit *e, uint32_t to, uint32_t from)
{
    if (to != from)
        put(e, vcode_pack(VCODE_MOV, 0, use(e, to), use(e, from), 0));
}

static void put_constant(Emit *e, unsigned a, int64_t value)
{
    if (value >= INT32_MIN && value <= INT32_MAX)
        put(e, vcode_pack_imm32(VCODE_MOVI, 0, a, (int32_t)value));
    else
        put(e, vcode_pack_imm32(VCODE_MOVK, 0, a, (int32_t)vcode_constant(e->m, (uint64_t)value, false)));
}

/* -- addresses of symbols: one constant for each symbol and distance --------------------------- */

/* Addresses with the same symbol and distance share one constant. */
typedef struct AddressKey {
    uint32_t symbol;
    int64_t addend;
} AddressKey;

static guint address_hash(gconstpointer key)
{
    const AddressKey *k = key;
    return k->symbol * 2654435761u ^ (guint)k->addend * 40503u;
}

static gboolean address_equal(gconstpointer a, gconstpointer b)
{
    const AddressKey *x = a, *y = b;
    return x->symbol == y->symbol && x->addend == y->addend;
}

static uint32_t address_constant(Emit *e, const CcIrInstr *i)
{
    CcGenerate *g = e->g;
    if (!g->addresses)
        g->addresses = g_hash_table_new_full(address_hash, address_equal, g_free, NULL);
    AddressKey key = {i->extra, i->imm};
    gpointer found;
    if (g_hash_table_lookup_extended(g->addresses, &key, NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t constant = vcode_constant(e->m, 0, true);
    const CcLoc *loc = &e->f->locs[i->loc].loc;
    cc_object_reloc(g, VCODE_RELOC_CONSTANT, i->extra, constant, i->imm, cc_object_file(g, loc->file), loc->line);
    g_hash_table_insert(g->addresses, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(constant));
    return constant;
}

/* -- calls ------------------------------------------------------------------------------------- */

/* A move of one frame register to another. */
typedef struct Move {
    uint32_t to, from;
    bool done;
} Move;

static bool is_source(const Move *moves, uint32_t n, uint32_t place)
{
    for (uint32_t i = 0; i < n; i++)
        if (!moves[i].done && moves[i].from == place)
            return true;
    return false;
}

/* Does all moves as if at once. Moves whose target nobody reads any more come first. The rest are cycles; each is
 * broken by saving one source in `scratch`. */
static void put_moves(Emit *e, Move *moves, uint32_t n, uint32_t scratch)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        moves[i].done = moves[i].to == moves[i].from;
        left += !moves[i].done;
    }
    while (left) {
        bool progress = false;
        for (uint32_t i = 0; i < n; i++) {
            if (moves[i].done || is_source(moves, n, moves[i].to))
                continue;
            put_move(e, moves[i].to, moves[i].from);
            moves[i].done = true;
            left--;
            progress = true;
        }
        if (progress || !left)
            continue;
        uint32_t first = 0;
        while (moves[first].done)
            first++;
        uint32_t aside = moves[first].to; /* other moves read it, so it is also a source */
        put_move(e, scratch, aside);
        for (uint32_t i = 0; i < n; i++)
            if (!moves[i].done && moves[i].from == aside)
                moves[i].from = scratch;
    }
}

static void put_call(Emit *e, const CcIrInstr *i)
{
    const CcIrCall *call = &e->f->calls[i->extra];
    const CcIrReg *regs = e->f->regs;
    uint32_t window = call->window, n = call->n;
    Move moves[VCODE_MAX_ARGUMENTS + 1];
    for (uint32_t k = 0; k < n; k++)
        moves[k] = (Move){window + k, regs[call->arguments[k]].place, false};
    uint32_t callee = 0;
    if (call->symbol == VCODE_NONE) {
        callee = regs[call->callee].place;
        if (callee >= window) { /* moved out of the way of the arguments */
            moves[n] = (Move){window + n, callee, false};
            callee = window + n;
        }
    }
    put_moves(e, moves, n + (callee == window + n && call->symbol == VCODE_NONE), window + n + 1);
    (void)use(e, window + MAX(n, 1u) - 1);
    if (call->symbol == VCODE_NONE) {
        unsigned passed = n - (call->passing == VCODE_PASS_ROOM);
        put(e, vcode_pack(VCODE_CALLI, passed, use(e, window), use(e, callee), call->passing));
    } else {
        const CcLoc *loc = &e->f->locs[i->loc].loc;
        cc_object_reloc(e->g, VCODE_RELOC_CALL, call->symbol, here(e), 0, cc_object_file(e->g, loc->file), loc->line);
        put(e, vcode_pack_imm32(VCODE_CALL, n, use(e, window), call->passing));
    }
    if (i->a != CC_NO_REG)
        put_move(e, regs[i->a].place, window);
}

/* -- ends of blocks ---------------------------------------------------------------------------- */

static void put_jump(Emit *e, CcIrBlock *target)
{
    Fixup fixup = {here(e), target};
    g_array_append_val(e->jumps, fixup);
    put(e, vcode_pack_imm32(VCODE_JMP, 0, 0, 0));
}

static void put_branch(Emit *e, CcIrInstr i, CcIrBlock *target)
{
    if (e->long_branches)
        cc_ir_invert(&i);
    unsigned second = cc_ir_form(i.op) == VCODE_FORM_BRI ? (unsigned)i.imm & 0xffff : field(e, i.b);
    VcodeInstr word = vcode_pack((VcodeOp)i.op, 0, field(e, i.a), second, 0);
    if (e->long_branches) {
        put(e, word | (VcodeInstr)1 << 48); /* the distance: skip the jump */
        put_jump(e, target);
        return;
    }
    Fixup fixup = {here(e), target};
    g_array_append_val(e->jumps, fixup);
    put(e, word);
}

static void put_switch(Emit *e, const CcIrInstr *i)
{
    put(e, vcode_pack_imm32(VCODE_SWITCH, 0, field(e, i->a), (int32_t)e->m->switches.count));
    const CcIrSwitch *s = &e->f->switches[i->extra];
    VcodeSwitch *table = vcode_push(e->m, switches);
    /* Until targets are written, `first` holds the number of the IR switch. */
    *table = (VcodeSwitch){s->low, i->extra, s->n, 0, e->function};
}

/* Emits the end of a block. `next` is the block that follows in the layout. */
static void put_end(Emit *e, const CcIrBlock *b, const CcIrInstr *i, const CcIrBlock *next)
{
    if (i->op == VCODE_SWITCH) {
        put_switch(e, i);
    } else if (i->op == VCODE_JMP) {
        if (b->target[0] != next)
            put_jump(e, b->target[0]);
        else if (next->predecessors > 1 || next->address_taken) {
            if (here(e) > e->start && !vcode_op_ends_block(vcode_op(e->m->code.items[here(e) - 1])))
                put(e, vcode_pack(VCODE_FALL, 0, 0, 0, 0));
        }
    } else if (cc_ir_is_branch(i->op)) {
        CcIrInstr branch = *i;
        CcIrBlock *yes = b->target[0], *no = b->target[1];
        if (yes == next) {
            cc_ir_invert(&branch);
            yes = no;
            no = b->target[0];
        }
        put_branch(e, branch, yes);
        if (no != next)
            put_jump(e, no);
    } else if (i->op == VCODE_TRAP) {
        put(e, vcode_pack_imm32(VCODE_TRAP, 0, 0, (int32_t)i->imm));
    } else {
        put(e, vcode_pack((VcodeOp)i->op, 0, field(e, i->a), 0, 0));
    }
}

/* -- everything else --------------------------------------------------------------------------- */

static void put_own_op(Emit *e, const CcIrInstr *i)
{
    if (i->op == CC_IR_CONSTANT) {
        put_constant(e, field(e, i->a), i->imm);
    } else if (i->op == CC_IR_ADDRESS) {
        put(e, vcode_pack_imm32(VCODE_MOVK, 0, field(e, i->a), (int32_t)address_constant(e, i)));
    } else if (i->op == CC_IR_LABEL) {
        Fixup fixup = {here(e), e->f->blocks[i->extra]};
        g_array_append_val(e->labels, fixup);
        put(e, vcode_pack_imm32(VCODE_MOVK, 0, field(e, i->a), 0));
    } else {
        put_call(e, i);
    }
}

static void put_instruction(Emit *e, const CcIrInstr *i)
{
    if (i->op >= VCODE_OP_COUNT) {
        put_own_op(e, i);
        return;
    }
    VcodeOp op = (VcodeOp)i->op;
    unsigned a = field(e, i->a), b = field(e, i->b), c = field(e, i->c);
    uint32_t object = i->extra ? e->f->objects[i->extra - 1].record : 0;
    if (object && !(op == VCODE_MOV && a == b))
        *vcode_push(e->m, origins) = (VcodeOrigin){here(e), object - 1};
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE: put(e, vcode_pack(op, 0, a, b, (unsigned)i->imm & 0xffff)); break;
    case VCODE_FORM_RI32: put(e, vcode_pack_imm32(op, 0, a, (int32_t)i->imm)); break;
    case VCODE_FORM_BLOCK:
        put(e, vcode_pack(op, (unsigned)(i->imm >> 16) & 0xff, a, b, (unsigned)i->imm & 0xffff));
        break;
    default:
        if (op != VCODE_NOP && !(op == VCODE_MOV && a == b))
            put(e, vcode_pack(op, i->n, a, b, c));
        break;
    }
}

static void note_line(Emit *e, const CcIrInstr *i)
{
    if (i->loc == e->loc && (i->moved || e->shown[i->loc]) && i->unaligned == e->unaligned && i->mark == e->mark)
        return;
    const CcIrLoc *loc = &e->f->locs[i->loc];
    uint32_t statement_loc = loc->part_of ? loc->part_of : i->loc;
    bool statement = e->f->locs[statement_loc].statement && !e->shown[statement_loc] && !i->moved;
    uint16_t flags = (uint16_t)((statement ? VCODE_LINE_STATEMENT : 0) | (i->unaligned ? VCODE_LINE_UNALIGNED : 0) |
                                i->mark << VCODE_LINE_MARK);
    cc_debug_line(e->g->debug, here(e), loc->loc, flags,
                  loc->inlined ? e->map.first_inlined + loc->inlined - 1 : VCODE_NONE);
    e->shown[i->loc] |= !i->moved;
    e->shown[statement_loc] |= !i->moved;
    e->loc = i->loc;
    e->unaligned = i->unaligned;
    e->mark = i->mark;
}

/* Extends the code range of a location. Inlined code also counts for the location of the call. */
static void note_extent(Emit *e, uint32_t loc, uint32_t before)
{
    for (;;) {
        e->map.loc_low[loc] = MIN(e->map.loc_low[loc], before);
        e->map.loc_high[loc] = MAX(e->map.loc_high[loc], here(e));
        if (!e->f->locs[loc].inlined)
            return;
        loc = e->f->inlines[e->f->locs[loc].inlined - 1].call;
    }
}

static void put_block(Emit *e, CcIrBlock *b, uint32_t *position)
{
    b->pc = here(e) - e->start;
    for (uint32_t k = 0; k < b->count; k++) {
        const CcIrInstr *i = &b->items[k];
        uint32_t before = here(e);
        e->map.position_pc[(*position)++] = before;
        note_line(e, i);
        if (k + 1 == b->count)
            put_end(e, b, i, b->next);
        else
            put_instruction(e, i);
        if (here(e) != before)
            note_extent(e, i->loc, before);
    }
}

/* -- the whole --------------------------------------------------------------------------------- */

static void fix_jumps(Emit *e)
{
    for (guint k = 0; k < e->jumps->len; k++) {
        const Fixup *fixup = &g_array_index(e->jumps, Fixup, k);
        VcodeInstr *word = &e->m->code.items[fixup->pc];
        int64_t distance = (int64_t)fixup->target->pc - (fixup->pc - e->start) - 1;
        if (vcode_op(*word) == VCODE_JMP) {
            *word = vcode_pack_imm32(VCODE_JMP, 0, 0, (int32_t)distance);
            continue;
        }
        g_assert(distance >= -(1 << 23) && distance < 1 << 23);
        *word |= (VcodeInstr)((uint64_t)distance >> 16 & 0xff) << 8 | (VcodeInstr)((uint64_t)distance & 0xffff) << 48;
    }
    for (guint k = 0; k < e->labels->len; k++) {
        const Fixup *fixup = &g_array_index(e->labels, Fixup, k);
        unsigned a = vcode_a(e->m->code.items[fixup->pc]);
        uint32_t constant = vcode_constant(e->m, VCODE_LABEL_BASE + fixup->target->pc, false);
        e->m->code.items[fixup->pc] = vcode_pack_imm32(VCODE_MOVK, 0, a, (int32_t)constant);
    }
}

static void fix_switches(Emit *e, uint32_t first_switch)
{
    for (uint32_t t = first_switch; t < e->m->switches.count; t++) {
        const CcIrSwitch *s = &e->f->switches[e->m->switches.items[t].first];
        uint32_t first = e->m->targets.count;
        uint32_t *targets = vcode_push_many(e->m, targets, s->n);
        for (uint32_t k = 0; k < s->n; k++)
            targets[k] = s->targets[k]->pc;
        e->m->switches.items[t].first = first;
        e->m->switches.items[t].default_target = s->otherwise->pc;
    }
}

static void finish_function(Emit *e)
{
    CcGenerate *g = e->g;
    const CcSymbol *symbol = e->f->symbol;
    uint32_t type = cc_debug_type(g->debug, symbol->type->target);
    uint32_t file = cc_object_file(g, symbol->loc.file);
    uint32_t registers = MAX(e->highest + 1, e->f->n_parameters);
    if (registers > VCODE_MAX_REGISTERS)
        cc_report(g->unit, CC_SEVERITY_ERROR, symbol->loc, NULL,
                  "function '%s' needs %u registers (at most %u); split it", symbol->name, registers,
                  VCODE_MAX_REGISTERS);
    VcodeSymbol *record = &e->m->symbols.items[e->f->symbol_index];
    record->section = VCODE_SECTION_FUNCTION;
    record->value = e->function;
    record->file = file;
    record->line = symbol->loc.line;
    uint16_t flags = (uint16_t)((e->f->variadic ? VCODE_FUNCTION_VARIADIC : 0) |
                                (g->unit->options->library ? VCODE_FUNCTION_LIBRARY : 0));
    e->m->functions.items[e->function] = (VcodeFunction){.name = record->name,
                                                         .code_start = e->start,
                                                         .code_count = here(e) - e->start,
                                                         .registers = registers,
                                                         .parameters = (uint16_t)e->f->n_parameters,
                                                         .flags = flags,
                                                         .file = file,
                                                         .line = symbol->loc.line,
                                                         .return_type = type};
}

static void prepare(Emit *e)
{
    CcIrFunction *f = e->f;
    uint32_t n = 0;
    for (const CcIrBlock *b = f->first; b; b = b->next)
        n += b->count;
    e->long_branches = n > LONG_FUNCTION;
    e->loc = UINT32_MAX;
    e->shown = cc_arena_alloc(f->arena, f->n_locs);
    e->map.loc_low = cc_arena_alloc(f->arena, f->n_locs * sizeof(uint32_t));
    e->map.loc_high = cc_arena_alloc(f->arena, f->n_locs * sizeof(uint32_t));
    for (uint32_t i = 0; i < f->n_locs; i++)
        e->map.loc_low[i] = UINT32_MAX;
    e->map.n_positions = n;
    e->map.position_pc = cc_arena_alloc(f->arena, (n + 1) * sizeof(uint32_t));
}

void cc_emit_function(CcGenerate *g, CcIrFunction *f)
{
    Emit e = {.g = g, .f = f, .m = g->module, .start = g->module->code.count, .function = g->module->functions.count};
    (void)vcode_push(g->module, functions);
    prepare(&e);
    e.map.first_inlined = cc_debug_inlines(g->debug, f, e.function);
    e.jumps = g_array_new(FALSE, FALSE, sizeof(Fixup));
    e.labels = g_array_new(FALSE, FALSE, sizeof(Fixup));
    uint32_t first_switch = e.m->switches.count, position = 0;
    cc_debug_objects(g->debug, f, e.function);
    for (CcIrBlock *b = f->first; b; b = b->next)
        put_block(&e, b, &position);
    e.map.position_pc[position] = here(&e);
    fix_jumps(&e);
    fix_switches(&e, first_switch);
    finish_function(&e);
    cc_debug_variables(g->debug, f, e.function, &e.map);
    g_array_free(e.jumps, TRUE);
    g_array_free(e.labels, TRUE);
}
