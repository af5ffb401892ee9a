/* checkpoint.c - what a session needs to come to a moment again in another process, and coming there.
 *
 * There is no image of memory in it. A moment is a function of program, input, machine and the changes of the branch,
 * so all is executed once more, with snapshots on the way, and a hash of all ranks tells whether it is the same moment.
 */
#include "monitor/report/report.h"
#include "monitor/session/session.h"

#include <string.h>

/* Reason, moment, whether it lies between statements, rank, instruction, hash of the ranks, output; branch, number of
 * the last change, branches; breakpoints; stops of ranks that stand ahead; whether it stops at findings. */
#define SAVED_TYPE                                                                                                     \
    "(utbuust"                                                                                                         \
    "uu" MON_LINES_TYPE MON_KEPT_TYPE "a(uutb)b)"
const char mon_session_saved_type[] = SAVED_TYPE;

typedef struct Spot { /* where the session stands */
    uint32_t reason, rank, pc;
    uint64_t moment, printed;
    gboolean between;
    char *state;
} Spot;

/* -- saving ------------------------------------------------------------------------------------ */

static char *state_of(MonSession *session, GError **error)
{
    MonPlace place = {0};
    g_autoptr(GString) state = g_string_new(NULL);
    return mon_session_ask_at(session, session->engine, MON_QUERY_STATE, &place, NULL, state, error)
               ? g_strdup(state->str)
               : NULL;
}

static GVariant *pack_seen(const MonSession *session)
{
    GVariantBuilder seen;
    g_variant_builder_init(&seen, G_VARIANT_TYPE("a(uutb)"));
    for (guint i = 0; i < session->seen->len; i++) {
        const MonSeen *item = &g_array_index(session->seen, MonSeen, i);
        g_variant_builder_add(&seen, "(uutb)", item->breakpoint, item->rank, item->count, item->alone);
    }
    return g_variant_builder_end(&seen);
}

GVariant *mon_session_save(MonSession *session, GVariant **made_of, GError **error)
{
    uint32_t pc;
    *made_of = NULL;
    if (!session->last) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "the program is not running yet");
        return NULL;
    }
    g_autofree char *state = state_of(session, error);
    g_autoptr(GVariant) saved =
        state ? mon_session_request(session, session->engine, MON_WIRE_SAVE, NULL, MON_WIRE_SAVED, NULL, error) : NULL;
    if (!saved)
        return NULL;
    g_variant_get(saved, "(vu)", made_of, &pc);
    return g_variant_ref_sink(
        g_variant_new("(utbuustuu@" MON_LINES_TYPE "@" MON_KEPT_TYPE "@a(uutb)b)", session->last->reason,
                      session->last->moment, session->between, session->last->rank, session->between ? pc : VCODE_NONE,
                      state, session->printed, session->line, session->number, mon_branches_save(session),
                      mon_kept_save(session), pack_seen(session), session->stops_at_findings));
}

/* -- coming there again ------------------------------------------------------------------------ */

static bool nonsense(GError **error)
{
    g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "what it says of the session contradicts itself");
    return false;
}

static void take_seen(MonSession *session, GVariant *value)
{
    GVariantIter iter;
    MonSeen seen = {0};
    gboolean alone;
    g_array_set_size(session->seen, 0);
    g_variant_iter_init(&iter, value);
    while (g_variant_iter_next(&iter, "(uutb)", &seen.breakpoint, &seen.rank, &seen.count, &alone)) {
        seen.alone = alone;
        if (seen.rank < session->ranks)
            g_array_append_val(session->seen, seen);
    }
}

static bool take(MonSession *session, GVariant *saved, Spot *spot, GError **error)
{
    g_autoptr(GVariant) lines = NULL, points = NULL, seen = NULL;
    uint32_t line, number;
    gboolean stops;
    g_variant_get(saved, "(utbuustuu@" MON_LINES_TYPE "@" MON_KEPT_TYPE "@a(uutb)b)", &spot->reason, &spot->moment,
                  &spot->between, &spot->rank, &spot->pc, &spot->state, &spot->printed, &line, &number, &lines, &points,
                  &seen, &stops);
    if (!mon_branches_restore(session, lines) || line >= session->lines->len || spot->reason > MON_ENDED) {
        mon_branches_begin(session);
        return nonsense(error);
    }
    session->line = line;
    session->number = number;
    session->printed = spot->printed;
    session->stops_at_findings = stops;
    mon_kept_restore(session, points);
    take_seen(session, seen);
    return true;
}

/* Snapshots are made on the way, as in a session that has come there by itself. */
static bool go_there(MonSession *session, const Spot *spot, MonHalt *halt, GError **error)
{
    g_autofree char *where = g_strdup_printf("*%u", spot->pc);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(ranks, spot->rank);
    bool beyond = spot->between && spot->pc != VCODE_NONE;
    MonOrder order = {.mode = MON_REACH,
                      .keeps = true,
                      .until = spot->moment,
                      .beyond = beyond,
                      .until_where = beyond ? where : NULL,
                      .until_ranks = ranks};
    return mon_session_run(session, session->engine, &order, halt, error);
}

static bool is_there(MonSession *session, const Spot *spot, const MonHalt *halt, GError **error)
{
    if (halt->stop.reason == MON_INTERRUPTED) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "interrupted on the way");
        return false;
    }
    g_autofree char *state = state_of(session, error);
    if (!state)
        return false;
    if (halt->stop.moment == spot->moment && strcmp(state, spot->state) == 0)
        return true;
    g_set_error(error, MON_ERROR, MON_ERROR_PLACE,
                "moment %" G_GUINT64_FORMAT
                " is not what it was: the ranks are in other states. Something that they read has changed, such as a "
                "file of the host, or this is another version of Orrery",
                spot->moment);
    return false;
}

MonStop *mon_session_restore(MonSession *session, GVariant *saved, GError **error)
{
    Spot spot = {0};
    MonHalt halt = {0};
    MonStop *stop = NULL;
    bool good = take(session, saved, &spot, error) && go_there(session, &spot, &halt, error) &&
                is_there(session, &spot, &halt, error);
    if (good) {
        if (spot.reason != MON_ENDED)
            halt.stop.reason = spot.moment ? MON_ARRIVED : MON_BEGINNING;
        stop = mon_session_arrive(session, &halt);
    }
    mon_session_clear_halt(&halt);
    g_free(spot.state);
    return stop;
}
