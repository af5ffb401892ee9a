/* block_costs.c - what blocks cost: the classes of their instructions, the bytes of their copies, and what the pipeline
 * adds. The instruction that ends a block carries the sum. */
#include "vm/timing/timing.h"

#include <string.h>

void vm_costs_default(VmCosts *costs)
{
    *costs = (VmCosts){0};
    for (unsigned c = 0; c < VCODE_COST_COUNT; c++)
        costs->class_q8[c] = vcode_cost_info[c].default_q8;
    costs->copy_byte_q8 = 16; /* 16 bytes per cycle */
    costs->library_q8 = 256;
}

/* Whether it is the call before an atomic operation, at which other threads may run: the machine has no such call. */
static bool is_turn(const VcodeModule *m, VcodeInstr i)
{
    if (vcode_op(i) != VCODE_CALLX)
        return false;
    const char *name = vcode_text(m, m->externs.items[vcode_imm32(i)].name);
    return strcmp(name, "__orrery_turn") == 0 || strcmp(name, "__orrery_atomic_turn") == 0;
}

static uint64_t own_cost(const VcodeModule *m, const VmCosts *costs, VcodeInstr i)
{
    if (is_turn(m, i))
        return 0;
    uint64_t cost = costs->class_q8[vcode_op_info[vcode_op(i)].cost];
    if (vcode_op_info[vcode_op(i)].form == VCODE_FORM_BLOCK)
        cost += (uint64_t)vcode_block_bytes(i) * costs->copy_byte_q8;
    return cost;
}

void vm_block_costs(const VcodeModule *m, uint32_t function, const VmCosts *costs, uint64_t *cost)
{
    const VcodeFunction *f = &m->functions.items[function];
    uint64_t sum = 0;
    memset(cost, 0, f->code_count * sizeof *cost);
    for (uint32_t i = 0; i < f->code_count; i++) {
        VcodeInstr instruction = m->code.items[f->code_start + i];
        sum += own_cost(m, costs, instruction);
        if (!vcode_op_ends_block(vcode_op(instruction)))
            continue;
        cost[i] = sum;
        sum = 0;
    }
    vm_pipeline_costs(m, function, costs, cost);
}
