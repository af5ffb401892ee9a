/* shortcuts.c - calls that need not be made (bounds.c), as two functions of the arguments.
 *
 *     int q12(p0, p1)          whether function 12 goes from its entry to the block where it returns at once
 *     uint64_t v12(p0, p1)     what it returns then
 *
 *     if (q12(r3, r4)) { fuel -= ...; r3 = v12(r3, r4); goto b7; }
 *     ... the call
 *
 * Both blocks compute from arguments only and nothing in them can leave, so no frame needs to be there.
 */
#include "vcode/calling.h"
#include "vm/translate/print.h"

#include <string.h>

/* -- the two functions ------------------------------------------------------------------------- */

static void print_head(const VmFlow *flow, char which, GString *out)
{
    g_string_append_printf(out, "static inline %s %c%u(", which == 'q' ? "int" : "uint64_t", which, flow->index);
    for (uint32_t k = 0; k < flow->function->parameters; k++)
        g_string_append_printf(out, "%suint64_t p%u", k ? ", " : "", k);
    g_string_append(out, flow->function->parameters ? ")" : "void)");
}

void vm_print_shortcut_heads(const VmFlow *flow, GString *out)
{
    print_head(flow, 'q', out);
    g_string_append(out, "; ");
    print_head(flow, 'v', out);
    g_string_append(out, ";\n");
}

static void declare(VmPrinter *p, uint32_t web, uint8_t *declared)
{
    if (web == VCODE_NONE || declared[web])
        return;
    declared[web] = 1;
    g_string_append_printf(p->out, "    %s ", vm_print_type(p->flow->webs[web].kind));
    vm_print_web(p, web);
    g_string_append(p->out, ";\n");
}

static void declare_set(VmPrinter *p, uint32_t b, uint8_t *declared)
{
    for (uint32_t pc = p->flow->blocks[b].start; pc < p->flow->blocks[b].end; pc++)
        declare(p, p->flow->set_web[pc - p->flow->function->code_start], declared);
}

static void print_arguments(VmPrinter *p, uint8_t *declared)
{
    static const char *const open[] = {"", "", "as_double(", "as_float("};
    for (uint32_t r = 0; r < p->flow->function->parameters; r++) {
        uint32_t web = p->now[r];
        if (web == VCODE_NONE)
            continue;
        VmKind kind = p->flow->webs[web].kind;
        declare(p, web, declared);
        g_string_append(p->out, "    ");
        vm_print_web(p, web);
        g_string_append_printf(p->out, " = %sp%u%s;\n", open[kind], r, kind == VM_KIND_I ? "" : ")");
    }
}

static void print_block(VmPrinter *p, uint32_t b)
{
    vm_web_begin(p->flow, b, p->now);
    for (uint32_t pc = p->flow->blocks[b].start; pc + 1 < p->flow->blocks[b].end; pc++) {
        g_string_append(p->out, "    ");
        vm_print_instruction(p, pc);
        g_string_append_c(p->out, '\n');
        vm_web_step(p->flow, pc, p->now);
    }
}

static void print_beginning(VmPrinter *p, char which, uint8_t *declared)
{
    print_head(p->flow, which, p->out);
    g_string_append(p->out, "\n{\n");
    vm_web_begin(p->flow, 0, p->now);
    print_arguments(p, declared);
    declare_set(p, 0, declared);
}

void vm_print_shortcut(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    const VmCalls *calls = &p->unit->calls[flow->index];
    VcodeInstr last = flow->code[flow->blocks[calls->shortcut_block].end - 1];
    g_autofree uint8_t *declared = g_new0(uint8_t, flow->web_count + 1);
    print_beginning(p, 'q', declared);
    print_block(p, 0);
    g_string_append(p->out, calls->shortcut_taken ? "    return " : "    return !");
    vm_print_condition(p, &flow->blocks[0]);
    g_string_append(p->out, ";\n}\n");
    memset(declared, 0, flow->web_count);
    print_beginning(p, 'v', declared);
    declare_set(p, calls->shortcut_block, declared);
    print_block(p, 0);
    print_block(p, calls->shortcut_block);
    g_string_append(p->out, "    return ");
    if (vcode_op(last) == VCODE_RET)
        vm_print_operand(p, vcode_a(last), VM_KIND_I);
    else
        g_string_append_c(p->out, '0');
    g_string_append(p->out, ";\n}\n");
}

/* -- instead of calls -------------------------------------------------------------------------- */

static void print_question(VmPrinter *p, char which, VcodeInstr i)
{
    g_string_append_printf(p->out, "%c%u(", which, (uint32_t)vcode_imm32(i));
    for (uint32_t k = 0; k < vcode_n(i); k++) {
        g_string_append(p->out, k ? ", " : "");
        vm_print_operand(p, vcode_a(i) + k, VM_KIND_I);
    }
    g_string_append_c(p->out, ')');
}

static bool print_beginning_of_call(VmPrinter *p, const VmFlowBlock *block, uint64_t behind)
{
    VcodeInstr i = p->flow->code[block->end - 1];
    const VmCalls *callee = &p->unit->calls[vcode_imm32(i)];
    if (!callee->shortcut || !block->successors)
        return false;
    g_string_append(p->out, "if (");
    print_question(p, 'q', i);
    g_string_append_printf(p->out, ") { fuel -= %" G_GUINT64_FORMAT "; ", block->cost + callee->shortcut_cost + behind);
    return true;
}

void vm_shortcut_print_call(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    VcodeInstr i = p->flow->code[pc];
    if (!print_beginning_of_call(p, block, 0))
        return;
    if (vm_flow_live(p->flow, p->flow->edges[block->successor], vcode_a(i))) {
        const char *close = vm_print_target(p, pc, VM_KIND_I);
        print_question(p, 'v', i);
        g_string_append_printf(p->out, "%s ", close);
    }
    vm_calls_print_lost(p, pc);
    vm_print_go_on(p, block);
    g_string_append(p->out, " }\n    ");
}

void vm_shortcut_print_tail(VmPrinter *p, const VmFlowBlock *block)
{
    if (!print_beginning_of_call(p, block, vm_flow_successor(p->flow, block, 0)->cost))
        return;
    g_string_append(p->out, "return (Outcome){");
    print_question(p, 'v', p->flow->code[block->end - 1]);
    g_string_append(p->out, ", fuel}; }\n    ");
}
