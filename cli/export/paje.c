/* paje.c - the trace format of Paje (Schnorr, "The Paje trace file format", 2014).
 *
 * Each rank is a container with a stack of states; messages are links between them; links of the network are containers
 * with a variable, how busy they are. Lines are in the order of time, in seconds. */
#include "base/sorter.h"
#include "cli/export/order.h"
#include "cli/export/timeline.h"

#include <string.h>

/* Definitions of events: number, name, fields. */
static const struct {
    const char *name, *fields;
} events[] = {
#define PAJE_EVENTS                                                                                                    \
    EVENT(PajeDefineContainerType, "Alias string\nType string\nName string\n")                                         \
    EVENT(PajeDefineStateType, "Alias string\nType string\nName string\n")                                             \
    EVENT(PajeDefineLinkType,                                                                                          \
          "Alias string\nType string\nStartContainerType string\nEndContainerType string\nName string\n")              \
    EVENT(PajeDefineVariableType, "Alias string\nType string\nName string\nColor color\n")                             \
    EVENT(PajeDefineEntityValue, "Alias string\nType string\nName string\nColor color\n")                              \
    EVENT(PajeCreateContainer, "Time date\nAlias string\nType string\nContainer string\nName string\n")                \
    EVENT(PajeDestroyContainer, "Time date\nType string\nName string\n")                                               \
    EVENT(PajePushState, "Time date\nType string\nContainer string\nValue string\n")                                   \
    EVENT(PajePopState, "Time date\nType string\nContainer string\n")                                                  \
    EVENT(PajeStartLink,                                                                                               \
          "Time date\nType string\nContainer string\nStartContainer string\nValue string\nKey string\n")               \
    EVENT(PajeEndLink, "Time date\nType string\nContainer string\nEndContainer string\nValue string\nKey string\n")    \
    EVENT(PajeSetVariable, "Time date\nType string\nContainer string\nValue double\n")
#define EVENT(event, fields) {#event, fields},
    PAJE_EVENTS
#undef EVENT
};
enum {
#define EVENT(event, fields) event,
    PAJE_EVENTS
#undef EVENT
};

#define TIME_FORMAT "%" G_GUINT64_FORMAT ".%012" G_GUINT64_FORMAT
#define TIME_OF(ps) (ps) / UINT64_C(1000000000000), (ps) % UINT64_C(1000000000000)

typedef struct Paje {
    const ExportJob *job;
    BaseSorter *sorter;
    GHashTable *values; /* names of states, links and messages that have been defined */
    GString *line;
    GString *definitions;
} Paje;

static void add_line(Paje *paje, uint64_t time_ps, uint64_t order)
{
    base_sorter_add(
        paje->sorter,
        &(BaseRecord){.keys = {time_ps, order}, .size = (uint32_t)paje->line->len, .bytes = paje->line->str});
}

/* Appends a text in quotes. */
static void append_name(GString *out, const char *name)
{
    g_string_append_c(out, '"');
    for (const char *at = name; *at; at++)
        g_string_append_c(out, *at == '"' ? '\'' : (unsigned char)*at < ' ' ? ' ' : *at);
    g_string_append_c(out, '"');
}

/* Colours of states: computing, waiting, pauses, calls by their names. */
static const char *colour_of(const char *name, guint hash)
{
    static const char *const colours[] = {"0.00 0.45 0.70", "0.34 0.71 0.91", "0.80 0.47 0.65", "0.00 0.62 0.45"};
    if (strcmp(name, "computing") == 0)
        return "0.85 0.85 0.85";
    if (!g_str_has_prefix(name, "MPI"))
        return "0.84 0.37 0.00";
    return colours[hash % G_N_ELEMENTS(colours)];
}

static void define_value(Paje *paje, const char *name)
{
    if (!g_hash_table_add(paje->values, g_strdup(name)))
        return;
    g_string_append_printf(paje->definitions, "%d ", PajeDefineEntityValue);
    append_name(paje->definitions, name);
    g_string_append(paje->definitions, " S ");
    append_name(paje->definitions, name);
    g_string_append_printf(paje->definitions, " \"%s\"\n", colour_of(name, g_str_hash(name)));
}

static void add_state(Paje *paje, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *name)
{
    define_value(paje, name);
    g_string_printf(paje->line, "%d " TIME_FORMAT " S L%u ", PajePushState, TIME_OF(from_ps), location);
    append_name(paje->line, name);
    g_string_append_c(paje->line, '\n');
    add_line(paje, from_ps, export_order_enter(from_ps, to_ps));
    g_string_printf(paje->line, "%d " TIME_FORMAT " S L%u\n", PajePopState, TIME_OF(to_ps), location);
    add_line(paje, to_ps, export_order_leave(from_ps, to_ps));
}

static void add_computing(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps)
{
    add_state(user, location, from_ps, to_ps, "computing");
}

static void add_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    add_state(user, location, from_ps, to_ps, why);
}

static void add_call(void *user, const ExportCall *call)
{
    add_state(user, call->location, call->from_ps, call->to_ps, call->function);
    for (unsigned i = 0; i < call->n_waits; i++)
        add_state(user, call->location, call->waits[i].from_ps, call->waits[i].to_ps, call->waits[i].cause);
}

