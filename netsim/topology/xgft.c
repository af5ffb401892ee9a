/* xgft.c - any extended generalised fat tree (xgft_shape.h). Its parameters are m1 .. mh, then w1 .. wh. */
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"
#include "netsim/topology/xgft_shape.h"

static NetXgft *tree_of(const NetParams *params)
{
    NetXgft tree = {.height = params->n_dims / 2};
    for (uint32_t level = 1; level <= tree.height; level++) {
        tree.children[level] = params->dims[level - 1];
        tree.parents[level] = params->dims[tree.height + level - 1];
    }
    return net_xgft_new(tree);
}

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims == 0 || params->n_dims % 2)
        return net_error_refuse(
            error, "dims",
            "an xgft needs children and parents for each level, m1 .. mh and then w1 .. wh, like 4x4x1x2 "
            "for XGFT(2; 4,4; 1,2): an even number of parameters, not %u",
            params->n_dims);
    for (uint32_t i = 0; i < params->n_dims; i++)
        if (params->dims[i] == 0)
            return net_error_refuse(error, "dims", "parameter %u of the xgft is 0; all must be at least 1", i + 1);
    const NetXgft *tree = params->tree = tree_of(params);
    for (uint32_t level = 0; level <= tree->height; level++)
        if (tree->count[level] > NET_MAX_NODES)
            return net_error_refuse(error, "dims", "level %u of the xgft has more than %u vertices", level,
                                    NET_MAX_NODES);
    if (params->nodes && params->nodes != tree->count[0])
        return net_error_refuse(error, "dims", "this xgft has %u nodes, but nodes is %u", (uint32_t)tree->count[0],
                                params->nodes);
    params->nodes = (uint32_t)tree->count[0];
    return true;
}

const NetTopology net_topology_xgft = {
    .name = "xgft",
    .arguments = "",
    .check = check,
    NET_XGFT,
};
