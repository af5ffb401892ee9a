/* ssa.c - into SSA form, and helpers for working in it.
 *
 * Construction follows Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013).
 * Blocks are taken in reverse postorder, and every operand is replaced by the value that its register has there. A
 * register that is set once, in a block that dominates the use, keeps its name and needs no search. For other registers
 * the search goes up the predecessors and leaves a phi where several meet. So phis exist only where a value is needed.
 * Copies disappear: the value of the target is that of the source.
 *
 * A register that is read where nothing has set it reads as 0, at every level.
 */
#include "compiler/optimise/ssa.h"

#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 1 << 19, MOST_BLOCKS = 1 << 16, PHI_ROUNDS = 8 };

/* -- instructions in lists --------------------------------------------------------------------- */

CcReg cc_ssa_reg(CcSsa *s)
{
    CcReg reg = cc_ir_reg(s->f);
    cc_arena_grow(s->arena, (void **)&s->values, s->n_values, &s->values_capacity, sizeof *s->values);
    g_assert(reg == s->n_values);
    s->values[s->n_values++] = (CcSsaValue){.same = CC_NO_REG, .variable = CC_NO_REG};
    return reg;
}

static void note_setter(CcSsa *s, CcNode *node)
{
    CcReg set = cc_ir_defined(&node->i);
    if (set != CC_NO_REG)
        s->values[set].node = node;
}

static CcNode *new_node(CcSsa *s, CcIrBlock *block, const CcIrInstr *i)
{
    CcNode *node = CC_NEW(s->arena, CcNode);
    node->i = *i;
    node->block = block;
    note_setter(s, node);
    return node;
}

static void link_before(CcNode *node, CcNode *at, CcIrBlock *block)
{
    node->block = block;
    node->next = at;
    node->previous = at ? at->previous : block->tail;
    *(node->previous ? &node->previous->next : &block->head) = node;
    *(at ? &at->previous : &block->tail) = node;
}

static void unlink_node(CcNode *node)
{
    CcIrBlock *b = node->block;
    g_assert(b);
    *(node->previous ? &node->previous->next : &b->head) = node->next;
    *(node->next ? &node->next->previous : &b->tail) = node->previous;
    node->block = NULL;
}

CcNode *cc_ssa_append(CcSsa *s, CcIrBlock *block, const CcIrInstr *i)
{
    CcNode *node = new_node(s, block, i);
    link_before(node, NULL, block);
    return node;
}

CcNode *cc_ssa_insert_before(CcSsa *s, CcNode *at, const CcIrInstr *i)
{
    CcNode *node = new_node(s, at->block, i);
    link_before(node, at, at->block);
    return node;
}

void cc_ssa_remove(CcSsa *s, CcNode *node)
{
    CcReg set = cc_ir_defined(&node->i);
    if (set != CC_NO_REG && s->values[set].node == node) {
        s->values[set].node = NULL;
        s->values[set].constant = node->i.op == CC_IR_CONSTANT;
        s->values[set].bits = node->i.imm;
    }
    unlink_node(node);
}

/* Called when a value outlives the variable's name for it, or exists before. If the variable varies, the value must not
 * be shown as the variable. */
static void forget_variable(CcSsa *s, CcReg reg)
{
    if (reg != CC_NO_REG && s->values[reg].varies)
        s->values[reg].variable = CC_NO_REG;
}

void cc_ssa_move(CcSsa *s, CcNode *node, CcNode *before)
{
    unlink_node(node);
    link_before(node, before, before->block);
    node->i.moved = true;
    forget_variable(s, cc_ir_defined(&node->i));
}

void cc_ssa_sink(CcNode *node, CcNode *before)
{
    unlink_node(node);
    link_before(node, before, before->block);
}

void cc_ssa_replace(CcSsa *s, CcNode *node, CcReg by)
{
    CcReg set = cc_ir_defined(&node->i);
    by = cc_ssa_value(s, by);
    g_assert(set != CC_NO_REG && set != by);
    s->values[set].same = by;
    if (s->values[by].variable != s->values[set].variable)
        forget_variable(s, by);
    cc_ssa_remove(s, node);
}

bool cc_ssa_constant(const CcSsa *s, CcReg reg, int64_t *value)
{
    const CcIrInstr *i = cc_ssa_setter(s, reg);
    if (!i || i->op != CC_IR_CONSTANT)
        return false;
    *value = i->imm;
    return true;
}

