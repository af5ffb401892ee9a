/* map.c - which node, and which core of it, a rank runs on.
 *
 * mappings.def has the ways to place ranks. Any other value of `[mapping] ranks` is the name of a file (file.c).
 *
 * Within a node, ranks take the cores in turn. If there are more ranks than cores, the node has a run queue
 * (node/node.c).
 */
#include "machine/map/map.h"
#include "machine/config/config.h"
#include "machine/map/placement.h"

#include <string.h>

/* -- slots: the cores of all nodes, one after the other ---------------------------------------- */

MapSlots mach_map_slots_new(const MachConfig *config, uint32_t nodes, uint32_t *order)
{
    MapSlots slots = {
        .config = config, .nodes = nodes, .total = (uint64_t)nodes * mach_config_seats(config), .order = order};
    if (mach_node_types(config) == 1)
        return slots;
    slots.before = g_new(uint64_t, nodes);
    slots.total = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        slots.before[i] = slots.total;
        slots.total += mach_config_cores(config, order ? order[i] : i);
    }
    return slots;
}

void mach_map_slots_clear(MapSlots *slots)
{
    g_free(slots->before);
    g_free(slots->order);
}

/* Returns the position of a slot's node in the order. */
static uint32_t slot_position(const MapSlots *slots, uint64_t slot)
{
    uint32_t low = 0, high = slots->nodes - 1;
    if (!slots->before)
        return (uint32_t)(slot / mach_config_seats(slots->config));
    while (low < high) { /* find the last node whose slots begin at or before `slot` */
        uint32_t middle = low + (high - low + 1) / 2;
        if (slots->before[middle] <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* If there are more ranks than slots, each slot gets an equal share of consecutive ranks. */
uint32_t mach_map_slots_node(const MapSlots *slots, uint32_t rank, uint32_t ranks)
{
    uint64_t slot = slots->total < ranks ? (uint64_t)rank * slots->total / ranks : rank;
    uint32_t position = slot_position(slots, slot);
    return slots->order ? slots->order[position] : position;
}

/* -- cores ------------------------------------------------------------------------------------- */

/* Within a node, consecutive ranks take the cores 0, 1, 2 ... in turn, and cores take the NICs in turn. */
static void take_cores(MachPlace *places, uint32_t ranks, const MachConfig *config, uint32_t nodes)
{
    uint32_t *of_node = g_new0(uint32_t, nodes);
    uint32_t *index = g_new(uint32_t, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
        index[rank] = of_node[places[rank].node]++;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t cores = mach_config_cores(config, places[rank].node);
        places[rank].core = index[rank] % cores;
        places[rank].nic = places[rank].core % config->net.nics;
    }
    g_free(index);
    g_free(of_node);
}

/* -- choosing ---------------------------------------------------------------------------------- */

static const struct Mapping {
    const char *name;
    enum { NOTHING, TRAFFIC } needs;
    bool (*place)(const MachMapping *request, uint32_t *nodes, GError **error);
} mappings[] = {
#define MACH_MAPPING(symbol, name, needs, help, source) {name, needs, mach_map_ranks_##symbol},
#include "machine/mappings.def"
};

bool mach_map_refuse(const MachMapping *request, const char *key, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const MachConfig *config = request->config;
    if (request->mapping != config->mapping && strcmp(key, "ranks") == 0) { /* not from the machine file */
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s", reason);
        return false;
    }
    const MachSetting *setting = config->settings ? mach_setting_find(config->settings, "mapping", key) : NULL;
    if (setting && setting->line)
        return mach_error_at_line(error, config->path, setting->line, "%s: %s", key, reason);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "mapping.%s: %s", key, reason);
    return false;
}

static MachTraffic *load_traffic(const MachMapping *request, GError **error)
{
    const char *path = request->config->mapping_traffic;
    if (!path || !*path) {
        mach_map_refuse(request, "ranks", error,
                        "%s needs to know who talks to whom; name a file of `orrery run --traffic` in mapping.traffic",
                        request->mapping);
        return NULL;
    }
    return mach_traffic_load(path, error);
}

static bool check_traffic(const MachMapping *request, GError **error)
{
    if (request->traffic->ranks == request->ranks)
        return true;
    return mach_error_at_line(error, request->traffic->path, request->traffic->ranks_line,
                              "the traffic is that of %u rank%s, but %u run", request->traffic->ranks,
                              request->traffic->ranks == 1 ? "" : "s", request->ranks);
}

static bool place_by(const struct Mapping *mapping, MachMapping request, uint32_t *nodes, GError **error)
{
    if (mapping->needs == NOTHING)
        return mapping->place(&request, nodes, error);
    g_autoptr(MachTraffic) loaded = request.traffic ? NULL : load_traffic(&request, error);
    request.traffic = request.traffic ? request.traffic : loaded;
    return request.traffic && check_traffic(&request, error) && mapping->place(&request, nodes, error);
}

uint32_t *mach_map_nodes(const MachMapping *request, GError **error)
{
    uint32_t *nodes = g_new0(uint32_t, request->ranks);
    bool known = false, placed = false;
    for (size_t i = 0; i < G_N_ELEMENTS(mappings) && !known; i++) {
        known = strcmp(request->mapping, mappings[i].name) == 0;
        placed = known && place_by(&mappings[i], *request, nodes, error);
    }
    if (!known)
        placed = mach_map_ranks_file(request, nodes, error);
    if (!placed)
        g_clear_pointer(&nodes, g_free);
    return nodes;
}

MachPlace *mach_map_ranks(const MachConfig *config, const Network *net, uint32_t ranks, GError **error)
{
    MachMapping request = {.config = config, .net = net, .ranks = ranks, .mapping = config->mapping};
    g_autofree uint32_t *nodes = mach_map_nodes(&request, error);
    if (!nodes)
        return NULL;
    MachPlace *places = g_new0(MachPlace, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
        places[rank].node = nodes[rank];
    take_cores(places, ranks, config, net_network_nodes(net));
    return places;
}

uint64_t mach_map_period_q32(const MachConfig *config)
{
    unsigned __int128 period = ((unsigned __int128)UINT64_C(1000000000000) << 32) / config->clock_hz;
    return (uint64_t)MIN(period, (unsigned __int128)UINT64_MAX);
}
