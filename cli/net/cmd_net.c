/* cmd_net.c - `orrery net`: measures latency and throughput of a machine's network under synthetic traffic, by offered
 * load.
 *
 * Every point is a network of its own, so several points are measured at a time on host threads. Each result is stored
 * where its point is in the plan, so the output does not depend on the number of threads.
 */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/net/net.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "netsim/netsim.h"
#include "traffic/traffic.h"

#include <string.h>

typedef struct NetTarget {
    char *machine, **set, *traffic, *load, *bytes, *flits, *injection, *burst;
    char *seed, *jobs, *precision, *hot_node, *hot_share, *output, *json, *theme;
    gboolean startup, saturation, list;
} NetTarget;

#define LOADS "0.05:1:0.05" /* default of --load */

const CliOption cli_net_options[] = {
    {"machine", 'm', CLI_MACHINE, "NAME|FILE", offsetof(NetTarget, machine),
     "the machine whose network is measured; see `orrery machines`", "--machine mesh-8x8"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(NetTarget, set), "change a key of the machine; several times",
     "--set network.virtual-channels=8"},
    {"traffic", 't', CLI_TEXT, "PATTERN,...", offsetof(NetTarget, traffic),
     "who sends to whom (default uniform); --list shows all", "--traffic uniform,transpose"},
    {"load", 'l', CLI_TEXT, "FROM:TO:STEP", offsetof(NetTarget, load),
     "offered loads, in flits per node and cycle (default " LOADS "); also single ones, with commas",
     "--load 0.01:0.5:0.01"},
    {"bytes", 'b', CLI_TEXT, "SIZE[:WEIGHT],...", offsetof(NetTarget, bytes),
     "length of messages (default: one packet); several sizes come by weight, and are told apart in the results",
     "--bytes 8B:3,64B:1"},
    {"flits", 0, CLI_TEXT, "N[:WEIGHT],...", offsetof(NetTarget, flits),
     "the same in flits of a packet, its header included", "--flits 5"},
    {"injection", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(TRAFFIC_INJECTIONS), offsetof(NetTarget, injection),
     "when a node makes messages: bernoulli, in each cycle with the same chance (the default); bursts; periodic",
     "--injection bursts"},
    {"burst", 0, CLI_TEXT, "N", offsetof(NetTarget, burst),
     "bursts: messages in one, on average (default " G_STRINGIFY(TRAFFIC_BURST) ")", "--burst 16"},
    {"saturation", 0, CLI_FLAG, NULL, offsetof(NetTarget, saturation),
     "find the load at which the network saturates, to 0.001", "--saturation"},
    {"precision", 0, CLI_TEXT, "PERCENT", offsetof(NetTarget, precision),
     "measure until the mean latency is known to so many percent (default " G_STRINGIFY(TRAFFIC_PRECISION_PERCENT) ")",
     "--precision 0.5"},
    {"hot-node", 0, CLI_TEXT, "NODE", offsetof(NetTarget, hot_node), "hotspot: the node that gets more (default 0)",
     "--hot-node 27"},
    {"hot-share", 0, CLI_TEXT, "PERCENT", offsetof(NetTarget, hot_share),
     "hotspot: how much of all messages goes there besides (default " G_STRINGIFY(TRAFFIC_HOT_PERCENT) ")",
     "--hot-share 25"},
    {"startup", 0, CLI_FLAG, NULL, offsetof(NetTarget, startup),
     "count the NICs' startup, too, which limits how often a node can send", "--startup"},
    {"seed", 0, CLI_TEXT, "N", offsetof(NetTarget, seed),
     "of arrivals and destinations (default " G_STRINGIFY(TRAFFIC_SEED) ")", "--seed 7"},
    {"jobs", 'j', CLI_TEXT, "N", offsetof(NetTarget, jobs),
     "how many points at a time (default: one per core); never changes a result", "--jobs 4"},
    {"output", 'o', CLI_RESULT, "NAME", offsetof(NetTarget, output),
     "write NAME.csv, NAME-latency.svg and NAME-throughput.svg", "--output mesh"},
    CLI_OPTION_THEME(NetTarget, theme),
    {"json", 0, CLI_RESULT, "FILE", offsetof(NetTarget, json), "write the same as JSON", "--json mesh.json"},
    {"list", 0, CLI_FLAG, NULL, offsetof(NetTarget, list), "print the traffic patterns", "--list"},
    {0}};

