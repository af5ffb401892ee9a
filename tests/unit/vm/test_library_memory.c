/* The heap: reuse, alignment, misuse (C11 7.22.3). */
#include "library_test.h"

static uint64_t allocate(Bench *bench, uint64_t size)
{
    return bench_call(bench, "malloc", 1, size);
}

static void use_at_random(bool check)
{
    enum { BLOCKS = 64, STEPS = 4000 };
    uint64_t addresses[BLOCKS] = {0}, sizes[BLOCKS] = {0};
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.check = check;
    Bench bench;
    bench_open(&bench, &limits);
    guint32 seed = 20240607;
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    for (int step = 0; step < STEPS; step++) {
        int i = g_rand_int_range(random, 0, BLOCKS);
        if (addresses[i]) {
            const uint8_t *bytes = vm_rank_read(bench.rank, addresses[i], sizes[i]);
            for (uint64_t k = 0; k < sizes[i]; k++)
                cr_assert_eq(bytes[k], i, "seed %u, step %d", seed, step);
        }
        uint64_t size = 1 + (uint64_t)g_rand_int_range(random, 0, 1 << g_rand_int_range(random, 1, 14));
        int action = g_rand_int_range(random, 0, 3);
        if (action == 0) {
            bench_call(&bench, "free", 1, addresses[i]);
            addresses[i] = 0;
            continue;
        }
        if (action == 1) {
            addresses[i] = bench_call(&bench, "realloc", 2, addresses[i], size);
        } else {
            bench_call(&bench, "free", 1, addresses[i]);
            addresses[i] = bench_call(&bench, "aligned_alloc", 2, UINT64_C(64), size);
            cr_assert_eq(addresses[i] % 64, 0);
        }
        sizes[i] = size;
        cr_assert_eq(addresses[i] % 16, 0);
        memset(vm_rank_write(bench.rank, addresses[i], size), i, size);
    }
    bench_close(&bench);
}

/* 7.22.3 p1: blocks are suitably aligned and disjoint, and writing all of a block does not change another. */
Test(library_memory, random_use_keeps_blocks_apart)
{
    use_at_random(false);
    use_at_random(true);
}

Test(library_memory, realloc_keeps_contents)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t block = bench_bytes(&bench, "0123456789", 11);
    allocate(&bench, 1); /* prevents growth in place */
    for (uint64_t size = 16; size < 100000; size *= 3) {
        block = bench_call(&bench, "realloc", 2, block, size);
        cr_assert_str_eq(bench_text(&bench, block), "0123456789");
    }
    cr_assert_eq(bench_call(&bench, "realloc", 2, block, UINT64_C(0)), 0);
    bench_close(&bench);
}

/* A block from calloc is all zero even if its memory has been used before (7.22.3.2). */
Test(library_memory, calloc_clears_used_memory)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t first = allocate(&bench, 1000), second = allocate(&bench, 1000);
    memset(vm_rank_write(bench.rank, first, 1000), 0xff, 1000);
    memset(vm_rank_write(bench.rank, second, 1000), 0xff, 1000);
    bench_call(&bench, "free", 1, first);
    bench_call(&bench, "free", 1, second); /* at the top, so it is cut off */
    for (int i = 0; i < 3; i++) {
        uint64_t block = bench_call(&bench, "calloc", 2, UINT64_C(100), UINT64_C(10));
        const uint8_t *bytes = vm_rank_read(bench.rank, block, 1000);
        for (int k = 0; k < 1000; k++)
            cr_assert_eq(bytes[k], 0);
    }
    bench_close(&bench);
}

Test(library_memory, impossible_sizes_fail_with_enomem)
{
    Bench bench;
    bench_open(&bench, NULL);
    cr_assert_eq(allocate(&bench, UINT64_MAX), 0);
    cr_assert_eq(bench_errno(&bench), ENOMEM);
    cr_assert_eq(bench_call(&bench, "calloc", 2, UINT64_C(1) << 33, UINT64_C(1) << 33), 0);
    uint64_t block = allocate(&bench, 10);
    cr_assert_eq(bench_call(&bench, "realloc", 2, block, UINT64_C(1) << 45), 0);
    bench_call(&bench, "free", 1, block);
    cr_assert_eq(bench_call(&bench, "free", 1, UINT64_C(0)), 0);
    bench_close(&bench);
}

/* The same program gets the same addresses, and a freed block is reused. */
Test(library_memory, addresses_are_deterministic)
{
    uint64_t seen[2][3];
    for (int i = 0; i < 2; i++) {
        Bench bench;
        bench_open(&bench, NULL);
        seen[i][0] = allocate(&bench, 100);
        seen[i][1] = allocate(&bench, 5000);
        allocate(&bench, 1);
        bench_call(&bench, "free", 1, seen[i][0]);
        seen[i][2] = allocate(&bench, 97);
        cr_assert_eq(seen[i][2], seen[i][0]);
        bench_close(&bench);
    }
    cr_assert_arr_eq(seen[0], seen[1], sizeof seen[0]);
}

