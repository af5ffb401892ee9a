/* calls.c - calls in printed code, and what is known of who calls whom in a unit.
 *
 * How deep calls go is tested once in every cycle of direct calls, where a walk of the call graph comes back to a
 * function that it is still in, and wherever a function is called through a pointer. Between two such tests there are
 * only as many windows of registers as the longest way of calls without a test has.
 *
 * A function that, with all that it calls, calls neither externs nor through pointers is `quiet`: nobody looks at the
 * clock while it runs, so a caller may hold fuel back for what follows the call, and needs no test behind it.
 */
#include "vcode/calling.h"
#include "vm/library/library.h"
#include "vm/prelude/prelude.h"
#include "vm/translate/loops.h"

/* -- who calls whom ---------------------------------------------------------------------------- */

/* Depth first, with what Tarjan's algorithm for strongly connected components needs (Depth-First Search and Linear
 * Graph Algorithms, 1972). */
typedef struct Walk {
    VmUnit *unit;
    uint8_t *state;
    uint32_t *stack, *next; /* functions being walked, and the instruction to look at next in each */
    uint32_t depth;
    uint32_t *number, *low; /* order of discovery; the least that is reached from it */
    uint32_t *component;    /* functions whose component is not complete yet */
    uint32_t waiting, numbers;
} Walk;

enum { NEW, OPEN, WAITING, DONE };

bool vm_calls_printed(const VmUnit *unit, VcodeInstr i)
{
    uint32_t callee = (uint32_t)vcode_imm32(i);
    return vcode_op(i) == VCODE_CALL && unit->flows[callee] && !(unit->quick && unit->flows[callee]->loops_back) &&
           unit->image->functions[callee].parameters == vcode_n(i);
}

/* Whether it calls one that another unit may have: as it is, or better. */
static bool calls_elsewhere(const VmUnit *unit, VcodeInstr i)
{
    uint32_t callee = (uint32_t)vcode_imm32(i);
    return vcode_op(i) == VCODE_CALL && !vm_calls_printed(unit, i) &&
           unit->image->functions[callee].parameters == vcode_n(i);
}

/* Externs that look at the rank's frames are called by the interpreter: longjmp, and those of the layer above when a
 * function of the runtime library calls them, which is not where the program's own call stands. So is what sets the
 * rounding direction: C compilers take operations before and after a call for the same. */
static bool wants_frames(const VmFlow *flow, VcodeInstr i)
{
    const VmExtern *function = flow->image->bindings[vcode_imm32(i)].function;
    return function->function == vm_jump_longjmp || vm_image_calls_fenv(flow->image, i) ||
           (!vm_library_owns(function) && flow->function->flags & VCODE_FUNCTION_LIBRARY);
}

static bool is_noisy(const VmFlow *flow, VcodeInstr i)
{
    return vcode_op(i) == VCODE_CALLI ||
           (vcode_op(i) == VCODE_CALLX && !vm_flow_intrinsic(flow->image, i) && !wants_frames(flow, i));
}

/* All that `f` calls has been walked, but for calls that go round. */
static void finish(VmUnit *unit, uint32_t f)
{
    const VmFlow *flow = unit->flows[f];
    VmCalls *calls = &unit->calls[f];
    uint32_t registers = 0, levels = 0;
    calls->quiet = true;
    for (uint32_t pc = flow->function->code_start; pc < flow->function->code_start + flow->function->code_count; pc++) {
        VcodeInstr i = flow->code[pc];
        calls->quiet = calls->quiet && !is_noisy(flow, i) && !calls_elsewhere(unit, i);
        calls->any = calls->any || vcode_op(i) == VCODE_CALLI || calls_elsewhere(unit, i);
        if (!vm_calls_printed(unit, i))
            continue;
        const VmCalls *callee = &unit->calls[vcode_imm32(i)];
        calls->any = true;
        if (!callee->tests_depth) {
            registers = MAX(registers, callee->registers);
            levels = MAX(levels, callee->levels);
        }
    }
    calls->registers = flow->function->registers + registers;
    calls->levels = 1 + levels;
    calls->tests_depth |= calls->levels >= VM_NATIVE_LEVELS;
    unit->most_registers = MAX(unit->most_registers, calls->registers);
}

