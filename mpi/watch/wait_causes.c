/* wait_causes.c - why calls wait: divides the blocked time of each call by cause (waits.def).
 *
 * Blocked time passes in pieces: each ends when something happens on the rank's time. What that is has been told just
 * before, by another hook: a message has been delivered or has left, a transfer of a window has come. This is the
 * *reason* of the piece. Most reasons are messages. A message has a timeline: when its request to send, permission and
 * data got to the network and out of it, and when they were handled. Seen by one of its two sides, each stretch of this
 * timeline has one cause, and a piece is cut by the timeline of its reason.
 *
 * What a call waits for is what ends it. So pieces that end with messages of point-to-point communication are kept, and
 * cut when the call is over, by the timeline of the last message that it waited for. The pieces of collectives are cut
 * at once: each round waits for messages of its own.
 *
 * Everything here is sums and differences of virtual times, so the parts add up exactly.
 */
#include "mpi/watch/wait_causes.h"
#include "mpi/watch/wait_cuts.h"

#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/remote.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

/* -- what is kept ------------------------------------------------------------------------------ */

typedef struct Open {       /* a call that has waited */
    GArray *parts;          /* MpiWait; of those that are not cut yet, the cause is MPI_WAIT_CAUSES; NULL: none yet */
    uint64_t began;         /* number of the collective that it has begun; 0: none */
    uint32_t began_context; /* and its communicator */
    MpiWaitReason last;     /* the last message that it waited for */
    MpiWaitSums sums;       /* where parts with the same cause are one: what is cut, as far as there is room */
    const char *algorithm;  /* of its collective; NULL: it is none */
    const MpiRequest *held; /* a send that waits for room at its receiver; NULL: none */
    bool locks;             /* it waits for the lock of a window */
    bool stores;            /* it waits for an access to a file, by its request */
    bool accesses;          /* the same for a window */
} Open;

typedef struct Entry { /* the root of a collective has come to it */
    uint32_t context, left;
    uint64_t sequence, entered_ps;
    bool entered;
} Entry;

typedef struct PlainWait { /* a receive on its short way waits for a message */
    uint64_t from_ps, sent_ps, bytes, id;
    uint32_t from;
} PlainWait;

typedef struct Ended { /* a collective in the background has ended, at the time of its agent */
    uint64_t time_ps;
    MpiWaitReason reason; /* the last message that came to the rank */
    MpiWaitCause cause;
    bool from_root;
    uint32_t root;            /* world rank */
    uint64_t root_entered_ps; /* NEVER: not known */
} Ended;

typedef struct Last {    /* of a rank */
    const MpiCall *call; /* its call that has waited; of several at once, one that was first; NULL: none */
    Open *open;          /* the same */
    MpiWaitReason reason;
    Ended ended;
} Last;

typedef struct Causes {
    MpiWaitReason now;         /* the last thing that has happened */
    const MpiMessage *message; /* and its message, if it is one that has been delivered */
    uint64_t kept_ps;    /* the message that is delivered next had come then; NEVER: it comes when it is delivered */
    Last **last;         /* by rank: NULL: nothing */
    uint32_t room;       /* number of them */
    GHashTable *open;    /* MpiCall -> Open, of those that Last has no place for; never iterated */
    GPtrArray *spare;    /* Open that are not used */
    bool sums;           /* parts with the same cause are one */
    GHashTable *entries; /* Entry -> itself; never iterated */
    GArray *told;        /* MpiWait: what was returned last */
    MpiWaitTimes *times; /* of the messages that are under way */
    PlainWait plain[];   /* by rank */
} Causes;

static Causes *causes_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_WAIT_CAUSES);
}

static MpiWaitTimes *times_of(const MpiMessage *message)
{
    return message->notes[MPI_MESSAGE_NOTE_WAITS];
}

static void open_free(gpointer data)
{
    Open *open = data;
    if (!open)
        return;
    g_clear_pointer(&open->parts, g_array_unref);
    g_free(open);
}

static void copy_reason(MpiWaitReason *to, const MpiWaitReason *from)
{
    memcpy(to, from, from->rendezvous ? sizeof *to : offsetof(MpiWaitReason, times));
}

