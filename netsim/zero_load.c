/* zero_load.c - the time of a message in an empty network: by the model's closed form, or measured on a network that is
 * built for the purpose. */
#include "netsim/core/core.h"

/* Models without links always have a closed form. Wormhole switching measures if credits take time, and, where a switch
 * is allocated, if buffers are small. */
bool net_zero_load_is_known(const Network *net)
{
    if (!net->model->needs_links)
        return true;
    if (!net_path_is_closed_form(net) || net->params.wormhole.credit_delay_ps)
        return false;
    return !net->params.wormhole.switch_allocator || net->params.nodes < 2 ||
           net->model->zero_load(net, 0, net->params.nodes - 1, 1) != NET_MEASURE;
}

typedef struct Probe {
    uint64_t sent_ps, delivered_ps;
} Probe;

static void probe_sent(void *user, uint64_t cookie, uint64_t time_ps)
{
    (void)cookie;
    ((Probe *)user)->sent_ps = time_ps;
}

static void probe_delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    (void)cookie;
    ((Probe *)user)->delivered_ps = time_ps;
}

static Probe measure(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    Probe probe = {0, 0};
    NetClient client = {.user = &probe, .sent = probe_sent, .delivered = probe_delivered};
    NetParams params = net->params;
    params.faults.links = params.faults.routers = NULL; /* the empty network has no failures and no losses */
    params.faults.loss = params.faults.bit_errors = params.faults.jitter_ps = 0;
    Network *empty = net_network_new(&params, &client, NULL);
    assert(empty); /* `net` was made from the same parameters */
    net_send(empty, &(NetSend){.from = from, .to = to, .bytes = bytes});
    while (net_next_time(empty) != UINT64_MAX)
        net_step(empty);
    net_network_free(empty);
    return probe;
}

uint64_t net_zero_load_sent_ps(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    assert(from < net->params.nodes && to < net->params.nodes);
    return measure(net, from, to, bytes).sent_ps;
}

uint64_t net_zero_load_ps(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    assert(from < net->params.nodes && to < net->params.nodes);
    if (from == to)
        return net->params.startup_ps;
    uint64_t time_ps = net->model->zero_load(net, from, to, bytes);
    return time_ps == NET_MEASURE ? measure(net, from, to, bytes).delivered_ps : time_ps;
}
