/* world.h - all MPI state of one simulation, and how a message goes through it. mpi_world.h describes it from outside.
 *
 *   program --MPI_Send--> VM request --> world.c (MpiCall) --> point_to_point.c --> transfer.c --> env.transmit
 *                                  \--> plain_send.c, if nothing about it is unusual -----------/    |
 *                                                                                                  |
 *   env.wake <-- call_waits.c (settle) <-- transfer.c (handle) <-- match.c <-- mpi_world_delivered <-+
 *
 * Processor time. Everything that costs a rank processor time is done on the time of an MpiCall of that rank. Matching
 * is bookkeeping and happens at the instant of arrival. Copying data out, answering a rendezvous and starting its data
 * are *handled*. If the rank is blocked in a call, that happens at once, and the call's `now` moves. Otherwise the
 * message lies in the rank's inbox until the start of its next GLOBAL call. This is progress `inline`.
 *
 * Memory. Messages, requests, calls and bins come from pools of the world and are returned to them. No call costs
 * O(ranks).
 */
#ifndef ORRERY_MPI_WORLD_PRIVATE_H
#define ORRERY_MPI_WORLD_PRIVATE_H

#include "mpi/core/function.h"
#include "mpi/core/hook_rows.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"

#include <assert.h>

typedef struct MpiFindings MpiFindings; /* the findings of checks (findings.h) */
typedef struct MpiPart MpiPart;         /* a feature that watches (hooks.h) */
typedef void (*MpiHook)(void);          /* a callback of any row of hooks.def */

/* The envelopes on their way between two ranks. An entry exists only while there are any (message_order.c). */
typedef struct MpiPair {
    uint64_t key;           /* from << 32 | to, plus 1; 0: the entry is free */
    uint32_t sent, arrived; /* number of the next envelope to send, and to arrive */
    MpiMessage *early;      /* envelopes that arrived before their turn, sorted by pair_order */
} MpiPair;

struct MpiPairTable {
    MpiPair *pairs;      /* hash table with open addressing */
    uint32_t mask, used; /* size - 1; number of entries in use */
};

struct MpiBinding { /* a row of functions.def in one world; the `user` pointer of its externs */
    MpiWorld *world;
    uint32_t function;
    uint32_t plain; /* the row without the suffix _c; the same row if it has none */
    uint32_t meets; /* the row under which collective calls are counted (turns.c) */
};

typedef struct MpiPlace { /* cache entry: a pc in the program itself, not in the library that it is linked to */
    const VmImage *image;
    uint32_t pc;
} MpiPlace;

enum { MPI_PLACES = 64 };

/* The functions of upper rooms that lower rooms call. A background collective is a request of p2p/, and a waiting call
 * may wait for a collective. world.c fills this in, with the same values for all worlds. */
