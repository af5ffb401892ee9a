/* test_loggp.c - messages whose arrival is known when they are injected (model/loggp.c) against messages that arrive by
 * an event: what clients are told, in its order. Numbers are such that much happens at the same time, and that later
 * messages often arrive first.
 */
#include "helper.h"

enum { RUNS = 3000, CALLS = 60, MOST = 200, MOST_NODES = 8 };

typedef struct Told {
    uint64_t time_ps, cookie;
    bool delivered;
} Told;

typedef struct Side { /* a network, and what its client was told */
    Network *net;
    GArray *told;
    uint64_t made;
    uint64_t seed;                /* for answers */
    uint64_t free_ps[MOST_NODES]; /* by node: time from which it can make another call */
} Side;

/* A node calls at time_ps and hands the message over some time later, as sends_ahead promises. */
static void call(Side *side, uint32_t from, uint64_t time_ps, uint64_t *seed)
{
    uint32_t nodes = net_network_nodes(side->net), to = random_below(seed, 4) ? random_below(seed, 2) : from;
    if (time_ps < side->free_ps[from] || side->made >= MOST)
        return;
    side->free_ps[from] = time_ps + 1 + random_below(seed, 3) * 999;
    net_send(side->net, &(NetSend){.from = from,
                                   .to = random_below(seed, 3) ? to : random_below(seed, nodes),
                                   .bytes = random_below(seed, 3) ? random_below(seed, 4) : random_below(seed, 40),
                                   .time_ps = side->free_ps[from],
                                   .cookie = side->made++,
                                   .nic = random_below(seed, net_network_params(side->net)->nics),
                                   .unreported = random_below(seed, 2)});
}

static void tell(Side *side, uint64_t cookie, uint64_t time_ps, bool delivered)
{
    Told told = {time_ps, cookie, delivered};
    g_array_append_val(side->told, told);
    uint64_t seed = side->seed + cookie * 2 + delivered + 1;
    if (!random_below(&seed, 3))
        call(side, random_below(&seed, net_network_nodes(side->net)), time_ps, &seed);
}

static void sent(void *user, uint64_t cookie, uint64_t time_ps)
{
    tell(user, cookie, time_ps, false);
}

static void delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    tell(user, cookie, time_ps, true);
}

static GArray *run(const NetParams *params, NetFastPath fast, uint64_t seed)
{
    Side side = {.told = g_array_new(FALSE, TRUE, sizeof(Told)), .seed = seed};
    NetClient client = {.user = &side, .sent = sent, .delivered = delivered, .fast = fast};
    g_autoptr(GError) error = NULL;
    g_autoptr(Network) net = side.net = net_network_new(params, &client, &error);
    cr_assert_not_null(net, "%s", error ? error->message : "");
    uint64_t time_ps = 0;
    uint32_t spread = random_below(&seed, 3) * 3 + 1;
    for (int i = 0; i < CALLS; i++) {
        time_ps += random_below(&seed, spread) * 1000;
        while (net_next_time(net) <= time_ps)
            net_step(net);
        call(&side, random_below(&seed, params->nodes), time_ps, &seed);
    }
    run_all(net);
    return side.told;
}

static void expect_same(const GArray *one, const GArray *other, uint64_t run)
{
    cr_assert_eq(one->len, other->len, "run %lu", (unsigned long)run);
    for (guint i = 0; i < one->len; i++) {
        const Told *a = &g_array_index(one, Told, i), *b = &g_array_index(other, Told, i);
        cr_assert(a->time_ps == b->time_ps && a->cookie == b->cookie && a->delivered == b->delivered,
                  "run %lu, report %u: message %lu at %lu, not %lu at %lu", (unsigned long)run, i,
                  (unsigned long)b->cookie, (unsigned long)b->time_ps, (unsigned long)a->cookie,
                  (unsigned long)a->time_ps);
    }
}

Test(loggp, arrivals_known_ahead)
{
    for (uint64_t i = 0; i < RUNS; i++) {
        uint64_t seed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        char nodes[] = {(char)('2' + random_below(&seed, MOST_NODES - 1)), 0};
        NetParams params = make_params("crossbar", nodes, "loggp");
        params.startup_ps = random_below(&seed, 3) * 1000;
        params.loggp.latency_ps = random_below(&seed, 4) * 2000;
        params.loggp.gap_ps = random_below(&seed, 4) * 1000;
        params.loggp.gap_per_byte_fs = random_below(&seed, 3) * 500000;
        params.bandwidth = UINT64_C(1000000000000);
        params.nics = random_below(&seed, 5) ? 1 : 2;
        g_autoptr(GArray) ahead = run(&params, (NetFastPath){.sends_ahead = true}, seed);
        g_autoptr(GArray) known = run(&params, (NetFastPath){.sends_ahead = true, .settles = true}, seed);
        expect_same(ahead, known, i);
    }
}