static void expect_fault(Bench *bench, const char *name, uint64_t argument, const char *part)
{
    uint64_t window[16] = {argument, 10};
    bench_call_window(bench, name, window, 2);
    bench_assert_fault(bench, VM_FAULT_HEAP, part);
    bench_close(bench);
}

Test(library_memory, misuse_is_detected)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t block = allocate(&bench, 24), next = allocate(&bench, 24);
    bench_call(&bench, "free", 1, block);
    expect_fault(&bench, "free", block, "double free");

    bench_open(&bench, NULL);
    block = allocate(&bench, 24);
    bench_call(&bench, "free", 1, block); /* at the top */
    expect_fault(&bench, "free", block, "double free");

    bench_open(&bench, NULL);
    block = allocate(&bench, 24);
    expect_fault(&bench, "free", block + 16, "not the start of a heap block");

    bench_open(&bench, NULL);
    expect_fault(&bench, "realloc", VCODE_RODATA_BASE + 0x10000, "not on the heap");

    bench_open(&bench, NULL);
    block = allocate(&bench, 32), next = allocate(&bench, 8);
    memset(vm_rank_write(bench.rank, block, 40), 'x', 40);
    cr_assert(next);
    expect_fault(&bench, "free", block, "32 bytes at");
}

/* A write one byte too far or after free is detected by a later operation on the heap. */
Test(library_memory, small_sins_are_seen_later)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t block = allocate(&bench, 20);
    memset(vm_rank_write(bench.rank, block, 21), 'x', 21);
    expect_fault(&bench, "free", block, "written past its end");

    bench_open(&bench, NULL);
    block = allocate(&bench, 40);
    allocate(&bench, 40);
    bench_call(&bench, "free", 1, block);
    *(char *)vm_rank_write(bench.rank, block + 20, 1) = 'x';
    expect_fault(&bench, "malloc", 40, "written after it was freed");
}

/* A program may forge links and headers. The worst result is a fault. */
Test(library_memory, hostile_lists_end_in_faults)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t block = allocate(&bench, 40);
    allocate(&bench, 40);
    bench_call(&bench, "free", 1, block);
    *(uint64_t *)vm_rank_write(bench.rank, block, 8) = 0xdeadbeef00;
    expect_fault(&bench, "malloc", 40, "damaged");
}

/* -- forged headers ---------------------------------------------------------------------------- */

enum { USED = 0xa5, FREE = 0x5a, TOP = 0xc3 };

/* Writes a header with a correct checksum, as heap.c does. */
static void forge(Bench *bench, uint64_t address, uint64_t capacity, unsigned state, uint64_t before)
{
    uint64_t words[2] = {capacity / 16 | (uint64_t)state << 48, before / 16};
    uint64_t mixed =
        (words[0] ^ words[1] << 20 ^ address * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    words[1] |= mixed >> 40 << 40;
    memcpy(vm_rank_write(bench->rank, address - 16, 16), words, 16);
}

/* Makes a large free block, with a used one after it. */
static uint64_t large_free_block(Bench *bench)
{
    bench_open(bench, NULL);
    uint64_t block = bench_call(bench, "malloc", 1, UINT64_C(2000));
    bench_call(bench, "malloc", 1, UINT64_C(16));
    char header[16];
    memcpy(header, vm_rank_read(bench->rank, block - 16, 16), 16);
    forge(bench, block, 2000, USED, 0);
    cr_assert_eq(memcmp(header, vm_rank_read(bench->rank, block - 16, 16), 16), 0, "forge() is out of date");
    bench_call(bench, "free", 1, block);
    return block;
}

/* The first blocks in the lists for larger sizes are damaged, too small for their list, or of size 0. */
Test(library_memory, forged_free_blocks)
{
    for (int kind = 0; kind < 3; kind++) {
        Bench bench;
        uint64_t block = large_free_block(&bench), window[16] = {200};
        if (kind == 0)
            memset(vm_rank_write(bench.rank, block - 16, 16), 0x55, 16);
        else
            forge(&bench, block, kind == 1 ? 16 : 0, FREE, 0);
        bench_call_window(&bench, "malloc", window, 1);
        bench_assert_fault(&bench, VM_FAULT_HEAP, "the list of free blocks is damaged");
        bench_close(&bench);
    }
}

/* A block of size 0 in the last bytes of the heap, with a matching mark after it. */
Test(library_memory, forged_block_at_the_end)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t block = bench_call(&bench, "malloc", 1, UINT64_C(64)), window[16] = {block + 64};
    forge(&bench, block + 64, 0, USED, 48);
    forge(&bench, block + 64 + 16, 0, TOP, 0);
    bench_call_window(&bench, "free", window, 1);
    bench_assert_fault(&bench, VM_FAULT_HEAP, "the header of the block was overwritten");
    bench_close(&bench);
}
