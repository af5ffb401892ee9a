/* cmd_topo.c - `orrery topo`: describes and draws the network of a machine. */
#include "base/choice.h"
#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/gui/gui.h"
#include "cli/run/run.h"
#include "cli/topo/topo.h"
#include "machine/machine.h"
#include "netsim/netsim.h"

#include <string.h>

typedef struct TopoTarget {
    char *machine, **set, *svg, *png, *output, *labels, *load, *theme;
    gboolean links;
} TopoTarget;

/* clang-format off */
#define LABELS(CHOICE)                                                                                                 \
    CHOICE(LABELS_NONE, "none")                                                                                        \
    CHOICE(LABELS_NODES, "nodes")                                                                                      \
    CHOICE(LABELS_LINKS, "links")                                                                                      \
    CHOICE(LABELS_BOTH, "both")
/* clang-format on */
BASE_CHOICE_ENUM(TopoLabels, LABELS);

const CliOption cli_topo_options[] = {
    {"output", 'o', CLI_RESULT, "FILE", offsetof(TopoTarget, output), "draw it into a file: .svg or .png",
     "-o mesh.png"},
    {"svg", 0, CLI_RESULT, "FILE", offsetof(TopoTarget, svg), "draw it as SVG into a file", "--svg mesh.svg"},
    {"png", 0, CLI_RESULT, "FILE", offsetof(TopoTarget, png), "draw it as PNG into a file", "--png mesh.png"},
    {"labels", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(LABELS), offsetof(TopoTarget, labels),
     "in pictures: names of nodes and switches, numbers and rates of links (default none but the nodes' numbers)",
     "--labels both"},
    {"load", 0, CLI_FILE, "FILE", offsetof(TopoTarget, load),
     "in pictures: colour links by how busy they were in a run, of which `orrery run` has written a JSON report",
     "--load run.json"},
    CLI_OPTION_THEME(TopoTarget, theme),
    {"links", 'l', CLI_FLAG, NULL, offsetof(TopoTarget, links), "list all links", "--links"},
    {"machine", 'm', CLI_MACHINE, "NAME|FILE", offsetof(TopoTarget, machine), "the machine, if it is not the argument",
     "--machine mesh-4x4"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(TopoTarget, set), "change a key of the machine; several times",
     "--set network.dims=6x6"},
    {0}};

static const CliUsage topo_usage = {
    .command = "topo",
    .synopsis = "[OPTION...] MACHINE",
    .text =
        "Describes the network of a machine (degree, diameter, average distance, bisection, cost) and draws it, here\n"
        "as text, with -o as a picture.\n\n"
        "  orrery topo mesh-4x4\n"
        "  orrery topo torus-8x8x16 --set network.dims=4x4 -o torus.svg --labels both\n"
        "  orrery topo mesh-4x4 -o busy.png --load run.json",
    .options = cli_topo_options,
    .mixed = true,
};

enum { SHOWN_NODES = 16 };

/* Makes the network alone: nothing is sent, so there are no callbacks. */
static Network *build(const MachConfig *config, bool *any_size, GError **error)
{
    static const NetClient nobody = {0};
    NetParams params = config->net;
    *any_size = net_network_takes_any_size(&params);
    if (*any_size)
        params.nodes = SHOWN_NODES;
    GError *why = NULL;
    Network *net = net_network_new(&params, &nobody, &why);
    if (!net) {
        mach_config_locate(config, &why);
        g_propagate_error(error, why);
    }
    return net;
}

/* Returns the title of the picture. The description in a machine file is optional, and speaks of the machine as it is
 * there: of one that --set has changed, the changes are told instead. */
static char *title_of(const MachConfig *config, char **set)
{
    if (!set || !*set)
        return g_strconcat(config->name, *config->description ? ": " : "", config->description, NULL);
    g_autofree char *changes = g_strjoinv(", ", set);
    return g_strconcat(config->name, " with ", changes, NULL);
}

static const char *setting_value(const MachConfig *config, const char *name)
{
    return mach_config_value(config, "network", name);
}

static void append_time_of(const Network *net, uint32_t to, uint64_t bytes, const char *text, GString *out)
{
    g_autofree char *time = base_units_format_time(net_zero_load_ps(net, 0, to, bytes));
    g_string_append_printf(out, "            %-28s %s\n", text, time);
}

static void describe(const MachConfig *config, char **set, const Network *net, bool any_size, GString *out)
{
    const NetParams *params = net_network_params(net);
    uint32_t nodes = net_network_nodes(net);
    g_autofree char *title = title_of(config, set);
    g_string_append_printf(out, "%s\n\n", title);
    bool in_brackets = strchr(setting_value(config, "topology"), '('); /* like mesh(4,4): then dims is empty */
    const char *dims = in_brackets ? "" : setting_value(config, "dims");
    g_string_append_printf(out, "topology    %s%s%s\n",
                           in_brackets ? setting_value(config, "topology") : params->topology, *dims ? " " : "", dims);
    g_string_append_printf(out, "nodes       %u%s, %u core%s each\n", nodes,
                           any_size ? " (as many as the ranks need; 16 are shown)" : "", config->cores,
                           config->cores == 1 ? "" : "s");
    mach_config_describe_nodes(config, nodes, out);
    if (net_vertex_count(net) > nodes)
        g_string_append_printf(out, "switches    %u\n", net_vertex_count(net) - nodes);
    g_string_append_printf(out, "links       %u, one direction each, %s\n", net_link_count(net),
                           setting_value(config, "bandwidth"));
    cli_topo_shape(net, out);
    g_string_append_printf(out, "routing     %s\nswitching   %s%s\n", params->routing, params->switching,
                           net_send_has_multicast(net) ? ", with hardware broadcast" : "");
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
    for (uint32_t i = 0; i < net_link_count(net); i++) {
        g_autofree char *from = net_vertex_name(net, net_link(net, i)->from);
        g_autofree char *to = net_vertex_name(net, net_link(net, i)->to);
        g_string_append_printf(out, "link %u: %s -> %s\n", i, from, to);
    }
}

