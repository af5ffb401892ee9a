/* lanes.c - loops over elements, run over vectors of them.
 *
 *     n = turns that fill vectors; if no store meets another access in them:
 *     u7: the block, each double being two of them; steps once more for each further element; if (n -= 2) goto u7
 *     p7: the strip and the loop, for what is left
 *
 * C compilers would do it by themselves, did we not forbid them to exchange operands (arithmetic.def). Loads and stores
 * that go from element to element are vectors; what does not change is spread over one.
 */
#include "vm/translate/loops.h"

#include <string.h>

static char letter(const VmStrip *strip)
{
    return strip->lane_size == 8 ? 'd' : 'f';
}

static VmKind kind_of(const VmStrip *strip)
{
    return strip->lane_size == 8 ? VM_KIND_D : VM_KIND_F;
}

static unsigned width(const VmStrip *strip)
{
    return 16 / strip->lane_size;
}

bool vm_lanes_compute(VcodeOp op, VmKind kind)
{
    bool computes = vm_compute_is_ordered(op) || op == VCODE_NEG_D || op == VCODE_ABS_D || op == VCODE_NEG_F;
    return computes && vm_flow_signatures[op].result == kind;
}

/* -- what must hold ---------------------------------------------------------------------------- */

/* That the store and another access meet at most in the same turn. */
static void print_apart(VmPrinter *p, const VmLane *store, const VmLane *other, unsigned size)
{
    bool same = strcmp(store->first, other->first) == 0 && other->steps;
    bool ahead = !other->store && other->steps && other->pc < store->pc;
    if (same || (other->store && other <= store))
        return;
    g_string_append_printf(p->out, "\n        && %s(%s, %s, n * %u)", ahead ? "READ_AHEAD" : "APART", store->first,
                           other->first, size);
}

static void print_all_apart(VmPrinter *p, const VmStrip *strip)
{
    for (guint k = 0; k < strip->lanes->len; k++) {
        const VmLane *store = &g_array_index(strip->lanes, VmLane, k);
        for (guint l = 0; store->store && l < strip->lanes->len; l++)
            print_apart(p, store, &g_array_index(strip->lanes, VmLane, l), strip->lane_size);
    }
}

/* -- the block --------------------------------------------------------------------------------- */

static uint32_t set_by(const VmPrinter *p, uint32_t pc)
{
    return p->flow->set_web[pc - p->flow->function->code_start];
}

static bool is_set_in(const VmPrinter *p, const VmFlowBlock *block, uint32_t web)
{
    for (uint32_t pc = block->start; pc < block->end; pc++)
        if (set_by(p, pc) == web)
            return true;
    return false;
}

static bool is_at_beginning(const VmPrinter *p, uint32_t web)
{
    return p->flow->entry_web[(size_t)p->block * p->flow->function->registers + p->flow->webs[web].reg] == web;
}

/* A register that holds an element, or the same for all. */
static void print_lanes_of(VmPrinter *p, const VmFlowBlock *block, uint32_t reg)
{
    uint32_t web = p->now[reg];
    if (is_set_in(p, block, web)) {
        g_string_append_printf(p->out, "v%u", web);
        return;
    }
    g_string_append_printf(p->out, "SPREAD_%c(", letter(p->strip));
    vm_print_web(p, web);
    g_string_append_c(p->out, ')');
}

static void print_address(VmPrinter *p, VcodeInstr i)
{
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    vm_print_operand(p, vcode_b(i), VM_KIND_I);
    if (form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX) {
        g_string_append(p->out, " + (");
        vm_print_operand(p, vcode_c(i), VM_KIND_I);
        g_string_append_printf(p->out, " << %u)", vcode_n(i));
    } else {
        g_string_append_printf(p->out, " + (uint64_t)%d", vcode_simm_c(i));
    }
}

static void print_lane_access(VmPrinter *p, const VmFlowBlock *block, const VmLane *lane)
{
    VcodeInstr i = p->flow->code[lane->pc];
    char of = letter(p->strip);
    if (!lane->store)
        g_string_append_printf(p->out, "v%u = ", set_by(p, lane->pc));
    if (lane->steps)
        g_string_append_printf(p->out, "(*(m_lanes_%c *)(memory + (", of);
    else
        g_string_append_printf(p->out, "SPREAD_%c(*(m_%s *)(memory + (", of, of == 'd' ? "double" : "float");
    print_address(p, i);
    g_string_append(p->out, ")))");
    if (lane->store) {
        g_string_append(p->out, " = ");
        print_lanes_of(p, block, vcode_a(i));
    }
    g_string_append_c(p->out, ';');
}

/* What adds up goes on being one number. */
static void print_sum(VmPrinter *p, const VmFlowBlock *block, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    uint32_t sum = set_by(p, pc);
    bool first = p->now[vcode_b(i)] == sum;
    g_string_append_printf(p->out, "{ lanes_%c v = ", letter(p->strip));
    print_lanes_of(p, block, first ? vcode_c(i) : vcode_b(i));
    g_string_append_c(p->out, ';');
    for (unsigned k = 0; k < width(p->strip); k++) {
        g_string_append_c(p->out, ' ');
        vm_print_web(p, sum);
        g_string_append_printf(p->out, first ? " = %s(" : " = %s(v[%u], ", vm_compute_name(vcode_op(i)), k);
        vm_print_web(p, sum);
        if (first)
            g_string_append_printf(p->out, ", v[%u]", k);
        g_string_append(p->out, ");");
    }
    g_string_append(p->out, " }");
}

