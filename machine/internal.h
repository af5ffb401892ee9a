/* internal.h - what the files of machine/ share. Nobody outside this folder includes it.
 *
 *   units.c nearest.c keys.c config.c config_print.c    machine files
 *   library_costs.c nodes.c                             their sections [library] and [node-type]
 *   mapping.h          ranks to nodes and cores: mapping*.c, arrange.c, traffic.c
 *   memory.c           which caches a rank has
 *   noise.c            what the operating system takes from it
 *   machine.c          making and freeing a Machine, looking at it
 *   scheduler.c        the event loop, where all order comes from; connections.c: what it does for mpi/ and netsim/
 *   workers.c          ranks between communications on several host threads
 *   tiers.c            when native code is made
 *   budget.c           how much memory a run may have
 *   polling.c          loops that poll in vain
 *   local.c            messages between ranks of one node
 *   output.c           standard output and error in virtual-time order
 *   explain.c          what to tell the user about a stop
 *   findings.c         what the checks of MPI have found
 *   leaks.c groups.c   what ranks under --check did not free; ranks of which the same can be said
 */
#ifndef ORRERY_MACHINE_INTERNAL_H
#define ORRERY_MACHINE_INTERNAL_H

#include "base/queue.h"
#include "machine/machine.h"

#include <stdatomic.h>

/* -- units, names, keys ------------------------------------------------------------------------ */

typedef enum MachKind { /* how the value of a key is written */
                        MACH_KIND_TEXT,
                        MACH_KIND_COUNT,
                        MACH_KIND_COUNT_Q8,
                        MACH_KIND_FREQUENCY,
                        MACH_KIND_TIME,
                        MACH_KIND_BANDWIDTH,
                        MACH_KIND_SIZE,
                        MACH_KIND_CYCLES,
                        MACH_KIND_TIME_PER_BYTE,
                        MACH_KIND_OVERHEAD,
                        MACH_KIND_GAPS,
                        MACH_KIND_CHANCE,
                        MACH_KIND_EXTENTS,
                        MACH_KIND_GRID,
                        MACH_KIND_MAPPING,
                        /* What follows has a list of names. */
                        MACH_KIND_CHOICE,    /* kept as an enum: the place in the list */
                        MACH_KIND_NAME,      /* kept as the name, by which a table is searched */
                        MACH_KIND_TOPOLOGY,  /* the same, perhaps with parameters: mesh(4,4) */
                        MACH_KIND_ALGORITHM, /* the same, in MpiParams.algorithms */
} MachKind;

typedef struct MachSetting { /* one key with its value; the elements of MachConfig.settings, in table order */
    const char *section, *name, *help;
    const char *when; /* on which machines it is read (unread.c); NULL: on all */
    MachKind kind;
    const char *const *names; /* what a value may be, NULL-terminated; NULL: the kind has no list */
    size_t offset, bytes;     /* of the field in MachConfig */
    uint64_t least, greatest;
    char *fallback; /* the default, as text */
    char *value;    /* what is in force, as text */
    char *comment;  /* what the machine file says about it (its source), or NULL */
    unsigned line;  /* where the machine file gives it; 0: nowhere */
    bool given;     /* by the file or --set */
    bool commanded; /* by --set: what the line of the file says no longer counts */
} MachSetting;

/* Values by size of message (pieces.c); as mach_setting_store(). */
bool mach_config_assign_overhead(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                                 GError **error);
bool mach_config_assign_gaps(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                             GError **error);

/* Every key with its default, unset. */
GArray *mach_settings_new(void);
MachSetting *mach_setting_find(GArray *settings, const char *section, const char *name);
/* A key of a machine file has been given: whether these and dims are the same, if it is one of the two and the file has
 * both. */
