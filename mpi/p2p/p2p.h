/* p2p.h - messages between ranks, and requests, which stand for operations in progress. */
#ifndef ORRERY_MPI_P2P_H
#define ORRERY_MPI_P2P_H

#include "mpi/core/call.h"
#include "mpi/core/matcher.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/type/type.h"

/* -- matching (match.c) --------------------------------------------------------------------- */

/* `bins` is always a pool of items of mpi_match_bin_size() bytes. */
size_t mpi_match_bin_size(void);
void mpi_match_clear(MpiMatcher *matcher);
/* A message has arrived. Takes the oldest posted receive that it matches out of the queue and returns it. If there is
 * none, queues the message and returns NULL. */
MpiItem *mpi_match_arrival(MpiMatcher *matcher, MpiPool *bins, MpiItem *message);
/* Posts a receive of many messages. None of these is among the unexpected ones. mpi_match_arrival() returns its item
 * for each of them; with the last one it leaves the queue. */
void mpi_match_post_many(MpiMatcher *matcher, MpiPool *bins, MpiMany *many);
/* A receive is posted. Takes the oldest message that it matches out of the queue and returns it. If there is none,
 * queues the receive and returns NULL. */
MpiItem *mpi_match_post(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive);
/* Returns the oldest matching unexpected message and leaves it in the queue; NULL: none. */
MpiItem *mpi_match_probe(MpiMatcher *matcher, MpiPool *bins, MpiKey key);
/* Returns the oldest posted receive that a message of this key would match; NULL: none. */
MpiItem *mpi_match_posted(const MpiMatcher *matcher, MpiKey key);
/* Takes a receive or a message out of its queue. */
void mpi_match_withdraw(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive);
void mpi_match_remove(MpiMatcher *matcher, MpiPool *bins, MpiItem *message);
/* Whether a receive with key `receive` may take a message with key `message`. */
bool mpi_match_accepts(MpiKey receive, MpiKey message);

/* -- what searches look at (queues.c) -------------------------------------------------------------- */

/* Something has joined a queue, or has left it. */
void mpi_queue_add(MpiQueueWatch *watch, MpiQueue queue, const MpiItem *item);
void mpi_queue_take(MpiQueueWatch *watch, MpiQueue queue, const MpiItem *item);
/* A queue is searched, and that is found there (NULL: nothing). Returns the number of elements that are looked at. */
uint32_t mpi_queue_search(MpiQueueWatch *watch, MpiQueue queue, const MpiItem *found);
void mpi_queue_watch_free(MpiQueueWatch *watch);
/* The call has looked at so many elements. */
void mpi_queue_pay(MpiCall *call, uint32_t elements);
/* A message has come, and the last search was for it, in vain. */
void mpi_queue_pay_arrival(MpiRank *rank, uint64_t time_ps);
/* Pays in the rank's next call for what arrived before it. */
void mpi_queue_pay_debt(MpiCall *call);

/* -- messages and requests --------------------------------------------------------------------- */

typedef enum MpiPhase { /* the phase of a message on the wire, in the low bits of a cookie */
                        MPI_PHASE_EAGER,
                        MPI_PHASE_RTS,
                        MPI_PHASE_CTS,
                        MPI_PHASE_DATA,
                        MPI_PHASE_NOTE,    /* never on the wire: an MpiOperation in its rank's inbox, which needs a call
                                            * of the rank */
                        MPI_PHASE_REMOTES, /* never on the wire: accesses to windows that wait for a call of the rank */
                        MPI_PHASE_SEARCHES, /* never on the wire: searches that a call of the rank has to pay for */
                        MPI_PHASE_PACKETS,  /* never on the wire: packets of protocols that do so (protocol/) */
} MpiPhase;

/* Whether the phase carries the data. */
static inline bool mpi_phase_has_payload(MpiPhase phase)
{
    return phase == MPI_PHASE_EAGER || phase == MPI_PHASE_DATA;
}

enum { MPI_INLINE_BYTES = 64 };

typedef struct MpiLoan {         /* a payload that has not been copied yet (loans.c) */
    uint64_t address;            /* in the lender's memory */
    MpiMessage *previous, *next; /* the other loans of the lender */
    VmContent *content;          /* what the payload is known to be. Then it is none of the lender's loans, as it does
                                  * not change. NULL: the bytes in the lender's memory */
} MpiLoan;

/* What features that watch keep of a message or a request: a pointer each, so that they need not look it up. A feature
 * drops it when it is told that the object is dropped or gone. */
