/* findings_seen.c - stops at findings of checks, as the user sees them: at the statement that does it.
 *
 * Some findings are known only at the end of the run. Then the session goes back to the time when it happened; or, of
 * what the program has left behind, to the last statement. */
#include "monitor/session/session.h"

#include <string.h>

typedef struct Found {
    uint32_t rank;
    uint64_t moment, time_ps;
    char *text;
} Found;

static bool ask_what(MonSession *session, Found *found)
{
    g_autoptr(GVariant) finding =
        mon_session_request(session, session->engine, MON_WIRE_FOUND_WHAT, NULL, MON_WIRE_FINDING, NULL, NULL);
    *found = (Found){.rank = MON_NO_RANK};
    if (finding)
        g_variant_get(finding, "(uttts)", &found->rank, &found->moment, &session->noted, &found->time_ps, &found->text);
    if (found->rank == MON_NO_RANK)
        g_clear_pointer(&found->text, g_free);
    return found->rank != MON_NO_RANK;
}

/* The moment of the statement in which the rank was at the time of the finding, found by way of a snapshot; 0: unknown.
 */
static uint64_t moment_of(MonSession *session, const MonStop *end, const Found *found)
{
    MonHalt halt;
    Found there = {0};
    MonOrder order = {.mode = MON_REACH, .until = end->moment};
    int socket = mon_history_wake_before_time(session, found->time_ps, NULL), engine = session->engine;
    session->sought_rank = found->rank;
    session->sought_ps = found->time_ps;
    if (socket >= 0 && mon_session_run(session, socket, &order, &halt, NULL)) {
        bool found_it = halt.stop.reason == MON_ARRIVED && strcmp(halt.stop.text, MON_FOUND_TEXT) == 0;
        session->engine = socket;
        if (found_it)
            (void)ask_what(session, &there);
        session->engine = engine;
        mon_session_clear_halt(&halt);
    }
    session->sought_ps = 0;
    mon_session_drop(&socket);
    g_free(there.text);
    return there.moment;
}

/* Returns NULL if it stays where it is. */
static MonStop *go_there(MonSession *session, const MonStop *stop, const Found *found)
{
    uint64_t moment = found->moment;
    if (stop->reason == MON_ENDED && found->time_ps > 0 && found->time_ps < stop->makespan_ps) {
        uint64_t then = moment_of(session, stop, found);
        moment = then ? then : moment;
    }
    return moment ? mon_session_go_back_to(session, moment, NULL) : NULL;
}

MonStop *mon_findings_come_to(MonSession *session, MonStop *stop)
{
    Found found;
    bool at_one = stop->reason == MON_ARRIVED && strcmp(stop->text, MON_FOUND_TEXT) == 0;
    bool late = stop->reason == MON_ENDED && stop->end == MACH_STOP_FINISHED && session->found_at != stop->moment;
    if ((!at_one && !late) || !ask_what(session, &found))
        return stop;
    session->found_at = late ? stop->moment : 0; /* who goes on to the end once more sees that */
    MonStop *there = go_there(session, stop, &found);
    if (there)
        mon_session_free_stop(stop);
    else
        there = stop;
    if (!late)
        session->found_at = there->moment;
    there->reason = MON_ARRIVED;
    there->rank = found.rank;
    g_array_set_size(there->ranks, 0);
    g_array_append_val(there->ranks, found.rank);
    g_free(there->text);
    there->text = g_strconcat("a check has found something: ", found.text, NULL);
    g_free(found.text);
    return there;
}
