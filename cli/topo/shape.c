/* shape.c - the shape of a network in numbers: degree, diameter, average distance, bisection, cost (Dally and Towles,
 * "Principles and Practices of Interconnection Networks", 2004, section 3.1 and chapter 22).
 *
 * The cost is: cables (the two directions between two vertices are one), the ports at their ends, bandwidth, and the
 * length of wire in the drawing, in distances between neighbouring nodes. Diameter and distances are found by a search
 * from every node, and are left out if that would take long.
 */
#include "cli/topo/topo.h"
#include "netsim/netsim.h"

#include <math.h>

enum { MOST_NODES_TO_SEARCH = 4096 };

static void append_degrees(const Network *net, GString *out)
{
    uint32_t nodes = net_network_nodes(net), vertices = net_vertex_count(net);
    g_autofree uint32_t *degree = g_new0(uint32_t, vertices);
    for (uint32_t i = 0; i < net_link_count(net); i++)
        degree[net_link(net, i)->from]++;
    for (int switches = 0; switches < 2; switches++) {
        uint32_t first = switches ? nodes : 0, end = switches ? vertices : nodes;
        uint32_t least = UINT32_MAX, greatest = 0;
        for (uint32_t vertex = first; vertex < end; vertex++) {
            least = MIN(least, degree[vertex]);
            greatest = MAX(greatest, degree[vertex]);
        }
        if (first == end)
            continue;
        g_string_append_printf(out, switches ? "; of switches %u" : "degree      %u", least);
        if (least != greatest)
            g_string_append_printf(out, " to %u", greatest);
    }
    g_string_append_c(out, '\n');
}

static void append_distances(const Network *net, GString *out)
{
    if (net_network_nodes(net) > MOST_NODES_TO_SEARCH) {
        g_string_append_printf(out, "distance    not worked out for more than %d nodes, nor diameter and bisection\n",
                               MOST_NODES_TO_SEARCH);
        return;
    }
    g_string_append_printf(out, "diameter    %u hops\n", net_distance_diameter(net));
    if (!net_link_count(net))
        return;
    g_string_append_printf(out, "distance    %.3f hops on average between two nodes\n", net_distance_average(net));
    uint32_t bisection = net_bisection(net);
    g_string_append_printf(out, "bisection   %u link%s from the lower half of the nodes to the upper\n", bisection,
                           bisection == 1 ? "" : "s");
}

typedef struct Pair { /* the two vertices of a link, the lower first */
    uint32_t low, high, link;
} Pair;

static int compare_pairs(gconstpointer a, gconstpointer b)
{
    const Pair *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->link > y->link) - (x->link < y->link);
}

static double length_of(const Network *net, const Pair *pair)
{
    double x, y, to_x, to_y;
    net_vertex_position(net, pair->low, &x, &y);
    net_vertex_position(net, pair->high, &to_x, &to_y);
    return hypot(to_x - x, to_y - y);
}

/* Links in one direction are matched with links in the other direction between the same vertices. Those without a
 * partner are cables, too. */
static void append_cost(const Network *net, GString *out)
{
    uint32_t links = net_link_count(net);
    if (!links)
        return;
    g_autofree Pair *pairs = g_new(Pair, links);
    for (uint32_t i = 0; i < links; i++) {
        const NetLink *link = net_link(net, i);
        pairs[i] = (Pair){MIN(link->from, link->to), MAX(link->from, link->to), i};
    }
    qsort(pairs, links, sizeof *pairs, compare_pairs);
    uint64_t cables = 0, node_ports = 0, switch_ports = 0;
    double wire = 0, bandwidth = 0;
    for (uint32_t i = 0, end; i < links; i = end) {
        uint64_t up = 0, down = 0;
        for (end = i; end < links && pairs[end].low == pairs[i].low && pairs[end].high == pairs[i].high; end++) {
            const NetLink *link = net_link(net, pairs[end].link);
            *(link->from == pairs[i].low ? &up : &down) += 1;
            bandwidth += (double)link->bandwidth;
        }
        uint64_t here = MAX(up, down);
        cables += here;
        wire += (double)here * length_of(net, &pairs[i]);
        *(pairs[i].low < net_network_nodes(net) ? &node_ports : &switch_ports) += here;
        *(pairs[i].high < net_network_nodes(net) ? &node_ports : &switch_ports) += here;
    }
    g_string_append_printf(out, "cost        %" G_GUINT64_FORMAT " cable%s, %" G_GUINT64_FORMAT " ports of nodes",
                           cables, cables == 1 ? "" : "s", node_ports);
    if (switch_ports)
        g_string_append_printf(out, " and %" G_GUINT64_FORMAT " of switches", switch_ports);
    g_string_append_printf(out, ", %.6g GB/s in all links together\n", bandwidth / 1e9);
    g_string_append_printf(out, "            %.6g node distances of wire, as it is drawn\n", wire);
}

void cli_topo_shape(const Network *net, GString *out)
{
    append_degrees(net, out);
    append_distances(net, out);
    append_cost(net, out);
}
