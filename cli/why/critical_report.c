/* critical_report.c - a critical path as text, as a table (CSV), and as JSON. */
#include "base/csv.h"
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/why/why.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 20, MOST_RANKS = 16 };

/* -- names ------------------------------------------------------------------------------------- */

/* Returns a location as "3", or "3.2" for thread 2 of rank 3. */
static char *location_name(const TraceReader *reader, uint32_t number)
{
    TraceLocation location = trace_reader_location(reader, number);
    return location.thread ? g_strdup_printf("%u.%u", location.rank, location.thread)
                           : g_strdup_printf("%u", location.rank);
}

static void append_share(uint64_t part, uint64_t all, GString *out)
{
    unsigned per_mille = all ? (unsigned)((unsigned __int128)part * 1000 / all) : 0;
    g_string_append_printf(out, "%4u.%u %%", per_mille / 10, per_mille % 10);
}

static void append_time(uint64_t ps, int width, GString *out)
{
    g_autofree char *time = base_units_format_time(ps);
    g_string_append_printf(out, "%*s", width, time);
}

/* Appends "computing before MPI_Send at a.c:12", "overhead of MPI_Send at a.c:12 in main". */
static void append_line(const AnalysisLine *line, GString *out)
{
    bool outside =
        strcmp(line->kind, "computing") == 0 || strcmp(line->kind, "sleep") == 0 || strcmp(line->kind, "core") == 0;
    if (!*line->function) {
        g_string_append_printf(out, "%s up to the end", line->kind);
        return;
    }
    g_string_append_printf(out, "%s %s %s", line->kind, outside ? "before" : "in", line->function);
    if (line->site.file)
        g_string_append_printf(out, " at %s:%u", line->site.file, line->site.line);
}

/* -- sums -------------------------------------------------------------------------------------- */

typedef struct Sum { /* of the path, under a name */
    const char *name;
    uint64_t ps;
} Sum;

static int by_time(gconstpointer a, gconstpointer b)
{
    const Sum *one = a, *other = b;
    return one->ps != other->ps ? (one->ps < other->ps ? 1 : -1) : strcmp(one->name, other->name);
}

static void add_to(GArray *sums, const char *name, uint64_t ps)
{
    for (guint i = 0; i < sums->len; i++) {
        Sum *sum = &g_array_index(sums, Sum, i);
        if (strcmp(sum->name, name) == 0) {
            sum->ps += ps;
            return;
        }
    }
    g_array_append_val(sums, ((Sum){name, ps}));
}

static GArray *sums_by_kind(const AnalysisPath *path)
{
    GArray *sums = g_array_new(FALSE, FALSE, sizeof(Sum));
    for (guint i = 0; i < path->lines->len; i++) {
        const AnalysisLine *line = &g_array_index(path->lines, AnalysisLine, i);
        if (line->path_ps)
            add_to(sums, line->kind, line->path_ps);
    }
    g_array_sort(sums, by_time);
    return sums;
}

static GArray *sums_by_link(const AnalysisPath *path)
{
    GArray *sums = g_array_new(FALSE, FALSE, sizeof(Sum));
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        if (piece->link)
            add_to(sums, piece->link, piece->to_ps - piece->from_ps);
    }
    g_array_sort(sums, by_time);
    return sums;
}

typedef struct OnPath { /* a location */
    uint32_t number;
    AnalysisPathLocation is;
} OnPath;