static Last *last_of(Causes *causes, uint32_t rank)
{
    if (!causes->last[rank])
        causes->last[rank] = g_new0(Last, 1);
    return causes->last[rank];
}

/* -- calls that have waited -------------------------------------------------------------------- */

static Open *open_new(Causes *causes)
{
    if (causes->spare->len)
        return g_ptr_array_steal_index_fast(causes->spare, causes->spare->len - 1);
    return g_new0(Open, 1);
}

/* Returns what is kept of the call; NULL: it has not waited. */
static Open *find_open(const Causes *causes, const MpiCall *call)
{
    const Last *last = causes->last[call->rank->index];
    if (last && last->call == call)
        return last->open;
    return g_hash_table_size(causes->open) ? g_hash_table_lookup(causes->open, call) : NULL;
}

static Open *open_of(Causes *causes, const MpiCall *call)
{
    Open *open = find_open(causes, call);
    if (open)
        return open;
    Last *last = last_of(causes, call->rank->index);
    open = open_new(causes);
    if (last->call) {
        g_hash_table_insert(causes->open, (gpointer)(uintptr_t)call, open);
    } else {
        last->call = call;
        last->open = open;
    }
    return open;
}

/* The call is over. */
static void open_forget(Causes *causes, const MpiCall *call, Open *open)
{
    Last *last = causes->last[call->rank->index];
    if (last->call == call) {
        last->call = NULL;
        last->open = NULL;
    } else {
        g_hash_table_steal(causes->open, call);
    }
    GArray *parts = open->parts;
    if (parts)
        g_array_set_size(parts, 0);
    memset(open, 0, sizeof *open);
    open->parts = parts;
    g_ptr_array_add(causes->spare, open);
}

/* -- collectives ------------------------------------------------------------------------------- */

static bool is_from_root(MpiCollective collective)
{
    return collective == MPI_COLLECTIVE_BCAST || collective == MPI_COLLECTIVE_SCATTER ||
           collective == MPI_COLLECTIVE_SCATTERV;
}

static bool is_to_root(MpiCollective collective)
{
    return collective == MPI_COLLECTIVE_REDUCE || collective == MPI_COLLECTIVE_GATHER ||
           collective == MPI_COLLECTIVE_GATHERV;
}

static guint entry_hash(gconstpointer key)
{
    const Entry *entry = key;
    return entry->context * 0x9e3779b1u ^ (guint)entry->sequence;
}

static gboolean entry_equal(gconstpointer a, gconstpointer b)
{
    const Entry *x = a, *y = b;
    return x->context == y->context && x->sequence == y->sequence;
}

static Entry *find_entry(const Causes *causes, const MpiSchedule *schedule)
{
    Entry key = {.context = schedule->comm->context, .sequence = schedule->sequence};
    return g_hash_table_lookup(causes->entries, &key);
}

static void collective_begun(MpiWorld *world, MpiCall *call, MpiSchedule *schedule)
{
    Causes *causes = causes_of(world);
    const MpiCall *starter = call->background ? call->rank->call : call; /* a call that starts it in the background */
    if (starter && starter->name == call->name) {
        Open *open = open_of(causes, starter);
        open->algorithm = schedule->algorithm->name;
        open->began_context = schedule->comm->context;
        open->began = schedule->sequence + 1;
    }
    if (!is_from_root(schedule->algorithm->collective) || schedule->plan.remote)
        return;
    Entry *entry = find_entry(causes, schedule);
    if (!entry) {
        entry = g_new0(Entry, 1);
        *entry =
            (Entry){.context = schedule->comm->context, .sequence = schedule->sequence, .left = schedule->plan.size};
        g_hash_table_add(causes->entries, entry);
    }
    if (schedule->plan.rank != schedule->plan.root)
        return;
    entry->entered = true;
    entry->entered_ps = call->background ? call->now : call->entered_ps;
}

/* Returns why a member waits for what another one sends in the collective. */
static MpiWaitCause cause_in_collective(const MpiCall *call, const MpiSchedule *schedule)
{
    if (!strncmp(call->name, "MPI_File_", strlen("MPI_File_")))
        return MPI_WAIT_FILE;
    if (!strncmp(call->name, "MPI_Win_", strlen("MPI_Win_")))
        return MPI_WAIT_WINDOW;
    if (schedule && is_to_root(schedule->algorithm->collective) && schedule->plan.rank == schedule->plan.root)
        return MPI_WAIT_EARLY_REDUCE;
    return MPI_WAIT_COLLECTIVE;
}

