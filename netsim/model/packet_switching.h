/* packet_switching.h - whole packets hop by hop: what store-and-forward and cut-through share (packet_switching.c). */
#ifndef ORRERY_NETSIM_MODEL_PACKET_SWITCHING_H
#define ORRERY_NETSIM_MODEL_PACKET_SWITCHING_H

#include "netsim/core/core.h"

typedef struct NetPacketSwitching NetPacketSwitching;
void *net_packet_switching_new(Network *net, bool cut_through);
void net_packet_switching_free(void *state);
void net_packet_switching_inject(Network *net, uint32_t message);
void net_packet_switching_event(Network *net, const BaseEvent *event);
uint64_t net_packet_switching_load(const Network *net, uint32_t link);
void net_packet_switching_fail(Network *net, uint32_t link);

#endif
