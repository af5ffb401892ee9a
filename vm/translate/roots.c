/* roots.c - webs that always hold a constant or an address in the frame, and those that lead to constants. */
#include "vcode/arithmetic.h"
#include "vm/translate/print.h"

#include <math.h>

/* Whether an instruction makes an address of constants, or of one a further one. */
static bool leads_to_constants(const VmPrinter *p, VcodeInstr i)
{
    const VcodeModule *m = p->flow->module;
    VcodeOp op = vcode_op(i);
    if (op == VCODE_MOVI || op == VCODE_MOVK) {
        uint64_t value = op == VCODE_MOVI ? (uint64_t)(int64_t)vcode_imm32(i) : m->constants.items[vcode_imm32(i)];
        return value - VCODE_RODATA_BASE < m->rodata.count;
    }
    if (op != VCODE_MOV && op != VCODE_LEAX && op != VCODE_ADDI_L && op != VCODE_ADD_L)
        return false;
    return p->now[vcode_b(i)] != VCODE_NONE && p->roots[p->now[vcode_b(i)]].among_constants;
}

/* Whether what the instruction makes, as a value of a kind, can be no NaN. */
static bool makes_number(const VmPrinter *p, VcodeInstr i, VmKind kind)
{
    switch (vcode_op(i)) {
    case VCODE_CVT_D_L:
    case VCODE_CVT_D_UL: return kind == VM_KIND_D;
    case VCODE_CVT_F_L:
    case VCODE_CVT_F_UL: return kind == VM_KIND_F;
    case VCODE_MOVI:
    case VCODE_MOVK: break;
    default: return false;
    }
    uint64_t bits = vcode_op(i) == VCODE_MOVI ? (uint64_t)(int64_t)vcode_imm32(i)
                                              : p->flow->module->constants.items[vcode_imm32(i)];
    return kind == VM_KIND_D ? !isnan(as_double(bits)) : kind == VM_KIND_F && !isnan(as_float(bits));
}

/* Constants and addresses in the frame that a web always holds; blocks in their order, so definitions come first. */
void vm_roots_find(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        vm_web_begin(flow, flow->order[k], p->now);
        for (uint32_t pc = block->start; pc < block->end; pc++) {
            VcodeInstr i = flow->code[pc];
            uint32_t web = flow->set_web[pc - flow->function->code_start];
            VcodeOp op = vcode_op(i);
            p->uses_frame |= op == VCODE_ENTER || op == VCODE_ALLOCA || op == VCODE_SETSP;
            if (web != VCODE_NONE && flow->webs[web].sets == 1 && !flow->webs[web].undefined &&
                !flow->webs[web].argument) {
                VmRoot *root = &p->roots[web];
                if (op == VCODE_ENTER)
                    *root = (VmRoot){.kind = VM_ROOT_FRAME};
                else if (op == VCODE_MOVI)
                    *root = (VmRoot){.kind = VM_ROOT_CONSTANT, .value = (uint64_t)(int64_t)vcode_imm32(i)};
                else if (op == VCODE_MOVK)
                    *root = (VmRoot){.kind = VM_ROOT_CONSTANT, .value = flow->module->constants.items[vcode_imm32(i)]};
                else if (op == VCODE_ADDI_L && p->now[vcode_b(i)] != VCODE_NONE) {
                    *root = p->roots[p->now[vcode_b(i)]];
                    root->value += (uint64_t)(int64_t)vcode_simm_c(i);
                }
                root->number = makes_number(p, i, flow->webs[web].kind);
            }
            if (web != VCODE_NONE)
                p->roots[web].among_constants |= leads_to_constants(p, i);
            vm_web_step(flow, pc, p->now);
        }
    }
}
