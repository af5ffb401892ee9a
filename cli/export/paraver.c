/* paraver.c - traces of Paraver ("Paraver: trace format", Barcelona Supercomputing Center): NAME.prv with states (1),
 * events (2) and communications (3) in the order of time, NAME.pcf with what their numbers mean, NAME.row with names.
 *
 * Times are in ns, rounded down. Each location is a thread of its own task and has a processor of its own. */
#include "base/sorter.h"
#include "cli/export/order.h"
#include "cli/export/timeline.h"

#include "cli/base/base.h"

#include <string.h>

enum { RUNNING = 1, WAITING = 9, IN_LIBRARY = 15, PAUSED = 0 };
enum { EVENT_CALL = 50000001, EVENT_CAUSE = 50000101, EVENT_LINE = 80000001, EVENT_CALLER = 70000001 };

static const struct {
    int number;
    const char *name, *colour;
} states[] = {
    {PAUSED, "Paused", "117,195,255"},
    {RUNNING, "Computing", "0,0,255"},
    {WAITING, "Waiting in MPI", "255,0,0"},
    {IN_LIBRARY, "In MPI", "172,174,41"},
};

/* Numbers of names, from 1 on, in the order of their first use. */
typedef struct Names {
    GHashTable *numbers;
    GPtrArray *names;
} Names;

static unsigned number_of(Names *names, const char *name)
{
    gpointer number = g_hash_table_lookup(names->numbers, name);
    if (!number) {
        char *own = g_strdup(name);
        g_ptr_array_add(names->names, own);
        number = GUINT_TO_POINTER(names->names->len);
        g_hash_table_insert(names->numbers, own, number);
    }
    return GPOINTER_TO_UINT(number);
}

typedef struct Paraver {
    const ExportJob *job;
    BaseSorter *sorter;
    GString *line;
    Names functions, causes, callers, lines;
} Paraver;

static void add_line(Paraver *paraver, uint64_t time_ps, uint64_t order)
{
    base_sorter_add(paraver->sorter, &(BaseRecord){.keys = {time_ps / 1000, order},
                                                   .size = (uint32_t)paraver->line->len,
                                                   .bytes = paraver->line->str});
}

/* Begins a record: its sort, and where it is: processor, application, task, thread. */
static void begin(Paraver *paraver, int sort, uint32_t location)
{
    g_string_printf(paraver->line, "%d:%u:1:%u:1", sort, location + 1, location + 1);
}

static void add_state(Paraver *paraver, uint32_t location, uint64_t from_ps, uint64_t to_ps, int state)
{
    if (from_ps / 1000 == to_ps / 1000)
        return;
    begin(paraver, 1, location);
    g_string_append_printf(paraver->line, ":%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%d\n", from_ps / 1000,
                           to_ps / 1000, state);
    add_line(paraver, from_ps, EXPORT_ORDER_LEAVE);
}

static void add_event(Paraver *paraver, uint32_t location, uint64_t time_ps, bool begins, int type, unsigned value)
{
    begin(paraver, 2, location);
    g_string_append_printf(paraver->line, ":%" G_GUINT64_FORMAT ":%d:%u\n", time_ps / 1000, type, value);
    add_line(paraver, time_ps, begins ? EXPORT_ORDER_ENTER : EXPORT_ORDER_POINT);
}

static void add_computing(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps)
{
    add_state(user, location, from_ps, to_ps, RUNNING);
}

static void add_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    (void)why;
    add_state(user, location, from_ps, to_ps, PAUSED);
}

/* States do not overlap: the call is cut where it waits. Where that is not known, it waits at the end. */
static void add_call_states(Paraver *paraver, const ExportCall *call)
{
    uint64_t at_ps = call->from_ps;
    for (unsigned i = 0; i < call->n_waits; i++) {
        const ExportWait *wait = &call->waits[i];
        add_state(paraver, call->location, at_ps, MAX(at_ps, wait->from_ps), IN_LIBRARY);
        add_state(paraver, call->location, wait->from_ps, wait->to_ps, WAITING);
        add_event(paraver, call->location, wait->from_ps, true, EVENT_CAUSE, number_of(&paraver->causes, wait->cause));
        add_event(paraver, call->location, wait->to_ps, false, EVENT_CAUSE, 0);
        at_ps = MAX(at_ps, wait->to_ps);
    }
    uint64_t blocked_ps = call->n_waits ? 0 : MIN(call->blocked_ps, call->to_ps - call->from_ps);
    add_state(paraver, call->location, at_ps, call->to_ps - blocked_ps, IN_LIBRARY);
    add_state(paraver, call->location, call->to_ps - blocked_ps, call->to_ps, WAITING);
}

static void add_call(void *user, const ExportCall *call)
{
    Paraver *paraver = user;
    TraceSite site = trace_reader_site(paraver->job->reader, call->site);
    add_call_states(paraver, call);
    add_event(paraver, call->location, call->from_ps, true, EVENT_CALL, number_of(&paraver->functions, call->function));
    add_event(paraver, call->location, call->to_ps, false, EVENT_CALL, 0);
    if (!site.file)
        return;
    g_autofree char *line = g_strdup_printf("%u (%s)", site.line, export_timeline_base_name(site.file));
    add_event(paraver, call->location, call->from_ps, true, EVENT_CALLER, number_of(&paraver->callers, site.function));
    add_event(paraver, call->location, call->from_ps, true, EVENT_LINE, number_of(&paraver->lines, line));
    add_event(paraver, call->location, call->to_ps, false, EVENT_CALLER, 0);
    add_event(paraver, call->location, call->to_ps, false, EVENT_LINE, 0);
}

