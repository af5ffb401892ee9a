/* nests.c - nests of loops whose lengths are constants, run without tests.
 *
 *     for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) { s = 0; for (k = 0; k < 4; k++) s += a[i][k] * b[k][j]; ... }
 *
 * Each loop of such a nest counts in steps of a constant, from a constant to a constant, so how often everything in it
 * is done at most, and what that costs, is known; and so are the intervals of what is computed from counters, and of
 * addresses: an object of the frame, a static one, or what a register holds as the nest begins, plus an interval. Where
 * the fuel lasts and the few addresses that are not known are private, a copy of the nest runs without a test, and C
 * compilers unroll it as they would unroll the source.
 */
#include "vm/translate/loops.h"

enum {
    LONGEST = 64,       /* turns of a loop */
    LARGEST = 250,      /* instructions */
    MOST_UNROLLED = 64, /* instructions of all turns of a loop */
    DEEPEST = 8,        /* steps from an address back to counters */
    MOST_BASES = 8,     /* registers whose addresses are tested */
    MOST_SETS = 2,      /* instructions that set what is followed */
    FRAME = UINT32_MAX - 1
};
#define MOST_COST (UINT64_C(1) << 22)
#define FAR       (INT64_C(1) << 40)

typedef struct Nest {
    const VmPrinter *p;
    const VmFlow *flow;
    VmStrip *strip;
    uint32_t (*operands)[3];       /* by instruction of the function: webs of a, b, c before it */
    uint32_t *sets;                /* by web: how many instructions of the nest set it */
    uint32_t (*set_at)[MOST_SETS]; /* ... which */
    unsigned bases;
} Nest;

/* base + [low, high]; the base is a web as the nest begins, FRAME, or VCODE_NONE. */
typedef struct Interval {
    uint32_t base;
    int64_t low, high;
} Interval;

static uint32_t local(const Nest *n, uint32_t pc)
{
    return pc - n->flow->function->code_start;
}

static bool is_in(const VmFlow *flow, uint32_t loop, uint32_t nest)
{
    while (loop != VCODE_NONE && loop != nest)
        loop = flow->loops[loop].outer;
    return loop == nest;
}

bool vm_nest_has(const VmFlow *flow, const VmStrip *strip, uint32_t block)
{
    return is_in(flow, flow->blocks[block].loop, strip->loop);
}

static uint32_t loop_at(const Nest *n, uint32_t pc)
{
    return n->flow->blocks[n->flow->block_of[local(n, pc)]].loop;
}

static bool is_at_header(const Nest *n, uint32_t web, uint32_t loop)
{
    const VmFlow *flow = n->flow;
    return flow->entry_web[(size_t)flow->loops[loop].header * flow->function->registers + flow->webs[web].reg] == web;
}

/* Whether instruction `first` has been run, since the loops around both began their turns, whenever `then` is. */
static bool precedes(const Nest *n, uint32_t first, uint32_t then)
{
    uint32_t b = n->flow->block_of[local(n, first)], c = n->flow->block_of[local(n, then)];
    return b == c ? first < then : vm_flow_dominates(n->flow, b, c);
}

/* -- counters ---------------------------------------------------------------------------------- */

/* Whether the instruction adds a constant to what it sets, in each turn of its loop. */
static bool is_step(const Nest *n, uint32_t pc, int64_t *step)
{
    VcodeInstr i = n->flow->code[pc];
    uint32_t set = n->flow->set_web[local(n, pc)], loop = loop_at(n, pc);
    VcodeOp op = vcode_op(i);
    *step = vcode_simm_c(i);
    return (op == VCODE_ADDI_L || op == VCODE_ADDI_W) && n->operands[local(n, pc)][1] == set && *step != 0 &&
           is_at_header(n, set, loop) &&
           vm_flow_dominates(n->flow, n->flow->block_of[local(n, pc)], n->flow->loops[loop].latch);
}

/* The constant that a web of the outermost loop begins with, if an instruction outside says so; the copy is run only
 * where it does. */
