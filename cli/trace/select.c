/* select.c - which events are meant, and where text goes. */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

#include "base/units.h"

#include <string.h>

/* -- selections -------------------------------------------------------------------------------- */

static bool parse_time(const char *option, const char *text, uint64_t *ps, GError **error)
{
    if (!text || base_units_parse(text, BASE_UNIT_TIME, ps, error))
        return true;
    g_prefix_error(error, "%s: ", option);
    return false;
}

typedef struct Range {
    uint32_t first, last;
} Range;

/* Parses a part of the list: "3" or "0-3". */
static bool parse_range(const char *part, Range *range, GError **error)
{
    char *end;
    guint64 first = g_ascii_strtoull(part, &end, 10), last = first;
    bool good = g_ascii_isdigit(*part);
    if (good && *end == '-') {
        good = g_ascii_isdigit(end[1]);
        last = g_ascii_strtoull(end + 1, &end, 10);
    }
    if (!good || *end || first > last || last > UINT32_MAX)
        return cli_error_usage(error, "--ranks: \"%s\" is no rank and no range such as 0-3", part);
    *range = (Range){(uint32_t)first, (uint32_t)last};
    return true;
}

static bool is_within(const GArray *ranges, uint32_t rank)
{
    for (guint i = 0; i < ranges->len; i++)
        if (rank >= g_array_index(ranges, Range, i).first && rank <= g_array_index(ranges, Range, i).last)
            return true;
    return false;
}

/* Selects the locations of the ranks: their threads as well. */
static bool select_ranks(const char *text, const TraceReader *reader, TraceSelection *selection, GError **error)
{
    g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(Range));
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    TraceSummary summary;
    for (char **part = parts; *part; part++) {
        Range range;
        if (!parse_range(*part, &range, error))
            return false;
        g_array_append_val(ranges, range);
    }
    GArray *locations = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    trace_reader_summary(reader, &summary);
    for (uint32_t i = 0; i < summary.locations; i++)
        if (is_within(ranges, trace_reader_location(reader, i).rank))
            g_array_append_val(locations, i);
    selection->locations = locations;
    return true;
}

static bool no_such_kind(const char *name, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++)
        g_string_append_printf(names, "%s%s",
                               kind == 0                ? ""
                               : kind + 1 < TRACE_KINDS ? ", "
                                                        : " and ",
                               trace_kinds[kind].name);
    return cli_error_usage(error, "--kinds: there are no events \"%s\"; there are %s", name, names->str);
}

static bool select_kinds(const char *text, TraceSelection *selection, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    selection->kinds = 0;
    for (char **part = parts; *part; part++) {
        unsigned kind = 0;
        while (kind < TRACE_KINDS && strcmp(trace_kinds[kind].name, *part) != 0)
            kind++;
        if (kind == TRACE_KINDS)
            return no_such_kind(*part, error);
        selection->kinds |= UINT64_C(1) << kind;
    }
    return true;
}

bool cli_trace_select(const TraceTarget *target, const TraceReader *reader, TraceSelection *selection, GError **error)
{
    *selection = trace_selection_all();
    if (!parse_time("--from", target->from, &selection->from_ps, error) ||
        !parse_time("--to", target->to, &selection->to_ps, error) ||
        (target->kinds && !select_kinds(target->kinds, selection, error)))
        return false;
    if (selection->from_ps > selection->to_ps)
        return cli_error_usage(error, "--from %s is later than --to %s", target->from, target->to);
    return !target->ranks || select_ranks(target->ranks, reader, selection, error);
}

char *cli_trace_location(const TraceReader *reader, uint32_t location)
{
    TraceLocation at = trace_reader_location(reader, location);
    return at.thread ? g_strdup_printf("%u.%u", at.rank, at.thread) : g_strdup_printf("%u", at.rank);
}

/* -- text -------------------------------------------------------------------------------------- */

TraceText *cli_trace_text_new(const TraceTarget *target, GError **error)
{
    return cli_trace_text_to(target->output ? target->output : "-", error);
}
