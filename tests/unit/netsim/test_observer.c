/* test_observer.c - what observers are told, for every model under random traffic. The passages of a packet lead from
 * its source to its destination without gaps in space and time. All passages add up to the counts of links. Observing
 * changes nothing. Both wormhole engines report the same.
 */
#include "helper.h"

#include <string.h>

enum { MESSAGES = 100, RUNS = 12 };

typedef struct Change { /* a change in the number of packets that wait for a link */
    uint64_t time_ps;
    uint32_t link;
    int change;
} Change;

typedef struct Arrival {
    uint64_t message, packet, time_ps;
} Arrival;

typedef struct Notes {
    NetAccepted accepted[MESSAGES];
    uint64_t delivered_ps[MESSAGES];
    size_t messages;
    GArray *passages, *changes, *arrivals;
    uint64_t since_ps;
} Notes;

static uint64_t note_accepted(void *user, const NetAccepted *message)
{
    Notes *notes = user;
    cr_assert_eq(message->cookie, notes->messages);
    notes->accepted[notes->messages] = *message;
    return notes->messages++;
}

static void note_passed(void *user, const NetPassage *passage)
{
    Notes *notes = user;
    g_array_append_vals(notes->passages, passage, 1);
}

static void note_queued(void *user, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps)
{
    Notes *notes = user;
    Change what = {.time_ps = time_ps, .link = link, .change = change};
    cr_assert_geq(time_ps, notes->since_ps, "told of a time that was said to be over");
    notes->since_ps = MAX(notes->since_ps, since_ps);
    g_array_append_val(notes->changes, what);
}

static void note_arrived(void *user, uint64_t message, uint64_t packet, uint64_t time_ps)
{
    Notes *notes = user;
    Arrival arrival = {.message = message, .packet = packet, .time_ps = time_ps};
    g_array_append_val(notes->arrivals, arrival);
}

static void note_delivered(void *user, uint64_t message, uint64_t time_ps)
{
    ((Notes *)user)->delivered_ps[message] = time_ps;
}

static void notes_init(Notes *notes)
{
    *notes = (Notes){.passages = g_array_new(FALSE, TRUE, sizeof(NetPassage)),
                     .changes = g_array_new(FALSE, TRUE, sizeof(Change)),
                     .arrivals = g_array_new(FALSE, TRUE, sizeof(Arrival))};
}

static void notes_clear(Notes *notes)
{
    g_array_unref(notes->passages);
    g_array_unref(notes->changes);
    g_array_unref(notes->arrivals);
}

static NetParams some_params(uint64_t *seed, const char *switching)
{
    const Sample *sample = &samples[random_below(seed, (uint32_t)n_samples)];
    while (!goes_with(switching, sample->topology) || strcmp(sample->dims, "1") == 0)
        sample = &samples[random_below(seed, (uint32_t)n_samples)];
    NetParams params = make_params(sample->topology, sample->dims, switching);
    params.link_latency_ps = random_below(seed, 3) * 15000;
    params.router_latency_ps = random_below(seed, 4) * 9000;
    params.startup_ps = random_below(seed, 3) * 100000;
    uint64_t own = *seed;
    params.packet_startup_ps = random_below(&own, 4) ? 0 : random_below(&own, 3) * 70000;
    params.wormhole.flit_bytes = 4 + random_below(seed, 30);
    params.packet_bytes = params.wormhole.flit_bytes + random_below(seed, 600);
    params.header_bytes = random_below(seed, 20);
    params.wormhole.virtual_channels = 2 + random_below(seed, 4);
    params.wormhole.buffer_flits = 1 + random_below(seed, 8);
    params.duplex = random_below(seed, 3) == 0 ? NET_DUPLEX_HALF : NET_DUPLEX_FULL;
    if (strcmp(switching, "switched-ethernet") == 0) { /* no half duplex there, and pauses could deadlock */
        params.duplex = NET_DUPLEX_FULL;
        params.ethernet.flow_control = NET_FLOW_CONTROL_NONE;
    }
    NetParams other = params;
    const char *const *routings = net_routings();
    other.routing = routings[random_below(seed, g_strv_length((char **)routings))];
    other.wormhole.virtual_channels += 4;
    g_autoptr(Network) net = random_below(seed, 2) ? net_network_new(&other, NULL, NULL) : NULL;
    return net ? other : params;
}

static void send_and_run(Network *net, uint64_t seed)
{
    uint64_t time = 0;
    for (uint64_t i = 0; i < MESSAGES; i++) {
        time += random_below(&seed, 20000);
        while (net_next_time(net) < time)
            net_step(net);
        uint32_t from = random_below(&seed, net_network_nodes(net)), to = random_below(&seed, net_network_nodes(net));
        send_message(net, from, to, random_below(&seed, 3) ? random_below(&seed, 300) : random_below(&seed, 3000), time,
                     i);
    }
    run_all(net);
}

