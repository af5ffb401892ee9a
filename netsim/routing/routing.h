/* routing.h - how the path of a message is found. Each routing is one constant struct of functions (NetRouting) in a
 * file of its own, with a row in routings.def. Also declared here: the analysis of which channels packets may wait for.
 */
#ifndef ORRERY_NETSIM_ROUTING_H
#define ORRERY_NETSIM_ROUTING_H

#include "netsim/core/core.h"

const NetRouting *net_routing_lookup(const char *name, GError **error);

/* Returns a cycle of channels in which packets can wait for each other, as text that the caller frees with g_free(), or
 * NULL if none was found. The search takes at most `work` steps. `complete` is set to false if that was not enough to
 * look at everything. `whole_links`: treat all classes of a link as one channel. */
char *net_dependency_circle(const Network *net, uint64_t work, bool whole_links, bool *complete);

/* Sets the range of vertices that a packet may go by way of, under routings that use a vertex in between: first .. end
 * - 1 (two_phase.c). */
void net_two_phase_range(const Network *net, uint32_t *first, uint32_t *end);

#endif
