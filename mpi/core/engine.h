/* engine.h - what the files of MPI's engine share: the world, ranks, requests, messages and their pools.
 *
 *   program --MPI_Send--> VM request --> engine.c (MpiCall) --> point_to_point.c --> transfer.c --> env.transmit
 *                                  \--> plain_send.c, if nothing about it is unusual -------------/    |
 *                                                                                                    |
 *   env.wake <-- engine.c (settle) <-- transfer.c (handle) <-- matching.c <-- mpi_world_delivered <--+
 *
 * Who works when. Everything that costs a rank processor time is done on the time of an MpiCall of that rank: matching
 * is bookkeeping and happens at the instant of arrival, but copying data out, answering a rendezvous and starting its
 * data are *handled* either at once, if the rank is blocked in a call (then the call's `now` moves), or at the start of
 * the rank's next GLOBAL call: until then the message lies in the rank's inbox. That is progress `inline`.
 *
 * Memory. A rank that does nothing costs one MpiRank; messages, requests, calls and bins come from pools of the world
 * and go back there. Nothing here is O(ranks) per call.
 */
#ifndef ORRERY_MPI_ENGINE_H
#define ORRERY_MPI_ENGINE_H

#include "mpi/collective/schedule.h"
#include "mpi/core/internal.h"
#include "mpi/core/local.h"
#include "mpi/watch/findings.h"

#include <assert.h>

/* -- pools (pool.c) ---------------------------------------------------------------------------- */

typedef struct MpiPool {
    size_t size;
    void *free;              /* list through the first word */
    char *fresh, *fresh_end; /* of the last chunk: what has never been taken, and so takes no memory of the host */
    GPtrArray *chunks;
    uint32_t per_chunk; /* doubles up to a limit */
} MpiPool;
void mpi_pool_init(MpiPool *pool, size_t size);
void mpi_pool_clear(MpiPool *pool);
void *mpi_pool_take(MpiPool *pool); /* zeroed */
/* Every item ever taken, with what its owner last wrote beyond the first word. */
void mpi_pool_each(MpiPool *pool, void (*visit)(void *item, void *user), void *user);
void mpi_pool_give(MpiPool *pool, void *item);

/* Room for the payload of messages: blocks of powers of two, kept for the next of their size. */
enum { MPI_PAYLOAD_CLASSES = 8, MPI_PAYLOAD_LEAST = 128 };
typedef struct MpiPayloads {
    void *free[MPI_PAYLOAD_CLASSES]; /* lists through the first word; class i: MPI_PAYLOAD_LEAST << i bytes */
    uint32_t kept[MPI_PAYLOAD_CLASSES];
    uint64_t bytes; /* taken and not given back, as they were asked for */
} MpiPayloads;
void *mpi_payload_take(MpiPayloads *payloads, uint64_t bytes); /* not zeroed; g_free, or: */
void mpi_payload_give(MpiPayloads *payloads, void *payload, uint64_t bytes);
void mpi_payloads_clear(MpiPayloads *payloads);

/* -- matching (matching.c) --------------------------------------------------------------------- */

/* What a receive names and a message has. `space` is context << 1 | collective, so that collectives and user messages
 * of one communicator never meet. `source` is a rank of the communicator. */
typedef struct MpiKey {
    uint32_t space;
    int32_t source; /* or MPI_ANY_SOURCE_ */
    int32_t tag;    /* or MPI_ANY_TAG_ */
} MpiKey;

typedef struct MpiChoices MpiChoices; /* choices.h */
typedef struct MpiChooser MpiChooser;

typedef struct MpiBin MpiBin;
typedef struct MpiItem MpiItem;
typedef struct MpiItemLink {
    MpiBin *bin;
    MpiItem *previous, *next;
} MpiItemLink;

/* The ways to name a message: exact, any source, any tag, both. */
enum { MPI_KINDS = 4 };

/* A posted receive or an unexpected message in its queue. A receive lies in the one bin of its key; a message lies in
 * the bin of each kind of key that this rank has ever received with (most programs: one). */
struct MpiItem {
    MpiKey key;
    uint64_t order;           /* of posting, or of arrival */
    MpiItem *previous, *next; /* unexpected: all of them, in order of arrival */
    MpiItemLink exact;        /* receives, and messages by their own key */
    MpiItemLink *wild;        /* messages by keys with wildcards, by kind - 1: made when the first is needed */
};

typedef struct MpiIndex { /* hash of bins, grows from one chain */
    MpiBin **chains;
    MpiBin *first; /* the only chain while !chains */
    uint32_t mask, bins;
} MpiIndex;

typedef struct MpiMatcher {
    MpiItem *lone;            /* the only posted receive, which then lies in no bin; NULL: there are none or several */
    MpiItem *oldest, *newest; /* all unexpected */
    uint64_t order;
    uint32_t n_unexpected;
    uint32_t indexed;              /* bit set: kinds that unexpected messages are indexed by */
    uint32_t posted_of[MPI_KINDS]; /* how many posted receives are of each kind */
    MpiIndex posted, unexpected;
    MpiChooser *chooser; /* choices.h; NULL: a wildcard takes the message that came first */
} MpiMatcher;

