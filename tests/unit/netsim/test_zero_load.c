/* test_zero_load.c - a lone message on an empty network, for each switching model and topology. Its time is compared
 * with the closed forms of docs/network.md, which are written out here again without the arithmetic of the models.
 * Distances are found by a search over the links, and checked for topologies with known distances.
 */
#include "helper.h"

#include <stdlib.h>
#include <string.h>

#define PS_PER_S ((__uint128_t)1000000000000u)

/* The variables of the formulas. */
typedef struct Lone {
    const NetParams *params;
    uint64_t bytes;
    uint64_t h, R; /* hops; time of all routing decisions on the way, ps */
    uint64_t l;    /* latency of a link, ps */
} Lone;

static uint64_t serial(const NetParams *params, uint64_t bytes)
{
    return (uint64_t)((bytes * PS_PER_S + params->bandwidth - 1) / params->bandwidth);
}

static uint64_t up(uint64_t part, uint64_t of)
{
    return part / of + (part % of != 0);
}

static uint64_t packets(const Lone *m)
{
    return m->bytes ? up(m->bytes, m->params->packet_bytes) : 1;
}

/* Bytes on the wire of a full packet, and of the last one. */
static uint64_t full_bytes(const Lone *m)
{
    return (uint64_t)m->params->packet_bytes + m->params->header_bytes;
}

static uint64_t last_bytes(const Lone *m)
{
    return m->bytes - (packets(m) - 1) * m->params->packet_bytes + m->params->header_bytes;
}

static uint64_t S(const Lone *m)
{
    return serial(m->params, full_bytes(m));
}

static uint64_t s(const Lone *m)
{
    return serial(m->params, last_bytes(m));
}

static uint64_t loggp(const Lone *m)
{
    uint64_t gaps = m->bytes ? m->bytes - 1 : 0;
    return m->params->loggp.latency_ps + up(gaps * m->params->loggp.gap_per_byte_fs, 1000);
}

static uint64_t store_and_forward(const Lone *m)
{
    uint64_t P = packets(m);
    return m->R + m->h * m->l + (P == 1 ? m->h * s(m) : (P + m->h - 2) * S(m) + s(m));
}

static uint64_t cut_through(const Lone *m)
{
    return m->R + m->h * m->l + (m->h - 1) * serial(m->params, m->params->header_bytes) + (packets(m) - 1) * S(m) +
           s(m);
}

static uint64_t bus(const Lone *m)
{
    return (packets(m) - 1) * S(m) + s(m) + m->l;
}

static uint64_t flow(const Lone *m)
{
    return serial(m->params, m->bytes + packets(m) * m->params->header_bytes) + m->R + m->h * m->l;
}

/* Ethernet: a frame has at least 64 bytes plus its preamble of 8, and 512 at 1 Gbit/s on shared media. */
static uint64_t framed(const Lone *m, uint64_t bytes, uint64_t least)
{
    return serial(m->params, MAX(bytes, least + 8));
}

static uint64_t csma_cd(const Lone *m)
{
    uint64_t least = m->params->bandwidth >= 125000000 ? 512 : 64, gap = serial(m->params, 12);
    return (packets(m) - 1) * (framed(m, full_bytes(m), least) + m->l + gap) + framed(m, last_bytes(m), least) + m->l;
}

static uint64_t switched_ethernet(const Lone *m)
{
    uint64_t P = packets(m), last = framed(m, last_bytes(m), 64), full = framed(m, full_bytes(m), 64);
    uint64_t gap = serial(m->params, 12);
    return m->R + m->h * m->l + (P == 1 ? m->h * last : (P - 1) * (full + gap) + (m->h - 1) * full + last);
}

/* Cycles until a slot of a buffer is free again. */
static uint64_t loop_of(const Lone *m)
{
    uint64_t cycle = serial(m->params, m->params->wormhole.flit_bytes), D = up(m->l, cycle);
    return m->h == 1 ? D + 1 : D + 2 + up(m->R / m->h, cycle);
}

