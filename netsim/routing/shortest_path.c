/* shortest_path.c - fewest hops on any graph, by tables.
 *
 * For each destination a breadth-first search against the direction of the links gives every vertex its distance. The
 * next hop is the lowest-numbered link that leads nearer. Failed links are ignored. When a link fails or is repaired,
 * all tables are computed anew.
 *
 * This routing does not prevent deadlock. On rings and tori under wormhole switching a deadlock can happen; it is then
 * detected and explained.
 */
#include "netsim/routing/shortest_path.h"

#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/routing/next_links.h"

#include <string.h>

typedef struct ShortestPath {
    const NetGraph *graph;
    NetEntering entering;
    uint32_t *distance, *queue; /* work space of the search */
    NetNextLinks next_links;    /* indexed by vertex */
} ShortestPath;

static void *start(Network *net, GError **error)
{
    (void)error;
    const NetGraph *graph = &net->graph;
    ShortestPath *state = g_new0(ShortestPath, 1);
    state->graph = graph;
    net_graph_entering_init(&state->entering, graph);
    state->distance = g_new(uint32_t, graph->vertices);
    state->queue = g_new(uint32_t, graph->vertices);
    net_next_links_init(&state->next_links, net->params.nodes, graph->vertices);
    return state;
}

static void stop(void *pointer)
{
    ShortestPath *state = pointer;
    net_next_links_clear(&state->next_links);
    g_free(state->queue);
    g_free(state->distance);
    net_graph_entering_clear(&state->entering);
    g_free(state);
}

static void search_distances(ShortestPath *state, uint32_t to)
{
    uint32_t head = 0;
    uint32_t tail = 0;
    memset(state->distance, 0xff, state->graph->vertices * sizeof *state->distance);
    state->distance[to] = 0;
    state->queue[tail++] = to;
    while (head < tail) {
        uint32_t vertex = state->queue[head++];
        for (uint32_t i = state->entering.first[vertex]; i < state->entering.first[vertex + 1]; i++) {
            uint32_t before = state->graph->link[state->entering.link[i]].from;
            if (state->distance[before] != NET_NONE || state->graph->link[state->entering.link[i]].failed)
                continue;
            state->distance[before] = state->distance[vertex] + 1;
            state->queue[tail++] = before;
        }
    }
}

static void fill_table(ShortestPath *state, uint32_t to, uint32_t *table)
{
    const NetGraph *graph = state->graph;
    search_distances(state, to);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        table[v] = NET_NONE;
        if (v == to || state->distance[v] == NET_NONE)
            continue;
        for (uint32_t i = graph->first_out[v]; table[v] == NET_NONE && i < graph->first_out[v + 1]; i++)
            if (state->distance[graph->link[i].to] == state->distance[v] - 1 && !graph->link[i].failed)
                table[v] = i;
    }
}

NetHop net_shortest_path_next(void *pointer, const NetQuery *query)
{
    ShortestPath *state = pointer;
    bool known;
    uint32_t *table = net_next_links(&state->next_links, query->to, &known);
    if (!known)
        fill_table(state, query->to, table);
    return (NetHop){.link = table[query->at]};
}

void net_shortest_path_changed(void *pointer)
{
    ShortestPath *state = pointer;
    net_next_links_forget(&state->next_links);
}

static void changed(const Network *net)
{
    net_shortest_path_changed(net->routing_state);
}

static NetHop next(const Network *net, const NetQuery *query)
{
    return net_shortest_path_next(net->routing_state, query);
}

static uint32_t classes(const Network *net)
{
    (void)net;
    return 1;
}

const NetRouting net_routing_shortest_path = {
    .name = "shortest-path",
    .shortest = true,
    .start = start,
    .stop = stop,
    .classes = classes,
    .next = next,
    .changed = changed,
};
