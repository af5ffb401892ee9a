/* bisection.c - finds the links between the two halves of a network; experiments report how busy they are. */
#include "traffic/internal.h"

enum { MOST_NODES = 1024 };

TrafficBisection *traffic_bisection_new(const Network *net)
{
    uint32_t links = net_link_count(net);
    if (!links || net_network_nodes(net) > MOST_NODES)
        return NULL;
    TrafficBisection *bisection = g_new0(TrafficBisection, 1);
    bisection->link = g_new(uint32_t, 2 * (gsize)links);
    g_autofree bool *crosses = g_new(bool, links);
    for (int down = 0; down < 2; down++) {
        net_bisection_links(net, down, crosses);
        for (uint32_t i = 0; i < links; i++)
            if (crosses[i])
                bisection->link[bisection->links++] = i;
    }
    return bisection;
}

void traffic_bisection_free(TrafficBisection *bisection)
{
    if (!bisection)
        return;
    g_free(bisection->link);
    g_free(bisection);
}
