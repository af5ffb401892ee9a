/* network.c - the frame of a network: making it, handing in messages, one event at a time, and questions about it.
 *
 * Explicitly ordered: everything happens in net_step(), one event of the queue after the other in the order (time,
 * kind, rank, sequence). Each node's NIC takes up one message at a time for startup_ps; the message then goes to the
 * switching model, which ends it by a SENT and a DELIVERED event. Clients are called from those two alone, when no
 * model is in the middle of anything, so they may call net_send().
 */
#include "netsim/faults.h"
#include "netsim/graph_file.h"

#include <string.h>

#define WORK_BEFORE_RUN (UINT64_C(1) << 22) /* of net_dependency_circle(): tenths of a second */

/* -- making ---------------------------------------------------------------------------------------------------- */

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
    return net_check_choice("duplex", &params->duplex, net_duplexes(), error) &&
           net_check_choice("vc-allocation", &params->vc_allocation, net_vc_allocations(), error) &&
           net_check_choice("routing-decision", &params->routing_decision, net_routing_decisions(), error) &&
           net_check_choice("deadlock", &params->deadlock, net_deadlock_policies(), error) &&
           net_check_choice("flow-control", &params->flow_control, net_flow_controls(), error);
}

static bool check_medium(const Network *net, GError **error)
{
    bool bus_model = net->model->shared_medium;
    if (net->topology->shared_medium && net->model->needs_links && !bus_model)
        return net_refuse(error, "switching",
                          "%s lets several messages travel at once, but a %s is one shared medium; use bus or csma-cd",
                          net->model->name, net->topology->name);
    if (bus_model && !net->topology->shared_medium)
        return net_refuse(error, "switching", "%s needs a shared medium, which a %s is not; use topology bus",
                          net->model->name, net->topology->name);
    if (bus_model && net->params.nics > 1)
        return net_refuse(error, "nics",
                          "%u network interfaces of a node on one shared medium would only meet each other",
                          net->params.nics);
    return true;
}

