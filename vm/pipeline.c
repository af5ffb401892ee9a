/* pipeline.c - what a block costs beyond the sum of its instructions: results that are waited for, branches that are
 * predicted wrongly. Part of the cost model only where a machine says so; all of it static, so that blocks have one
 * cost.
 *
 * A processor that does several instructions at once is held up by chains. Those that matter are the ones that go round
 * a loop: each turn waits for the last one.
 *
 *     top:  ld64  r1, [r2+0]         throughput: 4 instructions' costs
 *           add   r3, r3, r1         chains:     r2 -> r2, a load;  r3 -> r3, an add
 *           ld64  r2, [r2+8]         a turn takes the larger of throughput and the longest chain: the difference is
 *           bnei  r2, 0, top         charged at the branch that closes the loop
 *
 * An innermost loop is the code from the target of a backward branch to that branch, if no other backward branch lies
 * in it. It is walked several times with the instant at which each register's value is there; where paths join, the
 * later instant counts. A load from where an earlier turn has stored waits for the store: addresses are compared as
 * symbol plus offset. Loops of a few turns, constant in number, are left out: their neighbours overlap with them.
 *
 * Whether a branch is predicted well depends on data, which is not there. But branches that order a value from memory
 * (sorting, searching) are mostly the bad ones; those that test it for a constant or for equality sometimes; the end of
 * an innermost loop comes as a surprise, unless the number of its turns is a constant. "From memory" is what a load in
 * the same loop, or outside loops in the same block, and arithmetic on it gave. A branch around one to three
 * instructions between registers is none for a compiler that has conditional moves.
 */
#include "vm/internal.h"

#include <string.h>

enum {
    WALKS = 6,
    MEASURED = 3,
    LONGEST_LOOP = 1000,
    MOST_REGISTERS = 256,
    MOST_STORES = 64, /* remembered */
    FEW_TURNS = 16,
    LONGEST_HAMMOCK = 3,
};

/* What is known of a register at a place. */
typedef struct Value {
    uint64_t ready;  /* when it is there */
    uint64_t symbol; /* its value is that of this symbol ... */
    uint64_t offset; /* ... plus this */
    bool loaded;     /* it came from memory */
} Value;

typedef struct Store {
    uint64_t symbol, offset, ready;
} Store;

typedef struct Pipeline {
    const VcodeModule *module;
    const VmCosts *costs;
    const VcodeFunction *function;
    const VcodeInstr *code; /* of the function */
    uint64_t *cost;         /* of its blocks */
    uint32_t registers;
    bool *varies; /* per register: it gets other values than constants */
    Value *now;
    uint64_t next_symbol;
    Store stores[MOST_STORES]; /* the last ones, in a ring */
    uint32_t next_store;
} Pipeline;

typedef struct Loop {
    Pipeline *pipeline;
    uint32_t top, end; /* [top, end], end is the branch */
    Value *joined;     /* per instruction of the loop: what comes there by forward branches */
    bool *joins;
} Loop;

static bool is_conditional(VcodeOp op)
{
    VcodeForm form = vcode_op_info[op].form;
    return form == VCODE_FORM_BRR || form == VCODE_FORM_BRI;
}

/* The index that a branch goes to, or VCODE_NONE for other instructions. */
static uint32_t target_of(uint32_t at, VcodeInstr i)
{
    if (vcode_op(i) == VCODE_JMP)
        return at + 1 + (uint32_t)vcode_imm32(i);
    return is_conditional(vcode_op(i)) ? at + 1 + (uint32_t)vcode_off24(i) : VCODE_NONE;
}

static VcodeCost class_of(VcodeInstr i)
{
    return vcode_op_info[vcode_op(i)].cost;
}

/* -- branches -------------------------------------------------------------------------------------------------------
 */

static bool is_constant(const Pipeline *p, unsigned r)
{
    return r < p->registers && !p->varies[r];
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
    unsigned a = vcode_a(i), b = vcode_b(i);
    return !is_constant(p, a) && !is_constant(p, b);
}

