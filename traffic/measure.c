/* measure.c - one load on one network: warm-up, measurement, drain.
 *
 * Time is cut into windows, long enough to hold a good number of messages and several journeys through the network.
 *
 *   warm-up   until the mean latency of what arrives and the messages on their way have changed by less than 1/20 from
 *             window to window, three times in a row
 *   measure   the messages that are made in the next BATCH windows are marked
 *   drain     new ones go on being made, unmarked, until all marked ones have arrived
 *
 * Measure and drain are repeated until the mean is known well enough: each window is a batch whose mean counts as one
 * independent observation (method of batch means; Law, "Simulation Modeling and Analysis", chapter 9), and Student's t
 * gives the interval. A network that cannot take the load shows in one of these: it never becomes steady, less arrives
 * than is made, or the marked messages do not arrive in time.
 */
#include "base/pool.h"
#include "traffic/internal.h"

#include <math.h>
#include <string.h>

enum {
    BATCHES = 10,          /* windows in one round of measuring */
    MOST_ROUNDS = 20,      /* rounds of measuring */
    MOST_WARM_UP = 60,     /* windows of warm-up */
    STEADY_WINDOWS = 3,    /* successive windows that must be alike for the network to count as warm */
    OVERRUN_WINDOWS = 10,  /* windows with more made than arrives after which the network counts as saturated */
    MESSAGES_WANTED = 400, /* messages in a window */
    LEAST_WINDOW = 500,    /* shortest window, in cycles */
    JOURNEYS = 4,          /* a window lasts at least so many journeys through an empty network */
    UNMARKED = 0xffff,
    MOST_ON_THEIR_WAY = 1 << 22,
};

typedef struct Record { /* a message under way; its index is the cookie that the network knows */
    uint64_t made_ps;
    uint16_t batch;
    uint8_t length; /* index into TrafficLengths.length */
} Record;

typedef struct Window {                 /* counts of one window */
    uint64_t made, arrived, latency_ps; /* messages, and the sum of latencies of those that arrived */
    uint64_t flits_made, flits_arrived;
} Window;

typedef struct Batch { /* the messages that were made in one window of measuring */
    uint64_t messages, latency_ps;
} Batch;

typedef struct LinkCount {
    uint64_t packets, busy_ps, blocked_ps;
} LinkCount;

typedef struct Experiment {
    const TrafficOptions *options;
    NetParams params;
    Network *net;
    TrafficNodes nodes;
    const TrafficPattern *pattern;
    TrafficLengths lengths;
    TrafficSource source;
    TrafficRandom random;
    TrafficCalendar calendar; /* the next message of each node */
    uint64_t *phase;          /* by node, of traffic_arrivals_next() */
    uint64_t cycle_ps, window_ps, now_ps;
    uint64_t end_cycle; /* nothing is made from this cycle on: its time does not fit into 64 bits */
    Record *record;
    BasePool records;
    uint32_t on_their_way;
    uint64_t marked; /* marked messages under way */
    uint16_t batch;  /* the batch of new messages, or UNMARKED */
    Window window;
    uint64_t arrived;        /* packets that have arrived since the start */
    uint64_t arrived_before; /* packets that had arrived when the network became warm */
    LinkCount *before;       /* counts of each link when the network became warm */
    Batch by_length[TRAFFIC_MOST_SIZES];
    GArray *batches;   /* of Batch */
    uint64_t *latency; /* latencies of marked messages */
    size_t n_latencies, most_latencies;
} Experiment;

/* -- messages ---------------------------------------------------------------------------------- */

static inline void note_latency(Experiment *x, uint64_t latency)
{
    if (x->n_latencies == x->most_latencies) {
        x->most_latencies = MAX(2 * x->most_latencies, 1024);
        x->latency = g_renew(uint64_t, x->latency, x->most_latencies);
    }
    x->latency[x->n_latencies++] = latency;
}

static void note_arrival(void *user, uint64_t cookie, uint64_t time_ps)
{
    Experiment *x = user;
    Record *record = &x->record[cookie];
    const TrafficLength *length = &x->lengths.length[record->length];
    uint64_t latency = time_ps - record->made_ps;
    x->arrived += length->packets;
    x->window.arrived++;
    x->window.flits_arrived += length->flits;
    x->window.latency_ps += latency;
    x->on_their_way--;
    if (record->batch != UNMARKED) {
        Batch *batch = &g_array_index(x->batches, Batch, record->batch);
        batch->messages++;
        batch->latency_ps += latency;
        x->by_length[record->length].messages++;
        x->by_length[record->length].latency_ps += latency;
        note_latency(x, latency);
        x->marked--;
    }
    BASE_POOL_GIVE(&x->records, x->record, (uint32_t)cookie);
}