/* Links that no model will use are not built where they are too many: loggp on a million fully connected nodes. */
static bool build_graph(Network *net, GError **error)
{
    uint64_t links = net->topology->links(&net->params);
    uint32_t switches = net->topology->switches ? net->topology->switches(&net->params) : 0;
    if (links > NET_MAX_LINKS && net->model->needs_links)
        return net_refuse(error, "nodes",
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

/* Pauses stop a link for all, so that classes of channels keep nothing free. */
static bool check_pauses(const Network *net, GError **error)
{
    bool complete, proven = net->routing->proven && net->routing->classes(net) == 1;
    if (proven || strcmp(net->params.flow_control, "pause") != 0)
        return true;
    g_autofree char *circle = net_dependency_circle(net, WORK_BEFORE_RUN, true, &complete);
    return !circle || net_refuse(error, "routing",
                                 "with %s pause frames can deadlock on this %s: links can pause each other in the "
                                 "circle %s. Use up-down, flow-control = none, or deadlock = fatal to see it happen",
                                 net->routing->name, net->topology->name, circle);
}

/* A routing that can deadlock here is refused before the run, unless it shall be seen what happens. Where there is too
 * much to look at, the detector will tell. */
static bool check_circles(Network *net, GError **error)
{
    bool refused = strcmp(net->params.deadlock, "refuse") == 0;
    if (!net->model->can_deadlock)
        return true;
    if (net->model->stops_links && strcmp(net->params.deadlock, "resolve") == 0)
        return net_refuse(error, "deadlock",
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
           net_refuse(
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
    net->source_routed = net->routing->candidates && strcmp(net->params.routing_decision, "source") == 0;
    if (!build_graph(net, error) || (net->model->check_links && !net->model->check_links(net, error)) ||
        !start_routing(net, error) || !check_circles(net, error) || !start_faults(net, error))
        return false;
    net->nic_free = g_new0(uint64_t, (size_t)net->params.nodes * net->params.nics);
    net->may_deadlock |= net->failures && net->model->can_deadlock; /* going round them may close circles */
    net->full_packet_ps =
        net_serialise((uint64_t)net->params.packet_bytes + net->params.header_bytes, net->params.bandwidth);
    if (net->model->instead)
        net->model = net->model->instead(net);
    net->model_state = net->model->start(net);
    net->ahead = net->model->inject_ahead && !net->transport && (net->client.sends_ahead || net->params.startup_ps);
    return true;
}

Network *net_new(const NetParams *params, const NetClient *client, GError **error)
{
    Network *net = g_new0(Network, 1);
    net->params = *params;
    net->params.graph = NULL;
    if (client)
        net->client = *client;
    net->params.file = net->file = g_strdup(params->file);
    net->params.table = net->table = g_strdup(params->table);
    net->params.failed_links = net->failed_links = g_strdup(params->failed_links);
    net->params.failed_routers = net->failed_routers = g_strdup(params->failed_routers);
    net->queue = net_queue_new();
    if (prepare(net, error))
        return net;
    net_free(net);
    return NULL;
}

void net_free(Network *net)
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
    net_queue_free(net->queue);
    g_clear_pointer(&net->groups, g_hash_table_unref);
    g_free(net->nic_free);
    g_free(net->message);
    g_free(net->first_deadlock);
    net_graph_file_free(net->params.graph);
    g_free(net->file);
    g_free(net->table);
    g_free(net->failed_links);
    g_free(net->failed_routers);
    g_free(net);
}

/* -- messages ---------------------------------------------------------------------------------------------------- */

enum { FEW_MESSAGES = 256 };

void net_fifo_push(Network *net, NetFifo *fifo, uint32_t message)
{
    net_message(net, message)->next = NET_NONE;
    if (fifo->head == NET_NONE)
        fifo->head = message;
    else
        net_message(net, fifo->tail)->next = message;
    fifo->tail = message;
}

uint32_t net_fifo_pop(Network *net, NetFifo *fifo)
{
    uint32_t message = fifo->head;
    assert(message != NET_NONE);
    fifo->head = net_message(net, message)->next;
    return message;
}

uint64_t net_serialise(uint64_t bytes, uint64_t bandwidth)
{
    assert(bandwidth > 0);
    if (bytes <= UINT64_MAX / NET_PS_PER_S - 1) { /* 64 bits will do */
        uint64_t product = bytes * NET_PS_PER_S;
        uint64_t time = product / bandwidth + (product % bandwidth != 0);
        return MIN(time, NET_MAX_TIME);
    }
    unsigned __int128 time = ((unsigned __int128)bytes * NET_PS_PER_S + bandwidth - 1) / bandwidth;
    return time > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)time;
}

uint64_t net_packet_count(const NetParams *params, uint64_t bytes)
{
    return bytes ? (bytes - 1) / params->packet_bytes + 1 : 1;
}

uint64_t net_packet_bytes(const NetParams *params, uint64_t bytes, uint64_t index)
{
    uint64_t before = index * params->packet_bytes;
    assert(before <= bytes);
    return MIN(bytes - before, params->packet_bytes) + params->header_bytes;
}

static bool is_idle(const Network *net)
{
    return !net_queue_top(net->queue) && !net_transport_busy(net->transport);
}

/* The message is in the NIC; the model is to be given it. */
static uint32_t message_make(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t cookie, bool unreported)
{
    assert(nic < net->params.nics && from < net->params.nodes && to < net->params.nodes);
    assert(time_ps >= net->now);
    if (net->failures)
        net_failures_begin(net->failures, time_ps, is_idle(net));
    uint32_t index = net_message_new(net);
    uint64_t *free_ps = &net->nic_free[from * net->params.nics + nic];
    uint64_t ready = *free_ps = MAX(time_ps, *free_ps) + net->params.startup_ps;
    *net_message(net, index) = (NetMessage){
        .from = from,
        .to = to,
        .bytes = bytes,
        .cookie = cookie,
        .ready_ps = ready,
        .packets = net_packet_count(&net->params, bytes),
        .next = NET_NONE,
        .unreported = unreported,
        .nic = (uint8_t)nic,
    };
    return index;
}

static void hand_over(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    if (net->ahead && message->from != message->to)
        net->model->inject_ahead(net, index);
    else
        net_queue_push(net->queue, message->ready_ps, NET_EVENT_INJECT, message->from, index, 0);
}

void net_send_by_nic(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                     uint64_t cookie, bool unreported)
{
    uint32_t index = message_make(net, nic, from, to, bytes, time_ps, cookie, unreported);
    if (G_UNLIKELY(net->watch))
        net_watch_accepted(net, index, time_ps);
    hand_over(net, index);
}

/* -- multicasts ------------------------------------------------------------------------------------------------- */

static void group_free(gpointer data)
{
    NetGroup *group = data;
    g_free(group->to);
    g_free(group->arrived);
    g_free(group->first);
    g_free(group->cookie);
    g_free(group->missing);
    g_free(group);
}

static NetGroup *group_new(const uint32_t *to, const uint64_t *cookies, uint32_t n)
{
    NetGroup *group = g_new0(NetGroup, 1);
    group->to = g_new(uint32_t, n);
    group->first = g_new(uint32_t, (size_t)n + 1);
    group->arrived = g_new0(uint64_t, n);
    group->cookie = g_memdup2(cookies, n * sizeof *cookies);
    for (uint32_t i = 0; i < n; i++) {
        assert(i == 0 || to[i - 1] <= to[i]);
        if (i && to[i] == to[i - 1])
            continue;
        group->first[group->nodes] = i;
        group->to[group->nodes++] = to[i];
    }
    group->first[group->nodes] = n;
    group->undelivered = group->nodes;
    return group;
}

/* Observers are told of a packet when it has come to all. */
static void watch_group(Network *net, uint32_t message, uint64_t time_ps)
{
    NetGroup *group = net_group(net, message);
    uint64_t packets = net_message(net, message)->packets;
    group->missing = g_new(uint32_t, packets);
    for (uint64_t i = 0; i < packets; i++)
        group->missing[i] = group->nodes;
    net_watch_accepted(net, message, time_ps);
}

void net_group_arrived(Network *net, uint32_t message, uint64_t number)
{
    NetGroup *group = net_group(net, message);
    if (--group->missing[number] == 0)
        net_watch_arrived(net, message, number, net->now);
}

void net_multicast(Network *net, uint32_t nic, uint32_t from, const uint32_t *to, const uint64_t *to_cookies,
                   uint32_t n, uint64_t bytes, uint64_t time_ps, uint64_t cookie, bool unreported)
{
    assert(net->model->broadcast && n > 0);
    uint32_t index = message_make(net, nic, from, to[0], bytes, time_ps, cookie, unreported);
    net_message(net, index)->group = true;
    if (!net->groups)
        net->groups = g_hash_table_new_full(NULL, NULL, NULL, group_free);
    g_hash_table_insert(net->groups, GUINT_TO_POINTER(index), group_new(to, to_cookies, n));
    if (G_UNLIKELY(net->watch))
        watch_group(net, index, time_ps);
    net_queue_push(net->queue, net_message(net, index)->ready_ps, NET_EVENT_INJECT, from, index, 0);
}

NetGroup *net_group(const Network *net, uint32_t message)
{
    assert(net_message(net, message)->group);
    return g_hash_table_lookup(net->groups, GUINT_TO_POINTER(message));
}

void net_group_deliver(Network *net, uint32_t message, uint32_t index, uint64_t time_ps)
{
    net_queue_push(net->queue, time_ps, NET_EVENT_DELIVERED, net_group(net, message)->to[index], message, index);
}

/* Clients may send from here, which makes messages and groups. */
static void deliver_group(Network *net, uint32_t message, uint32_t index)
{
    NetGroup *group = net_group(net, message);
    for (uint32_t i = group->first[index]; net->client.delivered && i < group->first[index + 1]; i++)
        net->client.delivered(net->client.user, group->cookie[i], net->now);
    if (--group->undelivered)
        return;
    if (G_UNLIKELY(net->watch))
        net_watch_delivered(net, message);
    g_hash_table_remove(net->groups, GUINT_TO_POINTER(message));
    net_message_free(net, message);
}

/* -- routes ------------------------------------------------------------------------------------------------------- */

uint64_t net_mix(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t x = seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1b54a32d192ed03);
    return net_scramble(net_scramble(x));
}

uint32_t net_source_route(const Network *net, const NetQuery *query, NetHop *hops, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!hops[i].escape)
            hops[left++] = hops[i];
    if (query->in_link == NET_NONE || left < 2)
        return left;
    hops[0] = hops[net_mix(net->params.seed, query->number, query->at) % left];
    return 1;
}