void cc_ssa_resolve(CcSsa *s, CcIrInstr *i)
{
    CcIrUses uses = cc_ir_uses(s->f, i);
    for (unsigned u = 0; u < uses.n; u++)
        *uses.field[u] = cc_ssa_value(s, *uses.field[u]);
    for (unsigned u = 0; u < uses.n_list; u++)
        uses.list[u] = cc_ssa_value(s, uses.list[u]);
}

/* -- what a register's value is at a place ----------------------------------------------------- */

/* The value of a register at the start or end of a block: an entry of a hash table. */
typedef struct Entry {
    uint64_t key; /* 1 + (register << 32 | block << 1 | at the block's end); 0: empty */
    CcReg value;
} Entry;

/* A phi whose arguments are still missing, and the register that it merges. */
typedef struct Pending {
    CcNode *phi;
    CcReg reg;
} Pending;

typedef struct Build {
    CcSsa *s;
    uint32_t *n_sets;   /* per register: how often it is set */
    CcIrBlock **set_in; /* per register set once: the block that sets it */
    CcReg *single;      /* per register set once: its value */
    CcReg *local;       /* per register: value within the current block, if local_in says so */
    uint32_t *local_in; /* per register: 1 + index of the block for which `local` holds */
    Entry *entries;
    uint64_t n_entries, mask;
    Pending *pending; /* phis whose arguments are still missing */
    uint32_t n_pending, pending_capacity;
    CcIrBlock **chain; /* blocks passed in a search, which get its result */
    uint32_t chain_capacity;
    CcReg zero;      /* register that holds 0, or CC_NO_REG */
    uint32_t n_regs; /* number of registers before */
} Build;

static uint64_t key_of(CcReg reg, const CcIrBlock *b, bool end)
{
    return ((uint64_t)reg << 32 | (uint64_t)b->index << 1 | end) + 1;
}

static Entry *entry_of(Build *build, uint64_t key)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20 & build->mask;
    while (build->entries[at].key && build->entries[at].key != key)
        at = (at + 1) & build->mask;
    return &build->entries[at];
}

static void grow_entries(Build *build)
{
    Entry *old = build->entries;
    uint64_t n = build->mask + 1;
    build->mask = n * 2 - 1;
    build->entries = cc_arena_alloc(build->s->arena, n * 2 * sizeof *old);
    for (uint64_t i = 0; i < n; i++)
        if (old[i].key)
            *entry_of(build, old[i].key) = old[i];
}

static void record(Build *build, uint64_t key, CcReg value)
{
    if (build->n_entries * 2 > build->mask)
        grow_entries(build);
    Entry *entry = entry_of(build, key);
    build->n_entries += entry->key == 0;
    *entry = (Entry){key, value};
}

static CcReg zero(Build *build)
{
    if (build->zero == CC_NO_REG) {
        CcIrInstr i = {.op = CC_IR_CONSTANT, .a = cc_ssa_reg(build->s), .b = CC_NO_REG, .c = CC_NO_REG};
        CcIrBlock *first = build->s->f->first;
        CcNode *at = first->head && first->head->i.op == VCODE_ENTER ? first->head->next : first->head;
        if (at)
            (void)cc_ssa_insert_before(build->s, at, &i);
        else
            (void)cc_ssa_append(build->s, first, &i);
        build->zero = i.a;
    }
    return build->zero;
}

static void name_value(Build *build, CcReg value, CcReg reg)
{
    CcSsa *s = build->s;
    s->f->regs[value].variable = s->f->regs[reg].variable;
    s->values[value].variable = s->f->regs[reg].variable ? reg : CC_NO_REG;
    s->values[value].varies = true;
}

static CcReg new_phi(Build *build, CcReg reg, CcIrBlock *b)
{
    CcSsa *s = build->s;
    CcIrPhi *phi = CC_IR_PUSH(s->f, phis);
    *phi = (CcIrPhi){b->n_predecessors, cc_arena_alloc(s->arena, (b->n_predecessors + 1) * sizeof(CcReg))};
    CcIrInstr i = {.op = CC_IR_PHI, .a = cc_ssa_reg(s), .b = CC_NO_REG, .c = CC_NO_REG, .extra = s->f->n_phis - 1};
    name_value(build, i.a, reg);
    CcNode *node = b->head ? cc_ssa_insert_before(s, b->head, &i) : cc_ssa_append(s, b, &i);
    cc_arena_grow(s->arena, (void **)&build->pending, build->n_pending, &build->pending_capacity, sizeof(Pending));
    build->pending[build->n_pending++] = (Pending){node, reg};
    return i.a;
}