typedef enum MpiMessageNote {
    MPI_MESSAGE_NOTE_SENT,
    MPI_MESSAGE_NOTE_REHEARSAL,
    MPI_MESSAGE_NOTE_WAITS,
    MPI_MESSAGE_NOTE_FLIGHT, /* protocol/ */
    MPI_MESSAGE_NOTES
} MpiMessageNote;
typedef enum MpiRequestNote {
    MPI_REQUEST_NOTE_REHEARSAL,
    MPI_REQUEST_NOTE_POST, /* protocol/ */
    MPI_REQUEST_NOTES
} MpiRequestNote;

/* A message from its send until it is consumed. */
struct MpiMessage {
    MpiItem item;        /* first member; the matcher sees only this */
    uint32_t from, to;   /* world ranks */
    uint32_t pair_order; /* number of the envelope among those from `from` to `to` (message_order.c) */
    uint8_t refs;        /* one for each expected report of the network, and one until the message is consumed */
    uint8_t phase;       /* the MpiPhase that arrived last */
    bool rendezvous, cancelled, collective;
    bool arrived;      /* its envelope has reached the receiver's queue */
    bool queued;       /* it lies in the queue of unexpected messages */
    bool claimed;      /* a matched probe has taken it */
    bool live;         /* the item of the pool is in use; needed when the world is freed */
    bool plain;        /* it went the short way of sends */
    bool unrecorded;   /* observers are not told of it: its sender's recording had ended (MPI_Pcontrol) */
    bool from_daemon;  /* a daemon of the receiver's node brings it, not the network interface (protocol/) */
    uint8_t damage;    /* a step of a collective: error class of what it passes on, which is not whole; else 0 */
    bool multicast;    /* one of several messages of a multicast. If `data` is not inline, they share it, and a
                        * reference count precedes it */
    uint8_t primitive; /* 1 + MpiPrimitive if the sent data have a predefined type, else 0 */
    uint64_t id, bytes;
    uint64_t piece;      /* bytes that come with the envelope, if that is not all of them; else 0 */
    uint64_t sent_ps;    /* time at which its payload was handed to the network */
    uint32_t sent_pc;    /* location of the send in the program, for messages to the user */
    MpiRequest *send;    /* the sender's request, while it waits for this message; else NULL */
    MpiRequest *receive; /* the receive that it matches; NULL: none yet */
    MpiMessage *next;    /* next in the inbox, or in the list of early arrivals of a pair */
    uint8_t *data;       /* packed payload: `bytes_inline`, or allocated with g_malloc(); NULL before the data of a
                          * rendezvous, and while they are lent */
    MpiRank *lender;     /* the sender, if the payload is still in its buffer (loans.c); else NULL */
    void *notes[MPI_MESSAGE_NOTES];
    union {
        uint8_t bytes_inline[MPI_INLINE_BYTES];
        MpiLoan loan; /* if there is a lender */
    };
};

typedef enum MpiSendMode { MPI_MODE_STANDARD, MPI_MODE_SYNCHRONOUS, MPI_MODE_BUFFERED, MPI_MODE_READY } MpiSendMode;

typedef enum MpiRequestSort {
    MPI_REQUEST_SEND,
    MPI_REQUEST_RECEIVE,
    MPI_REQUEST_COLLECTIVE,
    MPI_REQUEST_WHOLE,     /* several messages: an exchange or a partitioned message */
    MPI_REQUEST_GENERAL,   /* generalized request */
    MPI_REQUEST_REMOTE,    /* an access to a window */
    MPI_REQUEST_AGENT,     /* an access to a file: an operation of an agent */
    MPI_REQUEST_AGREEMENT, /* an agreement of those who have not failed (failure/) */
    MPI_REQUEST_ANCHOR     /* keeps an agent, which may go on when the program has its result; the program never sees or
                            * awaits it */
} MpiRequestSort;

/* A generalized request. Functions of the program are called when it is complete (general_requests.c). */
typedef struct MpiGeneral {
    uint64_t query, free, cancel, extra; /* code addresses of the callbacks; their extra state */
    uint64_t memory;                     /* address of the status while a function runs */
    MpiHandler then;                     /* handler that follows that function */
    bool queried;                        /* the query function has filled in the request's status */
    bool released;                       /* the free function has been called */
} MpiGeneral;

/* The object behind a message handle: a message that a matched probe has taken out of the queue. */
typedef struct MpiMatched {
    MpiMessage *message;
    MpiComm *comm; /* referenced */
} MpiMatched;
void mpi_matched_free(MpiMatched *matched);