NetQuery net_query_begin(const Network *net, uint32_t from, uint32_t to, uint64_t number)
{
    NetQuery query = {.from = from, .to = to, .via = NET_NONE, .at = from, .in_link = NET_NONE, .number = number};
    if (net->routing->choose_via && from != to)
        query.via = net->routing->choose_via(net, from, to, number);
    return query;
}

NetHop net_next_hop(const Network *net, const NetQuery *query)
{
    NetHop hops[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, query, hops);
    assert(count > 0);
    (void)count;
    return hops[0];
}

void net_send(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    net_send_by_nic(net, 0, from, to, bytes, time_ps, cookie, false);
}

void net_send_unreported(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    net_send_by_nic(net, 0, from, to, bytes, time_ps, cookie, true);
}

void net_set_background(Network *net, const NetClient *client)
{
    assert(client->delivered && client->undeliverable);
    net->background = *client;
}

void net_send_background(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    assert(from != to);
    uint32_t index = message_make(net, 0, from, to, bytes, time_ps, cookie, true);
    net_message(net, index)->background = true;
    if (G_UNLIKELY(net->watch))
        net_watch_part(net, index, NET_NOBODY, 0);
    hand_over(net, index);
}

bool net_in_order(const Network *net)
{
    return net->model->in_order && !net->transport;
}

