/* Caches of a rank: exactly predictable hits, misses, write-backs and cycles. The rank is only an address space
 * here. */
#include "vm/rank/rank.h"

#include <criterion/criterion.h>

enum { BASE = 1 << 20, LINE = 64 };

typedef struct Bench {
    VcodeModule *module;
    VmImage image;
    VmRank rank;
    VmHierarchy *hierarchy;
} Bench;

/* 1 KiB with 2 ways, and then 4 KiB with 4 ways. Costs are powers of ten, so that a sum shows its parts. */
static VmHierarchyShape small_shape(void)
{
    return (VmHierarchyShape){
        .n_levels = 2,
        .levels = {{.sets = 8, .ways = 2, .line_bytes = LINE, .latency_q8 = 1},
                   {.sets = 16, .ways = 4, .line_bytes = LINE, .latency_q8 = 100, .line_q8 = 10}},
        .memory_latency_q8 = 100000,
        .memory_line_q8 = 1000,
    };
}

static void open_bench(Bench *bench, VmHierarchyShape shape)
{
    *bench = (Bench){.module = vcode_module_new(VCODE_PROGRAM)};
    bench->image.module = bench->module;
    bench->rank = (VmRank){.image = &bench->image,
                           .data_base = BASE,
                           .heap_end = UINT64_C(1) << 40,
                           .near_low = BASE,
                           .near_end = UINT64_C(1) << 40,
                           .running = true};
    bench->hierarchy = vm_hierarchy_new(&shape);
    vm_hierarchy_attach(bench->hierarchy, &bench->rank);
}

static void close_bench(Bench *bench)
{
    vm_memory_forget_hooks(&bench->rank);
    vm_tally_free(&bench->rank);
    vm_hierarchy_free(bench->hierarchy);
    vcode_module_free(bench->module);
}

/* Returns the cycles of one access. */
static uint64_t access_at(Bench *bench, uint64_t offset, uint64_t size, bool write)
{
    uint64_t before = bench->rank.clock.cycles;
    cr_assert(vm_memory_observe(&bench->rank, BASE + offset, size, write));
    return bench->rank.clock.cycles - before;
}

static void expect(const Bench *bench, uint32_t level, uint64_t hits, uint64_t misses, uint64_t written_back)
{
    const VmCacheCounts *counts = vm_hierarchy_counts(bench->hierarchy, level);
    cr_expect_eq(counts->hits, hits, "level %u: %" G_GUINT64_FORMAT " hits", level, counts->hits);
    cr_expect_eq(counts->misses, misses, "level %u: %" G_GUINT64_FORMAT " misses", level, counts->misses);
    cr_expect_eq(counts->written_back, written_back, "level %u: %" G_GUINT64_FORMAT, level, counts->written_back);
}

Test(hierarchy, a_stream_misses_once_a_line)
{
    Bench bench;
    open_bench(&bench, small_shape());
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < 8192; i += 8) /* twice the size of level 2: always a miss */
            access_at(&bench, i, 8, false);
    expect(&bench, 0, 2 * 1024 * 7 / 8, 2 * 128, 0);
    expect(&bench, 1, 0, 2 * 128, 0);
    close_bench(&bench);
}

/* Returns the cost of a cyclic walk over `bytes`, one access a line, in a warm cache. */
static uint64_t chase(uint64_t bytes)
{
    Bench bench;
    uint64_t cost = 0;
    open_bench(&bench, small_shape());
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t at = cost = 0; at < bytes; at += LINE)
            cost += access_at(&bench, at, 8, false);
    close_bench(&bench);
    return cost * LINE / bytes;
}

Test(hierarchy, latency_rises_in_steps_with_the_working_set)
{
    cr_assert_eq(chase(512), 1);
    cr_assert_eq(chase(1024), 1);
    cr_assert_eq(chase(2048), 110, "latency and transfer of level 2");
    cr_assert_eq(chase(4096), 110);
    cr_assert_eq(chase(8192), 101010, "memory's latency and both transfers");
}