/* `bins` is a pool of sizeof(MpiBin) = mpi_bin_size(). */
size_t mpi_bin_size(void);
void mpi_matcher_clear(MpiMatcher *matcher);
/* A message has arrived: takes the oldest posted receive that it matches out of the queue, or queues the message and
 * answers NULL. */
MpiItem *mpi_match_arrival(MpiMatcher *matcher, MpiPool *bins, MpiItem *message);
/* A receive is posted: takes the oldest matching message out of the queue, or queues the receive and answers NULL. */
MpiItem *mpi_match_post(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive);
/* The oldest matching unexpected message, left where it is; NULL: none. */
MpiItem *mpi_match_probe(MpiMatcher *matcher, MpiPool *bins, MpiKey key);
/* The oldest posted receive that a message of this key would match; NULL: none. */
MpiItem *mpi_match_posted(const MpiMatcher *matcher, MpiKey key);
/* Takes a queued receive / message out. */
void mpi_match_withdraw(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive);
void mpi_match_remove(MpiMatcher *matcher, MpiPool *bins, MpiItem *message);
/* Whether a message of key `message` may be received by a receive of key `receive`. */
bool mpi_key_accepts(MpiKey receive, MpiKey message);

/* -- messages and requests --------------------------------------------------------------------- */

typedef enum MpiPhase { /* what is on the wire; the low bits of a cookie */
                        MPI_PHASE_EAGER,
                        MPI_PHASE_RTS,
                        MPI_PHASE_CTS,
                        MPI_PHASE_DATA,
                        MPI_PHASE_NOTE, /* never on the wire: an MpiOperation in its rank's inbox */
} MpiPhase;

enum { MPI_INLINE_BYTES = 64 };

typedef struct MpiMessage MpiMessage;
struct MpiMessage {
    MpiItem item;        /* first: matching sees only this */
    uint32_t from, to;   /* world ranks */
    uint32_t pair_order; /* order among the envelopes between the two (transfer.c) */
    uint8_t refs;        /* reports of the network to come, plus one until it is consumed */
    uint8_t phase;       /* MpiPhase that arrived last */
    bool rendezvous, cancelled, collective;
    bool arrived;      /* its envelope has met the receiver's queue */
    bool queued;       /* unexpected */
    bool claimed;      /* by a matched probe */
    bool live;         /* in use, for the end of the world */
    bool multicast;    /* sent with others, which share `data` unless they are inline: behind a count of them */
    uint8_t primitive; /* 1 + MpiPrimitive of what is sent, where it is of one predefined type; else 0 */
    uint64_t id, bytes;
    uint64_t sent_ps;    /* its payload was handed to the network */
    uint32_t sent_pc;    /* the sender's place, for messages to people */
    MpiRequest *send;    /* sender's request, while it waits for this message; NULL */
    MpiRequest *receive; /* what it matched */
    MpiMessage *next;    /* inbox; early arrivals of a pair */
    uint8_t *data;       /* packed payload: `bytes_inline` or g_malloc; NULL before rendezvous data */
    uint8_t bytes_inline[MPI_INLINE_BYTES];
};

typedef enum MpiRequestSort {
    MPI_REQUEST_SEND,
    MPI_REQUEST_RECEIVE,
    MPI_REQUEST_COLLECTIVE,
    MPI_REQUEST_WHOLE,
    MPI_REQUEST_GENERAL
} MpiRequestSort;

typedef struct MpiPendingSet MpiPendingSet;
typedef struct MpiTask MpiTask;

/* A generalized request: functions of the program that are asked when it is complete (generalized.c). */
typedef struct MpiGeneral {
    uint64_t query, free, cancel, extra;
    uint64_t memory; /* of the status, while a function runs */
    MpiHandler then; /* what follows that function */
    bool queried;    /* the status is in the request */
    bool released;   /* the free function has been called */
} MpiGeneral;

/* A message that a matched probe has taken out of the queue, behind its handle. */
typedef struct MpiMatched {
    MpiMessage *message;
    MpiComm *comm; /* held */
} MpiMatched;
void mpi_matched_free(MpiMatched *matched);

struct MpiRequest {
    MpiItem item; /* first: matching sees only this (receives) */
    MpiRank *owner;
    MpiRequest *previous, *next; /* all requests of the owner, oldest first */
    MpiRequestSort sort;
    MpiSendMode mode;
    bool active; /* started and not yet seen complete by the program */
    bool complete;
    bool persistent, collective, cancelled;
    bool freed;       /* no handle and no waiter: goes away when complete */
    bool posted;      /* a receive in the matcher's queue */
    bool listed;      /* named by the array of requests that is being read */
    bool part;        /* of another request */
    bool started;     /* persistent: ever */
    bool seen;        /* MPI_Request_get_status has told the program that it is complete */
    bool overwritten; /* under MPI_CHECK_LEAKS: the variable with its handle has been given to another request */
    int error;        /* MPI error class of its end */
    MpiComm *comm;
    int peer, tag; /* as the program gave them */
    MpiBuffer buffer;
    uint64_t bytes;          /* of the buffer, packed */
    uint64_t attached;       /* bytes it holds of the buffer given by MPI_Buffer_attach */
    MpiMessage *message;     /* matched, or on its way by rendezvous */
    union {                  /* freed with g_free */
        uint8_t *packed;     /* buffered mode: the copy */
        char *reason;        /* receives: what is wrong, where there is more to say than `error` does; or NULL */
        MpiGeneral *general; /* MPI_REQUEST_GENERAL */
    };
    MpiStatus status;
    uint64_t arrived;      /* bytes of the message received, also where the buffer is shorter */
    MpiCall *waiter;       /* the call that waits for it */
    MpiSchedule *schedule; /* the collective that it is a step of */
    union {
        MpiRequest *whole;           /* of which it is a part, if `part` */
        MpiOperation *operation;     /* the one that it stands for: MPI_REQUEST_COLLECTIVE */
        MpiPartitioned *partitioned; /* MPI_REQUEST_WHOLE; NULL: an exchange */
    };
    MpiHandle handle;
    const char *made_by; /* "MPI_Irecv" */
    uint32_t made_pc;
    uint32_t parts; /* MPI_REQUEST_WHOLE: how many are open */
};