static bool find_first(const Nest *n, uint32_t web, int64_t *first)
{
    const VmFlow *flow = n->flow;
    uint32_t start = flow->function->code_start;
    for (uint32_t pc = start; pc < start + flow->function->code_count; pc++)
        if (flow->set_web[pc - start] == web && vcode_op(flow->code[pc]) == VCODE_MOVI &&
            !vm_nest_has(flow, n->strip, flow->block_of[pc - start])) {
            *first = vcode_imm32(flow->code[pc]);
            return true;
        }
    return false;
}

static void require_first(Nest *n, uint32_t web, int64_t first)
{
    for (guint k = 0; k < n->strip->fits->len; k++)
        if (g_array_index(n->strip->fits, VmFit, k).web == web)
            return;
    VmFit fit = {.web = web, .value = first};
    g_array_append_val(n->strip->fits, fit);
}

/* Whether the branch is taken for two values; `known`: whether it compares them at all. */
static bool goes_on(VcodeOp op, int64_t a, int64_t b, bool *known)
{
    *known = true;
    switch (op) {
    case VCODE_BLT:
    case VCODE_BLTI: return a < b;
    case VCODE_BLE:
    case VCODE_BLEI: return a <= b;
    case VCODE_BGTI: return a > b;
    case VCODE_BGEI: return a >= b;
    case VCODE_BLTU:
    case VCODE_BLTUI: return (uint64_t)a < (uint64_t)b;
    case VCODE_BLEU: return (uint64_t)a <= (uint64_t)b;
    case VCODE_BGEUI: return (uint64_t)a >= (uint64_t)b;
    case VCODE_BNE:
    case VCODE_BNEI: return a != b;
    default: *known = false; return false;
    }
}

/* The instruction that steps the web in its loop, and what it begins with. */
static bool find_counter(Nest *n, uint32_t web, uint32_t loop, uint32_t *at, int64_t *first)
{
    int64_t step;
    uint32_t count = n->sets[web];
    for (uint32_t k = 0; k < MIN(count, MOST_SETS); k++) {
        *at = n->set_at[web][k];
        if (loop_at(n, *at) != loop || !is_step(n, *at, &step))
            continue;
        if (count == 1 && loop == n->strip->loop && find_first(n, web, first)) {
            require_first(n, web, *first);
            return true;
        }
        uint32_t begin = n->set_at[web][!k];
        if (count == 2 && vcode_op(n->flow->code[begin]) == VCODE_MOVI &&
            loop_at(n, begin) == n->flow->loops[loop].outer &&
            vm_flow_dominates(n->flow, n->flow->block_of[local(n, begin)], n->flow->loops[loop].header)) {
            *first = vcode_imm32(n->flow->code[begin]);
            return true;
        }
    }
    return false;
}

static bool constant_of(const Nest *n, uint32_t web, int64_t *value)
{
    const VmRoot *root = web == VCODE_NONE ? NULL : &n->p->roots[web];
    *value = root ? (int64_t)root->value : 0;
    return root && root->kind == VM_ROOT_CONSTANT;
}

/* How often the loop turns at most, by the test at its end. */
static bool find_turns(Nest *n, uint32_t loop)
{
    const VmFlow *flow = n->flow;
    const VmFlowLoop *l = &flow->loops[loop];
    if (l->latch == VCODE_NONE)
        return false;
    uint32_t pc = flow->blocks[l->latch].end - 1, at;
    VcodeInstr i = flow->code[pc];
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    int64_t bound = vcode_simm_b(i), first, step;
    uint32_t web = n->operands[local(n, pc)][0];
    if ((form != VCODE_FORM_BRI && form != VCODE_FORM_BRR) || web == VCODE_NONE ||
        flow->block_of[local(n, flow->blocks[l->latch].end) + (uint32_t)vcode_off24(i)] != l->header)
        return false;
    if (form == VCODE_FORM_BRR && !constant_of(n, n->operands[local(n, pc)][1], &bound))
        return false;
    if (!find_counter(n, web, loop, &at, &first) || !is_step(n, at, &step) || !precedes(n, at, pc))
        return false;
    uint32_t turns = 1;
    bool known;
    for (int64_t v = first + step; turns <= LONGEST && goes_on(vcode_op(i), v, bound, &known); v += step)
        turns++;
    n->strip->turns[loop] = turns;
    return known && turns <= LONGEST;
}

