/* run.h - a machine that runs: what the files of this room share.
 *
 *   build.c            makes and frees a Machine; programs.c starts its ranks
 *   scheduler.c        the event loop, where all order comes from
 *   advance.c          one rank up to its next call; stop.c: the end of a run, and its pauses
 *   connections.c      what the machine does for mpi/ and netsim/; host.c: for vm/
 *   workers.c          ranks between communications on several host threads
 *   tiers.c            when native code is made
 *   budget.c           how much memory a run may have
 *   polling.c          loops that poll in vain
 *   node_channels.c    messages between ranks of one node
 *   caches.c noise.c   which caches a rank has, what the operating system takes from it
 *   output.c           standard output and error in virtual-time order
 *   report.c           answers questions
 *   explain.c          what to tell the user about a stop
 *   findings.c         what the checks of MPI have found
 *   leaks.c            what ranks under --check did not free
 *   rank_groups.c      ranks of which the same can be said
 *   notes.c            how all of that is told
 */
#ifndef ORRERY_MACHINE_RUN_RUN_H
#define ORRERY_MACHINE_RUN_RUN_H

#include "base/queue.h"
#include "machine/machine.h"
#include "machine/map/map.h"
#include "machine/run/node_channels.h"
#include "machine/run/output.h"

#include <stdatomic.h>

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
    uint64_t resumed_calls;       /* and calls of MPI, of which the same holds */
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
    uint64_t events;         /* taken so far, for people to see */
    atomic_uint asked;       /* of the loop by others: bits MACH_ASKED_... */
};

enum { MACH_ASKED_TO_PAUSE = 1, MACH_ASKED_FOR_PROGRESS = 2, MACH_ASKED_FOR_MEMORY = 4 };
/* Or to end. */
static inline bool mach_run_asked_to_pause(const Machine *machine)
{
    return atomic_load(&machine->asked) & (MACH_ASKED_TO_PAUSE | MACH_ASKED_FOR_MEMORY);
}

/* Puts an event that is not of a rank's own run into the queue. */
static inline void mach_run_queue_event(Machine *machine, uint64_t time_ps, MachEventKind kind, uint32_t rank,
                                        uint64_t a, uint64_t b)
{
    machine->under_way++;
    base_queue_push(machine->queue, time_ps, kind, rank, a, b);
}
/* Puts a rank that can run into the queue. */
void mach_run_make_ready(Machine *machine, uint32_t rank);
/* Ends the output after MPI_Abort, with what others were about to say (explain.c). */
void mach_run_hear_out(Machine *machine);
/* The loop has come to this time. */
static inline void mach_run_reach(Machine *machine, uint64_t time_ps)
{
    if (time_ps <= machine->now)
        return;
    mach_output_flush(machine->output, time_ps);
    machine->now = time_ps;
    machine->turn = 0;
}
/* No rank needs to run beyond this time. */
static inline uint64_t mach_run_limit_ps(const Machine *machine)
{
    return machine->options.max_time_ps ? machine->options.max_time_ps : UINT64_MAX;
}
/* Ends the run, for this reason, which lies with that rank. */
void mach_run_stop(Machine *machine, MachStop reason, uint32_t rank);
/* Leaves mach_run() for now: it can be called again. */
void mach_run_pause(Machine *machine, MachStop reason, uint32_t rank);

/* -- building (programs.c) --------------------------------------------------------------------- */

/* What nodes of each type are like. */
bool mach_run_build_models(Machine *machine, GError **error);
void mach_run_free_models(Machine *machine);
/* Makes images of each program and starts its ranks. Modules are taken in any case. */
bool mach_run_start_programs(Machine *machine, MachProgram *programs, size_t n_programs, GError **error);

/* -- what others ask for, and tell (connections.c, host.c) ------------------------------------- */

void mach_run_tell_activity(void *machine, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                            const char *call);
MpiEnv mach_run_mpi_env(Machine *machine);
/* Who tells all observers of the machine. */
MpiObserver mach_run_mpi_observer(Machine *machine);
NetClient mach_run_net_client(Machine *machine);
VmHost mach_run_vm_host(Machine *machine);

/* -- what is told (notes.c, findings.c, leaks.c) ----------------------------------------------- */

/* Notes what the rank, which has ended, left on its heap; tells it of all ranks. */
void mach_note_leaks(Machine *machine, uint32_t rank);
void mach_tell_leaks(Machine *machine);
/* Tells what the checks of MPI have found, of a run that has stopped for good. */
void mach_tell_findings(Machine *machine);
G_GNUC_PRINTF(2, 3) void mach_run_note(Machine *machine, const char *format, ...);
/* The same of what a check has found. */
G_GNUC_PRINTF(2, 3) void mach_run_tell_finding(Machine *machine, const char *format, ...);

#endif
