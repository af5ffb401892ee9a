/* going.c - going on and back: what is asked for, and the stop that comes of it.
 *
 * Where a breakpoint stops once for all ranks, the others run ahead to it in a copy (ahead.c), and that copy is what
 * the user looks at. The engine stays where the first rank has come to it; when the others come there, that has been
 * told (MonSession.seen). */
#include "monitor/report/report.h"
#include "monitor/session/session.h"

#include <unistd.h>

/* -- ranks that stand together ----------------------------------------------------------------- */

static void note_seen(MonSession *session, unsigned breakpoint, uint32_t rank, uint64_t count)
{
    MonSeen seen = {breakpoint, rank, count};
    for (guint i = 0; i < session->seen->len; i++) {
        MonSeen *old = &g_array_index(session->seen, MonSeen, i);
        if (old->breakpoint == breakpoint && old->rank == rank) {
            *old = seen;
            return;
        }
    }
    g_array_append_val(session->seen, seen);
}

/* Finds which other ranks can come to the breakpoint where the engine stands now: (rank, statements). */
static GVariant *probe(MonSession *session, unsigned breakpoint)
{
    int copy = -1;
    g_autoptr(GVariant) forked = mon_session_request(session, session->engine, MON_WIRE_AHEAD,
                                                     g_variant_new("(u)", breakpoint), MON_WIRE_FORKED, &copy, NULL);
    GVariant *reached = forked ? mon_session_await(session, forked, copy, MON_WIRE_REACHED) : NULL;
    mon_session_drop(&copy);
    return reached;
}