static void make_message(Experiment *x, uint32_t from, uint64_t time_ps)
{
    uint32_t to = x->pattern->destination(&x->nodes, from, &x->random);
    if (to == from)
        return;
    uint32_t index = BASE_POOL_TAKE(&x->records, x->record), length = traffic_lengths_random(&x->lengths, &x->random);
    x->record[index] = (Record){.made_ps = time_ps, .batch = x->batch, .length = (uint8_t)length};
    x->marked += x->batch != UNMARKED;
    x->on_their_way++;
    x->window.made++;
    x->window.flits_made += x->lengths.length[length].flits;
    net_send(x->net, &(NetSend){.from = from,
                                .to = to,
                                .bytes = x->lengths.length[length].bytes,
                                .time_ps = time_ps,
                                .cookie = index,
                                .unreported = true});
}

/* Notes the cycle of a node's next message, if it makes one. */
static void plan(Experiment *x, uint32_t node, uint64_t cycle)
{
    if (cycle < x->end_cycle)
        traffic_calendar_put(&x->calendar, node, cycle);
}

/* -- time -------------------------------------------------------------------------------------- */

static bool is_over(const Experiment *x)
{
    return net_deadlock(x->net) || x->on_their_way > MOST_ON_THEIR_WAY || net_undeliverable(x->net);
}

/* Runs everything before `until_ps`. Events of the network at a time come before messages that are made at that time.
 */
static void run_until(Experiment *x, uint64_t until_ps)
{
    for (;;) {
        uint64_t cycle = traffic_calendar_next(&x->calendar);
        uint64_t made_ps = cycle == UINT64_MAX ? UINT64_MAX : cycle * x->cycle_ps;
        net_step_before(x->net, made_ps < until_ps ? made_ps + 1 : until_ps);
        if (made_ps >= until_ps)
            break;
        do {
            uint32_t node = traffic_calendar_take(&x->calendar, cycle);
            make_message(x, node, made_ps);
            plan(x, node, traffic_arrivals_next(&x->source, &x->random, cycle, &x->phase[node]));
        } while (traffic_calendar_next(&x->calendar) == cycle && net_next_time(x->net) > made_ps);
    }
    x->now_ps = until_ps;
}

static Window run_window(Experiment *x)
{
    x->window = (Window){0};
    run_until(x, x->now_ps + x->window_ps);
    return x->window;
}

/* -- warm-up ----------------------------------------------------------------------------------- */

static bool is_alike(double a, double b)
{
    return fabs(a - b) <= 0.05 * MAX(fabs(a), fabs(b));
}

static double window_mean(const Window *window)
{
    return window->arrived ? (double)window->latency_ps / (double)window->arrived : 0.0;
}

/* The number of messages under way is random too. It counts as constant if it changes by at most twice its root. */
static bool is_steady(const Window *last, const Window *window, uint32_t waiting_before, uint32_t waiting)
{
    double slack = 2 * sqrt(MAX(waiting, 1.0));
    return is_alike(window_mean(last), window_mean(window)) &&
           (is_alike(waiting_before, waiting) || fabs((double)waiting_before - waiting) <= slack);
}

/* Decides that the network is saturated. Close to saturation nothing becomes steady, and the warm-up ends without
 * success. Far beyond it, 5 % of what is made does not arrive in windows long after the first: then it ends sooner. */
static void warm_up(Experiment *x)
{
    Window last = run_window(x);
    uint64_t made = 0, surplus = 0;
    unsigned alike = 0;
    for (unsigned i = 1; i < MOST_WARM_UP && !is_over(x); i++) {
        uint32_t waiting = x->on_their_way;
        Window window = run_window(x);
        alike = is_steady(&last, &window, waiting, x->on_their_way) ? alike + 1 : 0;
        if (alike == STEADY_WINDOWS)
            return;
        last = window;
        made += window.made;
        surplus += window.made - window.arrived; /* in the steady state it is below 0 as often as above */
        if (i % OVERRUN_WINDOWS)
            continue;
        if (i > OVERRUN_WINDOWS && (int64_t)surplus > (int64_t)(made / 20))
            return;
        made = surplus = 0;
    }
}

