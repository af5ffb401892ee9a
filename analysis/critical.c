/* critical.c - the critical path: backwards from the end, to whoever made it go on no sooner.
 *
 *     A  ======== computing ========|send|                       the path, backwards: B's computing, the network from
 *                                        \ network               the arrival to the sending, A's send, A's computing
 *     B  == computing ==|.... waits for it ...|== computing ==|
 *
 * Each step either takes time or goes to a location where the path has not been at this time, so it ends.
 */
#include "analysis/run.h"

#include <string.h>

typedef struct Walk {
    AnalysisRun *run;
    AnalysisPath *path;
    uint32_t at; /* location */
    uint64_t time_ps;
    uint64_t *been_ps; /* by location: the last time at which the path went there without taking time */
} Walk;

/* -- pieces ------------------------------------------------------------------------------------ */

/* Adds what the path does from from_ps to where it is, and goes there. */
static void add(Walk *walk, uint64_t from_ps, AnalysisPiece piece)
{
    if (from_ps >= walk->time_ps)
        return;
    piece.from_ps = from_ps;
    piece.to_ps = walk->time_ps;
    piece.location = walk->at;
    AnalysisLine *line = run_line(walk->run, piece.line);
    piece.kind = line->kind;
    piece.function = line->function;
    piece.site = analysis_run_line_site(walk->run, piece.line);
    line->path_ps += walk->time_ps - from_ps;
    line->times++;
    g_array_append_val(walk->path->pieces, piece);
    walk->time_ps = from_ps;
}

static void add_slot(Walk *walk, uint64_t from_ps, const RunSlot *slot)
{
    add(walk, from_ps, (AnalysisPiece){.line = slot->line, .peer = ANALYSIS_NOBODY});
}

/* Adds a message in the network from from_ps on, link by link where its way is known. Before the first link it is at
 * its sender's interface; it is at a link until it is at the next one. */
static void add_network(Walk *walk, uint64_t from_ps, const RunMessage *message, uint32_t line)
{
    AnalysisPiece piece = {.line = line, .peer = message->sender, .message = message->id};
    for (uint32_t i = message->n_hops; i-- > 0;) {
        const RunHop *hop = &g_array_index(walk->run->hops, RunHop, message->hops + i);
        if (hop->from_ps >= walk->time_ps)
            continue;
        piece.link = hop->link;
        add(walk, MAX(hop->from_ps, from_ps), piece);
    }
    piece.link = message->n_hops ? "network interface" : NULL;
    add(walk, from_ps, piece);
}

/* -- steps ------------------------------------------------------------------------------------- */

/* Returns the location's interval in which time_ps lies, or which it ends; UINT32_MAX: there is none. */
static uint32_t slot_at(const RunLocation *location, uint64_t time_ps)
{
    guint low = 0, high = location->slots->len;
    while (low < high) { /* the first that ends at time_ps or later */
        guint middle = low + (high - low) / 2;
        if (run_slot(location, middle)->to_ps < time_ps)
            low = middle + 1;
        else
            high = middle;
    }
    return low < location->slots->len && run_slot_from(location, low) < time_ps ? low : UINT32_MAX;
}

/* Goes to another location without taking time. Returns false if the path has been there at this time. */
static bool jump(Walk *walk, uint32_t to)
{
    if (to >= walk->run->n || walk->been_ps[to] == walk->time_ps || to == walk->at ||
        slot_at(&walk->run->locations[to], walk->time_ps) == UINT32_MAX)
        return false;
    walk->been_ps[walk->at] = walk->time_ps;
    walk->been_ps[to] = walk->time_ps;
    walk->at = to;
    return true;
}

/* Goes from a message's arrival, or a time at which it was under way, to its sender at the time of sending. Parts of
 * the wait for it that are told apart (transfer, contention) stay so. */
