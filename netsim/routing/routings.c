/* routings.c - routings by name; the table of all routings. */
#include "netsim/core/core.h"
#include "netsim/params/params.h"
#include "netsim/routing/routing.h"

#define NET_ROUTING(symbol, name, ...) extern const NetRouting net_routing_##symbol;
#include "netsim/routing/routings.def"
#undef NET_ROUTING

static const NetRouting *const routings[] = {
#define NET_ROUTING(symbol, name, ...) &net_routing_##symbol,
#include "netsim/routing/routings.def"
#undef NET_ROUTING
};
static const char *const routing_names[] = {
#define NET_ROUTING(symbol, name, ...) name,
#include "netsim/routing/routings.def"
#undef NET_ROUTING
    NULL,
};

const char *const *net_routings(void)
{
    return routing_names;
}

const NetRouting *net_routing_lookup(const char *name, GError **error)
{
    size_t i = net_params_find_name("routing", name, routing_names, error);
    return i < G_N_ELEMENTS(routings) ? routings[i] : NULL;
}
