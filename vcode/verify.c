/* verify.c - proves that a run of the program cannot leave its frames, its code or its tables.
 *
 * After verification the interpreter relies on the following and never tests it:
 *   - every function has code, ends in an instruction that transfers control, and overlaps no other function;
 *   - every register operand is below the function's number of registers; so is every call window with its result;
 *   - every constant, function, extern and switch table operand exists, and a table belongs to the function;
 *   - every branch lands inside the function at the start of a block, so block costs are charged exactly;
 *   - `enter` is the first instruction, and the frame that it makes has a sane size;
 *   - a variadic function has a parameter for the address of its variable arguments;
 *   - a direct call passes as many arguments as the function has parameters.
 * What depends on values (addresses, divisors, function pointers, labels, depth) is tested at run time.
 */
#include "vcode/calling.h"
#include "vcode/internal.h"

#include <stdarg.h>

/* What is being verified, for messages. */
typedef struct Verifier {
    const VcodeModule *module;
    const VcodeFunction *function;
    uint32_t pc; /* instruction being checked: index into code[] */
    GError **error;
} Verifier;

static bool refuse(const Verifier *v, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(const Verifier *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *reason = g_strdup_vprintf(format, args);
    va_end(args);
    g_autoptr(GString) text = g_string_new(NULL);
    if (v->pc < v->module->code.count)
        vcode_disassemble_instruction(v->module, v->pc, text);
    g_set_error(v->error, VCODE_ERROR, VCODE_ERROR_VERIFY, "unsafe vCode: function '%s', instruction %u (%s): %s",
                vcode_text(v->module, v->function->name), v->pc - v->function->code_start, text->str, reason);
    return false;
}

static bool check_register(const Verifier *v, unsigned r)
{
    if (r < v->function->registers)
        return true;
    return refuse(v, "register r%u is beyond the function's %u", r, v->function->registers);
}

static bool check_registers(const Verifier *v, unsigned first, unsigned n)
{
    return check_register(v, first + MAX(n, 1) - 1);
}

/* `target` is an instruction index within the function. */
static bool check_target(const Verifier *v, int64_t target)
{
    const VcodeFunction *f = v->function;
    if (target < 0 || target >= f->code_count)
        return refuse(v, "branch to %" G_GINT64_FORMAT " leaves the function's %u instructions", target, f->code_count);
    if (target > 0 && !vcode_op_ends_block(vcode_op(v->module->code.items[f->code_start + target - 1])))
        return refuse(v, "branch to %" G_GINT64_FORMAT " lands inside a basic block", target);
    return true;
}

static bool check_distance(const Verifier *v, int32_t distance)
{
    return check_target(v, (int64_t)(v->pc - v->function->code_start) + 1 + distance);
}

static bool check_index(const Verifier *v, int32_t index, uint32_t count, const char *what)
{
    if ((uint32_t)index < count)
        return true;
    return refuse(v, "%s %u does not exist", what, (uint32_t)index);
}

/* The targets of the table are checked once for all instructions that use it: see verify_switch(). */
static bool check_switch(const Verifier *v, int32_t index)
{
    const VcodeModule *m = v->module;
    if (!check_index(v, index, m->switches.count, "switch table"))
        return false;
    return &m->functions.items[m->switches.items[index].function] == v->function ||
           refuse(v, "switch table %d belongs to another function", index);
}

static bool check_call(const Verifier *v, VcodeInstr i)
{
    if (!check_registers(v, vcode_a(i), vcode_n(i)))
        return false;
    if (!check_index(v, vcode_imm32(i), v->module->functions.count, "function"))
        return false;
    const VcodeFunction *callee = &v->module->functions.items[vcode_imm32(i)];
    if (callee->parameters == vcode_n(i))
        return true;
    return refuse(v, "calls '%s' with %u arguments, but it has %u parameters", vcode_text(v->module, callee->name),
                  vcode_n(i), callee->parameters);
}

static bool check_memory_form(const Verifier *v, VcodeInstr i, unsigned largest_shift)
{
    if (vcode_n(i) > largest_shift)
        return refuse(v, "shift by %u", vcode_n(i));
    return check_register(v, vcode_a(i)) && check_register(v, vcode_b(i)) && check_register(v, vcode_c(i));
}

/* Checks the fields that are registers or indices according to the instruction's form. */
static bool check_form(const Verifier *v, VcodeInstr i)
{
    VcodeOp op = vcode_op(i);
    unsigned a = vcode_a(i), b = vcode_b(i), c = vcode_c(i);
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_NONE:
    case VCODE_FORM_I32: return true;
    case VCODE_FORM_R:
    case VCODE_FORM_RI32: return check_register(v, a);
    case VCODE_FORM_RR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE: return check_register(v, a) && check_register(v, b);
    case VCODE_FORM_RRR: return check_register(v, a) && check_register(v, b) && check_register(v, c);
    case VCODE_FORM_RK:
        return check_register(v, a) && check_index(v, vcode_imm32(i), v->module->constants.count, "constant");
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX: return check_memory_form(v, i, op == VCODE_LEAX ? 31 : 3);
    case VCODE_FORM_BLOCK: return check_register(v, a) && (op == VCODE_BZERO || check_register(v, b));
    case VCODE_FORM_JUMP: return check_distance(v, vcode_imm32(i));
    case VCODE_FORM_BRR: return check_register(v, a) && check_register(v, b) && check_distance(v, vcode_off24(i));
    case VCODE_FORM_BRI: return check_register(v, a) && check_distance(v, vcode_off24(i));
    case VCODE_FORM_SWITCH: return check_register(v, a) && check_switch(v, vcode_imm32(i));
    case VCODE_FORM_CALL: return check_call(v, i);
    case VCODE_FORM_CALLI: return check_register(v, b) && check_registers(v, a, vcode_n(i) + (c == VCODE_PASS_ROOM));
    case VCODE_FORM_CALLX:
        return check_registers(v, a, vcode_n(i)) &&
               check_index(v, vcode_imm32(i), v->module->externs.count, "extern function");
    }
    return refuse(v, "unknown form");
}

