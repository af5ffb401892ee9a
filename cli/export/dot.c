/* dot.c - who sent how much to whom, as a graph for Graphviz. The width of an edge grows with the logarithm of its
 * bytes. Messages within collective operations count; their part is said. */
#include "cli/export/timeline.h"

typedef struct Edge {
    uint32_t from, to;
    uint64_t messages, bytes, collective; /* `collective`: bytes within collective operations */
} Edge;

typedef struct Graph {
    const ExportJob *job;
    GHashTable *edges; /* from << 32 | to -> Edge */
    uint64_t most;     /* bytes of an edge */
} Graph;

static void count_message(void *user, const ExportMessage *message)
{
    Graph *graph = user;
    gint64 key = (gint64)((uint64_t)message->from << 32 | message->to);
    Edge *edge = g_hash_table_lookup(graph->edges, &key);
    if (!edge) {
        edge = g_new0(Edge, 1);
        edge->from = message->from;
        edge->to = message->to;
        g_hash_table_insert(graph->edges, g_memdup2(&key, sizeof key), edge);
    }
    edge->messages++;
    edge->bytes += message->bytes;
    edge->collective += message->tag < 0 ? message->bytes : 0;
    graph->most = MAX(graph->most, edge->bytes);
}

static int by_ends(gconstpointer a, gconstpointer b)
{
    const Edge *one = *(Edge *const *)a, *other = *(Edge *const *)b;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return (one->to > other->to) - (one->to < other->to);
}

/* Half points from 1 to 5 of them on, by powers of two below the most. */
static unsigned half_widths(uint64_t bytes, uint64_t most)
{
    unsigned below = 0;
    while (most >> below > MAX(bytes, 1) && below < 8)
        below++;
    return 9 - below;
}

static void append_nodes(const Graph *graph, TraceText *text)
{
    g_autoptr(GArray) locations = export_timeline_locations(graph->job);
    for (guint i = 0; i < locations->len; i++) {
        uint32_t location = g_array_index(locations, uint32_t, i);
        g_autofree char *name = export_timeline_name(graph->job, location);
        TraceLocation at = trace_reader_location(graph->job->reader, location);
        g_string_append_printf(cli_trace_text(text), "    %u [label=\"%u%s\", tooltip=\"%s, node %s\"];\n", location,
                               at.rank, at.thread ? " (thread)" : "", name, at.node);
    }
}

static void append_edges(const Graph *graph, TraceText *text)
{
    g_autoptr(GPtrArray) edges = g_ptr_array_new();
    GHashTableIter iter;
    gpointer edge_there;
    g_hash_table_iter_init(&iter, graph->edges);
    while (g_hash_table_iter_next(&iter, NULL, &edge_there))
        g_ptr_array_add(edges, edge_there);
    g_ptr_array_sort(edges, by_ends);
    for (guint i = 0; i < edges->len; i++) {
        const Edge *edge = edges->pdata[i];
        unsigned width = half_widths(edge->bytes, graph->most);
        g_string_append_printf(cli_trace_text(text),
                               "    %u -> %u [label=\"%" G_GUINT64_FORMAT " B in %" G_GUINT64_FORMAT
                               "\", penwidth=%u.%u%s, bytes=%" G_GUINT64_FORMAT ", messages=%" G_GUINT64_FORMAT
                               ", collective=%" G_GUINT64_FORMAT "];\n",
                               edge->from, edge->to, edge->bytes, edge->messages, width / 2, width % 2 ? 5 : 0,
                               edge->collective == edge->bytes ? ", style=dashed" : "", edge->bytes, edge->messages,
                               edge->collective);
    }
}

bool export_dot(const ExportJob *job, GError **error)
{
    Graph graph = {job, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free), 0};
    bool good = export_timeline(job, &(ExportTimeline){.user = &graph, .message = count_message}, error);
    TraceText *text = good ? cli_trace_text_to(job->output, error) : NULL;
    if (text) {
        g_string_append(cli_trace_text(text),
                        "// Messages by sender and receiver: bytes in messages. Dashed: within collectives only.\n"
                        "digraph messages {\n    node [shape=circle];\n    edge [fontsize=9];\n");
        append_nodes(&graph, text);
        append_edges(&graph, text);
        g_string_append(cli_trace_text(text), "}\n");
        good = cli_trace_text_end(text, true, error);
    }
    g_hash_table_unref(graph.edges);
    return text && good;
}