/* Whether a branch only skips a few instructions that have no other effect than a register. */
static bool is_hammock(const Pipeline *p, uint32_t at)
{
    uint32_t target = target_of(at, p->code[at]), n = 0;
    if (target <= at || target > at + LONGEST_HAMMOCK + 2 || target > p->function->code_count)
        return false;
    for (uint32_t k = at + 1; k < target; k++) {
        VcodeCost class = class_of(p->code[k]);
        if (class != VCODE_COST_MOVE && class != VCODE_COST_INTEGER && vcode_op(p->code[k]) != VCODE_FALL)
            return false;
        n += vcode_op(p->code[k]) != VCODE_FALL;
    }
    return n <= LONGEST_HAMMOCK;
}

static uint64_t prediction_cost(const Pipeline *p, uint32_t at, bool loaded)
{
    if (!loaded || !is_conditional(vcode_op(p->code[at])) || is_hammock(p, at))
        return 0;
    return orders(p, p->code[at]) ? p->costs->branch_order_q8 : p->costs->branch_test_q8;
}

/* -- values -----------------------------------------------------------------------------------------------------------
 */

static Value value_of(const Pipeline *p, unsigned r)
{
    return r < p->registers ? p->now[r] : (Value){0};
}

/* Two symbols in one number: good enough to tell addresses apart, and the same each time. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ (b + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0xc4ceb9fe1a85ec53);
}

static uint64_t constant_of(const VcodeModule *m, VcodeInstr i)
{
    return vcode_op(i) == VCODE_MOVK ? m->constants.items[vcode_imm32(i)] : (uint64_t)(int64_t)vcode_imm32(i);
}

/* The result of an instruction as symbol and offset; false: something new. Symbol 0 is the number 0. */
static bool follow(const Pipeline *p, VcodeInstr i, Value *result)
{
    Value b = value_of(p, vcode_b(i)), c = value_of(p, vcode_c(i));
    switch (vcode_op(i)) {
    case VCODE_MOVI:
    case VCODE_MOVK: *result = (Value){.offset = constant_of(p->module, i)}; return true;
    case VCODE_MOV:
    case VCODE_SEXT32: *result = (Value){.symbol = b.symbol, .offset = b.offset}; return true;
    case VCODE_ADDI_W:
    case VCODE_ADDI_L:
        *result = (Value){.symbol = b.symbol, .offset = b.offset + (uint64_t)(int64_t)(int16_t)vcode_c(i)};
        return true;
    case VCODE_LEAX:
        *result =
            (Value){.symbol = mix(b.symbol, c.symbol + vcode_n(i)), .offset = b.offset + (c.offset << vcode_n(i))};
        return true;
    case VCODE_ADD_L: *result = (Value){.symbol = mix(b.symbol, c.symbol), .offset = b.offset + c.offset}; return true;
    case VCODE_SHLI_L:
    case VCODE_SHLI_W:
        *result = (Value){.symbol = mix(b.symbol, vcode_c(i)), .offset = b.offset << (vcode_c(i) & 63)};
        return true;
    default: return false;
    }
}

static Store address_of(const Pipeline *p, VcodeInstr i)
{
    Value b = value_of(p, vcode_b(i)), c = value_of(p, vcode_c(i));
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    if (form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX)
        return (Store){.symbol = mix(b.symbol, c.symbol + vcode_n(i)), .offset = b.offset + (c.offset << vcode_n(i))};
    return (Store){.symbol = b.symbol, .offset = b.offset + (uint64_t)(int64_t)(int16_t)vcode_c(i)};
}

/* When what was stored at an address is there; 0: nothing was. */
static uint64_t stored_at(const Pipeline *p, Store address)
{
    for (uint32_t k = 1; k <= MOST_STORES; k++) {
        const Store *store = &p->stores[(p->next_store - k) % MOST_STORES];
        if (store->ready && store->symbol == address.symbol && store->offset == address.offset)
            return store->ready;
    }
    return 0;
}

static void remember_store(Pipeline *p, VcodeInstr i)
{
    Store store = address_of(p, i);
    store.ready = value_of(p, vcode_a(i)).ready;
    p->stores[p->next_store++ % MOST_STORES] = store;
}

