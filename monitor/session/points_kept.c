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
    g_clear_pointer(&point->ranks, g_array_unref);
    g_free(point);
}

/* -- setting ----------------------------------------------------------------------------------- */

/* Asks the engine where it is. */
static bool find(MonSession *session, MonBreakpoint *point, uint32_t frame, GError **error)
{
    const char *described;
    g_autoptr(GVariant) found = mon_session_request(
        session, mon_session_looked_at(session), MON_WIRE_FIND,
        g_variant_new("(sbuu)", point->where, point->watch, point->watch_rank, frame), MON_WIRE_FOUND, NULL, error);
    if (!found)
        return false;
    g_variant_get(found, "(&stt)", &described, &point->watch_address, &point->watch_bytes);
    g_free(point->described);
    point->described = g_strdup(described);
    return true;
}

unsigned mon_session_break(MonSession *session, const MonBreakpoint *wanted, uint32_t frame, GError **error)
{
    MonBreakpoint *point = g_memdup2(wanted, sizeof *wanted);
    point->where = mon_wire_text(wanted->where);
    point->condition = g_strdup(wanted->condition);
    point->ranks = wanted->ranks ? g_array_copy(wanted->ranks) : NULL;
    point->described = NULL;
    point->hits = 0;
    point->number = session->next_number;
    if (!find(session, point, frame, error)) {
        mon_kept_free(point);
        return 0;
    }
    g_ptr_array_add(session->points, point);
    return session->next_number++;
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
            find(session, point, 0, &error);
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
    return !point->disabled && (order->mode != MON_SCAN || (order->step.kind == MON_STEP_NONE && !point->log));
}

static GVariant *pack_ranks(const GArray *ranks)
{
    return g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, ranks ? ranks->data : NULL, ranks ? ranks->len : 0,
                                     sizeof(uint32_t));
}

static void pack_point(GVariantBuilder *builder, const MonBreakpoint *point)
{
    uint32_t flags = (point->temporary ? MON_FLAG_TEMPORARY : 0) | (point->log ? MON_FLAG_LOG : 0) |
                     (point->watch ? MON_FLAG_WATCH : 0);
    g_autofree char *where = mon_wire_text(point->where);
    g_autofree char *condition = mon_wire_text(point->condition ? point->condition : "");
    g_variant_builder_add(builder, "(us@austuutt)", point->number, where, pack_ranks(point->ranks), condition,
                          point->ignore, flags, point->watch_rank, point->watch_address, point->watch_bytes);
}

GVariant *mon_kept_pack(const MonSession *session, const MonOrder *order)
{
    GVariantBuilder points, seen;
    g_variant_builder_init(&points, G_VARIANT_TYPE("a" MON_POINT_TYPE));
    for (guint i = 0; i < session->points->len; i++)
        if (takes_part(g_ptr_array_index(session->points, i), order))
            pack_point(&points, g_ptr_array_index(session->points, i));
    if (order->until_where) {
        MonBreakpoint there = {.where = (char *)order->until_where, .ranks = order->until_ranks};
        pack_point(&points, &there);
    }
    g_variant_builder_init(&seen, G_VARIANT_TYPE("a(uut)"));
    for (guint i = 0; order->mode == MON_FORWARD && i < session->seen->len; i++) {
        const MonSeen *item = &g_array_index(session->seen, MonSeen, i);
        g_variant_builder_add(&seen, "(uut)", item->breakpoint, item->rank, item->count);
    }
    return g_variant_new("(utbttb@" MON_STEP_TYPE "@a" MON_POINT_TYPE "@a(uut))", order->mode, order->until,
                         order->beyond, order->time_ps, session->printed, order->keeps, mon_steps_pack(&order->step),
                         g_variant_builder_end(&points), g_variant_builder_end(&seen));
}

void mon_kept_note(MonSession *session, GVariant *counts, bool forward)
{
    GVariantIter iter;
    uint32_t number;
    uint64_t hits, ignore;
    g_variant_iter_init(&iter, counts);
    while (forward && g_variant_iter_next(&iter, "(utt)", &number, &hits, &ignore)) {
        MonBreakpoint *point = mon_session_breakpoint(session, number);
        if (!point)
            continue;
        point->hits += hits;
        point->ignore = ignore;
    }
}

/* -- checkpoints ------------------------------------------------------------------------------- */

/* Fields that are true or false: MON_KEPT_FLAG(name). */
#define MON_KEPT_FLAGS(FLAG) FLAG(each) FLAG(temporary) FLAG(disabled) FLAG(watch) FLAG(log)

static GVariant *pack_flags(const MonBreakpoint *point)
{
    GVariantBuilder flags;
    g_variant_builder_init(&flags, G_VARIANT_TYPE("a{sb}"));
#define MON_KEPT_FLAG(name) g_variant_builder_add(&flags, "{sb}", #name, point->name);
    MON_KEPT_FLAGS(MON_KEPT_FLAG)
#undef MON_KEPT_FLAG
    return g_variant_builder_end(&flags);
}

static void unpack_flags(GVariant *flags, MonBreakpoint *point)
{
    gboolean set;
#define MON_KEPT_FLAG(name) point->name = g_variant_lookup(flags, #name, "b", &set) && set;
    MON_KEPT_FLAGS(MON_KEPT_FLAG)
#undef MON_KEPT_FLAG
}

GVariant *mon_kept_save(const MonSession *session)
{
    GVariantBuilder points;
    g_variant_builder_init(&points, G_VARIANT_TYPE(MON_KEPT_TYPE));
    for (guint i = 0; i < session->points->len; i++) {
        const MonBreakpoint *point = g_ptr_array_index(session->points, i);
        g_autofree char *where = mon_wire_text(point->where), *described = mon_wire_text(point->described);
        g_autofree char *condition = mon_wire_text(point->condition ? point->condition : "");
        g_variant_builder_add(&points, "(uss@austt@a{sb}utt)", point->number, where, described,
                              pack_ranks(point->ranks), condition, point->ignore, point->hits, pack_flags(point),
                              point->watch_rank, point->watch_address, point->watch_bytes);
    }
    return g_variant_builder_end(&points);
}

static MonBreakpoint *unpack_point(GVariant *value)
{
    MonBreakpoint *point = g_new0(MonBreakpoint, 1);
    g_autoptr(GVariant) ranks = NULL, flags = NULL;
    gsize n = 0;
    g_variant_get(value, "(uss@austt@a{sb}utt)", &point->number, &point->where, &point->described, &ranks,
                  &point->condition, &point->ignore, &point->hits, &flags, &point->watch_rank, &point->watch_address,
                  &point->watch_bytes);
    const uint32_t *items = g_variant_get_fixed_array(ranks, &n, sizeof *items);
    if (n > 0) {
        point->ranks = g_array_new(FALSE, FALSE, sizeof *items);
        g_array_append_vals(point->ranks, items, (guint)n);
    }
    if (*point->condition == '\0')
        g_clear_pointer(&point->condition, g_free);
    unpack_flags(flags, point);
    return point;
}

void mon_kept_restore(MonSession *session, GVariant *value)
{
    GVariantIter iter;
    GVariant *item;
    g_ptr_array_set_size(session->points, 0);
    g_variant_iter_init(&iter, value);
    while ((item = g_variant_iter_next_value(&iter))) {
        MonBreakpoint *point = unpack_point(item);
        bool known = !point->watch || point->watch_rank < session->ranks;
        session->next_number = MAX(session->next_number, point->number + 1);
        g_variant_unref(item);
        if (known)
            g_ptr_array_add(session->points, point);
        else
            mon_kept_free(point);
    }
}
