/* machine.h - the simulated computer: reads machine files, maps ranks to nodes, owns virtual time and the scheduler.
 *
 * A Machine owns all state of one simulation: VM world, MPI world, network, event queue. Two machines can live in one
 * process. The event loop is in run/scheduler.c. It always takes the least of (ready rank, network event, wake-up,
 * request) in the order (time, kind, rank, sequence). A ready rank runs for at most one quantum. Its requests take
 * effect in the global order.
 */
#ifndef ORRERY_MACHINE_H
#define ORRERY_MACHINE_H

#include "base/choice.h"
#include "base/random.h"
#include "mpi/mpi_world.h"
#include "netsim/netsim.h"
#include "threads/threads.h"
#include "traffic/traffic.h"
#include "vm/meter.h"
#include "vm/vm.h"

#define MACH_ERROR (mach_error_quark())
GQuark mach_error_quark(void);
typedef enum MachError {
    MACH_ERROR_CONFIG, /* machine file: wrong key, unit or value; the message has file:line:column and the nearest right
                          name */
    MACH_ERROR_UNKNOWN, /* no machine of that name; the message lists the nearest */
    MACH_ERROR_RANKS,   /* zero ranks, or too many for the host */
} MachError;

/* -- machine files (config/) ------------------------------------------------------------------- */

/* One level of the cache hierarchy of a node. */
typedef struct MachCacheLevel {
    uint64_t size, line_bytes; /* bytes; size 0: there is no such level */
    uint32_t ways;             /* associativity; 0: fully associative */
    uint32_t cores;            /* number of cores that share one such cache; 0: all cores of the node */
    uint32_t latency_q8;       /* latency in 1/256 cycle */
    uint64_t bandwidth;        /* bytes per second, shared by these cores; 0: no limit */
} MachCacheLevel;

enum { MACH_CACHE_LEVELS = 3 };

/* The values of keys that have a closed list: enum constant and name (choice.h). */
/* clang-format off */
#define MACH_ALIGNMENTS(CHOICE) /* alignment that loads and stores need */                                             \
    CHOICE(MACH_ALIGNMENT_ANY, "any")                                                                                  \
    CHOICE(MACH_ALIGNMENT_NATURAL, "natural")
#define MACH_MEMORY_MODELS(CHOICE)                                                                                     \
    CHOICE(MACH_MEMORY_FLAT, "flat")           /* every access costs what [cost] says */                               \
    CHOICE(MACH_MEMORY_HIERARCHY, "hierarchy") /* the caches add their cost to that */
#define MACH_NOISE_ARRIVALS(CHOICE) /* when noise comes within a period */                                             \
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

#define MACH_STORAGE_KINDS(CHOICE)                                                                                     \
    CHOICE(MACH_STORAGE_NONE, "none")         /* files take no time */                                                 \
    CHOICE(MACH_STORAGE_LOCAL, "local")       /* a disk on each node */                                                \
    CHOICE(MACH_STORAGE_SERVER, "server")     /* one file server for all */                                            \
    CHOICE(MACH_STORAGE_PARALLEL, "parallel") /* stripes over several servers */
#define MACH_STORAGE_PLACES(CHOICE)           /* nodes of the servers */                                               \
    CHOICE(MACH_STORAGE_LAST, "last")                                                                                  \
    CHOICE(MACH_STORAGE_FIRST, "first")                                                                                \
    CHOICE(MACH_STORAGE_SPREAD, "spread")
/* Where communication threads and daemons run. */
#define MACH_THREAD_CORES(CHOICE) CHOICE(MACH_THREAD_OWN, "own") CHOICE(MACH_THREAD_SHARED, "shared")
BASE_CHOICE_ENUM(MachThreadCore, MACH_THREAD_CORES);
#define MACH_NODE_WAITS(CHOICE)    /* what a rank does with its core while it waits in MPI, where a node is shared */  \
    CHOICE(MACH_WAIT_POLL, "poll") /* looks again and again, as long as its slice lasts */                             \
    CHOICE(MACH_WAIT_YIELD, "yield")           /* looks, and lets others go first */                                   \
    CHOICE(MACH_WAIT_SLEEP, "sleep")           /* gives it back until something comes */
#define MACH_NODE_AFFINITIES(CHOICE)           /* which cores of its node a task may run on */                         \
    CHOICE(MACH_AFFINITY_NODE, "node")         /* its own, unless that is busy and another one is idle */              \
    CHOICE(MACH_AFFINITY_CORE, "core")         /* the one that it begins on */
#define MACH_NODE_PREEMPTIONS(CHOICE)          /* when a core is taken from a task that computes */                    \
    CHOICE(MACH_PREEMPTION_WAKE_UP, "wake-up") /* at the end of its slice, and for a task that wakes up */             \
    CHOICE(MACH_PREEMPTION_SLICE, "slice")     /* at the end of its slice */