static int by_path(gconstpointer a, gconstpointer b)
{
    const OnPath *one = a, *other = b;
    if (one->is.path_ps != other->is.path_ps)
        return one->is.path_ps < other->is.path_ps ? 1 : -1;
    if (one->is.slack_ps != other->is.slack_ps)
        return one->is.slack_ps < other->is.slack_ps ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

static GArray *ranked_locations(const AnalysisPath *path)
{
    GArray *ranked = g_array_new(FALSE, FALSE, sizeof(OnPath));
    for (guint i = 0; i < path->locations->len; i++) {
        OnPath location = {i, g_array_index(path->locations, AnalysisPathLocation, i)};
        if (location.is.end_ps)
            g_array_append_val(ranked, location);
    }
    g_array_sort(ranked, by_path);
    return ranked;
}

/* -- text -------------------------------------------------------------------------------------- */

static void append_sums(const GArray *sums, const char *title, uint64_t all, guint most, GString *out)
{
    if (sums->len)
        g_string_append_printf(out, "\n  %s\n", title);
    for (guint i = 0; i < MIN(sums->len, most); i++) {
        const Sum *sum = &g_array_index(sums, Sum, i);
        g_string_append(out, "  ");
        append_time(sum->ps, 13, out);
        append_share(sum->ps, all, out);
        g_string_append_printf(out, "  %s\n", sum->name);
    }
    if (sums->len > most)
        g_string_append_printf(out, "  ... and %u more\n", sums->len - most);
}

static void append_lines(const AnalysisPath *path, GString *out)
{
    guint shown = 0, more = 0;
    g_string_append(out, "\n  by line        of path   times          in all          slack\n");
    for (guint i = 0; i < path->lines->len; i++) {
        const AnalysisLine *line = &g_array_index(path->lines, AnalysisLine, i);
        if (!line->path_ps && line->slack_ps == UINT64_MAX)
            continue;
        if (shown == MOST_LINES) {
            more++;
            continue;
        }
        shown++;
        append_time(line->path_ps, 15, out);
        append_share(line->path_ps, path->makespan_ps, out);
        g_string_append_printf(out, "%8" G_GUINT64_FORMAT, line->times);
        append_time(line->time_ps, 16, out);
        append_time(line->slack_ps, 15, out);
        g_string_append(out, "  ");
        append_line(line, out);
        g_string_append_c(out, '\n');
    }
    if (more)
        g_string_append_printf(out, "  ... and %u more (--csv and --json have all)\n", more);
}

static void append_ranks(const AnalysisPath *path, TraceReader *reader, GString *out)
{
    g_autoptr(GArray) ranked = ranked_locations(path);
    g_string_append(out, "\n    rank         on path   of path           slack             end\n");
    for (guint i = 0; i < MIN(ranked->len, MOST_RANKS); i++) {
        const OnPath *location = &g_array_index(ranked, OnPath, i);
        g_autofree char *name = location_name(reader, location->number);
        g_string_append_printf(out, "%8s", name);
        append_time(location->is.path_ps, 16, out);
        g_string_append(out, "  ");
        append_share(location->is.path_ps, path->makespan_ps, out);
        append_time(location->is.slack_ps, 16, out);
        append_time(location->is.end_ps, 16, out);
        g_string_append_c(out, '\n');
    }
    if (ranked->len > MOST_RANKS)
        g_string_append_printf(out, "  ... and %u more ranks (--json has all)\n", ranked->len - MOST_RANKS);
}

static int by_length(gconstpointer a, gconstpointer b, gpointer user)
{
    const GArray *pieces = user;
    guint one = *(const guint *)a, other = *(const guint *)b;
    const AnalysisPiece *x = &g_array_index(pieces, AnalysisPiece, one),
                        *y = &g_array_index(pieces, AnalysisPiece, other);
    uint64_t long_x = x->to_ps - x->from_ps, long_y = y->to_ps - y->from_ps;
    return long_x != long_y ? (long_x < long_y ? 1 : -1) : (one > other) - (one < other);
}

static int by_number(gconstpointer a, gconstpointer b)
{
    guint one = *(const guint *)a, other = *(const guint *)b;
    return (one > other) - (one < other);
}

/* Returns the numbers of the longest pieces, in the order of time. */
static GArray *longest_pieces(const AnalysisPath *path, unsigned longest)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < path->pieces->len; i++)
        g_array_append_val(numbers, i);
    g_array_sort_with_data(numbers, by_length, path->pieces);
    g_array_set_size(numbers, MIN(numbers->len, longest));
    g_array_sort(numbers, by_number);
    return numbers;
}

static void append_piece(const AnalysisPath *path, TraceReader *reader, const AnalysisPiece *piece, GString *out)
{
    const AnalysisLine *line = &g_array_index(path->lines, AnalysisLine, piece->line);
    g_autofree char *name = location_name(reader, piece->location);
    append_time(piece->from_ps, 16, out);
    append_time(piece->to_ps - piece->from_ps, 16, out);
    if (piece->peer == ANALYSIS_NOBODY) {
        g_string_append_printf(out, "  rank %s: ", name);
        append_line(line, out);
    } else {
        g_autofree char *sender = location_name(reader, piece->peer);
        g_string_append_printf(out, "  message %" G_GUINT64_FORMAT " from rank %s to rank %s", piece->message, sender,
                               name);
        if (piece->link)
            g_string_append_printf(out, ", on %s", piece->link);
        g_string_append(out, ": ");
        append_line(line, out);
    }
    g_string_append_c(out, '\n');
}

void cli_why_append_path(const AnalysisPath *path, TraceReader *reader, unsigned longest, GString *out)
{
    g_autoptr(GArray) kinds = sums_by_kind(path), links = sums_by_link(path), numbers = longest_pieces(path, longest);
    g_autofree char *makespan = base_units_format_time(path->makespan_ps);
    g_string_append_printf(out, "critical path  %s, %u piece%s\n", makespan, path->pieces->len,
                           path->pieces->len == 1 ? "" : "s");
    append_sums(kinds, "by kind", path->makespan_ps, G_MAXUINT, out);
    append_lines(path, out);
    append_ranks(path, reader, out);
    append_sums(links, "by link", path->makespan_ps, MOST_LINES, out);
    g_string_append_printf(out, "\n    longest pieces, in the order of time\n          begins          length\n");
    for (guint i = 0; i < numbers->len; i++)
        append_piece(path, reader, &g_array_index(path->pieces, AnalysisPiece, g_array_index(numbers, guint, i)), out);
}

/* -- CSV --------------------------------------------------------------------------------------- */

