/* pipeline.c - what a block costs beyond the sum of its instructions: waiting for results, and mispredicted branches.
 * It is part of the cost model only if a machine says so. All of it is static, so that each block has one cost.
 *
 * A processor that executes several instructions at once is held up by chains of dependent ones. The chains that matter
 * go round a loop: each turn waits for the last one.
 *
 *     top:  ld64  r1, [r2+0]         throughput: 4 instructions' costs
 *           add   r3, r3, r1         chains:     r2 -> r2, a load;  r3 -> r3, an add
 *           ld64  r2, [r2+8]         a turn takes the larger of throughput and the longest chain: the difference is
 *           bnei  r2, 0, top         charged at the first block of the loop
 *
 * Innermost loops are walked several times, with the instant at which each register's value is there. Where paths join,
 * the mean of their instants counts. It is weighted by how often each path is taken if every branch goes either way
 * equally often. A loop inside another one, whose chain begins anew each time, overlaps with its neighbours as far as
 * the processor looks ahead (costs->window). Then only the part of the chain that the window does not cover is waited
 * for.
 */
#include "vm/timing/pipeline.h"
#include "vm/timing/timing.h"

#include <string.h>

enum {
    WALKS = 6,
    MEASURED = 3,
    LONGEST_LOOP = 1000,
    MOST_REGISTERS = 256,
    FARTHEST_ENTRY = 500,
    ASSUMED_TURNS = 16,
    WHOLE = 1 << 16, /* weight of what happens once a turn */
};

/* A loop that is walked. */
typedef struct Walk {
    Pipeline *pipeline;
    const PipelineLoop *loop;
    PipelineValue *joined; /* per instruction of the loop: the values that arrive there by forward branches */
    uint64_t *weights;     /* per instruction: how often in a turn */
    uint64_t *conditions;  /* per instruction: instant of the condition that a conditional move waits for; 0: none */
    uint64_t *before;      /* instants of the registers at an earlier turn */
    uint64_t throughput, instructions; /* of a turn; `instructions` in units of WHOLE */
} Walk;

/* -- walking ----------------------------------------------------------------------------------- */

/* Merges `from`, which arrives with a weight, into the values that are there already. */
static void join(Pipeline *p, PipelineValue *into, uint64_t weight, const PipelineValue *from, uint64_t from_weight,
                 uint64_t condition)
{
    for (uint32_t r = 0; r < p->registers; r++) {
        if (weight == 0) {
            into[r] = from[r];
            continue;
        }
        bool same = into[r].symbol == from[r].symbol && into[r].offset == from[r].offset;
        if (!same)
            into[r].symbol = ++p->next_symbol;
        if (into[r].ready != from[r].ready)
            into[r].ready = (into[r].ready * weight + from[r].ready * from_weight) / (weight + from_weight);
        if (condition && !same)
            into[r].ready = MAX(into[r].ready, condition) + p->costs->latency_q8[VCODE_COST_INTEGER];
        into[r].loaded |= from[r].loaded;
        into[r].floating |= from[r].floating;
    }
}

static void send(Walk *w, uint32_t target, uint64_t weight)
{
    const PipelineLoop *loop = w->loop;
    Pipeline *p = w->pipeline;
    if (target <= loop->top || target > loop->end || weight == 0)
        return;
    size_t k = target - loop->top;
    join(p, w->joined + k * p->registers, w->weights[k], p->now, weight, w->conditions[k]);
    w->weights[k] += weight;
}

/* All cases of a switch that stay in the loop are taken equally often. */
static void send_to_cases(Walk *w, uint32_t at, uint64_t weight)
{
    const VcodeModule *m = w->pipeline->module;
    const VcodeSwitch *s = &m->switches.items[vcode_imm32(w->pipeline->code[at])];
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->count; k++)
        n += m->targets.items[s->first + k] > at && m->targets.items[s->first + k] <= w->loop->end;
    for (uint32_t k = 0; k < s->count; k++)
        if (m->targets.items[s->first + k] > at)
            send(w, m->targets.items[s->first + k], weight / MAX(n, 1));
}

static bool stays(const PipelineLoop *loop, uint32_t at)
{
    return at >= loop->top && at <= loop->end;
}

