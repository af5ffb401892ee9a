/* unit.c - the C text of a unit: what all need, the functions, and the table of places where the interpreter may
 * enter.
 */
#include "vm/prelude/prelude.h"
#include "vm/translate/print.h"

/* Of all units of all programs; see VmNativeCode. */
enum {
    COMMON_ROOM = 512,          /* registers above each window */
    COMMON_BIAS = (1 << 15) + 1 /* q8 cycles; blocks that cost more test their own */
};

/* -- what is known of it ----------------------------------------------------------------------- */

VmUnit *vm_unit_new(const VmImage *image, uint64_t low, const GArray *functions, VmUnitOptions options)
{
    VmUnit *unit = g_new(VmUnit, 1);
    *unit = (VmUnit){.image = image,
                     .low = low,
                     .quick = options.quick,
                     .room = COMMON_ROOM,
                     .bias = COMMON_BIAS,
                     .exits_forced = options.exits_forced};
    unit->flows = g_new0(VmFlow *, image->module->functions.count);
    for (guint k = 0; k < functions->len; k++) {
        uint32_t f = g_array_index(functions, uint32_t, k);
        unit->flows[f] = vm_flow_new(image, f);
    }
    vm_unit_find_calls(unit);
    if (options.loop && unit->flows[options.loop->function])
        vm_partition_take_loop(unit->flows[options.loop->function], options.loop->header);
    for (uint32_t f = 0; f < image->module->functions.count; f++)
        if (unit->flows[f] && !unit->flows[f]->partial)
            vm_flow_partition(unit->flows[f], options.quick, options.quick && options.exits_forced);
    vm_unit_find_bounds(unit);
    return unit;
}

void vm_unit_free(VmUnit *unit)
{
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++)
        if (unit->flows[f])
            vm_flow_free(unit->flows[f]);
    g_free(unit->flows);
    g_free(unit->calls);
    g_free(unit);
}

int64_t vm_unit_bias(void)
{
    return COMMON_BIAS;
}

/* -- its text ---------------------------------------------------------------------------------- */

static void print_list(const VmFlow *flow, const char *format, GString *out)
{
    for (uint32_t a = 0; a < MIN(flow->function->parameters, VM_NATIVE_ARGUMENTS); a++)
        g_string_append_printf(out, format, a);
}

static bool tests_depth_before(const VmUnit *unit, const VmFlow *flow)
{
    const VmCalls *calls = &unit->calls[flow->index];
    return (calls->any || flow->function->registers > VM_NATIVE_LEAF) && !calls->tests_depth;
}

/* Whether the f function leaves tests to those who call it. */
static bool tests_before(const VmUnit *unit, const VmFlow *flow)
{
    return tests_depth_before(unit, flow) || unit->calls[flow->index].bounded;
}

/* Whether the interpreter enters it at its beginning through a function for that; parts can be entered there, too. */
static bool has_entry(const VmUnit *unit, const VmFlow *flow)
{
    return !flow->parts || unit->calls[flow->index].bounded;
}

static void print_tests(const VmUnit *unit, const VmFlow *flow, bool depth, GString *out)
{
    bool fuel = unit->calls[flow->index].bounded;
    g_string_append_printf(out, "%s%s", depth ? "TOO_DEEP()" : "", depth && fuel ? " || " : "");
    if (fuel)
        g_string_append_printf(out, "fuel < %" G_GUINT64_FORMAT, vm_print_least_for_call(unit, flow));
}

/* The function that calls through pointers and from other units come to, where that is not the f function, and the one
 * that the interpreter enters. */
static void print_entry(const VmUnit *unit, const VmFlow *flow, GString *out)
{
    if (tests_before(unit, flow)) {
        g_string_append_printf(out, "static Outcome c%u(State *k, uint64_t *R, int64_t fuel", flow->index);
        print_list(flow, ", uint64_t p%u", out);
        g_string_append(out, ")\n{\n    if (UNLIKELY(");
        print_tests(unit, flow, tests_depth_before(unit, flow), out);
        g_string_append(out, ")) {");
        for (uint32_t a = 0; a < MIN(flow->function->parameters, VM_NATIVE_ARGUMENTS); a++)
            g_string_append_printf(out, " R[%u] = p%u;", a, a);
        g_string_append_printf(out, " k->leave(k, R, %u, k->sp, fuel); return gone; }\n    return f%u(k, R, fuel",
                               flow->function->code_start, flow->index);
        print_list(flow, ", p%u", out);
        g_string_append(out, ");\n}\n");
    }
    if (!has_entry(unit, flow))
        return;
    g_string_append_printf(out, "static Outcome e%u(State *k, uint64_t *R, int64_t fuel, uint32_t entry) { ",
                           flow->index);
    if (unit->calls[flow->index].bounded) {
        g_string_append(out, "if (UNLIKELY(");
        print_tests(unit, flow, false, out);
        g_string_append_printf(out, ")) { k->leave(k, R, %u, k->sp, fuel); return gone; } ",
                               flow->function->code_start);
    }
    g_string_append_printf(out, "return f%u(k, R, fuel", flow->index);
    print_list(flow, ", R[%u]", out);
    g_string_append(out, "); }\n");
}

