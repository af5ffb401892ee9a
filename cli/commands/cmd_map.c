/* cmd_map.c - `orrery map`: what a program's traffic costs on a machine under a mapping, and which mapping is better.
 *
 * It reads what `orrery run --traffic` recorded and places the ranks by one or several strategies
 * (machine/mappings.def). It compares hop-bytes, dilation and the load of the busiest link with those of the machine's
 * own mapping, and writes the best one as a file that `[mapping] ranks` takes.
 */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "netsim/netsim.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct MapTarget {
    char *ranks, *machine, *traffic, *output, *json;
    char **set, **strategies;
} MapTarget;

static const char strategy_help[] =
#define MACH_MAPPING(symbol, name, needs, help, source) name ", "
#include "machine/mappings.def"
    "or a mapping file (default: all that can be done); several are compared\n"
    "        What each does:"
#define MACH_MAPPING(symbol, name, needs, help, source) "\n          " name ": " help
#include "machine/mappings.def"
    ;

const CliOption cli_map_options[] = {
    {"traffic", 't', CLI_FILE, "FILE", offsetof(MapTarget, traffic),
     "what `orrery run --traffic FILE` recorded; needed", "--traffic run.traffic"},
    {"machine", 'm', CLI_MACHINE, "NAME|FILE", offsetof(MapTarget, machine),
     "the machine (default " CLI_MACHINE_NAME "); see `orrery machines`", "--machine mesh-4x4"},
    {"ranks", 'n', CLI_TEXT, "RANKS", offsetof(MapTarget, ranks),
     "how many ranks; also -np (default, and anything else is refused: as many as the traffic has)", "-n 16"},
    {"strategy", 0, CLI_LIST, "NAME[,NAME...]", offsetof(MapTarget, strategies), strategy_help,
     "--strategy bisection,local-search"},
    {"output", 'o', CLI_RESULT, "FILE", offsetof(MapTarget, output),
     "write the best of these mappings, for --set mapping.ranks=FILE", "--output run.mapping"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(MapTarget, json), "write the table, and every mapping, as JSON",
     "--json map.json"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(MapTarget, set), "change a key of the machine; several times",
     "--set mapping.grid=4x4"},
    {0}};

static const CliUsage map_usage = {
    .command = "map",
    .synopsis = "--traffic FILE [OPTION...]",
    .text =
        "Places the ranks of a program so that those which talk to each other lie near each other. Prints, for the\n"
        "mapping that the machine has and for each strategy: bytes times links that they cross, the same per byte,\n"
        "links between two ranks that talk (on average and at most), and the bytes over the busiest link.\n\n"
        "  orrery run -n 16 --machine mesh-4x4 --traffic run.traffic program.c\n"
        "  orrery map --machine mesh-4x4 --traffic run.traffic --output run.mapping\n"
        "  orrery run -n 16 --machine mesh-4x4 --set mapping.ranks=run.mapping program.c",
    .options = cli_map_options,
    .mixed = true,
};

typedef struct Placement {
    char *name;
    uint32_t *nodes; /* by rank; NULL: this strategy is not possible, for `reason` */
    char *reason;
    MachMappingReport report;
} Placement;

typedef struct Comparison {
    MachConfig *config;
    Network *net;
    MachTraffic *traffic;
    Placement before;
    GArray *after; /* Placement: the mappings that are compared */
    const Placement *best;
} Comparison;

/* -- placing ----------------------------------------------------------------------------------- */

static void clear_placement(void *element)
{
    Placement *placement = element;
    g_free(placement->name);
    g_free(placement->nodes);
    g_free(placement->reason);
}

static bool place(Comparison *c, const char *name, Placement *placement, GError **error)
{
    MachMapping mapping = {.config = c->config,
                           .net = c->net,
                           .ranks = c->traffic->ranks,
                           .mapping = name,
                           .traffic = c->traffic,
                           .current = c->before.nodes};
    placement->nodes = mach_map_nodes(&mapping, error);
    if (!placement->nodes)
        return false;
    placement->name = g_strdup(name);
    mach_map_measure(c->net, placement->nodes, c->traffic, &placement->report);
    return true;
}

