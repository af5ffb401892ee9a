/* distances.c - diameter and average distance of a network, by shortest paths, whatever the routing. */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <string.h>

/* Work space of the searches, and their results so far. */
typedef struct Distances {
    uint32_t *distance, *queue;
    uint64_t sum;
    uint32_t greatest;
} Distances;

/* Breadth-first search from one node. Adds up its distances to the other nodes. */
static void search_from(const Network *net, uint32_t from, Distances *all)
{
    const NetGraph *graph = &net->graph;
    uint32_t tail = 0;
    memset(all->distance, 0xff, graph->vertices * sizeof *all->distance);
    all->distance[from] = 0;
    all->queue[tail++] = from;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t vertex = all->queue[head];
        if (vertex < net->params.nodes) {
            all->sum += all->distance[vertex];
            all->greatest = MAX(all->greatest, all->distance[vertex]);
        }
        for (uint32_t i = graph->first_out[vertex]; i < graph->first_out[vertex + 1]; i++) {
            uint32_t to = graph->link[i].to;
            if (all->distance[to] != NET_NONE)
                continue;
            all->distance[to] = all->distance[vertex] + 1;
            all->queue[tail++] = to;
        }
    }
}

static Distances search_all(const Network *net)
{
    Distances all = {.distance = g_new(uint32_t, net->graph.vertices), .queue = g_new(uint32_t, net->graph.vertices)};
    for (uint32_t node = 0; net->graph.links && node < net->params.nodes; node++)
        search_from(net, node, &all);
    g_free(all.distance);
    g_free(all.queue);
    return all;
}

uint32_t net_distance_diameter(const Network *net)
{
    return net->topology->diameter ? net->topology->diameter(&net->params) : search_all(net).greatest;
}

double net_distance_average(const Network *net)
{
    double nodes = net->params.nodes;
    return nodes > 1 ? (double)search_all(net).sum / (nodes * (nodes - 1)) : 0;
}
