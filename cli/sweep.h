/* sweep.h - what the two files of `orrery sweep` share: the plan of a sweep. */
#ifndef ORRERY_CLI_SWEEP_H
#define ORRERY_CLI_SWEEP_H

#include "cli.h"

typedef struct SweepDimension {
    char *key;         /* "machine", "ranks" or a machine key */
    GPtrArray *values; /* char * */
} SweepDimension;

typedef struct SweepSpec {
    char *program, *input, *title, *y;
    GPtrArray *arguments, *settings;
    GPtrArray *dimensions; /* machine, the varied keys, ranks */
    guint x;               /* which of them is the horizontal axis */
    bool logarithmic;
} SweepSpec;

enum { SWEEP_MAX_RUNS = 1000000 };

SweepSpec *sweep_spec_load(const char *path, GError **error);
void sweep_spec_free(SweepSpec *spec);
SweepDimension *sweep_dimension(const SweepSpec *spec, guint index);
/* Number of runs: all combinations. */
guint sweep_runs(const SweepSpec *spec);
/* The value of a dimension in run `run`. */
const char *sweep_value(const SweepSpec *spec, guint run, guint dimension);
/* Index of a measured quantity by name, or -1. */
int sweep_measure_index(const char *name);

#endif
