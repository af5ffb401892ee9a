/* fifo.c - messages in order of arrival, linked through themselves. */
#include "netsim/core/core.h"
#include "netsim/params/params.h"

void net_fifo_push(Network *net, NetFifo *fifo, uint32_t message)
{
    net_message(net, message)->next = NET_NONE;
    if (fifo->head == NET_NONE)
        fifo->head = message;
    else
        net_message(net, fifo->tail)->next = message;
    fifo->tail = message;
}

uint32_t net_fifo_pop(Network *net, NetFifo *fifo)
{
    uint32_t message = fifo->head;
    assert(message != NET_NONE);
    fifo->head = net_message(net, message)->next;
    return message;
}
