/* diff.c - `orrery trace diff`: where two runs part, and which source lines the change of time comes from.
 *
 * The calls of each location are compared in their order; locations are taken in groups, so that memory holds a part of
 * the traces at a time. All time of a location is given to source lines: what it computes (and pauses) goes to the line
 * of the call that follows, what it works and waits in a call to that call's line, and what comes after the last call
 * to its end. So the changes add up to the change of the mean time of the locations.
 *
 * The runs may be of two versions of the program, whose lines differ (sites.c).
 */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 64 /* of a group */, MOST_LINES = 10 };

typedef struct Call {
    uint64_t from_ps, to_ps, blocked_ps;
    uint32_t function, site;
} Call;

typedef enum Part { COMPUTING, WORKING, WAITING, PARTS } Part;
static const char *const part_names[PARTS] = {"computing before", "working in", "waiting in"};

typedef struct Line { /* a source line, or the end of the program */
    char *name;
    uint64_t ps[PARTS][2]; /* in the first and the second trace */
} Line;

typedef struct Parting { /* the earliest difference that has been found */
    bool found;
    uint64_t time_ps;
    uint32_t location;
    char *texts[2];
} Parting;

typedef struct Diff {
    TraceReader *readers[2];
    GHashTable *lines;     /* name -> Line */
    GArray *sites;         /* by number in the second trace, the first trace's site, or 0 */
    GHashTable *places[2]; /* function << 32 | site -> Line, one that `lines` owns */
    Parting what, when;
    uint64_t finish_ps[2], last_ps[2]; /* sum over locations, and of the last one */
    uint32_t locations;
} Diff;

/* -- texts ------------------------------------------------------------------------------------- */

static char *place_of(const TraceReader *reader, const Call *call)
{
    TraceSite site = trace_reader_site(reader, call->site);
    return g_strdup_printf("%s at %s:%u", trace_reader_text(reader, call->function), site.file ? site.file : "?",
                           site.line);
}

static char *describe(const TraceReader *reader, const GArray *calls, guint i)
{
    if (i >= calls->len)
        return g_strdup("no further call");
    const Call *call = &g_array_index(calls, Call, i);
    g_autofree char *place = place_of(reader, call);
    g_autofree char *from = base_units_format_time(call->from_ps), *to = base_units_format_time(call->to_ps);
    return g_strdup_printf("%s, %s to %s", place, from, to);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Reads the calls of the locations from `first` on, and the times of their ends. */
static bool read_calls(TraceReader *reader, uint32_t first, GArray *calls[LOCATIONS], uint64_t ends[LOCATIONS],
                       GError **error)
{
    TraceSelection selection = trace_selection_all();
    g_autoptr(GArray) locations = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = first; i < first + LOCATIONS; i++)
        g_array_append_val(locations, i);
    selection.locations = locations;
    selection.kinds = UINT64_C(1) << TRACE_CALL | UINT64_C(1) << TRACE_ENDED;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, &selection);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event)) {
        uint32_t at = event.location - first;
        ends[at] = MAX(ends[at], event.time_ps);
        if (event.kind != TRACE_CALL)
            continue;
        Call call = {.from_ps = event.fields[TRACE_CALL_FROM],
                     .to_ps = event.time_ps,
                     .blocked_ps = event.fields[TRACE_CALL_BLOCKED],
                     .function = (uint32_t)event.fields[TRACE_CALL_FUNCTION],
                     .site = (uint32_t)event.fields[TRACE_CALL_SITE]};
        g_array_append_val(calls[at], call);
    }
    return trace_cursor_end(cursor, error);
}

/* -- comparing --------------------------------------------------------------------------------- */

/* Returns what site of the first trace that of a call in the second trace is; 0: of none. */
static uint32_t site_before(const Diff *diff, const Call *call)
{
    return call->site < diff->sites->len ? g_array_index(diff->sites, uint32_t, call->site) : 0;
}

static bool same_call(const Diff *diff, const Call *one, const Call *other)
{
    return strcmp(trace_reader_text(diff->readers[0], one->function),
                  trace_reader_text(diff->readers[1], other->function)) == 0 &&
           one->site == site_before(diff, other);
}

static bool same_times(const Call *one, const Call *other)
{
    return one->from_ps == other->from_ps && one->to_ps == other->to_ps && one->blocked_ps == other->blocked_ps;
}

static uint64_t time_at(const GArray *calls, guint i)
{
    return i < calls->len ? g_array_index(calls, Call, i).from_ps : UINT64_MAX;
}

