/* effects.c - what an instruction does to registers and control. Analyses of code use it: which registers an
 * instruction reads and writes, and where control may go behind it. */
#include "vcode/calling.h"
#include "vm/code/code.h"

bool vm_code_is_call(VcodeInstr i)
{
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    return form == VCODE_FORM_CALL || form == VCODE_FORM_CALLI || form == VCODE_FORM_CALLX;
}

VmEffects vm_effects(VcodeInstr i)
{
    unsigned a = vcode_a(i), b = vcode_b(i), c = vcode_c(i);
    VcodeOp op = vcode_op(i);
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_NONE:
    case VCODE_FORM_I32:
    case VCODE_FORM_JUMP: return (VmEffects){.written = -1};
    case VCODE_FORM_R:
        if (op == VCODE_GETSP)
            return (VmEffects){.written = (int)a};
        return (VmEffects){{a}, 1, 0, 0, -1};
    case VCODE_FORM_RR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD: return (VmEffects){{b}, 1, 0, 0, (int)a};
    case VCODE_FORM_RRR:
        if (op == VCODE_CMOV)
            return (VmEffects){{a, b, c}, 3, 0, 0, (int)a};
        return (VmEffects){{b, c}, 2, 0, 0, (int)a};
    case VCODE_FORM_LOADX: return (VmEffects){{b, c}, 2, 0, 0, (int)a};
    case VCODE_FORM_RI32:
    case VCODE_FORM_RK: return (VmEffects){.written = (int)a};
    case VCODE_FORM_STORE: return (VmEffects){{a, b}, 2, 0, 0, -1};
    case VCODE_FORM_STOREX: return (VmEffects){{a, b, c}, 3, 0, 0, -1};
    case VCODE_FORM_BLOCK: return op == VCODE_BZERO ? (VmEffects){{a}, 1, 0, 0, -1} : (VmEffects){{a, b}, 2, 0, 0, -1};
    case VCODE_FORM_BRR: return (VmEffects){{a, b}, 2, 0, 0, -1};
    case VCODE_FORM_BRI:
    case VCODE_FORM_SWITCH: return (VmEffects){{a}, 1, 0, 0, -1};
    case VCODE_FORM_CALL:
    case VCODE_FORM_CALLX: return (VmEffects){{0}, 0, a, vcode_n(i), (int)a};
    case VCODE_FORM_CALLI: return (VmEffects){{b}, 1, a, vcode_n(i) + (c == VCODE_PASS_ROOM), (int)a};
    }
    g_assert_not_reached();
}

void vm_code_goes_to(const VcodeModule *module, uint32_t at, VcodeInstr i, VmGoesTo *to, void *user)
{
    switch (vcode_op(i)) {
    case VCODE_JMP: to(user, at + 1 + (uint32_t)vcode_imm32(i)); return;
    case VCODE_RET:
    case VCODE_RETV:
    case VCODE_TRAP: return;
    case VCODE_SWITCH: {
        const VcodeSwitch *s = &module->switches.items[vcode_imm32(i)];
        for (uint32_t k = 0; k < s->count; k++)
            to(user, module->targets.items[s->first + k]);
        to(user, s->default_target);
        return;
    }
    default: break;
    }
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    if (form == VCODE_FORM_BRR || form == VCODE_FORM_BRI)
        to(user, at + 1 + (uint32_t)vcode_off24(i));
    to(user, at + 1);
}
