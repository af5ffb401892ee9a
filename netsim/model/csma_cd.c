/* csma_cd.c - Ethernet on a shared medium: carrier sense, collisions, back-off (IEEE 802.3, clause 4). Explicitly
 * ordered.
 *
 * A station with a frame to send attempts when it hears nothing. Every other station hears it `link_latency` later,
 * since any two stations are taken to be as far apart as the two farthest. Stations that attempt before that collide
 * with it. Each of them hears the other, sends a jam, and waits a random number of slots. The range of that number
 * doubles with every collision, up to 1,024. Stations that hear the medium busy wait until it has been silent for the
 * gap between frames, and then all attempt at once. After 16 attempts a real station gives up. Here the layer above is
 * assumed to try again at once, so no message is lost.
 *
 *   HOP(node)  an attempt                     a contest begins with the first attempt on a silent medium
 *   GRANT      the contest is decided: the first attempt has been heard by all; one sender, or a collision
 *
 * At the same time attempts come before the decision, and stations in the order of their numbers. The number of slots
 * is computed from the seed, the station and how often it has drawn. So it depends on nothing else that happens.
 *
 * The model leaves out distances between stations and what happens inside the physical layer. A frame's bits are those
 * of the packet with `header_bytes` (preamble and start 8, addresses, length and check sum 18). Frames below the least
 * length are padded.
 */
#include "base/queue.h"
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/model/medium.h"
#include "netsim/params/params.h"

enum {
    GAP_BYTES = 12, /* between frames: 96 bit times */
    JAM_BYTES = 4,
    PREAMBLE_BYTES = 8,
    SLOT_BYTES = 64,       /* 512 bit times; also the least frame */
    FAST_SLOT_BYTES = 512, /* from 1 Gbit/s on: 4,096 bit times, by carrier extension */
    MOST_DOUBLINGS = 10,   /* most times that the range of slots doubles */
    MOST_ATTEMPTS = 16,
};
#define FAST_BANDWIDTH UINT64_C(125000000)

/* A node as a station on the medium. */
typedef struct Station {
    NetFifo waiting;     /* messages; the head is being sent */
    uint32_t collisions; /* since its last frame was sent; counted anew after MOST_ATTEMPTS */
    uint32_t next;       /* next station in the list of those that compete, or that wait for silence */
    uint64_t drawn;      /* numbers of slots drawn so far */
    uint64_t due_ps;     /* time of the current attempt */
    uint64_t asked_ps;   /* when its frame was ready to be sent */
} Station;

typedef struct Medium {
    Station *station;
    uint64_t slot_ps, gap_ps, jam_ps;
    uint64_t least_bytes;                   /* least size of a frame, preamble included */
    uint64_t silent_ps;                     /* from then on a station may attempt */
    bool contest;                           /* a first attempt has been made and is not decided yet */
    uint64_t began_ps;                      /* when the contest began */
    uint32_t first, last;                   /* list of stations that compete, in the order of their attempts */
    uint32_t deferred_first, deferred_last; /* list of stations that wait for silence */
    uint64_t collisions, frames;            /* numbers of collisions and frames so far */
} Medium;

static uint64_t slot_bytes(const NetParams *params)
{
    return params->bandwidth >= FAST_BANDWIDTH ? FAST_SLOT_BYTES : SLOT_BYTES;
}

static bool check(const Network *net, GError **error)
{
    uint64_t slot = net_serialise(slot_bytes(&net->params), net->params.bandwidth);
    if (2 * net->params.link_latency_ps <= slot)
        return true;
    return net_error_refuse(error, "link-latency",
                            "with %" G_GUINT64_FORMAT
                            " ps from end to end a collision could go unheard: there and back must "
                            "take no longer than a slot of %" G_GUINT64_FORMAT " bit times, %" G_GUINT64_FORMAT " ps",
                            net->params.link_latency_ps, 8 * slot_bytes(&net->params), slot);
}

