/* going.c - going on and back: what is asked for, and the stop that comes of it.
 *
 * Where a breakpoint stops once for all ranks, the others run ahead to it in a copy (together.c), and that copy is what
 * the user looks at. */
#include "monitor/report/report.h"
#include "monitor/session/session.h"

#include <unistd.h>

/* -- stops ------------------------------------------------------------------------------------- */

/* Where the steps begin; NULL: nobody steps. Returns false with an error. */
static bool begin_steps(MonSession *session, const MonGo *go, GArray **steps, GError **error)
{
    static const MonStepKind kinds[] = {
        [MON_GO_STEP] = MON_STEP_INTO, [MON_GO_NEXT] = MON_STEP_OVER,      [MON_GO_FINISH] = MON_STEP_OUT,
        [MON_GO_UNTIL] = MON_STEP_OUT, [MON_GO_INSTRUCTION] = MON_STEP_PC, [MON_GO_CONTINUE] = MON_STEP_NONE,
        [MON_GO_TIME] = MON_STEP_NONE, [MON_GO_MOMENT] = MON_STEP_NONE,    [MON_GO_ADVANCE] = MON_STEP_FAR};
    MonStepKind kind = kinds[go->kind];
    *steps = NULL;
    if (kind == MON_STEP_NONE && go->alone && go->kind == MON_GO_CONTINUE)
        kind = MON_STEP_FAR;
    if (kind == MON_STEP_NONE)
        return true;
    GVariant *ranks = go->ranks && go->ranks->len
                          ? g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, go->ranks->data, go->ranks->len, 4)
                          : g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, &go->rank, 1, 4);
    g_autoptr(GVariant) from = mon_session_request(session, mon_session_looked_at(session), MON_WIRE_STEP_FROM,
                                                   g_variant_new("(@auu)", ranks, kind), MON_WIRE_FROM, NULL, error);
    if (!from)
        return false;
    *steps = g_array_new(FALSE, FALSE, sizeof(MonStep));
    for (gsize i = 0; i < g_variant_n_children(from); i++) {
        g_autoptr(GVariant) packed = g_variant_get_child_value(from, i);
        MonStep step;
        mon_steps_unpack(packed, &step);
        g_array_append_val(*steps, step);
    }
    return true;
}

static bool is_place(MonSession *session, const char *where, GError **error)
{
    g_autofree char *valid = mon_wire_text(where);
    g_autoptr(GVariant) found =
        mon_session_request(session, session->engine, MON_WIRE_FIND,
                            g_variant_new("(uus@ausuu)", MON_POINT_PLACE, 0, valid,
                                          g_variant_new_array(G_VARIANT_TYPE_UINT32, NULL, 0), "", 0, 0),
                            MON_WIRE_FOUND, NULL, error);
    return found;
}

static void append_lines(GPtrArray *lines, const char *text)
{
    g_auto(GStrv) split = g_strsplit(text, "\n", -1);
    for (char **line = split; *line; line++)
        if (**line)
            g_ptr_array_add(lines, g_strdup(*line));
}

/* A stop of ranks that have stepped in a copy; the engine has not moved. */
static MonStop *stand_ahead(MonSession *session, const MonGo *go, GArray *ranks, unsigned breakpoint, const char *stuck)
{
    MonStop *stop = mon_session_copy_stop(session->last);
    mon_together_sort(ranks);
    g_array_unref(stop->ranks);
    stop->ranks = g_array_ref(ranks);
    stop->reason = breakpoint ? MON_BREAKPOINT : MON_STEP;
    stop->breakpoint = breakpoint;
    stop->rank = g_array_index(ranks, uint32_t, 0);
    for (guint i = 0; i < ranks->len; i++)
        if (g_array_index(ranks, uint32_t, i) == go->rank)
            stop->rank = go->rank;
    g_array_set_size(stop->also, 0);
    g_free(stop->text);
    stop->text = g_strdup("");
    g_ptr_array_unref(stop->passed);
    g_ptr_array_unref(stop->logged);
    stop->passed = g_ptr_array_new_with_free_func(g_free);
    stop->logged = g_ptr_array_new_with_free_func(g_free);
    append_lines(stop->passed, stuck);
    MonBreakpoint *point = mon_session_breakpoint(session, breakpoint);
    if (point)
        point->hits++;
    if (point && point->temporary)
        mon_session_break_remove(session, breakpoint);
    mon_session_look_again(session, stop->reason);
    return stop;
}

