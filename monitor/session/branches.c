/* branches.c - variables that the user changes, and the branches of history that come of it.
 *
 * A branch is a list of changes (changes.c). A process of any snapshot before the first of them that it lacks becomes
 * one of this branch, so branches share the snapshots of what they have in common; to switch drops the others. */
#include "monitor/report/report.h"
#include "monitor/session/session.h"

static void clear_kept(void *item)
{
    g_free(((MonKeptChange *)item)->change.assignment);
}

static void free_line(void *item)
{
    MonLine *line = item;
    g_array_unref(line->changes);
    g_free(line->told.change);
    g_free(line);
}

static MonLine *present(const MonSession *session)
{
    return g_ptr_array_index(session->lines, session->line);
}

/* Adds a branch with the changes of another one that were made up to a moment. */
static MonLine *add_line(MonSession *session, const MonLine *parent, uint64_t moment)
{
    MonLine *line = g_new0(MonLine, 1);
    line->told = (MonBranch){.number = session->lines->len, .begins = moment, .reached = moment};
    line->changes = g_array_new(FALSE, FALSE, sizeof(MonKeptChange));
    g_array_set_clear_func(line->changes, clear_kept);
    for (guint i = 0; parent && i < parent->changes->len; i++) {
        MonKeptChange kept = g_array_index(parent->changes, MonKeptChange, i);
        if (kept.set_at > moment)
            continue;
        kept.change.assignment = g_strdup(kept.change.assignment);
        g_array_append_val(line->changes, kept);
    }
    g_ptr_array_add(session->lines, line);
    return line;
}

void mon_branches_begin(MonSession *session)
{
    g_clear_pointer(&session->lines, g_ptr_array_unref);
    session->lines = g_ptr_array_new_with_free_func(free_line);
    session->line = 0;
    session->printed_here = 0;
    add_line(session, NULL, 0);
}

bool mon_branches_send(const MonSession *session, int socket)
{
    const GArray *changes = present(session)->changes;
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a" MON_CHANGE_TYPE));
    for (guint i = 0; i < changes->len; i++) {
        const MonChange *change = &g_array_index(changes, MonKeptChange, i).change;
        g_variant_builder_add(&builder, MON_CHANGE_TYPE, change->number, change->by_rank, change->at,
                              change->place.rank, change->place.frame, change->place.thread, change->assignment);
    }
    return mon_wire_send(socket, MON_WIRE_CHANGES, g_variant_builder_end(&builder), -1);
}

void mon_branches_note(MonSession *session, uint64_t moment)
{
    MonLine *line = present(session);
    line->told.reached = MAX(line->told.reached, moment);
    line->printed = session->printed;
}

/* -- setting ----------------------------------------------------------------------------------- */

/* The stop of a rank that is seen where the engine has not come yet, or NULL. */
static const MonSeen *seen_ahead(const MonSession *session, uint32_t rank)
{
    for (guint i = 0; session->view >= 0 && i < session->seen->len; i++)
        if (g_array_index(session->seen, MonSeen, i).rank == rank && rank != session->last->rank)
            return &g_array_index(session->seen, MonSeen, i);
    return NULL;
}

/* A change begins a branch, but where one has just begun, or is as far as it has ever come, it belongs to that. */
static void keep(MonSession *session, const MonKeptChange *kept)
{
    MonLine *line = present(session);
    uint64_t moment = session->last->moment;
    if (session->line == 0 || moment < line->told.reached) {
        unsigned parent = session->line;
        line = add_line(session, line, moment);
        line->told.parent = parent;
        line->told.change = g_strdup_printf("rank %u: %s", kept->change.place.rank, kept->change.assignment);
        session->line = line->told.number;
        session->printed = line->printed = session->printed_here;
    }
    g_array_append_val(line->changes, *kept);
    mon_history_drop_behind(session, moment);
}

bool mon_session_set(MonSession *session, const MonPlace *place, const char *assignment, GString *out, GError **error)
{
    const MonSeen *seen = seen_ahead(session, place->rank);
    MonKeptChange kept = {.change = {.number = session->number + 1,
                                     .by_rank = seen,
                                     .at = seen ? seen->count : session->last->moment,
                                     .place = *place},
                          .set_at = session->last->moment};
    g_autofree char *text = g_strdup_printf("%u %s", kept.change.number, assignment);
    if (session->between) {
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE,
                    "the run stands within a statement, where changes cannot be kept: step to the next one first");
        return false;
    }
    if (!mon_session_ask_at(session, seen ? session->view : session->engine, MON_QUERY_SET, place, text, out, error))
        return false;
    session->number++;
    kept.change.assignment = g_strdup(assignment);
    keep(session, &kept);
    mon_branches_send(session, session->engine);
    mon_session_look_again(session, session->last->reason);
    return true;
}

