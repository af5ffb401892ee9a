/* routing_shortest_path.c - fewest hops on any graph, by tables.
 *
 * For each destination a breadth-first search against the direction of the links gives every vertex its distance; the
 * next hop is the lowest-numbered link that leads nearer. Tables are made when a destination is first asked for and
 * kept in a cache of bounded size, one slot per destination modulo the number of slots. They depend on nothing but the
 * graph, so what the cache holds cannot reach a result. Links that have failed are no links; when that changes, all
 * tables are made anew.
 *
 * Nothing here prevents deadlock: on rings and tori under wormhole switching it can happen, is detected, and explained.
 */
#include "netsim/internal.h"

#include <string.h>

enum { CACHE_BYTES = 64 << 20, LEAST_SLOTS = 16 };

typedef struct ShortestPath {
    const NetGraph *graph;
    uint32_t *first_in;         /* vertices + 1 */
    uint32_t *in_link;          /* links that enter a vertex, by number */
    uint32_t *distance, *queue; /* of the search */
    uint32_t slots;
    uint32_t *slot_destination; /* NET_NONE: empty */
    uint32_t **slot_table;      /* next link by vertex */
} ShortestPath;

static void index_entering_links(ShortestPath *state)
{
    const NetGraph *graph = state->graph;
    state->first_in = g_new0(uint32_t, (size_t)graph->vertices + 1);
    state->in_link = g_new(uint32_t, MAX(graph->links, 1));
    for (uint32_t i = 0; i < graph->links; i++)
        state->first_in[graph->link[i].to + 1]++;
    for (uint32_t v = 0; v < graph->vertices; v++)
        state->first_in[v + 1] += state->first_in[v];
    g_autofree uint32_t *place = g_memdup2(state->first_in, ((size_t)graph->vertices + 1) * sizeof *place);
    for (uint32_t i = 0; i < graph->links; i++)
        state->in_link[place[graph->link[i].to]++] = i;
}

static void *start(Network *net, GError **error)
{
    (void)error;
    const NetParams *params = &net->params;
    const NetGraph *graph = &net->graph;
    ShortestPath *state = g_new0(ShortestPath, 1);
    state->graph = graph;
    index_entering_links(state);
    state->distance = g_new(uint32_t, graph->vertices);
    state->queue = g_new(uint32_t, graph->vertices);
    size_t fitting = CACHE_BYTES / ((size_t)graph->vertices * sizeof(uint32_t));
    state->slots = (uint32_t)MIN(params->nodes, MAX(fitting, LEAST_SLOTS));
    state->slot_destination = g_new(uint32_t, state->slots);
    memset(state->slot_destination, 0xff, state->slots * sizeof *state->slot_destination);
    state->slot_table = g_new0(uint32_t *, state->slots);
    return state;
}

static void stop(void *pointer)
{
    ShortestPath *state = pointer;
    for (uint32_t i = 0; i < state->slots; i++)
        g_free(state->slot_table[i]);
    g_free(state->slot_table);
    g_free(state->slot_destination);
    g_free(state->queue);
    g_free(state->distance);
    g_free(state->in_link);
    g_free(state->first_in);
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
        for (uint32_t i = state->first_in[vertex]; i < state->first_in[vertex + 1]; i++) {
            uint32_t before = state->graph->link[state->in_link[i]].from;
            if (state->distance[before] != NET_NONE || state->graph->link[state->in_link[i]].failed)
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
    uint32_t to = query->to;
    uint32_t slot = to % state->slots;
    if (!state->slot_table[slot])
        state->slot_table[slot] = g_new(uint32_t, state->graph->vertices);
    if (state->slot_destination[slot] != to) {
        fill_table(state, to, state->slot_table[slot]);
        state->slot_destination[slot] = to;
    }
    return (NetHop){.link = state->slot_table[slot][query->at]};
}

void net_shortest_path_changed(void *pointer)
{
    ShortestPath *state = pointer;
    memset(state->slot_destination, 0xff, state->slots * sizeof *state->slot_destination);
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
    .start = start,
    .stop = stop,
    .classes = classes,
    .next = next,
    .changed = changed,
};