/* -- intervals --------------------------------------------------------------------------------- */

static bool find_interval(Nest *n, uint32_t web, uint32_t use, unsigned depth, Interval *v);

static bool is_near(const Interval *v)
{
    return v->low > -FAR && v->high < FAR && v->low <= v->high;
}

static bool is_word(const Interval *v)
{
    return v->base == VCODE_NONE && v->low >= INT32_MIN && v->high <= INT32_MAX;
}

static bool scale(Interval *v, int64_t factor)
{
    if (v->base != VCODE_NONE || factor < 0 || factor > INT32_MAX || v->low < INT32_MIN || v->high > INT32_MAX)
        return false;
    v->low *= factor;
    v->high *= factor;
    return true;
}

static bool add(Interval *v, const Interval *b, const Interval *c)
{
    if (b->base != VCODE_NONE && c->base != VCODE_NONE)
        return false;
    *v = (Interval){b->base == VCODE_NONE ? c->base : b->base, b->low + c->low, b->high + c->high};
    return true;
}

static bool subtract(Interval *v, const Interval *b, const Interval *c)
{
    *v = (Interval){b->base, b->low - c->high, b->high - c->low};
    return c->base == VCODE_NONE;
}

/* What an instruction makes whatever it is given; false where that may be anything. */
static bool find_bounded(VcodeInstr i, Interval *v)
{
    *v = (Interval){VCODE_NONE, 0, 0};
    switch (vcode_op(i)) {
    case VCODE_MOVI: v->low = v->high = vcode_imm32(i); return true;
    case VCODE_ANDI: v->high = vcode_simm_c(i); return v->high >= 0;
    case VCODE_LD8U:
    case VCODE_LDX8U:
    case VCODE_ZEXT8: v->high = UINT8_MAX; return true;
    case VCODE_LD16U:
    case VCODE_LDX16U:
    case VCODE_ZEXT16: v->high = UINT16_MAX; return true;
    default: return false;
    }
}

static bool find_made(Nest *n, uint32_t pc, unsigned depth, Interval *v)
{
    VcodeInstr i = n->flow->code[pc];
    VcodeOp op = vcode_op(i);
    const uint32_t *operand = n->operands[local(n, pc)];
    Interval b, c = {VCODE_NONE, 0, 0};
    if (find_bounded(i, v))
        return true;
    bool two = op == VCODE_ADD_L || op == VCODE_ADD_W || op == VCODE_SUB_L || op == VCODE_SUB_W || op == VCODE_LEAX;
    if (!find_interval(n, operand[1], pc, depth - 1, &b) || (two && !find_interval(n, operand[2], pc, depth - 1, &c)))
        return false;
    *v = b;
    switch (op) {
    case VCODE_MOV: return true;
    case VCODE_SEXT32: return is_word(v);
    case VCODE_ADDI_L:
    case VCODE_ADDI_W:
        v->low += vcode_simm_c(i);
        v->high += vcode_simm_c(i);
        return is_near(v) && (op == VCODE_ADDI_L || is_word(v));
    case VCODE_ADD_L:
    case VCODE_ADD_W: return add(v, &b, &c) && is_near(v) && (op == VCODE_ADD_L || is_word(v));
    case VCODE_SUB_L:
    case VCODE_SUB_W: return subtract(v, &b, &c) && is_near(v) && (op == VCODE_SUB_L || is_word(v));
    case VCODE_SHLI_L:
        return scale(v, (vcode_simm_c(i) & 63) < 31 ? INT64_C(1) << (vcode_simm_c(i) & 63) : -1) && is_near(v);
    case VCODE_SHLI_W:
        return scale(v, (vcode_simm_c(i) & 31) < 31 ? INT64_C(1) << (vcode_simm_c(i) & 31) : -1) && is_word(v);
    case VCODE_MULI_L: return scale(v, vcode_simm_c(i)) && is_near(v);
    case VCODE_MULI_W: return scale(v, vcode_simm_c(i)) && is_word(v);
    case VCODE_LEAX: return scale(&c, INT64_C(1) << vcode_n(i)) && add(v, &b, &c) && is_near(v);
    default: return false;
    }
}