/* The ranks step while all others stand. */
static MonStop *alone(MonSession *session, const MonGo *go, const MonOrder *order, GError **error)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    unsigned breakpoint = 0;
    if (session->last->reason == MON_ENDED) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "the program has ended");
        return NULL;
    }
    g_autofree char *stuck = mon_together_step(session, order, true, ranks, &breakpoint, error);
    if (!stuck)
        return NULL;
    if (ranks->len > 0)
        return stand_ahead(session, go, ranks, breakpoint, stuck);
    g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, *stuck ? g_strchomp(stuck) : "nothing has moved");
    return NULL;
}

/* Some ranks have stepped with the first of them. */
static void step_with_it(MonSession *session, MonStop *stop, const MonOrder *order)
{
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(MonStep));
    unsigned breakpoint;
    MonOrder rest = *order;
    for (guint i = 0; i < order->steps->len; i++)
        if (g_array_index(order->steps, MonStep, i).rank != stop->rank)
            g_array_append_val(others, g_array_index(order->steps, MonStep, i));
    rest.steps = others;
    rest.keeps = false;
    g_autofree char *stuck = mon_together_step(session, &rest, false, stop->ranks, &breakpoint, NULL);
    mon_together_sort(stop->ranks);
    append_lines(session->passed, stuck ? stuck : "");
}

/* Makes the stop of where the engine stands now, and takes what the halt has. Ranks that step together stand together.
 */
static MonStop *settle_together(MonSession *session, MonHalt *halt, const MonOrder *order)
{
    MonStop *stop = g_memdup2(&halt->stop, sizeof halt->stop);
    halt->stop.text = NULL;
    stop->also = halt->stop.also ? g_steal_pointer(&halt->stop.also) : g_array_new(FALSE, FALSE, sizeof(unsigned));
    stop->ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(stop->ranks, stop->rank);
    session->between = halt->between;
    mon_session_clear_halt(halt);
    if (order && order->steps && order->steps->len > 1 && stop->reason == MON_STEP)
        step_with_it(session, stop, order);
    else
        mon_together_gather(session, stop);
    mon_session_look_again(session, stop->reason);
    stop->passed = g_steal_pointer(&session->passed);
    stop->logged = g_steal_pointer(&session->logged);
    stop->lost = g_steal_pointer(&session->lost);
    session->passed = g_ptr_array_new_with_free_func(g_free);
    session->logged = g_ptr_array_new_with_free_func(g_free);
    session->lost = g_ptr_array_new_with_free_func(g_free);
    const MonBreakpoint *point = mon_session_breakpoint(session, stop->breakpoint);
    if (point && point->temporary)
        mon_session_break_remove(session, stop->breakpoint);
    g_clear_pointer(&session->last, mon_session_free_stop);
    session->last = mon_session_copy_stop(stop);
    mon_branches_note(session, stop->moment);
    return stop;
}

MonStop *mon_session_arrive(MonSession *session, MonHalt *halt)
{
    return settle_together(session, halt, NULL);
}

