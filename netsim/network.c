/* network.c - the frame of a network: builds it from its three tables, checks it before it may run, frees it, and
 * answers queries about the whole. Messages come in by send.c and move by time_step.c. */
#include "base/nearest.h"
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/graph_file/graph_file.h"
#include "netsim/models.h"
#include "netsim/params/params.h"
#include "netsim/routing/routing.h"
#include "netsim/topology/topology.h"

#include <string.h>

#define MOST_BANDWIDTH  UINT64_C(1000000000000000) /* bytes per second, as of network.bandwidth */
#define WORK_BEFORE_RUN (UINT64_C(1) << 22)        /* limit for net_dependency_circle(): tenths of a second */

/* -- making ------------------------------------------------------------------------------------ */

static bool resolve_names(Network *net, GError **error)
{
    NetParams *params = &net->params;
    net->topology = net_topology_lookup(params->topology, error);
    net->routing = net->topology ? net_routing_lookup(params->routing, error) : NULL;
    net->model = net->routing ? net_model_lookup(params->switching, error) : NULL;
    if (!net->model)
        return false;
    params->topology = net->topology->name;
    params->routing = net->routing->name;
    params->switching = net->model->name;
    return true;
}

static bool check_medium(const Network *net, GError **error)
{
    bool bus_model = net->model->shared_medium;
    if (net->topology->shared_medium && net->model->needs_links && !bus_model)
        return net_error_refuse(
            error, "switching",
            "%s lets several messages travel at once, but a %s is one shared medium; use bus or csma-cd",
            net->model->name, net->topology->name);
    if (bus_model && !net->topology->shared_medium)
        return net_error_refuse(error, "switching", "%s needs a shared medium, which a %s is not; use topology bus",
                                net->model->name, net->topology->name);
    if (bus_model && net->params.nics > 1)
        return net_error_refuse(error, "nics",
                                "%u network interfaces of a node on one shared medium would only meet each other",
                                net->params.nics);
    return true;
}

static char *without_blanks(char *text)
{
    char *end = text;
    for (const char *at = text; *at; at++)
        if (*at != ' ')
            *end++ = *at;
    *end = '\0';
    return text;
}

static bool refuse_link(const Network *net, const char *name, BaseNearest nearest, GError **error)
{
    if (!net->model->needs_links || !net->graph.links)
        return net_error_refuse(error, "switching", "there is no link %s: %s has no links", name, net->model->name);
    g_autofree char *from = net_vertex_name(net, net->graph.link[0].from),
                    *to = net_vertex_name(net, net->graph.link[0].to);
    if (nearest.best)
        return net_error_refuse(error, "topology", "there is no link %s; did you mean %s?", name, nearest.best);
    return net_error_refuse(error, "topology", "there is no link %s; links are named by their ends, such as %s-%s",
                            name, from, to);
}

/* Whether the link is called `name` (without blanks): its ends by their names, or nodes by their numbers. */
static bool is_called(const Network *net, uint32_t from, uint32_t to, const char *name)
{
    g_autofree char *from_name = net_vertex_name(net, from), *to_name = net_vertex_name(net, to),
                    *from_number = g_strdup_printf("%u", from), *to_number = g_strdup_printf("%u", to);
    for (unsigned form = 0; form < 4; form++) {
        bool first = form & 1, second = form & 2;
        if ((first && from >= net->params.nodes) || (second && to >= net->params.nodes))
            continue;
        g_autofree char *called =
            g_strdup_printf("%s-%s", first ? from_number : from_name, second ? to_number : to_name);
        if (strcmp(without_blanks(called), name) == 0)
            return true;
    }
    return false;
}

static bool change_speed(Network *net, const NetLinkSpeed *speed, GError **error)
{
    g_autoptr(GStringChunk) names = g_string_chunk_new(4096);
    g_autofree char *name = without_blanks(g_strdup(speed->name));
    BaseNearest nearest = base_nearest_of(speed->name);
    bool found = false;
    for (uint32_t i = 0; i < net->graph.links && net->model->needs_links; i++) {
        NetLink *link = &net->graph.link[i];
        if (!is_called(net, link->from, link->to, name) && !is_called(net, link->to, link->from, name)) {
            g_autofree char *from = net_vertex_name(net, link->from), *to = net_vertex_name(net, link->to),
                            *other = g_strdup_printf("%s-%s", from, to);
            base_nearest_try(&nearest, g_string_chunk_insert(names, other));
            continue;
        }
        found = true;
        unsigned __int128 bandwidth = (unsigned __int128)link->bandwidth * speed->num / speed->den;
        link->bandwidth = (uint64_t)MAX(MIN(bandwidth, MOST_BANDWIDTH), 1);
        net->graph.uniform = false;
    }
    return found || refuse_link(net, speed->name, nearest, error);
}

