/* points_kept.c - breakpoints and watchpoints as the user knows them: numbers, conditions, counts. The engine gets them
 * anew with each GO. */
#include "monitor/report/report.h"
#include "monitor/session/session.h"

void mon_kept_free(void *item)
{
    MonBreakpoint *point = item;
    g_free(point->where);
    g_free(point->described);
    g_free(point->condition);
    g_free(point->message);
    g_clear_pointer(&point->ranks, g_array_unref);
    g_clear_pointer(&point->spots, g_array_unref);
    g_free(point);
}

const MonPointKindInfo *mon_point_kind(MonPointKind kind)
{
    static const MonPointKindInfo kinds[] = {
#define MON_POINT_KIND(name, word, form, meaning) {word, form, meaning},
#include "monitor/session/kinds.def"
    };
    return kind < G_N_ELEMENTS(kinds) ? &kinds[kind] : NULL;
}

/* -- setting ----------------------------------------------------------------------------------- */

static GVariant *pack_ranks(const GArray *ranks)
{
    return g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, ranks ? ranks->data : NULL, ranks ? ranks->len : 0,
                                     sizeof(uint32_t));
}

static uint32_t flags_of(const MonBreakpoint *point)
{
    return (point->temporary ? MON_FLAG_TEMPORARY : 0) | (point->log ? MON_FLAG_LOG : 0) |
           (point->watch ? MON_FLAG_WATCH : 0) | (point->reads ? MON_FLAG_READS : 0) |
           (point->writes ? MON_FLAG_WRITES : 0);
}

static void clear_spots(void *item)
{
    g_variant_unref(*(GVariant **)item);
}

bool mon_kept_find(MonSession *session, MonBreakpoint *point, const char *condition, uint32_t frame, GError **error)
{
    const char *described;
    g_autofree char *valid = mon_wire_text(condition ? condition : "");
    g_autoptr(GVariant) found =
        mon_session_request(session, mon_session_looked_at(session), MON_WIRE_FIND,
                            g_variant_new("(uus@ausuu)", point->kind, flags_of(point), point->where,
                                          pack_ranks(point->ranks), valid, point->watch_rank, frame),
                            MON_WIRE_FOUND, NULL, error);
    if (!found)
        return false;
    g_autoptr(GVariant) spots = NULL;
    g_variant_get(found, "(&s@a" MON_SPOT_TYPE ")", &described, &spots);
    g_free(point->described);
    point->described = g_strdup(described);
    if (point->watch && !point->spots) {
        point->spots = g_array_new(FALSE, FALSE, sizeof(GVariant *));
        g_array_set_clear_func(point->spots, clear_spots);
        g_array_append_val(point->spots, spots);
        spots = NULL;
    }
    return true;
}

unsigned mon_session_break(MonSession *session, const MonBreakpoint *wanted, uint32_t frame, GError **error)
{
    MonBreakpoint *point = g_memdup2(wanted, sizeof *wanted);
    point->where = mon_wire_text(wanted->where);
    point->condition = g_strdup(wanted->condition);
    point->message = wanted->message ? mon_wire_text(wanted->message) : NULL;
    point->ranks = wanted->ranks ? g_array_copy(wanted->ranks) : NULL;
    point->spots = NULL;
    point->described = NULL;
    point->hits = 0;
    point->number = session->next_number;
    if (!mon_kept_find(session, point, point->condition, frame, error)) {
        mon_kept_free(point);
        return 0;
    }
    g_ptr_array_add(session->points, point);
    return session->next_number++;
}

bool mon_session_condition(MonSession *session, unsigned number, const char *condition, GError **error)
{
    MonBreakpoint *point = mon_session_breakpoint(session, number);
    if (!point) {
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no breakpoint %u", number);
        return false;
    }
    if (condition && !mon_kept_find(session, point, condition, 0, error))
        return false;
    g_free(point->condition);
    point->condition = g_strdup(condition);
    return true;
}

MonBreakpoint *mon_session_breakpoint(MonSession *session, unsigned number)
{
    for (guint i = 0; i < session->points->len; i++) {
        MonBreakpoint *point = g_ptr_array_index(session->points, i);
        if (point->number == number)
            return point;
    }
    return NULL;
}