MpiRequest *mpi_request_new(MpiCall *call, MpiRequestSort sort, MpiSendMode mode, const MpiBuffer *buffer,
                            MpiComm *comm, int peer, int tag, bool collective);
/* It is active from now on: what its start begins with. */
void mpi_request_begin(MpiRequest *request);
/* Starts a new or inactive one. */
void mpi_request_start(MpiCall *call, MpiRequest *request);
/* Starts a new receive of a message that has been claimed. */
void mpi_request_start_claimed(MpiCall *call, MpiRequest *request, MpiMessage *message);
/* Gives it back; an active one is detached and goes away when complete. */
void mpi_request_release(MpiRequest *request);
/* Frees what it holds, without regard for its message (end of the world). */
void mpi_request_dispose(MpiRequest *request);
/* Marks complete and tells who waits. */
void mpi_request_complete(MpiRequest *request, int error);
/* Makes a new request a part of another; it is to be started and released. */
static inline void mpi_request_join(MpiRequest *request, MpiRequest *whole)
{
    request->whole = whole;
    request->part = true;
}
/* An active request that is complete when `parts` others are, which name it as their whole and are released when they
 * have been started; its status is that of the receive. */
MpiRequest *mpi_request_whole(MpiCall *call, MpiComm *comm, uint32_t parts);
/* What a pending request waits for: itself, or its first part that is open. */
const MpiRequest *mpi_request_awaited(const MpiRequest *request);
/* Whether it still has to complete. */
static inline bool mpi_request_pending(const MpiRequest *request)
{
    return request->active && !request->complete;
}

/* -- ranks and the world ----------------------------------------------------------------------- */

typedef struct MpiSlotValue {
    void *data;
    GDestroyNotify destroy;
} MpiSlotValue;

typedef struct MpiHandleEntry {
    void *object; /* NULL: free, `next` is the next free one */
    uint32_t kind;
    uint32_t next;
    uint32_t made_pc;   /* where the program got it, VCODE_NONE: not noted */
    uint16_t made_by;   /* row of functions.def */
    uint8_t generation; /* of the handle: a stale one is recognised */
} MpiHandleEntry;

typedef struct MpiHandleTable {
    MpiHandleEntry *entries;
    uint32_t count, capacity, free; /* free: index + 1 */
} MpiHandleTable;

typedef struct MpiLocalTime {
    uint64_t from_ps, to_ps;
    const char *name;
} MpiLocalTime;

/* The last send to MPI_PROC_NULL, or receive from it: it may explain what does not come. */
typedef struct MpiNullPeer {
    bool used;
    int tag;
    uint32_t context, pc;
} MpiNullPeer;

typedef enum MpiRankState { MPI_RANK_STARTED, MPI_RANK_ACTIVE, MPI_RANK_FINALIZED } MpiRankState;

struct MpiRank { /* first what every message touches */
    MpiWorld *world;
    VmRank *process; /* NULL before it is attached */
    uint32_t index;
    uint32_t idle_polls; /* how many of its last calls were polls that found nothing, with nothing new in between */
    MpiCall *call;       /* innermost */
    MpiRankState state;
    bool exited;
    bool probing; /* the blocked call waits for a message that probe_key accepts */
    MpiComm *world_comm;
    MpiRequest *requests, *requests_last;
    MpiMessage *inbox, *inbox_last; /* arrived and matched, to be handled at the next call */
    MpiMatcher matcher;
    MpiRankStats stats;
    MpiKey probe_key;
    int thread_level;
    MpiHandleTable handles;
    MpiComm *self_comm;
    uint64_t attached_address, attached_size, attached_used; /* MPI_Buffer_attach */
    MpiNullPeer null_send, null_receive;
    GArray *local_times; /* of MpiLocalTime: overhead of LOCAL calls that observers have not been told yet */
    MpiSlotValue slots[MPI_SLOT_COUNT];
};

/* Envelopes on their way between two ranks; kept only while there are any. */
typedef struct MpiPair {
    uint64_t key;           /* from << 32 | to, plus 1; 0: free */
    uint32_t sent, arrived; /* next numbers */
    MpiMessage *early;      /* arrived before its turn, by pair_order */
} MpiPair;

typedef struct MpiPairTable {
    MpiPair *pairs; /* open addressing */
    uint32_t mask, used;
} MpiPairTable;

