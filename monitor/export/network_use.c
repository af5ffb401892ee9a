/* network_use.c - the network's use as files: links over time (`orrery run --network-report`) and messages
 * (`--messages`). Both can be CSV, with a row per window or transfer, or JSON.
 *
 * Times are whole picoseconds. Ratios have six decimals, cut off. Rows in which nothing happened are left out. The
 * other rows are in the order of links, channels and windows, or of sending. Keys are added, never changed in meaning.
 */
#include "base/csv.h"
#include "base/write_file.h"
#include "monitor/export/export.h"
#include "monitor/network/network.h"

#include <jansson.h>
#include <string.h>

static bool check_path(const char *path, GError **error)
{
    if (g_str_has_suffix(path, ".csv") || g_str_has_suffix(path, ".json"))
        return true;
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the name must end in .csv or .json, unlike %s", path);
    return false;
}

static bool is_json(const char *path)
{
    return g_str_has_suffix(path, ".json");
}

/* -- values ------------------------------------------------------------------------------------ */

static void append_number(GString *out, uint64_t value)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
}

static void append_ratio(GString *out, uint64_t part, uint64_t whole)
{
    unsigned __int128 scaled = (unsigned __int128)part * 1000000 / MAX(whole, 1);
    g_string_append_printf(out, "%" G_GUINT64_FORMAT ".%06u", (uint64_t)(scaled / 1000000),
                           (unsigned)(scaled % 1000000));
}

static void append_json_text(GString *out, const char *text)
{
    json_t *value = json_string(text);
    char *printed = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    g_string_append(out, printed ? printed : "\"\"");
    free(printed);
    json_decref(value);
}

static void append_vertex(GString *out, const Network *net, uint32_t vertex, bool json)
{
    g_autofree char *name = net_vertex_name(net, vertex);
    (json ? append_json_text : base_csv_append)(out, name);
}

static void append_key(GString *out, const char *key, uint64_t value)
{
    g_string_append_printf(out, ", \"%s\": %" G_GUINT64_FORMAT, key, value);
}

/* Begins a JSON file, up to its list. */
static GString *begin_json(const MonNetwork *network)
{
    GString *out = g_string_new("{\n \"orrery\": 1,\n \"machine\": ");
    append_json_text(out, mach_run_config(network->machine)->name);
    g_string_append_printf(out, ",\n \"makespan_ps\": %" G_GUINT64_FORMAT, mach_run_makespan(network->machine));
    return out;
}

static bool finish(GString *out, const char *path, GError **error)
{
    bool good = base_write_file(path, out->str, out->len, error);
    g_string_free(out, TRUE);
    return good;
}

/* -- links over time --------------------------------------------------------------------------- */

typedef struct Row { /* the use of a link, or of one of its channels, in a window */
    const MonNetwork *network;
    uint32_t link, channel;
    bool whole; /* the row is about all channels together */
    uint64_t begin_ps, end_ps;
    MonUse use;
} Row;

static bool was_used(const MonUse *use)
{
    return use->bytes || use->packets || use->busy_ps || use->held_ps || use->blocked_ps || use->queue_ps;
}

static void append_csv_row(GString *out, const Row *row)
{
    const NetLink *link = net_link(row->network->net, row->link);
    uint64_t length = row->end_ps - row->begin_ps;
    g_string_append_printf(out, "%u,", row->link);
    append_vertex(out, row->network->net, link->from, false);
    g_string_append_c(out, ',');
    append_vertex(out, row->network->net, link->to, false);
    g_string_append_printf(out, row->whole ? ",all" : ",%u", row->channel);
    const uint64_t numbers[] = {row->begin_ps, row->end_ps, row->use.bytes, row->use.packets, row->use.busy_ps};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        g_string_append_printf(out, ",%" G_GUINT64_FORMAT, numbers[i]);
    g_string_append_c(out, ',');
    append_ratio(out, row->use.busy_ps, length);
    g_string_append_c(out, ',');
    if (!row->whole)
        append_number(out, row->use.held_ps);
    g_string_append_c(out, ',');
    append_number(out, row->use.blocked_ps);
    g_string_append_c(out, ',');
    append_ratio(out, row->whole ? row->use.queue_ps : row->use.blocked_ps, length);
    g_string_append_c(out, ',');
    if (row->whole)
        append_number(out, row->use.most);
    g_string_append_c(out, '\n');
}

