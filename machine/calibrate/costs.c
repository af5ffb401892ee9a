/* costs.c - from measured kernels to a table of costs and a machine file.
 *
 * The parameters of the fit are the keys of [cost] that are in cycles, and base and unit of each library function that
 * the kernels call. For branches these are the cost of a misprediction or, without a predictor, the average costs of
 * kinds of branches. The expected values of the parameters matter where the kernels say little. They are those of a
 * present-day superscalar core. All arithmetic of the fit is in cycles. Results are rounded to 1/256 cycle before they
 * are reported and written, so the report is exactly what a run on the machine file gives.
 */
#include "base/units.h"
#include "machine/calibrate/calibrate.h"
#include "machine/config/config.h"

#include <math.h>
#include <string.h>

/* Unit of VmCosts during the fit, a fraction of a cycle: fine enough for slopes, and 4095 cycles do not overflow. */
#define UNIT_PER_CYCLE 1048576.0
enum { ROUNDS = 40, FOLLOWED_ROUNDS = 5 };
static const double library_scale = 0.4; /* library.def has more conservative costs than present-day libraries */

typedef enum When { ALWAYS, PREDICTED, UNPREDICTED } When; /* with a branch predictor only, without one only */

static const struct {
    const char *key;
    double cycles, out_of_order; /* 0: not used in this mode; negative: fixed, not fitted */
    When when;
} expectations[] = {
    {"move", 0.05, 0.08, ALWAYS},
    {"integer", 0.12, -0.19921875, ALWAYS},
    {"multiply", 0.4, -1.0, ALWAYS},
    {"divide", 6.0, 6.0, ALWAYS},
    {"fp-add", 0.15, 0.5, ALWAYS},
    {"fp-multiply", 0.15, 0.5, ALWAYS},
    {"fp-divide", 4.0, 4.0, ALWAYS},
    {"fp-sqrt", 5.0, 5.0, ALWAYS},
    {"convert", 0.3, 1.0, ALWAYS},
    {"load", 0.12, -0.328125, ALWAYS},
    {"store", 0.2, 0.5, ALWAYS},
    {"copy", 2.0, 1.0, ALWAYS},
    {"branch", 0.3, 0.3, ALWAYS},
    {"call", 0.8, 0.8, ALWAYS},
    {"copy-byte", 0.03, 0.03, ALWAYS},
    {"dispatch", 0.0, 0.17, ALWAYS},
    {"integer-latency", 1.0, -1.0, ALWAYS},
    {"multiply-latency", 3.0, 3.0, ALWAYS},
    {"divide-latency", 12.0, 12.0, ALWAYS},
    {"fp-add-latency", 2.5, 2.5, ALWAYS},
    {"fp-multiply-latency", 4.0, 4.0, ALWAYS},
    {"fp-divide-latency", 13.0, 13.0, ALWAYS},
    {"fp-sqrt-latency", 15.0, 15.0, ALWAYS},
    {"convert-latency", 5.0, 5.0, ALWAYS},
    {"load-latency", 5.0, 5.0, ALWAYS},
    {"store-latency", 0.0, 2.0, ALWAYS},
    {"call-latency", 4.0, 0.0, ALWAYS},
    {"branch-exit", 1.5, 0.0, ALWAYS},
    {"branch-order", 10.0, 0.0, UNPREDICTED},
    {"branch-test", 0.5, 0.0, UNPREDICTED},
    {"branch-switch", 2.0, 0.0, UNPREDICTED},
    {"exit-order", 10.0, 0.0, UNPREDICTED},
    {"exit-test", 3.0, 0.0, UNPREDICTED},
    {"misprediction", 16.0, 16.0, PREDICTED},
};

typedef struct Parameter {
    MachSetting *setting; /* key of the machine; NULL: the parameter belongs to `function` */
    const char *function;
    bool is_unit; /* the cost per unit of the function, not per call */
    double expected;
} Parameter;