/* Finds the value of a register at the end of a block that sets it. Returns false if the block does not. */
static bool set_at_end(Build *build, CcReg reg, const CcIrBlock *b, CcReg *value)
{
    if (build->n_sets[reg] == 1) {
        *value = build->single[reg];
        return build->set_in[reg] == b;
    }
    const Entry *entry = entry_of(build, key_of(reg, b, true));
    *value = entry->value;
    return entry->key != 0;
}

static CcReg value_at_start(Build *build, CcReg reg, CcIrBlock *b)
{
    uint32_t n = 0;
    CcReg value;
    for (;;) {
        const Entry *known = entry_of(build, key_of(reg, b, false));
        if (known->key) {
            value = known->value;
            break;
        }
        cc_arena_grow(build->s->arena, (void **)&build->chain, n, &build->chain_capacity, sizeof *build->chain);
        build->chain[n++] = b;
        if (b->n_predecessors != 1) {
            value = b->n_predecessors ? new_phi(build, reg, b) : zero(build);
            break;
        }
        b = b->predecessor[0];
        if (set_at_end(build, reg, b, &value))
            break;
    }
    while (n)
        record(build, key_of(reg, build->chain[--n], false), value);
    return value;
}

static CcReg value_at_end(Build *build, CcReg reg, CcIrBlock *b)
{
    CcReg value;
    return set_at_end(build, reg, b, &value) ? value : value_at_start(build, reg, b);
}

static CcReg value_here(Build *build, CcReg reg, CcIrBlock *b)
{
    if (build->local_in[reg] == b->index + 1)
        return build->local[reg];
    if (build->n_sets[reg] == 1 && build->set_in[reg] != b && cc_dominates(build->set_in[reg], b))
        return build->single[reg];
    return value_at_start(build, reg, b);
}

/* -- renaming ---------------------------------------------------------------------------------- */

static void note_set(Build *build, CcReg reg, CcReg value, const CcIrBlock *b)
{
    build->local[reg] = value;
    build->local_in[reg] = b->index + 1;
    if (build->n_sets[reg] == 1)
        build->single[reg] = value;
    else
        record(build, key_of(reg, b, true), value);
}

static void rename_uses(Build *build, CcIrInstr *i, CcIrBlock *b)
{
    CcIrUses uses = cc_ir_uses(build->s->f, i);
    for (unsigned u = 0; u < uses.n; u++)
        *uses.field[u] = value_here(build, *uses.field[u], b);
    for (unsigned u = 0; u < uses.n_list; u++)
        uses.list[u] = value_here(build, uses.list[u], b);
}

static void rename_block(Build *build, CcIrBlock *b)
{
    CcSsa *s = build->s;
    for (uint32_t k = 0; k < b->count; k++) {
        CcIrInstr i = b->items[k];
        if (i.op == VCODE_NOP)
            continue;
        rename_uses(build, &i, b);
        CcReg reg = cc_ir_defined(&i);
        if (i.op == VCODE_MOV) {
            if (s->values[i.b].variable != reg)
                forget_variable(s, i.b);
            if (build->n_sets[reg] == 1)
                s->f->equals[reg] = i.b;
            note_set(build, reg, i.b, b);
            continue;
        }
        if (reg != CC_NO_REG && build->n_sets[reg] > 1) {
            i.a = cc_ssa_reg(s);
            name_value(build, i.a, reg);
        }
        (void)cc_ssa_append(s, b, &i);
        if (reg != CC_NO_REG)
            note_set(build, reg, i.a, b);
    }
}

static void count_sets(Build *build)
{
    CcIrFunction *f = build->s->f;
    for (CcReg reg = 0; reg < f->n_parameters; reg++) {
        build->n_sets[reg] = 1;
        build->set_in[reg] = f->first;
    }
    for (uint32_t o = 0; o < build->s->n_order; o++) {
        CcIrBlock *b = build->s->order[o];
        for (uint32_t k = 0; k < b->count; k++) {
            CcReg reg = cc_ir_defined(&b->items[k]);
            if (reg == CC_NO_REG)
                continue;
            build->n_sets[reg]++;
            build->set_in[reg] = b;
        }
    }
}

