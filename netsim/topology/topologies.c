/* topologies.c - topologies by name, and the parameters that may follow the name; the table of all topologies. */
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

#include <stdlib.h>
#include <string.h>

#define NET_TOPOLOGY(symbol, name, ...) extern const NetTopology net_topology_##symbol;
#include "netsim/topology/topologies.def"
#undef NET_TOPOLOGY

static const NetTopology *const topologies[] = {
#define NET_TOPOLOGY(symbol, name, ...) &net_topology_##symbol,
#include "netsim/topology/topologies.def"
#undef NET_TOPOLOGY
};
static const char *const topology_names[] = {
#define NET_TOPOLOGY(symbol, name, ...) name,
#include "netsim/topology/topologies.def"
#undef NET_TOPOLOGY
    NULL,
};

const char *const *net_topologies(void)
{
    return topology_names;
}

const NetTopology *net_topology_lookup(const char *name, GError **error)
{
    size_t i = net_params_find_name("topology", name, topology_names, error);
    return i < G_N_ELEMENTS(topologies) ? topologies[i] : NULL;
}

/* -- parameters behind the name ---------------------------------------------------------------- */

/* Returns the index in dims of the argument `name`; if `name` is NULL, `next`. NET_NONE: no argument has that name. */
static uint32_t argument_place(const NetTopology *topology, const char *name, uint32_t next)
{
    if (!name)
        return next;
    g_auto(GStrv) names = g_strsplit(topology->arguments ? topology->arguments : "", " ", -1);
    for (uint32_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return NET_NONE;
}

static bool parse_argument(const NetTopology *topology, char *text, NetParams *params, GError **error)
{
    char *equals = strchr(text, '=');
    char *value = g_strstrip(equals ? equals + 1 : text);
    if (equals)
        *equals = '\0';
    uint32_t place = argument_place(topology, equals ? g_strstrip(text) : NULL, params->n_dims);
    if (place == NET_NONE)
        return net_error_refuse(error, "topology", "a %s has no parameter \"%s\"%s%s", topology->name, text,
                                topology->arguments && *topology->arguments ? "; it has " : "",
                                topology->arguments ? topology->arguments : "");
    if (place >= NET_MAX_DIMENSIONS || !*value || strlen(value) > 9 || value[strspn(value, "0123456789")])
        return net_error_refuse(error, "topology", "\"%s\" is not a parameter of a %s: up to %d whole numbers, like %s",
                                value, topology->name, NET_MAX_DIMENSIONS, "mesh(4,4) or dragonfly(p=2,a=4,h=2)");
    params->dims[place] = (uint32_t)atoi(value);
    if (params->dims[place] == 0)
        return net_error_refuse(error, "topology", "parameter %u of the %s is 0; it must be at least 1", place + 1,
                                topology->name);
    params->n_dims = MAX(params->n_dims, place + 1);
    return true;
}

bool net_topology_parse(const char *text, NetParams *params, GError **error)
{
    const char *open = strchr(text, '(');
    g_autofree char *name = g_strstrip(open ? g_strndup(text, (gsize)(open - text)) : g_strdup(text));
    const NetTopology *topology = net_topology_lookup(name, error);
    if (!topology)
        return false;
    params->topology = topology->name;
    if (!open)
        return true;
    const char *close = strchr(open, ')');
    if (!close || close[1])
        return net_error_refuse(error, "topology", "\"%s\" should end with one )", text);
    memset(params->dims, 0, sizeof params->dims);
    params->n_dims = 0;
    g_autofree char *inner = g_strndup(open + 1, (gsize)(close - open - 1));
    g_auto(GStrv) arguments = g_strsplit_set(inner, ",;x", -1);
    for (char **argument = arguments; *argument; argument++)
        if (!parse_argument(topology, *argument, params, error))
            return false;
    for (uint32_t i = 0; i < params->n_dims; i++)
        if (params->dims[i] == 0)
            return net_error_refuse(error, "topology", "parameter %u of the %s is missing", i + 1, topology->name);
    return true;
}

bool net_topology_is_power(const char *name)
{
    const NetTopology *topology = net_topology_lookup(name, NULL);
    return topology && topology->is_power;
}