static MonStop *forwards(MonSession *session, const MonGo *go, MonOrder *order, GError **error)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    bool to_place = go->kind == MON_GO_UNTIL || go->kind == MON_GO_ADVANCE;
    MonHalt halt;
    if (to_place && !is_place(session, go->where, error))
        return NULL;
    order->keeps = true;
    for (guint i = 0; to_place && order->steps && i < order->steps->len; i++)
        g_array_append_val(ranks, g_array_index(order->steps, MonStep, i).rank);
    if (to_place) {
        order->until_where = go->where;
        order->until_ranks = ranks;
    }
    if (go->alone && order->steps)
        return alone(session, go, order, error);
    if (go->kind == MON_GO_MOMENT)
        *order = (MonOrder){.mode = MON_REACH, .until = go->to};
    order->time_ps = go->kind == MON_GO_TIME ? go->to : 0;
    mon_session_drop(&session->view);
    if (!mon_session_run(session, session->engine, order, &halt, error))
        return NULL;
    if (halt.stop.reason == MON_BREAKPOINT && halt.stop.breakpoint == 0)
        halt.stop.reason = MON_STEP; /* the place of MON_GO_UNTIL */
    MonStop *stop = settle_together(session, &halt, order);
    return session->stops_at_findings ? mon_findings_come_to(session, stop) : stop;
}

/* -- back -------------------------------------------------------------------------------------- */

static MonStop *go_back_to_hit(MonSession *session, const MonHit *hit, GError **error)
{
    MonHalt halt;
    if (!mon_history_go_to(session, hit, NULL, &halt, error))
        return NULL;
    const MonBreakpoint *point = mon_session_breakpoint(session, hit->breakpoint);
    halt.stop.reason = !point ? MON_STEP : point->watch ? MON_WATCHPOINT : MON_BREAKPOINT;
    halt.stop.breakpoint = hit->breakpoint;
    if (point && (point->watch || point->kind != MON_POINT_PLACE))
        halt.stop.rank = hit->rank;
    return mon_session_arrive(session, &halt);
}

MonStop *mon_session_go_back_to(MonSession *session, uint64_t moment, GError **error)
{
    MonHalt halt;
    if (!mon_history_go_to(session, &(MonHit){.moment = moment, .pc = VCODE_NONE}, NULL, &halt, error))
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
    bool gathers = point && !point->watch && (point->kind == MON_POINT_PLACE || point->kind == MON_POINT_START);
    bool alone = !gathers || point->each || session->ranks < 2;
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

/* Of several stops at one place of history the first one is told, as it is going forwards; the others go to `also`. */
static void choose_first(GArray *hits, GArray *also)
{
    const MonHit last = g_array_index(hits, MonHit, hits->len - 1);
    guint first = hits->len - 1;
    while (first > 0 && g_array_index(hits, MonHit, first - 1).moment == last.moment &&
           g_array_index(hits, MonHit, first - 1).pc == last.pc)
        first--;
    unsigned told = g_array_index(hits, MonHit, first).breakpoint;
    for (guint i = first + 1; i < hits->len; i++) {
        unsigned number = g_array_index(hits, MonHit, i).breakpoint;
        bool known = number == told;
        for (guint k = 0; k < also->len; k++)
            known = known || g_array_index(also, unsigned, k) == number;
        if (!known)
            g_array_append_val(also, number);
    }
    g_array_set_size(hits, first + 1);
}

static MonStop *go_back_to_breakpoint(MonSession *session, GArray *hits, GError **error)
{
    g_autoptr(GArray) also = g_array_new(FALSE, FALSE, sizeof(unsigned));
    choose_first(hits, also);
    MonStop *stop = go_back_to_last(session, hits, error);
    if (stop)
        g_array_append_vals(stop->also, also->data, also->len);
    return stop;
}

static MonStop *backwards(MonSession *session, const MonGo *go, const MonOrder *order, GError **error)
{
    g_autoptr(GArray) hits = NULL;
    if (!mon_history_find(session, order, &hits, error))
        return NULL;
    g_array_set_size(session->seen, 0);
    if (!hits)
        return mon_session_go_back_to(session, 0, error);
    if (go->kind == MON_GO_CONTINUE)
        return go_back_to_breakpoint(session, hits, error);
    const MonHit *hit = &g_array_index(hits, MonHit, hits->len - 1);
    return go_back_to_hit(session, hit, error);
}

static MonStop *back_to_time(MonSession *session, uint64_t time_ps, GError **error)
{
    MonHalt halt;
    g_array_set_size(session->seen, 0);
    return mon_history_go_to_time(session, time_ps, &halt, error) ? mon_session_arrive(session, &halt) : NULL;
}

/* A watchpoint for this search alone; the number is no other breakpoint's. */
static MonStop *go_to_write(MonSession *session, MonBreakpoint *write, const MonPlace *place, GError **error)
{
    MonOrder order = {.only = write};
    g_autoptr(GArray) hits = NULL;
    MonHalt halt;
    if (!mon_kept_find(session, write, NULL, place->frame, error) ||
        !mon_together_catch_up(session, place->rank, error) || !mon_history_find(session, &order, &hits, error))
        return NULL;
    if (!hits) {
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "nothing has changed %s of rank %u before this", write->where,
                    place->rank);
        return NULL;
    }
    const MonHit *hit = &g_array_index(hits, MonHit, hits->len - 1);
    g_array_set_size(session->seen, 0);
    if (!mon_history_go_to(session, hit, write, &halt, error))
        return NULL;
    halt.stop.reason = MON_WATCHPOINT;
    halt.stop.rank = place->rank;
    return mon_session_arrive(session, &halt);
}