static const CliUsage net_usage = {
    .command = "net",
    .synopsis = "[OPTION...]",
    .text = "Measures the network of a machine alone: synthetic traffic is offered at a load, in flits per node and\n"
            "cycle, and latency and throughput are printed and plotted. No program runs.\n\n"
            "  orrery net --machine mesh-8x8 --load 0.02:0.4:0.02\n"
            "  orrery net -m mesh-8x8 --traffic uniform,tornado --saturation --output mesh",
    .options = cli_net_options,
    .mixed = true,
};

enum { MOST_POINTS = 10000 };
#define SATURATION_STEP (TRAFFIC_LOAD_ONE / 1000)

/* -- loads ------------------------------------------------------------------------------------- */

/* Parses a decimal number into billionths. Further digits are ignored. */
static bool parse_load(const char *text, uint64_t *load)
{
    uint64_t value = 0, place = TRAFFIC_LOAD_ONE;
    bool digits = false;
    for (; g_ascii_isdigit(*text) && value <= TRAFFIC_LOAD_ONE; text++, digits = true)
        value = value * 10 + (uint64_t)(*text - '0') * TRAFFIC_LOAD_ONE;
    if (*text == '.')
        for (text++; g_ascii_isdigit(*text); text++, digits = true)
            value += (uint64_t)(*text - '0') * (place /= 10);
    *load = value;
    return digits && !*text && value > 0 && value <= TRAFFIC_LOAD_ONE;
}

/* Appends the loads of one range. Returns NULL, or what is wrong with it. */
static char *add_range(GArray *loads, const char *range)
{
    g_auto(GStrv) parts = g_strsplit(range, ":", -1);
    uint64_t bounds[3] = {0};
    guint n = g_strv_length(parts);
    if (n != 1 && n != 3)
        return g_strdup_printf("\"%s\" has %u parts", range, n);
    for (guint i = 0; i < n; i++)
        if (!parse_load(parts[i], &bounds[i]))
            return g_strdup_printf("\"%s\" is no load: a decimal number above 0 and at most 1 flit per node and cycle",
                                   parts[i]);
    if (n == 3 && bounds[1] < bounds[0])
        return g_strdup_printf("\"%s\": it ends below where it begins", range);
    uint64_t to = n == 1 ? bounds[0] : bounds[1], step = n == 1 ? 1 : bounds[2];
    for (uint64_t load = bounds[0]; load <= to && loads->len <= MOST_POINTS; load += step)
        g_array_append_val(loads, load);
    return loads->len <= MOST_POINTS
               ? NULL
               : g_strdup_printf("these are more than %d points; take a larger step", MOST_POINTS);
}

static int compare_loads(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void drop_repeated(GArray *loads)
{
    guint kept = 0;
    for (guint i = 0; i < loads->len; i++)
        if (!kept || g_array_index(loads, uint64_t, i) != g_array_index(loads, uint64_t, kept - 1))
            g_array_index(loads, uint64_t, kept++) = g_array_index(loads, uint64_t, i);
    g_array_set_size(loads, kept);
}

/* Parses "0.01:0.5:0.01" (from, to, step), "0.3", and lists of these with commas. Returns the loads, ascending, or
 * NULL. */
static GArray *parse_loads(const char *text, GError **error)
{
    g_autoptr(GArray) loads = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_auto(GStrv) ranges = g_strsplit(text, ",", -1);
    g_autofree char *wrong = ranges[0] ? NULL : g_strdup("no load is given");
    for (char **range = ranges; *range && !wrong; range++)
        wrong = add_range(loads, *range);
    if (wrong) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                    "--load %s: %s; expected FROM:TO:STEP or single loads with commas, as in 0.01:0.5:0.01", text,
                    wrong);
        return NULL;
    }
    g_array_sort(loads, compare_loads);
    drop_repeated(loads);
    return g_steal_pointer(&loads);
}

/* -- measuring --------------------------------------------------------------------------------- */

typedef struct Work {
    const NetStudy *study;
    GMutex lock;
    GError *error; /* the first error */
} Work;

