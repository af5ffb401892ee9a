/* pipeline_branches.c - which branches a processor is likely to predict wrongly.
 *
 * That depends on data, which the model does not have. But branches that order a value from memory (sorting, searching)
 * are mostly the bad ones. Branches that test such a value against a constant or for equality are bad sometimes. The
 * end of a loop comes as a surprise, unless it comes after a few turns, constant in number. A value is "from memory" if
 * a load in the same loop, or outside loops in the same block, gave it, or arithmetic on such a value.
 *
 * A compiler that has conditional moves uses them in place of some branches: those around a few instructions between
 * registers, and those that choose between two neighbouring loads. The test whether a loop is entered at all has the
 * loop's own condition, so it is left to the loop's branch.
 */
#include "vm/timing/pipeline.h"

enum { LONGEST_ARM = 3, LONGEST_RECORD = 12, GUARD_DISTANCE = 24, PREDICTED_TURNS = 32 };

bool vm_pipeline_is_conditional(VcodeOp op)
{
    VcodeForm form = vcode_op_info[op].form;
    return form == VCODE_FORM_BRR || form == VCODE_FORM_BRI;
}

uint32_t vm_pipeline_target(uint32_t at, VcodeInstr i)
{
    if (vcode_op(i) == VCODE_JMP)
        return at + 1 + (uint32_t)vcode_imm32(i);
    return vm_pipeline_is_conditional(vcode_op(i)) ? at + 1 + (uint32_t)vcode_off24(i) : VCODE_NONE;
}

bool vm_pipeline_never_falls(VcodeOp op)
{
    switch (op) {
    case VCODE_JMP:
    case VCODE_JMPR:
    case VCODE_SWITCH:
    case VCODE_RET:
    case VCODE_RETV:
    case VCODE_TRAP: return true;
    default: return false;
    }
}

/* -- conditional moves ------------------------------------------------------------------------- */

/* The code between a branch and where its two ways meet, or one of two such parts. */
typedef struct Arm {
    uint32_t instructions, loads, moves;
    unsigned base;   /* base register of the last load */
    unsigned source; /* source register of the last move */
    int written;     /* the one register that the arm changes; -1: none */
    bool simple;     /* a compiler can replace it by conditional moves */
} Arm;

static Arm look_at_arm(const Pipeline *p, uint32_t from, uint32_t to)
{
    Arm arm = {.written = -1, .simple = true};
    for (uint32_t k = from; k < to && arm.simple; k++) {
        VcodeInstr i = p->code[k];
        VcodeCost class = vcode_op_info[vcode_op(i)].cost;
        int written = vm_effects(i).written;
        if (vcode_op(i) == VCODE_FALL)
            continue;
        arm.instructions++;
        if (class == VCODE_COST_LOAD) {
            arm.loads++;
            arm.base = vcode_b(i);
        } else if (class == VCODE_COST_MOVE) {
            arm.moves++;
            arm.source = vcode_op(i) == VCODE_MOV ? vcode_b(i) : VCODE_NONE;
        }
        arm.simple = arm.instructions <= LONGEST_ARM && (arm.written < 0 || arm.written == written) &&
                     (class == VCODE_COST_MOVE || class == VCODE_COST_INTEGER || class == VCODE_COST_LOAD);
        arm.written = written;
    }
    return arm;
}

bool vm_pipeline_compares_floating(VcodeOp op)
{
    switch (op) {
    case VCODE_BEQ_D:
    case VCODE_BNE_D:
    case VCODE_BLT_D:
    case VCODE_BLE_D:
    case VCODE_BNLT_D:
    case VCODE_BNLE_D: return true;
    default: return false;
    }
}

/* There are no conditional moves of floating-point numbers, but minimum and maximum. */
static bool can_be_selected(VcodeInstr branch, Arm arm)
{
    if (!vm_pipeline_compares_floating(vcode_op(branch)) || arm.moves == 0)
        return true;
    unsigned a = vcode_a(branch), b = vcode_b(branch), to = (unsigned)arm.written;
    return arm.instructions == 1 && ((arm.source == a && to == b) || (arm.source == b && to == a));
}

uint32_t vm_pipeline_hammock(const Pipeline *p, uint32_t at)
{
    uint32_t target = vm_pipeline_target(at, p->code[at]);
    if (!vm_pipeline_is_conditional(vcode_op(p->code[at])) || target <= at + 1 || target > at + LONGEST_ARM + 2 ||
        target >= p->function->code_count)
        return VCODE_NONE;
    bool two = vcode_op(p->code[target - 1]) == VCODE_JMP;
    Arm arm = look_at_arm(p, at + 1, two ? target - 1 : target);
    if (!two)
        return arm.simple && arm.loads == 0 && can_be_selected(p->code[at], arm) ? target : VCODE_NONE;
    uint32_t end = vm_pipeline_target(target - 1, p->code[target - 1]);
    if (end <= target || end > target + LONGEST_ARM + 1 || end >= p->function->code_count)
        return VCODE_NONE;
    Arm other = look_at_arm(p, target, end);
    bool same_loads = arm.loads == other.loads && (arm.loads == 0 || (arm.loads == 1 && arm.base == other.base));
    return arm.simple && other.simple && same_loads && arm.written == other.written &&
                   !vm_pipeline_compares_floating(vcode_op(p->code[at]))
               ? end
               : VCODE_NONE;
}