static bool add_strategy(Comparison *c, const char *name, GError **error)
{
    Placement placement = {0};
    if (!place(c, name, &placement, error)) {
        g_prefix_error(error, "--strategy %s: ", name);
        return false;
    }
    g_array_append_val(c->after, placement);
    return true;
}

/* Tries all strategies. Those that this machine cannot have are listed with the reason, and are no error. */
static void add_all(Comparison *c)
{
    for (const char *const *name = mach_config_mappings(); *name; name++) {
        g_autoptr(GError) error = NULL;
        Placement placement = {0};
        if (!place(c, *name, &placement, &error)) {
            placement.name = g_strdup(*name);
            placement.reason = g_strdup(error->message);
        }
        g_array_append_val(c->after, placement);
    }
}

static bool add_named(Comparison *c, char **lists, GError **error)
{
    for (char **list = lists; *list; list++) {
        g_auto(GStrv) names = g_strsplit(*list, ",", -1);
        for (char **name = names; *name; name++)
            if (!add_strategy(c, *name, error))
                return false;
    }
    return true;
}

/* Chooses the placement with the fewest hop-bytes, then the least load of the busiest link, then the first. */
static void choose_best(Comparison *c)
{
    for (guint i = 0; i < c->after->len; i++) {
        const Placement *placement = &g_array_index(c->after, Placement, i);
        const MachMappingReport *report = &placement->report, *best = c->best ? &c->best->report : NULL;
        if (placement->nodes &&
            (!best || report->hop_bytes < best->hop_bytes ||
             (report->hop_bytes == best->hop_bytes && report->most_link_bytes < best->most_link_bytes)))
            c->best = placement;
    }
}

/* -- the table --------------------------------------------------------------------------------- */

static void append_ratio(GString *out, uint64_t part, uint64_t whole)
{
    unsigned __int128 thousandths = whole ? ((unsigned __int128)part * 1000 + whole / 2) / whole : 0;
    g_string_append_printf(out, " %7" G_GUINT64_FORMAT ".%03u", (uint64_t)(thousandths / 1000),
                           (unsigned)(thousandths % 1000));
}

static char *link_name(const Comparison *c, const MachMappingReport *report)
{
    const NetLink *link = net_link(c->net, report->busiest_link);
    g_autofree char *from = net_vertex_name(c->net, link->from), *to = net_vertex_name(c->net, link->to);
    return g_strdup_printf("%s -> %s", from, to);
}

static void append_row(const Comparison *c, const char *when, const Placement *placement, GString *out)
{
    const MachMappingReport *report = &placement->report;
    g_string_append_printf(out, "%-6s  %-14s", when, placement->name);
    if (!placement->nodes) {
        g_string_append_printf(out, " cannot be: %s\n", placement->reason);
        return;
    }
    g_string_append_printf(out, " %14" G_GUINT64_FORMAT, report->hop_bytes);
    append_ratio(out, report->hop_bytes, report->bytes);
    append_ratio(out, report->hops, report->pairs);
    g_string_append_printf(out, " %8u", report->most_hops);
    if (report->most_link_bytes) {
        g_autofree char *name = link_name(c, report);
        g_string_append_printf(out, " %14" G_GUINT64_FORMAT "  %s\n", report->most_link_bytes, name);
    } else {
        g_string_append_printf(out, " %14s\n", report->linked ? "0" : "-");
    }
}

