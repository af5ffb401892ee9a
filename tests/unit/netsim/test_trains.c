/* test_trains.c - packets of long messages that go together (model/trains.c) against packets that go one by one: what
 * clients are told, in its order, and counters of links, wherever a run ends. Numbers are such that much happens at the
 * same time.
 */
#include "helper.h"

#include <string.h>

enum { MESSAGES = 100, MOST = 400 };
#ifdef __SANITIZE_ADDRESS__
enum { RUNS = 150 };
#else
enum { RUNS = 600 };
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
    uint64_t packet_bytes;
} Side;

static uint64_t random_bytes(uint64_t *seed, uint64_t packet_bytes)
{
    switch (random_below(seed, 4)) {
    case 0: return random_below(seed, (uint32_t)packet_bytes);
    case 1: return packet_bytes * random_below(seed, 12);
    case 2: return random_below(seed, (uint32_t)packet_bytes * 40);
    default: return packet_bytes * 64;
    }
}

static void send_one(Side *side, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps)
{
    net_send(side->net, &(NetSend){.from = from, .to = to, .bytes = bytes, .time_ps = time_ps, .cookie = side->made++});
}

/* Some messages are answered at once: nodes then send when messages come, not when it suits the clock of the test. */
static void tell(Side *side, uint64_t cookie, uint64_t time_ps, bool delivered)
{
    Told told = {time_ps, cookie, delivered};
    g_array_append_val(side->told, told);
    uint64_t seed = side->seed + cookie * 2 + delivered + 1;
    if (side->made >= MOST || random_below(&seed, 3))
        return;
    uint32_t nodes = net_network_nodes(side->net), from = random_below(&seed, nodes);
    send_one(side, from, (from + 1 + random_below(&seed, 3)) % nodes, random_bytes(&seed, side->packet_bytes), time_ps);
}

static void sent(void *user, uint64_t cookie, uint64_t time_ps)
{
    tell(user, cookie, time_ps, false);
}

static void delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    tell(user, cookie, time_ps, true);
}

static void side_init(Side *side, const NetParams *params, bool settles, uint64_t seed)
{
    NetClient client = {.user = side, .sent = sent, .delivered = delivered, .fast = {.settles = settles}};
    g_autoptr(GError) error = NULL;
    *side = (Side){.told = g_array_new(FALSE, TRUE, sizeof(Told)), .seed = seed, .packet_bytes = params->packet_bytes};
    side->net = net_network_new(params, &client, &error);
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
    while (!goes_with("cut-through", sample->topology) || strcmp(sample->dims, "1") == 0)
        sample = &samples[random_below(seed, (uint32_t)n_samples)];
    NetParams params = make_params(sample->topology, sample->dims, "cut-through");
    params.bandwidth = 1000000000; /* a byte is 1000 ps, and all delays are multiples of 10000 */
    params.header_bytes = 10;
    params.packet_bytes = random_below(seed, 3) ? 90 : 90 + random_below(seed, 30);
    params.link_latency_ps = random_below(seed, 3) * 10000;
    params.router_latency_ps = random_below(seed, 3) * 10000 + (random_below(seed, 4) == 0);
    params.switch_latency_ps = random_below(seed, 2) * 10000;
    params.startup_ps = 10000 * (1 + random_below(seed, 10));
    params.packet_startup_ps = random_below(seed, 4) ? 0 : random_below(seed, 3) * 50000;
    return params;
}

typedef struct Message {
    uint32_t from, to;
    uint64_t bytes, time_ps;
} Message;

static void random_messages(uint64_t *seed, const Side *side, Message *messages)
{
    uint32_t nodes = net_network_nodes(side->net);
    uint32_t spread = random_below(seed, 3) * 40 + 1, shift = random_below(seed, 3) ? 0 : 1 + random_below(seed, 4);
    uint64_t time_ps = 0;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        time_ps += random_below(seed, spread) * 10000;
        uint32_t from = shift ? i % nodes : random_below(seed, nodes);
        messages[i] = (Message){.from = from,
                                .to = shift ? (from + shift) % nodes : random_below(seed, nodes),
                                .bytes = random_bytes(seed, side->packet_bytes),
                                .time_ps = time_ps};
    }
}