typedef struct MpiBinding { /* a row of functions.def in one world; the `user` of its externs */
    MpiWorld *world;
    uint32_t function;
    uint32_t plain; /* the same, or what the _c form is a form of */
} MpiBinding;

typedef struct MpiPlace { /* a pc that is in the program itself, not in the library that it is linked to */
    const VmImage *image;
    uint32_t pc;
} MpiPlace;

enum { MPI_PLACES = 64 };

struct MpiWorld {
    uint32_t n_ranks;
    MpiParams params;
    MpiEnv env;
    MpiRank *ranks;
    MpiBinding *bindings;
    VmExtern *externs;
    size_t n_externs;
    MpiGroup *world_group;
    uint32_t next_context;
    GHashTable *contexts;  /* MpiContextKey -> context number; looked up, never iterated */
    GHashTable *births;    /* context -> how it was made; looked up, never iterated */
    GHashTable *splits;    /* MpiSplit: communicators being split; looked up, never iterated */
    GHashTable *graphs;    /* distributed graphs being made (dist_graphs.c); NULL before the first; never iterated */
    GHashTable *reordered; /* reorder.c; NULL before the first; never iterated */
    GPtrArray *partition_pairs; /* partitioned messages of which one side has come (partitioned.c); NULL: none */
    GPtrArray *gatherings;      /* communicators that a group makes (creation_group.c); NULL: none */
    MpiMeetings *meetings;      /* inter-communicators being made; NULL: none */
    GHashTable *doubtful; /* contexts on which a collective has been refused (turns.c); NULL: none; never iterated */
    GHashTable *ledger;   /* collectives begun by some members and not by all (ledger.c) */
    MpiThreadWatch **thread_watches; /* by rank (check_requests.c); NULL: nobody asks */
    GHashTable *sent;                /* what messages were sent as (check_signatures.c); NULL: none; never iterated */
    GHashTable *claims;      /* of collectives on their types (check_collective_types.c); NULL: none; never iterated */
    MpiPendingSet **pending; /* by rank: buffers that requests work on (pending.c); NULL: nobody asks */
    MpiFindings *findings;
    MpiChoices *choices;     /* choices.h; NULL: nobody asks */
    MpiRehearsal *rehearsal; /* check_buffering.c; NULL: nobody asks */
    MpiBacklogs *backlogs;   /* check_backlog.c; NULL: nobody asks */
    bool straight;           /* nobody looks on: plain messages may go the short way (plain_send.c) */
    uint64_t next_message;
    MpiPairTable in_flight;
    MpiPool messages, requests, calls, bins, schedules;
    uint64_t live_messages;
    MpiPayloads payloads;
    MpiPlace places[MPI_PLACES]; /* of GLOBAL calls, by pc modulo their number */
    int abort_code;
};

/* Whether a check is on. */
static inline bool mpi_check_is_on(const MpiWorld *world, MpiCheck check)
{
    return (world->params.checks & MPI_CHECK_BIT(check)) != 0;
}

static inline MpiRank *mpi_world_rank(const MpiWorld *world, uint32_t rank)
{
    assert(rank < world->n_ranks); /* on the way of every message, like others here that are no g_assert() */
    return &world->ranks[rank];
}

enum { /* rows of functions.def */
#define MPI_FUNCTION(name, sort, arguments, standard) MPI_FUNCTION_##name,
#include "mpi/functions.def"
       MPI_FUNCTIONS
};
typedef struct MpiFunction {
    MpiFunctionInfo info;
    unsigned arguments;
    MpiHandler handler;
} MpiFunction;
/* Row of functions.def. */
const MpiFunction *mpi_function(uint32_t function);

/* -- calls (engine.c) -------------------------------------------------------------------------- */

/* Where in the program the rank makes its GLOBAL call (mpi_program_pc(), remembered). */
uint32_t mpi_global_pc(MpiWorld *world, VmRank *process);
/* Bytes times femtoseconds per byte, in ps, rounded down; exact in 128 bits. */
uint64_t mpi_bytes_ps(uint64_t bytes, uint64_t byte_fs);
/* The rank was blocked until time_ps (nothing happens if it is already later). */
void mpi_call_advance(MpiCall *call, uint64_t time_ps);
/* The call of the rank on whose time an arrival can be handled at once, or NULL: the rank computes or is about to go
 * on. */
MpiCall *mpi_rank_receptive(MpiRank *rank);
/* After something was handled on a blocked call's time: goes on with its schedule, or wakes the rank if what it waits
 * for has come. */
void mpi_call_settle(MpiCall *call);
/* Answers BLOCK, or goes on at once if nothing is to wait for. */
MpiStep mpi_call_block(MpiCall *call, MpiHandler then);
/* Blocks until one of the n requests is complete; then `then` looks which. */
MpiStep mpi_call_wait_any(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then);

/* mpi_call_wrong() from outside the call's handler, when something arrives: the rank stops as soon as it can. */
void mpi_call_stop(MpiCall *call, MpiCheck check, const char *reason);
/* A poll found nothing: time must move, or a polling loop would never end. If calls cost nothing, a poll costs 1 ns. */
void mpi_call_poll_failed(MpiCall *call);
/* Something that is not of the rank's own doing is about to change what its polls may find. */
void mpi_rank_touch(MpiRank *rank);

