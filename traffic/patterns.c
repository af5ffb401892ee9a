/* patterns.c - who sends to whom: the permutations and distributions that networks are compared by.
 *
 * A pattern is a row of patterns.def and a function from a node to a destination. Permutations of the bits of a node's
 * number need a power of two. Patterns along dimensions use the extents of the topology; if it has none, all nodes form
 * one row. A node that a permutation maps to itself sends nothing, because such messages would not use the network.
 */
#include "traffic/internal.h"

#include <string.h>

/* -- permutations of bits ---------------------------------------------------------------------- */

static bool check_bits(const TrafficNodes *nodes, GError **error)
{
    if (nodes->bits)
        return true;
    return traffic_error_refuse(error, TRAFFIC_ERROR_PATTERN,
                                "it permutes the bits of node numbers and needs a power of two of nodes; there are %u",
                                nodes->count);
}

static uint32_t to_bit_complement(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    (void)random;
    return from ^ (nodes->count - 1);
}

static uint32_t to_bit_reverse(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    (void)random;
    uint32_t to = 0;
    for (uint32_t i = 0; i < nodes->bits; i++)
        to |= (from >> i & 1) << (nodes->bits - 1 - i);
    return to;
}

static uint32_t rotated(const TrafficNodes *nodes, uint32_t from, uint32_t by)
{
    return ((from << by) | from >> (nodes->bits - by)) & (nodes->count - 1);
}

static uint32_t to_shuffle(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    (void)random;
    return rotated(nodes, from, 1);
}

/* -- along dimensions -------------------------------------------------------------------------- */

static void coordinates_of(const TrafficNodes *nodes, uint32_t node, uint32_t *coordinates)
{
    for (uint32_t i = nodes->n_dims; i-- > 0; node /= nodes->dims[i])
        coordinates[i] = node % nodes->dims[i];
}

static uint32_t node_at(const TrafficNodes *nodes, const uint32_t *coordinates)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < nodes->n_dims; i++)
        node = node * nodes->dims[i] + coordinates[i];
    return node;
}

static uint32_t to_tornado(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    (void)random;
    uint32_t at[NET_MAX_DIMENSIONS];
    coordinates_of(nodes, from, at);
    for (uint32_t i = 0; i < nodes->n_dims; i++)
        at[i] = (at[i] + (nodes->dims[i] + 1) / 2 - 1) % nodes->dims[i];
    return node_at(nodes, at);
}

static uint32_t to_neighbour(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    (void)random;
    uint32_t at[NET_MAX_DIMENSIONS];
    coordinates_of(nodes, from, at);
    for (uint32_t i = 0; i < nodes->n_dims; i++)
        at[i] = (at[i] + 1) % nodes->dims[i];
    return node_at(nodes, at);
}

/* Tells whether the first half of the dimensions has the same extents as the second half. */
static bool is_square(const TrafficNodes *nodes)
{
    if (nodes->n_dims % 2)
        return false;
    for (uint32_t i = 0; i < nodes->n_dims / 2; i++)
        if (nodes->dims[i] != nodes->dims[nodes->n_dims / 2 + i])
            return false;
    return true;
}

static bool check_transpose(const TrafficNodes *nodes, GError **error)
{
    if (is_square(nodes) || (nodes->bits && nodes->bits % 2 == 0))
        return true;
    return traffic_error_refuse(error, TRAFFIC_ERROR_PATTERN,
                                "it needs a square: two equal extents, or an even power of two of nodes; there are %u",
                                nodes->count);
}

static uint32_t to_transpose(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    (void)random;
    if (!is_square(nodes))
        return rotated(nodes, from, nodes->bits / 2);
    uint32_t at[NET_MAX_DIMENSIONS], to[NET_MAX_DIMENSIONS], half = nodes->n_dims / 2;
    coordinates_of(nodes, from, at);
    for (uint32_t i = 0; i < nodes->n_dims; i++)
        to[i] = at[(i + half) % nodes->n_dims];
    return node_at(nodes, to);
}