static void *start(Network *net)
{
    uint64_t bandwidth = net->params.bandwidth;
    Medium *medium = g_new(Medium, 1);
    *medium = (Medium){.station = g_new0(Station, net->params.nodes),
                       .slot_ps = net_serialise(slot_bytes(&net->params), bandwidth),
                       .gap_ps = net_serialise(GAP_BYTES, bandwidth),
                       .jam_ps = net_serialise(JAM_BYTES, bandwidth),
                       .least_bytes = slot_bytes(&net->params) + PREAMBLE_BYTES,
                       .first = NET_NONE,
                       .deferred_first = NET_NONE};
    for (uint32_t node = 0; node < net->params.nodes; node++)
        medium->station[node].waiting.head = NET_NONE;
    return medium;
}

static void stop(void *pointer)
{
    Medium *medium = pointer;
    g_free(medium->station);
    g_free(medium);
}

/* -- lists of stations ------------------------------------------------------------------------- */

static void append(Medium *medium, uint32_t *first, uint32_t *last, uint32_t node)
{
    medium->station[node].next = NET_NONE;
    if (*first == NET_NONE)
        *first = node;
    else
        medium->station[*last].next = node;
    *last = node;
}

/* -- attempts ---------------------------------------------------------------------------------- */

static void attempt_at(Network *net, uint32_t node, uint64_t time_ps)
{
    base_queue_push(net->queue, time_ps, NET_EVENT_HOP, node, 0, 0);
}

/* Observers are told of attempts at the decision, at most a latency later. */
static void tell_waits(Network *net, uint32_t node, uint64_t time_ps, int change)
{
    uint64_t latency = net->params.link_latency_ps;
    net_watch_waits(net, net_medium_tap(net, node), time_ps, change, net->now > latency ? net->now - latency : 0);
}

static void inject(Network *net, uint32_t index)
{
    Medium *medium = net->model_state;
    uint32_t node = net_message(net, index)->from;
    Station *station = &medium->station[node];
    bool idle = station->waiting.head == NET_NONE;
    net_fifo_push(net, &station->waiting, index);
    if (!idle)
        return;
    station->asked_ps = net->now + net->params.packet_startup_ps;
    if (G_UNLIKELY(net->watch))
        tell_waits(net, node, station->asked_ps, 1);
    attempt_at(net, node, station->asked_ps);
}

static void attempt(Network *net, uint32_t node)
{
    Medium *medium = net->model_state;
    bool unheard = net->now == medium->began_ps || net->now < medium->began_ps + net->params.link_latency_ps;
    if (medium->contest && !unheard) { /* the decision will show when there is silence */
        append(medium, &medium->deferred_first, &medium->deferred_last, node);
        return;
    }
    if (!medium->contest && net->now < medium->silent_ps) {
        attempt_at(net, node, medium->silent_ps);
        return;
    }
    if (!medium->contest) {
        medium->contest = true;
        medium->began_ps = net->now;
        base_queue_push(net->queue, net->now + net->params.link_latency_ps, NET_EVENT_GRANT, 0, 0, 0);
    }
    medium->station[node].due_ps = net->now;
    append(medium, &medium->first, &medium->last, node);
}

/* -- decisions --------------------------------------------------------------------------------- */

static uint64_t padded(const Medium *medium, uint64_t wire_bytes)
{
    return MAX(wire_bytes, medium->least_bytes);
}

static void send_frame(Network *net, uint32_t node)
{
    Medium *medium = net->model_state;
    Station *station = &medium->station[node];
    uint32_t index = station->waiting.head;
    NetMessage *message = net_message(net, index);
    uint64_t wire_bytes = net_packet_bytes(&net->params, message->bytes, message->injected++);
    uint64_t duration = net_packet_ps(net, padded(medium, wire_bytes)), end = station->due_ps + duration;
    uint64_t heard = end + net->params.link_latency_ps;
    net_medium_count_frame(net, index, wire_bytes, duration, station->due_ps - station->asked_ps);
    if (G_UNLIKELY(net->watch)) {
        tell_waits(net, node, station->due_ps, -1);
        net_medium_tell_frame(net, index, wire_bytes, duration, station->asked_ps, station->due_ps);
    }
    station->collisions = 0;
    medium->frames++;
    station->asked_ps = end + net->params.packet_startup_ps;
    medium->silent_ps = heard + medium->gap_ps;
    if (message->injected == message->packets) {
        base_queue_push(net->queue, end, NET_EVENT_SENT, node, index, 0);
        net_medium_deliver(net, index, heard);
        net_fifo_pop(net, &station->waiting);
    }
    if (station->waiting.head == NET_NONE)
        return;
    if (G_UNLIKELY(net->watch))
        tell_waits(net, node, station->asked_ps, 1);
    attempt_at(net, node, MAX(medium->silent_ps, station->asked_ps));
}