/* What is known of a collective that a member waits in. */
static Ended view_of(const Causes *causes, const MpiCall *call, const MpiSchedule *schedule)
{
    Ended view = {.cause = cause_in_collective(call, schedule), .root_entered_ps = NEVER};
    if (view.cause != MPI_WAIT_COLLECTIVE || !is_from_root(schedule->algorithm->collective) || schedule->plan.remote)
        return view;
    const Entry *entry = find_entry(causes, schedule);
    view.from_root = true;
    view.root = mpi_comm_world_rank(schedule->comm, schedule->plan.root);
    view.root_entered_ps = entry && entry->entered ? entry->entered_ps : NEVER;
    return view;
}

static void cut_collective(const MpiWorld *world, MpiWaitCut *at, uint32_t rank, const MpiWaitReason *reason,
                           const Ended *view)
{
    bool arrives = !reason->leaves && (reason->to == rank || reason->from != rank);
    if (view->from_root && arrives && view->root != rank) {
        at->peer = view->root;
        at->message = reason->id;
        mpi_wait_cut(at,
                     MIN(reason->rendezvous ? reason->times.request_sent_ps : reason->sent_ps, view->root_entered_ps),
                     MPI_WAIT_LATE_BROADCAST);
    }
    mpi_wait_cut_message(world, at, reason, rank, (MpiWaitSides){view->cause, view->cause});
}

static void collective_ended(MpiWorld *world, MpiCall *call, MpiSchedule *schedule, MpiRequest *request)
{
    Causes *causes = causes_of(world);
    Entry *entry = is_from_root(schedule->algorithm->collective) ? find_entry(causes, schedule) : NULL;
    if (request) {
        Last *last = last_of(causes, call->rank->index);
        last->ended = view_of(causes, call, schedule);
        last->ended.time_ps = call->now;
        last->ended.reason = last->reason;
    }
    if (entry && --entry->left == 0)
        g_hash_table_remove(causes->entries, entry);
}

/* -- pieces of blocked time ---------------------------------------------------------------------- */

static const MpiRequest *request_of(const MpiMessage *message)
{
    return message->phase == MPI_PHASE_CTS ? message->send : message->receive;
}

/* Whether the call has waited for the request. A probe waits for a message without one. */
static bool is_awaited(const MpiCall *call, const MpiRequest *request)
{
    if (!request)
        return true;
    return request->waiter == call || (request->part && request->whole->waiter == call) ||
           (request->schedule && request->schedule == call->collective.schedule);
}

/* Returns the collective that the message is a part of; NULL: none. */
static const MpiSchedule *schedule_of(const MpiCall *call, const MpiMessage *message)
{
    const MpiRequest *request = message ? request_of(message) : NULL;
    return request && request->schedule ? request->schedule : call->collective.schedule;
}

/* Why the call waits if no message tells. */
static MpiWaitCause cause_of_call(const MpiCall *call, const Open *open)
{
    if (call->engine.finishing)
        return MPI_WAIT_PROCESSOR;
    if (call->remote.win)
        return open->locks ? MPI_WAIT_LOCK : MPI_WAIT_WINDOW;
    if (open->stores || !strncmp(call->name, "MPI_File_", strlen("MPI_File_")))
        return MPI_WAIT_STORAGE;
    if (open->accesses || !strncmp(call->name, "MPI_Win_", strlen("MPI_Win_")))
        return MPI_WAIT_WINDOW;
    return MPI_WAIT_OTHER;
}

/* Begins to divide a piece of the call's time. */
static MpiWaitCut cut_of(Causes *causes, const MpiCall *call, uint64_t from_ps, uint64_t to_ps)
{
    Open *open = open_of(causes, call);
    return (MpiWaitCut){.parts = &open->parts,
                        .sums = causes->sums ? &open->sums : NULL,
                        .at_ps = from_ps,
                        .end_ps = to_ps,
                        .peer = UINT32_MAX};
}

