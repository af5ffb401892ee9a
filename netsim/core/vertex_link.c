/* vertex_link.c - queries about the vertices and links of a network. */
#include "netsim/core/core.h"

uint32_t net_vertex_count(const Network *net)
{
    return net->graph.vertices;
}

uint32_t net_link_count(const Network *net)
{
    return net->graph.links;
}

uint32_t net_link_channels(const Network *net)
{
    uint32_t channels = net->model->virtual_channels ? net->params.wormhole.virtual_channels : 1;
    return net->model->needs_links ? channels : 0;
}

const NetLink *net_link(const Network *net, uint32_t index)
{
    assert(index < net->graph.links);
    return &net->graph.link[index];
}

char *net_vertex_name(const Network *net, uint32_t vertex)
{
    assert(vertex < net->graph.vertices);
    if (net->topology->vertex_name)
        return net->topology->vertex_name(&net->params, vertex);
    return g_strdup_printf("node %u", vertex);
}

void net_vertex_position(const Network *net, uint32_t vertex, double *x, double *y)
{
    assert(vertex < net->graph.vertices);
    net->topology->position(&net->params, vertex, x, y);
}

bool net_vertex_is_switch(const Network *net, uint32_t vertex)
{
    return vertex >= net->params.nodes || (net->topology->node_is_hub && vertex == 0);
}

uint64_t net_vertex_latency(const Network *net, uint32_t vertex)
{
    return net_vertex_is_switch(net, vertex) ? net->params.switch_latency_ps : net->params.router_latency_ps;
}