bool mach_setting_shape_agrees(const MachConfig *config, const MachSetting *given_now, GError **error);
/* One of the two has been set on the command line: the other says no more. */
void mach_setting_shape_override(MachConfig *config, const MachSetting *changed);
/* Gives a key a value. On failure *where is the offset in `text` of what is wrong. */
bool mach_setting_assign(MachConfig *config, MachSetting *setting, const char *text, size_t *where, GError **error);
/* Only stores it in the field of `config`: leaves the setting as it is. */
bool mach_setting_store(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                        GError **error);
/* "time, like 1.5 us" or "one of a, b, c": what may stand for the value. g_free. */
char *mach_setting_unit(const MachSetting *setting);

/* -- costs of library functions ---------------------------------------------------------------- */

typedef struct MachLibraryCost { /* a key of [library] */
    const char *name;            /* static */
    uint32_t base_q8, unit_q8;
    char *value;   /* as it was written */
    char *comment; /* its source, or NULL */
} MachLibraryCost;
GArray *mach_library_costs_new(void);
/* The name as the table of functions has it; NULL where the simulator has no such function. */
const char *mach_library_function(const char *name);
/* ", did you mean "sin"?" or what there is. g_free. */
char *mach_library_suggestion(const char *name);
MachLibraryCost *mach_library_cost_find(GArray *costs, const char *name);
/* Gives a known function its cost. On failure *where is the offset in `text` of what is wrong. */
bool mach_library_cost_assign(GArray *costs, const char *name, const char *text, size_t *where, GError **error);
char *mach_format_library_cost(uint64_t base_q8, uint64_t unit_q8); /* "20 cycles + 0.5 cycles/unit"; g_free */
/* Appends VmExternCost rows; names that have to be made go to `names`. */
void mach_library_costs_append(GArray *all, GStringChunk *names, const GArray *costs);

/* -- nodes that differ ------------------------------------------------------------------------- */

typedef struct MachNodeRange {
    uint32_t first, last; /* UINT32_MAX: to the last node that there is */
    uint32_t offset;      /* in the text of `nodes` */
} MachNodeRange;

typedef struct MachNodeType { /* a section [node-type NAME] */
    char *name;
    unsigned line;
    GArray *ranges;                    /* MachNodeRange */
    char *nodes, *nodes_comment;       /* as written; NULL: not given */
    unsigned nodes_line, nodes_column; /* of the value; 0: not from the machine file */
    GArray *settings;                  /* MachSetting: the keys that it changes, with value and comment */
    GArray *library;                   /* MachLibraryCost */
} MachNodeType;

enum { MACH_NOT_IN_VALUE = 1 << 30 }; /* a *where: the name of the key is wrong */
MachNodeType *mach_node_type_new(const char *name, unsigned line);
void mach_node_type_free(void *type);
MachNodeType *mach_node_type_find(const MachConfig *config, const char *name);
/* Gives a key of a type its value; *comment is where its source is kept. */
bool mach_node_type_assign(const MachConfig *config, MachNodeType *type, const char *name, const char *text,
                           size_t *where, char ***comment, GError **error);
/* Types are numbered from 1 in the order of the file; 0: nodes of no type. */
uint32_t mach_node_type_of(const MachConfig *config, uint32_t node);
uint32_t mach_node_types(const MachConfig *config); /* with the one that has number 0 */
/* The machine's values as nodes of a type see them: a shallow copy, which owns nothing. */
void mach_node_config(const MachConfig *config, uint32_t type, MachConfig *seen);

/* -- mapping ----------------------------------------------------------------------------------- */

typedef struct MachPlace {
    uint32_t node;
    uint32_t share : 28; /* how many ranks its core has, itself included */
    uint32_t nic : 4;    /* of the node, the core's; see NET_MAX_NICS */
} MachPlace;
/* Where each of `ranks` ranks runs; NULL with an error. g_free. */
MachPlace *mach_map_ranks(const MachConfig *config, const Network *net, uint32_t ranks, GError **error);
/* Picoseconds of wall time that a cycle takes a rank whose core `share` ranks use, 32.32 fixed point. */
uint64_t mach_map_period_q32(const MachConfig *config, uint32_t share);
/* Cores of all nodes together. */
uint64_t mach_config_total_cores(const MachConfig *config, uint32_t nodes);