static void discover(Walk *walk, uint32_t f)
{
    walk->state[f] = OPEN;
    walk->stack[walk->depth++] = f;
    walk->number[f] = walk->low[f] = walk->numbers++;
    walk->component[walk->waiting++] = f;
}

/* Takes the component of which `f` was found first. */
static void complete(Walk *walk, uint32_t f)
{
    bool several = walk->component[walk->waiting - 1] != f;
    uint32_t member;
    do {
        member = walk->component[--walk->waiting];
        walk->state[member] = DONE;
        walk->unit->calls[member].mutual = several;
    } while (member != f);
}

static void step(Walk *walk)
{
    uint32_t f = walk->stack[walk->depth - 1];
    const VcodeFunction *function = walk->unit->flows[f]->function;
    while (walk->next[f] < function->code_count) {
        VcodeInstr i = walk->unit->flows[f]->code[function->code_start + walk->next[f]++];
        if (!vm_calls_printed(walk->unit, i))
            continue;
        uint32_t callee = (uint32_t)vcode_imm32(i);
        if (walk->state[callee] == NEW) {
            discover(walk, callee);
            return;
        }
        if (walk->state[callee] == OPEN)
            walk->unit->calls[callee].tests_depth = true;
        if (walk->state[callee] != DONE)
            walk->low[f] = MIN(walk->low[f], walk->number[callee]);
    }
    finish(walk->unit, f);
    walk->state[f] = WAITING;
    walk->depth--;
    if (walk->depth)
        walk->low[walk->stack[walk->depth - 1]] = MIN(walk->low[walk->stack[walk->depth - 1]], walk->low[f]);
    if (walk->low[f] == walk->number[f])
        complete(walk, f);
}

/* What a quiet function calls is quiet, too. */
static bool spread_noise(VmUnit *unit)
{
    bool changed = false;
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++) {
        if (!unit->flows[f] || !unit->calls[f].quiet)
            continue;
        const VcodeFunction *function = unit->flows[f]->function;
        for (uint32_t k = 0; k < function->code_count && unit->calls[f].quiet; k++) {
            VcodeInstr i = unit->flows[f]->code[function->code_start + k];
            if (vm_calls_printed(unit, i))
                unit->calls[f].quiet = unit->calls[vcode_imm32(i)].quiet;
        }
        changed |= !unit->calls[f].quiet;
    }
    return changed;
}

/* Calls that go deep are left in the middle and then return to the interpreter one by one: printed code can be entered
 * again where they return to. */
static void note_returns(const VmUnit *unit, VmFlow *flow)
{
    for (uint32_t k = 0; k < flow->order_count; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        if (block->successors && vm_calls_printed(unit, flow->code[block->end - 1]))
            flow->blocks[flow->edges[block->successor]].returned_to = true;
    }
}

void vm_unit_find_calls(VmUnit *unit)
{
    uint32_t count = unit->image->module->functions.count;
    Walk walk = {.unit = unit,
                 .state = g_new0(uint8_t, count + 1),
                 .stack = g_new(uint32_t, count + 1),
                 .next = g_new0(uint32_t, count + 1),
                 .number = g_new(uint32_t, count + 1),
                 .low = g_new(uint32_t, count + 1),
                 .component = g_new(uint32_t, count + 1)};
    unit->calls = g_new0(VmCalls, count + 1);
    for (uint32_t f = 0; f < count; f++) {
        if (!unit->flows[f] || walk.state[f] != NEW)
            continue;
        discover(&walk, f);
        while (walk.depth)
            step(&walk);
    }
    while (spread_noise(unit)) {
    }
    for (uint32_t f = 0; f < count; f++)
        if (unit->flows[f] && unit->calls[f].tests_depth && !unit->quick)
            note_returns(unit, unit->flows[f]);
    g_free(walk.state);
    g_free(walk.stack);
    g_free(walk.next);
    g_free(walk.number);
    g_free(walk.low);
    g_free(walk.component);
}

