/* up_down.c - up*-down* on any graph with links both ways: Schroeder and others, "Autonet: A High-speed,
 * Self-configuring Local Area Network Using Point-to-point Links", IEEE J. Selected Areas in Communications 9(8), 1991.
 *
 * A breadth-first search from a root (the first switch, or node 0) gives every vertex a level. A link goes up if it
 * leads to a lower level, or within a level to a lower number. A route is any number of links up, then any number of
 * links down; this closes no cycle of waiting. The shortest such route is taken. If several links serve, the lowest is
 * taken.
 *
 * A table has two entries for each vertex: one for packets that may still go up, one for packets that may only go down.
 * When links fail or work again, levels and tables are computed anew (as Autonet reconfigures itself).
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/routing/next_links.h"

#include <string.h>

typedef struct UpDown {
    const NetGraph *graph;
    uint32_t root;
    bool damaged; /* links may have failed, so each is checked for its opposite */
    uint32_t *level;
    NetEntering entering;
    uint32_t *distance, *queue; /* work space of the search, indexed by 2 v + (only down) */
    NetNextLinks next_links;    /* indexed in the same way, 2 v + (only down) */
} UpDown;

static bool is_up(const UpDown *state, uint32_t link)
{
    uint32_t from = state->graph->link[link].from;
    uint32_t to = state->graph->link[link].to;
    return state->level[to] != state->level[from] ? state->level[to] < state->level[from] : to < from;
}

/* Returns whether a link can be used. If its opposite has failed it cannot, because a tree needs both directions. */
static bool is_usable(const UpDown *state, uint32_t link)
{
    const NetGraph *graph = state->graph;
    uint32_t from = graph->link[link].from, to = graph->link[link].to;
    bool back = !state->damaged;
    for (uint32_t i = graph->first_out[to]; !back && i < graph->first_out[to + 1]; i++)
        back = graph->link[i].to == from && !graph->link[i].failed;
    return back && !graph->link[link].failed;
}

static void find_levels_from(UpDown *state, uint32_t root)
{
    const NetGraph *graph = state->graph;
    uint32_t tail = 0;
    state->level[root] = 0;
    state->queue[tail++] = root;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t i = graph->first_out[state->queue[head]]; i < graph->first_out[state->queue[head] + 1]; i++) {
            uint32_t to = graph->link[i].to;
            if (state->level[to] != NET_NONE || !is_usable(state, i))
                continue;
            state->level[to] = state->level[state->queue[head]] + 1;
            state->queue[tail++] = to;
        }
}

/* Gives every vertex a level. If failures have cut the graph into parts, each of the other parts gets its own root. */
static void find_levels(UpDown *state)
{
    memset(state->level, 0xff, state->graph->vertices * sizeof *state->level);
    find_levels_from(state, state->root);
    for (uint32_t v = 0; v < state->graph->vertices; v++)
        if (state->level[v] == NET_NONE)
            find_levels_from(state, v);
}

static void changed(const Network *net)
{
    UpDown *state = net->routing_state;
    state->damaged = true;
    find_levels(state);
    net_next_links_forget(&state->next_links);
}

/* Refuses a graph in which a link has no opposite. Some vertex could then be left but not reached by links of the tree.
 */
static bool check_both_ways(const NetGraph *graph, GError **error)
{
    for (uint32_t i = 0; i < graph->links; i++)
        if (net_graph_find(graph, graph->link[i].to, graph->link[i].from) == NET_NONE)
            return net_error_refuse(error, "routing",
                                    "up-down needs links in both directions, but vertex %u has none back to "
                                    "vertex %u",
                                    graph->link[i].to, graph->link[i].from);
    return true;
}

static void *start(Network *net, GError **error)
{
    const NetGraph *graph = &net->graph;
    if (!check_both_ways(graph, error))
        return NULL;
    UpDown *state = g_new0(UpDown, 1);
    state->graph = graph;
    state->level = g_new(uint32_t, graph->vertices);
    state->distance = g_new(uint32_t, 2 * (size_t)graph->vertices);
    state->queue = g_new(uint32_t, 2 * (size_t)graph->vertices);
    net_graph_entering_init(&state->entering, graph);
    state->root = graph->vertices > net->params.nodes ? net->params.nodes : 0;
    find_levels(state);
    net_next_links_init(&state->next_links, net->params.nodes, 2 * (size_t)graph->vertices);
    return state;
}

static void stop(void *pointer)
{
    UpDown *state = pointer;
    net_next_links_clear(&state->next_links);
    g_free(state->level);
    g_free(state->distance);
    g_free(state->queue);
    net_graph_entering_clear(&state->entering);
    g_free(state);
}

/* Computes distances to `to`, against the links. A link down can be taken in both states and leads to "only down". A
 * link up can be taken only by a packet that may still go up. */
static void search(UpDown *state, uint32_t to)
{
    uint32_t tail = 0;
    memset(state->distance, 0xff, 2 * state->graph->vertices * sizeof *state->distance);
    for (uint32_t down = 0; down < 2; down++) {
        state->distance[2 * to + down] = 0;
        state->queue[tail++] = 2 * to + down;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t vertex = state->queue[head] / 2;
        bool only_down = state->queue[head] % 2;
        for (uint32_t i = state->entering.first[vertex]; i < state->entering.first[vertex + 1]; i++) {
            uint32_t link = state->entering.link[i];
            if (is_up(state, link) == only_down || !is_usable(state, link))
                continue;
            for (uint32_t down = 0; down < 1u + only_down; down++) {
                uint32_t before = 2 * state->graph->link[link].from + down;
                if (state->distance[before] != NET_NONE)
                    continue;
                state->distance[before] = state->distance[state->queue[head]] + 1;
                state->queue[tail++] = before;
            }
        }
    }
}

static void fill_table(UpDown *state, uint32_t to, uint32_t *table)
{
    const NetGraph *graph = state->graph;
    search(state, to);
    for (uint32_t place = 0; place < 2 * graph->vertices; place++) {
        table[place] = NET_NONE;
        if (state->distance[place] == NET_NONE || place / 2 == to)
            continue;
        for (uint32_t i = graph->first_out[place / 2]; i < graph->first_out[place / 2 + 1]; i++) {
            bool up = is_up(state, i);
            uint32_t next = 2 * graph->link[i].to + !up;
            if ((up && place % 2) || state->distance[next] != state->distance[place] - 1 || !is_usable(state, i))
                continue;
            table[place] = i;
            break;
        }
    }
}

static NetHop next(const Network *net, const NetQuery *query)
{
    UpDown *state = net->routing_state;
    bool known;
    uint32_t *table = net_next_links(&state->next_links, query->to, &known);
    if (!known)
        fill_table(state, query->to, table);
    bool only_down = query->in_link != NET_NONE && !is_up(state, query->in_link);
    return (NetHop){.link = table[2 * query->at + only_down]};
}

static uint32_t classes(const Network *net)
{
    (void)net;
    return 1;
}

const NetRouting net_routing_up_down = {
    .name = "up-down",
    .proven = true,
    .start = start,
    .stop = stop,
    .classes = classes,
    .next = next,
    .changed = changed,
};