typedef struct Task {
    MachConfig *config;
    GArray *parameters; /* Parameter */
    GArray *fixed;      /* Parameter: those that have a fixed value */
    MachMeasurement *measurements;
    size_t *samples; /* indices of the measurements used for the fit */
    size_t n_samples;
    double cycles_per_ns;
    MachConfig scratch;
    GArray *externs; /* VmExternCost */
} Task;

static bool is_out_of_order(const VmCosts *costs)
{
    return costs->execution == VM_EXECUTION_OUT_OF_ORDER;
}

/* Returns the expected cycles of a key from the table above. */
static double expected_cycles(const VmCosts *costs, const char *key)
{
    bool predicted = costs->predictor != VM_PREDICTOR_NONE;
    for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
        if (strcmp(expectations[i].key, key) == 0 && expectations[i].when != (predicted ? UNPREDICTED : PREDICTED))
            return is_out_of_order(costs) ? expectations[i].out_of_order : expectations[i].cycles;
    return 0.0;
}

/* Sets a parameter that is not fitted: it costs nothing, or a fixed number of cycles. */
static void fix(Task *task, MachSetting *setting, double cycles)
{
    size_t where;
    g_autofree char *value = base_units_format_cycles((uint64_t)(cycles * 256.0 + 0.5));
    bool fits = mach_setting_assign(task->config, setting, value, &where, NULL);
    g_assert(fits);
    setting->given |= cycles > 0.0;
    Parameter fixed = {.setting = setting, .expected = cycles};
    g_array_append_val(task->fixed, fixed);
}

static void add_settings(Task *task)
{
    for (guint i = 0; i < task->config->settings->len; i++) {
        MachSetting *setting = &g_array_index(task->config->settings, MachSetting, i);
        if (strcmp(setting->section, "cost") != 0 || setting->kind != MACH_KIND_CYCLES)
            continue;
        Parameter parameter = {.setting = setting, .expected = expected_cycles(&task->config->costs, setting->name)};
        if (parameter.expected > 0.0)
            g_array_append_val(task->parameters, parameter);
        else
            fix(task, setting, -parameter.expected);
    }
}

/* Returns the expected cost of a call of a function. Compilers turn some functions into an instruction or two. */
static double expected_call(const VmExtern *function)
{
    static const struct {
        const char *name;
        double cycles;
    } in_place[] = {{"fabs", 0.25}, {"fabsf", 0.25}, {"sqrt", 2.0}, {"sqrtf", 2.0}, {"abs", 0.4}, {"labs", 0.4}};
    for (size_t i = 0; i < G_N_ELEMENTS(in_place); i++)
        if (strcmp(in_place[i].name, function->name) == 0)
            return in_place[i].cycles;
    return MAX(function->base_q8, 1) / 256.0 * library_scale;
}

static void add_function(Task *task, const MachKernelCalls *calls)
{
    size_t n;
    const VmExtern *library = vm_library(&n);
    for (guint i = 0; i < task->externs->len; i++)
        if (strcmp(g_array_index(task->externs, VmExternCost, i).name, calls->name) == 0)
            return;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(library[i].name, calls->name) != 0)
            continue;
        VmExternCost cost = {.name = library[i].name};
        Parameter base = {.function = cost.name, .expected = expected_call(&library[i])};
        Parameter unit = {
            .function = cost.name, .is_unit = true, .expected = library[i].unit_q8 / 256.0 * library_scale};
        g_array_append_val(task->externs, cost);
        g_array_append_val(task->parameters, base);
        if (library[i].unit_q8)
            g_array_append_val(task->parameters, unit);
    }
}

/* -- the model --------------------------------------------------------------------------------- */

static void set_parameter(Task *task, const Parameter *parameter, uint32_t value)
{
    if (parameter->setting) {
        *(uint32_t *)((char *)&task->scratch + parameter->setting->offset) = value;
        return;
    }
    for (guint i = 0; i < task->externs->len; i++) {
        VmExternCost *cost = &g_array_index(task->externs, VmExternCost, i);
        if (strcmp(cost->name, parameter->function) == 0)
            *(parameter->is_unit ? &cost->unit_q8 : &cost->base_q8) = value;
    }
}

