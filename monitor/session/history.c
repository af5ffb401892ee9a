/* history.c - the snapshots of a session, and going back by them.
 *
 * Snapshots are kept so that the gap between two of them grows with their age, and all of them within the memory and
 * number of processes that they may take. The last stop before a moment is found backwards, from snapshot to snapshot:
 * copies run from each to the next one and note the stops on their way, the newest first and some at a time. */
#include "monitor/session/session.h"

#include "monitor/report/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SNAPSHOTS = 256 };
#define YOUNG_US 10000000 /* gaps grow from this age on */

/* -- keeping ----------------------------------------------------------------------------------- */

/* Memory that only this process has, about. */
static uint64_t bytes_of(int process)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/smaps_rollup", process);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return 0;
    const char *line = strstr(text, "\nPrivate_Dirty:");
    return line ? g_ascii_strtoull(line + strlen("\nPrivate_Dirty:"), NULL, 10) * 1024 : 0;
}

static void remove_snapshot(MonSession *session, guint index)
{
    close(g_array_index(session->snapshots, MonSnapshot, index).socket);
    g_array_remove_index(session->snapshots, index);
}

static uint64_t all_bytes(const MonSession *session)
{
    uint64_t bytes = 0;
    for (guint i = 0; i < session->snapshots->len; i++)
        bytes += g_array_index(session->snapshots, MonSnapshot, i).bytes;
    return bytes;
}

/* Drops the snapshot that will be missed least: whose neighbours are near to each other, for their age. Returns false
 * if none can go. */
static bool thin(MonSession *session, int64_t now_us)
{
    guint least = 0;
    double least_gap = 0;
    for (guint i = 1; i + 1 < session->snapshots->len; i++) {
        const MonSnapshot *here = &g_array_index(session->snapshots, MonSnapshot, i);
        if (here->pinned)
            continue;
        double gap = (double)(here[1].made_us - here[-1].made_us) / (double)(now_us - here->made_us + YOUNG_US);
        if (!least || gap < least_gap)
            least_gap = gap;
        if (least_gap == gap)
            least = i;
    }
    if (least)
        remove_snapshot(session, least);
    return least;
}

static guint place_for(const MonSession *session, uint64_t moment)
{
    guint i = session->snapshots->len;
    while (i > 0 && g_array_index(session->snapshots, MonSnapshot, i - 1).moment > moment)
        i--;
    return i;
}

void mon_history_add(MonSession *session, GVariant *value, int socket)
{
    MonSnapshot snapshot = {.socket = socket};
    g_variant_get(value, "(tttix)", &snapshot.moment, &snapshot.latest_ps, &snapshot.printed, &snapshot.process,
                  &snapshot.made_us);
    snapshot.pinned = snapshot.moment == 0;
    guint place = place_for(session, snapshot.moment);
    g_array_insert_val(session->snapshots, place, snapshot);
    if (place > 0) { /* from now on, what is written since then is its own */
        MonSnapshot *last = &g_array_index(session->snapshots, MonSnapshot, place - 1);
        last->bytes = bytes_of(last->process);
    }
    uint64_t limit = session->options.history_bytes ? session->options.history_bytes : MON_HISTORY_BYTES;
    while ((session->snapshots->len > MOST_SNAPSHOTS || all_bytes(session) > limit) && thin(session, snapshot.made_us))
        ;
}

void mon_history_drop_behind(MonSession *session, uint64_t moment)
{
    while (session->snapshots->len &&
           g_array_index(session->snapshots, MonSnapshot, session->snapshots->len - 1).moment > moment)
        remove_snapshot(session, session->snapshots->len - 1);
}

void mon_history_clear(MonSession *session)
{
    while (session->snapshots->len)
        remove_snapshot(session, session->snapshots->len - 1);
}

void mon_session_history(const MonSession *session, MonHistory *history)
{
    *history =
        (MonHistory){.bytes = all_bytes(session),
                     .limit = session->options.history_bytes ? session->options.history_bytes : MON_HISTORY_BYTES,
                     .snapshots = session->snapshots->len,
                     .moment = session->last ? session->last->moment : 0};
}

/* -- waking ------------------------------------------------------------------------------------ */

/* Returns the socket of a copy of the snapshot, which waits for GO. */
static int wake(MonSession *session, const MonSnapshot *snapshot, GError **error)
{
    int socket = -1;
    g_autoptr(GVariant) forked =
        mon_session_request(session, snapshot->socket, MON_WIRE_WAKE, NULL, MON_WIRE_FORKED, &socket, error);
    return forked ? socket : -1;
}

static int no_snapshot(GError **error)
{
    g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE,
                        "there is no way back: the host has made no copy of the beginning");
    return -1;
}

int mon_history_wake(MonSession *session, uint64_t moment, bool strictly, uint64_t *from, GError **error)
{
    for (guint i = session->snapshots->len; i > 0; i--) {
        const MonSnapshot *snapshot = &g_array_index(session->snapshots, MonSnapshot, i - 1);
        if (snapshot->moment > moment || (strictly && snapshot->moment == moment))
            continue;
        *from = snapshot->moment;
        return wake(session, snapshot, error);
    }
    return no_snapshot(error);
}

