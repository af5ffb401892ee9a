/* test_nest.c - ranks that begin in a nest: their memory has the same content wherever it is; what makes a rank leave
 * its nest; neighbours do not see each other. */
#include "assembler.h"

enum { RANKS = 3, HEAP_BYTES = 65536 };

typedef struct Nests {
    VmImage *image;
    VmWorld *world;
    VmRank *rank;             /* the one in the middle */
    uint64_t data, heap, top; /* addresses: of data, after bss, and of the stack pointer */
} Nests;

/* Makes a program that enters a frame of `frame` bytes, then stores the number at the address. */
static VcodeModule *program(int frame, uint64_t address, uint64_t number)
{
    Asm a;
    asm_open(&a);
    memset(vcode_push_many(a.module, data, 16), 0x81, 16);
    a.module->bss_bytes = 64;
    asm_function(&a, "main", 0, 4);
    asm_imm(&a, VCODE_ENTER, 0, 0, frame);
    asm_rk(&a, 1, address);
    asm_rk(&a, 2, number);
    asm_i(&a, VCODE_ST64, 0, 2, 1, 0);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    VcodeModule *module = asm_close(&a);
    module->data_base = VCODE_DATA_BASE;
    return module;
}

static void open_nests(Nests *nests, VcodeModule *module, uint64_t stack_bytes)
{
    GError *error = NULL;
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = stack_bytes;
    limits.nest_ranks = 1;
    nests->image = vm_image_new(module, NULL, 0, NULL, &error);
    cr_assert(nests->image, "%s", error ? error->message : "");
    nests->world = vm_world_new(RANKS, &limits, NULL, &error);
    cr_assert_not_null(nests->world);
    for (uint32_t i = 0; i < RANKS; i++)
        cr_assert(vm_world_start(nests->world, i, nests->image, NULL, NULL, UINT64_C(500) << 32, &error));
    nests->rank = vm_world_rank(nests->world, 1);
    nests->data = VCODE_DATA_BASE;
    nests->heap = vm_rank_heap_start(nests->rank);
    nests->top = nests->rank->sp;
    cr_assert(nests->rank->nested);
}

static void close_nests(Nests *nests)
{
    vm_world_free(nests->world);
    vm_image_unref(nests->image);
}

static uint8_t *bytes_at(Nests *nests, uint64_t address, uint64_t size)
{
    uint8_t *bytes = vm_rank_write(nests->rank, address, size);
    cr_assert(bytes, "0x%lx, %lu bytes", address, size);
    return bytes;
}

Test(nest, edges_of_the_space_are_those_of_its_place)
{
    Nests nests;
    open_nests(&nests, program(16, VCODE_DATA_BASE, 1), 1 << 20);
    cr_expect_null(vm_rank_write(nests.rank, nests.rank->data_base - 1, 1));
    cr_expect_null(vm_rank_write(nests.rank, nests.heap, 1));
    cr_expect_null(vm_rank_write(nests.rank, nests.heap - 4, 8));
    cr_expect_eq(vm_rank_sbrk(nests.rank, HEAP_BYTES), nests.heap);
    cr_expect_null(vm_rank_write(nests.rank, nests.heap + HEAP_BYTES, 1));
    cr_expect(nests.rank->nested, "nothing was accessed");
    bytes_at(&nests, nests.heap + HEAP_BYTES - 1, 1);
    cr_expect_not(nests.rank->nested);
    close_nests(&nests);
}

/* Accesses in the nest, outside, and across its two ends, in this order. */
Test(nest, what_was_written_stays)
{
    Nests nests;
    open_nests(&nests, program(16, VCODE_DATA_BASE, 1), 1 << 20);
    vm_rank_sbrk(nests.rank, HEAP_BYTES);
    memset(bytes_at(&nests, nests.data + 16, 64), 7, 64);
    memset(bytes_at(&nests, nests.heap, 32), 8, 32);
    memset(bytes_at(&nests, nests.top - 32, 32), 9, 32);
    cr_assert(nests.rank->nested);
    uint64_t low = nests.rank->near_low, high = nests.rank->near_end;
    cr_expect_eq(*bytes_at(&nests, low - 8, 16), 0, "across the lower end");
    cr_assert_not(nests.rank->nested);
    cr_expect_eq(*bytes_at(&nests, high - 8, 16), 0);
    for (unsigned i = 0; i < 16; i++)
        cr_expect_eq(bytes_at(&nests, nests.data, 16)[i], 0x81);
    for (unsigned i = 0; i < 32; i++) {
        cr_expect_eq(bytes_at(&nests, nests.data + 16, 64)[i], 7);
        cr_expect_eq(bytes_at(&nests, nests.heap, 32)[i], 8);
        cr_expect_eq(bytes_at(&nests, nests.top - 32, 32)[i], 9);
    }
    close_nests(&nests);
}

/* A string that ends outside the nest. */
Test(nest, texts_are_found_across_its_end)
{
    Nests nests;
    open_nests(&nests, program(16, VCODE_DATA_BASE, 1), 1 << 20);
    vm_rank_sbrk(nests.rank, HEAP_BYTES);
    uint64_t end = nests.rank->near_end;
    memset(bytes_at(&nests, end - 10, 10), 'x', 10);
    cr_expect_str_eq(vm_rank_string(nests.rank, end - 10), "xxxxxxxxxx");
    cr_expect_not(nests.rank->nested);
    close_nests(&nests);
}

Test(nest, neighbours_are_apart)
{
    Nests nests;
    open_nests(&nests, program(16, VCODE_DATA_BASE, 1), 1 << 20);
    memset(bytes_at(&nests, nests.rank->near_low, nests.rank->near_end - nests.rank->near_low), 0xee,
           nests.rank->near_end - nests.rank->near_low);
    bytes_at(&nests, nests.rank->data_base, 1); /* makes the rank leave its nest */
    for (uint32_t i = 0; i < RANKS; i += 2) {
        VmRank *other = vm_world_rank(nests.world, i);
        const uint8_t *bytes = vm_rank_read(other, other->near_low, other->near_end - other->near_low);
        for (uint64_t at = 0; at < other->near_end - other->near_low; at++)
            cr_assert_neq(bytes[at], 0xee);
    }
    close_nests(&nests);
}

static void run_and_look(int frame, uint64_t address, bool nested)
{
    Nests nests;
    open_nests(&nests, program(frame, address, 0x1234), 1 << 20);
    vm_rank_sbrk(nests.rank, HEAP_BYTES);
    VmStop stop = vm_rank_run(nests.rank, 100);
    cr_assert(stop == VM_STOP_EXITED || stop == VM_STOP_QUANTUM, "%d", stop);
    cr_expect_eq(nests.rank->nested, nested, "frame of %d, access to 0x%lx", frame, address);
    close_nests(&nests);
}

Test(nest, a_program_leaves_it_for_a_large_frame_or_a_far_access)
{
    const uint64_t data = VCODE_DATA_BASE;
    run_and_look(16, data, true);
    run_and_look(2048, data, false);
    run_and_look(16, data + 4096, false);
    run_and_look(16, data - 4096, false);
}

Test(nest, the_stack_ends_where_it_ends)
{
    Nests nests;
    open_nests(&nests, program(65536 + VM_PAGE, VCODE_DATA_BASE, 1), 65536);
    cr_assert_eq(vm_rank_run(nests.rank, 100), VM_STOP_FAULT);
    cr_expect_eq(vm_rank_fault_info(nests.rank)->kind, VM_FAULT_STACK_OVERFLOW);
    close_nests(&nests);
}
