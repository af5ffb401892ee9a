/* cmd_calibrate.c - `orrery calibrate`: fits the cost table of a machine file to kernels measured on this computer.
 *
 * The kernels are C files in share/orrery/calibration. Those in fit/ are fitted, those in check/ only tell how good the
 * fit is. Each is linked with harness.c, natively by the host's C compiler and for the simulator by Orrery's.
 *
 *     measure (measure.c) or read a table -> count in the simulator -> fit (machine/calibrate/) -> report, write
 */
#include "base/choice.h"
#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/calibrate/calibrate.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "vcode/vcode.h"
#include "vm/vm.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct CalibrateTarget {
    char *output, *clock, *base, *predictor, *execution, *folds, *cc, *turns, *kernels, *measurements, *record,
        *comment;
    gboolean quick;
} CalibrateTarget;

#define TURNS 60 /* default of --turns */

const CliOption cli_calibrate_options[] = {
    {"output", 'o', CLI_RESULT, "FILE", offsetof(CalibrateTarget, output),
     "write the machine file here (default: to standard output)", "-o mine.machine"},
    {"clock", 0, CLI_TEXT, "FREQUENCY", offsetof(CalibrateTarget, clock),
     "clock frequency of this computer (default: measured)", "--clock '3.6 GHz'"},
    {"base", 0, CLI_MACHINE, "NAME|FILE", offsetof(CalibrateTarget, base),
     "the machine whose other keys the file takes over (default " CLI_MACHINE_NAME ")", "--base crossbar-16"},
    {"branch-predictor", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(VM_PREDICTORS), offsetof(CalibrateTarget, predictor),
     "which branch predictor the machine has (default tage); the native tier runs programs only with none",
     "--branch-predictor none"},
    {"execution", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(VM_EXECUTIONS), offsetof(CalibrateTarget, execution),
     "how the machine follows time: blocks, which have a cost each, or out-of-order, each instruction through a core "
     "(default with a branch predictor): truer, and some ten times slower",
     "--execution blocks"},
    {"folds", 0, CLI_TEXT, "N", offsetof(CalibrateTarget, folds),
     "cross validation besides: part all kernels into N, predict each part by a fit to the others, and report the "
     "median "
     "error; takes N times as long as fitting",
     "--folds 5"},
    {"turns", 0, CLI_TEXT, "N", offsetof(CalibrateTarget, turns),
     "run each kernel at most so often to find its least time (default " G_STRINGIFY(TURNS) ")", "--turns 100"},
    {"quick", 0, CLI_FLAG, NULL, offsetof(CalibrateTarget, quick),
     "take every sixth kernel only, and few runs: seconds instead of minutes, for a rough machine file", "--quick"},
    {"cc", 0, CLI_TEXT, "COMMAND", offsetof(CalibrateTarget, cc),
     "the C compiler to measure with (default $ORRERY_CC, else cc)", "--cc gcc-12"},
    {"kernels", 0, CLI_FILE, "DIRECTORY", offsetof(CalibrateTarget, kernels),
     "take the kernels from here: harness.c, clock.c, fit/*.c and check/*.c", "--kernels my-kernels"},
    {"measurements", 0, CLI_FILE, "FILE", offsetof(CalibrateTarget, measurements),
     "do not measure, take the times from this table, as --record writes it", "--measurements host.times"},
    {"record", 0, CLI_RESULT, "FILE", offsetof(CalibrateTarget, record), "write what was measured as a table",
     "--record host.times"},
    {"comment", 0, CLI_TEXT, "TEXT", offsetof(CalibrateTarget, comment), "first comment of the machine file",
     "--comment 'my computer, gcc 12'"},
    {0}};

static const CliUsage calibrate_usage = {
    .command = "calibrate",
    .synopsis = "[OPTION...]",
    .text =
        "Measures small kernels natively on this computer, compiled with -O2, counts what they do in the simulator,\n"
        "fits the costs of instructions and library functions, and reports for each kernel what the fitted machine\n"
        "predicts. Kernels that were not fitted tell how good it is. Writes a machine file.\n\n"
        "  orrery calibrate -o mine.machine\n"
        "  orrery run --machine ./mine.machine program.c\n"
        "  orrery calibrate --record host.times && orrery calibrate --measurements host.times",
    .options = cli_calibrate_options,
    .mixed = true,
};

enum { QUICK_TURNS = 2, QUICK_KERNELS = 6, FEWEST_KERNELS = 5 };

/* -- what to do -------------------------------------------------------------------------------- */

static bool read_clock(const CalibrateTarget *target, Calibration *calibration, GError **error)
{
    if (!target->clock || base_units_parse(target->clock, BASE_UNIT_FREQUENCY, &calibration->clock_hz, error))
        return true;
    g_prefix_error(error, "--clock: ");
    return false;
}