static void follow(Walk *walk, const RunMessage *message, uint32_t slot)
{
    const RunLocation *location = &walk->run->locations[walk->at];
    uint32_t line = run_slot(location, slot)->line;
    for (; run_slot(location, slot)->message == message->id && run_slot(location, slot)->state == ANALYSIS_WAITING;
         slot--) {
        bool network = analysis_run_in_network(run_line(walk->run, run_slot(location, slot)->line)->kind);
        line = run_slot(location, slot)->line;
        if (!network)
            break;
        add_network(walk, MAX(message->sent_ps, run_slot_from(location, slot)), message, line);
        if (slot == 0 || walk->time_ps <= message->sent_ps)
            break;
    }
    add_network(walk, MIN(message->sent_ps, walk->time_ps), message, analysis_run_line_as(walk->run, line, "transfer"));
    jump(walk, message->sender);
}

/* Returns the message that arrived last, up to now, since the call of an interval began; NULL: none. */
static const RunMessage *last_arrival(const Walk *walk, uint32_t slot)
{
    const RunLocation *location = &walk->run->locations[walk->at];
    const GArray *arrivals = walk->run->locations[location->home].arrivals;
    uint32_t first = slot;
    while (first && run_slot(location, first - 1)->state != ANALYSIS_COMPUTING &&
           run_slot(location, first - 1)->state != ANALYSIS_PAUSED)
        first--;
    guint low = 0, high = arrivals ? arrivals->len : 0;
    while (low < high) { /* the first that arrives later */
        guint middle = low + (high - low) / 2;
        uint32_t number = g_array_index(arrivals, uint32_t, middle);
        if (g_array_index(walk->run->messages, RunMessage, number).delivered_ps <= walk->time_ps)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const RunMessage *message =
        &g_array_index(walk->run->messages, RunMessage, g_array_index(arrivals, uint32_t, low - 1));
    return message->delivered_ps > run_slot_from(location, first) && message->sent_ps < walk->time_ps ? message : NULL;
}

/* A wait that the trace does not tell: the message that arrived last ended it. */
static void step_worked_out(Walk *walk, uint32_t number)
{
    const RunLocation *location = &walk->run->locations[walk->at];
    const RunSlot *slot = run_slot(location, number);
    const RunMessage *message = last_arrival(walk, number);
    if (!message) {
        add_slot(walk, run_slot_from(location, number), slot);
        return;
    }
    add(walk, MIN(message->delivered_ps, walk->time_ps),
        (AnalysisPiece){.line = analysis_run_line_as(walk->run, slot->line, "overhead"), .peer = ANALYSIS_NOBODY});
    add_network(walk, message->sent_ps, message, analysis_run_line_as(walk->run, slot->line, "transfer"));
    jump(walk, message->sender);
}

static void step_waiting(Walk *walk, uint32_t number)
{
    const RunLocation *location = &walk->run->locations[walk->at];
    const RunSlot *slot = run_slot(location, number);
    const RunMessage *message = analysis_run_message(walk->run, slot->message);
    const char *cause = run_line(walk->run, slot->line)->kind;
    if (!slot->told)
        step_worked_out(walk, number);
    else if (message && message->receiver == location->home && message->sent_ps < walk->time_ps)
        follow(walk, message, number);
    else if (message && message->receiver == location->home && jump(walk, message->sender))
        return;
    else if (analysis_run_in_network(cause) || !jump(walk, slot->peer))
        add_slot(walk, run_slot_from(location, number), slot);
}

/* Before its first interval, the location was not there yet: its creator was on the path. */
static void step_to_parent(Walk *walk)
{
    const RunLocation *location = &walk->run->locations[walk->at];
    if (walk->time_ps > location->from_ps || location->parent == ANALYSIS_NOBODY || !jump(walk, location->parent))
        add(walk, 0, (AnalysisPiece){.line = analysis_run_line(walk->run, "other", "", 0), .peer = ANALYSIS_NOBODY});
}

static void step(Walk *walk)
{
    const RunLocation *location = &walk->run->locations[walk->at];
    uint32_t number = slot_at(location, walk->time_ps);
    if (number == UINT32_MAX)
        step_to_parent(walk);
    else if (run_slot(location, number)->state == ANALYSIS_WAITING)
        step_waiting(walk, number);
    else
        add_slot(walk, run_slot_from(location, number), run_slot(location, number));
}

/* -- the path ---------------------------------------------------------------------------------- */

static void reverse(GArray *pieces)
{
    AnalysisPiece *all = (AnalysisPiece *)(void *)pieces->data;
    for (guint i = 0; i < pieces->len / 2; i++) {
        AnalysisPiece piece = all[i];
        all[i] = all[pieces->len - 1 - i];
        all[pieces->len - 1 - i] = piece;
    }
}

typedef struct Ranked {
    AnalysisLine line;
    uint32_t number;
} Ranked;

static int by_path(gconstpointer a, gconstpointer b)
{
    const Ranked *one = a, *other = b;
    if (one->line.path_ps != other->line.path_ps)
        return one->line.path_ps < other->line.path_ps ? 1 : -1;
    if (one->line.slack_ps != other->line.slack_ps)
        return one->line.slack_ps < other->line.slack_ps ? -1 : 1;
    if (one->line.time_ps != other->line.time_ps)
        return one->line.time_ps < other->line.time_ps ? 1 : -1;
    return (one->number > other->number) - (one->number < other->number);
}

/* Puts the lines that have most of the path first. */
static void rank_lines(AnalysisPath *path, const GArray *lines)
{
    g_autofree Ranked *ranked = g_new(Ranked, MAX(1, lines->len));
    g_autofree uint32_t *places = g_new(uint32_t, MAX(1, lines->len));
    for (guint i = 0; i < lines->len; i++)
        ranked[i] = (Ranked){g_array_index(lines, AnalysisLine, i), i};
    qsort(ranked, lines->len, sizeof *ranked, by_path);
    for (guint i = 0; i < lines->len; i++) {
        places[ranked[i].number] = i;
        g_array_append_val(path->lines, ranked[i].line);
    }
    for (guint i = 0; i < path->pieces->len; i++) {
        AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        piece->line = places[piece->line];
    }
}

static void count_locations(AnalysisPath *path)
{
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        if (piece->peer == ANALYSIS_NOBODY) /* else it is in the network */
            g_array_index(path->locations, AnalysisPathLocation, piece->location).path_ps +=
                piece->to_ps - piece->from_ps;
    }
}

