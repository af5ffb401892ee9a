/* allocate.c - the plain wormhole engine: routers with allocators (rules 10 to 12 of rules.h). Two-phase: each router
 * first collects all requests of a cycle in a matrix. */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/allocators.h"
#include "netsim/wormhole/reference.h"
#include "netsim/wormhole/rules.h"

void net_allocate_start(Network *net, Reference *state)
{
    const NetWormhole *rules = &state->rules;
    const NetGraph *graph = &net->graph;
    if (!rules->vc_allocator && !rules->switch_allocator)
        return;
    NetRouters *routers = &state->routers;
    net_routers_init(routers, net, rules->virtual_channels, rules->injection_channels);
    state->vc = g_new0(NetPlainAllocator, graph->vertices);
    for (int i = 0; i < 2; i++) {
        state->pass[i] = g_new0(NetPlainAllocator, graph->vertices);
        state->turn[i] = g_new0(uint32_t, routers->ports);
    }
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t links = graph->first_out[v + 1] - graph->first_out[v];
        uint32_t inputs = routers->first_input[v + 1] - routers->first_input[v];
        uint32_t ports = routers->first_port[v + 1] - routers->first_port[v];
        if (rules->vc_allocator)
            net_plain_init(&state->vc[v], rules->vc_allocator, rules->iterations, inputs,
                           links * rules->virtual_channels, rules->virtual_channels);
        for (int i = 0; i < 2 && rules->switch_allocator; i++)
            net_plain_init(&state->pass[i][v], rules->switch_allocator, rules->iterations, ports, links, links);
    }
}

void net_allocate_stop(Reference *state)
{
    for (uint32_t v = 0; v < state->routers.vertices; v++) {
        net_plain_clear(&state->vc[v]);
        for (int i = 0; i < 2; i++)
            net_plain_clear(&state->pass[i][v]);
    }
    g_free(state->vc);
    for (int i = 0; i < 2; i++) {
        g_free(state->pass[i]);
        g_free(state->turn[i]);
    }
    net_routers_clear(&state->routers);
}

/* -- channels ---------------------------------------------------------------------------------- */

/* Lets a waiting header ask for all free channels of the candidate that it takes. */
static void ask_for_channels(const Network *net, Reference *state, uint32_t index)
{
    Channel *asker = &state->channel[index];
    NetPlainAllocator *allocator = &state->vc[asker->vertex];
    uint64_t free = 0;
    asker->bid = net_reference_wish(net, state, index, &free).link;
    if (asker->bid == NET_NONE)
        return;
    uint32_t input = state->routers.input_of[index] - state->routers.first_input[asker->vertex];
    uint32_t group = asker->bid - net->graph.first_out[asker->vertex];
    for (uint32_t vc = 0; vc < state->rules.virtual_channels; vc++)
        allocator->asks[(size_t)input * allocator->outputs + group * state->rules.virtual_channels + vc] =
            free >> vc & 1;
}

bool net_allocate_channels(Network *net, Reference *state, uint64_t cycle)
{
    guint left = 0;
    for (uint32_t i = 0; i < state->rules.channels; i++)
        state->channel[i].bid = NET_NONE;
    for (guint i = 0; i < state->waiting->len; i++)
        ask_for_channels(net, state, g_array_index(state->waiting, Waiting, i).channel);
    for (uint32_t v = 0; v < net->graph.vertices; v++)
        net_plain_match(&state->vc[v]);
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        const Channel *asker = &state->channel[i];
        if (asker->bid == NET_NONE)
            continue;
        uint32_t output =
            state->vc[asker->vertex].given[state->routers.input_of[i] - state->routers.first_input[asker->vertex]];
        if (output != NET_NONE)
            net_reference_grant(net, state, i,
                                net->graph.first_out[asker->vertex] * state->rules.virtual_channels + output, cycle);
    }
    for (guint i = 0; i < state->waiting->len; i++) {
        Waiting header = g_array_index(state->waiting, Waiting, i);
        if (state->channel[header.channel].waiting)
            g_array_index(state->waiting, Waiting, left++) = header;
    }
    bool granted = left < state->waiting->len;
    g_array_set_size(state->waiting, left);
    return granted;
}

