/* calibrate.h - what the files of calibration share: kernel.c counts, fit.c fits, costs.c knows
 * which costs there are and writes the machine file.
 */
#ifndef ORRERY_MACHINE_CALIBRATE_CALIBRATE_H
#define ORRERY_MACHINE_CALIBRATE_CALIBRATE_H

#include "machine/machine.h"

typedef struct MachKernelCalls { /* of one library function */
    const char *name;            /* static */
    uint64_t calls, units;
} MachKernelCalls;

struct MachKernel {
    char *name;
    VmImage *image;
    uint64_t *counts; /* per pc where a block ends: how often one call of the kernel runs it */
    GArray *calls;    /* MachKernelCalls */
    bool out_of_order;
    VmTrace *trace;        /* of one call, where executed out of order */
    uint64_t mispredicted; /* branches and jumps, by the predictor that is fitted with, in one call */
};

/* What one call of the kernel costs under `costs`, in the unit of its numbers. Functions of the library cost what
 * costs->externs says, others nothing. */
double mach_kernel_cost(const MachKernel *kernel, const VmCosts *costs);

/* min |A x - b| with all x >= 0: A has `rows` rows of `columns`, one after the other (Lawson and Hanson, "Solving Least
 * Squares Problems", 1974, chapter 23). */
void mach_fit_nonnegative(const double *a, const double *b, size_t rows, size_t columns, double *x);

/* A model whose outcome for `sample` (from 0) under parameters x, all >= 0, is piecewise linear in them. */
typedef struct MachFitModel {
    size_t samples, parameters;
    double (*outcome)(void *user, size_t sample, const double *x);
    void *user;
    const double *measured; /* per sample, > 0 */
    unsigned rounds;        /* at most */
    double stride;          /* how much of the way to the solution of a linear problem it goes, at first */
    double step;            /* for slopes, as a part of what is expected */
    const double *expected; /* per parameter, > 0: where data say nothing, x stays near these in proportion */
} MachFitModel;
/* Finds x so that outcomes and measurements differ little in proportion; x holds where to begin. Answers how badly they
 * fit, for comparisons. */
double mach_fit(const MachFitModel *model, double *x);

#endif