/* -- kinds ------------------------------------------------------------------------------------- */

static bool is_constant(const Pipeline *p, unsigned r)
{
    return r < p->registers && !p->varies[r];
}

/* Whether a branch compares two values, neither of them a constant. */
static bool compares_two(const Pipeline *p, VcodeInstr i)
{
    return vcode_op_info[vcode_op(i)].form == VCODE_FORM_BRR && !is_constant(p, vcode_a(i)) &&
           !is_constant(p, vcode_b(i));
}

static bool orders(const Pipeline *p, VcodeInstr i)
{
    switch (vcode_op(i)) {
    case VCODE_BLT:
    case VCODE_BLE:
    case VCODE_BLTU:
    case VCODE_BLEU:
    case VCODE_BLT_D:
    case VCODE_BLE_D:
    case VCODE_BNLT_D:
    case VCODE_BNLE_D: break;
    default: return false;
    }
    return compares_two(p, i);
}

/* Whether two branches compare the same things, in either order. */
static bool compare_same(VcodeInstr x, VcodeInstr y)
{
    if (!vm_pipeline_is_conditional(vcode_op(y)) || vcode_op_info[vcode_op(x)].form != vcode_op_info[vcode_op(y)].form)
        return false;
    return (vcode_a(x) == vcode_a(y) && vcode_b(x) == vcode_b(y)) ||
           (vcode_op_info[vcode_op(x)].form == VCODE_FORM_BRR && vcode_a(x) == vcode_b(y) && vcode_b(x) == vcode_a(y));
}

static bool is_guard(const Pipeline *p, uint32_t at)
{
    for (guint k = 0; k < p->loops->len; k++) {
        const PipelineLoop *loop = &g_array_index(p->loops, PipelineLoop, k);
        if (loop->top > at && loop->top <= at + GUARD_DISTANCE && compare_same(p->code[at], p->code[loop->end]))
            return true;
    }
    return false;
}

/* Whether the code that a branch skips puts one compared value where the other one came from. That is a search for the
 * least or greatest value, in which the record rarely changes. */
static bool keeps_record(const Pipeline *p, uint32_t at)
{
    VcodeInstr branch = p->code[at];
    uint32_t target = vm_pipeline_target(at, branch);
    unsigned a = vcode_a(branch), b = vcode_b(branch);
    if (target <= at || target > at + LONGEST_RECORD || !compares_two(p, branch))
        return false;
    for (uint32_t k = at + 1; k < target; k++) {
        VcodeInstr i = p->code[k];
        if (vcode_op(i) == VCODE_MOV && ((vcode_a(i) == a && vcode_b(i) == b) || (vcode_a(i) == b && vcode_b(i) == a)))
            return true;
        if (vcode_op_info[vcode_op(i)].cost != VCODE_COST_STORE)
            continue;
        for (uint32_t before = at; before-- > 0 && before + LONGEST_RECORD > at;) {
            VcodeInstr load = p->code[before];
            if (vcode_op_info[vcode_op(load)].cost == VCODE_COST_LOAD && (vcode_a(load) == a || vcode_a(load) == b) &&
                vcode_a(load) != vcode_a(i) && vcode_b(load) == vcode_b(i) && vcode_c(load) == vcode_c(i))
                return true;
        }
    }
    return false;
}

uint64_t vm_pipeline_branch_cost(const Pipeline *p, uint32_t at, bool loaded)
{
    if (vcode_op(p->code[at]) == VCODE_SWITCH)
        return p->costs->branch_switch_q8;
    if (!loaded || !vm_pipeline_is_conditional(vcode_op(p->code[at])) || vm_pipeline_hammock(p, at) != VCODE_NONE ||
        is_guard(p, at))
        return 0;
    return orders(p, p->code[at]) && !keeps_record(p, at) ? p->costs->branch_order_q8 : p->costs->branch_test_q8;
}

/* -- turns ------------------------------------------------------------------------------------- */

/* Whether an instruction counts: it adds a constant or shifts by one. */
static bool is_step(VcodeOp op)
{
    switch (op) {
    case VCODE_ADDI_W:
    case VCODE_ADDI_UW:
    case VCODE_ADDI_L:
    case VCODE_SHLI_W:
    case VCODE_SHLI_UW:
    case VCODE_SHLI_L:
    case VCODE_SARI_W:
    case VCODE_SARI_L:
    case VCODE_SHRI_UW:
    case VCODE_SHRI_UL: return true;
    default: return false;
    }
}

