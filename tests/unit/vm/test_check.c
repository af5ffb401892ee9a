/* test_check.c - what --check finds in a rank's memory, and what must not depend on it. */
#include "library_test.h"

static void open_checked(Bench *bench)
{
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.check = VM_CHECK_HEAP | VM_CHECK_BOUNDS;
    bench_open(bench, &limits);
}

static uint64_t allocate(Bench *bench, uint64_t size)
{
    return bench_call(bench, "malloc", 1, size);
}

/* Makes one access of `size` bytes at `offset` from a block of 20 bytes. `freed`: the block has been freed. */
static void check_access(int64_t offset, uint64_t size, bool freed, VmFaultKind kind, const char *around)
{
    Bench bench;
    open_checked(&bench);
    allocate(&bench, 100);
    uint64_t block = allocate(&bench, 20);
    allocate(&bench, 100);
    if (freed)
        bench_call(&bench, "free", 1, block);
    const void *host = vm_rank_read(bench.rank, block + (uint64_t)offset, size);
    const VmFault *fault = vm_rank_fault_info(bench.rank);
    cr_expect_eq(fault->kind, kind, "%lu bytes at %ld: %s", size, offset, fault->reason);
    cr_expect_eq(host != NULL, kind == VM_FAULT_NONE);
    if (kind) {
        cr_expect_eq(fault->signal, 11);
        cr_expect(strstr(fault->around, around), "'%s' is not in: %s", around, fault->around);
    }
    bench_close(&bench);
}

Test(check, accesses_to_the_byte)
{
    check_access(0, 20, false, VM_FAULT_NONE, NULL);
    check_access(19, 1, false, VM_FAULT_NONE, NULL);
    check_access(0, 21, false, VM_FAULT_OUT_OF_BOUNDS, "is the start of a block of 20 bytes, allocated by malloc");
    check_access(20, 1, false, VM_FAULT_OUT_OF_BOUNDS, "0 bytes past the end of a block of 20 bytes");
    check_access(31, 1, false, VM_FAULT_OUT_OF_BOUNDS, "11 bytes past the end of a block of 20 bytes");
    check_access(-1, 1, false, VM_FAULT_OUT_OF_BOUNDS, "1 byte before a block of 20 bytes");
    check_access(-4, 8, false, VM_FAULT_OUT_OF_BOUNDS, "4 bytes before a block of 20 bytes");
    check_access(4, 4, true, VM_FAULT_FREED, "4 bytes into a block of 20 bytes, allocated by malloc");
    check_access(4, 4, true, VM_FAULT_FREED, "the block was freed by free");
}

Test(check, below_the_stack_pointer_nothing_is)
{
    Bench bench;
    open_checked(&bench);
    cr_expect_not_null(vm_rank_read(bench.rank, bench.rank->sp, 16));
    cr_expect_null(vm_rank_read(bench.rank, bench.rank->sp - 8, 8));
    cr_expect_eq(vm_rank_fault_info(bench.rank)->kind, VM_FAULT_OUT_OF_BOUNDS);
    bench_close(&bench);
}

static void expect_refusal(Bench *bench, const char *name, uint64_t argument, const char *part)
{
    uint64_t window[16] = {argument, 10};
    bench_call_window(bench, name, window, 2);
    const VmFault *fault = vm_rank_fault_info(bench->rank);
    cr_expect_eq(bench->result, VM_CALL_FAULT);
    cr_expect_eq(fault->kind, VM_FAULT_HEAP);
    cr_expect(strstr(fault->reason, part), "'%s' is not in: %s", part, fault->reason);
    bench_close(bench);
}

Test(check, frees_of_what_is_no_block)
{
    Bench bench;
    open_checked(&bench);
    uint64_t block = allocate(&bench, 40);
    expect_refusal(&bench, "free", block + 16, "inside it");
    open_checked(&bench);
    block = allocate(&bench, 40);
    bench_call(&bench, "free", 1, block);
    expect_refusal(&bench, "free", block, "double free");
    open_checked(&bench);
    block = allocate(&bench, 40);
    uint64_t moved = bench_call(&bench, "realloc", 2, block, UINT64_C(41));
    cr_expect_neq(moved, block, "a block that is changed in size always moves");
    expect_refusal(&bench, "realloc", block, "double free");
    open_checked(&bench);
    expect_refusal(&bench, "free", bench.rank->stack_low, "in no block of the heap");
}

