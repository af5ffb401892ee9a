/* loops.c - counted loops: how often they turn, and where their accesses go, before they begin.
 *
 * Testing fuel and addresses in every iteration costs, and no compiler vectorises a loop that may be left in the middle
 * of its body. So an innermost loop whose number of iterations can be told when it begins gets a second copy, the
 * strip:
 *
 *     n = iterations that the counted test allows, at most as many as the fuel pays
 *     if all accesses at addresses a + k * b, k < n, are private:  run n iterations without tests
 *     go on with the ordinary loop, or leave it
 *
 * What is needed are induction variables (a web whose only instruction in the loop adds an invariant to it) and values
 * that follow from them linearly. 32-bit arithmetic on the way is linear only while it does not wrap; whether it does
 * shows in its first and last value.
 */
#include "vm/translate/linear.h"

#include <string.h>

enum { LARGEST = 1500, WORD = 32, NEAR = 48, UNBOUNDED = 65, MOST_VALUES = 3, MOST_LANES = 12 };

#define MOST_COST (UINT64_C(1) << 31)

G_GNUC_PRINTF(2, 3) static const char *text(VmLoopAnalysis *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *made = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_ptr_array_add(a->texts, made);
    return made;
}

/* -- webs in the loop -------------------------------------------------------------------------- */

static const char *name_of(VmLoopAnalysis *a, uint32_t web)
{
    static const char *const open[] = {"", "", "from_double(", "from_float("};
    const VmWeb *w = &a->flow->webs[web];
    const char *close = w->kind == VM_KIND_I ? "" : ")";
    return w->number ? text(a, "%sr%u_%u%s", open[w->kind], w->reg, w->number, close)
                     : text(a, "%sr%u%s", open[w->kind], w->reg, close);
}

/* The step of an induction variable; false where the web is none. */
static bool find_step(VmLoopAnalysis *a, uint32_t web, VmLinear *step)
{
    const VmFlow *flow = a->flow;
    uint32_t at = a->set_at[web];
    if (a->sets[web] != 1 || !vm_loop_enters_with(a, web) || flow->webs[web].kind != VM_KIND_I ||
        !vm_flow_dominates(flow, vm_loop_block_at(a, at), flow->loops[a->loop].latch))
        return false;
    VcodeInstr i = flow->code[at];
    uint32_t b = a->operands[vm_loop_local(a, at)][1], c = a->operands[vm_loop_local(a, at)][2];
    switch (vcode_op(i)) {
    case VCODE_ADDI_L:
    case VCODE_ADDI_W:
    case VCODE_ADDI_UW:
        *step = (VmLinear){.constant = vcode_simm_c(i), .known = true, .step = text(a, "%d", vcode_simm_c(i))};
        return b == web;
    case VCODE_ADD_L:
        if (b != web && c != web)
            return false;
        b = b == web ? c : b;
        *step = (VmLinear){.step = text(a, "(int64_t)%s", name_of(a, b))};
        return b != web && a->sets[b] == 0;
    default: return false;
    }
}

static void add_fit(VmLoopAnalysis *a, uint32_t pc, const VmLinear *value, bool is_unsigned)
{
    uint64_t *plain = &a->strip->plain[vm_loop_local(a, pc) / 64], bit = UINT64_C(1) << vm_loop_local(a, pc) % 64;
    if (*plain & bit)
        return;
    *plain |= bit;
    VmFit fit = {
        .first = g_strdup(value->first), .step = g_strdup(value->step ? value->step : "0"), .is_unsigned = is_unsigned};
    g_array_append_val(a->strip->fits, fit);
}

bool vm_loop_add(VmLoopAnalysis *a, const VmLinear *b, const VmLinear *c, char sign, VmLinear *sum)
{
    *sum = (VmLinear){.first = text(a, "(%s %c %s)", b->first, sign, c->first), .bits = MAX(b->bits, c->bits) + 1};
    sum->known = b->known && c->known;
    sum->constant = sign == '+' ? b->constant + c->constant : b->constant - c->constant;
    if (!b->step && !c->step)
        sum->step = NULL;
    else if (sum->known)
        sum->step = text(a, "%" G_GINT64_FORMAT, sum->constant);
    else
        sum->step = text(a, "(%s %c %s)", b->step ? b->step : "0", sign, c->step ? c->step : "0");
    return true;
}

