/* names.c - topologies, routings and models by name: the three tables, and the nearest name where one is wrong. */
#include "netsim/internal.h"

#include <stdlib.h>
#include <string.h>

static const NetTopology *const topologies[] = {
#define NET_TOPOLOGY(symbol, name, text) &net_topology_##symbol,
#include "netsim/topologies.def"
#undef NET_TOPOLOGY
};
static const char *const topology_names[] = {
#define NET_TOPOLOGY(symbol, name, text) name,
#include "netsim/topologies.def"
#undef NET_TOPOLOGY
    NULL,
};

static const NetRouting *const routings[] = {
#define NET_ROUTING(symbol, name, text) &net_routing_##symbol,
#include "netsim/routings.def"
#undef NET_ROUTING
};
static const char *const routing_names[] = {
#define NET_ROUTING(symbol, name, text) name,
#include "netsim/routings.def"
#undef NET_ROUTING
    NULL,
};

static const NetModel *const models[] = {
#define NET_MODEL(symbol, name, text) &net_model_##symbol,
#include "netsim/models.def"
#undef NET_MODEL
};
static const char *const model_names[] = {
#define NET_MODEL(symbol, name, text) name,
#include "netsim/models.def"
#undef NET_MODEL
    NULL,
};

const char *const *net_topologies(void)
{
    return topology_names;
}

const char *const *net_routings(void)
{
    return routing_names;
}

const char *const *net_switchings(void)
{
    return model_names;
}

/* Levenshtein distance (Wagner and Fischer, 1974), one row at a time; `a` is cut at 63 characters. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[64];
    unsigned length = (unsigned)MIN(strlen(a), G_N_ELEMENTS(row) - 1);
    for (unsigned i = 0; i <= length; i++)
        row[i] = i;
    for (unsigned j = 1; b[j - 1]; j++) {
        unsigned diagonal = row[0];
        row[0] = j;
        for (unsigned i = 1; i <= length; i++) {
            unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[i];
            row[i] = MIN(replaced, MIN(row[i], row[i - 1]) + 1);
        }
    }
    return row[length];
}

/* Whether a person may have meant `known` by `name`: one is the beginning of the other, or few letters differ. */
static unsigned name_distance(const char *name, const char *known)
{
    if (*name && (g_str_has_prefix(known, name) || g_str_has_prefix(name, known)))
        return 1;
    return edit_distance(name, known);
}

/* "no topology 'msh'; did you mean 'mesh'? There are: ..." */
static void refuse_unknown(GError **error, const char *what, const char *name, const char *const *known)
{
    unsigned least = UINT_MAX;
    const char *nearest = known[0];
    for (size_t i = 0; known[i]; i++) {
        unsigned distance = name_distance(name, known[i]);
        if (distance < least) {
            least = distance;
            nearest = known[i];
        }
    }
    g_autofree char *all = g_strjoinv(", ", (char **)known);
    if (least <= MAX(2, strlen(nearest) / 2))
        g_set_error(error, NET_ERROR, NET_ERROR_UNKNOWN, "%s: there is no '%s'; did you mean '%s'? (known: %s)", what,
                    name, nearest, all);
    else
        g_set_error(error, NET_ERROR, NET_ERROR_UNKNOWN, "%s: there is no '%s' (known: %s)", what, name, all);
}

static size_t find(const char *name, const char *const *known)
{
    size_t i = 0;
    while (known[i] && strcmp(known[i], name) != 0)
        i++;
    return i;
}

const NetTopology *net_topology_lookup(const char *name, GError **error)
{
    size_t i = find(name, topology_names);
    if (i < G_N_ELEMENTS(topologies))
        return topologies[i];
    refuse_unknown(error, "topology", name, topology_names);
    return NULL;
}

const NetRouting *net_routing_lookup(const char *name, GError **error)
{
    size_t i = find(name, routing_names);
    if (i < G_N_ELEMENTS(routings))
        return routings[i];
    refuse_unknown(error, "routing", name, routing_names);
    return NULL;
}

const NetModel *net_model_lookup(const char *name, GError **error)
{
    size_t i = find(name, model_names);
    if (i < G_N_ELEMENTS(models))
        return models[i];
    refuse_unknown(error, "switching", name, model_names);
    return NULL;
}

/* -- parameters behind the name ---------------------------------------------------------------- */

/* The place among dims of "name" or, where nothing was named, the next one; NET_NONE: no such name. */
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
        return net_refuse(error, "topology", "a %s has no parameter \"%s\"%s%s", topology->name, text,
                          topology->arguments && *topology->arguments ? "; it has " : "",
                          topology->arguments ? topology->arguments : "");
    if (place >= NET_MAX_DIMENSIONS || !*value || strlen(value) > 9 || value[strspn(value, "0123456789")])
        return net_refuse(error, "topology", "\"%s\" is not a parameter of a %s: up to %d whole numbers, like %s",
                          value, topology->name, NET_MAX_DIMENSIONS, "mesh(4,4) or dragonfly(p=2,a=4,h=2)");
    params->dims[place] = (uint32_t)atoi(value);
    if (params->dims[place] == 0)
        return net_refuse(error, "topology", "parameter %u of the %s is 0; it must be at least 1", place + 1,
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
        return net_refuse(error, "topology", "\"%s\" should end with one )", text);
    memset(params->dims, 0, sizeof params->dims);
    params->n_dims = 0;
    g_autofree char *inner = g_strndup(open + 1, (gsize)(close - open - 1));
    g_auto(GStrv) arguments = g_strsplit_set(inner, ",;x", -1);
    for (char **argument = arguments; *argument; argument++)
        if (!parse_argument(topology, *argument, params, error))
            return false;
    for (uint32_t i = 0; i < params->n_dims; i++)
        if (params->dims[i] == 0)
            return net_refuse(error, "topology", "parameter %u of the %s is missing", i + 1, topology->name);
    return true;
}