Test(hierarchy, the_least_recently_used_line_of_the_set_goes)
{
    Bench bench;
    open_bench(&bench, small_shape());
    const uint64_t set = 8 * LINE; /* distance of lines in one set of level 1 */
    access_at(&bench, 0 * set, 8, false);
    access_at(&bench, 1 * set, 8, false);
    access_at(&bench, 0 * set, 8, false); /* now 1 is the least recently used */
    access_at(&bench, 2 * set, 8, false);
    cr_assert_eq(access_at(&bench, 0 * set, 8, false), 1);
    cr_assert_eq(access_at(&bench, 1 * set, 8, false), 110);
    cr_assert_eq(access_at(&bench, 0 * set, 8, false), 1);
    cr_assert_eq(access_at(&bench, 2 * set, 8, false), 110);
    close_bench(&bench);
}

Test(hierarchy, written_lines_are_written_back_once)
{
    Bench bench;
    open_bench(&bench, small_shape());
    const uint64_t set = 8 * LINE;
    access_at(&bench, 0, 8, true); /* write-allocate */
    expect(&bench, 0, 0, 1, 0);
    access_at(&bench, 1 * set, 8, false);
    cr_assert_eq(access_at(&bench, 2 * set, 8, false), 101020, "the written line takes its way to level 2 as well");
    expect(&bench, 0, 0, 3, 1);
    for (uint64_t i = 0; i < 4; i++) /* evict it from level 2, whose sets are 16 lines apart */
        access_at(&bench, 16 * LINE * (i + 1), 8, false);
    expect(&bench, 1, 0, 6, 1);
    close_bench(&bench);
}

Test(hierarchy, an_access_across_lines_counts_for_each)
{
    Bench bench;
    open_bench(&bench, small_shape());
    access_at(&bench, LINE - 4, 8, false);
    expect(&bench, 0, 0, 2, 0);
    cr_assert_eq(access_at(&bench, 1, 3 * LINE, false), 2 + 2 * 101010, "a library's access of many lines");
    close_bench(&bench);
}

Test(hierarchy, lines_of_a_stream_come_without_latency)
{
    Bench bench;
    VmHierarchyShape shape = small_shape();
    shape.streams = 2;
    open_bench(&bench, shape);
    const uint64_t other = 1 << 16, third = 1 << 18;
    cr_assert_eq(access_at(&bench, 0, 8, false), 101010);
    cr_assert_eq(access_at(&bench, other, 8, false), 101010);
    for (uint64_t i = 1; i < 4; i++) { /* upwards and downwards alternately */
        cr_assert_eq(access_at(&bench, i * LINE, 8, false), 1010);
        cr_assert_eq(access_at(&bench, other - i * LINE, 8, false), 1010);
    }
    cr_assert_eq(access_at(&bench, third, 8, false), 101010, "a third takes the place of the first");
    cr_assert_eq(access_at(&bench, 4 * LINE, 8, false), 101010);
    close_bench(&bench);
}

/* MPI copies data in and out while the rank stands still. Under another quantum that may be at other points of its run.
 */
Test(hierarchy, accesses_from_outside_leave_it_alone)
{
    Bench bench;
    open_bench(&bench, small_shape());
    bench.rank.running = false;
    cr_assert_eq(access_at(&bench, 0, 4096, true), 0);
    expect(&bench, 0, 0, 0, 0);
    close_bench(&bench);
}

/* Accesses after the instant at which a run ends are not counted. */
Test(hierarchy, counts_are_cut_at_an_instant)
{
    Bench bench;
    open_bench(&bench, small_shape());
    bench.rank.clock.period_q32 = UINT64_C(1000) << 32;
    access_at(&bench, 0, 8, true);
    bench.rank.clock.cycles = 100000 << 8;
    access_at(&bench, 0, 8, true);
    uint64_t until_ps = vm_clock_now(&bench.rank.clock);
    vm_rank_settle(&bench.rank, until_ps - 1);
    bench.rank.clock.cycles += 256;
    access_at(&bench, 0, 8, true);
    access_at(&bench, 8192, 8, true);
    vm_rank_cut(&bench.rank, until_ps);
    expect(&bench, 0, 1, 1, 0);
    expect(&bench, 1, 0, 1, 0);
    access_at(&bench, 4096, 8, true);
    expect(&bench, 0, 1, 1, 0);
    close_bench(&bench);
}
