/* failures.c - links and routers that fail at given times, and may be repaired.
 *
 *     link   = 3-4 at 1 ms until 2 ms; (0,1)->(0,2) at 10 us for 5 us; 5-6
 *     router = (1,2) at 1 ms; 7
 *
 * A link is named by its two ends. Vertices are given by their names (as `orrery topo` shows them) or numbers. "-"
 * means both directions, and all links if several join the two vertices. A router fails with all its links. Without
 * "at" it has failed from the beginning. A link works while none of the failures that affect it lasts.
 *
 * Failures are not events of the queue, so they do not keep an idle network busy. net_step() calls this file first if a
 * change is due before the next event. Changes that are due while nothing is under way take effect when the next
 * message is handed over, which gives the same result. All changes at one time are made together: first links are
 * marked, then the routing is told, then the model is told of each link.
 */
#include "base/units.h"
#include "netsim/core/core.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <string.h>

typedef struct Subject {        /* one failure of a link or router */
    char *name;                 /* "link (0,1)-(0,2)" */
    GArray *links;              /* uint32_t: the links that fail */
    uint64_t from_ps, until_ps; /* until_ps UINT64_MAX: for ever */
} Subject;

/* The moment when a subject fails or is repaired. */
typedef struct Change {
    uint64_t time_ps;
    uint32_t subject;
    bool repair;
} Change;

struct NetFailures {
    GArray *subjects;  /* Subject, in the order of the parameters */
    GArray *changes;   /* Change, sorted by time, then in the order of the parameters */
    guint next;        /* index in `changes` of the next one */
    uint64_t least_ps; /* changes that are due take effect at this time or later */
    bool *concerned;   /* by link: it fails at some time */
    uint32_t *down;    /* by link: number of failures that last now */
    uint32_t failed;   /* number of links that do not work now */
    uint64_t failures, repairs;
    GPtrArray *words; /* by subject: its description; made when asked for */
    NetDamage *damage;
};

/* -- reading ----------------------------------------------------------------------------------- */

typedef struct Reader {
    Network *net;
    NetFailures *failures;
    GHashTable *vertices; /* name -> vertex + 1; looked up, never iterated */
    const char *key;
} Reader;

static void name_vertices(Reader *reader)
{
    if (reader->vertices)
        return;
    reader->vertices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t v = 0; v < reader->net->graph.vertices; v++)
        g_hash_table_insert(reader->vertices, net_vertex_name(reader->net, v), GUINT_TO_POINTER(v + 1));
}

/* Returns the vertex with this name or number, or NET_NONE. */
static uint32_t find_vertex(Reader *reader, const char *text)
{
    g_autofree char *name = g_strstrip(g_strdup(text));
    name_vertices(reader);
    uint32_t vertex = GPOINTER_TO_UINT(g_hash_table_lookup(reader->vertices, name));
    guint64 number;
    if (!vertex && g_ascii_string_to_unsigned(name, 10, 0, reader->net->graph.vertices - 1, &number, NULL))
        return (uint32_t)number;
    return vertex - 1;
}

static bool refuse_vertex(const Reader *reader, const char *text, GError **error)
{
    g_autofree char *name = g_strstrip(g_strdup(text));
    g_autofree char *first = net_vertex_name(reader->net, 0);
    g_autofree char *last = net_vertex_name(reader->net, reader->net->graph.vertices - 1);
    return net_error_refuse(
        error, reader->key,
        "there is no vertex \"%s\"; they are %s to %s, or 0 to %u by number, as `orrery topo` shows them", name, first,
        last, reader->net->graph.vertices - 1);
}

static void add_links(const NetGraph *graph, uint32_t from, uint32_t to, GArray *links)
{
    for (uint32_t i = graph->first_out[from]; i < graph->first_out[from + 1]; i++)
        if (graph->link[i].to == to)
            g_array_append_val(links, i);
}

