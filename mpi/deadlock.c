/* deadlock.c - nothing can move any more: who waits for whom, where, and what may have been meant.
 *
 * Each blocked rank gets a line: place, call, what it waits for. For the cycle each rank has at most one arrow, to the
 * rank that it cannot go on without: the peer of the first operation it waits for, or, in a collective, the first
 * member that has not come to it. A receive from any source has an arrow only if one other rank exists. Following
 * arrows from each rank, in order of ranks, finds every cycle once.
 *
 * All this happens once per run at most, so it may look at every rank. */
#include "mpi/engine.h"

#include <string.h>

enum { LINES_LIMIT = 64, HINTS_LIMIT = 16, FEW = 16, LONGEST_RANKS = 60, MOST_TOLD = 1 << 16 };
enum { NOBODY = -1 };

/* -- whom a rank waits for ------------------------------------------------------------------------------ */

static bool is_blocked(const MpiRank *rank)
{
    return rank && !rank->exited && rank->call && rank->call->blocked && !rank->call->finishing;
}

/* The rank's view of the communicator with this context, or NULL. */
const MpiComm *mpi_find_comm(const MpiRank *rank, uint32_t context)
{
    if (rank->world_comm && rank->world_comm->context == context)
        return rank->world_comm;
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (entry->object && entry->kind == MPI_KIND_COMM && ((const MpiComm *)entry->object)->context == context)
            return entry->object;
    }
    return NULL;
}

/* Whether the member has begun the collective operation with this number. */
static bool has_entered(const MpiRank *rank, const MpiSchedule *schedule)
{
    const MpiComm *comm = mpi_find_comm(rank, schedule->comm->context);
    return comm && comm->collective_sequence > schedule->sequence;
}

/* How many members of the group are missing in the collective; the first of them, if there was none before. */
static uint32_t missing_in(const MpiRank *rank, const MpiSchedule *schedule, const MpiGroup *group, int64_t *first)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < group->size; i++) {
        uint32_t member = mpi_group_world_rank(group, i);
        if (has_entered(mpi_world_rank(rank->world, member), schedule))
            continue;
        if (!missing++ && *first == NOBODY)
            *first = member;
    }
    return missing;
}

/* Who is missing in the collective that was asked for last: of a million members all ask the same. */
typedef struct Roll {
    bool called, low;
    MpiOccasion at;
    uint32_t missing;
    int64_t first;
} Roll;

static uint32_t missing_members(const MpiRank *rank, const MpiSchedule *schedule, Roll *roll, int64_t *first)
{
    const MpiComm *comm = schedule->comm;
    MpiOccasion at = {comm->context, schedule->sequence};
    bool low = comm->inter && comm->inter->low;
    if (!roll->called || !mpi_occasion_equal(&roll->at, &at) || roll->low != low) {
        *roll = (Roll){.called = true, .low = low, .at = at, .first = NOBODY};
        roll->missing = missing_in(rank, schedule, comm->group, &roll->first);
        if (comm->inter)
            roll->missing += missing_in(rank, schedule, comm->inter->remote, &roll->first);
    }
    *first = roll->first;
    return roll->missing;
}

static int64_t request_peer(const MpiRequest *request)
{
    if (request->sort == MPI_REQUEST_GENERAL)
        return NOBODY;
    if (request->sort == MPI_REQUEST_RECEIVE && request->message)
        return request->message->from;
    if (request->peer >= 0)
        return mpi_comm_world_rank(request->comm, (uint32_t)request->peer);
    const MpiGroup *group = mpi_comm_peers(request->comm); /* any source */
    if (request->comm->inter && group->size == 1)
        return mpi_group_world_rank(group, 0);
    if (group->size != 2)
        return NOBODY;
    uint32_t other = mpi_group_world_rank(group, 0);
    return other == request->owner->index ? mpi_group_world_rank(group, 1) : other;
}

