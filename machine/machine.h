/* machine.h - the simulated computer: reads machine files, maps ranks to nodes, owns virtual time and the scheduler.
 *
 * A Machine owns all state of one simulation: VM world, MPI world, network, event queue. Two machines can live in one
 * process. The loop is in run/scheduler.c: always the least of (ready rank, network event, wake-up, request) in the
 * order (time, kind, rank, sequence); a ready rank runs for at most one quantum, its requests take effect in global
 * order.
 */
#ifndef ORRERY_MACHINE_H
#define ORRERY_MACHINE_H

#include "base/choice.h"
#include "base/random.h"
#include "mpi/mpi_world.h"
#include "netsim/netsim.h"
#include "traffic/traffic.h"
#include "vm/vm.h"

#define MACH_ERROR (mach_error_quark())
GQuark mach_error_quark(void);
typedef enum MachError {
    MACH_ERROR_CONFIG,  /* machine file: wrong key, unit, value; the message has file:line:column and the nearest right
                           one */
    MACH_ERROR_UNKNOWN, /* no machine of that name; the message lists the nearest */
    MACH_ERROR_RANKS,   /* zero ranks, too many for the host */
} MachError;

/* -- machine files (config/) ------------------------------------------------------------------- */

typedef struct MachCacheLevel {
    uint64_t size, line_bytes; /* size 0: there is no such level */
    uint32_t ways;             /* 0: fully associative */
    uint32_t cores;            /* how many share one; 0: all of the node */
    uint32_t latency_q8;       /* cycles */
    uint64_t bandwidth;        /* bytes per second, of all cores that share it; 0: no limit */
} MachCacheLevel;

enum { MACH_CACHE_LEVELS = 3 };

/* The closed lists of values that keys have, by enum and name (choice.h). */
/* clang-format off */
#define MACH_ALIGNMENTS(CHOICE) /* where loads and stores may be */                                                    \
    CHOICE(MACH_ALIGNMENT_ANY, "any")                                                                                  \
    CHOICE(MACH_ALIGNMENT_NATURAL, "natural")
#define MACH_MEMORY_MODELS(CHOICE)                                                                                     \
    CHOICE(MACH_MEMORY_FLAT, "flat")           /* every access costs what [cost] says */                               \
    CHOICE(MACH_MEMORY_HIERARCHY, "hierarchy") /* and what it costs in caches */
#define MACH_NOISE_ARRIVALS(CHOICE) /* when in a period noise comes */                                                 \
    CHOICE(MACH_NOISE_PERIODIC, "periodic")                                                                            \
    CHOICE(MACH_NOISE_RANDOM, "random")
#define MACH_NOISE_PHASES(CHOICE) /* when the periods of a core begin */                                               \
    CHOICE(MACH_NOISE_PHASE_RANDOM, "random")                                                                          \
    CHOICE(MACH_NOISE_PHASE_ALIGNED, "aligned")
/* clang-format on */
BASE_CHOICE_ENUM(MachAlignment, MACH_ALIGNMENTS);
BASE_CHOICE_ENUM(MachMemoryModel, MACH_MEMORY_MODELS);
BASE_CHOICE_ENUM(MachNoiseArrival, MACH_NOISE_ARRIVALS);
BASE_CHOICE_ENUM(MachNoisePhase, MACH_NOISE_PHASES);

typedef struct MachMemory { /* [memory] */
    MachMemoryModel model;
    MachCacheLevel levels[MACH_CACHE_LEVELS];
    uint64_t latency_ps, bandwidth; /* of the node's main memory; bandwidth 0: no limit */
    uint32_t streams;               /* sequences of lines that are fetched ahead */
} MachMemory;

typedef struct MachExtents {
    uint32_t n;
    uint32_t extents[NET_MAX_DIMENSIONS];
} MachExtents;

/* Everything a machine file says, with defaults filled in. Made by mach_config_load() and mach_config_set(). */
typedef struct MachNoise { /* what the operating system takes from each core */
    uint64_t period_ps;    /* 0: nothing */
    uint64_t duration_ps;
    BaseDistribution distribution; /* of the durations */
    MachNoiseArrival arrival;
    MachNoisePhase phase;
    uint64_t seed;
} MachNoise;

