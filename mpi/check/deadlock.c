/* deadlock.c - explains a deadlock: who waits for whom, where, and what the mistake may be.
 *
 * Each blocked rank gets a line: source location, call, what it waits for. So does each blocked thread of a rank that
 * has several; both are *waiters* here. For finding cycles each waiter has at most one arrow, to the rank that it
 * cannot go on without. That is the peer of the first operation that it waits for, or the first member that has not
 * entered the collective. A receive from any source has an arrow only if there is just one other rank. An arrow to a
 * rank goes on from its first waiter. Following the arrows from each waiter, in order, finds every cycle once. Then
 * come causes (causes.c) and advice.
 *
 * All this happens at most once per run, so it may look at every rank. */
#include "mpi/check/check.h"
#include "mpi/check/waits.h"
#include "mpi/collective/exchange.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

#include <string.h>

enum { LINES_LIMIT = 64, CAUSES_LIMIT = 16, FEW = 16, MOST_TOLD = 1 << 16, MOST_WANTS = 16 };
enum { GROUPS = 4 }; /* number of groups of missing members that are listed separately */

/* -- waiters ----------------------------------------------------------------------------------- */

/* A thread that is blocked in MPI. What is said of it is asked while the rank's focus is on it. */
typedef struct Waiter {
    MpiRank *rank;
    uint32_t thread;
    int64_t arrow; /* the rank that it waits for, or MPI_NOBODY */
} Waiter;

typedef struct Waiters {
    GArray *all;     /* Waiter, by rank and thread */
    uint32_t *first; /* by rank: 1 + its first waiter; 0: none */
} Waiters;

static Waiter *waiter_at(const Waiters *waiters, uint32_t i)
{
    return &g_array_index(waiters->all, Waiter, i);
}

static const MpiRank *focus(const Waiter *waiter)
{
    if (waiter->rank->threads)
        mpi_threads_focus(waiter->rank, waiter->thread);
    return waiter->rank;
}

static void waiters_find(Waiters *waiters, MpiWorld *world)
{
    waiters->all = g_array_new(FALSE, FALSE, sizeof(Waiter));
    waiters->first = g_new0(uint32_t, world->n_ranks);
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        Waiter waiter = {mpi_world_rank(world, i), 0, MPI_NOBODY};
        for (; !waiter.rank->exited && mpi_threads_next_blocked(waiter.rank, &waiter.thread); waiter.thread++) {
            g_array_append_val(waiters->all, waiter);
            if (!waiters->first[i])
                waiters->first[i] = waiters->all->len;
        }
    }
}

static void waiters_clear(Waiters *waiters)
{
    g_array_unref(waiters->all);
    g_free(waiters->first);
}

static uint64_t thread_id(const Waiter *waiter)
{
    const MpiEnv *env = &waiter->rank->world->env;
    return env->thread_id ? env->thread_id(env->user, waiter->rank->index, waiter->thread) : waiter->thread + 1;
}

/* -- members that are missing in a collective -------------------------------------------------- */

/* Where a missing rank is. */
typedef struct Whereabouts {
    bool gone, exited, active, calls, threads;
    uint32_t pc, context;
    const char *name;
} Whereabouts;

typedef struct Absent { /* ranks that are at one location */
    Whereabouts at;
    const MpiRank *one;
    MpiRankList ranks;
} Absent;

/* The call of a rank with several threads is that of the first one that is blocked, where the focus goes. */
static Whereabouts whereabouts(MpiRank *rank)
{
    uint32_t first = 0;
    if (rank->threads && !mpi_waits_gone(rank))
        (void)mpi_threads_next_blocked(rank, &first);
    const MpiCall *call = mpi_waits_gone(rank) ? NULL : rank->call;
    return (Whereabouts){.gone = mpi_waits_gone(rank),
                         .threads = rank->threads,
                         .exited = rank->exited,
                         .active = rank->state == MPI_RANK_ACTIVE,
                         .calls = call,
                         .pc = call ? call->pc : 0,
                         .context =
                             call && call->collective.schedule ? call->collective.schedule->comm->context + 1 : 0,
                         .name = call ? call->name : NULL};
}

