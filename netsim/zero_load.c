/* zero_load.c - what the closed forms for an empty network share: a route in numbers. */
#include "netsim/internal.h"

NetPath net_path(const Network *net, uint32_t from, uint32_t to)
{
    NetPath path = {0};
    NetQuery query = net_query_begin(net, from, to, 0);
    for (; query.at != to; path.hops++) {
        path.routing_ps += net_vertex_latency(net, query.at);
        net_query_advance(net, &query, net_next_hop(net, &query));
    }
    return path;
}

bool net_has_one_path(const Network *net)
{
    return !net->routing->candidates && !net->routing->choose_via;
}

bool net_closed_form(const Network *net)
{
    return net->graph.uniform && net_has_one_path(net) && !net->params.packet_startup_ps;
}

/* Models without links always do; what credits take, wormhole switching measures. */
bool net_knows_zero_load(const Network *net)
{
    return !net->model->needs_links || (net_closed_form(net) && !net->params.credit_delay_ps);
}

static void probe_delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    (void)cookie;
    *(uint64_t *)user = time_ps;
}

uint64_t net_measure(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    uint64_t delivered_ps = 0;
    NetClient client = {.user = &delivered_ps, .delivered = probe_delivered};
    NetParams params = net->params;
    params.failed_links = params.failed_routers = NULL; /* an undisturbed network */
    params.loss = params.bit_errors = params.jitter_ps = 0;
    Network *empty = net_new(&params, &client, NULL);
    assert(empty); /* the same parameters made `net` */
    net_send(empty, from, to, bytes, 0, 0);
    while (net_next_time(empty) != UINT64_MAX)
        net_step(empty);
    net_free(empty);
    return delivered_ps;
}

uint64_t net_last_packet_ps(const Network *net, uint64_t bytes)
{
    uint64_t last = net_packet_count(&net->params, bytes) - 1;
    return net_packet_ps(net, net_packet_bytes(&net->params, bytes, last));
}
