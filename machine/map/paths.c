/* paths.c - where two ranks are, seen from one of them: which protocol their messages have.
 *
 * Clusters are groups of nodes with consecutive numbers: those of the topology `clusters`, or as the machine file says.
 * Ranks share a core if they begin on the same one, wherever the node lets them run later.
 */
#include "machine/config/config.h"
#include "machine/map/map.h"

#include <string.h>

/* Returns the number of nodes of a cluster; 0: all nodes are one. */
static uint32_t cluster_nodes(const MachConfig *config, const Network *net)
{
    const NetParams *params = net_network_params(net);
    if (config->cluster_nodes)
        return config->cluster_nodes;
    return strcmp(params->topology, "clusters") == 0 && params->n_dims ? params->dims[params->n_dims - 1] : 0;
}

MpiPath mach_map_path(const MachConfig *config, const Network *net, const MachPlace *place, const MachPlace *other)
{
    if (place->node == other->node)
        return place->core == other->core ? MPI_PATH_CORE : MPI_PATH_NODE;
    uint32_t nodes = cluster_nodes(config, net);
    return nodes && place->node / nodes != other->node / nodes ? MPI_PATH_WAN : MPI_PATH_CLUSTER;
}