/* Whether the call has waited before. */
static bool has_waited(const MpiWaitCut *at)
{
    return (*at->parts && (*at->parts)->len) || (at->sums && at->sums->n);
}

/* Functions of the program have run, and the call goes on. Its time does not show that yet. */
static void entered(MpiWorld *world, const MpiRank *rank)
{
    const MpiCall *call = rank->call;
    uint64_t now_ps = call ? vm_clock_now(vm_rank_clock(rank->process)) : 0;
    if (!call || now_ps <= call->now)
        return;
    Causes *causes = causes_of(world);
    MpiWaitCut at = cut_of(causes, call, call->now, now_ps);
    mpi_wait_cut(&at, NEVER, MPI_WAIT_PROGRAM);
}

/* Whether the message of a send waits for room. */
static bool is_held(const MpiWorld *world, const MpiRequest *request)
{
    return request->sort == MPI_REQUEST_SEND && mpi_request_pending(request) && request->message &&
           request->message->notes[MPI_MESSAGE_NOTE_FLIGHT] && world->upper->protocol_is_held(request);
}

/* What it waits for is forgotten before the time passes. */
static void waits(MpiWorld *world, MpiCall *call, MpiRequest *const *requests, unsigned n, bool any)
{
    (void)any;
    if (call->background)
        return;
    if (!requests && call->remote.win)
        open_of(causes_of(world), call)->locks = mpi_window_lock_is_awaited(call);
    for (unsigned i = 0; requests && i < n; i++) {
        if (requests[i] && requests[i]->sort == MPI_REQUEST_AGENT)
            open_of(causes_of(world), call)->stores = true;
        if (requests[i] && requests[i]->sort == MPI_REQUEST_REMOTE)
            open_of(causes_of(world), call)->accesses = true;
        if (requests[i] && world->protocols && is_held(world, requests[i]))
            open_of(causes_of(world), call)->held = requests[i];
    }
}

/* The part of a protocol that has come tells what the rank has waited for: data, a receive that is posted, room. */
static void cut_packet(const MpiWorld *world, MpiWaitCut *at, const MpiCall *call, const MpiWaitReason *reason)
{
    at->peer = reason->to == call->rank->index ? reason->from : reason->to;
    at->message = reason->id;
    switch (reason->kind) {
    case MPI_TRANSFER_POST:
        mpi_wait_cut(at, reason->sent_ps, MPI_WAIT_LATE_RECEIVER);
        mpi_wait_cut(at, NEVER, MPI_WAIT_HANDSHAKE);
        return;
    case MPI_TRANSFER_CREDIT: mpi_wait_cut(at, NEVER, MPI_WAIT_CREDITS); return;
    case MPI_TRANSFER_ACKNOWLEDGEMENT: /* nothing else has come before: it was sent when the receiver was there */
        mpi_wait_cut(at, has_waited(at) ? 0 : reason->sent_ps, MPI_WAIT_LATE_RECEIVER);
        mpi_wait_cut(at, NEVER, MPI_WAIT_HANDSHAKE);
        return;
    default:
        mpi_wait_cut(at, reason->sent_ps, MPI_WAIT_LATE_SENDER);
        mpi_wait_cut_transfer(world, at, reason, reason->sent_ps, reason->bytes);
    }
}

/* The rank goes on from something that was told earlier: a collective in the background has come to its end, or others
 * have worked on a message for the rank. Returns false if it is neither. */
static bool cut_earlier(const MpiWorld *world, MpiWaitCut *at, const MpiCall *call)
{
    const Last *last = causes_of(world)->last[call->rank->index];
    if (!last)
        return false;
    if (last->ended.time_ps == call->now && last->ended.reason.sort != REASON_NONE) {
        cut_collective(world, at, call->rank->index, &last->ended.reason, &last->ended);
        return true;
    }
    if (last->reason.sort != REASON_MESSAGE || last->reason.time_ps <= at->at_ps)
        return false;
    mpi_wait_cut_message(world, at, &last->reason, call->rank->index,
                         (MpiWaitSides){MPI_WAIT_LATE_SENDER, MPI_WAIT_LATE_RECEIVER});
    return true;
}