/* The part of a running collective that the message path sees. It is the first member of MpiSchedule. */
struct MpiScheduleHead {
    MpiCall *agent; /* the call on whose time it runs in the background; NULL: it runs in the rank's own call */
    uint32_t open;  /* number of messages of the round that are not complete */
    int error;
    uint8_t damage; /* data have come that are not whole, and its messages pass them on: the error class; else 0 */
    bool exact;     /* a message that is shorter than expected is an error */
    bool vital;     /* those who survive a failure agree: it goes on though its communicator has been revoked */
};
static inline MpiScheduleHead *mpi_schedule_head(MpiSchedule *schedule)
{
    return (MpiScheduleHead *)(void *)schedule;
}

/* A nonblocking operation, or the internal part of a blocking one. */
struct MpiRequest {
    MpiItem item; /* first member; the matcher sees only this (receives) */
    MpiRank *owner;
    MpiRequest *previous, *next; /* all requests of the owner, oldest first */
    MpiRequestSort sort;
    MpiSendMode mode;
    bool active; /* started and not yet seen complete by the program */
    bool complete;
    bool persistent, collective, cancelled;
    bool freed;       /* without handle and waiter; freed when it is complete */
    bool posted;      /* it is a receive in the matcher's queue */
    bool listed;      /* the array of requests that is being read has named it */
    bool part;        /* it is a part of another request, `whole` */
    bool lasts;       /* the program has it: it outlasts the failure of a process that might have sent its message */
    bool started;     /* persistent requests: it has been started at least once */
    bool seen;        /* MPI_Request_get_status has told the program that it is complete */
    bool overwritten; /* under MPI_CHECK_LEAKS: another request has been stored in the variable of its handle */
    int error;        /* MPI error class of the completed operation */
    MpiComm *comm;
    int peer, tag; /* as the program gave them */
    MpiBuffer buffer;
    uint64_t bytes;           /* packed size of the buffer */
    uint64_t attached;        /* bytes that it occupies in an attached buffer */
    MpiAttached *attached_to; /* that buffer; or the one that an iflush request waits for */
    uint64_t attached_number; /* of the message in that buffer; or of the last one that such a request waits for */
    MpiMessage *message;      /* the message that it has matched, or that is on its way by rendezvous */
    union {                   /* both pointers are freed with g_free() */
        uint8_t *packed;      /* buffered mode: the copy of the data */
        char *reason;         /* receives: an explanation if there is more to say than `error` does; else NULL */
        MpiGeneral *general;  /* for MPI_REQUEST_GENERAL */
    };
    MpiStatus status;
    uint64_t arrived;      /* size of the received message, which may be more than the buffer holds */
    MpiCall *waiter;       /* the call that waits for the request, or NULL */
    MpiCall *claim;        /* of a rank with threads: the call that has waited for it since it began, or NULL */
    MpiSchedule *schedule; /* the collective that the request is a step of, or NULL */
    union {
        MpiRequest *whole;           /* if `part`: the request that it is a part of */
        MpiOperation *operation;     /* for MPI_REQUEST_COLLECTIVE: the operation behind it */
        MpiPartitioned *partitioned; /* for MPI_REQUEST_WHOLE; NULL: an exchange (MPI_Isendrecv) */
        MpiCall *agent;              /* for MPI_REQUEST_AGENT and _ANCHOR: its agent, whose state goes with the request;
                                      * for MPI_REQUEST_AGREEMENT: an agent that has an anchor */
    };
    MpiHandle handle;
    const char *made_by; /* "MPI_Irecv" */
    uint32_t made_pc;    /* location of that call */
    uint32_t parts;      /* MPI_REQUEST_WHOLE: number of parts that are not complete */
    uint32_t searched;   /* receives: elements that were looked at when it was posted or met its message (queues.c) */
    void *notes[MPI_REQUEST_NOTES];
};

MpiRequest *mpi_request_new(MpiCall *call, MpiRequestSort sort, MpiSendMode mode, const MpiBuffer *buffer,
                            MpiComm *comm, int peer, int tag, bool collective);
/* The same for a call that has no MpiCall. */
MpiRequest *mpi_request_make(MpiRank *rank, const MpiMaker *maker, MpiRequestSort sort, MpiSendMode mode,
                             const MpiBuffer *buffer, MpiComm *comm, int peer, int tag);
