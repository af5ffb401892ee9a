/* routing.h - how the path of a message is found: each routing is one constant struct of functions (NetRouting), in a
 * file of its own, that routings.def has a row for; and what packets may wait for in each other's way.
 */
#ifndef ORRERY_NETSIM_ROUTING_H
#define ORRERY_NETSIM_ROUTING_H

#include "netsim/core/core.h"

const NetRouting *net_routing_lookup(const char *name, GError **error);

/* A circle of channels that packets can wait for each other in, as text to be freed, or NULL: none. `work`: how many
 * steps it may take; what lies beyond is not looked at, and it is not `complete` then.
 * `whole_links`: the classes of a link are one channel. */
char *net_dependency_circle(const Network *net, uint64_t work, bool whole_links, bool *complete);

/* The vertices that a packet may go by way of, under routings that take ways round: first .. end - 1 (two_phase.c). */
void net_two_phase_range(const Network *net, uint32_t *first, uint32_t *end);

#endif
