/* delivery_order.h - handing messages over in the order in which they were sent, for models in which they can overtake.
 */
#ifndef ORRERY_NETSIM_ORDER_H
#define ORRERY_NETSIM_ORDER_H

#include "netsim/core/core.h"

typedef struct NetOrder NetOrder;
NetOrder *net_order_new(void);
void net_order_free(NetOrder *order);
/* The message has been given to its NIC; all of it has arrived. The second announces DELIVERED at net->now for it and
 * those that waited for it, unless it has to wait itself. */
void net_order_begin(NetOrder *order, Network *net, uint32_t message);
void net_order_arrived(NetOrder *order, Network *net, uint32_t message);

#endif
