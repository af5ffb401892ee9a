/* graph.c - the graph of a network: directed links in one array, sorted by the vertex they leave.
 *
 * A topology adds links in any order; net_graph_finish() sorts them by counting, stably, so that link numbers follow
 * from (vertex, order of making) alone. Memory: one NetLink per link, one number per vertex.
 */
#include "netsim/internal.h"

#include <string.h>

void net_graph_init(NetGraph *graph, uint32_t vertices, uint32_t links)
{
    *graph = (NetGraph){.vertices = vertices, .capacity = links};
    graph->link = g_new0(NetLink, MAX(links, 1));
    graph->first_out = g_new0(uint32_t, (size_t)vertices + 1);
}

void net_graph_add(NetGraph *graph, uint32_t from, uint32_t to)
{
    assert(from < graph->vertices && to < graph->vertices && from != to);
    assert(graph->links < graph->capacity);
    graph->link[graph->links++] = (NetLink){.from = from, .to = to};
}

void net_graph_add_both(NetGraph *graph, uint32_t a, uint32_t b)
{
    net_graph_add(graph, a, b);
    net_graph_add(graph, b, a);
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
}

void net_graph_clear(NetGraph *graph)
{
    g_free(graph->link);
    g_free(graph->first_out);
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