static bool same_place(const Whereabouts *a, const Whereabouts *b)
{
    return a->gone == b->gone && a->exited == b->exited && a->active == b->active && a->calls == b->calls &&
           a->threads == b->threads && a->pc == b->pc && a->context == b->context && a->name == b->name;
}

/* Appends for example "rank 1, which is at x.c:8 in MPI_Recv" or "ranks 2-7, which have ended". */
static void append_absent(GString *out, const Absent *absent)
{
    const MpiRank *rank = absent->one;
    bool many = absent->ranks.count > 1;
    mpi_rank_list_append(&absent->ranks, out);
    g_string_append(out, ", which ");
    if (absent->at.gone) {
        mpi_describe_gone(out, rank, many);
    } else if (absent->at.calls) {
        g_string_append(out, many ? "are at " : "is at ");
        mpi_append_place(out, rank->process, rank->call->pc);
        g_string_append_printf(out, " in %s", rank->call->name);
        if (rank->call->collective.schedule) {
            g_string_append(out, " on ");
            mpi_append_comm(out, rank->call->collective.schedule->comm);
        }
    } else if (absent->at.threads) {
        g_string_append(out, many ? "wait for their own threads" : "waits for its own threads");
    } else {
        g_string_append(out, many ? "compute" : "computes");
    }
}

static char *describe_missing(const MpiWorld *world, const GArray *missing)
{
    Absent absent[GROUPS] = {0};
    unsigned n = 0, more = 0;
    for (guint i = 0; i < missing->len; i++) {
        MpiRank *rank = mpi_world_rank(world, g_array_index(missing, uint32_t, i));
        Whereabouts at = whereabouts(rank);
        unsigned g = 0;
        while (g < n && !same_place(&absent[g].at, &at))
            g++;
        if (g == GROUPS) {
            more++;
            continue;
        }
        if (g == n) {
            absent[n].at = at;
            absent[n++].one = rank;
        }
        mpi_rank_list_add(&absent[g].ranks, rank->index);
    }
    GString *out = g_string_new(NULL);
    for (unsigned g = 0; g < n; g++) {
        g_string_append(out, !g ? "" : g + 1 == n && !more ? ", and " : ", ");
        append_absent(out, &absent[g]);
        mpi_rank_list_clear(&absent[g].ranks);
    }
    if (more)
        g_string_append_printf(out, ", and %u more", more);
    return g_string_free(out, FALSE);
}

static void append_collective(GString *out, const MpiRank *rank, MpiRoll *roll)
{
    const MpiSchedule *schedule = mpi_waits_schedule(rank);
    const GArray *missing = mpi_waits_missing(rank, schedule, roll);
    if (!missing->len) {
        const MpiRequest *request = mpi_waits_first_step(schedule);
        g_string_append(out, ": all members have called it");
        if (request)
            g_string_append_printf(out, "; waits for a message %s rank %d",
                                   request->sort == MPI_REQUEST_RECEIVE ? "from" : "to be taken by", request->peer);
        return;
    }
    if (!roll->text)
        roll->text = describe_missing(rank->world, missing);
    const char *verb = rank->call->collective.schedule ? " waits for"
                       : missing->len == 1             ? "; missing is"
                                                       : "; missing are";
    g_string_append_printf(out, "%s %s", verb, roll->text);
}

/* -- lines ------------------------------------------------------------------------------------- */

/* Appends for example "x.c:8: MPI_Recv waits for a message from rank 3, tag 7, MPI_COMM_WORLD", after the thread if the
 * rank has several. */
