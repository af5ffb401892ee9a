/* out_of_order.c - a processor that executes instructions out of order, followed one instruction at a time, for
 * machines that ask for it.
 *
 *     front end --> window --> unit of its class --> retirement, in order
 *
 * The front end hands on one instruction after the other, each `dispatch` cycles after the last; taken branches and
 * calls take longer. An instruction begins when its operands are there and a unit of its class is free. Its result is
 * there a latency later. It retires when it and all instructions before it are done. The clock of the rank is that of
 * the last retirement. The front end is at most `window` instructions ahead of the retirement. After a mispredicted
 * branch or jump it starts again when that branch is done. A load gets what an earlier store to its address has left,
 * `store-latency` after the stored value was there. (Tomasulo, "An efficient algorithm for exploiting multiple
 * arithmetic units", 1967; Eyerman, Eeckhout, Karkhanis and Smith, "A mechanistic performance model for superscalar
 * out-of-order processors", 2009.)
 *
 * The model is simpler than a processor. A unit takes its instructions in program order and does not stand idle for one
 * that waits. Memory is as near as the first cache. The state of registers and stores is found by few bits of their
 * number or address. Branches that compilers replace by conditional moves are such moves, and divisions by a constant
 * are multiplications.
 */

#include "vm/timing/pipeline.h"
#include "vm/timing/predictor.h"
#include "vm/timing/timing.h"

#include <string.h>

enum {
    REGISTERS = 1 << 12,
    STORES = 1 << 10,
    RETIREMENTS = VM_LARGEST_WINDOW,
};

typedef enum Kind { PLAIN, FREE, BRANCH, SELECT, JUMP, INDIRECT, CALL, INDIRECT_CALL, EXTERN, RETURN, BLOCK } Kind;

struct VmDecoded {
    uint8_t kind;  /* Kind */
    uint8_t class; /* VcodeCost */
    uint8_t reads; /* number of registers that it reads */
    bool scaled;   /* the address is R[b] + (R[c] << shift), else R[b] + offset */
    uint8_t shift;
    uint16_t read[3];
    uint16_t first_argument, arguments; /* window of a call */
    int16_t offset;
    uint16_t base, index; /* registers of the address */
    int32_t written;      /* register that it writes; -1: none */
    uint32_t meeting;     /* SELECT: where its ways meet; EXTERN: index of the extern; BLOCK: bytes */
    uint16_t chosen;      /* SELECT: the register that depends on it */
};

typedef struct Store {
    uint64_t address, ready;
} Store;

/* The state of one rank's core. Instants are cycles (q8). */
struct VmOutOfOrder {
    uint64_t seen;           /* the rank's clock after the last step */
    uint64_t front, retired; /* instants of the front end and of the last retirement */
    uint64_t last_done;      /* when the last instruction is done */
    uint32_t last_pc;
    bool begun;                       /* a first instruction has run */
    uint64_t units[VCODE_COST_COUNT]; /* per class: when its unit is free */
    uint64_t condition;               /* instant for which the register `chosen` waits at `meeting` */
    uint32_t meeting, chosen;
    uint32_t next;                     /* index in the ring of retirements */
    VmTrace *trace;                    /* NULL: not recorded */
    uint64_t ready[REGISTERS];         /* when the value of each register is there */
    uint64_t retirements[RETIREMENTS]; /* a ring: when the last instructions retired */
    Store stores[STORES];
};

/* -- decoding ---------------------------------------------------------------------------------- */

static Kind kind_of(VcodeInstr i)
{
    VcodeOp op = vcode_op(i);
    switch (op) {
    case VCODE_JMP: return JUMP;
    case VCODE_SWITCH:
    case VCODE_JMPR: return INDIRECT;
    case VCODE_CALL: return CALL;
    case VCODE_CALLI: return INDIRECT_CALL;
    case VCODE_CALLX: return EXTERN;
    case VCODE_RET:
    case VCODE_RETV: return RETURN;
    default: break;
    }
    VcodeCost class = vcode_op_info[op].cost;
    if (class == VCODE_COST_NONE || class == VCODE_COST_END)
        return FREE;
    if (vm_pipeline_is_conditional(op))
        return BRANCH;
    return vcode_op_info[op].form == VCODE_FORM_BLOCK ? BLOCK : PLAIN;
}

static void decode_address(VmDecoded *d, VcodeInstr i)
{
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    d->scaled = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
    d->shift = d->scaled ? (uint8_t)vcode_n(i) : 0;
    d->base = (uint16_t)vcode_b(i);
    d->index = (uint16_t)vcode_c(i);
    d->offset = (int16_t)vcode_c(i);
}

