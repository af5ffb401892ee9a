/* vcd.c - links and ranks as waves, a value change dump (IEEE 1364-2005, section 18). Time is in ps.
 *
 *   rank_N.state      what the rank does: 0 computes, 1 in MPI, 2 waits there, 3 paused, x before and after
 *   rank_N.out, .in   messages of the rank that are on their way, from it and to it
 *   link_NAME.busy    number of messages on the link, where the trace has their hops
 *   link_NAME.use     part of the time that it was busy, where the trace has samples of links
 */
#include "base/sorter.h"
#include "cli/export/order.h"
#include "cli/export/timeline.h"

enum { COMPUTES, IN_LIBRARY, WAITS, PAUSED, NOTHING };
typedef enum Sort { STATE, COUNTER, REAL } Sort;

typedef struct Change { /* of a variable: its value, or of a counter what is added */
    uint32_t variable;
    int32_t value;
} Change;

typedef struct Variable {
    char *scope;
    const char *name;
    Sort sort;
    int64_t value; /* what was written last */
    bool written;
} Variable;

typedef struct Vcd {
    const ExportJob *job;
    BaseSorter *sorter;
    GArray *variables; /* Variable */
    GHashTable *links; /* name -> 1 + number of its first variable */
    GArray *first;     /* uint32_t, by location: 1 + number of its first variable; 0: it is not selected */
    uint64_t now_ps;
    bool began;
} Vcd;

static uint32_t add_variable(Vcd *vcd, const char *scope, const char *name, Sort sort)
{
    Variable variable = {.scope = g_strdup(scope), .name = name, .sort = sort};
    for (char *at = variable.scope; *at; at++)
        if (!g_ascii_isalnum(*at))
            *at = '_';
    g_array_append_val(vcd->variables, variable);
    return vcd->variables->len - 1;
}

static uint32_t link_variable(Vcd *vcd, uint64_t text)
{
    const char *name = trace_reader_text(vcd->job->reader, text);
    gpointer known = g_hash_table_lookup(vcd->links, name);
    if (known)
        return GPOINTER_TO_UINT(known) - 1;
    g_autofree char *scope = g_strconcat("link_", name, NULL);
    uint32_t first = add_variable(vcd, scope, "busy", COUNTER);
    add_variable(vcd, scope, "use", REAL);
    g_hash_table_insert(vcd->links, (gpointer)name, GUINT_TO_POINTER(first + 1));
    return first;
}

static void change(Vcd *vcd, uint64_t time_ps, uint64_t order, uint32_t variable, int32_t value)
{
    Change change = {variable, value};
    base_sorter_add(vcd->sorter, &(BaseRecord){.keys = {time_ps, order}, .size = sizeof change, .bytes = &change});
}

/* -- from the trace ---------------------------------------------------------------------------- */

static void add_state(Vcd *vcd, uint32_t location, uint64_t from_ps, uint64_t to_ps, int state)
{
    if (from_ps < to_ps)
        change(vcd, from_ps, EXPORT_ORDER_ENTER, g_array_index(vcd->first, uint32_t, location) - 1, state);
}

static void add_computing(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps)
{
    add_state(user, location, from_ps, to_ps, COMPUTES);
}

static void add_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    (void)why;
    add_state(user, location, from_ps, to_ps, PAUSED);
}

static void add_call(void *user, const ExportCall *call)
{
    uint64_t at_ps = call->from_ps;
    for (unsigned i = 0; i < call->n_waits; i++) {
        add_state(user, call->location, at_ps, call->waits[i].from_ps, IN_LIBRARY);
        add_state(user, call->location, call->waits[i].from_ps, call->waits[i].to_ps, WAITS);
        at_ps = MAX(at_ps, call->waits[i].to_ps);
    }
    uint64_t blocked_ps = call->n_waits ? 0 : MIN(call->blocked_ps, call->to_ps - call->from_ps);
    add_state(user, call->location, at_ps, call->to_ps - blocked_ps, IN_LIBRARY);
    add_state(user, call->location, call->to_ps - blocked_ps, call->to_ps, WAITS);
}