BASE_CHOICE_ENUM(MachNodeWait, MACH_NODE_WAITS);
BASE_CHOICE_ENUM(MachNodeAffinity, MACH_NODE_AFFINITIES);
BASE_CHOICE_ENUM(MachNodePreemption, MACH_NODE_PREEMPTIONS);

typedef struct MachNodeParams { /* section [node]: how tasks share the cores of a node */
    uint64_t slice_ps, switch_ps, wake_up_ps;
    MachNodeWait wait;
    MachNodeAffinity affinity;
    MachNodePreemption preemption;
} MachNodeParams;

BASE_CHOICE_ENUM(MachStorageKind, MACH_STORAGE_KINDS);
BASE_CHOICE_ENUM(MachStoragePlace, MACH_STORAGE_PLACES);

typedef struct MachStorageParams { /* section [storage] */
    MachStorageKind kind;
    MachStoragePlace place;
    uint32_t servers;
    uint64_t latency_ps, name_ps, seek_ps;
    uint64_t read_bandwidth, write_bandwidth; /* of the device of a server */
    uint64_t stripe_bytes, request_bytes;
    uint64_t cache_bytes, cache_bandwidth; /* 0 bytes: no cache */
} MachStorageParams;

typedef struct MachMemory { /* section [memory] */
    MachMemoryModel model;
    MachCacheLevel levels[MACH_CACHE_LEVELS];
    uint64_t latency_ps, bandwidth; /* of the node's main memory; bandwidth in bytes per second, 0: no limit */
    uint32_t streams;               /* sequential streams of cache lines that are prefetched; 0: none */
} MachMemory;

/* Extents of a grid. */
typedef struct MachExtents {
    uint32_t n;
    uint32_t extents[NET_MAX_DIMENSIONS];
} MachExtents;

typedef struct MachNoise { /* section [noise]: what the operating system takes from each core */
    uint64_t period_ps;    /* 0: no noise */
    uint64_t duration_ps;
    BaseDistribution distribution; /* of the durations */
    MachNoiseArrival arrival;
    MachNoisePhase phase;
    uint64_t seed;
} MachNoise;

typedef struct MachBackground { /* section [background]: traffic beside that of the ranks */
    const char *pattern;        /* a traffic pattern by its name */
    uint64_t load;              /* part of a node's link rate, in NET_CHANCE_ONE; 0: no background traffic */
    uint64_t bytes, start_ps, end_ps, seed;
    uint32_t hot_node, hot_percent, most_waiting;
} MachBackground;

/* Everything a machine file says, with defaults filled in. mach_config_load() makes it, mach_config_set() changes it.
 * Each field names the section that it comes from. */
typedef struct MachConfig {
    char *name, *description, *path;
    NetParams net;                    /* [network] */
    uint32_t cores;                   /* [node] cores per node */
    uint64_t clock_hz;                /* [cpu] */
    MachAlignment alignment;          /* [cpu] */
    VmCosts costs;                    /* [cost] cycles by class */
    GArray *library;                  /* [library] costs of named library functions */
    GPtrArray *node_types;            /* [node-type ...] nodes that differ from the others; NULL: none */
    MachMemory memory;                /* [memory] */
    MachNoise noise;                  /* [noise] */
    MachBackground background;        /* [background] */
    ThreadsCosts threads;             /* [threads] */
    MpiParams mpi;                    /* [mpi], [protocol], and what [storage] says about collective accesses */
    uint32_t cluster_nodes;           /* [protocol] nodes of a cluster; 0: as the topology says */
    MachThreadCore thread_core;       /* [mpi] where communication threads run */
    MachThreadCore daemon_core;       /* [protocol] where daemons run */
    char *kills;                      /* [mpi] processes that fail (mach_kills_parse()) */
    MachStorageParams storage;        /* [storage] */
    uint64_t local_latency_ps;        /* [node] latency of a message between ranks of one node */
    uint64_t local_bandwidth;         /* [node] bandwidth of such a message in bytes per second */
    uint64_t memory_bandwidth;        /* [node] of copies by MPI, in bytes per second; 0: no limit */
    uint64_t doorbell_ps;             /* [node] telling a network interface of a message */
    uint64_t stack_bytes, heap_bytes; /* [process] per rank */
    MachNodeParams node;              /* [node] how ranks share cores */
    char *priorities;                 /* [node] levels of ranks that are not 0 */
    char *mapping;                    /* [mapping] a name in mappings.def, or the path of a file */
    uint64_t mapping_seed;            /* [mapping] seed of the random mapping */
    MachExtents mapping_grid;         /* [mapping] the grid that the ranks form; no dimensions: not given */
    char *mapping_traffic;            /* [mapping] path of a file of recorded traffic; "": none */
    GArray *settings;                 /* MachSetting: every key with value, source and comment, in table order */
} MachConfig;

/* Loads a machine. `name` is the name of a machine, or a path. `search` is a NULL-terminated list of directories in
 * which NAME.machine is looked for. */
