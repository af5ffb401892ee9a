/* network.c - the network that a machine file describes, and the position of the key that an error is about. */
#include "machine/config/config.h"

#include <string.h>

static const MachSetting *find_given(const MachConfig *config, const char *section, const char *name)
{
    const MachSetting *setting = mach_setting_find(config->settings, section, name);
    return setting && (setting->line || setting->commanded) ? setting : NULL;
}

/* Returns the first of `names` in [network] that is given, or NULL. `commanded`: only keys given by --set count. */
static const MachSetting *find_first(const MachConfig *config, const char *const *names, bool commanded)
{
    for (; *names; names++) {
        const MachSetting *setting = find_given(config, "network", *names);
        if (setting && (setting->commanded || !commanded))
            return setting;
    }
    return NULL;
}

/* Returns the setting to blame for an error in parameter `name`. If nobody gives the parameter, that is a key which it
 * follows from; a key of the command line comes first. */
static const MachSetting *find_cause(const MachConfig *config, const char *name)
{
    static const char *const sections[] = {"network", "faults", "background"};
    static const char *const causes[] = {"topology", "switching", "routing", "dims", "nodes", "virtual-channels", NULL};
    const MachSetting *setting = NULL;
    for (size_t i = 0; !setting && i < G_N_ELEMENTS(sections); i++)
        setting = find_given(config, sections[i], name);
    if (!setting && strcmp(name, "nodes") == 0)
        setting = find_given(config, "network", "dims");
    if (!setting && strcmp(name, "table") == 0)
        setting = find_given(config, "network", "routing");
    if (!setting)
        setting = find_first(config, causes, true);
    return setting ? setting : find_first(config, causes, false);
}

void mach_config_locate(const MachConfig *config, GError **error)
{
    g_autofree char *name = g_strndup((*error)->message, strcspn((*error)->message, ":"));
    g_strdelimit(name, "_", '-');
    const MachSetting *cause = find_cause(config, name);
    if (cause && cause->commanded)
        g_prefix_error(error, "--set %s.%s: ", cause->section, cause->name);
    else if (cause)
        g_prefix_error(error, "%s:%u:1: error: ", config->path, cause->line);
    else
        g_prefix_error(error, "%s: [network] ", config->path ? config->path : config->name);
    (*error)->domain = MACH_ERROR;
    (*error)->code = MACH_ERROR_CONFIG;
}

/* Returns the least number of nodes (at least 2) that have a core for each rank. */
static uint32_t nodes_for(const MachConfig *config, uint32_t ranks)
{
    uint32_t cores = mach_config_seats(config), nodes = MAX((ranks + cores - 1) / cores, 2);
    while (mach_node_types(config) > 1 && mach_config_total_cores(config, nodes) < ranks)
        nodes += MAX((uint32_t)((ranks - mach_config_total_cores(config, nodes)) / cores), 1);
    return nodes;
}

Network *mach_config_network_for(const MachConfig *config, uint32_t ranks, const NetClient *client, GError **error)
{
    NetParams params = config->net;
    bool any_number = net_network_takes_any_size(&params);
    if (any_number)
        params.nodes = nodes_for(config, ranks);
    GError *refusal = NULL;
    Network *net = net_network_new(&params, client, &refusal);
    if (!net) {
        mach_config_locate(config, &refusal);
        g_propagate_error(error, refusal);
    } else if (!mach_config_check_nodes(config, net_network_nodes(net), any_number, error)) {
        g_clear_pointer(&net, net_network_free);
    }
    return net;
}

Network *mach_config_network(const MachConfig *config, uint32_t ranks, GError **error)
{
    static const NetClient nobody = {0};
    return mach_config_network_for(config, ranks, &nobody, error);
}
