/* together.c - ranks that run ahead in copies of the engine (ahead.c): to stand at a breakpoint with others, to step
 * with others, or to step while others stand.
 *
 * The engine stays where the first rank has come to it. The copy that the user looks at has the others where they have
 * been seen (MonSession.seen); when they come there in the engine, that has been told. */
#include "monitor/report/report.h"
#include "monitor/session/session.h"

/* Where a rank was seen last counts. */
static void note_seen(MonSession *session, unsigned breakpoint, uint32_t rank, uint64_t count, bool alone)
{
    MonSeen seen = {breakpoint, rank, count, alone};
    for (guint i = session->seen->len; i > 0; i--) {
        const MonSeen *old = &g_array_index(session->seen, MonSeen, i - 1);
        if (old->breakpoint == breakpoint && old->rank == rank)
            g_array_remove_index(session->seen, i - 1);
    }
    g_array_append_val(session->seen, seen);
}

/* Ranks and statements where they have been seen. *alone: all of them while others stood. */
static GVariant *targets_of(const MonSession *session, bool *alone)
{
    GVariantBuilder targets;
    g_variant_builder_init(&targets, G_VARIANT_TYPE("a(ut)"));
    *alone = true;
    for (guint i = 0; i < session->seen->len; i++) {
        const MonSeen *seen = &g_array_index(session->seen, MonSeen, i);
        g_variant_builder_add(&targets, "(ut)", seen->rank, seen->count);
        *alone = *alone && seen->alone;
    }
    return g_variant_builder_end(&targets);
}

/* Lets a copy run ahead, and returns what it has reached. Takes `what`. */
static GVariant *run_ahead(MonSession *session, MonWireKind kind, GVariant *what, int *copy, GError **error)
{
    *copy = -1;
    g_autoptr(GVariant) forked =
        mon_session_request(session, session->engine, kind, what, MON_WIRE_FORKED, copy, error);
    return forked ? mon_session_await(session, forked, *copy, MON_WIRE_REACHED) : NULL;
}

void mon_session_look_again(MonSession *session, MonReason reason)
{
    int copy;
    bool alone;
    mon_session_drop(&session->view);
    if (session->seen->len == 0 || reason == MON_ENDED || reason == MON_BEGINNING)
        return;
    GVariant *targets = targets_of(session, &alone);
    g_autoptr(GVariant) reached =
        run_ahead(session, MON_WIRE_VIEW, g_variant_new("(b@a(ut))", alone, targets), &copy, NULL);
    g_autoptr(GVariant) list = reached ? g_variant_get_child_value(reached, 0) : NULL;
    if (list && g_variant_n_children(list) > 0)
        session->view = copy;
    else
        mon_session_drop(&copy);
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void mon_together_sort(GArray *ranks)
{
    g_array_sort(ranks, compare_ranks);
}

void mon_together_gather(MonSession *session, MonStop *stop)
{
    const MonBreakpoint *point = mon_session_breakpoint(session, stop->breakpoint);
    bool gathers = point && (point->kind == MON_POINT_PLACE || point->kind == MON_POINT_START);
    MonOrder order = {.mode = MON_FORWARD};
    int copy;
    if (stop->reason != MON_BREAKPOINT || !gathers || point->each || session->ranks < 2)
        return;
    GVariant *what =
        g_variant_new("(ub@a(ut)@" MON_ORDER_TYPE ")", stop->breakpoint, FALSE,
                      g_variant_new_array(G_VARIANT_TYPE("(ut)"), NULL, 0), mon_kept_pack(session, &order));
    g_autoptr(GVariant) reached = run_ahead(session, MON_WIRE_AHEAD, what, &copy, NULL);
    g_autoptr(GVariantIter) iter = NULL;
    uint32_t rank, breakpoint;
    uint64_t count;
    mon_session_drop(&copy);
    if (!reached)
        return;
    g_variant_get(reached, "(a(utu)&s)", &iter, NULL);
    while (g_variant_iter_next(iter, "(utu)", &rank, &count, &breakpoint)) {
        note_seen(session, stop->breakpoint, rank, count, false);
        g_array_append_val(stop->ranks, rank);
    }
    mon_together_sort(stop->ranks);
}

char *mon_together_step(MonSession *session, const MonOrder *order, bool alone, GArray *ranks, unsigned *breakpoint,
                        GError **error)
{
    int copy;
    bool were_alone;
    GVariant *targets = targets_of(session, &were_alone);
    GVariant *what = g_variant_new("(ub@a(ut)@" MON_ORDER_TYPE ")", 0, alone, targets, mon_kept_pack(session, order));
    g_autoptr(GVariant) reached = run_ahead(session, MON_WIRE_AHEAD, what, &copy, error);
    g_autoptr(GVariantIter) iter = NULL;
    uint32_t rank, at;
    uint64_t count;
    char *stuck;
    mon_session_drop(&copy);
    if (!reached) {
        if (error && !*error)
            g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "interrupted: nothing has moved");
        return NULL;
    }
    *breakpoint = 0;
    g_variant_get(reached, "(a(utu)s)", &iter, &stuck);
    while (g_variant_iter_next(iter, "(utu)", &rank, &count, &at)) {
        *breakpoint = *breakpoint ? *breakpoint : at;
        note_seen(session, 0, rank, count, alone);
        g_array_append_val(ranks, rank);
    }
    return stuck;
}

bool mon_together_catch_up(MonSession *session, uint32_t rank, GError **error)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(MonStep));
    MonOrder order = {.mode = MON_REACH, .until = UINT64_MAX, .steps = steps};
    MonStep step = {.kind = MON_STEP_COUNT, .rank = rank};
    MonHalt halt;
    for (guint i = 0; session->view >= 0 && i < session->seen->len; i++)
        if (g_array_index(session->seen, MonSeen, i).rank == rank)
            step.count = g_array_index(session->seen, MonSeen, i).count;
    if (step.count == 0 || rank == session->last->rank)
        return true;
    g_array_append_val(steps, step);
    mon_session_drop(&session->view);
    if (!mon_session_run(session, session->engine, &order, &halt, error))
        return false;
    session->between = halt.between;
    session->last->moment = halt.stop.moment;
    session->last->time_ps = halt.stop.time_ps;
    session->last->rank = rank;
    mon_session_clear_halt(&halt);
    mon_branches_note(session, session->last->moment);
    mon_session_look_again(session, MON_STEP);
    return true;
}