typedef struct MachBackground { /* traffic beside that of the ranks */
    const char *pattern;
    uint64_t load; /* in NET_CHANCE_ONE; 0: none */
    uint64_t bytes, start_ps, end_ps, seed;
    uint32_t hot_node, hot_percent, most_waiting;
} MachBackground;

typedef struct MachConfig {
    char *name, *description, *path;
    NetParams net;                     /* [network] */
    uint32_t cores;                    /* [node] cores per node */
    uint64_t clock_hz;                 /* [cpu] */
    MachAlignment alignment;           /* [cpu] */
    VmCosts costs;                     /* [cost] cycles by class */
    GArray *library;                   /* [library] costs of single functions */
    GPtrArray *node_types;             /* [node-type ...] nodes that differ; NULL: none */
    MachMemory memory;                 /* [memory] */
    MachNoise noise;                   /* [noise] */
    MachBackground background;         /* [background] */
    MpiParams mpi;                     /* [mpi] */
    uint64_t local_latency_ps;         /* [node] message between ranks of one node: latency ... */
    uint64_t local_bandwidth;          /* ... and bytes per second */
    uint64_t stack_bytes, heap_bytes;  /* [process] per rank */
    uint64_t time_slice_ps, switch_ps; /* [node] more ranks than cores: slice and cost of a switch */
    char *mapping;                     /* [mapping] a name in mappings.def, or a file */
    uint64_t mapping_seed;             /* of the random mapping */
    MachExtents mapping_grid;          /* which grid the ranks are; no dimensions: not said */
    char *mapping_traffic;             /* file of recorded traffic, "": none */
    GArray *settings;                  /* every key with value, source and comment, in table order: for --print */
} MachConfig;

/* `search`: directories to look for NAME.machine in, NULL-terminated; `name` may also be a path. */
MachConfig *mach_config_load(const char *name, const char *const *search, GError **error);
/* "section.key=value" or "key=value" where the key is unique; as --set. */
bool mach_config_set(MachConfig *config, const char *assignment, GError **error);
void mach_config_free(MachConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MachConfig, mach_config_free)
/* All keys with value, default, unit and help, as a machine file. */
void mach_config_print(const MachConfig *config, GString *out);
/* Tells which keys were set on the command line although the machine never reads them, and that it is much larger than
 * the ranks need. `nodes`: of its network; `ranks`: 0 where there are none. */
void mach_config_remarks(const MachConfig *config, uint32_t nodes, uint32_t ranks,
                         void (*tell)(void *user, const char *text), void *user);
/* The text of a key's value as it is in force, "" where there is no such key. The config owns it. */
const char *mach_config_value(const MachConfig *config, const char *section, const char *key);
/* The type of a node, by [node-type NAME]; NULL: of none. The config owns it. */
const char *mach_config_node_type(const MachConfig *config, uint32_t node);
/* Whether all nodes that types name exist among `nodes` (any_number: as many as the ranks need). */
bool mach_config_check_nodes(const MachConfig *config, uint32_t nodes, bool any_number, GError **error);
/* A line for each type of node: which, and what is different there. */
void mach_config_describe_nodes(const MachConfig *config, uint32_t nodes, GString *out);
/* Names (without .machine) found in the search path, sorted; g_strfreev. */
char **mach_config_list(const char *const *search);

/* -- calibration (calibrate/) ------------------------------------------------------------------ */

/* A program whose argument says how often it calls its kernel, and what one call of that executes. */
typedef struct MachKernel MachKernel;
/* Runs the program to count. */
MachKernel *mach_kernel_new(const char *name, VcodeModule *program /* taken */, const VmCosts *like, GError **error);
void mach_kernel_free(void *kernel);

