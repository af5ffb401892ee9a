/* nics.c - nodes with several network interfaces.
 *
 * Every NIC takes up one message at a time (time_step.c) and sends its messages in order (the models). If a node is
 * linked to a switch, each NIC has its own links to and from that switch. These are copies of the links that the
 * topology made. They come after the topology's links in the list of the vertex that they leave:
 *
 *   links of a vertex:  the topology's | NICs 1, 2 .. of its first NIC link | NICs 1, 2 .. of its second NIC link | ..
 *
 * So routing functions need not know about NICs. They name the first NIC's link, and net_of_nic() finds the others. If
 * a node is its own router, its NICs share the node's links.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

/* Returns whether the link is between a node's NIC and a switch, in either direction. */
static bool is_nic_link(const Network *net, const NetLink *link)
{
    return net_vertex_is_switch(net, link->from) != net_vertex_is_switch(net, link->to);
}

bool net_nics_add_links(Network *net, GError **error)
{
    NetGraph *graph = &net->graph;
    uint32_t made = graph->links, further = net->params.nics - 1;
    uint64_t copies = 0;
    for (uint32_t i = 0; further && i < made; i++)
        copies += is_nic_link(net, &graph->link[i]) ? further : 0;
    if (!copies)
        return true;
    if (made + copies > NET_MAX_LINKS)
        return net_error_refuse(error, "nics",
                                "a %s of %u nodes with %u NICs each has %" G_GUINT64_FORMAT
                                " links, more than the %" G_GUINT64_FORMAT " that fit",
                                net->topology->name, net->params.nodes, net->params.nics, made + copies, NET_MAX_LINKS);
    graph->capacity = made + (uint32_t)copies;
    graph->link = g_renew(NetLink, graph->link, graph->capacity);
    for (uint32_t i = 0; i < made; i++)
        for (uint32_t nic = 1; is_nic_link(net, &graph->link[i]) && nic <= further; nic++)
            graph->link[graph->links++] = graph->link[i];
    return true;
}

/* Returns how many links of `vertex` belong to NICs, copies included. */
static uint32_t count_nic_links(const Network *net, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t i = net->graph.first_out[vertex]; i < net->graph.first_out[vertex + 1]; i++)
        count += is_nic_link(net, &net->graph.link[i]);
    return count;
}

void net_nics_find_links(Network *net)
{
    NetGraph *graph = &net->graph;
    uint32_t nics = net->params.nics;
    if (nics == 1)
        return;
    graph->second_nic = g_new(uint32_t, MAX(graph->links, 1));
    for (uint32_t vertex = 0; vertex < graph->vertices; vertex++) {
        uint32_t first = graph->first_out[vertex], end = graph->first_out[vertex + 1];
        uint32_t copy = end - count_nic_links(net, vertex) / nics * (nics - 1), made = copy;
        for (uint32_t i = first; i < end; i++) {
            bool has_copies = i < made && is_nic_link(net, &graph->link[i]);
            graph->second_nic[i] = has_copies ? copy : NET_NONE;
            copy += has_copies ? nics - 1 : 0;
        }
    }
}