/* Makes the request active, the first step of its start. */
void mpi_request_begin(MpiRequest *request);
/* Starts a new or inactive request. */
void mpi_request_start(MpiCall *call, MpiRequest *request);
/* Starts a new receive of a message that a matched probe has claimed. */
void mpi_request_start_claimed(MpiCall *call, MpiRequest *request, MpiMessage *message);
/* Whether a request that was found complete goes on all the same: a process has failed that might have sent the message
 * of a receive from any source (failure/). It is started again by the next call that names it. */
static inline bool mpi_request_is_pending_still(const MpiRequest *request)
{
    return request->complete && request->error == MPI_ERR_PROC_FAILED_PENDING && !request->persistent;
}
/* Releases a request. An active one is detached, and freed when it is complete. */
void mpi_request_release(MpiRequest *request);
/* Frees a request and what it owns, regardless of its message (at the end of the world). */
void mpi_request_dispose(MpiRequest *request);
/* Marks the request complete and informs the waiting call. */
void mpi_request_complete(MpiRequest *request, int error);
/* Takes a pending message's request apart from its message, which is lost, and completes it with an error. */
void mpi_request_fail(MpiRequest *request, int error);
/* Makes a new request a part of `whole`. The caller then starts it and releases it. */
static inline void mpi_request_join(MpiRequest *request, MpiRequest *whole)
{
    request->whole = whole;
    request->part = true;
}
/* Makes an active request that is complete when `parts` other requests are. These join it with mpi_request_join(), and
 * are released when they have been started. Its status is that of the receive. */
MpiRequest *mpi_request_whole(MpiCall *call, MpiComm *comm, uint32_t parts);
/* Returns what a pending request waits for: itself, or its first part that is not complete. */
const MpiRequest *mpi_request_awaited(const MpiRequest *request);
/* Whether the request is active and not complete. */
static inline bool mpi_request_pending(const MpiRequest *request)
{
    return request->active && !request->complete;
}

/* Start an operation. The caller owns the request (one reference). `collective` selects the separate tag space. */
MpiRequest *mpi_p2p_start_send(MpiCall *call, MpiSendMode mode, const MpiBuffer *buffer, MpiComm *comm, int to, int tag,
                               bool collective);
MpiRequest *mpi_p2p_start_recv(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int from, int tag,
                               bool collective);

/* Blocks until all `n` requests are complete, then goes on at `then`. */
MpiStep mpi_call_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then);

/* -- waiting (call_waits.c) ----------------------------------------------------------------------- */

/* Called after something was handled on a blocked call's time. Goes on with the call's schedule, or wakes the rank if
 * what it waits for has come. */
void mpi_call_settle(MpiCall *call);

/* Blocks until one of the n requests is complete, then goes on at `then`, which finds out which. */
MpiStep mpi_call_wait_any(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then);

/* -- transfers (transfer.c) -------------------------------------------------------------------- */

/* Start an active request: a send on the wire, a receive in the queue. The peer must not be MPI_PROC_NULL. */
void mpi_transfer_send(MpiCall *call, MpiRequest *request);
void mpi_transfer_receive(MpiCall *call, MpiRequest *request);
/* Takes a message out of the queue of its receiver, for a later receive. */
void mpi_transfer_claim(MpiCall *call, MpiMessage *message);
/* Receives a message that mpi_transfer_claim() has taken. */
void mpi_transfer_receive_claimed(MpiCall *call, MpiRequest *request, MpiMessage *message);
/* Sends a message without a request if it is short enough to be eager. Otherwise, or if there is no receiver, returns
 * false and does nothing. *error is the error class that a request would have ended with. */
bool mpi_transfer_send_at_once(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int to, int tag, bool collective,
                               int *error);
/* Sends an eager message of a collective whose cost and number are known: it was charged and counted before. `time_ps`
 * is when the network gets it. */
void mpi_transfer_send_counted(MpiRank *rank, const MpiBuffer *buffer, const MpiComm *comm, uint32_t to, int tag,
                               uint32_t pc, uint64_t id, uint64_t time_ps);
/* Handles a message for a receive of many, on the call's time. The receive no longer awaits it. */
void mpi_transfer_take(MpiCall *call, MpiMany *many, MpiMessage *message);
/* Sends one message to all other members of the communicator, from the simulator's own memory. If `request` is given,
 * all members are ready to receive, and the request is complete when the last byte has left. If it is NULL, the
 * message is like an eager one. */