static void cut_other(const MpiWorld *world, MpiWaitCut *at, const MpiCall *call, const Open *open)
{
    MpiWaitCause cause = cause_of_call(call, open);
    if (cause != MPI_WAIT_OTHER || !cut_earlier(world, at, call))
        mpi_wait_cut(at, NEVER, cause);
}

/* A message of the usual protocol ends a piece. */
static void cut_by_message(MpiWorld *world, MpiWaitCut *at, const MpiCall *call, Open *open)
{
    const Causes *causes = causes_of(world);
    const MpiSchedule *schedule = schedule_of(call, causes->message);
    if (schedule) {
        Ended view = view_of(causes, call, schedule);
        cut_collective(world, at, call->rank->index, &causes->now, &view);
        return;
    }
    mpi_wait_cut(at, NEVER, MPI_WAIT_CAUSES);
    if (open->last.sort == REASON_NONE || !causes->message || is_awaited(call, request_of(causes->message)))
        open->last = causes->now;
}

static void spent(MpiWorld *world, const MpiCall *call, MpiActivity activity, uint64_t from_ps)
{
    Causes *causes = causes_of(world);
    const MpiWaitReason *reason = &causes->now;
    if (activity != MPI_ACTIVITY_BLOCKED || call->local)
        return;
    Open *open = open_of(causes, call);
    MpiWaitCut at = cut_of(causes, call, from_ps, call->now);
    bool told = reason->sort != REASON_NONE && reason->time_ps == call->now && !call->engine.finishing;
    if (open->held && !is_held(world, open->held))
        open->held = NULL;
    if (open->held && !call->engine.finishing)
        mpi_wait_cut(&at, NEVER, MPI_WAIT_CREDITS);
    else if (!told || call->remote.win || (reason->sort == REASON_TRANSFER && !reason->kind))
        cut_other(world, &at, call, open);
    else if (reason->sort == REASON_TRANSFER)
        cut_packet(world, &at, call, reason);
    else
        cut_by_message(world, &at, call, open);
}

/* -- what happens to messages ------------------------------------------------------------------ */

static MpiWaitTimes *times_new(Causes *causes, uint64_t now_ps)
{
    MpiWaitTimes *times = g_new(MpiWaitTimes, 1);
    *times = (MpiWaitTimes){now_ps, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, causes->times, &causes->times};
    if (times->next)
        times->next->link = &times->next;
    causes->times = times;
    return times;
}

static void times_free(MpiWaitTimes *times)
{
    *times->link = times->next;
    if (times->next)
        times->next->link = times->link;
    g_free(times);
}

static void transmitted(MpiWorld *world, const MpiCall *call, const MpiMessage *message, unsigned phase,
                        uint64_t began_ps)
{
    MpiWaitTimes *times = times_of(message);
    switch ((MpiPhase)phase) {
    case MPI_PHASE_RTS:
        times = times_new(causes_of(world), call->now);
        ((MpiMessage *)(uintptr_t)message)->notes[MPI_MESSAGE_NOTE_WAITS] = times;
        break;
    case MPI_PHASE_CTS:
        if (times)
            times->permission_sent_ps = call->now;
        break;
    case MPI_PHASE_DATA:
        if (times)
            times->data_sent_ps = call->now;
        break;
    default: break;
    }
    (void)began_ps;
}

static void handled(MpiWorld *world, const MpiCall *call, const MpiMessage *message, uint64_t began_ps)
{
    MpiWaitTimes *times = times_of(message);
    (void)world, (void)call;
    if (!times)
        return;
    if (message->phase == MPI_PHASE_RTS)
        times->answer_began_ps = began_ps;
    else if (message->phase == MPI_PHASE_CTS)
        times->data_began_ps = began_ps;
}

static void set_reason(MpiWaitReason *reason, const MpiMessage *message, uint64_t time_ps)
{
    const MpiWaitTimes *times = times_of(message);
    reason->sort = REASON_MESSAGE;
    reason->time_ps = reason->came_ps = time_ps;
    reason->id = message->id;
    reason->bytes = message->bytes;
    reason->from = message->from;
    reason->to = message->to;
    reason->kind = (MpiTransferKind)0;
    reason->rendezvous = times != NULL;
    reason->daemon = message->from_daemon;
    reason->leaves = false;
    reason->sent_ps = message->sent_ps;
    if (times)
        reason->times = *times;
}

