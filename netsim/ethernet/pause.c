/* pause.c - switched Ethernet: buffers and pause frames (IEEE 802.3, clause 31 and annex 31B).
 *
 * When the frames of a link hold more than `xoff` bytes of its buffer, the bridge sends a pause frame back. The
 * receiver of the pause frame ends the frame that it is sending, and stops. When the buffer holds no more than `xon`
 * bytes, another pause frame, for 0 quanta, lets the sender go on. A pause frame goes before waiting frames, but does
 * not interrupt a frame that is being sent. It takes effect `pause-delay` after its arrival. A pause ends by itself
 * after `pause-quanta`. While the buffer stays above `xon`, pauses are renewed after half that time. This is always
 * early enough (checked), so a pause lasts until it is revoked.
 *
 * Thresholds that lose nothing. In the worst case the pause frame waits for a frame of full length and its gap, takes
 * its own time and that of the way back, and `pause-delay`. Until then frames go on being sent, and the last one has
 * just begun. What comes in meanwhile, together with the frame that crossed the threshold, is the reserve.
 *
 * Deadlock. Bridges that pause each other in a cycle never go on. Whether there is such a cycle is checked whenever a
 * pause is to be renewed, even while other frames move.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/ethernet/switched_ethernet.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <stdlib.h>
#include <string.h>

enum { PAUSE_BYTES = ETHERNET_LEAST_BYTES + ETHERNET_PREAMBLE_BYTES };

/* -- links and the links back ------------------------------------------------------------------ */

/* A link, for sorting: both directions between two vertices stand side by side, in the order of their links. */
typedef struct Pairing {
    uint32_t low, high, link;
} Pairing;

static int compare_pairings(const void *a, const void *b)
{
    const Pairing *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->link > y->link) - (x->link < y->link);
}

/* Pairs the links of a group. They are sorted by the vertex that they leave, so those from `low` come first. The k-th
 * of them is paired with the k-th link back. */
static void pair_group(const NetGraph *graph, const Pairing *group, uint32_t n, uint32_t *reverse)
{
    uint32_t forward = 0;
    while (forward < n && graph->link[group[forward].link].from == group->low)
        forward++;
    for (uint32_t i = 0; i < forward && forward + i < n; i++) {
        reverse[group[i].link] = group[forward + i].link;
        reverse[group[forward + i].link] = group[i].link;
    }
}

/* Returns for each link the opposite link, or NET_NONE. */
static uint32_t *find_reverse(const NetGraph *graph)
{
    g_autofree Pairing *pairs = g_new(Pairing, MAX(graph->links, 1));
    uint32_t *reverse = g_new(uint32_t, MAX(graph->links, 1));
    for (uint32_t i = 0; i < graph->links; i++) {
        const NetLink *link = &graph->link[i];
        pairs[i] = (Pairing){MIN(link->from, link->to), MAX(link->from, link->to), i};
        reverse[i] = NET_NONE;
    }
    qsort(pairs, graph->links, sizeof *pairs, compare_pairings);
    for (uint32_t begin = 0, end; begin < graph->links; begin = end) {
        for (end = begin + 1;
             end < graph->links && pairs[end].low == pairs[begin].low && pairs[end].high == pairs[begin].high;)
            end++;
        pair_group(graph, pairs + begin, end - begin, reverse);
    }
    return reverse;
}

/* -- thresholds -------------------------------------------------------------------------------- */

/* Returns the bytes that may come in over a link after the decision to pause it, plus the frame that led to the
 * decision. */
static uint64_t reserve(const Network *net, const NetLink *link, const NetLink *back)
{
    const NetParams *params = &net->params;
    uint64_t longest = net_ethernet_longest(params);
    uint64_t wait = net_serialise(longest + ETHERNET_GAP_BYTES + PAUSE_BYTES, back->bandwidth);
    uint64_t time = wait + back->latency_ps + params->ethernet.pause_delay_ps + link->latency_ps;
    unsigned __int128 bytes = ((unsigned __int128)time * link->bandwidth + NET_PS_PER_S - 1) / NET_PS_PER_S;
    return (uint64_t)MIN(bytes, (unsigned __int128)UINT64_MAX / 4) + 2 * (longest - ETHERNET_PREAMBLE_BYTES);
}

