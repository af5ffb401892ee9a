/* calibrate.h - shared by the files of calibration. kernel.c counts, fit.c fits, costs.c knows which costs there are
 * and writes the machine file.
 */
#ifndef ORRERY_MACHINE_CALIBRATE_CALIBRATE_H
#define ORRERY_MACHINE_CALIBRATE_CALIBRATE_H

#include "machine/machine.h"

typedef struct MachKernelCalls { /* calls of one library function */
    const char *name;            /* static */
    uint64_t calls, units;       /* in one call of the kernel; units are bytes or elements */
} MachKernelCalls;

struct MachKernel {
    char *name;
    VmImage *image;
    uint64_t *counts; /* by pc of the end of a block: how often one call of the kernel runs the block */
    GArray *calls;    /* MachKernelCalls */
    bool out_of_order;
    VmTrace *trace;        /* trace of one call, if executed out of order */
    uint64_t mispredicted; /* mispredicted branches and jumps in one call, under the predictor of the fit */
};

/* Returns what one call of the kernel costs under `costs`, in the unit of its numbers. Library functions in
 * costs->externs cost what that says, others nothing. */
double mach_kernel_cost(const MachKernel *kernel, const VmCosts *costs);

/* Finds x >= 0 that minimises |A x - b|. A has `rows` rows of `columns` elements, in row-major order (Lawson and
 * Hanson, "Solving Least Squares Problems", 1974, chapter 23). */
void mach_fit_nonnegative(const double *a, const double *b, size_t rows, size_t columns, double *x);

/* A model whose outcome for sample number `sample` is piecewise linear in the parameters x. All x are >= 0. */
typedef struct MachFitModel {
    size_t samples, parameters;
    double (*outcome)(void *user, size_t sample, const double *x);
    void *user;
    const double *measured; /* by sample, > 0 */
    unsigned rounds;        /* most rounds of the fit */
    double stride;          /* part of the way to the solution of a linear problem that the first round goes */
    double step;            /* step for numerical slopes, as a part of the expected value */
    const double *expected; /* by parameter, > 0: where the data say nothing, x stays near these in proportion */
} MachFitModel;
/* Finds x such that the ratios of outcomes and measurements are near 1. On entry x is the starting point. Returns how
 * badly they fit, for comparisons. */
double mach_fit(const MachFitModel *model, double *x);

#endif