void mpi_multicast_send(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int tag, MpiRequest *request);
/* A message of a multicast no longer needs their payload (multicast.c). */
void mpi_multicast_payload_unref(const MpiMessage *message);
/* Packs a buffer's data into `out`. Returns false if its memory is gone. */
bool mpi_transfer_load(const MpiBuffer *buffer, uint64_t bytes, void *out);
/* Does what the phase of the message requires that has arrived, on the call's time. */
void mpi_transfer_handle(MpiCall *call, MpiMessage *message);
/* Handles the messages that have arrived since the rank's last call. */
void mpi_transfer_progress(MpiCall *call);
/* Puts a message or note into the inbox, for the rank's next call. */
void mpi_transfer_inbox_put(MpiRank *rank, MpiMessage *message);
/* A receive of the rank no longer makes other receives wait (match_forced.c); continues those. */
void mpi_transfer_release(MpiRank *rank, uint64_t time_ps);
/* The same in a call of the rank. */
void mpi_transfer_release_in(MpiCall *call);
/* Cancels a pending request if it is not too late (cancelling.c). */
void mpi_p2p_cancel(MpiRequest *request);

/* The steps of a transfer, for protocols (protocol/). */
/* Sends a message whose protocol has nothing to say: eagerly, or by rendezvous. */
void mpi_transfer_send_plainly(MpiCall *call, MpiRequest *request, MpiMessage *message);
/* Handles an arrived phase of such a message. */
void mpi_transfer_handle_plainly(MpiCall *call, MpiMessage *message);
/* Returns the processor time of that, without what the answer costs. */
uint64_t mpi_transfer_handling_ps(const MpiCall *call, const MpiMessage *message);
/* Hands a phase with `payload` bytes of data to the network, as the call pays for it. `awaited`: mpi_world_sent()
 * completes the send. */
void mpi_transfer_hand_over(MpiCall *call, MpiMessage *message, MpiPhase phase, uint64_t payload, uint64_t copying_ps,
                            bool awaited);
/* Captures the payload. Returns false if its memory is gone. */
bool mpi_transfer_capture(MpiMessage *message, const MpiBuffer *buffer);
/* Copies the data of a message into the buffer of its receive and completes that. The message loses its reference. */
void mpi_transfer_deliver(MpiCall *call, MpiMessage *message);
/* The sender's buffer is free: completes its request, at time_ps. */
void mpi_transfer_sent(MpiMessage *message, uint64_t time_ps);
/* Whether the elements of the buffer lie side by side, so that they need no copy. */
static inline bool mpi_transfer_is_flat(const MpiBuffer *buffer)
{
    return !buffer->type || buffer->type->contiguous || !buffer->process;
}
/* Before a rank hands something to the network, exchanges of its node must have sent what comes before that. */
static inline void mpi_transfer_hurry(MpiWorld *world, const MpiRank *rank)
{
    if (G_UNLIKELY(world->exchanges))
        world->upper->exchange_hurry(world, rank);
}
/* A message has been received: gives up the reference of its receiver. */
void mpi_transfer_drop(MpiWorld *world, MpiMessage *message);
/* Frees the payload of all messages that still exist. */
void mpi_transfer_clear(MpiWorld *world);

/* Makes a message from the rank to rank `to` of the communicator, and counts it as sent. It has no data yet and one
 * reference. */
MpiMessage *mpi_transfer_message_new(MpiRank *rank, const MpiComm *comm, int to, int tag, bool collective,
                                     uint64_t bytes, uint32_t pc);
/* Returns the overhead o of a message with so many bytes of payload, in ps. */
uint64_t mpi_transfer_overhead_pieces_ps(const MpiOverhead *overhead, uint64_t bytes);
static inline uint64_t mpi_transfer_overhead_ps(const MpiOverhead *overhead, uint64_t bytes)
{
    return G_LIKELY(!overhead->n) ? overhead->ps : mpi_transfer_overhead_pieces_ps(overhead, bytes);
}

/* -- progress (progress.c) ---------------------------------------------------------------------- */

/* A flag in the cookie of an alarm: the rest is the address of a message that a thread or a network interface has
 * worked on. */
#define MPI_PROGRESS_ALARM (UINT64_C(1) << 60)

/* Lets the communication thread of the rank, or its network interface, work on something that comes at time_ps, for
 * work_ps, behind what it has to do before. Returns the time at which that is done. */
uint64_t mpi_progress_serve(MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps);
/* As mpi_progress_serve(). An alarm with the cookie says when it is done. */
void mpi_progress_ask(MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps, uint64_t cookie);
/* The call tells its network interface of a transfer to a rank. */
void mpi_progress_ring(MpiCall *call, uint32_t to);
/* What arrives interrupts a call that waits. */
void mpi_progress_interrupt(MpiCall *call, const MpiMessage *message, uint64_t time_ps);
/* Returns the time of the interrupt that something which comes at time_ps is for a processor that waits since then;
 * `other` is the rank that it comes from. */