static void set_thresholds(const Network *net, EthernetPort *port, const NetLink *link, const NetLink *back)
{
    uint64_t buffer = net->params.ethernet.buffer_bytes, kept = reserve(net, link, back);
    port->xoff = net->params.ethernet.xoff_bytes ? net->params.ethernet.xoff_bytes : buffer - MIN(buffer, kept);
    port->xon = net->params.ethernet.xon_bytes ? MIN(net->params.ethernet.xon_bytes, port->xoff) : port->xoff / 2;
}

void net_ethernet_make_ports(Network *net, Ethernet *ethernet)
{
    const NetGraph *graph = &net->graph;
    g_autofree uint32_t *reverse = find_reverse(graph);
    uint32_t ports = graph->links;
    for (uint32_t i = 0; i < graph->links; i++)
        ports += reverse[i] == NET_NONE;
    ethernet->port = g_new0(EthernetPort, MAX(ports, 1));
    for (uint32_t i = 0; i < ports; i++)
        ethernet->port[i].first = NET_NONE;
    for (uint32_t i = 0, extra = graph->links; i < graph->links; i++) {
        EthernetPort *port = &ethernet->port[i];
        port->reverse = reverse[i] == NET_NONE ? extra++ : reverse[i];
        ethernet->port[port->reverse].reverse = i;
        set_thresholds(net, port, &graph->link[i], &graph->link[reverse[i] == NET_NONE ? i : reverse[i]]);
    }
}

static bool refuse_link(const Network *net, const NetLink *link, uint64_t needed, GError **error)
{
    g_autofree char *from = net_vertex_name(net, link->from);
    g_autofree char *to = net_vertex_name(net, link->to);
    return net_error_refuse(
        error, "buffer-bytes",
        "%" G_GUINT64_FORMAT " B are too few for pause frames to prevent loss on the link %s -> %s: at "
        "least %" G_GUINT64_FORMAT " B would do, for what is still to come when a pause begins. Give more, "
        "or a xoff-threshold that may lose frames, or flow-control = none",
        net->params.ethernet.buffer_bytes, from, to, needed);
}

bool net_ethernet_check_buffers(const Network *net, GError **error)
{
    const NetGraph *graph = &net->graph;
    bool pauses = net->params.ethernet.flow_control == NET_FLOW_CONTROL_PAUSE;
    g_autofree uint32_t *reverse = find_reverse(graph);
    for (uint32_t i = 0; i < graph->links; i++) {
        const NetLink *link = &graph->link[i];
        if (link->half) {
            g_autofree char *from = net_vertex_name(net, link->from);
            g_autofree char *to = net_vertex_name(net, link->to);
            return net_error_refuse(
                error, "duplex",
                "the link %s -> %s is half duplex, but links of switched Ethernet are full duplex; csma-cd "
                "is Ethernet whose stations take turns",
                from, to);
        }
        uint64_t needed = reserve(net, link, &graph->link[reverse[i] == NET_NONE ? i : reverse[i]]);
        if (pauses && !net->params.ethernet.xoff_bytes && needed > net->params.ethernet.buffer_bytes)
            return refuse_link(net, link, needed, error);
    }
    return true;
}

/* -- buffers ----------------------------------------------------------------------------------- */

bool net_ethernet_hold(Network *net, uint32_t link, uint64_t bytes)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[link];
    if (port->held_bytes + bytes > net->params.ethernet.buffer_bytes)
        return false;
    port->held_bytes += bytes;
    ethernet->held_frames++;
    ethernet->fullest_bytes = MAX(ethernet->fullest_bytes, port->held_bytes);
    if (ethernet->pauses && !port->off && port->held_bytes > port->xoff) {
        port->off = true;
        net_ethernet_kick(net, port->reverse);
    }
    return true;
}

void net_ethernet_release(Network *net, uint32_t link, uint64_t bytes)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[link];
    assert(port->held_bytes >= bytes && ethernet->held_frames > 0);
    port->held_bytes -= bytes;
    ethernet->held_frames--;
    if (port->off && port->held_bytes <= port->xon) {
        port->off = false;
        net_ethernet_kick(net, port->reverse);
    }
}