bool vm_loop_multiply(VmLoopAnalysis *a, const VmLinear *b, int64_t factor, VmLinear *product)
{
    if (factor == 0)
        return false;
    *product =
        (VmLinear){.first = text(a, "(%s * (uint64_t)%" G_GINT64_FORMAT ")", b->first, factor), .bits = b->bits + WORD};
    product->known = b->known;
    product->constant = (int64_t)((uint64_t)b->constant * (uint64_t)factor);
    product->step = !b->step   ? NULL
                    : b->known ? text(a, "%" G_GINT64_FORMAT, product->constant)
                               : text(a, "(%s * %" G_GINT64_FORMAT ")", b->step, factor);
    return true;
}

/* The value that the instruction at `at` computes. */
static bool find_computed(VmLoopAnalysis *a, uint32_t at, unsigned depth, VmLinear *value)
{
    VcodeInstr i = a->flow->code[at];
    const uint32_t *operand = a->operands[vm_loop_local(a, at)];
    VmLinear b, c = {.known = true, .first = ""};
    VcodeOp op = vcode_op(i);
    if (op == VCODE_MOVI) {
        *value = (VmLinear){.first = text(a, "(uint64_t)%d", vcode_imm32(i)), .known = true, .bits = WORD};
        return true;
    }
    bool two = op == VCODE_ADD_L || op == VCODE_ADD_W || op == VCODE_SUB_L || op == VCODE_SUB_W || op == VCODE_LEAX;
    bool one = op == VCODE_MOV || op == VCODE_SEXT32 || op == VCODE_ADDI_L || op == VCODE_ADDI_W ||
               op == VCODE_SHLI_L || op == VCODE_SHLI_W || op == VCODE_MULI_L || op == VCODE_MULI_W;
    if ((!one && !two) || !vm_loop_linear(a, operand[1], at, depth - 1, &b) ||
        (two && !vm_loop_linear(a, operand[2], at, depth - 1, &c)))
        return false;
    bool found = false;
    switch (op) {
    case VCODE_MOV:
    case VCODE_SEXT32: *value = b, found = true; break;
    case VCODE_ADD_L:
    case VCODE_ADD_W: found = vm_loop_add(a, &b, &c, '+', value); break;
    case VCODE_SUB_L:
    case VCODE_SUB_W: found = vm_loop_add(a, &b, &c, '-', value); break;
    case VCODE_ADDI_L:
    case VCODE_ADDI_W:
        *value = b;
        value->first = text(a, "(%s + (uint64_t)%d)", b.first, vcode_simm_c(i));
        value->bits = MAX(b.bits, WORD) + 1;
        value->offset += vcode_simm_c(i);
        found = true;
        break;
    case VCODE_SHLI_L: found = vm_loop_multiply(a, &b, INT64_C(1) << (vcode_simm_c(i) & 31), value); break;
    case VCODE_SHLI_W: found = vm_loop_multiply(a, &b, INT64_C(1) << (vcode_simm_c(i) & 15), value); break;
    case VCODE_MULI_L:
    case VCODE_MULI_W: found = vm_loop_multiply(a, &b, vcode_simm_c(i), value); break;
    case VCODE_LEAX: {
        VmLinear scaled = c;
        found = vm_loop_multiply(a, &c, INT64_C(1) << vcode_n(i), &scaled) && vm_loop_add(a, &b, &scaled, '+', value);
        break;
    }
    default: break;
    }
    if (op == VCODE_SHLI_L && (vcode_simm_c(i) & 63) > 31)
        return false;
    if (op == VCODE_SHLI_W && (vcode_simm_c(i) & 31) > 15)
        return false;
    bool narrow = op == VCODE_SEXT32 || op == VCODE_ADD_W || op == VCODE_SUB_W || op == VCODE_ADDI_W ||
                  op == VCODE_SHLI_W || op == VCODE_MULI_W;
    if (found && narrow)
        add_fit(a, at, value, false);
    return found;
}

