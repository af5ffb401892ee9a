/* routers.c - the inputs and ports of routers, in their order (allocators.h). */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/wormhole/allocators.h"

/* Numbers the channels of a port. Returns the next number of an input. */
static uint32_t add_port(NetRouters *routers, uint32_t first, uint32_t channels, uint32_t input)
{
    for (uint32_t i = 0; i < channels; i++, input++) {
        routers->input_of[first + i] = input;
        routers->channel_of[input] = first + i;
        routers->port_of[first + i] = routers->ports;
        routers->place_of[first + i] = (uint16_t)i;
    }
    routers->channel_from[routers->ports++] = first;
    return input;
}

void net_routers_init(NetRouters *routers, const Network *net, uint32_t channels, uint32_t sources)
{
    const NetGraph *graph = &net->graph;
    uint32_t nics = net->params.nics;
    uint32_t all = graph->links * channels + net->params.nodes * nics * sources;
    *routers = (NetRouters){
        .vertices = graph->vertices,
        .inputs = all,
        .first_input = g_new0(uint32_t, graph->vertices + 1),
        .first_port = g_new0(uint32_t, graph->vertices + 1),
        .input_of = g_new0(uint32_t, all),
        .channel_of = g_new0(uint32_t, all),
        .port_of = g_new0(uint32_t, all),
        .channel_from = g_new0(uint32_t, graph->links + net->params.nodes * nics),
        .place_of = g_new0(uint16_t, all),
    };
    NetEntering entering;
    net_graph_entering_init(&entering, graph);
    uint32_t input = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        routers->first_input[v] = input;
        routers->first_port[v] = routers->ports;
        for (uint32_t i = entering.first[v]; i < entering.first[v + 1]; i++)
            input = add_port(routers, entering.link[i] * channels, channels, input);
        for (uint32_t nic = 0; v < net->params.nodes && nic < nics; nic++)
            input = add_port(routers, graph->links * channels + (v * nics + nic) * sources, sources, input);
    }
    routers->first_input[graph->vertices] = input;
    routers->first_port[graph->vertices] = routers->ports;
    assert(input == all);
    net_graph_entering_clear(&entering);
}

void net_routers_clear(NetRouters *routers)
{
    g_free(routers->first_input);
    g_free(routers->first_port);
    g_free(routers->input_of);
    g_free(routers->channel_of);
    g_free(routers->port_of);
    g_free(routers->channel_from);
    g_free(routers->place_of);
}
