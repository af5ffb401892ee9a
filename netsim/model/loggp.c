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

enum { FEW_AHEAD = 64 }; /* messages that a NIC may have before it when another one gets its place ahead */

/* When each side of a NIC is free again. */
typedef struct LoggpNic {
    uint64_t send_free, receive_free;
    uint32_t newest; /* the last message that was given its place among those for this NIC (take_in_ahead()) */
} LoggpNic;

typedef struct Loggp {
    LoggpNic *nic;
    uint64_t few_ps;   /* how long a NIC takes for few messages */
    bool knows_places; /* messages get their places before they arrive, unless somebody watches */
} Loggp;

static inline Loggp *loggp_of(const Network *net)
{
    return net->model_state;
}

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
    Loggp *loggp = g_new0(Loggp, 1);
    loggp->nic = g_new0(LoggpNic, (size_t)net->params.nodes * net->params.nics);
    loggp->few_ps = FEW_AHEAD * net->params.loggp.gap_ps;
    loggp->knows_places = net->ahead && net->client.fast.settles && net->params.nics == 1 && net->params.loggp.gap_ps;
    return loggp;
}

static void stop(void *state)
{
    Loggp *loggp = state;
    g_free(loggp->nic);
    g_free(loggp);
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

/* -- arrivals that are known before they happen ------------------------------------------------- */

/* Most messages need no event for their arrival: they get their place among those for their receiver when they are
 * injected. Now and then a message comes first that is injected later. It then goes before the others, which are
 * postponed. So that those are few, a message gets its place that early only if it does not arrive much later, and if
 * the NIC is not busy far beyond that. All others get theirs by an event when they arrive.
 *
 * Taking a message in takes time here, or it gets no place ahead. So a message that has a place, and that arrives at
 * the same time as a new one or later, has not been delivered yet. */
static inline bool knows_places(const Network *net)
{
    return loggp_of(net)->knows_places && !net->watch;
}

static uint64_t due(const Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    return MAX(message->arrives_ps, message->free_ps) + streaming_ps(&net->params, message->bytes);
}

/* Gives the message its place behind the newest one. Returns when it is delivered. */
static inline uint64_t take_next(Network *net, LoggpNic *nic, uint32_t index, uint64_t takes_ps)
{
    NetMessage *message = net_message(net, index);
    message->free_ps = nic->receive_free;
    message->next = nic->newest;
    uint64_t last = MAX(message->arrives_ps, nic->receive_free) + takes_ps;
    nic->receive_free = last + net->params.loggp.gap_ps;
    nic->newest = index;
    return last;
}

/* Whether the newest message for this NIC comes after `message`, in the order of compare_arrivals(). */
static inline bool goes_before_newest(const Network *net, const LoggpNic *nic, const NetMessage *message)
{
    if (nic->receive_free <= net->now + net->params.loggp.gap_ps) /* all have been delivered */
        return false;
    const NetMessage *newest = net_message(net, nic->newest);
    if (newest->arrives_ps != message->arrives_ps)
        return newest->arrives_ps > message->arrives_ps;
    return newest->ready_ps != message->ready_ps ? newest->ready_ps > message->ready_ps : newest->from > message->from;
}

/* Gives the message its place before others. */
static G_GNUC_NO_INLINE uint64_t take_before(Network *net, LoggpNic *nic, uint32_t index, uint64_t takes_ps)
{
    uint32_t later = NET_NONE; /* the messages behind it, in order, linked by `next` */
    do {
        uint32_t newest = nic->newest;
        NetMessage *message = net_message(net, newest);
        nic->newest = message->next;
        nic->receive_free = message->free_ps;
        message->next = later;
        later = newest;
    } while (goes_before_newest(net, nic, net_message(net, index)));
    uint64_t last = take_next(net, nic, index, takes_ps);
    while (later != NET_NONE) {
        NetMessage *message = net_message(net, later);
        uint32_t next = message->next;
        uint64_t before_ps = due(net, later);
        if (take_next(net, nic, later, streaming_ps(&net->params, message->bytes)) != before_ps)
            message->postponed = true;
        later = next;
    }
    return last;
}

/* Gives the message its place among those that have one. Returns when it is delivered. */
static inline uint64_t take_in_order(Network *net, LoggpNic *nic, uint32_t index, uint64_t takes_ps)
{
    return G_UNLIKELY(goes_before_newest(net, nic, net_message(net, index))) ? take_before(net, nic, index, takes_ps)
                                                                             : take_next(net, nic, index, takes_ps);
}

/* Gives the message a place before it arrives, and announces its delivery. Returns false if it must arrive first. */
static inline bool take_in_ahead(Network *net, uint32_t index, uint64_t arrives_ps, uint64_t takes_ps)
{
    NetMessage *message = net_message(net, index);
    const Loggp *loggp = loggp_of(net);
    LoggpNic *nic = &loggp->nic[message->to];
    if (!knows_places(net) || !takes_ps || nic->receive_free > arrives_ps + loggp->few_ps ||
        arrives_ps > net->now + 2 * net->params.loggp.latency_ps + loggp->few_ps)
        return false;
    message->arrives_ps = arrives_ps;
    base_queue_push(net->queue, take_in_order(net, nic, index, takes_ps), NET_EVENT_DELIVERED, message->to, index, 0);
    return true;
}

/* -- arrivals that are events -------------------------------------------------------------------- */

/* The receiving NIC takes the message in. SENT has the lesser kind, so it comes before DELIVERED at equal times. */
static inline void take_in(Network *net, uint32_t index)
{
    NetMessage *message = net_message(net, index);
    LoggpNic *nic = &loggp_of(net)->nic[message->to * net->params.nics + message->nic];
    uint64_t takes_ps = streaming_ps(&net->params, message->bytes);
    message->arrives_ps = net->now;
    uint64_t last = (knows_places(net) ? take_in_order : take_next)(net, nic, index, takes_ps);
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

/* -- messages --------------------------------------------------------------------------------------- */

static void inject(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    LoggpNic *nic = &loggp_of(net)->nic[net_nic_of(net, message)];
    uint64_t takes_ps = streaming_ps(&net->params, message->bytes);
    uint64_t first = MAX(message->ready_ps, nic->send_free), last = first + takes_ps;
    uint64_t arrives_ps = first + net->params.loggp.latency_ps;
    nic->send_free = last + net->params.loggp.gap_ps;
    if (G_UNLIKELY(net->watch))
        tell_begun(net, index, first, last);
    if (!message->unreported)
        base_queue_push(net->queue, last, NET_EVENT_SENT, message->from, index, 0);
    if (!take_in_ahead(net, index, arrives_ps, takes_ps))
        base_queue_push(net->queue, arrives_ps, NET_EVENT_HOP, message->to, index, 0);
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
    .stop = stop,
    .inject = inject,
    .inject_ahead = inject,
    .event = arrive,
    .due = due,
    .zero_load = zero_load,
};
