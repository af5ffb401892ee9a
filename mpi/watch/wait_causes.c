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

#define NEVER UINT64_MAX

/* -- names ------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *help;
} rows[] = {
#define MPI_WAIT_CAUSE(identifier, name, help) {name, help},
#include "mpi/waits.def"
};

const char *mpi_wait_name(MpiWaitCause cause)
{
    return rows[cause].name;
}

const char *mpi_wait_help(MpiWaitCause cause)
{
    return rows[cause].help;
}

bool mpi_wait_find(const char *name, MpiWaitCause *cause)
{
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *cause = (MpiWaitCause)i;
        return true;
    }
    return false;
}

/* -- what is kept ------------------------------------------------------------------------------ */

/* When the phases of a message were made, were in the network, and were handled. NEVER: not yet. */
typedef struct Times {
    uint64_t request_sent_ps, request_delivered_ps;
    uint64_t answer_began_ps, permission_sent_ps, permission_delivered_ps;
    uint64_t data_began_ps, data_sent_ps;
    struct Times *next, **link; /* among those of all messages; what points to it */
} Times;

/* What has ended a piece of blocked time. */
typedef struct Reason {
    enum { REASON_NONE, REASON_MESSAGE, REASON_TRANSFER, REASON_ACCESS } sort;
    uint64_t time_ps; /* when it happened to the rank */
    uint64_t came_ps; /* when it came: then the rank may have had no core yet */
    uint64_t id, bytes;
    uint32_t from, to; /* world ranks */
    MpiTransferKind kind;
    bool rendezvous;
    bool daemon; /* a daemon has stored it on its way */
    bool leaves; /* the last byte has left the sender; false: something has arrived */
    uint64_t sent_ps;
    Times times;
} Reason;

typedef struct Open {       /* a call that has waited */
    GArray *parts;          /* MpiWait; of those that are not cut yet, the cause is MPI_WAIT_CAUSES */
    Reason last;            /* the last message that it waited for */
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
    Reason reason; /* the last message that came to the rank */
    MpiWaitCause cause;
    bool from_root;
    uint32_t root;            /* world rank */
    uint64_t root_entered_ps; /* NEVER: not known */
} Ended;

typedef struct Last { /* of a rank */
    Reason reason;
    Ended ended;
} Last;

typedef struct Causes {
    Reason now;                /* the last thing that has happened */
    const MpiMessage *message; /* and its message, if it is one that has been delivered */
    uint64_t kept_ps;    /* the message that is delivered next had come then; NEVER: it comes when it is delivered */
    Last **last;         /* by rank: NULL: nothing */
    uint32_t room;       /* number of them */
    GHashTable *open;    /* MpiCall -> Open; never iterated */
    GHashTable *entries; /* Entry -> itself; never iterated */
    GArray *told;        /* MpiWait: what was returned last */
    Times *times;        /* of the messages that are under way */
    PlainWait plain[];   /* by rank */
} Causes;

static Causes *causes_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_WAIT_CAUSES);
}

static Times *times_of(const MpiMessage *message)
{
    return message->notes[MPI_MESSAGE_NOTE_WAITS];
}

static void open_free(gpointer data)
{
    Open *open = data;
    g_array_unref(open->parts);
    g_free(open);
}

/* -- cutting ----------------------------------------------------------------------------------- */

/* A stretch of time that is being divided, from its beginning on. */
typedef struct Cut {
    GArray *parts;
    uint64_t at_ps, end_ps;
    uint32_t peer;
    uint64_t message;
} Cut;

/* All up to until_ps, as far as it is not divided yet, has this cause. */
static void cut(Cut *cut, uint64_t until_ps, MpiWaitCause cause)
{
    until_ps = MIN(until_ps, cut->end_ps);
    if (until_ps <= cut->at_ps)
        return;
    MpiWait *last = cut->parts->len ? &g_array_index(cut->parts, MpiWait, cut->parts->len - 1) : NULL;
    MpiWait part = {cut->at_ps, until_ps, cause, cut->peer, cut->message};
    if (last && last->to_ps == part.from_ps && last->cause == cause && last->peer == part.peer &&
        last->message == part.message)
        last->to_ps = until_ps;
    else
        g_array_append_val(cut->parts, part);
    cut->at_ps = until_ps;
}