/* The register that changes between a branch and where its ways meet. */
static uint16_t chosen_by(const Pipeline *p, uint32_t at, uint32_t meeting)
{
    for (uint32_t k = at + 1; k < meeting; k++) {
        int written = vm_effects(p->code[k]).written;
        if (written >= 0)
            return (uint16_t)written;
    }
    return 0;
}

static void decode_instruction(const Pipeline *p, uint32_t at, VmDecoded *d)
{
    VcodeInstr i = p->code[at];
    VmEffects e = vm_effects(i);
    *d = (VmDecoded){.kind = (uint8_t)kind_of(i),
                     .class = (uint8_t)vcode_op_info[vcode_op(i)].cost,
                     .reads = (uint8_t)e.read_count,
                     .first_argument = (uint16_t)e.first_argument,
                     .arguments = (uint16_t)e.arguments,
                     .written = e.written};
    for (unsigned k = 0; k < e.read_count; k++)
        d->read[k] = (uint16_t)e.reads[k];
    if (d->class == VCODE_COST_LOAD || d->class == VCODE_COST_STORE)
        decode_address(d, i);
    unsigned divisor = vcode_c(i);
    if (d->class == VCODE_COST_DIVIDE && divisor < p->registers && !p->varies[divisor])
        d->class = VCODE_COST_MULTIPLY;
    if (d->kind == EXTERN)
        d->meeting = (uint32_t)vcode_imm32(i);
    if (d->kind == BLOCK)
        d->meeting = (uint32_t)vcode_block_bytes(i);
    uint32_t meeting = d->kind == BRANCH ? vm_pipeline_hammock(p, at) : VCODE_NONE;
    if (meeting == VCODE_NONE)
        return;
    d->kind = SELECT;
    d->meeting = p->function->code_start + meeting;
    d->chosen = chosen_by(p, at, meeting);
}

const char *const *vm_timing_executions(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(VM_EXECUTIONS);
    return names;
}

VmDecoded *vm_out_of_order_decode(const VcodeModule *module)
{
    VmDecoded *all = g_new0(VmDecoded, module->code.count + 1);
    for (uint32_t index = 0; index < module->functions.count; index++) {
        const VcodeFunction *f = &module->functions.items[index];
        g_autofree bool *varies = g_new0(bool, f->registers + 1);
        Pipeline p = {.module = module,
                      .function = f,
                      .code = module->code.items + f->code_start,
                      .registers = f->registers,
                      .varies = varies};
        vm_pipeline_find_constants(&p);
        for (uint32_t at = 0; at < f->code_count; at++)
            decode_instruction(&p, at, &all[f->code_start + at]);
    }
    return all;
}

/* -- one instruction --------------------------------------------------------------------------- */

static uint64_t *register_of(VmOutOfOrder *core, size_t window, uint32_t r)
{
    return &core->ready[(window + r) % REGISTERS];
}

static uint64_t operands_of(VmOutOfOrder *core, const VmDecoded *d, size_t window)
{
    uint64_t ready = 0;
    for (unsigned k = 0; k < d->reads; k++)
        ready = MAX(ready, *register_of(core, window, d->read[k]));
    for (unsigned k = 0; k < d->arguments && d->kind == EXTERN; k++)
        ready = MAX(ready, *register_of(core, window, d->first_argument + k));
    return ready;
}

/* Representative of the classes that share a unit. */
static VcodeCost unit_of(VcodeCost class)
{
    switch (class) {
    case VCODE_COST_FP_MULTIPLY: return VCODE_COST_FP_ADD;
    case VCODE_COST_FP_SQRT: return VCODE_COST_FP_DIVIDE;
    default: return class;
    }
}

/* Cycles that the instruction takes of the front end. */
static uint64_t front_end_of(const VmDecoded *d, const VmCosts *costs)
{
    switch ((Kind)d->kind) {
    case CALL:
    case INDIRECT_CALL:
    case RETURN: return costs->dispatch_q8 + costs->class_q8[VCODE_COST_CALL];
    case BLOCK: return costs->class_q8[VCODE_COST_COPY] + (uint64_t)d->meeting * costs->copy_byte_q8;
    case JUMP: return costs->class_q8[VCODE_COST_BRANCH];
    case EXTERN: return costs->dispatch_q8;
    default: return d->class == VCODE_COST_MOVE ? costs->class_q8[VCODE_COST_MOVE] : costs->dispatch_q8;
    }
}

static bool has_unit(const VmDecoded *d)
{
    return d->kind == PLAIN && d->class != VCODE_COST_MOVE;
}