static const MpiRequest *first_wait(const MpiRank *rank)
{
    const MpiCall *call = rank->call;
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        if (mpi_request_pending(request) &&
            (request->waiter == call || (call->schedule && request->schedule == call->schedule)))
            return mpi_request_awaited(request);
    return NULL;
}

/* The collective that the rank waits for: the one that it has called, or one in the background. NULL: none. */
static const MpiSchedule *awaited_schedule(const MpiRank *rank)
{
    if (rank->call->schedule)
        return rank->call->schedule;
    const MpiRequest *request = first_wait(rank);
    return request && request->sort == MPI_REQUEST_COLLECTIVE ? mpi_operation_schedule(request->operation) : NULL;
}

/* The first message of the collective that has not come or gone. */
static const MpiRequest *first_step(const MpiSchedule *schedule)
{
    for (uint32_t i = 0; i < schedule->round.n_messages; i++)
        if (schedule->requests[i] && mpi_request_pending(schedule->requests[i]))
            return schedule->requests[i];
    return NULL;
}

static int64_t waits_for(const MpiRank *rank, Roll *roll)
{
    int64_t peer;
    const MpiSchedule *schedule = awaited_schedule(rank);
    if (schedule && missing_members(rank, schedule, roll, &peer))
        return peer;
    if (rank->probing) {
        const MpiComm *comm = mpi_find_comm(rank, rank->probe_key.space >> 1);
        return comm && rank->probe_key.source >= 0
                   ? (int64_t)mpi_comm_world_rank(comm, (uint32_t)rank->probe_key.source)
                   : NOBODY;
    }
    const MpiRequest *request = schedule ? first_step(schedule) : first_wait(rank);
    return request ? request_peer(request) : NOBODY;
}

/* -- lines ----------------------------------------------------------------------------------------------------- */

/* "in MPI_Recv at x.c:12", "which has ended", ... */
static void append_whereabouts(GString *out, const MpiRank *rank)
{
    if (rank->exited) {
        g_string_append(out, rank->state == MPI_RANK_ACTIVE ? "which has ended without calling MPI_Finalize"
                                                            : "which has ended");
    } else if (rank->state == MPI_RANK_FINALIZED) {
        g_string_append(out, "which has called MPI_Finalize");
    } else if (rank->call) {
        g_string_append(out, "which is at ");
        mpi_append_place(out, rank->process, rank->call->pc);
        g_string_append_printf(out, " in %s", rank->call->name);
        if (rank->call->schedule) {
            g_string_append(out, " on ");
            mpi_append_comm(out, rank->call->schedule->comm);
        }
    } else {
        g_string_append(out, "which computes");
    }
}

static void append_collective(GString *out, const MpiRank *rank, Roll *roll)
{
    const MpiSchedule *schedule = awaited_schedule(rank);
    int64_t first;
    uint32_t missing = missing_members(rank, schedule, roll, &first);
    if (!missing) {
        const MpiRequest *request = first_step(schedule);
        g_string_append(out, ": all members have called it");
        if (request)
            g_string_append_printf(out, "; waits for a message %s rank %d",
                                   request->sort == MPI_REQUEST_RECEIVE ? "from" : "to be taken by", request->peer);
        return;
    }
    const char *verb = rank->call->schedule ? " waits for" : "; missing is"; /* of a request: it has been said */
    g_string_append_printf(out, "%s rank %" G_GINT64_FORMAT ", ", verb, first);
    append_whereabouts(out, mpi_world_rank(rank->world, (uint32_t)first));
    if (missing > 1)
        g_string_append_printf(out, ", and %u more that %s not called it", missing - 1, missing == 2 ? "has" : "have");
}

/* "x.c:8: MPI_Recv waits for a message from rank 3, tag 7, MPI_COMM_WORLD" */
static void append_state(GString *out, const MpiRank *rank, Roll *roll)
{
    mpi_append_place(out, rank->process, rank->call->pc);
    g_string_append(out, ": ");
    mpi_append_call(out, rank->call);
    if (awaited_schedule(rank))
        append_collective(out, rank, roll);
}

