/* dragonfly.h - the shape of a dragonfly, for its routings. See topology_dragonfly.c. */
#ifndef ORRERY_NETSIM_DRAGONFLY_H
#define ORRERY_NETSIM_DRAGONFLY_H

#include "netsim/internal.h"

typedef struct NetDragonfly {
    uint32_t p, a, h, g; /* nodes per router, routers per group, global channels per router, groups */
    uint32_t bundles;    /* global channels between two groups */
    uint32_t nodes;
} NetDragonfly;

NetDragonfly net_dragonfly(const NetParams *params);
/* The router of group `from` at which a global channel to group `to` begins. */
uint32_t net_dragonfly_gateway(const NetDragonfly *shape, uint32_t from, uint32_t to, uint32_t bundle);
/* The minimal route to a node or a router; channel class 1 on local links of its group, else 0. */
NetHop net_dragonfly_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);

#endif