/* When something fails or is repaired next, if there is anything that this could matter to. */
static uint64_t next_failure(const Network *net)
{
    return is_idle(net) ? UINT64_MAX : net_failures_next(net->failures);
}

uint64_t net_next_time(const Network *net)
{
    const NetEvent *event = net_queue_top(net->queue);
    uint64_t time_ps = event ? event->time_ps : UINT64_MAX;
    return G_UNLIKELY(net->failures) ? MIN(time_ps, next_failure(net)) : time_ps;
}

static void event_inject(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    if (message->from != message->to) {
        (net->transport ? net_transport_inject : net->model->inject)(net, index);
        return;
    }
    net_queue_push(net->queue, net->now, NET_EVENT_SENT, message->from, index, 0);
    net_queue_push(net->queue, net->now, NET_EVENT_DELIVERED, message->to, index, 0);
}

static void event_sent(Network *net, uint32_t index)
{
    if (net_message(net, index)->is_packet)
        net_transport_sent(net, index);
    else if (net->client.sent && !net_message(net, index)->unreported)
        net->client.sent(net->client.user, net_message(net, index)->cookie, net->now);
}

static void event_delivered(Network *net, uint32_t index, uint32_t part)
{
    if (G_UNLIKELY(net_message(net, index)->group)) {
        deliver_group(net, index, part);
        return;
    }
    if (net_message(net, index)->is_packet) {
        net_transport_arrived(net, index);
        return;
    }
    uint64_t cookie = net_message(net, index)->cookie;
    bool background = net_message(net, index)->background;
    if (G_UNLIKELY(net->watch))
        net_watch_delivered(net, index);
    net_message_free(net, index);
    if (G_UNLIKELY(background)) {
        net->background.delivered(net->background.user, cookie, net->now);
        return;
    }
    if (net->client.delivered)
        net->client.delivered(net->client.user, cookie, net->now);
}

/* Of many messages, lets the client fetch what it will need. */
static void tell_expected(Network *net, unsigned events, bool begun)
{
    const NetEvent *event = net_queue_soon(net->queue, events);
    const NetMessage *next = event && event->kind == NET_EVENT_DELIVERED ? net_message(net, (uint32_t)event->a) : NULL;
    if (next && !next->group && !next->is_packet && !next->background)
        net->client.expect(net->client.user, next->cookie, begun);
}

/* Whether something failed or was repaired now, before the next event. */
static bool step_failures(Network *net)
{
    uint64_t next = next_failure(net);
    if (next == UINT64_MAX || next > net_next_time(net))
        return false;
    net_failures_step(net);
    return true;
}

void net_step(Network *net)
{
    NetEvent event;
    if (G_UNLIKELY(net->failures) && step_failures(net))
        return;
    if (!net_queue_pop(net->queue, &event))
        return;
    if (net->client.expect && net->messages.count > FEW_MESSAGES) {
        tell_expected(net, 10, false);
        tell_expected(net, 5, true);
    }
    assert(event.time_ps >= net->now);
    net->now = event.time_ps;
    switch ((NetEventKind)event.kind) {
    case NET_EVENT_SENT: event_sent(net, (uint32_t)event.a); break;
    case NET_EVENT_DELIVERED: event_delivered(net, (uint32_t)event.a, (uint32_t)event.b); break;
    case NET_EVENT_INJECT: event_inject(net, (uint32_t)event.a); break;
    case NET_EVENT_HOP:
    case NET_EVENT_GRANT:
    case NET_EVENT_TICK: net->model->event(net, &event); break;
    case NET_EVENT_TIMER: net_transport_timer(net, &event); break;
    }
}

