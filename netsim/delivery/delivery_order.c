/* delivery_order.c - hands messages over in the order in which they were sent.
 *
 * The messages under way from a NIC to a node form a chain, oldest first. A table finds the newest one of such a pair,
 * and the next message is added to it. From the oldest on, complete messages are announced. The table uses open
 * addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4, algorithms L and R). It is looked up,
 * never iterated. In small networks an array has a place for every pair instead.
 */
#include "netsim/delivery/delivery.h"

#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/params/params.h"

#include <string.h>

enum { FIRST_PLACES = 64, MOST_PAIRS = 1 << 16 /* of a NIC and a node, for a place each */ };

/* A slot of the table: a pair of NIC and node with messages under way. */
typedef struct Pair {
    uint32_t from, to; /* `from` is a NIC, `to` a node */
    uint32_t newest;   /* a message; NET_NONE: the slot is free */
} Pair;

typedef struct Neighbours {
    uint32_t older, newer; /* neighbours in the chain of its pair */
} Neighbours;

struct NetOrder {
    uint32_t *newest; /* small networks: newest[from * nodes + to] instead of the table; NET_NONE: none is under way */
    Pair *pairs;
    uint32_t mask, used; /* number of slots - 1; slots in use */
    Neighbours *chain;   /* indexed by message */
    uint32_t capacity;
};

static Pair *new_places(uint32_t places)
{
    Pair *pairs = g_new(Pair, places);
    for (uint32_t i = 0; i < places; i++)
        pairs[i].newest = NET_NONE;
    return pairs;
}

NetOrder *net_order_new(void)
{
    NetOrder *order = g_new0(NetOrder, 1);
    order->mask = FIRST_PLACES - 1;
    order->pairs = new_places(FIRST_PLACES);
    return order;
}

void net_order_free(NetOrder *order)
{
    g_free(order->newest);
    g_free(order->pairs);
    g_free(order->chain);
    g_free(order);
}

static uint32_t home_of(const NetOrder *order, uint32_t from, uint32_t to)
{
    uint64_t mixed = ((uint64_t)from << 32 | to) * UINT64_C(0x9e3779b97f4a7c15); /* Fibonacci hashing (Knuth 6.4) */
    return (uint32_t)(mixed >> 32) & order->mask;
}

/* Returns the slot of the pair, or the free slot where it would be. */
static uint32_t place_of(const NetOrder *order, uint32_t from, uint32_t to)
{
    uint32_t i = home_of(order, from, to);
    while (order->pairs[i].newest != NET_NONE && (order->pairs[i].from != from || order->pairs[i].to != to))
        i = (i + 1) & order->mask;
    return i;
}

static void grow(NetOrder *order)
{
    Pair *old = order->pairs;
    uint32_t places = order->mask + 1;
    order->mask = 2 * places - 1;
    order->pairs = new_places(2 * places);
    for (uint32_t i = 0; i < places; i++)
        if (old[i].newest != NET_NONE)
            order->pairs[place_of(order, old[i].from, old[i].to)] = old[i];
    g_free(old);
}

/* Frees a slot, and moves those entries behind it that probing would no longer find. */
static void remove_place(NetOrder *order, uint32_t hole)
{
    order->used--;
    for (uint32_t i = (hole + 1) & order->mask; order->pairs[i].newest != NET_NONE; i = (i + 1) & order->mask) {
        uint32_t home = home_of(order, order->pairs[i].from, order->pairs[i].to);
        if (((i - home) & order->mask) < ((i - hole) & order->mask))
            continue;
        order->pairs[hole] = order->pairs[i];
        hole = i;
    }
    order->pairs[hole].newest = NET_NONE;
}

static Neighbours *neighbours(NetOrder *order, uint32_t message)
{
    if (message >= order->capacity) {
        order->capacity = MAX(message + 1, order->capacity * 2);
        order->chain = g_renew(Neighbours, order->chain, order->capacity);
    }
    return &order->chain[message];
}

/* Returns whether a message is delivered regardless of order: a packet of a reliable NIC, which keeps the order itself,
 * or background traffic, which has none. */
static bool is_alone(const Network *net, uint32_t message)
{
    return net_message(net, message)->is_packet || net_message(net, message)->background;
}

/* Makes the newest message of a pair `message`. Returns the newest until now, or NET_NONE. */
static uint32_t add_newest(NetOrder *order, uint32_t from, uint32_t to, uint32_t message)
{
    if (order->used > order->mask / 2)
        grow(order);
    Pair *pair = &order->pairs[place_of(order, from, to)];
    uint32_t newest = pair->newest;
    order->used += newest == NET_NONE;
    *pair = (Pair){.from = from, .to = to, .newest = message};
    return newest;
}

static void make_newest(NetOrder *order, const Network *net)
{
    size_t pairs = (size_t)net->params.nodes * net->params.nodes * net->params.nics;
    order->newest = g_new(uint32_t, pairs);
    memset(order->newest, 0xff, pairs * sizeof *order->newest);
}

static inline bool is_small(const Network *net)
{
    uint64_t nodes = net->params.nodes;
    return nodes * nodes * net->params.nics <= MOST_PAIRS;
}

void net_order_begin(NetOrder *order, Network *net, uint32_t message)
{
    const NetMessage *what = net_message(net, message);
    uint32_t from = net_nic_of(net, what);
    uint32_t before;
    if (is_alone(net, message))
        return;
    if (G_UNLIKELY(!order->newest && is_small(net)))
        make_newest(order, net);
    if (order->newest) {
        uint32_t *newest = &order->newest[from * net->params.nodes + what->to];
        before = *newest;
        *newest = message;
    } else {
        before = add_newest(order, from, what->to, message);
    }
    *neighbours(order, message) = (Neighbours){.older = before, .newer = NET_NONE};
    if (before != NET_NONE)
        neighbours(order, before)->newer = message;
}

static bool is_complete(const Network *net, uint32_t message)
{
    return net_message(net, message)->delivered == net_message(net, message)->packets;
}

void net_order_announce(Network *net, uint32_t message)
{
    const NetMessage *what = net_message(net, message);
    if (!net->client.fast.drives || net->watch || what->is_packet || what->background) {
        base_queue_push(net->queue, net->now, NET_EVENT_DELIVERED, what->to, message, 0);
        return;
    }
    uint64_t cookie = what->cookie;
    net_message_free(net, message);
    if (net->client.delivered)
        net->client.delivered(net->client.user, cookie, net->now);
}

void net_order_arrived(NetOrder *order, Network *net, uint32_t message)
{
    assert(is_complete(net, message));
    if (is_alone(net, message)) {
        net_order_announce(net, message);
        return;
    }
    if (neighbours(order, message)->older != NET_NONE)
        return;
    uint32_t from = net_nic_of(net, net_message(net, message)), to = net_message(net, message)->to;
    uint32_t oldest = message;
    while (oldest != NET_NONE && is_complete(net, oldest)) {
        uint32_t newer = neighbours(order, oldest)->newer;
        net_order_announce(net, oldest);
        oldest = newer;
    }
    if (oldest != NET_NONE)
        neighbours(order, oldest)->older = NET_NONE;
    else if (order->newest)
        order->newest[from * net->params.nodes + to] = NET_NONE;
    else
        remove_place(order, place_of(order, from, to));
}

bool net_in_order(const Network *net)
{
    return net->model->in_order && !net->transport;
}
