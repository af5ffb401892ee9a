/* loops.c - finds natural loops, and moves invariant instructions out of them.
 *
 * A loop is a header and all blocks on paths from it back to it; the header dominates them. Each loop gets a preheader,
 * a block that only leads to the header. Instructions whose operands come from outside move there. Inner loops come
 * first, so that an instruction rises as far as it can.
 *
 * A moved instruction may run where it did not run before. That does no harm if it has no effect. A load may fault, so
 * it moves only if its address is that of an object, or if the loop, once entered, certainly reaches the load before it
 * calls anything, may trap, or leaves. Moreover, a load stays if something in the loop may write the bytes that it
 * reads.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

enum { MOST_WRITES = 48 };

static bool in_loop(const CcLoop *loop, const CcIrBlock *b)
{
    const CcLoop *l = b->loop;
    while (l && l->depth > loop->depth)
        l = l->outer;
    return l == loop;
}

bool cc_loop_is_invariant(CcSsa *s, const CcLoop *loop, CcReg reg)
{
    const CcNode *node = s->values[cc_ssa_value(s, reg)].node;
    return !node || !in_loop(loop, node->block);
}

/* -- finding ----------------------------------------------------------------------------------- */

static CcLoop *outermost_known(CcLoop *loop)
{
    while (loop->outer)
        loop = loop->outer;
    return loop;
}

/* Adds the block to `loop`, or the outermost known loop that contains it. Returns the block to continue from, or
 * NULL. */
static CcIrBlock *claim(CcLoop *loop, CcIrBlock *b)
{
    if (!b->loop) {
        b->loop = loop;
        return b;
    }
    CcLoop *known = outermost_known(b->loop);
    if (known == loop)
        return NULL;
    known->outer = loop;
    return known->header;
}

static void collect_loop(CcLoop *loop, CcIrBlock **stack)
{
    uint32_t n = 0;
    CcIrBlock *header = loop->header;
    header->loop = loop;
    for (uint32_t p = 0; p < header->n_predecessors; p++) {
        CcIrBlock *from = header->predecessor[p];
        if (!cc_dominates(header, from) || from == header)
            continue;
        CcIrBlock *next = claim(loop, from);
        if (next)
            stack[n++] = next;
    }
    while (n) {
        CcIrBlock *b = stack[--n];
        for (uint32_t p = 0; p < b->n_predecessors; p++) {
            CcIrBlock *from = b->predecessor[p];
            if (from->order == CC_UNREACHED || !cc_dominates(header, from))
                continue;
            CcIrBlock *next = claim(loop, from);
            if (next)
                stack[n++] = next;
        }
    }
}

static bool is_header(const CcIrBlock *b)
{
    for (uint32_t p = 0; p < b->n_predecessors; p++)
        if (cc_dominates(b, b->predecessor[p]))
            return true;
    return false;
}

/* Collects loops. Inner headers come later in reverse postorder than outer ones. */
static void collect_loops(CcSsa *s)
{
    uint32_t n_edges = 1, capacity = 0;
    for (uint32_t o = 0; o < s->n_order; o++) {
        s->order[o]->loop = NULL;
        n_edges += s->order[o]->n_predecessors;
    }
    CcIrBlock **stack = cc_arena_alloc(s->arena, n_edges * sizeof *stack);
    s->loops = NULL;
    s->n_loops = 0;
    for (uint32_t o = s->n_order; o-- > 0;) {
        CcIrBlock *b = s->order[o];
        if (!is_header(b))
            continue;
        CcLoop *loop = CC_NEW(s->arena, CcLoop);
        loop->header = b;
        cc_arena_grow(s->arena, (void **)&s->loops, s->n_loops, &capacity, sizeof *s->loops);
        s->loops[s->n_loops++] = loop;
        collect_loop(loop, stack);
    }
}

static void set_depths(CcSsa *s)
{
    for (uint32_t k = s->n_loops; k-- > 0;)
        s->loops[k]->depth = s->loops[k]->outer ? s->loops[k]->outer->depth + 1 : 1;
    for (uint32_t o = 0; o < s->n_order; o++) {
        CcIrBlock *b = s->order[o];
        CcLoop *loop = b->loop;
        b->depth = loop ? loop->depth : 0;
        if (!loop)
            continue;
        cc_arena_grow(s->arena, (void **)&loop->blocks, loop->n_blocks, &loop->blocks_capacity, sizeof *loop->blocks);
        loop->blocks[loop->n_blocks++] = b;
    }
}