/* -- printing ---------------------------------------------------------------------------------- */

static void print_arguments_to_window(VmPrinter *p, uint32_t window, uint32_t from, uint32_t n)
{
    for (uint32_t k = from; k < n; k++) {
        g_string_append_printf(p->out, "R[%u] = ", window + k);
        vm_print_operand(p, window + k, VM_KIND_I);
        g_string_append(p->out, "; ");
    }
}

static void print_arguments(VmPrinter *p, uint32_t window, uint32_t n)
{
    for (uint32_t k = 0; k < MIN(n, VM_NATIVE_ARGUMENTS); k++) {
        g_string_append(p->out, ", ");
        vm_print_operand(p, window + k, VM_KIND_I);
    }
}

/* The least fuel, less the bias, to go on with behind the call that ends the block. */
static uint64_t least_behind(const VmPrinter *p, const VmFlowBlock *block)
{
    const VmFlowBlock *next = block->successors ? vm_flow_successor(p->flow, block, 0) : NULL;
    return next && !next->checkpoint ? vm_print_least_fuel(p, next) : 0;
}

/* Whether the call that ends the block is printed as a jump to the beginning. In copies, windows stay where they are:
 * so none of them needs a variable for its window. */
static bool jumps(const VmPrinter *p, const VmFlowBlock *block)
{
    return p->uses_tails && vm_calls_tail(p->unit, p->flow, block) &&
           (p->copy == 0 || vcode_a(p->flow->code[block->end - 1]) == 0);
}

/* Whether the copy being printed calls its next copy when it calls the function. */
static bool calls_copy(const VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t callee = (uint32_t)vcode_imm32(p->flow->code[block->end - 1]);
    return p->whole && callee == p->flow->index && p->copy < p->unit->calls[callee].copies &&
           !(p->uses_tails && vm_calls_tail(p->unit, p->flow, block));
}

/* Fuel to hold back from a call of a quiet function for what follows it; -1: test behind the call instead. */
static int64_t held_back(const VmPrinter *p, const VmFlowBlock *block, uint32_t callee)
{
    const VmCalls *own = &p->unit->calls[p->flow->index];
    if (!p->unit->calls[callee].quiet || !block->successors)
        return -1;
    if (p->unit->calls[callee].bounded || calls_copy(p, block))
        return 0; /* it tests none */
    if (p->whole && own->copies)
        return (int64_t)own->bound; /* more than what follows, in this copy and those around it */
    const VmFlowBlock *next = vm_flow_successor(p->flow, block, 0);
    uint64_t held = next->checkpoint ? 0 : next->ahead;
    return held < p->unit->bias ? (int64_t)held : -1;
}

uint32_t vm_calls_next_lost(const VmFlow *flow, uint32_t pc, uint32_t from)
{
    const VmFunction *function = &flow->image->functions[flow->index];
    const VmFlowBlock *block = &flow->blocks[flow->block_of[pc - flow->function->code_start]];
    from = MAX(MAX(function->lost_from, vcode_a(flow->code[pc]) + 1), from);
    for (; block->successors && from < function->lost_to; from++)
        if (vm_flow_live(flow, flow->edges[block->successor], from))
            return from;
    return VCODE_NONE;
}

/* Clears what the call at pc has lost, if it may be read (liveness.c). */
void vm_calls_print_lost(VmPrinter *p, uint32_t pc)
{
    const VmFlow *flow = p->flow;
    const VmFunction *function = &flow->image->functions[flow->index];
    uint32_t from = MAX(function->lost_from, vcode_a(flow->code[pc]) + 1);
    if (flow->huge && from < function->lost_to)
        g_string_append_printf(p->out, "for (uint32_t r = %u; r < %u; r++) R[r] = 0; ", from, function->lost_to);
    for (uint32_t r = 0; !flow->huge && (r = vm_calls_next_lost(flow, pc, r)) != VCODE_NONE; r++) {
        uint32_t next = flow->edges[flow->blocks[p->block].successor];
        vm_print_web(p, flow->entry_web[(size_t)next * flow->function->registers + r]);
        g_string_append(p->out, " = 0; ");
    }
}

