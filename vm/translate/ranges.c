/* ranges.c - how many bits the values of a web may need, as signed integers.
 *
 * Most integers of programs are 32-bit ones, and their instructions say so. What counts loops by them need not ask
 * whether sums of 64 bits wrap (loops.c). A web needs as many bits as the widest of what sets it; the answer is
 * found by going round until nothing changes; what still grows after some rounds does so in few large steps.
 */
#include "vm/translate/flow.h"

enum { ROUNDS = 3, SHORT = 17, WORD = 32, ALL = 64 };

static unsigned bits_of_constant(int64_t value)
{
    return ALL + 1 - (unsigned)__builtin_clzll((uint64_t)(value < 0 ? ~value : value) | 1);
}

static unsigned bits_of_web(const VmFlow *flow, uint32_t web)
{
    return web == VCODE_NONE ? 1 : flow->webs[web].bits; /* lost in a call: reads as 0 */
}

static unsigned clamp(unsigned bits, unsigned most)
{
    return MIN(bits, most);
}

/* What the instruction makes of any operands. */
static unsigned bits_of_table(const VcodeOpInfo *info)
{
    return info->result_bits ? clamp(info->result_bits + !info->result_signed, ALL) : ALL;
}

/* What the instruction computes from operands of b and c bits. */
static unsigned bits_of_result(const VmFlow *flow, VcodeInstr i, unsigned b, unsigned c)
{
    unsigned constant = vcode_op_info[vcode_op(i)].form == VCODE_FORM_RRI ? bits_of_constant(vcode_simm_c(i)) : 0;
    switch (vcode_op(i)) {
    case VCODE_MOV: return b;
    case VCODE_MOVI: return bits_of_constant(vcode_imm32(i));
    case VCODE_MOVK: return bits_of_constant((int64_t)flow->module->constants.items[vcode_imm32(i)]);
    case VCODE_ADD_L:
    case VCODE_SUB_L: return clamp(MAX(b, c) + 1, ALL);
    case VCODE_ADDI_L: return clamp(MAX(b, constant) + 1, ALL);
    case VCODE_ADD_W:
    case VCODE_SUB_W: return clamp(MAX(b, c) + 1, WORD);
    case VCODE_ADDI_W: return clamp(MAX(b, constant) + 1, WORD);
    case VCODE_SEXT32:
    case VCODE_SAR_W:
    case VCODE_SARI_W: return clamp(b, WORD);
    case VCODE_AND:
    case VCODE_OR:
    case VCODE_XOR: return MAX(b, c);
    case VCODE_ANDI: return vcode_simm_c(i) >= 0 ? constant : MAX(b, constant);
    case VCODE_ORI:
    case VCODE_XORI: return MAX(b, constant);
    case VCODE_SARI_L: return MAX(b, (vcode_simm_c(i) & 63) + 1U) - (vcode_simm_c(i) & 63);
    case VCODE_SHRI_UL: return ALL + 1 - MAX(vcode_simm_c(i) & 63, 1);
    case VCODE_SHRI_UW: return WORD + 1 - (vcode_simm_c(i) & 31);
    default: return bits_of_table(&vcode_op_info[vcode_op(i)]);
    }
}

/* Sizes between which a web that keeps growing jumps. */
static unsigned rounded(unsigned bits)
{
    static const uint8_t sizes[] = {1, SHORT, WORD, WORD + 1, WORD + SHORT};
    for (unsigned k = 0; k < G_N_ELEMENTS(sizes); k++)
        if (bits <= sizes[k])
            return sizes[k];
    return ALL;
}

/* Whether the web that the instruction sets needs more bits than it seemed to. */
static bool grows(VmFlow *flow, uint32_t pc, const uint32_t *now, bool jumps)
{
    uint32_t target = flow->set_web[pc - flow->function->code_start];
    if (target == VCODE_NONE || flow->webs[target].bits == ALL)
        return false;
    VcodeInstr i = flow->code[pc];
    unsigned registers = flow->function->registers;
    unsigned b = vcode_b(i) < registers ? bits_of_web(flow, now[vcode_b(i)]) : ALL;
    unsigned c = vcode_c(i) < registers ? bits_of_web(flow, now[vcode_c(i)]) : ALL;
    unsigned bits =
        vcode_op(i) == VCODE_CMOV ? MAX(b, bits_of_web(flow, now[vcode_a(i)])) : bits_of_result(flow, i, b, c);
    if (bits <= flow->webs[target].bits)
        return false;
    flow->webs[target].bits = (uint8_t)(jumps ? rounded(bits) : bits);
    return true;
}

/* Whether what the instruction makes is never less than 0, whatever its operands are. */
static bool makes_natural(const VmFlow *flow, VcodeInstr i)
{
    const VcodeOpInfo *info = &vcode_op_info[vcode_op(i)];
    switch (vcode_op(i)) {
    case VCODE_MOVI: return vcode_imm32(i) >= 0;
    case VCODE_MOVK: return (int64_t)flow->module->constants.items[vcode_imm32(i)] >= 0;
    case VCODE_ANDI: return vcode_simm_c(i) >= 0;
    default: return info->result_bits && info->result_bits < ALL && !info->result_signed;
    }
}

static void find_signs(VmFlow *flow)
{
    for (uint32_t w = 0; w < flow->web_count; w++)
        flow->webs[w].negative = flow->webs[w].argument || flow->webs[w].kind != VM_KIND_I;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        for (uint32_t pc = block->start; pc < block->end; pc++) {
            uint32_t web = flow->set_web[pc - flow->function->code_start];
            if (web != VCODE_NONE && !makes_natural(flow, flow->code[pc]))
                flow->webs[web].negative = true;
        }
    }
}

void vm_flow_find_ranges(VmFlow *flow)
{
    g_autofree uint32_t *now = g_new(uint32_t, flow->function->registers + 1);
    for (uint32_t w = 0; w < flow->web_count; w++)
        flow->webs[w].bits = flow->webs[w].argument || flow->webs[w].kind != VM_KIND_I ? ALL : 1;
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        changed = false;
        for (uint32_t k = 0; k < flow->order_count; k++) {
            const VmFlowBlock *block = &flow->blocks[flow->order[k]];
            vm_web_begin(flow, flow->order[k], now);
            for (uint32_t pc = block->start; pc < block->end; pc++) {
                changed |= grows(flow, pc, now, round >= ROUNDS);
                vm_web_step(flow, pc, now);
            }
        }
    }
    find_signs(flow);
}