static void set_parameters(Task *task, const double *x, double unit)
{
    for (guint p = 0; p < task->parameters->len; p++)
        set_parameter(task, &g_array_index(task->parameters, Parameter, p), (uint32_t)MIN(x[p] * unit + 0.5, 4e9));
    for (guint p = 0; p < task->fixed->len; p++) {
        const Parameter *fixed = &g_array_index(task->fixed, Parameter, p);
        set_parameter(task, fixed, (uint32_t)(fixed->expected * unit + 0.5));
    }
    task->scratch.costs.externs = (const VmExternCost *)task->externs->data;
    task->scratch.costs.n_externs = task->externs->len;
}

static double cycles_of(Task *task, const MachKernel *kernel, const double *x, double unit)
{
    set_parameters(task, x, unit);
    return mach_kernel_cost(kernel, &task->scratch.costs) / unit;
}

static double outcome(void *user, size_t sample, const double *x)
{
    Task *task = user;
    return cycles_of(task, task->measurements[task->samples[sample]].kernel, x, UNIT_PER_CYCLE);
}

/* -- results ----------------------------------------------------------------------------------- */

static char *function_value(const Task *task, const char *name)
{
    for (guint i = 0; i < task->externs->len; i++) {
        const VmExternCost *cost = &g_array_index(task->externs, VmExternCost, i);
        if (strcmp(cost->name, name) == 0)
            return mach_format_library_cost(cost->base_q8, cost->unit_q8);
    }
    g_assert_not_reached();
}

static void assign(MachConfig *config, MachSetting *setting, const char *value)
{
    size_t where;
    bool fits = mach_setting_assign(config, setting, value, &where, NULL);
    g_assert(fits);
    setting->given = true;
    g_free(setting->comment);
    setting->comment = g_strdup("calibrated");
}

static void assign_function(MachConfig *config, const char *function, const char *value)
{
    size_t where;
    bool fits = mach_library_cost_assign(config->library, function, value, &where, NULL);
    g_assert(fits);
    MachLibraryCost *cost = mach_library_cost_find(config->library, function);
    g_free(cost->comment);
    cost->comment = g_strdup("calibrated");
}

/* Stores the costs, rounded, in the machine. */
static void store(Task *task, const double *x)
{
    g_autofree char *window = g_strdup_printf("%u", task->scratch.costs.window);
    set_parameters(task, x, 256.0);
    assign(task->config, mach_setting_find(task->config->settings, "cost", "window"), window);
    for (guint p = 0; p < task->parameters->len; p++) {
        const Parameter *parameter = &g_array_index(task->parameters, Parameter, p);
        g_autofree char *value = parameter->setting ? base_units_format_cycles((uint64_t)(x[p] * 256.0 + 0.5))
                                                    : function_value(task, parameter->function);
        if (parameter->setting)
            assign(task->config, parameter->setting, value);
        else
            assign_function(task->config, parameter->function, value);
    }
}

static void predict(Task *task, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        task->measurements[i].predicted_ns =
            cycles_of(task, task->measurements[i].kernel, x, 256.0) / task->cycles_per_ns;
}

void mach_config_calibrate_clock(MachConfig *config, uint64_t clock_hz)
{
    g_autofree char *value = clock_hz % 1000000 ? g_strdup_printf("%" G_GUINT64_FORMAT " Hz", clock_hz)
                                                : g_strdup_printf("%" G_GUINT64_FORMAT " MHz", clock_hz / 1000000);
    assign(config, mach_setting_find(config->settings, "cpu", "clock"), value);
}

static void collect(Task *task, size_t n, double *measured)
{
    add_settings(task);
    for (size_t i = 0; i < n; i++) {
        const MachMeasurement *m = &task->measurements[i];
        if (m->held_out)
            continue;
        measured[task->n_samples] = m->ns * task->cycles_per_ns;
        task->samples[task->n_samples++] = i;
        for (guint c = 0; c < m->kernel->calls->len; c++)
            add_function(task, &g_array_index(m->kernel->calls, MachKernelCalls, c));
    }
}