void mon_session_look_again(MonSession *session, MonReason reason)
{
    GVariantBuilder targets;
    int copy = -1;
    mon_session_drop(&session->view);
    if (session->seen->len == 0 || reason == MON_ENDED || reason == MON_BEGINNING)
        return;
    g_variant_builder_init(&targets, G_VARIANT_TYPE("a(ut)"));
    for (guint i = 0; i < session->seen->len; i++)
        g_variant_builder_add(&targets, "(ut)", g_array_index(session->seen, MonSeen, i).rank,
                              g_array_index(session->seen, MonSeen, i).count);
    g_autoptr(GVariant) forked = mon_session_request(session, session->engine, MON_WIRE_VIEW,
                                                     g_variant_builder_end(&targets), MON_WIRE_FORKED, &copy, NULL);
    g_autoptr(GVariant) reached = forked ? mon_session_await(session, forked, copy, MON_WIRE_REACHED) : NULL;
    if (reached && g_variant_n_children(reached) > 0)
        session->view = copy;
    else
        mon_session_drop(&copy);
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void gather(MonSession *session, MonStop *stop)
{
    const MonBreakpoint *point = mon_session_breakpoint(session, stop->breakpoint);
    if (stop->reason != MON_BREAKPOINT || !point || point->each || session->ranks < 2)
        return;
    g_autoptr(GVariant) reached = probe(session, stop->breakpoint);
    GVariantIter iter;
    uint32_t rank;
    uint64_t count;
    if (!reached)
        return;
    g_variant_iter_init(&iter, reached);
    while (g_variant_iter_next(&iter, "(ut)", &rank, &count)) {
        note_seen(session, stop->breakpoint, rank, count);
        g_array_append_val(stop->ranks, rank);
    }
    g_array_sort(stop->ranks, compare_ranks);
}

/* -- stops ------------------------------------------------------------------------------------- */

MonStop *mon_session_arrive(MonSession *session, MonHalt *halt)
{
    MonStop *stop = g_memdup2(&halt->stop, sizeof halt->stop);
    halt->stop.text = NULL;
    stop->ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(stop->ranks, stop->rank);
    session->between = halt->between;
    mon_session_clear_halt(halt);
    gather(session, stop);
    mon_session_look_again(session, stop->reason);
    stop->passed = g_steal_pointer(&session->passed);
    stop->lost = g_steal_pointer(&session->lost);
    session->passed = g_ptr_array_new_with_free_func(g_free);
    session->lost = g_ptr_array_new_with_free_func(g_free);
    const MonBreakpoint *point = mon_session_breakpoint(session, stop->breakpoint);
    if (point && point->temporary)
        mon_session_break_remove(session, stop->breakpoint);
    g_clear_pointer(&session->last, mon_session_free_stop);
    session->last = mon_session_copy_stop(stop);
    mon_branches_note(session, stop->moment);
    return stop;
}

static bool begin_step(MonSession *session, const MonGo *go, MonStep *step, GError **error)
{
    static const MonStepKind kinds[] = {
        [MON_GO_STEP] = MON_STEP_INTO, [MON_GO_NEXT] = MON_STEP_OVER,      [MON_GO_FINISH] = MON_STEP_OUT,
        [MON_GO_UNTIL] = MON_STEP_OUT, [MON_GO_INSTRUCTION] = MON_STEP_PC, [MON_GO_CONTINUE] = MON_STEP_NONE,
        [MON_GO_TIME] = MON_STEP_NONE, [MON_GO_MOMENT] = MON_STEP_NONE};
    if (kinds[go->kind] == MON_STEP_NONE)
        return true;
    g_autoptr(GVariant) from =
        mon_session_request(session, mon_session_looked_at(session), MON_WIRE_STEP_FROM,
                            g_variant_new("(uu)", go->rank, kinds[go->kind]), MON_WIRE_FROM, NULL, error);
    if (from)
        mon_steps_unpack(from, step);
    return from;
}

static bool is_place(MonSession *session, const char *where, GError **error)
{
    g_autofree char *valid = mon_wire_text(where);
    g_autoptr(GVariant) found =
        mon_session_request(session, session->engine, MON_WIRE_FIND, g_variant_new("(sbuu)", valid, FALSE, 0, 0),
                            MON_WIRE_FOUND, NULL, error);
    return found;
}

static MonStop *forwards(MonSession *session, const MonGo *go, MonOrder *order, GError **error)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    MonHalt halt;
    if (go->kind == MON_GO_UNTIL && !is_place(session, go->where, error))
        return NULL;
    order->keeps = true;
    if (go->kind == MON_GO_UNTIL) {
        g_array_append_val(ranks, go->rank);
        order->until_where = go->where;
        order->until_ranks = ranks;
    }
    if (go->kind == MON_GO_MOMENT)
        *order = (MonOrder){.mode = MON_REACH, .until = go->to};
    order->time_ps = go->kind == MON_GO_TIME ? go->to : 0;
    mon_session_drop(&session->view);
    if (!mon_session_run(session, session->engine, order, &halt, error))
        return NULL;
    if (halt.stop.reason == MON_BREAKPOINT && halt.stop.breakpoint == 0)
        halt.stop.reason = MON_STEP; /* the place of MON_GO_UNTIL */
    MonStop *stop = mon_session_arrive(session, &halt);
    return session->stops_at_findings ? mon_findings_come_to(session, stop) : stop;
}

/* -- back -------------------------------------------------------------------------------------- */

static MonStop *go_back_to_hit(MonSession *session, const MonHit *hit, GError **error)
{
    MonHalt halt;
    if (!mon_history_go_to(session, hit, &halt, error))
        return NULL;
    const MonBreakpoint *point = mon_session_breakpoint(session, hit->breakpoint);
    halt.stop.reason = !point ? MON_STEP : point->watch ? MON_WATCHPOINT : MON_BREAKPOINT;
    halt.stop.breakpoint = hit->breakpoint;
    if (point && point->watch) {
        g_free(halt.stop.text);
        halt.stop.text = g_strdup_printf("%s of rank %u has just been written", point->where, point->watch_rank);
    }
    return mon_session_arrive(session, &halt);
}

MonStop *mon_session_go_back_to(MonSession *session, uint64_t moment, GError **error)
{
    MonHalt halt;
    if (!mon_history_go_to(session, &(MonHit){.moment = moment, .pc = VCODE_NONE}, &halt, error))
        return NULL;
    if (moment == 0)
        halt.stop.reason = MON_BEGINNING;
    return mon_session_arrive(session, &halt);
}