static void keep_error(Work *work, GError *error)
{
    if (!error)
        return;
    g_mutex_lock(&work->lock);
    if (work->error)
        g_error_free(error);
    else
        work->error = error;
    g_mutex_unlock(&work->lock);
}

/* Measures one point. Task number t is load (t - 1) % loads of curve (t - 1) / loads. */
static void measure_point(gpointer task, gpointer user)
{
    Work *work = user;
    const NetStudy *study = work->study;
    guint index = GPOINTER_TO_UINT(task) - 1;
    NetCurve *curve = &g_array_index(study->curves, NetCurve, index / study->loads->len);
    guint point = index % study->loads->len;
    GError *error = NULL;
    traffic_measure(&study->config->net, &curve->options, g_array_index(study->loads, uint64_t, point),
                    &curve->points[point], &error);
    keep_error(work, error);
}

static void find_saturation(gpointer task, gpointer user)
{
    Work *work = user;
    const NetStudy *study = work->study;
    NetCurve *curve = &g_array_index(study->curves, NetCurve, GPOINTER_TO_UINT(task) - 1);
    guint first = 0;
    while (first < study->loads->len && !curve->points[first].saturated)
        first++;
    if (first == study->loads->len)
        return;
    uint64_t low = first ? g_array_index(study->loads, uint64_t, first - 1) : 0;
    GError *error = NULL;
    traffic_measure_saturation(&study->config->net, &curve->options, low, g_array_index(study->loads, uint64_t, first),
                               SATURATION_STEP, &curve->saturation, &error);
    keep_error(work, error);
}

static bool run_tasks(Work *work, GFunc task, guint tasks, guint jobs, GError **error)
{
    GThreadPool *pool = g_thread_pool_new(task, work, (gint)jobs, TRUE, error);
    if (!pool)
        return false;
    for (guint i = 0; i < tasks; i++)
        g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    if (work->error)
        g_propagate_error(error, g_steal_pointer(&work->error));
    return !error || !*error;
}

static bool measure(const NetStudy *study, bool saturation, guint jobs, GError **error)
{
    Work work = {.study = study};
    g_mutex_init(&work.lock);
    bool good = run_tasks(&work, measure_point, study->loads->len * study->curves->len, jobs, error) &&
                (!saturation || run_tasks(&work, find_saturation, study->curves->len, jobs, error));
    g_mutex_clear(&work.lock);
    return good;
}

/* -- the command ------------------------------------------------------------------------------- */

static bool parse_precision(const char *text, double *precision, GError **error)
{
    char *end = NULL;
    *precision = g_ascii_strtod(text, &end) / 100;
    if (*text && !*end && *precision >= 0.0001 && *precision <= 1)
        return true;
    return cli_error_usage(error, "--precision %s: expected percent from 0.01 to 100", text);
}

/* Parses a number of flits of one packet, and converts it to bytes of payload. */
static bool parse_flits(const char *text, const NetParams *params, uint64_t *bytes, GError **error)
{
    uint64_t flits, flit = params->wormhole.flit_bytes, packet = (uint64_t)params->packet_bytes + params->header_bytes;
    uint64_t least = MAX((params->header_bytes + flit - 1) / flit, 1), most = packet / flit;
    if (most < least)
        return cli_error_usage(error,
                               "--flits: a packet of this network is shorter than a flit; give the length by --bytes");
    if (!cli_option_number("--flits", text, least, most, &flits, NULL))
        return cli_error_usage(error,
                               "--flits %s: a packet of this network has %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                               " flits, its header included; longer messages are given by --bytes",
                               text, least, most);
    *bytes = flits * flit - params->header_bytes;
    return true;
}

/* Parses "SIZE" or "SIZE:WEIGHT" and adds it. */
static bool add_size(TrafficOptions *options, const char *text, const NetParams *params, bool flits, GError **error)
{
    const char *option = flits ? "--flits" : "--bytes";
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    const char *length = parts[0] ? parts[0] : "";
    TrafficSize size = {0, 1};
    if (options->n_sizes == TRAFFIC_MOST_SIZES)
        return cli_error_usage(error, "%s: at most %d sizes can be given", option, TRAFFIC_MOST_SIZES);
    if (flits && !parse_flits(length, params, &size.bytes, error))
        return false;
    if (!flits && !base_units_parse(length, BASE_UNIT_SIZE, &size.bytes, error)) {
        g_prefix_error(error, "--bytes: ");
        return false;
    }
    if (parts[0] && parts[1] && !cli_option_number(option, parts[1], 1, TRAFFIC_MOST_WEIGHT, &size.weight, NULL))
        return cli_error_usage(error,
                               "%s %s: behind the colon stands a weight, a whole number from 1 to %" G_GUINT64_FORMAT,
                               option, text, TRAFFIC_MOST_WEIGHT);
    options->sizes[options->n_sizes++] = size;
    return true;
}

