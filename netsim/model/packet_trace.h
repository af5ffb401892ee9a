/* packet_trace.h - which links packets are on, or in line for, in networks whose links can fail; for
 * packet_switching.c. */
#ifndef ORRERY_NETSIM_PACKET_TRACE_H
#define ORRERY_NETSIM_PACKET_TRACE_H

#include "netsim/core/core.h"

typedef struct NetTraces NetTraces;

typedef struct NetCrossing { /* a packet's use of a link */
    uint32_t link;
    uint64_t wire_bytes;
    uint64_t begin_ps, duration_ps; /* when its sending begins, and how long it takes */
    uint64_t end_ps;                /* when the last bit is at the other end */
} NetCrossing;

NetTraces *net_traces_new(void);
void net_traces_free(NetTraces *traces);
void net_traces_add(NetTraces *traces, uint32_t packet, const NetCrossing *crossing);
/* A link fails now. Packets that have not crossed it completely are lost, and what they would have sent is not counted.
 */
void net_traces_fail(Network *net, NetTraces *traces, uint32_t link);
/* Returns whether the packet has been lost, and sets the link on which it was. */
bool net_traces_lost(const NetTraces *traces, uint32_t packet, uint32_t *link);
/* Forgets a packet that is no longer in the network. */
void net_traces_clear(NetTraces *traces, uint32_t packet);

#endif
