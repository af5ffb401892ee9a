/* pipeline_values.c - instants and addresses of the pipeline model: when the value of each register is there, and which
 * loads find what an earlier instruction has stored.
 *
 * A value is a symbol plus an offset, so that addresses can be compared. A symbol is a number without meaning; equal
 * symbols stand for equal values. A load from the address of a remembered store waits for it. Floating-point values
 * that live across a call are stored before it and loaded after it, because usual calling conventions preserve no
 * floating-point register.
 */
#include "vm/timing/pipeline.h"

#include <string.h>

static VcodeCost class_of(VcodeInstr i)
{
    return vcode_op_info[vcode_op(i)].cost;
}

static PipelineValue value_of(const Pipeline *p, unsigned r)
{
    return r < p->registers ? p->now[r] : (PipelineValue){0};
}

/* Combines two symbols into one number: good enough to tell addresses apart, and deterministic. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ (b + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0xc4ceb9fe1a85ec53);
}

static uint64_t constant_of(const VcodeModule *m, VcodeInstr i)
{
    return vcode_op(i) == VCODE_MOVK ? m->constants.items[vcode_imm32(i)] : (uint64_t)(int64_t)vcode_imm32(i);
}

/* Computes the result of an instruction as symbol and offset. Returns false if it is a new value. Symbol 0 is the
 * number 0. */
static bool follow(const Pipeline *p, VcodeInstr i, PipelineValue *result)
{
    PipelineValue b = value_of(p, vcode_b(i)), c = value_of(p, vcode_c(i));
    switch (vcode_op(i)) {
    case VCODE_MOVI:
    case VCODE_MOVK: *result = (PipelineValue){.offset = constant_of(p->module, i)}; return true;
    case VCODE_MOV:
    case VCODE_SEXT32: *result = (PipelineValue){.symbol = b.symbol, .offset = b.offset}; return true;
    case VCODE_ADDI_W:
    case VCODE_ADDI_L:
        *result = (PipelineValue){.symbol = b.symbol, .offset = b.offset + (uint64_t)(int64_t)(int16_t)vcode_c(i)};
        return true;
    case VCODE_LEAX:
        *result = (PipelineValue){.symbol = mix(b.symbol, c.symbol + vcode_n(i)),
                                  .offset = b.offset + (c.offset << vcode_n(i))};
        return true;
    case VCODE_ADD_L:
        *result = (PipelineValue){.symbol = mix(b.symbol, c.symbol), .offset = b.offset + c.offset};
        return true;
    case VCODE_SHLI_L:
    case VCODE_SHLI_W:
        *result = (PipelineValue){.symbol = mix(b.symbol, vcode_c(i)), .offset = b.offset << (vcode_c(i) & 63)};
        return true;
    default: return false;
    }
}

static PipelineStore address_of(const Pipeline *p, VcodeInstr i)
{
    PipelineValue b = value_of(p, vcode_b(i)), c = value_of(p, vcode_c(i));
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    if (form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX)
        return (PipelineStore){.symbol = mix(b.symbol, c.symbol + vcode_n(i)),
                               .offset = b.offset + (c.offset << vcode_n(i))};
    return (PipelineStore){.symbol = b.symbol, .offset = b.offset + (uint64_t)(int64_t)(int16_t)vcode_c(i)};
}

/* When the value stored at an address is there; 0: nothing was stored there. */
static uint64_t stored_at(const Pipeline *p, PipelineStore address)
{
    for (uint32_t k = 1; k <= PIPELINE_STORES; k++) {
        const PipelineStore *store = &p->stores[(p->next_store - k) % PIPELINE_STORES];
        if (store->ready && store->symbol == address.symbol && store->offset == address.offset)
            return store->ready;
    }
    return 0;
}

static void remember_store(Pipeline *p, VcodeInstr i)
{
    PipelineStore store = address_of(p, i);
    store.ready = value_of(p, vcode_a(i)).ready;
    p->stores[p->next_store++ % PIPELINE_STORES] = store;
}

/* Floating-point numbers below the window of a call go through memory. */
static void keep_across_call(Pipeline *p, unsigned window)
{
    for (unsigned r = 0; r < MIN(window, p->registers); r++)
        if (p->now[r].floating)
            p->now[r].ready += p->costs->latency_q8[VCODE_COST_LOAD];
}

static bool is_floating(VcodeCost class)
{
    return class == VCODE_COST_FP_ADD || class == VCODE_COST_FP_MULTIPLY || class == VCODE_COST_FP_DIVIDE ||
           class == VCODE_COST_FP_SQRT;
}

PipelineValue vm_pipeline_step(Pipeline *p, VcodeInstr i)
{
    VmEffects e = vm_effects(i);
    VcodeCost class = class_of(i);
    PipelineValue result, from = {0};
    for (unsigned k = 0; k < e.read_count; k++) {
        PipelineValue value = value_of(p, e.reads[k]);
        from.ready = MAX(from.ready, value.ready);
        from.loaded |= value.loaded;
        from.floating |= value.floating;
    }
    for (unsigned k = e.first_argument; k < e.first_argument + e.arguments; k++)
        from.ready = MAX(from.ready, value_of(p, k).ready);
    if (class == VCODE_COST_STORE)
        remember_store(p, i);
    if (vcode_op(i) == VCODE_CALL || vcode_op(i) == VCODE_CALLI)
        keep_across_call(p, vcode_a(i));
    if (e.written < 0 || (unsigned)e.written >= p->registers)
        return from;
    if (!follow(p, i, &result))
        result = (PipelineValue){.symbol = ++p->next_symbol};
    result.ready = from.ready + p->costs->latency_q8[class];
    if (class == VCODE_COST_LOAD) /* the store hands its value over */
        result.ready = MAX(result.ready, stored_at(p, address_of(p, i)));
    result.loaded = (from.loaded && class != VCODE_COST_CALL) || class == VCODE_COST_LOAD;
    result.floating = is_floating(class) || (class == VCODE_COST_MOVE && from.floating);
    p->now[e.written] = result;
    return from;
}

void vm_pipeline_forget(Pipeline *p)
{
    p->next_symbol = 0;
    for (uint32_t r = 0; r < p->registers; r++)
        p->now[r] = (PipelineValue){.symbol = ++p->next_symbol};
    memset(p->stores, 0, sizeof p->stores);
}

void vm_pipeline_enter(Pipeline *p, uint32_t from, uint32_t top)
{
    vm_pipeline_forget(p);
    for (uint32_t at = from; at < top; at++)
        vm_pipeline_step(p, p->code[at]);
    for (uint32_t r = 0; r < p->registers; r++) {
        p->now[r].ready = 0;
        p->now[r].loaded = p->now[r].floating = false;
    }
    memset(p->stores, 0, sizeof p->stores);
}