static void append_state(GString *out, const Waiter *waiter, MpiRoll *roll)
{
    const MpiRank *rank = focus(waiter);
    if (rank->threads)
        g_string_append_printf(out, "thread %" G_GUINT64_FORMAT ": ", thread_id(waiter));
    mpi_append_place(out, rank->process, rank->call->pc);
    g_string_append(out, ": ");
    mpi_describe_call(out, rank->call);
    if (mpi_waits_schedule(rank))
        append_collective(out, rank, roll);
}

/* Ranks with the same state or the same cause. */
typedef struct Crowd {
    char *state;
    const MpiCause *cause; /* NULL: `state` describes a state, not a cause */
    MpiRankList ranks;
} Crowd;

static void crowd_free(gpointer data)
{
    Crowd *crowd = data;
    g_free(crowd->state);
    mpi_rank_list_clear(&crowd->ranks);
    g_free(crowd);
}

/* Adds a rank to the crowd with this state. Takes the state. */
static Crowd *crowd_add(GPtrArray *crowds, GHashTable *by_state, uint32_t rank, char *state, bool alone)
{
    Crowd *crowd = alone ? NULL : g_hash_table_lookup(by_state, state);
    if (!crowd) {
        crowd = g_new0(Crowd, 1);
        crowd->state = state;
        g_ptr_array_add(crowds, crowd);
        g_hash_table_insert(by_state, state, crowd);
    } else {
        g_free(state);
    }
    mpi_rank_list_add(&crowd->ranks, rank);
    return crowd;
}

/* Appends a line for each waiter if there are few, else a line for each group of ranks with the same state. */
static void append_lines(const Waiters *waiters, GString *out, MpiRoll *roll)
{
    GPtrArray *crowds = g_ptr_array_new_with_free_func(crowd_free);
    g_autoptr(GHashTable) by_state = g_hash_table_new(g_str_hash, g_str_equal);
    uint32_t blocked = waiters->all->len;
    for (uint32_t i = 0; i < blocked && (crowds->len <= LINES_LIMIT || i < MOST_TOLD); i++) {
        const Waiter *waiter = waiter_at(waiters, i);
        GString *state = g_string_new(NULL);
        append_state(state, waiter, roll);
        crowd_add(crowds, by_state, waiter->rank->index, g_string_free(state, FALSE), blocked <= FEW);
    }
    uint32_t shown = 0;
    for (guint i = 0; i < MIN(crowds->len, LINES_LIMIT); i++) {
        const Crowd *crowd = g_ptr_array_index(crowds, i);
        g_string_append(out, "  ");
        mpi_rank_list_append(&crowd->ranks, out);
        g_string_append_printf(out, ": %s\n", crowd->state);
        shown += crowd->ranks.count;
    }
    if (blocked > shown)
        g_string_append_printf(out, "  ... and %u more blocked ranks\n", blocked - shown);
    g_ptr_array_unref(crowds);
}

/* -- cycles ------------------------------------------------------------------------------------ */

/* Returns the waiter that the arrow of one leads to, or MPI_NOBODY. */
static int64_t next_of(const Waiters *waiters, uint32_t i)
{
    int64_t to = waiter_at(waiters, i)->arrow;
    return to == MPI_NOBODY || !waiters->first[to] ? MPI_NOBODY : (int64_t)waiters->first[to] - 1;
}

static void append_waiter(GString *out, const Waiter *waiter)
{
    g_string_append_printf(out, "%u", waiter->rank->index);
    if (waiter->rank->threads)
        g_string_append_printf(out, " (thread %" G_GUINT64_FORMAT ")", thread_id(waiter));
}

static void append_cycle(GString *out, const Waiters *waiters, uint32_t start)
{
    uint32_t at = start, shown = 0;
    g_string_append(out, "  cycle: ");
    append_waiter(out, waiter_at(waiters, start));
    do {
        at = (uint32_t)next_of(waiters, at);
        if (++shown <= LINES_LIMIT || at == start) {
            g_string_append(out, " -> ");
            append_waiter(out, waiter_at(waiters, at));
        } else if (shown == LINES_LIMIT + 1)
            g_string_append(out, " -> ...");
    } while (at != start);
    g_string_append_c(out, '\n');
}