static bool check_enter(const Verifier *v, VcodeInstr i)
{
    if (v->pc != v->function->code_start)
        return refuse(v, "'enter' is not the function's first instruction");
    int32_t bytes = vcode_imm32(i);
    return (bytes > 0 && bytes % 16 == 0) || refuse(v, "frame of %d bytes is no positive multiple of 16", bytes);
}

static bool ends_function(VcodeOp op)
{
    return op == VCODE_JMP || op == VCODE_RET || op == VCODE_RETV || op == VCODE_TRAP || op == VCODE_SWITCH ||
           op == VCODE_JMPR;
}

static bool verify_instruction(const Verifier *v)
{
    VcodeInstr i = v->module->code.items[v->pc];
    if ((i & 0xff) >= VCODE_OP_COUNT)
        return refuse(v, "unknown opcode %u", (unsigned)(i & 0xff));
    return check_form(v, i) && (vcode_op(i) != VCODE_ENTER || check_enter(v, i));
}

static bool verify_function(Verifier *v)
{
    const VcodeFunction *f = v->function;
    v->pc = f->code_start;
    if (f->code_count == 0)
        return refuse(v, "the function has no code");
    if (f->registers > VCODE_MAX_REGISTERS || f->parameters > f->registers || f->parameters > VCODE_MAX_ARGUMENTS)
        return refuse(v, "%u parameters, %u registers", f->parameters, f->registers);
    if (f->flags & VCODE_FUNCTION_VARIADIC && f->parameters == 0)
        return refuse(v, "a variadic function has no parameter for the address of its variable arguments");
    for (; v->pc < f->code_start + f->code_count; v->pc++)
        if (!verify_instruction(v))
            return false;
    v->pc--;
    return ends_function(vcode_op(v->module->code.items[v->pc])) || refuse(v, "control runs out of the function");
}

static bool verify_switch(Verifier *v, const VcodeSwitch *table)
{
    v->function = &v->module->functions.items[table->function];
    v->pc = v->function->code_start;
    for (uint32_t i = 0; i < table->count; i++)
        if (!check_target(v, v->module->targets.items[table->first + i]))
            return false;
    return check_target(v, table->default_target);
}

bool vcode_verify(const VcodeModule *program, GError **error)
{
    if (program->kind != VCODE_PROGRAM || program->entry >= program->functions.count) {
        g_set_error(error, VCODE_ERROR, VCODE_ERROR_VERIFY, "this vCode is no program: it has not been linked");
        return false;
    }
    if (!vcode_records_check(program, "program", error))
        return false;
    Verifier v = {.module = program, .error = error};
    for (uint32_t i = 0; i < program->functions.count; i++) {
        v.function = &program->functions.items[i];
        if (!verify_function(&v))
            return false;
    }
    for (uint32_t i = 0; i < program->switches.count; i++)
        if (!verify_switch(&v, &program->switches.items[i]))
            return false;
    return true;
}