static void declare_functions(const VmUnit *unit, GString *out)
{
    uint32_t count = unit->image->module->functions.count;
    for (uint32_t f = 0; f < count; f++) {
        const VmFlow *flow = unit->flows[f];
        if (!flow || flow->partial)
            continue;
        for (uint32_t copy = 0; copy <= unit->calls[f].copies; copy++) {
            vm_print_head(unit, flow, copy, out);
            g_string_append(out, ";\n");
        }
        if (unit->calls[f].shortcut)
            vm_print_shortcut_heads(flow, out);
        if (tests_before(unit, flow)) {
            g_string_append_printf(out, "static Outcome c%u(State *k, uint64_t *R, int64_t fuel", f);
            print_list(flow, ", uint64_t p%u", out);
            g_string_append(out, ");\n");
        }
    }
}

static uint32_t print_offers(const VmUnit *unit, GString *out)
{
    uint32_t count = 0;
    g_string_append(out, "static const Offer offers[] = {\n");
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++)
        if (unit->flows[f] && !unit->flows[f]->partial) {
            g_string_append_printf(out, "    {%u, (void (*)(void))%c%u},\n", f,
                                   tests_before(unit, unit->flows[f]) ? 'c' : 'f', f);
            count++;
        }
    g_string_append(out, "};\n");
    return count;
}

static uint32_t print_ways(const VmUnit *unit, GString *out)
{
    uint32_t count = 0;
    g_string_append(out, "static const Way ways[] = {\n");
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++) {
        const VmFlow *flow = unit->flows[f];
        if (!flow)
            continue;
        if (!flow->blocks[0].checkpoint && !flow->partial) {
            bool entry = has_entry(unit, flow);
            g_string_append_printf(out, "    {%u, %u, ROOM, %c%u},\n", flow->function->code_start,
                                   entry ? 0 : flow->block_count, entry ? 'e' : 'l', f);
            count++;
        }
        for (uint32_t b = 0; b < flow->block_count; b++)
            if (vm_flow_enters(&flow->blocks[b]) && !(flow->partial && flow->parts[b])) {
                g_string_append_printf(out, "    {%u, %u, ROOM, %c%u},\n", flow->blocks[b].start, b,
                                       vm_entries_in_loop(flow, b) ? 'm' : 'l', f);
                count++;
            }
    }
    g_string_append(out, "};\n");
    return count;
}

/* Within which calls stay up to the next test of depth. */
static uint32_t own_room(const VmUnit *unit)
{
    return unit->most_registers + VM_NATIVE_ROOM + VCODE_MAX_ARGUMENTS;
}

uint32_t vm_unit_room(void)
{
    return COMMON_ROOM;
}

static void print_prelude(const VmUnit *unit, GString *out)
{
    const VcodeModule *m = unit->image->module;
    uint32_t constants = m->rodata.count;
    if (unit->exits_forced)
        g_string_append(out, "#define UNLIKELY(x) __builtin_expect((x) || --k->drill == 0, 0)\n");
    if (unit->image->keeps_fenv)
        g_string_append(out, "#define OPAQUE\n");
    g_string_append(out, vm_prelude());
    g_string_append(out, vm_prelude_lanes());
    g_string_append_printf(out, "#define LOW UINT64(0x%" G_GINT64_MODIFIER "x)\n", unit->low);
    g_string_append_printf(out, "#define CONSTANTS_BASE UINT64(0x%" G_GINT64_MODIFIER "x)\n", VCODE_RODATA_BASE);
    g_string_append_printf(out, "#define CONSTANT_BYTES UINT64(%u)\n", constants);
    g_string_append_printf(out, "#define CODE_BASE UINT64(0x%" G_GINT64_MODIFIER "x)\n", VCODE_CODE_BASE);
    g_string_append_printf(out, "#define LABEL_BASE UINT64(0x%" G_GINT64_MODIFIER "x)\n", VCODE_LABEL_BASE);
    g_string_append_printf(out, "#define FUNCTIONS %u\n", m->functions.count);
    uint32_t room = own_room(unit);
    g_string_append_printf(out, "#define ROOM %u\n", room);
    g_string_append_printf(out, "#define MORE_ROOM %u\n\n", room > unit->room ? room - unit->room : 0);
    vm_print_library_functions(unit, out);
}

char *vm_unit_print(const VmUnit *unit)
{
    GString *out = g_string_new(NULL);
    print_prelude(unit, out);
    declare_functions(unit, out);
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++) {
        const VmFlow *flow = unit->flows[f];
        if (!flow)
            continue;
        g_string_append_printf(out, "\n/* %s */\n", vcode_text(flow->module, flow->function->name));
        vm_print_function(unit, flow, out);
        if (!flow->partial)
            print_entry(unit, flow, out);
    }
    uint32_t ways = print_ways(unit, out), offers = print_offers(unit, out);
    g_string_append_printf(
        out, "__attribute__((visibility(\"default\"))) const Unit " VM_NATIVE_SYMBOL " = {%u, %u, ways, %u, offers};\n",
        VM_NATIVE_VERSION, ways, offers);
    return g_string_free(out, FALSE);
}
