/* deadlock.c - what a network reports about its deadlocks. */
#include "netsim/core/core.h"

const char *net_deadlock(const Network *net)
{
    Network *owner = (Network *)net; /* the network owns the text; otherwise it is only read */
    if (net->model->deadlock && base_queue_size(net->queue) == 0) { /* asked again each time, as it may go on */
        g_free(net->first_deadlock);
        owner->first_deadlock = net->model->deadlock(net);
        owner->is_deadlocked = net->first_deadlock;
    }
    return net->is_deadlocked ? net->first_deadlock : NULL;
}

uint64_t net_deadlocks_resolved(const Network *net)
{
    return net->is_deadlocked ? 0 : net->deadlocks;
}

const char *net_first_deadlock(const Network *net)
{
    (void)net_deadlock(net); /* this may find the first one */
    return net->first_deadlock;
}