MachConfig *mach_config_load(const char *name, const char *const *search, GError **error);
/* Sets one key, as --set does. `assignment` is "section.key=value", or "key=value" if the key is unique. */
bool mach_config_set(MachConfig *config, const char *assignment, GError **error);
void mach_config_free(MachConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MachConfig, mach_config_free)
/* Appends all keys with value, default, unit and help, in the form of a machine file. */
void mach_config_print(const MachConfig *config, GString *out);
/* Calls `tell` for each key that the command line sets but this machine never reads, and if the machine is much larger
 * than the ranks need. `nodes` is the size of its network. `ranks` is 0 if no ranks run. */
void mach_config_remarks(const MachConfig *config, uint32_t nodes, uint32_t ranks,
                         void (*tell)(void *user, const char *text), void *user);
/* Returns the current value of a key as text, or "" if there is no such key. The config owns the text. */
const char *mach_config_value(const MachConfig *config, const char *section, const char *key);
/* Returns the NAME of the [node-type NAME] that a node belongs to, or NULL if it has no type. The config owns the
 * text. */
const char *mach_config_node_type(const MachConfig *config, uint32_t node);
/* Checks that all nodes that the types name exist in a network of `nodes` nodes. `any_number`: the network grows to as
 * many nodes as the ranks need. */
bool mach_config_check_nodes(const MachConfig *config, uint32_t nodes, bool any_number, GError **error);
/* Appends a line for each type of node: which nodes it has, and what is different there. */
void mach_config_describe_nodes(const MachConfig *config, uint32_t nodes, GString *out);
/* Returns the names (without .machine) found in the search path, sorted. The caller frees them with g_strfreev(). */
char **mach_config_list(const char *const *search);

/* -- calibration (calibrate/) ------------------------------------------------------------------ */

/* A calibration program with counts of what one call of its kernel executes. The argument of the program says how often
 * it calls the kernel. */
typedef struct MachKernel MachKernel;
/* Runs the program to count. Execution order and branch predictor are those of `like`. */
MachKernel *mach_kernel_new(const char *name, VcodeModule *program /* taken */, const VmCosts *like, GError **error);
void mach_kernel_free(void *kernel);

typedef struct MachMeasurement {
    const MachKernel *kernel;
    double ns;           /* measured time of one call on the machine to be modelled */
    bool held_out;       /* not used for the fit, only to judge it */
    double predicted_ns; /* time of one call under the fitted costs */
} MachMeasurement;
/* Sets the measured clock frequency. */
void mach_config_calibrate_clock(MachConfig *config, uint64_t clock_hz);
/* Fits the costs of `config` to the measurements and fills in their predictions. The clock must be set already. */
void mach_calibrate(MachConfig *config, MachMeasurement *measurements, size_t n);
/* Cross-validation: divides all kernels into `folds` parts and predicts each part by a fit to the others. Changes
 * held_out and predicted_ns of the measurements; `config` gets none of the fitted costs. */
void mach_calibrate_cross_validate(MachConfig *config, MachMeasurement *measurements, size_t n, size_t folds);
/* Appends only the keys that are given, with their sources, as a machine file. `title` becomes its first comment. */
void mach_config_print_given(const MachConfig *config, const char *title, GString *out);

/* Returns the transfer that the cookie of a message in the network stands for, without its times. What goes to a file
 * server, or comes from one, is a transfer of the rank with itself. */
MpiTransfer mach_run_transfer(uint64_t cookie);

/* -- observers --------------------------------------------------------------------------------- */

/* Callbacks of somebody who watches a run (statistics, recorder, debugger). They are called in event order, and any may
 * be NULL. An observer cannot change what happens. Those with `activity` or `transfer` make a run slower. */
typedef struct MachObserver {
    void *user;
    /* Of a rank with several threads, what each of them does is told: intervals overlap. */
    void (*activity)(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                     const char *call);
    void (*message)(void *user, const MpiMessageInfo *message);
    void (*transfer)(void *user, MpiTransferStage stage, const MpiTransfer *transfer);
    void (*finished)(void *user, uint32_t rank, uint64_t time_ps, int status);
    /* A call of MPI is over (MpiObserver.call). */
    void (*call)(void *user, const MpiCallInfo *info, const VcodeModule *program);
    bool waits; /* call() is told why calls wait: MpiCallInfo.waits */
    void (*collective)(void *user, const MpiCollectiveInfo *collective);
    void (*access)(void *user, const MpiAccessInfo *access); /* to a window */
    void (*event)(void *user, const MpiEvent *event);        /* MpiObserver.event */
    /* A thread has begun, made by thread `by`, or ended. Not told of threads 0, which run main(). */
    void (*thread)(void *user, uint32_t rank, uint32_t thread, uint32_t by, uint64_t time_ps, bool begins);
    /* A thread has waited; `what` says for what, or where. */
    void (*waited)(void *user, uint32_t rank, uint32_t thread, uint64_t from_ps, uint64_t to_ps, const char *what);
    /* An access of a rank to a file is over, which has taken time. */
    void (*accessed)(void *user, uint32_t rank, const VmStorageAccess *access, const char *file, uint64_t from_ps,
                     uint64_t to_ps);
    /* A check has found something at time_ps, of this rank and perhaps others. */
    void (*finding)(void *user, uint32_t rank, uint64_t time_ps, const char *check, const char *text);
    BaseFeed *feed; /* MpiObserver.feed; only for one that is alone, so he has call() and message(), too */
    uint32_t fed;
    /* A rank calls MPI_Pcontrol (MpiObserver.control). */
    void (*control)(void *user, uint32_t rank, int level);
    /* A rank has slept, or waited for a file. `for_core`: it waited for a core of its node. Told also without
     * `activity`. */
    void (*slept)(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core);
} MachObserver;

