/* mapping.c - which node, and which core of it, a rank runs on.
 *
 *   block    fills a node's cores before it goes to the next; with more ranks than cores, equal shares in order
 *   cyclic   deals the ranks out to the nodes like cards
 *   random   a permutation of the block mapping by [mapping] seed
 *   a file   one line per rank, "NODE", or "RANK NODE" in any order; # begins a comment
 *
 * Within a node, ranks take the cores in turn. Where k ranks share a core they share it evenly at every instant: each
 * computes at 1/k of the clock, less the time of switching once per slice. That is what time slicing comes to when
 * slices are short, and it depends on nothing that happens in the run: so the results cannot depend on the quantum.
 * Processor time that MPI charges (overheads) is not stretched.
 */
#include "machine/internal.h"

#include <stdio.h>
#include <string.h>

/* SplitMix64 (Steele, Lea and Flood, 2014): small, well mixed, the same everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Evenly distributed in [0, bound), by rejection. */
static uint32_t random_below(uint64_t *state, uint32_t bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value;
    do
        value = next_random(state);
    while (value >= limit);
    return (uint32_t)(value % bound);
}

/* -- slots: the cores of all nodes, one after the other ------------------------------------------------------- */

typedef struct Slots {
    const MachConfig *config;
    uint32_t nodes;
    uint64_t total;
    uint64_t *before; /* by node: slots of the nodes before it; NULL where all nodes have as many cores */
} Slots;

static uint32_t cores_of(const MachConfig *config, uint32_t node)
{
    uint32_t type = mach_node_type_of(config, node);
    MachConfig seen;
    if (type == 0)
        return config->cores;
    mach_node_config(config, type, &seen);
    return seen.cores;
}

static Slots slots_new(const MachConfig *config, uint32_t nodes)
{
    Slots slots = {.config = config, .nodes = nodes, .total = (uint64_t)nodes * config->cores};
    if (mach_node_types(config) == 1)
        return slots;
    slots.before = g_new(uint64_t, nodes);
    slots.total = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        slots.before[node] = slots.total;
        slots.total += cores_of(config, node);
    }
    return slots;
}

static uint32_t slot_node(const Slots *slots, uint64_t slot)
{
    uint32_t low = 0, high = slots->nodes - 1;
    if (!slots->before)
        return (uint32_t)(slot / slots->config->cores);
    while (low < high) { /* the last node that begins at or before it */
        uint32_t middle = low + (high - low + 1) / 2;
        if (slots->before[middle] <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static uint32_t node_cores(const Slots *slots, uint32_t node)
{
    if (!slots->before)
        return slots->config->cores;
    uint64_t next = node + 1 < slots->nodes ? slots->before[node + 1] : slots->total;
    return (uint32_t)(next - slots->before[node]);
}

uint64_t mach_total_cores(const MachConfig *config, uint32_t nodes)
{
    Slots slots = slots_new(config, nodes);
    g_free(slots.before);
    return slots.total;
}

/* -- mappings --------------------------------------------------------------------------------------------------- */

/* With more ranks than slots, each slot gets its equal share of them, in order. */
static void map_block(MachPlace *places, uint32_t ranks, const Slots *slots)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint64_t slot = slots->total < ranks ? (uint64_t)rank * slots->total / ranks : rank;
        places[rank].node = slot_node(slots, slot);
    }
}

static void map_random(MachPlace *places, uint32_t ranks, const Slots *slots, uint64_t seed)
{
    /* Shuffles the slots (Fisher and Yates), all of them, so that few ranks on many nodes are scattered too. */
    uint32_t count = (uint32_t)MAX(slots->total, ranks);
    MachPlace *all = g_new0(MachPlace, count);
    map_block(all, count, slots);
    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t j = i + random_below(&seed, count - i);
        places[i] = all[j];
        all[j] = all[i];
    }
    g_free(all);
}

/* -- mapping files ------------------------------------------------------------------------------------------- */

