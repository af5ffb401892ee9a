/* core.h - what all rooms of mpi/ stand on: the world and its ranks, calls, handles, pools, findings. See mpi_world.h
 * for the picture from outside.
 *
 *   program --MPI_Send--> VM request --> world.c (MpiCall) --> point_to_point.c --> transfer.c --> env.transmit
 *                                  \--> plain_send.c, if nothing about it is unusual -----------/    |
 *                                                                                                  |
 *   env.wake <-- call_waits.c (settle) <-- transfer.c (handle) <-- match.c <-- mpi_world_delivered <-+
 *
 * Who works when. Everything that costs a rank processor time is done on the time of an MpiCall of that rank: matching
 * is bookkeeping and happens at the instant of arrival, but copying data out, answering a rendezvous and starting its
 * data are *handled* either at once, if the rank is blocked in a call (then the call's `now` moves), or at the start of
 * the rank's next GLOBAL call: until then the message lies in the rank's inbox. That is progress `inline`.
 *
 * Memory. A rank that does nothing costs one MpiRank; messages, requests, calls and bins come from pools of the world
 * and go back there. Nothing here is O(ranks) per call.
 */
#ifndef ORRERY_MPI_CORE_H
#define ORRERY_MPI_CORE_H

#include "mpi/core/call.h"
#include "mpi/core/hooks.h"

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
void *mpi_pool_payload_take(MpiPayloads *payloads, uint64_t bytes); /* not zeroed; g_free, or: */
void mpi_pool_payload_give(MpiPayloads *payloads, void *payload, uint64_t bytes);
void mpi_pool_payloads_clear(MpiPayloads *payloads);

/* -- what a rank has in its queues (match.c in p2p/) ---------------------------------------- */

/* What a receive names and a message has. `space` is context << 1 | collective, so that collectives and user messages
 * of one communicator never meet. `source` is a rank of the communicator. */
struct MpiKey {
    uint32_t space;
    int32_t source; /* or MPI_ANY_SOURCE_ */
    int32_t tag;    /* or MPI_ANY_TAG_ */
};

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

typedef struct MpiMatcher MpiMatcher;

/* Another rule than first come, first served (match_forced.c). Its receives and messages lie in no bins. */
typedef struct MpiMatchRule {
    MpiItem *(*posted)(const MpiMatcher *matcher, const MpiItem *message); /* as mpi_match_posted() */
    void (*post)(MpiMatcher *matcher, MpiItem *receive);
    void (*withdraw)(MpiMatcher *matcher, MpiItem *receive);
    MpiItem *(*find)(const MpiMatcher *matcher, MpiKey key, const MpiItem *receive); /* NULL: for a probe */
    /* A message that may be matched now, since a receive that had it wait is gone; *receive takes it. NULL: none. */
    MpiItem *(*released)(MpiMatcher *matcher, MpiItem **receive);
} MpiMatchRule;

struct MpiMatcher {
    MpiItem *lone;            /* the only posted receive, which then lies in no bin; NULL: there are none or several */
    MpiItem *oldest, *newest; /* all unexpected */
    uint64_t order;
    uint32_t n_unexpected;
    uint32_t indexed;              /* bit set: kinds that unexpected messages are indexed by */
    uint32_t posted_of[MPI_KINDS]; /* how many posted receives are of each kind */
    MpiIndex posted, unexpected;
    const MpiMatchRule *rule; /* NULL: a wildcard takes the message that came first */
};

/* Whether receives may have to wait for the message of one source. */
static inline bool mpi_match_is_ruled(const MpiMatcher *matcher)
{
    return G_UNLIKELY(matcher->rule);
}

/* -- ranks and the world ----------------------------------------------------------------------- */

typedef struct MpiFindings MpiFindings; /* what checks have found (findings.c) */

typedef struct MpiSlotValue {
    void *data;
    GDestroyNotify destroy;
} MpiSlotValue;

/* Who keeps something per rank. */
typedef enum MpiRankSlot { MPI_RANK_SLOT_ATTRIBUTES, MPI_RANK_SLOT_ERRORS, MPI_RANK_SLOT_COUNT } MpiRankSlot;

typedef struct MpiHandleEntry {
    void *object; /* NULL: free, `next` is the next free one */
    uint32_t kind;
    uint32_t next;
    uint32_t made_pc;   /* where the program got it, VCODE_NONE: not noted */
    uint16_t made_by;   /* row of functions.def */
    uint8_t generation; /* of the handle: a stale one is recognised */
} MpiHandleEntry;

/* What the table of handles has to know of what it holds. */
typedef struct MpiKind {
    void (*drop)(void *object);                         /* gives its reference back; NULL: somebody else does */
    void *(*predefined)(MpiRank *rank, uint32_t index); /* the object of a low index, or NULL; NULL: there is none */
} MpiKind;