static void add_message(void *user, const ExportMessage *message)
{
    Paraver *paraver = user;
    uint64_t sent = message->sent_ps / 1000, came = message->delivered_ps / 1000;
    begin(paraver, 3, message->from);
    g_string_append_printf(paraver->line,
                           ":%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%u:1:%u:1:%" G_GUINT64_FORMAT
                           ":%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT "\n",
                           sent, sent, message->to + 1, message->to + 1, came, came, message->bytes,
                           (gint64)message->tag);
    add_line(paraver, message->sent_ps, EXPORT_ORDER_POINT);
}

/* -- the files --------------------------------------------------------------------------------- */

static bool write_prv(const Paraver *paraver, const char *path, GError **error)
{
    uint32_t n = paraver->job->locations;
    BaseRecord record;
    TraceText *text = cli_trace_text_to(path, error);
    if (!text)
        return false;
    GString *out = cli_trace_text(text);
    /* The date is that of the format's examples: the run itself has none. */
    g_string_append_printf(out, "#Paraver (01/01/2000 at 00:00):%" G_GUINT64_FORMAT "_ns:1(%u):1:%u(",
                           paraver->job->end_ps / 1000 + (paraver->job->end_ps % 1000 != 0), n, n);
    for (uint32_t i = 0; i < n; i++)
        g_string_append(cli_trace_text(text), i ? ",1:1" : "1:1");
    g_string_append(cli_trace_text(text), ")\n");
    while (base_sorter_next(paraver->sorter, &record))
        g_string_append_len(cli_trace_text(text), record.bytes, record.size);
    return cli_trace_text_end(text, base_sorter_end(paraver->sorter, error), error);
}

static void append_type(GString *out, int type, const char *name, const Names *values)
{
    g_string_append_printf(out, "EVENT_TYPE\n9    %d    %s\nVALUES\n0      End\n", type, name);
    for (guint i = 0; i < values->names->len; i++)
        g_string_append_printf(out, "%u      %s\n", i + 1, (const char *)values->names->pdata[i]);
    g_string_append(out, "\n\n");
}

static bool write_pcf(const Paraver *paraver, const char *path, GError **error)
{
    TraceText *text = cli_trace_text_to(path, error);
    if (!text)
        return false;
    GString *out = cli_trace_text(text);
    g_string_append(out, "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n\n"
                         "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\nSTATES\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(states); i++)
        g_string_append_printf(out, "%d    %s\n", states[i].number, states[i].name);
    g_string_append(out, "\n\nSTATES_COLOR\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(states); i++)
        g_string_append_printf(out, "%d    {%s}\n", states[i].number, states[i].colour);
    g_string_append(out, "\n\n");
    append_type(out, EVENT_CALL, "MPI call", &paraver->functions);
    append_type(out, EVENT_CAUSE, "Cause of waiting", &paraver->causes);
    append_type(out, EVENT_CALLER, "Caller", &paraver->callers);
    append_type(out, EVENT_LINE, "Caller line", &paraver->lines);
    return cli_trace_text_end(text, true, error);
}

static void append_level(TraceText *text, const char *level, const ExportJob *job)
{
    g_string_append_printf(cli_trace_text(text), "LEVEL %s SIZE %u\n", level, job->locations);
    for (uint32_t i = 0; i < job->locations; i++) {
        g_autofree char *name = export_timeline_name(job, i);
        g_string_append_printf(cli_trace_text(text), "%s\n", name);
    }
    g_string_append_c(cli_trace_text(text), '\n');
}

static bool write_row(const Paraver *paraver, const char *path, GError **error)
{
    TraceText *text = cli_trace_text_to(path, error);
    if (!text)
        return false;
    append_level(text, "CPU", paraver->job);
    g_string_append(cli_trace_text(text), "LEVEL NODE SIZE 1\nmachine\n\n");
    append_level(text, "TASK", paraver->job);
    append_level(text, "THREAD", paraver->job);
    return cli_trace_text_end(text, true, error);
}

static void names_init(Names *names)
{
    names->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    names->names = g_ptr_array_new_with_free_func(g_free);
}

static void names_clear(Names *names)
{
    g_hash_table_unref(names->numbers);
    g_ptr_array_unref(names->names);
}

bool export_paraver(const ExportJob *job, GError **error)
{
    if (!g_str_has_suffix(job->output, ".prv"))
        return cli_error_usage(error,
                               "a trace of Paraver is a file NAME.prv, beside which come NAME.pcf and NAME.row, not %s",
                               job->output);
    g_autoptr(BaseSorter) sorter = base_sorter_new(EXPORT_SORT_MEMORY);
    g_autofree char *stem = g_strndup(job->output, strlen(job->output) - 4);
    g_autofree char *pcf = g_strconcat(stem, ".pcf", NULL), *row = g_strconcat(stem, ".row", NULL);
    Paraver paraver = {.job = job, .sorter = sorter, .line = g_string_new(NULL)};
    Names *names[] = {&paraver.functions, &paraver.causes, &paraver.callers, &paraver.lines};
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
        names_init(names[i]);
    ExportTimeline timeline = {
        .user = &paraver, .computing = add_computing, .pause = add_pause, .call = add_call, .message = add_message};
    bool good = export_timeline(job, &timeline, error) && base_sorter_begin(sorter, error) &&
                write_prv(&paraver, job->output, error) && write_pcf(&paraver, pcf, error) &&
                write_row(&paraver, row, error);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
        names_clear(names[i]);
    g_string_free(paraver.line, TRUE);
    return good;
}
