/* multistage.c - see multistage.h. */
#include "netsim/topology/multistage.h"

#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

/* For a number of nodes alone: finds k^n with n >= 1 and the smallest k. */
static bool split_power(NetParams *params)
{
    for (uint32_t k = 2; k <= params->nodes; k++) {
        uint64_t power = k;
        uint32_t n = 1;
        for (; power < params->nodes; power *= k)
            n++;
        if (power != params->nodes)
            continue;
        params->dims[0] = k;
        params->dims[1] = n;
        params->n_dims = 2;
        return true;
    }
    return false;
}

bool net_multistage_check(NetParams *params, const char *topology, GError **error)
{
    if (params->n_dims == 0 && (params->nodes > NET_MAX_NODES || !split_power(params)))
        return net_error_refuse(error, "nodes",
                                "a %s has k^n nodes, with k at least 2, which %u is not; give dims = k x n", topology,
                                params->nodes);
    if (params->n_dims != 2)
        return net_error_refuse(error, "dims", "a %s has two parameters, k and n, not %u", topology, params->n_dims);
    if (params->dims[0] < 2 || params->dims[1] < 1)
        return net_error_refuse(error, "dims", "a %s needs switches with k >= 2 ports and n >= 1 stages, not %u and %u",
                                topology, params->dims[0], params->dims[1]);
    uint64_t nodes = 1;
    for (uint32_t i = 0; i < params->dims[1] && nodes <= NET_MAX_NODES; i++)
        nodes *= params->dims[0];
    if (nodes > NET_MAX_NODES)
        return net_error_refuse(error, "dims", "%u^%u nodes are more than the %u there may be", params->dims[0],
                                params->dims[1], NET_MAX_NODES);
    if (params->nodes && params->nodes != nodes)
        return net_error_refuse(error, "dims", "a %s of %u^%u has %u nodes, but nodes is %u", topology, params->dims[0],
                                params->dims[1], (uint32_t)nodes, params->nodes);
    params->nodes = (uint32_t)nodes;
    return true;
}

static uint32_t stage_switches(const NetParams *params)
{
    return params->nodes / params->dims[0];
}

uint32_t net_multistage_switches(const NetParams *params)
{
    return params->dims[1] * stage_switches(params);
}

uint64_t net_multistage_links(const NetParams *params)
{
    return (uint64_t)params->nodes * (params->dims[1] + 1);
}

void net_multistage_build(const NetParams *params, NetGraph *graph, NetPermutation *permutation)
{
    uint32_t k = params->dims[0];
    for (uint32_t stage = 0; stage <= params->dims[1]; stage++)
        for (uint32_t wire = 0; wire < params->nodes; wire++) {
            uint32_t from = stage ? params->nodes + (stage - 1) * stage_switches(params) + wire / k : wire;
            bool last = stage == params->dims[1];
            uint32_t next = last ? wire : permutation(params, stage, wire);
            net_graph_add(graph, from, last ? wire : params->nodes + stage * stage_switches(params) + next / k);
        }
}

char *net_multistage_name(const NetParams *params, uint32_t vertex)
{
    if (vertex < params->nodes)
        return g_strdup_printf("node %u", vertex);
    uint32_t index = vertex - params->nodes;
    return g_strdup_printf("switch %u.%u", index / stage_switches(params), index % stage_switches(params));
}

/* Nodes are in a column on the left, the stages to the right of them. */
void net_multistage_position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    uint32_t index = vertex - params->nodes;
    bool node = vertex < params->nodes;
    *x = node ? 0 : (1 + index / stage_switches(params)) * MAX(1.5, params->nodes / 12.0);
    *y = node ? vertex : (index % stage_switches(params) + 0.5) * params->dims[0] - 0.5;
}

NetHop net_multistage_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    if (at < params->nodes)
        return (NetHop){.link = graph->first_out[at]};
    uint32_t stage = (at - params->nodes) / stage_switches(params);
    for (uint32_t i = stage + 1; i < params->dims[1]; i++)
        to /= params->dims[0];
    return (NetHop){.link = graph->first_out[at] + to % params->dims[0]};
}

uint32_t net_multistage_diameter(const NetParams *params)
{
    return params->dims[1] + 1;
}
