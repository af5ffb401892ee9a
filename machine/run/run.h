/* run.h - a running machine: what the files of this room share.
 *
 *   build.c            makes and frees a Machine; programs.c starts its ranks
 *   spawn.c            ranks that come during a run
 *   tasks.c            threads of ranks, as tasks beside the ranks
 *   threads.c          callbacks of threads/, and its calls
 *   scheduler.c        the event loop, which decides the order of everything
 *   advance.c          runs one rank up to its next call; stop.c ends or pauses a run
 *   connections.c      callbacks of mpi/ and netsim/; host.c: callbacks of vm/
 *   workers.c          runs ranks between communications on several host threads
 *   tiers.c            decides when native code is made
 *   budget.c           bounds the memory of a run
 *   kills.c            processes that fail
 *   polling.c          loops that poll in vain
 *   sharing.c          ranks that share cores: run queues of nodes
 *   communication.c    communication threads
 *   caches.c noise.c   which caches a rank has; what the operating system takes from it
 *   output.c           standard output and error in virtual-time order
 *   report.c           answers questions about a machine
 *   findings.c         remarks to the user, and what the checks of MPI have found
 *   rank_groups.c      groups of ranks that share a description
 */
#ifndef ORRERY_MACHINE_RUN_RUN_H
#define ORRERY_MACHINE_RUN_RUN_H

#include "base/queue.h"
#include "machine/contention/contention.h"
#include "machine/machine.h"
#include "machine/map/map.h"
#include "machine/node/node.h"
#include "machine/output/output.h"
#include "machine/storage/storage.h"

#include <stdatomic.h>