/* -- output ------------------------------------------------------------------------------------ */

typedef struct MachOutput MachOutput;
MachOutput *mach_output_new(uint32_t ranks, const MachOptions *options);
void mach_output_free(MachOutput *output);
/* Bytes that a rank wrote to stream 1 or 2. A rank's times never go back. */
void mach_output_write(MachOutput *output, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size);
/* The same in two steps, for a rank that runs on another thread: what was collected is written in the order in which it
 * was added. mach_output_take() leaves the array empty. */
GPtrArray *mach_output_writes_new(void);
void mach_output_writes_add(GPtrArray *writes, uint32_t rank, int stream, uint64_t time_ps, const char *bytes,
                            size_t size);
void mach_output_take(MachOutput *output, GPtrArray *writes);
/* The rank has ended: what it wrote without a line end is a line now. */
void mach_output_finish(MachOutput *output, uint32_t rank, uint64_t time_ps);
/* Writes out what is older than `before_ps`: nothing older can come any more. */
void mach_output_flush(MachOutput *output, uint64_t before_ps);
/* The run ends at `last_ps`: what is not younger comes out, unfinished lines last, in order of rank; the rest never
 * happened. */
void mach_output_end(MachOutput *output, uint64_t last_ps);
/* The same, and what the first `late_ranks` ranks have written until late_ps. */
void mach_output_end_late(MachOutput *output, uint64_t last_ps, uint64_t late_ps, uint32_t late_ranks);
/* Lets a person at a terminal see the prompt of the rank that is about to read. */
void mach_output_prompt(MachOutput *output, uint32_t rank, uint64_t time_ps);
/* errno of the first failed write, 0 if all is well. */
int mach_output_error(const MachOutput *output);

/* -- messages within a node -------------------------------------------------------------------- */

typedef struct MachNodeChannels MachNodeChannels;
MachNodeChannels *mach_node_channels_new(const MachConfig *config);
void mach_node_channels_free(MachNodeChannels *local);
/* When a message that is handed over at time_ps has left its sender and when it has arrived. In order per pair. */
void mach_node_channels_send(MachNodeChannels *local, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t *sent_ps, uint64_t *delivered_ps);

/* -- the machine ------------------------------------------------------------------------------- */

/* Kinds of events, in the order in which they take effect at one instant. */
typedef enum MachEventKind {
    MACH_EVENT_READY,     /* a rank can run */
    MACH_EVENT_SENT,      /* local message: a = cookie */
    MACH_EVENT_DELIVERED, /* local message: a = cookie */
    MACH_EVENT_NETWORK,   /* stands for net_next_time(); never queued */
    MACH_EVENT_ALARM,     /* mpi_world_alarm(): a = cookie */
    MACH_EVENT_CALL,      /* something of one rank takes effect: a = MachCall */
} MachEventKind;

/* What a MACH_EVENT_CALL does. */
typedef enum MachCall {
    MACH_CALL_WAKE,        /* mpi_world_resume() */
    MACH_CALL_REQUEST,     /* mpi_world_call() */
    MACH_CALL_UPCALL_DONE, /* mpi_world_upcall_done() */
    MACH_CALL_EXIT,
    MACH_CALL_FAULT,
} MachCall;

typedef struct MachWorkers MachWorkers;
typedef struct MachPoll MachPoll;
typedef struct MachBudget MachBudget;

typedef struct MachProcess {   /* what the machine knows of a rank */
    VmRank *vm;                /* the rank itself; NULL before it has been started */
    const MpiRankStats *stats; /* what mpi/ counts of it */
    MachRankState state;
    bool called;      /* its run has ended with a call that has not taken effect yet: */
    bool runs_long;   /* its last run to a call was long; a hint for workers.c, which no result depends on */
    bool watched;     /* polling.c watches a turn of its loop */
    uint16_t runner;  /* the thread of workers.c that runs it, 0: none */
    MachCall call;    /* ... this one ... */
    uint64_t call_ps; /* ... at this time */
    int exit_status;
    uint64_t resumed_ps;          /* ready: since when it computes */
    uint64_t resumed_overhead_ps; /* overhead up to then; local MPI calls add to it while the rank computes */
    uint64_t compute_ps;          /* up to resumed_ps */
    uint64_t slept_ps;            /* since then */
    uint64_t finish_ps;           /* ended: when */
    MachPlace place;
} MachProcess;