/* -- preheaders -------------------------------------------------------------------------------- */

static CcIrBlock *only_way_in(const CcLoop *loop)
{
    CcIrBlock *found = NULL;
    for (uint32_t p = 0; p < loop->header->n_predecessors; p++) {
        CcIrBlock *from = loop->header->predecessor[p];
        if (in_loop(loop, from))
            continue;
        if (found)
            return NULL;
        found = from;
    }
    return found && found->n_successors == 1 ? found : NULL;
}

/* Splits a phi. Another phi in the preheader selects among the values from outside. */
static void split_phi(CcSsa *s, CcNode *node, CcIrBlock *before, const bool *outside, uint32_t n_outside)
{
    CcIrPhi *phi = &s->f->phis[node->i.extra];
    CcReg *chosen = cc_arena_alloc(s->arena, (n_outside + 1) * sizeof *chosen);
    uint32_t n = 0, kept = 0;
    for (uint32_t p = 0; p < phi->n; p++) {
        if (outside[p])
            chosen[n++] = phi->arguments[p];
        else
            phi->arguments[kept++] = phi->arguments[p];
    }
    CcReg value = chosen[0];
    bool same = true;
    for (uint32_t k = 1; k < n; k++)
        same &= chosen[k] == chosen[0];
    if (!same) {
        CcIrPhi *record = CC_IR_PUSH(s->f, phis);
        *record = (CcIrPhi){n, chosen};
        value = cc_ssa_reg(s);
        s->values[value].variable = s->values[node->i.a].variable;
        s->values[value].varies = true;
        CcIrInstr i = {.op = CC_IR_PHI, .a = value, .b = CC_NO_REG, .c = CC_NO_REG, .extra = s->f->n_phis - 1};
        (void)cc_ssa_insert_before(s, before->head, &i);
        phi = &s->f->phis[node->i.extra];
    }
    phi->arguments[kept++] = value;
    phi->n = kept;
}

static void place_preheader(CcSsa *s, const CcLoop *loop, CcIrBlock *block, CcIrBlock **previous)
{
    CcIrBlock *after = previous[loop->header->index];
    if (!after || in_loop(loop, after))
        after = block->predecessor[0];
    if (after->next)
        previous[after->next->index] = block;
    cc_flow_place_after(s->f, block, after);
}

/* Makes a new block between the edges from outside and the header. */
static CcIrBlock *make_preheader(CcSsa *s, CcLoop *loop)
{
    CcIrBlock *header = loop->header;
    uint32_t n = header->n_predecessors, n_outside = 0;
    bool *outside = cc_arena_alloc(s->arena, n + 1);
    CcIrBlock **from = cc_arena_alloc(s->arena, (n + 1) * sizeof *from);
    uint32_t kept = 0;
    for (uint32_t p = 0; p < n; p++) {
        outside[p] = !in_loop(loop, header->predecessor[p]);
        if (outside[p])
            from[n_outside++] = header->predecessor[p];
        else
            header->predecessor[kept++] = header->predecessor[p];
    }
    if (!n_outside)
        return NULL;
    CcIrBlock *block = cc_ir_block_new(s->f);
    CcIrInstr jump = {.op = VCODE_JMP, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG, .moved = true};
    jump.loc = from[0]->tail->i.loc;
    (void)cc_ssa_append(s, block, &jump);
    for (CcNode *node = header->head; node && node->i.op == CC_IR_PHI; node = node->next)
        split_phi(s, node, block, outside, n_outside);
    header->predecessor[kept++] = block;
    header->n_predecessors = kept;
    block->target[0] = header;
    block->successor = cc_arena_alloc(s->arena, sizeof *block->successor);
    block->successor[0] = header;
    block->n_successors = 1;
    block->predecessor = from;
    block->n_predecessors = n_outside;
    for (uint32_t k = 0; k < n_outside; k++)
        cc_flow_redirect(s, from[k], header, block);
    block->loop = loop->outer;
    return block;
}

static void make_preheaders(CcSsa *s)
{
    CcIrFunction *f = s->f;
    CcIrBlock **previous = cc_arena_alloc(s->arena, (f->n_blocks + s->n_loops + 1) * sizeof *previous);
    for (CcIrBlock *b = f->first; b; b = b->next)
        if (b->next)
            previous[b->next->index] = b;
    for (uint32_t k = 0; k < s->n_loops; k++) {
        CcLoop *loop = s->loops[k];
        loop->preheader = only_way_in(loop);
        if (loop->preheader)
            continue;
        loop->preheader = make_preheader(s, loop);
        if (loop->preheader)
            place_preheader(s, loop, loop->preheader, previous);
    }
}

