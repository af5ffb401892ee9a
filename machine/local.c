/* local.c - messages between ranks of one node: through shared memory, not through the network.
 *
 * Each ordered pair of ranks has a channel of its own: a message occupies it for bytes/bandwidth and arrives one
 * latency later. Messages of a pair queue up behind each other, so they arrive in the order in which they were handed
 * over. What it leaves out: pairs do not slow each other down (the memory's total bandwidth is not a limit).
 *
 * The channels lie in an open-addressing hash table that is only ever asked for one key.
 */
#include "machine/internal.h"

typedef struct Channel {
    uint64_t pair;    /* from << 32 | to, plus 1; 0: unused slot */
    uint64_t free_ps; /* when its last message is through */
} Channel;

struct MachNodeChannels {
    uint64_t latency_ps, bandwidth;
    Channel *channels;
    size_t count, mask;
};

MachNodeChannels *mach_node_channels_new(const MachConfig *config)
{
    MachNodeChannels *local = g_new0(MachNodeChannels, 1);
    local->latency_ps = config->local_latency_ps;
    local->bandwidth = config->local_bandwidth;
    local->mask = 63;
    local->channels = g_new0(Channel, local->mask + 1);
    return local;
}

void mach_node_channels_free(MachNodeChannels *local)
{
    if (!local)
        return;
    g_free(local->channels);
    g_free(local);
}

static Channel *find_slot(const MachNodeChannels *local, uint64_t pair)
{
    size_t slot = (size_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> 20) & local->mask;
    while (local->channels[slot].pair && local->channels[slot].pair != pair)
        slot = (slot + 1) & local->mask;
    return &local->channels[slot];
}

static void grow(MachNodeChannels *local)
{
    Channel *old = local->channels;
    size_t slots = local->mask + 1;
    local->mask = slots * 2 - 1;
    local->channels = g_new0(Channel, slots * 2);
    for (size_t i = 0; i < slots; i++)
        if (old[i].pair)
            *find_slot(local, old[i].pair) = old[i];
    g_free(old);
}

static Channel *find_channel(MachNodeChannels *local, uint32_t from, uint32_t to)
{
    uint64_t pair = ((uint64_t)from << 32 | to) + 1;
    Channel *channel = find_slot(local, pair);
    if (channel->pair)
        return channel;
    if (local->count * 2 > local->mask) {
        grow(local);
        channel = find_slot(local, pair);
    }
    local->count++;
    channel->pair = pair;
    return channel;
}

void mach_node_channels_send(MachNodeChannels *local, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t *sent_ps, uint64_t *delivered_ps)
{
    Channel *channel = find_channel(local, from, to);
    *sent_ps = MAX(time_ps, channel->free_ps) + net_serialise(bytes, local->bandwidth);
    *delivered_ps = *sent_ps + local->latency_ps;
    channel->free_ps = *sent_ps;
}
