/* channels.c - messages between ranks of one node, which go through shared memory and not through the network.
 *
 * Each ordered pair of ranks has a channel of its own. A message occupies it for bytes/bandwidth and arrives one
 * latency later. Messages of a pair queue up behind each other, so they arrive in the order in which they were sent.
 * Pairs slow each other down where the node's memory has a limit (contention.c).
 *
 * The channels are in an open-addressing hash table. It is never iterated, so its order cannot show.
 */
#include "machine/node/node.h"

typedef struct Channel {
    uint64_t pair;    /* from << 32 | to, plus 1; 0: unused slot */
    uint64_t free_ps; /* time at which its last message is through */
} Channel;

struct MachNodeChannels {
    uint64_t latency_ps, bandwidth;
    Channel *channels;
    size_t count, mask;
};

MachNodeChannels *mach_node_channels_new(const MachConfig *config)
{
    MachNodeChannels *channels = g_new0(MachNodeChannels, 1);
    channels->latency_ps = config->local_latency_ps;
    channels->bandwidth = config->local_bandwidth;
    channels->mask = 63;
    channels->channels = g_new0(Channel, channels->mask + 1);
    return channels;
}

void mach_node_channels_free(MachNodeChannels *channels)
{
    if (!channels)
        return;
    g_free(channels->channels);
    g_free(channels);
}

static Channel *find_slot(const MachNodeChannels *channels, uint64_t pair)
{
    size_t slot = (size_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> 20) & channels->mask;
    while (channels->channels[slot].pair && channels->channels[slot].pair != pair)
        slot = (slot + 1) & channels->mask;
    return &channels->channels[slot];
}

static void grow(MachNodeChannels *channels)
{
    Channel *old = channels->channels;
    size_t slots = channels->mask + 1;
    channels->mask = slots * 2 - 1;
    channels->channels = g_new0(Channel, slots * 2);
    for (size_t i = 0; i < slots; i++)
        if (old[i].pair)
            *find_slot(channels, old[i].pair) = old[i];
    g_free(old);
}

static Channel *find_channel(MachNodeChannels *channels, uint32_t from, uint32_t to)
{
    uint64_t pair = ((uint64_t)from << 32 | to) + 1;
    Channel *channel = find_slot(channels, pair);
    if (channel->pair)
        return channel;
    if (channels->count * 2 > channels->mask) {
        grow(channels);
        channel = find_slot(channels, pair);
    }
    channels->count++;
    channel->pair = pair;
    return channel;
}

void mach_node_channels_send(MachNodeChannels *channels, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t not_before_ps, uint64_t *sent_ps, uint64_t *delivered_ps)
{
    Channel *channel = find_channel(channels, from, to);
    uint64_t through_ps = MAX(time_ps, channel->free_ps) + net_serialise(bytes, channels->bandwidth);
    *sent_ps = MAX(through_ps, not_before_ps);
    *delivered_ps = *sent_ps + channels->latency_ps;
    channel->free_ps = *sent_ps;
}
