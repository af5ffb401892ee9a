/* background.c - traffic that runs beside a program: messages of a pattern at a load, as long as the caller asks for
 * them.
 *
 * The sources are those of `orrery net` (measure.c): in each cycle every node makes a message with the same
 * probability. Here they push back. A node that has `most_waiting` messages under way makes no further one until one of
 * them has arrived; the messages that it does not make are counted. So memory is bounded at any load. Times and
 * destinations depend on the seed alone. Only whether a message is made depends on the network too.
 */
#include "base/pool.h"
#include "base/queue.h"
#include "traffic/internal.h"

typedef struct Making { /* a message under way; its index is the cookie that the network knows */
    uint64_t made_ps;
    uint32_t from;
} Making;

struct TrafficBackground {
    Network *net;
    TrafficNodes nodes;
    const TrafficPattern *pattern;
    TrafficArrivals arrivals;
    TrafficRandom random;
    BaseQueue *next; /* the time of each node's next message */
    uint64_t cycle_ps, bytes, end_ps;
    uint32_t most_waiting;
    uint32_t *waiting; /* messages under way of each node */
    Making *making;
    BasePool makings;
    TrafficBackgroundCounts counts;
};

static void leave_place(TrafficBackground *source, uint32_t index)
{
    source->waiting[source->making[index].from]--;
    BASE_POOL_GIVE(&source->makings, source->making, index);
}

static void delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    TrafficBackground *source = user;
    source->counts.delivered++;
    source->counts.delivered_bytes += source->bytes;
    source->counts.latency_ps += time_ps - source->making[cookie].made_ps;
    leave_place(source, (uint32_t)cookie);
}

static void undeliverable(void *user, uint64_t cookie, const char *why)
{
    TrafficBackground *source = user;
    (void)why;
    source->counts.undeliverable++;
    leave_place(source, (uint32_t)cookie);
}

static void plan(TrafficBackground *source, uint32_t node, uint64_t from_ps)
{
    uint64_t gap = traffic_arrivals_gap(&source->arrivals, &source->random);
    if (gap >= (UINT64_MAX - from_ps) / source->cycle_ps)
        return;
    uint64_t time_ps = from_ps + gap * source->cycle_ps;
    if (!source->end_ps || time_ps < source->end_ps)
        base_queue_push(source->next, time_ps, 0, node, 0, 0);
}

static bool check(const TrafficBackgroundOptions *options, GError **error)
{
    if (options->load < 1 || options->load > TRAFFIC_LOAD_ONE)
        return traffic_error_refuse(error, TRAFFIC_ERROR_OPTION,
                                    "load: it is above 0 and at most 1 flit per node and cycle");
    if (options->end_ps && options->end_ps <= options->start_ps)
        return traffic_error_refuse(error, TRAFFIC_ERROR_OPTION, "end: background traffic ends before it begins");
    return true;
}

TrafficBackground *traffic_background_new(Network *net, const TrafficBackgroundOptions *options, GError **error)
{
    TrafficOptions pattern = {.pattern = options->pattern,
                              .sizes = {{options->bytes, 1}},
                              .n_sizes = options->bytes > 0,
                              .hot_node = options->hot_node,
                              .hot_percent = options->hot_percent};
    TrafficLengths lengths;
    TrafficNodes nodes;
    if (!check(options, error))
        return NULL;
    if (!traffic_lengths_init(&lengths, net_network_params(net), &pattern, error)) {
        g_prefix_error(error, "message-bytes: ");
        return NULL;
    }
    const TrafficPattern *found = traffic_pattern(net, &pattern, &nodes, error);
    if (!found) {
        g_prefix_error(error, "pattern: ");
        return NULL;
    }
    TrafficBackground *source = g_new0(TrafficBackground, 1);
    source->net = net;
    source->nodes = nodes;
    source->pattern = found;
    source->bytes = lengths.length[0].bytes;
    source->cycle_ps = traffic_bounds_cycle_ps(net_network_params(net));
    source->end_ps = options->end_ps;
    source->most_waiting = options->most_waiting;
    source->waiting = g_new0(uint32_t, nodes.count);
    source->next = base_queue_new();
    uint32_t seed[] = {(uint32_t)options->seed, (uint32_t)(options->seed >> 32), (uint32_t)options->load};
    traffic_random_init(&source->random, seed, G_N_ELEMENTS(seed));
    traffic_arrivals_init(&source->arrivals, options->load, TRAFFIC_LOAD_ONE * lengths.flits);
    const NetClient client = {.user = source, .delivered = delivered, .undeliverable = undeliverable};
    net_network_set_background(net, &client);
    for (uint32_t node = 0; node < nodes.count; node++)
        plan(source, node, options->start_ps);
    return source;
}

void traffic_background_free(TrafficBackground *source)
{
    if (!source)
        return;
    base_queue_free(source->next);
    g_free(source->waiting);
    g_free(source->making);
    g_free(source);
}

uint64_t traffic_background_next(const TrafficBackground *source)
{
    const BaseEvent *top = base_queue_top(source->next);
    return top ? top->time_ps : UINT64_MAX;
}

void traffic_background_step(TrafficBackground *source)
{
    BaseEvent event;
    if (!base_queue_pop(source->next, &event))
        return;
    uint32_t from = event.rank, to = source->pattern->destination(&source->nodes, from, &source->random);
    plan(source, from, event.time_ps + source->cycle_ps);
    if (to == from)
        return;
    if (source->waiting[from] == source->most_waiting) {
        source->counts.refused++;
        return;
    }
    uint32_t index = BASE_POOL_TAKE(&source->makings, source->making);
    source->making[index] = (Making){.made_ps = event.time_ps, .from = from};
    source->waiting[from]++;
    source->counts.made++;
    net_send(source->net, &(NetSend){.from = from,
                                     .to = to,
                                     .bytes = source->bytes,
                                     .time_ps = event.time_ps,
                                     .cookie = index,
                                     .background = true});
}

void traffic_background_counts(const TrafficBackground *source, TrafficBackgroundCounts *counts)
{
    *counts = source->counts;
}