/* All vertices have the same latency in these tests. */
static uint64_t wormhole(const Lone *m)
{
    uint64_t cycle = serial(m->params, m->params->wormhole.flit_bytes), flit = m->params->wormhole.flit_bytes;
    uint64_t D = up(m->l, cycle), Rv = up(m->R / m->h, cycle), B = m->params->wormhole.buffer_flits, loop = loop_of(m);
    uint64_t F = (packets(m) - 1) * up(full_bytes(m), flit) + MAX(up(last_bytes(m), flit), 1);
    return (m->h * (1 + D) + m->h * Rv + F - 1 + (F - 1) / B * (loop > B ? loop - B : 0)) * cycle;
}

static const struct {
    const char *model;
    uint64_t (*form)(const Lone *message);
    bool cycles; /* the message begins with the next cycle */
} forms[] = {
    {"loggp", loggp, false},      {"store-and-forward", store_and_forward, false}, {"cut-through", cut_through, false},
    {"wormhole", wormhole, true}, {"wormhole-reference", wormhole, true},          {"bus", bus, false},
    {"csma-cd", csma_cd, false},  {"switched-ethernet", switched_ethernet, false}, {"flow", flow, false},
};

/* Breadth-first search over the links. */
static uint32_t distance(const Network *net, uint32_t from, uint32_t to)
{
    g_autofree uint32_t *far = g_new(uint32_t, net_vertex_count(net));
    g_autofree uint32_t *queue = g_new(uint32_t, net_vertex_count(net));
    uint32_t head = 0, tail = 0;
    memset(far, 0xff, net_vertex_count(net) * sizeof *far);
    far[from] = 0;
    for (queue[tail++] = from; head < tail; head++)
        for (uint32_t i = 0; i < net_link_count(net); i++)
            if (net_link(net, i)->from == queue[head] && far[net_link(net, i)->to] == NET_NONE) {
                far[net_link(net, i)->to] = far[queue[head]] + 1;
                queue[tail++] = net_link(net, i)->to;
            }
    return far[to];
}

/* Returns the known distance; 0: there is no simple formula. */
static uint32_t known_distance(const NetParams *params, uint32_t from, uint32_t to)
{
    uint32_t hops = 0, n = params->nodes, apart = (uint32_t)abs((int)from - (int)to);
    bool wraps = strcmp(params->topology, "torus") == 0;
    if (strcmp(params->topology, "linear") == 0)
        return apart;
    if (strcmp(params->topology, "ring") == 0)
        return MIN(apart, n - apart);
    if (strcmp(params->topology, "full") == 0)
        return 1;
    if (strcmp(params->topology, "crossbar") == 0 || strcmp(params->topology, "bus") == 0)
        return 2;
    if (strcmp(params->topology, "star") == 0)
        return from && to ? 2 : 1;
    if (strcmp(params->topology, "hypercube") == 0)
        return (uint32_t)__builtin_popcount(from ^ to);
    if (!wraps && strcmp(params->topology, "mesh") != 0)
        return 0;
    for (uint32_t i = params->n_dims; i-- > 0; from /= params->dims[i], to /= params->dims[i]) {
        uint32_t k = params->dims[i], along = (uint32_t)abs((int)(from % k) - (int)(to % k));
        hops += wraps ? MIN(along, k - along) : along;
    }
    return hops;
}

static Lone lone(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    const NetParams *params = net_network_params(net);
    Lone message = {.params = params, .bytes = bytes, .l = params->link_latency_ps};
    if (!net_link_count(net))
        return message;
    uint32_t links[64], known = known_distance(params, from, to);
    message.h = net_route(net, from, to, links, 64);
    cr_assert_eq(message.h, distance(net, from, to), "%s: %u -> %u", params->topology, from, to);
    cr_assert(!known || message.h == known, "%s: %u -> %u in %lu hops", params->topology, from, to,
              (unsigned long)message.h);
    for (uint32_t i = 0; i < message.h; i++) {
        uint32_t at = net_link(net, links[i])->from;
        bool middle = at >= params->nodes || (strcmp(params->topology, "star") == 0 && at == 0);
        message.R += middle ? params->switch_latency_ps : params->router_latency_ps;
    }
    return message;
}