/* Reads one line: "NODE" for the next rank, or "RANK NODE". */
static bool read_place(MachPlace *places, uint32_t ranks, uint32_t nodes, const char *path, unsigned line, char *text,
                       uint32_t *next, bool *known, GError **error)
{
    text[strcspn(text, "#\r")] = '\0';
    g_strstrip(text);
    if (!*text)
        return true;
    char *end;
    guint64 rank = *next, node;
    node = g_ascii_strtoull(text, &end, 10);
    if (g_ascii_isspace(*end)) {
        rank = node;
        text = end + strspn(end, " \t");
        node = g_ascii_strtoull(text, &end, 10);
    }
    if (!g_ascii_isdigit(*text) || *end)
        return mach_line_error(error, path, line, "a line of a mapping is \"NODE\" or \"RANK NODE\", not \"%s\"", text);
    if (node >= nodes)
        return mach_line_error(error, path, line,
                               "node %" G_GUINT64_FORMAT " does not exist; the machine has nodes 0 to %u", node,
                               nodes - 1);
    if (rank >= ranks) /* a mapping for more ranks serves fewer */
        return true;
    if (known[rank])
        return mach_line_error(error, path, line, "rank %" G_GUINT64_FORMAT " has a node already", rank);
    known[rank] = true;
    places[rank].node = (uint32_t)node;
    *next = (uint32_t)rank + 1;
    return true;
}

static bool map_file(MachPlace *places, uint32_t ranks, uint32_t nodes, const char *path, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) io = NULL;
    if (!g_file_get_contents(path, &text, NULL, &io)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "mapping.ranks: \"%s\" is neither block, cyclic, random nor a file that can be read: %s", path,
                    io->message);
        return false;
    }
    g_autofree bool *known = g_new0(bool, ranks);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    uint32_t next = 0;
    unsigned number = 0;
    for (char **line = lines; *line; line++)
        if (!read_place(places, ranks, nodes, path, ++number, *line, &next, known, error))
            return false;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (!known[rank])
            return mach_line_error(error, path, number, "the mapping ends without a node for rank %u", rank);
    return true;
}

/* -- cores ------------------------------------------------------------------------------------------------------ */

/* Within a node, the ranks in order take cores 0, 1, 2 ... in turn. */
static void share_cores(MachPlace *places, uint32_t ranks, const Slots *slots)
{
    uint32_t *of_node = g_new0(uint32_t, slots->nodes);
    uint32_t *index = g_new(uint32_t, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
        index[rank] = of_node[places[rank].node]++;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t cores = node_cores(slots, places[rank].node), core = index[rank] % cores;
        places[rank].share = (of_node[places[rank].node] - core + cores - 1) / cores;
    }
    g_free(index);
    g_free(of_node);
}

MachPlace *mach_map_ranks(const MachConfig *config, uint32_t ranks, uint32_t nodes, GError **error)
{
    MachPlace *places = g_new0(MachPlace, ranks);
    Slots slots = slots_new(config, nodes);
    if (strcmp(config->mapping, "block") == 0) {
        map_block(places, ranks, &slots);
    } else if (strcmp(config->mapping, "cyclic") == 0) {
        for (uint32_t rank = 0; rank < ranks; rank++)
            places[rank].node = rank % nodes;
    } else if (strcmp(config->mapping, "random") == 0) {
        map_random(places, ranks, &slots, config->mapping_seed);
    } else if (!map_file(places, ranks, nodes, config->mapping, error)) {
        g_clear_pointer(&places, g_free);
    }
    if (places)
        share_cores(places, ranks, &slots);
    g_free(slots.before);
    return places;
}

uint64_t mach_period_q32(const MachConfig *config, uint32_t share)
{
    unsigned __int128 period = ((unsigned __int128)UINT64_C(1000000000000) << 32) / config->clock_hz;
    if (share > 1)
        period = period * share * (config->time_slice_ps + config->switch_ps) / config->time_slice_ps;
    return (uint64_t)MIN(period, (unsigned __int128)UINT64_MAX);
}