bool mon_session_break_remove(MonSession *session, unsigned number)
{
    MonBreakpoint *point = mon_session_breakpoint(session, number);
    return point && g_ptr_array_remove(session->points, point);
}

const GPtrArray *mon_session_breakpoints(const MonSession *session)
{
    return session->points;
}

void mon_kept_find_again(MonSession *session)
{
    for (guint i = session->points->len; i > 0; i--) {
        MonBreakpoint *point = g_ptr_array_index(session->points, i - 1);
        g_autoptr(GError) error = NULL;
        if (point->watch)
            g_set_error_literal(&error, MON_ERROR, MON_ERROR_PLACE, "what it watched has ended with the program");
        else
            mon_kept_find(session, point, point->condition, 0, &error);
        if (!error)
            continue;
        g_ptr_array_insert(session->lost, 0,
                           g_strdup_printf("breakpoint %u is gone: %s", point->number, error->message));
        g_ptr_array_remove_index(session->points, i - 1);
    }
}

/* -- to and from the engine -------------------------------------------------------------------- */

/* To go back by steps, nobody stops on the way. */
static bool takes_part(const MonBreakpoint *point, const MonOrder *order)
{
    return !point->disabled &&
           (order->mode != MON_SCAN || ((!order->steps || order->steps->len == 0) && !point->log && !order->only));
}

static void pack_point(GVariantBuilder *builder, const MonBreakpoint *point)
{
    g_autofree char *where = mon_wire_text(point->where);
    g_autofree char *condition = mon_wire_text(point->condition ? point->condition : "");
    GVariant *spots = point->spots ? g_variant_ref(g_array_index(point->spots, GVariant *, 0)) : NULL;
    g_variant_builder_add(builder, "(uus@austus@a" MON_SPOT_TYPE ")", point->number, point->kind, where,
                          pack_ranks(point->watch ? NULL : point->ranks), condition, point->ignore, flags_of(point),
                          point->message ? point->message : "",
                          spots ? spots : g_variant_new_array(G_VARIANT_TYPE(MON_SPOT_TYPE), NULL, 0));
    if (spots)
        g_variant_unref(spots);
}

static GVariant *pack_steps(const GArray *steps)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a" MON_STEP_TYPE));
    for (guint i = 0; steps && i < steps->len; i++)
        g_variant_builder_add_value(&builder, mon_steps_pack(&g_array_index(steps, MonStep, i)));
    return g_variant_builder_end(&builder);
}

GVariant *mon_kept_pack(const MonSession *session, const MonOrder *order)
{
    GVariantBuilder points, seen;
    g_variant_builder_init(&points, G_VARIANT_TYPE("a" MON_POINT_TYPE));
    for (guint i = 0; i < session->points->len; i++)
        if (takes_part(g_ptr_array_index(session->points, i), order))
            pack_point(&points, g_ptr_array_index(session->points, i));
    if (order->only)
        pack_point(&points, order->only);
    if (order->until_where) {
        MonBreakpoint there = {.where = (char *)order->until_where, .ranks = order->until_ranks};
        pack_point(&points, &there);
    }
    g_variant_builder_init(&seen, G_VARIANT_TYPE("a(uut)"));
    for (guint i = 0; order->mode == MON_FORWARD && i < session->seen->len; i++) {
        const MonSeen *item = &g_array_index(session->seen, MonSeen, i);
        g_variant_builder_add(&seen, "(uut)", item->breakpoint, item->rank, item->count);
    }
    return g_variant_new("(utbttbu@a" MON_STEP_TYPE "@a" MON_POINT_TYPE "@a(uut))", order->mode, order->until,
                         order->beyond, order->time_ps, session->printed, order->keeps, order->goal,
                         pack_steps(order->steps), g_variant_builder_end(&points), g_variant_builder_end(&seen));
}

void mon_kept_note(MonSession *session, GVariant *counts, bool forward)
{
    GVariantIter iter;
    uint32_t number;
    uint64_t hits, ignore;
    gboolean gone;
    g_variant_iter_init(&iter, counts);
    while (forward && g_variant_iter_next(&iter, "(uttb)", &number, &hits, &ignore, &gone)) {
        MonBreakpoint *point = mon_session_breakpoint(session, number);
        if (!point)
            continue;
        point->hits += hits;
        point->ignore = ignore;
        point->temporary = point->temporary || gone; /* what it watched is no more: this was its last stop */
    }
}