/* Links that no model will use are not built if there are too many of them, for example loggp on a million fully
 * connected nodes. */
static bool build_graph(Network *net, GError **error)
{
    uint64_t links = net->topology->links(&net->params);
    uint32_t switches = net->topology->switches ? net->topology->switches(&net->params) : 0;
    if (links > NET_MAX_LINKS && net->model->needs_links)
        return net_error_refuse(error, "nodes",
                                "a %s of %u nodes has %" G_GUINT64_FORMAT " links, more than the %" G_GUINT64_FORMAT
                                " that fit",
                                net->topology->name, net->params.nodes, links, NET_MAX_LINKS);
    uint64_t vertices = (uint64_t)net->params.nodes + switches;
    bool built = net->model->needs_links || links <= MIN(NET_UNUSED_LINKS, NET_UNUSED_DEGREE * vertices);
    net_graph_init(&net->graph, &net->params, net->params.nodes + switches, built ? (uint32_t)links : 0);
    if (built)
        net->topology->build(&net->params, &net->graph);
    if (!net_nics_add_links(net, error))
        return false;
    net_graph_finish(&net->graph);
    net_nics_find_links(net);
    for (uint32_t i = 0; i < net->params.n_speeds; i++)
        if (!change_speed(net, &net->params.speeds[i], error))
            return false;
    return true;
}

static bool start_routing(Network *net, GError **error)
{
    GError *refusal = NULL;
    if (net->routing->start && net->graph.links)
        net->routing_state = net->routing->start(net, &refusal);
    if (refusal)
        g_propagate_error(error, refusal);
    return !refusal;
}

/* A pause stops a link for all packets, so classes of channels keep nothing free. */
static bool check_pauses(const Network *net, GError **error)
{
    bool complete, proven = net->routing->proven && net->routing->classes(net) == 1;
    if (proven || net->params.ethernet.flow_control != NET_FLOW_CONTROL_PAUSE)
        return true;
    g_autofree char *circle = net_dependency_circle(net, WORK_BEFORE_RUN, true, &complete);
    return !circle ||
           net_error_refuse(error, "routing",
                            "with %s pause frames can deadlock on this %s: links can pause each other in the "
                            "circle %s. Use up-down, flow-control = none, or deadlock = fatal to see it happen",
                            net->routing->name, net->topology->name, circle);
}

/* Refuses a routing that can deadlock here, unless the user wants to see the deadlock happen. If the graph is too large
 * to be analysed completely, the detector reports deadlocks during the run. */
static bool check_circles(Network *net, GError **error)
{
    bool refused = net->params.deadlock == NET_DEADLOCK_REFUSE;
    if (!net->model->can_deadlock)
        return true;
    if (net->model->stops_links && net->params.deadlock == NET_DEADLOCK_RESOLVE)
        return net_error_refuse(error, "deadlock",
                                "only wormhole switching can take a packet out again, %s cannot; use refuse or fatal",
                                net->model->name);
    if (net->model->stops_links)
        return !refused || check_pauses(net, error);
    if (net->routing->proven && !(net->source_routed && net->routing->adaptive))
        return true;
    net->may_deadlock = true;
    if (!refused)
        return true;
    bool complete;
    g_autofree char *circle = net_dependency_circle(net, WORK_BEFORE_RUN, false, &complete);
    net->may_deadlock = !complete;
    return !circle ||
           net_error_refuse(
               error, "routing",
               "%s%s can deadlock on this %s under %s: packets can wait for each other in the circle %s. Use %s, "
               "a switching model that buffers whole packets (cut-through), deadlock = resolve to abort and "
               "resend one of them when it happens, or deadlock = fatal to see it happen",
               net->routing->name, net->source_routed ? " that is decided at the source" : "", net->topology->name,
               net->model->name, circle,
               net->topology->next ? "dimension-order (with as many virtual channels as it asks for) or up-down"
                                   : "up-down");
}

static bool start_faults(Network *net, GError **error)
{
    GError *refusal = NULL;
    net->failures = net_failures_new(net, &refusal);
    if (net->failures)
        net->next_ps = NULL;
    net->transport = refusal ? NULL : net_transport_new(net, &refusal);
    if (refusal)
        g_propagate_error(error, refusal);
    return !refusal;
}