/* The web's value where the instruction `use` reads it. */
bool vm_loop_linear(VmLoopAnalysis *a, uint32_t web, uint32_t use, unsigned depth, VmLinear *value)
{
    if (web == VCODE_NONE || depth == 0)
        return false;
    unsigned bits = a->flow->webs[web].bits;
    *value = (VmLinear){.first = name_of(a, web), .known = true, .bits = bits, .is_word = bits <= WORD};
    if (a->sets[web] == 0)
        return true;
    VmLinear step;
    uint32_t at = a->set_at[web];
    if (find_step(a, web, &step)) {
        value->step = step.step;
        value->constant = step.constant;
        value->known = step.known;
        if (vm_loop_precedes(a, at, use)) {
            value->first = text(a, "(%s + %s)", value->first, step.step);
            value->bits = step.known ? MAX(bits, WORD) + 1 : UNBOUNDED;
            value->is_word = value->is_word && step.known;
            value->offset = step.constant;
        }
        if (vcode_op(a->flow->code[at]) != VCODE_ADDI_L && vcode_op(a->flow->code[at]) != VCODE_ADD_L) {
            VmLinear next = {.first = text(a, "(%s + %s)", name_of(a, web), step.step), .step = step.step};
            add_fit(a, at, &next, vcode_op(a->flow->code[at]) == VCODE_ADDI_UW);
        }
        return true;
    }
    if (a->sets[web] != 1 || vm_loop_enters_with(a, web) || !vm_loop_precedes(a, at, use))
        return false;
    return vm_hoists_stay(a, at) || find_computed(a, at, depth, value);
}

/* -- the counted test -------------------------------------------------------------------------- */

typedef enum Relation { LESS, LESS_EQUAL, UNEQUAL, NO_RELATION } Relation;

typedef struct Test {
    Relation relation;
    bool is_unsigned;
    bool swapped; /* b relation a */
} Test;

/* What the branch tests, and its negation's test if it must not be taken to go on. */
static Test test_of(VcodeOp op, bool taken_goes_on)
{
    switch (op) {
    case VCODE_BLT:
    case VCODE_BLTI: return taken_goes_on ? (Test){LESS, false, false} : (Test){LESS_EQUAL, false, true};
    case VCODE_BLE:
    case VCODE_BLEI: return taken_goes_on ? (Test){LESS_EQUAL, false, false} : (Test){LESS, false, true};
    case VCODE_BGTI: return taken_goes_on ? (Test){LESS, false, true} : (Test){LESS_EQUAL, false, false};
    case VCODE_BGEI: return taken_goes_on ? (Test){LESS_EQUAL, false, true} : (Test){LESS, false, false};
    case VCODE_BLTU:
    case VCODE_BLTUI: return taken_goes_on ? (Test){LESS, true, false} : (Test){LESS_EQUAL, true, true};
    case VCODE_BLEU: return taken_goes_on ? (Test){LESS_EQUAL, true, false} : (Test){LESS, true, true};
    case VCODE_BGEUI: return taken_goes_on ? (Test){LESS_EQUAL, true, true} : (Test){LESS, true, false};
    case VCODE_BNE:
    case VCODE_BNEI: return (Test){taken_goes_on ? UNEQUAL : NO_RELATION, false, false};
    case VCODE_BEQ:
    case VCODE_BEQI: return (Test){taken_goes_on ? NO_RELATION : UNEQUAL, false, false};
    default: return (Test){NO_RELATION, false, false};
    }
}

/* Where what the test compares, or will be when it is compared next, goes on in steps of one from a 32-bit integer to
 * another, all on the way are such. */
static void note_limits(VmLoopAnalysis *a, Test test, const VmLinear *moving, const VmLinear *bound)
{
    bool away = moving->constant > 0 ? moving->offset >= 0 : moving->offset <= 0;
    bool beyond = test.relation == LESS_EQUAL && !bound->is_constant;
    a->limited = !test.is_unsigned && (moving->constant == 1 || moving->constant == -1) && moving->is_word && away &&
                 !beyond && bound->is_word && bound->offset == 0;
    a->limited_first = moving->first;
    a->limited_step = moving->step;
}

/* The C text that counts how often "left relation right" holds in a row, the difference moving by `step`. */
static const char *count_of(VmLoopAnalysis *a, Test test, const VmLinear *left, const VmLinear *right)
{
    const VmLinear *moving = left->step ? left : right;
    if ((left->step && right->step) || !moving->step || !moving->known || moving->constant == 0)
        return NULL;
    int64_t step = moving->constant;
    bool equal = test.relation == LESS_EQUAL;
    bool near = !test.is_unsigned && left->bits <= NEAR && right->bits <= NEAR;
    const char *function = test.is_unsigned ? "trips_unsigned" : near ? "trips_near" : "trips";
    if (test.relation == UNEQUAL) /* symmetrical: put the one that moves to the left */
        return text(a, "trips_unequal(%s, %s, %" G_GINT64_FORMAT ")", moving->first,
                    (moving == left ? right : left)->first, step);
    bool grows = moving == left ? step > 0 : step < 0;
    if (!grows)
        return NULL; /* true for ever or false at once */
    a->strip->known = near;
    note_limits(a, test, moving, moving == left ? right : left);
    return text(a, "%s(%s, %s, %" G_GINT64_FORMAT ", %d)", function, left->first, right->first, step < 0 ? -step : step,
                equal);
}

