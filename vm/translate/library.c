/* library.c - functions of the C library that printed code computes itself where nothing is unusual.
 *
 * Short ones that only read: what the way out and back through the simulator would cost is more than what they do. Each
 * is a function of the unit's text that answers its result and what its elements cost (`unit`: 1/65536 cycle each),
 * exactly as the function in vm/library/string.c would; or that it has left it to that one, which then finds the fault.
 */
#include "vm/library/library.h"
#include "vm/translate/print.h"

#include <string.h>

typedef struct PrintedFunction {
    const char *name;
    unsigned arity;
    const char *text;
} PrintedFunction;

static const char reach[] = "/* the bytes from an address on, and how many there are */\n"
                            "static inline const uint8_t *reach(const State *k, uint64_t a, uint64_t *room)\n"
                            "{\n"
                            "    *room = LOW + k->limit + 7 - a;\n"
                            "    if (a - LOW < k->limit + 7) return k->memory + a;\n"
                            "    *room = CONSTANTS_BASE + CONSTANT_BYTES - a;\n"
                            "    return a - CONSTANTS_BASE < CONSTANT_BYTES ? k->constants + a : 0;\n"
                            "}\n"
                            "#define UNITS(count) ((int64_t)((unsigned __int128)(count) * unit >> 8))\n";

static const PrintedFunction functions[] = {
    {"strcmp", 2,
     "static Outcome c_strcmp(const State *k, uint64_t unit, uint64_t a, uint64_t b)\n"
     "{\n"
     "    uint64_t room_a, room_b, i = 0;\n"
     "    const uint8_t *x = reach(k, a, &room_a), *y = reach(k, b, &room_b);\n"
     "    uint64_t most = room_a < room_b ? room_a : room_b;\n"
     "    if (!x || !y) return gone;\n"
     "    while (i < most && x[i] && x[i] == y[i]) i++;\n"
     "    if (i == most) return gone;\n"
     "    return (Outcome){UINT64((int64_t)x[i] - y[i]), UNITS(i + (x[i] != y[i]))};\n"
     "}\n"},
    {"strlen", 1,
     "static Outcome c_strlen(const State *k, uint64_t unit, uint64_t a)\n"
     "{\n"
     "    uint64_t room;\n"
     "    const uint8_t *x = reach(k, a, &room), *end = x ? __builtin_memchr(x, 0, room) : 0;\n"
     "    return end ? (Outcome){UINT64(end - x), UNITS(end - x)} : gone;\n"
     "}\n"},
};

static const PrintedFunction *find(const VmImage *image, VcodeInstr i)
{
    if (vcode_op(i) != VCODE_CALLX)
        return NULL;
    const VmExtern *function = image->bindings[vcode_imm32(i)].function;
    for (size_t k = 0; vm_library_owns(function) && k < G_N_ELEMENTS(functions); k++)
        if (strcmp(functions[k].name, function->name) == 0 && vcode_n(i) >= functions[k].arity)
            return &functions[k];
    return NULL;
}

void vm_print_library_functions(GString *out)
{
    g_string_append(out, reach);
    for (size_t k = 0; k < G_N_ELEMENTS(functions); k++)
        g_string_append(out, functions[k].text);
}

void vm_print_library_call(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    const PrintedFunction *function = find(p->flow->image, i);
    if (!function)
        return;
    const VmBinding *binding = &p->flow->image->bindings[vcode_imm32(i)];
    g_string_append_printf(p->out, "Outcome o = c_%s(k, %" G_GUINT64_FORMAT, function->name, binding->unit_q16);
    for (unsigned k = 0; k < function->arity; k++) {
        g_string_append(p->out, ", ");
        vm_print_operand(p, vcode_a(i) + k, VM_KIND_I);
    }
    g_string_append_printf(
        p->out, "); if (LIKELY(o.fuel >= 0)) { fuel -= %" G_GUINT64_FORMAT " + o.fuel; R[%u] = o.value; } else ",
        binding->base_q8, vcode_a(i));
}