/* Finds the only instruction of a loop that writes a register; VCODE_NONE: none does. Returns false if several do. */
static bool only_write(const Pipeline *p, const PipelineLoop *loop, unsigned r, uint32_t *where)
{
    *where = VCODE_NONE;
    for (uint32_t at = loop->top; at <= loop->end; at++) {
        if (vm_effects(p->code[at]).written != (int)r)
            continue;
        if (*where != VCODE_NONE)
            return false;
        *where = at;
    }
    return true;
}

/* Finds the instruction by which a loop counts in a register: i = i + 1, or next = i + 1 and i = next. VCODE_NONE: the
 * register does not change. Returns false if it changes otherwise. */
static bool step_of(const Pipeline *p, const PipelineLoop *loop, unsigned r, uint32_t *where)
{
    if (!only_write(p, loop, r, where) || *where == VCODE_NONE)
        return *where == VCODE_NONE;
    if (vcode_op(p->code[*where]) == VCODE_MOV &&
        (!only_write(p, loop, vcode_b(p->code[*where]), where) || *where == VCODE_NONE))
        return false;
    return is_step(vcode_op(p->code[*where])) && vcode_b(p->code[*where]) == r;
}

/* Like step_of(), for a register that is compared. It may be the counter or its next value. */
static bool counter_of(const Pipeline *p, const PipelineLoop *loop, unsigned r, uint32_t *step)
{
    if (step_of(p, loop, r, step))
        return true;
    return *step != VCODE_NONE && only_write(p, loop, r, step) && is_step(vcode_op(p->code[*step])) &&
           step_of(p, loop, vcode_b(p->code[*step]), step);
}

bool vm_pipeline_evolves(const Pipeline *p, const PipelineLoop *loop, unsigned r)
{
    uint32_t step;
    return !step_of(p, loop, r, &step);
}

bool vm_pipeline_counts(const Pipeline *p, const PipelineLoop *loop, uint32_t at)
{
    VcodeInstr i = p->code[at];
    uint32_t a, b = VCODE_NONE;
    if (vcode_op_info[vcode_op(i)].form == VCODE_FORM_BRR && !counter_of(p, loop, vcode_b(i), &b))
        return false;
    return counter_of(p, loop, vcode_a(i), &a) && (a != VCODE_NONE || b != VCODE_NONE);
}

uint64_t vm_pipeline_exit_cost(const Pipeline *p, const PipelineLoop *loop, uint32_t at)
{
    if (vm_pipeline_counts(p, loop, at)) {
        uint64_t turns = vm_pipeline_turns(p, loop);
        return turns && turns <= PREDICTED_TURNS ? 0 : p->costs->branch_exit_q8;
    }
    return compares_two(p, p->code[at]) ? p->costs->exit_order_q8 : p->costs->exit_test_q8;
}

/* Finds the constant that a register has on entry to a loop. Returns false if it has none, or if it is too far to
 * see. */
static bool initial_constant(const Pipeline *p, uint32_t top, unsigned r, int64_t *value)
{
    for (uint32_t at = top; at-- > 0;) {
        VmEffects e = vm_effects(p->code[at]);
        if (e.written != (int)r)
            continue;
        *value = vcode_imm32(p->code[at]);
        return vcode_op(p->code[at]) == VCODE_MOVI;
    }
    return false;
}

static int64_t next_value(VcodeInstr step, int64_t value)
{
    int64_t by = (int16_t)vcode_c(step);
    switch (vcode_op(step)) {
    case VCODE_ADDI_W:
    case VCODE_ADDI_UW:
    case VCODE_ADDI_L: return value + by;
    case VCODE_SHLI_W:
    case VCODE_SHLI_UW:
    case VCODE_SHLI_L: return (int64_t)((uint64_t)value << (by & 63));
    default: return value >> (by & 63);
    }
}

/* Counts from the initial constant to the one in the branch. Loops that shift have few turns, so they are simulated;
 * the number of turns of others can be calculated. */
uint64_t vm_pipeline_turns(const Pipeline *p, const PipelineLoop *loop)
{
    enum { MOST_SHIFTS = 64 };
    VcodeInstr branch = p->code[loop->end], step;
    unsigned r = vcode_a(branch);
    uint32_t where;
    int64_t start, limit = (int16_t)vcode_b(branch);
    if (vcode_op_info[vcode_op(branch)].form != VCODE_FORM_BRI || !initial_constant(p, loop->top, r, &start) ||
        !step_of(p, loop, r, &where) || where == VCODE_NONE)
        return 0;
    step = p->code[where];
    int64_t way = limit - start, stride = next_value(step, 0);
    if (stride)
        return (uint64_t)(ABS(way) / ABS(stride) + 1);
    for (uint64_t turns = 1; turns <= MOST_SHIFTS; turns++) {
        start = next_value(step, start);
        if (way > 0 ? start >= limit : start <= limit)
            return turns;
    }
    return 0;
}