static bool try_test(VmLoopAnalysis *a, uint32_t b, bool bottom)
{
    const VmFlow *flow = a->flow;
    const VmFlowBlock *block = &flow->blocks[b];
    uint32_t pc = block->end - 1;
    VcodeInstr i = flow->code[pc];
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    if ((form != VCODE_FORM_BRR && form != VCODE_FORM_BRI) || block->successors != 2)
        return false;
    uint32_t taken = flow->block_of[vm_loop_local(a, block->end) + (uint32_t)vcode_off24(i)];
    uint32_t next = flow->block_of[vm_loop_local(a, block->end)];
    uint32_t header = flow->loops[a->loop].header;
    bool taken_goes_on = bottom ? taken == header : vm_loop_has(a, taken);
    uint32_t inside = taken_goes_on ? taken : next, out = taken_goes_on ? next : taken;
    if (vm_loop_has(a, out) || !vm_loop_has(a, inside) || (bottom && inside != header))
        return false;
    Test test = test_of(vcode_op(i), taken_goes_on);
    VmLinear left, right = {.known = true, .bits = WORD, .is_word = true, .is_constant = true};
    if (test.relation == NO_RELATION ||
        !vm_loop_linear(a, a->operands[vm_loop_local(a, pc)][0], pc, VM_LOOP_DEEPEST, &left))
        return false;
    if (form == VCODE_FORM_BRI)
        right.first = text(a, "(uint64_t)%d", vcode_simm_b(i));
    else if (!vm_loop_linear(a, a->operands[vm_loop_local(a, pc)][1], pc, VM_LOOP_DEEPEST, &right))
        return false;
    const char *trips = test.swapped ? count_of(a, test, &right, &left) : count_of(a, test, &left, &right);
    if (!trips)
        return false;
    VmStrip *strip = a->strip;
    strip->trips = g_strdup(trips);
    strip->bottom = bottom;
    strip->inside = inside;
    strip->out = out;
    return true;
}

/* -- accesses ---------------------------------------------------------------------------------- */

static void add_range(VmLoopAnalysis *a, const VmLinear *address, int64_t low, int64_t high)
{
    const char *step = address->step ? address->step : "0";
    for (guint k = 0; k < a->strip->ranges->len; k++) {
        VmRange *range = &g_array_index(a->strip->ranges, VmRange, k);
        if (strcmp(range->first, address->first) == 0 && strcmp(range->step, step) == 0) {
            range->low = MIN(range->low, low);
            range->high = MAX(range->high, high);
            return;
        }
    }
    VmRange range = {.first = g_strdup(address->first),
                     .step = g_strdup(step),
                     .known = address->step && address->known,
                     .constant = address->constant,
                     .low = low,
                     .high = high};
    g_array_append_val(a->strip->ranges, range);
}

static void find_block_access(VmLoopAnalysis *a, uint32_t pc, const uint32_t *operand)
{
    VcodeInstr i = a->flow->code[pc];
    int64_t bytes = vcode_block_bytes(i);
    bool copies = vcode_op(i) == VCODE_BCOPY;
    VmLinear to, from;
    if (!vm_loop_linear(a, operand[0], pc, VM_LOOP_DEEPEST, &to) ||
        (copies && !vm_loop_linear(a, operand[1], pc, VM_LOOP_DEEPEST, &from)))
        return;
    add_range(a, &to, 0, bytes);
    if (copies)
        add_range(a, &from, 0, bytes);
    a->strip->proven[vm_loop_local(a, pc) / 64] |= UINT64_C(1) << vm_loop_local(a, pc) % 64;
}

/* The values that a web may have where `use` reads it, at most MOST_VALUES: one, or those of the branches on the way
 * there. 0: they are not linear. */
