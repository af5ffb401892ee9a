/* compute.c - printing what only computes (arithmetic.def), and how much of it C compilers may know.
 *
 * Where two NaNs may meet, additions and the like are the helpers of arithmetic.def, whose operands stay where they
 * are. Where one operand is no NaN for sure they are C's own.
 */
#include "vm/translate/loops.h"

static const char *const names[VCODE_OP_COUNT] = {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) #name,
#include "vcode/instructions.def"
};

/* The 64-bit instruction that does the same where 32 bits do not wrap. */
static VcodeOp without_wrapping(VcodeOp op)
{
    switch (op) {
    case VCODE_ADD_W: return VCODE_ADD_L;
    case VCODE_SUB_W: return VCODE_SUB_L;
    case VCODE_ADDI_W:
    case VCODE_ADDI_UW: return VCODE_ADDI_L;
    case VCODE_SHLI_W: return VCODE_SHLI_L;
    case VCODE_MULI_W: return VCODE_MULI_L;
    case VCODE_SEXT32: return VCODE_MOV;
    default: g_assert_not_reached();
    }
}

/* Whether it matters which of two NaNs is the first operand. */
static const bool is_ordered[VCODE_OP_COUNT] = {
#define ORDERED(name, A, symbol, helper) [VCODE_##name] = true,
#include "vcode/arithmetic.def"
};

/* Whether a register holds a number for sure; for a product, one that C compilers do not know: they take x * c for
 * -(x * -c). */
static bool is_number(const VmPrinter *p, uint32_t reg, bool is_product)
{
    uint32_t web = p->now[reg];
    return web != VCODE_NONE && p->roots[web].number && !(is_product && p->roots[web].kind == VM_ROOT_CONSTANT);
}

/* What comes before the instruction's name: how much C compilers may know of it. */
static const char *freedom_of(const VmPrinter *p, VcodeInstr i)
{
    VcodeOp op = vcode_op(i);
    if (!is_ordered[op])
        return "";
    bool is_product = op == VCODE_MUL_D || op == VCODE_MUL_F || op == VCODE_DIV_D || op == VCODE_DIV_F;
    bool free =
        vcode_b(i) == vcode_c(i) || is_number(p, vcode_b(i), is_product) || is_number(p, vcode_c(i), is_product);
    return free ? "PLAIN_" : "";
}

bool vm_compute_is_ordered(VcodeOp op)
{
    return is_ordered[op];
}

const char *vm_compute_name(VcodeOp op)
{
    return names[op];
}

void vm_compute_print(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    VcodeOp op = vcode_op(i);
    VmSignature s = vm_flow_signatures[op];
    if (vcode_op_info[op].kind == VCODE_KIND_DIVIDE) {
        g_string_append_printf(p->out, "if (UNLIKELY(REFUSES_%s(", names[op]);
        vm_print_operand(p, vcode_b(i), VM_KIND_I);
        g_string_append(p->out, ", ");
        vm_print_operand(p, vcode_c(i), VM_KIND_I);
        g_string_append_printf(p->out, "))) goto x%u; ", vm_exit_before(p, pc));
    }
    const char *close = vm_print_target(p, pc, s.result);
    bool plain = p->strip && vm_bit(p->strip->plain, pc - p->flow->function->code_start);
    op = plain ? without_wrapping(op) : op;
    g_string_append_printf(p->out, "%s%s(", freedom_of(p, i), op == VCODE_MOV ? "" : names[op]);
    bool converts = s.b == VM_KIND_I && s.result != VM_KIND_I;
    g_string_append(p->out, converts ? "OPAQUE(" : "");
    vm_print_operand(p, vcode_b(i), s.b);
    g_string_append(p->out, converts ? ")" : "");
    if (vcode_op_info[op].form == VCODE_FORM_RRI) {
        g_string_append_printf(p->out, ", %d", vcode_simm_c(i));
    } else if (s.c != VM_KIND_NONE) {
        g_string_append(p->out, ", ");
        vm_print_operand(p, vcode_c(i), s.c);
    }
    g_string_append_printf(p->out, ")%s", close);
}
