/* medium.c - frames on one shared medium: the vertex `nodes` in the middle, with a tap to and from every node. */
#include "netsim/model/medium.h"

#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/graph/graph.h"

uint32_t net_medium_tap(const Network *net, uint32_t node)
{
    return net_graph_find(&net->graph, node, net->params.nodes);
}

static NetLink *count_tap(Network *net, uint32_t tap, uint64_t wire_bytes, uint64_t duration_ps)
{
    NetLink *link = &net->graph.link[tap];
    link->bytes += wire_bytes;
    link->packets++;
    link->busy_ps += duration_ps;
    return link;
}

void net_medium_count_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps,
                            uint64_t waited_ps)
{
    const NetMessage *what = net_message(net, message);
    const NetGroup *group = what->group ? net_group(net, message) : NULL;
    uint32_t out = net_medium_tap(net, what->from);
    uint32_t first = net->graph.first_out[net->params.nodes];
    count_tap(net, out, wire_bytes, duration_ps)->blocked_ps += waited_ps;
    for (uint32_t i = 0; i < (group ? group->nodes : 1); i++)
        count_tap(net, first + (group ? group->to[i] : what->to), wire_bytes, duration_ps);
}

void net_medium_deliver(Network *net, uint32_t message, uint64_t time_ps)
{
    const NetMessage *what = net_message(net, message);
    if (!what->group)
        base_queue_push(net->queue, time_ps, NET_EVENT_DELIVERED, what->to, message, 0);
    for (uint32_t i = 0; what->group && i < net_group(net, message)->nodes; i++)
        net_group_deliver(net, message, i, time_ps);
}

/* The frame is on both taps at once. It has arrived when the receiver has heard its end. */
void net_medium_tell_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps, uint64_t asked_ps,
                           uint64_t got_ps)
{
    const NetMessage *what = net_message(net, message);
    uint64_t heard_ps = got_ps + net->params.link_latency_ps, number = what->injected - 1;
    NetPassage passage = {.packet = number,
                          .link = net_medium_tap(net, what->from),
                          .asked_ps = asked_ps,
                          .got_ps = got_ps,
                          .reached_ps = got_ps,
                          .left_ps = got_ps + duration_ps,
                          .bytes = wire_bytes,
                          .busy_ps = duration_ps};
    net_watch_passed(net, message, 0, &passage);
    passage.hop = 1;
    passage.asked_ps = got_ps;
    passage.reached_ps = heard_ps;
    const NetGroup *group = what->group ? net_group(net, message) : NULL;
    for (uint32_t i = 0; i < (group ? group->nodes : 1); i++) {
        passage.link = net->graph.first_out[net->params.nodes] + (group ? group->to[i] : what->to);
        net_watch_passed(net, message, 0, &passage);
    }
    net_watch_arrived(net, message, number, heard_ps + duration_ps);
}