/* -- pause frames ------------------------------------------------------------------------------ */

bool net_ethernet_has_control(const Ethernet *ethernet, const EthernetPort *port)
{
    return !port->dead && (port->told_off != ethernet->port[port->reverse].off || (port->told_off && port->renew));
}

void net_ethernet_send_control(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[index], *about = &ethernet->port[port->reverse];
    bool real = index < net->graph.links; /* else the link has no opposite link */
    assert(port->reverse < net->graph.links);
    const NetLink *link = &net->graph.link[real ? index : port->reverse];
    uint64_t duration = net_serialise(PAUSE_BYTES, link->bandwidth);
    port->told_off = about->off;
    port->renew = false;
    port->free_ps = net->now + duration + net_serialise(ETHERNET_GAP_BYTES, link->bandwidth);
    (about->off ? &ethernet->n_pauses : &ethernet->n_resumes)[0]++;
    base_queue_push(net->queue, net->now + duration + link->latency_ps + net->params.ethernet.pause_delay_ps,
                    NET_EVENT_HOP, net->graph.link[port->reverse].from,
                    (uint64_t)port->breaks << 32 | (uint64_t)port->reverse << 1 | about->off, ETHERNET_CONTROL);
    if (!about->off || about->ticking)
        return;
    about->ticking = true;
    uint64_t pause = net_serialise((uint64_t)net->params.ethernet.pause_quanta * ETHERNET_QUANTUM_BYTES,
                                   net->graph.link[port->reverse].bandwidth);
    base_queue_push(net->queue, net->now + pause / 2, NET_EVENT_TICK, port->reverse, 0, 0);
}

/* The buffer has been too full for so long that this may be a deadlock. */
void net_ethernet_tick(Network *net, uint32_t link)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[link];
    port->ticking = false;
    if (!port->off || net->is_deadlocked)
        return;
    char *text = net_ethernet_explain(net);
    if (!text) {
        ethernet->port[port->reverse].renew = true;
        net_ethernet_kick(net, port->reverse);
        return;
    }
    g_free(net->first_deadlock);
    net->first_deadlock = text;
    net->is_deadlocked = true;
    if (net->client.deadlocked)
        net->client.deadlocked(net->client.user);
}

void net_ethernet_heed(Network *net, uint32_t link, bool off)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[link];
    if (off && !port->paused)
        port->paused_ps = net->now;
    if (!off && port->paused)
        ethernet->paused_ps += net->now - port->paused_ps;
    port->paused = off;
    net_ethernet_kick(net, link);
}

void net_ethernet_reset_pauses(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    uint32_t both[] = {index, ethernet->port[index].reverse};
    for (size_t i = 0; i < G_N_ELEMENTS(both); i++) {
        ethernet->port[both[i]].told_off = false;
        if (both[i] < net->graph.links)
            net_ethernet_heed(net, both[i], false);
    }
}

/* -- deadlock ---------------------------------------------------------------------------------- */

typedef struct Stuck {
    bool *link;        /* per link: it will be paused for ever */
    uint32_t *counted; /* per slot: the last link for which it was counted, plus 1 */
} Stuck;

/* Returns the bytes in the buffer of a link that wait for stuck links. */
static uint64_t stuck_bytes(const Network *net, const Stuck *stuck, uint32_t link)
{
    const Ethernet *ethernet = net->model_state;
    uint32_t vertex = net->graph.link[link].to;
    uint64_t bytes = 0;
    for (uint32_t out = net->graph.first_out[vertex]; out < net->graph.first_out[vertex + 1]; out++)
        for (uint32_t i = stuck->link[out] ? ethernet->port[out].first : NET_NONE; i != NET_NONE;
             i = ethernet->frame[i].next) {
            uint32_t place = ethernet->frame[i].place; /* copies of a frame share the slot */
            if (ethernet->place[place].link != link || stuck->counted[place] == link + 1)
                continue;
            stuck->counted[place] = link + 1;
            bytes += ethernet->place[place].bytes;
        }
    return bytes;
}

