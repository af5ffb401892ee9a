/* wormhole_deadlock.c - explains why nothing moves: the circle of channels and the packets in them.
 *
 * When the network has no event left but packets under way, every buffer that holds flits is blocked by another:
 * its front packet owns a channel whose buffer is full, or waits for channels that are all owned or full. Following
 * that from any blocked buffer must come back to one seen before, as there are finitely many; that part is the circle.
 */
#include "netsim/wormhole.h"

static void append_channel(GString *text, const Network *net, const NetWormhole *rules, uint32_t channel)
{
    if (channel >= rules->link_channels) {
        g_string_append_printf(text, "the NIC of node %u", channel - rules->link_channels);
        return;
    }
    const NetLink *link = net_link(net, channel / rules->virtual_channels);
    g_autofree char *from = net_vertex_name(net, link->from);
    g_autofree char *to = net_vertex_name(net, link->to);
    g_string_append_printf(text, "%s -> %s (virtual channel %u)", from, to, channel % rules->virtual_channels);
}

static void append_packet(GString *text, const Network *net, const NetPackets *packets, uint32_t packet)
{
    const NetMessage *message = net_message(net, packets->packet[packet].message);
    g_autofree char *from = net_vertex_name(net, message->from);
    g_autofree char *to = net_vertex_name(net, message->to);
    g_string_append_printf(text, "packet %s -> %s", from, to);
}

static void append_step(GString *text, const Network *net, const NetWormhole *rules, const NetPackets *packets,
                        uint32_t channel, const NetBlocked *blocked)
{
    g_string_append(text, "  ");
    append_packet(text, net, packets, blocked->packet);
    g_string_append(text, " stands in ");
    append_channel(text, net, rules, channel);
    g_string_append(text, blocked->owns ? " and holds, but cannot enter, " : " and waits for ");
    append_channel(text, net, rules, blocked->channel);
    g_string_append_c(text, '\n');
}

uint32_t net_wormhole_first_wanted(const Network *net, const NetWormhole *rules, const NetPacket *packet,
                                   uint32_t channel, uint32_t vertex)
{
    NetQuery query = net_wormhole_query(rules, packet, channel, vertex);
    NetHop hop = net_next_hop(net, &query);
    return hop.link * rules->virtual_channels +
           (uint32_t)__builtin_ctzll(net_wormhole_share(rules, packet, hop.channel_class));
}

/* A channel on the circle, or NET_NONE where nothing is blocked. */
static uint32_t find_circle(const Network *net, const NetWormhole *rules, NetBlockedFunction *blocked)
{
    NetBlocked wait;
    uint32_t channel = 0;
    while (channel < rules->channels && !blocked(net, channel, &wait))
        channel++;
    if (channel == rules->channels)
        return NET_NONE;
    for (uint32_t step = 0; step < rules->channels; step++) { /* after so many steps we are on the circle */
        if (!blocked(net, channel, &wait))
            return NET_NONE;
        channel = wait.channel;
    }
    return channel;
}

char *net_wormhole_explain(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                           NetBlockedFunction *blocked)
{
    if (packets->alive == 0)
        return NULL;
    uint32_t start = find_circle(net, rules, blocked);
    assert(start != NET_NONE);
    GString *steps = g_string_new(NULL);
    uint32_t length = 0;
    uint32_t channel = start;
    do {
        NetBlocked wait = {0};
        bool stands = blocked(net, channel, &wait);
        assert(stands);
        (void)stands;
        append_step(steps, net, rules, packets, channel, &wait);
        channel = wait.channel;
        length++;
    } while (channel != start);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
                           "network deadlock: %u packets under way, and %u channels wait for each other in a circle:\n",
                           packets->alive, length);
    g_string_append(text, steps->str);
    g_string_append_printf(text, "  (%s routing on this %s does not prevent it; %s does)\n", net->routing->name,
                           net->topology->name, net->topology->next ? "dimension-order" : "up-down");
    g_string_free(steps, TRUE);
    return g_string_free(text, FALSE);
}