static void delivered(MpiWorld *world, const MpiMessage *message, uint64_t time_ps)
{
    Causes *causes = causes_of(world);
    MpiWaitTimes *times = times_of(message);
    if (times && message->phase == MPI_PHASE_RTS)
        times->request_delivered_ps = time_ps;
    if (times && message->phase == MPI_PHASE_CTS)
        times->permission_delivered_ps = time_ps;
    set_reason(&causes->now, message, time_ps);
    if (causes->kept_ps != NEVER)
        causes->now.came_ps = causes->kept_ps;
    causes->kept_ps = NEVER;
    causes->message = message;
    copy_reason(&last_of(causes, message->phase == MPI_PHASE_CTS ? message->from : message->to)->reason, &causes->now);
}

void mpi_world_kept(MpiWorld *world, uint64_t came_ps)
{
    mpi_tell_kept(world, came_ps);
}

static void kept(MpiWorld *world, uint64_t came_ps)
{
    causes_of(world)->kept_ps = came_ps;
}

static void departed(MpiWorld *world, const MpiMessage *message, uint64_t time_ps)
{
    Causes *causes = causes_of(world);
    set_reason(&causes->now, message, time_ps);
    causes->now.leaves = true;
    causes->message = NULL;
}

static void dropped(MpiWorld *world, MpiMessage *message)
{
    Causes *causes = causes_of(world);
    if (times_of(message))
        times_free(times_of(message));
    message->notes[MPI_MESSAGE_NOTE_WAITS] = NULL;
    if (causes->message == message)
        causes->message = NULL;
}

static void remote(MpiWorld *world, MpiTransferStage stage, const MpiRemoteHead *transfer, uint64_t from_ps,
                   uint64_t to_ps)
{
    Causes *causes = causes_of(world);
    (void)to_ps;
    if (stage != MPI_TRANSFER_DELIVERED)
        return;
    causes->now = (MpiWaitReason){.sort = REASON_TRANSFER,
                                  .time_ps = from_ps,
                                  .came_ps = from_ps,
                                  .id = transfer->id,
                                  .bytes = transfer->bytes,
                                  .from = transfer->from,
                                  .to = transfer->to,
                                  .kind = transfer->kind,
                                  .sent_ps = transfer->sent_ps};
    causes->message = NULL;
}

/* -- receives on their short way --------------------------------------------------------------- */

/* Receives name their rank only where somebody listens here. */
static void posted_plainly(MpiWorld *world, MpiRank *rank, MpiPlainReceive *receive)
{
    causes_of(world)->plain[rank->index] = (PlainWait){.from_ps = receive->now};
}

static void matched_plainly(MpiWorld *world, MpiPlainReceive *receive, MpiMessage *message)
{
    PlainWait *wait = &causes_of(world)->plain[message->to]; /* receive->rank need not be set */
    *wait = (PlainWait){.from_ps = receive->now,
                        .sent_ps = message->sent_ps,
                        .bytes = message->bytes,
                        .id = message->id,
                        .from = message->from};
}

/* -- what is asked ----------------------------------------------------------------------------- */

const MpiWait *mpi_wait_causes_of_plain(MpiWorld *world, const MpiPlainCall *call, unsigned *n)
{
    Causes *causes = causes_of(world);
    uint64_t blocked_ps = call->to_ps - call->from_ps - call->overhead_ps;
    *n = 0;
    if (!causes || !blocked_ps)
        return NULL;
    const PlainWait *wait = &causes->plain[call->rank->index];
    MpiWaitReason reason = {.time_ps = wait->from_ps + blocked_ps,
                            .came_ps = wait->from_ps + blocked_ps,
                            .from = wait->from,
                            .to = call->rank->index,
                            .id = wait->id,
                            .bytes = wait->bytes,
                            .sent_ps = wait->sent_ps};
    g_array_set_size(causes->told, 0);
    MpiWaitCut at = {.parts = &causes->told, .at_ps = wait->from_ps, .end_ps = wait->from_ps + blocked_ps};
    mpi_wait_cut_message(world, &at, &reason, reason.to, (MpiWaitSides){MPI_WAIT_LATE_SENDER, MPI_WAIT_LATE_RECEIVER});
    *n = causes->told->len;
    return (const MpiWait *)(const void *)causes->told->data;
}