static unsigned find_values(VmLoopAnalysis *a, uint32_t web, uint32_t use, VmLinear *values)
{
    if (web == VCODE_NONE)
        return 0;
    if (vm_loop_linear(a, web, use, VM_LOOP_DEEPEST, values))
        return 1;
    if (a->sets[web] < 2 || a->sets[web] > MOST_VALUES || vm_loop_enters_with(a, web))
        return 0;
    unsigned count = 0;
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t pc = block->start; pc < block->end; pc++)
            if (a->flow->set_web[vm_loop_local(a, pc)] == web &&
                !find_computed(a, pc, VM_LOOP_DEEPEST, &values[count++]))
                return 0;
    }
    return count;
}

static void add_lane(VmLoopAnalysis *a, uint32_t pc, const VmLinear *address, int64_t displacement, unsigned size)
{
    VcodeForm form = vcode_op_info[vcode_op(a->flow->code[pc])].form;
    if (address->step && (!address->known || address->constant != size))
        return;
    VmLane lane = {.pc = pc, .steps = address->step, .store = form == VCODE_FORM_STORE || form == VCODE_FORM_STOREX};
    lane.first = g_strdup_printf("(%s + (uint64_t)%" G_GINT64_FORMAT ")", address->first, displacement);
    g_array_append_val(a->strip->lanes, lane);
}

static void add_store(VmLoopAnalysis *a, uint32_t pc, const VmLinear *address, int64_t low, unsigned size)
{
    VmRange store = {.first = g_strdup(address->first), .step = g_strdup(address->step ? address->step : "0")};
    store.base = pc;
    store.low = low;
    store.high = low + (int64_t)size;
    g_array_append_val(a->strip->stores, store);
}

static bool find_access(VmLoopAnalysis *a, uint32_t pc)
{
    VcodeInstr i = a->flow->code[pc];
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    bool indexed = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
    unsigned size = vm_access_size(vcode_op(i));
    const uint32_t *operand = a->operands[vm_loop_local(a, pc)];
    bool store = form == VCODE_FORM_STORE || form == VCODE_FORM_STOREX;
    if (form == VCODE_FORM_BLOCK)
        find_block_access(a, pc, operand);
    if (!size)
        return form != VCODE_FORM_BLOCK;
    if (vm_bit(a->strip->hoisted, vm_loop_local(a, pc)))
        return true;
    VmLinear base, indices[MOST_VALUES], address, scaled;
    if (!vm_loop_linear(a, operand[1], pc, VM_LOOP_DEEPEST, &base))
        return !store;
    unsigned count = indexed ? find_values(a, operand[2], pc, indices) : 1;
    if (!indexed) {
        add_range(a, &base, vcode_simm_c(i), vcode_simm_c(i) + (int64_t)size);
        add_lane(a, pc, &base, vcode_simm_c(i), size);
        if (store)
            add_store(a, pc, &base, vcode_simm_c(i), size);
    }
    for (unsigned k = 0; indexed && k < count; k++) {
        if (!vm_loop_multiply(a, &indices[k], INT64_C(1) << vcode_n(i), &scaled) ||
            !vm_loop_add(a, &base, &scaled, '+', &address))
            return !store;
        add_range(a, &address, 0, size);
        if (store)
            add_store(a, pc, &address, 0, size);
        if (count == 1)
            add_lane(a, pc, &address, 0, size);
    }
    if (!count)
        return !store;
    a->strip->proven[vm_loop_local(a, pc) / 64] |= UINT64_C(1) << vm_loop_local(a, pc) % 64;
    return true;
}

/* -- elements ---------------------------------------------------------------------------------- */

static VmKind kind_of(const VmLoopAnalysis *a, uint32_t web)
{
    return web == VCODE_NONE ? VM_KIND_NONE : (VmKind)a->flow->webs[web].kind;
}

static bool has_lane(const VmLoopAnalysis *a, uint32_t pc)
{
    for (guint k = 0; k < a->strip->lanes->len; k++)
        if (g_array_index(a->strip->lanes, VmLane, k).pc == pc)
            return true;
    return false;
}