typedef struct MpiUpper {
    /* Goes on with call->collective.schedule as far as possible. Returns true if the call is to be woken. */
    bool (*schedule_advance)(MpiCall *call);
    /* Starts the collective of an inactive request, at the call's time. */
    void (*operation_start)(MpiCall *call, MpiRequest *request);
    /* Frees the collective behind a request. */
    void (*operation_free)(MpiOperation *operation);
    /* A message was handled on the time of an operation's agent. */
    void (*operation_settle)(MpiCall *agent);
    /* Passes on a note that lay in the inbox of this call. */
    void (*operation_note)(MpiCall *call, MpiMessage *note);
    /* An operation whose rank has to go on with it waits for the rank's next call. */
    void (*operation_keep)(MpiCall *agent);
    /* The functions of exchanges (exchange.h in collective/). Sends what exchanges of the rank's node still have to
     * send, since another message of that node comes next. */
    void (*exchange_hurry)(MpiWorld *world, const MpiRank *rank);
    /* An alarm that an exchange asked for. */
    void (*exchange_alarm)(MpiWorld *world, uint64_t cookie);
    /* Stores the data of the message of this source, and returns how many bytes there was room for. *error is set to
     * MPI_ERR_BUFFER if the memory is gone. */
    uint64_t (*exchange_store)(MpiMany *many, uint32_t source, const uint8_t *data, uint64_t bytes, int *error);
    /* Makes a request for the message of this source. */
    MpiRequest *(*exchange_request)(MpiMany *many, uint32_t source);
    /* An alarm that a revocation asked for (failure/). */
    void (*failure_alarm)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    /* Returns the part of the collective that the message path sees. */
    MpiScheduleHead *(*exchange_head)(const MpiMany *many);
    /* The functions of one-sided communication (rma/). A transfer with the bit MPI_COOKIE_REMOTE has left its sender,
     * has arrived, or is now handled by a communication thread. */
    void (*remote_sent)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    void (*remote_delivered)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    void (*remote_alarm)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    /* Handles the transfers that a note in the inbox of this call stands for. */
    void (*remote_note)(MpiCall *call, MpiMessage *note);
    /* The functions of protocols (protocol/), called only where world->protocols. A message begins; an arrived phase of
     * one is handled on the call's time; a receive has been posted that no message waits for. */
    void (*protocol_send)(MpiCall *call, MpiRequest *request, MpiMessage *message);
    void (*protocol_handle)(MpiCall *call, MpiMessage *message);
    void (*protocol_posted)(MpiCall *call, MpiRequest *receive);
    /* Whether no message is on its way for a posted receive, or a send has not been promised a receive. */
    bool (*protocol_may_cancel)(const MpiRequest *request);
    /* Whether the message of a send waits for room. */
    bool (*protocol_is_held)(const MpiRequest *send);
    /* A phase of a message has arrived, and with it perhaps credits. */
    void (*protocol_brought)(MpiWorld *world, MpiMessage *message, uint64_t time_ps);
    /* The envelope of a message reaches its receiver in its turn, after processes have failed. Cancels it if its
     * communicator has been revoked there. */
    void (*protocol_arrives)(MpiWorld *world, MpiMessage *message);
    /* What is stored of a message will not be received, as its operation has ended. */
    void (*protocol_lost)(MpiWorld *world, MpiMessage *message, uint64_t time_ps);
    /* The failure of a process is known, and operations have ended; a communicator has been revoked at a rank. */
    void (*protocol_failed)(MpiWorld *world, uint32_t failed, uint64_t time_ps);
    void (*protocol_revoked)(MpiRank *rank, uint32_t context, uint64_t time_ps);
    /* A packet has arrived, has left, or its time has come. */
    void (*protocol_delivered)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    void (*protocol_sent)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    void (*protocol_alarm)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    /* MpiEnv.begin_work() has a core. */
    uint64_t (*protocol_work)(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
    /* A phase of a message has arrived that a communication thread or a network interface handles. `found`: its receive
     * has found it in the queue. */
    void (*protocol_hand_over)(MpiRank *rank, MpiProgress by, MpiMessage *message, bool found, uint64_t time_ps);
    /* Handles the packets that a note in the inbox of this call stands for. */
    void (*protocol_note)(MpiCall *call);
    /* Appends lines about the buffers that blocked sends wait for room in. Returns false if there are none. */
    bool (*protocol_explain)(MpiWorld *world, GString *out);
    /* Appends why a send waits, in parentheses. */
    void (*protocol_describe)(const MpiRequest *send, GString *out);
    /* What MPI_Init does in a process that others have started: hears from them, then goes on at `then`. */
    MpiStep (*process_begin)(MpiCall *call, MpiHandler then);
    /* What MPI_Finalize does at last: waits for connected processes, then goes on at `then`. */
    MpiStep (*process_end)(MpiCall *call, MpiHandler then);
    /* A rank has a communicator from now on, or has given it up in this call. Told only where processes have come. */
    void (*comm_made)(const MpiComm *comm);
    void (*comm_left)(const MpiCall *call, const MpiComm *comm);
} MpiUpper;

struct MpiWorld {
    uint32_t n_ranks; /* ranks that there are, with those that came during the run */
    uint32_t n_first; /* ranks that the run began with */
    uint32_t room;    /* most ranks that there can be: tables by rank have so many rows */
    MpiParams params;
    MpiEnv env;
    const MpiUpper *upper;
    const MpiHandler *handlers; /* handlers by row of functions.def */
    const MpiKind *kinds;       /* by MpiHandleKind */
    MpiRank *ranks;
    MpiBinding *bindings; /* by row of functions.def */
    VmExtern *externs;    /* the result of mpi_world_externs() */
    size_t n_externs;
    MpiGroup *world_group;
    uint32_t next_context; /* next unused context number */
    MpiFindings *findings;
    const MpiPart *const *parts;              /* NULL-terminated */
    uint64_t listening[MPI_HOOK_WORDS];       /* the rows of hooks.def that have a listener, as bits (hook_rows.h) */
    uint64_t general[MPI_HOOK_WORDS];         /* the same, of listeners that do not allow short ways */
    uint8_t closed;                           /* the short ways that these close: bits of MpiWay (hooks.h) */
    uint8_t heard;                            /* the same, of all listeners */
    bool protocols;                           /* messages go by protocols other than the usual one (protocol/) */
    uint64_t next_message;                    /* id of the next message */
    MpiProgress progress[MPI_PROGRESS_SORTS]; /* who handles what; never automatic (p2p/progress.c) */
    bool watches_queues;                      /* ranks have an MpiQueueWatch */
    bool detailed;          /* messages are more than what short ways and exchanges do: those are closed */
    uint32_t exchanges;     /* number of exchanges that have not sent all their messages */
    MpiPairTable in_flight; /* envelopes on their way */
    MpiPool messages, requests, calls, bins, schedules, receives;
    uint64_t live_messages; /* number of messages that exist */
    uint32_t failures;      /* number of processes whose failure is known */
    MpiPayloads payloads;
    MpiPlace places[MPI_PLACES]; /* cache for the locations of GLOBAL calls, by pc modulo MPI_PLACES */
    int abort_code;              /* error code of MPI_Abort */
    MpiSlotValue *slots;         /* by MpiSlot (slots.h) */
    MpiHook **listeners;         /* by row of hooks.def: NULL-terminated and in order; NULL: no listener */
};

/* Returns whether a check is on. */
static inline bool mpi_check_is_on(const MpiWorld *world, MpiCheck check)
{
    return (world->params.checks & MPI_CHECK_BIT(check)) != 0;
}

/* Whether processes have come during the run. */
static inline bool mpi_world_has_grown(const MpiWorld *world)
{
    return world->n_ranks > world->n_first;
}

static inline MpiRank *mpi_world_rank(const MpiWorld *world, uint32_t rank)
{
    assert(rank < world->n_ranks); /* every message comes here, so this check (like some others) is an assert() and not
                                    * a g_assert() */
    return &world->ranks[rank];
}

/* Returns the time that a copy of so many bytes takes which a GLOBAL call begins in_ps from now. To be asked once for
 * each copy: the node's memory is taken for it. */
static inline uint64_t mpi_call_copying_ps(const MpiCall *call, uint64_t in_ps, uint64_t bytes)
{
    const MpiEnv *env = &call->world->env;
    uint64_t copy_ps = mpi_call_bytes_ps(bytes, call->world->params.copy_byte_fs), from_ps = call->now + in_ps;
    if (G_LIKELY(!env->copy) || !bytes || call->engine.prepaid)
        return copy_ps;
    return env->copy(env->user, call->rank->index, bytes, from_ps, copy_ps) - from_ps;
}

/* Fills in a zeroed call of row `function` of functions.def, made at now_ps with the arguments `args`. */
static inline void mpi_call_init(MpiCall *call, MpiRank *rank, uint32_t function, uint64_t *args, unsigned n,
                                 uint64_t now_ps, uint32_t pc)
{
    call->world = rank->world;
    call->rank = rank;
    call->process = rank->process;
    call->args = args;
    call->n = n;
    call->function = function;
    call->name = mpi_function(function)->info.name;
    call->entered_ps = call->now = now_ps;
    call->pc = pc;
    call->thread = rank->thread;
    call->task = rank->task;
}

#endif