/* The memory of a freed block is not reused soon, but in the end it is. */
Test(check, freed_blocks_rest)
{
    Bench bench;
    open_checked(&bench);
    uint64_t first = allocate(&bench, 40);
    bench_call(&bench, "free", 1, first);
    for (int i = 0; i < 1000; i++) {
        uint64_t block = allocate(&bench, 40);
        cr_assert_neq(block, first);
        bench_call(&bench, "free", 1, block);
    }
    const uint64_t large = 3 << 20;
    bool again = false;
    first = allocate(&bench, large);
    bench_call(&bench, "free", 1, first);
    for (int i = 0; i < 20; i++) {
        uint64_t block = bench_call(&bench, "calloc", 2, large, UINT64_C(1));
        again = again || block == first;
        for (uint64_t at = 0; at < large; at += 1000)
            cr_assert_eq(*(uint8_t *)vm_rank_read(bench.rank, block + at, 1), 0);
        memset(vm_rank_write(bench.rank, block, large), 7, large);
        bench_call(&bench, "free", 1, block);
    }
    cr_expect(again);
    bench_close(&bench);
}

/* What the program can learn about its heap, and when it is full, is the same with and without --check. */
Test(check, the_heap_answers_as_without)
{
    uint64_t asked[2][3];
    for (int check = 0; check < 2; check++) {
        VmLimits limits;
        vm_world_limits_default(&limits);
        limits.check = check;
        limits.heap_bytes = 1 << 20;
        Bench bench;
        bench_open(&bench, &limits);
        g_autoptr(GRand) random = g_rand_new_with_seed(7);
        uint64_t blocks[100] = {0}, place = bench.rank->sp;
        for (int i = 0; i < 2000; i++) {
            uint64_t *block = &blocks[g_rand_int_range(random, 0, 100)];
            if (i % 3)
                *block = bench_call(&bench, "realloc", 2, *block, (uint64_t)g_rand_int_range(random, 1, 5000));
            else
                bench_call(&bench, "free", 1, *block), *block = 0;
        }
        bench_call(&bench, "__orrery_heap_usage", 1, place);
        memcpy(asked[check], vm_rank_read(bench.rank, place, 16), 16);
        for (asked[check][2] = 0; allocate(&bench, 3000); asked[check][2]++)
            ;
        cr_expect_eq(bench_errno(&bench), ENOMEM);
        bench_close(&bench);
    }
    cr_expect_arr_eq(asked[0], asked[1], sizeof asked[0]);
    cr_expect(asked[0][2] > 10);
}

Test(check, what_is_left_at_the_end)
{
    Bench bench;
    open_checked(&bench);
    uint64_t lost = allocate(&bench, 10), kept = allocate(&bench, 20), behind = allocate(&bench, 30);
    bench_call(&bench, "free", 1, allocate(&bench, 50));
    vm_library_malloc(bench.rank, 60); /* one that the simulator itself allocates */
    cr_assert(lost);
    memcpy(vm_rank_write(bench.rank, bench.image->module->data_base + 8, 8), &kept, 8);
    memcpy(vm_rank_write(bench.rank, kept + 8, 8), &behind, 8);
    vm_rank_exit(bench.rank, 0);
    size_t count;
    const VmLeak *leaks = vm_check_leaks(bench.rank, &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(leaks[0].place, "malloc in _start");
    cr_expect(leaks[0].blocks == 1 && leaks[0].bytes == 10);
    cr_expect_str_eq(leaks[1].place, "malloc in _start (a pointer is left)");
    cr_expect(leaks[1].blocks == 2 && leaks[1].bytes == 50);
    bench_close(&bench);
}