/* Applies an instruction to the registers; answers whether it reads one from memory. */
static bool step(Pipeline *p, VcodeInstr i)
{
    VmEffects e = vm_effects(i);
    VcodeCost class = class_of(i);
    Value result, from = {0};
    for (unsigned k = 0; k < e.read_count; k++) {
        Value value = value_of(p, e.reads[k]);
        from.ready = MAX(from.ready, value.ready);
        from.loaded |= value.loaded;
    }
    for (unsigned k = e.first_argument; k < e.first_argument + e.arguments; k++)
        from.ready = MAX(from.ready, value_of(p, k).ready);
    if (class == VCODE_COST_STORE)
        remember_store(p, i);
    if (e.written < 0 || (unsigned)e.written >= p->registers)
        return from.loaded;
    if (!follow(p, i, &result))
        result = (Value){.symbol = ++p->next_symbol};
    result.ready = from.ready + p->costs->latency_q8[class];
    if (class == VCODE_COST_LOAD) /* the store hands its value over */
        result.ready = MAX(result.ready, stored_at(p, address_of(p, i)));
    result.loaded = (from.loaded && class != VCODE_COST_CALL) || class == VCODE_COST_LOAD;
    p->now[e.written] = result;
    return from.loaded;
}

static void forget_all(Pipeline *p)
{
    p->next_symbol = 0;
    for (uint32_t r = 0; r < p->registers; r++)
        p->now[r] = (Value){.symbol = ++p->next_symbol};
    memset(p->stores, 0, sizeof p->stores);
}

/* What registers hold on entry to code at `top`: the constants that were put there last, in the order of the code. */
static void recall_constants(Pipeline *p, uint32_t top)
{
    g_autofree bool *seen = g_new0(bool, p->registers);
    for (uint32_t at = top; at-- > 0;) {
        int r = vm_effects(p->code[at]).written;
        if (r < 0 || (unsigned)r >= p->registers || seen[r])
            continue;
        seen[r] = true;
        if (vcode_op(p->code[at]) == VCODE_MOVI || vcode_op(p->code[at]) == VCODE_MOVK)
            p->now[r] = (Value){.offset = constant_of(p->module, p->code[at])};
    }
}

/* -- innermost loops ---------------------------------------------------------------------------------------------- */

static void join(Pipeline *p, Value *into, const Value *from, bool first)
{
    for (uint32_t r = 0; r < p->registers; r++) {
        if (first) {
            into[r] = from[r];
            continue;
        }
        if (into[r].symbol != from[r].symbol || into[r].offset != from[r].offset)
            into[r].symbol = ++p->next_symbol;
        into[r].ready = MAX(into[r].ready, from[r].ready);
        into[r].loaded |= from[r].loaded;
    }
}

/* One turn. In the last one, branches on loaded values are charged. */
static void walk(Loop *loop, bool last)
{
    Pipeline *p = loop->pipeline;
    bool falls_in = true; /* control comes from the instruction before */
    memset(loop->joins, 0, (loop->end - loop->top + 1) * sizeof *loop->joins);
    for (uint32_t at = loop->top; at <= loop->end; at++) {
        if (loop->joins[at - loop->top])
            join(p, p->now, loop->joined + (size_t)(at - loop->top) * p->registers, !falls_in);
        bool loaded = step(p, p->code[at]);
        if (last)
            p->cost[at] += prediction_cost(p, at, loaded);
        uint32_t target = target_of(at, p->code[at]);
        if (target != VCODE_NONE && target > at && target <= loop->end) {
            bool *joins = &loop->joins[target - loop->top];
            join(p, loop->joined + (size_t)(target - loop->top) * p->registers, p->now, !*joins);
            *joins = true;
        }
        falls_in = vcode_op(p->code[at]) != VCODE_JMP;
    }
}

static uint64_t latest(const Pipeline *p)
{
    uint64_t ready = 0;
    for (uint32_t r = 0; r < p->registers; r++)
        ready = MAX(ready, p->now[r].ready);
    return ready;
}

/* Throughput of a turn: every block of the loop once, of two arms of an `if` too. */
static uint64_t sum_of_blocks(const Loop *loop)
{
    uint64_t sum = 0;
    for (uint32_t at = loop->top; at <= loop->end; at++)
        sum += loop->pipeline->cost[at];
    return sum;
}

/* The constant that a register has on entry to a loop; false: it is none, or too far to see. */
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