static void append_json_row(GString *out, const Row *row, bool *first)
{
    uint64_t length = row->end_ps - row->begin_ps;
    g_string_append_printf(out, "%s\n   {\"begin_ps\": %" G_GUINT64_FORMAT, *first ? "" : ",", row->begin_ps);
    *first = false;
    append_key(out, "end_ps", row->end_ps);
    if (!row->whole)
        append_key(out, "channel", row->channel);
    append_key(out, "bytes", row->use.bytes);
    append_key(out, "packets", row->use.packets);
    append_key(out, "busy_ps", row->use.busy_ps);
    g_string_append(out, ", \"utilisation\": ");
    append_ratio(out, row->use.busy_ps, length);
    if (!row->whole)
        append_key(out, "held_ps", row->use.held_ps);
    append_key(out, "blocked_ps", row->use.blocked_ps);
    g_string_append(out, ", \"queue_mean\": ");
    append_ratio(out, row->whole ? row->use.queue_ps : row->use.blocked_ps, length);
    if (row->whole)
        append_key(out, "queue_most", row->use.most);
    g_string_append_c(out, '}');
}

typedef struct LinkWriter {
    GString *out;
    bool json, first; /* `first`: the next row is the first of its list */
} LinkWriter;

static void write_row(LinkWriter *writer, Row row)
{
    uint64_t length = mon_windows_length(row.network->windows);
    if (!was_used(&row.use))
        return;
    row.end_ps = MAX(MIN(row.begin_ps + length, row.network->end_ps), row.begin_ps + 1);
    if (writer->json)
        append_json_row(writer->out, &row, &writer->first);
    else
        append_csv_row(writer->out, &row);
}

static MonUse use_of(const MonNetwork *network, uint32_t link, uint32_t channel, uint32_t window)
{
    size_t place = (size_t)link * network->channels + channel;
    MonUse nothing = {0};
    return window < mon_windows_count(network->windows, place) ? *mon_windows_use(network->windows, place, window)
                                                               : nothing;
}

static uint32_t count_windows(const MonNetwork *network, uint32_t link)
{
    uint32_t count = 0;
    for (uint32_t channel = 0; channel < network->channels; channel++)
        count = MAX(count, mon_windows_count(network->windows, (size_t)link * network->channels + channel));
    return count;
}

static void write_whole(LinkWriter *writer, const MonNetwork *network, uint32_t link, uint32_t windows)
{
    for (uint32_t window = 0; window < windows; window++) {
        Row row = {
            .network = network, .link = link, .whole = true, .begin_ps = window * mon_windows_length(network->windows)};
        for (uint32_t channel = 0; channel < network->channels; channel++) {
            MonUse use = use_of(network, link, channel, window);
            row.use.bytes += use.bytes;
            row.use.packets += use.packets;
            row.use.busy_ps += use.busy_ps;
            row.use.blocked_ps += use.blocked_ps;
            row.use.queue_ps += use.queue_ps;
            row.use.most = MAX(row.use.most, use.most);
        }
        write_row(writer, row);
    }
}

static void write_channels(LinkWriter *writer, const MonNetwork *network, uint32_t link, uint32_t windows)
{
    for (uint32_t channel = 0; channel < network->channels; channel++)
        for (uint32_t window = 0; window < windows; window++) {
            Row row = {.network = network,
                       .link = link,
                       .channel = channel,
                       .begin_ps = window * mon_windows_length(network->windows),
                       .use = use_of(network, link, channel, window)};
            row.use.queue_ps = 0; /* kept for the whole link only */
            write_row(writer, row);
        }
}

