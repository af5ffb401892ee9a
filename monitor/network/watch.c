/* watch.c - watches the network of a machine, for the reports.
 *
 * If they are wanted, passages go to the windows of their channels and to the messages that they belong to. For every
 * link the longest wait is kept, and the greatest number of packets that waited at one time. Where nothing else is
 * wanted, the network may tell each wait at once. Else queues are reported as changes that may lie ahead. These wait in
 * a queue of events until nothing earlier can come.
 *
 * The network names a message by a number from which mon_network_ranks() can find the ranks. If messages are wanted, it
 * is the number of the transfer; else it consists of the two ranks, so that nothing has to be kept for each message.
 */
#include "base/queue.h"
#include "monitor/network/network.h"
#include "monitor/report/report.h"

#include <string.h>

/* The number of a transfer is that of its message, and the sort of the transfer. */
enum { KIND_BITS = 4 };

/* Messages under way have the numbers of their transfers, by which a listener finds them; what is kept of links has
 * their ranks. */
static uint64_t keep_ranks(MonNetwork *network, const MpiTransfer *transfer, uint64_t ranks)
{
    gint64 number = (gint64)(transfer->message << KIND_BITS | transfer->kind);
    g_hash_table_insert(network->under_way, g_memdup2(&number, sizeof number), g_memdup2(&ranks, sizeof ranks));
    return (uint64_t)number;
}

/* Returns what is kept of a link instead of the message's number. */
static uint64_t kept_name(const MonNetwork *network, uint64_t message)
{
    if (!network->under_way || network->messages || message == NET_NOBODY)
        return message;
    const uint64_t *ranks = g_hash_table_lookup(network->under_way, &message);
    return ranks ? *ranks : NET_NOBODY;
}

static void tell_passage(const MonNetwork *network, const NetPassage *passage)
{
    uint64_t message = 0;
    uint32_t from = 0;
    if (passage->message != NET_NOBODY && network->messages) {
        const MpiTransfer *what = &mon_messages_get(network->messages, passage->message)->what;
        message = what->message;
        from = what->from;
    } else if (passage->message != NET_NOBODY) {
        message = passage->message >> KIND_BITS;
        from = (uint32_t)(kept_name(network, passage->message) >> 32);
    }
    network->passed(network->passed_user, message, from, passage);
}

static uint64_t accepted(void *user, const NetAccepted *message)
{
    MonNetwork *network = user;
    MpiTransfer transfer = mach_run_transfer(message->cookie);
    uint32_t half = net_network_nodes(network->net) / 2;
    network->bytes += message->bytes;
    if ((message->from < half) != (message->to < half))
        network->crossing_bytes += message->bytes;
    if (!transfer
             .message) /* between a node and a file server: it counts in what links carry, like background traffic */
        return NET_NOBODY;
    if (network->messages)
        return mon_messages_accepted(network->messages, &transfer, message);
    uint64_t ranks = (uint64_t)transfer.from << 32 | transfer.to;
    return network->under_way ? keep_ranks(network, &transfer, ranks) : ranks;
}

void mon_network_ranks(const MonNetwork *network, uint64_t message, uint32_t *from, uint32_t *to)
{
    *from = (uint32_t)(message >> 32);
    *to = (uint32_t)message;
    if (network->messages) {
        const MpiTransfer *transfer = &mon_messages_get(network->messages, message)->what;
        *from = transfer->from;
        *to = transfer->to;
    }
}

static void passed(void *user, const NetPassage *passage)
{
    MonNetwork *network = user;
    uint64_t waited_ps = passage->got_ps - passage->asked_ps;
    bool named = passage->message != NET_NOBODY; /* else background traffic, which counts only in what links carry */
    if (network->messages && named)
        mon_messages_passed(network->messages, passage);
    if (network->passed)
        tell_passage(network, passage);
    if (passage->link == NET_NO_LINK)
        return;
    MonHotSpot *spot = &network->spots[passage->link];
    network->end_ps = MAX(network->end_ps, passage->left_ps);
    if (waited_ps > spot->waited_ps && named) {
        spot->waited_ps = waited_ps;
        spot->who = kept_name(network, passage->message);
        spot->behind = kept_name(network, passage->behind);
    }
    if (network->windows)
        mon_windows_passed(network->windows, (size_t)passage->link * network->channels + passage->channel, passage);
}

/* -- queues: changes in the order of time */

static void change_depth(MonNetwork *network, const BaseEvent *change)
{
    MonHotSpot *spot = &network->spots[change->rank];
    if (spot->depth && change->time_ps > spot->depth_from_ps) {
        spot->most = MAX(spot->most, spot->depth);
        if (network->windows)
            mon_windows_queue(network->windows, (size_t)change->rank * network->channels, spot->depth_from_ps,
                              change->time_ps, spot->depth);
    }
    spot->depth_from_ps = change->time_ps;
    spot->depth = change->a ? spot->depth + 1 : spot->depth - 1;
}

