/* graph.c - the graph of a network: directed links in one array, sorted by the vertex that they leave.
 *
 * A topology adds links in any order. net_graph_finish() sorts them with a stable counting sort, so link numbers depend
 * only on (vertex, order of creation). Memory: one NetLink per link, one number per vertex.
 */
#include "netsim/graph/graph.h"

#include "netsim/params/params.h"

#include <string.h>

void net_graph_init(NetGraph *graph, const NetParams *params, uint32_t vertices, uint32_t links)
{
    *graph = (NetGraph){
        .vertices = vertices,
        .capacity = links,
        .usual = {.bandwidth = params->bandwidth,
                  .latency_ps = params->link_latency_ps,
                  .partner = NET_NONE,
                  .half = params->duplex == NET_DUPLEX_HALF},
    };
    graph->uniform = !graph->usual.half;
    graph->link = g_new0(NetLink, MAX(links, 1));
    graph->first_out = g_new0(uint32_t, (size_t)vertices + 1);
}

void net_graph_add(NetGraph *graph, uint32_t from, uint32_t to)
{
    assert(from < graph->vertices && to < graph->vertices && from != to);
    assert(graph->links < graph->capacity);
    NetLink link = graph->usual;
    link.from = from;
    link.to = to;
    graph->link[graph->links++] = link;
}

void net_graph_add_link(NetGraph *graph, uint32_t from, uint32_t to, uint64_t bandwidth, uint64_t latency_ps, bool half)
{
    net_graph_add(graph, from, to);
    NetLink *link = &graph->link[graph->links - 1];
    link->bandwidth = bandwidth;
    link->latency_ps = latency_ps;
    link->half = half;
    graph->uniform &= !half && bandwidth == graph->usual.bandwidth && latency_ps == graph->usual.latency_ps;
}

void net_graph_add_global(NetGraph *graph, const NetParams *params, uint32_t a, uint32_t b)
{
    uint64_t bandwidth = params->global_bandwidth ? params->global_bandwidth : params->bandwidth;
    uint64_t latency = params->global_latency_ps ? params->global_latency_ps : params->link_latency_ps;
    net_graph_add_link(graph, a, b, bandwidth, latency, graph->usual.half);
    net_graph_add_link(graph, b, a, bandwidth, latency, graph->usual.half);
}

void net_graph_add_both(NetGraph *graph, uint32_t a, uint32_t b)
{
    net_graph_add(graph, a, b);
    net_graph_add(graph, b, a);
}

/* Finds the partner of each half-duplex link, with which it shares a medium. Each takes the first opposite link that
 * has no partner yet. */
static void pair_half_duplex(NetGraph *graph)
{
    for (uint32_t i = 0; i < graph->links; i++) {
        NetLink *link = &graph->link[i];
        if (!link->half || link->partner != NET_NONE)
            continue;
        for (uint32_t j = graph->first_out[link->to]; j < graph->first_out[link->to + 1]; j++) {
            NetLink *other = &graph->link[j];
            if (other->to != link->from || !other->half || other->partner != NET_NONE)
                continue;
            link->partner = j;
            other->partner = i;
            break;
        }
    }
}

void net_graph_finish(NetGraph *graph)
{
    assert(graph->links == graph->capacity);
    for (uint32_t i = 0; i < graph->links; i++)
        graph->first_out[graph->link[i].from + 1]++;
    for (uint32_t v = 0; v < graph->vertices; v++)
        graph->first_out[v + 1] += graph->first_out[v];
    uint32_t *place = g_memdup2(graph->first_out, ((size_t)graph->vertices + 1) * sizeof *place);
    NetLink *sorted = g_new(NetLink, MAX(graph->links, 1));
    for (uint32_t i = 0; i < graph->links; i++)
        sorted[place[graph->link[i].from]++] = graph->link[i];
    g_free(place);
    g_free(graph->link);
    graph->link = sorted;
    if (!graph->uniform)
        pair_half_duplex(graph);
}

void net_graph_clear(NetGraph *graph)
{
    g_free(graph->link);
    g_free(graph->first_out);
    g_free(graph->second_nic);
    *graph = (NetGraph){0};
}

uint32_t net_graph_find(const NetGraph *graph, uint32_t from, uint32_t to)
{
    assert(from < graph->vertices);
    for (uint32_t i = graph->first_out[from]; i < graph->first_out[from + 1]; i++)
        if (graph->link[i].to == to)
            return i;
    return NET_NONE;
}

/* Counting starts two slots further on. When the slots of a vertex have been filled, its end is where the next vertex
 * begins. */
void net_graph_entering_init(NetEntering *entering, const NetGraph *graph)
{
    entering->first = g_new0(uint32_t, (size_t)graph->vertices + 2);
    entering->link = g_new(uint32_t, MAX(graph->links, 1));
    for (uint32_t i = 0; i < graph->links; i++)
        entering->first[graph->link[i].to + 2]++;
    for (uint32_t v = 0; v < graph->vertices; v++)
        entering->first[v + 2] += entering->first[v + 1];
    for (uint32_t i = 0; i < graph->links; i++)
        entering->link[entering->first[graph->link[i].to + 1]++] = i;
}

void net_graph_entering_clear(NetEntering *entering)
{
    g_free(entering->first);
    g_free(entering->link);
}
