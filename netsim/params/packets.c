/* packets.c - the packets into which a message is cut. */
#include "netsim/params/params.h"

#include <assert.h>

uint64_t net_packet_count(const NetParams *params, uint64_t bytes)
{
    return bytes <= params->packet_bytes ? 1 : (bytes - 1) / params->packet_bytes + 1;
}

uint64_t net_packet_bytes(const NetParams *params, uint64_t bytes, uint64_t index)
{
    uint64_t before = index * params->packet_bytes;
    assert(before <= bytes);
    return MIN(bytes - before, params->packet_bytes) + params->header_bytes;
}