static bool parse_sizes(const NetTarget *target, const NetParams *params, TrafficOptions *options, GError **error)
{
    if (target->bytes && target->flits)
        return cli_error_usage(error, "--bytes and --flits both say how long messages are; give one of them");
    const char *text = target->flits ? target->flits : target->bytes;
    g_auto(GStrv) sizes = text ? g_strsplit(*text ? text : " ", ",", -1) : NULL;
    for (char **size = sizes; size && *size; size++)
        if (!add_size(options, *size, params, target->flits, error))
            return false;
    return true;
}

static bool parse_injection(const NetTarget *target, TrafficOptions *options, GError **error)
{
    const char *const *kinds = traffic_arrivals_injections();
    uint64_t burst = options->burst;
    if (target->injection && !g_strv_contains(kinds, target->injection)) {
        g_autofree char *known = g_strjoinv(", ", (char **)kinds);
        return cli_error_usage(error, "--injection %s: expected one of %s", target->injection, known);
    }
    for (guint i = 0; target->injection && kinds[i]; i++)
        if (strcmp(kinds[i], target->injection) == 0)
            options->injection = (TrafficInjection)i;
    if (target->burst && options->injection != TRAFFIC_BURSTS)
        return cli_error_usage(error, "--burst is for --injection bursts");
    if (target->burst && !cli_option_number("--burst", target->burst, 1, TRAFFIC_MOST_BURST, &burst, error))
        return false;
    options->burst = (uint32_t)burst;
    return true;
}

static bool parse_options(const NetTarget *target, const NetParams *params, TrafficOptions *options, GError **error)
{
    uint64_t hot_node = 0, hot_share = options->hot_percent;
    if ((target->precision && !parse_precision(target->precision, &options->precision, error)) ||
        !parse_sizes(target, params, options, error) || !parse_injection(target, options, error) ||
        (target->seed && !cli_option_number("--seed", target->seed, 0, UINT64_MAX, &options->seed, error)) ||
        (target->hot_node && !cli_option_number("--hot-node", target->hot_node, 0, UINT32_MAX, &hot_node, error)) ||
        (target->hot_share && !cli_option_number("--hot-share", target->hot_share, 0, 100, &hot_share, error)))
        return false;
    options->hot_node = (uint32_t)hot_node;
    options->hot_percent = (uint32_t)hot_share;
    options->startup = target->startup;
    return true;
}

/* Returns the names of the patterns. */
static char **parse_patterns(const NetTarget *target, GError **error)
{
    g_auto(GStrv) patterns = g_strsplit(target->traffic ? target->traffic : "uniform", ",", -1);
    bool hot = g_strv_contains((const char *const *)patterns, "hotspot");
    if (!patterns[0])
        cli_error_usage(error, "--traffic: no pattern is given; --list shows those that there are");
    else if (!hot && (target->hot_node || target->hot_share))
        cli_error_usage(error, "%s is for --traffic hotspot", target->hot_node ? "--hot-node" : "--hot-share");
    else
        return g_steal_pointer(&patterns);
    return NULL;
}

static void add_hint(GError *error, const char *hint)
{
    char *whole = g_strdup_printf("%s; %s", error->message, hint);
    g_free(error->message);
    error->message = whole;
}

/* Makes the network. No program runs, so the machine must say how many nodes there are. */
static Network *make_network(const MachConfig *config, GError **error)
{
    static const NetClient nobody = {0};
    GError *why = NULL;
    Network *net = net_network_new(&config->net, &nobody, &why);
    if (net)
        return net;
    if (net_network_lacks_size(&config->net))
        add_hint(why, "this network is as large as a program needs; say how large by --set network.nodes=16");
    mach_config_locate(config, &why);
    g_propagate_error(error, why);
    return NULL;
}