/* Makes the counters of links exact. What happens at this very moment has not been processed yet. */
static void settle(const Experiment *x)
{
    net_network_settle(x->net, x->now_ps - 1);
}

static void note_start(Experiment *x)
{
    settle(x);
    x->arrived_before = x->arrived;
    for (uint32_t i = 0; i < net_link_count(x->net); i++)
        x->before[i] =
            (LinkCount){net_link(x->net, i)->packets, net_link(x->net, i)->busy_ps, net_link(x->net, i)->blocked_ps};
}

/* -- measuring --------------------------------------------------------------------------------- */

typedef struct Tally { /* counts over all windows that were measured */
    uint64_t made, arrived, windows;
    uint64_t flits_made, flits_arrived;
} Tally;

static void measure_windows(Experiment *x, Tally *tally)
{
    for (unsigned i = 0; i < BATCHES && !is_over(x); i++) {
        Batch none = {0};
        x->batch = (uint16_t)x->batches->len;
        g_array_append_val(x->batches, none);
        Window window = run_window(x);
        tally->made += window.made;
        tally->arrived += window.arrived;
        tally->flits_made += window.flits_made;
        tally->flits_arrived += window.flits_arrived;
        tally->windows++;
    }
    x->batch = UNMARKED;
}

static bool drain(Experiment *x)
{
    for (unsigned i = 0; i < MOST_WARM_UP && x->marked && !is_over(x); i++)
        run_window(x);
    return !x->marked;
}

/* Returns the two-sided 95 % quantile of Student's t for `freedom` >= 1, by the asymptotic series of Abramowitz and
 * Stegun, 26.7.5. */
