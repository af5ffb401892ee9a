/* cmd_topo.c - `orrery topo`: describes and draws the network of a machine. */
#include "cli.h"
#include "topo.h"

#include <string.h>

typedef struct TopoTarget {
    char **set, *svg;
    gboolean links;
} TopoTarget;

const CliOption cli_topo_options[] = {
    {"svg", 0, CLI_FILE, "FILE", offsetof(TopoTarget, svg), "draw it as SVG into a file", "--svg mesh.svg"},
    {"links", 'l', CLI_FLAG, NULL, offsetof(TopoTarget, links), "list all links", "--links"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(TopoTarget, set), "change a key of the machine; several times",
     "--set network.dims=6x6"},
    {0}};

static const CliUsage topo_usage = {
    .command = "topo",
    .synopsis = "[OPTION...] MACHINE",
    .text = "Describes the network of a machine and draws it, here as text or with --svg as a picture.\n\n"
            "  orrery topo mesh-4x4\n"
            "  orrery topo torus-8x8x16 --svg torus.svg --set network.dims=4x4",
    .options = cli_topo_options,
};

enum { SHOWN_NODES = 16, MOST_NODES_FOR_DIAMETER = 4096 };

/* The network alone: nobody listens, nothing is sent. */
static Network *build(const MachConfig *config, bool *any_size, GError **error)
{
    static const NetClient nobody = {0};
    NetParams params = config->net;
    *any_size = !params.nodes && !params.n_dims && strcmp(params.switching, "loggp") == 0 &&
                strcmp(params.topology, "file") != 0;
    if (*any_size)
        params.nodes = SHOWN_NODES;
    Network *net = net_new(&params, &nobody, error);
    if (!net)
        g_prefix_error(error, "%s: [network] ", config->path);
    return net;
}

static void degrees(const Network *net, uint32_t *least, uint32_t *greatest)
{
    uint32_t nodes = net_nodes(net);
    g_autofree uint32_t *degree = g_new0(uint32_t, net_vertices(net));
    for (uint32_t i = 0; i < net_links(net); i++)
        degree[net_link(net, i)->from]++;
    *least = *greatest = degree[0];
    for (uint32_t node = 1; node < nodes; node++) {
        *least = MIN(*least, degree[node]);
        *greatest = MAX(*greatest, degree[node]);
    }
}

static const char *setting_value(const MachConfig *config, const char *name)
{
    return mach_config_value(config, "network", name);
}

static void append_time_of(const Network *net, uint32_t to, uint64_t bytes, const char *text, GString *out)
{
    g_autofree char *time = mach_format_time(net_zero_load_ps(net, 0, to, bytes));
    g_string_append_printf(out, "            %-28s %s\n", text, time);
}

/* What it costs and what it can do, whatever the routing. */
static void append_shape(const Network *net, GString *out)
{
    uint64_t total = 0;
    if (!net_links(net))
        return;
    for (uint32_t i = 0; i < net_links(net); i++)
        total += net_link(net, i)->bandwidth;
    g_string_append_printf(out, "distance    %.3f hops on average between two nodes\n", net_average_distance(net));
    uint32_t bisection = net_bisection(net);
    g_string_append_printf(out, "bisection   %u link%s from the lower half of the nodes to the upper\n", bisection,
                           bisection == 1 ? "" : "s");
    g_string_append_printf(out, "cost        %u ports, %.6g GB/s in all links together\n", 2 * net_links(net),
                           (double)total / 1e9);
}