/* Bytes are in the network from sent_ps on, until what happened; then others than the rank have worked on them. */
static void cut_transfer(const MpiWorld *world, Cut *at, const Reason *reason, uint64_t sent_ps, uint64_t bytes)
{
    const MpiEnv *env = &world->env;
    if (!sent_ps) { /* a protocol has sent it in pieces */
        cut(at, NEVER, MPI_WAIT_TRANSFER);
        return;
    }
    if (env->quiet_ps && at->end_ps > at->at_ps) {
        uint64_t quiet_ps =
            env->quiet_ps(env->user, reason->from, reason->to, bytes + world->params.envelope_bytes, reason->leaves);
        cut(at, quiet_ps == NEVER ? reason->came_ps : MIN(sent_ps + quiet_ps, reason->came_ps), MPI_WAIT_TRANSFER);
    }
    cut(at, reason->came_ps,
        reason->daemon  ? MPI_WAIT_HANDSHAKE
        : env->quiet_ps ? MPI_WAIT_CONTENTION
                        : MPI_WAIT_TRANSFER);
    cut(at, reason->time_ps, MPI_WAIT_PROCESSOR);
    cut(at, NEVER, MPI_WAIT_HANDSHAKE);
}

/* A request to send or a permission is in the network. */
static void cut_control(const MpiWorld *world, Cut *at, uint32_t from, uint32_t to, uint64_t sent_ps, uint64_t until_ps)
{
    const MpiEnv *env = &world->env;
    if (env->quiet_ps && MIN(until_ps, at->end_ps) > at->at_ps) {
        uint64_t quiet_ps = env->quiet_ps(env->user, from, to, world->params.envelope_bytes, false);
        if (quiet_ps != NEVER && sent_ps + quiet_ps < until_ps) {
            cut(at, sent_ps + quiet_ps, MPI_WAIT_HANDSHAKE);
            cut(at, until_ps, MPI_WAIT_CONTENTION);
        }
    }
    cut(at, until_ps, MPI_WAIT_HANDSHAKE);
}

/* The causes of waiting for the other side, where they differ between messages of the program and those of
 * collectives. */
typedef struct Sides {
    MpiWaitCause sender, receiver;
} Sides;

/* The receiver has waited. */
static void cut_receiver(const MpiWorld *world, Cut *at, const Reason *reason, Sides sides)
{
    const Times *times = &reason->times;
    if (!reason->rendezvous) {
        cut(at, reason->sent_ps, sides.sender);
        cut_transfer(world, at, reason, reason->sent_ps, reason->bytes);
        return;
    }
    cut(at, times->request_sent_ps, sides.sender);
    cut_control(world, at, reason->from, reason->to, times->request_sent_ps, times->request_delivered_ps);
    cut(at, times->permission_sent_ps, MPI_WAIT_HANDSHAKE);
    cut_control(world, at, reason->to, reason->from, times->permission_sent_ps, times->permission_delivered_ps);
    cut(at, times->data_began_ps, sides.sender);
    cut(at, times->data_sent_ps, MPI_WAIT_HANDSHAKE);
    cut_transfer(world, at, reason, times->data_sent_ps, reason->bytes);
}

/* The sender has waited. */
static void cut_sender(const MpiWorld *world, Cut *at, const Reason *reason, Sides sides)
{
    const Times *times = &reason->times;
    if (reason->rendezvous) {
        cut_control(world, at, reason->from, reason->to, times->request_sent_ps, times->request_delivered_ps);
        cut(at, times->answer_began_ps, sides.receiver);
        cut(at, times->permission_sent_ps, MPI_WAIT_HANDSHAKE);
        cut_control(world, at, reason->to, reason->from, times->permission_sent_ps, times->permission_delivered_ps);
        cut(at, times->data_sent_ps, MPI_WAIT_HANDSHAKE);
    }
    cut_transfer(world, at, reason, reason->sent_ps, reason->bytes);
}