/* How often instructions of the loop read a web. */
static unsigned reads_of(const VmLoopAnalysis *a, uint32_t web)
{
    unsigned reads = 0;
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t pc = block->start; pc < block->end; pc++) {
            VmEffects e = vm_effects(a->flow->code[pc]);
            for (unsigned r = 0; r < e.read_count; r++)
                for (unsigned o = 0; o < 3; o++) {
                    uint32_t operand = a->operands[vm_loop_local(a, pc)][o];
                    reads += operand == web && a->flow->webs[web].reg == e.reads[r];
                }
        }
    }
    return reads;
}

/* Whether an instruction adds to what it sets, which nothing else in the loop does: sums are made in order, element
 * after element. */
static bool is_sum(const VmLoopAnalysis *a, uint32_t pc, VmKind kind)
{
    uint32_t set = a->flow->set_web[vm_loop_local(a, pc)];
    const uint32_t *operand = a->operands[vm_loop_local(a, pc)];
    return vm_compute_is_ordered(vcode_op(a->flow->code[pc])) && a->sets[set] == 1 && kind_of(a, set) == kind &&
           (operand[1] == set) != (operand[2] == set) && kind_of(a, operand[1]) == kind &&
           kind_of(a, operand[2]) == kind && reads_of(a, set) <= 2;
}

/* Whether an instruction may stand in a loop over elements because it only leads to addresses. */
static bool is_address_part(VmLoopAnalysis *a, uint32_t pc)
{
    uint32_t set = a->flow->set_web[vm_loop_local(a, pc)];
    VmLinear step;
    return vm_select_harmless(a->flow->code[pc]) && kind_of(a, set) == VM_KIND_I && a->sets[set] == 1 &&
           (!vm_loop_enters_with(a, set) || find_step(a, set, &step));
}

/* Whether an instruction does the same with each element, all being of `kind`, or leads to them. */
static bool is_for_elements(VmLoopAnalysis *a, uint32_t pc, VmKind kind)
{
    VcodeInstr i = a->flow->code[pc];
    uint32_t set = a->flow->set_web[vm_loop_local(a, pc)];
    const uint32_t *operand = a->operands[vm_loop_local(a, pc)];
    unsigned size = vm_access_size(vcode_op(i));
    if (set != VCODE_NONE && kind_of(a, set) != VM_KIND_I && vm_loop_enters_with(a, set))
        return is_sum(a, pc, kind);
    if (vm_bit(a->strip->hoisted, vm_loop_local(a, pc)))
        return true;
    if (size)
        return size == (kind == VM_KIND_D ? 8 : 4) && has_lane(a, pc) &&
               kind_of(a, set == VCODE_NONE ? operand[0] : set) == kind;
    if (!vm_lanes_compute(vcode_op(i), kind))
        return is_address_part(a, pc);
    return kind_of(a, set) == kind && kind_of(a, operand[1]) == kind &&
           (vm_flow_signatures[vcode_op(i)].c == VM_KIND_NONE || kind_of(a, operand[2]) == kind);
}

/* What its instructions compute in which the order of operands matters; NONE: nothing. */
static VmKind kind_of_elements(const VmLoopAnalysis *a, const VmFlowBlock *block)
{
    for (uint32_t pc = block->start; pc < block->end; pc++)
        if (vm_compute_is_ordered(vcode_op(a->flow->code[pc])))
            return (VmKind)vm_flow_signatures[vcode_op(a->flow->code[pc])].result;
    return VM_KIND_NONE;
}

/* A loop of one block that goes from element to element, and hands at most sums on from turn to turn, is run over
 * vectors. */
static void find_lanes(VmLoopAnalysis *a)
{
    const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, 0)];
    VmKind kind = kind_of_elements(a, block);
    bool steps = false;
    if (a->blocks->len != 1 || !a->strip->bottom || a->strip->lanes->len > MOST_LANES || kind == VM_KIND_NONE)
        return;
    for (uint32_t pc = block->start; pc + 1 < block->end; pc++)
        if (!is_for_elements(a, pc, kind))
            return;
    for (guint k = 0; k < a->strip->lanes->len; k++) {
        const VmLane *lane = &g_array_index(a->strip->lanes, VmLane, k);
        steps |= lane->steps;
        if (lane->store && !lane->steps)
            return;
    }
    if (steps)
        a->strip->lane_size = kind == VM_KIND_D ? 8 : 4;
}

/* -- the loop as a whole ----------------------------------------------------------------------- */

