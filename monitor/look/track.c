/* track.c - follows messages through the network, so that the debugger can say at which hop one is and who blocks it.
 *
 * The network tells when a packet has got a link, with times that may lie in the future. Kept are the last passage of
 * each of the last messages, and of each link. */
#include "monitor/look/track.h"
#include "monitor/network/network.h"

enum { MOST_MESSAGES = 1 << 16 };

struct MonTracker {
    MonNetwork *network;
    GHashTable *messages; /* number -> MonPassing */
    MonPassing *links;    /* by link: the last passage; message NET_NOBODY: none */
    uint32_t n_links;
};

static void passed(void *user, uint64_t message, uint32_t from, const NetPassage *passage)
{
    MonTracker *tracker = user;
    bool waited = passage->got_ps > passage->asked_ps && passage->behind != NET_NOBODY;
    MonPassing *before = tracker->links && passage->link < tracker->n_links ? &tracker->links[passage->link] : NULL;
    MonPassing now = {.message = message,
                      .transfer = passage->message,
                      .behind = waited && before && before->transfer == passage->behind ? before->from : UINT32_MAX,
                      .from = from,
                      .link = passage->link,
                      .hop = passage->hop,
                      .asked_ps = passage->asked_ps,
                      .got_ps = passage->got_ps,
                      .reached_ps = passage->reached_ps,
                      .left_ps = passage->left_ps};
    if (passage->link == NET_NO_LINK)
        return;
    if (before)
        *before = now;
    if (g_hash_table_size(tracker->messages) >= MOST_MESSAGES)
        g_hash_table_remove_all(tracker->messages); /* most have arrived long ago */
    MonPassing *kept = g_hash_table_lookup(tracker->messages, &message);
    if (kept) {
        *kept = now;
        return;
    }
    kept = g_memdup2(&now, sizeof now);
    g_hash_table_insert(tracker->messages, &kept->message, kept);
}

MonTracker *mon_look_track(Machine *machine)
{
    Network *net = mach_run_network(machine);
    MonNetworkOptions options = {.passages = true};
    MonNetwork *network = net_can_watch(net) ? mon_network_new(machine, &options, NULL) : NULL;
    if (!network)
        return NULL;
    MonTracker *tracker = g_new0(MonTracker, 1);
    tracker->network = network;
    tracker->messages = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    tracker->n_links = net_link_count(net);
    tracker->links = g_new0(MonPassing, tracker->n_links + 1);
    for (uint32_t i = 0; i < tracker->n_links; i++)
        tracker->links[i].message = NET_NOBODY;
    mon_network_listen(network, passed, tracker);
    return tracker;
}

void mon_look_track_free(MonTracker *tracker)
{
    if (!tracker)
        return;
    mon_network_free(tracker->network);
    g_hash_table_destroy(tracker->messages);
    g_free(tracker->links);
    g_free(tracker);
}

const MonPassing *mon_look_tracked(const MonTracker *tracker, uint64_t message)
{
    return tracker ? g_hash_table_lookup(tracker->messages, &message) : NULL;
}

const MonPassing *mon_look_tracked_link(const MonTracker *tracker, uint32_t link)
{
    return tracker && link < tracker->n_links && tracker->links[link].message != NET_NOBODY ? &tracker->links[link]
                                                                                            : NULL;
}