typedef struct MachMeasurement {
    const MachKernel *kernel;
    double ns;           /* what a call takes on the machine that is to be modelled */
    bool held_out;       /* not for the fit, only to judge it */
    double predicted_ns; /* by the fitted costs */
} MachMeasurement;
/* Sets the clock, as measured. */
void mach_config_calibrate_clock(MachConfig *config, uint64_t clock_hz);
/* Fits the costs of `config`, whose clock is set already, to what was measured, and predicts. */
void mach_calibrate(MachConfig *config, MachMeasurement *measurements, size_t n);
/* Parts all kernels into `folds` and predicts those of each part by a fit to the others; changes held_out. What is
 * fitted goes nowhere. */
void mach_calibrate_cross_validate(MachConfig *config, MachMeasurement *measurements, size_t n, size_t folds);
/* Only the keys that are given, with their sources, as a machine file; `title`: its first comment. */
void mach_config_print_given(const MachConfig *config, const char *title, GString *out);

/* -- observers --------------------------------------------------------------------------------- */

/* Who wants to see what happens (statistics, recorder, debugger). Calls come in event order. Any may be NULL. An
 * observer cannot change what happens. */
typedef struct MachObserver {
    void *user;
    void (*activity)(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                     const char *call);
    void (*message)(void *user, const MpiMessageInfo *message);
    void (*transfer)(void *user, MpiTransferStage stage, const MpiTransfer *transfer);
    void (*finished)(void *user, uint32_t rank, uint64_t time_ps, int status);
} MachObserver;

/* -- running (run/) ---------------------------------------------------------------------------- */

typedef struct MachProgram { /* MPMD: ranks [first, first + count) run this */
    VcodeModule *module;     /* taken */
    const char *const *argv; /* NULL-terminated */
    uint32_t count;
    /* NAME=VALUE, NULL-terminated: added to the small environment that every program has, in place of what has the
     * same name there; the last of a name counts. NULL: none. */
    const char *const *environment;
} MachProgram;

typedef struct MachProgress {     /* how far a run is */
    uint64_t now_ps, max_time_ps; /* the latter 0: no limit */
    uint32_t ranks, finished;
    uint64_t messages, events;
} MachProgress;

/* clang-format off */
#define MACH_TIERS(CHOICE) \
    CHOICE(MACH_TIER_AUTO, "auto")     /* the interpreter, and native code when a run takes long */ \
    CHOICE(MACH_TIER_INTERP, "interp") /* the interpreter alone */ \
    CHOICE(MACH_TIER_NATIVE, "native") /* native code from the start, as far as possible */
#define MACH_RANK_STATES(CHOICE) \
    CHOICE(MACH_RANK_READY, "ready") \
    CHOICE(MACH_RANK_BLOCKED, "blocked") \
    CHOICE(MACH_RANK_FINISHED, "finished") \
    CHOICE(MACH_RANK_FAULTED, "faulted")
/* clang-format on */
BASE_CHOICE_ENUM(MachTier, MACH_TIERS);
BASE_CHOICE_ENUM(MachRankState, MACH_RANK_STATES);

#define MACH_QUANTUM 1000000 /* where options say no other */

typedef struct MachOptions {
    MachTier tier;    /* which changes nothing but the host's time */
    uint64_t quantum; /* cycles */
    uint32_t jobs;    /* host threads at most; 0: as many as the host has cores, once a run turns out to need them */
    uint64_t max_time_ps;    /* 0: none */
    uint64_t memory_bytes;   /* that the program may take; 0: what the host has */
    uint32_t memory_sharers; /* runs at a time that share this process; 0 and 1: no others */
    uint64_t seed;
    const GArray *choices; /* of MpiChoice: what is to happen where MPI leaves it open; NULL: nothing is said */
    bool explore;          /* note all choices, and what else they could have been */
    uint32_t checks;       /* MPI_CHECK_BIT() of those that are on */
    bool label;            /* prefix output lines with [rank] */
    VmFs fs;
    const char *directory; /* where the ranks start, absolute; NULL: the process's own working directory */
    void (*output)(void *user, int stream, const char *bytes, size_t size); /* NULL: the process's stdout / stderr */
    /* Instead of `output`: a line of a rank, or the end of one that has no end. NULL: `output` */
    void (*line)(void *user, uint32_t rank, int stream, const char *bytes, size_t size);
    void (*note)(void *user, const char *text); /* what the simulator has to say; NULL: stderr, "orrery: " before it */
    void (*finding)(void *user, const char *text);         /* what a check has found, at the end; NULL: as `note` */
    size_t (*input)(void *user, char *bytes, size_t size); /* NULL: the process's stdin */
    void *user;
    void (*progress)(void *user,
                     const MachProgress *progress); /* answers mach_run_request_progress(); NULL: nobody asks */
    void (*before_output)(void *user); /* the machine is about to write to stdout or stderr; NULL: nobody cares */
    void *progress_user;               /* of the last two */
} MachOptions;
void mach_run_options_default(MachOptions *options);

