/* table.c - next hops from a file; what the file leaves out goes by shortest paths.
 *
 *     # at  to  next                a message at vertex 0 for node 5 goes to vertex 1
 *     0     5   1
 *     3     *   2                   any destination that has no row of its own
 *
 * Vertices are numbers, as `orrery topo --links` counts them: nodes first, then switches. In a network of up to
 * MOST_NODES nodes, every route is followed before the run to see that none goes round for ever.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/routing/shortest_path.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1024 };

typedef struct Table {
    GHashTable *rows; /* at << 32 | to, or ANY as `to` -> link + 1; looked up, never iterated */
    void *shortest;   /* state of shortest-path */
    bool damaged;     /* links have failed; routes that lead over them go by shortest paths instead */
} Table;

#define ANY UINT32_MAX

static bool refuse_line(const char *path, unsigned line, const char *text, GError **error)
{
    return net_error_refuse(error, "table", "%s:%u: %s", path, line, text);
}

static bool read_vertex(const char *text, uint32_t end, uint32_t *vertex)
{
    char *rest;
    unsigned long number = strtoul(text, &rest, 10);
    *vertex = (uint32_t)number;
    return g_ascii_isdigit(*text) && !*rest && number < end;
}

static bool read_row(const Network *net, Table *table, const char *path, unsigned line, char *text, GError **error)
{
    uint32_t at, to, next;
    g_auto(GStrv) words = g_strsplit_set(g_strstrip(text), " \t", -1);
    char *word[3] = {NULL};
    unsigned count = 0;
    for (char **each = words; *each; each++)
        if (**each && count++ < 3)
            word[count - 1] = *each;
    if (count == 0)
        return true;
    if (count != 3)
        return refuse_line(path, line, "a row is \"at to next\"", error);
    bool any = strcmp(word[1], "*") == 0;
    to = ANY;
    if (!read_vertex(word[0], net->graph.vertices, &at) || !read_vertex(word[2], net->graph.vertices, &next) ||
        (!any && !read_vertex(word[1], net->params.nodes, &to)))
        return refuse_line(path, line, "there is no such vertex", error);
    uint32_t link = net_graph_find(&net->graph, at, next);
    if (link == NET_NONE)
        return refuse_line(path, line, "no link leads from the first to the last", error);
    gint64 key = (gint64)((uint64_t)at << 32 | to);
    uint32_t before = GPOINTER_TO_UINT(g_hash_table_lookup(table->rows, &key));
    if (before && before != link + 1)
        return refuse_line(path, line, "an earlier row sends the same messages elsewhere", error);
    g_hash_table_insert(table->rows, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(link + 1));
    return true;
}

static bool read_file(const Network *net, Table *table, GError **error)
{
    const char *path = net->params.table;
    if (!path || !*path)
        return net_error_refuse(error, "table", "routing table needs the name of a file with rows \"at to next\"");
    g_autofree char *text = net_read_file("table", path, error);
    if (!text)
        return false;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; lines[i]; i++) {
        lines[i][strcspn(lines[i], "#")] = '\0';
        if (!read_row(net, table, path, i + 1, lines[i], error))
            return false;
    }
    return true;
}

static uint32_t row(const Table *table, uint32_t at, uint32_t to)
{
    gint64 key = (gint64)((uint64_t)at << 32 | to);
    return GPOINTER_TO_UINT(g_hash_table_lookup(table->rows, &key));
}

static NetHop hop_of(const Table *table, const NetQuery *query)
{
    uint32_t link = row(table, query->at, query->to);
    if (!link)
        link = row(table, query->at, ANY);
    if (link)
        return (NetHop){.link = link - 1};
    return net_shortest_path_next(table->shortest, query);
}

/* Returns the link that the table gives, or NET_NONE if it has no row. */
static uint32_t link_of(const Table *table, uint32_t at, uint32_t to)
{
    uint32_t link = row(table, at, to);
    if (!link)
        link = row(table, at, ANY);
    return link - 1;
}

/* Returns whether rows alone lead to the destination, over links that work. If so, this also holds at every later
 * vertex of the route. Other vertices send by shortest paths. Therefore no message goes in circles. */
static bool is_intact(const Network *net, const Table *table, const NetQuery *query)
{
    NetQuery on = *query;
    for (uint32_t hops = 0; on.at != on.to && hops <= net->graph.vertices; hops++) {
        uint32_t link = link_of(table, on.at, on.to);
        if (link == NET_NONE || net->graph.link[link].failed)
            return false;
        net_route_advance(net, &on, (NetHop){.link = link});
    }
    return on.at == on.to;
}

static bool check_routes(const Network *net, const Table *table, GError **error)
{
    for (uint32_t from = 0; net->params.nodes <= MOST_NODES && from < net->params.nodes; from++)
        for (uint32_t to = 0; to < net->params.nodes; to++) {
            NetQuery query = {.from = from, .to = to, .via = NET_NONE, .at = from, .in_link = NET_NONE};
            uint32_t hops = 0;
            for (; query.at != to && hops <= net->graph.vertices; hops++)
                net_route_advance(net, &query, hop_of(table, &query));
            if (hops > net->graph.vertices)
                return net_error_refuse(error, "table", "%s: a message from node %u to node %u would go round for ever",
                                        net->params.table, from, to);
        }
    return true;
}

static void stop(void *pointer)
{
    Table *table = pointer;
    g_hash_table_destroy(table->rows);
    net_routing_shortest_path.stop(table->shortest);
    g_free(table);
}

static void *start(Network *net, GError **error)
{
    Table *table = g_new0(Table, 1);
    table->rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    table->shortest = net_routing_shortest_path.start(net, NULL);
    if (read_file(net, table, error) && check_routes(net, table, error))
        return table;
    stop(table);
    return NULL;
}

static NetHop next(const Network *net, const NetQuery *query)
{
    const Table *table = net->routing_state;
    if (table->damaged && !is_intact(net, table, query))
        return net_shortest_path_next(table->shortest, query);
    return hop_of(table, query);
}

static void changed(const Network *net)
{
    Table *table = net->routing_state;
    table->damaged = false;
    for (uint32_t i = 0; i < net->graph.links; i++)
        table->damaged |= net->graph.link[i].failed;
    net_shortest_path_changed(table->shortest);
}

static uint32_t classes(const Network *net)
{
    (void)net;
    return 1;
}

const NetRouting net_routing_table = {
    .name = "table",
    .start = start,
    .stop = stop,
    .classes = classes,
    .next = next,
    .changed = changed,
};