/* Finds the links that are stuck. A paused link goes on when its buffer is down to xon. From all paused links, those
 * are removed that can still go on, then those that can if these do, and so on. The remaining links are stuck. */
static bool find_stuck(const Network *net, Stuck *stuck)
{
    const Ethernet *ethernet = net->model_state;
    uint32_t left = 0;
    bool changed = true;
    for (uint32_t i = 0; i < net->graph.links; i++) {
        const EthernetPort *port = &ethernet->port[i];
        stuck->link[i] = port->paused && port->off && port->first != NET_NONE;
        left += stuck->link[i];
    }
    while (left && changed) {
        changed = false;
        memset(stuck->counted, 0, MAX(ethernet->places.count, 1) * sizeof *stuck->counted);
        for (uint32_t i = 0; i < net->graph.links; i++)
            if (stuck->link[i] && stuck_bytes(net, stuck, i) <= ethernet->port[i].xon) {
                stuck->link[i] = false;
                changed = true;
                left--;
            }
    }
    return left > 0;
}

/* Returns a stuck link whose queue has a frame that is in the buffer of `link`, and sets `frame` to that frame. */
static uint32_t holder_of(const Network *net, const Stuck *stuck, uint32_t link, uint32_t *frame)
{
    const Ethernet *ethernet = net->model_state;
    uint32_t vertex = net->graph.link[link].to;
    for (uint32_t out = net->graph.first_out[vertex]; out < net->graph.first_out[vertex + 1]; out++)
        for (*frame = stuck->link[out] ? ethernet->port[out].first : NET_NONE; *frame != NET_NONE;
             *frame = ethernet->frame[*frame].next)
            if (ethernet->place[ethernet->frame[*frame].place].link == link)
                return out;
    assert(!"a link that is stuck holds something up");
    return NET_NONE;
}

static void append_link(GString *text, const Network *net, uint32_t index)
{
    g_autofree char *from = net_vertex_name(net, net->graph.link[index].from);
    g_autofree char *to = net_vertex_name(net, net->graph.link[index].to);
    g_string_append_printf(text, "%s -> %s", from, to);
}

static void append_step(GString *text, const Network *net, uint32_t link, uint32_t next, const EthernetFrame *frame)
{
    const NetMessage *message = net_message(net, frame->message);
    g_autofree char *from = net_vertex_name(net, message->from);
    g_autofree char *to = net_vertex_name(net, message->to);
    g_string_append_printf(text, "  frame %s -> %s%s stands in the buffer of ", from, to, frame->targets ? " ..." : "");
    append_link(text, net, link);
    g_string_append(text, " and waits for ");
    append_link(text, net, next);
    g_string_append(text, ", which is paused\n");
}

static char *draw(const Network *net, const Stuck *stuck)
{
    const Ethernet *ethernet = net->model_state;
    uint32_t frame = 0, link = 0, length = 0;
    while (!stuck->link[link])
        link++;
    for (uint32_t i = 0; i < net->graph.links; i++) /* after so many steps we are on the cycle */
        link = holder_of(net, stuck, link, &frame);
    g_autoptr(GString) steps = g_string_new(NULL);
    uint32_t start = link;
    do {
        uint32_t next = holder_of(net, stuck, link, &frame);
        append_step(steps, net, link, next, &ethernet->frame[frame]);
        link = next;
        length++;
    } while (link != start);
    return g_strdup_printf("network deadlock: %" G_GUINT64_FORMAT
                           " frames under way, and %u links pause each other in a circle:\n%s"
                           "  (%s routing on this %s does not prevent it; up-down or flow-control = none does)\n",
                           ethernet->held_frames, length, steps->str, net->routing->name, net->topology->name);
}

char *net_ethernet_explain(const Network *net)
{
    const Ethernet *ethernet = net->model_state;
    g_autofree bool *link = g_new0(bool, MAX(net->graph.links, 1));
    g_autofree uint32_t *counted = g_new0(uint32_t, MAX(ethernet->places.count, 1));
    Stuck stuck = {link, counted};
    return find_stuck(net, &stuck) ? draw(net, &stuck) : NULL;
}