/* -- branches ---------------------------------------------------------------------------------- */

unsigned mon_session_branches(const MonSession *session)
{
    return session->lines ? session->lines->len : 0;
}

unsigned mon_session_branch(const MonSession *session)
{
    return session->line;
}

MonBranch mon_session_branch_of(const MonSession *session, unsigned number)
{
    return ((MonLine *)g_ptr_array_index(session->lines, number))->told;
}

/* The moment up to which two branches are the same. */
static uint64_t common(const MonLine *a, const MonLine *b)
{
    guint i = 0;
    while (i < a->changes->len && i < b->changes->len &&
           g_array_index(a->changes, MonKeptChange, i).change.number ==
               g_array_index(b->changes, MonKeptChange, i).change.number)
        i++;
    uint64_t moment = UINT64_MAX;
    if (i < a->changes->len)
        moment = MIN(moment, g_array_index(a->changes, MonKeptChange, i).set_at);
    if (i < b->changes->len)
        moment = MIN(moment, g_array_index(b->changes, MonKeptChange, i).set_at);
    return moment;
}

MonStop *mon_session_switch(MonSession *session, unsigned number, GError **error)
{
    if (number >= mon_session_branches(session)) {
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no branch %u: 'info branches' lists them", number);
        return NULL;
    }
    const MonLine *from = present(session), *to = g_ptr_array_index(session->lines, number);
    mon_history_drop_behind(session, common(from, to));
    session->line = number;
    session->printed = to->printed;
    g_array_set_size(session->seen, 0);
    MonStop *stop = mon_session_go_back_to(session, to->told.reached, error);
    g_atomic_int_set(&session->interrupted, 0); /* as mon_session_go() does */
    return stop;
}

/* -- checkpoints ------------------------------------------------------------------------------- */

static GVariant *pack_changes(const GArray *changes)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(" MON_CHANGE_TYPE "t)"));
    for (guint i = 0; i < changes->len; i++) {
        const MonKeptChange *kept = &g_array_index(changes, MonKeptChange, i);
        const MonChange *change = &kept->change;
        g_variant_builder_add(&builder, "(" MON_CHANGE_TYPE "t)", change->number, change->by_rank, change->at,
                              change->place.rank, change->place.frame, change->place.thread, change->assignment,
                              kept->set_at);
    }
    return g_variant_builder_end(&builder);
}

GVariant *mon_branches_save(const MonSession *session)
{
    GVariantBuilder lines;
    g_variant_builder_init(&lines, G_VARIANT_TYPE(MON_LINES_TYPE));
    for (guint i = 0; i < session->lines->len; i++) {
        const MonLine *line = g_ptr_array_index(session->lines, i);
        const MonBranch *told = &line->told;
        g_autofree char *change = told->change ? mon_wire_text(told->change) : NULL;
        g_variant_builder_add(&lines, "(uuttmst@a(" MON_CHANGE_TYPE "t))", told->number, told->parent, told->begins,
                              told->reached, change, line->printed, pack_changes(line->changes));
    }
    return g_variant_builder_end(&lines);
}

static void unpack_changes(GVariant *value, GArray *changes)
{
    GVariantIter iter;
    MonKeptChange kept = {0};
    gboolean by_rank;
    MonChange *change = &kept.change;
    g_variant_iter_init(&iter, value);
    while (g_variant_iter_next(&iter, "(" MON_CHANGE_TYPE "t)", &change->number, &by_rank, &change->at,
                               &change->place.rank, &change->place.frame, &change->place.thread, &change->assignment,
                               &kept.set_at)) {
        change->by_rank = by_rank;
        g_array_append_val(changes, kept);
    }
}

bool mon_branches_restore(MonSession *session, GVariant *value)
{
    GVariantIter iter;
    MonBranch told = {0};
    uint64_t printed;
    GVariant *changes;
    g_ptr_array_set_size(session->lines, 0);
    g_variant_iter_init(&iter, value);
    while (g_variant_iter_next(&iter, "(uuttmst@a(" MON_CHANGE_TYPE "t))", &told.number, &told.parent, &told.begins,
                               &told.reached, &told.change, &printed, &changes)) {
        MonLine *line = add_line(session, NULL, told.begins);
        bool good = told.number == line->told.number && told.parent <= told.number;
        line->told = told;
        line->printed = printed;
        unpack_changes(changes, line->changes);
        g_variant_unref(changes);
        if (!good)
            return false;
    }
    return session->lines->len > 0;
}