/* -- what loops write -------------------------------------------------------------------------- */

static void add_write(CcSsa *s, CcLoop *loop, const CcAccess *where)
{
    if (loop->n_writes == MOST_WRITES) {
        loop->writes_anywhere = true;
        return;
    }
    cc_arena_grow(s->arena, (void **)&loop->writes, loop->n_writes, &loop->writes_capacity, sizeof *loop->writes);
    loop->writes[loop->n_writes++] = *where;
}

static void note_writes(CcSsa *s, CcLoop *loop)
{
    for (uint32_t k = 0; k < loop->n_blocks; k++)
        for (CcNode *node = loop->blocks[k]->head; node; node = node->next) {
            CcAccess where;
            bool known;
            if (!cc_memory_is_written(s, &node->i, &where, &known))
                continue;
            if (known)
                add_write(s, loop, &where);
            else
                loop->calls = true;
        }
    CcLoop *outer = loop->outer;
    if (!outer)
        return;
    for (uint32_t k = 0; k < loop->n_writes; k++)
        add_write(s, outer, &loop->writes[k]);
    outer->writes_anywhere |= loop->writes_anywhere;
    outer->calls |= loop->calls;
}

static bool may_be_written(CcSsa *s, const CcLoop *loop, const CcAccess *where)
{
    if (loop->writes_anywhere || (loop->calls && cc_memory_is_shared(s, where)))
        return true;
    for (uint32_t k = 0; k < loop->n_writes; k++)
        if (cc_memory_may_overlap(s, &loop->writes[k], where))
            return true;
    return false;
}

void cc_find_loops(CcSsa *s)
{
    collect_loops(s);
    if (!s->n_loops)
        return;
    make_preheaders(s);
    cc_flow_find_dominators(s);
    set_depths(s);
    for (uint32_t k = 0; k < s->n_loops; k++)
        note_writes(s, s->loops[k]);
}

/* -- moving ------------------------------------------------------------------------------------ */

/* Returns whether nothing that may fault may move across the instruction: a call, a trap, a volatile access. */
static bool is_barrier(const CcIrInstr *i)
{
    if (i->op == CC_IR_PHI || cc_ir_is_pure(i))
        return false;
    return !(cc_is_load(i) || cc_is_store(i)) || i->volatile_;
}

static bool operands_come_from_outside(CcSsa *s, const CcLoop *loop, CcIrInstr *i)
{
    CcIrUses uses = cc_ir_uses(s->f, i);
    for (unsigned u = 0; u < uses.n; u++)
        if (!cc_loop_is_invariant(s, loop, *uses.field[u]))
            return false;
    return true;
}

static bool may_move(CcSsa *s, const CcLoop *loop, CcIrInstr *i, bool certain)
{
    if (i->op == CC_IR_PHI || i->op == VCODE_GETSP || !operands_come_from_outside(s, loop, i))
        return false;
    if (cc_ir_is_pure(i))
        return true;
    if (!cc_is_load(i) || i->volatile_)
        return false;
    CcAccess where = cc_memory_access(s, i, false);
    return (certain || cc_memory_is_surely_mapped(s, &where)) && !may_be_written(s, loop, &where);
}

static void move_out(CcSsa *s, CcLoop *loop)
{
    CcIrBlock *surely = loop->header; /* the next block that is certainly reached */
    bool certain = true;
    for (uint32_t k = 0; k < loop->n_blocks; k++) {
        CcIrBlock *b = loop->blocks[k];
        bool here = certain && b == surely;
        for (CcNode *node = b->head, *next; node; node = next) {
            next = node->next;
            if (may_move(s, loop, &node->i, here && certain))
                cc_ssa_move(s, node, loop->preheader->tail);
            else if (here && is_barrier(&node->i) && next)
                certain = false;
        }
        if (here && b->n_successors == 1 && b->successor[0]->loop == loop)
            surely = b->successor[0];
    }
}

void cc_optimise_loops(CcSsa *s)
{
    for (uint32_t k = 0; k < s->n_loops; k++)
        if (s->loops[k]->preheader)
            move_out(s, s->loops[k]);
}
