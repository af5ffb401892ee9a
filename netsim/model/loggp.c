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

enum { FEW_WAIT = 64 }; /* messages that may wait for a NIC when another one gets its place before it arrives */

/* When each side of a NIC is free again, and what waits for it. */
typedef struct LoggpNic {
    uint64_t send_free, receive_free;
    uint32_t first, newest; /* messages in its line; only if `waiting` */
    uint32_t waiting;       /* their number */
} LoggpNic;

typedef struct Loggp {
    LoggpNic *nic;
    uint64_t few_ps; /* how long a NIC takes for few messages */
    bool has_lines;  /* messages stand in line for their receivers, unless somebody watches */
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
    loggp->few_ps = FEW_WAIT * net->params.loggp.gap_ps;
    loggp->has_lines = net->ahead && net->client.fast.settles && net->params.nics == 1 && net->params.loggp.gap_ps;
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

/* -- lines ---------------------------------------------------------------------------------------- */

/* Most messages need no event for their arrival: they get their place in the line of their receiver when they are
 * injected. The line is in the order of arrival, and only its first message has an event, that of its delivery. Now and
 * then a message comes first that is injected later. It then goes before the others. If the first of the line changes
 * by that, the event of the one that was first comes too early, and is made anew. So that few have to be passed, a
 * message gets its place that early only if it does not arrive much later, and if few wait. All others get theirs by an
 * event when they arrive.
 *
 * Being on the wire or being taken in takes time here, or a message gets no place before it arrives. So a message that
 * stands in line, and that arrives at the same time as a new one or later, has not been delivered yet. */
static inline bool has_lines(const Network *net)
{
    return loggp_of(net)->has_lines && !net->watch;
}

/* Makes the event of the first message of a line. If that is taken in at once when it arrives, its event keeps the
 * place behind those of arrivals. */
static inline void announce_first(Network *net, const LoggpNic *nic)
{
    const NetMessage *first = net_message(net, nic->first);
    uint64_t due_ps = MAX(first->arrives_ps, nic->receive_free) + first->takes_ps;
    NetEventKind kind = due_ps > first->arrives_ps ? NET_EVENT_DELIVERED : NET_EVENT_AT_ONCE;
    base_queue_push(net->queue, due_ps, kind, first->to, nic->first, 0);
}

/* Another message has become the first while this one still had an event. */
static void announce_again(Network *net, uint32_t index)
{
    const LoggpNic *nic = &loggp_of(net)->nic[net_message(net, index)->to];
    if (nic->first == index)
        announce_first(net, nic);
}

/* Whether a message in line comes after a new one, in the order of compare_arrivals(). */
static inline bool comes_after(const NetMessage *in_line, const NetMessage *message)
{
    if (in_line->arrives_ps != message->arrives_ps)
        return in_line->arrives_ps > message->arrives_ps;
    return in_line->ready_ps != message->ready_ps ? in_line->ready_ps > message->ready_ps
                                                  : in_line->from > message->from;
}

/* Gives the message, which arrives at arrives_ps and is taken in for takes_ps, its place in line. */
static inline void line_up(Network *net, LoggpNic *nic, uint32_t index, uint64_t arrives_ps, uint64_t takes_ps)
{
    NetMessage *message = net_message(net, index);
    uint32_t older = nic->waiting++ ? nic->newest : NET_NONE, newer = NET_NONE;
    message->arrives_ps = arrives_ps;
    message->takes_ps = takes_ps;
    message->in_line = true;
    while (older != NET_NONE && comes_after(net_message(net, older), message)) {
        newer = older;
        older = net_message(net, older)->older;
    }
    message->older = older;
    message->next = newer;
    if (newer == NET_NONE)
        nic->newest = index;
    else
        net_message(net, newer)->older = index;
    if (older != NET_NONE) {
        net_message(net, older)->next = index;
        return;
    }
    if (newer != NET_NONE)
        net_message(net, newer)->postponed = true;
    nic->first = index;
    announce_first(net, nic);
}

/* The first message of a line is delivered: it is the next one's turn. That may still have an early event. */
static void leave_line(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    LoggpNic *nic = &loggp_of(net)->nic[message->to];
    assert(nic->first == index);
    nic->receive_free = net->now + net->params.loggp.gap_ps;
    if (!--nic->waiting)
        return;
    nic->first = message->next;
    net_message(net, nic->first)->older = NET_NONE;
    if (G_LIKELY(!net_message(net, nic->first)->postponed))
        announce_first(net, nic);
}

/* Gives the message a place before it arrives. Returns false if it must arrive first. */
static inline bool line_up_ahead(Network *net, uint32_t index, uint64_t arrives_ps, uint64_t takes_ps)
{
    const Loggp *loggp = loggp_of(net);
    LoggpNic *nic = &loggp->nic[net_message(net, index)->to];
    if (!has_lines(net) || takes_ps + net->params.loggp.latency_ps == 0 || nic->waiting >= FEW_WAIT ||
        arrives_ps > net->now + 2 * net->params.loggp.latency_ps + loggp->few_ps)
        return false;
    line_up(net, nic, index, arrives_ps, takes_ps);
    return true;
}

/* -- arrivals that are events -------------------------------------------------------------------- */

/* The receiving NIC takes the message in. SENT has the lesser kind, so it comes before DELIVERED at equal times. */
static inline void take_in(Network *net, uint32_t index)
{
    NetMessage *message = net_message(net, index);
    LoggpNic *nic = &loggp_of(net)->nic[message->to * net->params.nics + message->nic];
    uint64_t takes_ps = streaming_ps(&net->params, message->bytes);
    if (has_lines(net)) {
        line_up(net, nic, index, net->now, takes_ps);
        return;
    }
    uint64_t last = MAX(net->now, nic->receive_free) + takes_ps;
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
    if (!line_up_ahead(net, index, arrives_ps, takes_ps))
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
    .leave_line = leave_line,
    .announce_again = announce_again,
    .zero_load = zero_load,
};