static void describe(const Comparison *c, GString *out)
{
    const MachTraffic *traffic = c->traffic;
    uint64_t messages = 0;
    for (guint i = 0; i < traffic->flows->len; i++)
        messages += g_array_index(traffic->flows, MachFlow, i).messages;
    g_string_append_printf(out, "machine  %s: %u node%s, %s, routing %s\n", c->config->name, net_network_nodes(c->net),
                           net_network_nodes(c->net) == 1 ? "" : "s", net_network_params(c->net)->topology,
                           net_network_params(c->net)->routing);
    g_string_append_printf(out,
                           "traffic  %s: %u rank%s, %" G_GUINT64_FORMAT " pairs, %" G_GUINT64_FORMAT
                           " messages, %" G_GUINT64_FORMAT " bytes\n\n",
                           traffic->path, traffic->ranks, traffic->ranks == 1 ? "" : "s", c->before.report.pairs,
                           messages, c->before.report.bytes);
    g_string_append(out, "        mapping             hop-bytes    per byte    dilation  at most   busiest link\n");
    append_row(c, "before", &c->before, out);
    for (guint i = 0; i < c->after->len; i++)
        append_row(c, i ? "" : "after", &g_array_index(c->after, Placement, i), out);
}

static void describe_best(const Comparison *c, const char *output, GString *out)
{
    const MachMappingReport *before = &c->before.report, *best = &c->best->report;
    g_string_append_printf(out, "\nbest     %s: ", c->best->name);
    if (best->hop_bytes < before->hop_bytes) {
        unsigned saved =
            (unsigned)((unsigned __int128)(before->hop_bytes - best->hop_bytes) * 1000 / before->hop_bytes);
        g_string_append_printf(out, "%u.%u %% fewer hop-bytes than before", saved / 10, saved % 10);
    } else {
        g_string_append(out, best->hop_bytes == before->hop_bytes ? "as many hop-bytes as before"
                                                                  : "more hop-bytes than before");
    }
    if (output)
        g_string_append_printf(out, "; use it by --set mapping.ranks=%s", output);
    g_string_append_c(out, '\n');
}

/* -- files ------------------------------------------------------------------------------------- */

static bool write_mapping(const Comparison *c, const char *path, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_string_append_printf(out,
                           "# Mapping of %u ranks to the nodes of %s, by %s for the traffic in %s: %" G_GUINT64_FORMAT
                           " hop-bytes\n# rank node\n",
                           c->traffic->ranks, c->config->name, c->best->name, c->traffic->path,
                           c->best->report.hop_bytes);
    for (uint32_t rank = 0; rank < c->traffic->ranks; rank++)
        g_string_append_printf(out, "%u %u\n", rank, c->best->nodes[rank]);
    return base_write_report(path, out->str, out->len, error);
}

