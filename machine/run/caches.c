/* caches.c - the memory hierarchy of machine files ([memory]), as each rank sees it.
 *
 * Ranks share caches and bandwidth, but must not see each other between communications. So each rank gets a fixed part
 * of what it shares, for the whole run. The size of a cache is divided by the ranks whose cores share it (into whole
 * sets). Its bandwidth is divided by the cores in use, and so is the memory bandwidth of the node. Ranks that share a
 * core share its caches too, but only one of them moves data at a time.
 *
 * Times become cycles of the node's clock, rounded down to 1/256 cycle.
 */
#include "machine/run/caches.h"
#include "machine/config/config.h"
#include "machine/run/run.h"

/* Where in its node a rank is, and with how many others. */
typedef struct Seat {
    uint32_t core, cores; /* index of its core; number of cores of the node */
    uint32_t ranks;       /* number of ranks on the node */
} Seat;

/* Returns the cycles of a time, in 1/256 cycle. */
static uint64_t cycles_of(uint64_t ps, uint64_t clock_hz)
{
    return (uint64_t)(((unsigned __int128)ps * clock_hz << 8) / UINT64_C(1000000000000));
}

/* Returns the cycles that a line takes if `sharers` share the bandwidth, in 1/256 cycle; 0: no limit. */
static uint64_t line_cycles(uint64_t bytes, uint64_t bandwidth, uint32_t sharers, uint64_t clock_hz)
{
    return bandwidth ? (uint64_t)(((unsigned __int128)bytes * sharers * clock_hz << 8) / bandwidth) : 0;
}

/* Counts the ranks and the cores in use among cores [first, end) of the rank's node. Ranks take the cores in turn. */
static void count_sharers(const Seat *seat, uint32_t first, uint32_t end, uint32_t *ranks, uint32_t *cores)
{
    *ranks = *cores = 0;
    for (uint32_t core = first; core < MIN(end, seat->cores); core++) {
        uint32_t here = seat->ranks > core ? (seat->ranks - core + seat->cores - 1) / seat->cores : 0;
        *ranks += here;
        *cores += here > 0;
    }
}

static VmCacheLevel level_for(const MachConfig *config, const MachCacheLevel *level, const Seat *seat)
{
    uint32_t group = level->cores ? level->cores : seat->cores, first = seat->core / group * group, ranks, cores;
    count_sharers(seat, first, first + group, &ranks, &cores);
    g_assert(ranks > 0 && level->line_bytes > 0); /* at least the rank itself runs there */
    uint64_t lines = level->size / level->line_bytes;
    uint64_t ways = level->ways ? MIN(level->ways, lines) : lines;
    VmCacheLevel shape = {
        .ways = (uint32_t)ways,
        .sets = MAX(lines / ways / ranks, 1),
        .line_bytes = (uint32_t)level->line_bytes,
        .latency_q8 = level->latency_q8,
        .line_q8 = line_cycles(level->line_bytes, level->bandwidth, cores, config->clock_hz),
    };
    if (!level->ways) /* fully associative: the ways are divided, not the sets */
        shape.ways = (uint32_t)MAX(ways / ranks, 1);
    return shape;
}

static VmHierarchy *hierarchy_for(const MachConfig *config, const Seat *seat)
{
    const MachMemory *memory = &config->memory;
    VmHierarchyShape shape = {.streams = memory->streams,
                              .memory_latency_q8 = cycles_of(memory->latency_ps, config->clock_hz)};
    uint32_t ranks, cores;
    for (uint32_t i = 0; i < MACH_CACHE_LEVELS; i++)
        if (memory->levels[i].size)
            shape.levels[shape.n_levels++] = level_for(config, &memory->levels[i], seat);
    count_sharers(seat, 0, seat->cores, &ranks, &cores);
    shape.memory_line_q8 =
        line_cycles(shape.levels[shape.n_levels - 1].line_bytes, memory->bandwidth, cores, config->clock_hz);
    return vm_hierarchy_new(&shape);
}

static bool is_modelled(const MachConfig *config)
{
    return config->memory.model == MACH_MEMORY_HIERARCHY;
}

static bool any_modelled(const Machine *machine)
{
    for (uint32_t type = 0; type < mach_node_types(machine->config); type++)
        if (is_modelled(&machine->models[type].config))
            return true;
    return false;
}

/* Gives a rank its caches. `index` counts the ranks of its node from 0. */
static void attach(Machine *machine, uint32_t rank, const MachConfig *config, uint32_t index, uint32_t on_node)
{
    Seat seat = {.core = index % config->cores, .cores = config->cores, .ranks = on_node};
    if (!is_modelled(config))
        return;
    machine->hierarchies[rank] = hierarchy_for(config, &seat);
    vm_hierarchy_attach(machine->hierarchies[rank], vm_world_rank(machine->vm, rank));
}

