/* loggp.c - the analytic model LogGP: no links, two numbers per NIC. Explicitly ordered.
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
 * The model leaves out everything between the two NICs: distance, and messages that delay each other.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/params/params.h"

/* When each side of a NIC is free again. */
typedef struct LoggpNic {
    uint64_t send_free, receive_free;
} LoggpNic;

/* Returns G for a message of `bytes`. */
static uint64_t gap_per_byte(const NetParams *params, uint64_t bytes)
{
    uint32_t i = params->loggp.n_gaps;
    if (G_LIKELY(!i))
        return params->loggp.gap_per_byte_fs;
    while (params->loggp.gaps[--i].from_bytes > bytes)
        assert(i > 0);
    return params->loggp.gaps[i].gap_per_byte_fs;
}

/* Returns (k - 1) G, rounded up to whole picoseconds. */
static uint64_t streaming_ps(const NetParams *params, uint64_t bytes)
{
    uint64_t further = bytes ? bytes - 1 : 0, gap_fs = gap_per_byte(params, bytes), product;
    if (!gap_fs)
        return net_serialise(further, params->bandwidth);
    if (!__builtin_mul_overflow(further, gap_fs, &product) && product <= NET_MAX_TIME)
        return (product + 999) / 1000;
    unsigned __int128 time = ((unsigned __int128)further * gap_fs + 999) / 1000;
    return time > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)time;
}

static void *start(Network *net)
{
    return g_new0(LoggpNic, (size_t)net->params.nodes * net->params.nics);
}

/* For observers the sending NIC is the only link. */
static void tell_begun(Network *net, uint32_t index, uint64_t first, uint64_t last)
{
    const NetMessage *message = net_message(net, index);
    NetPassage passage = {.packets = message->packets,
                          .link = NET_NO_LINK,
                          .asked_ps = message->ready_ps,
                          .got_ps = first,
                          .reached_ps = first + net->params.loggp.latency_ps,
                          .left_ps = last,
                          .bytes = message->bytes,
                          .busy_ps = last - first};
    net_watch_passed(net, index, net_nic_of(net, message), &passage);
}

static void inject(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    LoggpNic *nic = (LoggpNic *)net->model_state + net_nic_of(net, message);
    uint64_t first = MAX(message->ready_ps, nic->send_free);
    uint64_t last = first + streaming_ps(&net->params, message->bytes);
    nic->send_free = last + net->params.loggp.gap_ps;
    if (G_UNLIKELY(net->watch))
        tell_begun(net, index, first, last);
    if (!message->unreported)
        base_queue_push(net->queue, last, NET_EVENT_SENT, message->from, index, 0);
    base_queue_push(net->queue, first + net->params.loggp.latency_ps, NET_EVENT_HOP, message->to, index, 0);
}

/* The receiving NIC takes the message in. SENT has the lesser kind, so it comes before DELIVERED at equal times. */
static inline void take_in(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    LoggpNic *nic = (LoggpNic *)net->model_state + message->to * net->params.nics + message->nic;
    uint64_t last = MAX(net->now, nic->receive_free) + streaming_ps(&net->params, message->bytes);
    nic->receive_free = last + net->params.loggp.gap_ps;
    if (G_UNLIKELY(net->watch))
        net_watch_arrived(net, index, 0, last);
    base_queue_push(net->queue, last, NET_EVENT_DELIVERED, message->to, index, 0);
}

static bool is_same_arrival(const BaseEvent *a, const BaseEvent *b)
{
    return a->time_ps == b->time_ps && a->kind == b->kind && a->rank == b->rank;
}

/* A message whose first byte has reached its receiver, with the keys of its order among those of the same time. */
typedef struct Arrival {
    uint64_t ready_ps;
    uint32_t from;
    uint64_t sequence;
    uint32_t index;
} Arrival;

static int compare_arrivals(gconstpointer a, gconstpointer b)
{
    const Arrival *x = a, *y = b;
    if (x->ready_ps != y->ready_ps)
        return x->ready_ps < y->ready_ps ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* First bytes have reached the receiving NIC. If those of several messages do so at the same time, they are taken in
 * the order in which their source NICs began with them, then by node number. This is the order in which INJECT events
 * would have come. */
static void arrive(Network *net, const BaseEvent *event)
{
    const BaseEvent *top = base_queue_top(net->queue);
    if (!net->ahead || !top || !is_same_arrival(top, event)) {
        take_in(net, (uint32_t)event->a);
        return;
    }
    g_autoptr(GArray) arrivals = g_array_new(FALSE, FALSE, sizeof(Arrival));
    BaseEvent next = *event;
    for (;;) {
        const NetMessage *message = net_message(net, (uint32_t)next.a);
        Arrival arrival = {message->ready_ps, message->from, next.sequence, (uint32_t)next.a};
        g_array_append_val(arrivals, arrival);
        top = base_queue_top(net->queue);
        if (!top || !is_same_arrival(top, event))
            break;
        base_queue_pop(net->queue, &next);
    }
    g_array_sort(arrivals, compare_arrivals);
    for (guint i = 0; i < arrivals->len; i++)
        take_in(net, g_array_index(arrivals, Arrival, i).index);
}

static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    (void)from;
    (void)to;
    return net->params.startup_ps + net->params.loggp.latency_ps + streaming_ps(&net->params, bytes);
}

const NetModel net_model_loggp = {
    .name = "loggp",
    .any_size = true,
    .in_order = true,
    .observable = true,
    .whole_messages = true,
    .start = start,
    .stop = g_free,
    .inject = inject,
    .inject_ahead = inject,
    .event = arrive,
    .zero_load = zero_load,
};