typedef struct MachSleep {
    uint64_t from_ps, to_ps;
} MachSleep;

typedef struct MachNodeModel { /* what nodes of one type are like */
    MachConfig config;         /* see mach_node_config() */
    GArray *extern_costs;      /* VmExternCost; config.costs points into it */
} MachNodeModel;

typedef struct MachTiers MachTiers;
/* Before the first run, for a machine whose ranks have been started. NULL: the interpreter alone. */
MachTiers *mach_tiers_new(Machine *machine);
/* Whether it is time to begin; to be called often. `long_since`: much has happened since the last time. */
void mach_tiers_look(MachTiers *tiers, bool long_since);
void mach_tiers_free(MachTiers *tiers);

struct Machine {
    const MachConfig *config;
    MachNodeModel *models;     /* by type of node */
    GStringChunk *names;       /* of extern_costs */
    VmHierarchy **hierarchies; /* by rank; NULL where memory is flat */
    bool tallies;              /* ranks count what may have to be taken back (vm_rank_cut()) */
    void *noise;               /* noise.c: by rank; NULL: there is none */
    MachOptions options;
    uint32_t ranks;
    MachProcess *processes;
    uint32_t running; /* ranks that have not ended */

    Network *net;
    VmWorld *vm;
    MpiWorld *mpi;
    BaseQueue *queue;
    TrafficBackground *background; /* NULL: none */
    uint64_t in_flight;            /* messages of ranks in the network; only counted beside background traffic */
    MachNodeChannels *local;
    MachOutput *output;
    MachTiers *tiers;
    GArray *observers;     /* MachObserver */
    GArray **sleeps;       /* MachSleep since resumed_ps, by rank, for observers; NULL: there are none */
    GPtrArray *node_names; /* by node, made when asked for */
    GArray *programs;      /* MpiProgram */
    GArray *leaks;         /* leaks.c; NULL: none */
    uint32_t findings;     /* of checks, told so far */

    MachBudget *budget;
    bool budget_in_order; /* it is looked at whenever time goes on */
    MachWorkers *workers; /* NULL: all is done by one thread */
    bool hooked;          /* ranks have the debugger's hook */

    uint64_t now;     /* time of the last event that took effect */
    uint64_t held_ps; /* time of the call of a rank that lies beside the queue (scheduler.c); UINT64_MAX: none */
    uint32_t held_rank;
    uint64_t woken_ps; /* ... which lets a rank go on from here, at once */
    uint32_t woken_rank;
    bool woken;
    uint64_t turn;      /* third part of the order of the last call that took effect at this time, 0: none did yet */
    GHashTable *polls;  /* rank -> MachPoll, of ranks that have polled in vain; never iterated where order shows */
    GPtrArray *parked;  /* MachPoll */
    uint32_t circling;  /* ranks that poll for ever, unless they are touched, though nobody parks them */
    uint32_t awake;     /* the last rank that was found to be neither blocked nor circling nor parked */
    uint64_t under_way; /* events in `queue` that are not of a rank's own run */
    bool told_polling;  /* that all poll for what cannot come */
    MachStop stop;
    bool stopped;            /* for good: mach_run() has nothing more to do */
    bool file_refused;       /* a rank was kept from a file, and it was told */
    bool runs_on;            /* mach_run_on(): nothing is told any more */
    bool clipped;            /* stopped at now, before ranks that are ready were done */
    uint32_t stopped_rank;   /* fault, abort or hook: whose */
    uint32_t undelivered_to; /* MACH_STOP_NETWORK: the rank that its message was for */
    uint32_t reading_rank;
    uint64_t events;   /* taken so far, for people to see */
    atomic_uint asked; /* of the loop by others: bits MACH_ASKED_... */
};