static void write_link(LinkWriter *writer, const MonNetwork *network, uint32_t index, bool *first)
{
    const NetLink *link = net_link(network->net, index);
    uint32_t windows = count_windows(network, index);
    GString *out = writer->out;
    if (!windows)
        return;
    if (writer->json) {
        g_string_append_printf(out, "%s\n  {\"link\": %u, \"from\": ", *first ? "" : ",", index);
        append_vertex(out, network->net, link->from, true);
        g_string_append(out, ", \"to\": ");
        append_vertex(out, network->net, link->to, true);
        append_key(out, "bandwidth", link->bandwidth);
        append_key(out, "latency_ps", link->latency_ps);
        g_string_append(out, ", \"windows\": [");
    }
    *first = false;
    writer->first = true;
    write_whole(writer, network, index, windows);
    if (writer->json)
        g_string_append(out, "],\n   \"channels\": [");
    writer->first = true;
    write_channels(writer, network, index, windows);
    if (writer->json)
        g_string_append(out, "]}");
}

static void append_json_bisection(GString *out, const MonNetwork *network)
{
    MonBisection bisection;
    if (!mon_network_bisection(network, &bisection))
        return;
    g_string_append_printf(out, ",\n \"bisection\": {\"links\": %u", bisection.links);
    append_key(out, "bytes", bisection.bytes);
    append_key(out, "busy_ps", bisection.busy_ps);
    append_key(out, "most_busy_ps", bisection.most_busy_ps);
    append_key(out, "sent_bytes", network->bytes);
    append_key(out, "crossing_bytes", network->crossing_bytes);
    g_string_append_c(out, '}');
}

static void append_json_spots(GString *out, const MonNetwork *network)
{
    g_autoptr(GArray) links = mon_network_hot_spots(network);
    g_string_append(out, ",\n \"hot_spots\": [");
    for (guint i = 0; i < links->len; i++) {
        uint32_t link = g_array_index(links, uint32_t, i), from, to;
        const MonHotSpot *spot = &network->spots[link];
        g_string_append_printf(out, "%s\n  {\"link\": %u", i ? "," : "", link);
        append_key(out, "blocked_ps", net_link(network->net, link)->blocked_ps);
        append_key(out, "queue_most", spot->most);
        append_key(out, "longest_ps", spot->waited_ps);
        if (spot->waited_ps) {
            mon_network_ranks(network, spot->who, &from, &to);
            g_string_append_printf(out, ", \"waited\": {\"from\": %u, \"to\": %u}", from, to);
        }
        if (spot->waited_ps && spot->behind != NET_NOBODY) {
            mon_network_ranks(network, spot->behind, &from, &to);
            g_string_append_printf(out, ", \"behind\": {\"from\": %u, \"to\": %u}", from, to);
        }
        g_string_append_c(out, '}');
    }
    g_string_append(out, "]");
}

static bool write_links(const MonExportRun *run, const char *path, GError **error)
{
    MonNetwork *network = run->network;
    bool first = true;
    LinkWriter writer = {.json = is_json(path)};
    mon_network_settle(network);
    if (writer.json) {
        writer.out = begin_json(network);
        append_key(writer.out, "window_ps", mon_windows_length(network->windows));
        append_json_bisection(writer.out, network);
        append_json_spots(writer.out, network);
        g_string_append(writer.out, ",\n \"links\": [");
    } else {
        writer.out = g_string_new("link,from,to,channel,begin_ps,end_ps,bytes,packets,busy_ps,utilisation,held_ps,"
                                  "blocked_ps,queue_mean,queue_most\n");
    }
    for (uint32_t i = 0; network->channels && i < net_link_count(network->net); i++)
        write_link(&writer, network, i, &first);
    if (writer.json)
        g_string_append(writer.out, "]\n}\n");
    return finish(writer.out, path, error);
}

static void ask_for_links(MonNetworkOptions *options, const MonExportSettings *settings)
{
    options->links = true;
    options->window_ps = settings->values[MON_EXPORT_SETTING_network_window];
}

const MonExport mon_export_network_report = {.check = check_path, .ask = ask_for_links, .write = write_links};

/* -- messages ---------------------------------------------------------------------------------- */