static void note_parting(const Diff *diff, Parting *parting, uint32_t location, GArray *const calls[2], guint i)
{
    uint64_t time_ps = MIN(time_at(calls[0], i), time_at(calls[1], i));
    if (parting->found && parting->time_ps <= time_ps)
        return;
    parting->found = true;
    parting->time_ps = time_ps;
    parting->location = location;
    for (unsigned k = 0; k < 2; k++) {
        g_free(parting->texts[k]);
        parting->texts[k] = describe(diff->readers[k], calls[k], i);
    }
}

static void compare(Diff *diff, uint32_t location, GArray *const calls[2])
{
    guint most = MAX(calls[0]->len, calls[1]->len), least = MIN(calls[0]->len, calls[1]->len), what = 0, when = 0;
    while (what < least && same_call(diff, &g_array_index(calls[0], Call, what), &g_array_index(calls[1], Call, what)))
        what++;
    while (when < what && same_times(&g_array_index(calls[0], Call, when), &g_array_index(calls[1], Call, when)))
        when++;
    if (what < most)
        note_parting(diff, &diff->what, location, calls, what);
    if (when < what)
        note_parting(diff, &diff->when, location, calls, when);
}

/* -- where the time went ----------------------------------------------------------------------- */

static Line *line_of(Diff *diff, char *name)
{
    Line *line = g_hash_table_lookup(diff->lines, name);
    if (line) {
        g_free(name);
        return line;
    }
    line = g_new0(Line, 1);
    line->name = name;
    g_hash_table_insert(diff->lines, name, line);
    return line;
}

/* A line that both versions have has the name that it has in the first one. */
static char *name_of_line(const Diff *diff, unsigned k, const Call *call)
{
    uint32_t before = k ? site_before(diff, call) : 0;
    TraceSite site = trace_reader_site(diff->readers[0], before);
    if (!before)
        return place_of(diff->readers[k], call);
    return g_strdup_printf("%s at %s:%u", trace_reader_text(diff->readers[1], call->function), site.file, site.line);
}

/* Names are made once for each function and place. */
static Line *line_of_call(Diff *diff, unsigned k, const Call *call)
{
    gint64 key = (gint64)((uint64_t)call->function << 32 | call->site);
    Line *line = g_hash_table_lookup(diff->places[k], &key);
    if (!line) {
        line = line_of(diff, name_of_line(diff, k, call));
        g_hash_table_insert(diff->places[k], g_memdup2(&key, sizeof key), line);
    }
    return line;
}

static void line_free(gpointer user)
{
    Line *line = user;
    g_free(line->name);
    g_free(line);
}

/* Gives the time of a location to lines. Calls within calls (functions of the program that a call ran) count as part of
 * the outer one, which ends later. */
static void account(Diff *diff, unsigned k, const GArray *calls, uint64_t end_ps)
{
    uint64_t done_ps = 0;
    for (guint i = 0; i < calls->len; i++) {
        const Call *call = &g_array_index(calls, Call, i);
        Line *line = line_of_call(diff, k, call);
        uint64_t from_ps = MAX(call->from_ps, done_ps), time_ps = call->to_ps > from_ps ? call->to_ps - from_ps : 0,
                 waited_ps = MIN(call->blocked_ps, time_ps);
        line->ps[COMPUTING][k] += from_ps - done_ps;
        line->ps[WAITING][k] += waited_ps;
        line->ps[WORKING][k] += time_ps - waited_ps;
        done_ps = MAX(done_ps, call->to_ps);
    }
    if (end_ps > done_ps)
        line_of(diff, g_strdup("the end"))->ps[COMPUTING][k] += end_ps - done_ps;
    diff->finish_ps[k] += end_ps;
    diff->last_ps[k] = MAX(diff->last_ps[k], end_ps);
}

static bool take_group(Diff *diff, uint32_t first, GError **error)
{
    GArray *calls[2][LOCATIONS];
    uint64_t ends[2][LOCATIONS] = {{0}};
    bool good = true;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < LOCATIONS; i++)
            calls[k][i] = g_array_new(FALSE, FALSE, sizeof(Call));
    for (unsigned k = 0; k < 2 && good; k++)
        good = read_calls(diff->readers[k], first, calls[k], ends[k], error);
    for (unsigned i = 0; i < LOCATIONS && good; i++) {
        compare(diff, first + i, (GArray *const[]){calls[0][i], calls[1][i]});
        for (unsigned k = 0; k < 2; k++)
            account(diff, k, calls[k][i], ends[k][i]);
    }
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < LOCATIONS; i++)
            g_array_unref(calls[k][i]);
    return good;
}

/* -- telling ----------------------------------------------------------------------------------- */

typedef struct Change {
    const Line *line;
    Part part;
    gint64 ps;
} Change;