/* Sends control on from the instruction at `at`. Returns the weight with which it goes to the next instruction. */
static uint64_t go_on(Walk *w, uint32_t at, uint64_t weight, uint64_t condition)
{
    Pipeline *p = w->pipeline;
    VcodeOp op = vcode_op(p->code[at]);
    uint32_t target = vm_pipeline_target(at, p->code[at]), meeting;
    if (op == VCODE_SWITCH)
        send_to_cases(w, at, weight);
    if (target == VCODE_NONE)
        return vm_pipeline_never_falls(op) ? 0 : weight;
    if (!vm_pipeline_is_conditional(op)) {
        send(w, target, target > at ? weight : 0);
        return 0;
    }
    if ((meeting = vm_pipeline_hammock(p, at)) != VCODE_NONE && stays(w->loop, meeting)) {
        uint64_t *wait = &w->conditions[meeting - w->loop->top];
        condition += p->costs->latency_q8[vm_pipeline_compares_floating(op) ? VCODE_COST_FP_ADD : VCODE_COST_INTEGER];
        *wait = MAX(*wait, condition);
    }
    if (!stays(w->loop, target))
        return weight;
    send(w, target, target > at ? weight / 2 : 0);
    return target > at ? weight - weight / 2 : weight;
}

/* Walks one turn. The last turn charges branches and sums the costs of blocks. */
static void walk(Walk *w, bool last)
{
    Pipeline *p = w->pipeline;
    const PipelineLoop *loop = w->loop;
    size_t length = loop->end - loop->top + 1;
    uint64_t weight = WHOLE, throughput = 0;
    memset(w->weights, 0, length * sizeof *w->weights);
    memset(w->conditions, 0, length * sizeof *w->conditions);
    w->instructions = 0;
    for (uint32_t at = loop->top; at <= loop->end; at++) {
        size_t k = at - loop->top;
        if (w->weights[k]) {
            join(p, p->now, weight, w->joined + k * p->registers, w->weights[k], w->conditions[k]);
            weight += w->weights[k];
        }
        PipelineValue read = vm_pipeline_step(p, p->code[at]);
        uint32_t target = vm_pipeline_target(at, p->code[at]);
        bool leaves = vm_pipeline_is_conditional(vcode_op(p->code[at])) && (at == loop->end || !stays(loop, target));
        throughput += p->cost[at] * weight;
        w->instructions += weight;
        if (last && leaves) {
            uint32_t out = stays(loop, target) ? at + 1 : target;
            uint64_t cost = vm_pipeline_exit_cost(p, loop, at);
            if (out < p->function->code_count)
                p->exits[out] = MAX(p->exits[out], cost);
        } else if (last) {
            p->cost[at] += vm_pipeline_branch_cost(p, at, read.loaded);
        }
        weight = go_on(w, at, weight, read.ready);
    }
    w->throughput = throughput / WHOLE;
}

/* -- chains ------------------------------------------------------------------------------------ */

/* Whether a loop reads a register before it writes it. */
static bool is_carried(const Pipeline *p, const PipelineLoop *loop, unsigned r)
{
    for (uint32_t at = loop->top; at <= loop->end; at++) {
        VmEffects e = vm_effects(p->code[at]);
        for (unsigned k = 0; k < e.read_count; k++)
            if (e.reads[k] == r)
                return true;
        if (r >= e.first_argument && r < e.first_argument + e.arguments)
            return true;
        if (e.written == (int)r)
            return false;
    }
    return false;
}

/* Whether a register gets another value between two executions of a loop. */
static bool begins_anew(const Pipeline *p, const PipelineLoop *loop, unsigned r)
{
    if (loop->outer == VCODE_NONE)
        return false;
    const PipelineLoop *outer = &g_array_index(p->loops, PipelineLoop, loop->outer);
    for (uint32_t at = outer->top; at <= outer->end; at++)
        if (!stays(loop, at) && vm_effects(p->code[at]).written == (int)r)
            return true;
    return false;
}

/* The part of a chain that is waited for if the loop overlaps with its neighbours. */
static uint64_t uncovered(const Walk *w, uint64_t chain)
{
    uint64_t window = w->pipeline->costs->window, turns = vm_pipeline_turns(w->pipeline, w->loop);
    if (!vm_pipeline_counts(w->pipeline, w->loop, w->loop->end))
        return chain;
    uint64_t length = (turns ? turns : ASSUMED_TURNS) * w->instructions / WHOLE;
    return length < window ? (uint64_t)((double)chain * (double)length / (double)window) : chain;
}

