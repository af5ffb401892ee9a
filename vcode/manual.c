/* manual.c - prints docs/vcode.md from the tables, so that the manual cannot be wrong about an instruction.
 *
 * A unit test compares the page in docs/ with this output.
 */
#include "vcode/vcode.h"

static const char introduction[] =
    "# vCode\n"
    "\n"
    "This page is made from `vcode/instructions.def` and `vcode/costs.def`; see there for how to change it.\n"
    "\n"
    "vCode is what `orrery cc` compiles C to and what the virtual machine runs. It is a register code: every call has "
    "its\n"
    "own window of up to 65,535 registers `R[0]`, `R[1]` ... of 64 bits. Integers narrower than that are kept "
    "canonical\n"
    "(signed C types sign-extended, unsigned ones zero-extended), so one set of comparisons serves all widths; a float "
    "is\n"
    "its 32-bit pattern, a double its 64-bit pattern.\n"
    "\n"
    "    0        8        16               32               48              63\n"
    "    |  op    |   n    |       a        |       b        |       c       |\n"
    "                                       |            imm32              |\n"
    "\n"
    "A mnemonic's suffix says the width it computes in: `.w` signed 32 bits, `.uw` unsigned 32, `.l` 64 of either "
    "sign,\n"
    "`.ul` unsigned 64, `.d` double, `.f` float. `off24` is the signed word `n << 16 | c`, in instructions from the "
    "next one.\n"
    "\n"
    "Where an operand of `add`, `sub`, `mul` or `div` of doubles or floats is a NaN, the result is the first that is, "
    "made\n"
    "quiet, sign and payload kept (as x86-64's SSE2 does it); where none is, but there is no number, it is the "
    "processor's NaN.\n"
    "Both tiers, all levels of optimisation and constants in a program's source keep to that.\n"
    "\n"
    "A basic block ends at every instruction of the cost classes branch, call or end. The cycles of all its "
    "instructions are\n"
    "charged there. A branch must land behind such an instruction; where control falls into a target, `fall` stands "
    "before.\n"
    "\n"
    "A call passes `n` arguments in `R[a]`, `R[a+1]` ...; they are the callee's `R[0]`, `R[1]` ..., the rest of its "
    "registers\n"
    "start as 0, and its result comes back in the caller's `R[a]`. A variadic callee gets one more register: the "
    "address of\n"
    "8-byte slots with the variable arguments. A `calli` says in `c` in which form it passes its arguments "
    "(vcode/calling.h);\n"
    "where the callee takes another, missing arguments are 0 and further ones are ignored. But for the result, the "
    "caller loses\n"
    "what it had from `R[a]` on: those registers read as 0 until they are written again.\n"
    "\n";

static const char debug_information[] =
    "\n## Debug information\n"
    "\n"
    "| table | one record for |\n"
    "|---|---|\n"
    "| `lines` | code from `pc` to the next record's: file, line, column, whether a statement starts there, and the "
    "innermost "
    "inlined call that it belongs to |\n"
    "| `inlines` | a call that was replaced by the body of the function: its name, the function whose code it became "
    "part of, "
    "where the call stood, and the expansion (`parent`) that the call itself was in |\n"
    "| `variables` | a variable: name, type, scope (code, and the expansion whose variable it is), and where it is |\n"
    "| `places` | code in which a variable, or some bytes of it, is in a register or at a place in the frame |\n"
    "| `objects` | something in memory with an extent of its own: where, how large, its name and declaration, for "
    "checks at "
    "run time; in programs those of sections too |\n"
    "| `origins` | an instruction that makes or uses an address of an object: of which |\n"
    "\n"
    "A call stack shows inlined functions like called ones: the frame's `pc` gives line and innermost expansion; each "
    "step to\n"
    "`parent` is one function further out, at the place of the call. A variable whose location is `places` is "
    "optimised out\n"
    "wherever none of them covers the `pc`; so are the bytes of it that none names.\n";

static const char *const form_operands[] = {
    [VCODE_FORM_NONE] = "",
    [VCODE_FORM_R] = "a",
    [VCODE_FORM_RR] = "a, b",
    [VCODE_FORM_RRR] = "a, b, c",
    [VCODE_FORM_RRI] = "a, b, imm16",
    [VCODE_FORM_RI32] = "a, imm32",
    [VCODE_FORM_RK] = "a, constant",
    [VCODE_FORM_I32] = "imm32",
    [VCODE_FORM_LOAD] = "a, [b + imm16]",
    [VCODE_FORM_STORE] = "[b + imm16], a",
    [VCODE_FORM_LOADX] = "a, [b + (c << n)]",
    [VCODE_FORM_STOREX] = "[b + (c << n)], a",
    [VCODE_FORM_BLOCK] = "[a], [b], bytes",
    [VCODE_FORM_JUMP] = "target",
    [VCODE_FORM_BRR] = "a, b, target",
    [VCODE_FORM_BRI] = "a, imm16, target",
    [VCODE_FORM_SWITCH] = "a, table",
    [VCODE_FORM_CALL] = "function, a, n",
    [VCODE_FORM_CALLI] = "[b], a, n",
    [VCODE_FORM_CALLX] = "extern, a, n",
};

/* Appends text to a cell of a Markdown table. A bare vertical bar would end the cell. */
static void append_cell(const char *text, GString *out)
{
    for (; *text; text++) {
        if (*text == '|')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *text);
    }
}

void vcode_manual(GString *out)
{
    g_string_append(out, introduction);
    g_string_append(out, "## Instructions\n\nThe result of an instruction is `R[a]`, as a signed (`s`) or unsigned "
                         "(`u`) integer of so many bits at most, "
                         "whatever the\noperands are.\n\n| code | instruction | meaning | cost class | result "
                         "|\n|--:|---|---|---|---|\n");
    for (unsigned op = 0; op < VCODE_OP_COUNT; op++) {
        const VcodeOpInfo *info = &vcode_op_info[op];
        const char *operands = form_operands[info->form];
        g_string_append_printf(out, "| %u | `%s%s%s` | ", op, info->mnemonic, *operands ? " " : "", operands);
        append_cell(info->meaning, out);
        g_autofree char *cost = g_ascii_strdown(vcode_cost_info[info->cost].name, -1);
        g_string_append_printf(out, " | %s |", cost);
        if (info->result_bits)
            g_string_append_printf(out, " `%c%u` |\n", info->result_signed ? 's' : 'u', info->result_bits);
        else
            g_string_append(out, " |\n");
    }
    g_string_append(out,
                    "\n## Cost classes\n\nKeys of section `[cost]` of a machine file. Defaults are assumed: those of a "
                    "superscalar core.\n\n| class | key | default cycles | for |\n|---|---|--:|---|\n");
    for (unsigned c = 0; c < VCODE_COST_COUNT; c++) {
        const VcodeCostInfo *info = &vcode_cost_info[c];
        g_autofree char *name = g_ascii_strdown(info->name, -1);
        char cycles[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(cycles, sizeof cycles, "%.4g", info->default_q8 / 256.0);
        g_string_append_printf(out, "| %s | %s%s%s | %s | %s |\n", name, info->key ? "`" : "",
                               info->key ? info->key : "", info->key ? "`" : "", cycles, info->help);
    }
    g_string_append(out, debug_information);
}
