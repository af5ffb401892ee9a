/* groups.c - messages for several nodes, on networks that can carry one message to all of them (NetModel.broadcast).
 *
 * A multicast is one NetMessage with a NetGroup beside it. The group holds its nodes, the cookies that each of them is
 * told, and what has arrived there. The message is handed over node by node, as its model says (net_group_deliver()),
 * and ends when it has reached the last node.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"

static void group_free(gpointer data)
{
    NetGroup *group = data;
    g_free(group->to);
    g_free(group->arrived);
    g_free(group->first);
    g_free(group->cookie);
    g_free(group->missing);
    g_free(group);
}

static NetGroup *group_new(const uint32_t *to, const uint64_t *cookies, uint32_t n)
{
    NetGroup *group = g_new0(NetGroup, 1);
    group->to = g_new(uint32_t, n);
    group->first = g_new(uint32_t, (size_t)n + 1);
    group->arrived = g_new0(uint64_t, n);
    group->cookie = g_memdup2(cookies, n * sizeof *cookies);
    for (uint32_t i = 0; i < n; i++) {
        assert(i == 0 || to[i - 1] <= to[i]);
        if (i && to[i] == to[i - 1])
            continue;
        group->first[group->nodes] = i;
        group->to[group->nodes++] = to[i];
    }
    group->first[group->nodes] = n;
    group->undelivered = group->nodes;
    return group;
}

void net_group_make(Network *net, uint32_t message, const uint32_t *to, const uint64_t *cookies, uint32_t n)
{
    net_message(net, message)->group = true;
    if (!net->groups)
        net->groups = g_hash_table_new_full(NULL, NULL, NULL, group_free);
    g_hash_table_insert(net->groups, GUINT_TO_POINTER(message), group_new(to, cookies, n));
}

/* Observers are told of a packet when it has reached all nodes. */
void net_group_watch(Network *net, uint32_t message, uint64_t time_ps)
{
    NetGroup *group = net_group(net, message);
    uint64_t packets = net_message(net, message)->packets;
    group->missing = g_new(uint32_t, packets);
    for (uint64_t i = 0; i < packets; i++)
        group->missing[i] = group->nodes;
    net_watch_accepted(net, message, time_ps);
}

void net_group_arrived(Network *net, uint32_t message, uint64_t number)
{
    NetGroup *group = net_group(net, message);
    if (--group->missing[number] == 0)
        net_watch_arrived(net, message, number, net->now);
}

NetGroup *net_group(const Network *net, uint32_t message)
{
    assert(net_message(net, message)->group);
    return g_hash_table_lookup(net->groups, GUINT_TO_POINTER(message));
}

void net_group_deliver(Network *net, uint32_t message, uint32_t index, uint64_t time_ps)
{
    base_queue_push(net->queue, time_ps, NET_EVENT_DELIVERED, net_group(net, message)->to[index], message, index);
}

/* Clients may send from here, so messages and groups may be made during the loop. */
void net_group_hand_over(Network *net, uint32_t message, uint32_t index)
{
    NetGroup *group = net_group(net, message);
    for (uint32_t i = group->first[index]; net->client.delivered && i < group->first[index + 1]; i++)
        net->client.delivered(net->client.user, group->cookie[i], net->now);
    if (--group->undelivered)
        return;
    if (G_UNLIKELY(net->watch))
        net_watch_delivered(net, message);
    g_hash_table_remove(net->groups, GUINT_TO_POINTER(message));
    net_message_free(net, message);
}