uint64_t mpi_progress_interrupt_ps(const MpiRank *rank, uint32_t other, uint64_t since_ps, uint64_t time_ps);
/* Hands over a message of which a phase has arrived and whose request is known. `found`: its receive has found it in
 * the queue. mpi_progress_done() follows. */
void mpi_progress_hand_over(MpiRank *rank, MpiProgress by, MpiMessage *message, bool found, uint64_t time_ps);
/* The alarm of such a message: it is handled. */
void mpi_progress_done(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* A message is handled at time_ps, whose `request` is that of the rank: data are put into its buffer, at once or in its
 * next call. */
void mpi_progress_take(MpiRank *rank, const MpiRequest *request, MpiMessage *message, uint64_t time_ps);
/* Returns the agent on whose time the thread or the network interface of the rank works, on something that has come at
 * time_ps and that takes `work_ps` besides what the agent is charged with. */
MpiCall *mpi_progress_begin(MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps);
/* The agent has done that. */
void mpi_progress_end(MpiCall *worker, MpiProgress by);
/* Returns the time at which the thread or the network interface of the rank has done all that it has got so far. */
uint64_t mpi_progress_free_ps(const MpiRank *rank, MpiProgress by);
/* Returns how long a network interface handles an arrived phase of a message: matching, and copies. */
uint64_t mpi_progress_offload_ps(MpiRank *rank, const MpiMessage *message, bool found, uint64_t time_ps);
/* Returns who works for an agent in the background. */
MpiProgress mpi_progress_of_agent(const MpiCall *agent);
/* Lets an agent go on at time_ps. Until mpi_progress_leave() its clock runs on its own, on the thread's time, or on
 * that of `call`, a call of its rank. Returns which, for mpi_progress_leave(). */
MpiProgress mpi_progress_enter(MpiCall *agent, const MpiCall *call, uint64_t time_ps);
/* Ends what mpi_progress_enter() began: charges the agent's thread or the call with what the agent has done. An agent
 * that works on its own may have ended and be gone. */
void mpi_progress_leave(MpiProgress by, MpiCall *agent, MpiCall *call);
/* Handles a message of an agent on its own time, or, if the agent works in calls of its rank, on that of such a call.
 */
void mpi_progress_step(MpiCall *call, MpiCall *agent, MpiMessage *message, uint64_t time_ps);
/* A step of an agent's schedule is complete at time_ps. Lets the agent go on, now or in the rank's next call. */
void mpi_progress_go_on(MpiCall *agent, uint64_t time_ps);

/* -- loans (loans.c) --------------------------------------------------------------------------- */

/* Lends the message a contiguous buffer of the call's rank, instead of copying it. Returns false if the rank might
 * change the buffer before the message has arrived, or if a copy is as good. */
bool mpi_loan_make(MpiCall *call, MpiMessage *message, const MpiBuffer *buffer);
/* Returns where the lent payload is. */
const uint8_t *mpi_loan_data(const MpiMessage *message);
/* Lets the receiver's contiguous buffer refer to the lent payload, if that is likely to be less work than a copy.
 * Returns false if the payload is to be copied. */
bool mpi_loan_pass_on(const MpiMessage *message, const MpiBuffer *buffer);
/* The payload is no longer needed. */
void mpi_loan_end(MpiMessage *message);
/* The rank's memory may change: messages with a loan of it take copies. The second function is for stores into
 * `bytes` bytes at `address`, and leaves out the message `but`. */
void mpi_loans_settle_all(MpiRank *rank);
void mpi_loans_settle_within(MpiRank *rank, const MpiMessage *but, uint64_t address, uint64_t bytes);
static inline void mpi_loans_settle(MpiRank *rank)
{
    if (G_UNLIKELY(rank->loans))
        mpi_loans_settle_all(rank);
}

/* -- long copies (long_copy.c) ------------------------------------------------------------------ */

/* Whether messages of this size between all ranks are more than caches hold. Only time depends on it. */
enum { MPI_LONG_COPY = 16384, MPI_LARGE_CACHE = 32 << 20 };
static inline bool mpi_is_long_copy(const MpiWorld *world, uint64_t bytes)
{
    return bytes >= MPI_LONG_COPY && bytes >= MPI_LARGE_CACHE / world->n_ranks;
}
/* Copies like memmove(). */
void mpi_long_copy(void *to, const void *from, uint64_t bytes);

/* -- plain sends (plain_send.c) ---------------------------------------------------------------- */

/* Executes the rank's request, an MPI_Send, if it is plain. Otherwise returns false and does nothing. */
bool mpi_plain_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps);
/* The same while the rank has not left the VM, if it is the rank's turn. */
bool mpi_plain_send_at_once(MpiRank *rank, uint64_t *args);

