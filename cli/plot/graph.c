/* graph.c - the network of a machine, as pictures of it need it. */
#include "cli/plot/plot_command.h"
#include "machine/machine.h"
#include "netsim/netsim.h"

static void fill(PlotGraph *graph, const Network *net)
{
    graph->n_vertices = net_vertex_count(net);
    graph->n_edges = net_link_count(net);
    graph->vertices = g_new0(PlotVertex, MAX(graph->n_vertices, 1));
    graph->edges = g_new0(PlotEdge, MAX(graph->n_edges, 1));
    for (uint32_t i = 0; i < graph->n_vertices; i++) {
        PlotVertex *vertex = &graph->vertices[i];
        net_vertex_position(net, i, &vertex->x, &vertex->y);
        vertex->is_switch = i >= net_network_nodes(net);
        vertex->name = net_vertex_name(net, i);
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const NetLink *link = net_link(net, i);
        graph->edges[i] = (PlotEdge){.from = link->from, .to = link->to};
        graph->edges[i].name =
            g_strdup_printf("%s -> %s", graph->vertices[link->from].name, graph->vertices[link->to].name);
    }
}

PlotGraph *cli_plot_graph(const PlotTarget *target, const TraceReader *reader, GError **error)
{
    CliRunOptions options = target->run;
    const char *machine = trace_reader_note(reader, "machine"), *ranks = trace_reader_note(reader, "ranks");
    g_autofree char *noted = g_strdup(machine);
    if (!options.machine)
        options.machine = noted;
    g_autoptr(MachConfig) config = cli_run_config(&options, error);
    if (!config) {
        g_prefix_error(error, "the machine of the run is needed for its network, and --machine says which it is: ");
        return NULL;
    }
    uint64_t count = ranks ? g_ascii_strtoull(ranks, NULL, 10) : 1;
    g_autoptr(Network) net = mach_config_network(config, (uint32_t)CLAMP(count, 1, UINT32_MAX), error);
    if (!net)
        return NULL;
    if (!net_link_count(net)) {
        cli_error_usage(error, "the network of %s has no links to draw: its switching model uses none", config->name);
        return NULL;
    }
    PlotGraph *graph = g_new0(PlotGraph, 1);
    graph->name = g_strdup(config->name);
    fill(graph, net);
    return graph;
}

void cli_plot_graph_free(PlotGraph *graph)
{
    if (!graph)
        return;
    for (uint32_t i = 0; i < graph->n_vertices; i++)
        g_free((char *)graph->vertices[i].name);
    for (uint32_t i = 0; i < graph->n_edges; i++)
        g_free((char *)graph->edges[i].name);
    g_free((char *)graph->name);
    g_free(graph->vertices);
    g_free(graph->edges);
    g_free(graph);
}
