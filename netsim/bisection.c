/* bisection.c - the bisection of a network, whatever the routing: a maximum flow of one unit per link, by shortest
 * augmenting paths (Edmonds and Karp, 1972) in phases (Dinic, 1970). The sources are the nodes of the lower half, the
 * sinks those of the upper half. */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <string.h>

/* The state of the search for a maximum flow. */
typedef struct Flow {
    const NetGraph *graph;
    /* Sources are first_source .. end_source - 1; all other nodes are sinks. */
    uint32_t nodes, first_source, end_source;
    NetEntering entering;
    bool *used; /* per link: it carries a unit of flow */
    uint32_t *level, *queue, *place;
} Flow;

static bool is_sink(const Flow *flow, uint32_t vertex)
{
    return vertex < flow->nodes && (vertex < flow->first_source || vertex >= flow->end_source);
}

static uint32_t degree_out(const Flow *flow, uint32_t vertex)
{
    return flow->graph->first_out[vertex + 1] - flow->graph->first_out[vertex];
}

/* Candidate step number `i` out of a vertex: along a free link, or back along a used one. Returns false if that step is
 * not possible. */
static bool step(const Flow *flow, uint32_t vertex, uint32_t i, uint32_t *link, uint32_t *to)
{
    uint32_t out = degree_out(flow, vertex);
    bool back = i >= out;
    *link = back ? flow->entering.link[flow->entering.first[vertex] + i - out] : flow->graph->first_out[vertex] + i;
    *to = back ? flow->graph->link[*link].from : flow->graph->link[*link].to;
    return flow->used[*link] == back;
}

static uint32_t steps(const Flow *flow, uint32_t vertex)
{
    return degree_out(flow, vertex) + flow->entering.first[vertex + 1] - flow->entering.first[vertex];
}

/* Computes the levels of vertices from all sources. Returns false if no sink can be reached. */
static bool find_levels(Flow *flow)
{
    uint32_t tail = 0;
    bool reached = false;
    memset(flow->level, 0xff, flow->graph->vertices * sizeof *flow->level);
    memset(flow->place, 0, flow->graph->vertices * sizeof *flow->place);
    for (uint32_t node = flow->first_source; node < flow->end_source; node++) {
        flow->level[node] = 0;
        flow->queue[tail++] = node;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t vertex = flow->queue[head], link, to;
        if (is_sink(flow, vertex)) {
            reached = true;
            continue;
        }
        for (uint32_t i = 0; i < steps(flow, vertex); i++)
            if (step(flow, vertex, i, &link, &to) && flow->level[to] == NET_NONE) {
                flow->level[to] = flow->level[vertex] + 1;
                flow->queue[tail++] = to;
            }
    }
    return reached;
}

/* Sends one more unit from a source. Follows the levels with an explicit stack of links, which is kept in `queue`. */
static bool augment(Flow *flow, uint32_t source)
{
    uint32_t depth = 0, vertex = source, link, to;
    uint32_t *path = flow->queue;
    for (;;) {
        if (is_sink(flow, vertex))
            break;
        bool went = false;
        for (; !went && flow->place[vertex] < steps(flow, vertex); flow->place[vertex]++)
            if (step(flow, vertex, flow->place[vertex], &link, &to) && flow->level[to] == flow->level[vertex] + 1) {
                path[depth++] = link;
                vertex = to;
                went = true;
                break;
            }
        if (went)
            continue;
        if (depth == 0)
            return false;
        link = path[--depth];
        vertex = flow->graph->link[link].to == vertex ? flow->graph->link[link].from : flow->graph->link[link].to;
        flow->place[vertex]++;
    }
    while (depth > 0)
        flow->used[path[--depth]] ^= true;
    return true;
}

/* Finds the maximum flow and its minimum cut. `down`: from the upper half to the lower. `crosses`, which may be NULL,
 * receives the links of the cut. At the end of the last phase the levels show which vertices can still be reached from
 * the sources. The cut consists of the links that leave them (Ford and Fulkerson, 1956). */
static uint32_t find_cut(const Network *net, bool down, bool *crosses)
{
    uint32_t nodes = net->params.nodes, total = 0;
    Flow flow = {.graph = &net->graph,
                 .nodes = nodes,
                 .first_source = down ? nodes / 2 : 0,
                 .end_source = down ? nodes : nodes / 2};
    if (!net->graph.links)
        return 0;
    net_graph_entering_init(&flow.entering, &net->graph);
    flow.used = g_new0(bool, net->graph.links);
    flow.level = g_new(uint32_t, net->graph.vertices);
    flow.queue = g_new(uint32_t, net->graph.vertices + 1);
    flow.place = g_new(uint32_t, net->graph.vertices);
    while (find_levels(&flow))
        for (uint32_t node = flow.first_source; node < flow.end_source; node++)
            while (augment(&flow, node))
                total++;
    for (uint32_t i = 0; crosses && i < net->graph.links; i++) {
        const NetLink *link = &net->graph.link[i];
        crosses[i] = flow.level[link->from] != NET_NONE && flow.level[link->to] == NET_NONE;
    }
    net_graph_entering_clear(&flow.entering);
    g_free(flow.used);
    g_free(flow.level);
    g_free(flow.queue);
    g_free(flow.place);
    return total;
}

uint32_t net_bisection(const Network *net)
{
    return find_cut(net, false, NULL);
}

uint32_t net_bisection_links(const Network *net, bool down, bool *crosses)
{
    return find_cut(net, down, crosses);
}
