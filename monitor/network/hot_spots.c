/* hot_spots.c - where a network was too narrow: the links that packets waited for, which messages waited behind which,
 * and how much of the network's bisection was used. */
#include "monitor/network/network.h"
#include "monitor/report/report.h"

enum { MOST_SPOTS = 8, MOST_NODES_FOR_BISECTION = 4096 };

static int compare_waits(gconstpointer a, gconstpointer b, gpointer user)
{
    const Network *net = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t left = net_link(net, x)->blocked_ps, right = net_link(net, y)->blocked_ps;
    if (left != right)
        return left > right ? -1 : 1;
    return (x > y) - (x < y);
}

GArray *mon_network_hot_spots(const MonNetwork *network)
{
    GArray *links = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < net_link_count(network->net); i++)
        if (net_link(network->net, i)->blocked_ps)
            g_array_append_val(links, i);
    g_array_sort_with_data(links, compare_waits, (gpointer)network->net);
    return links;
}

bool mon_network_bisection(const MonNetwork *network, MonBisection *bisection)
{
    const Network *net = network->net;
    uint32_t links = network->channels ? net_link_count(net) : 0;
    *bisection = (MonBisection){0};
    if (!links || net_network_nodes(net) < 2 || net_network_nodes(net) > MOST_NODES_FOR_BISECTION)
        return false;
    g_autofree bool *crosses = g_new(bool, links);
    for (int down = 0; down < 2; down++) {
        net_bisection_links(net, down, crosses);
        for (uint32_t i = 0; i < links; i++) {
            const NetLink *link = net_link(net, i);
            bisection->links += crosses[i];
            bisection->bytes += crosses[i] ? link->bytes : 0;
            bisection->busy_ps += crosses[i] ? link->busy_ps : 0;
            bisection->most_busy_ps = MAX(bisection->most_busy_ps, crosses[i] ? link->busy_ps : 0);
        }
    }
    return true;
}

/* -- text -------------------------------------------------------------------------------------- */

static void append_spot(const MonNetwork *network, uint32_t index, GString *out)
{
    const NetLink *link = net_link(network->net, index);
    const MonHotSpot *spot = &network->spots[index];
    g_autofree char *from = net_vertex_name(network->net, link->from);
    g_autofree char *to = net_vertex_name(network->net, link->to);
    g_autofree char *name = g_strdup_printf("%s -> %s", from, to);
    g_string_append_printf(out, "  %-24s", name);
    mon_report_append_time(out, link->blocked_ps, 12);
    g_string_append_printf(out, " %8u", spot->most);
    mon_report_append_time(out, spot->waited_ps, 12);
    uint32_t rank, peer;
    if (spot->waited_ps) {
        mon_network_ranks(network, spot->who, &rank, &peer);
        g_string_append_printf(out, "  %u -> %u", rank, peer);
    }
    if (spot->waited_ps && spot->behind != NET_NOBODY) {
        mon_network_ranks(network, spot->behind, &rank, &peer);
        g_string_append_printf(out, " behind %u -> %u", rank, peer);
    }
    g_string_append_c(out, '\n');
}

static void append_spots(const MonNetwork *network, GString *out)
{
    g_autoptr(GArray) links = mon_network_hot_spots(network);
    if (!links->len)
        return;
    g_string_append(out, "\n  hot spots                  waited for  at once     longest  by the message of ranks\n");
    for (guint i = 0; i < MIN(links->len, MOST_SPOTS); i++)
        append_spot(network, g_array_index(links, uint32_t, i), out);
    if (links->len > MOST_SPOTS)
        g_string_append_printf(out, "  ... and %u more links that packets waited for\n", links->len - MOST_SPOTS);
}

static void append_percent(GString *out, uint64_t part, uint64_t whole)
{
    unsigned share = mon_report_per_mille(part, whole);
    g_string_append_printf(out, "%u.%u %%", share / 10, share % 10);
}

static void append_bisection(const MonNetwork *network, GString *out)
{
    MonBisection bisection;
    uint64_t makespan_ps = mach_run_makespan(network->machine);
    if (!network->bytes || !mon_network_bisection(network, &bisection) || !bisection.links)
        return;
    g_string_append_printf(out, "\n  bisection  %u links between the two halves of the nodes; ", bisection.links);
    append_percent(out, network->crossing_bytes, network->bytes);
    g_string_append(out, " of the bytes go to the other half;\n             busy ");
    append_percent(out, bisection.busy_ps / bisection.links, makespan_ps);
    g_string_append(out, " of the time, the busiest of them ");
    append_percent(out, bisection.most_busy_ps, makespan_ps);
    g_string_append_c(out, '\n');
}

void mon_network_print(MonNetwork *network, GString *out)
{
    mon_network_settle(network);
    append_spots(network, out);
    append_bisection(network, out);
}