/* -- running (run/) ---------------------------------------------------------------------------- */

typedef struct MachProgram { /* one program of an MPMD run: the next `count` ranks run it */
    VcodeModule *module;     /* taken */
    const char *const *argv; /* NULL-terminated */
    uint32_t count;
    /* NAME=VALUE, NULL-terminated; NULL: none. They are added to the small environment that every program has, and
     * replace variables of the same name there. If a name comes several times, the last one counts. */
    const char *const *environment;
} MachProgram;

/* A program that a running program names (MPI_Comm_spawn). */
typedef struct MachLookup {
    const char *command;
    const char *directory, *path; /* where to look: the info keys `wdir` and `path`; NULL: not given */
    const char *beside;           /* argv[0] of the program that asks */
} MachLookup;

typedef struct MachProgress {     /* how far a run has come */
    uint64_t now_ps, max_time_ps; /* max_time_ps 0: no limit */
    uint32_t ranks, finished;
    uint64_t messages, events;
} MachProgress;

/* clang-format off */
#define MACH_TIERS(CHOICE) \
    CHOICE(MACH_TIER_AUTO, "auto")     /* starts in the interpreter, changes to native code when a run takes long */ \
    CHOICE(MACH_TIER_INTERP, "interp") /* the interpreter alone */ \
    CHOICE(MACH_TIER_NATIVE, "native") /* native code from the start, as far as possible */
#define MACH_RANK_STATES(CHOICE) \
    CHOICE(MACH_RANK_READY, "ready") \
    CHOICE(MACH_RANK_BLOCKED, "blocked") \
    CHOICE(MACH_RANK_FINISHED, "finished") \
    CHOICE(MACH_RANK_FAULTED, "faulted") \
    CHOICE(MACH_RANK_KILLED, "killed")
/* clang-format on */
BASE_CHOICE_ENUM(MachTier, MACH_TIERS);
BASE_CHOICE_ENUM(MachRankState, MACH_RANK_STATES);

#define MACH_QUANTUM 1000000 /* default of MachOptions.quantum */

/* A process, or all of a node, that fails at a virtual time. */
typedef struct MachKill {
    bool node; /* `number` is that of a node */
    uint32_t number;
    uint64_t time_ps;
} MachKill;
/* Appends the failures of a text such as "3@1ms, node2@5us" to MachKill. Returns false with an error. */
bool mach_kills_parse(const char *text, GArray *kills, GError **error);

typedef struct Machine Machine;

/* What a run of this machine would be like if something were otherwise (run/what_if.c). */
typedef struct MachPace MachPace;
typedef struct MachLine {
    const char *file; /* path or its last part; NULL: any */
    uint32_t line;
} MachLine;
typedef struct MachWhatIf {
    bool network_free;         /* messages take no time, neither in the network nor within nodes */
    uint64_t cpu_num, cpu_den; /* cores are so many times as fast; 0: as they are */
    /* Messages take no time while their senders or receivers are in a call at one of these lines, unless they would
     * overtake others of the same ranks. */
    const MachLine *lines;
    uint32_t n_lines;
    const MachPace *pace; /* how much ranks compute; NULL: as much as they do */
} MachWhatIf;
/* Records how long each rank computes between two calls at which all meet (mpi_world_meets()). Must be called before
 * the first run. After the run, mach_what_if_level() makes all ranks compute their mean, rounded down, from each
 * meeting to the next: MachWhatIf.pace of a run of the same program. Of a rank with threads, the one that runs main()
 * counts. */
MachPace *mach_what_if_record(Machine *machine);
void mach_what_if_level(MachPace *pace);
void mach_what_if_forget(MachPace *pace);