static void add_message(void *user, const ExportMessage *message)
{
    Paje *paje = user;
    g_string_printf(
        paje->line,
        "%d " TIME_FORMAT " M R L%u \"%" G_GUINT64_FORMAT " B, tag %" G_GINT64_FORMAT "\" \"%" G_GUINT64_FORMAT "\"\n",
        PajeStartLink, TIME_OF(message->sent_ps), message->from, message->bytes, (gint64)message->tag, message->id);
    add_line(paje, message->sent_ps, EXPORT_ORDER_POINT);
    g_string_printf(
        paje->line,
        "%d " TIME_FORMAT " M R L%u \"%" G_GUINT64_FORMAT " B, tag %" G_GINT64_FORMAT "\" \"%" G_GUINT64_FORMAT "\"\n",
        PajeEndLink, TIME_OF(message->delivered_ps), message->to, message->bytes, (gint64)message->tag, message->id);
    add_line(paje, message->delivered_ps, EXPORT_ORDER_POINT + 1);
}

static void add_other(void *user, const TraceEvent *event)
{
    Paje *paje = user;
    if (event->kind != TRACE_LINK)
        return;
    const char *link = trace_reader_text(paje->job->reader, event->fields[TRACE_LINK_LINK]);
    uint64_t from_ps = event->fields[TRACE_LINK_FROM], lasts_ps = event->time_ps - from_ps;
    uint64_t use = lasts_ps ? (uint64_t)((unsigned __int128)event->fields[TRACE_LINK_BUSY] * 1000000 / lasts_ps) : 0;
    g_autofree char *key = g_strconcat("link ", link, NULL);
    if (g_hash_table_add(paje->values, g_strdup(key))) {
        g_string_append_printf(paje->definitions, "%d 0.0 ", PajeCreateContainer);
        append_name(paje->definitions, key);
        g_string_append(paje->definitions, " N R ");
        append_name(paje->definitions, key);
        g_string_append_c(paje->definitions, '\n');
    }
    g_string_printf(paje->line, "%d " TIME_FORMAT " U ", PajeSetVariable, TIME_OF(from_ps));
    append_name(paje->line, key);
    g_string_append_printf(paje->line, " %u.%06u\n", (unsigned)(use / 1000000), (unsigned)(use % 1000000));
    add_line(paje, from_ps, EXPORT_ORDER_POINT);
}

/* -- the file ---------------------------------------------------------------------------------- */

static void append_head(const Paje *paje, TraceText *text)
{
    g_autoptr(GArray) locations = export_timeline_locations(paje->job);
    GString *out = cli_trace_text(text);
    for (unsigned i = 0; i < G_N_ELEMENTS(events); i++) {
        g_auto(GStrv) fields = g_strsplit(events[i].fields, "\n", -1);
        g_string_append_printf(out, "%%EventDef %s %u\n", events[i].name, i);
        for (char **field = fields; **field; field++)
            g_string_append_printf(out, "%% %s\n", *field);
        g_string_append(out, "%EndEventDef\n");
    }
    g_string_append_printf(out, "%d P 0 \"Run\"\n%d L P \"Location\"\n%d N P \"Network link\"\n",
                           PajeDefineContainerType, PajeDefineContainerType, PajeDefineContainerType);
    g_string_append_printf(out, "%d S L \"State\"\n%d M P L L \"Message\"\n%d U N \"Busy\" \"0.00 0.45 0.70\"\n",
                           PajeDefineStateType, PajeDefineLinkType, PajeDefineVariableType);
    g_string_append_printf(out, "%d 0.0 R P 0 \"Run\"\n", PajeCreateContainer);
    for (guint i = 0; i < locations->len; i++) {
        uint32_t location = g_array_index(locations, uint32_t, i);
        g_autofree char *name = export_timeline_name(paje->job, location);
        g_string_append_printf(cli_trace_text(text), "%d 0.0 L%u L R \"%s\"\n", PajeCreateContainer, location, name);
    }
    g_string_append(cli_trace_text(text), paje->definitions->str);
}

static void append_tail(const Paje *paje, TraceText *text)
{
    g_autoptr(GArray) locations = export_timeline_locations(paje->job);
    for (guint i = 0; i < locations->len; i++)
        g_string_append_printf(cli_trace_text(text), "%d " TIME_FORMAT " L L%u\n", PajeDestroyContainer,
                               TIME_OF(paje->job->end_ps), g_array_index(locations, uint32_t, i));
    g_string_append_printf(cli_trace_text(text), "%d " TIME_FORMAT " P R\n", PajeDestroyContainer,
                           TIME_OF(paje->job->end_ps));
}

static bool write_all(const Paje *paje, TraceText *text, GError **error)
{
    BaseRecord record;
    append_head(paje, text);
    while (base_sorter_next(paje->sorter, &record))
        g_string_append_len(cli_trace_text(text), record.bytes, record.size);
    append_tail(paje, text);
    return base_sorter_end(paje->sorter, error);
}

bool export_paje(const ExportJob *job, GError **error)
{
    g_autoptr(BaseSorter) sorter = base_sorter_new(EXPORT_SORT_MEMORY);
    Paje paje = {job, sorter, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), g_string_new(NULL),
                 g_string_new(NULL)};
    ExportTimeline timeline = {.user = &paje,
                               .computing = add_computing,
                               .pause = add_pause,
                               .call = add_call,
                               .message = add_message,
                               .other = add_other};
    bool good = export_timeline(job, &timeline, error) && base_sorter_begin(sorter, error);
    TraceText *text = good ? cli_trace_text_to(job->output, error) : NULL;
    if (text)
        good = cli_trace_text_end(text, write_all(&paje, text, error), error);
    g_hash_table_unref(paje.values);
    g_string_free(paje.line, TRUE);
    g_string_free(paje.definitions, TRUE);
    return text && good;
}