static void cut_message(const MpiWorld *world, Cut *at, const Reason *reason, uint32_t rank, Sides sides)
{
    at->peer = reason->from == rank && reason->to != rank ? reason->to : reason->from;
    at->message = reason->id;
    if (reason->leaves || (reason->from == rank && reason->to != rank))
        cut_sender(world, at, reason, sides);
    else
        cut_receiver(world, at, reason, sides);
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

static Open *open_of(const Causes *causes, const MpiCall *call)
{
    Open *open = g_hash_table_lookup(causes->open, call);
    if (!open) {
        open = g_new0(Open, 1);
        open->parts = g_array_new(FALSE, FALSE, sizeof(MpiWait));
        g_hash_table_insert(causes->open, (gpointer)(uintptr_t)call, open);
    }
    return open;
}

static void collective_begun(MpiWorld *world, MpiCall *call, MpiSchedule *schedule)
{
    const Causes *causes = causes_of(world);
    const MpiCall *starter = call->background ? call->rank->call : call; /* a call that starts it in the background */
    if (starter && starter->name == call->name)
        open_of(causes, starter)->algorithm = schedule->algorithm->name;
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
    const Entry *entry = find_entry(causes, schedule);
    Ended view = {.cause = cause_in_collective(call, schedule), .root_entered_ps = NEVER};
    if (view.cause != MPI_WAIT_COLLECTIVE || !is_from_root(schedule->algorithm->collective) || schedule->plan.remote)
        return view;
    view.from_root = true;
    view.root = mpi_comm_world_rank(schedule->comm, schedule->plan.root);
    view.root_entered_ps = entry && entry->entered ? entry->entered_ps : NEVER;
    return view;
}

static void cut_collective(const MpiWorld *world, Cut *at, uint32_t rank, const Reason *reason, const Ended *view)
{
    bool arrives = !reason->leaves && (reason->to == rank || reason->from != rank);
    if (view->from_root && arrives && view->root != rank) {
        at->peer = view->root;
        at->message = reason->id;
        cut(at, MIN(reason->rendezvous ? reason->times.request_sent_ps : reason->sent_ps, view->root_entered_ps),
            MPI_WAIT_LATE_BROADCAST);
    }
    cut_message(world, at, reason, rank, (Sides){view->cause, view->cause});
}

static Last *last_of(Causes *causes, uint32_t rank)
{
    if (!causes->last[rank])
        causes->last[rank] = g_new0(Last, 1);
    return causes->last[rank];
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

/* Functions of the program have run, and the call goes on. Its time does not show that yet. */
static void entered(MpiWorld *world, const MpiRank *rank)
{
    const MpiCall *call = rank->call;
    uint64_t now_ps = call ? vm_clock_now(vm_rank_clock(rank->process)) : 0;
    if (!call || now_ps <= call->now)
        return;
    Cut at = {
        .parts = open_of(causes_of(world), call)->parts, .at_ps = call->now, .end_ps = now_ps, .peer = UINT32_MAX};
    cut(&at, NEVER, MPI_WAIT_PROGRAM);
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
static void cut_packet(const MpiWorld *world, Cut *at, const MpiCall *call, const Reason *reason)
{
    at->peer = reason->to == call->rank->index ? reason->from : reason->to;
    at->message = reason->id;
    switch (reason->kind) {
    case MPI_TRANSFER_POST:
        cut(at, reason->sent_ps, MPI_WAIT_LATE_RECEIVER);
        cut(at, NEVER, MPI_WAIT_HANDSHAKE);
        return;
    case MPI_TRANSFER_CREDIT: cut(at, NEVER, MPI_WAIT_CREDITS); return;
    case MPI_TRANSFER_ACKNOWLEDGEMENT: /* nothing else has come before: it was sent when the receiver was there */
        cut(at, at->parts->len ? 0 : reason->sent_ps, MPI_WAIT_LATE_RECEIVER);
        cut(at, NEVER, MPI_WAIT_HANDSHAKE);
        return;
    default:
        cut(at, reason->sent_ps, MPI_WAIT_LATE_SENDER);
        cut_transfer(world, at, reason, reason->sent_ps, reason->bytes);
    }
}

/* The rank goes on from something that was told earlier: a collective in the background has come to its end, or others
 * have worked on a message for the rank. Returns false if it is neither. */
static bool cut_earlier(const MpiWorld *world, Cut *at, const MpiCall *call)
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
    cut_message(world, at, &last->reason, call->rank->index, (Sides){MPI_WAIT_LATE_SENDER, MPI_WAIT_LATE_RECEIVER});
    return true;
}

static void cut_other(const MpiWorld *world, Cut *at, const MpiCall *call, const Open *open)
{
    MpiWaitCause cause = cause_of_call(call, open);
    if (cause != MPI_WAIT_OTHER || !cut_earlier(world, at, call))
        cut(at, NEVER, cause);
}

/* A message of the usual protocol ends a piece. */
static void cut_by_message(MpiWorld *world, Cut *at, const MpiCall *call, Open *open)
{
    const Causes *causes = causes_of(world);
    const MpiSchedule *schedule = schedule_of(call, causes->message);
    if (schedule) {
        Ended view = view_of(causes, call, schedule);
        cut_collective(world, at, call->rank->index, &causes->now, &view);
        return;
    }
    cut(at, NEVER, MPI_WAIT_CAUSES);
    if (open->last.sort == REASON_NONE || !causes->message || is_awaited(call, request_of(causes->message)))
        open->last = causes->now;
}

static void spent(MpiWorld *world, const MpiCall *call, MpiActivity activity, uint64_t from_ps)
{
    Causes *causes = causes_of(world);
    const Reason *reason = &causes->now;
    if (activity != MPI_ACTIVITY_BLOCKED || call->local)
        return;
    Open *open = open_of(causes, call);
    Cut at = {.parts = open->parts, .at_ps = from_ps, .end_ps = call->now, .peer = UINT32_MAX};
    bool told = reason->sort != REASON_NONE && reason->time_ps == call->now && !call->engine.finishing;
    if (open->held && !is_held(world, open->held))
        open->held = NULL;
    if (open->held && !call->engine.finishing)
        cut(&at, NEVER, MPI_WAIT_CREDITS);
    else if (!told || call->remote.win || (reason->sort == REASON_TRANSFER && !reason->kind))
        cut_other(world, &at, call, open);
    else if (reason->sort == REASON_TRANSFER)
        cut_packet(world, &at, call, reason);
    else
        cut_by_message(world, &at, call, open);
}

/* -- what happens to messages ------------------------------------------------------------------ */

static Times *times_new(Causes *causes, uint64_t now_ps)
{
    Times *times = g_new(Times, 1);
    *times = (Times){now_ps, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, causes->times, &causes->times};
    if (times->next)
        times->next->link = &times->next;
    causes->times = times;
    return times;
}

static void times_free(Times *times)
{
    *times->link = times->next;
    if (times->next)
        times->next->link = times->link;
    g_free(times);
}

static void transmitted(MpiWorld *world, const MpiCall *call, const MpiMessage *message, unsigned phase,
                        uint64_t began_ps)
{
    Times *times = times_of(message);
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
    Times *times = times_of(message);
    (void)world, (void)call;
    if (!times)
        return;
    if (message->phase == MPI_PHASE_RTS)
        times->answer_began_ps = began_ps;
    else if (message->phase == MPI_PHASE_CTS)
        times->data_began_ps = began_ps;
}

static Reason reason_of(const MpiMessage *message, uint64_t time_ps)
{
    const Times *times = times_of(message);
    Reason reason = {.sort = REASON_MESSAGE,
                     .time_ps = time_ps,
                     .came_ps = time_ps,
                     .id = message->id,
                     .bytes = message->bytes,
                     .from = message->from,
                     .to = message->to,
                     .rendezvous = times != NULL,
                     .daemon = message->from_daemon,
                     .sent_ps = message->sent_ps};
    if (times)
        reason.times = *times;
    return reason;
}

static void delivered(MpiWorld *world, const MpiMessage *message, uint64_t time_ps)
{
    Causes *causes = causes_of(world);
    Times *times = times_of(message);
    if (times && message->phase == MPI_PHASE_RTS)
        times->request_delivered_ps = time_ps;
    if (times && message->phase == MPI_PHASE_CTS)
        times->permission_delivered_ps = time_ps;
    causes->now = reason_of(message, time_ps);
    if (causes->kept_ps != NEVER)
        causes->now.came_ps = causes->kept_ps;
    causes->kept_ps = NEVER;
    causes->message = message;
    last_of(causes, message->phase == MPI_PHASE_CTS ? message->from : message->to)->reason = causes->now;
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
    causes->now = reason_of(message, time_ps);
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
    causes->now = (Reason){.sort = REASON_TRANSFER,
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
    Reason reason = {.time_ps = wait->from_ps + blocked_ps,
                     .came_ps = wait->from_ps + blocked_ps,
                     .from = wait->from,
                     .to = call->rank->index,
                     .id = wait->id,
                     .bytes = wait->bytes,
                     .sent_ps = wait->sent_ps};
    g_array_set_size(causes->told, 0);
    Cut at = {.parts = causes->told, .at_ps = wait->from_ps, .end_ps = wait->from_ps + blocked_ps};
    cut_message(world, &at, &reason, reason.to, (Sides){MPI_WAIT_LATE_SENDER, MPI_WAIT_LATE_RECEIVER});
    *n = causes->told->len;
    return (const MpiWait *)(const void *)causes->told->data;
}

/* Cuts what is still whole. */
static void cut_kept(MpiWorld *world, const MpiCall *call, const Open *open, GArray *out)
{
    for (guint i = 0; i < open->parts->len; i++) {
        const MpiWait *part = &g_array_index(open->parts, MpiWait, i);
        if (part->cause != MPI_WAIT_CAUSES) {
            g_array_append_vals(out, part, 1);
            continue;
        }
        Cut at = {.parts = out, .at_ps = part->from_ps, .end_ps = part->to_ps, .peer = UINT32_MAX};
        cut_message(world, &at, &open->last, call->rank->index, (Sides){MPI_WAIT_LATE_SENDER, MPI_WAIT_LATE_RECEIVER});
    }
}

const char *mpi_wait_causes_algorithm(const MpiWorld *world, const MpiCall *call)
{
    const Causes *causes = causes_of(world);
    const Open *open = causes ? g_hash_table_lookup(causes->open, call) : NULL;
    return open ? open->algorithm : NULL;
}

const MpiWait *mpi_wait_causes_of(MpiWorld *world, const MpiCall *call, unsigned *n)
{
    Causes *causes = causes_of(world);
    const Open *open = causes ? g_hash_table_lookup(causes->open, call) : NULL;
    *n = 0;
    if (!open)
        return NULL;
    g_array_set_size(causes->told, 0);
    cut_kept(world, call, open, causes->told);
    g_hash_table_remove(causes->open, call);
    *n = causes->told->len;
    return (const MpiWait *)(const void *)causes->told->data;
}

static void causes_free(gpointer data)
{
    Causes *causes = data;
    g_hash_table_unref(causes->open);
    g_hash_table_unref(causes->entries);
    g_array_unref(causes->told);
    while (causes->times)
        times_free(causes->times);
    for (uint32_t i = 0; i < causes->room; i++)
        g_free(causes->last[i]);
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

void mpi_wait_causes_begin(MpiWorld *world)
{
    if (causes_of(world))
        return;
    Causes *causes = g_malloc0(sizeof *causes + world->room * sizeof *causes->plain);
    causes->open = g_hash_table_new_full(NULL, NULL, NULL, open_free);
    causes->entries = g_hash_table_new_full(entry_hash, entry_equal, g_free, NULL);
    causes->told = g_array_new(FALSE, FALSE, sizeof(MpiWait));
    causes->kept_ps = NEVER;
    causes->last = g_new0(Last *, world->room);
    causes->room = world->room;
    mpi_world_set_slot(world, MPI_SLOT_WAIT_CAUSES, causes, causes_free);
    mpi_hooks_add_short(world, &hooks);
}