/* -- distributions ----------------------------------------------------------------------------- */

static uint32_t to_uniform(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    if (nodes->count == 1)
        return from;
    uint32_t to = traffic_random_below(random, nodes->count - 1);
    return to + (to >= from);
}

static bool check_hotspot(const TrafficNodes *nodes, GError **error)
{
    if (nodes->hot_node < nodes->count)
        return true;
    return traffic_error_refuse(error, TRAFFIC_ERROR_PATTERN, "there is no node %u; nodes are 0 to %u", nodes->hot_node,
                                nodes->count - 1);
}

static uint32_t to_hotspot(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random)
{
    bool hot = traffic_random_below(random, 100) < nodes->hot_percent;
    return hot && from != nodes->hot_node ? nodes->hot_node : to_uniform(nodes, from, random);
}

/* -- the table --------------------------------------------------------------------------------- */

static const TrafficPattern patterns[] = {
#define TRAFFIC_PATTERN(symbol, name, check, help) {name, help, check, to_##symbol},
#include "traffic/patterns.def"
};

const char *const *traffic_patterns(void)
{
    static const char *const names[] = {
#define TRAFFIC_PATTERN(symbol, name, check, help) name,
#include "traffic/patterns.def"
        NULL};
    return names;
}

const char *traffic_pattern_help(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        if (strcmp(patterns[i].name, name) == 0)
            return patterns[i].help;
    return NULL;
}

bool traffic_pattern_has_hot_node(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        if (strcmp(patterns[i].name, name) == 0)
            return patterns[i].destination == to_hotspot;
    return false;
}

static TrafficNodes nodes_of(const Network *net, const TrafficOptions *options)
{
    const NetParams *params = net_network_params(net);
    TrafficNodes nodes = {
        .count = net_network_nodes(net), .hot_node = options->hot_node, .hot_percent = options->hot_percent};
    uint64_t product = 1;
    for (uint32_t i = 0; i < params->n_dims; i++)
        product *= params->dims[i];
    if (params->n_dims && product == nodes.count) {
        memcpy(nodes.dims, params->dims, sizeof nodes.dims);
        nodes.n_dims = params->n_dims;
    } else {
        nodes.dims[0] = nodes.count;
        nodes.n_dims = 1;
    }
    while (UINT32_C(1) << nodes.bits < nodes.count)
        nodes.bits++;
    if (UINT32_C(1) << nodes.bits != nodes.count)
        nodes.bits = 0;
    return nodes;
}

const TrafficPattern *traffic_pattern(const Network *net, const TrafficOptions *options, TrafficNodes *nodes,
                                      GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
        if (strcmp(patterns[i].name, options->pattern) != 0)
            continue;
        *nodes = nodes_of(net, options);
        if (!patterns[i].check || patterns[i].check(nodes, error))
            return &patterns[i];
        g_prefix_error(error, "traffic \"%s\": ", options->pattern);
        return NULL;
    }
    g_autofree char *known = g_strjoinv(", ", (char **)traffic_patterns());
    g_set_error(error, TRAFFIC_ERROR, TRAFFIC_ERROR_PATTERN, "there is no traffic \"%s\"; there are: %s",
                options->pattern, known);
    return NULL;
}

uint64_t traffic_pattern_share(const TrafficPattern *pattern, const TrafficNodes *nodes, uint32_t from, uint32_t to,
                               uint64_t *of)
{
    bool hot = pattern->destination == to_hotspot;
    *of = 1;
    if (!hot && pattern->destination != to_uniform)
        return pattern->destination(nodes, from, NULL) == to;
    uint32_t percent = hot && from != nodes->hot_node ? nodes->hot_percent : 0;
    *of = UINT64_C(100) * (nodes->count - 1);
    return from == to ? 0 : 100 - percent + (hot && to == nodes->hot_node ? (uint64_t)percent * (nodes->count - 1) : 0);
}