/* mpi_lookup() of a communicator, which nearly always is MPI_COMM_WORLD. */
static inline MpiComm *mpi_lookup_comm(MpiRank *rank, MpiHandle handle)
{
    if (G_LIKELY(handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX) && rank->world_comm))
        return rank->world_comm;
    return mpi_lookup(rank, MPI_KIND_COMM, handle);
}

/* -- transfer.c -------------------------------------------------------------------------------- */

/* Starts the active request on the wire (sends) or in the queue (receives); peer is not MPI_PROC_NULL. */
void mpi_transfer_send(MpiCall *call, MpiRequest *request);
void mpi_transfer_receive(MpiCall *call, MpiRequest *request);
/* Takes a message out of the queue of its receiver for a receive to come; then receives it. */
void mpi_transfer_claim(MpiCall *call, MpiMessage *message);
void mpi_transfer_receive_claimed(MpiCall *call, MpiRequest *request, MpiMessage *message);
/* Sends a message that is short enough to need nothing more of its sender (eager), without a request. False, and
 * nothing has happened: it is not, or has no receiver. *error: as of a request that has come to its end. */
bool mpi_transfer_send_at_once(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int to, int tag, bool collective,
                               int *error);
/* One message to all others of the communicator, of the buffer's bytes in the simulator's own memory. `request`: all of
 * them have a place for it, and the request is complete when the last byte has left; NULL: like an eager one. */
void mpi_transfer_multicast(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int tag, MpiRequest *request);
/* Copies a buffer's data out, packed; false: its memory is gone. */
bool mpi_buffer_load(const MpiBuffer *buffer, uint64_t bytes, void *out);
/* Handles what has arrived since the last call. */
void mpi_progress(MpiCall *call);
/* Leaves something for the rank's next call. */
void mpi_inbox_put(MpiRank *rank, MpiMessage *message);
/* A receive of the rank that had others wait for it does so no longer (match_forced.c). */
void mpi_transfer_release(MpiRank *rank, uint64_t time_ps);
/* Cancels a pending request if it is not too late. */
void mpi_transfer_cancel(MpiRequest *request);
/* Frees the payload of whatever is still under way. */
void mpi_messages_clear(MpiWorld *world);

/* Makes a message of the rank to `to` of the communicator, without its data and one reference; counts it as sent. */
MpiMessage *mpi_message_new(MpiRank *rank, const MpiComm *comm, int to, int tag, bool collective, uint64_t bytes,
                            uint32_t pc);
/* o of a message with so many bytes of payload. */
uint64_t mpi_overhead_pieces_ps(const MpiOverhead *overhead, uint64_t bytes);
static inline uint64_t mpi_overhead_ps(const MpiOverhead *overhead, uint64_t bytes)
{
    return G_LIKELY(!overhead->n) ? overhead->ps : mpi_overhead_pieces_ps(overhead, bytes);
}

/* -- plain_send.c -------------------------------------------------------------------------------- */

/* Sets world->straight; after anything has changed about who looks on. */
void mpi_straight_decide(MpiWorld *world);
/* Does the rank's request, an MPI_Send, if it is plain. False: nothing has happened. */
bool mpi_straight_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps);

/* -- message_order.c: MPI's order of messages over a network that may have another --------------------- */

/* The number of the next envelope from one rank to another. */
uint32_t mpi_pair_send(MpiPairTable *table, uint32_t from, uint32_t to);
/* An envelope has arrived: answers the list (through `next`) of those whose turn it is now; NULL if it came early. */
MpiMessage *mpi_pair_arrive(MpiPairTable *table, MpiMessage *message);
void mpi_pairs_clear(MpiPairTable *table);

/* -- buffered.c -------------------------------------------------------------------------------- */

/* Takes bytes + MPI_BSEND_OVERHEAD from the attached buffer. */
bool mpi_attached_take(MpiRank *rank, uint64_t bytes, uint64_t *taken);
void mpi_attached_give(MpiRank *rank, uint64_t taken);
/* Starts a buffered send: the request is complete at once, a request of the library carries the copy. */
void mpi_buffered_start(MpiCall *call, MpiRequest *request);

/* -- operations.c ------------------------------------------------------------------------------ */

/* Starts the collective of an inactive request, at the call's time. */
void mpi_operation_start(MpiCall *call, MpiRequest *request);
/* After something was handled on its agent's time: goes on as far as possible. */
void mpi_operation_settle(MpiCall *agent);
/* What lay in the inbox for this call. */
void mpi_operation_note(MpiCall *call, MpiMessage *note);
/* Runs the functions that call->upcalls need, then `after`; a call that was interrupted while blocked blocks again if
 * what it waits for has not come. */
MpiStep mpi_operations_run(MpiCall *call, MpiHandler after);
/* The call ends: they wait for the next one. */
void mpi_operations_postpone(MpiCall *call);
/* NULL: not started. */
const MpiSchedule *mpi_operation_schedule(const MpiOperation *operation);
const MpiTask *mpi_operation_task(const MpiOperation *operation);
void mpi_operation_free(MpiOperation *operation);

/* -- partitioned.c ----------------------------------------------------------------------------- */

