/* test_express.c - messages that have their way to themselves (wormhole/express.c) against the reference engine: what
 * clients are told, in its order, and counters of links, wherever a run ends. There are few messages at a time, so that
 * some meet others and most do not.
 */
#include "helper.h"

#include <string.h>

enum { MESSAGES = 60, MOST = 120 };
#ifdef __SANITIZE_ADDRESS__
enum { RUNS = 400 };
#else
enum { RUNS = 2000 };
#endif

typedef struct Told {
    uint64_t time_ps, cookie;
    bool delivered;
} Told;

typedef struct Side { /* a network, and what its client was told */
    Network *net;
    GArray *told;
    uint64_t made;
    uint64_t seed; /* for answers */
} Side;

static void send_one(Side *side, uint64_t time_ps, uint64_t *seed)
{
    uint32_t nodes = net_network_nodes(side->net), nics = net_network_params(side->net)->nics;
    uint32_t from = random_below(seed, nodes), step = random_below(seed, 8) ? 1 + random_below(seed, 3) : 0;
    net_send(side->net, &(NetSend){.from = from,
                                   .to = random_below(seed, 2) ? (from + step) % nodes : random_below(seed, nodes),
                                   .bytes = random_below(seed, 8) ? random_below(seed, 60) : random_below(seed, 600),
                                   .time_ps = time_ps,
                                   .cookie = side->made++,
                                   .nic = nics > 1 ? random_below(seed, nics) : 0,
                                   .unreported = random_below(seed, 2)});
}

static void tell(Side *side, uint64_t cookie, uint64_t time_ps, bool delivered)
{
    Told told = {time_ps, cookie, delivered};
    g_array_append_val(side->told, told);
    uint64_t seed = side->seed + cookie * 2 + delivered + 1;
    if (side->made < MOST && random_below(&seed, 3) == 0)
        send_one(side, time_ps + random_below(&seed, 2) * 30000, &seed);
}

static void sent(void *user, uint64_t cookie, uint64_t time_ps)
{
    tell(user, cookie, time_ps, false);
}

static void delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    tell(user, cookie, time_ps, true);
}

static void side_init(Side *side, NetParams params, const char *engine, uint64_t seed)
{
    NetClient client = {.user = side, .sent = sent, .delivered = delivered};
    g_autoptr(GError) error = NULL;
    *side = (Side){.told = g_array_new(FALSE, TRUE, sizeof(Told)), .seed = seed};
    params.switching = engine;
    side->net = net_network_new(&params, &client, &error);
    cr_assert_not_null(side->net, "%s", error ? error->message : "");
}

static void side_clear(Side *side)
{
    net_network_free(side->net);
    g_array_unref(side->told);
}

static NetParams random_params(uint64_t *seed)
{
    const Sample *sample = &samples[random_below(seed, (uint32_t)n_samples)];
    while (!goes_with("wormhole", sample->topology) || strcmp(sample->dims, "1") == 0)
        sample = &samples[random_below(seed, (uint32_t)n_samples)];
    NetParams params = make_params(sample->topology, sample->dims, "wormhole");
    params.bandwidth = 1000000000; /* a flit takes 10 ns */
    params.wormhole.flit_bytes = 10;
    params.packet_bytes = 200;
    params.header_bytes = random_below(seed, 2) * 8;
    params.link_latency_ps = random_below(seed, 3) * 10000;
    params.router_latency_ps = random_below(seed, 3) * 10000;
    params.startup_ps = random_below(seed, 3) * 15000;
    params.packet_startup_ps = random_below(seed, 4) ? 0 : 30000;
    params.wormhole.virtual_channels = 2 + random_below(seed, 3);
    params.wormhole.buffer_flits = 4 + random_below(seed, 8);
    params.wormhole.allocation = (NetAllocation)random_below(seed, 4);
    params.wormhole.credit_delay_ps = random_below(seed, 3) * 10000;
    params.wormhole.ejection_flits = random_below(seed, 3);
    params.wormhole.injection_channels = 1 + (random_below(seed, 6) == 0);
    params.nics = 1 + (random_below(seed, 6) == 0);
    return params;
}