static bool stands_with(const MonStop *stop, uint32_t rank)
{
    for (guint i = 0; i < stop->ranks->len; i++)
        if (g_array_index(stop->ranks, uint32_t, i) == rank)
            return true;
    return false;
}

/* Ranks that have come to one breakpoint together, going forwards, are one stop going back, too: the one at which the
 * first of them came there. Returns the hits that may belong to the last one's stop: for each rank one, if that has
 * come to the breakpoint since the rank of the last one was there before. */
static GArray *together(MonSession *session, const GArray *hits)
{
    const MonHit *last = &g_array_index(hits, MonHit, hits->len - 1);
    const MonBreakpoint *point = mon_session_breakpoint(session, last->breakpoint);
    bool alone = !point || point->each || point->watch || session->ranks < 2;
    g_autoptr(GHashTable) ranks = g_hash_table_new(NULL, NULL);
    GArray *found = g_array_new(FALSE, FALSE, sizeof(MonHit));
    for (guint i = hits->len; i > 0; i--) {
        const MonHit *hit = &g_array_index(hits, MonHit, i - 1);
        if (hit->breakpoint != last->breakpoint)
            continue;
        if (!g_hash_table_add(ranks, GUINT_TO_POINTER(hit->rank)))
            break;
        g_array_prepend_val(found, *hit);
        if (alone)
            break;
    }
    return found;
}

static MonStop *go_back_to_last(MonSession *session, const GArray *hits, GError **error)
{
    enum { MOST_TRIES = 16 };
    g_autoptr(GArray) found = together(session, hits);
    guint last = found->len - 1;
    for (guint i = 0, tries = 0;; tries++) {
        MonStop *stop = go_back_to_hit(session, &g_array_index(found, MonHit, i), error);
        if (!stop || i == last || stands_with(stop, g_array_index(found, MonHit, last).rank))
            return stop;
        while (i < last && stands_with(stop, g_array_index(found, MonHit, i).rank))
            i++;
        i = tries < MOST_TRIES ? i : last;
        mon_session_free_stop(stop);
        g_array_set_size(session->seen, 0);
    }
}

static MonStop *backwards(MonSession *session, const MonGo *go, const MonOrder *order, GError **error)
{
    g_autoptr(GArray) hits = NULL;
    if (!mon_history_find(session, &order->step, &hits, error))
        return NULL;
    g_array_set_size(session->seen, 0);
    if (!hits)
        return mon_session_go_back_to(session, 0, error);
    if (go->kind == MON_GO_CONTINUE)
        return go_back_to_last(session, hits, error);
    const MonHit *hit = &g_array_index(hits, MonHit, hits->len - 1);
    return go_back_to_hit(session, hit, error);
}

static MonStop *back_to_time(MonSession *session, uint64_t time_ps, GError **error)
{
    MonHalt halt;
    g_array_set_size(session->seen, 0);
    return mon_history_go_to_time(session, time_ps, &halt, error) ? mon_session_arrive(session, &halt) : NULL;
}

static MonStop *obey(MonSession *session, const MonGo *go, GError **error)
{
    MonOrder order = {0};
    if (!session->last) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "the program is not running yet");
        return NULL;
    }
    if (!begin_step(session, go, &order.step, error))
        return NULL;
    if (go->kind == MON_GO_MOMENT && go->to <= session->last->moment) {
        g_array_set_size(session->seen, 0);
        return mon_session_go_back_to(session, go->to, error);
    }
    if (go->kind == MON_GO_TIME && (go->backwards || go->to < session->last->time_ps))
        return back_to_time(session, go->to, error);
    if (go->backwards && (go->kind == MON_GO_INSTRUCTION || go->kind == MON_GO_UNTIL)) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "this goes forwards only");
        return NULL;
    }
    return go->backwards ? backwards(session, go, &order, error) : forwards(session, go, &order, error);
}

MonStop *mon_session_go(MonSession *session, const MonGo *go, GError **error)
{
    MonStop *stop = obey(session, go, error);
    g_atomic_int_set(&session->interrupted, 0); /* not before: who calls may have been asked to stop already */
    return stop;
}
