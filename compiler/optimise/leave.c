/* leave.c - out of SSA form.
 *
 * Every phi gets a register of its own. Each predecessor sets it to its argument, and the head of the block copies it
 * to the phi's result (as in Sreedhar et al., "Translating Out of Static Single Assignment Form", SAS 1999, method I):
 *
 *      from:  ...                    block:  result = own
 *             own = argument                 ...
 *
 * This is correct by construction, since no register of the program is alive in between. cc_coalesce() removes the
 * copies again. If the predecessor has several successors, a new block takes the copies. The copies of one edge
 * conceptually happen at once. They are put in an order in which a result is read before the copy that will overwrite
 * it after coalescing.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

/* The copy that a phi needs on one edge. */
typedef struct Copy {
    CcReg to, from; /* from: the argument of the phi */
    CcReg result;   /* result of the phi */
    bool done;
} Copy;

typedef struct Leave {
    CcSsa *s;
    uint32_t *n_readers; /* register -> number of copies of this edge, not yet emitted, that read it */
    uint32_t *copy_of;   /* register -> 1 + number of the copy for the phi that sets it */
    Copy *copies;
    uint32_t n, capacity;
} Leave;

static CcIrInstr blank(unsigned op, uint32_t loc)
{
    return (CcIrInstr){.op = (uint16_t)op, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG, .loc = loc, .moved = true};
}

/* Emits a copy. A constant is not copied but set again. */
static void put_copy(CcSsa *s, CcNode *end, const Copy *copy)
{
    const CcIrInstr *setter = cc_ssa_setter(s, copy->from);
    CcIrInstr i = blank(VCODE_MOV, end->i.loc);
    if (setter && (setter->op == CC_IR_CONSTANT || setter->op == CC_IR_ADDRESS)) {
        i = *setter;
        i.loc = end->i.loc;
        i.moved = true;
    } else {
        i.b = copy->from;
    }
    i.a = copy->to;
    (void)cc_ssa_insert_before(s, end, &i);
}

/* Emits each copy after all copies that read its phi's result. A cycle is broken at any copy. */
static void put_in_order(Leave *l, CcNode *end)
{
    uint32_t *ready = cc_arena_alloc(l->s->arena, (3 * l->n + 1) * sizeof *ready), n_ready = 0, left = l->n, next = 0;
    for (uint32_t k = 0; k < l->n; k++)
        if (!l->n_readers[l->copies[k].result])
            ready[n_ready++] = k;
    while (left) {
        while (!n_ready) {
            if (!l->copies[next].done)
                ready[n_ready++] = next;
            next++;
        }
        Copy *copy = &l->copies[ready[--n_ready]];
        if (copy->done)
            continue;
        put_copy(l->s, end, copy);
        copy->done = true;
        left--;
        if (--l->n_readers[copy->from] == 0 && l->copy_of[copy->from])
            ready[n_ready++] = l->copy_of[copy->from] - 1;
    }
}

static bool reads(const CcSsa *s, CcNode *node, CcReg reg)
{
    CcIrUses uses = cc_ir_uses(s->f, &node->i);
    for (unsigned u = 0; u < uses.n; u++)
        if (*uses.field[u] == reg)
            return true;
    for (unsigned u = 0; u < uses.n_list; u++)
        if (uses.list[u] == reg)
            return true;
    return false;
}

/* Moves the step of a phi behind the other uses of the old value in its statement. Then old and new value can share a
 * register. */
static void sink_step(CcSsa *s, const CcNode *phi, CcReg argument)
{
    CcNode *node = s->values[argument].node;
    VcodeForm form = node ? cc_ir_form(node->i.op) : VCODE_FORM_NONE;
    if (!node || form != VCODE_FORM_RRI || node->i.b != phi->i.a)
        return;
    CcNode *at = node->next;
    while (at->next && !reads(s, at, argument) &&
           (at->i.loc == node->i.loc || at->i.moved || !s->f->locs[at->i.loc].statement))
        at = at->next;
    if (at != node->next)
        cc_ssa_sink(node, at);
}

static void sink_steps(CcSsa *s, CcIrBlock *b)
{
    for (CcNode *phi = b->head; phi && phi->i.op == CC_IR_PHI; phi = phi->next)
        for (uint32_t k = 0; k < b->n_predecessors; k++)
            if (cc_dominates(b, b->predecessor[k]))
                sink_step(s, phi, s->f->phis[phi->i.extra].arguments[k]);
}