static bool get_times(const CalibrateTarget *target, Calibration *calibration, GError **error)
{
    uint64_t turns = target->quick ? QUICK_TURNS : TURNS;
    if (target->turns && !cli_option_number("--turns", target->turns, 2, 100000, &turns, error))
        return false;
    if (!read_clock(target, calibration, error))
        return false;
    if (target->measurements)
        return cli_calibrate_read(calibration, target->measurements, error);
    const char *given = g_getenv("ORRERY_CC");
    const char *cc = target->cc ? target->cc : given && *given ? given : "cc";
    return cli_calibrate_measure(calibration, cc, (unsigned)turns, error) &&
           (!target->record || cli_calibrate_write(calibration, target->record, error));
}

static VcodeModule *simulated_program(const Calibration *calibration, const char *name, GError **error)
{
    CliBuild build;
    char *paths[] = {cli_calibrate_source(calibration, "harness"), cli_calibrate_source(calibration, name)};
    cli_build_init(&build);
    build.compile.optimise = 2; /* as in the native build */
    VcodeModule *program = cli_build_program(&build, paths, 2, error);
    cli_build_clear(&build);
    g_free(paths[0]);
    g_free(paths[1]);
    return program;
}

static bool count_kernels(const Calibration *calibration, const MachConfig *config, GArray *measurements,
                          GPtrArray *kernels, GError **error)
{
    unsigned fitted = 0;
    for (guint i = 0; i < calibration->times->len; i++) {
        const CalibrationTime *time = &g_array_index(calibration->times, CalibrationTime, i);
        if (!time->least_ns)
            continue;
        VcodeModule *program = simulated_program(calibration, time->name, error);
        MachKernel *kernel = program ? mach_kernel_new(time->name, program, &config->costs, error) : NULL;
        if (!kernel)
            return false;
        MachMeasurement measurement = {
            .kernel = kernel, .ns = time->least_ns, .held_out = g_str_has_prefix(time->name, "check/")};
        g_ptr_array_add(kernels, kernel);
        g_array_append_val(measurements, measurement);
        fitted += !measurement.held_out;
    }
    if (fitted >= FEWEST_KERNELS)
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%u kernels in fit/ have been measured; at least %d are needed",
                fitted, FEWEST_KERNELS);
    return false;
}

/* -- report ------------------------------------------------------------------------------------ */

