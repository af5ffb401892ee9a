/* omega.c - omega network: a perfect k-shuffle of the wires before each stage (Lawrie, "Access and Alignment
 * of Data in an Array Processor", IEEE Trans. Computers C-24(12), 1975). See multistage.h.
 */
#include "netsim/graph/graph.h"
#include "netsim/topology/multistage.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_multistage_check(params, "omega network", error);
}

/* Rotates the digits of a wire's number to the left. */
static uint32_t shuffle(const NetParams *params, uint32_t stage, uint32_t wire)
{
    (void)stage;
    uint32_t highest = params->nodes / params->dims[0];
    return wire % highest * params->dims[0] + wire / highest;
}

static void build(const NetParams *params, NetGraph *graph)
{
    net_multistage_build(params, graph, shuffle);
}

const NetTopology net_topology_omega = {
    .name = "omega",
    .check = check,
    NET_MULTISTAGE,
    .build = build,
};
