/* watch.c - what observers of a network are told, and the state that this needs.
 *
 * Models report in their own terms: indices of messages and packets, links, channels. While somebody observes, this
 * file keeps what models need not know: the observer's number for a message; which packet of a message this is, and how
 * many links it has passed; and who had a link or channel before.
 */
#include "netsim/delivery/delivery.h"

#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

typedef struct UnderWay { /* a packet on a link; packets are in the order in which they took the link */
    uint32_t message, hop;
    uint64_t number;
} UnderWay;

typedef struct WormPacket { /* indexed as in NetPackets */
    uint64_t number;
    uint32_t hops;
} WormPacket;

typedef struct Had { /* a channel that a packet has: since when, after whom, and as which of the packet's links */
    uint64_t asked_ps, got_ps, behind;
    uint32_t hop;
} Had;

struct NetWatch {
    NetObserver observer;
    uint64_t *label; /* by message index: the observer's number for it */
    uint32_t labels;
    uint64_t *first; /* by message index: its first packet's index in the labelled message */
    uint32_t firsts;
    uint64_t *last; /* by resource that only one message can have at a time: the last message that had it */
    uint32_t places;
    GArray **under_way; /* by link: array of UnderWay; NULL: never used */
    uint32_t links;
    WormPacket *packet;
    uint32_t packets;
    Had *had; /* indexed by channel */
    uint32_t channels;
};

bool net_can_watch(const Network *net)
{
    return net->model->observable;
}

void net_watch(Network *net, const NetObserver *observer)
{
    assert(!net->watch && net->model->observable);
    assert(!net->messages.count);
    net->watch = g_new0(NetWatch, 1);
    net->watch->observer = *observer;
    net->brief = observer->brief && net->graph.uniform;
    net->watch->links = net->graph.links;
    net->watch->under_way = g_new0(GArray *, MAX(net->graph.links, 1));
}

void net_watch_free(NetWatch *watch)
{
    if (!watch)
        return;
    for (uint32_t i = 0; i < watch->links; i++)
        if (watch->under_way[i])
            g_array_unref(watch->under_way[i]);
    g_free(watch->under_way);
    g_free(watch->label);
    g_free(watch->first);
    g_free(watch->last);
    g_free(watch->packet);
    g_free(watch->had);
    g_free(watch);
}

/* Makes room for index `index` in an array that grows. */
#define MAKE_ROOM(array, count, index)                                                                                 \
    do {                                                                                                               \
        if ((index) >= (count)) {                                                                                      \
            (count) = MAX((index) + 1, 2 * (count));                                                                   \
            (array) = g_renew(__typeof__(*(array)), (array), (count));                                                 \
        }                                                                                                              \
    } while (0)

/* -- messages ---------------------------------------------------------------------------------- */

void net_watch_accepted(Network *net, uint32_t message, uint64_t handed_ps)
{
    NetWatch *watch = net->watch;
    const NetMessage *what = net_message(net, message);
    NetAccepted accepted = {.cookie = what->cookie,
                            .bytes = what->bytes,
                            .from = what->from,
                            .to = what->to,
                            .handed_ps = handed_ps,
                            .begun_ps = what->ready_ps - net->params.startup_ps,
                            .ready_ps = what->ready_ps};
    net_watch_part(net, message, watch->observer.accepted(watch->observer.user, &accepted), 0);
    assert(watch->label[message] != NET_NOBODY);
}

void net_watch_part(Network *net, uint32_t message, uint64_t label, uint64_t first)
{
    NetWatch *watch = net->watch;
    MAKE_ROOM(watch->label, watch->labels, message);
    MAKE_ROOM(watch->first, watch->firsts, message);
    watch->label[message] = label;
    watch->first[message] = first;
}

uint64_t net_watch_label(const Network *net, uint32_t message)
{
    return net->watch->label[message];
}

void net_watch_delivered(Network *net, uint32_t message)
{
    const NetWatch *watch = net->watch;
    if (watch->label[message] != NET_NOBODY)
        watch->observer.delivered(watch->observer.user, watch->label[message], net->now);
}

void net_watch_arrived(Network *net, uint32_t message, uint64_t number, uint64_t time_ps)
{
    const NetWatch *watch = net->watch;
    if (watch->label[message] != NET_NOBODY)
        watch->observer.arrived(watch->observer.user, watch->label[message], watch->first[message] + number, time_ps);
}

/* -- passages ---------------------------------------------------------------------------------- */

/* Records that a message has a resource from now on. Returns the message that had it before. */
static uint64_t take_place(NetWatch *watch, uint32_t place, uint64_t label)
{
    if (G_UNLIKELY(place >= watch->places)) {
        uint32_t before = watch->places;
        MAKE_ROOM(watch->last, watch->places, place);
        for (; before < watch->places; before++)
            watch->last[before] = NET_NOBODY;
    }
    uint64_t last = watch->last[place];
    watch->last[place] = label;
    return last;
}