typedef struct Machine Machine;
Machine *mach_run_new(const MachConfig *config, MachProgram *programs, size_t n_programs, const MachOptions *options,
                      GError **error);
void mach_run_free(Machine *machine);
void mach_run_observe(Machine *machine, const MachObserver *observer); /* copied; before the first run */

typedef enum MachStop {
    MACH_STOP_FINISHED,  /* all ranks have ended */
    MACH_STOP_DEADLOCK,  /* nobody can go on; mach_explain() says why */
    MACH_STOP_FAULT,     /* a program fault or an uncaught MPI error; mach_explain() */
    MACH_STOP_ABORT,     /* MPI_Abort */
    MACH_STOP_MAX_TIME,  /* --max-time reached */
    MACH_STOP_HOOK,      /* the debug hook stopped mach_run_stopped_rank(); call again to go on */
    MACH_STOP_NETWORK,   /* a message cannot be delivered: what it has to cross has failed; mach_explain() */
    MACH_STOP_MEMORY,    /* MachOptions.memory_bytes is used up, or the host's memory; mach_explain() */
    MACH_STOP_INTERRUPT, /* mach_run_interrupt() was called */
} MachStop;
MachStop mach_run(Machine *machine);
/* Asks a running mach_run() to return soon; safe in a signal handler. */
void mach_run_interrupt(Machine *machine);
/* With MachOptions.explore, after a stop by a fault or MPI_Abort: lets the other ranks go on to their ends, since what
 * they send could have come before. Nothing of it is told to anybody. */
void mach_run_on(Machine *machine);
/* Asks a running mach_run() to call MachOptions.progress soon, on its thread; safe on any thread. */
void mach_run_request_progress(Machine *machine);

/* What a shell should see: the largest exit status of the ranks, 128 + signal after a fault, the abort code, or 1 for
 * deadlock and max-time. */
int mach_run_exit_status(const Machine *machine);
/* How many findings of checks have been told. */
uint32_t mach_findings(const Machine *machine);
/* Appends the explanation of the last stop: fault with rank, source line, call stack; deadlock per rank and cycle;
 * where every rank is. */
void mach_explain(Machine *machine, GString *out);

uint32_t mach_run_ranks(const Machine *machine);
uint64_t mach_run_now(const Machine *machine); /* time of the last event that took effect */
uint32_t mach_run_stopped_rank(const Machine *machine);
VmRank *mach_run_rank(Machine *machine, uint32_t rank);
Network *mach_run_network(Machine *machine);
MpiWorld *mach_run_mpi(Machine *machine);
const MachConfig *mach_run_config(const Machine *machine);
uint32_t mach_run_node_of(const Machine *machine, uint32_t rank);
/* Called before each statement of every rank (see VmHook). NULL takes it away. */
void mach_run_set_hook(Machine *machine, VmHook hook, void *user);

MachRankState mach_run_rank_state(const Machine *machine, uint32_t rank);

