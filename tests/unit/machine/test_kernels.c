/* Kernels of calibration: one call is counted exactly, an error says what cannot be counted, and known costs are found
 * again.
 *
 * A kernel program calls its kernel once, and as often again as its argument says. The kernel here clears some bytes.
 * The costs of its library calls are exact, whatever the instructions around them cost.
 */
#include "machine/calibrate/calibrate.h"
#include "machine/config/config.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

typedef enum End { END_WELL, END_BADLY, END_DIVIDING_BY_ZERO } End;

enum { ARGC, ARGV, STACK = 4, TEXT, TURNS, ZERO, WINDOW = 10 };

static void op(VcodeModule *m, VcodeInstr instruction)
{
    *vcode_push(m, code) = instruction;
}

static void constant(VcodeModule *m, unsigned reg, uint64_t value)
{
    op(m, vcode_pack_imm32(VCODE_MOVK, 0, reg, (int32_t)vcode_constant(m, value, false)));
}

static void call(VcodeModule *m, const char *name, unsigned n)
{
    vcode_push(m, externs)->name = vcode_string(m, name);
    op(m, vcode_pack_imm32(VCODE_CALLX, n, WINDOW, (int32_t)m->externs.count - 1));
}

/* Calls memset for `bytes` bytes, `sets` times per iteration, and fabs once, if `fabs`. */
static VcodeModule *program(unsigned sets, unsigned bytes, bool fabs, End end)
{
    VcodeModule *m = vcode_module_new(VCODE_PROGRAM);
    *vcode_push(m, functions) = (VcodeFunction){.name = vcode_string(m, "_start"),
                                                .registers = 20,
                                                .parameters = 3,
                                                .file = VCODE_NONE,
                                                .return_type = VCODE_NONE};
    op(m, vcode_pack_imm32(VCODE_ENTER, 0, STACK, 4096));
    op(m, vcode_pack(VCODE_LD64, 0, TEXT, ARGV, 8)); /* argv[1], a digit */
    op(m, vcode_pack(VCODE_LD8U, 0, TURNS, TEXT, 0));
    op(m, vcode_pack(VCODE_ADDI_L, 0, TURNS, TURNS, (unsigned)(1 - '0')));
    op(m, vcode_pack(VCODE_FALL, 0, 0, 0, 0));
    uint32_t top = m->code.count;
    for (unsigned i = 0; i < sets; i++) {
        op(m, vcode_pack(VCODE_ADDI_L, 0, WINDOW, STACK, 0));
        constant(m, WINDOW + 1, 0);
        constant(m, WINDOW + 2, bytes);
        call(m, "memset", 3);
    }
    if (fabs) {
        constant(m, WINDOW, 7);
        call(m, "fabs", 1);
    }
    op(m, vcode_pack(VCODE_ADDI_L, 0, TURNS, TURNS, (unsigned)-1));
    int32_t back = (int32_t)top - (int32_t)m->code.count - 1;
    op(m, vcode_pack(VCODE_BNEI, (unsigned)(back >> 16) & 0xff, TURNS, 0, (unsigned)back & 0xffff));
    if (end == END_DIVIDING_BY_ZERO) {
        constant(m, ZERO, 0);
        op(m, vcode_pack(VCODE_DIV_L, 0, TURNS, ZERO, ZERO));
    }
    constant(m, WINDOW, end == END_BADLY ? 3 : 0);
    call(m, "_exit", 1);
    op(m, vcode_pack(VCODE_RETV, 0, 0, 0, 0));
    m->functions.items[0].code_count = m->code.count;
    m->data_base = 0x20000;
    m->entry = 0;
    return m;
}

static MachKernel *kernel_of(const char *name, VcodeModule *program)
{
    VmCosts like;
    vm_costs_default(&like);
    g_autoptr(GError) error = NULL;
    MachKernel *kernel = mach_kernel_new(name, program, &like, &error);
    cr_assert_not_null(kernel, "%s", error ? error->message : "");
    return kernel;
}