char *cli_why_path_csv(const AnalysisPath *path, TraceReader *reader)
{
    GString *out = g_string_new("from_ps,to_ps,kind,rank,sender,message,link,function,file,line\n");
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        const AnalysisLine *line = &g_array_index(path->lines, AnalysisLine, piece->line);
        g_autofree char *name = location_name(reader, piece->location),
                        *sender = piece->peer == ANALYSIS_NOBODY ? NULL : location_name(reader, piece->peer);
        g_string_append_printf(out, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%s,%s,%s,", piece->from_ps,
                               piece->to_ps, piece->kind, name, sender ? sender : "");
        if (piece->message)
            g_string_append_printf(out, "%" G_GUINT64_FORMAT, piece->message);
        g_string_append_c(out, ',');
        base_csv_append(out, piece->link ? piece->link : "");
        g_string_append_printf(out, ",%s,", piece->function);
        base_csv_append(out, line->site.file ? line->site.file : "");
        if (line->site.line)
            g_string_append_printf(out, ",%u\n", line->site.line);
        else
            g_string_append(out, ",\n");
    }
    return g_string_free(out, FALSE);
}

/* -- JSON -------------------------------------------------------------------------------------- */

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static void set_line(json_t *object, const AnalysisLine *line)
{
    json_object_set_new(object, "kind", json_string(line->kind));
    if (*line->function)
        json_object_set_new(object, "function", json_string(line->function));
    if (line->site.file) {
        json_object_set_new(object, "file", json_string(line->site.file));
        json_object_set_new(object, "line", number(line->site.line));
    }
}

static json_t *json_sums(const GArray *sums)
{
    json_t *object = json_object();
    for (guint i = 0; i < sums->len; i++)
        json_object_set_new(object, g_array_index(sums, Sum, i).name, number(g_array_index(sums, Sum, i).ps));
    return object;
}

static json_t *json_lines(const AnalysisPath *path)
{
    json_t *all = json_array();
    for (guint i = 0; i < path->lines->len; i++) {
        const AnalysisLine *line = &g_array_index(path->lines, AnalysisLine, i);
        json_t *object = json_object();
        set_line(object, line);
        json_object_set_new(object, "time_ps", number(line->time_ps));
        json_object_set_new(object, "path_ps", number(line->path_ps));
        json_object_set_new(object, "times", number(line->times));
        if (line->slack_ps != UINT64_MAX)
            json_object_set_new(object, "slack_ps", number(line->slack_ps));
        json_array_append_new(all, object);
    }
    return all;
}

static json_t *json_ranks(const AnalysisPath *path, TraceReader *reader)
{
    json_t *all = json_array();
    for (guint i = 0; i < path->locations->len; i++) {
        const AnalysisPathLocation *location = &g_array_index(path->locations, AnalysisPathLocation, i);
        TraceLocation is = trace_reader_location(reader, i);
        if (!location->end_ps)
            continue;
        json_t *object = json_object();
        json_object_set_new(object, "rank", number(is.rank));
        json_object_set_new(object, "thread", number(is.thread));
        json_object_set_new(object, "end_ps", number(location->end_ps));
        json_object_set_new(object, "path_ps", number(location->path_ps));
        json_object_set_new(object, "slack_ps", number(location->slack_ps));
        json_array_append_new(all, object);
    }
    return all;
}

static json_t *json_pieces(const AnalysisPath *path, TraceReader *reader)
{
    json_t *all = json_array();
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        TraceLocation is = trace_reader_location(reader, piece->location);
        json_t *object = json_object();
        json_object_set_new(object, "from_ps", number(piece->from_ps));
        json_object_set_new(object, "to_ps", number(piece->to_ps));
        json_object_set_new(object, "rank", number(is.rank));
        json_object_set_new(object, "thread", number(is.thread));
        set_line(object, &g_array_index(path->lines, AnalysisLine, piece->line));
        if (piece->peer != ANALYSIS_NOBODY) {
            json_object_set_new(object, "sender", number(trace_reader_location(reader, piece->peer).rank));
            json_object_set_new(object, "message", number(piece->message));
        }
        if (piece->link)
            json_object_set_new(object, "link", json_string(piece->link));
        json_array_append_new(all, object);
    }
    return all;
}

char *cli_why_path_json(const AnalysisPath *path, TraceReader *reader)
{
    g_autoptr(GArray) kinds = sums_by_kind(path), links = sums_by_link(path);
    json_t *object = json_object();
    json_object_set_new(object, "orrery", json_integer(1));
    json_object_set_new(object, "makespan_ps", number(path->makespan_ps));
    json_object_set_new(object, "kinds", json_sums(kinds));
    json_object_set_new(object, "links", json_sums(links));
    json_object_set_new(object, "lines", json_lines(path));
    json_object_set_new(object, "ranks", json_ranks(path, reader));
    json_object_set_new(object, "pieces", json_pieces(path, reader));
    char *bare = json_dumps(object, JSON_INDENT(2)), *text = g_strconcat(bare ? bare : "", "\n", NULL);
    free(bare);
    json_decref(object);
    return text;
}
