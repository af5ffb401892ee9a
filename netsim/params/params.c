/* params.c - parameters of a network: impossible ones are refused.
 *
 * A refusal names the key as the machine file spells it and says why. Where it helps, it also says which values would
 * do. Checks that depend on a topology, routing or model are made there (NetTopology.check, NetModel.check). This file
 * has the checks common to all.
 */
#include "netsim/params/params.h"

#include "base/nearest.h"

#include <string.h>

size_t net_params_find_name(const char *key, const char *name, const char *const *known, GError **error)
{
    size_t i = 0;
    while (known[i] && strcmp(known[i], name) != 0)
        i++;
    if (known[i])
        return i;
    g_autofree char *all = g_strjoinv(", ", (char **)known);
    const char *near = base_nearest(name, known);
    g_set_error(error, NET_ERROR, NET_ERROR_UNKNOWN, "%s: there is no '%s'%s%s%s (known: %s)", key, name,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", all);
    return i;
}

/* Returns the product of the extents; UINT64_MAX if it is above NET_MAX_NODES. */
static uint64_t extents_product(const NetParams *params)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < params->n_dims; i++) {
        if (params->dims[i] && product > NET_MAX_NODES / params->dims[i])
            return UINT64_MAX;
        product *= params->dims[i];
    }
    return product;
}

static char *extents_text(const NetParams *params)
{
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < params->n_dims; i++)
        g_string_append_printf(text, "%s%u", i ? "x" : "", params->dims[i]);
    return g_string_free(text, FALSE);
}

static bool check_dims(NetParams *params, const char *topology, GError **error)
{
    for (uint32_t i = 0; i < params->n_dims; i++)
        if (params->dims[i] == 0)
            return net_error_refuse(error, "dims", "extent %u of the %s is 0; every extent must be at least 1", i + 1,
                                    topology);
    g_autofree char *text = extents_text(params);
    uint64_t product = extents_product(params);
    if (product == UINT64_MAX)
        return net_error_refuse(error, "dims", "a %s of %s has more than %u nodes", topology, text, NET_MAX_NODES);
    if (params->nodes && params->nodes != product)
        return net_error_refuse(error, "dims",
                                "%s makes %" G_GUINT64_FORMAT
                                " nodes, but nodes is %u; leave one of the two out or make them agree",
                                text, product, params->nodes);
    params->nodes = (uint32_t)product;
    return true;
}

bool net_params_check_count(const NetParams *params, const char *topology, uint32_t least, GError **error)
{
    if (params->nodes == 0)
        return net_error_refuse(error, "nodes", "a %s needs at least %u node%s; give nodes or dims", topology, least,
                                least == 1 ? "" : "s");
    if (params->nodes < least)
        return net_error_refuse(error, "nodes", "a %s needs at least %u nodes, not %u", topology, least, params->nodes);
    if (params->nodes > NET_MAX_NODES)
        return net_error_refuse(error, "nodes", "%u nodes are more than the %u that a network may have", params->nodes,
                                NET_MAX_NODES);
    return true;
}

bool net_params_check_nodes(NetParams *params, const char *topology, uint32_t least, GError **error)
{
    if (params->n_dims && !check_dims(params, topology, error))
        return false;
    if (!net_params_check_count(params, topology, least, error))
        return false;
    params->n_dims = 1;
    params->dims[0] = params->nodes;
    return true;
}

/* Sets two extents that are as equal as possible, the smaller one first. */
static void balance_extents(NetParams *params)
{
    uint32_t small = 1;
    for (uint32_t i = 1; (uint64_t)i * i <= params->nodes; i++)
        if (params->nodes % i == 0)
            small = i;
    params->n_dims = 2;
    params->dims[0] = small;
    params->dims[1] = params->nodes / small;
}

bool net_params_check_extents(NetParams *params, const char *topology, GError **error)
{
    if (params->n_dims && !check_dims(params, topology, error))
        return false;
    if (!net_params_check_count(params, topology, 1, error))
        return false;
    if (!params->n_dims)
        balance_extents(params);
    return true;
}

static bool check_time(GError **error, const char *key, uint64_t value)
{
    if (value > NET_MAX_LATENCY)
        return net_error_refuse(error, key, "%" G_GUINT64_FORMAT " ps is more than 18 minutes", value);
    return true;
}

static bool check_gaps(const NetParams *params, GError **error)
{
    if (params->loggp.n_gaps > NET_MAX_GAPS)
        return net_error_refuse(error, "gap-per-byte", "%u pieces are more than the %d there may be",
                                params->loggp.n_gaps, NET_MAX_GAPS);
    for (uint32_t i = 0; i < params->loggp.n_gaps; i++) {
        const NetGap *gap = &params->loggp.gaps[i];
        if (i ? gap->from_bytes <= gap[-1].from_bytes : gap->from_bytes)
            return net_error_refuse(error, "gap-per-byte", "sizes of messages must begin with 0 and ascend");
        if (!check_time(error, "gap-per-byte", gap->gap_per_byte_fs))
            return false;
    }
    return true;
}

bool net_params_check(const NetParams *params, GError **error)
{
    if (!params->topology || !params->routing || !params->switching)
        return net_error_refuse(error, params->topology ? params->routing ? "switching" : "routing" : "topology",
                                "no name given");
    if (params->n_dims > NET_MAX_DIMENSIONS)
        return net_error_refuse(error, "dims", "%u extents are more than the %d there may be", params->n_dims,
                                NET_MAX_DIMENSIONS);
    if (params->bandwidth == 0)
        return net_error_refuse(error, "bandwidth", "a link that carries 0 bytes per second never delivers anything");
    if (params->nics == 0 || params->nics > NET_MAX_NICS)
        return net_error_refuse(error, "nics", "a node has 1 to %d network interfaces, not %u", NET_MAX_NICS,
                                params->nics);
    if (params->packet_bytes == 0)
        return net_error_refuse(error, "packet-bytes", "a packet must carry at least 1 byte");
    if (params->header_bytes > UINT32_MAX - params->packet_bytes)
        return net_error_refuse(error, "packet-bytes", "packet and header together must be below 4 GiB");
    return check_time(error, "link-latency", params->link_latency_ps) &&
           check_time(error, "router-latency", params->router_latency_ps) &&
           check_time(error, "credit-delay", params->wormhole.credit_delay_ps) &&
           check_time(error, "retry-delay", params->wormhole.retry_delay_ps) &&
           check_time(error, "pause-delay", params->ethernet.pause_delay_ps) &&
           check_time(error, "retransmission-timeout", params->transport.timeout_ps) &&
           check_time(error, "global-latency", params->global_latency_ps) &&
           check_time(error, "startup", params->startup_ps) &&
           check_time(error, "packet-startup", params->packet_startup_ps) &&
           check_time(error, "switch-latency", params->switch_latency_ps) &&
           check_time(error, "latency", params->loggp.latency_ps) && check_time(error, "gap", params->loggp.gap_ps) &&
           check_time(error, "gap-per-byte", params->loggp.gap_per_byte_fs) && check_gaps(params, error) &&
           check_time(error, "jitter", params->faults.jitter_ps);
}