/* Tries several windows, and returns the parameters under the best one. The window is no cost that could be fitted:
 * outcomes have kinks in it. */
static double *fit_windows(Task *task, MachFitModel *model)
{
    static const uint32_t of_blocks[] = {0, 100, 150, 200, 250, 300, 400}, out_of_order[] = {400};
    bool followed = is_out_of_order(&task->scratch.costs); /* following the trace takes long: try one window only */
    const uint32_t *windows = followed ? out_of_order : of_blocks;
    size_t n = followed ? G_N_ELEMENTS(out_of_order) : G_N_ELEMENTS(of_blocks);
    double *best = NULL, least = 0.0;
    uint32_t best_window = 0;
    for (size_t k = 0; k < n; k++) {
        double *x = g_memdup2(model->expected, model->parameters * sizeof *x);
        task->scratch.costs.window = windows[k];
        double badness = mach_fit(model, x);
        if (!best || badness < least) {
            g_free(best);
            best = g_steal_pointer(&x);
            least = badness;
            best_window = windows[k];
        }
        g_free(x);
    }
    task->scratch.costs.window = best_window;
    return best;
}

static void task_init(Task *task, MachConfig *config, MachMeasurement *measurements, size_t n)
{
    *task = (Task){.config = config,
                   .parameters = g_array_new(FALSE, TRUE, sizeof(Parameter)),
                   .fixed = g_array_new(FALSE, TRUE, sizeof(Parameter)),
                   .measurements = measurements,
                   .samples = g_new(size_t, n),
                   .cycles_per_ns = (double)config->clock_hz / 1e9,
                   .scratch = *config,
                   .externs = g_array_new(FALSE, TRUE, sizeof(VmExternCost))};
}

static void task_clear(Task *task)
{
    g_free(task->samples);
    g_array_unref(task->parameters);
    g_array_unref(task->fixed);
    g_array_unref(task->externs);
}

/* Returns the costs under which the kernels that are not held out are predicted best. */
static double *fit_costs(Task *task, size_t n)
{
    bool followed = is_out_of_order(&task->config->costs);
    g_autofree double *measured = g_new(double, n);
    collect(task, n, measured);
    size_t parameters = task->parameters->len;
    g_autofree double *expected = g_new(double, parameters);
    for (size_t p = 0; p < parameters; p++)
        expected[p] = g_array_index(task->parameters, Parameter, p).expected;
    MachFitModel model = {.samples = task->n_samples,
                          .parameters = parameters,
                          .outcome = outcome,
                          .user = task,
                          .measured = measured,
                          .rounds = followed ? FOLLOWED_ROUNDS : ROUNDS,
                          .stride = followed ? 0.8 : 0.5,
                          .step = followed ? 0.05 : 1e-3,
                          .expected = expected};
    return fit_windows(task, &model);
}

void mach_calibrate(MachConfig *config, MachMeasurement *measurements, size_t n)
{
    Task task;
    task_init(&task, config, measurements, n);
    g_autofree double *x = fit_costs(&task, n);
    store(&task, x);
    predict(&task, x, n);
    task_clear(&task);
}

void mach_calibrate_cross_validate(MachConfig *config, MachMeasurement *measurements, size_t n, size_t folds)
{
    g_autofree double *predicted = g_new(double, n);
    for (size_t fold = 0; fold < folds; fold++) {
        Task task;
        for (size_t i = 0; i < n; i++)
            measurements[i].held_out = i % folds == fold;
        task_init(&task, config, measurements, n);
        g_autofree double *x = fit_costs(&task, n);
        predict(&task, x, n);
        task_clear(&task);
        for (size_t i = fold; i < n; i += folds)
            predicted[i] = measurements[i].predicted_ns;
    }
    for (size_t i = 0; i < n; i++)
        measurements[i].predicted_ns = predicted[i];
}