/* -- plain receives (plain_receive.c) ------------------------------------------------------------ */

/* An MPI_Recv or MPI_Sendrecv that waits on its short way. What is not here follows from the rank's request to the VM.
 */
struct MpiPlainReceive {
    MpiKey key;
    uint8_t primitive;        /* as MpiMessage.primitive */
    bool exchange;            /* the call is an MPI_Sendrecv, which has sent its message */
    uint64_t address, bytes;  /* the buffer */
    uint64_t status;          /* address or MPI_STATUS_IGNORE */
    uint64_t entered_ps, now; /* time of the call; time since when it waits */
    MpiRank *rank;            /* these two are set where somebody listens to posted_plainly */
    void *note;               /* of check_buffering.c */
};
/* Executes the rank's request, an MPI_Recv, if it is plain and its message, if that has come, is plain as well.
 * Otherwise returns false and does nothing. */
bool mpi_plain_receive(MpiRank *rank, const VmRequest *request, uint64_t now_ps, MpiOutcome *outcome);
/* A message has arrived whose key rank->plain accepts. Ends the call and takes the data, or makes the receive a general
 * one and returns false. */
bool mpi_plain_receive_end(MpiRank *rank, MpiMessage *message, uint64_t time_ps);
/* Makes the plain receive of a rank, or those of all ranks, general ones, for whoever looks at calls and requests. */
void mpi_plain_receive_expand(MpiRank *rank);
void mpi_plain_receives_expand(MpiWorld *world);

/* Executes the rank's request, an MPI_Sendrecv, if it is plain and its message, if that has come, is plain as well.
 * Otherwise returns false and does nothing (plain_exchange.c). */
bool mpi_plain_exchange(MpiRank *rank, const VmRequest *request, uint64_t now_ps, MpiOutcome *outcome);
/* Executes the rank's request, an MPI_Isend or MPI_Irecv, if it is plain, nobody watches, and no message has come that
 * the receive would take. Otherwise returns false and does nothing (plain_start.c). */
bool mpi_plain_start_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps);
bool mpi_plain_start_receive(MpiRank *rank, const VmRequest *request, uint64_t now_ps);
/* Handles what is left of an MPI_Sendrecv that has sent its message: its receive. */
MpiStep mpi_p2p_await_exchange(MpiCall *call);

/* -- MPI's order of messages over a network that may have another (message_order.c) ------------ */

/* Returns the number of the next envelope from one rank to another. */
uint32_t mpi_order_send(MpiPairTable *table, uint32_t from, uint32_t to);
/* An envelope has arrived. Returns the list (linked by `next`) of the envelopes whose turn it is now; NULL if this one
 * came early. */
MpiMessage *mpi_order_arrive(MpiPairTable *table, MpiMessage *message);
void mpi_order_clear(MpiPairTable *table);

/* -- buffered sends (buffered.c) --------------------------------------------------------------- */

/* A buffer that the program has attached to a communicator or to the process. */
struct MpiAttached {
    uint64_t address, size, used;
    uint64_t messages; /* number of messages that have gone through it */
    uint32_t flushes;  /* number of pending requests of iflush calls */
    bool automatic;    /* MPI_BUFFER_AUTOMATIC: everything fits */
    MpiHandle handle;
};
/* Implement attach, detach, flush and iflush of the buffer that stands at an address, for a communicator or, if `comm`
 * is NULL, for something else. Argument `arg` is the first one about the buffer. */
MpiStep mpi_buffered_attach(MpiCall *call, MpiComm *comm, unsigned arg, MpiAttached **to);
MpiStep mpi_buffered_detach(MpiCall *call, MpiComm *comm, unsigned arg, MpiAttached **from);
MpiStep mpi_buffered_flush(MpiCall *call, const MpiAttached *buffer);
MpiStep mpi_buffered_iflush(MpiCall *call, MpiComm *comm, unsigned arg, MpiAttached *buffer);
/* Returns how many bytes are free in the buffer for messages on a communicator; *size: how large it is. */
uint64_t mpi_buffered_room(const MpiRank *rank, const MpiComm *comm, uint64_t *size);
/* A request that carried a buffered message is complete: gives its space back. */
void mpi_buffered_give(MpiRequest *carrier);
/* Starts a buffered send. The request is complete at once; an internal request sends the copy. */
void mpi_buffered_start(MpiCall *call, MpiRequest *request);