void net_watch_passed(Network *net, uint32_t message, uint32_t place, const NetPassage *passage)
{
    NetWatch *watch = net->watch;
    NetPassage told = *passage;
    assert(passage->asked_ps <= passage->got_ps && passage->got_ps <= passage->left_ps);
    told.message = watch->label[message];
    told.packet += watch->first[message];
    told.packets = MAX(passage->packets, 1);
    uint64_t before = take_place(watch, place, told.message);
    told.behind = passage->got_ps > passage->asked_ps ? before : NET_NOBODY;
    watch->observer.passed(watch->observer.user, &told);
}

void net_watch_waits(Network *net, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps)
{
    const NetObserver *observer = &net->watch->observer;
    observer->queued(observer->user, link, time_ps, change, since_ps);
}

void net_watch_waited(Network *net, uint32_t link, uint64_t from_ps, uint64_t to_ps)
{
    if (from_ps == to_ps)
        return;
    net_watch_waits(net, link, from_ps, 1, net->now);
    net_watch_waits(net, link, to_ps, -1, net->now);
}

void net_watch_crossed(Network *net, uint32_t message, uint32_t link, uint64_t asked_ps, uint64_t got_ps)
{
    NetWatch *watch = net->watch;
    uint64_t label = watch->label[message], before = take_place(watch, link, label);
    if (got_ps == asked_ps)
        return;
    NetPassage passage = {
        .message = label, .packets = 1, .link = link, .asked_ps = asked_ps, .got_ps = got_ps, .behind = before};
    watch->observer.passed(watch->observer.user, &passage);
    watch->observer.waited(watch->observer.user, link, asked_ps, got_ps);
}

void net_watch_queued(Network *net, const NetQuery *query, uint64_t time_ps, int change)
{
    const NetObserver *observer = &net->watch->observer;
    NetHop hops[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, query, hops);
    for (uint32_t i = 0; i < count; i++) {
        bool again = false; /* the same link with another class of channels was offered already */
        for (uint32_t k = 0; k < i; k++)
            again |= hops[k].link == hops[i].link;
        if (!again)
            observer->queued(observer->user, hops[i].link, time_ps, change, time_ps);
    }
}

/* -- packets of a message that have no place of their own -------------------------------------- */

void net_watch_under_way(Network *net, uint32_t link, uint32_t message, uint64_t number, uint32_t hop)
{
    NetWatch *watch = net->watch;
    UnderWay packet = {.message = message, .hop = hop, .number = number};
    if (!watch->under_way[link])
        watch->under_way[link] = g_array_new(FALSE, FALSE, sizeof(UnderWay));
    g_array_append_val(watch->under_way[link], packet);
}

void net_watch_come(Network *net, uint32_t link, uint32_t message, uint64_t *number, uint32_t *hop)
{
    GArray *packets = net->watch->under_way[link];
    guint i = 0;
    while (i < packets->len && g_array_index(packets, UnderWay, i).message != message)
        i++;
    assert(i < packets->len);
    *number = g_array_index(packets, UnderWay, i).number;
    *hop = g_array_index(packets, UnderWay, i).hop;
    g_array_remove_index(packets, i);
}

/* -- wormhole switching ------------------------------------------------------------------------ */

void net_watch_granted(Network *net, const NetGrant *grant)
{
    NetWatch *watch = net->watch;
    MAKE_ROOM(watch->packet, watch->packets, grant->packet);
    MAKE_ROOM(watch->had, watch->channels, grant->channel);
    WormPacket *packet = &watch->packet[grant->packet];
    if (grant->first)
        *packet = (WormPacket){.number = grant->number};
    uint64_t before = take_place(watch, grant->channel, watch->label[grant->message]);
    watch->had[grant->channel] = (Had){.asked_ps = grant->asked_ps,
                                       .got_ps = grant->got_ps,
                                       .hop = packet->hops++,
                                       .behind = grant->got_ps > grant->asked_ps ? before : NET_NOBODY};
}

void net_watch_released(Network *net, uint32_t packet, uint32_t message, uint32_t channel, uint64_t wire_bytes,
                        uint64_t busy_ps, uint64_t header_ps, uint64_t left_ps)
{
    const NetWatch *watch = net->watch;
    const Had *had = &watch->had[channel];
    uint32_t channels = net->params.wormhole.virtual_channels;
    NetPassage passage = {.message = watch->label[message],
                          .packet = watch->first[message] + watch->packet[packet].number,
                          .packets = busy_ps > 0,
                          .hop = had->hop,
                          .link = channel / channels,
                          .channel = channel % channels,
                          .asked_ps = had->asked_ps,
                          .got_ps = had->got_ps,
                          .reached_ps = had->got_ps + header_ps,
                          .left_ps = left_ps,
                          .bytes = wire_bytes,
                          .busy_ps = busy_ps,
                          .behind = had->behind};
    watch->observer.passed(watch->observer.user, &passage);
}

void net_watch_ejected(Network *net, uint32_t packet, uint32_t message, uint64_t time_ps)
{
    net_watch_arrived(net, message, net->watch->packet[packet].number, time_ps);
}
