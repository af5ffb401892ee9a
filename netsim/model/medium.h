/* medium.h - what models of one shared medium have in common: frames on it (medium.c). */
#ifndef ORRERY_NETSIM_MODEL_MEDIUM_H
#define ORRERY_NETSIM_MODEL_MEDIUM_H

#include "netsim/core/core.h"

/* A frame of a message on the medium, at the taps of its sender, which has waited for it, and its receivers. */
void net_medium_count_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps,
                            uint64_t waited_ps);
/* The message has come to the ends of the medium. */
void net_medium_deliver(Network *net, uint32_t message, uint64_t time_ps);

/* Tells observers of the same frame, which message `message` has asked for at asked_ps. */
void net_medium_tell_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps, uint64_t asked_ps,
                           uint64_t got_ps);
/* The link from a node to the medium. */
uint32_t net_medium_tap(const Network *net, uint32_t node);

#endif