/* What is counted of each rank, and how it is shown: the rows of statistics.def. */
typedef enum MachStatisticGroup {
    MACH_STATISTIC_RANK,
    MACH_STATISTIC_CACHE,
    MACH_STATISTIC_PREDICTOR
} MachStatisticGroup;
typedef struct MachStatistic {
    MachStatisticGroup group;
    enum { MACH_UNIT_TIME, MACH_UNIT_COUNT, MACH_UNIT_BYTES } unit;
    const char *key;     /* in JSON */
    const char *heading; /* of its column; NULL: it has none */
    int width;
    const char *share;                        /* heading of its share of the whole; NULL: that is not shown */
    const char *measure;                      /* its name where it is put together for all ranks; NULL: it is not */
    enum { MACH_PUT_SUM, MACH_PUT_MOST } put; /* ... how */
    const char *help;
    size_t offset; /* of the number, a uint64_t, in the group's struct */
} MachStatistic;
enum {
#define MEASURE(name, put)                                                               1
#define NO_MEASURE                                                                       0
#define MACH_STATISTIC(group, field, source, unit, heading, width, share, measure, help) +measure
    MACH_MEASURES = 0 /* how many rows have a measure */
#include "machine/statistics.def"
#undef MEASURE
#undef NO_MEASURE
};
/* The row of a group behind `row`, NULL: the first; NULL: there is none. */
const MachStatistic *mach_statistics_next(MachStatisticGroup group, const MachStatistic *row);
/* Number `i` of those that have a measure. */
const MachStatistic *mach_statistics_measure(unsigned i);
/* What stands for it in a MachRankReport, VmCacheCounts or VmPredictorCounts. */
uint64_t mach_statistics_value(const MachStatistic *row, const void *counts);

typedef struct MachRankReport {
#define MACH_FIELD_RANK(field) uint64_t field;
#define MACH_FIELD_CACHE(field)
#define MACH_FIELD_PREDICTOR(field)
#define MACH_STATISTIC(group, field, source, unit, heading, width, share, measure, help) MACH_FIELD_##group(field)
#include "machine/statistics.def"
    uint32_t node;
    int exit_status;
} MachRankReport;
void mach_run_rank_report(const Machine *machine, uint32_t rank, MachRankReport *report);
/* Puts the report of one more rank to those before it. */
void mach_statistics_add(MachRankReport *totals, const MachRankReport *report);
/* All ranks together: finish_ps is that of the last, the others are sums; node and exit_status say nothing. */
void mach_run_totals(const Machine *machine, MachRankReport *totals);
/* What a rank's cache of level 1 to MACH_CACHE_LEVELS has counted; NULL: it has none. */
const VmCacheCounts *mach_cache_counts(const Machine *machine, uint32_t rank, uint32_t level);
/* What became of the background traffic; false: there was none. */
bool mach_run_background_counts(const Machine *machine, TrafficBackgroundCounts *counts);
/* What a rank's branch predictor has counted; NULL: it has none. */
const VmPredictorCounts *mach_run_predictor_counts(const Machine *machine, uint32_t rank);
uint64_t mach_run_makespan(const Machine *machine); /* largest finish_ps */

/* -- exploring (explore/): a program in all orders that MPI may choose ------------------------- */

typedef struct MachExploreOptions {
    uint64_t max_runs;  /* executions at most */
    uint32_t max_depth; /* choices at most that are made otherwise than in the first execution; 0: any number */
    uint32_t jobs;      /* executions at a time, which changes no result */
} MachExploreOptions;

typedef struct MachExplored { /* a failure, an output, or a remark of the simulator, and how to see it again */
    char *what;               /* failure: what happened, as mach_explain() says; output and remark: the text */
    char *steps;              /* failure: the choices that are other than in the first execution, in lines */
    char *key;                /* by which it is told from others */
    GArray *choices;          /* MpiChoice; empty: nothing need be forced */
    uint64_t runs;            /* in how many executions */
    MachStop stop;
    int status;        /* exit status of the run */
    uint64_t limit_ps; /* of virtual time, for those that came to it */
} MachExplored;