typedef struct MachOptions {
    MachTier tier;    /* changes only the host's time, never a result */
    uint64_t quantum; /* in cycles */
    uint32_t jobs;    /* most host threads; 0: one for each core of the host, made when a run turns out to need them */
    const GArray *kills;       /* MachKill, in any order; NULL: none */
    const MachWhatIf *what_if; /* NULL: nothing is otherwise; it stays while the machine does */
    uint64_t max_time_ps;      /* end of the run in virtual time; 0: no limit */
    uint64_t memory_bytes;     /* most memory that the program may take; 0: what the host has */
    uint32_t memory_sharers;   /* number of runs that share this process at a time; 0 or 1: this is the only one */
    uint64_t seed;
    const GArray *choices; /* MpiChoice: what shall happen where MPI leaves it open; NULL: nothing is forced */
    bool explore;          /* record all choices, and their alternatives */
    bool forks; /* the process may be forked during the run: the run makes no threads of the host, whatever `jobs` */
    uint32_t checks; /* MPI_CHECK_BIT() of the checks that are on */
    bool label;      /* prefix output lines with [rank] */
    VmFs fs;
    const char *directory; /* absolute path of the ranks' working directory; NULL: that of the process */
    /* Gets what the ranks print; NULL: the process's stdout and stderr do. */
    void (*output)(void *user, int stream, const char *bytes, size_t size);
    /* Replaces `output` where it is not NULL: gets a whole line of a rank, or its last line if that has no line end. */
    void (*line)(void *user, uint32_t rank, int stream, const char *bytes, size_t size);
    void (*note)(void *user, const char *text); /* gets remarks of the simulator; NULL: stderr, each after "orrery: " */
    void (*finding)(void *user, const char *text); /* gets findings of the checks at the end; NULL: `note` gets them */
    size_t (*input)(void *user, char *bytes, size_t size); /* standard input; NULL: that of the process */
    /* Finds, and compiles if it must, a program that a running one names. Returns NULL with an error. May be called on
     * any thread. NULL: only the programs that the run was started with can be started. */
    VcodeModule *(*program)(void *user, const MachLookup *lookup, GError **error);
    void *program_user; /* `user` of program() */
    void *user;
    void (*progress)(void *user,
                     const MachProgress *progress); /* answers mach_run_request_progress(); NULL: no callback */
    void (*before_output)(void *user); /* called before the machine writes to stdout or stderr; NULL: no callback */
    void *progress_user;               /* `user` of progress() and before_output() */
} MachOptions;
void mach_run_options_default(MachOptions *options);

Machine *mach_run_new(const MachConfig *config, MachProgram *programs, size_t n_programs, const MachOptions *options,
                      GError **error);
void mach_run_free(Machine *machine);
void mach_run_observe(Machine *machine, const MachObserver *observer); /* copied; only before the first run */

typedef enum MachStop {
    MACH_STOP_FINISHED, /* all ranks have ended */
    MACH_STOP_DEADLOCK, /* no rank can go on; mach_explain() says why */
    MACH_STOP_FAULT,    /* a program fault or an uncaught MPI error; mach_explain() says where */
    MACH_STOP_ABORT,    /* MPI_Abort */
    MACH_STOP_KILLED,   /* a process has failed, and the program is not made to survive that */
    MACH_STOP_MAX_TIME, /* MachOptions.max_time_ps is reached */
    MACH_STOP_HOOK,     /* the debug hook stopped mach_run_stopped_rank(); mach_run() can be called again */
    MACH_STOP_NETWORK, /* a message cannot be delivered, as the network has failed in part; mach_explain() says where */
    MACH_STOP_MEMORY,  /* MachOptions.memory_bytes or the host's memory is used up; mach_explain() says by whom */
    MACH_STOP_INTERRUPT, /* mach_run_interrupt() was called */
} MachStop;
/* Runs until the reason to stop that it returns. */
MachStop mach_run(Machine *machine);
/* Asks a running mach_run() to return soon. Safe in a signal handler. */
void mach_run_interrupt(Machine *machine);
/* Lets the other ranks run to their ends, after a fault or MPI_Abort in a run with MachOptions.explore: what they send
 * could have come before. Nothing of this is reported to anybody. */
void mach_run_on(Machine *machine);
/* Asks a running mach_run() to call MachOptions.progress soon, on its own thread. Safe on any thread. */
void mach_run_request_progress(Machine *machine);

/* Returns the exit status for the shell: the largest exit status of the ranks, 128 + signal after a fault, the code of
 * MPI_Abort, or 1 for a deadlock and for max_time_ps. */
int mach_run_exit_status(const Machine *machine);
/* Returns how many findings of checks have been reported. */
uint32_t mach_findings(const Machine *machine);
/* Appends the explanation of the last stop. Of a fault: rank, source line and call stack. Of a deadlock: what each rank
 * waits for, and the cycle. Then where every rank is. */
void mach_explain(Machine *machine, GString *out);