/* Prepares a curve for every pattern, with its bounds. Wrong patterns are refused before anything runs. */
static bool plan(NetStudy *study, const TrafficOptions *options, char **patterns, GError **error)
{
    for (char **pattern = patterns; *pattern; pattern++) {
        NetCurve curve = {.options = *options};
        curve.options.pattern = *pattern;
        if (traffic_pattern_help(*pattern) && net_network_nodes(study->net) == 1)
            return cli_error_usage(
                error,
                "the network of \"%s\" has one node, so that nothing is sent; --machine names another, and "
                "`orrery machines` shows all",
                study->config->name);
        if (!traffic_bounds(&study->config->net, &curve.options, &curve.bounds, error))
            return false;
        curve.points = g_new0(TrafficResult, study->loads->len);
        g_array_append_val(study->curves, curve);
    }
    return true;
}

static void clear_study(NetStudy *study)
{
    for (guint i = 0; study->curves && i < study->curves->len; i++) {
        NetCurve *curve = &g_array_index(study->curves, NetCurve, i);
        for (guint point = 0; study->loads && point < study->loads->len; point++)
            traffic_measure_clear(&curve->points[point]);
        g_free(curve->points);
    }
    g_clear_pointer(&study->curves, g_array_unref);
    g_clear_pointer(&study->loads, g_array_unref);
    g_clear_pointer(&study->bisection, traffic_bisection_free);
    g_clear_pointer(&study->net, net_network_free);
}

static bool show(const NetStudy *study, const NetTarget *target, GError **error)
{
    const PlotTheme *theme = cli_option_theme(target->theme, error);
    if (!theme || (target->output && !cli_net_write_files(study, theme, target->output, error)) ||
        (target->json && !cli_net_write_json(study, target->json, error)))
        return false;
    GString *out = g_string_new(NULL);
    cli_net_append_text(study, out);
    bool printed = cli_say_output(out->str);
    g_string_free(out, TRUE);
    if (!printed)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_OUTPUT, "standard output");
    return printed;
}

static void tell_remark(void *user, const char *text)
{
    (void)user;
    cli_say("%s", text);
}

static bool perform(const NetTarget *target, guint jobs, GError **error)
{
    CliRunOptions machine = {.machine = target->machine, .set = target->set};
    g_autoptr(MachConfig) config = cli_run_config(&machine, error);
    TrafficOptions options;
    traffic_options_default(&options);
    bool good = config && cli_option_theme(target->theme, error);
    g_auto(GStrv) patterns = good ? parse_patterns(target, error) : NULL;
    if (!patterns)
        return false;
    NetStudy study = {
        .config = config, .net = make_network(config, error), .curves = g_array_new(FALSE, TRUE, sizeof(NetCurve))};
    if (study.net && parse_options(target, net_network_params(study.net), &options, error))
        study.loads = parse_loads(target->load ? target->load : LOADS, error);
    if (study.loads)
        mach_config_remarks(config, net_network_nodes(study.net), 0, tell_remark, NULL);
    if (study.loads)
        options.bisection = study.bisection = traffic_bisection_new(study.net);
    good = study.loads && plan(&study, &options, patterns, error) && measure(&study, target->saturation, jobs, error) &&
           show(&study, target, error);
    clear_study(&study);
    return good;
}

static bool list_patterns(void)
{
    GString *out = g_string_new(NULL);
    for (const char *const *name = traffic_patterns(); *name; name++)
        g_string_append_printf(out, "%-15s %s\n", *name, traffic_pattern_help(*name));
    bool printed = cli_say_output(out->str);
    g_string_free(out, TRUE);
    return printed;
}

int cli_net(int argc, char **argv)
{
    NetTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    uint64_t jobs = g_get_num_processors();
    int status = 0;
    if (cli_option_parse(&net_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc > 1)
            g_set_error(&error, CLI_ERROR, CLI_ERROR_USAGE,
                        "\"%s\": no argument is expected; a machine is given by --machine", argv[1]);
        else if (target.list)
            status = list_patterns() ? 0 : CLI_STATUS_USAGE;
        else if (!target.jobs || cli_option_number("--jobs", target.jobs, 1, 1024, &jobs, &error))
            perform(&target, (guint)jobs, &error);
    }
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_net_options, &target);
    return status;
}
