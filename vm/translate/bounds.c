/* bounds.c - what calls are certain to cost at most, so that fuel and depth need not be tested for each.
 *
 *   bounded    a function without loops that calls only such functions charges no more than its longest path: it tests
 *              no fuel, whoever calls it has tested for both.
 *   shortcut   a function that returns at once where a condition on its arguments holds (the end of a recursion, an
 *              empty list) is asked for it before the call; then there is none, and what it costs is charged.
 *   copies     a small function that calls itself is printed several times, each copy a part of the one before it,
 *              and only the innermost calls the function again: how deep calls are and whether the fuel lasts is tested
 *              once for all of them. `bound` is what they charge together.
 */
#include "vm/translate/print.h"

#include "vcode/calling.h"

enum {
    ROUNDS = 8,           /* bounded functions may call each other so deep */
    MOST_BOUND = 1 << 15, /* q8 cycles: so much fuel is left to the interpreter when a run ends */
    MOST_SHORT = 4,       /* instructions of each of a shortcut's blocks */
    MOST_COPIED = 400,    /* instructions of a function and all its copies */
    MOST_COPIES = 7       /* LEAST_FRAME (run.c) counts on no more */
};
#define UNBOUNDED UINT64_MAX

/* -- the longest path -------------------------------------------------------------------------- */

static uint64_t shortcut_cost(const VmUnit *unit, uint32_t function)
{
    return unit->calls[function].shortcut ? unit->calls[function].shortcut_cost : 0;
}

/* What the call that ends a block charges before fuel is tested again; `itself`: what a call of the function does. */
static uint64_t charge_of_call(const VmUnit *unit, const VmFlow *flow, const VmFlowBlock *block, uint64_t itself)
{
    VcodeInstr i = flow->code[block->end - 1];
    if (!vm_calls_printed(unit, i))
        return 0;
    uint32_t callee = (uint32_t)vcode_imm32(i);
    if (callee == flow->index && itself != UNBOUNDED)
        return vm_calls_use_tails(unit, flow) && vm_calls_tail(unit, flow, block) ? shortcut_cost(unit, callee)
                                                                                  : itself;
    if (unit->calls[callee].bounded)
        return unit->calls[callee].bound;
    return itself == UNBOUNDED ? UNBOUNDED : shortcut_cost(unit, callee);
}

/* Most that a function without loops charges; UNBOUNDED where nobody knows. */
static uint64_t longest_path(const VmUnit *unit, const VmFlow *flow, uint64_t itself)
{
    g_autofree uint64_t *most = g_new0(uint64_t, flow->block_count);
    for (uint32_t k = flow->order_count; k-- > 0;) {
        uint32_t b = flow->order[k];
        const VmFlowBlock *block = &flow->blocks[b];
        uint64_t called = block->checkpoint ? UNBOUNDED : charge_of_call(unit, flow, block, itself);
        if (called == UNBOUNDED)
            return UNBOUNDED;
        for (uint32_t s = 0; s < block->successors; s++)
            most[b] = MAX(most[b], most[flow->edges[block->successor + s]]);
        most[b] += block->cost + called;
        if (most[b] > MOST_BOUND)
            return UNBOUNDED;
    }
    return most[0];
}

static bool find_bounded(VmUnit *unit)
{
    bool changed = false;
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++) {
        VmCalls *calls = &unit->calls[f];
        if (!unit->flows[f] || calls->bounded || !calls->quiet || calls->tests_depth)
            continue;
        calls->bound = longest_path(unit, unit->flows[f], UNBOUNDED);
        calls->bounded = calls->bound != UNBOUNDED;
        changed |= calls->bounded;
    }
    return changed;
}

/* -- shortcuts --------------------------------------------------------------------------------- */

/* Whether the block, but for its last instruction, computes only from arguments and what `set` says is set already. */
static bool computes_from(const VmFlow *flow, uint32_t b, uint64_t *set)
{
    const VmFlowBlock *block = &flow->blocks[b];
    if (block->checkpoint || block->end - block->start > MOST_SHORT)
        return false;
    for (uint32_t pc = block->start; pc < block->end; pc++) {
        VmEffects e = vm_effects(flow->code[pc]);
        if (pc + 1 < block->end && !vm_select_harmless(flow->code[pc]))
            return false;
        for (unsigned k = 0; k < e.read_count; k++)
            if (!vm_bit(set, e.reads[k]))
                return false;
        if (e.written >= 0)
            set[e.written / 64] |= UINT64_C(1) << e.written % 64;
    }
    return true;
}

