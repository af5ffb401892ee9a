/* undeliverable.c - the text that says why a message was given up: which message, what was in its way, what would help.
 */
#include "base/units.h"
#include "netsim/core/core.h"
#include "netsim/faults/faults.h"
#include "netsim/faults/transport.h"
#include "netsim/params/params.h"

static void append_cause(const Network *net, const Packet *packet, GString *out)
{
    g_autofree char *time = base_units_format_time(packet->lost_ps);
    if (packet->lost_by == NET_LOST_NO_WAY) {
        g_string_append(out, "the routing finds no way");
    } else if (packet->arrived) {
        g_string_append(out, "it has arrived, but its acknowledgements were lost");
    } else if (packet->lost_link == NET_NONE) {
        g_string_append_printf(out, "it was lost, the last time at %s", time);
    } else {
        const NetLink *link = &net->graph.link[packet->lost_link];
        g_autofree char *from = net_vertex_name(net, link->from), *to = net_vertex_name(net, link->to);
        g_string_append_printf(out, "it was lost, the last time at %s on the link %s->%s", time, from, to);
    }
    if (net->failures && packet->lost_by != NET_LOST_DAMAGED) {
        g_string_append(out, " (");
        net_failures_describe(net->failures, out);
        g_string_append_c(out, ')');
    }
}

static void append_advice(const Network *net, const Packet *packet, GString *out)
{
    bool repair = net->failures && net_failures_will_repair(net->failures);
    if (packet->lost_by != NET_LOST_NO_WAY || repair)
        g_string_append(out, "; a longer retransmission-timeout or a greater retransmission-limit of [network] helps "
                             "where it is only a matter of time");
    else if (!net_damage_connected(net, packet->from, packet->to))
        g_string_append(out, "; no path is left between the two, whatever the routing");
    else
        g_string_append_printf(out,
                               "; a path is left, but %s does not take it: shortest-path and up-down go round what "
                               "has failed",
                               net->params.routing);
}

char *net_transport_undeliverable(const Network *net, const Packet *packet, const NetMessage *message)
{
    GString *out = g_string_new(NULL);
    g_autofree char *from = net_vertex_name(net, packet->from), *to = net_vertex_name(net, packet->to);
    g_autofree char *ready = base_units_format_time(message->ready_ps), *now = base_units_format_time(net->now);
    g_string_append_printf(out, "at %s: a message of %" G_GUINT64_FORMAT " bytes from %s to %s, handed over at %s, ",
                           now, message->bytes, from, to, ready);
    g_string_append(out, "cannot be delivered: ");
    if (message->packets > 1)
        g_string_append_printf(out, "packet %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ": ", packet->number + 1,
                               message->packets);
    append_cause(net, packet, out);
    if (packet->attempt)
        g_string_append_printf(out, "; it was tried again %u time%s", packet->attempt, packet->attempt == 1 ? "" : "s");
    append_advice(net, packet, out);
    return g_string_free(out, FALSE);
}

const char *net_undeliverable(const Network *net)
{
    return net->transport ? net->transport->undeliverable : NULL;
}
