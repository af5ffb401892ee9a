/* helper.c - see helper.h. */
#include "helper.h"

#include <string.h>

static void log_sent(void *user, uint64_t cookie, uint64_t time_ps)
{
    Log *log = user;
    cr_assert_lt(cookie, log->count);
    cr_assert_geq(time_ps, log->last_ps, "clients are called in order of time");
    log->last_ps = time_ps;
    log->message[cookie].sent++;
    log->message[cookie].sent_ps = time_ps;
}

static void log_delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    Log *log = user;
    cr_assert_lt(cookie, log->count);
    cr_assert_geq(time_ps, log->last_ps, "clients are called in order of time");
    log->last_ps = time_ps;
    log->message[cookie].delivered++;
    log->message[cookie].delivered_ps = time_ps;
    g_array_append_val(log->order, cookie);
}

void log_init(Log *log, size_t messages)
{
    *log = (Log){.message = g_new0(Delivery, messages + 1), .count = messages};
    log->order = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void log_clear(Log *log)
{
    g_free(log->message);
    g_array_free(log->order, TRUE);
}

NetClient log_client(Log *log)
{
    return (NetClient){.user = log, .sent = log_sent, .delivered = log_delivered};
}

NetParams make_params(const char *topology, const char *dims, const char *switching)
{
    NetParams params = test_network_params();
    params.topology = topology;
    params.switching = switching;
    g_auto(GStrv) parts = g_strsplit(dims, "x", -1);
    uint32_t n = g_strv_length(parts);
    if (n == 1) {
        params.nodes = (uint32_t)atoi(dims);
        return params;
    }
    params.n_dims = n;
    for (uint32_t i = 0; i < n; i++)
        params.dims[i] = (uint32_t)atoi(parts[i]);
    return params;
}

Network *make_network(const NetParams *params, Log *log)
{
    g_autoptr(GError) error = NULL;
    NetClient client = log ? log_client(log) : (NetClient){0};
    Network *net = net_network_new(params, &client, &error);
    cr_assert_not_null(net, "%s %s %s: %s", params->topology, params->routing, params->switching,
                       error ? error->message : "no reason given");
    return net;
}

void expect_refusal(const NetParams *params, int code, const char *word)
{
    g_autoptr(GError) error = NULL;
    Network *net = net_network_new(params, NULL, &error);
    cr_assert_null(net, "should be refused because of %s", word);
    cr_assert_not_null(error);
    cr_assert(g_error_matches(error, NET_ERROR, code), "%s", error->message);
    cr_assert_not_null(strstr(error->message, word), "'%s' should speak of '%s'", error->message, word);
}

void send_by_nic(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                 uint64_t cookie, bool unreported)
{
    net_send(net, &(NetSend){.nic = nic,
                             .from = from,
                             .to = to,
                             .bytes = bytes,
                             .time_ps = time_ps,
                             .cookie = cookie,
                             .unreported = unreported});
}

void send_message(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    send_by_nic(net, 0, from, to, bytes, time_ps, cookie, false);
}

void send_to_many(Network *net, uint32_t nic, uint32_t from, const uint32_t *to, const uint64_t *to_cookies, uint32_t n,
                  uint64_t bytes, uint64_t time_ps, uint64_t cookie, bool unreported)
{
    NetSend send = {.nic = nic,
                    .from = from,
                    .to = to[0],
                    .bytes = bytes,
                    .time_ps = time_ps,
                    .cookie = cookie,
                    .unreported = unreported};
    net_send_multicast(net, &send, to, to_cookies, n);
}

void run_all(Network *net)
{
    while (net_next_time(net) != UINT64_MAX)
        net_step(net);
}

uint64_t run_one(const NetParams *params, uint32_t from, uint32_t to, uint64_t bytes)
{
    Log log;
    log_init(&log, 1);
    g_autoptr(Network) net = make_network(params, &log);
    send_message(net, from, to, bytes, 0, 0);
    run_all(net);
    cr_assert_eq(log.message[0].sent, 1);
    cr_assert_eq(log.message[0].delivered, 1);
    cr_assert_leq(log.message[0].sent_ps, log.message[0].delivered_ps);
    uint64_t time = log.message[0].delivered_ps;
    log_clear(&log);
    return time;
}

const Sample samples[] = {
    {"linear", "7", 6},
    {"ring", "7", 3},
    {"ring", "8", 4},
    {"mesh", "4x4", 6},
    {"mesh", "2x3x4", 6},
    {"mesh", "2x1x3x2", 4},
    {"torus", "4x4", 4},
    {"torus", "3x5x2", 4},
    {"torus", "8x2", 5},
    {"hypercube", "16", 4},
    {"hypercube", "1", 0},
    {"crossbar", "6", 2},
    {"bus", "5", 2},
    {"full", "6", 1},
    {"star", "6", 2},
    {"fat-tree", "4x4", 4},
    {"fat-tree", "64", 6},
    {"fat-tree", "2x3x4", 6},
    {"mesh", "3x3x3x3", 8},
    {"mesh", "1x2x1x2x1x2x1x2", 4},
    {"torus", "5x4x3", 5},
    {"tree", "2x3", 6},
    {"tree", "3x2", 4},
    {"tree", "9", 5},
    {"xgft", "4x4x1x2", 4},
    {"xgft", "2x3x2x2x2x3", 6},
    {"xgft", "3x1x2x2", 2},
    {"butterfly", "2x3", 4},
    {"butterfly", "3x2", 3},
    {"omega", "2x3", 4},
    {"omega", "3x2", 3},
    {"clos", "3x2x4", 4},
    {"dragonfly", "2x4x2", 5},
    {"dragonfly", "1x2x2x3", 4},
    {"dragonfly", "2x3x1x2", 4},
    {"clusters", "3x4", 5},
    {"clusters", "2x3x2", 7},
};
const size_t n_samples = G_N_ELEMENTS(samples);

bool goes_with(const char *switching, const char *topology)
{
    if (strcmp(switching, "loggp") == 0)
        return true;
    if (strcmp(topology, "file") == 0)
        return false;
    bool shared = strcmp(switching, "bus") == 0 || strcmp(switching, "csma-cd") == 0;
    return shared == (strcmp(topology, "bus") == 0);
}
