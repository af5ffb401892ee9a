/* load.c - reads how busy the links of a network were from the JSON of `orrery run`. That of --json has sums ("busy_ps"
 * of each link), that of --network-report has windows.
 */
#include "cli/base/base.h"
#include "cli/topo/topo.h"
#include "netsim/netsim.h"

#include <jansson.h>

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (double)json_integer_value(value) : 0;
}

static double busy_of(const json_t *link)
{
    const json_t *windows = json_object_get(link, "windows"), *window;
    double busy = number_of(link, "busy_ps");
    size_t i;
    json_array_foreach(windows, i, window) busy += number_of(window, "busy_ps");
    return busy;
}

static bool take_link(const Network *net, const json_t *link, double makespan, double *load)
{
    const json_t *number = json_object_get(link, "link");
    if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) >= net_link_count(net))
        return false;
    uint32_t index = (uint32_t)json_integer_value(number);
    g_autofree char *from = net_vertex_name(net, net_link(net, index)->from);
    g_autofree char *to = net_vertex_name(net, net_link(net, index)->to);
    if (g_strcmp0(json_string_value(json_object_get(link, "from")), from) != 0 ||
        g_strcmp0(json_string_value(json_object_get(link, "to")), to) != 0)
        return false;
    load[index] = makespan > 0 ? MIN(busy_of(link) / makespan, 1) : 0;
    return true;
}

double *cli_topo_load(const Network *net, const char *path, GError **error)
{
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where), *link;
    const json_t *links = json_object_get(root, "links");
    double *load = g_new0(double, MAX(net_link_count(net), 1));
    bool good = json_is_array(links) && json_is_integer(json_object_get(root, "makespan_ps"));
    size_t i;
    if (!root)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s:%d:%d: %s", path, MAX(where.line, 1), MAX(where.column, 1),
                    where.text);
    else if (!good)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                    "%s is no report of links: `orrery run --json` and `orrery run --network-report` write such", path);
    json_array_foreach(links, i, link)
    {
        if (!good || take_link(net, link, number_of(root, "makespan_ps"), load))
            continue;
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: entry %zu of its links is not one of this network's", path,
                    i + 1);
        good = false;
    }
    json_decref(root);
    if (!good)
        g_clear_pointer(&load, g_free);
    return load;
}