/* Cuts what is still whole. */
static void cut_kept(MpiWorld *world, const MpiCall *call, const Open *open, GArray *out)
{
    for (guint i = 0; open->parts && i < open->parts->len; i++) {
        const MpiWait *part = &g_array_index(open->parts, MpiWait, i);
        if (part->cause != MPI_WAIT_CAUSES) {
            g_array_append_vals(out, part, 1);
            continue;
        }
        MpiWaitCut at = {.parts = &out, .at_ps = part->from_ps, .end_ps = part->to_ps, .peer = UINT32_MAX};
        mpi_wait_cut_message(world, &at, &open->last, call->rank->index,
                             (MpiWaitSides){MPI_WAIT_LATE_SENDER, MPI_WAIT_LATE_RECEIVER});
    }
}

void mpi_wait_causes_collective(const MpiWorld *world, const MpiCall *call, MpiCallInfo *info)
{
    const Causes *causes = causes_of(world);
    const Open *open = causes ? find_open(causes, call) : NULL;
    if (!open)
        return;
    info->algorithm = open->algorithm;
    info->began = open->began;
    info->began_context = open->began_context;
}

const MpiWait *mpi_wait_causes_of(MpiWorld *world, const MpiCall *call, unsigned *n)
{
    Causes *causes = causes_of(world);
    Open *open = causes ? find_open(causes, call) : NULL;
    *n = 0;
    if (!open)
        return NULL;
    g_array_set_size(causes->told, 0);
    for (unsigned i = 0; i < open->sums.n; i++) {
        const MpiWaitSum *sum = &open->sums.of_cause[i];
        MpiWait wait = sum->longest;
        wait.to_ps = wait.from_ps + sum->ps;
        wait.longest_ps = sum->longest.to_ps - sum->longest.from_ps;
        g_array_append_val(causes->told, wait);
    }
    cut_kept(world, call, open, causes->told);
    open_forget(causes, call, open);
    *n = causes->told->len;
    return (const MpiWait *)(const void *)causes->told->data;
}

static void causes_free(gpointer data)
{
    Causes *causes = data;
    g_hash_table_unref(causes->open);
    g_ptr_array_unref(causes->spare);
    g_hash_table_unref(causes->entries);
    g_array_unref(causes->told);
    while (causes->times)
        times_free(causes->times);
    for (uint32_t i = 0; i < causes->room; i++) {
        if (causes->last[i])
            open_free(causes->last[i]->open);
        g_free(causes->last[i]);
    }
    g_free(causes->last);
    g_free(causes);
}

/* All of them say what they have to say of short ways, too. */
static const MpiHooks hooks = {
    .entered = entered,
    .waits = waits,
    .spent = spent,
    .transmitted = transmitted,
    .handled = handled,
    .delivered = delivered,
    .departed = departed,
    .kept = kept,
    .dropped = dropped,
    .remote = remote,
    .posted_plainly = posted_plainly,
    .matched_plainly = matched_plainly,
    .collective_begun = collective_begun,
    .collective_ended = collective_ended,
};

void mpi_wait_causes_begin(MpiWorld *world, bool sums)
{
    Causes *causes = causes_of(world);
    if (causes) {
        causes->sums = sums;
        return;
    }
    causes = g_malloc0(sizeof *causes + world->room * sizeof *causes->plain);
    causes->sums = sums;
    causes->open = g_hash_table_new_full(NULL, NULL, NULL, open_free);
    causes->spare = g_ptr_array_new_with_free_func(open_free);
    causes->entries = g_hash_table_new_full(entry_hash, entry_equal, g_free, NULL);
    causes->told = g_array_new(FALSE, FALSE, sizeof(MpiWait));
    causes->kept_ps = NEVER;
    causes->last = g_new0(Last *, world->room);
    causes->room = world->room;
    mpi_world_set_slot(world, MPI_SLOT_WAIT_CAUSES, causes, causes_free);
    mpi_hooks_add_short(world, &hooks);
}