/* Returns the MpiWantSort of what the rank waits for. */
static unsigned wanted_sort(const MpiRank *rank)
{
    MpiWant want;
    if (mpi_waits_schedule(rank))
        return MPI_WANT_COLLECTIVE;
    if (mpi_window_is_awaited(rank->call))
        return MPI_WANT_WINDOW;
    return mpi_waits_want_of_rank(rank, 0, &want) ? want.sort : MPI_WANT_MESSAGE;
}

static unsigned cycle_sorts(const Waiters *waiters, uint32_t start)
{
    unsigned sorts = 0;
    uint32_t at = start;
    do {
        sorts |= wanted_sort(focus(waiter_at(waiters, at)));
        at = (uint32_t)next_of(waiters, at);
    } while (at != start);
    return sorts;
}

/* A set of sets of MpiWantSort. */
typedef unsigned __int128 CycleSorts;
G_STATIC_ASSERT(2 * MPI_WANT_PARTNER <= 8 * sizeof(CycleSorts));

/* Finds and appends all cycles. Each walk marks the waiters that it passes with its own number; meeting that mark again
 * closes a cycle. Returns the sets of MpiWantSort that cycles wait for: bit `set` for each. `starts` gets a waiter of
 * each cycle; NULL: nobody asks. */
static CycleSorts append_cycles(const Waiters *waiters, GArray *starts, GString *out)
{
    g_autofree uint32_t *mark = g_new0(uint32_t, waiters->all->len + 1);
    CycleSorts found = 0;
    for (uint32_t i = 0; i < waiters->all->len; i++) {
        int64_t at = i;
        while (at != MPI_NOBODY && !mark[at]) {
            mark[at] = i + 1;
            at = next_of(waiters, (uint32_t)at);
        }
        if (at == MPI_NOBODY || mark[at] != i + 1)
            continue;
        uint32_t start = (uint32_t)at;
        append_cycle(out, waiters, start);
        if (starts)
            g_array_append_val(starts, start);
        found |= (CycleSorts)1 << cycle_sorts(waiters, start);
    }
    return found;
}

/* Appends the calls of a cycle, each place once: where the program is to be changed. */
static void append_where(GString *out, const Waiters *waiters, uint32_t start)
{
    enum { PLACES = 4 };
    g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(g_free);
    uint32_t at = start;
    do {
        const MpiRank *rank = focus(waiter_at(waiters, at));
        GString *place = g_string_new(NULL);
        mpi_append_call_place(place, rank->process, rank->call->name, rank->call->pc);
        if (!g_ptr_array_find_with_equal_func(places, place->str, g_str_equal, NULL))
            g_ptr_array_add(places, g_string_free(place, FALSE));
        else
            g_string_free(place, TRUE);
        at = (uint32_t)next_of(waiters, at);
    } while (at != start);
    g_string_append(out, "  where: ");
    for (guint i = 0; i < MIN(places->len, PLACES); i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "", (const char *)places->pdata[i]);
    g_string_append(out, places->len > PLACES ? ", ...\n" : "\n");
}

/* Whether a cycle passes one of the marked waiters. */
static bool cycle_has(const Waiters *waiters, uint32_t start, const bool *marked)
{
    uint32_t at = start;
    do {
        if (marked[at])
            return true;
        at = (uint32_t)next_of(waiters, at);
    } while (at != start);
    return false;
}

/* -- causes, and what to do -------------------------------------------------------------------- */

static void append_advice(GString *out, const char *text)
{
    g_string_append_printf(out, "  to mend it: %s\n", text);
}

