/* sweep.h - what the files of `orrery sweep` share: the plan of a sweep (spec.c), the results of its runs, and
 * the journal that keeps them until all are there (journal.c). */
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
    guint x;               /* which of them is the horizontal axis */
    bool logarithmic;
    uint64_t max_time_ps; /* of each run; 0: no limit */
} SweepSpec;

enum { SWEEP_MAX_RUNS = 1000000 };

SweepSpec *cli_sweep_spec_load(const char *path, GError **error);
void cli_sweep_spec_free(SweepSpec *spec);
SweepDimension *cli_sweep_dimension(const SweepSpec *spec, guint index);
/* Number of runs: all combinations. */
guint cli_sweep_runs(const SweepSpec *spec);
/* The value of a dimension in run `run`. */
const char *cli_sweep_value(const SweepSpec *spec, guint run, guint dimension);
/* Index of a measured quantity by name, or -1. */
int cli_sweep_measure_index(const char *name);

enum { SWEEP_MEASURES = MACH_MEASURES };

typedef struct SweepResult {
    bool known; /* the run is over */
    bool done;  /* and has numbers */
    uint64_t values[SWEEP_MEASURES];
    int status;
    char *note; /* why there is no number, or what the run had to say */
} SweepResult;

/* What an interrupted sweep leaves behind, NAME.part: a line for each run that is over. */
typedef struct SweepJournal SweepJournal;
/* Opens it. Where it is there already, of a sweep with the same fingerprint, its results are put into `results`; *found
 * says how many. Of any other it is begun anew. */
SweepJournal *cli_sweep_journal_open(const char *path, const char *fingerprint, SweepResult *results, guint runs,
                                     guint *found, GError **error);
/* Adds a result: a whole line or, where the disk is full, none, and false with an error. */
bool cli_sweep_journal_add(SweepJournal *journal, guint run, const SweepResult *result, GError **error);
/* Ends it; `finished`: the sweep is over, and the file is taken away. */
void cli_sweep_journal_close(SweepJournal *journal, bool finished);

#endif