/* Sends messages and lets time pass until `until_ps`. The counters of links are right then. */
static void run_until(Side *side, const uint64_t *times, uint32_t *next, uint64_t until_ps)
{
    for (;;) {
        uint64_t send_ps = *next < MESSAGES ? times[*next] : UINT64_MAX;
        uint64_t first = MIN(send_ps, net_next_time(side->net));
        if (first > until_ps || first == UINT64_MAX)
            break;
        if (net_next_time(side->net) <= send_ps) {
            net_step_until(side->net, MIN(send_ps, until_ps + 1));
            continue;
        }
        uint64_t seed = side->seed ^ ++*next * UINT64_C(0x9e3779b97f4a7c15);
        send_one(side, send_ps, &seed);
    }
    net_network_settle(side->net, MIN(until_ps, NET_MAX_TIME));
}

static void expect_same(const Side *a, const Side *b, uint64_t seed, const char *when)
{
    for (guint i = 0; i < MIN(a->told->len, b->told->len); i++) {
        const Told *x = &g_array_index(a->told, Told, i), *y = &g_array_index(b->told, Told, i);
        cr_assert(x->time_ps == y->time_ps && x->cookie == y->cookie && x->delivered == y->delivered,
                  "seed %lu, %s: number %u: %lu %s at %lu, not %lu %s at %lu", (unsigned long)seed, when, i,
                  (unsigned long)x->cookie, x->delivered ? "delivered" : "sent", (unsigned long)x->time_ps,
                  (unsigned long)y->cookie, y->delivered ? "delivered" : "sent", (unsigned long)y->time_ps);
    }
    cr_assert_eq(a->told->len, b->told->len, "seed %lu, %s", (unsigned long)seed, when);
    for (uint32_t l = 0; l < net_link_count(a->net); l++) {
        const NetLink *x = net_link(a->net, l), *y = net_link(b->net, l);
        cr_assert(x->packets == y->packets && x->bytes == y->bytes && x->busy_ps == y->busy_ps &&
                      x->blocked_ps == y->blocked_ps,
                  "seed %lu, %s: link %u: %lu packets, %lu bytes, busy %lu, blocked %lu, not %lu %lu %lu %lu",
                  (unsigned long)seed, when, l, (unsigned long)x->packets, (unsigned long)x->bytes,
                  (unsigned long)x->busy_ps, (unsigned long)x->blocked_ps, (unsigned long)y->packets,
                  (unsigned long)y->bytes, (unsigned long)y->busy_ps, (unsigned long)y->blocked_ps);
    }
}

/* More seeds: ORRERY_SEEDS=100000. */
Test(express, equal_the_reference)
{
    const char *more = g_getenv("ORRERY_SEEDS");
    uint64_t runs = more ? g_ascii_strtoull(more, NULL, 10) : RUNS;
    for (uint64_t run = 1; run <= runs; run++) {
        uint64_t seed = run * 15485863, own = seed, times[MESSAGES], time_ps = 0;
        NetParams params = random_params(&own);
        Side reference, express;
        side_init(&reference, params, "wormhole-reference", seed);
        side_init(&express, params, "wormhole", seed);
        uint32_t spread = 1 + random_below(&own, 60);
        for (uint32_t i = 0; i < MESSAGES; i++)
            times[i] = time_ps +=
                random_below(&own, 4) ? random_below(&own, spread) * 10000 : random_below(&own, 99999);
        uint32_t next[2] = {0, 0};
        uint64_t until_ps = 0;
        for (int i = 0; i < 3; i++) {
            until_ps += random_below(&own, (uint32_t)(time_ps / 3));
            run_until(&reference, times, &next[0], until_ps);
            run_until(&express, times, &next[1], until_ps);
            expect_same(&reference, &express, seed, "in the middle");
        }
        run_until(&reference, times, &next[0], UINT64_MAX - 1);
        run_until(&express, times, &next[1], UINT64_MAX - 1);
        expect_same(&reference, &express, seed, "at the end");
        side_clear(&reference);
        side_clear(&express);
    }
}