/* -- the switch -------------------------------------------------------------------------------- */

/* Returns the link for which the front packet of a channel asks in pass 0 (it has had a channel before this cycle) or
 * pass 1 (it speculates); NET_NONE if it does not ask. */
static uint32_t wanted_link(const Reference *state, uint32_t index, int pass, uint64_t cycle)
{
    const Channel *input = &state->channel[index];
    bool new = input->got == cycle + 1;
    uint32_t link = input->output == NET_NONE ? NET_NONE : input->output / state->rules.virtual_channels;
    if (pass == 1 && state->rules.vc_allocator)
        link = input->bid;
    else if (link == NET_NONE || new != pass || !net_reference_can_send(state, input->output, cycle))
        return NET_NONE;
    return link == NET_NONE || state->link[link].free > cycle ? NET_NONE : link;
}

/* Returns whether the port of a channel has been given something in the first pass. */
static bool has_passed(const Reference *state, uint32_t port, uint32_t v)
{
    return state->pass[0][v].given[port - state->routers.first_port[v]] != NET_NONE;
}

static void ask_for_switch(const Network *net, Reference *state, int pass, uint64_t cycle)
{
    const NetRouters *routers = &state->routers;
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        uint32_t v = state->channel[i].vertex, port = routers->port_of[i];
        NetPlainAllocator *allocator = &state->pass[pass][v];
        uint32_t link = wanted_link(state, i, pass, cycle);
        if (link == NET_NONE || (pass == 1 && (has_passed(state, port, v) || state->link[link].chosen != NET_NONE)))
            continue;
        allocator->asks[(size_t)(port - routers->first_port[v]) * allocator->outputs + link - net->graph.first_out[v]] =
            true;
    }
}

/* A port may send through a link: chooses which of its packets goes. Returns whether one does. */
static bool send_from(Reference *state, uint32_t v, uint32_t port, uint32_t link, int pass, uint64_t cycle)
{
    const NetRouters *routers = &state->routers;
    uint32_t best = NET_NONE, nearest = NET_NONE, count = 0;
    for (uint32_t i = routers->first_input[v]; i < routers->first_input[v + 1]; i++)
        count += routers->port_of[routers->channel_of[i]] == port;
    for (uint32_t i = routers->first_input[v]; i < routers->first_input[v + 1]; i++) {
        uint32_t channel = routers->channel_of[i];
        if (routers->port_of[channel] != port || wanted_link(state, channel, pass, cycle) != link)
            continue;
        uint32_t away = (routers->place_of[channel] + count - state->turn[pass][port]) % count;
        if (away < nearest) {
            nearest = away;
            best = channel;
        }
    }
    assert(best != NET_NONE);
    state->turn[pass][port] = (routers->place_of[best] + 1U) % count;
    uint32_t output = state->channel[best].output;
    if (output == NET_NONE)
        return false; /* it speculated in vain */
    state->link[link].chosen = output;
    return true;
}

bool net_allocate_switch(Network *net, Reference *state, uint64_t cycle)
{
    bool any = false;
    for (uint32_t i = 0; i < net->graph.links; i++)
        state->link[i].chosen = NET_NONE;
    for (int pass = 0; pass < (state->rules.speculates ? 2 : 1); pass++) {
        ask_for_switch(net, state, pass, cycle);
        for (uint32_t v = 0; v < net->graph.vertices; v++) {
            NetPlainAllocator *allocator = &state->pass[pass][v];
            net_plain_match(allocator);
            for (uint32_t i = 0; i < allocator->inputs; i++)
                if (allocator->given[i] != NET_NONE)
                    any |= send_from(state, v, state->routers.first_port[v] + i,
                                     net->graph.first_out[v] + allocator->given[i], pass, cycle);
        }
    }
    for (uint32_t i = 0; i < net->graph.links; i++)
        if (state->link[i].chosen != NET_NONE)
            state->link[i].free = cycle + state->link[i].period;
    return any;
}