/* The heap may have grown or shrunk. */
static void print_limits(VmPrinter *p)
{
    g_string_append(p->out, "limit = k->limit; ");
    if (p->uses_frame)
        g_string_append_printf(p->out, "room = BEHIND(%u); ", p->flow->image->functions[p->flow->index].enter_bytes);
}

/* Behind a call of a printed function, whose outcome is `o`: fuel, the result, and on. */
static void print_after_call(VmPrinter *p, uint32_t pc, int64_t held)
{
    const VmFlowBlock *block = &p->flow->blocks[p->block];
    vm_web_step(p->flow, pc, p->now);
    uint32_t label = vm_exit_after(p, pc, VM_EXIT_AFTER_CALL, held);
    g_string_append(p->out, "fuel = o.fuel; ");
    if (p->flow->huge && block->successors) /* then the result would overwrite what the callee has put there */
        g_string_append_printf(p->out, "if (HAS_LEFT(fuel)) goto a%u; ", label);
    if (g_array_index(p->exits, VmExit, label).result_web != VCODE_NONE) {
        const char *close = vm_print_target(p, pc, VM_KIND_I);
        g_string_append_printf(p->out, "o.value%s ", close);
    }
    vm_calls_print_lost(p, pc);
    if (!block->successors)
        g_string_append_printf(p->out, "goto a%u; ", label);
    else if (held >= 0)
        g_string_append_printf(p->out, "if (HAS_LEFT(fuel)) goto a%u; fuel += %" G_GINT64_FORMAT "; ", label, held);
    else {
        g_string_append_printf(p->out, "if (UNLIKELY(fuel < %" G_GUINT64_FORMAT ")) goto a%u; ", least_behind(p, block),
                               label);
        print_limits(p);
    }
    vm_print_go_on(p, block);
}

void vm_calls_print_exit(VmPrinter *p, uint32_t pc)
{
    g_string_append_printf(p->out, "goto x%u;", vm_exit_before(p, pc));
}

/* Whether the block ends with a call of the function by itself whose result is at once returned. Printed, it is a jump
 * to the beginning; the frame is noted in a log, in case something leaves (State.tail), what reports show of it goes to
 * its registers, and what its return costs is charged in advance. */
bool vm_calls_tail(const VmUnit *unit, const VmFlow *flow, const VmFlowBlock *block)
{
    VcodeInstr i = flow->code[block->end - 1];
    if (!vm_calls_printed(unit, i) || (uint32_t)vcode_imm32(i) != flow->index || !block->successors ||
        vcode_n(i) > VM_NATIVE_ARGUMENTS)
        return false;
    uint32_t next = flow->edges[block->successor];
    VcodeInstr last = flow->code[block->end];
    if (flow->blocks[next].end != block->end + 1)
        return false;
    return (vcode_op(last) == VCODE_RET && vcode_a(last) == vcode_a(i)) || vcode_op(last) == VCODE_RETV;
}

static bool uses_frame(const VmFlow *flow)
{
    const VcodeFunction *f = flow->function;
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++) {
        VcodeOp op = vcode_op(flow->code[pc]);
        if (op == VCODE_ENTER || op == VCODE_ALLOCA || op == VCODE_SETSP)
            return true;
    }
    return false;
}

bool vm_calls_use_tails(const VmUnit *unit, const VmFlow *flow)
{
    bool any = false;
    if (!unit->calls[flow->index].quiet || flow->huge || flow->jumps || flow->parts || uses_frame(flow))
        return false;
    for (uint32_t w = 0; w < flow->web_count; w++)
        if (flow->webs[w].undefined)
            return false;
    for (uint32_t k = 0; k < flow->order_count && !any; k++)
        any = vm_calls_tail(unit, flow, &flow->blocks[flow->order[k]]);
    return any;
}

