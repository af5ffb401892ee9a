/* flow.c - the flow graph: cleaned up while instructions are in arrays, and analysed for SSA form.
 *
 *   1. a jump to a jump goes to the end of the chain; a branch with one target for both outcomes becomes a jump
 *   2. unreachable blocks are removed; a block whose only predecessor jumps to it is appended to that
 *   3. the test of a loop, at its bottom, is copied to the loop's entrance: one jump less per loop; and as the bottom
 *      then has one predecessor, one block less per turn
 *
 * Dominators: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

/* -- flow graph -------------------------------------------------------------------------------- */

static bool only_jumps(const CcIrBlock *b)
{
    return b->count == 1 && b->items[0].op == VCODE_JMP;
}

/* Returns the end of a chain of empty blocks. If the chain is a cycle ("for (;;);"), it is some block of the cycle. */
static CcIrBlock *end_of_chain(CcIrBlock *b)
{
    CcIrBlock *slow = b;
    for (unsigned steps = 0; only_jumps(b); steps++) {
        b = b->target[0];
        if (steps & 1)
            slow = slow->target[0];
        if (b == slow)
            return b;
    }
    return b;
}

/* Returns where a jump to `b` ends up. All blocks on the way then lead there directly, so no chain is walked twice. */
static CcIrBlock *final_target(CcIrBlock *b)
{
    CcIrBlock *end = end_of_chain(b);
    while (b != end) {
        CcIrBlock *next = b->target[0];
        b->target[0] = end;
        b = next;
    }
    return end;
}

static void thread_jumps(CcIrFunction *f)
{
    for (CcIrBlock *b = f->first; b; b = b->next) {
        CcIrInstr *last = cc_ir_last(b);
        if (last->op == VCODE_JMP || cc_ir_is_branch(last->op))
            b->target[0] = final_target(b->target[0]);
        if (!cc_ir_is_branch(last->op))
            continue;
        b->target[1] = final_target(b->target[1]);
        if (b->target[0] == b->target[1])
            *last = (CcIrInstr){.op = VCODE_JMP, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG, .loc = last->loc};
    }
    for (uint32_t i = 0; i < f->n_switches; i++) {
        CcIrSwitch *s = &f->switches[i];
        for (uint32_t k = 0; k < s->n; k++)
            s->targets[k] = final_target(s->targets[k]);
        s->otherwise = final_target(s->otherwise);
    }
}

typedef struct Worklist {
    CcIrBlock **items;
    uint32_t n;
} Worklist;

static void reach(CcIrBlock *b, void *user)
{
    Worklist *list = user;
    b->predecessors++;
    if (!b->reached) {
        b->reached = true;
        list->items[list->n++] = b;
    }
}

static void remove_unreached(CcIrFunction *f)
{
    g_assert(f->first);
    CcIrBlock *kept = f->first;
    for (CcIrBlock *b = f->first->next; b; b = b->next) {
        if (!b->reached)
            continue;
        kept->next = b;
        kept = b;
    }
    kept->next = NULL;
    f->last = kept;
}

/* Marks reachable blocks. Once any code is reachable, so is each block whose label address the program takes. */
static void find_reachable(CcIrFunction *f)
{
    Worklist list = {cc_arena_alloc(f->arena, (f->n_blocks + 1) * sizeof(CcIrBlock *)), 0};
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        f->blocks[i]->reached = false;
        f->blocks[i]->predecessors = 0;
    }
    reach(f->first, &list);
    for (uint32_t i = 0; i < f->n_blocks; i++)
        if (f->blocks[i]->address_taken && f->blocks[i]->placed)
            reach(f->blocks[i], &list);
    while (list.n)
        cc_ir_successors(f, list.items[--list.n], reach, &list);
    remove_unreached(f);
}

static void append_block(CcIrFunction *f, CcIrBlock *to, CcIrBlock *from)
{
    to->count--; /* drops the jump */
    for (uint32_t i = 0; i < from->count; i++)
        *cc_ir_append(f, to, VCODE_NOP) = from->items[i];
    to->target[0] = from->target[0];
    to->target[1] = from->target[1];
    from->reached = false;
}

static void merge_blocks(CcIrFunction *f)
{
    for (CcIrBlock *b = f->first; b; b = b->next)
        while (b->reached && cc_ir_last(b)->op == VCODE_JMP) {
            CcIrBlock *next = b->target[0];
            if (next == b || next == f->first || next->predecessors != 1 || next->address_taken)
                break;
            append_block(f, b, next);
        }
    remove_unreached(f);
}