static void add_end(void *user, uint32_t location, uint64_t time_ps, uint64_t computing_ps)
{
    (void)computing_ps;
    add_state(user, location, time_ps, time_ps + 1, NOTHING);
}

static void add_message(void *user, const ExportMessage *message)
{
    Vcd *vcd = user;
    uint32_t out = g_array_index(vcd->first, uint32_t, message->from),
             in = g_array_index(vcd->first, uint32_t, message->to);
    change(vcd, message->sent_ps, EXPORT_ORDER_POINT, out, 1);
    change(vcd, message->delivered_ps, EXPORT_ORDER_POINT, out, -1);
    change(vcd, message->sent_ps, EXPORT_ORDER_POINT, in + 1, 1);
    change(vcd, message->delivered_ps, EXPORT_ORDER_POINT, in + 1, -1);
}

static void add_other(void *user, const TraceEvent *event)
{
    Vcd *vcd = user;
    if (event->kind == TRACE_HOP) {
        uint32_t link = link_variable(vcd, event->fields[TRACE_HOP_LINK]);
        change(vcd, event->fields[TRACE_HOP_FROM], EXPORT_ORDER_POINT, link, 1);
        change(vcd, event->time_ps, EXPORT_ORDER_POINT, link, -1);
    } else if (event->kind == TRACE_LINK) {
        uint64_t from_ps = event->fields[TRACE_LINK_FROM], lasts_ps = event->time_ps - from_ps;
        unsigned __int128 busy = event->fields[TRACE_LINK_BUSY];
        change(vcd, from_ps, EXPORT_ORDER_POINT, link_variable(vcd, event->fields[TRACE_LINK_LINK]) + 1,
               lasts_ps ? (int32_t)MIN(busy * 1000000 / lasts_ps, 1000000) : 0);
    }
}

/* -- the file ---------------------------------------------------------------------------------- */

/* Appends the short name of a variable: a number to the base 94 in printable characters. */
static void append_identifier(GString *out, uint32_t number)
{
    do {
        g_string_append_c(out, (char)('!' + number % 94));
        number /= 94;
    } while (number--);
}

static void append_declarations(const Vcd *vcd, TraceText *text)
{
    static const char *const sorts[] = {"reg 2", "integer 32", "real 64"};
    const char *scope = NULL;
    g_string_append(cli_trace_text(text), "$version orrery $end\n$timescale 1 ps $end\n$scope module run $end\n");
    for (guint i = 0; i < vcd->variables->len; i++) {
        const Variable *variable = &g_array_index(vcd->variables, Variable, i);
        GString *out = cli_trace_text(text);
        if (g_strcmp0(scope, variable->scope) != 0)
            g_string_append_printf(out, "%s$scope module %s $end\n", scope ? "$upscope $end\n" : "", variable->scope);
        scope = variable->scope;
        g_string_append_printf(out, "$var %s ", sorts[variable->sort]);
        append_identifier(out, i);
        g_string_append_printf(out, " %s $end\n", variable->name);
    }
    g_string_append_printf(cli_trace_text(text), "%s$upscope $end\n$enddefinitions $end\n",
                           scope ? "$upscope $end\n" : "");
}

static void append_binary(GString *out, uint64_t value)
{
    unsigned bits = 1;
    while (bits < 64 && value >> bits)
        bits++;
    while (bits-- > 0)
        g_string_append_c(out, value >> bits & 1 ? '1' : '0');
}

static void append_value(GString *out, uint32_t number, const Variable *variable)
{
    if (variable->sort == REAL) {
        g_string_append_printf(out, "r%u.%06u ", (unsigned)(variable->value / 1000000),
                               (unsigned)(variable->value % 1000000));
    } else {
        g_string_append_c(out, 'b');
        if (variable->sort == STATE && variable->value == NOTHING)
            g_string_append(out, "xx");
        else
            append_binary(out, (uint64_t)variable->value);
        g_string_append_c(out, ' ');
    }
    append_identifier(out, number);
    g_string_append_c(out, '\n');
}

