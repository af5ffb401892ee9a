/* routes.c - the links that messages take. Many messages have the same route, so a page has each route once.
 *
 * Where two messages between the same nodes may take different ways, the trace tells each message's hops. They make a
 * tree of links, in which a message moves down with each hop of its first packet; where it ends is its route.
 */
#include "monitor/page/parts.h"

enum { MOST_ROUTES = 100000, MOST_STEPS = 1000000 };

typedef struct Step { /* of the tree */
    uint32_t before;  /* the step before; 0: the root */
    uint32_t link;
    uint32_t depth; /* links up to here */
    uint32_t route; /* number + 1; 0: none ends here, as far as is known */
} Step;

struct MonPageRoutes {
    const Machine *machine;
    const Network *net;
    GHashTable *numbers; /* from << 32 | to, nodes -> number + 1 */
    json_t *list;        /* the first one is empty */
    uint32_t *links;
    GArray *steps;         /* Step; the first one is the root */
    GHashTable *next;      /* step << 32 | link -> step */
    GHashTable *last_step; /* number of the message -> step; empty: the trace has no hops */
};

/* Numbers of messages have the sender in their upper bits, and the halves of other keys are small numbers: hashes of
 * GLib would give most of them the same value. */
static guint hash_number(uint64_t number)
{
    return (guint)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static guint hash_message(gconstpointer key)
{
    return hash_number((uint64_t)GPOINTER_TO_SIZE(key));
}

static guint hash_step(gconstpointer key)
{
    return hash_number(*(const uint64_t *)key);
}

MonPageRoutes *mon_page_routes_new(const Machine *machine)
{
    MonPageRoutes *routes = g_new0(MonPageRoutes, 1);
    routes->machine = machine;
    routes->net = mach_run_network((Machine *)machine);
    routes->numbers = g_hash_table_new_full(hash_step, g_int64_equal, g_free, NULL);
    routes->list = json_pack("[[]]");
    routes->links = g_new(uint32_t, net_link_count(routes->net) + 1);
    routes->steps = g_array_new(FALSE, TRUE, sizeof(Step));
    g_array_set_size(routes->steps, 1);
    routes->next = g_hash_table_new_full(hash_step, g_int64_equal, g_free, NULL);
    routes->last_step = g_hash_table_new(hash_message, NULL);
    return routes;
}

void mon_page_routes_free(MonPageRoutes *routes)
{
    g_hash_table_unref(routes->numbers);
    json_decref(routes->list);
    g_array_unref(routes->steps);
    g_hash_table_unref(routes->next);
    g_hash_table_unref(routes->last_step);
    g_free(routes->links);
    g_free(routes);
}

/* Adds a route to the page. Returns its number; 0: there are too many. */
static uint32_t add_route(MonPageRoutes *routes, uint32_t n)
{
    if (!n || json_array_size(routes->list) >= MOST_ROUTES)
        return 0;
    json_t *links = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(links, json_integer(routes->links[i]));
    json_array_append_new(routes->list, links);
    return (uint32_t)json_array_size(routes->list) - 1;
}

/* -- the ways that messages took ----------------------------------------------------------------- */

/* Returns the links by their names in traces. Of several between two vertices, the first one counts. */
static GHashTable *links_by_name(const Network *net)
{
    GHashTable *links = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t i = net_link_count(net); i-- > 0;) {
        g_autofree char *from = net_vertex_name(net, net_link(net, i)->from);
        g_autofree char *to = net_vertex_name(net, net_link(net, i)->to);
        g_hash_table_replace(links, g_strdup_printf("%s -> %s", from, to), GUINT_TO_POINTER(i + 1));
    }
    return links;
}

static uint32_t step_after(MonPageRoutes *routes, uint32_t before, uint32_t link)
{
    gint64 key = (gint64)((uint64_t)before << 32 | link);
    uint32_t step = GPOINTER_TO_UINT(g_hash_table_lookup(routes->next, &key));
    if (step || routes->steps->len >= MOST_STEPS)
        return step;
    Step fresh = {.before = before, .link = link, .depth = g_array_index(routes->steps, Step, before).depth + 1};
    step = routes->steps->len;
    g_array_append_val(routes->steps, fresh);
    g_hash_table_insert(routes->next, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(step));
    return step;
}

static void take_hop(MonPageRoutes *routes, uint64_t message, uint32_t link)
{
    gpointer key = GSIZE_TO_POINTER(message);
    uint32_t before = GPOINTER_TO_UINT(g_hash_table_lookup(routes->last_step, key));
    if (g_array_index(routes->steps, Step, before).depth >= net_link_count(routes->net))
        return; /* it was sent again and again */
    g_hash_table_insert(routes->last_step, key, GUINT_TO_POINTER(step_after(routes, before, link)));
}

bool mon_page_routes_read(MonPageRoutes *routes, TraceReader *trace, uint64_t every, GError **error)
{
    TraceSelection selection = trace_selection_all();
    selection.kinds = UINT64_C(1) << TRACE_HOP;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(trace, &selection);
    g_autoptr(GHashTable) links = links_by_name(routes->net);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event)) {
        uint64_t message = event.fields[TRACE_HOP_MESSAGE];
        const char *name = trace_reader_text(trace, event.fields[TRACE_HOP_LINK]);
        uint32_t link = name ? GPOINTER_TO_UINT(g_hash_table_lookup(links, name)) : 0;
        if (link && message % every == 0 && event.fields[TRACE_HOP_PACKET] == 0)
            take_hop(routes, message, link - 1);
    }
    return trace_cursor_end(cursor, error);
}

/* Returns the number of the route that ends at a step. */
static uint32_t route_to(MonPageRoutes *routes, uint32_t step)
{
    Step *end = &g_array_index(routes->steps, Step, step);
    if (end->route)
        return end->route - 1;
    uint32_t n = end->depth;
    for (uint32_t at = step, i = n; at; at = g_array_index(routes->steps, Step, at).before)
        routes->links[--i] = g_array_index(routes->steps, Step, at).link;
    end->route = add_route(routes, n) + 1;
    return end->route - 1;
}

/* -- the ways on an empty network ---------------------------------------------------------------- */

static uint32_t find_route(MonPageRoutes *routes, uint32_t from, uint32_t to)
{
    uint32_t n = net_route(routes->net, from, to, routes->links, net_link_count(routes->net));
    return n <= net_link_count(routes->net) ? add_route(routes, n) : 0;
}

uint32_t mon_page_route(MonPageRoutes *routes, uint64_t message, uint32_t sender, uint32_t receiver)
{
    uint32_t step = GPOINTER_TO_UINT(g_hash_table_lookup(routes->last_step, GSIZE_TO_POINTER(message)));
    if (step)
        return route_to(routes, step);
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
    json_object_set_new(data, "routes_recorded", json_boolean(g_hash_table_size(routes->last_step) > 0));
}
