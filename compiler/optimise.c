/* optimise.c - what every function gets, at any level: a clean flow graph and no dead code.
 *
 *   1. jumps to jumps go straight to the end of the chain; branches both of whose ways are one become jumps
 *   2. blocks that cannot be reached go; a block whose only way in is the end of another is appended to that
 *   3. the test of a loop, at its bottom, is copied to the loop's entrance: one jump less a loop and, as the bottom
 *      then has one way in, one block less a turn (not at -O0)
 *   4. copies within a block are looked through (not at -O0)
 *   5. instructions without effect whose result nobody reads go
 *
 * All of it is linear in the size of the function. Whatever else is to be optimised (constants, common subexpressions,
 * loops, inlining) belongs between steps 3 and 4.
 */
#include "compiler/ir.h"

#include <string.h>

/* -- flow graph -------------------------------------------------------------------------------------------- */

static bool only_jumps(const CcIrBlock *b)
{
    return b->count == 1 && b->items[0].op == VCODE_JMP;
}

/* Where a jump to `b` ends up. A loop of empty blocks ("for (;;);") is left alone. */
static CcIrBlock *final_target(CcIrBlock *b)
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

/* Blocks whose label a program stores may be jumped to from anywhere, once anything is. */
static void find_reachable(CcIrFunction *f)
{
    Worklist list = {cc_alloc(f->arena, (f->n_blocks + 1) * sizeof(CcIrBlock *)), 0};
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
    to->count--; /* the jump */
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

static void copy_loop_tests(CcIrFunction *f)
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

static void clean_flow(CcIrFunction *f)
{
    thread_jumps(f);
    find_reachable(f);
    merge_blocks(f);
    find_reachable(f);
}

/* -- copies ---------------------------------------------------------------------------------------------------- */

typedef struct Copy {
    uint32_t version; /* of the register: number of times it was set so far */
    uint32_t block;   /* 1 + number of the block where the rest was noted */
    CcReg source;
    uint32_t own_version, source_version;
} Copy;

static CcReg source_of(const Copy *copies, CcReg reg, uint32_t block)
{
    const Copy *c = &copies[reg];
    bool valid = c->block == block && c->own_version == c->version && copies[c->source].version == c->source_version;
    return valid ? c->source : reg;
}

static void note_copy(Copy *copies, const CcIrInstr *i, uint32_t block)
{
    Copy *c = &copies[i->a];
    *c = (Copy){c->version, block, i->b, c->version, copies[i->b].version};
}

static void propagate_in_block(CcIrFunction *f, CcIrBlock *b, Copy *copies)
{
    for (uint32_t k = 0; k < b->count; k++) {
        CcIrInstr *i = &b->items[k];
        CcIrUses uses = cc_ir_uses(f, i);
        for (unsigned u = 0; u < uses.n; u++)
            if (i->op != VCODE_CMOV || uses.field[u] != &i->a)
                *uses.field[u] = source_of(copies, *uses.field[u], b->index + 1);
        for (unsigned u = 0; u < uses.n_list; u++)
            uses.list[u] = source_of(copies, uses.list[u], b->index + 1);
        CcReg set = cc_ir_defined(i);
        if (set == CC_NO_REG)
            continue;
        copies[set].version++;
        if (i->op == VCODE_MOV && i->a != i->b)
            note_copy(copies, i, b->index + 1);
    }
}

static void propagate_copies(CcIrFunction *f)
{
    Copy *copies = cc_alloc(f->arena, (f->n_regs + 1) * sizeof *copies);
    for (CcIrBlock *b = f->first; b; b = b->next)
        propagate_in_block(f, b, copies);
}

/* -- dead code ----------------------------------------------------------------------------------------------------- */

static void count_uses(const CcIrFunction *f, CcIrInstr *i, uint32_t *counts, int by)
{
    CcIrUses uses = cc_ir_uses(f, i);
    for (unsigned u = 0; u < uses.n; u++)
        counts[*uses.field[u]] += (uint32_t)by;
    for (unsigned u = 0; u < uses.n_list; u++)
        counts[uses.list[u]] += (uint32_t)by;
}

static bool is_dead(const CcIrInstr *i, const uint32_t *counts)
{
    CcReg set = cc_ir_defined(i);
    if (i->op == VCODE_NOP || (i->op == VCODE_MOV && i->a == i->b))
        return true;
    return set != CC_NO_REG && counts[set] == 0 && cc_ir_is_pure(i);
}

/* Backwards, so that what only fed dead code goes in the same walk. */
static void remove_dead(CcIrFunction *f)
{
    uint32_t *counts = cc_alloc(f->arena, (f->n_regs + 1) * sizeof *counts);
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++)
            count_uses(f, &b->items[k], counts, 1);
    for (CcIrBlock *b = f->first; b; b = b->next) {
        uint32_t kept = b->count;
        for (uint32_t k = b->count; k-- > 0;) {
            CcIrInstr *i = &b->items[k];
            if (is_dead(i, counts)) {
                if (i->op != VCODE_NOP)
                    count_uses(f, i, counts, -1);
                continue;
            }
            if (i->op == CC_IR_CALL && i->a != CC_NO_REG && counts[i->a] == 0)
                i->a = CC_NO_REG;
            b->items[--kept] = *i;
        }
        memmove(b->items, b->items + kept, (b->count - kept) * sizeof *b->items);
        b->count -= kept;
    }
}

void cc_optimise(CcIrFunction *f, int level)
{
    clean_flow(f);
    if (level > 0) {
        copy_loop_tests(f);
        clean_flow(f);
        propagate_copies(f);
    }
    remove_dead(f);
    clean_flow(f);
}
