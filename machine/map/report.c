/* report.c - what recorded traffic costs on a machine when every rank has its node.
 *
 * Hop-bytes (T. Agarwal, A. Sharma and L. V. Kale, "Topology-aware task mapping for reducing communication contention
 * on large parallel machines", IPDPS 2006): each byte counts once for each link that it crosses. Dilation is the number
 * of links between two ranks that talk. The load of a link is the number of bytes that all messages carry over it,
 * under the routing function of the machine. The largest load bounds the time from below.
 */
#include "machine/map/placement.h"

static uint64_t add(uint64_t a, unsigned __int128 b)
{
    unsigned __int128 sum = a + b;
    return sum > INT64_MAX ? INT64_MAX : (uint64_t)sum;
}

typedef struct Measurement {
    const Network *net;
    MachMappingReport *report;
    uint64_t *load;  /* bytes, by link */
    uint32_t *route; /* buffer for one route, of `room` links */
    uint32_t room;
} Measurement;

static uint32_t follow(Measurement *m, uint32_t from, uint32_t to, uint64_t bytes)
{
    uint32_t hops = net_route(m->net, from, to, m->route, m->room);
    if (hops > m->room) {
        m->room = hops;
        m->route = g_renew(uint32_t, m->route, hops);
        net_route(m->net, from, to, m->route, m->room);
    }
    for (uint32_t i = 0; i < hops; i++)
        m->load[m->route[i]] = add(m->load[m->route[i]], bytes);
    return hops;
}

/* Adds what one flow costs. */
static void add_flow(Measurement *m, const MachFlow *flow)
{
    MachMappingReport *report = m->report;
    uint32_t from = flow->from, to = flow->to;
    uint32_t hops = from == to ? 0 : report->linked ? follow(m, from, to, flow->bytes) : 1;
    report->pairs++;
    report->hops += hops;
    report->most_hops = MAX(report->most_hops, hops);
    report->bytes = add(report->bytes, flow->bytes);
    report->remote_bytes = add(report->remote_bytes, from == to ? 0 : flow->bytes);
    report->hop_bytes = add(report->hop_bytes, (unsigned __int128)flow->bytes * hops);
}

/* Sorts by destination: a routing function keeps what it has found out for one destination. */
static int compare_destinations(const void *a, const void *b)
{
    const MachFlow *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

void mach_map_measure(const Network *net, const uint32_t *nodes, const MachTraffic *traffic, MachMappingReport *report)
{
    *report = (MachMappingReport){.linked = net_link_count(net) > 0};
    Measurement m = {.net = net, .report = report, .load = g_new0(uint64_t, MAX(net_link_count(net), 1))};
    g_autofree MachFlow *flows = g_new(MachFlow, traffic->flows->len + 1);
    guint n = 0;
    for (guint i = 0; i < traffic->flows->len; i++) {
        const MachFlow *flow = &g_array_index(traffic->flows, MachFlow, i);
        if (flow->from != flow->to)
            flows[n++] = (MachFlow){nodes[flow->from], nodes[flow->to], flow->bytes, flow->messages};
    }
    qsort(flows, n, sizeof *flows, compare_destinations);
    for (guint i = 0; i < n; i++)
        add_flow(&m, &flows[i]);
    for (uint32_t link = 0; link < net_link_count(net); link++)
        if (m.load[link] > report->most_link_bytes) {
            report->most_link_bytes = m.load[link];
            report->busiest_link = link;
        }
    g_free(m.load);
    g_free(m.route);
}
