/* cmd_net.c - `orrery net`: latency and throughput of a machine's network under synthetic traffic, by offered load.
 *
 * Every point is a network of its own, so that points are measured several at a time on host threads; each is put where
 * it stands in the plan, and the answer is the same whatever the number of threads.
 */
#include "net.h"

#include <string.h>

typedef struct NetTarget {
    char *machine, **set, *traffic, *load, *bytes, *seed, *jobs, *precision, *hot_node, *hot_share, *output, *json;
    gboolean startup, saturation, list;
} NetTarget;

const CliOption cli_net_options[] = {
    {"machine", 'm', CLI_MACHINE, "NAME|FILE", offsetof(NetTarget, machine),
     "the machine whose network is measured; see `orrery machines`", "--machine mesh-8x8"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(NetTarget, set), "change a key of the machine; several times",
     "--set network.virtual-channels=8"},
    {"traffic", 't', CLI_TEXT, "PATTERN,...", offsetof(NetTarget, traffic),
     "who sends to whom (default uniform); --list shows all", "--traffic uniform,transpose"},
    {"load", 'l', CLI_TEXT, "FROM:TO:STEP", offsetof(NetTarget, load),
     "offered loads, in flits per node and cycle (default 0.05:1:0.05); also single ones, with commas",
     "--load 0.01:0.5:0.01"},
    {"bytes", 'b', CLI_TEXT, "SIZE", offsetof(NetTarget, bytes), "of a message (default: one packet)", "--bytes 4KiB"},
    {"saturation", 0, CLI_FLAG, NULL, offsetof(NetTarget, saturation),
     "find the load at which the network saturates, to 0.001", "--saturation"},
    {"precision", 0, CLI_TEXT, "PERCENT", offsetof(NetTarget, precision),
     "measure until the mean latency is known to so many percent (default 2)", "--precision 0.5"},
    {"hot-node", 0, CLI_TEXT, "NODE", offsetof(NetTarget, hot_node), "hotspot: the node that gets more (default 0)",
     "--hot-node 27"},
    {"hot-share", 0, CLI_TEXT, "PERCENT", offsetof(NetTarget, hot_share),
     "hotspot: how much of all messages goes there besides (default 10)", "--hot-share 25"},
    {"startup", 0, CLI_FLAG, NULL, offsetof(NetTarget, startup),
     "count the NICs' startup, too, which limits how often a node can send", "--startup"},
    {"seed", 0, CLI_TEXT, "N", offsetof(NetTarget, seed), "of arrivals and destinations (default 1)", "--seed 7"},
    {"jobs", 'j', CLI_TEXT, "N", offsetof(NetTarget, jobs),
     "how many points at a time (default: one per core); never changes a result", "--jobs 4"},
    {"output", 'o', CLI_FILE, "NAME", offsetof(NetTarget, output),
     "write NAME.csv, NAME-latency.svg and NAME-throughput.svg", "--output mesh"},
    {"json", 0, CLI_FILE, "FILE", offsetof(NetTarget, json), "write the same as JSON", "--json mesh.json"},
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
};

enum { MOST_POINTS = 10000 };
#define SATURATION_STEP (TRAFFIC_LOAD_ONE / 1000)

/* -- loads -------------------------------------------------------------------------------------------------------- */

/* A decimal number in billionths, exactly. */
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

static bool add_range(GArray *loads, char **parts, guint n)
{
    uint64_t from, to, step;
    if (n == 1 && parse_load(parts[0], &from)) {
        g_array_append_val(loads, from);
        return true;
    }
    if (n != 3 || !parse_load(parts[0], &from) || !parse_load(parts[1], &to) || !parse_load(parts[2], &step) ||
        to < from)
        return false;
    for (; from <= to && loads->len <= MOST_POINTS; from += step)
        g_array_append_val(loads, from);
    return true;
}

static int compare_loads(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

GArray *net_parse_loads(const char *text, GError **error)
{
    g_autoptr(GArray) loads = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_auto(GStrv) ranges = g_strsplit(text, ",", -1);
    bool good = ranges[0] != NULL;
    for (char **range = ranges; *range && good; range++) {
        g_auto(GStrv) parts = g_strsplit(*range, ":", -1);
        good = add_range(loads, parts, g_strv_length(parts));
    }
    if (good && loads->len <= MOST_POINTS) {
        g_array_sort(loads, compare_loads);
        return g_steal_pointer(&loads);
    }
    if (good)
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--load %s: these are more than %d points; take a larger step",
                    text, MOST_POINTS);
    else
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                    "--load %s: expected FROM:TO:STEP or single loads with commas, each above 0 and at most 1 flit per "
                    "node and cycle, as in 0.01:0.5:0.01",
                    text);
    return NULL;
}

