/* routes.c - the links that messages take. Many messages have the same route, so a page has each route once. */
#include "monitor/page/parts.h"

enum { MOST_ROUTES = 100000 };

struct MonPageRoutes {
    const Machine *machine;
    const Network *net;
    GHashTable *numbers; /* from << 32 | to, nodes -> number + 1 */
    json_t *list;        /* the first one is empty */
    uint32_t *links;
};

MonPageRoutes *mon_page_routes_new(const Machine *machine)
{
    MonPageRoutes *routes = g_new0(MonPageRoutes, 1);
    routes->machine = machine;
    routes->net = mach_run_network((Machine *)machine);
    routes->numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    routes->list = json_pack("[[]]");
    routes->links = g_new(uint32_t, net_link_count(routes->net) + 1);
    return routes;
}

void mon_page_routes_free(MonPageRoutes *routes)
{
    g_hash_table_unref(routes->numbers);
    json_decref(routes->list);
    g_free(routes->links);
    g_free(routes);
}

static uint32_t find_route(MonPageRoutes *routes, uint32_t from, uint32_t to)
{
    uint32_t n = net_route(routes->net, from, to, routes->links, net_link_count(routes->net));
    if (!n || n > net_link_count(routes->net) || json_array_size(routes->list) >= MOST_ROUTES)
        return 0;
    json_t *links = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(links, json_integer(routes->links[i]));
    json_array_append_new(routes->list, links);
    return (uint32_t)json_array_size(routes->list) - 1;
}

uint32_t mon_page_route(MonPageRoutes *routes, uint32_t sender, uint32_t receiver)
{
    uint32_t from = mach_run_node_of(routes->machine, sender), to = mach_run_node_of(routes->machine, receiver);
    gint64 key = (gint64)((uint64_t)from << 32 | to);
    if (from == to)
        return 0;
    gpointer number = g_hash_table_lookup(routes->numbers, &key);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    uint32_t fresh = find_route(routes, from, to);
    g_hash_table_insert(routes->numbers, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(fresh + 1));
    return fresh;
}

void mon_page_routes_json(const MonPageRoutes *routes, json_t *data)
{
    json_object_set(data, "routes", routes->list);
    json_object_set_new(data, "one_path", json_boolean(net_has_one_path(routes->net)));
}