enum { MACH_ASKED_TO_PAUSE = 1, MACH_ASKED_FOR_PROGRESS = 2, MACH_ASKED_FOR_MEMORY = 4 };
/* Or to end. */
static inline bool mach_run_asked_to_pause(const Machine *machine)
{
    return atomic_load(&machine->asked) & (MACH_ASKED_TO_PAUSE | MACH_ASKED_FOR_MEMORY);
}

/* Whether the caches that a node has can be. */
bool mach_caches_check(const MachConfig *config, GError **error);
/* Gives the ranks, which have been started, their caches. */
void mach_caches_attach(Machine *machine);
void mach_caches_free(Machine *machine);

/* Noise (noise.c): whether what the config says can be; gives it to the clocks of the ranks, which have been started.
 */
bool mach_noise_check(const MachConfig *config, GError **error);
void mach_noise_attach(Machine *machine);

/* Puts an event that is not of a rank's own run into the queue. */
static inline void mach_run_queue_event(Machine *machine, uint64_t time_ps, MachEventKind kind, uint32_t rank,
                                        uint64_t a, uint64_t b)
{
    machine->under_way++;
    base_queue_push(machine->queue, time_ps, kind, rank, a, b);
}
/* Puts a rank that can run into the queue. */
void mach_run_make_ready(Machine *machine, uint32_t rank);
/* After the end: lets a rank that computes go on, up to its next call but not beyond limit_ps, to see what it was about
 * to do. What it does on the way never happened. */
void mach_run_ahead(Machine *machine, uint32_t rank, uint64_t limit_ps);
/* Ends the output after MPI_Abort, with what others were about to say (explain.c). */
void mach_run_hear_out(Machine *machine);
/* Runs the rank for that many cycles, but only until its clock is beyond limit_ps. On any thread. */
VmStop mach_run_until(Machine *machine, uint32_t rank, uint64_t cycles, uint64_t limit_ps);
/* Notes the call that a run of the rank has come to. */
void mach_run_note_call(Machine *machine, uint32_t rank, VmStop reason);
/* The loop has come to this time. */
static inline void mach_run_reach(Machine *machine, uint64_t time_ps)
{
    if (time_ps <= machine->now)
        return;
    mach_output_flush(machine->output, time_ps);
    machine->now = time_ps;
    machine->turn = 0;
}
/* Puts the request that the rank has come to at process->call_ps into the queue. */
void mach_run_queue_request(Machine *machine, uint32_t rank);
/* No rank needs to run beyond this time. */
static inline uint64_t mach_run_limit_ps(const Machine *machine)
{
    return machine->options.max_time_ps ? machine->options.max_time_ps : UINT64_MAX;
}
/* Wakes the rank at that time. */
void mach_run_queue_wake(Machine *machine, uint32_t rank, uint64_t time_ps);
/* Ends the run, for this reason, which lies with that rank. */
void mach_run_stop(Machine *machine, MachStop reason, uint32_t rank);

/* -- connections.c: what mpi/ and netsim/ ask for, and tell ------------------------------------ */

void mach_run_tell_activity(void *machine, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                            const char *call);
MpiEnv mach_run_mpi_env(Machine *machine);
/* MpiEnv.arrange (arrange.c). */
bool mach_map_arrange(void *machine, const MpiArrangement *arrangement, uint32_t *chosen);
NetClient mach_run_net_client(Machine *machine);

/* -- what is told ------------------------------------------------------------------------------ */

/* Ranks of which the same can be said. */
typedef struct MachGroup {
    char *what;
    MpiRankList ranks;
    uint64_t blocks, bytes; /* leaks.c */
} MachGroup;
typedef struct MachGroups MachGroups;
MachGroups *mach_groups_new(void);
void mach_groups_free(MachGroups *groups);
/* Adds a rank, not less than those before, to its group; `alone`: to one of its own. */
MachGroup *mach_groups_add(MachGroups *groups, const char *what, uint32_t rank, bool alone);
guint mach_groups_count(const MachGroups *groups);
const MachGroup *mach_groups_get(const MachGroups *groups, guint i);
/* "  ranks 0-3, 7" */
void mach_group_append_ranks(const MachGroup *group, GString *out);