static void print_tail(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    VcodeInstr i = p->flow->code[pc];
    const VmFlowBlock *behind = vm_flow_successor(p->flow, block, 0);
    vm_shortcut_print_tail(p, block);
    g_string_append_printf(p->out, "if (UNLIKELY(t == k->tail_end || fuel < %" G_GUINT64_FORMAT "%s)) goto x%u; ",
                           vm_print_least_for_call(p->unit, p->flow) + block->cost + behind->cost,
                           vcode_a(i) ? " || NO_ROOM()" : "", vm_exit_before(p, pc));
    g_string_append_printf(p->out, "*t++ = %u; ", pc);
    for (uint32_t r = 0; r < vcode_a(i); r++) {
        if (!vm_flow_live(p->flow, p->flow->edges[block->successor], r) || p->now[r] == VCODE_NONE)
            continue;
        g_string_append_printf(p->out, "R[%u] = ", r);
        vm_print_operand(p, r, VM_KIND_I);
        g_string_append(p->out, "; ");
    }
    vm_print_charge(p, block);
    vm_print_charge(p, behind);
    for (uint32_t k = 0; k < vcode_n(i); k++) {
        g_string_append_printf(p->out, "p%u = ", k);
        vm_print_operand(p, vcode_a(i) + k, VM_KIND_I);
        g_string_append(p->out, "; ");
    }
    g_string_append_printf(p->out, "R += %u; goto again;", vcode_a(i));
}

/* A call of what `callee`, a C expression, is the address of. Nothing is known of it. */
static void print_call_through(VmPrinter *p, const VmFlowBlock *block, const char *callee)
{
    uint32_t pc = block->end - 1;
    uint32_t window = vcode_a(p->flow->code[pc]), n = vcode_n(p->flow->code[pc]);
    vm_print_charge(p, block);
    print_arguments_to_window(p, window, VM_NATIVE_ARGUMENTS, n);
    g_string_append(p->out, "Outcome o = ((Outcome (*)(State *, uint64_t *, int64_t");
    for (uint32_t k = 0; k < MIN(n, VM_NATIVE_ARGUMENTS); k++)
        g_string_append(p->out, ", uint64_t");
    g_string_append_printf(p->out, "))%s)(k, R + %u, fuel", callee, window);
    print_arguments(p, window, n);
    g_string_append(p->out, "); ");
    print_after_call(p, pc, -1);
    g_string_append(p->out, " }");
}

/* A function that this unit does not have may be in another one, or in one that took more time. */
static void print_call_elsewhere(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    g_string_append_printf(p->out,
                           "{ void (*there)(void) = __atomic_load_n(&k->functions[%u].call, __ATOMIC_ACQUIRE); "
                           "if (UNLIKELY(!there)) goto x%u; ",
                           (uint32_t)vcode_imm32(p->flow->code[pc]), vm_exit_before(p, pc));
    print_call_through(p, block, "there");
}

static void print_call(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    VcodeInstr i = p->flow->code[pc];
    uint32_t callee = (uint32_t)vcode_imm32(i), window = vcode_a(i), n = vcode_n(i);
    if (!vm_calls_printed(p->unit, i)) {
        if (calls_elsewhere(p->unit, i))
            print_call_elsewhere(p, block);
        else
            vm_calls_print_exit(p, pc);
        return;
    }
    if (jumps(p, block)) {
        print_tail(p, block);
        return;
    }
    int64_t held = held_back(p, block, callee);
    vm_shortcut_print_call(p, block);
    vm_print_charge(p, block);
    if (p->uses_tails && !calls_copy(p, block))
        g_string_append(p->out, "k->tail = t; ");
    print_arguments_to_window(p, window, VM_NATIVE_ARGUMENTS, n);
    g_string_append_printf(p->out, "{ Outcome o = f%u", callee);
    if (calls_copy(p, block))
        g_string_append_printf(p->out, "_%u", p->copy + 1);
    if (calls_copy(p, block))
        g_string_append_printf(p->out, "(k, R, fuel, %u%s%s", window, p->copy ? " + w" : "",
                               p->uses_tails ? ", t" : "");
    else
        g_string_append_printf(p->out, "(k, R + %u%s, fuel", window, p->copy ? " + w" : "");
    if (held > 0)
        g_string_append_printf(p->out, " - %" G_GINT64_FORMAT, held);
    print_arguments(p, window, n);
    g_string_append(p->out, "); ");
    print_after_call(p, pc, held);
    g_string_append(p->out, " }");
}

