/* two_phase.h - routes by way of a vertex in between: what valiant and ugal share. */
#ifndef ORRERY_NETSIM_TWO_PHASE_H
#define ORRERY_NETSIM_TWO_PHASE_H

#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/routing/routing.h"

uint32_t net_two_phase_classes(const Network *net);
NetHop net_two_phase_next(const Network *net, const NetQuery *query);
/* Sets the range of vertices that may be in between: first .. end - 1. */
void net_two_phase_range(const Network *net, uint32_t *first, uint32_t *end);
/* Draws a vertex in between from `number`. Returns NET_NONE if it draws the source or the destination. */
uint32_t net_two_phase_draw(const Network *net, uint32_t from, uint32_t to, uint64_t number);

#endif
