/* clos.c - Clos network (m, n, r): r ingress switches with n nodes each, m middle switches, r egress switches (Clos, "A
 * Study of Non-blocking Switching Networks", Bell System Technical Journal 32(2), 1953; letters as in Dally and Towles,
 * chapter 6). m >= n makes it rearrangeably non-blocking, m >= 2n - 1 strictly non-blocking.
 *
 * Every ingress switch has a link to every middle switch, and every middle switch has one to every egress switch. Links
 * run one way, so no cycle of waiting can form. A message passes the middle switch whose number is its destination
 * modulo m.
 */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims != 3)
        return net_error_refuse(error, "dims",
                                "a Clos network has three parameters, m middle switches, n nodes at each of r "
                                "switches, like 4x4x8; %u are given",
                                params->n_dims);
    for (uint32_t i = 0; i < 3; i++)
        if (params->dims[i] == 0)
            return net_error_refuse(error, "dims", "%c = 0 in a Clos network; m, n and r must be at least 1", "mnr"[i]);
    uint64_t nodes = (uint64_t)params->dims[1] * params->dims[2];
    if (nodes > NET_MAX_NODES)
        return net_error_refuse(error, "dims", "%u x %u nodes are more than the %u there may be", params->dims[1],
                                params->dims[2], NET_MAX_NODES);
    if (params->nodes && params->nodes != nodes)
        return net_error_refuse(error, "dims", "this Clos network has %u nodes, but nodes is %u", (uint32_t)nodes,
                                params->nodes);
    params->nodes = (uint32_t)nodes;
    return true;
}

static uint32_t switches(const NetParams *params)
{
    return 2 * params->dims[2] + params->dims[0];
}

static uint64_t links(const NetParams *params)
{
    return UINT64_C(2) * params->nodes + UINT64_C(2) * params->dims[0] * params->dims[2];
}

/* The order of the vertices is nodes, ingress, middle, egress. */
static void build(const NetParams *params, NetGraph *graph)
{
    uint32_t m = params->dims[0];
    uint32_t n = params->dims[1];
    uint32_t r = params->dims[2];
    uint32_t ingress = params->nodes;
    uint32_t middle = ingress + r;
    uint32_t egress = middle + m;
    for (uint32_t node = 0; node < params->nodes; node++) {
        net_graph_add(graph, node, ingress + node / n);
        net_graph_add(graph, egress + node / n, node);
    }
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t j = 0; j < m; j++) {
            net_graph_add(graph, ingress + i, middle + j);
            net_graph_add(graph, middle + j, egress + i);
        }
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    uint32_t m = params->dims[0];
    uint32_t r = params->dims[2];
    uint32_t index = vertex - params->nodes;
    if (vertex < params->nodes)
        return g_strdup_printf("node %u", vertex);
    if (index < r)
        return g_strdup_printf("in %u", index);
    return index < r + m ? g_strdup_printf("middle %u", index - r) : g_strdup_printf("out %u", index - r - m);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    uint32_t m = params->dims[0];
    uint32_t r = params->dims[2];
    uint32_t index = vertex - params->nodes;
    double height = MAX(params->nodes, m);
    double step = MAX(2.0, height / 8);
    uint32_t column = vertex < params->nodes ? 0 : index < r ? 1 : index < r + m ? 2 : 3;
    uint32_t count = column == 0 ? params->nodes : column == 2 ? m : r;
    uint32_t place = column == 0 ? vertex : column == 1 ? index : column == 2 ? index - r : index - r - m;
    *x = column * step;
    *y = (place + 0.5) * height / count;
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    uint32_t m = params->dims[0];
    uint32_t n = params->dims[1];
    uint32_t r = params->dims[2];
    uint32_t index = at - params->nodes;
    if (at < params->nodes)
        return (NetHop){.link = graph->first_out[at]};
    uint32_t port = index < r ? to % m : index < r + m ? to / n : to % n;
    return (NetHop){.link = graph->first_out[at] + port};
}

static uint32_t diameter(const NetParams *params)
{
    return params->nodes > 1 ? 4 : 0;
}

const NetTopology net_topology_clos = {
    .name = "clos",
    .arguments = "m n r",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
    .next = next,
    .diameter = diameter,
    .one_way = true,
};