void mpi_partitioned_start(MpiCall *call, MpiRequest *whole);
/* One of its messages is complete. */
void mpi_partition_complete(MpiRequest *whole, const MpiRequest *message);
/* Of the receiving side. */
bool mpi_partitioned_receives(const MpiPartitioned *part);
/* Why a partitioned message is not complete, as a sentence; false: nothing is to be said. */
bool mpi_partitioned_cause(const MpiRequest *whole, GString *out);
void mpi_partitioned_free(MpiPartitioned *part);
void mpi_partition_pairs_free(GPtrArray *pairs);

/* -- requests.c -------------------------------------------------------------------------------- */

/* Writes a status unless it is MPI_STATUS_IGNORE. `set_error`: also its MPI_ERROR (calls that complete several). */
bool mpi_status_write(MpiCall *call, uint64_t address, const MpiStatus *status, bool set_error);
static inline MpiStatus mpi_status_empty(void)
{
    return (MpiStatus){.source = MPI_ANY_SOURCE_, .tag = MPI_ANY_TAG_};
}
/* Gives a new request its handle and stores that in the program's variable. */
MpiStep mpi_request_publish(MpiCall *call, MpiRequest *request, uint64_t address);
/* Stores a handle or int in the program's memory. */
bool mpi_store_handle(MpiCall *call, uint64_t address, MpiHandle handle);
bool mpi_store_int(MpiCall *call, uint64_t address, int value);
/* Raises the error that a request ended with, or ends the call in success. */
MpiStep mpi_call_request_error(MpiCall *call, const MpiRequest *request);
/* The same for an error that is there, raised as this class. */
MpiStep mpi_request_raise(MpiCall *call, const MpiRequest *request, int error_class);
/* Raises the error of a buffer whose memory is gone. */
MpiStep mpi_call_buffer_error(MpiCall *call, MpiComm *comm, int error_class);

/* -- probe.c ----------------------------------------------------------------------------------- */

/* Source, tag and communicator in arguments 1 to 3, as the key of a message. */
bool mpi_probe_parse(MpiCall *call, MpiComm **comm, MpiKey *key, MpiStep *step);
/* Whether there is a message; fills the status. MPI_PROC_NULL always has an empty one, without a message (MPI-3.1
 * section 3.11). */
bool mpi_probe_find(MpiCall *call, MpiKey key, MpiMessage **message, MpiStatus *status);
/* Where choices are noted or forced: starts a probe with rank->probe_key; does a poll of this key, of which `found`
 * does what follows a message (false: it is none). */
void mpi_probe_choose(MpiCall *call, const MpiComm *comm, bool poll, int64_t *forced);
bool mpi_probe_polled(MpiCall *call, const MpiComm *comm, MpiKey key, MpiHandler found, MpiStep *step);

/* -- generalized.c ----------------------------------------------------------------------------- */

/* Asks the query function of a complete general request for its status and, if it is to go, calls its free function;
 * what they answer is the request's error. Goes on at `then`. */
MpiStep mpi_general_ask(MpiCall *call, MpiRequest *request, bool release, MpiHandler then);
/* Calls the cancel function. */
MpiStep mpi_general_cancel(MpiCall *call, MpiRequest *request);
/* MPI_Request_free: calls the free function now, or leaves that to MPI_Grequest_complete. */
MpiStep mpi_general_free(MpiCall *call, MpiRequest *request);

/* -- call_checks.c ---------------------------------------------------------------------------------- */

/* Whether the function may be called in this state of the rank (before MPI_Init, after MPI_Finalize). */
bool mpi_check_state(MpiCall *call, MpiStep *step);
/* Rank and tag of a send (`receive`: wildcards are allowed). */
bool mpi_check_peer(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *peer, MpiStep *step);
bool mpi_check_tag(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *tag, MpiStep *step);
/* A wildcard in an argument: whether a hint of the communicator has promised that there is none (check_hints.c). */
bool mpi_check_promise(MpiCall *call, const MpiComm *comm, unsigned arg, const char *hint, const char *wildcard,
                       MpiStep *step);
bool mpi_check_root(MpiCall *call, MpiComm *comm, unsigned arg, int *root, MpiStep *step);
/* `type` NULL: there is nothing to combine. */
bool mpi_check_op(MpiCall *call, MpiComm *comm, unsigned arg, const MpiType *type, MpiOp **op, MpiStep *step);
/* Nearly all buffers: int counts of a predefined type without gaps. Answers only where nothing is wrong with it. */
static inline bool mpi_buffer_is_plain(MpiCall *call, unsigned arg, bool writable, MpiBuffer *buffer)
{
    uint64_t primitive = call->args[arg + 2] - MPI_HANDLE(MPI_KIND_TYPE, 1), address = call->args[arg];
    int count = mpi_int(call, arg + 1);
    if (primitive >= MPI_PRIMITIVE_COUNT || count < 0 || call->large || call->world->pending ||
        vm_rank_is_watched(call->process))
        return false;
    MpiType *type = mpi_type_predefined((MpiPrimitive)primitive);
    uint64_t bytes = (uint64_t)(unsigned)count * type->size;
    buffer->process = call->process;
    buffer->address = address;
    buffer->host = NULL;
    buffer->type = type;
    buffer->count = (uint64_t)(unsigned)count;
    return type->contiguous &&
           (writable ? vm_rank_write(call->process, address, bytes) : vm_rank_read(call->process, address, bytes));
}
/* Buffer, count and type in consecutive arguments: fills a buffer whose memory is there. */
bool mpi_check_buffer(MpiCall *call, MpiComm *comm, unsigned arg, bool writable, MpiBuffer *buffer, MpiStep *step);
/* The same for a message to come, of which only the first item must be there: it may be shorter. */
bool mpi_check_receive(MpiCall *call, MpiComm *comm, unsigned arg, MpiBuffer *buffer, MpiStep *step);
/* Under --check (check_memory.c): whether they lie in the object that the argument points into, false after a fault;
 * and notes what of them was never set. */
