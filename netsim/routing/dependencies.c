/* dependencies.c - which channel may wait for which: the channel dependency graph, computed before a run.
 *
 * A channel here is a link and a class of its virtual channels. A packet that holds a channel waits for those that the
 * routing offers it at the end of the link. For every destination (and vertex in between, if the routing uses one), the
 * analysis follows from all sources the channels that packets can be in. If all these dependencies contain no cycle, no
 * deadlock can happen: Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks",
 * IEEE Trans. Computers C-36(5), 1987.
 *
 * If the routing has escape channels, only these count. An escape channel waits for another one that is offered at its
 * end, or after any number of other channels on the way there (the extended graph of Duato, 1993).
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/routing/routing.h"
#include "netsim/routing/two_phase.h"

typedef struct Analysis {
    const Network *net;
    uint32_t classes, channels;
    bool whole_links; /* a packet that waits for one class of a link waits for all; the first class stands for them */
    bool escapes;     /* only channels marked in `escape` count */
    bool *escape;     /* per channel: it is an escape channel */
    GArray **waits;   /* per channel: the channels that it waits for (uint32_t), each once */
    uint32_t *seen;   /* per channel: number of the last search that reached it */
    uint32_t search;
    GArray *queue; /* channels that the current search has reached */
    uint64_t work; /* steps left */
} Analysis;

static uint32_t channel_of(const Analysis *all, NetHop hop)
{
    return hop.link * all->classes + hop.channel_class;
}

static void note_wait(Analysis *all, uint32_t from, uint32_t to)
{
    if (all->whole_links) {
        from -= from % all->classes;
        to -= to % all->classes;
    }
    if (!all->waits[from])
        all->waits[from] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    GArray *list = all->waits[from];
    for (guint i = 0; i < list->len; i++)
        if (g_array_index(list, uint32_t, i) == to)
            return;
    g_array_append_val(list, to);
}

/* Writes the hops offered. Under source routing a packet may take any path, but no escape channels. */
static uint32_t offered(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = net_offered(net, query, hops);
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!net->source_routed || !hops[i].escape)
            hops[left++] = hops[i];
    return left;
}

/* Writes the hops that a packet which holds `channel` asks for at its end; none if it has arrived there. */
static uint32_t follow(Analysis *all, NetQuery query, uint32_t channel, NetHop *hops)
{
    query.in_link = channel / all->classes;
    query.in_class = channel % all->classes;
    query.at = all->net->graph.link[query.in_link].to;
    if (query.at == query.to)
        return 0;
    uint32_t count = offered(all->net, &query, hops);
    all->work -= MIN(all->work, count);
    return count;
}

/* Finds which escape channels are offered after the escape channel `start`, by way of other channels. */
static void follow_escapes(Analysis *all, NetQuery query, uint32_t start, uint32_t *seen, uint32_t stamp, GArray *stack)
{
    g_array_set_size(stack, 0);
    g_array_append_val(stack, start);
    while (stack->len > 0) {
        NetHop hops[NET_MAX_CANDIDATES];
        uint32_t channel = g_array_index(stack, uint32_t, stack->len - 1);
        g_array_set_size(stack, stack->len - 1);
        uint32_t count = follow(all, query, channel, hops);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t next = channel_of(all, hops[i]);
            if (hops[i].escape)
                note_wait(all, start, next);
            else if (seen[next] != stamp) {
                seen[next] = stamp;
                g_array_append_val(stack, next);
            }
        }
    }
}

static void reach(Analysis *all, NetHop hop)
{
    uint32_t channel = channel_of(all, hop);
    if (hop.escape && !all->whole_links)
        all->escape[channel] = all->escapes = true;
    if (all->seen[channel] == all->search)
        return;
    all->seen[channel] = all->search;
    g_array_append_val(all->queue, channel);
}

/* Finds all channels that packets for query.to (by way of query.via) can be in, and what each of them waits for. */
static void search(Analysis *all, NetQuery query)
{
    NetHop hops[NET_MAX_CANDIDATES];
    all->search++;
    g_array_set_size(all->queue, 0);
    for (uint32_t from = 0; from < all->net->params.nodes && all->work; from++) {
        query.from = query.at = from;
        query.in_link = NET_NONE;
        uint32_t count = from == query.to ? 0 : offered(all->net, &query, hops);
        all->work -= MIN(all->work, count);
        for (uint32_t i = 0; i < count; i++)
            reach(all, hops[i]);
    }
    for (guint head = 0; head < all->queue->len && all->work; head++) {
        uint32_t channel = g_array_index(all->queue, uint32_t, head);
        uint32_t count = follow(all, query, channel, hops);
        for (uint32_t i = 0; i < count; i++) {
            reach(all, hops[i]);
            if (!all->escapes)
                note_wait(all, channel, channel_of(all, hops[i]));
        }
    }
}