/* The changes of one moment, by variable: each is written once, if it is a change in the end. */
static void append_moment(Vcd *vcd, const GArray *changed, TraceText *text)
{
    bool timed = false;
    for (guint i = 0; i < changed->len; i++) {
        uint32_t number = g_array_index(changed, Change, i).variable;
        Variable *variable = &g_array_index(vcd->variables, Variable, number);
        if (variable->written)
            continue; /* by an earlier change of this moment */
        variable->written = true;
        if (!timed && (vcd->began || vcd->now_ps))
            g_string_append_printf(cli_trace_text(text), "#%" G_GUINT64_FORMAT "\n", vcd->now_ps);
        timed = true;
        append_value(cli_trace_text(text), number, variable);
    }
    for (guint i = 0; i < changed->len; i++)
        g_array_index(vcd->variables, Variable, g_array_index(changed, Change, i).variable).written = false;
}

static void append_beginning(Vcd *vcd, TraceText *text)
{
    g_string_append(cli_trace_text(text), "#0\n$dumpvars\n");
    for (guint i = 0; i < vcd->variables->len; i++) {
        Variable *variable = &g_array_index(vcd->variables, Variable, i);
        variable->value = variable->sort == STATE ? NOTHING : 0;
        append_value(cli_trace_text(text), i, variable);
    }
    g_string_append(cli_trace_text(text), "$end\n");
}

static bool write_all(Vcd *vcd, TraceText *text, GError **error)
{
    g_autoptr(GArray) changed = g_array_new(FALSE, FALSE, sizeof(Change));
    BaseRecord record;
    append_declarations(vcd, text);
    append_beginning(vcd, text);
    while (base_sorter_next(vcd->sorter, &record)) {
        const Change *next = record.bytes;
        Variable *variable = &g_array_index(vcd->variables, Variable, next->variable);
        if (record.keys[0] != vcd->now_ps) {
            append_moment(vcd, changed, text);
            g_array_set_size(changed, 0);
            vcd->now_ps = record.keys[0];
            vcd->began = true;
        }
        variable->value = variable->sort == COUNTER ? variable->value + next->value : next->value;
        g_array_append_vals(changed, next, 1);
    }
    append_moment(vcd, changed, text);
    if (vcd->job->end_ps > vcd->now_ps)
        g_string_append_printf(cli_trace_text(text), "#%" G_GUINT64_FORMAT "\n", vcd->job->end_ps);
    return base_sorter_end(vcd->sorter, error);
}

static void make_ranks(Vcd *vcd)
{
    g_autoptr(GArray) locations = export_timeline_locations(vcd->job);
    g_array_set_size(vcd->first, vcd->job->locations);
    for (guint i = 0; i < locations->len; i++) {
        uint32_t location = g_array_index(locations, uint32_t, i);
        g_autofree char *name = export_timeline_name(vcd->job, location);
        g_array_index(vcd->first, uint32_t, location) = 1 + add_variable(vcd, name, "state", STATE);
        add_variable(vcd, name, "out", COUNTER);
        add_variable(vcd, name, "in", COUNTER);
    }
}

static void clear_variable(gpointer variable)
{
    g_free(((Variable *)variable)->scope);
}

bool export_vcd(const ExportJob *job, GError **error)
{
    g_autoptr(BaseSorter) sorter = base_sorter_new(EXPORT_SORT_MEMORY);
    Vcd vcd = {.job = job,
               .sorter = sorter,
               .variables = g_array_new(FALSE, FALSE, sizeof(Variable)),
               .links = g_hash_table_new(g_str_hash, g_str_equal),
               .first = g_array_new(FALSE, TRUE, sizeof(uint32_t))};
    ExportTimeline timeline = {.user = &vcd,
                               .computing = add_computing,
                               .pause = add_pause,
                               .call = add_call,
                               .message = add_message,
                               .ended = add_end,
                               .other = add_other};
    g_array_set_clear_func(vcd.variables, clear_variable);
    make_ranks(&vcd);
    bool good = export_timeline(job, &timeline, error) && base_sorter_begin(sorter, error);
    TraceText *text = good ? cli_trace_text_to(job->output, error) : NULL;
    if (text)
        good = cli_trace_text_end(text, write_all(&vcd, text, error), error);
    g_array_unref(vcd.variables);
    g_array_unref(vcd.first);
    g_hash_table_unref(vcd.links);
    return text && good;
}
