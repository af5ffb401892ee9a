/* hops.c - how many links a message crosses between two nodes, for many questions.
 *
 * On grids whose routing takes shortest paths there is a closed form. Elsewhere the network's routing function is
 * followed. If a table of all pairs is small enough, that happens once for each pair. Otherwise a small cache keeps
 * recent answers. If the network has no links (the LogGP model on many nodes), any two nodes are one hop from each
 * other.
 */
#include "machine/map/placement.h"

#include <string.h>

enum { MATRIX_NODES = 4096, RECENT = 1 << 20, NODE_BITS = 24, HOP_BITS = 16, ROUTE_WORK = 64 };

MapHops *mach_map_hops_new(const Network *net, uint64_t most_work)
{
    MapHops *hops = g_new0(MapHops, 1);
    hops->net = net;
    hops->nodes = net_network_nodes(net);
    hops->linked = net_link_count(net) > 0;
    hops->most = most_work;
    hops->closed_form = net_network_grid(net, &hops->grid) && net_network_takes_shortest(net) && hops->linked;
    if (hops->nodes <= MATRIX_NODES)
        hops->matrix = g_new0(uint16_t, (size_t)hops->nodes * hops->nodes);
    else if (hops->linked && !hops->closed_form)
        hops->recent = g_new0(uint64_t, RECENT);
    return hops;
}

void mach_map_hops_free(MapHops *hops)
{
    if (!hops)
        return;
    g_free(hops->matrix);
    g_free(hops->recent);
    g_free(hops);
}

static uint32_t follow(MapHops *hops, uint32_t from, uint32_t to)
{
    hops->work += ROUTE_WORK;
    return net_route(hops->net, from, to, NULL, 0);
}

static uint32_t follow_or_remember(MapHops *hops, uint32_t from, uint32_t to)
{
    uint64_t pair = (uint64_t)from << NODE_BITS | to;
    uint64_t *place = &hops->recent[pair * UINT64_C(0x9e3779b97f4a7c15) >> 44];
    if (*place >> HOP_BITS == pair && *place & ((1 << HOP_BITS) - 1))
        return (uint32_t)(*place & ((1 << HOP_BITS) - 1));
    uint32_t found = follow(hops, from, to);
    *place = found >> HOP_BITS ? 0 : pair << HOP_BITS | found;
    return found;
}

uint32_t mach_map_hops_look_up(MapHops *hops, uint32_t from, uint32_t to)
{
    uint32_t found;
    if (from == to)
        return 0;
    if (!hops->linked)
        found = 1;
    else if (hops->closed_form)
        found = net_grid_hops(&hops->grid, from, to);
    else if (hops->recent)
        return follow_or_remember(hops, from, to);
    else
        found = follow(hops, from, to);
    if (hops->matrix)
        hops->matrix[(size_t)from * hops->nodes + to] = (uint16_t)MIN(found, UINT16_MAX);
    return found;
}

/* If no link joins two nodes directly, none are nearer than 2. If the diameter is 2, then all are equally far. */
bool mach_map_hops_uniform(const MapHops *hops)
{
    if (!hops->linked || hops->nodes < 2)
        return true;
    uint32_t diameter = net_distance_diameter(hops->net);
    if (diameter > 2)
        return false;
    for (uint32_t i = 0; diameter == 2 && i < net_link_count(hops->net); i++)
        if (net_link(hops->net, i)->from < hops->nodes && net_link(hops->net, i)->to < hops->nodes)
            return false;
    return true;
}

/* -- nodes around a node ----------------------------------------------------------------------- */

struct MapAround {
    const Network *net;
    uint32_t nodes, *first_link; /* by vertex: its first link in net_link(), where links are sorted by their start */
    uint32_t *queue, *seen;      /* vertices; by vertex: number of the search that saw it last */
    uint32_t head, tail, search, limit;
};

MapAround *mach_map_around_new(const Network *net)
{
    uint32_t vertices = MAX(net_vertex_count(net), net_network_nodes(net));
    MapAround *around = g_new0(MapAround, 1);
    around->net = net;
    around->nodes = net_network_nodes(net);
    around->first_link = g_new0(uint32_t, (size_t)vertices + 1);
    around->queue = g_new(uint32_t, vertices);
    around->seen = g_new0(uint32_t, vertices);
    for (uint32_t i = 0; i < net_link_count(net); i++)
        around->first_link[net_link(net, i)->from + 1]++;
    for (uint32_t v = 0; v < vertices; v++)
        around->first_link[v + 1] += around->first_link[v];
    return around;
}

void mach_map_around_free(MapAround *around)
{
    if (!around)
        return;
    g_free(around->first_link);
    g_free(around->queue);
    g_free(around->seen);
    g_free(around);
}

void mach_map_around_begin(MapAround *around, uint32_t node, uint32_t limit)
{
    around->search++;
    around->head = 0;
    around->tail = 1;
    around->limit = limit;
    around->queue[0] = node;
    around->seen[node] = around->search;
}

uint32_t mach_map_around_next(MapAround *around)
{
    while (around->head < MIN(around->tail, around->limit)) {
        uint32_t vertex = around->queue[around->head++];
        for (uint32_t i = around->first_link[vertex]; i < around->first_link[vertex + 1]; i++) {
            uint32_t to = net_link(around->net, i)->to;
            if (around->seen[to] == around->search)
                continue;
            around->seen[to] = around->search;
            around->queue[around->tail++] = to;
        }
        if (vertex < around->nodes)
            return vertex;
    }
    return MAP_NONE;
}