/* The values of a web that begins with `v` and steps in its loop, where `use` reads it. */
static void widen_by_steps(const Nest *n, uint32_t at, uint32_t use, int64_t step, Interval *v)
{
    int64_t turns = n->strip->turns[loop_at(n, at)];
    bool inside = is_in(n->flow, loop_at(n, use), loop_at(n, at)), behind = precedes(n, at, use);
    int64_t first = inside && behind ? step : 0, way = inside ? step * (turns - 1) : step * turns;
    v->low += first + MIN(way, 0);
    v->high += first + MAX(way, 0);
}

static bool find_stepped(Nest *n, uint32_t web, uint32_t use, unsigned depth, Interval *v)
{
    int64_t step, first;
    uint32_t count = n->sets[web];
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = n->set_at[web][k], loop = loop_at(n, at);
        if (!is_step(n, at, &step))
            continue;
        if (count == 1 && loop == n->strip->loop) {
            *v = (Interval){web, 0, 0};
            if (find_first(n, web, &first)) {
                require_first(n, web, first);
                *v = (Interval){VCODE_NONE, first, first};
            }
        } else {
            uint32_t begin = n->set_at[web][!k];
            if (count != 2 || loop_at(n, begin) != n->flow->loops[loop].outer ||
                !vm_flow_dominates(n->flow, n->flow->block_of[local(n, begin)], n->flow->loops[loop].header) ||
                !precedes(n, begin, use) || !find_made(n, begin, depth, v))
                return false;
        }
        widen_by_steps(n, at, use, step, v);
        return is_near(v);
    }
    return false;
}

/* The values that a web may have where `use` reads it. */
static bool find_interval(Nest *n, uint32_t web, uint32_t use, unsigned depth, Interval *v)
{
    if (web == VCODE_NONE || depth == 0 || n->sets[web] > MOST_SETS || n->flow->webs[web].kind != VM_KIND_I)
        return false;
    if (n->sets[web] == 0) {
        const VmRoot *root = &n->p->roots[web];
        *v = root->kind == VM_ROOT_CONSTANT ? (Interval){VCODE_NONE, (int64_t)root->value, (int64_t)root->value}
             : root->kind == VM_ROOT_FRAME  ? (Interval){FRAME, (int64_t)root->value, (int64_t)root->value}
                                            : (Interval){web, 0, 0};
        return is_near(v);
    }
    if (find_stepped(n, web, use, depth, v))
        return true;
    uint32_t at = n->set_at[web][0];
    return n->sets[web] == 1 && precedes(n, at, use) && !is_at_header(n, web, loop_at(n, at)) &&
           find_made(n, at, depth, v);
}

/* -- accesses ---------------------------------------------------------------------------------- */

static bool add_range(Nest *n, uint32_t base, int64_t low, int64_t high)
{
    for (guint k = 0; k < n->strip->ranges->len; k++) {
        VmRange *range = &g_array_index(n->strip->ranges, VmRange, k);
        if (range->base == base) {
            range->low = MIN(range->low, low);
            range->high = MAX(range->high, high);
            return true;
        }
    }
    VmRange range = {.base = base, .low = low, .high = high};
    g_array_append_val(n->strip->ranges, range);
    return ++n->bases <= MOST_BASES;
}

/* Whether the interval is part of an object that is there for sure, or is tested to be. */
static bool covers(Nest *n, const Interval *v, unsigned size)
{
    const VcodeModule *m = n->flow->module;
    uint64_t objects = m->data.count + m->bss_bytes, low = (uint64_t)v->low, high = (uint64_t)v->high + size;
    if (v->base == FRAME)
        return v->low >= 0 && high <= n->flow->image->functions[n->flow->index].enter_bytes;
    if (v->base == VCODE_NONE)
        return low >= m->data_base && low <= high && high - m->data_base <= objects;
    return v->high - v->low < INT32_MAX && add_range(n, v->base, v->low, v->high + size);
}

