/* bounds.c - what is known of an experiment before it runs: the latency in an empty network, and the load at which the
 * link that a pattern uses most is full (Dally and Towles, 2004, section 3.3.1).
 */
#include "traffic/internal.h"

enum { MOST_EXACT_NODES = 2048, PAIRS_SAMPLED = 1 << 16, LONGEST_ROUTE = 1 << 16, MOST_MEASURED = 4096 };

uint64_t traffic_bounds_cycle_ps(const NetParams *params)
{
    return MAX(net_serialise(params->wormhole.flit_bytes, params->bandwidth), 1);
}

/* The load of a link is counted in 1 / 2^20 of what one node sends, so that sums do not depend on an order. */
enum { SHARE_BITS = 20 };

typedef struct Survey {
    const Network *net;
    const TrafficPattern *pattern;
    const TrafficNodes *nodes;
    const TrafficLengths *lengths;
    uint64_t *load; /* load of each link, in 1 / 2^20 */
    uint32_t *route;
    uint64_t pairs, stride; /* the latency of every stride-th pair is measured */
    uint64_t weight;        /* sum of the shares of all pairs */
    uint64_t timed;         /* sum of the shares of the pairs that were measured */
    double latency_ps;      /* sum of latency times share over those pairs */
} Survey;

static void add_pair(Survey *survey, uint32_t from, uint32_t to, uint64_t weight)
{
    uint32_t hops = net_route(survey->net, from, to, survey->route, LONGEST_ROUTE);
    for (uint32_t i = 0; i < MIN(hops, (uint32_t)LONGEST_ROUTE); i++)
        survey->load[survey->route[i]] += weight;
    survey->weight += weight;
    if (survey->pairs++ % survey->stride)
        return;
    survey->timed += weight;
    survey->latency_ps += traffic_lengths_zero_load_ps(survey->lengths, survey->net, from, to) * (double)weight;
}

static uint32_t survey_all(Survey *survey)
{
    uint32_t senders = 0;
    for (uint32_t from = 0; from < survey->nodes->count; from++) {
        uint64_t before = survey->weight;
        for (uint32_t to = 0; to < survey->nodes->count; to++) {
            uint64_t of, share = from == to ? 0 : traffic_pattern_share(survey->pattern, survey->nodes, from, to, &of);
            if (share)
                add_pair(survey, from, to, (share << SHARE_BITS) / of);
        }
        senders += survey->weight > before;
    }
    return senders;
}

static uint32_t survey_some(Survey *survey, uint64_t seed)
{
    TrafficRandom random;
    traffic_random_init(&random, (uint32_t[]){(uint32_t)seed, (uint32_t)(seed >> 32)}, 2);
    uint32_t count = survey->nodes->count, senders = 0;
    for (uint32_t i = 0; i < MAX(PAIRS_SAMPLED, count); i++) {
        uint32_t from = i < count ? i : traffic_random_below(&random, count);
        uint32_t to = survey->pattern->destination(survey->nodes, from, &random);
        if (to == from)
            continue;
        senders += i < count;
        add_pair(survey, from, to, 1 << SHARE_BITS);
    }
    return senders;
}

/* A shared medium carries one message at a time, so every message adds to the load of all. */
static void find_busiest(const Survey *survey, TrafficBounds *bounds)
{
    uint64_t most = net_network_is_shared(survey->net) ? survey->weight : 0;
    for (uint32_t i = 0; i < net_link_count(survey->net); i++)
        if (survey->load[i] > most) {
            most = survey->load[i];
            bounds->busiest_link = i;
        }
    if (most)
        bounds->busiest = (double)(1 << SHARE_BITS) / (double)most;
}

/* Some thousands of pairs are enough to estimate the mean latency. An odd stride meets all kinds of pairs. */
static uint64_t stride_for(const Network *net)
{
    uint64_t nodes = MIN(net_network_nodes(net), MOST_EXACT_NODES);
    return net_zero_load_is_known(net) ? 1 : nodes * nodes / MOST_MEASURED | 1;
}

bool traffic_bounds(const NetParams *params, const TrafficOptions *options, TrafficBounds *bounds, GError **error)
{
    static const NetClient nobody = {0};
    NetParams own = traffic_options_network(params, options);
    g_autoptr(Network) net = net_network_new(&own, &nobody, error);
    TrafficNodes nodes;
    const TrafficPattern *pattern = net ? traffic_pattern(net, options, &nodes, error) : NULL;
    TrafficLengths lengths;
    if (!pattern || !traffic_lengths_init(&lengths, &own, options, error))
        return false;
    g_autofree uint64_t *load = g_new0(uint64_t, MAX(net_link_count(net), 1));
    g_autofree uint32_t *route = g_new(uint32_t, LONGEST_ROUTE);
    Survey survey = {.net = net,
                     .pattern = pattern,
                     .nodes = &nodes,
                     .lengths = &lengths,
                     .stride = stride_for(net),
                     .load = load,
                     .route = route};
    *bounds = (TrafficBounds){.nodes = nodes.count,
                              .cycle_ps = traffic_bounds_cycle_ps(&own),
                              .message_flits = (double)lengths.flits / (double)lengths.weight};
    bool exact = nodes.count <= MOST_EXACT_NODES;
    bounds->senders = exact ? survey_all(&survey) : survey_some(&survey, options->seed);
    if (!survey.weight)
        return traffic_error_refuse(error, TRAFFIC_ERROR_PATTERN,
                                    "traffic \"%s\": no node sends anything to another on this network",
                                    options->pattern);
    bounds->zero_load = survey.latency_ps / (double)survey.timed / (double)bounds->cycle_ps;
    if (exact && net_has_one_path(net))
        find_busiest(&survey, bounds);
    return true;
}
