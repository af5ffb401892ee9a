/* Values of a machine file that are right by themselves but impossible together are refused when a run is made, with
 * the line. */
#include "machine/machine.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

/* Makes a program that ends at once. */
static VcodeModule *program(void)
{
    VcodeModule *m = vcode_module_new(VCODE_PROGRAM);
    *vcode_push(m, functions) = (VcodeFunction){.name = vcode_string(m, "_start"),
                                                .registers = 8,
                                                .parameters = 3,
                                                .file = VCODE_NONE,
                                                .return_type = VCODE_NONE};
    *vcode_push(m, code) = vcode_pack_imm32(VCODE_MOVK, 0, 4, (int32_t)vcode_constant(m, 0, false));
    vcode_push(m, externs)->name = vcode_string(m, "_exit");
    *vcode_push(m, code) = vcode_pack_imm32(VCODE_CALLX, 1, 4, 0);
    *vcode_push(m, code) = vcode_pack(VCODE_RETV, 0, 0, 0, 0);
    m->functions.items[0].code_count = m->code.count;
    m->data_base = 0x20000;
    m->entry = 0;
    return m;
}

static Machine *make(const MachConfig *config, GError **error)
{
    static const char *const argv[] = {"program", NULL};
    MachProgram programs = {.module = program(), .argv = argv, .count = 1};
    MachOptions options;
    mach_run_options_default(&options);
    return mach_run_new(config, &programs, 1, &options, error);
}

/* Checks that the error names line `line` of the file, and that with --set it names no line. */
static void refuse(const char *content, unsigned line, const char *expected)
{
    g_autoptr(GError) error = NULL, again = NULL;
    g_autofree char *folder = g_dir_make_tmp("orrery-refusals-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "test.machine", NULL);
    cr_assert(g_file_set_contents(file, content, -1, NULL));
    g_autoptr(MachConfig) config = mach_config_load(file, NULL, &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    cr_assert_null(make(config, &error), "accepted: %s", content);
    g_autofree char *message = g_strdup_printf("%s:%u:1: error: %s", file, line, expected);
    cr_assert_str_eq(error->message, message);
    g_unlink(file);
    g_rmdir(folder);
}

Test(refusals, caches)
{
#define CACHES "[memory]\nmodel = hierarchy\n"
    refuse(CACHES "L1-line = 48 B\n", 3, "L1-line: a line of 48 bytes is no power of two");
    refuse(CACHES "L1-line = 128 B\nL2-line = 64 B\n", 4,
           "L2-line: a line of 64 bytes is shorter than one of the level above");
    refuse(CACHES "L1-line = 256 B\nL2-line = 256 B\nL3-line = 256 B\nL1-size = 128 B\n", 6,
           "L1-size: the cache is smaller than one of its lines");
    refuse(CACHES "L1-size = 1000 B\n", 3, "L1-size: 1000 bytes are no whole number of sets of 8 lines of 64 bytes");
    refuse(CACHES "L1-size = 1 MiB\nL1-ways = 0\n", 4,
           "L1-ways: a fully associative cache may have 4096 lines, not 16384");
}

Test(refusals, noise_that_leaves_no_time)
{
    refuse("[noise]\nperiod = 1 ms\nduration = 1 ms\n", 3,
           "duration: noise of 1 ms in every 1 ms leaves a program no time; it must be shorter than period");
}

/* With --set the error names the key instead of a line. */
Test(refusals, without_a_file)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    g_autoptr(MachConfig) config = mach_config_load("laptop", search, NULL);
    g_autoptr(GError) error = NULL, again = NULL;
    cr_assert(mach_config_set(config, "noise.period=2 us", NULL));
    cr_assert(mach_config_set(config, "noise.duration=3 us", NULL));
    cr_assert_null(make(config, &error));
    cr_assert(strstr(error->message, "[noise] duration: noise of 3 us in every 2 us leaves a program no time"), "%s",
              error->message);
    cr_assert(mach_config_set(config, "noise.period=0", NULL));
    cr_assert(mach_config_set(config, "memory.model=hierarchy", NULL));
    cr_assert(mach_config_set(config, "memory.L2-size=1000 B", NULL));
    cr_assert_null(make(config, &again));
    cr_assert_str_eq(again->message, "memory.L2-size: 1000 bytes are no whole number of sets of 16 lines of 64 bytes");
}

Test(refusals, values_by_set)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    static const struct {
        const char *assignment, *message;
    } cases[] = {
        {"library.sin=45", "library.sin: "},
        {"library.sinn=1 cycle", "the library has no function \"sinn\", did you mean \"sin\"?"},
        {"node-type.big.cores=2", "the machine has no [node-type big]; only a machine file can make one"},
    };
    g_autoptr(MachConfig) config = mach_config_load("laptop", search, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        cr_assert_not(mach_config_set(config, cases[i].assignment, &error), "%s", cases[i].assignment);
        cr_assert(g_str_has_prefix(error->message, cases[i].message), "%s", error->message);
    }
}