void mach_caches_attach(Machine *machine)
{
    if (!any_modelled(machine))
        return;
    uint32_t nodes = net_network_nodes(machine->net);
    g_autofree uint32_t *on_node = g_new0(uint32_t, nodes);
    g_autofree uint32_t *next = g_new0(uint32_t, nodes);
    machine->hierarchies = g_new0(VmHierarchy *, machine->room);
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        on_node[machine->processes[rank].place.node]++;
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        uint32_t node = machine->processes[rank].place.node;
        const MachConfig *config = &machine->models[mach_node_type_of(machine->config, node)].config;
        attach(machine, rank, config, next[node]++, on_node[node]);
    }
}

void mach_caches_attach_newcomer(Machine *machine, uint32_t rank, uint32_t index)
{
    if (machine->hierarchies)
        attach(machine, rank, &mach_run_model(machine, rank)->config, index, index + 1);
}

void mach_caches_free(Machine *machine)
{
    for (uint32_t rank = 0; machine->hierarchies && rank < machine->ranks; rank++)
        vm_hierarchy_free(machine->hierarchies[rank]);
    g_clear_pointer(&machine->hierarchies, g_free);
}

/* `level` also counts levels that the machine file leaves out, so that level 3 is always L3. */
const VmCacheCounts *mach_cache_counts(const Machine *machine, uint32_t rank, uint32_t level)
{
    if (!machine->hierarchies || !machine->hierarchies[rank] || level < 1 || level > MACH_CACHE_LEVELS)
        return NULL;
    const MachConfig *config =
        &machine->models[mach_node_type_of(machine->config, machine->processes[rank].place.node)].config;
    uint32_t index = 0;
    if (!config->memory.levels[level - 1].size)
        return NULL;
    for (uint32_t i = 0; i + 1 < level; i++)
        index += config->memory.levels[i].size > 0;
    return vm_hierarchy_counts(machine->hierarchies[rank], index);
}

const VmPredictorCounts *mach_run_predictor_counts(const Machine *machine, uint32_t rank)
{
    return vm_predictor_counts(vm_world_rank(machine->vm, rank));
}

/* -- what cannot be ---------------------------------------------------------------------------- */

enum { MOST_WAYS_WITHOUT_SETS = 4096 };

static bool level_error(const MachConfig *config, uint32_t level, const char *key, GError **error, const char *format,
                        ...) G_GNUC_PRINTF(5, 6);
static bool level_error(const MachConfig *config, uint32_t level, const char *key, GError **error, const char *format,
                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *name = g_strdup_printf("L%u-%s", level, key);
    const MachSetting *setting = mach_setting_find(config->settings, "memory", name);
    if (setting && setting->line)
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s:%u:1: error: %s: %s", config->path, setting->line, name,
                    reason);
    else
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "memory.%s: %s", name, reason);
    return false;
}

static bool check_level(const MachConfig *config, uint32_t number, uint64_t line_above, GError **error)
{
    const MachCacheLevel *level = &config->memory.levels[number - 1];
    if (level->line_bytes & (level->line_bytes - 1))
        return level_error(config, number, "line", error, "a line of %" G_GUINT64_FORMAT " bytes is no power of two",
                           level->line_bytes);
    if (level->line_bytes < line_above)
        return level_error(config, number, "line", error,
                           "a line of %" G_GUINT64_FORMAT " bytes is shorter than one of the level above",
                           level->line_bytes);
    if (level->size < level->line_bytes)
        return level_error(config, number, "size", error, "the cache is smaller than one of its lines");
    uint64_t set = level->line_bytes * MAX(level->ways, 1);
    if (level->size % set)
        return level_error(config, number, "size", error,
                           "%" G_GUINT64_FORMAT " bytes are no whole number of sets of %" G_GUINT64_FORMAT
                           " line%s of %" G_GUINT64_FORMAT " bytes",
                           level->size, set / level->line_bytes, set > level->line_bytes ? "s" : "", level->line_bytes);
    if (!level->ways && level->size / level->line_bytes > MOST_WAYS_WITHOUT_SETS)
        return level_error(config, number, "ways", error,
                           "a fully associative cache may have %d lines, not %" G_GUINT64_FORMAT,
                           MOST_WAYS_WITHOUT_SETS, level->size / level->line_bytes);
    return true;
}

bool mach_caches_check(const MachConfig *config, GError **error)
{
    uint64_t line = 0;
    if (!is_modelled(config))
        return true;
    for (uint32_t i = 0; i < MACH_CACHE_LEVELS; i++) {
        if (!config->memory.levels[i].size)
            continue;
        if (!check_level(config, i + 1, line, error))
            return false;
        line = config->memory.levels[i].line_bytes;
    }
    return line || level_error(config, 1, "size", error, "a hierarchy has at least one cache");
}