/* The longest chain that a turn waits for. */
static uint64_t longest_chain(const Walk *w)
{
    const Pipeline *p = w->pipeline;
    uint64_t all = 0, carried = 0, waited = 0, latest = 0, latest_before = 0;
    for (uint32_t r = 0; r < p->registers; r++) {
        latest = MAX(latest, p->now[r].ready);
        latest_before = MAX(latest_before, w->before[r]);
    }
    all = (latest - latest_before) / MEASURED;
    for (uint32_t r = 0; r < p->registers; r++) {
        if (p->now[r].ready <= w->before[r] || !is_carried(p, w->loop, r))
            continue;
        uint64_t chain = (p->now[r].ready - w->before[r]) / MEASURED;
        carried = MAX(carried, chain);
        waited = MAX(waited, begins_anew(p, w->loop, r) ? uncovered(w, chain) : chain);
    }
    return all > carried + carried / 16 ? MAX(all, waited) : waited; /* the rest goes through memory */
}

static uint32_t block_end(const Pipeline *p, uint32_t at)
{
    while (at + 1 < p->function->code_count && !vcode_op_ends_block(vcode_op(p->code[at])))
        at++;
    return at;
}

static void charge_loop(Pipeline *p, const PipelineLoop *loop)
{
    size_t length = loop->end - loop->top + 1;
    Walk w = {.pipeline = p,
              .loop = loop,
              .joined = g_new(PipelineValue, length * p->registers),
              .weights = g_new(uint64_t, length),
              .conditions = g_new(uint64_t, length),
              .before = g_new0(uint64_t, p->registers + 1)};
    vm_pipeline_enter(p, loop->top - MIN(loop->top, FARTHEST_ENTRY), loop->top);
    for (uint32_t r = 0; r < p->registers; r++)
        p->now[r].loaded = vm_pipeline_evolves(p, loop, r);
    for (int turn = 1; turn <= WALKS; turn++) {
        walk(&w, turn == WALKS);
        for (uint32_t r = 0; r < p->registers && turn == WALKS - MEASURED; r++)
            w.before[r] = p->now[r].ready;
    }
    uint64_t chain = longest_chain(&w);
    if (chain > w.throughput)
        p->cost[block_end(p, loop->top)] += chain - w.throughput;
    g_free(w.joined);
    g_free(w.weights);
    g_free(w.conditions);
    g_free(w.before);
}

/* -- functions --------------------------------------------------------------------------------- */

static int compare_loops(const void *a, const void *b)
{
    const PipelineLoop *x = a, *y = b;
    if (x->top != y->top)
        return x->top < y->top ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

/* Finds the loops. A loop is the code from the target of a backward branch to the last such branch. */
static void find_loops(Pipeline *p)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(PipelineLoop));
    for (uint32_t at = 0; at < p->function->code_count; at++) {
        uint32_t top = vm_pipeline_target(at, p->code[at]);
        PipelineLoop loop = {.top = top, .end = at, .outer = VCODE_NONE, .innermost = true};
        if (top != VCODE_NONE && top <= at)
            g_array_append_val(all, loop);
    }
    g_array_sort(all, compare_loops);
    p->loops = g_array_new(FALSE, FALSE, sizeof(PipelineLoop));
    for (guint k = 0; k < all->len; k++) {
        PipelineLoop loop = g_array_index(all, PipelineLoop, k);
        guint around = p->loops->len;
        if (around && g_array_index(p->loops, PipelineLoop, around - 1).top == loop.top)
            continue;
        loop.outer = around ? around - 1 : VCODE_NONE;
        while (loop.outer != VCODE_NONE && g_array_index(p->loops, PipelineLoop, loop.outer).end < loop.end)
            loop.outer = g_array_index(p->loops, PipelineLoop, loop.outer).outer;
        if (loop.outer != VCODE_NONE)
            g_array_index(p->loops, PipelineLoop, loop.outer).innermost = false;
        g_array_append_val(p->loops, loop);
    }
}