static void run_until(Side *side, const Message *messages, uint32_t *next, uint64_t until_ps)
{
    for (;;) {
        uint64_t send_ps = *next < MESSAGES ? messages[*next].time_ps : UINT64_MAX;
        if (MIN(send_ps, net_next_time(side->net)) > until_ps || MIN(send_ps, net_next_time(side->net)) == UINT64_MAX)
            break;
        if (net_next_time(side->net) <= send_ps) {
            net_step_until(side->net, MIN(send_ps, until_ps + 1));
            continue;
        }
        const Message *message = &messages[(*next)++];
        send_one(side, message->from, message->to, message->bytes, message->time_ps);
    }
    net_network_settle(side->net, MIN(until_ps, NET_MAX_TIME));
}

static void expect_same(const Side *a, const Side *b, uint64_t seed, const char *when)
{
    for (guint i = 0; i < MIN(a->told->len, b->told->len); i++) {
        const Told *x = &g_array_index(a->told, Told, i), *y = &g_array_index(b->told, Told, i);
        cr_assert(x->time_ps == y->time_ps && x->cookie == y->cookie && x->delivered == y->delivered,
                  "seed %lu, %s: number %u: %lu %s at %lu, with trains %lu %s at %lu", (unsigned long)seed, when, i,
                  (unsigned long)x->cookie, x->delivered ? "delivered" : "sent", (unsigned long)x->time_ps,
                  (unsigned long)y->cookie, y->delivered ? "delivered" : "sent", (unsigned long)y->time_ps);
    }
    cr_assert_eq(a->told->len, b->told->len, "seed %lu, %s", (unsigned long)seed, when);
    for (uint32_t l = 0; l < net_link_count(a->net); l++) {
        const NetLink *x = net_link(a->net, l), *y = net_link(b->net, l);
        cr_assert(x->packets == y->packets && x->bytes == y->bytes && x->busy_ps == y->busy_ps &&
                      x->blocked_ps == y->blocked_ps,
                  "seed %lu, %s: link %u: %lu packets, %lu bytes, busy %lu, blocked %lu, with trains %lu %lu %lu %lu",
                  (unsigned long)seed, when, l, (unsigned long)x->packets, (unsigned long)x->bytes,
                  (unsigned long)x->busy_ps, (unsigned long)x->blocked_ps, (unsigned long)y->packets,
                  (unsigned long)y->bytes, (unsigned long)y->busy_ps, (unsigned long)y->blocked_ps);
    }
}

/* More seeds: ORRERY_SEEDS=10000. */
Test(trains, equal_single_packets)
{
    const char *more = g_getenv("ORRERY_SEEDS");
    uint64_t runs = more ? g_ascii_strtoull(more, NULL, 10) : RUNS;
    for (uint64_t run = 1; run <= runs; run++) {
        uint64_t seed = run * 15485863, own = seed;
        NetParams params = random_params(&own);
        Side single, train;
        side_init(&single, &params, false, seed);
        side_init(&train, &params, true, seed);
        Message messages[MESSAGES];
        random_messages(&own, &single, messages);
        uint32_t next[2] = {0, 0};
        uint64_t until_ps = 0;
        for (int i = 0; i < 4; i++) {
            until_ps += random_below(&own, 2000) * 1000;
            run_until(&single, messages, &next[0], until_ps);
            run_until(&train, messages, &next[1], until_ps);
            expect_same(&single, &train, seed, "in the middle");
        }
        run_until(&single, messages, &next[0], UINT64_MAX - 1);
        run_until(&train, messages, &next[1], UINT64_MAX - 1);
        expect_same(&single, &train, seed, "at the end");
        cr_assert_eq(single.told->len, 2 * single.made);
        side_clear(&single);
        side_clear(&train);
    }
}