/* Notes what the rank, which has ended, left on its heap; tells it of all ranks. */
void mach_note_leaks(Machine *machine, uint32_t rank);
void mach_tell_leaks(Machine *machine);
/* Tells what the checks of MPI have found, of a run that has stopped for good. */
void mach_tell_findings(Machine *machine);
G_GNUC_PRINTF(2, 3) void mach_run_note(Machine *machine, const char *format, ...);
/* The same of what a check has found. */
G_GNUC_PRINTF(2, 3) void mach_tell_finding(Machine *machine, const char *format, ...);

/* -- memory (budget.c) ------------------------------------------------------------------------- */

/* For a machine whose ranks have been started. */
void mach_budget_new(Machine *machine);
void mach_budget_free(Machine *machine);
/* A rank's heap has taken or given back so many bytes at that time; on any thread. The rank has ended now. */
void mach_budget_grew(Machine *machine, uint32_t rank, uint64_t time_ps, int64_t bytes);
void mach_budget_exited(Machine *machine, uint32_t rank);
/* Something has been done that may have buffered messages: looks at the host where they are many. */
void mach_budget_look(Machine *machine);
/* All has happened until `before_ps`. False: then, at what machine->now is now, the run had more than it may. */
bool mach_budget_reach(Machine *machine, uint64_t before_ps);
/* ... by the host, at an accidental time? */
bool mach_budget_is_accidental(const Machine *machine);
/* MACH_STOP_MEMORY: which bound, and who used what. */
void mach_budget_explain(const Machine *machine, GString *out);

/* -- loops that poll in vain (polling.c) ------------------------------------------------------- */

/* The rank's request is about to take effect. True: it does not have to, the rank is parked. */
bool mach_polling_request(Machine *machine, uint32_t rank);
/* What the rank's polls find is about to change, by what takes effect now. */
void mach_polling_touch(Machine *machine, uint32_t rank);
/* Whether nothing can ever happen any more: who is not blocked polls in vain, and nothing is under way. Asked for where
 * machine->circling is not 0. */
bool mach_polling_for_ever(Machine *machine);
/* The run ends or pauses now, or with all calls of the present time (`time_is_up`): nobody is parked any more. */
void mach_polling_end(Machine *machine, bool time_is_up);
/* It pauses, and whoever made it pause may change anything: nothing is known of loops any more. */
void mach_polling_pause(Machine *machine);

/* -- other threads (workers.c); these functions are the main thread's -------------------------- */

/* NULL where one thread is to do it all. */
MachWorkers *mach_workers_new(Machine *machine);
void mach_workers_free(MachWorkers *pool);
/* From how many cycles on a run counts as long. */
uint64_t mach_workers_long(const MachWorkers *pool);
/* Hands over a ready rank that stands at clock_ps. False: it stays with the main thread. */
bool mach_workers_offer(MachWorkers *pool, uint32_t rank, uint64_t clock_ps);
/* What the ranks that were handed over have left behind, UINT64_MAX if there are none; whether something has come back
 * since; and a way to make that part of the machine's and the output's queue. Ask in this order. */
uint64_t mach_workers_bound(MachWorkers *pool);
bool mach_workers_news(MachWorkers *pool);
void mach_workers_collect(MachWorkers *pool);
/* The main thread is about to do what is due at effect_ps; others may go on meanwhile. */
void mach_workers_expect(MachWorkers *pool, uint64_t effect_ps);
/* The main thread has nothing to do before ranks that were handed over have passed effect_ps: it runs one, or waits. */
void mach_workers_help(MachWorkers *pool, uint64_t effect_ps);
/* Stops all and takes all back. */
void mach_workers_gather(MachWorkers *pool);
/* What the rank that this thread runs writes is collected here. */
GPtrArray *mach_workers_writes(MachWorkers *pool, uint16_t runner);

#endif
