/* dragonfly.c - dragonfly (p, a, h, g): Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable Dragonfly
 * Topology", ISCA 2008.
 *
 * There are g groups of a routers. Each router has p nodes, a link to every other router of its group, and h global
 * channels. A group has a h global channels. Channel c of group i goes to group i + 1 + c mod (g - 1), modulo g, and
 * comes back there as the channel with the opposite offset. With g = a h + 1, the default, every two groups have one
 * channel. With fewer groups they have several: as many as every pair can have alike. The rest stay unused.
 *
 * Minimal routes have at most one local hop to the router with the channel, the global hop, and one local hop. Local
 * links of the destination's group are taken on channel class 1, all others on class 0. So waiting follows the order
 * local 0, global 0, local 1.
 */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

typedef struct Dragonfly {
    uint32_t p, a, h, g; /* nodes per router, routers per group, global channels per router, groups */
    uint32_t bundles;    /* global channels between two groups */
    uint32_t nodes;
} Dragonfly;

static Dragonfly shape_of(const NetParams *params)
{
    Dragonfly shape = {
        .p = params->dims[0], .a = params->dims[1], .h = params->dims[2], .g = params->dims[3], .nodes = params->nodes};
    shape.bundles = shape.g > 1 ? shape.a * shape.h / (shape.g - 1) : 0;
    return shape;
}

static bool check_sizes(const NetParams *params, GError **error)
{
    uint64_t routers = (uint64_t)params->dims[1] * params->dims[3];
    if (routers > NET_MAX_NODES || routers * params->dims[0] > NET_MAX_NODES)
        return net_error_refuse(error, "dims", "this dragonfly has more than %u nodes", NET_MAX_NODES);
    uint32_t nodes = (uint32_t)routers * params->dims[0];
    if (params->nodes && params->nodes != nodes)
        return net_error_refuse(error, "dims", "this dragonfly has p a g = %u nodes, but nodes is %u", nodes,
                                params->nodes);
    return true;
}

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims < 3 || params->n_dims > 4)
        return net_error_refuse(error, "dims",
                                "a dragonfly has three or four parameters: p nodes at each of a routers of a "
                                "group, h global channels per router, g groups, like 2x4x2; %u are given",
                                params->n_dims);
    for (uint32_t i = 0; i < params->n_dims; i++)
        if (params->dims[i] == 0)
            return net_error_refuse(error, "dims", "%c = 0 in a dragonfly; p, a, h and g must be at least 1",
                                    "pahg"[i]);
    uint64_t channels = (uint64_t)params->dims[1] * params->dims[2];
    uint64_t groups = params->n_dims == 4 ? params->dims[3] : channels + 1;
    if (groups > channels + 1)
        return net_error_refuse(
            error, "dims", "%u groups need %u global channels each to reach each other, but a h is %" G_GUINT64_FORMAT,
            (uint32_t)groups, (uint32_t)groups - 1, channels);
    if (groups > NET_MAX_NODES)
        return net_error_refuse(error, "dims", "this dragonfly has more than %u nodes", NET_MAX_NODES);
    params->dims[3] = (uint32_t)groups;
    params->n_dims = 4;
    if (!check_sizes(params, error))
        return false;
    params->nodes = params->dims[0] * params->dims[1] * params->dims[3];
    return true;
}

static uint32_t switches(const NetParams *params)
{
    return params->dims[1] * params->dims[3];
}

static uint64_t links(const NetParams *params)
{
    Dragonfly shape = shape_of(params);
    uint64_t routers = (uint64_t)shape.a * shape.g;
    return UINT64_C(2) * params->nodes + routers * (shape.a - 1) +
           (uint64_t)shape.g * shape.bundles * (shape.g > 1 ? shape.g - 1 : 0);
}

static void build_groups(const Dragonfly *shape, NetGraph *graph)
{
    for (uint32_t node = 0; node < shape->nodes; node++)
        net_graph_add_both(graph, node, shape->nodes + node / shape->p);
    for (uint32_t group = 0; group < shape->g; group++)
        for (uint32_t i = 0; i < shape->a; i++)
            for (uint32_t j = 0; j < i; j++)
                net_graph_add_both(graph, shape->nodes + group * shape->a + i, shape->nodes + group * shape->a + j);
}