static void change_before(MonNetwork *network, uint64_t time_ps)
{
    const BaseEvent *top;
    BaseEvent change;
    while ((top = base_queue_top(network->changes)) && top->time_ps < time_ps) {
        base_queue_pop(network->changes, &change);
        change_depth(network, &change);
    }
}

/* At equal times packets that begin to wait come first, so that no count is ever less than zero. */
static void queued(void *user, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps)
{
    MonNetwork *network = user;
    base_queue_push(network->changes, time_ps, change<0, link, change> 0, 0);
    change_before(network, since_ps);
}

/* Packets that have got the link by from_ps do not wait beside this one. */
static void waited(void *user, uint32_t link, uint64_t from_ps, uint64_t to_ps)
{
    MonNetwork *network = user;
    MonHotSpot *spot = &network->spots[link];
    for (; spot->depth && spot->until_ps[spot->first] <= from_ps; spot->depth--)
        spot->first++;
    if (spot->first + spot->depth == spot->capacity) {
        if (spot->first <= spot->capacity / 2) {
            spot->capacity = MAX(4, 2 * spot->capacity);
            spot->until_ps = g_renew(uint64_t, spot->until_ps, spot->capacity);
        }
        memmove(spot->until_ps, spot->until_ps + spot->first, spot->depth * sizeof *spot->until_ps);
        spot->first = 0;
    }
    spot->until_ps[spot->first + spot->depth++] = to_ps;
    spot->most = MAX(spot->most, spot->depth);
}

void mon_network_settle(MonNetwork *network)
{
    change_before(network, UINT64_MAX);
}

/* -- messages */

static void arrived(void *user, uint64_t message, uint64_t packet, uint64_t time_ps)
{
    MonNetwork *network = user;
    if (network->messages)
        mon_messages_arrived(network->messages, message, packet, time_ps);
}

static void delivered(void *user, uint64_t message, uint64_t time_ps)
{
    MonNetwork *network = user;
    (void)time_ps; /* MPI reports this, too, and also for messages within nodes */
    if (network->under_way && !network->messages)
        g_hash_table_remove(network->under_way, &message);
}

static void transfer_told(void *user, MpiTransferStage stage, const MpiTransfer *transfer)
{
    MonNetwork *network = user;
    mon_messages_transfer(network->messages, stage, transfer);
}

/* -- making ------------------------------------------------------------------------------------ */

static void observe_network(MonNetwork *network)
{
    NetObserver observer = {.user = network,
                            .accepted = accepted,
                            .passed = passed,
                            .queued = queued,
                            .arrived = arrived,
                            .delivered = delivered,
                            .brief = !network->windows && !network->messages && !network->under_way,
                            .waited = waited};
    net_watch(mach_run_network(network->machine), &observer);
}

static void observe_messages(MonNetwork *network)
{
    MachObserver observer = {.user = network, .transfer = transfer_told};
    network->messages = mon_messages_new(network->net);
    mach_run_observe(network->machine, &observer);
}

MonNetwork *mon_network_new(Machine *machine, const MonNetworkOptions *options, GError **error)
{
    bool observable = net_can_watch(mach_run_network(machine));
    if (!observable && (options->links || options->messages || options->passages)) {
        g_set_error(error, MON_ERROR, MON_ERROR_NETWORK, "%s switching does not tell of single packets",
                    net_network_params(mach_run_network(machine))->switching);
        return NULL;
    }
    MonNetwork *network = g_new0(MonNetwork, 1);
    network->machine = machine;
    network->net = mach_run_network(machine);
    network->channels = net_link_channels(network->net);
    uint32_t links = network->channels ? net_link_count(network->net) : 0;
    network->n_spots = links;
    network->spots = g_new0(MonHotSpot, MAX(links, 1));
    network->changes = base_queue_new();
    if (options->links || (options->links_if_told && observable))
        network->windows = mon_windows_new((size_t)links * network->channels, options->window_ps);
    if (options->messages)
        observe_messages(network);
    if (options->passages)
        network->under_way = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    if (observable && (links || options->messages || options->passages))
        observe_network(network);
    return network;
}

void mon_network_listen(MonNetwork *network, MonPassed listener, void *user)
{
    network->passed = listener;
    network->passed_user = user;
}

void mon_network_free(MonNetwork *network)
{
    if (!network)
        return;
    mon_windows_free(network->windows);
    mon_messages_free(network->messages);
    base_queue_free(network->changes);
    if (network->under_way)
        g_hash_table_unref(network->under_way);
    for (uint32_t i = 0; i < network->n_spots; i++)
        g_free(network->spots[i].until_ps);
    g_free(network->spots);
    g_free(network);
}