static uint64_t expected_ps(const Network *net, size_t form, const Lone *message)
{
    const NetParams *params = net_network_params(net);
    if (!forms[form].cycles)
        return params->startup_ps + forms[form].form(message);
    uint64_t cycle = serial(params, params->wormhole.flit_bytes);
    return up(params->startup_ps, cycle) * cycle + forms[form].form(message);
}

static void check(const NetParams *params, size_t form)
{
    static const uint64_t sizes[] = {0, 1, 16, 17, 1008, 1024, 1025, 5000};
    g_autoptr(Network) net = make_network(params, NULL);
    uint32_t nodes = net_network_nodes(net);
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        uint32_t from = (uint32_t)(i * 5) % nodes, to = (uint32_t)(i * 11 + nodes - 1) % nodes;
        if (from == to)
            to = (to + 1) % nodes;
        if (nodes == 1)
            continue;
        Lone message = lone(net, from, to, sizes[i]);
        if (forms[form].cycles && packets(&message) > 1 && loop_of(&message) > params->wormhole.buffer_flits)
            continue; /* with small buffers packets change to other channels: no closed form */
        uint64_t expected = expected_ps(net, form, &message);
        cr_assert_eq(run_one(params, from, to, sizes[i]), expected,
                     "%s on %s, %u -> %u, %lu bytes: expected %lu, not %lu", params->switching, params->topology, from,
                     to, (unsigned long)sizes[i], (unsigned long)expected,
                     (unsigned long)run_one(params, from, to, sizes[i]));
        cr_assert_eq(net_zero_load_ps(net, from, to, sizes[i]), expected, "%s on %s", params->switching,
                     params->topology);
    }
}

/* Every model has a form here. */
Test(zero_load, closed_forms)
{
    static const struct {
        uint64_t bandwidth, link, router, startup;
        uint32_t header, buffer;
    } settings[] = {
        {1000000000, 10000, 20000, 500000, 16, 16},
        {10000000, 0, 0, 0, 0, 4},
        {777777777, 123456, 3333, 77777, 7, 2},
    };
    for (const char *const *model = net_models(); *model; model++) {
        size_t form = 0;
        while (form < G_N_ELEMENTS(forms) && strcmp(forms[form].model, *model) != 0)
            form++;
        cr_assert_lt(form, G_N_ELEMENTS(forms), "%s has no closed form here", *model);
        for (size_t i = 0; i < n_samples; i++)
            for (size_t j = 0; j < G_N_ELEMENTS(settings) && goes_with(*model, samples[i].topology); j++) {
                NetParams params = make_params(samples[i].topology, samples[i].dims, *model);
                params.routing = "shortest-path";
                params.deadlock = NET_DEADLOCK_FATAL;
                params.bandwidth = settings[j].bandwidth;
                params.link_latency_ps = settings[j].link;
                params.router_latency_ps = settings[j].router;
                params.switch_latency_ps = forms[form].cycles ? settings[j].router : 3 * settings[j].router;
                params.startup_ps = settings[j].startup;
                params.header_bytes = settings[j].header;
                params.wormhole.buffer_flits = settings[j].buffer;
                params.loggp.gap_per_byte_fs = 1234567;
                check(&params, form);
            }
    }
}

/* The last byte leaves before it arrives, and later the longer the message is. */
Test(zero_load, the_last_byte_leaves)
{
    static const char *const models[] = {"loggp", "store-and-forward", "cut-through", "wormhole"};
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        NetParams params = make_params("mesh", "4x4", models[i]);
        g_autoptr(Network) net = make_network(&params, NULL);
        uint64_t before_ps = 0;
        for (uint64_t bytes = 64; bytes <= 65536; bytes *= 8) {
            uint64_t sent_ps = net_zero_load_sent_ps(net, 0, 1, bytes);
            cr_expect_leq(sent_ps, net_zero_load_ps(net, 0, 1, bytes), "%s", models[i]);
            cr_expect_gt(sent_ps, before_ps, "%s", models[i]);
            before_ps = sent_ps;
        }
    }
}