static void watch_run(const NetParams *params, uint64_t seed, Notes *notes, Log *log, Network **net)
{
    NetObserver observer = {.user = notes,
                            .accepted = note_accepted,
                            .passed = note_passed,
                            .queued = note_queued,
                            .arrived = note_arrived,
                            .delivered = note_delivered};
    log_init(log, MESSAGES);
    notes_init(notes);
    *net = make_network(params, log);
    net_watch(*net, &observer);
    send_and_run(*net, seed);
}

/* -- what was told of one packet: its passages in order, then its arrival */

static int compare_passages(gconstpointer a, gconstpointer b)
{
    const NetPassage *x = a, *y = b;
    if (x->message != y->message)
        return x->message < y->message ? -1 : 1;
    if (x->packet != y->packet)
        return x->packet < y->packet ? -1 : 1;
    return (x->hop > y->hop) - (x->hop < y->hop);
}

static int compare_arrivals(gconstpointer a, gconstpointer b)
{
    const Arrival *x = a, *y = b;
    if (x->message != y->message)
        return x->message < y->message ? -1 : 1;
    return (x->packet > y->packet) - (x->packet < y->packet);
}

static void check_step(const Network *net, const NetPassage *passage, const NetPassage *before, const char *what)
{
    cr_assert_leq(passage->asked_ps, passage->got_ps, "%s", what);
    cr_assert_leq(passage->got_ps, passage->reached_ps, "%s", what);
    cr_assert_leq(passage->busy_ps, passage->left_ps - passage->got_ps, "%s", what);
    cr_assert(passage->got_ps > passage->asked_ps || passage->behind == NET_NOBODY, "%s", what);
    if (passage->hop == 0 || passage->link == NET_NO_LINK)
        return;
    cr_assert_eq(passage->hop, before->hop + 1, "%s", what);
    cr_assert_eq(net_link(net, passage->link)->from, net_link(net, before->link)->to, "%s", what);
    cr_assert_geq(passage->asked_ps, before->reached_ps, "%s: message %lu", what, (unsigned long)passage->message);
}

/* Checks the passages of one packet. Returns their number. */
static guint check_packet(const Network *net, const Notes *notes, guint first, const Arrival *arrival, const char *what)
{
    const NetPassage *passages = (const NetPassage *)notes->passages->data;
    const NetAccepted *message = &notes->accepted[arrival->message];
    guint end = first;
    for (; end < notes->passages->len && passages[end].message == arrival->message &&
           passages[end].packet == arrival->packet;
         end++)
        check_step(net, &passages[end], end > first ? &passages[end - 1] : NULL, what);
    cr_assert_gt(end, first, "%s: message %lu arrives from nowhere", what, (unsigned long)arrival->message);
    cr_assert_eq(passages[first].hop, 0);
    cr_assert_geq(passages[first].asked_ps, message->ready_ps, "%s", what);
    cr_assert_leq(passages[end - 1].reached_ps, arrival->time_ps, "%s", what);
    cr_assert_leq(arrival->time_ps, notes->delivered_ps[arrival->message], "%s", what);
    if (passages[first].link != NET_NO_LINK) {
        cr_assert_eq(net_link(net, passages[first].link)->from, message->from, "%s", what);
        cr_assert_eq(net_link(net, passages[end - 1].link)->to, message->to, "%s", what);
    }
    return end - first;
}

static void check_packets(const Network *net, Notes *notes, const char *what)
{
    g_array_sort(notes->passages, compare_passages);
    g_array_sort(notes->arrivals, compare_arrivals);
    guint done = 0;
    for (guint i = 0; i < notes->arrivals->len; i++)
        done += check_packet(net, notes, done, &g_array_index(notes->arrivals, Arrival, i), what);
    cr_assert_eq(done, notes->passages->len, "%s: a packet that never arrives", what);
    for (size_t i = 0; i < MESSAGES; i++) {
        const NetAccepted *message = &notes->accepted[i];
        cr_assert_eq(message->ready_ps - message->begun_ps, net_network_params(net)->startup_ps);
        cr_assert_leq(message->handed_ps, message->begun_ps);
        if (message->from == message->to)
            cr_assert_eq(notes->delivered_ps[i], message->ready_ps, "%s", what);
    }
}

/* -- links */

