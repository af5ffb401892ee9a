/* messages.c - every message on its way: software, NIC, links, software.
 *
 * A transfer is reported in this order: MPI is about to hand it over; the network has accepted it (or it stays within
 * the node); its packets pass links and arrive; it is delivered; its receiver has taken it. What the network does is
 * pipelined, so it is explained by one packet, the one that arrived last. At each moment that packet either waits for a
 * link or moves, and it waited in its NIC for the packets before it. So the parts follow each other without a gap, and
 * their sum is the whole.
 *
 *   began | send | handed | nic | startup | nic | first packet asks | injection | last packet asks
 *         | blocked, transit, blocked, transit ... | at its destination | ejection | arrived | order | delivered
 *         | wait | taken | receive | received
 */
#include "monitor/network/network.h"

const char *const mon_messages_part_names[MON_PARTS] = {"send",    "nic",      "startup", "injection", "blocked",
                                                        "transit", "ejection", "order",   "wait",      "receive"};

struct MonMessages {
    const Network *net;
    GArray *transfers;   /* MonTransfer, in the order in which they were sent */
    GArray *hops;        /* MonHop: the hops of a transfer stand together */
    GHashTable *by_name; /* message and kind -> index in transfers + 1; holds those that are not received yet */
};

MonMessages *mon_messages_new(const Network *net)
{
    MonMessages *messages = g_new0(MonMessages, 1);
    messages->net = net;
    messages->transfers = g_array_new(FALSE, FALSE, sizeof(MonTransfer));
    messages->hops = g_array_new(FALSE, FALSE, sizeof(MonHop));
    messages->by_name = g_hash_table_new(NULL, NULL);
    return messages;
}

static MonTransfer *transfer_at(const MonMessages *messages, uint64_t i)
{
    return &g_array_index(messages->transfers, MonTransfer, i);
}

void mon_messages_free(MonMessages *messages)
{
    if (!messages)
        return;
    for (guint i = 0; i < messages->transfers->len; i++)
        if (transfer_at(messages, i)->under_way)
            g_array_unref(transfer_at(messages, i)->under_way);
    g_array_unref(messages->transfers);
    g_array_unref(messages->hops);
    g_hash_table_unref(messages->by_name);
    g_free(messages);
}

/* -- MPI's side -------------------------------------------------------------------------------- */

static gpointer name_of(const MpiTransfer *transfer)
{
    return GSIZE_TO_POINTER(transfer->message * 16 + transfer->kind);
}

static void add_transfer(MonMessages *messages, const MpiTransfer *what)
{
    MonTransfer transfer = {
        .what = *what, .seen = MON_SENT, .local = true, .began_ps = what->from_ps, .handed_ps = what->to_ps};
    g_array_append_val(messages->transfers, transfer);
    g_hash_table_insert(messages->by_name, name_of(what), GSIZE_TO_POINTER((gsize)messages->transfers->len));
}

void mon_messages_transfer(MonMessages *messages, MpiTransferStage stage, const MpiTransfer *what)
{
    if (stage == MPI_TRANSFER_SENT) {
        add_transfer(messages, what);
        return;
    }
    gsize place = GPOINTER_TO_SIZE(g_hash_table_lookup(messages->by_name, name_of(what)));
    if (!place)
        return;
    MonTransfer *transfer = transfer_at(messages, place - 1);
    if (stage == MPI_TRANSFER_DELIVERED) {
        transfer->seen |= MON_DELIVERED;
        transfer->delivered_ps = what->from_ps;
        g_clear_pointer(&transfer->under_way, g_array_unref);
        return;
    }
    transfer->seen |= MON_RECEIVED;
    transfer->taken_ps = what->from_ps;
    transfer->received_ps = what->to_ps;
    g_hash_table_remove(messages->by_name, name_of(what));
}

/* -- the network's side ------------------------------------------------------------------------ */

uint64_t mon_messages_accepted(MonMessages *messages, const MpiTransfer *what, const NetAccepted *accepted)
{
    gsize place = GPOINTER_TO_SIZE(g_hash_table_lookup(messages->by_name, name_of(what)));
    g_assert(place);
    MonTransfer *transfer = transfer_at(messages, place - 1);
    if (what->kind == MPI_TRANSFER_MULTICAST) /* it is on its way for all of them, so it says nothing about this one */
        return place - 1;
    transfer->local = false;
    transfer->begun_ps = accepted->begun_ps;
    transfer->ready_ps = transfer->first_ps = accepted->ready_ps;
    return place - 1;
}

void mon_messages_passed(MonMessages *messages, const NetPassage *passage)
{
    MonTransfer *transfer = transfer_at(messages, passage->message);
    if (transfer->seen & MON_DELIVERED || passage->packet & NET_ACKNOWLEDGEMENT)
        return; /* a copy that comes too late, or an acknowledgement */
    if (!transfer->under_way)
        transfer->under_way = g_array_new(FALSE, FALSE, sizeof(NetPassage));
    if (!transfer->begun)
        transfer->first_ps = passage->asked_ps;
    transfer->begun = true;
    g_array_append_vals(transfer->under_way, passage, 1);
}

/* -- the way of the packet that arrives last --------------------------------------------------- */

/* From the passages that were reported, the way takes the one that reached farthest, then the one that brought the
 * packet there, and so on. A multicast takes several ways. A frame that was lost has taken some of them twice. */

static bool leads_to(const MonMessages *messages, const NetPassage *before, const NetPassage *passage)
{
    return before->packet == passage->packet && before->hop + 1 == passage->hop &&
           net_link(messages->net, before->link)->to == net_link(messages->net, passage->link)->from;
}