enum { LARGEST_TEST = 6 };

static bool is_loop_test(const CcIrBlock *b)
{
    if (b->predecessors != 2 || b->address_taken || b->count > LARGEST_TEST || !cc_ir_is_branch(cc_ir_last(b)->op) ||
        b->target[0]->first_position > b->first_position)
        return false;
    for (uint32_t k = 0; k < b->count; k++)
        if (b->items[k].op == CC_IR_CALL)
            return false;
    return true;
}

void cc_flow_copy_loop_tests(CcIrFunction *f)
{
    uint32_t number = 0;
    for (CcIrBlock *b = f->first; b; b = b->next)
        b->first_position = number++;
    for (CcIrBlock *b = f->first; b; b = b->next) {
        CcIrBlock *test = b->target[0];
        if (cc_ir_last(b)->op != VCODE_JMP || test->first_position <= b->first_position + 1 || !is_loop_test(test))
            continue;
        append_block(f, b, test);
        test->reached = true;
        test->predecessors--;
    }
}

void cc_flow_clean(CcIrFunction *f)
{
    thread_jumps(f);
    find_reachable(f);
    merge_blocks(f);
    find_reachable(f);
}

/* -- analysis ---------------------------------------------------------------------------------- */

typedef struct Ways {
    CcSsa *s;
    CcIrBlock **items;
    uint32_t n, capacity;
} Ways;

static void note_way(CcIrBlock *to, void *user)
{
    Ways *ways = user;
    if (to->mark == ways->s->mark)
        return;
    to->mark = ways->s->mark;
    cc_arena_grow(ways->s->arena, (void **)&ways->items, ways->n, &ways->capacity, sizeof(CcIrBlock *));
    ways->items[ways->n++] = to;
}

static void find_successors(CcSsa *s, CcIrBlock *b, Ways *ways)
{
    ways->n = 0;
    s->mark++;
    cc_ir_successors(s->f, b, note_way, ways);
    b->n_successors = ways->n;
    b->successor = cc_arena_alloc(s->arena, (ways->n + 1) * sizeof *b->successor);
    if (ways->n)
        memcpy(b->successor, ways->items, ways->n * sizeof *b->successor);
}

/* Numbers blocks in reverse postorder. For each block on the stack, `next` counts its successors visited so far. */
void cc_flow_find_order(CcSsa *s)
{
    CcIrFunction *f = s->f;
    CcIrBlock **stack = cc_arena_alloc(s->arena, (f->n_blocks + 1) * sizeof *stack);
    CcIrBlock **postorder = cc_arena_alloc(s->arena, (f->n_blocks + 1) * sizeof *postorder);
    uint32_t *next = cc_arena_alloc(s->arena, (f->n_blocks + 1) * sizeof *next);
    uint32_t depth = 0, n = 0;
    for (uint32_t i = 0; i < f->n_blocks; i++)
        f->blocks[i]->order = CC_UNREACHED;
    g_assert(f->first);
    f->first->order = 0;
    stack[depth++] = f->first;
    while (depth) {
        CcIrBlock *b = stack[depth - 1];
        if (next[b->index] == b->n_successors) {
            postorder[n++] = b;
            depth--;
            continue;
        }
        CcIrBlock *to = b->successor[next[b->index]++];
        if (to->order != CC_UNREACHED)
            continue;
        to->order = 0;
        stack[depth++] = to;
    }
    s->order = cc_arena_alloc(s->arena, (n + 1) * sizeof *s->order);
    s->n_order = n;
    for (uint32_t i = 0; i < n; i++) {
        s->order[i] = postorder[n - 1 - i];
        s->order[i]->order = i;
    }
}

static CcIrBlock *common_dominator(CcIrBlock *a, CcIrBlock *b)
{
    while (a != b) {
        while (a->order > b->order)
            a = a->dominator;
        while (b->order > a->order)
            b = b->dominator;
    }
    return a;
}

/* Starts with the last predecessor. At the end of a long chain of ifs that is the deepest one, which keeps each walk up
 * the tree short. */
static bool update_dominator(CcIrBlock *b)
{
    CcIrBlock *found = NULL;
    for (uint32_t p = b->n_predecessors; p-- > 0;) {
        CcIrBlock *from = b->predecessor[p];
        if (from->dominator)
            found = found ? common_dominator(found, from) : from;
    }
    bool changed = found != b->dominator;
    b->dominator = found;
    return changed;
}