typedef struct MpiHandleTable {
    MpiHandleEntry *entries;
    uint32_t count, capacity, free; /* free: index + 1 */
} MpiHandleTable;

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
    MpiSlotValue slots[MPI_RANK_SLOT_COUNT];
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

/* What the rooms below call in those above them: a collective in the background is a request of p2p/, and a call that
 * waits may be one that waits for a collective. Made by world.c, the same for all worlds. */
typedef struct MpiUpper {
    /* Goes on with call->collective.schedule as far as possible; true: the call is to be woken. */
    bool (*schedule_advance)(MpiCall *call);
    /* Starts the collective of an inactive request, at the call's time; gives what it stands for back. */
    void (*operation_start)(MpiCall *call, MpiRequest *request);
    void (*operation_free)(MpiOperation *operation);
    /* Something was handled on its agent's time; what lay in the inbox for this call. */
    void (*operation_settle)(MpiCall *agent);
    void (*operation_note)(MpiCall *call, MpiMessage *note);
} MpiUpper;

struct MpiWorld {
    uint32_t n_ranks;
    MpiParams params;
    MpiEnv env;
    const MpiUpper *upper;
    const MpiHandler *handlers; /* by row of functions.def */
    const MpiKind *kinds;       /* by MpiHandleKind */
    MpiRank *ranks;
    MpiBinding *bindings;
    VmExtern *externs;
    size_t n_externs;
    MpiGroup *world_group;
    uint32_t next_context;
    MpiFindings *findings;
    const MpiPart *const *parts; /* NULL-terminated */
    uint64_t listening;          /* bits: rows of hooks.def where somebody listens */
    uint64_t next_message;
    MpiPairTable in_flight;
    MpiPool messages, requests, calls, bins, schedules;
    uint64_t live_messages;
    MpiPayloads payloads;
    MpiPlace places[MPI_PLACES]; /* of GLOBAL calls, by pc modulo their number */
    int abort_code;
    MpiSlotValue slots[MPI_SLOT_COUNT];
    MpiHook *listeners[MPI_HOOK_COUNT]; /* by row: NULL-terminated, in order; NULL: nobody listens */
};

/* What a feature keeps of the world; NULL: nothing yet. */
static inline void *mpi_world_slot(const MpiWorld *world, MpiSlot slot)
{
    return world->slots[slot].data;
}
/* `destroy` runs when the world goes, after its ranks and their requests, and then nothing listens any more. */
void mpi_world_set_slot(MpiWorld *world, MpiSlot slot, void *data, GDestroyNotify destroy);

/* mpi_listens_NAME(): whether anybody does. mpi_tell_NAME(), mpi_ask_NAME(): see hooks.def. */
#define MPI_POINT(name, way, parameters, arguments)                                                                    \
    static inline bool mpi_listens_##name(const MpiWorld *world)                                                       \
    {                                                                                                                  \
        return world->listening >> MPI_HOOK_##name & 1;                                                                \
    }                                                                                                                  \
    static inline void mpi_tell_##name parameters                                                                      \
    {                                                                                                                  \
        if (G_UNLIKELY(mpi_listens_##name(world)))                                                                     \
            mpi_hooks_tell_##name arguments;                                                                           \
    }
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments)                                                \
    static inline bool mpi_listens_##name(const MpiWorld *world)                                                       \
    {                                                                                                                  \
        return world->listening >> MPI_HOOK_##name & 1;                                                                \
    }                                                                                                                  \
    static inline type mpi_ask_##name parameters                                                                       \
    {                                                                                                                  \
        return G_UNLIKELY(mpi_listens_##name(world)) ? mpi_hooks_ask_##name arguments : otherwise;                     \
    }
#include "mpi/core/hooks.def"

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
    const char *profiling_name; /* "PMPI_Send" */
    unsigned arguments;
} MpiFunction;
/* Row of functions.def (function.c). */
const MpiFunction *mpi_function(uint32_t function);

/* -- calls (calls.c) --------------------------------------------------------------------------- */

/* Charges processor time (library overhead) to the call. */
void mpi_call_charge(MpiCall *call, uint64_t ps);

/* int argument. */
static inline int mpi_int(const MpiCall *call, unsigned i)
{
    return (int)(int32_t)call->args[i];
}

/* Runs simulated code at `function` with up to 8 arguments, then goes on at `then` with call->upcall_result. Fetches
 * the argument window anew, so call->args stays good; host addresses of rank memory do not: ask for them again. */
MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then);

/* Bytes times femtoseconds per byte, in ps, rounded down; exact in 128 bits. */
uint64_t mpi_call_bytes_ps(uint64_t bytes, uint64_t byte_fs);