static int by_size(gconstpointer a, gconstpointer b)
{
    const Change *one = a, *other = b;
    guint64 x = (guint64)ABS(one->ps), y = (guint64)ABS(other->ps);
    if (x != y)
        return x < y ? 1 : -1;
    int order = strcmp(one->line->name, other->line->name);
    return order ? order : (int)one->part - (int)other->part;
}

static GArray *changes_of(const Diff *diff)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(Change));
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, diff->lines);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Line *line = value;
        for (unsigned part = 0; part < PARTS; part++) {
            Change change = {line, (Part)part, (gint64)(line->ps[part][1] - line->ps[part][0])};
            if (change.ps)
                g_array_append_val(changes, change);
        }
    }
    g_array_sort(changes, by_size);
    return changes;
}

/* Appends a change of so much time in all locations together, as that of their mean. */
static void append_change(const Diff *diff, gint64 ps, GString *out)
{
    g_autofree char *mean = base_units_format_time((guint64)ABS(ps) / diff->locations);
    g_string_append_printf(out, "%c%s", ps < 0 ? '-' : '+', mean);
}

static void append_parting(const Diff *diff, const Parting *parting, const char *title, char **files, GString *out)
{
    if (!parting->found)
        return;
    g_autofree char *location = cli_trace_location(diff->readers[0], parting->location);
    g_string_append_printf(out, "%s is on rank %s:\n", title, location);
    for (unsigned k = 0; k < 2; k++)
        g_string_append_printf(out, "  %s: %s\n", files[k], parting->texts[k]);
}

static void append_lines(const Diff *diff, GString *out)
{
    g_autoptr(GArray) changes = changes_of(diff);
    if (changes->len == 0)
        return;
    g_string_append(out, "What changed most, as a mean over the ranks:\n");
    for (guint i = 0; i < MIN(changes->len, MOST_LINES); i++) {
        const Change *change = &g_array_index(changes, Change, i);
        g_string_append(out, "  ");
        append_change(diff, change->ps, out);
        g_string_append_printf(out, "  %s %s\n", part_names[change->part], change->line->name);
    }
    if (changes->len > MOST_LINES)
        g_string_append_printf(out, "  and %u smaller changes\n", changes->len - MOST_LINES);
}

static void append(const Diff *diff, char **files, GString *out)
{
    for (unsigned k = 0; k < 2; k++) {
        g_autofree char *last = base_units_format_time(diff->last_ps[k]);
        g_string_append_printf(out, "%s: ends at %s\n", files[k], last);
    }
    if (!diff->what.found && !diff->when.found && diff->finish_ps[0] == diff->finish_ps[1]) {
        g_string_append(out, "The runs make the same calls at the same times.\n");
        return;
    }
    if (!diff->what.found)
        g_string_append(out, "The runs make the same calls, at other times.\n");
    append_parting(diff, &diff->what, "The first call that differs", files, out);
    append_parting(diff, &diff->when, "The first time that differs", files, out);
    cli_trace_append_path_changes(diff->readers, diff->sites, out);
    append_lines(diff, out);
}

static bool take_all(Diff *diff, GError **error)
{
    for (unsigned k = 0; k < 2; k++) {
        TraceSummary summary;
        trace_reader_summary(diff->readers[k], &summary);
        diff->locations = MAX(diff->locations, MAX(1, summary.locations));
    }
    for (uint32_t first = 0; first < diff->locations; first += LOCATIONS)
        if (!take_group(diff, first, error))
            return false;
    return true;
}

bool cli_trace_diff(const TraceTarget *target, char **files, GError **error)
{
    Diff diff = {.lines = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, line_free)};
    bool good = true;
    for (unsigned k = 0; k < 2; k++)
        diff.places[k] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (unsigned k = 0; k < 2 && good; k++)
        good = (diff.readers[k] = trace_reader_new(files[k], error)) != NULL;
    TraceText *text = good ? cli_trace_text_new(target, error) : NULL;
    diff.sites = text ? cli_trace_match_sites(diff.readers, error) : NULL;
    good = diff.sites && take_all(&diff, error);
    if (good)
        append(&diff, files, cli_trace_text(text));
    good = text && cli_trace_text_end(text, good, error);
    for (unsigned k = 0; k < 2; k++) {
        trace_reader_free(diff.readers[k]);
        g_hash_table_unref(diff.places[k]);
        g_free(diff.what.texts[k]);
        g_free(diff.when.texts[k]);
    }
    g_hash_table_unref(diff.lines);
    if (diff.sites)
        g_array_unref(diff.sites);
    return good;
}