static void fill_phis(Build *build)
{
    while (build->n_pending) {
        Pending p = build->pending[--build->n_pending];
        for (uint32_t k = 0; k < p.phi->block->n_predecessors; k++) {
            CcReg value = value_at_end(build, p.reg, p.phi->block->predecessor[k]);
            build->s->f->phis[p.phi->i.extra].arguments[k] = value;
        }
    }
}

/* Returns the only value among the arguments, apart from the phi itself; CC_NO_REG: there are several. */
static CcReg only_argument(CcSsa *s, CcNode *node)
{
    const CcIrPhi *phi = &s->f->phis[node->i.extra];
    CcReg only = CC_NO_REG;
    for (uint32_t k = 0; k < phi->n; k++) {
        CcReg value = cc_ssa_value(s, phi->arguments[k]);
        if (value == node->i.a || value == only)
            continue;
        if (only != CC_NO_REG)
            return CC_NO_REG;
        only = value;
    }
    return only;
}

static void remove_needless_phis(CcSsa *s)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < PHI_ROUNDS; round++) {
        changed = false;
        for (uint32_t o = 0; o < s->n_order; o++)
            for (CcNode *node = s->order[o]->head, *next; node && node->i.op == CC_IR_PHI; node = next) {
                next = node->next;
                CcReg only = only_argument(s, node);
                if (only == CC_NO_REG)
                    continue;
                cc_ssa_replace(s, node, only);
                changed = true;
            }
    }
}

void cc_ssa_resolve_all(CcSsa *s)
{
    for (uint32_t o = 0; o < s->n_order; o++)
        for (CcNode *node = s->order[o]->head; node; node = node->next)
            cc_ssa_resolve(s, &node->i);
}

/* -- entering ---------------------------------------------------------------------------------- */

static bool is_suitable(CcIrFunction *f)
{
    uint64_t n = 0, blocks = 0;
    if (f->returns_twice)
        return false;
    for (CcIrBlock *b = f->first; b; b = b->next) {
        n += b->count;
        blocks++;
        for (uint32_t k = 0; k < b->count; k++)
            if (b->items[k].op == VCODE_JMPR || b->items[k].op == VCODE_CMOV)
                return false;
    }
    return n <= MOST_INSTRUCTIONS && blocks <= MOST_BLOCKS;
}

static void prepare_values(CcSsa *s)
{
    CcIrFunction *f = s->f;
    s->n_values = f->n_regs;
    s->values_capacity = f->n_regs * 2 + 64;
    s->values = cc_arena_alloc(s->arena, s->values_capacity * sizeof *s->values);
    for (CcReg reg = 0; reg < f->n_regs; reg++)
        s->values[reg] = (CcSsaValue){.same = CC_NO_REG, .variable = f->regs[reg].variable ? reg : CC_NO_REG};
}

bool cc_ssa_enter(CcSsa *s, CcIrFunction *f)
{
    if (!is_suitable(f))
        return false;
    *s = (CcSsa){.f = f, .arena = cc_arena_new()};
    for (uint32_t i = 0; i < f->n_blocks; i++)
        f->blocks[i]->mark = 0;
    cc_flow_analyse(s);
    prepare_values(s);
    size_t n = f->n_regs + 1;
    Build build = {.s = s, .zero = CC_NO_REG, .mask = 1023, .n_regs = f->n_regs};
    build.n_sets = cc_arena_alloc(s->arena, n * sizeof *build.n_sets);
    build.set_in = cc_arena_alloc(s->arena, n * sizeof *build.set_in);
    build.single = cc_arena_alloc(s->arena, n * sizeof *build.single);
    build.local = cc_arena_alloc(s->arena, n * sizeof *build.local);
    build.local_in = cc_arena_alloc(s->arena, n * sizeof *build.local_in);
    build.entries = cc_arena_alloc(s->arena, 1024 * sizeof *build.entries);
    count_sets(&build);
    f->n_equals = f->n_regs;
    f->equals = cc_arena_alloc(f->arena, n * sizeof *f->equals);
    for (CcReg reg = 0; reg < f->n_regs; reg++)
        f->equals[reg] = CC_NO_REG;
    for (CcReg reg = 0; reg < f->n_parameters; reg++) {
        note_set(&build, reg, reg, f->first);
        s->values[reg].varies = build.n_sets[reg] > 1;
    }
    for (uint32_t o = 0; o < s->n_order; o++)
        rename_block(&build, s->order[o]);
    fill_phis(&build);
    remove_needless_phis(s);
    cc_ssa_resolve_all(s);
    return true;
}