static void check_links(const Network *net, const Notes *notes, const char *what)
{
    g_autofree NetLink *sum = g_new0(NetLink, net_link_count(net) + 1);
    bool flow = strcmp(net_network_params(net)->switching, "flow") == 0;
    for (guint i = 0; i < notes->passages->len; i++) {
        const NetPassage *passage = &g_array_index(notes->passages, NetPassage, i);
        if (passage->link == NET_NO_LINK)
            return;
        sum[passage->link].bytes += passage->bytes;
        sum[passage->link].packets += passage->packets;
        sum[passage->link].busy_ps += passage->busy_ps;
        sum[passage->link].blocked_ps += passage->got_ps - passage->asked_ps;
    }
    for (uint32_t i = 0; i < net_link_count(net); i++) {
        const NetLink *link = net_link(net, i);
        cr_assert_eq(sum[i].bytes, link->bytes, "%s: link %u", what, i);
        cr_assert_eq(sum[i].packets, link->packets, "%s: link %u", what, i);
        cr_assert_eq(sum[i].blocked_ps, link->blocked_ps, "%s: link %u", what, i);
        cr_assert(flow || sum[i].busy_ps == link->busy_ps, "%s: link %u", what, i); /* flows share a link */
    }
}

static int compare_changes(gconstpointer a, gconstpointer b)
{
    const Change *x = a, *y = b;
    if (x->link != y->link)
        return x->link < y->link ? -1 : 1;
    if (x->time_ps != y->time_ps)
        return x->time_ps < y->time_ps ? -1 : 1;
    return y->change - x->change;
}

/* The number of packets waiting for a link, integrated over time, is the time that packets have waited for it. */
static void check_queues(const Network *net, Notes *notes, const char *what)
{
    const NetRouting *routing = net->routing;
    g_array_sort(notes->changes, compare_changes);
    g_autofree uint64_t *waited = g_new0(uint64_t, net_link_count(net) + 1);
    int depth = 0;
    for (guint i = 0; i < notes->changes->len; i++) {
        const Change *change = &g_array_index(notes->changes, Change, i);
        const Change *before = i ? change - 1 : change;
        if (before->link != change->link)
            cr_assert_eq(depth, 0, "%s: a packet waits for ever", what);
        else
            waited[change->link] += (uint64_t)depth * (change->time_ps - before->time_ps);
        depth += change->change;
        cr_assert_geq(depth, 0, "%s", what);
    }
    cr_assert_eq(depth, 0, "%s", what);
    bool several = routing->candidates && strncmp(net_network_params(net)->switching, "wormhole", 8) == 0;
    for (uint32_t i = 0; !several && i < net_link_count(net); i++)
        cr_assert_eq(waited[i], net_link(net, i)->blocked_ps, "%s: link %u", what, i);
}

static bool is_watched(const char *model)
{
    return net_model_lookup(model, NULL)->observable;
}

Test(observer, every_model_tells_all_of_it)
{
    for (const char *const *model = net_models(); *model; model++)
        for (uint64_t run = 1; is_watched(*model) && run <= RUNS; run++) {
            uint64_t seed = run * 6151;
            NetParams params = some_params(&seed, *model);
            g_autofree char *what =
                g_strdup_printf("%s on %s by %s, run %lu", *model, params.topology, params.routing, (unsigned long)run);
            Notes notes;
            Log log, unwatched;
            Network *net;
            watch_run(&params, seed, &notes, &log, &net);
            check_packets(net, &notes, what);
            check_links(net, &notes, what);
            check_queues(net, &notes, what);
            log_init(&unwatched, MESSAGES);
            g_autoptr(Network) again = make_network(&params, &unwatched);
            send_and_run(again, seed);
            cr_assert_arr_eq(log.message, unwatched.message, MESSAGES * sizeof(Delivery), "%s: changed by watching",
                             what);
            log_clear(&log);
            log_clear(&unwatched);
            notes_clear(&notes);
            net_network_free(net);
        }
}

static void expect_same_passages(const Notes *a, const Notes *b, const char *what)
{
    cr_assert_eq(a->passages->len, b->passages->len, "%s", what);
    for (guint i = 0; i < a->passages->len; i++) {
        const NetPassage *x = &g_array_index(a->passages, NetPassage, i);
        const NetPassage *y = &g_array_index(b->passages, NetPassage, i);
        cr_assert(x->message == y->message && x->packet == y->packet && x->hop == y->hop, "%s", what);
        cr_assert(x->link == y->link && x->channel == y->channel && x->behind == y->behind, "%s", what);
        cr_assert(x->asked_ps == y->asked_ps && x->got_ps == y->got_ps && x->reached_ps == y->reached_ps, "%s", what);
        cr_assert(x->left_ps == y->left_ps && x->bytes == y->bytes && x->busy_ps == y->busy_ps, "%s", what);
    }
}