/* Kinds of events, in the order in which they take effect at one instant. */
typedef enum MachEventKind {
    MACH_EVENT_READY,        /* a rank can run */
    MACH_EVENT_SENT,         /* a local message has left its sender: a = cookie */
    MACH_EVENT_DELIVERED,    /* a local message has arrived: a = cookie */
    MACH_EVENT_NETWORK,      /* an event of the network at net_next_time(); never queued */
    MACH_EVENT_ALARM,        /* mpi_world_alarm(): a = cookie */
    MACH_EVENT_KILL,         /* the process fails (a = 0), or others know that it has (a = 1) */
    MACH_EVENT_THREAD_ALARM, /* threads_world_alarm(): a = cookie, b = thread */
    MACH_EVENT_STORAGE,      /* mach_storage_event(): a = cookie */
    MACH_EVENT_TIMER,        /* a task of a node wakes up: a = node, b = task */
    MACH_EVENT_CORE,         /* a core of a node has done what it was asked for: a = node, b = core */
    MACH_EVENT_CALL,         /* something that concerns one rank takes effect: a = MachCall */
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
typedef struct MachThreadTasks MachThreadTasks;
typedef struct MachShare MachShare;
typedef struct MachThreads MachThreads;

typedef struct MachProcess {   /* what the machine knows about a task: a rank, or a further thread of one (tasks.c) */
    VmRank *vm;                /* NULL before the rank has been started */
    MachShare *share;          /* private to sharing.c; NULL: it has a core for itself */
    const MpiRankStats *stats; /* counted by mpi/ */
    MachRankState state;
    bool called;        /* its run has ended with `call` at call_ps, which has not taken effect yet */
    bool runs_long;     /* its last run up to a call was long; only a hint for workers.c, no result depends on it */
    bool watched;       /* polling.c watches one turn of its loop */
    bool held;          /* mach_run_hold(): it stays where it is */
    bool circles;       /* it polls for ever unless it is touched, but it is not parked (polling.c) */
    bool cut;           /* others have ended it while it computed: mach_advance_cut() */
    bool in_piece;      /* if exposed: it has begun with its piece, and has not come to the end of it */
    bool rests;         /* if exposed: it goes on with its piece when its READY event comes, not before */
    bool renews;        /* if exposed: the next thing that it does is a new piece */
    bool threaded;      /* its rank has, or had, several threads */
    bool waits;         /* if blocked: in a call of threads/ */
    uint8_t whole;      /* if threaded: branches that do not end its piece (tasks.h) */
    bool synchronised;  /* the call that it goes on from was one of threads/ */
    bool sleeps;        /* if blocked: it gives its core back, whatever ranks do that wait in MPI */
    bool yields;        /* what is performed for it lets others go first */
    uint32_t reasons;   /* reasons why others may write its memory at any time */
    uint32_t exposures; /* the same: it runs in pieces (advance.h). 0 if it has threads, whose pieces are others */
    uint64_t piece_end; /* if exposed: cycles (q8) at which its piece ends; UINT64_MAX: it is not */
    uint16_t runner;    /* index of the thread of workers.c that runs it; 0: none */
    MachCall call;      /* if called: the call */
    uint64_t call_ps;   /* if called: the time at which it takes effect */
    int exit_status;
    uint64_t resumed_ps;          /* if ready: time since when it computes */
    uint64_t resumed_overhead_ps; /* overhead up to resumed_ps; local MPI calls add overhead while the rank computes */
    uint64_t resumed_calls;       /* number of MPI calls up to resumed_ps; local ones count while the rank computes */
    uint64_t compute_ps;          /* time spent computing up to resumed_ps */
    uint64_t slept_ps;            /* time slept since resumed_ps */
    uint64_t start_ps;            /* its beginning; not 0: it came during the run */
    uint64_t finish_ps;           /* if ended: time of the end */
    MachPlace place;
    uint32_t rank;        /* the rank that it is, or whose thread it is */
    uint32_t thread;      /* number of the thread; 0: it is a rank */
    uint32_t processors;  /* of a rank: its share of the node's cores when it came, as where ranks are bound to them */
    uint64_t local_ps;    /* if threaded: overhead of local MPI calls since resumed_ps */
    uint64_t piece_ps;    /* if threaded and halted in the middle of a piece: where that ends */
    uint64_t called_ps;   /* if in a call of threads/: since when its time is not accounted for */
    uint64_t stack;       /* of a thread: address of its stack */
    MachThreads *threads; /* of a rank that is threaded (tasks.c) */
    uint32_t poller;      /* of a rank: the task that is watched or circles, + 1; 0: none */
} MachProcess;

/* A time in which a rank slept, or waited for a core. */
typedef struct MachSleep {
    uint64_t from_ps, to_ps;
    bool no_core;
} MachSleep;

typedef struct MachNodeModel { /* the properties of nodes of one type */
    MachConfig config;         /* made by mach_node_config() */
    GArray *extern_costs;      /* VmExternCost; config.costs points into it */
} MachNodeModel;

/* The images of one program by type of node. Each table of costs has one, made when it is needed. */
typedef struct MachImages {
    VcodeModule *module; /* NULL after the first image is made */
    VmImage *first;
    VmImage **by_type;
} MachImages;

typedef struct MachMetering MachMetering; /* metering.c */
typedef struct MachTiers MachTiers;
typedef struct MachTasks MachTasks;
typedef struct MachSpawning MachSpawning;

/* -- hypotheses (what_if.c) -------------------------------------------------------------------- */

typedef struct MachWhatIfState MachWhatIfState;
/* Returns what MachOptions.what_if asks for, or NULL. */
MachWhatIfState *mach_what_if_new(Machine *machine);
void mach_what_if_free(MachWhatIfState *state);
/* Returns the length of a rank's cycle under it. */
uint64_t mach_what_if_period(const Machine *machine, uint64_t period_q32);
/* Ranks have their first pace. */
void mach_what_if_begin(Machine *machine);
/* Whether a message takes no time, or arrives at *time_ps. If not, it is noted that it goes through the network, or
 * arrives at a time that mach_what_if_local() tells. */
bool mach_what_if_takes_none(Machine *machine, uint32_t from, uint32_t to, uint64_t *time_ps);
void mach_what_if_local(Machine *machine, uint32_t from, uint32_t to, uint64_t delivered_ps);
/* A message has come through the network. */
void mach_what_if_arrived(Machine *machine, uint64_t cookie);

struct Machine {
    const MachConfig *config;
    MachNodeModel *models;     /* by type of node */
    GStringChunk *names;       /* holds names for extern_costs of the models */
    VmHierarchy **hierarchies; /* by rank; NULL: memory is flat */
    bool tallies; /* ranks record counts so that those beyond the end of the run can be taken back (vm_rank_cut()) */
    MachMetering *metering; /* private to metering.c; NULL: ranks are not metered */
    GHashTable *quiet;      /* private to metering.c; never iterated */
    void *noise;            /* by rank, private to noise.c; NULL: no noise */
    MachOptions options;
    uint32_t ranks;         /* with those that came during the run */
    uint32_t room;          /* most ranks that there can be: tables by rank have so many rows, and do not move */
    MachProcess *processes; /* tasks: ranks by number, and threads from `room` on */
    MachTasks *tasks;       /* private to tasks.c; NULL: no program makes threads */
    bool binds;             /* a program may bind ranks or threads to processors */
    bool threaded;          /* a rank has several threads, or had them */
    GArray *looks; /* MachLook; NULL: nobody looks at other threads than those where the run stands (mach_look_at()) */
    uint32_t halted;        /* 1 + the task that a debugger has stopped in the middle of a piece; 0: none */
    uint32_t running;       /* number of ranks that have not ended */
    MachSpawning *spawning; /* private to spawn.c; NULL: no program starts others */

    uint32_t *node_ranks;       /* by node: ranks that have come (threads.c) */
    MachNode **nodes;           /* by node: its run queue; NULL: its ranks need none. NULL: none does (sharing.c) */
    MachNodeClient node_client; /* of these */
    uint32_t *first_core;       /* by node: how many cores those before it have */

    Network *net;
    VmWorld *vm;
    MpiWorld *mpi;
    ThreadsWorld *threads;
    VmExtern *externs; /* of both: programs.c */
    BaseQueue *queue;
    TrafficBackground *background; /* NULL: none */
    uint64_t in_flight;            /* messages of ranks in the network; counted only if there is background traffic */
    MachNodeChannels *local;
    MachContention *contention;
    MachThreadTasks *thread_tasks; /* communication threads that share cores; NULL: none does */
    MachStorage *storage;          /* NULL: files take no time */
    GPtrArray *waiting;            /* ranks that wait for accesses of the C library (connections.c); NULL: none yet */
    GArray *accesses;         /* VmStorageAccess: what the function that is performed does to files; NULL: none is */
    MachWhatIfState *what_if; /* NULL: nothing is otherwise than the machine file says */
    MachOutput *output;
    MachTiers *tiers;
    GArray *observers;     /* MachObserver */
    bool timed;            /* an observer wants to know what ranks and transfers do at any time */
    GArray **sleeps;       /* by rank: MachSleep since resumed_ps, for observers; NULL: there are no observers */
    GPtrArray *node_names; /* by node; a name is made when asked for */
    GArray *programs;      /* MpiProgram */
    GArray *leaks;         /* private to findings.c; NULL: no leaks so far */
    uint32_t findings;     /* findings of checks reported so far */

    uint64_t *kill_ps; /* by rank: when it fails, UINT64_MAX: never; NULL: nobody fails (kills.c) */
    bool survives;     /* the program calls functions for those who survive failures */

    MachBudget *budget;
    bool budget_in_order; /* the budget is checked whenever virtual time advances */
    MachWorkers *workers; /* NULL: one thread does everything */
    bool hooked;          /* the debugger's hook is set on the ranks */
    bool ahead;           /* a rank runs ahead while something takes effect: mach_run_still() */
    VmHook hook;          /* that hook */
    void *hook_user;
    bool usual; /* nothing is unusual about this run: see is_usual() in scheduler.c */

    uint64_t now;           /* time of the last event that took effect */
    uint64_t held_ps;       /* time of the call held beside the queue (scheduler.c); UINT64_MAX: none */
    uint32_t held_rank;     /* the rank whose call that is */
    uint64_t woken_ps;      /* if woken: time at which the rank goes on */
    uint32_t woken_rank;    /* if woken: the rank */
    bool woken;             /* a call lets a rank go on at once, without a wake-up in the queue */
    unsigned turns_taken;   /* calls that took effect while their rank ran, since the loop's last event */
    uint64_t turn;          /* third part of the order of the last call that took effect at `now`; 0: none did yet */
    GHashTable *polls;      /* rank -> MachPoll, of ranks that have polled in vain; never iterated where order shows */
    GPtrArray *parked;      /* MachPoll */
    uint32_t spinning;      /* parked ranks that look at shared memory */
    uint64_t shared_writes; /* number of writes to memory that ranks share */
    uint32_t circling;      /* ranks that poll for ever unless they are touched, but that are not parked */
    uint32_t awake;         /* the last rank that was found neither blocked nor circling nor parked */
    uint64_t under_way;     /* events in `queue` that do not come from a rank's own run */
    bool told_polling;      /* the note that all ranks poll for what cannot come has been given */
    MachStop stop;
    bool stopped;            /* the run has ended; mach_run() has nothing more to do */
    bool file_refused;       /* the note that a rank was refused a file has been given */
    bool holding;            /* mach_run_hold() has been called */
    bool limits_work;        /* mach_run_limit_work() has been called: */
    uint64_t work_left;      /* cycles that ranks may run in all */
    bool runs_on;            /* set by mach_run_on(): nothing is reported any more */
    bool clipped;            /* the run stopped at `now` before all ranks that are ready had come so far */
    uint32_t stopped_rank;   /* rank that caused a stop by fault, abort or hook */
    uint32_t undelivered_to; /* MACH_STOP_NETWORK: the rank that the message was for */
    uint64_t events;         /* number of events so far, for progress reports */
    atomic_uint asked;       /* what others ask of the loop: bits MACH_ASKED_... */
};

enum { MACH_ASKED_TO_PAUSE = 1, MACH_ASKED_FOR_PROGRESS = 2, MACH_ASKED_FOR_MEMORY = 4 };
/* Returns whether somebody has asked the loop to pause or to end. */
static inline bool mach_run_asked_to_pause(const Machine *machine)
{
    return atomic_load(&machine->asked) & (MACH_ASKED_TO_PAUSE | MACH_ASKED_FOR_MEMORY);
}

/* Queues an event that does not come from a rank's own run. */
static inline void mach_run_queue_event(Machine *machine, uint64_t time_ps, MachEventKind kind, uint32_t rank,
                                        uint64_t a, uint64_t b)
{
    machine->under_way++;
    base_queue_push(machine->queue, time_ps, kind, rank, a, b);
}
/* Behind MpiEnv.is_turn and MpiEnv.take_turn. */
bool mach_run_is_turn(void *user, uint32_t rank, uint64_t now_ps);
bool mach_run_take_turn(void *user, uint32_t rank, uint64_t now_ps, uint64_t end_ps);
/* Prefetches a rank that will soon be called or go on. Call it first with `begun` false, and again with true some
 * hundred nanoseconds later. */
void mach_run_fetch(Machine *machine, uint32_t rank, bool begun);
/* Queues a rank that is ready and goes on at time_ps. */
void mach_run_ready_at(Machine *machine, uint32_t rank, uint64_t time_ps);
/* A task that computes has slept meanwhile, or waited for a core. */
void mach_run_slept(Machine *machine, uint32_t task, uint64_t from_ps, uint64_t to_ps, bool no_core);
/* Queues a rank that can run. */
void mach_run_make_ready(Machine *machine, uint32_t rank);
/* Advances virtual time. Writes out all output before that time. */
static inline void mach_run_reach(Machine *machine, uint64_t time_ps)
{
    if (time_ps <= machine->now)
        return;
    mach_output_flush(machine->output, time_ps);
    machine->now = time_ps;
    machine->turn = 0;
}
/* Returns the time beyond which no rank needs to run. */
static inline uint64_t mach_run_limit_ps(const Machine *machine)
{
    return machine->options.max_time_ps ? machine->options.max_time_ps : UINT64_MAX;
}
/* The same for one rank: it does not live longer. */
static inline uint64_t mach_run_rank_limit_ps(const Machine *machine, uint32_t rank)
{
    uint64_t limit_ps = mach_run_limit_ps(machine);
    return G_UNLIKELY(machine->kill_ps) ? MIN(limit_ps, machine->kill_ps[rank]) : limit_ps;
}
/* How far, and how many ranks, mach_run_ahead() is asked to run for an explanation. */
#define MACH_HEARD_PS UINT64_C(100000000) /* 100 us */
enum { MACH_MOST_HEARD = 256 };
/* Runs a rank that still computed when the run ended up to its next call, but not beyond limit_ps, to see what it was
 * about to do. What it does on the way never happened. */
void mach_run_ahead(Machine *machine, uint32_t rank, uint64_t limit_ps);
/* Ends the run for good. `rank` is the one that the reason lies with. */
void mach_run_stop(Machine *machine, MachStop reason, uint32_t rank);
/* Leaves mach_run() for now: it can be called again. `rank` is the one that the reason lies with. */
void mach_run_pause(Machine *machine, MachStop reason, uint32_t rank);

/* -- for profiles (metering.c) ------------------------------------------------------------------ */

/* A rank has come during the run. */
void mach_metering_came(Machine *machine, uint32_t rank);
void mach_metering_free(Machine *machine);
/* A rank has waited, outside MPI, for a core or for files. */
void mach_metering_lacked(Machine *machine, uint32_t rank, uint64_t ps);
void mach_metering_stored(Machine *machine, uint32_t rank, uint64_t ps);
/* MpiEnv.quiet_ps. */
uint64_t mach_metering_quiet_ps(void *user, uint32_t from, uint32_t to, uint64_t bytes, bool sent);

/* -- processes that fail (kills.c) ------------------------------------------------------------- */

/* Makes the events of all failures. */
bool mach_kills_begin(Machine *machine, GError **error);
/* Drops the next event if it is a failure and nobody lives that it could matter to. */
bool mach_kills_skip(Machine *machine);
/* Takes a MACH_EVENT_KILL. */
void mach_kills_take(Machine *machine, uint32_t rank, bool known);
/* The rank has called MPI_Abort: ends the run, or only those who are connected with it. */
void mach_kills_abort(Machine *machine, uint32_t rank);
/* The process of the rank has ended. Without MPI_Finalize it has failed, to programs that survive failures. */
void mach_kills_exited(Machine *machine, uint32_t rank);
/* The exit status that comes of the code of an MPI_Abort: not 0, unless the code is. */
static inline int mach_run_abort_status(int code)
{
    return code & 0xff ? code & 0xff : code != 0;
}
/* Appends why the run has ended. */
void mach_kills_explain(const Machine *machine, GString *out);

/* -- building (programs.c) --------------------------------------------------------------------- */

/* Make and free the models, one for each type of node. */
bool mach_run_build_models(Machine *machine, GError **error);
void mach_run_free_models(Machine *machine);
/* Frees what an MpiProgram has. */
void mach_run_clear_program(void *program);
/* Makes images of each program and starts its ranks. Takes the modules, even if it fails. */
bool mach_run_start_programs(Machine *machine, MachProgram *programs, size_t n_programs, GError **error);

/* Whether one of the programs has a call of a function whose name begins so, perhaps behind the P of the profiling
 * interface. */
bool mach_run_calls(const MachProgram *programs, size_t n, const char *prefix);

/* The image of a program for a type of node, which it makes if it must. NULL: an error. */
VmImage *mach_run_image(Machine *machine, MachImages *images, uint32_t type, GError **error);
MachImages *mach_run_images_new(const Machine *machine, VcodeModule *module /* is taken */);
void mach_run_images_free(const Machine *machine, MachImages *images);
/* What the rank's node is like. */
const MachNodeModel *mach_run_model(const Machine *machine, uint32_t rank);
/* Gives a rank its program and memory. Its place must be known. */
bool mach_run_load_rank(Machine *machine, MachImages *images, uint32_t rank, const char *const *argv,
                        const char *const *environment, GError **error);
/* Makes such a rank known to MPI. */
void mach_run_attach_rank(Machine *machine, uint32_t rank);
/* Returns the directory that programs see as theirs, or NULL if they may not see the host's files. */
char *mach_run_start_directory(const Machine *machine);

/* -- ranks that come during a run (spawn.c) ------------------------------------------------------ */

/* Looks whether one of the programs starts others. If so, sets machine->room and machine->spawning. */
void mach_spawn_prepare(Machine *machine, const MachProgram *programs, size_t n);
void mach_spawn_free(Machine *machine);
/* Returns for how many ranks that come a machine has cores whose number of nodes follows the ranks. */
uint32_t mach_spawn_cores(const Machine *machine);
/* Keeps the images and the environment of a program that may be started again. Takes both. */
void mach_spawn_keep(Machine *machine, MachImages *images, const char *command, char **environment);
/* A rank has ended, and its core is free. */
void mach_spawn_exited(Machine *machine, uint32_t rank);
/* Behind MpiEnv.spawn and MpiEnv.start. */
MpiSpawned mach_spawn(void *user, uint32_t by, const MpiSpawn *spawns, uint32_t n);
void mach_spawn_start(void *user, uint32_t rank, uint64_t time_ps);

/* -- what others ask for, and tell (connections.c, host.c) ------------------------------------- */

void mach_run_tell_slept(Machine *machine, uint32_t rank, const MachSleep *sleep);
void mach_run_tell_activity(void *machine, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                            const char *call);
MpiEnv mach_run_mpi_env(Machine *machine);
/* Makes the storage that the machine file describes; NULL: files take no time. */
MachStorage *mach_run_storage_new(Machine *machine);
/* Takes the time of accesses to files, one after the other, and then lets the rank go on, or end if it `exits`.
 * Takes the array. */
void mach_run_take_accesses(Machine *machine, uint32_t rank, GArray *accesses, bool exits);
/* Returns an observer of mpi/ that informs all observers of the machine. */
MpiObserver mach_run_mpi_observer(Machine *machine);
NetClient mach_run_net_client(Machine *machine);
VmHost mach_run_vm_host(Machine *machine);

/* -- what is told (findings.c) ----------------------------------------------------------------- */

/* The first notes what a rank that has ended left on its heap; the second reports that for all ranks. */
void mach_findings_note_leaks(Machine *machine, uint32_t rank);
void mach_findings_tell_leaks(Machine *machine);
/* Reports what the checks of MPI have found. To be called when a run has stopped for good. */
void mach_tell_findings(Machine *machine);
/* Reports a remark of the simulator to the user. */
G_GNUC_PRINTF(2, 3) void mach_run_note(Machine *machine, const char *format, ...);

#endif