bool vm_loop_may_hold(const VmFlow *flow, VcodeInstr i)
{
    switch (vcode_op(i)) {
    case VCODE_CALL:
    case VCODE_CALLI:
    case VCODE_RET:
    case VCODE_RETV:
    case VCODE_TRAP:
    case VCODE_ENTER:
    case VCODE_ALLOCA:
    case VCODE_SETSP:
    case VCODE_SWITCH: return false;
    case VCODE_CALLX: return vm_flow_intrinsic(flow->image, i) != NULL;
    default: return true;
    }
}

static bool is_fit(const VmFlow *flow, uint32_t b, uint32_t header)
{
    const VmFlowBlock *block = &flow->blocks[b];
    if (block->checkpoint && b != header)
        return false;
    for (uint32_t pc = block->start; pc < block->end; pc++)
        if (!vm_loop_may_hold(flow, flow->code[pc]))
            return false;
    return true;
}

/* Collects the loop's blocks; false where something in it is not for a strip. */
static bool collect(VmLoopAnalysis *a, uint64_t bias)
{
    const VmFlow *flow = a->flow;
    const VmFlowLoop *loop = &flow->loops[a->loop];
    uint32_t instructions = 0;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k];
        if (!vm_loop_has(a, b))
            continue;
        const VmFlowBlock *block = &flow->blocks[b];
        if (!is_fit(flow, b, loop->header))
            return false;
        for (uint32_t s = 0; s < block->successors; s++) {
            uint32_t to = flow->edges[block->successor + s];
            if (!vm_loop_has(a, to) && flow->blocks[to].ahead > bias)
                return false;
        }
        instructions += block->end - block->start;
        g_array_append_val(a->blocks, b);
    }
    return instructions <= LARGEST;
}

static void note_webs(VmLoopAnalysis *a)
{
    const VmFlow *flow = a->flow;
    g_autofree uint32_t *now = g_new(uint32_t, flow->function->registers + 1);
    for (guint k = 0; k < a->blocks->len; k++) {
        uint32_t b = g_array_index(a->blocks, uint32_t, k);
        vm_web_begin(flow, b, now);
        for (uint32_t pc = flow->blocks[b].start; pc < flow->blocks[b].end; pc++) {
            VcodeInstr i = flow->code[pc];
            uint32_t *operand = a->operands[vm_loop_local(a, pc)];
            operand[0] = vcode_a(i) < flow->function->registers ? now[vcode_a(i)] : VCODE_NONE;
            operand[1] = vcode_b(i) < flow->function->registers ? now[vcode_b(i)] : VCODE_NONE;
            operand[2] = vcode_c(i) < flow->function->registers ? now[vcode_c(i)] : VCODE_NONE;
            uint32_t set = flow->set_web[vm_loop_local(a, pc)];
            if (set != VCODE_NONE) {
                a->sets[set]++;
                a->set_at[set] = pc;
            }
            vm_web_step(flow, pc, now);
        }
    }
}

/* The most that one iteration charges: the longest way from the header to the latch. */
static uint64_t iteration_cost(const VmLoopAnalysis *a)
{
    const VmFlow *flow = a->flow;
    g_autofree uint64_t *most = g_new0(uint64_t, flow->block_count);
    uint64_t cost = 0;
    for (guint k = a->blocks->len; k-- > 0;) {
        uint32_t b = g_array_index(a->blocks, uint32_t, k);
        const VmFlowBlock *block = &flow->blocks[b];
        uint64_t ahead = 0;
        for (uint32_t s = 0; s < block->successors; s++) {
            uint32_t to = flow->edges[block->successor + s];
            if (vm_loop_has(a, to) && to != flow->loops[a->loop].header)
                ahead = MAX(ahead, most[to]);
        }
        most[b] = block->cost + ahead;
        cost = MAX(cost, most[b]);
    }
    return cost;
}

/* Fits that the counted test implies. */
static void drop_limited(VmLoopAnalysis *a)
{
    GArray *fits = a->strip->fits;
    if (!a->limited)
        return;
    const char *next = text(a, "(%s + %s)", a->limited_first, a->limited_step);
    for (guint k = fits->len; k-- > 0;) {
        const VmFit *fit = &g_array_index(fits, VmFit, k);
        bool same = strcmp(fit->first, a->limited_first) == 0;
        bool follows = !a->strip->bottom && strcmp(fit->first, next) == 0;
        if ((same || follows) && strcmp(fit->step, a->limited_step) == 0 && !fit->is_unsigned)
            g_array_remove_index(fits, k);
    }
}