/* Compares how many wait for a link, after all changes of an instant. Waiting that begins and ends at one instant does
 * not count. */
static void expect_same_queues(Notes *a, Notes *b, const char *what)
{
    Notes *both[] = {a, b};
    GArray *sums[2];
    for (size_t k = 0; k < 2; k++) {
        g_array_sort(both[k]->changes, compare_changes);
        sums[k] = g_array_new(FALSE, FALSE, sizeof(Change));
        for (guint i = 0; i < both[k]->changes->len; i++) {
            Change change = g_array_index(both[k]->changes, Change, i);
            Change *last = sums[k]->len ? &g_array_index(sums[k], Change, sums[k]->len - 1) : NULL;
            if (last && last->link == change.link && last->time_ps == change.time_ps)
                last->change += change.change;
            else
                g_array_append_val(sums[k], change);
        }
    }
    guint i = 0, j = 0;
    for (;; i++, j++) {
        while (i < sums[0]->len && !g_array_index(sums[0], Change, i).change)
            i++;
        while (j < sums[1]->len && !g_array_index(sums[1], Change, j).change)
            j++;
        cr_assert_eq(i < sums[0]->len, j < sums[1]->len, "%s", what);
        if (i == sums[0]->len)
            break;
        const Change *x = &g_array_index(sums[0], Change, i), *y = &g_array_index(sums[1], Change, j);
        cr_assert(x->link == y->link && x->time_ps == y->time_ps && x->change == y->change, "%s", what);
    }
    g_array_unref(sums[0]);
    g_array_unref(sums[1]);
}

Test(observer, wormhole_engines_tell_the_same)
{
    for (uint64_t run = 1; run <= 4 * RUNS; run++) {
        uint64_t seed = run * 7907;
        NetParams params = some_params(&seed, "wormhole");
        if (run % 3 == 0 && params.duplex == NET_DUPLEX_FULL) { /* routers with allocators */
            params.wormhole.allocation = NET_ALLOCATE_LOWEST;
            params.wormhole.vc_allocator = (NetAllocator)(run / 3 % 5);
            params.wormhole.switch_allocator = (NetAllocator)(run % 5);
            params.wormhole.speculation = (NetSpeculation)(run % 2);
        }
        g_autofree char *what =
            g_strdup_printf("%s by %s, run %lu", params.topology, params.routing, (unsigned long)run);
        Notes notes[2];
        Log log[2];
        for (int reference = 0; reference < 2; reference++) {
            Network *net;
            params.switching = reference ? "wormhole-reference" : "wormhole";
            watch_run(&params, seed, &notes[reference], &log[reference], &net);
            g_array_sort(notes[reference].passages, compare_passages);
            net_network_free(net);
        }
        expect_same_passages(&notes[0], &notes[1], what);
        expect_same_queues(&notes[0], &notes[1], what);
        cr_assert_arr_eq(log[0].message, log[1].message, MESSAGES * sizeof(Delivery), "%s", what);
        for (int i = 0; i < 2; i++) {
            notes_clear(&notes[i]);
            log_clear(&log[i]);
        }
    }
}

/* Two messages on an array. The second comes to a link that the first one occupies, and waits behind it until its last
 * byte has left. */
Test(observer, who_waits_behind_whom)
{
    NetParams params = make_params("linear", "4", "store-and-forward");
    Notes notes;
    Log log;
    params.startup_ps = 0;
    log_init(&log, 2);
    notes_init(&notes);
    NetObserver observer = {.user = &notes,
                            .accepted = note_accepted,
                            .passed = note_passed,
                            .queued = note_queued,
                            .arrived = note_arrived,
                            .delivered = note_delivered};
    g_autoptr(Network) net = make_network(&params, &log);
    net_watch(net, &observer);
    send_message(net, 1, 3, 1000, 0, 0);
    send_message(net, 0, 3, 10, 0, 1);
    run_all(net);
    const NetPassage *last = NULL;
    for (guint i = 0; i < notes.passages->len; i++) {
        const NetPassage *passage = &g_array_index(notes.passages, NetPassage, i);
        if (passage->message == 0 && passage->hop == 0)
            last = passage;
        if (passage->message == 1 && passage->hop == 1) {
            cr_assert_eq(passage->link, last->link);
            cr_assert_gt(passage->got_ps, passage->asked_ps);
            cr_assert_eq(passage->behind, 0);
            cr_assert_eq(passage->got_ps, last->left_ps);
        }
    }
    cr_assert_not_null(last);
    log_clear(&log);
    notes_clear(&notes);
}
