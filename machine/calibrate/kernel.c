/* kernel.c - what a calibration kernel executes: how often each block and each library function, with how many units.
 *
 * The program calls its kernel once to warm up and then as often as its argument says. It runs here with 0 and with 1.
 * The difference is one call in the steady state, without start-up, output and the measuring itself. From the counts
 * follows what the call costs under any table of costs, without another run. Mispredicted branches are counted with the
 * predictor that the machine is to have.
 */
#include "machine/calibrate/calibrate.h"
#include "machine/config/config.h"

#include <string.h>

enum { CLOCK_PERIOD_PS = 1000 };
#define MOST_CYCLES (UINT64_C(1) << 40)
static const char clock_function[] = "clock_gettime"; /* the harness calls it before and after what is measured */

static void count_block(uint64_t *counts, uint32_t pc)
{
    counts[pc]++;
}

static bool hook(VmRank *rank, uint32_t pc, void *user)
{
    (void)rank;
    count_block(user, pc);
    return false;
}

static bool kernel_error(GError **error, const char *name, const char *reason)
{
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "the kernel %s cannot be counted: %s", name, reason);
    return false;
}

/* Runs a rank to the end of the program. */
static bool run_rank(VmRank *rank, const char *name, GError **error)
{
    while (vm_rank_clock(rank)->cycles >> 8 < MOST_CYCLES) {
        VmStop stop = vm_rank_run(rank, UINT64_C(1) << 30);
        if (stop == VM_STOP_REQUEST) {
            if (!vm_rank_request(rank)->in_order)
                return kernel_error(error, name, "it calls MPI");
            stop = vm_rank_perform(rank);
            if (stop == VM_STOP_REQUEST)
                return kernel_error(error, name, "it waits for a pipe that nobody else uses");
        }
        if (stop == VM_STOP_FAULT)
            return kernel_error(error, name, vm_rank_fault_info(rank)->reason);
        if (stop == VM_STOP_EXITED)
            return vm_rank_exit_status(rank) == 0 || kernel_error(error, name, "it ends with an error");
    }
    return kernel_error(error, name, "it does not end");
}

/* Runs the program with `calls` calls of the kernel. Adds to counts[pc] and makes a trace of the measured part, unless
 * these are NULL. Sets *cycles to the cycles (in 1/256) and *mispredicted. */
static bool run_image(VmImage *image, const char *name, int calls, uint64_t *counts, VmTrace **trace, uint64_t *cycles,
                      uint64_t *mispredicted, GError **error)
{
    g_autofree char *argument = g_strdup_printf("%d", calls);
    const char *const argv[] = {name, argument, NULL}, *const envp[] = {NULL};
    VmLimits limits;
    VmHost nobody = {0};
    vm_world_limits_default(&limits);
    limits.fs = VM_FS_NONE;
    VmWorld *world = vm_world_new(1, &limits, &nobody, error);
    bool good = world && vm_world_start(world, 0, image, argv, envp, (uint64_t)CLOCK_PERIOD_PS << 32, error);
    if (good) {
        VmRank *rank = vm_world_rank(world, 0);
        if (counts)
            vm_rank_set_hook(rank, hook, counts);
        if (trace)
            *trace = vm_timing_trace(rank, clock_function);
        good = run_rank(rank, name, error);
        *cycles = vm_rank_clock(rank)->cycles;
        const VmPredictorCounts *predictions = vm_predictor_counts(rank);
        *mispredicted = predictions ? predictions->mispredicted : 0;
    }
    if (world)
        vm_world_free(world);
    return good;
}

/* -- counting ---------------------------------------------------------------------------------- */

static bool count_blocks(MachKernel *kernel, GError **error)
{
    const VcodeModule *m = vm_image_module(kernel->image);
    uint64_t cycles, before, after;
    g_autofree uint64_t *once = g_new0(uint64_t, m->code.count);
    g_autofree uint64_t *twice = g_new0(uint64_t, m->code.count);
    if (!run_image(kernel->image, kernel->name, 0, once, NULL, &cycles, &before, error) ||
        !run_image(kernel->image, kernel->name, 1, twice, kernel->out_of_order ? &kernel->trace : NULL, &cycles, &after,
                   error))
        return false;
    kernel->mispredicted = after - before;
    kernel->counts = g_new0(uint64_t, m->code.count);
    uint64_t entered = 0;
    for (uint32_t pc = 0; pc < m->code.count; pc++) {
        entered = twice[pc] > once[pc] ? twice[pc] - once[pc] : twice[pc] ? 0 : entered;
        if (vcode_op_ends_block(vcode_op(m->code.items[pc]))) {
            kernel->counts[pc] = entered;
            entered = 0;
        }
    }
    return true;
}

static void add_call(MachKernel *kernel, const char *name, uint64_t calls)
{
    for (guint i = 0; i < kernel->calls->len; i++) {
        MachKernelCalls *row = &g_array_index(kernel->calls, MachKernelCalls, i);
        if (strcmp(row->name, name) == 0) {
            row->calls += calls;
            return;
        }
    }
    MachKernelCalls row = {.name = name, .calls = calls};
    g_array_append_val(kernel->calls, row);
}

/* Counts the bytes or elements that a function is called for. They are the cycles of the program if only this function
 * costs anything, one cycle a unit. */