/* The rank was blocked until time_ps (nothing happens if it is already later). */
void mpi_call_advance(MpiCall *call, uint64_t time_ps);

/* The call of the rank on whose time an arrival can be handled at once, or NULL: the rank computes or is about to go
 * on. */
MpiCall *mpi_call_receptive(MpiRank *rank);

/* Answers BLOCK, or goes on at once if nothing is to wait for. */
MpiStep mpi_call_block(MpiCall *call, MpiHandler then);

/* mpi_finding_stop() from outside the call's handler, when something arrives: the rank stops as soon as it can. */
void mpi_call_stop(MpiCall *call, MpiCheck check, const char *reason);

/* A poll found nothing: time must move, or a polling loop would never end. If calls cost nothing, a poll costs 1 ns. */
void mpi_call_poll_failed(MpiCall *call);

/* Something that is not of the rank's own doing is about to change what its polls may find. */
void mpi_call_touch_rank(MpiRank *rank);

/* Things that a room keeps per rank without the core knowing what. `destroy` runs when the rank is gone. */
void *mpi_rank_slot(const MpiRank *rank, MpiRankSlot slot);
void mpi_rank_set_slot(MpiRank *rank, MpiRankSlot slot, void *data, GDestroyNotify destroy);

/* -- handles (handles.c) ----------------------------------------------------------------------- */

/* Handle tables of a rank (handles.c): NULL where the handle is null, freed, foreign or of another kind. */
void *mpi_handle_lookup(MpiRank *rank, MpiHandleKind kind, MpiHandle handle);
MpiHandle mpi_handle_register(MpiCall *call, MpiHandleKind kind, void *object);
void mpi_handle_unregister(MpiRank *rank, MpiHandle handle);
/* Whether it is one of a slot that there is, in use or not. */
bool mpi_handle_was_given(const MpiRank *rank, MpiHandle handle);
void mpi_handle_unregister_kind(MpiRank *rank, MpiHandleKind kind); /* all of it */

/* Drops what the handle table holds. */
void mpi_handles_clear(MpiRank *rank);

/* -- results in the program's memory (stores.c) ------------------------------------------------ */

/* Stores a handle or int in the program's memory. */
bool mpi_store_handle(MpiCall *call, uint64_t address, MpiHandle handle);
bool mpi_store_int(MpiCall *call, uint64_t address, int value);

/* -- places (places.c) ------------------------------------------------------------------------- */

/* Appends "ring.c:31" for a place in the program, "?" where it is not known. */
void mpi_append_place(GString *out, VmRank *process, uint32_t pc);

/* The innermost place that is not in the runtime library: what call->pc is. */
uint32_t mpi_place_in_program(VmRank *process);

/* Where in the program the rank makes its GLOBAL call (mpi_place_in_program(), remembered). */
uint32_t mpi_place_of_call(MpiWorld *world, VmRank *process);

/* "MPI_Send at a.c:12"; name NULL: the function that is called there. */
void mpi_append_call_place(GString *out, VmRank *process, const char *name, uint32_t pc);

/* -- findings (findings.c; checks.def says which checks there are) ----------------------------- */

/* What is certainly wrong ends the program at once, in the call that shows it. Everything else is noted while the run
 * goes on and told at its end: in the order of ranks, and once for all ranks of which the same can be said. So a
 * finding has two parts: what is the same for many ranks (call, place in the program, other side's place), and a detail
 * that may differ (the number of a rank, a tag), of which one is shown. */
MpiFindings *mpi_findings_new(void);
void mpi_findings_free(MpiFindings *findings);

/* Notes something about a rank, in the order of its calls, from any thread. `what` and `detail` (or NULL) are copied;
 * `fix` says what to do about it and is a string constant. What is said of a rank again is counted. */
void mpi_finding_add(MpiRank *rank, MpiCheck check, uint64_t time_ps, const char *what, const char *detail,
                     const char *fix);

/* What is certainly wrong: ends the program as an uncaught error of MPI does, whatever error handlers there are. The
 * text begins behind "MPI_Send: " and names the other side's place and how to fix it. For errors that MPI itself
 * defines, and that a program may want to handle, there is mpi_call_error(). */
MpiStep mpi_finding_stop(MpiCall *call, MpiCheck check, const char *format, ...) G_GNUC_PRINTF(3, 4)
    __attribute__((cold));

/* Notes, under --check=portability, what the standard does not allow and other libraries let pass. `what` follows the
 * name of the call and its place, both are string constants. */
void mpi_finding_portability(MpiCall *call, const char *what, const char *fix);

/* -- handlers: one per row of functions.def ---------------------------------------------------- */

#define MPI_FUNCTION(name, sort, arguments, standard) MpiStep mpi_do_##name(MpiCall *call);
#include "mpi/functions.def"

#endif