static void walk_back(AnalysisRun *run, AnalysisPath *path)
{
    Walk walk = {.run = run, .path = path, .been_ps = g_new(uint64_t, MAX(1, run->n))};
    memset(walk.been_ps, 0xff, run->n * sizeof *walk.been_ps);
    for (uint32_t at = 0; at < run->n; at++) {
        uint64_t end_ps = g_array_index(path->locations, AnalysisPathLocation, at).end_ps;
        if (end_ps > walk.time_ps) {
            walk.time_ps = end_ps;
            walk.at = at;
        }
    }
    path->makespan_ps = walk.time_ps;
    while (walk.time_ps > 0)
        step(&walk);
    reverse(path->pieces);
    g_free(walk.been_ps);
}

AnalysisPath *analysis_critical_path(TraceReader *reader, GError **error)
{
    AnalysisRun *run = analysis_run_new(reader, error);
    if (!run)
        return NULL;
    AnalysisPath *path = g_new0(AnalysisPath, 1);
    path->pieces = g_array_new(FALSE, FALSE, sizeof(AnalysisPiece));
    path->lines = g_array_new(FALSE, FALSE, sizeof(AnalysisLine));
    path->locations = g_array_new(FALSE, TRUE, sizeof(AnalysisPathLocation));
    g_array_set_size(path->locations, run->n);
    for (uint32_t at = 0; at < run->n; at++) {
        const RunLocation *location = &run->locations[at];
        if (location->slots->len)
            g_array_index(path->locations, AnalysisPathLocation, at).end_ps =
                run_slot(location, location->slots->len - 1)->to_ps;
    }
    walk_back(run, path);
    analysis_run_slack(run, path->makespan_ps, (AnalysisPathLocation *)(void *)path->locations->data);
    rank_lines(path, run->lines);
    count_locations(path);
    analysis_run_free(run);
    if (path->makespan_ps > 0)
        return path;
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT, "the trace tells no time of any rank: there is no path");
    analysis_critical_path_free(path);
    return NULL;
}

void analysis_critical_path_free(AnalysisPath *path)
{
    if (!path)
        return;
    g_array_unref(path->pieces);
    g_array_unref(path->lines);
    g_array_unref(path->locations);
    g_free(path);
}