static bool count_units(MachKernel *kernel, MachKernelCalls *row, GError **error)
{
    VmExternCost only = {.name = row->name, .unit_q8 = 256};
    VmCosts costs = {.externs = &only, .n_externs = 1};
    uint64_t once, twice, ignored;
    VmImage *image = vm_image_with_costs(kernel->image, NULL, 0, &costs);
    bool good = run_image(image, kernel->name, 0, NULL, NULL, &once, &ignored, error) &&
                run_image(image, kernel->name, 1, NULL, NULL, &twice, &ignored, error);
    if (good)
        row->units = (twice - once) / 256;
    vm_image_unref(image);
    return good;
}

/* Counts the calls of library functions, but not of the clock, which the harness reads and not the kernel. */
static bool count_calls(MachKernel *kernel, GError **error)
{
    const VcodeModule *m = vm_image_module(kernel->image);
    kernel->calls = g_array_new(FALSE, TRUE, sizeof(MachKernelCalls));
    for (uint32_t pc = 0; pc < m->code.count; pc++) {
        if (!kernel->counts[pc] || vcode_op(m->code.items[pc]) != VCODE_CALLX)
            continue;
        const char *name = vcode_text(m, m->externs.items[vcode_imm32(m->code.items[pc])].name);
        if (strcmp(name, clock_function) != 0)
            add_call(kernel, mach_library_function(name), kernel->counts[pc]);
    }
    for (guint i = 0; i < kernel->calls->len; i++)
        if (!count_units(kernel, &g_array_index(kernel->calls, MachKernelCalls, i), error))
            return false;
    return true;
}

MachKernel *mach_kernel_new(const char *name, VcodeModule *program, const VmCosts *like, GError **error)
{
    MachKernel *kernel = g_new0(MachKernel, 1);
    kernel->name = g_strdup(name);
    VmCosts costs;
    vm_costs_default(&costs);
    costs.predictor = like->predictor;
    costs.execution = like->execution;
    kernel->out_of_order = like->execution == VM_EXECUTION_OUT_OF_ORDER;
    kernel->image = vm_image_new(program, NULL, 0, &costs, error);
    if (kernel->image)
        vm_image_observe_blocks(kernel->image);
    if (kernel->image && count_blocks(kernel, error) && count_calls(kernel, error))
        return kernel;
    mach_kernel_free(kernel);
    return NULL;
}

void mach_kernel_free(void *kernel)
{
    MachKernel *self = kernel;
    if (!self)
        return;
    vm_timing_trace_free(self->trace);
    if (self->image)
        vm_image_unref(self->image);
    if (self->calls)
        g_array_unref(self->calls);
    g_free(self->counts);
    g_free(self->name);
    g_free(self);
}

/* -- what it costs ----------------------------------------------------------------------------- */

static const VmExternCost *cost_of_call(const VmCosts *costs, const char *name)
{
    for (size_t i = 0; i < costs->n_externs; i++)
        if (strcmp(costs->externs[i].name, name) == 0)
            return &costs->externs[i];
    return NULL;
}

static double library_cost(const MachKernel *kernel, const VmCosts *costs)
{
    double sum = 0.0;
    for (guint i = 0; i < kernel->calls->len; i++) {
        const MachKernelCalls *row = &g_array_index(kernel->calls, MachKernelCalls, i);
        const VmExternCost *cost = cost_of_call(costs, row->name);
        if (cost)
            sum += (double)row->calls * cost->base_q8 + (double)row->units * cost->unit_q8;
    }
    return sum;
}

/* Returns the average cost of a call for each extern of the program. */
static uint64_t *costs_of_externs(const MachKernel *kernel, const VmCosts *costs)
{
    const VcodeModule *m = vm_image_module(kernel->image);
    uint64_t *each = g_new0(uint64_t, m->externs.count + 1);
    for (uint32_t k = 0; k < m->externs.count; k++) {
        const char *name = vcode_text(m, m->externs.items[k].name);
        for (guint i = 0; i < kernel->calls->len; i++) {
            const MachKernelCalls *row = &g_array_index(kernel->calls, MachKernelCalls, i);
            const VmExternCost *cost = cost_of_call(costs, row->name);
            if (cost && row->calls && strcmp(row->name, mach_library_function(name)) == 0)
                each[k] = cost->base_q8 + row->units * cost->unit_q8 / row->calls;
        }
    }
    return each;
}

double mach_kernel_cost(const MachKernel *kernel, const VmCosts *costs)
{
    if (kernel->trace) {
        g_autofree uint64_t *each = costs_of_externs(kernel, costs);
        return (double)vm_timing_trace_cost(kernel->trace, costs, each);
    }
    const VcodeModule *m = vm_image_module(kernel->image);
    double sum = library_cost(kernel, costs) + (double)kernel->mispredicted * costs->misprediction_q8;
    for (uint32_t index = 0; index < m->functions.count; index++) {
        const VcodeFunction *f = &m->functions.items[index];
        const uint64_t *counts = kernel->counts + f->code_start;
        bool used = false;
        for (uint32_t i = 0; i < f->code_count && !used; i++)
            used = counts[i] != 0;
        if (!used)
            continue;
        g_autofree uint64_t *cost = g_new(uint64_t, f->code_count);
        vm_block_costs(m, index, costs, cost);
        for (uint32_t i = 0; i < f->code_count; i++)
            sum += (double)counts[i] * (double)cost[i];
    }
    return sum;
}
