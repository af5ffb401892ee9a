/* convert.c - `orrery trace convert`: events as a table (CSV), as JSON, an object on each line, or in the format of
 * another tool (export/).
 *
 * Columns are the names of all fields in events.def, so that new kinds and fields need nothing here. */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

#include "base/csv.h"

#include <jansson.h>
#include <string.h>

typedef struct Columns {
    struct {
        const char *name;
        TraceForm form;
        int field[TRACE_KINDS]; /* index in TraceEvent.fields; -1: the kind has none of this name */
    } columns[TRACE_KINDS * TRACE_FIELDS];
    unsigned n;
} Columns;

static unsigned column_named(Columns *columns, const TraceFieldInfo *field)
{
    unsigned at = 0;
    while (at < columns->n && strcmp(columns->columns[at].name, field->name) != 0)
        at++;
    if (at < columns->n)
        return at;
    columns->columns[at].name = field->name;
    columns->columns[at].form = field->form;
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++)
        columns->columns[at].field[kind] = -1;
    return columns->n++;
}

static void make_columns(Columns *columns)
{
    columns->n = 0;
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++)
        for (unsigned i = 0; i < trace_kinds[kind].n_fields; i++)
            columns->columns[column_named(columns, &trace_kinds[kind].fields[i])].field[kind] = (int)i;
}

/* -- CSV --------------------------------------------------------------------------------------- */

static void append_head(const Columns *columns, GString *out)
{
    g_string_append(out, "kind,rank,thread,time_ps");
    for (unsigned i = 0; i < columns->n; i++) {
        const char *name = columns->columns[i].name;
        switch (columns->columns[i].form) {
        case TRACE_FORM_TIME: g_string_append_printf(out, ",%s_ps", name); break;
        case TRACE_FORM_SITE: g_string_append(out, ",file,line,caller"); break;
        default: g_string_append_printf(out, ",%s", name); break;
        }
    }
    g_string_append_c(out, '\n');
}

static void append_cell(const TraceReader *reader, const TraceEvent *event, TraceForm form, uint64_t value,
                        GString *out)
{
    switch (form) {
    case TRACE_FORM_SIGNED_COUNTER:
    case TRACE_FORM_SIGNED: g_string_append_printf(out, "%" G_GINT64_FORMAT, (gint64)value); break;
    case TRACE_FORM_TEXT: base_csv_append(out, trace_reader_text(reader, value)); break;
    case TRACE_FORM_PLACE: {
        g_autofree char *name = cli_trace_location(reader, (uint32_t)value);
        g_string_append(out, name);
        break;
    }
    case TRACE_FORM_SITE: {
        TraceSite site = trace_reader_site(reader, value);
        base_csv_append(out, site.file ? site.file : "");
        g_string_append_printf(out, ",%u,", site.line);
        base_csv_append(out, site.function);
        break;
    }
    case TRACE_FORM_LIST:
        for (uint64_t i = 0; i < value; i++)
            g_string_append_printf(out, "%s%" G_GINT64_FORMAT, i ? " " : "", (gint64)event->list[i]);
        break;
    default: g_string_append_printf(out, "%" G_GUINT64_FORMAT, value); break;
    }
}

static void append_row(const TraceReader *reader, const Columns *columns, const TraceEvent *event, GString *out)
{
    TraceLocation at = trace_reader_location(reader, event->location);
    g_string_append_printf(out, "%s,%u,%u,%" G_GUINT64_FORMAT, trace_kinds[event->kind].name, at.rank, at.thread,
                           event->time_ps);
    for (unsigned i = 0; i < columns->n; i++) {
        int field = columns->columns[i].field[event->kind];
        g_string_append_c(out, ',');
        if (field >= 0)
            append_cell(reader, event, trace_kinds[event->kind].fields[field].form, event->fields[field], out);
        else if (columns->columns[i].form == TRACE_FORM_SITE)
            g_string_append(out, ",,");
    }
    g_string_append_c(out, '\n');
}

/* -- JSON -------------------------------------------------------------------------------------- */

static json_t *list_json(const TraceEvent *event, uint64_t n)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer((json_int_t)event->list[i]));
    return list;
}

