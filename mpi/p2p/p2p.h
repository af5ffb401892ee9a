/* p2p.h - messages from rank to rank, and requests, which stand for operations that go on. */
#ifndef ORRERY_MPI_P2P_H
#define ORRERY_MPI_P2P_H

#include "mpi/core/call.h"
#include "mpi/core/matcher.h"
#include "mpi/core/pool.h"
#include "mpi/type/type.h"

/* -- matching (match.c) --------------------------------------------------------------------- */

/* `bins` is a pool of sizeof(MpiBin) = mpi_match_bin_size(). */
size_t mpi_match_bin_size(void);
void mpi_match_clear(MpiMatcher *matcher);
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
bool mpi_match_accepts(MpiKey receive, MpiKey message);

/* -- messages and requests --------------------------------------------------------------------- */

typedef enum MpiPhase { /* what is on the wire; the low bits of a cookie */
                        MPI_PHASE_EAGER,
                        MPI_PHASE_RTS,
                        MPI_PHASE_CTS,
                        MPI_PHASE_DATA,
                        MPI_PHASE_NOTE, /* never on the wire: an MpiOperation in its rank's inbox */
} MpiPhase;

/* Whether it brings the data. */
static inline bool mpi_phase_has_payload(MpiPhase phase)
{
    return phase == MPI_PHASE_EAGER || phase == MPI_PHASE_DATA;
}

enum { MPI_INLINE_BYTES = 64 };

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

typedef enum MpiSendMode { MPI_MODE_STANDARD, MPI_MODE_SYNCHRONOUS, MPI_MODE_BUFFERED, MPI_MODE_READY } MpiSendMode;

typedef enum MpiRequestSort {
    MPI_REQUEST_SEND,
    MPI_REQUEST_RECEIVE,
    MPI_REQUEST_COLLECTIVE,
    MPI_REQUEST_WHOLE,
    MPI_REQUEST_GENERAL
} MpiRequestSort;

/* A generalized request: functions of the program that are asked when it is complete (general_requests.c). */
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

/* What the message path knows of a collective that runs: first in an MpiSchedule. */
typedef struct MpiScheduleHead {
    MpiCall *agent; /* on whose time it goes on in the background, or NULL */
    uint32_t open;  /* messages of the round that are not complete */
    int error;
} MpiScheduleHead;
static inline MpiScheduleHead *mpi_schedule_head(MpiSchedule *schedule)
{
    return (MpiScheduleHead *)(void *)schedule;
}

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

/* Starts an operation; the request belongs to the caller (one reference). `collective` selects the separate tag space.
 */
MpiRequest *mpi_p2p_start_send(MpiCall *call, MpiSendMode mode, const MpiBuffer *buffer, MpiComm *comm, int to, int tag,
                               bool collective);
MpiRequest *mpi_p2p_start_recv(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int from, int tag,
                               bool collective);

/* Blocks until all `n` requests are complete, then calls `then`. */
MpiStep mpi_call_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then);

/* -- waiting (call_waits.c) ----------------------------------------------------------------------- */

/* After something was handled on a blocked call's time: goes on with its schedule, or wakes the rank if what it waits
 * for has come. */
void mpi_call_settle(MpiCall *call);

/* Blocks until one of the n requests is complete; then `then` looks which. */
MpiStep mpi_call_wait_any(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then);

/* -- transfers (transfer.c) -------------------------------------------------------------------- */

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
bool mpi_transfer_load(const MpiBuffer *buffer, uint64_t bytes, void *out);
/* Handles what has arrived since the last call. */
void mpi_transfer_progress(MpiCall *call);
/* Leaves something for the rank's next call. */
void mpi_transfer_inbox_put(MpiRank *rank, MpiMessage *message);
/* A receive of the rank that had others wait for it does so no longer (match_forced.c). */
void mpi_transfer_release(MpiRank *rank, uint64_t time_ps);
/* Cancels a pending request if it is not too late. */
void mpi_transfer_cancel(MpiRequest *request);
/* Frees the payload of whatever is still under way. */
void mpi_transfer_clear(MpiWorld *world);

/* Makes a message of the rank to `to` of the communicator, without its data and one reference; counts it as sent. */
MpiMessage *mpi_transfer_message_new(MpiRank *rank, const MpiComm *comm, int to, int tag, bool collective,
                                     uint64_t bytes, uint32_t pc);
/* o of a message with so many bytes of payload. */
uint64_t mpi_transfer_overhead_pieces_ps(const MpiOverhead *overhead, uint64_t bytes);
static inline uint64_t mpi_transfer_overhead_ps(const MpiOverhead *overhead, uint64_t bytes)
{
    return G_LIKELY(!overhead->n) ? overhead->ps : mpi_transfer_overhead_pieces_ps(overhead, bytes);
}