/* Finds the first cause among the things that the rank waits for. Returns whether there is a sure one. */
static bool find_cause(MpiCauses *causes, const MpiRank *rank, GPtrArray *crowds, GHashTable *by_state)
{
    MpiWant want;
    for (uint32_t i = 0; i < MOST_WANTS && mpi_waits_want_of_rank(rank, i, &want); i++) {
        GString *sentence = g_string_new(NULL);
        const MpiCause *cause = mpi_cause_find(causes, &want, sentence);
        if (cause) {
            Crowd *crowd = crowd_add(crowds, by_state, rank->index, g_string_free(sentence, FALSE), false);
            crowd->cause = cause;
            return cause->sure;
        }
        g_string_free(sentence, TRUE);
    }
    return false;
}

static const char *advice_of(const GPtrArray *crowds, guint i)
{
    return ((const Crowd *)crowds->pdata[i])->cause->advice;
}

/* Drops unsure causes if there is a sure one, since they may result from it. Returns whether there is a sure one. */
static bool drop_unsure(GPtrArray *crowds)
{
    bool sure = false;
    for (guint i = 0; i < crowds->len; i++)
        sure = sure || ((const Crowd *)crowds->pdata[i])->cause->sure;
    for (guint i = crowds->len; sure && i-- > 0;)
        if (!((const Crowd *)crowds->pdata[i])->cause->sure)
            g_ptr_array_remove_index(crowds, i);
    return sure;
}

static bool is_new_advice(const GPtrArray *crowds, guint at)
{
    for (guint i = 0; i < at; i++)
        if (advice_of(crowds, i) == advice_of(crowds, at))
            return false;
    return true;
}

/* Appends the causes, and marks the waiters that have a sure one. Returns whether there is one: then cycles with such
 * waiters are explained. */
static bool append_causes(MpiWorld *world, const Waiters *waiters, bool *marked, GString *out)
{
    GPtrArray *crowds = g_ptr_array_new_with_free_func(crowd_free);
    g_autoptr(GHashTable) by_state = g_hash_table_new(g_str_hash, g_str_equal);
    MpiCauses *causes = mpi_causes_new(world, false);
    for (uint32_t i = 0; i < waiters->all->len; i++)
        marked[i] = find_cause(causes, focus(waiter_at(waiters, i)), crowds, by_state);
    mpi_causes_free(causes);
    bool sure = drop_unsure(crowds);
    for (guint i = 0; i < MIN(crowds->len, CAUSES_LIMIT); i++) {
        const Crowd *crowd = crowds->pdata[i];
        g_string_append(out, "  cause for ");
        mpi_rank_list_append(&crowd->ranks, out);
        g_string_append_printf(out, ": %s\n", crowd->state);
    }
    if (crowds->len > CAUSES_LIMIT)
        g_string_append_printf(out, "  ... and %u more causes like these\n", crowds->len - CAUSES_LIMIT);
    for (guint i = 0; i < MIN(crowds->len, CAUSES_LIMIT); i++)
        if (is_new_advice(crowds, i))
            append_advice(out, advice_of(crowds, i));
    g_ptr_array_unref(crowds);
    return sure;
}

/* Whether a waiter waits for a message from any source. */
static bool awaits_anybody(const Waiters *waiters)
{
    for (uint32_t i = 0; i < waiters->all->len; i++) {
        const Waiter *waiter = waiter_at(waiters, i);
        if (waiter->arrow == MPI_NOBODY && wanted_sort(focus(waiter)) == MPI_WANT_MESSAGE)
            return true;
    }
    return false;
}

/* Appends what mends the cycles that no cause explains; those that wait for the same things have one advice. */
static void append_advice_of_cycles(const Waiters *waiters, const GArray *starts, const bool *marked, GString *out)
{
    CycleSorts told = 0;
    for (guint i = 0; i < starts->len; i++) {
        uint32_t start = g_array_index(starts, uint32_t, i);
        unsigned sorts = cycle_sorts(waiters, start);
        if (cycle_has(waiters, start, marked) || told >> sorts & 1)
            continue;
        told |= (CycleSorts)1 << sorts;
        append_advice(out, mpi_cause_of_circle(sorts));
        append_where(out, waiters, start);
    }
}

