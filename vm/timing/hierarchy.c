/* hierarchy.c - the caches of one rank and the memory behind them, for machines that have them.
 *
 *     access -> level 1 -> level 2 -> level 3 -> main memory
 *
 * Each level is set-associative with least-recently-used replacement, write-allocate and write-back. A line that is not
 * found in a level is looked for in the next, and then put into all levels that were asked. An access is charged,
 * besides the cost of the load or store itself, the latency of the level where the line was found. Each level that the
 * line passes on its way up adds its transfer time. A line written back costs the transfer time of the level that takes
 * it. Nothing overlaps, with one exception: lines of a stream (each the neighbour of the last) are prefetched from main
 * memory, without its latency.
 *
 * All of it belongs to one rank. Whoever makes the parameters divides beforehand what ranks share. So what a rank
 * computes stays invisible to the others until it communicates, and no result depends on the quantum. Only accesses of
 * the rank's own run count, those of the library on its behalf included. What the layer above moves in and out of the
 * rank's memory costs what that layer charges, and leaves the caches alone.
 *
 * A set is an array of lines, most recently used first. Sets are kept in chunks that are allocated at first use, so a
 * rank that touches little of its memory needs little.
 */
#include "vm/check/check.h"
#include "vm/rank/rank.h"

#include <string.h>

enum { CHUNK_LINES = 512 };

/* A line in a cache: its number + 1, above a bit that tells whether it has been written; 0: empty. */
typedef uint64_t Line;

/* One cache. */
typedef struct Level {
    VmCacheLevel shape;
    uint32_t shift;      /* address >> shift is the line number */
    uint32_t chunk_sets; /* sets in each chunk */
    Line **chunks;       /* NULL, for all of them or for one: not used yet */
    VmCacheCounts counts;
} Level;

struct VmHierarchy {
    VmHierarchyShape shape;
    Level levels[VM_CACHE_LEVELS];
    uint64_t streams[VM_CACHE_STREAMS]; /* the last line of each stream, + 1; most recently used first */
};

VmHierarchy *vm_hierarchy_new(const VmHierarchyShape *shape)
{
    g_assert(shape->n_levels >= 1 && shape->n_levels <= VM_CACHE_LEVELS && shape->streams <= VM_CACHE_STREAMS);
    VmHierarchy *hierarchy = g_new0(VmHierarchy, 1);
    hierarchy->shape = *shape;
    for (uint32_t i = 0; i < shape->n_levels; i++) {
        Level *level = &hierarchy->levels[i];
        level->shape = shape->levels[i];
        g_assert(level->shape.sets && level->shape.ways &&
                 (level->shape.line_bytes & (level->shape.line_bytes - 1)) == 0);
        level->shift = (uint32_t)__builtin_ctzll(level->shape.line_bytes);
        level->chunk_sets = MAX(CHUNK_LINES / level->shape.ways, 1);
    }
    return hierarchy;
}

void vm_hierarchy_free(VmHierarchy *hierarchy)
{
    for (uint32_t i = 0; hierarchy && i < hierarchy->shape.n_levels; i++) {
        Level *level = &hierarchy->levels[i];
        uint64_t chunks = level->chunks ? level->shape.sets / level->chunk_sets + 1 : 0;
        for (uint64_t c = 0; c < chunks; c++)
            g_free(level->chunks[c]);
        g_free(level->chunks);
    }
    g_free(hierarchy);
}

/* The set that a line belongs to, as an array of lines. */
static Line *set_of(Level *level, uint64_t number)
{
    uint64_t set = number % level->shape.sets;
    if (!level->chunks)
        level->chunks = g_new0(Line *, level->shape.sets / level->chunk_sets + 1);
    Line **chunk = &level->chunks[set / level->chunk_sets];
    if (!*chunk)
        *chunk = g_new0(Line, (size_t)level->chunk_sets * level->shape.ways);
    return *chunk + set % level->chunk_sets * level->shape.ways;
}

/* Whether the set has the line. The line becomes the most recently used one. If it was missing, it replaces the least
 * recently used line, which is returned in *out. */
static bool touch(Level *level, uint64_t number, bool write, Line *out)
{
    Line *lines = set_of(level, number), line = (number + 1) << 1;
    uint32_t way = 0, last = level->shape.ways - 1;
    while (way < last && lines[way] >> 1 != number + 1)
        way++;
    bool found = lines[way] >> 1 == number + 1;
    *out = found ? 0 : lines[way];
    line |= (found && lines[way] & 1) || write;
    memmove(lines + 1, lines, way * sizeof *lines);
    lines[0] = line;
    return found;
}

/* Whether a line from main memory is the next of a stream. */
static bool in_stream(VmHierarchy *hierarchy, uint64_t number)
{
    uint32_t n = hierarchy->shape.streams, i = 0;
    uint64_t *streams = hierarchy->streams;
    if (n == 0)
        return false;
    while (i < n - 1 && streams[i] != number && streams[i] != number + 2)
        i++;
    bool found = streams[i] && (streams[i] == number || streams[i] == number + 2);
    memmove(streams + 1, streams, i * sizeof *streams);
    streams[0] = number + 1;
    return found;
}

/* Moves a line that has been written from level `from` to the next. Returns the cost. */
static uint64_t write_back(VmRank *rank, VmHierarchy *hierarchy, uint32_t from, Line line)
{
    uint64_t cost = 0;
    while (line & 1) {
        Level *level = &hierarchy->levels[from++];
        vm_tally_count(rank, &level->counts.written_back);
        if (from == hierarchy->shape.n_levels)
            return cost + hierarchy->shape.memory_line_q8;
        Level *next = &hierarchy->levels[from];
        uint64_t number = (line >> 1) - 1;
        cost += next->shape.line_q8;
        touch(next, number >> (next->shift - level->shift), true, &line);
    }
    return cost;
}

/* Brings the line with `address` into level 0. Returns the cost. */
static uint64_t bring(VmRank *rank, VmHierarchy *hierarchy, uint64_t address, bool write)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < hierarchy->shape.n_levels; i++) {
        Level *level = &hierarchy->levels[i];
        Line out;
        if (i > 0)
            cost += level->shape.line_q8;
        if (touch(level, address >> level->shift, write && i == 0, &out)) {
            vm_tally_count(rank, &level->counts.hits);
            return cost + level->shape.latency_q8;
        }
        vm_tally_count(rank, &level->counts.misses);
        cost += write_back(rank, hierarchy, i, out);
    }
    const Level *last = &hierarchy->levels[hierarchy->shape.n_levels - 1];
    cost += hierarchy->shape.memory_line_q8;
    return in_stream(hierarchy, address >> last->shift) ? cost : cost + hierarchy->shape.memory_latency_q8;
}

static bool watch(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user)
{
    VmHierarchy *hierarchy = user;
    if (!rank->running)
        return true;
    if (rank->check)
        address = vm_check_plain_address(rank, address);
    uint64_t line = hierarchy->levels[0].shape.line_bytes, cost = 0;
    uint64_t end = address + size;
    for (uint64_t at = address & ~(line - 1); at < end; at += line)
        cost += bring(rank, hierarchy, at, write);
    vm_rank_charge(rank, cost);
    return true;
}

void vm_hierarchy_attach(VmHierarchy *hierarchy, VmRank *rank)
{
    vm_rank_add_access_hook(rank, watch, hierarchy);
    vm_tally_begin(rank);
}

const VmCacheCounts *vm_hierarchy_counts(const VmHierarchy *hierarchy, uint32_t level)
{
    return level < hierarchy->shape.n_levels ? &hierarchy->levels[level].counts : NULL;
}
