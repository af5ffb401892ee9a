/* shortest_path.h - the part of shortest-path that the routing `table` uses where its file says nothing. */
#ifndef ORRERY_NETSIM_ROUTING_SHORTEST_PATH_H
#define ORRERY_NETSIM_ROUTING_SHORTEST_PATH_H

#include "netsim/core/core.h"
#include "netsim/graph/graph.h"

extern const NetRouting net_routing_shortest_path;
/* `state` was made by shortest-path's start(). Returns the link NET_NONE if failures have left no way. */
NetHop net_shortest_path_next(void *state, const NetQuery *query);
/* Says that links have failed or work again. */
void net_shortest_path_changed(void *state);

#endif