/* When the instruction begins, if its operands are there at `ready`. */
static uint64_t begin(VmOutOfOrder *core, const VmDecoded *d, const VmCosts *costs, uint64_t ready)
{
    uint64_t at = MAX(ready, core->front);
    if (!has_unit(d))
        return at;
    uint64_t *unit = &core->units[unit_of(d->class)];
    *unit = MAX(*unit, core->front);
    at = MAX(at, *unit);
    *unit += costs->class_q8[d->class];
    return at;
}

static Store *store_at(VmOutOfOrder *core, uint64_t address)
{
    return &core->stores[address * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

/* When the result of an instruction that begins at `at` is there. */
static uint64_t result_of(VmOutOfOrder *core, const VmDecoded *d, const VmCosts *costs, uint64_t address, uint64_t at)
{
    uint64_t done = at + costs->latency_q8[d->class];
    if (d->class == VCODE_COST_STORE) {
        *store_at(core, address) = (Store){address, at};
        return at;
    }
    if (d->class == VCODE_COST_LOAD) {
        const Store *store = store_at(core, address);
        return store->address == address ? MAX(done, store->ready + costs->latency_q8[VCODE_COST_STORE]) : done;
    }
    return d->class == VCODE_COST_BRANCH || d->class == VCODE_COST_CALL ? at + costs->latency_q8[VCODE_COST_INTEGER]
                                                                        : done;
}

static void retire(VmOutOfOrder *core, uint64_t done)
{
    core->retired = MAX(core->retired, MAX(done, core->front));
    core->retirements[core->next++ % RETIREMENTS] = core->retired;
    core->last_done = done;
}

/* Advances the model by time that has passed for other reasons. */
static void pass(VmOutOfOrder *core, uint64_t time)
{
    core->front += time;
    core->retired += time;
}

/* Accounts for the last instruction, if it was a branch or jump, when control arrives at the next one. */
static void arrive(VmOutOfOrder *core, const VmCosts *costs, bool taken, bool wrong)
{
    if (wrong)
        core->front = MAX(core->front, core->last_done + costs->misprediction_q8);
    else if (taken)
        core->front += costs->class_q8[VCODE_COST_BRANCH];
}

static void execute(VmOutOfOrder *core, const VmDecoded *d, const VmCosts *costs, uint32_t pc, size_t window,
                    uint64_t address)
{
    if (pc == core->meeting) { /* a conditional move */
        uint64_t *ready = &core->ready[core->chosen];
        *ready = MAX(*ready, core->condition) + costs->latency_q8[VCODE_COST_INTEGER];
        core->meeting = VCODE_NONE;
    }
    if (d->kind == FREE)
        return;
    uint32_t length = CLAMP(costs->window, 1, RETIREMENTS);
    core->front = MAX(core->front, core->retirements[(core->next + RETIREMENTS - length) % RETIREMENTS]);
    core->front += front_end_of(d, costs);
    uint64_t ready = operands_of(core, d, window), at = begin(core, d, costs, ready);
    uint64_t done = result_of(core, d, costs, address, at);
    if (d->kind == SELECT) {
        core->condition = done;
        core->meeting = d->meeting;
        core->chosen = (uint32_t)((window + d->chosen) % REGISTERS);
    } else if (d->kind == RETURN) {
        *register_of(core, window, 0) = ready;
    } else if (d->written >= 0 && d->kind != CALL && d->kind != INDIRECT_CALL) {
        *register_of(core, window, (uint32_t)d->written) = done;
    }
    retire(core, done);
}

/* -- in the interpreter ------------------------------------------------------------------------ */

static VmOutOfOrder *core_of(VmRank *rank)
{
    VmOutOfOrder **core = vm_predictor_core(rank);
    if (!*core) {
        *core = g_new0(VmOutOfOrder, 1);
        (*core)->meeting = VCODE_NONE;
    }
    return *core;
}

void vm_out_of_order_free(VmOutOfOrder *core)
{
    g_free(core);
}

/* Whether the last instruction, a branch or jump that led to pc, was predicted wrongly. */
static bool predicted_wrongly(VmRank *rank, const VmDecoded *last, uint32_t last_pc, uint32_t pc)
{
    if (rank->image->costs.predictor == VM_PREDICTOR_NONE)
        return false;
    if (last->kind == BRANCH)
        vm_predictor_branch(rank, last_pc, pc != last_pc + 1);
    else if (last->kind == INDIRECT || last->kind == INDIRECT_CALL)
        vm_predictor_jump(rank, last_pc, pc);
    else
        return false;
    return vm_predictor_was_wrong(rank);
}

static uint64_t address_of(const VmDecoded *d, const uint64_t *R)
{
    if (d->class != VCODE_COST_LOAD && d->class != VCODE_COST_STORE)
        return 0;
    return d->scaled ? R[d->base] + (R[d->index] << d->shift) : R[d->base] + (uint64_t)(int64_t)d->offset;
}

static void record(VmTrace *trace, uint32_t pc, size_t window, uint64_t address, bool taken, bool wrong);

uint64_t vm_out_of_order_step(VmRank *rank, uint32_t pc, size_t window, const uint64_t *R, uint64_t now)
{
    VmOutOfOrder *core = core_of(rank);
    const VmDecoded *all = rank->image->decoded, *d = &all[pc];
    const VmCosts *costs = &rank->image->costs;
    uint64_t address = address_of(d, R), before;
    pass(core, core->begun && now > core->seen ? now - core->seen : 0);
    before = core->retired;
    rank->clock.cycles = now;
    const VmDecoded *last = &all[core->last_pc];
    bool wrong = core->begun && predicted_wrongly(rank, last, core->last_pc, pc);
    bool taken = core->begun && last->kind == BRANCH && pc != core->last_pc + 1;
    arrive(core, costs, taken, wrong);
    execute(core, d, costs, pc, window, address);
    if (core->trace)
        record(core->trace, pc, window, address, taken, wrong);
    core->begun = true;
    core->last_pc = pc;
    core->seen = now + (core->retired - before);
    return core->retired - before;
}

/* -- traces ------------------------------------------------------------------------------------ */

typedef struct Event {
    uint32_t pc : 30;
    bool taken : 1, wrong : 1; /* of the branch that led here */
    uint32_t window;
} Event;

/* What a rank has executed between two calls of an extern. */
struct VmTrace {
    VmImage *image;
    uint32_t boundary; /* index of the extern between whose calls the trace records; VCODE_NONE: the program has no such
                          extern */
    unsigned calls;    /* calls of the extern so far */
    GArray *events;    /* Event */
    GArray *addresses; /* uint32_t: the low half of the address of each load or store */
};

static void record(VmTrace *trace, uint32_t pc, size_t window, uint64_t address, bool taken, bool wrong)
{
    const VmDecoded *d = &trace->image->decoded[pc];
    if (d->kind == EXTERN && d->meeting == trace->boundary) {
        trace->calls++;
        return;
    }
    if (trace->calls != 1)
        return;
    Event event = {.pc = pc & ((1u << 30) - 1), .taken = taken, .wrong = wrong, .window = (uint32_t)window};
    uint32_t low = (uint32_t)address;
    g_array_append_val(trace->events, event);
    if (d->class == VCODE_COST_LOAD || d->class == VCODE_COST_STORE)
        g_array_append_val(trace->addresses, low);
}

VmTrace *vm_timing_trace(VmRank *rank, const char *boundary)
{
    g_assert(rank->image->decoded);
    const VcodeModule *m = rank->image->module;
    VmTrace *trace = g_new0(VmTrace, 1);
    trace->image = vm_image_ref(rank->image);
    trace->events = g_array_new(FALSE, FALSE, sizeof(Event));
    trace->addresses = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    trace->boundary = VCODE_NONE;
    for (uint32_t k = 0; k < m->externs.count; k++)
        if (strcmp(vcode_text(m, m->externs.items[k].name), boundary) == 0)
            trace->boundary = k;
    core_of(rank)->trace = trace;
    return trace;
}

void vm_timing_trace_free(VmTrace *trace)
{
    if (!trace)
        return;
    g_array_unref(trace->events);
    g_array_unref(trace->addresses);
    vm_image_unref(trace->image);
    g_free(trace);
}

uint64_t vm_timing_trace_cost(const VmTrace *trace, const VmCosts *costs, const uint64_t *extern_costs)
{
    g_autofree VmOutOfOrder *core = g_new0(VmOutOfOrder, 1);
    const uint32_t *address = (const uint32_t *)trace->addresses->data;
    core->meeting = VCODE_NONE;
    for (guint k = 0; k < trace->events->len; k++) {
        const Event *event = &g_array_index(trace->events, Event, k);
        const VmDecoded *d = &trace->image->decoded[event->pc];
        bool accesses = d->class == VCODE_COST_LOAD || d->class == VCODE_COST_STORE;
        arrive(core, costs, event->taken, event->wrong);
        execute(core, d, costs, event->pc, event->window, accesses ? *address++ : 0);
        if (d->kind == EXTERN)
            pass(core, extern_costs[d->meeting]);
    }
    return core->retired;
}