uint32_t mach_run_ranks(const Machine *machine);
uint32_t mach_run_room(const Machine *machine); /* most ranks that there can be, with those that come during the run */
uint64_t mach_run_now(const Machine *machine);  /* time of the last event that took effect */
uint32_t mach_run_stopped_rank(const Machine *machine);
VmRank *mach_run_rank(Machine *machine, uint32_t rank);
Network *mach_run_network(Machine *machine);
MpiWorld *mach_run_mpi(Machine *machine);
const MachConfig *mach_run_config(const Machine *machine);
uint32_t mach_run_node_of(const Machine *machine, uint32_t rank);
/* Ranks that were started together: they have one MPI_COMM_WORLD. World 0 is that of the run's beginning. Ranks are
 * numbered on through all worlds. */
typedef struct MachWorld {
    uint32_t first, ranks; /* the ranks are numbered from `first` on */
    uint32_t by;           /* the rank that started them */
    uint64_t time_ps;      /* time of that call; 0 for world 0 */
    const char *command;   /* name of the first program; valid as long as the machine */
} MachWorld;
uint32_t mach_run_worlds(const Machine *machine);
MachWorld mach_run_world(const Machine *machine, uint32_t index);
/* Sets a hook that is called before each statement of every rank (see VmHook). NULL removes it. */
void mach_run_set_hook(Machine *machine, VmHook hook, void *user);

/* From now on, before the first run, adds up what the ranks execute (vm/meter.h). `exact`: the meter sees each
 * instruction, so ranks run ahead by little, on one thread of the host. */
void mach_run_meter(Machine *machine, VmMeter *meter, bool exact);
/* For a hook that keeps the run where it is, to look at it, instead of returning true. Shows the output that nothing
 * can overtake any more. To mach_look_threads() and mach_explain(), the run has stopped at this rank (run/stop.c). */
void mach_run_stand(Machine *machine, uint32_t rank);
/* Ends that, before the hook returns. */
void mach_run_leave(Machine *machine);
/* For processes that only look: after mach_run() has returned MACH_STOP_HOOK, lets the rank stay where it is while the
 * others go on, as far as they can without it; at other times than they would. Returns false if the rank has several
 * threads: these go on. */
bool mach_run_hold(Machine *machine, uint32_t rank);
/* For the same processes: lets ranks run for so many cycles in all, about, and then ends the run with
 * MACH_STOP_MAX_TIME. So how far they come depends on what they do, not on the host. */
void mach_run_limit_work(Machine *machine, uint64_t cycles);
/* How the time of a rank has been accounted for until now, while it runs. */
typedef struct MachAccount {
    uint64_t overhead_ps, blocked_ps;
    uint64_t lacked_ps; /* part of blocked_ps: it waited for a core of its node, outside MPI */
    uint64_t stored_ps; /* part of it: it waited for files, outside MPI */
    bool threaded;      /* several threads use time at once: the sums say nothing about one of them */
} MachAccount;
MachAccount mach_run_account(const Machine *machine, uint32_t rank);

MachRankState mach_run_rank_state(const Machine *machine, uint32_t rank);
/* Returns how many receives of a rank wait for messages, and how many messages for receives. O(1). */
void mach_run_queues(const Machine *machine, uint32_t rank, uint32_t *posted, uint32_t *unexpected);
/* Whether the rank could go on, but others have its core. */
bool mach_run_lacks_core(const Machine *machine, uint32_t rank);

/* -- threads of ranks, for debuggers (tell/look.c)--------------------------------------------- */

typedef struct MachThread {
    uint64_t id;         /* as programs and texts count: 1 is the thread that runs main() */
    uint32_t number;     /* of the VM, if it has not ended */
    const char *name;    /* given by the program, "": none; valid as long as the thread */
    MachRankState state; /* if it has not ended: ready or blocked, or how its process stopped */
    bool lacks_core;     /* it could go on, but others have its core */
    bool runs;           /* the debug hook has stopped the run at this thread */
    bool ended;          /* and nobody has joined it */
} MachThread;
/* Returns the threads of a rank by id, one at least. Those that have ended and are forgotten are not among them. The
 * caller frees the array with g_array_unref(). */
GArray *mach_look_threads(const Machine *machine, uint32_t rank);
/* Returns how many threads the rank has had: their ids are 1 to that. */
uint64_t mach_look_threads_made(const Machine *machine, uint32_t rank);
/* Whether the thread of a rank with this id has not ended. */
bool mach_look_lives(const Machine *machine, uint32_t rank, uint64_t id);
/* Returns what a thread waits for: a lock, another thread, a message; NULL: it does not wait. The caller frees the text
 * with g_free(). */
char *mach_look_waits(const Machine *machine, uint32_t rank, const MachThread *thread);
/* Appends a line for each lock of a rank that has been taken or waited for. */
void mach_look_locks(const Machine *machine, uint32_t rank, GString *out);
/* Lets mach_run_rank() show this thread, which has not ended, until the next mach_run(). */
void mach_look_at(Machine *machine, uint32_t rank, const MachThread *thread);
/* Returns the id of the thread that mach_run_rank() shows. */
uint64_t mach_look_thread(const Machine *machine, uint32_t rank);