/* -- pictures ---------------------------------------------------------------------------------- */

static bool is_png(const char *path)
{
    return g_str_has_suffix(path, ".png");
}

/* Stores the value of -o as --svg or --png, by its ending. */
static bool check_output(TopoTarget *target, GError **error)
{
    char **place = target->output && is_png(target->output) ? &target->png : &target->svg;
    if (!target->output)
        return true;
    if (!is_png(target->output) && !g_str_has_suffix(target->output, ".svg"))
        return cli_error_usage(error, "-o %s: the name must end in .svg or .png", target->output);
    if (*place)
        return cli_error_usage(error, "-o %s and %s %s are two of one kind; give one of them", target->output,
                               place == &target->png ? "--png" : "--svg", *place);
    *place = g_steal_pointer(&target->output);
    return true;
}

static bool set_labels(const TopoTarget *target, TopoDrawing *drawing, GError **error)
{
    int labels = LABELS_NONE;
    if (target->labels)
        labels = cli_option_choice("--labels", BASE_CHOICE_ALTERNATIVES(LABELS), target->labels, error);
    drawing->name_nodes = labels == LABELS_NODES || labels == LABELS_BOTH;
    drawing->name_links = labels == LABELS_LINKS || labels == LABELS_BOTH;
    return labels >= 0;
}

static bool write_svg(const PlotCanvas *canvas, const char *path, GError **error)
{
    g_autoptr(GString) svg = plot_svg(canvas);
    return base_write_file(path, svg->str, svg->len, error);
}

static bool write_png(const PlotCanvas *canvas, const char *path, GError **error)
{
    g_autoptr(GByteArray) png = cli_gui_paint(canvas, true, error);
    return png && base_write_file(path, png->data, png->len, error);
}

static bool draw(const TopoTarget *target, const MachConfig *config, const Network *net, GError **error)
{
    g_autofree char *title = title_of(config, target->set);
    TopoDrawing drawing = {.title = title, .theme = cli_option_theme(target->theme, error)};
    if (!drawing.theme || !set_labels(target, &drawing, error))
        return false;
    g_autofree double *load = target->load ? cli_topo_load(net, target->load, error) : NULL;
    if (target->load && !load) {
        g_prefix_error(error, "--load ");
        return false;
    }
    if (!target->svg && !target->png) {
        if (target->load || target->labels)
            g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s is for pictures; say where one goes, as in -o net.svg",
                        target->load ? "--load" : "--labels");
        return !target->load && !target->labels;
    }
    drawing.load = load;
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(drawing.theme->paper);
    return cli_topo_draw(net, &drawing, canvas, error) && (!target->svg || write_svg(canvas, target->svg, error)) &&
           (!target->png || write_png(canvas, target->png, error));
}

static bool show(TopoTarget *target, char *machine, GString *out, GError **error)
{
    CliRunOptions options = {.machine = machine, .set = target->set};
    g_autoptr(MachConfig) config = cli_run_config(&options, error);
    bool any_size;
    g_autoptr(Network) net = config ? build(config, &any_size, error) : NULL;
    if (!net || !mach_config_check_nodes(config, net_network_nodes(net), any_size, error))
        return false;
    describe(config, target->set, net, any_size, out);
    cli_topo_text(net, out);
    if (target->links)
        list_links(net, out);
    return draw(target, config, net, error);
}

/* Returns whether the command must go to the program that has Cairo, because PNG is painted there. */
static bool needs_cairo(const TopoTarget *target, GError **error)
{
#ifdef ORRERY_GUI
    (void)error;
    return target->png && !cli_gui_paint;
#else
    if (target->png)
        return cli_error_usage(error,
                               "this orrery was built without Cairo, which paints PNG; use a name that ends in .svg");
    return false;
#endif
}

/* Returns the machine, which is the only argument or given by --machine. */
static char *choose_machine(const TopoTarget *target, int argc, char **argv, GError **error)
{
    if (argc == (target->machine ? 0 : 1))
        return target->machine ? target->machine : argv[0];
    if (argc == 0)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, "no machine is given; see `orrery machines`");
    else
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "\"%s\": one machine can be drawn at a time", argv[argc - 1]);
    return NULL;
}

int cli_topo(int argc, char **argv)
{
    TopoTarget target = {0};
    g_autofree char **given = g_memdup2(argv, ((gsize)argc + 1) * sizeof *argv);
    int given_count = argc;
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    GString *out = g_string_new(NULL);
    if (cli_option_parse(&topo_usage, &target, &argc, argv, &done, &error) && !done) {
        char *machine = choose_machine(&target, argc - 1, argv + 1, &error);
        if (!machine)
            status = CLI_STATUS_USAGE;
        else if (!check_output(&target, &error))
            status = CLI_STATUS_USAGE;
        else if (needs_cairo(&target, &error))
            status = cli_gui_hand_over(given_count, given);
        else if (!error && show(&target, machine, out, &error))
            status = cli_say_output(out->str) ? 0 : CLI_STATUS_USAGE;
    }
    if (error)
        status = cli_error_report(error);
    g_string_free(out, TRUE);
    cli_option_clear(cli_topo_options, &target);
    return status;
}