/* -- measuring ------------------------------------------------------------------------------------------------------
 */

typedef struct Work {
    const NetStudy *study;
    GMutex lock;
    GError *error; /* the first */
    bool saturation;
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

/* Task n + 1 is a load of a curve; those behind them find where a curve saturates. */
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
    traffic_saturation(&study->config->net, &curve->options, low, g_array_index(study->loads, uint64_t, first),
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

/* -- the command ------------------------------------------------------------------------------------------------------
 */

static bool parse_options(const NetTarget *target, TrafficOptions *options, GError **error)
{
    uint64_t hot_node = 0, hot_share = options->hot_percent;
    char *end = NULL;
    if (target->precision) {
        options->precision = g_ascii_strtod(target->precision, &end) / 100;
        if (!*target->precision || *end || !(options->precision >= 0.0001 && options->precision <= 1)) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--precision %s: expected percent from 0.01 to 100",
                        target->precision);
            return false;
        }
    }
    if (target->bytes && !mach_parse_quantity(target->bytes, MACH_UNIT_SIZE, &options->bytes, error)) {
        g_prefix_error(error, "--bytes: ");
        return false;
    }
    if ((target->seed && !cli_parse_number("--seed", target->seed, 0, UINT64_MAX, &options->seed, error)) ||
        (target->hot_node && !cli_parse_number("--hot-node", target->hot_node, 0, UINT32_MAX, &hot_node, error)) ||
        (target->hot_share && !cli_parse_number("--hot-share", target->hot_share, 0, 100, &hot_share, error)))
        return false;
    options->hot_node = (uint32_t)hot_node;
    options->hot_percent = (uint32_t)hot_share;
    options->startup = target->startup;
    return true;
}

/* A curve for every pattern, with what is known beforehand: wrong ones are refused before anything runs. */
static bool plan(NetStudy *study, const TrafficOptions *options, char **patterns, GError **error)
{
    for (char **pattern = patterns; *pattern; pattern++) {
        NetCurve curve = {.options = *options};
        curve.options.pattern = *pattern;
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
            traffic_result_clear(&curve->points[point]);
        g_free(curve->points);
    }
    g_clear_pointer(&study->curves, g_array_unref);
    g_clear_pointer(&study->loads, g_array_unref);
    g_clear_pointer(&study->net, net_free);
}

static bool show(const NetStudy *study, const NetTarget *target, GError **error)
{
    if ((target->output && !net_write_files(study, target->output, error)) ||
        (target->json && !net_write_json(study, target->json, error)))
        return false;
    GString *out = g_string_new(NULL);
    net_append_text(study, out);
    bool printed = cli_print(out->str);
    g_string_free(out, TRUE);
    if (!printed)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "cannot write");
    return printed;
}

static bool perform(const NetTarget *target, guint jobs, GError **error)
{
    static const NetClient nobody = {0};
    CliRunOptions machine = {.machine = target->machine, .set = target->set};
    g_autoptr(MachConfig) config = cli_run_config(&machine, error);
    TrafficOptions options;
    traffic_options_default(&options);
    if (!config || !parse_options(target, &options, error))
        return false;
    g_auto(GStrv) patterns = g_strsplit(target->traffic ? target->traffic : options.pattern, ",", -1);
    NetStudy study = {.config = config,
                      .net = net_new(&config->net, &nobody, error),
                      .curves = g_array_new(FALSE, TRUE, sizeof(NetCurve))};
    if (!study.net)
        g_prefix_error(error, "%s: [network] ", config->path);
    study.loads = study.net ? net_parse_loads(target->load ? target->load : "0.05:1:0.05", error) : NULL;
    bool good = study.loads && plan(&study, &options, patterns, error) &&
                measure(&study, target->saturation, jobs, error) && show(&study, target, error);
    clear_study(&study);
    return good;
}

static bool list_patterns(void)
{
    GString *out = g_string_new(NULL);
    for (const char *const *name = traffic_patterns(); *name; name++)
        g_string_append_printf(out, "%-15s %s\n", *name, traffic_pattern_help(*name));
    bool printed = cli_print(out->str);
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
    if (cli_parse(&net_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc > 1)
            g_set_error(&error, CLI_ERROR, CLI_ERROR_USAGE,
                        "\"%s\": no argument is expected; a machine is given by --machine", argv[1]);
        else if (target.list)
            status = list_patterns() ? 0 : CLI_STATUS_USAGE;
        else if (!target.jobs || cli_parse_number("--jobs", target.jobs, 1, 1024, &jobs, &error))
            perform(&target, (guint)jobs, &error);
    }
    if (error)
        status = cli_fail(error);
    cli_options_clear(cli_net_options, &target);
    return status;
}