/* Returns the router of group `from` at which a global channel to group `to` begins. */
static uint32_t gateway_of(const Dragonfly *shape, uint32_t from, uint32_t to, uint32_t bundle)
{
    uint32_t offset = (to + shape->g - from) % shape->g - 1;
    uint32_t channel = bundle * (shape->g - 1) + offset;
    return shape->nodes + from * shape->a + channel / shape->h;
}

static void build(const NetParams *params, NetGraph *graph)
{
    Dragonfly shape = shape_of(params);
    build_groups(&shape, graph);
    for (uint32_t from = 0; from < shape.g; from++)
        for (uint32_t to = from + 1; to < shape.g; to++)
            for (uint32_t bundle = 0; bundle < shape.bundles; bundle++)
                net_graph_add_global(graph, params, gateway_of(&shape, from, to, bundle),
                                     gateway_of(&shape, to, from, shape.bundles - 1 - bundle));
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    Dragonfly shape = shape_of(params);
    if (vertex < shape.nodes)
        return g_strdup_printf("node %u", vertex);
    uint32_t router = vertex - shape.nodes;
    return g_strdup_printf("router %u.%u", router / shape.a, router % shape.a);
}

/* Groups are on a circle, their routers on smaller circles, and the nodes of a router in a row outside of it. */
static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    Dragonfly shape = shape_of(params);
    bool node = vertex < shape.nodes;
    uint32_t router = node ? vertex / shape.p : vertex - shape.nodes;
    double gx, gy, rx, ry;
    double size = shape.p + 1.5;
    net_topology_circle_position(router / shape.a, MAX(shape.g, 2), &gx, &gy);
    net_topology_circle_position(router % shape.a, MAX(shape.a, 2), &rx, &ry);
    double group = size * (shape.a / 3.0 + 0.8) + 1;
    *x = gx * group + rx * size;
    *y = gy * group + ry * size;
    if (!node)
        return;
    *x += vertex % shape.p - (shape.p - 1) / 2.0;
    *y += 0.8;
}

/* Of several channels between two groups, returns the one with the fewest local hops. If several have the fewest, the
 * destination decides. */
static uint32_t nearest_bundle(const Dragonfly *shape, uint32_t at, uint32_t router, uint32_t here, uint32_t there)
{
    uint32_t best = 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < shape->bundles; i++) {
        uint32_t bundle = (router + i) % shape->bundles;
        uint32_t hops = (gateway_of(shape, here, there, bundle) != at) +
                        (gateway_of(shape, there, here, shape->bundles - 1 - bundle) != router);
        if (hops < least) {
            least = hops;
            best = bundle;
        }
    }
    return best;
}

static NetHop toward(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    Dragonfly shape = shape_of(params);
    if (at < shape.nodes)
        return (NetHop){.link = graph->first_out[at]};
    uint32_t here = (at - shape.nodes) / shape.a;
    uint32_t router = to < shape.nodes ? shape.nodes + to / shape.p : to;
    uint32_t there = (router - shape.nodes) / shape.a;
    uint32_t bundle = here != there ? nearest_bundle(&shape, at, router, here, there) : 0;
    uint32_t next = router;
    if (at == router)
        next = to;
    else if (here != there) {
        next = gateway_of(&shape, here, there, bundle);
        if (next == at)
            next = gateway_of(&shape, there, here, shape.bundles - 1 - bundle);
    }
    return (NetHop){.link = net_graph_link_to(graph, at, next), .channel_class = here == there && at != router};
}

static uint32_t classes(const NetParams *params)
{
    return params->dims[3] > 1 && params->dims[1] > 1 ? 2 : 1;
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    NetHop hop = toward(params, graph, at, to);
    hop.channel_class = MIN(hop.channel_class, classes(params) - 1);
    return hop;
}

const NetTopology net_topology_dragonfly = {
    .name = "dragonfly",
    .arguments = "p a h g",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
    .next = next,
    .toward = toward,
    .classes = classes,
};
