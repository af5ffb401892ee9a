/* model_loggp.c - the analytic model LogGP: no links, two numbers per node. Explicitly ordered.
 *
 * Alexandrov, Ionescu, Schauser and Scheiman, "LogGP: Incorporating Long Messages into the LogP Model", 1995. The
 * processor overheads o belong to the software above. A message of k bytes:
 *
 *   sending NIC     |- (k-1) G -|-- g --|            the next message may begin after g
 *                   ^first byte  ^last byte: sent
 *   wire                 L
 *   receiving NIC        |- (k-1) G -|-- g --|       the first byte waits while the NIC is busy with another message
 *                                    ^delivered
 *
 * Leaves out everything between the two NICs: distance, and messages that get into each other's way.
 */
#include "netsim/internal.h"

typedef struct LoggpNode {
    uint64_t send_free, receive_free;
} LoggpNode;

/* (k - 1) G, rounded up to whole picoseconds. */
static uint64_t streaming_ps(const NetParams *params, uint64_t bytes)
{
    uint64_t further = bytes ? bytes - 1 : 0;
    if (!params->gap_per_byte_fs)
        return net_serialise(further, params->bandwidth);
    unsigned __int128 time = ((unsigned __int128)further * params->gap_per_byte_fs + 999) / 1000;
    return time > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)time;
}

static void *start(Network *net)
{
    return g_new0(LoggpNode, net->params.nodes);
}

static void inject(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    LoggpNode *node = (LoggpNode *)net->model_state + message->from;
    uint64_t first = MAX(net->now, node->send_free);
    uint64_t last = first + streaming_ps(&net->params, message->bytes);
    node->send_free = last + net->params.gap_ps;
    if (!message->unreported)
        net_queue_push(net->queue, last, NET_EVENT_SENT, message->from, index, 0);
    net_queue_push(net->queue, first + net->params.latency_ps, NET_EVENT_HOP, message->to, index, 0);
}

/* The first byte has reached the receiving NIC. SENT has the lesser kind, so it comes before DELIVERED at equal times.
 */
static void arrive(Network *net, const NetEvent *event)
{
    uint32_t index = (uint32_t)event->a;
    const NetMessage *message = net_message(net, index);
    LoggpNode *node = (LoggpNode *)net->model_state + message->to;
    uint64_t last = MAX(net->now, node->receive_free) + streaming_ps(&net->params, message->bytes);
    node->receive_free = last + net->params.gap_ps;
    net_queue_push(net->queue, last, NET_EVENT_DELIVERED, message->to, index, 0);
}

static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    (void)from;
    (void)to;
    return net->params.startup_ps + net->params.latency_ps + streaming_ps(&net->params, bytes);
}

const NetModel net_model_loggp = {
    .name = "loggp",
    .in_order = true,
    .start = start,
    .stop = g_free,
    .inject = inject,
    .event = arrive,
    .zero_load = zero_load,
};