static void copy_on_way(Leave *l, CcIrBlock *b, uint32_t way, const CcReg *own)
{
    CcSsa *s = l->s;
    CcIrBlock *from = b->predecessor[way];
    if (from->n_successors > 1) {
        CcIrBlock *between = cc_flow_split(s, from, b);
        bool backwards = b->order <= from->order;
        between->depth = backwards ? from->depth : MIN(from->depth, b->depth);
        cc_flow_place_after(s->f, between, from);
        from = between;
    }
    l->n = 0;
    for (CcNode *node = b->head; node && node->i.op == CC_IR_PHI; node = node->next) {
        cc_arena_grow(s->arena, (void **)&l->copies, l->n, &l->capacity, sizeof *l->copies);
        CcReg argument = cc_ssa_value(s, s->f->phis[node->i.extra].arguments[way]);
        l->copies[l->n] = (Copy){own[l->n], argument, node->i.a, false};
        l->n++;
        l->n_readers[argument]++;
        l->copy_of[node->i.a] = l->n;
    }
    put_in_order(l, from->tail);
    for (uint32_t k = 0; k < l->n; k++) {
        l->n_readers[l->copies[k].from] = 0;
        l->copy_of[l->copies[k].result] = 0;
    }
}

static void leave_block(Leave *l, CcIrBlock *b)
{
    CcSsa *s = l->s;
    uint32_t n = 0;
    for (CcNode *node = b->head; node && node->i.op == CC_IR_PHI; node = node->next)
        n++;
    if (!n)
        return;
    CcReg *own = cc_arena_alloc(s->arena, n * sizeof *own);
    for (uint32_t k = 0; k < n; k++)
        own[k] = cc_ssa_reg(s);
    for (uint32_t way = 0; way < b->n_predecessors; way++)
        copy_on_way(l, b, way, own);
    n = 0;
    for (CcNode *node = b->head; node && node->i.op == CC_IR_PHI; node = node->next) {
        CcIrInstr copy = blank(VCODE_MOV, b->tail->i.loc);
        copy.a = node->i.a;
        copy.b = own[n++];
        node->i = copy;
    }
}

static void list_to_array(CcSsa *s, CcIrBlock *b)
{
    uint32_t n = 0;
    for (const CcNode *node = b->head; node; node = node->next)
        n++;
    b->items = cc_arena_alloc(s->f->arena, n * sizeof *b->items);
    b->count = b->capacity = n;
    n = 0;
    for (const CcNode *node = b->head; node; node = node->next)
        b->items[n++] = node->i;
    b->head = b->tail = NULL;
}

/* Finds variables whose only value is a constant. They have it everywhere, whether or not the code keeps it. */
static void describe_constants(CcSsa *s)
{
    CcIrFunction *f = s->f;
    f->constants = cc_arena_alloc(f->arena, (f->n_equals + 1) * sizeof *f->constants);
    for (CcReg reg = 0; reg < f->n_equals; reg++) {
        CcReg value = cc_ssa_value(s, f->equals[reg] != CC_NO_REG ? f->equals[reg] : reg);
        const CcSsaValue *known = &s->values[value];
        bool set = known->node && known->node->i.op == CC_IR_CONSTANT;
        if (set || (!known->node && known->constant))
            f->constants[reg] = (CcIrConstant){true, set ? known->node->i.imm : known->bits};
    }
}

/* Tells the debugger what registers hold. Registers made above for phis hold no value of their own. */
static void describe_values(CcSsa *s, CcReg first_own)
{
    describe_constants(s);
    for (CcReg reg = 0; reg < s->f->n_equals; reg++)
        if (s->f->equals[reg] != CC_NO_REG)
            s->f->equals[reg] = cc_ssa_value(s, s->f->equals[reg]);
    for (CcReg reg = 0; reg < s->n_values; reg++) {
        CcReg variable = s->values[reg].variable;
        s->f->regs[reg].origin = reg >= first_own        ? CC_ORIGIN_ANY
                                 : variable == CC_NO_REG ? CC_ORIGIN_NONE
                                                         : variable + 1;
    }
}

void cc_ssa_leave(CcSsa *s)
{
    CcIrFunction *f = s->f;
    size_t most = s->n_values + 1;
    CcReg first_own = s->n_values;
    Leave l = {.s = s};
    l.n_readers = cc_arena_alloc(s->arena, most * sizeof *l.n_readers);
    l.copy_of = cc_arena_alloc(s->arena, most * sizeof *l.copy_of);
    for (uint32_t o = 0; o < s->n_order; o++)
        sink_steps(s, s->order[o]);
    for (uint32_t o = 0; o < s->n_order; o++)
        leave_block(&l, s->order[o]);
    describe_values(s, first_own);
    for (CcIrBlock *b = f->first; b; b = b->next)
        list_to_array(s, b);
    cc_arena_free(s->arena);
    f->in_values = true;
    f->n_phis = f->phis_capacity = 0;
    f->phis = NULL;
}