/* Charges branches outside innermost loops, by what their own block has loaded. */
static void charge_straight(Pipeline *p, const bool *in_loop)
{
    vm_pipeline_forget(p);
    for (uint32_t at = 0; at < p->function->code_count; at++) {
        bool loaded = vm_pipeline_step(p, p->code[at]).loaded;
        if (!in_loop[at])
            p->cost[at] += vm_pipeline_branch_cost(p, at, loaded);
        if (vcode_op_ends_block(vcode_op(p->code[at])))
            vm_pipeline_forget(p);
    }
}

static void charge_exits(Pipeline *p)
{
    for (uint32_t at = 0; at < p->function->code_count; at++)
        if (p->exits[at])
            p->cost[block_end(p, at)] += p->exits[at];
}

void vm_pipeline_find_constants(Pipeline *p)
{
    for (uint32_t r = 0; r < MIN(p->registers, p->function->parameters); r++)
        p->varies[r] = true;
    for (uint32_t at = 0; at < p->function->code_count; at++) {
        int r = vm_effects(p->code[at]).written;
        if (r >= 0 && (unsigned)r < p->registers)
            p->varies[r] |= vcode_op(p->code[at]) != VCODE_MOVI && vcode_op(p->code[at]) != VCODE_MOVK;
    }
}

static bool any_costs(const VmCosts *costs)
{
    bool any = costs->branch_order_q8 || costs->branch_test_q8 || costs->branch_exit_q8 || costs->exit_order_q8 ||
               costs->branch_switch_q8 || costs->exit_test_q8;
    for (unsigned c = 0; c < VCODE_COST_COUNT; c++)
        any |= costs->latency_q8[c] != 0;
    return any;
}

/* -- what is left to a predictor --------------------------------------------------------------- */

static bool ends_counted_loop(const Pipeline *p, uint32_t at)
{
    for (guint k = 0; k < p->loops->len; k++) {
        const PipelineLoop *loop = &g_array_index(p->loops, PipelineLoop, k);
        if (loop->innermost && loop->end == at && vm_pipeline_counts(p, loop, at))
            return true;
    }
    return false;
}

void vm_pipeline_predicted(const VcodeModule *module, uint32_t function, bool *predicted)
{
    const VcodeFunction *f = &module->functions.items[function];
    Pipeline p = {.module = module,
                  .function = f,
                  .code = module->code.items + f->code_start,
                  .registers = MIN(f->registers, MOST_REGISTERS)};
    find_loops(&p);
    for (uint32_t at = 0; at < f->code_count; at++) {
        VcodeOp op = vcode_op(p.code[at]);
        bool jumps = op == VCODE_SWITCH || op == VCODE_JMPR || op == VCODE_CALLI;
        bool branches = vm_pipeline_is_conditional(op) && vm_pipeline_hammock(&p, at) == VCODE_NONE;
        predicted[at] = jumps || (branches && !ends_counted_loop(&p, at));
    }
    g_array_unref(p.loops);
}

/* -- all --------------------------------------------------------------------------------------- */

void vm_pipeline_costs(const VcodeModule *module, uint32_t function, const VmCosts *costs, uint64_t *cost)
{
    const VcodeFunction *f = &module->functions.items[function];
    Pipeline p = {.module = module,
                  .costs = costs,
                  .function = f,
                  .code = module->code.items + f->code_start,
                  .cost = cost,
                  .registers = MIN(f->registers, MOST_REGISTERS)};
    if (!any_costs(costs))
        return;
    g_autofree bool *in_loop = g_new0(bool, f->code_count + 1);
    p.exits = g_new0(uint64_t, f->code_count + 1);
    p.now = g_new0(PipelineValue, p.registers);
    p.varies = g_new0(bool, p.registers);
    vm_pipeline_find_constants(&p);
    find_loops(&p);
    for (guint k = 0; k < p.loops->len; k++) {
        const PipelineLoop *loop = &g_array_index(p.loops, PipelineLoop, k);
        if (!loop->innermost || loop->end - loop->top >= LONGEST_LOOP)
            continue;
        charge_loop(&p, loop);
        memset(in_loop + loop->top, true, loop->end - loop->top + 1);
    }
    charge_straight(&p, in_loop);
    charge_exits(&p);
    g_array_unref(p.loops);
    g_free(p.exits);
    g_free(p.now);
    g_free(p.varies);
}