int mon_history_wake_before_time(MonSession *session, uint64_t time_ps, GError **error)
{
    for (guint i = session->snapshots->len; i > 0; i--) {
        const MonSnapshot *snapshot = &g_array_index(session->snapshots, MonSnapshot, i - 1);
        if (snapshot->latest_ps < time_ps || i == 1)
            return wake(session, snapshot, error);
    }
    return no_snapshot(error);
}

/* -- going back -------------------------------------------------------------------------------- */

/* The copy becomes the engine. */
static void replace_engine(MonSession *session, int socket)
{
    mon_session_drop(&session->view);
    mon_session_drop(&session->engine);
    session->engine = socket;
}

bool mon_history_go_to(MonSession *session, const MonHit *hit, const MonBreakpoint *only, MonHalt *halt, GError **error)
{
    uint64_t from;
    bool beyond = hit->pc != VCODE_NONE;
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autofree char *where = g_strdup_printf("*%u", hit->pc);
    g_array_append_val(ranks, hit->rank);
    int socket = mon_history_wake(session, hit->moment, false, &from, error);
    MonOrder order = {.mode = MON_REACH,
                      .until = hit->moment,
                      .beyond = beyond,
                      .goal = hit->breakpoint,
                      .only = only,
                      .until_where = beyond ? where : NULL,
                      .until_ranks = ranks};
    if (socket < 0 || !mon_session_run(session, socket, &order, halt, error)) {
        mon_session_drop(&socket);
        return false;
    }
    replace_engine(session, socket);
    return true;
}

bool mon_history_go_to_time(MonSession *session, uint64_t time_ps, MonHalt *halt, GError **error)
{
    int socket = mon_history_wake_before_time(session, time_ps, error);
    MonOrder order = {.mode = MON_REACH, .until = UINT64_MAX, .time_ps = time_ps};
    if (socket < 0 || !mon_session_run(session, socket, &order, halt, error)) {
        mon_session_drop(&socket);
        return false;
    }
    replace_engine(session, socket);
    return true;
}

/* What has happened before the statement at which the session stands is the present; and where it stands between two
 * statements, stops behind the first of them may be where it stands. */
static void drop_present(const MonSession *session, GArray *hits)
{
    for (; hits->len > 0; g_array_set_size(hits, hits->len - 1)) {
        const MonHit *hit = &g_array_index(hits, MonHit, hits->len - 1);
        if (hit->moment < session->last->moment ||
            (hit->moment == session->last->moment && session->between && hit->pc == VCODE_NONE))
            return;
    }
}

typedef struct Part { /* of history, which a copy looks through */
    int socket;
    uint64_t from, bound;
} Part;

static MonOrder scan_of(const MonOrder *what, const Part *part)
{
    return (MonOrder){.mode = MON_SCAN, .until = part->bound, .steps = what->steps, .only = what->only};
}

/* Lets copies look through the parts before a moment, newest first, as many at a time as the host has processors. */
static bool begin_parts(MonSession *session, const MonOrder *what, GArray *parts, uint64_t *bound, GError **error)
{
    enum { MOST = 4 };
    guint most = MIN(g_get_num_processors(), MOST);
    while (parts->len<most && * bound> 0) {
        Part part = {.bound = *bound};
        part.socket = mon_history_wake(session, *bound, true, &part.from, error);
        if (part.socket < 0)
            return false;
        MonOrder order = scan_of(what, &part);
        g_array_append_val(parts, part);
        if (!mon_session_begin_run(session, part.socket, &order, error))
            return false;
        *bound = part.from;
    }
    return true;
}

/* Waits for the newest part that is left. Sets *hits if it has some. */
static bool end_part(MonSession *session, const MonOrder *what, GArray *parts, GArray **hits, GError **error)
{
    Part part = g_array_index(parts, Part, 0);
    MonOrder order = scan_of(what, &part);
    MonHalt halt;
    if (!mon_session_end_run(session, part.socket, &order, &halt, error))
        return false;
    mon_session_drop(&part.socket);
    g_array_remove_index(parts, 0);
    drop_present(session, halt.hits);
    bool interrupted = halt.stop.reason == MON_INTERRUPTED;
    if (halt.hits->len > 0 && !interrupted)
        *hits = g_steal_pointer(&halt.hits);
    mon_session_clear_halt(&halt);
    if (interrupted)
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "interrupted: nothing has moved");
    return !interrupted;
}

bool mon_history_find(MonSession *session, const MonOrder *what, GArray **hits, GError **error)
{
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
    uint64_t bound = session->last->moment + session->between;
    bool good = true;
    *hits = NULL;
    do {
        good = begin_parts(session, what, parts, &bound, error);
        if (good && parts->len > 0)
            good = end_part(session, what, parts, hits, error);
    } while (good && !*hits && (parts->len > 0 || bound > 0));
    for (guint i = 0; i < parts->len; i++) /* what is older does not matter any more */
        mon_session_drop(&g_array_index(parts, Part, i).socket);
    return good;
}
