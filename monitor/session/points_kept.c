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

/* Takes what is watched: one value, as the engine packs it. */
static GArray *spots_of(GVariant *packed)
{
    GArray *spots = g_array_new(FALSE, FALSE, sizeof(GVariant *));
    g_array_set_clear_func(spots, clear_spots);
    return g_array_append_val(spots, packed);
}

/* Returns a new reference to that. */
static GVariant *pack_spots(const MonBreakpoint *point)
{
    return point->spots ? g_variant_ref(g_array_index(point->spots, GVariant *, 0))
                        : g_variant_ref_sink(g_variant_new_array(G_VARIANT_TYPE(MON_SPOT_TYPE), NULL, 0));
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
    if (point->watch && !point->spots)
        point->spots = spots_of(g_steal_pointer(&spots));
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
    g_autoptr(GVariant) spots = pack_spots(point);
    g_variant_builder_add(builder, "(uus@austus@a" MON_SPOT_TYPE ")", point->number, point->kind, where,
                          pack_ranks(point->watch ? NULL : point->ranks), condition, point->ignore, flags_of(point),
                          point->message ? point->message : "", spots);
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

/* -- checkpoints ------------------------------------------------------------------------------- */

/* Fields that are true or false: MON_KEPT_FLAG(name). */
#define MON_KEPT_FLAGS(FLAG) FLAG(each) FLAG(temporary) FLAG(disabled) FLAG(watch) FLAG(reads) FLAG(writes) FLAG(log)

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
        g_autofree char *message = mon_wire_text(point->message ? point->message : "");
        g_autoptr(GVariant) spots = pack_spots(point);
        g_variant_builder_add(&points, "(usss@austt@a{sb}us@a" MON_SPOT_TYPE ")", point->number,
                              mon_point_kind(point->kind)->word, where, described, pack_ranks(point->ranks), condition,
                              point->ignore, point->hits, pack_flags(point), point->watch_rank, message, spots);
    }
    return g_variant_builder_end(&points);
}

static MonBreakpoint *unpack_point(GVariant *value)
{
    MonBreakpoint *point = g_new0(MonBreakpoint, 1);
    g_autoptr(GVariant) ranks = NULL, flags = NULL, spots = NULL;
    const char *word;
    gsize n = 0;
    g_variant_get(value, "(u&sss@austt@a{sb}us@a" MON_SPOT_TYPE ")", &point->number, &word, &point->where,
                  &point->described, &ranks, &point->condition, &point->ignore, &point->hits, &flags,
                  &point->watch_rank, &point->message, &spots);
    while (mon_point_kind(point->kind) && strcmp(mon_point_kind(point->kind)->word, word) != 0)
        point->kind++;
    if (!mon_point_kind(point->kind)) /* of a newer version, which this one cannot stop at */
        point->kind = MON_POINT_PLACE;
    const uint32_t *items = g_variant_get_fixed_array(ranks, &n, sizeof *items);
    if (n > 0) {
        point->ranks = g_array_new(FALSE, FALSE, sizeof *items);
        g_array_append_vals(point->ranks, items, (guint)n);
    }
    if (*point->condition == '\0')
        g_clear_pointer(&point->condition, g_free);
    if (*point->message == '\0')
        g_clear_pointer(&point->message, g_free);
    unpack_flags(flags, point);
    if (point->watch)
        point->spots = spots_of(g_steal_pointer(&spots));
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