static double student_t(double freedom)
{
    double z = 1.959964, z2 = z * z;
    double terms[] = {(z2 + 1) * z / 4, ((5 * z2 + 16) * z2 + 3) * z / 96,
                      (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384,
                      ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160};
    double t = z, power = 1;
    for (size_t i = 0; i < G_N_ELEMENTS(terms); i++)
        t += terms[i] / (power *= freedom);
    return t;
}

/* Computes the mean over all marked messages, and the interval from the means of the batches. */
static void estimate(const Experiment *x, TrafficResult *result)
{
    double sum = 0, squares = 0, n = 0;
    uint64_t latency = 0, messages = 0;
    for (guint i = 0; i < x->batches->len; i++) {
        const Batch *batch = &g_array_index(x->batches, Batch, i);
        latency += batch->latency_ps;
        messages += batch->messages;
        if (!batch->messages)
            continue;
        double mean = (double)batch->latency_ps / (double)batch->messages / (double)x->cycle_ps;
        sum += mean;
        squares += mean * mean;
        n += 1;
    }
    result->messages = messages;
    if (!messages)
        return;
    result->mean = (double)latency / (double)messages / (double)x->cycle_ps;
    double variance = n > 1 ? MAX(squares - sum * sum / n, 0) / (n - 1) : INFINITY;
    result->within = n > 1 ? student_t(n - 1) * sqrt(variance / n) : INFINITY;
    result->precise = result->within <= x->options->precision * result->mean;
}

/* Tells whether more is made than arrives, by more than random variation of the messages under way explains. */
static bool piles_up(const Experiment *x, const Tally *tally)
{
    double surplus = (double)tally->made - (double)tally->arrived;
    return surplus > 0.02 * (double)tally->made && surplus > 4 * sqrt(MAX(x->on_their_way, 1.0));
}

static void measure(Experiment *x, TrafficResult *result, Tally *tally)
{
    for (unsigned round = 0; round < MOST_ROUNDS && !result->precise && !result->saturated && !is_over(x); round++) {
        measure_windows(x, tally);
        result->saturated = piles_up(x, tally) || !drain(x);
        estimate(x, result);
    }
}

/* -- results ----------------------------------------------------------------------------------- */

/* Sorts by digits, the lowest first (Knuth, The Art of Computer Programming 3, 5.2.5, algorithm R). */
static void sort_words(uint64_t *words, size_t count)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    uint64_t *from = words, most = 0;
    g_autofree uint64_t *other = g_new(uint64_t, count);
    uint64_t *to = other;
    for (size_t i = 0; i < count; i++)
        most |= words[i];
    for (unsigned shift = 0; shift < 64 && most >> shift; shift += DIGIT_BITS) {
        size_t place[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            place[(from[i] >> shift) % DIGITS + 1]++;
        for (unsigned digit = 1; digit <= DIGITS; digit++)
            place[digit] += place[digit - 1];
        for (size_t i = 0; i < count; i++)
            to[place[(from[i] >> shift) % DIGITS]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from == other)
        memcpy(words, other, count * sizeof *words);
}

static uint64_t latency_at(const Experiment *x, uint64_t percent)
{
    return x->latency[(x->n_latencies - 1) * percent / 100];
}

static void report_latencies(const Experiment *x, TrafficResult *result)
{
    if (!x->n_latencies)
        return;
    sort_words(x->latency, x->n_latencies);
    result->median_ps = latency_at(x, 50);
    result->percentile_99_ps = latency_at(x, 99);
    result->most_ps = latency_at(x, 100);
    for (uint32_t i = 0; i < x->lengths.count; i++) {
        const Batch *all = &x->by_length[i];
        result->by_size[i].messages = all->messages;
        if (all->messages)
            result->by_size[i].mean = (double)all->latency_ps / (double)all->messages / (double)x->cycle_ps;
    }
}

/* Computes the mean utilisation of the links of the bisection. */
static void report_bisection(const Experiment *x, TrafficResult *result)
{
    const TrafficBisection *bisection = x->options->bisection;
    uint64_t busy = 0;
    result->bisection = -1;
    if (!bisection || !bisection->links || x->now_ps <= result->warm_up_ps)
        return;
    for (uint32_t i = 0; i < bisection->links; i++)
        busy += net_link(x->net, bisection->link[i])->busy_ps - x->before[bisection->link[i]].busy_ps;
    result->bisection = (double)busy / bisection->links / (double)(x->now_ps - result->warm_up_ps);
}

/* Computes what the links have carried since the network was warm. */
static void report_links(const Experiment *x, TrafficResult *result)
{
    uint64_t busiest = 0, crossed = 0, hottest = 0;
    for (uint32_t i = 0; i < net_link_count(x->net); i++) {
        const NetLink *link = net_link(x->net, i);
        uint64_t busy = link->busy_ps - x->before[i].busy_ps;
        crossed += link->packets - x->before[i].packets;
        if (busy > busiest) {
            busiest = busy;
            result->busiest_link = i;
        }
        uint64_t blocked = link->blocked_ps - x->before[i].blocked_ps;
        if (blocked > hottest) {
            hottest = blocked;
            result->hot_link = i;
        }
    }
    uint64_t packets = x->arrived - x->arrived_before;
    if (x->now_ps > result->warm_up_ps)
        result->busiest = (double)busiest / (double)(x->now_ps - result->warm_up_ps);
    if (x->now_ps > result->warm_up_ps)
        result->waiting = (double)hottest / (double)(x->now_ps - result->warm_up_ps);
    report_bisection(x, result);
    if (packets)
        result->hops = (double)crossed / (double)packets;
}

static void report(const Experiment *x, const Tally *tally, TrafficResult *result)
{
    double cycles = (double)tally->windows * (double)x->window_ps / (double)x->cycle_ps;
    if (tally->windows) {
        result->generated = (double)tally->flits_made / cycles / x->nodes.count;
        result->accepted = (double)tally->flits_arrived / cycles / x->nodes.count;
    }
    result->measured_ps = tally->windows * x->window_ps;
    result->simulated_ps = x->now_ps;
    report_latencies(x, result);
    settle(x);
    report_links(x, result);
    result->n_counters = net_network_counters(x->net, result->counters);
    result->deadlock = g_strdup(net_first_deadlock(x->net));
}

/* -- set-up ------------------------------------------------------------------------------------ */

static bool check_options(const TrafficOptions *options, uint64_t load, GError **error)
{
    const char *wrong =
        load < 1 || load > TRAFFIC_LOAD_ONE     ? "the load is above 0 and at most 1 flit per node and cycle"
        : options->hot_percent > 100            ? "the share of the hot node is 0 to 100 percent"
        : options->injection > TRAFFIC_PERIODIC ? "there is no such kind of injection"
        : options->burst < 1 || options->burst > TRAFFIC_MOST_BURST ? "a burst has 1 to 10,000 messages on average"
        : !(options->precision > 0)                                 ? "the precision is above 0"
                                                                    : NULL;
    if (wrong)
        g_set_error_literal(error, TRAFFIC_ERROR, TRAFFIC_ERROR_OPTION, wrong);
    return !wrong;
}

static void choose_window(Experiment *x, uint64_t load)
{
    double zero_load_ps = traffic_lengths_zero_load_ps(&x->lengths, x->net, 0, x->nodes.count - 1);
    uint64_t journey = (uint64_t)zero_load_ps / x->cycle_ps, flits = x->lengths.flits / x->lengths.weight;
    uint64_t per_message = flits * (TRAFFIC_LOAD_ONE / load) / x->nodes.count + 1;
    uint64_t cycles = MAX(LEAST_WINDOW, MAX(JOURNEYS * journey, MESSAGES_WANTED * per_message));
    x->window_ps = cycles * x->cycle_ps;
}

static bool start(Experiment *x, const NetParams *params, uint64_t load, GError **error)
{
    const NetClient client = {.user = x, .delivered = note_arrival, .fast = {.drives = true}};
    x->params = traffic_options_network(params, x->options);
    x->net = net_network_new(&x->params, &client, error);
    x->pattern = x->net ? traffic_pattern(x->net, x->options, &x->nodes, error) : NULL;
    if (!x->pattern || !traffic_lengths_init(&x->lengths, &x->params, x->options, error))
        return false;
    x->cycle_ps = traffic_bounds_cycle_ps(&x->params);
    x->end_cycle = UINT64_MAX / 2 / x->cycle_ps;
    x->before = g_new0(LinkCount, MAX(net_link_count(x->net), 1));
    choose_window(x, load);
    uint32_t seed[] = {(uint32_t)x->options->seed, (uint32_t)(x->options->seed >> 32), (uint32_t)load};
    traffic_random_init(&x->random, seed, G_N_ELEMENTS(seed));
    traffic_arrivals_source(&x->source, x->options, &x->lengths, load);
    traffic_calendar_init(&x->calendar, x->nodes.count);
    x->phase = g_new0(uint64_t, x->nodes.count);
    for (uint32_t node = 0; node < x->nodes.count; node++)
        plan(x, node, traffic_arrivals_first(&x->source, &x->random, &x->phase[node]));
    return true;
}

static void stop(Experiment *x)
{
    traffic_calendar_clear(&x->calendar);
    g_free(x->phase);
    if (x->net)
        net_network_free(x->net);
    g_free(x->record);
    g_free(x->before);
    g_array_unref(x->batches);
    g_free(x->latency);
}

bool traffic_measure(const NetParams *params, const TrafficOptions *options, uint64_t load, TrafficResult *result,
                     GError **error)
{
    *result = (TrafficResult){.offered = load};
    if (!check_options(options, load, error))
        return false;
    Experiment x = {.options = options, .batch = UNMARKED, .batches = g_array_new(FALSE, FALSE, sizeof(Batch))};
    bool good = start(&x, params, load, error);
    if (good) {
        Tally tally = {0};
        warm_up(&x);
        result->warm_up_ps = x.now_ps;
        note_start(&x);
        measure(&x, result, &tally);
        report(&x, &tally, result);
        good = !net_undeliverable(x.net);
        if (!good)
            g_set_error(error, TRAFFIC_ERROR, TRAFFIC_ERROR_LOST, "a message is lost: %s", net_undeliverable(x.net));
    }
    stop(&x);
    return good;
}

void traffic_measure_clear(TrafficResult *result)
{
    g_free(result->deadlock);
    *result = (TrafficResult){0};
}

bool traffic_measure_saturation(const NetParams *params, const TrafficOptions *options, uint64_t low, uint64_t high,
                                uint64_t step, uint64_t *load, GError **error)
{
    while (high - low > MAX(step, 1)) {
        uint64_t middle = low + (high - low) / 2;
        TrafficResult result;
        if (!traffic_measure(params, options, middle, &result, error))
            return false;
        *(result.saturated ? &high : &low) = middle;
        traffic_measure_clear(&result);
    }
    *load = low;
    return true;
}