/* How many turns a loop takes where that is a constant; 0: not known. It counts in steps of a constant, from a
 * constant, to one in the branch. */
static uint64_t constant_turns(const Loop *loop)
{
    const Pipeline *p = loop->pipeline;
    VcodeInstr branch = p->code[loop->end];
    unsigned r = vcode_a(branch);
    int64_t start, stride = 0;
    if (vcode_op_info[vcode_op(branch)].form != VCODE_FORM_BRI || !initial_constant(p, loop->top, r, &start))
        return 0;
    for (uint32_t at = loop->top; at < loop->end; at++) {
        if (vm_effects(p->code[at]).written != (int)r)
            continue;
        if (stride || (vcode_op(p->code[at]) != VCODE_ADDI_W && vcode_op(p->code[at]) != VCODE_ADDI_L))
            return 0;
        stride = (int16_t)vcode_c(p->code[at]);
    }
    int64_t way = (int16_t)vcode_b(branch) - start;
    return stride ? (uint64_t)(ABS(way) / ABS(stride) + 1) : 0;
}

/* The block behind the loop runs once for each time it is left. */
static void charge_exit(const Loop *loop)
{
    Pipeline *p = loop->pipeline;
    for (uint32_t at = loop->end + 1; at < p->function->code_count; at++)
        if (vcode_ends_block(vcode_op(p->code[at]))) {
            p->cost[at] += p->costs->branch_exit_q8;
            return;
        }
}

static void charge_loop(Loop *loop)
{
    Pipeline *p = loop->pipeline;
    uint64_t before = 0, throughput = sum_of_blocks(loop), turns = constant_turns(loop);
    size_t length = loop->end - loop->top + 1;
    loop->joined = g_new(Value, length * p->registers);
    loop->joins = g_new(bool, length);
    forget_all(p);
    recall_constants(p, loop->top);
    for (int turn = 1; turn <= WALKS; turn++) {
        walk(loop, turn == WALKS);
        if (turn == WALKS - MEASURED)
            before = latest(p);
    }
    uint64_t chain = (latest(p) - before) / MEASURED;
    if (chain > throughput && (turns == 0 || turns > FEW_TURNS))
        p->cost[loop->end] += chain - throughput;
    if (turns == 0)
        charge_exit(loop);
    g_free(loop->joined);
    g_free(loop->joins);
}

static bool is_innermost(const VcodeInstr *code, uint32_t top, uint32_t end)
{
    for (uint32_t at = top; at < end; at++) {
        uint32_t target = target_of(at, code[at]);
        if (target != VCODE_NONE && target <= at && target > top)
            return false;
    }
    return true;
}

/* -- functions ------------------------------------------------------------------------------------------------------
 */

/* Branches outside innermost loops: what their own block has loaded. */
static void charge_straight(Pipeline *p, const bool *in_loop)
{
    forget_all(p);
    for (uint32_t at = 0; at < p->function->code_count; at++) {
        bool loaded = step(p, p->code[at]);
        if (!in_loop[at])
            p->cost[at] += prediction_cost(p, at, loaded);
        if (vcode_ends_block(vcode_op(p->code[at])))
            forget_all(p);
    }
}

static void find_constants(Pipeline *p)
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
    bool any = costs->branch_order_q8 || costs->branch_test_q8 || costs->branch_exit_q8;
    for (unsigned c = 0; c < VCODE_COST_COUNT; c++)
        any |= costs->latency_q8[c] != 0;
    return any;
}

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
    p.now = g_new0(Value, p.registers);
    p.varies = g_new0(bool, p.registers);
    find_constants(&p);
    for (uint32_t at = 0; at < f->code_count; at++) {
        uint32_t top = target_of(at, p.code[at]);
        if (top == VCODE_NONE || top > at || at - top >= LONGEST_LOOP || in_loop[at] || !is_innermost(p.code, top, at))
            continue;
        Loop loop = {.pipeline = &p, .top = top, .end = at};
        charge_loop(&loop);
        for (uint32_t i = top; i <= at; i++)
            in_loop[i] = true;
    }
    charge_straight(&p, in_loop);
    g_free(p.now);
    g_free(p.varies);
}
