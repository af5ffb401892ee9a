/* butterfly.c - butterfly: k-ary n-fly (Dally and Towles, chapter 4). See multistage.h.
 *
 * Behind stage i the lowest digit of a wire, which the switch has set, is swapped with digit n - 1 - i. So stage by
 * stage the digits become those of the destination, the highest first.
 */
#include "netsim/graph/graph.h"
#include "netsim/topology/multistage.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_multistage_check(params, "butterfly", error);
}

static uint32_t swap_digits(const NetParams *params, uint32_t stage, uint32_t wire)
{
    uint32_t k = params->dims[0];
    uint32_t weight = 1;
    if (stage == 0)
        return wire;
    for (uint32_t i = 0; i < params->dims[1] - stage; i++)
        weight *= k;
    uint32_t low = wire % k;
    uint32_t high = wire / weight % k;
    return wire - low - high * weight + high + low * weight;
}

static void build(const NetParams *params, NetGraph *graph)
{
    net_multistage_build(params, graph, swap_digits);
}

const NetTopology net_topology_butterfly = {
    .name = "butterfly",
    .check = check,
    NET_MULTISTAGE,
    .build = build,
};