static bool prepare(Network *net, GError **error)
{
    if (!net_params_check(&net->params, error) || !resolve_names(net, error))
        return false;
    if (!net->topology->check(&net->params, error) || !check_medium(net, error))
        return false;
    if (net->routing->check && !net->routing->check(net, error))
        return false;
    if (net->model->check && !net->model->check(net, error))
        return false;
    net->source_routed = net->routing->candidates && net->params.routing_decision == NET_DECIDE_AT_SOURCE;
    if (!build_graph(net, error) || (net->model->check_links && !net->model->check_links(net, error)) ||
        !start_routing(net, error) || !check_circles(net, error) || !start_faults(net, error))
        return false;
    net->nic_free = g_new0(uint64_t, (size_t)net->params.nodes * net->params.nics);
    net->may_deadlock |= net->failures && net->model->can_deadlock; /* ways round failed links may close cycles */
    net->full_packet_ps =
        net_serialise((uint64_t)net->params.packet_bytes + net->params.header_bytes, net->params.bandwidth);
    if (net->model->instead)
        net->model = net->model->instead(net);
    net->ahead =
        net->model->inject_ahead && !net->transport && (net->client.fast.sends_ahead || net->params.startup_ps);
    net->model_state = net->model->start(net);
    return true;
}

Network *net_network_new(const NetParams *params, const NetClient *client, GError **error)
{
    Network *net = g_new0(Network, 1);
    net->params = *params;
    net->params.graph = NULL;
    net->params.tree = NULL;
    if (client)
        net->client = *client;
    net->params.file = net->file = g_strdup(params->file);
    net->params.table = net->table = g_strdup(params->table);
    net->params.faults.links = net->failed_links = g_strdup(params->faults.links);
    net->params.faults.routers = net->failed_routers = g_strdup(params->faults.routers);
    net->queue = base_queue_new();
    net->next_ps = (const uint64_t *)(const void *)net->queue;
    if (prepare(net, error))
        return net;
    net_network_free(net);
    return NULL;
}

void net_network_free(Network *net)
{
    if (!net)
        return;
    if (net->model && net->model_state)
        net->model->stop(net->model_state);
    if (net->routing && net->routing_state)
        net->routing->stop(net->routing_state);
    net_watch_free(net->watch);
    net_transport_free(net->transport);
    net_failures_free(net->failures);
    net_graph_clear(&net->graph);
    base_queue_free(net->queue);
    g_clear_pointer(&net->groups, g_hash_table_unref);
    g_free(net->nic_free);
    g_free(net->message);
    g_free(net->first_deadlock);
    net_graph_file_free(net->params.graph);
    g_free(net->params.tree);
    g_free(net->file);
    g_free(net->table);
    g_free(net->failed_links);
    g_free(net->failed_routers);
    g_free(net);
}

void net_network_settle(Network *net, uint64_t time_ps)
{
    if (net->model->settle)
        net->model->settle(net, time_ps);
}

/* -- what can be asked ------------------------------------------------------------------------- */

uint32_t net_network_nodes(const Network *net)
{
    return net->params.nodes;
}

const NetParams *net_network_params(const Network *net)
{
    return &net->params;
}

bool net_network_is_shared(const Network *net)
{
    return net->model->shared_medium;
}

uint32_t net_network_counters(const Network *net, NetCounter counters[NET_MAX_COUNTERS])
{
    uint32_t n = net->model->counters ? net->model->counters(net, counters) : 0;
    assert(n <= NET_MODEL_COUNTERS);
    return net->transport ? n + net_fault_counters(net, counters + n) : n;
}

bool net_network_grid(const Network *net, NetGrid *grid)
{
    *grid = (NetGrid){0};
    if (net->topology->grid)
        net->topology->grid(&net->params, grid);
    return net->topology->grid;
}

NetDrawing net_network_drawing(const Network *net)
{
    return net->topology->drawing;
}

void net_network_set_background(Network *net, const NetClient *client)
{
    assert(client->delivered && client->undeliverable);
    net->background = *client;
}

bool net_network_takes_shortest(const Network *net)
{
    return net->routing->shortest;
}

bool net_network_lacks_size(const NetParams *params)
{
    const NetTopology *topology = net_topology_lookup(params->topology, NULL);
    return !params->nodes && !params->n_dims && !(topology && topology->own_size);
}

bool net_network_takes_any_size(const NetParams *params)
{
    const NetModel *model = net_model_lookup(params->switching, NULL);
    return net_network_lacks_size(params) && model && model->any_size;
}