/* What is counted for each rank, and how it is shown: the rows of statistics.def. */
typedef enum MachStatisticGroup {
    MACH_STATISTIC_RANK,
    MACH_STATISTIC_CACHE,
    MACH_STATISTIC_PREDICTOR,
    MACH_STATISTIC_THREADS
} MachStatisticGroup;
typedef struct MachStatistic {
    MachStatisticGroup group;
    enum { MACH_UNIT_TIME, MACH_UNIT_COUNT, MACH_UNIT_BYTES } unit;
    const char *key;     /* name in JSON */
    const char *heading; /* heading of its column in a table; NULL: it has no column */
    int width;
    const char *share;                        /* heading of its share of the whole; NULL: no share is shown */
    const char *measure;                      /* name of the value for all ranks together; NULL: there is none */
    enum { MACH_PUT_SUM, MACH_PUT_MOST } put; /* how the values of the ranks are combined to that */
    const char *help;
    size_t offset; /* of the uint64_t with the count, in the struct of the group */
} MachStatistic;
enum {
#define MEASURE(name, put)                                                               1
#define NO_MEASURE                                                                       0
#define MACH_STATISTIC(group, field, source, unit, heading, width, share, measure, help) +measure
    MACH_MEASURES = 0 /* number of rows that have a measure */
#include "machine/statistics.def"
#undef MEASURE
#undef NO_MEASURE
};
/* Returns the row of a group that follows `row`, the first if `row` is NULL; NULL after the last. */
const MachStatistic *mach_statistics_next(MachStatisticGroup group, const MachStatistic *row);
/* Returns row number `i` of those that have a measure. */
const MachStatistic *mach_statistics_measure(unsigned i);
/* Returns the value of a row. `counts` is a MachRankReport, VmCacheCounts, VmPredictorCounts or ThreadsStats, by the
 * row's group. */
uint64_t mach_statistics_value(const MachStatistic *row, const void *counts);

/* What is counted of one rank: a field for each row of statistics.def that is of the group RANK, and what follows. */
typedef struct MachRankReport {
#define MACH_FIELD_RANK(field) uint64_t field;
#define MACH_FIELD_CACHE(field)
#define MACH_FIELD_PREDICTOR(field)
#define MACH_FIELD_THREADS(field)
#define MACH_STATISTIC(group, field, source, unit, heading, width, share, measure, help) MACH_FIELD_##group(field)
#include "machine/statistics.def"
    uint32_t node;
    int exit_status;
} MachRankReport;
void mach_run_rank_report(const Machine *machine, uint32_t rank, MachRankReport *report);
/* Adds the report of one more rank to the totals. */
void mach_statistics_add(MachRankReport *totals, const MachRankReport *report);
/* Sums up all ranks. finish_ps is that of the last rank, all other counts are sums. node and exit_status mean
 * nothing. */
void mach_run_totals(const Machine *machine, MachRankReport *totals);
/* Returns the counts of a rank's cache of a level from 1 to MACH_CACHE_LEVELS, or NULL if it has none. */
const VmCacheCounts *mach_cache_counts(const Machine *machine, uint32_t rank, uint32_t level);
/* Fills in what became of the background traffic. Returns false if there was none. */
bool mach_run_background_counts(const Machine *machine, TrafficBackgroundCounts *counts);
/* Returns the counts of a rank's branch predictor, or NULL if it has none. */
const VmPredictorCounts *mach_run_predictor_counts(const Machine *machine, uint32_t rank);
/* Returns what was counted of a rank's threads, or NULL if it has never had more than one. */
const ThreadsStats *mach_run_thread_counts(const Machine *machine, uint32_t rank);
/* Lets each lock and each parallel region be counted. Must be called before the first run. */
void mach_run_count_locks(Machine *machine);
/* Returns the locks of a rank that threads have waited for: an array of ThreadsLockStats, those with the longest waits
 * together first. The caller frees it with g_array_unref(). */
GArray *mach_run_locks(const Machine *machine, uint32_t rank);
/* Returns the parallel regions of a rank by their lines: an array of ThreadsRegionStats, those that took longest first.
 * The caller frees it with g_array_unref(). */
GArray *mach_run_regions(const Machine *machine, uint32_t rank);
uint64_t mach_run_makespan(const Machine *machine); /* largest finish_ps of all ranks */

/* -- exploring (explore/): a program in all orders that MPI may choose ------------------------- */

typedef struct MachExploreOptions {
    uint64_t max_runs;  /* most executions */
    uint32_t max_depth; /* most choices that may differ from the first execution; 0: no limit */
    uint32_t jobs;      /* executions that run at the same time; changes no result */
} MachExploreOptions;

typedef struct MachExplored { /* a failure, an output or a remark of the simulator, and how to see it again */
    char *what;               /* failure: what happened, as mach_explain() says it; output and remark: the text */
    char *steps;              /* failure: the choices that differ from the first execution, one a line */
    char *key;                /* identifies it among others of its kind */
    GArray *choices;          /* MpiChoice: what to force to see it again; empty: nothing */
    uint64_t runs;            /* number of executions that had it */
    MachStop stop;
    int status;        /* exit status of the run */
    uint64_t limit_ps; /* max_time_ps that the execution had; 0: none */
} MachExplored;