/* Reads "3-4" or "(0,1)->(0,2)". Names may contain "-", so each one is tried as the separator. */
static bool read_link(Reader *reader, const char *text, Subject *subject, GError **error)
{
    uint32_t from = NET_NONE, to = NET_NONE;
    const char *dash = text;
    bool one_way = false;
    for (; (dash = strchr(dash, '-')) && (from == NET_NONE || to == NET_NONE); dash++) {
        g_autofree char *left = g_strndup(text, (gsize)(dash - text));
        one_way = dash[1] == '>';
        from = find_vertex(reader, left);
        to = find_vertex(reader, dash + 1 + one_way);
    }
    if (from == NET_NONE || to == NET_NONE) {
        const char *only = strchr(text, '-');
        if (!only)
            return net_error_refuse(
                error, reader->key,
                "\"%s\" is no link; write its ends like 3-4, or 3->4 for one direction, then at and until", text);
        g_autofree char *left = g_strndup(text, (gsize)(only - text));
        return refuse_vertex(reader, find_vertex(reader, left) == NET_NONE ? left : only + 1 + (only[1] == '>'), error);
    }
    const NetGraph *graph = &reader->net->graph;
    g_autofree char *a = net_vertex_name(reader->net, from), *b = net_vertex_name(reader->net, to);
    add_links(graph, from, to, subject->links);
    if (!one_way)
        add_links(graph, to, from, subject->links);
    subject->name = g_strdup_printf("link %s%s%s", a, one_way ? "->" : "-", b);
    return subject->links->len || net_error_refuse(error, reader->key, "there is no link from %s to %s", a, b);
}

static bool read_router(Reader *reader, const char *text, Subject *subject, GError **error)
{
    uint32_t vertex = find_vertex(reader, text);
    if (vertex == NET_NONE)
        return refuse_vertex(reader, text, error);
    const NetGraph *graph = &reader->net->graph;
    for (uint32_t i = 0; i < graph->links; i++)
        if (graph->link[i].from == vertex || graph->link[i].to == vertex)
            g_array_append_val(subject->links, i);
    g_autofree char *name = net_vertex_name(reader->net, vertex);
    subject->name = g_strdup_printf("router %s", name);
    return true;
}

/* Cuts "... WORD TIME" off the end of the text. Returns false if TIME is not a time. */
static bool cut_time(const Reader *reader, char *text, const char *word, bool *given, uint64_t *time_ps, GError **error)
{
    g_autofree char *spaced = g_strdup_printf(" %s ", word);
    char *at = g_strrstr(text, spaced);
    *given = at;
    if (!at)
        return true;
    g_autofree char *time = g_strstrip(g_strdup(at + strlen(spaced)));
    *at = '\0';
    if (!base_units_parse(time, BASE_UNIT_TIME, time_ps, NULL) || *time_ps > NET_MAX_TIME)
        return net_error_refuse(error, reader->key, "\"%s\" is not a time; write a number and a unit, like %s 1.5 ms",
                                time, word);
    return true;
}

static bool read_times(const Reader *reader, const char *whole, char *text, Subject *subject, GError **error)
{
    uint64_t duration = 0;
    bool at = false, until = false, lasts = false;
    subject->until_ps = UINT64_MAX;
    if (!cut_time(reader, text, "until", &until, &subject->until_ps, error) ||
        !cut_time(reader, text, "for", &lasts, &duration, error) ||
        !cut_time(reader, text, "at", &at, &subject->from_ps, error))
        return false;
    if (until && lasts)
        return net_error_refuse(error, reader->key, "\"%s\": either until a time or for a time", whole);
    if (lasts)
        subject->until_ps = subject->from_ps + duration;
    if (subject->until_ps > subject->from_ps)
        return true;
    g_autofree char *fails = base_units_format_time(subject->from_ps);
    return net_error_refuse(error, reader->key, "\"%s\" is repaired before it fails, which is at %s", whole, fails);
}