static int compare_errors(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef enum Half { FITTED, HELD_OUT, BOTH } Half;

/* Returns the median error of one half of the kernels, or of both; negative: there are none. */
static double median_error(const GArray *measurements, Half half)
{
    g_autofree double *errors = g_new(double, measurements->len + 1);
    size_t n = 0;
    for (guint i = 0; i < measurements->len; i++) {
        const MachMeasurement *m = &g_array_index(measurements, MachMeasurement, i);
        if (half == BOTH || m->held_out == (half == HELD_OUT))
            errors[n++] = fabs(m->predicted_ns / m->ns - 1.0);
    }
    if (!n)
        return -1.0;
    qsort(errors, n, sizeof *errors, compare_errors);
    return n % 2 ? errors[n / 2] : (errors[n / 2 - 1] + errors[n / 2]) / 2.0;
}

static void report_row(const char *name, const MachMeasurement *m, GString *out)
{
    g_string_append_printf(out, "  %-30s %12.3f %12.3f %+7.1f %%\n", name, m->predicted_ns / 1e3, m->ns / 1e3,
                           100.0 * (m->predicted_ns / m->ns - 1.0));
}

static void report_half(const Calibration *calibration, const GArray *measurements, bool held_out, GString *out)
{
    double median = median_error(measurements, held_out ? HELD_OUT : FITTED);
    if (median < 0.0)
        return;
    g_string_append_printf(out, "%-32s %12s %12s %9s\n", held_out ? "not fitted" : "fitted", "predicted us",
                           "measured us", "error");
    for (guint i = 0, next = 0; i < calibration->times->len; i++) {
        const CalibrationTime *time = &g_array_index(calibration->times, CalibrationTime, i);
        if (!time->least_ns)
            continue;
        const MachMeasurement *m = &g_array_index(measurements, MachMeasurement, next++);
        if (m->held_out == held_out)
            report_row(time->name, m, out);
    }
    g_string_append_printf(out, "  %-30s %35.1f %%\n\n", "median error", 100.0 * median);
}

/* Reports a cross-validation: fits again, each time without one part of all kernels. Must come after the report of the
 * main fit, whose predictions it overwrites. */
static void report_folds(const Calibration *calibration, MachConfig *config, GArray *measurements, size_t folds,
                         GString *out)
{
    mach_calibrate_cross_validate(config, (MachMeasurement *)measurements->data, measurements->len, folds);
    g_string_append_printf(out, "%-32s %12s %12s %9s\n", "cross validation", "predicted us", "measured us", "error");
    for (guint i = 0, next = 0; i < calibration->times->len; i++) {
        const CalibrationTime *time = &g_array_index(calibration->times, CalibrationTime, i);
        if (time->least_ns)
            report_row(time->name, &g_array_index(measurements, MachMeasurement, next++), out);
    }
    g_string_append_printf(out, "  %-30s %35.1f %%\n\n", "median error", 100.0 * median_error(measurements, BOTH));
}

/* If the machine file goes to standard output (no -o, or /dev/stdout), the report goes to standard error. */
static bool report(const CalibrateTarget *target, const Calibration *calibration, MachConfig *config,
                   GArray *measurements, size_t folds)
{
    GString *out = g_string_new(NULL);
    bool good = true;
    report_half(calibration, measurements, false, out);
    report_half(calibration, measurements, true, out);
    if (folds)
        report_folds(calibration, config, measurements, folds, out);
    if (target->output && strcmp(target->output, "/dev/stdout") != 0)
        good = cli_say_output(out->str);
    else
        fputs(out->str, stderr);
    g_string_free(out, TRUE);
    return good;
}

/* -- machine file ------------------------------------------------------------------------------ */

static bool set_choice(MachConfig *config, const char *key, const char *value, GError **error)
{
    g_autofree char *setting = g_strconcat("cost.", key, "=", value, NULL);
    if (mach_config_set(config, setting, error))
        return true;
    g_prefix_error(error, "--%s: ", key);
    return false;
}

static MachConfig *base_machine(const CalibrateTarget *target, const Calibration *calibration, GError **error)
{
    CliRunOptions options = {.machine = target->base};
    MachConfig *config = cli_run_config(&options, error);
    if (!config)
        return NULL;
    const char *predictor = target->predictor ? target->predictor : vm_predictors()[VM_PREDICTOR_TAGE];
    if (set_choice(config, "branch-predictor", predictor, error)) {
        bool predicts = config->costs.predictor != VM_PREDICTOR_NONE;
        VmExecution usual = predicts ? VM_EXECUTION_OUT_OF_ORDER : VM_EXECUTION_BLOCKS;
        const char *execution = target->execution ? target->execution : vm_timing_executions()[usual];
        if (set_choice(config, "execution", execution, error)) {
            mach_config_calibrate_clock(config, calibration->clock_hz);
            return config;
        }
    }
    mach_config_free(config);
    return NULL;
}

static bool write_machine(const CalibrateTarget *target, const MachConfig *config, const GArray *measurements,
                          GError **error)
{
    double median = median_error(measurements, HELD_OUT);
    g_autofree char *quality =
        median < 0.0 ? g_strdup("")
                     : g_strdup_printf("\nMedian error on kernels that were not fitted: %.1f %%.", 100.0 * median);
    g_autofree char *title =
        g_strdup_printf("%s%sCosts by `orrery calibrate`: fitted to kernels measured natively, "
                        "compiled with -O2.%s",
                        target->comment ? target->comment : "", target->comment ? "\n" : "", quality);
    GString *text = g_string_new(NULL);
    mach_config_print_given(config, title, text);
    bool good =
        target->output ? base_write_report(target->output, text->str, text->len, error) : cli_say_output(text->str);
    g_string_free(text, TRUE);
    return good;
}

static bool calibrate(const CalibrateTarget *target, Calibration *calibration, GError **error)
{
    g_autoptr(GPtrArray) kernels = g_ptr_array_new_with_free_func(mach_kernel_free);
    g_autoptr(GArray) measurements = g_array_new(FALSE, TRUE, sizeof(MachMeasurement));
    uint64_t folds = 0;
    if ((target->folds && !cli_option_number("--folds", target->folds, 2, 1000, &folds, error)) ||
        !cli_calibrate_find(calibration, target->quick ? QUICK_KERNELS : 1, error) ||
        !get_times(target, calibration, error))
        return false;
    g_autoptr(MachConfig) config = base_machine(target, calibration, error);
    if (!config || !count_kernels(calibration, config, measurements, kernels, error))
        return false;
    mach_calibrate(config, (MachMeasurement *)measurements->data, measurements->len);
    return write_machine(target, config, measurements, error) &&
           report(target, calibration, config, measurements, folds);
}

int cli_calibrate(int argc, char **argv)
{
    CalibrateTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&calibrate_usage, &target, &argc, argv, &done, &error) && !done) {
        Calibration calibration = {.directory =
                                       target.kernels ? g_strdup(target.kernels) : cli_path_share("calibration")};
        if (argc > 1)
            g_set_error(&error, CLI_ERROR, CLI_ERROR_USAGE, "%s: calibrate takes options only; see --help", argv[1]);
        else if (!calibrate(&target, &calibration, &error))
            status = CLI_STATUS_USAGE;
        cli_calibrate_clear(&calibration);
    }
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_calibrate_options, &target);
    return status;
}
