/* sweep.h - shared by the files of `orrery sweep`: the plan of a sweep (spec.c), the results of its runs, and the
 * journal that keeps them until all are there (journal.c), and the picture (picture.c). */
#ifndef ORRERY_CLI_SWEEP_H
#define ORRERY_CLI_SWEEP_H

typedef struct SweepDimension {
    char *key;         /* "machine", "ranks" or a machine key */
    GPtrArray *values; /* char * */
} SweepDimension;

typedef struct SweepSpec {
    char *program, *input, *title, *y;
    GPtrArray *arguments, *settings;
    GPtrArray *dimensions; /* machine, the varied keys, ranks */
    guint x;               /* index of the dimension that is the horizontal axis */
    bool logarithmic;
    uint64_t max_time_ps; /* of each run; 0: no limit */
} SweepSpec;

enum { SWEEP_MAX_RUNS = 1000000 };

/* Appends a value (char *), or all of a range: "2:8", "2:16:2", "2^1:2^10", "1us:1ms:log10" (values.c). What is no
 * range stays as it is. Returns false with an error if a range has no end. */
bool cli_sweep_values_add(const char *text, GPtrArray *values, GError **error);

SweepSpec *cli_sweep_spec_load(const char *path, GError **error);
void cli_sweep_spec_free(SweepSpec *spec);
SweepDimension *cli_sweep_dimension(const SweepSpec *spec, guint index);
/* Returns the number of runs: all combinations. */
guint cli_sweep_runs(const SweepSpec *spec);
/* Returns the value of a dimension in run number `run`. */
const char *cli_sweep_value(const SweepSpec *spec, guint run, guint dimension);
/* Returns the index of a measure by its name, or -1. */
int cli_sweep_measure_index(const char *name);

enum { SWEEP_MEASURES = MACH_MEASURES };

typedef struct SweepResult {
    bool known; /* the run is over */
    bool done;  /* the run is over and has values */
    uint64_t values[SWEEP_MEASURES];
    int status;
    char *note; /* why there are no values, or a remark of the run */
} SweepResult;

/* The journal of a sweep, NAME.part: a line for each run that is over. */
typedef struct SweepJournal SweepJournal;
/* Opens the journal. If there is one with the same fingerprint, its results are stored in `results`, and *found is
 * their number. Any other file is overwritten. */
SweepJournal *cli_sweep_journal_open(const char *path, const char *fingerprint, SweepResult *results, guint runs,
                                     guint *found, GError **error);
/* Appends a result: a whole line, or nothing if the disk is full, and then returns false with an error. */
bool cli_sweep_journal_add(SweepJournal *journal, guint run, const SweepResult *result, GError **error);
/* Closes the journal. `finished`: the sweep is over, and the file is removed. */
void cli_sweep_journal_close(SweepJournal *journal, bool finished);

/* Draws what was measured over the horizontal axis, as SVG; the file is replaced as a whole. */
bool cli_sweep_plot(const SweepSpec *spec, const SweepResult *results, const PlotTheme *theme, const char *path,
                    GError **error);

#endif