static bool analyse(VmLoopAnalysis *a, uint64_t bias)
{
    const VmFlowLoop *loop = &a->flow->loops[a->loop];
    if (!collect(a, bias))
        return false;
    note_webs(a);
    if (a->hoists)
        vm_hoists_find(a);
    if (!try_test(a, loop->latch, true) && (loop->latch == loop->header || !try_test(a, loop->header, false)))
        return false;
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t pc = block->start; pc < block->end; pc++)
            a->loose |= !find_access(a, pc);
    }
    if (vm_hoists_collide(a))
        return false;
    drop_limited(a);
    find_lanes(a);
    a->strip->cost = iteration_cost(a);
    return a->strip->cost > 0 && a->strip->cost < MOST_COST;
}

static void clear_range(gpointer range)
{
    g_free(((VmRange *)range)->first);
    g_free(((VmRange *)range)->step);
}
static void clear_lane(gpointer lane)
{
    g_free(((VmLane *)lane)->first);
}
static void clear_hoist(gpointer hoist)
{
    g_free(((VmHoist *)hoist)->address);
}
static void clear_fit(gpointer fit)
{
    g_free(((VmFit *)fit)->first);
    g_free(((VmFit *)fit)->step);
}

VmStrip *vm_loop_strip_empty(const VmFlow *flow, uint32_t loop)
{
    uint32_t words = flow->function->code_count / 64 + 1;
    VmStrip *strip = g_new0(VmStrip, 1);
    *strip = (VmStrip){.loop = loop,
                       .header = flow->loops[loop].header,
                       .latch = flow->loops[loop].latch,
                       .ranges = g_array_new(FALSE, FALSE, sizeof(VmRange)),
                       .fits = g_array_new(FALSE, FALSE, sizeof(VmFit)),
                       .lanes = g_array_new(FALSE, FALSE, sizeof(VmLane)),
                       .hoists = g_array_new(FALSE, FALSE, sizeof(VmHoist)),
                       .stores = g_array_new(FALSE, FALSE, sizeof(VmRange)),
                       .hoisted = g_new0(uint64_t, words),
                       .proven = g_new0(uint64_t, words),
                       .plain = g_new0(uint64_t, words)};
    g_array_set_clear_func(strip->ranges, clear_range);
    g_array_set_clear_func(strip->stores, clear_range);
    g_array_set_clear_func(strip->hoists, clear_hoist);
    g_array_set_clear_func(strip->fits, clear_fit);
    g_array_set_clear_func(strip->lanes, clear_lane);
    return strip;
}

static VmStrip *new_strip(const VmFlow *flow, uint32_t loop, uint64_t bias, bool hoists)
{
    uint32_t count = flow->function->code_count;
    VmStrip *strip = vm_loop_strip_empty(flow, loop);
    VmLoopAnalysis a = {.flow = flow, .loop = loop, .strip = strip, .hoists = hoists};
    a.blocks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    a.sets = g_new0(uint32_t, flow->web_count + 1);
    a.set_at = g_new0(uint32_t, flow->web_count + 1);
    a.operands = g_malloc0_n(count, sizeof *a.operands);
    a.texts = g_ptr_array_new_with_free_func(g_free);
    bool counted = analyse(&a, bias);
    g_array_free(a.blocks, TRUE);
    g_free(a.sets);
    g_free(a.set_at);
    g_free(a.operands);
    g_ptr_array_unref(a.texts);
    if (counted)
        return strip;
    vm_loop_strip_free(strip);
    return NULL;
}

VmStrip *vm_loop_strip_new(const VmFlow *flow, uint32_t loop, uint64_t bias)
{
    if (!flow->loops[loop].innermost || flow->loops[loop].latch == VCODE_NONE)
        return NULL;
    VmStrip *strip = new_strip(flow, loop, bias, true);
    return strip ? strip : new_strip(flow, loop, bias, false);
}

void vm_loop_strip_free(VmStrip *strip)
{
    if (!strip)
        return;
    g_free(strip->trips);
    g_array_unref(strip->ranges);
    g_array_unref(strip->fits);
    g_array_unref(strip->lanes);
    g_array_unref(strip->hoists);
    g_array_unref(strip->stores);
    g_free(strip->hoisted);
    g_free(strip->turns);
    g_free(strip->proven);
    g_free(strip->plain);
    g_free(strip);
}