/* Appends cycles, causes and advice. */
static void append_reasons(MpiWorld *world, const Waiters *waiters, GString *out)
{
    g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autofree bool *marked = g_new0(bool, waiters->all->len + 1);
    CycleSorts circles = append_cycles(waiters, starts, out);
    if (circles && world->protocols && world->upper->protocol_explain(world, out))
        return; /* with more room it would perhaps go on */
    bool sure = append_causes(world, waiters, marked, out);
    append_advice_of_cycles(waiters, starts, marked,
                            out); /* the others result from causes, or do not matter beside them */
    if (!sure && !circles && awaits_anybody(waiters))
        append_advice(out, "whoever could send such a message waits as well; let one of them send before it receives");
}

/* Fills in the waiters and their arrows. */
static void look(MpiWorld *world, Waiters *waiters, MpiRoll *roll)
{
    mpi_plain_receives_expand(world);
    mpi_exchange_spell_out(world);
    waiters_find(waiters, world);
    for (uint32_t i = 0; i < waiters->all->len; i++) {
        Waiter *waiter = waiter_at(waiters, i);
        waiter->arrow = mpi_waits_for(focus(waiter), roll);
    }
}

void mpi_world_explain_deadlock(MpiWorld *world, bool in_network, GString *out)
{
    Waiters waiters;
    MpiRoll roll = {0};
    look(world, &waiters, &roll);
    g_string_append(out, "deadlock: no rank can go on\n");
    append_lines(&waiters, out, &roll);
    mpi_waits_roll_clear(&roll);
    if (!in_network)
        append_reasons(world, &waiters, out);
    waiters_clear(&waiters);
}

/* -- for the debugger, while others may still go on ---------------------------------------------- */

bool mpi_world_waits_for(MpiWorld *world, GString *out)
{
    Waiters waiters;
    MpiRoll roll = {0};
    look(world, &waiters, &roll);
    bool any = waiters.all->len > 0;
    if (any) {
        append_lines(&waiters, out, &roll);
        (void)append_cycles(&waiters, NULL, out);
    }
    mpi_waits_roll_clear(&roll);
    waiters_clear(&waiters);
    return any;
}

/* The end of a chain: a rank that does not wait. */
static void append_actor(MpiWorld *world, uint32_t index, GString *out)
{
    const MpiRank *rank = mpi_world_rank(world, index);
    g_string_append_printf(out, "  rank %u ", index);
    if (mpi_waits_gone(rank)) {
        mpi_describe_gone(out, rank, false);
        g_string_append(out, ": it will never act\n");
        return;
    }
    g_string_append(out, "would have to act: it is at ");
    mpi_append_place(out, rank->process, mpi_place_in_program(rank->process));
    g_string_append(out, ", and can go on\n");
}

/* Why the waits of a chain that leads nowhere may never end: the first cause on the way. */
static void append_reason(MpiWorld *world, const Waiters *waiters, const GArray *path, unsigned sorts, GString *out)
{
    GPtrArray *crowds = g_ptr_array_new_with_free_func(crowd_free);
    g_autoptr(GHashTable) by_state = g_hash_table_new(g_str_hash, g_str_equal);
    MpiCauses *causes = mpi_causes_new(world, false);
    for (guint i = 0; i < path->len && crowds->len == 0; i++)
        (void)find_cause(causes, focus(waiter_at(waiters, g_array_index(path, uint32_t, i))), crowds, by_state);
    mpi_causes_free(causes);
    if (crowds->len > 0) {
        const Crowd *crowd = g_ptr_array_index(crowds, 0);
        g_string_append(out, "  cause for ");
        mpi_rank_list_append(&crowd->ranks, out);
        g_string_append_printf(out, ": %s\n", crowd->state);
        append_advice(out, crowd->cause->advice);
    } else if (sorts) {
        append_advice(out, mpi_cause_of_circle(sorts));
    }
    g_ptr_array_unref(crowds);
}