/* Names in programs and of files need not be UTF-8, as JSON must be. */
static json_t *text_json(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static void set_site(json_t *object, const TraceReader *reader, uint64_t number)
{
    TraceSite site = trace_reader_site(reader, number);
    json_object_set_new(object, "file", text_json(site.file ? site.file : ""));
    json_object_set_new(object, "line", json_integer(site.line));
    json_object_set_new(object, "caller", text_json(site.function));
}

static void set_field(json_t *object, const TraceReader *reader, const TraceEvent *event, const TraceFieldInfo *field,
                      uint64_t value)
{
    g_autofree char *time_name = field->form == TRACE_FORM_TIME ? g_strconcat(field->name, "_ps", NULL) : NULL;
    switch (field->form) {
    case TRACE_FORM_TIME: json_object_set_new(object, time_name, json_integer((json_int_t)value)); break;
    case TRACE_FORM_TEXT: json_object_set_new(object, field->name, text_json(trace_reader_text(reader, value))); break;
    case TRACE_FORM_SITE: set_site(object, reader, value); break;
    case TRACE_FORM_LIST: json_object_set_new(object, field->name, list_json(event, value)); break;
    case TRACE_FORM_PLACE:
        json_object_set_new(object, field->name, json_integer(trace_reader_location(reader, (uint32_t)value).rank));
        break;
    default: json_object_set_new(object, field->name, json_integer((json_int_t)value)); break;
    }
}

static void append_object(const TraceReader *reader, const TraceEvent *event, GString *out)
{
    const TraceKindInfo *info = &trace_kinds[event->kind];
    TraceLocation at = trace_reader_location(reader, event->location);
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(info->name));
    json_object_set_new(object, "rank", json_integer(at.rank));
    json_object_set_new(object, "thread", json_integer(at.thread));
    json_object_set_new(object, "time_ps", json_integer((json_int_t)event->time_ps));
    for (unsigned i = 0; i < info->n_fields; i++)
        set_field(object, reader, event, &info->fields[i], event->fields[i]);
    char *line = json_dumps(object, JSON_COMPACT);
    g_string_append_printf(out, "%s\n", line);
    free(line);
    json_decref(object);
}

/* -- the action -------------------------------------------------------------------------------- */

static bool convert(const ExportJob *job, bool json, GError **error)
{
    TraceText *text = cli_trace_text_to(job->output, error);
    if (!text)
        return false;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(job->reader, job->selection);
    Columns columns;
    TraceEvent event;
    make_columns(&columns);
    if (!json)
        append_head(&columns, cli_trace_text(text));
    while (trace_cursor_next(cursor, &event)) {
        if (json)
            append_object(job->reader, &event, cli_trace_text(text));
        else
            append_row(job->reader, &columns, &event, cli_trace_text(text));
    }
    return cli_trace_text_end(text, trace_cursor_end(cursor, error), error);
}

static bool convert_to(const ExportJob *job, const char *name, GError **error)
{
    const ExportFormat *format = export_formats;
    if (!name || strcmp(name, "csv") == 0 || strcmp(name, "json") == 0)
        return convert(job, name && *name == 'j', error);
    while (strcmp(format->name, name) != 0)
        format++;
    if (format->file && strcmp(job->output, "-") == 0)
        return cli_error_usage(error, "--format %s makes no text: where to? Say it with -o", name);
    return format->write(job, error);
}

bool cli_trace_convert(const TraceTarget *target, char **files, GError **error)
{
    TraceSelection selection = {0};
    TraceSummary summary;
    if (target->format && cli_option_choice("--format", export_format_choices, target->format, error) < 0)
        return false;
    g_autoptr(TraceReader) reader = trace_reader_new(files[0], error);
    if (!reader || !cli_trace_select(target, reader, &selection, error))
        return false;
    trace_reader_summary(reader, &summary);
    ExportJob job = {reader, &selection, target->output ? target->output : "-", summary.locations,
                     MIN(summary.to_ps, selection.to_ps)};
    bool good = convert_to(&job, target->format, error);
    if (selection.locations)
        g_array_unref((GArray *)selection.locations);
    return good;
}