static bool read_subject(Reader *reader, const char *whole, bool router, GError **error)
{
    NetFailures *failures = reader->failures;
    g_autofree char *text = g_strdup(whole);
    Subject subject = {.links = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    bool good = read_times(reader, whole, text, &subject, error) &&
                (router ? read_router(reader, g_strstrip(text), &subject, error)
                        : read_link(reader, g_strstrip(text), &subject, error));
    g_array_append_val(failures->subjects, subject);
    if (!good)
        return false;
    Change fails = {.time_ps = subject.from_ps, .subject = failures->subjects->len - 1};
    g_array_append_val(failures->changes, fails);
    if (subject.until_ps != UINT64_MAX) {
        Change repair = {.time_ps = subject.until_ps, .subject = fails.subject, .repair = true};
        g_array_append_val(failures->changes, repair);
    }
    return true;
}

static bool read_subjects(Reader *reader, const char *key, const char *text, GError **error)
{
    if (!text)
        return true;
    reader->key = key;
    g_auto(GStrv) parts = g_strsplit(text, ";", -1);
    for (char **part = parts; *part; part++)
        if (*g_strstrip(*part) && !read_subject(reader, *part, strcmp(key, "router") == 0, error))
            return false;
    return true;
}

static gint compare_changes(gconstpointer a, gconstpointer b)
{
    const Change *x = a, *y = b;
    if (x->time_ps != y->time_ps)
        return x->time_ps < y->time_ps ? -1 : 1;
    if (x->subject != y->subject)
        return x->subject < y->subject ? -1 : 1;
    return x->repair - y->repair;
}

/* -- making ------------------------------------------------------------------------------------ */

static bool is_given(const char *text)
{
    return text && text[strspn(text, " \t;")];
}

/* The models that have NetModel.fail. */
#define HAVE_FAILURES "store-and-forward, cut-through, wormhole, switched-ethernet and flow"

static bool check_model(const Network *net, const char *key, GError **error)
{
    if (net->model->fail && net->graph.links)
        return true;
    if (!net->model->needs_links)
        return net_error_refuse(error, key, "%s has no links and routers that could fail; " HAVE_FAILURES " have",
                                net->model->name);
    return net_error_refuse(error, key, "%s cannot have links fail; " HAVE_FAILURES " can", net->model->name);
}

static void note_concerned(NetFailures *failures)
{
    for (guint i = 0; i < failures->subjects->len; i++) {
        const GArray *links = g_array_index(failures->subjects, Subject, i).links;
        for (guint k = 0; k < links->len; k++)
            failures->concerned[g_array_index(links, uint32_t, k)] = true;
    }
}

NetFailures *net_failures_new(Network *net, GError **error)
{
    const NetParams *params = &net->params;
    bool links = is_given(params->faults.links), routers = is_given(params->faults.routers);
    if ((!links && !routers) || !check_model(net, links ? "link" : "router", error))
        return NULL;
    NetFailures *failures = g_new0(NetFailures, 1);
    failures->subjects = g_array_new(FALSE, FALSE, sizeof(Subject));
    failures->changes = g_array_new(FALSE, FALSE, sizeof(Change));
    failures->concerned = g_new0(bool, net->graph.links);
    failures->down = g_new0(uint32_t, net->graph.links);
    Reader reader = {.net = net, .failures = failures};
    bool good = read_subjects(&reader, "link", params->faults.links, error) &&
                read_subjects(&reader, "router", params->faults.routers, error);
    g_clear_pointer(&reader.vertices, g_hash_table_destroy);
    if (!good) {
        net_failures_free(failures);
        return NULL;
    }
    g_array_sort(failures->changes, compare_changes);
    note_concerned(failures);
    failures->damage = net_damage_new(net);
    return failures;
}

void net_failures_free(NetFailures *failures)
{
    if (!failures)
        return;
    for (guint i = 0; i < failures->subjects->len; i++) {
        Subject *subject = &g_array_index(failures->subjects, Subject, i);
        g_array_unref(subject->links);
        g_free(subject->name);
    }
    g_array_unref(failures->subjects);
    g_array_unref(failures->changes);
    g_clear_pointer(&failures->words, g_ptr_array_unref);
    if (failures->damage)
        net_damage_free(failures->damage);
    g_free(failures->concerned);
    g_free(failures->down);
    g_free(failures);
}

NetDamage *net_failures_damage(const NetFailures *failures)
{
    return failures->damage;
}

/* -- changes ----------------------------------------------------------------------------------- */

uint64_t net_failures_next(const NetFailures *failures)
{
    if (failures->next == failures->changes->len)
        return UINT64_MAX;
    return MAX(g_array_index(failures->changes, Change, failures->next).time_ps, failures->least_ps);
}

void net_failures_begin(NetFailures *failures, uint64_t time_ps, bool idle)
{
    failures->least_ps = idle ? time_ps : MIN(failures->least_ps, time_ps);
}

static void count_change(NetFailures *failures, const Change *change)
{
    const Subject *subject = &g_array_index(failures->subjects, Subject, change->subject);
    for (guint i = 0; i < subject->links->len; i++) {
        uint32_t link = g_array_index(subject->links, uint32_t, i);
        failures->down[link] += change->repair ? UINT32_MAX : 1;
    }
    failures->failures += !change->repair;
    failures->repairs += change->repair;
}

static void tell_model(Network *net, uint32_t link)
{
    if (net->graph.link[link].failed)
        net->model->fail(net, link);
    else if (net->model->restore)
        net->model->restore(net, link);
}

void net_failures_step(Network *net)
{
    NetFailures *failures = net->failures;
    g_autoptr(GArray) changed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint64_t now = net_failures_next(failures);
    assert(now >= net->now);
    net->now = now;
    while (net_failures_next(failures) == now)
        count_change(failures, &g_array_index(failures->changes, Change, failures->next++));
    for (uint32_t i = 0; i < net->graph.links; i++) {
        NetLink *link = &net->graph.link[i];
        if (link->failed == (failures->down[i] > 0))
            continue;
        link->failed = !link->failed;
        failures->failed += link->failed ? 1 : UINT32_MAX;
        g_array_append_val(changed, i);
    }
    net_damage_changed(net, failures->damage, failures->failed);
    for (guint i = 0; i < changed->len; i++)
        tell_model(net, g_array_index(changed, uint32_t, i));
}

/* -- questions --------------------------------------------------------------------------------- */

bool net_failures_will_repair(const NetFailures *failures)
{
    for (guint i = failures->next; i < failures->changes->len; i++)
        if (g_array_index(failures->changes, Change, i).repair)
            return true;
    return false;
}

static bool lasts(const NetFailures *failures, guint subject)
{
    bool failed = false;
    for (guint i = 0; i < failures->next; i++) {
        const Change *change = &g_array_index(failures->changes, Change, i);
        if (change->subject == subject)
            failed = !change->repair;
    }
    return failed;
}

void net_failures_describe(const NetFailures *failures, GString *out)
{
    enum { MOST_SHOWN = 8 };
    guint shown = 0;
    for (guint i = 0; i < failures->subjects->len; i++) {
        const Subject *subject = &g_array_index(failures->subjects, Subject, i);
        if (!lasts(failures, i))
            continue;
        if (shown++ >= MOST_SHOWN)
            continue;
        g_autofree char *time = base_units_format_time(subject->from_ps);
        g_string_append_printf(out, "%s%s failed at %s", shown > 1 ? ", " : "", subject->name, time);
    }
    if (shown > MOST_SHOWN)
        g_string_append_printf(out, ", and %u more", shown - MOST_SHOWN);
}

const char *net_failure(const Network *net, size_t index)
{
    NetFailures *failures = net->failures;
    if (!failures || index >= failures->subjects->len)
        return NULL;
    if (!failures->words)
        failures->words = g_ptr_array_new_with_free_func(g_free);
    for (guint i = failures->words->len; i <= index; i++) {
        const Subject *subject = &g_array_index(failures->subjects, Subject, i);
        g_autofree char *from = base_units_format_time(subject->from_ps);
        g_autofree char *until = subject->until_ps == UINT64_MAX ? NULL : base_units_format_time(subject->until_ps);
        g_ptr_array_add(failures->words, g_strdup_printf("%s fails at %s%s%s", subject->name, from,
                                                         until ? ", is repaired at " : "", until ? until : ""));
    }
    return g_ptr_array_index(failures->words, index);
}

bool net_failure_of_link(const Network *net, uint32_t link)
{
    assert(link < net->graph.links);
    return net->failures && net->failures->concerned[link];
}

bool net_fault_counts(const Network *net, NetFaultCounts *counts)
{
    *counts = (NetFaultCounts){0};
    if (!net->transport)
        return false;
    net_transport_counts(net->transport, counts);
    if (net->failures) {
        counts->failures = net->failures->failures;
        counts->repairs = net->failures->repairs;
    }
    return true;
}

uint32_t net_fault_counters(const Network *net, NetCounter *counters)
{
    NetFaultCounts counts;
    uint32_t n = 0;
    net_fault_counts(net, &counts);
    counters[n++] = (NetCounter){"lost_packets", "packets lost", NET_COUNTER_NUMBER, counts.lost};
    counters[n++] = (NetCounter){"lost", "in bytes, with headers", NET_COUNTER_BYTES, counts.lost_bytes};
    counters[n++] = (NetCounter){"retransmitted_packets", "packets sent again", NET_COUNTER_NUMBER, counts.resent};
    counters[n++] = (NetCounter){"retransmitted", "in bytes, with headers", NET_COUNTER_BYTES, counts.resent_bytes};
    if (net->params.transport.acknowledgement_bytes) {
        counters[n++] =
            (NetCounter){"acknowledgements", "acknowledgements sent", NET_COUNTER_NUMBER, counts.acknowledgements};
        counters[n++] = (NetCounter){"duplicates", "packets that came twice", NET_COUNTER_NUMBER, counts.duplicates};
    }
    if (net->failures) {
        counters[n++] = (NetCounter){"failures", "failures of links and routers", NET_COUNTER_NUMBER, counts.failures};
        counters[n++] = (NetCounter){"repairs", "of which repaired", NET_COUNTER_NUMBER, counts.repairs};
    }
    return n;
}
