/* file.c - any graph from a file: an edge list or dot. The readers are graph_file.c and graph_dot.c.
 *
 * Nodes lie on a circle, switches on an inner circle. There is no order of dimensions; the routings shortest-path and
 * up-down can be used.
 */
#include "netsim/graph/graph.h"
#include "netsim/graph_file/graph_file.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

static uint64_t lane_bandwidth(const NetParams *params, const NetLinkText *link)
{
    return link->bandwidth ? link->bandwidth : params->bandwidth;
}

/* All lanes of a link together; beyond that limit the sums of models would not fit into 64 bits. */
static bool links_are_possible(const NetParams *params, GError **error)
{
    const NetGraphFile *file = params->graph;
    for (guint i = 0; i < file->edges->len; i++) {
        const NetEdge *edge = &g_array_index(file->edges, NetEdge, i);
        uint32_t width = MAX(edge->link.width, 1);
        if (width > 1 && lane_bandwidth(params, &edge->link) > NET_MAX_BANDWIDTH / width)
            return net_error_refuse(error, "file", "%s: the link from %s to %s has %u lanes, together above 1 PB/s",
                                    params->file, (const char *)g_ptr_array_index(file->names, edge->from),
                                    (const char *)g_ptr_array_index(file->names, edge->to), width);
    }
    return true;
}

static bool check(NetParams *params, GError **error)
{
    if (!params->file || !*params->file)
        return net_error_refuse(error, "file", "topology file needs the name of a file: an edge list or a dot file");
    params->graph = net_graph_file_read(params->file, error);
    if (!params->graph)
        return false;
    if (params->n_dims || (params->nodes && params->nodes != params->graph->nodes))
        return net_error_refuse(error, params->n_dims ? "dims" : "nodes",
                                "the graph of %s has %u nodes; leave nodes and "
                                "dims out",
                                params->file, params->graph->nodes);
    params->nodes = params->graph->nodes;
    return links_are_possible(params, error);
}

static uint32_t switches(const NetParams *params)
{
    return params->graph->names->len - params->graph->nodes;
}

static uint64_t links(const NetParams *params)
{
    return params->graph->edges->len;
}

static void build(const NetParams *params, NetGraph *graph)
{
    const NetGraphFile *file = params->graph;
    for (guint i = 0; i < file->edges->len; i++) {
        const NetEdge *edge = &g_array_index(file->edges, NetEdge, i);
        uint64_t latency = edge->link.has_latency ? edge->link.latency_ps : params->link_latency_ps;
        net_graph_add_link(graph, file->vertex[edge->from], file->vertex[edge->to],
                           lane_bandwidth(params, &edge->link) * MAX(edge->link.width, 1), latency,
                           edge->link.has_duplex ? edge->link.half : graph->usual.half);
    }
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    const char *name = g_ptr_array_index(params->graph->names, params->graph->number[vertex]);
    bool number = g_ascii_isdigit(*name);
    return number ? g_strdup_printf("%s %s", vertex < params->nodes ? "node" : "switch", name) : g_strdup(name);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    uint32_t inner = switches(params);
    uint32_t outer = MAX(params->nodes, inner + 8);
    if (vertex < params->nodes)
        net_topology_circle_position(vertex, inner ? outer : params->nodes, x, y);
    else
        net_topology_circle_position(vertex - params->nodes, inner, x, y);
}

const NetTopology net_topology_file = {
    .name = "file",
    .own_size = true,
    .arguments = "",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
};