/* Returns the slots to wait after the n-th collision: 0 to 2^min(n, 10) - 1. */
static uint64_t draw_slots(const Network *net, uint32_t node, Station *station)
{
    station->collisions = station->collisions % MOST_ATTEMPTS + 1;
    uint64_t range = UINT64_C(1) << MIN(station->collisions, (uint32_t)MOST_DOUBLINGS);
    return base_random_mix(net->params.seed, node, station->drawn++) & (range - 1);
}

/* Each station hears the first other one. The collision ends with the jam of the last station to notice it. */
static void collide(Network *net)
{
    Medium *medium = net->model_state;
    uint64_t delay = net->params.link_latency_ps, end = 0;
    uint64_t second = medium->station[medium->station[medium->first].next].due_ps;
    for (uint32_t node = medium->first; node != NET_NONE; node = medium->station[node].next) {
        const Station *station = &medium->station[node];
        uint64_t other = node == medium->first ? second : medium->began_ps;
        end = MAX(end, MAX(other + delay, station->due_ps) + medium->jam_ps);
    }
    medium->silent_ps = end + delay + medium->gap_ps;
    medium->collisions++;
    for (uint32_t node = medium->first; node != NET_NONE; node = medium->station[node].next) {
        uint64_t again = end + draw_slots(net, node, &medium->station[node]) * medium->slot_ps;
        attempt_at(net, node, MAX(again, medium->silent_ps));
    }
}

/* Stations that have waited for silence attempt when it comes. */
static void wake_deferred(Network *net)
{
    Medium *medium = net->model_state;
    for (uint32_t node = medium->deferred_first; node != NET_NONE; node = medium->station[node].next)
        attempt_at(net, node, medium->silent_ps);
    medium->deferred_first = NET_NONE;
}

static void decide(Network *net)
{
    Medium *medium = net->model_state;
    medium->contest = false;
    if (medium->first == medium->last)
        send_frame(net, medium->first);
    else
        collide(net);
    medium->first = NET_NONE;
    wake_deferred(net);
}

static void event(Network *net, const BaseEvent *what)
{
    if (what->kind == NET_EVENT_HOP)
        attempt(net, what->rank);
    else
        decide(net);
}

/* startup + p + (P - 1) (S + max(latency + gap, p)) + s + latency, where p is what a packet costs at its source */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    (void)from;
    (void)to;
    const Medium *medium = net->model_state;
    uint64_t before = net_packet_count(&net->params, bytes) - 1, latency = net->params.link_latency_ps;
    uint64_t full = (uint64_t)net->params.packet_bytes + net->params.header_bytes;
    uint64_t last = net_packet_bytes(&net->params, bytes, before);
    uint64_t own = net->params.packet_startup_ps;
    return net->params.startup_ps + own +
           before * (net_packet_ps(net, padded(medium, full)) + MAX(latency + medium->gap_ps, own)) +
           net_packet_ps(net, padded(medium, last)) + latency;
}

static uint32_t counters(const Network *net, NetCounter *out)
{
    const Medium *medium = net->model_state;
    out[0] = (NetCounter){"frames", "frames sent", NET_COUNTER_NUMBER, medium->frames};
    out[1] = (NetCounter){"collisions", "collisions", NET_COUNTER_NUMBER, medium->collisions};
    return 2;
}

const NetModel net_model_csma_cd = {
    .name = "csma-cd",
    .needs_links = true,
    .shared_medium = true,
    .broadcast = true,
    .observable = true,
    .check = check,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = zero_load,
    .counters = counters,
    .fail = net_transport_lost_on_medium,
};
