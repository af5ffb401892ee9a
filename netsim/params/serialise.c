/* serialise.c - how long bytes take to pass at a bandwidth. */
#include "netsim/params/params.h"

#include <assert.h>

uint64_t net_serialise(uint64_t bytes, uint64_t bandwidth)
{
    assert(bandwidth > 0);
    if (bytes <= UINT64_MAX / NET_PS_PER_S - 1) { /* 64 bits are enough */
        uint64_t product = bytes * NET_PS_PER_S;
        uint64_t time = product / bandwidth + (product % bandwidth != 0);
        return MIN(time, NET_MAX_TIME);
    }
    unsigned __int128 time = ((unsigned __int128)bytes * NET_PS_PER_S + bandwidth - 1) / bandwidth;
    return time > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)time;
}