typedef struct MachExploration {
    uint64_t runs;                           /* executions, all different */
    uint64_t points;                         /* choices that could be made in several ways */
    bool complete;                           /* that is all; else: */
    bool interrupted;                        /* mach_explorer_interrupt() was called */
    bool limited;                            /* max_runs or max_depth left some out */
    bool unfinished;                         /* executions were stopped at a limit of virtual time */
    GPtrArray *failures, *outputs, *remarks; /* MachExplored, in the order in which they were found */
} MachExploration;

typedef struct MachExplorer MachExplorer;
/* `program`: a new module of program i for each execution, possibly on other threads; programs[i].module is not used.
 * None of the options' functions is called. */
MachExplorer *mach_explorer_new(const MachConfig *config, const MachProgram *programs, size_t n_programs,
                                const MachOptions *options, const MachExploreOptions *limits,
                                VcodeModule *(*program)(void *user, size_t i, GError **error), void *user);
/* What standard input is in every execution: asked for when one reads it, on any thread; kept by the caller. */
void mach_explorer_input(MachExplorer *explorer, void (*input)(void *user, const char **bytes, size_t *size),
                         void *user);
/* NULL with an error if not even the first execution could begin. */
MachExploration *mach_explore(MachExplorer *explorer, GError **error);
/* Asks it to stop soon; on any thread, not in a signal handler. */
void mach_explorer_interrupt(MachExplorer *explorer);
void mach_explorer_free(MachExplorer *explorer);
void mach_explore_result_free(MachExploration *exploration);

/* -- traffic and mappings (map/) --------------------------------------------------------------- */

typedef struct MachFlow { /* what one rank has sent another */
    uint32_t from, to;
    uint64_t bytes, messages;
} MachFlow;

typedef struct MachTraffic {
    char *path;          /* of the file; NULL: recorded just now */
    unsigned ranks_line; /* where the file says how many ranks there are */
    uint32_t ranks;
    GArray *flows; /* MachFlow, by (from, to), each pair once */
} MachTraffic;

/* Reads a file that mach_traffic_print() made, or somebody by hand. */
MachTraffic *mach_traffic_load(const char *path, GError **error);
void mach_traffic_print(const MachTraffic *traffic, GString *out);
void mach_traffic_free(MachTraffic *traffic);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MachTraffic, mach_traffic_free)

/* The names in mappings.def, NULL-terminated. */
const char *const *mach_config_mappings(void);
/* What is to be placed, and how. */
typedef struct MachMapping {
    const MachConfig *config;
    const Network *net;
    uint32_t ranks;
    const char *mapping;        /* a name in mappings.def, or a file */
    const MachTraffic *traffic; /* NULL: read from the file that the config names, if it is needed */
    const uint32_t *current;    /* the nodes to begin with, for local-search; NULL: block */
} MachMapping;
/* The node of each rank; g_free. */
uint32_t *mach_map_nodes(const MachMapping *mapping, GError **error);

typedef struct MachMappingReport {
    uint64_t hop_bytes;           /* sum over all pairs of bytes times links on the way */
    uint64_t bytes, remote_bytes; /* in all; between nodes */
    uint64_t pairs, hops;         /* that talk to each other: how many, and links on their ways */
    uint32_t most_hops;           /* of a pair */
    uint64_t most_link_bytes;     /* that a link has to carry: of the one that carries most ... */
    uint32_t busiest_link;        /* ... which is this one */
    bool linked;                  /* the network has links: otherwise a way counts as 1, and no link carries anything */
} MachMappingReport;
/* What traffic costs where rank r runs on nodes[r]. */
void mach_map_measure(const Network *net, const uint32_t *nodes, const MachTraffic *traffic, MachMappingReport *report);
/* The network of a machine for that many ranks, without anybody to listen. */
Network *mach_config_network(const MachConfig *config, uint32_t ranks, GError **error);
/* Puts "file:line:1: error: " before what net_network_new() has refused of the machine's parameters. */
void mach_config_locate(const MachConfig *config, GError **error);

/* Says "PATH:LINE:1: error: ..." of a file that a line is wrong in; false (config.c). */
bool mach_error_at_line(GError **error, const char *path, unsigned line, const char *format, ...) G_GNUC_PRINTF(4, 5);

#endif