static void number_tree(CcSsa *s)
{
    s->preorder = cc_arena_alloc(s->arena, (s->n_order + 1) * sizeof *s->preorder);
    for (uint32_t i = s->n_order; i-- > 1;) { /* keeps children in order */
        CcIrBlock *b = s->order[i];
        g_assert(b->dominator);
        b->next_dominated = b->dominator->first_dominated;
        b->dominator->first_dominated = b;
    }
    uint32_t n = 0;
    for (CcIrBlock *b = s->order[0]; b;) {
        b->dominates_from = n;
        s->preorder[n++] = b;
        if (b->first_dominated) {
            b = b->first_dominated;
            continue;
        }
        for (;;) {
            b->dominates_to = n;
            if (b == s->order[0]) {
                b = NULL;
                break;
            }
            if (b->next_dominated) {
                b = b->next_dominated;
                break;
            }
            b = b->dominator;
        }
    }
}

void cc_flow_find_dominators(CcSsa *s)
{
    cc_flow_find_order(s);
    for (uint32_t i = 0; i < s->n_order; i++) {
        CcIrBlock *b = s->order[i];
        b->dominator = b->first_dominated = b->next_dominated = NULL;
    }
    s->order[0]->dominator = s->order[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < s->n_order; i++)
            changed |= update_dominator(s->order[i]);
    }
    s->order[0]->dominator = NULL;
    number_tree(s);
}

static void find_predecessors(CcSsa *s)
{
    CcIrFunction *f = s->f;
    for (uint32_t i = 0; i < f->n_blocks; i++)
        f->blocks[i]->n_predecessors = 0;
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->n_successors; k++)
            b->successor[k]->n_predecessors++;
    for (CcIrBlock *b = f->first; b; b = b->next) {
        b->predecessor = cc_arena_alloc(s->arena, (b->n_predecessors + 1) * sizeof *b->predecessor);
        b->n_predecessors = 0;
    }
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->n_successors; k++) {
            CcIrBlock *to = b->successor[k];
            to->predecessor[to->n_predecessors++] = b;
        }
}

void cc_flow_analyse(CcSsa *s)
{
    Ways ways = {.s = s};
    for (CcIrBlock *b = s->f->first; b; b = b->next)
        find_successors(s, b, &ways);
    find_predecessors(s);
    cc_flow_find_dominators(s);
}

/* -- new blocks -------------------------------------------------------------------------------- */

void cc_flow_place_after(CcIrFunction *f, CcIrBlock *block, CcIrBlock *after)
{
    g_assert(!block->placed);
    block->placed = true;
    block->next = after->next;
    after->next = block;
    if (f->last == after)
        f->last = block;
}

static void redirect(CcIrFunction *f, CcIrBlock *from, const CcIrBlock *to, CcIrBlock *instead)
{
    const CcIrInstr *last = &from->tail->i;
    for (unsigned k = 0; k < 2; k++)
        if (from->target[k] == to)
            from->target[k] = instead;
    if (last->op != VCODE_SWITCH)
        return;
    CcIrSwitch *table = &f->switches[last->extra];
    for (uint32_t k = 0; k < table->n; k++)
        if (table->targets[k] == to)
            table->targets[k] = instead;
    if (table->otherwise == to)
        table->otherwise = instead;
}

void cc_flow_redirect(CcSsa *s, CcIrBlock *from, const CcIrBlock *to, CcIrBlock *instead)
{
    redirect(s->f, from, to, instead);
    for (uint32_t k = 0; k < from->n_successors; k++)
        if (from->successor[k] == to)
            from->successor[k] = instead;
}

CcIrBlock *cc_flow_split(CcSsa *s, CcIrBlock *from, CcIrBlock *to)
{
    CcIrBlock *block = cc_ir_block_new(s->f);
    CcIrInstr jump = {.op = VCODE_JMP, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG, .loc = from->tail->i.loc};
    (void)cc_ssa_append(s, block, &jump);
    cc_flow_redirect(s, from, to, block);
    block->target[0] = to;
    block->successor = cc_arena_alloc(s->arena, sizeof *block->successor);
    block->predecessor = cc_arena_alloc(s->arena, sizeof *block->predecessor);
    block->successor[0] = to;
    block->predecessor[0] = from;
    block->n_successors = block->n_predecessors = 1;
    block->order = from->order;
    for (uint32_t k = 0; k < to->n_predecessors; k++)
        if (to->predecessor[k] == from)
            to->predecessor[k] = block;
    return block;
}