static void print_lane_operation(VmPrinter *p, const VmFlowBlock *block, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    if (is_at_beginning(p, set_by(p, pc))) {
        print_sum(p, block, pc);
        return;
    }
    g_string_append_printf(p->out, "v%u = LANES_%s(", set_by(p, pc), vm_compute_name(vcode_op(i)));
    print_lanes_of(p, block, vcode_b(i));
    if (vm_flow_signatures[vcode_op(i)].c != VM_KIND_NONE) {
        g_string_append(p->out, ", ");
        print_lanes_of(p, block, vcode_c(i));
    }
    g_string_append(p->out, ");");
}

static void print_in_lanes(VmPrinter *p, const VmFlowBlock *block, uint32_t pc)
{
    for (guint k = 0; k < p->strip->lanes->len; k++)
        if (g_array_index(p->strip->lanes, VmLane, k).pc == pc) {
            print_lane_access(p, block, &g_array_index(p->strip->lanes, VmLane, k));
            return;
        }
    if (vm_lanes_compute(vcode_op(p->flow->code[pc]), kind_of(p->strip)))
        print_lane_operation(p, block, pc);
    else
        vm_print_instruction(p, pc);
}

static void declare_lanes(VmPrinter *p, const VmFlowBlock *block)
{
    for (uint32_t pc = block->start; pc < block->end; pc++) {
        uint32_t web = set_by(p, pc);
        bool first = web != VCODE_NONE && p->flow->webs[web].kind == kind_of(p->strip) && !is_at_beginning(p, web);
        for (uint32_t before = block->start; first && before < pc; before++)
            first = set_by(p, before) != web;
        if (first)
            g_string_append_printf(p->out, " lanes_%c v%u;", letter(p->strip), web);
    }
}

/* What counts turns has stepped by one element in the block itself. */
static void print_further_steps(VmPrinter *p, const VmFlowBlock *block)
{
    vm_web_begin(p->flow, p->block, p->now);
    for (uint32_t pc = block->start; pc + 1 < block->end; pc++) {
        uint32_t web = set_by(p, pc);
        bool steps = web != VCODE_NONE && p->flow->webs[web].kind == VM_KIND_I && is_at_beginning(p, web);
        for (unsigned k = 1; steps && k < width(p->strip); k++) {
            vm_print_instruction(p, pc);
            g_string_append_c(p->out, ' ');
        }
        vm_web_step(p->flow, pc, p->now);
    }
}

static void print_turn(VmPrinter *p, const VmFlowBlock *block)
{
    vm_web_begin(p->flow, p->block, p->now);
    for (uint32_t pc = block->start; pc + 1 < block->end; pc++) {
        g_string_append(p->out, "\n    ");
        print_in_lanes(p, block, pc);
        vm_web_step(p->flow, pc, p->now);
    }
    g_string_append(p->out, "\n    ");
    print_further_steps(p, block);
}

/* Whether nothing behind the loop reads what only its last turn knows. */
static bool may_end(const VmPrinter *p, const VmStrip *strip)
{
    const VmFlowBlock *block = &p->flow->blocks[strip->header];
    const uint32_t *out = p->flow->entry_web + (size_t)strip->out * p->flow->function->registers;
    for (uint32_t pc = block->start; pc < block->end; pc++) {
        uint32_t web = set_by(p, pc);
        if (web != VCODE_NONE && out[p->flow->webs[web].reg] == web && !is_at_beginning(p, web))
            return false;
    }
    return true;
}

void vm_print_lanes(VmPrinter *p, const VmStrip *strip)
{
    const VmFlowBlock *block = &p->flow->blocks[strip->header];
    uint64_t cost = vm_strip_turn(p, strip);
    uint32_t outside = p->block;
    p->block = strip->header;
    bool ends = may_end(p, strip);
    g_string_append_printf(p->out,
                           "    n = all < MOST_TRIPS ? all : MOST_TRIPS;\n    if (n * %" G_GUINT64_FORMAT
                           " > fuel) n = IS_SHORT(all, %" G_GUINT64_FORMAT ") ? 0 : fuel / %" G_GUINT64_FORMAT
                           ";\n    n = (n - %u) / %u * %u;\n    if (n >= %u",
                           cost, cost, cost, !ends, width(strip), width(strip), 2 * width(strip));
    p->strip = strip;
    vm_strip_print_tests(p, strip);
    print_all_apart(p, strip);
    g_string_append(p->out, ") { turns = n;");
    declare_lanes(p, block);
    g_string_append_printf(p->out, "\nu%u:", strip->header);
    print_turn(p, block);
    g_string_append_printf(p->out, "\n    if ((n -= %u) > 0) goto u%u; fuel -= turns * %" G_GUINT64_FORMAT "; ",
                           width(strip), strip->header, cost);
    p->strip = NULL;
    if (ends) {
        g_string_append(p->out, "if (turns == all) { ");
        vm_print_goto(p, strip->out);
        g_string_append(p->out, " } ");
    }
    g_string_append(p->out, "}\n");
    p->block = outside;
}