MonStop *mon_session_go_to_write(MonSession *session, const MonPlace *place, const char *expression, GError **error)
{
    MonBreakpoint *write = g_new0(MonBreakpoint, 1);
    *write = (MonBreakpoint){
        .number = UINT32_MAX, .watch = true, .watch_rank = place->rank, .where = mon_wire_text(expression)};
    MonStop *stop = go_to_write(session, write, place, error);
    mon_kept_free(write);
    g_atomic_int_set(&session->interrupted, 0);
    return stop;
}

MonStop *mon_session_go_to_sender(MonSession *session, uint32_t rank, GError **error)
{
    g_autoptr(GString) answer = g_string_new(NULL);
    MonPlace place = {.rank = rank};
    char *at;
    if (!session->last || !mon_together_catch_up(session, rank, error) ||
        !mon_session_ask_at(session, session->engine, MON_QUERY_RECEIVED, &place, NULL, answer, error))
        return NULL;
    guint64 number = g_ascii_strtoull(answer->str, &at, 10);
    uint32_t from = (uint32_t)g_ascii_strtoull(at, &at, 10);
    uint64_t moment = g_ascii_strtoull(at, NULL, 10);
    g_array_set_size(session->seen, 0);
    MonStop *stop = mon_session_go_back_to(session, moment, error);
    if (!stop)
        return NULL;
    g_free(stop->text);
    stop->text =
        g_strdup_printf("rank %u sends message %" G_GUINT64_FORMAT ", which rank %u has received", from, number, rank);
    stop->rank = session->last->rank = from;
    g_array_set_size(stop->ranks, 0);
    g_array_append_val(stop->ranks, from);
    g_atomic_int_set(&session->interrupted, 0);
    return stop;
}

static MonStop *obey(MonSession *session, const MonGo *go, GError **error)
{
    MonOrder order = {0};
    if (!session->last) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "the program is not running yet");
        return NULL;
    }
    g_autoptr(GArray) steps = NULL;
    if (!begin_steps(session, go, &steps, error))
        return NULL;
    order.steps = steps;
    if (go->kind == MON_GO_MOMENT && go->to <= session->last->moment) {
        g_array_set_size(session->seen, 0);
        return mon_session_go_back_to(session, go->to, error);
    }
    if (go->kind == MON_GO_TIME && (go->backwards || go->to < session->last->time_ps))
        return back_to_time(session, go->to, error);
    if (go->backwards && (go->kind == MON_GO_INSTRUCTION || go->kind == MON_GO_UNTIL || go->kind == MON_GO_ADVANCE)) {
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