bool mpi_check_extent(MpiCall *call, unsigned arg, uint64_t address, const MpiType *type, uint64_t count,
                      bool writable);
/* The same without a fault, for messages that may be shorter; and when one comes. */
bool mpi_check_fits(MpiCall *call, unsigned arg, uint64_t address, const MpiType *type, uint64_t count);
bool mpi_check_arrival(const MpiBuffer *buffer, uint64_t bytes);
void mpi_check_defined(MpiCall *call, unsigned arg, uint64_t address, const MpiType *type, uint64_t count);
/* What a persistent send gives away, when it is started. */
void mpi_check_started(MpiCall *call, const MpiRequest *request);
/* count items of the type at the address are in memory. */
bool mpi_check_memory(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t address, MpiType *type, uint64_t count,
                      bool writable, MpiStep *step);
/* `bytes` of memory for a result; the address is argument `arg`. */
static inline bool mpi_check_result(MpiCall *call, unsigned arg, uint64_t bytes, MpiStep *step)
{
    void *host;
    return mpi_check_output(call, NULL, arg, bytes, &host, step);
}

/* -- turns.c ----------------------------------------------------------------------------------- */

/* The number of the next call of the call's function on the communicator: the same for all members, another one than
 * that of any other call on it. Tags of messages, and tables of what members have said, go by it. */
uint64_t mpi_comm_turn(const MpiCall *call, const MpiComm *comm);
/* The same; the call after it has the next number. */
uint64_t mpi_comm_take_turn(const MpiCall *call, MpiComm *comm);
bool mpi_comm_is_doubtful(const MpiWorld *world, uint32_t context);
/* Fills in `plain`. */
void mpi_turns_name(MpiBinding *bindings, uint32_t n);

/* -- ledger.c, ledger.h ------------------------------------------------------------------------ */

/* Enters a collective in the ledger and compares it with what other members called as the same operation. */
bool mpi_check_collective(MpiCall *call, MpiComm *comm, int root, MpiStep *step);
/* One collective call on one communicator, the same for all members: first in what tables of such calls hold. */
typedef struct MpiOccasion {
    uint32_t context;
    uint64_t sequence;
} MpiOccasion;
guint mpi_occasion_hash(gconstpointer key);
gboolean mpi_occasion_equal(gconstpointer a, gconstpointer b);
GHashTable *mpi_ledger_new(void);
/* The run has come to its end: collectives that some members never called. */
void mpi_check_incomplete(MpiWorld *world);

/* -- deadlock.c -------------------------------------------------------------------------------- */

/* The rank's view of the communicator with this context, or NULL. */
const MpiComm *mpi_find_comm(const MpiRank *rank, uint32_t context);

/* -- leftovers.c ------------------------------------------------------------------------------- */

/* What a rank that has ended leaves behind. */
void mpi_check_leftovers(MpiRank *rank, uint64_t time_ps);
/* The run has come to its end: messages that did not come to theirs, receives that none came for. */
void mpi_check_lost(MpiWorld *world);

/* -- check_signatures.c ------------------------------------------------------------------------ */

/* The byte of a message that tells the type of what is sent. */
static inline uint8_t mpi_signature_byte(const MpiBuffer *buffer)
{
    return buffer->type && buffer->type->predefined ? (uint8_t)buffer->type->handle : 0;
}
/* Remember, and forget, what a message is sent as. */
void mpi_signature_note(MpiCall *call, const MpiMessage *message, const MpiBuffer *buffer);
void mpi_signature_forget(MpiWorld *world, const MpiMessage *message);
/* A message has come for a receive: stops the rank where the types do not match. */
void mpi_signature_compare(MpiCall *call, const MpiMessage *message, const MpiRequest *request);
/* Whether the first `bytes` bytes of items of the two types have the same signature. */
bool mpi_signatures_match(const MpiType *a, const MpiType *b, uint64_t bytes);
/* Whether numbers of one predefined type, taken for those of the other, are other numbers. */
bool mpi_types_garble(const MpiType *sent, const MpiType *received);
/* "; element 3 is MPI_INT on one side and MPI_FLOAT on the other" */
void mpi_append_difference(GString *out, const MpiType *a, const MpiType *b, uint64_t bytes);
/* "12 MPI_INT"; `process` is the one that the type belongs to. */
void mpi_append_items(GString *out, const MpiType *type, uint64_t count, VmRank *process);
/* "MPI_Send at a.c:12"; name NULL: the function that is called there. */
void mpi_append_call_at(GString *out, VmRank *process, const char *name, uint32_t pc);
/* Why a message does not fit, with both sides. */
char *mpi_truncation_text(const MpiWorld *world, const MpiMessage *message, const MpiRequest *request);