static const char *const kinds[] = {[MPI_TRANSFER_EAGER] = "eager",
                                    [MPI_TRANSFER_REQUEST] = "request",
                                    [MPI_TRANSFER_PERMISSION] = "permission",
                                    [MPI_TRANSFER_DATA] = "data",
                                    [MPI_TRANSFER_MULTICAST] = "multicast",
                                    [MPI_TRANSFER_ACCESS] = "access",
                                    [MPI_TRANSFER_WINDOW] = "window",
                                    [MPI_TRANSFER_PIECE] = "piece",
                                    [MPI_TRANSFER_POST] = "post",
                                    [MPI_TRANSFER_ACKNOWLEDGEMENT] = "acknowledgement",
                                    [MPI_TRANSFER_CREDIT] = "credit"};

static const char *state_of(const MonTransfer *transfer)
{
    if (transfer->seen & MON_RECEIVED)
        return "received";
    return transfer->seen & MON_DELIVERED ? "delivered" : "sent";
}

/* Returns the hop at which the transfer waited longest; NULL if it did not wait. */
static const MonHop *longest_wait(const MonNetwork *network, const MonTransfer *transfer)
{
    const MonHop *longest = NULL;
    for (uint32_t i = 0; i < transfer->hops; i++) {
        const MonHop *hop = mon_messages_hop(network->messages, transfer, i);
        uint64_t before = longest ? longest->got_ps - longest->asked_ps : 0;
        if (hop->got_ps - hop->asked_ps > before)
            longest = hop;
    }
    return longest;
}

static void append_csv_wait(GString *out, const MonNetwork *network, const MonHop *hop)
{
    if (!hop) {
        g_string_append(out, ",,,,,");
        return;
    }
    if (hop->link != NET_NO_LINK)
        g_string_append_printf(out, ",%u,%u", hop->link, hop->channel);
    else
        g_string_append(out, ",nic,");
    g_string_append_printf(out, ",%" G_GUINT64_FORMAT, hop->got_ps - hop->asked_ps);
    if (hop->behind == NET_NOBODY) {
        g_string_append(out, ",,");
        return;
    }
    const MpiTransfer *behind = &mon_messages_get(network->messages, hop->behind)->what;
    g_string_append_printf(out, ",%" G_GUINT64_FORMAT ",%u-%u", behind->message, behind->from, behind->to);
}

/* Appends the transfer's way as link/channel:got-left, with a blank between hops. */
static void append_csv_way(GString *out, const MonNetwork *network, const MonTransfer *transfer)
{
    for (uint32_t i = 0; i < transfer->hops; i++) {
        const MonHop *hop = mon_messages_hop(network->messages, transfer, i);
        if (hop->link != NET_NO_LINK)
            g_string_append_printf(out, "%s%u/%u:%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, i ? " " : "", hop->link,
                                   hop->channel, hop->got_ps, hop->left_ps);
    }
}

static void append_csv_transfer(GString *out, const MonNetwork *network, const MonTransfer *transfer)
{
    const MpiTransfer *what = &transfer->what;
    uint64_t parts[MON_PARTS], latency = mon_messages_transfer_parts(network->messages, transfer, parts);
    g_string_append_printf(out, "%" G_GUINT64_FORMAT ",%s,%s,%u,%u,%u,%u,%d,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
                           what->message, kinds[what->kind], state_of(transfer), what->from, what->to,
                           mach_run_node_of(network->machine, what->from), mach_run_node_of(network->machine, what->to),
                           what->tag, what->bytes, transfer->began_ps);
    for (size_t i = 0; i < MON_PARTS; i++)
        g_string_append_printf(out, ",%" G_GUINT64_FORMAT, parts[i]);
    g_string_append_printf(out, ",%" G_GUINT64_FORMAT ",%u", latency, transfer->hops);
    append_csv_wait(out, network, longest_wait(network, transfer));
    g_string_append_c(out, ',');
    append_csv_way(out, network, transfer);
    g_string_append_c(out, '\n');
}