/* Draws a cycle as it goes round. */
static void draw_cycle(const Waiters *waiters, uint32_t start, MpiRoll *roll, GString *out)
{
    uint32_t at = start, shown = 0;
    bool alone = next_of(waiters, start) == start;
    g_string_append(out, alone ? "it waits for itself:\n" : "these wait for each other:\n");
    do {
        const Waiter *waiter = waiter_at(waiters, at);
        uint32_t next = (uint32_t)next_of(waiters, at);
        const char *edge = at == start ? "+->" : next == start ? "+--" : "|  ";
        if (shown++ < LINES_LIMIT || next == start) {
            g_string_append_printf(out, "    %s rank %u: ", edge, waiter->rank->index);
            append_state(out, waiter, roll);
            g_string_append(out, next == start ? "\n" : "\n    |      |\n");
        } else if (shown == LINES_LIMIT + 1) {
            g_string_append(out, "    |    ...\n");
        }
        at = next;
    } while (at != start);
}

/* Appends the waiters on the way to `end`. */
static void append_path(const Waiters *waiters, const GArray *path, guint end, MpiRoll *roll, GString *out)
{
    for (guint i = 0; i < MIN(end, LINES_LIMIT); i++) {
        const Waiter *waiter = waiter_at(waiters, g_array_index(path, uint32_t, i));
        g_string_append_printf(out, "%srank %u: ", i == 0 ? "" : "  which waits as well: ", waiter->rank->index);
        append_state(out, waiter, roll);
        g_string_append_c(out, '\n');
    }
    if (end > LINES_LIMIT)
        g_string_append_printf(out, "  and %u more on the way\n", end - LINES_LIMIT);
}

/* Follows the arrows from a waiter, each of which is passed once. */
static void follow(MpiWorld *world, const Waiters *waiters, uint32_t start, MpiRoll *roll, GString *out)
{
    g_autofree uint32_t *passed = g_new0(uint32_t, waiters->all->len + 1); /* position on the way, from 1 */
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    int64_t at = start;
    while (at != MPI_NOBODY && !passed[at]) {
        uint32_t waiter = (uint32_t)at;
        g_array_append_val(path, waiter);
        passed[at] = path->len;
        at = next_of(waiters, waiter);
    }
    append_path(waiters, path, at == MPI_NOBODY ? path->len : passed[at] - 1, roll, out);
    int64_t arrow = waiter_at(waiters, g_array_index(path, uint32_t, path->len - 1))->arrow;
    if (at != MPI_NOBODY) {
        draw_cycle(waiters, (uint32_t)at, roll, out);
        append_reason(world, waiters, path, cycle_sorts(waiters, (uint32_t)at), out);
    } else if (arrow == MPI_NOBODY) {
        g_string_append(out, "  any of several ranks could act\n");
    } else {
        append_actor(world, (uint32_t)arrow, out);
        if (mpi_waits_gone(mpi_world_rank(world, (uint32_t)arrow)))
            append_reason(world, waiters, path, 0, out);
    }
}

bool mpi_world_why(MpiWorld *world, uint32_t rank, GString *out)
{
    Waiters waiters;
    MpiRoll roll = {0};
    look(world, &waiters, &roll);
    uint32_t first = waiters.first[rank], n = 0;
    for (uint32_t i = first; i > 0 && i <= waiters.all->len && waiter_at(&waiters, i - 1)->rank->index == rank;
         i++, n++)
        follow(world, &waiters, i - 1, &roll, out);
    mpi_waits_roll_clear(&roll);
    waiters_clear(&waiters);
    return n > 0;
}
