/* shortest_path.h - what routing by a table asks of shortest paths where the table says nothing. */
#ifndef ORRERY_NETSIM_ROUTING_SHORTEST_PATH_H
#define ORRERY_NETSIM_ROUTING_SHORTEST_PATH_H

#include "netsim/core/core.h"
#include "netsim/graph/graph.h"

extern const NetRouting net_routing_shortest_path;
/* With the state that shortest-path's start() made. Link NET_NONE: there is no way, since something has failed. */
NetHop net_shortest_path_next(void *state, const NetQuery *query);
/* Links have failed, or work again. */
void net_shortest_path_changed(void *state);

#endif