static void append_json_hop(GString *out, const MonNetwork *network, const MonHop *hop)
{
    g_string_append_c(out, '{');
    if (hop->link != NET_NO_LINK) {
        const NetLink *link = net_link(network->net, hop->link);
        g_string_append_printf(out, "\"link\": %u, \"from\": ", hop->link);
        append_vertex(out, network->net, link->from, true);
        g_string_append(out, ", \"to\": ");
        append_vertex(out, network->net, link->to, true);
        g_string_append_printf(out, ", \"channel\": %u", hop->channel);
    } else {
        g_string_append(out, "\"link\": null");
    }
    append_key(out, "asked_ps", hop->asked_ps);
    append_key(out, "got_ps", hop->got_ps);
    append_key(out, "reached_ps", hop->reached_ps);
    append_key(out, "left_ps", hop->left_ps);
    append_key(out, "blocked_ps", hop->got_ps - hop->asked_ps);
    if (hop->behind != NET_NOBODY) {
        const MpiTransfer *behind = &mon_messages_get(network->messages, hop->behind)->what;
        g_string_append_printf(out, ", \"behind\": {\"message\": %" G_GUINT64_FORMAT ", \"from\": %u, \"to\": %u}",
                               behind->message, behind->from, behind->to);
    }
    g_string_append_c(out, '}');
}

static void append_json_transfer(GString *out, const MonNetwork *network, const MonTransfer *transfer)
{
    const MpiTransfer *what = &transfer->what;
    uint64_t parts[MON_PARTS], latency = mon_messages_transfer_parts(network->messages, transfer, parts);
    g_string_append_printf(out, "  {\"message\": %" G_GUINT64_FORMAT ", \"kind\": \"%s\", \"state\": \"%s\"",
                           what->message, kinds[what->kind], state_of(transfer));
    append_key(out, "from", what->from);
    append_key(out, "to", what->to);
    append_key(out, "from_node", mach_run_node_of(network->machine, what->from));
    append_key(out, "to_node", mach_run_node_of(network->machine, what->to));
    g_string_append_printf(out, ", \"tag\": %d", what->tag);
    append_key(out, "bytes", what->bytes);
    append_key(out, "began_ps", transfer->began_ps);
    for (size_t i = 0; i < MON_PARTS; i++)
        g_string_append_printf(out, ", \"%s_ps\": %" G_GUINT64_FORMAT, mon_messages_part_names[i], parts[i]);
    append_key(out, "latency_ps", latency);
    g_string_append(out, ",\n   \"hops\": [");
    for (uint32_t i = 0; i < transfer->hops; i++) {
        g_string_append(out, i ? ",\n    " : "");
        append_json_hop(out, network, mon_messages_hop(network->messages, transfer, i));
    }
    g_string_append(out, "]}");
}

static GString *begin_csv_messages(void)
{
    GString *out = g_string_new("message,kind,state,from,to,from_node,to_node,tag,bytes,began_ps");
    for (size_t i = 0; i < MON_PARTS; i++)
        g_string_append_printf(out, ",%s_ps", mon_messages_part_names[i]);
    g_string_append(out, ",latency_ps,hops,blocked_link,blocked_channel,blocked_longest_ps,behind_message,behind_ranks,"
                         "way\n");
    return out;
}

static bool write_messages(const MonExportRun *run, const char *path, GError **error)
{
    const MonNetwork *network = run->network;
    bool json = is_json(path);
    GString *out = json ? begin_json(network) : begin_csv_messages();
    g_string_append(out, json ? ",\n \"transfers\": [" : "");
    for (size_t i = 0; i < mon_messages_count(network->messages); i++) {
        const MonTransfer *transfer = mon_messages_get(network->messages, i);
        g_string_append(out, !json ? "" : i ? ",\n" : "\n");
        (json ? append_json_transfer : append_csv_transfer)(out, network, transfer);
    }
    g_string_append(out, json ? "]\n}\n" : "");
    return finish(out, path, error);
}

static void ask_for_messages(MonNetworkOptions *options, const MonExportSettings *settings)
{
    (void)settings;
    options->messages = true;
}

const MonExport mon_export_messages = {.check = check_path, .ask = ask_for_messages, .write = write_messages};