Test(kernels, library_calls_of_one_turn_are_counted)
{
    MachKernel *kernel = kernel_of("clear", program(2, 100, true, END_WELL));
    cr_assert_eq(kernel->calls->len, 2, "_exit is no part of the kernel");
    const MachKernelCalls *sets = &g_array_index(kernel->calls, MachKernelCalls, 0);
    const MachKernelCalls *fabs = &g_array_index(kernel->calls, MachKernelCalls, 1);
    cr_assert_str_eq(sets->name, "memset");
    cr_assert_eq(sets->calls, 2);
    cr_assert_eq(sets->units, 200);
    cr_assert_str_eq(fabs->name, "fabs");
    cr_assert_eq(fabs->calls, 1);
    cr_assert_eq(fabs->units, 0);
    mach_kernel_free(kernel);
}

Test(kernels, cost_follows_from_the_counts)
{
    MachKernel *kernel = kernel_of("clear", program(2, 100, true, END_WELL));
    const VmExternCost library[] = {{.name = "memset", .base_q8 = 1000, .unit_q8 = 3}, {.name = "fabs", .base_q8 = 7}};
    VmCosts costs = {.externs = library, .n_externs = 2};
    cr_assert_eq(mach_kernel_cost(kernel, &costs), 2 * 1000 + 200 * 3 + 7);
    costs.n_externs = 1;
    cr_assert_eq(mach_kernel_cost(kernel, &costs), 2 * 1000 + 200 * 3, "what has no cost costs nothing");
    costs.n_externs = 0;
    cr_assert_eq(mach_kernel_cost(kernel, &costs), 0);
    mach_kernel_free(kernel);
    mach_kernel_free(NULL);
}

static void refuse(End end, const char *reason)
{
    VmCosts like;
    vm_costs_default(&like);
    g_autoptr(GError) error = NULL;
    cr_assert_null(mach_kernel_new("bad", program(1, 10, false, end), &like, &error));
    g_autofree char *message = g_strdup_printf("the kernel bad cannot be counted: %s", reason);
    cr_assert(g_str_has_prefix(error->message, message), "%s", error->message);
}

Test(kernels, what_cannot_be_counted_says_why)
{
    refuse(END_BADLY, "it ends with an error");
    refuse(END_DIVIDING_BY_ZERO, "integer division by zero");
}

/* The measured times follow from 8 cycles for a call and a sixteenth for a byte. All of them are predicted, including
 * those that were not fitted, and the file names both numbers. */
Test(kernels, costs_are_found_again)
{
    enum { KERNELS = 6, MHZ = 1000 };
    static const unsigned bytes[KERNELS] = {0, 16, 100, 1000, 2000, 4000};
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = mach_config_load(ORRERY_SOURCE_DIR "/configs/laptop.machine", NULL, &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    mach_config_calibrate_clock(config, (uint64_t)MHZ * 1000000);
    MachMeasurement measurements[KERNELS] = {0};
    MachKernel *kernels[KERNELS];
    for (int i = 0; i < KERNELS; i++) {
        g_autofree char *name = g_strdup_printf("clear-%u", bytes[i]);
        kernels[i] = kernel_of(name, program(4, bytes[i], false, END_WELL));
        measurements[i] =
            (MachMeasurement){.kernel = kernels[i], .ns = 4 * (8 + bytes[i] * 0.0625), .held_out = i == 3};
    }
    mach_calibrate(config, measurements, KERNELS);
    for (int i = 0; i < KERNELS; i++)
        cr_expect(fabs(measurements[i].predicted_ns / measurements[i].ns - 1.0) < 0.05, "%u bytes: %g for %g ns",
                  bytes[i], measurements[i].predicted_ns, measurements[i].ns);
    const MachLibraryCost *cost = mach_library_cost_find(config->library, "memset");
    cr_assert_not_null(cost);
    cr_assert_str_eq(cost->comment, "calibrated");
    cr_expect(abs((int)cost->unit_q8 - 16) <= 1, "%u/256 cycles a byte", cost->unit_q8);
    cr_expect(cost->base_q8 > 6 * 256 && cost->base_q8 < 9 * 256, "%u/256 cycles a call", cost->base_q8);
    g_autoptr(GString) text = g_string_new(NULL);
    mach_config_print_given(config, "Written by a test.", text);
    cr_assert(g_str_has_prefix(text->str, "# Written by a test.\n"), "%s", text->str);
    cr_assert(strstr(text->str, "[library]\n# calibrated\nmemset = "), "%s", text->str);
    for (int i = 0; i < KERNELS; i++)
        mach_kernel_free(kernels[i]);
}