static void describe(const MachConfig *config, const Network *net, bool any_size, GString *out)
{
    const NetParams *params = net_params(net);
    uint32_t nodes = net_nodes(net), least, greatest;
    degrees(net, &least, &greatest);
    g_string_append_printf(out, "%s: %s\n\n", config->name, config->description);
    bool in_brackets = strchr(setting_value(config, "topology"), '('); /* mesh(4,4): dims says nothing */
    const char *dims = in_brackets ? "" : setting_value(config, "dims");
    g_string_append_printf(out, "topology    %s%s%s\n",
                           in_brackets ? setting_value(config, "topology") : params->topology, *dims ? " " : "", dims);
    g_string_append_printf(out, "nodes       %u%s, %u core%s each\n", nodes,
                           any_size ? " (as many as the ranks need; 16 are shown)" : "", config->cores,
                           config->cores == 1 ? "" : "s");
    mach_config_describe_nodes(config, nodes, out);
    if (net_vertices(net) > nodes)
        g_string_append_printf(out, "switches    %u\n", net_vertices(net) - nodes);
    g_string_append_printf(out, "links       %u, one direction each, %s\n", net_links(net),
                           setting_value(config, "bandwidth"));
    if (least == greatest)
        g_string_append_printf(out, "degree      %u\n", least);
    else
        g_string_append_printf(out, "degree      %u to %u\n", least, greatest);
    if (nodes <= MOST_NODES_FOR_DIAMETER) {
        g_string_append_printf(out, "diameter    %u hops\n", net_diameter(net));
        append_shape(net, out);
    }
    g_string_append_printf(out, "routing     %s\nswitching   %s%s\n", params->routing, params->switching,
                           net_has_broadcast(net) ? ", with hardware broadcast" : "");
    if (nodes > 1) {
        g_string_append(out, "unloaded    from node 0, without software:\n");
        append_time_of(net, 1, 1, "to node 1, 1 byte", out);
        append_time_of(net, nodes - 1, 1, "to the last node, 1 byte", out);
        append_time_of(net, nodes - 1, 65536, "to the last node, 64 KiB", out);
    }
    g_string_append_c(out, '\n');
}

static void list_links(const Network *net, GString *out)
{
    g_string_append(out, "\n");
    for (uint32_t i = 0; i < net_links(net); i++) {
        g_autofree char *from = net_vertex_name(net, net_link(net, i)->from);
        g_autofree char *to = net_vertex_name(net, net_link(net, i)->to);
        g_string_append_printf(out, "link %u: %s -> %s\n", i, from, to);
    }
}

static bool write_svg(const MachConfig *config, const Network *net, const char *path, GError **error)
{
    GString *svg = g_string_new(NULL);
    g_autofree char *title = g_strdup_printf("%s: %s", config->name, config->description);
    cli_topo_svg(net, title, svg);
    bool good = mon_write_file(path, svg->str, svg->len, error);
    g_string_free(svg, TRUE);
    return good;
}

static bool show(const TopoTarget *target, char *machine, GString *out, GError **error)
{
    CliRunOptions options = {.machine = machine, .set = target->set};
    g_autoptr(MachConfig) config = cli_run_config(&options, error);
    bool any_size;
    g_autoptr(Network) net = config ? build(config, &any_size, error) : NULL;
    if (!net || !mach_config_check_nodes(config, net_nodes(net), any_size, error))
        return false;
    describe(config, net, any_size, out);
    cli_topo_text(net, out);
    if (target->links)
        list_links(net, out);
    return !target->svg || write_svg(config, net, target->svg, error);
}

int cli_topo(int argc, char **argv)
{
    TopoTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    GString *out = g_string_new(NULL);
    /* The machine may stand before or between the options. */
    char *machine = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    if (machine)
        argv[1] = argv[0];
    int rest = machine ? argc - 1 : argc;
    if (cli_parse(&topo_usage, &target, &rest, machine ? argv + 1 : argv, &done, &error) && !done) {
        if (!machine && rest > 1)
            machine = argv[1];
        if (!machine)
            g_set_error_literal(&error, CLI_ERROR, CLI_ERROR_USAGE, "no machine is given; see `orrery machines`");
        else if (show(&target, machine, out, &error))
            status = cli_print(out->str) ? 0 : CLI_STATUS_USAGE;
    }
    if (error)
        status = cli_fail(error);
    g_string_free(out, TRUE);
    cli_options_clear(cli_topo_options, &target);
    return status;
}