/* -- ways that are gone ------------------------------------------------------------------------ */

static void drop_argument(CcSsa *s, CcIrBlock *b, uint32_t which)
{
    for (CcNode *node = b->head; node && node->i.op == CC_IR_PHI; node = node->next) {
        CcIrPhi *phi = &s->f->phis[node->i.extra];
        memmove(phi->arguments + which, phi->arguments + which + 1, (phi->n - which - 1) * sizeof *phi->arguments);
        phi->n--;
    }
}

void cc_ssa_remove_way(CcSsa *s, CcIrBlock *from, CcIrBlock *to)
{
    uint32_t at = 0, out = 0;
    while (to->predecessor[at] != from)
        at++;
    while (from->successor[out] != to)
        out++;
    drop_argument(s, to, at);
    to->n_predecessors--;
    from->n_successors--;
    memmove(to->predecessor + at, to->predecessor + at + 1, (to->n_predecessors - at) * sizeof *to->predecessor);
    memmove(from->successor + out, from->successor + out + 1, (from->n_successors - out) * sizeof *from->successor);
}

static void empty_block(CcSsa *s, CcIrBlock *b)
{
    while (b->n_successors)
        cc_ssa_remove_way(s, b, b->successor[0]);
    while (b->head)
        cc_ssa_remove(s, b->head);
}

void cc_ssa_prune(CcSsa *s)
{
    CcIrFunction *f = s->f;
    cc_flow_find_order(s);
    CcIrBlock *kept = NULL;
    for (CcIrBlock *b = f->first; b; b = b->next) {
        if (b->order == CC_UNREACHED) {
            empty_block(s, b);
            continue;
        }
        if (kept)
            kept->next = b;
        kept = b;
    }
    g_assert(kept); /* the first block is always reachable */
    kept->next = NULL;
    f->last = kept;
    remove_needless_phis(s);
    cc_ssa_resolve_all(s);
    cc_flow_find_dominators(s);
}

/* -- dead code --------------------------------------------------------------------------------- */

static bool may_go(const CcIrInstr *i)
{
    VcodeForm form = cc_ir_form(i->op);
    bool load = form == VCODE_FORM_LOAD || (form == VCODE_FORM_LOADX && i->op != VCODE_LEAX);
    return load ? !i->volatile_ : cc_ir_is_pure(i);
}

typedef struct Sweep {
    CcSsa *s;
    bool *wanted; /* per register: it is needed */
    CcReg *work;
    uint32_t n;
} Sweep;

static void want(Sweep *sweep, CcReg reg)
{
    if (sweep->wanted[reg])
        return;
    sweep->wanted[reg] = true;
    sweep->work[sweep->n++] = reg;
}

static void want_operands(Sweep *sweep, CcIrInstr *i)
{
    CcIrUses uses = cc_ir_uses(sweep->s->f, i);
    for (unsigned u = 0; u < uses.n; u++)
        want(sweep, *uses.field[u]);
    for (unsigned u = 0; u < uses.n_list; u++)
        want(sweep, uses.list[u]);
}

/* Removes every instruction that no instruction with an effect needs, also phis that only need each other. */
void cc_ssa_remove_dead(CcSsa *s)
{
    Sweep sweep = {s, cc_arena_alloc(s->arena, s->n_values + 1),
                   cc_arena_alloc(s->arena, (s->n_values + 1) * sizeof(CcReg)), 0};
    for (uint32_t o = 0; o < s->n_order; o++)
        for (CcNode *node = s->order[o]->head; node; node = node->next)
            if (!may_go(&node->i))
                want_operands(&sweep, &node->i);
    while (sweep.n) {
        CcNode *node = s->values[sweep.work[--sweep.n]].node;
        if (node && may_go(&node->i))
            want_operands(&sweep, &node->i);
    }
    for (uint32_t o = 0; o < s->n_order; o++)
        for (CcNode *node = s->order[o]->head, *next; node; node = next) {
            next = node->next;
            CcReg set = cc_ir_defined(&node->i);
            if (set == CC_NO_REG || sweep.wanted[set])
                continue;
            if (may_go(&node->i))
                cc_ssa_remove(s, node);
            else if (node->i.op == CC_IR_CALL) {
                s->values[set].node = NULL;
                node->i.a = CC_NO_REG;
            }
        }
}
