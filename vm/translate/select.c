/* select.c - short branches printed as selections.
 *
 *        B: if (c) goto T;                    B: int c = ...;
 *        N: r1 = r2; goto J;       becomes       N's instructions; T's instructions;
 *        T: r1 = r3; goto J;                     r1 = c ? what T made : what N made;
 *        J: ...                                  fuel -= c ? cost of B and T : cost of B and N; goto J;
 *
 * where N and T, or N alone with T being J, do nothing but a little arithmetic that cannot go wrong. A C compiler would
 * do the same (if-conversion), were the two ways not charged differently.
 */
#include "vm/translate/loops.h"

enum { MOST = 3 /* instructions of a side; with more, the branch may well be cheaper */ };

bool vm_select_harmless(VcodeInstr i)
{
    VcodeOp op = vcode_op(i);
    switch (op) {
    case VCODE_MOV:
    case VCODE_MOVI:
    case VCODE_MOVK:
    case VCODE_CMOV:
    case VCODE_LEAX:
    case VCODE_NOP: return true;
    default: return vcode_op_folds(op) && vcode_op_info[op].kind != VCODE_KIND_DIVIDE;
    }
}

/* Where a block goes on if all that it does is a little arithmetic, and only `from` leads to it; VCODE_NONE otherwise.
 */
static uint32_t side_goes_to(const VmFlow *flow, uint32_t from, uint32_t b)
{
    const VmFlowBlock *block = &flow->blocks[b];
    VcodeOp last = vcode_op(flow->code[block->end - 1]);
    if (block->predecessors != 1 || vm_flow_enters(block) || block->loop != flow->blocks[from].loop ||
        (last != VCODE_FALL && last != VCODE_JMP) || block->successors != 1 || block->end - block->start > MOST + 1)
        return VCODE_NONE;
    for (uint32_t pc = block->start; pc + 1 < block->end; pc++)
        if (!vm_select_harmless(flow->code[pc]))
            return VCODE_NONE;
    return flow->edges[block->successor];
}

static bool is_plain_join(const VmFlow *flow, uint32_t from, uint32_t to)
{
    return to != VCODE_NONE && !flow->blocks[to].checkpoint && flow->blocks[to].loop == flow->blocks[from].loop;
}

void vm_select_find(const VmFlow *flow, VmSelect *selects)
{
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k];
        const VmFlowBlock *block = &flow->blocks[b];
        VcodeInstr last = flow->code[block->end - 1];
        VcodeForm form = vcode_op_info[vcode_op(last)].form;
        if ((form != VCODE_FORM_BRR && form != VCODE_FORM_BRI) || block->successors != 2)
            continue;
        uint32_t next = flow->block_of[block->end - flow->function->code_start];
        uint32_t taken = flow->block_of[block->end - flow->function->code_start + (uint32_t)vcode_off24(last)];
        uint32_t behind_next = side_goes_to(flow, b, next), behind_taken = side_goes_to(flow, b, taken);
        VmSelect *s = &selects[b];
        if (behind_next == taken && is_plain_join(flow, b, taken))
            *s = (VmSelect){.found = true, .join = taken, .taken = VCODE_NONE, .next = next};
        else if (behind_taken == next && is_plain_join(flow, b, next))
            *s = (VmSelect){.found = true, .join = next, .taken = taken, .next = VCODE_NONE};
        else if (behind_next == behind_taken && is_plain_join(flow, b, behind_next))
            *s = (VmSelect){.found = true, .join = behind_next, .taken = taken, .next = next};
        if (s->found && s->next != VCODE_NONE)
            selects[s->next].absorbed = true;
        if (s->found && s->taken != VCODE_NONE)
            selects[s->taken].absorbed = true;
    }
}

/* The webs that a side sets and the join reads; at most MOST. */
static uint32_t find_results(const VmFlow *flow, uint32_t side, uint32_t join, uint32_t *webs, uint32_t count)
{
    if (side == VCODE_NONE)
        return count;
    const uint32_t *in = flow->entry_web + (size_t)join * flow->function->registers;
    for (uint32_t pc = flow->blocks[side].start; pc + 1 < flow->blocks[side].end; pc++) {
        uint32_t web = flow->set_web[pc - flow->function->code_start];
        bool wanted = web != VCODE_NONE && in[flow->webs[web].reg] == web;
        for (uint32_t k = 0; k < count; k++)
            wanted = wanted && webs[k] != web;
        if (wanted)
            webs[count++] = web;
    }
    return count;
}

static void print_copies(VmPrinter *p, const char *prefix, const uint32_t *webs, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        g_string_append_printf(p->out, "%s %s%u = ", vm_print_type(p->flow->webs[webs[k]].kind), prefix, k);
        vm_print_web(p, webs[k]);
        g_string_append(p->out, "; ");
    }
}

static void print_side(VmPrinter *p, uint32_t side)
{
    if (side == VCODE_NONE)
        return;
    vm_web_begin(p->flow, side, p->now);
    for (uint32_t pc = p->flow->blocks[side].start; pc + 1 < p->flow->blocks[side].end; pc++) {
        vm_print_instruction(p, pc);
        g_string_append_c(p->out, ' ');
        vm_web_step(p->flow, pc, p->now);
    }
}

static uint64_t side_cost(const VmFlow *flow, uint32_t side)
{
    return side == VCODE_NONE ? 0 : flow->blocks[side].cost;
}

uint64_t vm_select_cost(const VmFlow *flow, const VmSelect *s)
{
    return s->found ? side_cost(flow, s->taken) : 0;
}

void vm_print_select(VmPrinter *p, const VmFlowBlock *block, const VmSelect *s)
{
    uint32_t webs[2 * MOST];
    uint32_t count = find_results(p->flow, s->next, s->join, webs, 0);
    count = find_results(p->flow, s->taken, s->join, webs, count);
    g_string_append(p->out, "{ int c = ");
    vm_print_condition(p, block);
    g_string_append(p->out, "; ");
    if (s->taken != VCODE_NONE && s->next != VCODE_NONE) {
        print_copies(p, "w", webs, count); /* before */
        print_side(p, s->taken);
        print_copies(p, "v", webs, count);
        for (uint32_t k = 0; k < count; k++) {
            vm_print_web(p, webs[k]);
            g_string_append_printf(p->out, " = w%u; ", k);
        }
        print_side(p, s->next);
    } else {
        print_copies(p, "v", webs, count);
        print_side(p, s->taken == VCODE_NONE ? s->next : s->taken);
    }
    for (uint32_t k = 0; k < count; k++) {
        vm_print_web(p, webs[k]);
        g_string_append_printf(p->out, " = %sc ? v%u : ", s->taken == VCODE_NONE || s->next != VCODE_NONE ? "" : "!",
                               k);
        vm_print_web(p, webs[k]);
        g_string_append(p->out, "; ");
    }
    uint64_t taken = side_cost(p->flow, s->taken), next = side_cost(p->flow, s->next);
    /* computed: two things to choose are too many */
    g_autofree char *further = g_strdup_printf("(%" G_GINT64_FORMAT " & (c - (int64_t)1))", (int64_t)(next - taken));
    if (p->strip)
        vm_strip_charge(p, block->cost + taken, next == taken ? NULL : further);
    else
        g_string_append_printf(p->out, "fuel -= %" G_GUINT64_FORMAT " + %s; ", block->cost + taken, further);
    g_string_append(p->out, "} ");
    vm_print_goto(p, s->join);
}