/* Notes an access that stays where it may; false where it may go anywhere. */
static bool find_access(Nest *n, uint32_t pc)
{
    VcodeInstr i = n->flow->code[pc];
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    bool indexed = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
    unsigned size = vm_access_size(vcode_op(i));
    const uint32_t *operand = n->operands[local(n, pc)];
    Interval base, index = {VCODE_NONE, 0, 0}, address;
    if (form == VCODE_FORM_BLOCK)
        return false;
    if (!size)
        return true;
    if (!find_interval(n, operand[1], pc, DEEPEST, &base) ||
        (indexed && (!find_interval(n, operand[2], pc, DEEPEST, &index) || !scale(&index, INT64_C(1) << vcode_n(i)))) ||
        !add(&address, &base, &index))
        return false;
    address.low += indexed ? 0 : vcode_simm_c(i);
    address.high += indexed ? 0 : vcode_simm_c(i);
    if (!is_near(&address) || !covers(n, &address, size))
        return false;
    n->strip->proven[local(n, pc) / 64] |= UINT64_C(1) << local(n, pc) % 64;
    return true;
}

/* -- the nest as a whole ----------------------------------------------------------------------- */

static bool may_hold(const VmFlow *flow, uint32_t b)
{
    const VmFlowBlock *block = &flow->blocks[b];
    if (block->checkpoint && flow->loops[block->loop].header != b)
        return false;
    for (uint32_t pc = block->start; pc < block->end; pc++)
        if (!vm_loop_may_hold(flow, flow->code[pc]))
            return false;
    return true;
}

static bool collect(Nest *n, uint64_t bias)
{
    const VmFlow *flow = n->flow;
    g_autofree uint32_t *now = g_new(uint32_t, flow->function->registers + 1);
    uint32_t instructions = 0;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k];
        const VmFlowBlock *block = &flow->blocks[b];
        if (!vm_nest_has(flow, n->strip, b))
            continue;
        instructions += block->end - block->start;
        if (instructions > LARGEST || !may_hold(flow, b))
            return false;
        for (uint32_t s = 0; s < block->successors; s++) {
            uint32_t to = flow->edges[block->successor + s];
            if (!vm_nest_has(flow, n->strip, to) && flow->blocks[to].ahead > bias)
                return false;
        }
        vm_web_begin(flow, b, now);
        for (uint32_t pc = block->start; pc < block->end; pc++) {
            VcodeInstr i = flow->code[pc];
            uint32_t *operand = n->operands[local(n, pc)], set = flow->set_web[local(n, pc)];
            operand[0] = vcode_a(i) < flow->function->registers ? now[vcode_a(i)] : VCODE_NONE;
            operand[1] = vcode_b(i) < flow->function->registers ? now[vcode_b(i)] : VCODE_NONE;
            operand[2] = vcode_c(i) < flow->function->registers ? now[vcode_c(i)] : VCODE_NONE;
            if (set != VCODE_NONE && n->sets[set]++ < MOST_SETS)
                n->set_at[set][n->sets[set] - 1] = pc;
            vm_web_step(flow, pc, now);
        }
    }
    return true;
}

/* Whether a test at the end of each of its loops counts its turns. */
static bool find_lengths(Nest *n)
{
    for (uint32_t l = 0; l < n->flow->loop_count; l++)
        if (is_in(n->flow, l, n->strip->loop) && !find_turns(n, l))
            return false;
    return true;
}

/* The most that all turns of the nest charge together. */
static uint64_t cost_of(const Nest *n)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n->flow->order_count; k++) {
        const VmFlowBlock *block = &n->flow->blocks[n->flow->order[k]];
        uint64_t cost = block->cost;
        if (!vm_nest_has(n->flow, n->strip, n->flow->order[k]))
            continue;
        for (uint32_t l = block->loop;; l = n->flow->loops[l].outer) {
            if (cost > MOST_COST)
                return UINT64_MAX;
            cost *= n->strip->turns[l];
            if (l == n->strip->loop)
                break;
        }
        sum += cost;
    }
    return sum;
}