/* -- check_overlap.c --------------------------------------------------------------------------- */

/* A buffer for data to come must not have a byte twice. */
bool mpi_check_twice(MpiCall *call, const char *what, const MpiBuffer *buffer, MpiStep *step);
/* Data are taken from the one and brought to the other at the same time. */
bool mpi_check_apart(MpiCall *call, const MpiBuffer *send, const MpiBuffer *receive, MpiStep *step);

/* -- pending.c: what --check=pending and --check=overlap know of buffers; nothing where neither is on -- */

/* A request that has been started works on the buffer; `written`: it brings data. `partition`: or -1. */
void mpi_pending_add(MpiCall *call, const MpiRequest *request, const MpiBuffer *buffer, bool written, int partition);
void mpi_pending_add_task(MpiCall *call, const MpiRequest *request, const MpiTask *task);
/* The program has seen that it does not any more; -1: nor on any other. */
void mpi_pending_drop(const MpiRequest *request, int partition);
/* Whether a buffer that a call names is free. `what`: how the error begins. */
bool mpi_pending_check(MpiCall *call, const char *what, const MpiBuffer *buffer, bool written, MpiStep *step);
/* The same of those of a persistent request that is about to be started. */
bool mpi_pending_check_start(MpiCall *call, const MpiRequest *request, MpiStep *step);
void mpi_pending_free(MpiPendingSet *pending);

/* -- check_requests.c -------------------------------------------------------------------------- */

/* The program frees it. */
void mpi_check_freed(MpiCall *call, const MpiRequest *request);
/* MPI_Init_thread provides less than it was asked for, and stores that at the address. */
void mpi_threads_watch(MpiCall *call, uint64_t address, const char *asked, const char *provided);
void mpi_threads_asked(const MpiRank *rank); /* ... by MPI_Query_thread */
void mpi_check_threads(MpiRank *rank, uint64_t time_ps);
void mpi_threads_forget(MpiWorld *world, uint32_t rank);

/* -- check_buffering.c ------------------------------------------------------------------------- */

MpiRehearsal *mpi_rehearsal_new(MpiWorld *world);
void mpi_rehearsal_free(MpiRehearsal *rehearsal);
/* Notes what would have waited for ever. `finished`: the run has come to its end. */
void mpi_rehearsal_end(MpiWorld *world, bool finished);
/* For a world that has a rehearsal. A send begins: with a request, or one that the rank's next wait waits for. */
void mpi_rehearse_send(MpiCall *call, const MpiMessage *message, const MpiRequest *request);
void mpi_rehearse_receive(MpiCall *call, const MpiRequest *request);
void mpi_rehearse_match(MpiWorld *world, const MpiRequest *receive, const MpiMessage *message);
/* The call waits for all of the requests (NULL: none), or for one of them. */
void mpi_rehearse_wait(MpiCall *call, MpiRequest *const *requests, unsigned n, bool any);
/* The call has waited for the message, and goes on. */
void mpi_rehearse_probe(MpiCall *call, const MpiMessage *message);
void mpi_rehearse_cancel(MpiWorld *world, const MpiRequest *request);
/* A collective in the background begins and ends. */
void mpi_rehearse_begin(MpiCall *call, MpiCall *agent, const MpiRequest *request);
void mpi_rehearse_finish(MpiCall *agent, const MpiRequest *request);
/* The message or request is gone. */
void mpi_rehearse_forget(MpiWorld *world, const void *item);

/* -- check_backlog.c: for a world that has backlogs -------------------------------------------- */

MpiBacklogs *mpi_backlogs_new(uint32_t ranks);
void mpi_backlogs_free(MpiBacklogs *backlogs, uint32_t ranks);
/* A message has come; `waits`: for its receive. */
void mpi_backlog_arrive(MpiWorld *world, const MpiMessage *message, bool waits);
/* One that has waited is taken. */
void mpi_backlog_take(MpiWorld *world, const MpiMessage *message);
void mpi_backlogs_tell(MpiWorld *world);

/* -- communicators.c --------------------------------------------------------------------------- */

MpiComm *mpi_rank_self_comm(MpiRank *rank);
GHashTable *mpi_contexts_new(void);
GHashTable *mpi_splits_new(void);
GHashTable *mpi_births_new(void);
void mpi_meetings_free(MpiMeetings *meetings);
/* Drops what the handle table holds. */
void mpi_handles_clear(MpiRank *rank);

/* -- describe.c -------------------------------------------------------------------------------- */

/* communicators.c: "MPI_COMM_WORLD", the name that the program gave, or "the communicator that MPI_Comm_split made at
 * x.c:12". */
void mpi_append_comm(GString *out, const MpiComm *comm);
/* The same of a context, whose communicator the rank may have freed. */
void mpi_append_context(GString *out, const MpiRank *rank, uint32_t context);
/* "has ended", "have called MPI_Finalize": what one or many ranks have done that are gone. */
void mpi_append_gone(GString *out, const MpiRank *rank, bool many);
void mpi_append_request(GString *out, const MpiRequest *request);
void mpi_append_call(GString *out, const MpiCall *call);

#endif