/* Blocked ranks of which the same can be said. */
typedef struct Crowd {
    char *state;
    GString *ranks; /* "0-2, 5": but for the last run of them */
    uint32_t first, last, count;
} Crowd;

static void crowd_free(gpointer data)
{
    Crowd *crowd = data;
    g_free(crowd->state);
    g_string_free(crowd->ranks, TRUE);
    g_free(crowd);
}

static void crowd_append_run(Crowd *crowd)
{
    if (crowd->ranks->len > LONGEST_RANKS)
        return;
    g_string_append_printf(crowd->ranks, "%s%u", crowd->ranks->len ? ", " : "", crowd->first);
    if (crowd->last > crowd->first)
        g_string_append_printf(crowd->ranks, "%s%u", crowd->last == crowd->first + 1 ? ", " : "-", crowd->last);
}

static void crowd_add(GPtrArray *crowds, GHashTable *by_state, uint32_t rank, char *state, bool alone)
{
    Crowd *crowd = alone ? NULL : g_hash_table_lookup(by_state, state);
    if (!crowd) {
        crowd = g_new0(Crowd, 1);
        *crowd = (Crowd){.state = state, .ranks = g_string_new(NULL), .first = rank};
        g_ptr_array_add(crowds, crowd);
        g_hash_table_insert(by_state, state, crowd);
    } else {
        g_free(state);
        if (rank != crowd->last + 1) {
            crowd_append_run(crowd);
            crowd->first = rank;
        }
    }
    crowd->last = rank;
    crowd->count++;
}

static void append_crowd(GString *out, Crowd *crowd)
{
    crowd_append_run(crowd);
    g_string_append_printf(out, "  rank%s %s", crowd->count == 1 ? "" : "s", crowd->ranks->str);
    if (crowd->ranks->len > LONGEST_RANKS)
        g_string_append_printf(out, ", ... (%u ranks)", crowd->count);
    g_string_append_printf(out, ": %s\n", crowd->state);
}

static uint32_t count_blocked(const MpiWorld *world)
{
    uint32_t blocked = 0;
    for (uint32_t i = 0; i < world->n_ranks; i++)
        blocked += is_blocked(mpi_world_rank(world, i));
    return blocked;
}

/* Each rank in a line of its own where they are few, else those of which the same can be said. */
static void append_lines(MpiWorld *world, GString *out, Roll *roll)
{
    GPtrArray *crowds = g_ptr_array_new_with_free_func(crowd_free);
    g_autoptr(GHashTable) by_state = g_hash_table_new(g_str_hash, g_str_equal);
    uint32_t blocked = count_blocked(world), told = 0;
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        const MpiRank *rank = mpi_world_rank(world, i);
        if (!is_blocked(rank) || (crowds->len > LINES_LIMIT && told >= MOST_TOLD))
            continue;
        told++;
        GString *state = g_string_new(NULL);
        append_state(state, rank, roll);
        crowd_add(crowds, by_state, i, g_string_free(state, FALSE), blocked <= FEW);
    }
    uint32_t shown = 0;
    for (guint i = 0; i < MIN(crowds->len, LINES_LIMIT); i++) {
        Crowd *crowd = g_ptr_array_index(crowds, i);
        append_crowd(out, crowd);
        shown += crowd->count;
    }
    if (blocked > shown)
        g_string_append_printf(out, "  ... and %u more blocked ranks\n", blocked - shown);
    g_ptr_array_unref(crowds);
}

/* -- cycles -------------------------------------------------------------------------------------------------------- */