typedef struct MachExploration {
    uint64_t runs;                           /* executions, all of them different */
    uint64_t points;                         /* choices that could be made in several ways */
    bool complete;                           /* everything was explored; else one of the next three says why not */
    bool interrupted;                        /* mach_explorer_interrupt() was called */
    bool limited;                            /* max_runs or max_depth left out some executions */
    bool unfinished;                         /* some executions were stopped at a limit of virtual time */
    GPtrArray *failures, *outputs, *remarks; /* MachExplored, in the order in which they were found */
} MachExploration;

typedef struct MachExplorer MachExplorer;
/* Makes an explorer. `program` returns a new module of program i for each execution, and may be called on other
 * threads; programs[i].module is not used. None of the callbacks in `options` is called. */
MachExplorer *mach_explorer_new(const MachConfig *config, const MachProgram *programs, size_t n_programs,
                                const MachOptions *options, const MachExploreOptions *limits,
                                VcodeModule *(*program)(void *user, size_t i, GError **error), void *user);
/* Sets the standard input of every execution. `input` is called when an execution reads it, on any thread. The caller
 * keeps the bytes. */
void mach_explorer_input(MachExplorer *explorer, void (*input)(void *user, const char **bytes, size_t *size),
                         void *user);
/* Explores. Returns NULL with an error if not even the first execution could begin. */
MachExploration *mach_explore(MachExplorer *explorer, GError **error);
/* Asks mach_explore() to stop soon. Safe on any thread, but not in a signal handler. */
void mach_explorer_interrupt(MachExplorer *explorer);
void mach_explorer_free(MachExplorer *explorer);
void mach_explore_result_free(MachExploration *exploration);

/* -- traffic and mappings (map/) --------------------------------------------------------------- */

typedef struct MachFlow { /* what one rank has sent to another */
    uint32_t from, to;
    uint64_t bytes, messages;
} MachFlow;

typedef struct MachTraffic {
    char *path;          /* file that it was read from; NULL: recorded in this process */
    unsigned ranks_line; /* line in which the file says how many ranks there are */
    uint32_t ranks;
    GArray *flows; /* MachFlow, sorted by (from, to), each pair once */
} MachTraffic;

/* Reads a file that mach_traffic_print() or a person wrote. */
MachTraffic *mach_traffic_load(const char *path, GError **error);
void mach_traffic_print(const MachTraffic *traffic, GString *out);
void mach_traffic_free(MachTraffic *traffic);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MachTraffic, mach_traffic_free)

/* The names in mappings.def, NULL-terminated. */
const char *const *mach_config_mappings(void);
/* A request to place ranks: what is to be placed, and how. */
typedef struct MachMapping {
    const MachConfig *config;
    const Network *net;
    uint32_t ranks;
    const char *mapping;        /* a name in mappings.def, or the path of a file */
    const MachTraffic *traffic; /* NULL: the file that the config names is read if needed */
    const uint32_t *current;    /* nodes that local-search starts from; NULL: those of block */
} MachMapping;
/* Returns the node of each rank, or NULL with an error. The caller frees it with g_free(). */
uint32_t *mach_map_nodes(const MachMapping *mapping, GError **error);

/* What recorded traffic costs under a mapping. Pairs are ranks that have sent something to each other. */
typedef struct MachMappingReport {
    uint64_t hop_bytes;           /* sum over all pairs of bytes times links on the way */
    uint64_t bytes, remote_bytes; /* bytes in all; bytes between ranks on different nodes */
    uint64_t pairs, hops;         /* number of pairs; sum of the links on their ways */
    uint32_t most_hops;           /* most links on the way of a pair */
    uint64_t most_link_bytes;     /* bytes over the busiest link */
    uint32_t busiest_link;        /* the link that carries these */
    bool linked; /* false: no links; each way between nodes counts as 1 hop, and no link carries anything */
} MachMappingReport;
/* Computes what the traffic costs if rank r runs on nodes[r]. */
void mach_map_measure(const Network *net, const uint32_t *nodes, const MachTraffic *traffic, MachMappingReport *report);
/* Makes the network of a machine for `ranks` ranks, without callbacks. Returns NULL with an error if it cannot be. */
Network *mach_config_network(const MachConfig *config, uint32_t ranks, GError **error);
/* Puts "file:line:1: error: " before an error of net_network_new(): the line that gives the parameter refused. */
void mach_config_locate(const MachConfig *config, GError **error);

/* Sets the error "PATH:LINE:1: error: ..." for a wrong line of a file (config/errors.c). Returns false. */
bool mach_error_at_line(GError **error, const char *path, unsigned line, const char *format, ...) G_GNUC_PRINTF(4, 5);

#endif
