/* medium.h - frames on one shared medium: what the models bus and csma-cd have in common (medium.c). */
#ifndef ORRERY_NETSIM_MODEL_MEDIUM_H
#define ORRERY_NETSIM_MODEL_MEDIUM_H

#include "netsim/core/core.h"

/* Counts a frame of a message at the taps of its sender and its receivers. The sender has waited `waited_ps` for the
 * medium. */
void net_medium_count_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps,
                            uint64_t waited_ps);
/* Announces that the message reaches the ends of the medium at `time_ps`. */
void net_medium_deliver(Network *net, uint32_t message, uint64_t time_ps);

/* Tells observers of a frame of `message`, which asked for the medium at asked_ps and got it at got_ps. */
void net_medium_tell_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps, uint64_t asked_ps,
                           uint64_t got_ps);
/* Returns the link from a node to the medium. */
uint32_t net_medium_tap(const Network *net, uint32_t node);

#endif
