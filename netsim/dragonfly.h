/* dragonfly.h - what routing by way of another group needs of a dragonfly. See topology_dragonfly.c. */
#ifndef ORRERY_NETSIM_DRAGONFLY_H
#define ORRERY_NETSIM_DRAGONFLY_H

#include "netsim/internal.h"

/* The minimal route to a node or a router; channel class 1 on local links of its group, else 0. */
NetHop net_dragonfly_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);

#endif
