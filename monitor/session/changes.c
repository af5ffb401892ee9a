/* changes.c - variables that the user has changed, in the engine.
 *
 * A change has a place in history: a moment, or a number of statements of a rank that stood ahead of the run. Whichever
 * snapshot a process comes from, it makes the changes of its branch of history that it has not made yet when it comes
 * there; so history with changes can be gone back and forth in as well. */
#include "monitor/session/engine.h"

#include <stdlib.h>

static void clear_change(void *change)
{
    g_free(((MonChange *)change)->assignment);
}

void mon_changes_begin(MonEngine *engine)
{
    engine->changes = g_array_new(FALSE, FALSE, sizeof(MonChange));
    engine->changed = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_set_clear_func(engine->changes, clear_change);
    engine->change_at = UINT64_MAX;
}

static bool was_made(const MonEngine *engine, unsigned number)
{
    for (guint i = 0; i < engine->changed->len; i++)
        if (g_array_index(engine->changed, unsigned, i) == number)
            return true;
    return false;
}

static void find_next(MonEngine *engine)
{
    engine->change_at = UINT64_MAX;
    for (guint i = 0; i < engine->changes->len; i++) {
        const MonChange *change = &g_array_index(engine->changes, MonChange, i);
        engine->change_at = MIN(engine->change_at, change->by_rank ? 0 : change->at);
    }
}

void mon_changes_take(MonEngine *engine, GVariant *value)
{
    GVariantIter iter;
    MonChange change = {0};
    gboolean by_rank;
    g_array_set_size(engine->changes, 0);
    g_variant_iter_init(&iter, value);
    while (g_variant_iter_next(&iter, MON_CHANGE_TYPE, &change.number, &by_rank, &change.at, &change.place.rank,
                               &change.place.frame, &change.place.thread, &change.assignment)) {
        change.by_rank = by_rank;
        if (was_made(engine, change.number))
            g_free(change.assignment);
        else
            g_array_append_val(engine->changes, change);
    }
    find_next(engine);
}

static bool make(MonEngine *engine, unsigned number, const MonPlace *place, const char *assignment, GString *out,
                 GError **error)
{
    MonSpot spot = {engine->machine, place->rank, place->frame};
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, assignment, error);
    if (!expression || !mon_expression_set(expression, &spot, out, error))
        return false;
    g_array_append_val(engine->changed, number);
    return true;
}

/* What could be made when it was asked for can be made here, too: everything is as it was then. */
void mon_changes_make(MonEngine *engine, uint32_t rank)
{
    for (guint i = engine->changes->len; i > 0; i--) {
        MonChange *change = &g_array_index(engine->changes, MonChange, i - 1);
        bool due = change->by_rank ? change->place.rank == rank && engine->counts[rank] == change->at
                                   : engine->moment == change->at;
        if (!due)
            continue;
        make(engine, change->number, &change->place, change->assignment, NULL, NULL);
        g_array_remove_index(engine->changes, i - 1);
    }
    find_next(engine);
}

bool mon_changes_try(MonEngine *engine, const MonPlace *place, const char *text, GString *out, GError **error)
{
    char *assignment;
    unsigned number = (unsigned)strtoul(text, &assignment, 10);
    return make(engine, number, place, assignment + 1, out, error);
}