const char *net_deadlock(const Network *net)
{
    Network *owner = (Network *)net; /* the text is owned by the network, which is otherwise only looked at */
    if (net->model->deadlock && net_queue_size(net->queue) == 0) { /* asked anew: it may go on */
        g_free(net->first_deadlock);
        owner->first_deadlock = net->model->deadlock(net);
        owner->is_deadlocked = net->first_deadlock != NULL;
    }
    return net->is_deadlocked ? net->first_deadlock : NULL;
}

uint64_t net_deadlocks_resolved(const Network *net)
{
    return net->is_deadlocked ? 0 : net->deadlocks;
}

const char *net_first_deadlock(const Network *net)
{
    (void)net_deadlock(net); /* which may be the first */
    return net->first_deadlock;
}

/* -- structure ---------------------------------------------------------------------------------------------------- */

uint32_t net_nodes(const Network *net)
{
    return net->params.nodes;
}

const NetParams *net_params(const Network *net)
{
    return &net->params;
}

bool net_has_broadcast(const Network *net)
{
    return net->model->broadcast && !net->transport; /* which waits for acknowledgements: one from each */
}

bool net_is_shared(const Network *net)
{
    return net->model->shared_medium;
}

uint32_t net_counters(const Network *net, NetCounter counters[NET_MAX_COUNTERS])
{
    uint32_t n = net->model->counters ? net->model->counters(net, counters) : 0;
    assert(n <= NET_MODEL_COUNTERS);
    return net->transport ? n + net_fault_counters(net, counters + n) : n;
}

uint32_t net_vertices(const Network *net)
{
    return net->graph.vertices;
}

uint32_t net_links(const Network *net)
{
    return net->graph.links;
}

uint32_t net_link_channels(const Network *net)
{
    uint32_t channels = net->model->virtual_channels ? net->params.virtual_channels : 1;
    return net->model->needs_links ? channels : 0;
}

const NetLink *net_link(const Network *net, uint32_t index)
{
    assert(index < net->graph.links);
    return &net->graph.link[index];
}

char *net_vertex_name(const Network *net, uint32_t vertex)
{
    assert(vertex < net->graph.vertices);
    if (net->topology->vertex_name)
        return net->topology->vertex_name(&net->params, vertex);
    return g_strdup_printf("node %u", vertex);
}

void net_vertex_position(const Network *net, uint32_t vertex, double *x, double *y)
{
    assert(vertex < net->graph.vertices);
    net->topology->position(&net->params, vertex, x, y);
}

bool net_is_switch(const Network *net, uint32_t vertex)
{
    return vertex >= net->params.nodes || (net->topology->node_is_hub && vertex == 0);
}

uint64_t net_vertex_latency(const Network *net, uint32_t vertex)
{
    return net_is_switch(net, vertex) ? net->params.switch_latency_ps : net->params.router_latency_ps;
}

uint32_t net_route(const Network *net, uint32_t from, uint32_t to, uint32_t *links, uint32_t max)
{
    assert(from < net->params.nodes && to < net->params.nodes);
    uint32_t hops = 0;
    if (!net->graph.links)
        return 0;
    NetQuery query = net_query_begin(net, from, to, net_mix(net->params.seed, from, 0));
    for (; query.at != to; hops++) {
        NetHop candidates[NET_MAX_CANDIDATES];
        if (!net_candidates(net, &query, candidates))
            return 0;
        NetHop hop = candidates[0];
        assert(hops < 4 * net->graph.vertices);
        if (hops < max)
            links[hops] = hop.link;
        net_query_advance(net, &query, hop);
    }
    return hops;
}

uint64_t net_zero_load_ps(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    assert(from < net->params.nodes && to < net->params.nodes);
    if (from == to)
        return net->params.startup_ps;
    return net->model->zero_load(net, from, to, bytes);
}