static void set_number(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_ratio(json_t *object, const char *key, uint64_t part, uint64_t whole)
{
    json_object_set_new(object, key, json_real(whole ? (double)part / (double)whole : 0));
}

static json_t *placement_json(const Comparison *c, const Placement *placement)
{
    const MachMappingReport *report = &placement->report;
    json_t *object = json_object(), *nodes = json_array();
    json_object_set_new(object, "mapping", json_string(placement->name));
    if (!placement->nodes) {
        json_decref(nodes);
        json_object_set_new(object, "refused", json_string(placement->reason));
        return object;
    }
    set_number(object, "hop_bytes", report->hop_bytes);
    set_ratio(object, "hops_per_byte", report->hop_bytes, report->bytes);
    set_number(object, "remote_bytes", report->remote_bytes);
    set_ratio(object, "average_dilation", report->hops, report->pairs);
    set_number(object, "greatest_dilation", report->most_hops);
    set_number(object, "most_link_bytes", report->most_link_bytes);
    if (report->most_link_bytes) {
        g_autofree char *name = link_name(c, report);
        set_number(object, "busiest_link", report->busiest_link);
        json_object_set_new(object, "busiest_link_name", json_string(name));
    }
    for (uint32_t rank = 0; rank < c->traffic->ranks; rank++)
        json_array_append_new(nodes, json_integer(placement->nodes[rank]));
    json_object_set_new(object, "nodes", nodes);
    return object;
}

static bool write_json(const Comparison *c, const char *path, GError **error)
{
    json_t *root = json_object(), *after = json_array();
    set_number(root, "orrery", 1);
    json_object_set_new(root, "machine", json_string(c->config->name));
    json_object_set_new(root, "traffic", json_string(c->traffic->path));
    set_number(root, "ranks_total", c->traffic->ranks);
    set_number(root, "pairs", c->before.report.pairs);
    set_number(root, "bytes", c->before.report.bytes);
    json_object_set_new(root, "before", placement_json(c, &c->before));
    for (guint i = 0; i < c->after->len; i++)
        json_array_append_new(after, placement_json(c, &g_array_index(c->after, Placement, i)));
    json_object_set_new(root, "after", after);
    json_object_set_new(root, "best", json_string(c->best->name));
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    json_decref(root);
    g_autofree char *lines = g_strconcat(text, "\n", NULL);
    free(text);
    return base_write_report(path, lines, strlen(lines), error);
}

/* -- all of it --------------------------------------------------------------------------------- */

static bool check_ranks(const MapTarget *target, const MachTraffic *traffic, GError **error)
{
    uint64_t ranks;
    if (!target->ranks)
        return true;
    if (!cli_option_number("-n", target->ranks, 1, INT32_MAX, &ranks, error))
        return false;
    if (ranks == traffic->ranks)
        return true;
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                "%s:%u:1: error: the traffic is that of %u rank%s, not of %" G_GUINT64_FORMAT " (-n)", traffic->path,
                traffic->ranks_line, traffic->ranks, traffic->ranks == 1 ? "" : "s", ranks);
    return false;
}

static bool load(Comparison *c, const MapTarget *target, GError **error)
{
    CliRunOptions options = {.machine = target->machine, .set = target->set};
    if (!target->traffic)
        return cli_error_usage(
            error, "no traffic is given; for example: orrery run -n 16 --traffic run.traffic program.c, then "
                   "orrery map --traffic run.traffic");
    c->config = cli_run_config(&options, error);
    c->traffic = c->config ? mach_traffic_load(target->traffic, error) : NULL;
    if (!c->traffic || !check_ranks(target, c->traffic, error))
        return false;
    c->net = mach_config_network(c->config, c->traffic->ranks, error);
    return c->net && place(c, c->config->mapping, &c->before, error);
}

static bool report(const Comparison *c, const MapTarget *target, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if ((target->output && !write_mapping(c, target->output, error)) ||
        (target->json && !write_json(c, target->json, error)))
        return false;
    describe(c, out);
    describe_best(c, target->output, out);
    return g_strcmp0(target->json, "-") == 0 || cli_say_output(out->str);
}

static bool compare(const MapTarget *target, GError **error)
{
    Comparison c = {.after = g_array_new(FALSE, FALSE, sizeof(Placement))};
    g_array_set_clear_func(c.after, clear_placement);
    bool good = load(&c, target, error);
    if (good && target->strategies)
        good = add_named(&c, target->strategies, error);
    else if (good)
        add_all(&c);
    if (good) {
        choose_best(&c);
        good = report(&c, target, error);
    }
    g_array_unref(c.after);
    clear_placement(&c.before);
    mach_traffic_free(c.traffic);
    net_network_free(c.net);
    mach_config_free(c.config);
    return good;
}

int cli_map(int argc, char **argv)
{
    MapTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false, good = cli_option_parse(&map_usage, &target, &argc, argv, &done, &error);
    if (good && !done && argc > 1) {
        g_set_error(&error, CLI_ERROR, CLI_ERROR_USAGE,
                    "\"%s\": orrery map takes only options; see `orrery map --help`", argv[1]);
        good = false;
    }
    if (good && !done)
        good = compare(&target, &error);
    int status = good ? 0 : CLI_STATUS_USAGE;
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_map_options, &target);
    return status;
}