/* -- partitioned messages (partitioned.c) ------------------------------------------------------ */

/* How one side of a partitioned message describes it. */
struct MpiSide {
    uint32_t rank, pc;
    bool receives;
    const MpiType *type;
    uint64_t items;
};

void mpi_partitioned_start(MpiCall *call, MpiRequest *whole);
/* Tells a partitioned request that one of its messages is complete. */
void mpi_partitioned_complete(MpiRequest *whole, const MpiRequest *message);
/* Whether it is the receiving side. */
bool mpi_partitioned_receives(const MpiPartitioned *part);
/* Appends a sentence that says why a partitioned message is not complete. Returns false if there is nothing to say. */
bool mpi_partitioned_cause(const MpiRequest *whole, GString *out);
void mpi_partitioned_free(MpiPartitioned *part);

/* -- requests (requests.c) --------------------------------------------------------------------- */

/* Writes a status unless the address is MPI_STATUS_IGNORE. `set_error`: writes its MPI_ERROR, too, as calls do that
 * complete several requests. */
bool mpi_status_write(MpiCall *call, uint64_t address, const MpiStatus *status, bool set_error);
static inline MpiStatus mpi_status_empty(void)
{
    return (MpiStatus){.source = MPI_ANY_SOURCE_, .tag = MPI_ANY_TAG_};
}

/* Gives a new request a handle and stores that in the program's variable. */
MpiStep mpi_request_publish(MpiCall *call, MpiRequest *request, uint64_t address);

/* Ends the call with the error of the request, or with success. */
MpiStep mpi_call_request_error(MpiCall *call, const MpiRequest *request);
/* As mpi_call_request_error(), for a request with an error that is raised as `error_class`. */
MpiStep mpi_request_raise(MpiCall *call, const MpiRequest *request, int error_class);
/* Raises the error of a buffer whose memory is gone. */
MpiStep mpi_request_buffer_error(MpiCall *call, MpiComm *comm, int error_class);

/* -- probes (probe.c) -------------------------------------------------------------------------- */

/* Reads source, tag and communicator from arguments 1 to 3, and makes the key of a message. */
bool mpi_probe_parse(MpiCall *call, MpiComm **comm, MpiKey *key, MpiStep *step);
/* Whether there is a matching message; fills in the status. For MPI_PROC_NULL it returns true with an empty status and
 * no message (MPI-3.1 section 3.11). */
bool mpi_probe_find(MpiCall *call, MpiKey key, MpiMessage **message, MpiStatus *status);
/* Starts a probe with rank->probe_key. Returns the choice that it is forced to. If that is a source, stores it in the
 * key. */
int64_t mpi_probe_choose(MpiCall *call, const MpiComm *comm, bool poll);
/* Executes a poll with this key where polls may be forced. `found` goes on after a message was found. Returns false
 * and does nothing if no feature forces polls. */
bool mpi_probe_polled(MpiCall *call, const MpiComm *comm, MpiKey key, MpiHandler found, MpiStep *step);

/* Whether a probe that has found nothing ends with an error, which is in *step then: its message cannot come any more.
 */
bool mpi_probe_is_hopeless(MpiCall *call, MpiKey key, MpiStep *step);
/* Whether another thread waits for one of the requests, which only one may (MPI-4.1 section 11.6.1). Then the call has
 * an error, which is in *step. */
bool mpi_call_others_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiStep *step);
/* A message has been queued for a rank with several threads. Wakes those that are blocked in a probe for it: whoever
 * looks first gets it, the others wait again. */
void mpi_probe_wake_threads(MpiRank *rank, const MpiMessage *message, uint64_t time_ps);
/* Lets a probe that has found nothing wait for a message that matches rank->probe_key, unless that is hopeless. */
MpiStep mpi_probe_block(MpiCall *call, MpiHandler then);

/* -- generalized requests (general_requests.c) ------------------------------------------------------ */

/* Calls the query function of a complete generalized request for its status and, if `release`, its free function.
 * Their results become the request's error. Goes on at `then`. */
MpiStep mpi_general_ask(MpiCall *call, MpiRequest *request, bool release, MpiHandler then);
/* Calls the cancel function of a generalized request. */
MpiStep mpi_general_cancel(MpiCall *call, MpiRequest *request);
/* Implements MPI_Request_free: calls the free function now, or leaves that to MPI_Grequest_complete. */
MpiStep mpi_general_free(MpiCall *call, MpiRequest *request);

#endif
