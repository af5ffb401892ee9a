/* names.c - topologies, routings and models by name: the three tables, and the nearest name where one is wrong. */
#include "netsim/internal.h"

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

const char *const *net_duplexes(void)
{
    static const char *const names[] = {"full", "half", NULL};
    return names;
}

const char *const *net_vc_allocations(void) /* as enum NetAllocation */
{
    static const char *const names[] = {"lowest", "round-robin", "oldest-first", "message-class", NULL};
    return names;
}

const char *const *net_deadlock_policies(void)
{
    static const char *const names[] = {"refuse", "fatal", "resolve", NULL};
    return names;
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

void net_refuse_unknown(GError **error, const char *what, const char *name, const char *const *known)
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

bool net_check_choice(const char *key, const char **value, const char *const *known, GError **error)
{
    size_t i = *value ? find(*value, known) : 0;
    if (known[i]) {
        *value = known[i];
        return true;
    }
    net_refuse_unknown(error, key, *value, known);
    return false;
}

const NetTopology *net_topology_lookup(const char *name, GError **error)
{
    size_t i = find(name, topology_names);
    if (i < G_N_ELEMENTS(topologies))
        return topologies[i];
    net_refuse_unknown(error, "topology", name, topology_names);
    return NULL;
}

const NetRouting *net_routing_lookup(const char *name, GError **error)
{
    size_t i = find(name, routing_names);
    if (i < G_N_ELEMENTS(routings))
        return routings[i];
    net_refuse_unknown(error, "routing", name, routing_names);
    return NULL;
}

const NetModel *net_model_lookup(const char *name, GError **error)
{
    size_t i = find(name, model_names);
    if (i < G_N_ELEMENTS(models))
        return models[i];
    net_refuse_unknown(error, "switching", name, model_names);
    return NULL;
}