/* For escape channels: searches again, from each escape channel that the last search reached. */
static void search_escapes(Analysis *all, NetQuery query)
{
    g_autofree uint32_t *seen = g_new0(uint32_t, all->channels);
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < all->queue->len && all->work; i++) {
        uint32_t channel = g_array_index(all->queue, uint32_t, i);
        if (all->escape[channel])
            follow_escapes(all, query, channel, seen, i + 1, stack);
    }
}

static void search_both(Analysis *all, NetQuery query)
{
    search(all, query);
    if (all->escapes)
        search_escapes(all, query);
}

/* Searches for each destination: straight to it, and by way of each vertex that the routing may send packets to first.
 */
static void search_all(Analysis *all)
{
    const Network *net = all->net;
    uint32_t first = 0;
    uint32_t end = 0;
    if (net->routing->choose_via)
        net_two_phase_range(net, &first, &end);
    for (uint32_t to = 0; to < net->params.nodes && all->work; to++) {
        search_both(all, (NetQuery){.to = to, .via = NET_NONE});
        for (uint32_t via = first; via < end && all->work; via++)
            if (via != to)
                search_both(all, (NetQuery){.to = to, .via = via});
    }
}

/* -- circles: depth-first; a channel that is met again while it is on the path closes one ------ */

enum { UNSEEN, ON_PATH, DONE };

/* Returns the channel that closes a cycle, or NET_NONE if there is none. The cycle is the part of `path` that begins
 * with that channel. */
static uint32_t circle_from(const Analysis *all, uint32_t start, uint8_t *state, guint *place, GArray *path)
{
    g_array_append_val(path, start);
    state[start] = ON_PATH;
    while (path->len > 0) {
        uint32_t channel = g_array_index(path, uint32_t, path->len - 1);
        const GArray *list = all->waits[channel];
        if (!list || place[channel] == list->len) {
            state[channel] = DONE;
            g_array_set_size(path, path->len - 1);
            continue;
        }
        uint32_t next = g_array_index(list, uint32_t, place[channel]++);
        if (state[next] == ON_PATH)
            return next;
        if (state[next] == UNSEEN) {
            state[next] = ON_PATH;
            g_array_append_val(path, next);
        }
    }
    return NET_NONE;
}

static void append_channel(const Analysis *all, uint32_t channel, GString *text)
{
    const NetLink *link = net_link(all->net, channel / all->classes);
    g_autofree char *from = net_vertex_name(all->net, link->from);
    g_autofree char *to = net_vertex_name(all->net, link->to);
    g_string_append_printf(text, "%s -> %s", from, to);
    if (all->classes > 1 && !all->whole_links)
        g_string_append_printf(text, " (class %u)", channel % all->classes);
}

enum { MOST_SHOWN = 12 };

static char *describe(const Analysis *all, const GArray *path, uint32_t first)
{
    GString *text = g_string_new(NULL);
    guint begin = 0;
    while (g_array_index(path, uint32_t, begin) != first)
        begin++;
    for (guint i = begin; i < path->len && i < begin + MOST_SHOWN; i++) {
        append_channel(all, g_array_index(path, uint32_t, i), text);
        g_string_append(text, ", ");
    }
    if (path->len - begin > MOST_SHOWN)
        g_string_append_printf(text, "%u more, ", path->len - begin - MOST_SHOWN);
    append_channel(all, first, text);
    return g_string_free(text, FALSE);
}

static char *find_circle(const Analysis *all)
{
    g_autofree uint8_t *state = g_new0(uint8_t, all->channels);
    g_autofree guint *place = g_new0(guint, all->channels);
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t channel = 0; channel < all->channels; channel++) {
        uint32_t first = state[channel] == UNSEEN ? circle_from(all, channel, state, place, path) : NET_NONE;
        if (first != NET_NONE)
            return describe(all, path, first);
    }
    return NULL;
}

char *net_dependency_circle(const Network *net, uint64_t work, bool whole_links, bool *complete)
{
    uint32_t classes = net->routing->classes(net);
    Analysis all = {.net = net,
                    .classes = classes,
                    .whole_links = whole_links,
                    .channels = net->graph.links * classes,
                    .work = work};
    *complete = true;
    if (!net->graph.links)
        return NULL;
    all.escape = g_new0(bool, all.channels);
    all.waits = g_new0(GArray *, all.channels);
    all.seen = g_new0(uint32_t, all.channels);
    all.queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    all.escapes = net->routing->adaptive && !whole_links && !net->source_routed;
    search_all(&all);
    char *circle = find_circle(&all);
    *complete = all.work > 0;
    for (uint32_t i = 0; i < all.channels; i++)
        if (all.waits[i])
            g_array_free(all.waits[i], TRUE);
    g_free(all.waits);
    g_free(all.escape);
    g_free(all.seen);
    g_array_free(all.queue, TRUE);
    return circle;
}