static bool returns(const VmFlow *flow, uint32_t b, const uint64_t *set)
{
    VcodeOp last = vcode_op(flow->code[flow->blocks[b].end - 1]);
    g_autofree uint64_t *further = g_memdup2(set, flow->words * sizeof *set);
    return (last == VCODE_RET || last == VCODE_RETV) && computes_from(flow, b, further);
}

static void find_shortcut(VmCalls *calls, const VmFlow *flow)
{
    const VmFlowBlock *entry = &flow->blocks[0];
    VcodeInstr last = flow->code[entry->end - 1];
    VcodeForm form = vcode_op_info[vcode_op(last)].form;
    if ((form != VCODE_FORM_BRR && form != VCODE_FORM_BRI) || entry->successors != 2 || calls->bounded || flow->huge ||
        flow->jumps || flow->function->parameters > VM_NATIVE_ARGUMENTS)
        return;
    g_autofree uint64_t *set = g_new0(uint64_t, flow->words + 1);
    for (uint32_t r = 0; r < flow->function->parameters; r++)
        set[r / 64] |= UINT64_C(1) << r % 64;
    if (!computes_from(flow, 0, set))
        return;
    uint32_t behind = entry->end - flow->function->code_start;
    uint32_t taken = flow->block_of[behind + (uint32_t)vcode_off24(last)], next = flow->block_of[behind];
    calls->shortcut_taken = returns(flow, taken, set);
    calls->shortcut = calls->shortcut_taken != returns(flow, next, set);
    calls->shortcut_block = calls->shortcut_taken ? taken : next;
    calls->shortcut_cost = entry->cost + flow->blocks[calls->shortcut_block].cost;
}

/* -- copies ------------------------------------------------------------------------------------ */

static uint32_t calls_of_itself(const VmUnit *unit, const VmFlow *flow, bool tails)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        VcodeInstr last = flow->code[block->end - 1];
        count += vm_calls_printed(unit, last) && (uint32_t)vcode_imm32(last) == flow->index &&
                 !(tails && vm_calls_tail(unit, flow, block));
    }
    return count;
}

static void find_copies(VmUnit *unit, uint32_t f)
{
    const VmFlow *flow = unit->flows[f];
    VmCalls *calls = &unit->calls[f];
    if (!calls->quiet || calls->mutual || flow->huge || flow->jumps || flow->parts || !calls->tests_depth ||
        flow->function->code_count > VM_NATIVE_SMALL || flow->function->parameters > VM_NATIVE_ARGUMENTS)
        return;
    uint32_t sites = calls_of_itself(unit, flow, vm_calls_use_tails(unit, flow)), bodies = 1;
    uint64_t shortcut = shortcut_cost(unit, f), bound = longest_path(unit, flow, shortcut);
    while (sites && bound != UNBOUNDED && calls->copies < MOST_COPIES) {
        bodies = 1 + sites * bodies;
        uint64_t more = longest_path(unit, flow, MAX(shortcut, bound));
        if (bodies * flow->function->code_count > MOST_COPIED || more == UNBOUNDED)
            break;
        bound = more;
        calls->copies++;
    }
    if (!calls->copies)
        return;
    calls->bound = bound;
    calls->registers += calls->copies * flow->function->registers;
    calls->levels += calls->copies;
    unit->most_registers = MAX(unit->most_registers, calls->registers);
}

/* -- the whole --------------------------------------------------------------------------------- */

/* What calls charge belongs to what is ahead of those who make them. */
static void spread(const VmUnit *unit, VmFlow *flow)
{
    for (uint32_t k = 0; k < flow->order_count; k++) {
        VmFlowBlock *block = &flow->blocks[flow->order[k]];
        VcodeInstr last = flow->code[block->end - 1];
        if (!vm_calls_printed(unit, last))
            continue;
        const VmCalls *callee = &unit->calls[vcode_imm32(last)];
        block->called = callee->bounded ? callee->bound : shortcut_cost(unit, (uint32_t)vcode_imm32(last));
        block->passes = callee->bounded || callee->shortcut;
    }
    vm_flow_look_ahead(flow);
}

void vm_unit_find_bounds(VmUnit *unit)
{
    uint32_t count = unit->image->module->functions.count;
    for (unsigned round = 0; round < ROUNDS && find_bounded(unit); round++) {
    }
    for (uint32_t f = 0; f < count; f++)
        if (unit->flows[f])
            find_shortcut(&unit->calls[f], unit->flows[f]);
    for (uint32_t f = 0; f < count; f++)
        if (unit->flows[f])
            find_copies(unit, f);
    for (uint32_t f = 0; f < count; f++)
        if (unit->flows[f])
            spread(unit, unit->flows[f]);
}