/* -- plain sends (plain_send.c) ---------------------------------------------------------------- */

/* Does the rank's request, an MPI_Send, if it is plain. False: nothing has happened. */
bool mpi_plain_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps);

/* -- MPI's order of messages over a network that may have another (message_order.c) ------------ */

/* The number of the next envelope from one rank to another. */
uint32_t mpi_order_send(MpiPairTable *table, uint32_t from, uint32_t to);
/* An envelope has arrived: answers the list (through `next`) of those whose turn it is now; NULL if it came early. */
MpiMessage *mpi_order_arrive(MpiPairTable *table, MpiMessage *message);
void mpi_order_clear(MpiPairTable *table);

/* -- buffered sends (buffered.c) --------------------------------------------------------------- */

/* Takes bytes + MPI_BSEND_OVERHEAD from the attached buffer. */
bool mpi_buffered_take(MpiRank *rank, uint64_t bytes, uint64_t *taken);
void mpi_buffered_give(MpiRank *rank, uint64_t taken);
/* Starts a buffered send: the request is complete at once, a request of the library carries the copy. */
void mpi_buffered_start(MpiCall *call, MpiRequest *request);

/* -- partitioned messages (partitioned.c) ------------------------------------------------------ */

/* What one side of a partitioned message means by it. */
struct MpiSide {
    uint32_t rank, pc;
    bool receives;
    const MpiType *type;
    uint64_t items;
};

void mpi_partitioned_start(MpiCall *call, MpiRequest *whole);
/* One of its messages is complete. */
void mpi_partitioned_complete(MpiRequest *whole, const MpiRequest *message);
/* Of the receiving side. */
bool mpi_partitioned_receives(const MpiPartitioned *part);
/* Why a partitioned message is not complete, as a sentence; false: nothing is to be said. */
bool mpi_partitioned_cause(const MpiRequest *whole, GString *out);
void mpi_partitioned_free(MpiPartitioned *part);

/* -- requests (requests.c) --------------------------------------------------------------------- */

/* Writes a status unless it is MPI_STATUS_IGNORE. `set_error`: also its MPI_ERROR (calls that complete several). */
bool mpi_status_write(MpiCall *call, uint64_t address, const MpiStatus *status, bool set_error);
static inline MpiStatus mpi_status_empty(void)
{
    return (MpiStatus){.source = MPI_ANY_SOURCE_, .tag = MPI_ANY_TAG_};
}

/* Gives a new request its handle and stores that in the program's variable. */
MpiStep mpi_request_publish(MpiCall *call, MpiRequest *request, uint64_t address);

/* Raises the error that a request ended with, or ends the call in success. */
MpiStep mpi_call_request_error(MpiCall *call, const MpiRequest *request);
/* The same for an error that is there, raised as this class. */
MpiStep mpi_request_raise(MpiCall *call, const MpiRequest *request, int error_class);
/* Raises the error of a buffer whose memory is gone. */
MpiStep mpi_request_buffer_error(MpiCall *call, MpiComm *comm, int error_class);

/* -- probes (probe.c) -------------------------------------------------------------------------- */

/* Source, tag and communicator in arguments 1 to 3, as the key of a message. */
bool mpi_probe_parse(MpiCall *call, MpiComm **comm, MpiKey *key, MpiStep *step);
/* Whether there is a message; fills the status. MPI_PROC_NULL always has an empty one, without a message (MPI-3.1
 * section 3.11). */
bool mpi_probe_find(MpiCall *call, MpiKey key, MpiMessage **message, MpiStatus *status);
/* Starts a probe with rank->probe_key, which may become that of one source: answers what it is forced to. */
int64_t mpi_probe_choose(MpiCall *call, const MpiComm *comm, bool poll);
/* Where polls may be forced: does one of this key, of which `found` does what follows a message (false: it is none). */
bool mpi_probe_polled(MpiCall *call, const MpiComm *comm, MpiKey key, MpiHandler found, MpiStep *step);

/* -- generalized requests (general_requests.c) ------------------------------------------------------ */

/* Asks the query function of a complete general request for its status and, if it is to go, calls its free function;
 * what they answer is the request's error. Goes on at `then`. */
MpiStep mpi_general_ask(MpiCall *call, MpiRequest *request, bool release, MpiHandler then);
/* Calls the cancel function. */
MpiStep mpi_general_cancel(MpiCall *call, MpiRequest *request);
/* MPI_Request_free: calls the free function now, or leaves that to MPI_Grequest_complete. */
MpiStep mpi_general_free(MpiCall *call, MpiRequest *request);

#endif