static void append_cycle(GString *out, const int64_t *arrows, uint32_t start)
{
    uint32_t at = start, shown = 0;
    g_string_append_printf(out, "  cycle: %u", start);
    do {
        at = (uint32_t)arrows[at];
        if (++shown <= LINES_LIMIT || at == start)
            g_string_append_printf(out, " -> %u", at);
        else if (shown == LINES_LIMIT + 1)
            g_string_append(out, " -> ...");
    } while (at != start);
    g_string_append_c(out, '\n');
}

static bool is_gone(const MpiRank *rank)
{
    return rank->exited || rank->state == MPI_RANK_FINALIZED;
}

/* Arrows to ranks that will never come; collectives have said it in their lines. */
static bool append_gone(MpiWorld *world, GString *out, const int64_t *arrows)
{
    uint32_t lines = 0;
    bool gone = false;
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        if (arrows[i] == NOBODY || !is_gone(mpi_world_rank(world, arrows[i])))
            continue;
        gone = true;
        if (awaited_schedule(mpi_world_rank(world, i)) || lines++ >= HINTS_LIMIT)
            continue;
        g_string_append_printf(out, "  rank %u waits for rank %" G_GINT64_FORMAT ", ", i, arrows[i]);
        append_whereabouts(out, mpi_world_rank(world, arrows[i]));
        g_string_append_c(out, '\n');
    }
    return gone;
}

/* -- what to do about it ------------------------------------------------------------------------------------------ */

/* What the ranks of a cycle wait for. */
enum { FOR_MESSAGE = 1, FOR_RECEIVER = 2, FOR_COLLECTIVE = 4, FOR_LEADER = 8 };

static unsigned what_for(const MpiRank *rank)
{
    if (awaited_schedule(rank))
        return FOR_COLLECTIVE;
    if (rank->call->function == MPI_FUNCTION_Intercomm_create)
        return FOR_LEADER;
    const MpiRequest *request = first_wait(rank);
    return request && request->sort == MPI_REQUEST_SEND ? FOR_RECEIVER : FOR_MESSAGE;
}

static const char *advice(unsigned what)
{
    if (what & FOR_LEADER)
        return "the leaders of both groups must name each other and the same tag (argument 5 of MPI_Intercomm_create)";
    switch (what) {
    case FOR_MESSAGE:
        return "all of them receive before they send; let one side send first, or receive with MPI_Irecv and wait for "
               "it after sending";
    case FOR_RECEIVER:
        return "all of them send before they receive; use MPI_Sendrecv, start receives with MPI_Irecv before sending, "
               "or let one side receive first";
    case FOR_COLLECTIVE:
        return "they are in different collectives; call those of all communicators in the same order on all ranks";
    case FOR_MESSAGE | FOR_RECEIVER:
        return "bring sends and receives into an order in which each send finds its receive, or start receives with "
               "MPI_Irecv before sending";
    default:
        return "a message that one of them needs is sent or received only behind the collective; do both before it, or "
               "both after it";
    }
}

static void append_advice(GString *out, const char *text)
{
    g_string_append_printf(out, "  to mend it: %s\n", text);
}

static unsigned cycle_what(const MpiWorld *world, const int64_t *arrows, uint32_t start)
{
    unsigned what = 0;
    uint32_t at = start;
    do {
        what |= what_for(mpi_world_rank(world, at));
        at = (uint32_t)arrows[at];
    } while (at != start);
    return what;
}

/* Each walk marks what it passes with its own number: coming upon the own mark closes a cycle. Answers a set of what
 * cycles wait for: bit `what` of each. */
static unsigned append_cycles(MpiWorld *world, GString *out, const int64_t *arrows)
{
    g_autofree uint32_t *mark = g_new0(uint32_t, world->n_ranks);
    unsigned found = 0;
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        int64_t at = i;
        while (at != NOBODY && !mark[at]) {
            mark[at] = i + 1;
            at = arrows[at];
        }
        if (at == NOBODY || mark[at] != i + 1)
            continue;
        append_cycle(out, arrows, (uint32_t)at);
        found |= 1u << cycle_what(world, arrows, (uint32_t)at);
    }
    return found;
}