static void print_indirect_call(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    VcodeInstr i = p->flow->code[pc];
    uint32_t n = vcode_n(i);
    g_string_append(p->out, "{ uint64_t at = ");
    vm_print_operand(p, vcode_b(i), VM_KIND_I);
    g_string_append_printf(p->out,
                           " - CODE_BASE; at = at >> 4 | at << 60; if (UNLIKELY(at >= FUNCTIONS || "
                           "SHAPE_OF(at) != %u)) goto x%u; ",
                           vm_call_shape(n, vcode_c(i) >= VCODE_PASS_SLOTS) + 1, vm_exit_before(p, pc));
    print_call_through(p, block, "CALLEE(at).call");
}

static void print_intrinsic(VmPrinter *p, const VmFlowBlock *block, const VmIntrinsic *intrinsic)
{
    uint32_t pc = block->end - 1;
    g_string_append(p->out, "{ ");
    for (unsigned k = 0; k < intrinsic->arity; k++) {
        g_string_append_printf(p->out, "%s %c = ", intrinsic->kind == VM_KIND_D ? "double" : "float", 'x' + (int)k);
        vm_print_operand(p, vcode_a(p->flow->code[pc]) + k, intrinsic->kind);
        g_string_append(p->out, "; ");
    }
    g_string_append_printf(p->out, "if (UNLIKELY(%s)) goto x%u; ", intrinsic->refuses, vm_exit_before(p, pc));
    vm_print_charge(p, block);
    const char *close = vm_print_target(p, pc, intrinsic->kind);
    g_string_append_printf(p->out, "%s%s } ", intrinsic->expression, close);
    vm_calls_print_lost(p, pc);
    vm_web_step(p->flow, pc, p->now);
    vm_print_go_on(p, block);
}

static void print_extern(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    VcodeInstr i = p->flow->code[pc];
    vm_print_charge(p, block);
    g_string_append(p->out, "{ ");
    vm_print_library_call(p, pc);
    g_string_append(p->out, "{ ");
    print_arguments_to_window(p, vcode_a(i), 0, vcode_n(i));
    g_string_append_printf(p->out, "fuel = k->external(k, R, %u, fuel); } } ", pc);
    vm_web_step(p->flow, pc, p->now);
    uint32_t label = vm_exit_after(p, pc, VM_EXIT_AFTER_EXTERNAL, -1);
    const VmExit *e = &g_array_index(p->exits, VmExit, label);
    if (!block->successors) {
        g_string_append_printf(p->out, "goto a%u; ", label);
        return;
    }
    if (p->flow->huge) { /* a request still needs its arguments */
        g_string_append_printf(p->out, "if (HAS_LEFT(fuel)) goto a%u; ", label);
        vm_calls_print_lost(p, pc);
    }
    g_string_append_printf(p->out, "if (UNLIKELY(fuel < %" G_GUINT64_FORMAT ")) goto a%u; ", least_behind(p, block),
                           label);
    if (e->result_web != VCODE_NONE) {
        uint32_t reg = e->result_reg;
        const char *close = vm_print_target(p, pc, VM_KIND_I);
        g_string_append_printf(p->out, "R[%u]%s ", reg, close);
    }
    print_limits(p);
    if (!p->flow->huge)
        vm_calls_print_lost(p, pc);
    vm_print_go_on(p, block);
}

void vm_print_call(VmPrinter *p, const VmFlowBlock *block)
{
    VcodeInstr i = p->flow->code[block->end - 1];
    if (vcode_op(i) == VCODE_CALL) {
        print_call(p, block);
        return;
    }
    if (vcode_op(i) == VCODE_CALLI) {
        print_indirect_call(p, block);
        return;
    }
    const VmIntrinsic *intrinsic = vm_flow_intrinsic(p->flow->image, i);
    if (intrinsic)
        print_intrinsic(p, block, intrinsic);
    else if (wants_frames(p->flow, i))
        vm_calls_print_exit(p, block->end - 1);
    else
        print_extern(p, block);
}