static bool find_accesses(Nest *n)
{
    for (uint32_t k = 0; k < n->flow->order_count; k++) {
        const VmFlowBlock *block = &n->flow->blocks[n->flow->order[k]];
        for (uint32_t pc = block->start; vm_nest_has(n->flow, n->strip, n->flow->order[k]) && pc < block->end; pc++)
            if (!find_access(n, pc))
                return false;
    }
    return true;
}

VmStrip *vm_nest_new(const VmPrinter *p, uint32_t loop)
{
    const VmFlow *flow = p->flow;
    uint32_t count = flow->function->code_count;
    VmStrip *strip = vm_loop_strip_empty(flow, loop);
    strip->nest = true;
    Nest n = {.p = p, .flow = flow, .strip = strip};
    n.operands = g_malloc0_n(count, sizeof *n.operands);
    n.sets = g_new0(uint32_t, flow->web_count + 1);
    n.set_at = g_malloc0_n(flow->web_count + 1, sizeof *n.set_at);
    strip->turns = g_new0(uint32_t, flow->loop_count + 1);
    bool found = collect(&n, p->unit->bias) && find_lengths(&n) && find_accesses(&n);
    strip->cost = found ? cost_of(&n) : 0;
    g_free(n.operands);
    g_free(n.sets);
    g_free(n.set_at);
    if (found && strip->cost <= MOST_COST)
        return strip;
    vm_loop_strip_free(strip);
    return NULL;
}

/* -- printing ---------------------------------------------------------------------------------- */

static bool is_whole(const VmPrinter *p, const VmStrip *strip)
{
    for (uint32_t b = 0; b < p->flow->block_count; b++)
        if (p->flow->blocks[b].reached && vm_nest_has(p->flow, strip, b) && !p->region[b])
            return false;
    return true;
}

/* A block that is a loop by itself is printed as often as it turns, without its test: C compilers think that too much.
 */
static void print_block(VmPrinter *p, const VmStrip *strip, uint32_t b)
{
    const VmFlowBlock *block = &p->flow->blocks[b];
    const VmFlowLoop *loop = &p->flow->loops[block->loop];
    uint32_t turns = strip->turns[block->loop];
    g_string_append_printf(p->out, "n%u:", b);
    p->unrolled = loop->header == b && loop->latch == b && turns * (block->end - block->start) <= MOST_UNROLLED;
    for (p->further = p->unrolled ? turns : 1; p->further-- > 0;)
        vm_print_instructions(p, b);
    p->unrolled = false;
}

void vm_print_nest(VmPrinter *p, const VmStrip *strip)
{
    g_string_append_printf(p->out, "p%u:\n", strip->header);
    if (!is_whole(p, strip))
        return;
    g_string_append_printf(p->out, "    if (fuel >= %" G_GUINT64_FORMAT, strip->cost);
    for (guint k = 0; k < strip->fits->len; k++) {
        const VmFit *fit = &g_array_index(strip->fits, VmFit, k);
        g_string_append(p->out, " && ");
        vm_print_web(p, fit->web);
        g_string_append_printf(p->out, " == (uint64_t)%" G_GINT64_FORMAT, fit->value);
    }
    for (guint k = 0; k < strip->ranges->len; k++) {
        const VmRange *range = &g_array_index(strip->ranges, VmRange, k);
        g_string_append(p->out, "\n        && WALKS(");
        vm_print_web(p, range->base);
        g_string_append_printf(p->out, " + (uint64_t)%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ")", range->low,
                               range->high - range->low);
    }
    g_string_append_printf(p->out, ") {\n    goto n%u;\n", strip->header);
    p->strip = strip;
    for (uint32_t k = 0; k < p->flow->order_count; k++) {
        uint32_t b = p->flow->order[k];
        if (!vm_nest_has(p->flow, strip, b) || p->selects[b].absorbed)
            continue;
        print_block(p, strip, b);
    }
    p->strip = NULL;
    g_string_append(p->out, "    }\n");
}