/* -- hints: messages that nobody takes -------------------------------------------------------------------------- */

/* A message whose source fits what the rank waits for, but whose tag or communicator does not. */
static void append_hint(GString *out, const MpiRank *rank, const MpiMessage *message)
{
    const MpiComm *comm = mpi_find_comm(rank, message->item.key.space >> 1);
    g_string_append_printf(out, "  rank %u has an unreceived message from rank %u with tag %d", rank->index,
                           message->from, message->item.key.tag);
    if (comm && comm != rank->world_comm) {
        g_string_append(out, " on ");
        mpi_append_comm(out, comm);
    }
    g_string_append(out, ", sent at ");
    mpi_append_place(out, mpi_world_rank(rank->world, message->from)->process, message->sent_pc);
    const MpiRequest *wait = first_wait(rank);
    if (wait && wait->sort == MPI_REQUEST_RECEIVE && !wait->collective && !wait->message) {
        bool same_comm = wait->comm->context == message->item.key.space >> 1;
        bool same_source = wait->peer == MPI_ANY_SOURCE_ || wait->peer == message->item.key.source;
        if (same_comm && same_source)
            g_string_append(out, ": did you mean that tag?");
        else if (same_comm && (wait->tag == MPI_ANY_TAG_ || wait->tag == message->item.key.tag))
            g_string_append(out, ": did you mean that source?");
        else if (!same_comm && (wait->tag == MPI_ANY_TAG_ || wait->tag == message->item.key.tag))
            g_string_append(out, ": did you mean that communicator?");
    }
    g_string_append_c(out, '\n');
}

/* A rank that waits for no message misses none. */
static bool wants_message(const MpiRank *rank)
{
    const MpiRequest *wait = is_blocked(rank) ? first_wait(rank) : NULL;
    return is_blocked(rank) && (rank->probing || (wait && wait->sort == MPI_REQUEST_RECEIVE));
}

static uint32_t append_hints(MpiWorld *world, GString *out)
{
    uint32_t hints = 0;
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        const MpiRank *rank = mpi_world_rank(world, i);
        for (const MpiItem *item = wants_message(rank) ? rank->matcher.oldest : NULL; item; item = item->next) {
            if (((const MpiMessage *)item)->collective || hints++ >= HINTS_LIMIT)
                continue;
            append_hint(out, rank, (const MpiMessage *)item);
        }
    }
    return hints;
}

/* Whether a rank waits for a message from anybody. */
static bool awaits_anybody(MpiWorld *world, const int64_t *arrows)
{
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (arrows[i] == NOBODY && is_blocked(mpi_world_rank(world, i)) &&
            what_for(mpi_world_rank(world, i)) == FOR_MESSAGE)
            return true;
    return false;
}

void mpi_world_explain_deadlock(MpiWorld *world, bool in_network, GString *out)
{
    g_autofree int64_t *arrows = g_new(int64_t, world->n_ranks);
    Roll roll = {0};
    for (uint32_t i = 0; i < world->n_ranks; i++)
        arrows[i] = is_blocked(mpi_world_rank(world, i)) ? waits_for(mpi_world_rank(world, i), &roll) : NOBODY;
    g_string_append(out, "deadlock: no rank can go on\n");
    append_lines(world, out, &roll);
    if (in_network)
        return;
    unsigned cycles = append_cycles(world, out, arrows);
    bool gone = append_gone(world, out, arrows);
    if (append_hints(world, out))
        return; /* that says enough */
    for (unsigned what = 0; what < 16; what++)
        if (cycles & 1u << what)
            append_advice(out, advice(what));
    if (gone)
        append_advice(out, "a rank that ends must first have sent, received and called all that others wait for");
    if (!gone && !cycles && awaits_anybody(world, arrows))
        append_advice(out, "whoever could send such a message waits as well; let one of them send before it receives");
}
