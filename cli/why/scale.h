/* scale.h - shared by the files of `orrery scale`: the runs (scale_run.c), the arithmetic (scale_fit.c), and what is
 * printed and written (scale_report.c). */
#ifndef ORRERY_CLI_SCALE_H
#define ORRERY_CLI_SCALE_H

#include "cli/why/why.h"

/* Fractions are counted in this: no result may depend on the host's floating point. */
#define SCALE_ONE INT64_C(1000000000)

typedef struct ScaleSite { /* a place that calls MPI: the same in all runs */
    char *text;            /* "MPI_Recv at a.c:12 in exchange" */
} ScaleSite;

typedef struct ScaleFunction { /* the same in all runs */
    const char *name, *file;   /* owned by Scale.texts */
    uint32_t line;             /* of its definition */
} ScaleFunction;

typedef struct ScaleTime { /* of a site, in all ranks of a run together */
    uint64_t before_ps;    /* computing before its calls, since the call before */
    uint64_t within_ps;    /* in its calls */
} ScaleTime;

typedef struct ScalePoint { /* a run */
    uint32_t ranks;
    bool done;
    char *note;                               /* why there is no result, or a remark; NULL: none */
    MachRankReport total;                     /* finish_ps: the makespan; other times added up over ranks */
    GArray *times;                            /* ScaleTime, by number of the site; those beyond are 0 */
    GHashTable *raw;                          /* text of the site -> ScaleTime, until all runs are over */
    GHashTable *profile;                      /* ScaleFunction -> uint64_t: its own time, as the profile has it */
    GArray *own_ps;                           /* uint64_t: the same by number of the function */
    int64_t speed_up, efficiency, karp_flatt; /* in SCALE_ONE; against the first run that has a result */
    bool compared;                            /* karp_flatt is there */
} ScalePoint;

typedef struct ScaleFit {
    bool possible;
    int64_t fraction;  /* the serial one, in SCALE_ONE */
    int64_t deviation; /* the greatest relative one of a speed-up from the law, in SCALE_ONE */
} ScaleFit;

typedef struct Scale {
    const CliRunOptions *options;
    bool weak;
    char *pattern; /* --args; NULL: none */
    ScalePoint *points;
    uint32_t n;
    GArray *sites;     /* ScaleSite */
    GArray *functions; /* ScaleFunction, by name and place */
    GStringChunk *texts;
    GMutex lock; /* of `texts`, while runs go on */
    ScaleFit amdahl, gustafson;
} Scale;

/* Returns the words of --args with {ranks} filled in: NULL-terminated, for g_strfreev(). A word that is then a sum,
 * product ... of numbers is worked out, and so is what stands in other braces, such as {ranks*1000}. */
char **cli_scale_arguments(const char *pattern, uint32_t ranks, GError **error);
/* Returns such a word, or NULL with an error. */
char *cli_scale_fill_in(const char *word, uint32_t ranks, GError **error);
/* For tables of functions. */
guint cli_scale_function_hash(gconstpointer function);
gboolean cli_scale_function_equal(gconstpointer a, gconstpointer b);
/* Makes all runs, several at a time. Returns false with an error if none can be made. */
bool cli_scale_run(Scale *scale, int argc, char **argv, unsigned jobs, GError **error);
/* Works out speed-ups, efficiencies and fits. */
void cli_scale_fit(Scale *scale);
/* Return what was found, for g_free(). */
char *cli_scale_text(const Scale *scale);
typedef enum ScaleTable { SCALE_RUNS, SCALE_FUNCTIONS, SCALE_CALLS } ScaleTable;
#define SCALE_TABLE_NAMES "run|function|call"
char *cli_scale_csv(const Scale *scale, ScaleTable table);
char *cli_scale_json(const Scale *scale);

#endif