/* Returns the passage before this one, or the last of all if `passage` is NULL. Of several, the latest reported one is
 * returned; NULL if there is none. */
static const NetPassage *passage_before(const MonMessages *messages, const GArray *under_way, uint64_t packet,
                                        const NetPassage *passage)
{
    const NetPassage *found = NULL;
    for (guint i = 0; i < under_way->len; i++) {
        const NetPassage *other = &g_array_index(under_way, NetPassage, i);
        if (passage ? leads_to(messages, other, passage)
                    : other->packet == packet && (!found || other->reached_ps >= found->reached_ps))
            found = other;
    }
    return found;
}

static MonHop hop_of(const NetPassage *passage)
{
    return (MonHop){.link = passage->link,
                    .channel = passage->channel,
                    .asked_ps = passage->asked_ps,
                    .got_ps = passage->got_ps,
                    .reached_ps = passage->reached_ps,
                    .left_ps = passage->left_ps,
                    .behind = passage->behind};
}

/* Keeps the way of a packet instead of that of another packet of the transfer. The latter is overwritten if it is the
 * last in the common array. */
static void keep_way(MonMessages *messages, MonTransfer *transfer, uint64_t packet)
{
    GArray *hops = messages->hops;
    if (transfer->hops && transfer->first_hop + transfer->hops == hops->len)
        g_array_set_size(hops, (guint)transfer->first_hop);
    transfer->first_hop = hops->len;
    const NetPassage *passage = passage_before(messages, transfer->under_way, packet, NULL);
    for (; passage; passage = passage->hop ? passage_before(messages, transfer->under_way, packet, passage) : NULL) {
        MonHop hop = hop_of(passage);
        g_array_append_val(hops, hop);
    }
    transfer->hops = hops->len - (uint32_t)transfer->first_hop;
    for (guint i = 0, last = hops->len - 1; i < transfer->hops / 2; i++) { /* the way was found from its end */
        MonHop hop = g_array_index(hops, MonHop, transfer->first_hop + i);
        g_array_index(hops, MonHop, transfer->first_hop + i) = g_array_index(hops, MonHop, last - i);
        g_array_index(hops, MonHop, last - i) = hop;
    }
}

void mon_messages_arrived(MonMessages *messages, uint64_t place, uint64_t packet, uint64_t time_ps)
{
    MonTransfer *transfer = transfer_at(messages, place);
    GArray *under_way = transfer->under_way;
    guint left = 0;
    if (!under_way)
        return;
    if (time_ps >= transfer->arrived_ps) {
        keep_way(messages, transfer, packet);
        transfer->arrived_ps = time_ps;
    }
    for (guint i = 0; i < under_way->len; i++)
        if (g_array_index(under_way, NetPassage, i).packet != packet)
            g_array_index(under_way, NetPassage, left++) = g_array_index(under_way, NetPassage, i);
    g_array_set_size(under_way, left);
}

/* -- looking ----------------------------------------------------------------------------------- */

size_t mon_messages_count(const MonMessages *messages)
{
    return messages->transfers->len;
}

const MonTransfer *mon_messages_get(const MonMessages *messages, size_t i)
{
    return transfer_at(messages, i);
}

const MonHop *mon_messages_hop(const MonMessages *messages, const MonTransfer *transfer, uint32_t i)
{
    g_assert(i < transfer->hops);
    return &g_array_index(messages->hops, MonHop, transfer->first_hop + i);
}

/* Computes the parts from the NIC to the destination. */
static void network_parts(const MonMessages *messages, const MonTransfer *transfer, uint64_t parts[MON_PARTS])
{
    uint64_t at = transfer->ready_ps;
    parts[MON_PART_NIC] = transfer->begun_ps - transfer->handed_ps + transfer->first_ps - transfer->ready_ps;
    parts[MON_PART_STARTUP] = transfer->ready_ps - transfer->begun_ps;
    for (uint32_t i = 0; i < transfer->hops; i++) {
        const MonHop *hop = mon_messages_hop(messages, transfer, i);
        if (i == 0)
            parts[MON_PART_INJECTION] = hop->asked_ps - transfer->first_ps;
        else
            parts[MON_PART_TRANSIT] += hop->asked_ps - at;
        parts[MON_PART_BLOCKED] += hop->got_ps - hop->asked_ps;
        parts[MON_PART_TRANSIT] += hop->reached_ps - hop->got_ps;
        at = hop->reached_ps;
    }
    uint64_t arrived = transfer->hops ? transfer->arrived_ps : at; /* a node may send to itself */
    parts[MON_PART_EJECTION] = arrived - at;
    parts[MON_PART_ORDER] = transfer->delivered_ps - arrived;
}

uint64_t mon_messages_transfer_parts(const MonMessages *messages, const MonTransfer *transfer,
                                     uint64_t parts[MON_PARTS])
{
    for (size_t i = 0; i < MON_PARTS; i++)
        parts[i] = 0;
    parts[MON_PART_SEND] = transfer->handed_ps - transfer->began_ps;
    if (!(transfer->seen & MON_DELIVERED))
        return transfer->handed_ps - transfer->began_ps;
    if (transfer->local)
        parts[MON_PART_TRANSIT] = transfer->delivered_ps - transfer->handed_ps;
    else
        network_parts(messages, transfer, parts);
    if (!(transfer->seen & MON_RECEIVED))
        return transfer->delivered_ps - transfer->began_ps;
    parts[MON_PART_WAIT] = transfer->taken_ps - transfer->delivered_ps;
    parts[MON_PART_RECEIVE] = transfer->received_ps - transfer->taken_ps;
    return transfer->received_ps - transfer->began_ps;
}
