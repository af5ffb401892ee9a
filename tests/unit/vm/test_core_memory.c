/* test_core_memory.c - address spaces: which bytes may be accessed and which fault; isolation; the end of the heap;
 * worlds too large for the host; clocks.
 */
#include "assembler.h"

#include <sys/mman.h>
#include <unistd.h>

enum { DATA = 0x20000, STACK = 0x30000, HEAP = 0x130000 }; /* addresses with the stack of 1 MiB that run_open() gives */

/* Makes a program with one access: op at `address` (plus a register in the indexed forms). It puts the result. */
static VcodeModule *access_program(VcodeOp op, uint64_t address)
{
    Asm a;
    asm_open(&a);
    memcpy(vcode_push_many(a.module, rodata, 16), "constant text!!", 16);
    memset(vcode_push_many(a.module, data, 8), 0x81, 8);
    a.module->bss_bytes = 64;
    asm_function(&a, "main", 0, 5);
    asm_rk(&a, 1, address);
    asm_rk(&a, 2, UINT64_C(0x8877665544332211));
    asm_i(&a, op, 0, 2, 1,
          vcode_op_info[op].form == VCODE_FORM_LOADX || vcode_op_info[op].form == VCODE_FORM_STOREX ? 3 : 0);
    asm_rrr(&a, VCODE_MOV, 4, 2, 0);
    asm_callx(&a, "put", 4, 1);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    return asm_close(&a);
}

static void check_access(VcodeOp op, uint64_t address, VmFaultKind kind, uint64_t value)
{
    Run run;
    run_open(&run, access_program(op, address), 2);
    vm_rank_set_hook(vm_world_rank(run.world, 1), hook_go_on, NULL);
    for (uint32_t r = 0; r < 2; r++) {
        run.rank = vm_world_rank(run.world, r);
        VmStop stop = run_on(&run, 100);
        const VmFault *fault = vm_rank_fault_info(run.rank);
        cr_expect_eq(fault->kind, kind, "%s at 0x%lx: kind %d, not %d", vcode_op_info[op].mnemonic, address,
                     fault->kind, kind);
        if (kind == VM_FAULT_NONE) {
            cr_assert_eq(stop, VM_STOP_EXITED);
            cr_expect_eq(run_put(&run, r)->value, value, "%s at 0x%lx gave 0x%lx", vcode_op_info[op].mnemonic, address,
                         run_put(&run, r)->value);
        } else {
            cr_expect_eq(fault->address, address);
            cr_expect_eq(fault->pc, 2);
            cr_expect_eq(fault->signal, 11);
        }
    }
    run_close(&run);
}

Test(memory, loads_widen)
{
    const uint64_t stored = UINT64_C(0x8877665544332211);
    check_access(VCODE_LD8S, DATA, VM_FAULT_NONE, UINT64_C(0xffffffffffffff81));
    check_access(VCODE_LD8U, DATA, VM_FAULT_NONE, 0x81);
    check_access(VCODE_LD16S, DATA, VM_FAULT_NONE, UINT64_C(0xffffffffffff8181));
    check_access(VCODE_LD16U, DATA, VM_FAULT_NONE, 0x8181);
    check_access(VCODE_LD32S, DATA, VM_FAULT_NONE, UINT64_C(0xffffffff81818181));
    check_access(VCODE_LD32U, DATA, VM_FAULT_NONE, 0x81818181);
    check_access(VCODE_LD64, DATA, VM_FAULT_NONE, UINT64_C(0x8181818181818181));
    check_access(VCODE_LD64, DATA + 4, VM_FAULT_NONE, 0x81818181); /* unaligned, into bss */
    check_access(VCODE_LDX16U, DATA + 8, VM_FAULT_NONE, 0);
    check_access(VCODE_LD32U, VCODE_RODATA_BASE, VM_FAULT_NONE, 0x736e6f63);
    check_access(VCODE_ST64, DATA, VM_FAULT_NONE, stored);
}

/* The private interval and the constants end exactly where they should, for every access size. */
Test(memory, edges)
{
    static const struct {
        VcodeOp load, store;
        unsigned size;
    } sizes[] = {{VCODE_LD8U, VCODE_ST8, 1},     {VCODE_LD16U, VCODE_ST16, 2}, {VCODE_LD32U, VCODE_ST32, 4},
                 {VCODE_LD64, VCODE_ST64, 8},    {VCODE_LDX8U, VCODE_STX8, 1}, {VCODE_LDX16U, VCODE_STX16, 2},
                 {VCODE_LDX32U, VCODE_STX32, 4}, {VCODE_LDX64, VCODE_STX64, 8}};
    const uint64_t stored = UINT64_C(0x8877665544332211);
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        unsigned size = sizes[i].size;
        check_access(sizes[i].load, HEAP - 16 - size, VM_FAULT_NONE, 0);
        check_access(sizes[i].store, HEAP - size, VM_FAULT_NONE, stored);
        check_access(sizes[i].store, HEAP - size + 1, VM_FAULT_WILD_WRITE, 0);
        check_access(sizes[i].load, HEAP - size + 1, VM_FAULT_WILD_READ, 0);
        check_access(sizes[i].load, DATA - 1, VM_FAULT_WILD_READ, 0);
        check_access(sizes[i].store, DATA - 1, VM_FAULT_WILD_WRITE, 0);
        check_access(sizes[i].load, VCODE_RODATA_BASE - 1, VM_FAULT_NULL_POINTER, 0);
        check_access(sizes[i].load, VCODE_RODATA_BASE + 16 - size + 1, VM_FAULT_WILD_READ, 0);
        check_access(sizes[i].store, VCODE_RODATA_BASE, VM_FAULT_READ_ONLY, 0);
        check_access(sizes[i].load, 0, VM_FAULT_NULL_POINTER, 0);
        check_access(sizes[i].store, 8, VM_FAULT_NULL_POINTER, 0);
        check_access(sizes[i].load, UINT64_MAX, VM_FAULT_WILD_READ, 0);
        check_access(sizes[i].store, UINT64_MAX - size + 1, VM_FAULT_WILD_WRITE, 0);
        check_access(sizes[i].load, VCODE_CODE_BASE, VM_FAULT_WILD_READ, 0);
        check_access(sizes[i].store, (uint64_t)1 << 63, VM_FAULT_WILD_WRITE, 0);
    }
}

/* As in linked programs, the stack is below the data and the heap after bss. It is all one interval, exact to the
 * byte. */
Test(memory, stack_below_the_data)
{
    const uint64_t data = VCODE_DATA_BASE, heap = data + 80, low = data / VM_PAGE * VM_PAGE - (1 << 20);
    VcodeModule *m = access_program(VCODE_LD8U, data);
    m->data_base = data;
    m->bss_bytes = 72;
    Run run;
    run_open(&run, m, 3);
    VmRank *rank = vm_world_rank(run.world, 2);
    cr_assert_eq(vm_rank_heap_start(rank), heap);
    cr_assert_eq(vm_rank_errno_address(rank), data - 16);
    cr_assert_not_null(vm_rank_write(rank, low, heap - low));
    cr_assert_null(vm_rank_write(rank, low - 1, 1));
    cr_assert_null(vm_rank_write(rank, heap, 1));
    cr_assert_null(vm_rank_read(rank, 0, 1));
    cr_assert_eq(vm_rank_sbrk(rank, 5000), heap);
    memset(vm_rank_write(rank, low, heap + 5000 - low), 1, heap + 5000 - low);
    cr_assert_eq(vm_rank_sbrk(rank, -5000), heap + 5000);
    cr_assert_eq(vm_rank_sbrk(rank, 5000), heap);
    cr_assert_eq(*(const uint8_t *)vm_rank_read(rank, heap, 1), 0);
    cr_assert_eq(*(const uint8_t *)vm_rank_read(run.rank, data, 1), 0x81, "another rank's memory");
    run_close(&run);
}

/* bcopy behaves like memmove, across the kinds of memory. A size of 0 touches nothing. */
static void check_block(uint64_t to, uint64_t from, unsigned bytes, bool zero, VmFaultKind kind)
{
    Asm a;
    asm_open(&a);
    memcpy(vcode_push_many(a.module, rodata, 16), "constant text!!", 16);
    memcpy(vcode_push_many(a.module, data, 16), "0123456789abcdef", 16);
    asm_function(&a, "main", 0, 3);
    asm_rk(&a, 1, to);
    asm_rk(&a, 2, from);
    asm_i(&a, zero ? VCODE_BZERO : VCODE_BCOPY, bytes >> 16, 1, zero ? 0 : 2, (int)(bytes & 0xffff));
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open(&run, asm_close(&a), 1);
    VmStop stop = run_on(&run, 100);
    cr_expect_eq(stop, kind ? VM_STOP_FAULT : VM_STOP_EXITED);
    cr_expect_eq(vm_rank_fault_info(run.rank)->kind, kind, "to 0x%lx from 0x%lx: %d", to, from,
                 vm_rank_fault_info(run.rank)->kind);
    if (!kind && to == DATA + 4 && from == DATA)
        cr_expect_arr_eq(vm_rank_read(run.rank, DATA, 16), "012301234567cdef", 16);
    if (!kind && from == VCODE_RODATA_BASE)
        cr_expect_arr_eq(vm_rank_read(run.rank, to, bytes), "constant text!!", bytes);
    run_close(&run);
}

Test(memory, blocks)
{
    check_block(DATA + 4, DATA, 8, false, VM_FAULT_NONE);
    check_block(DATA, VCODE_RODATA_BASE, 16, false, VM_FAULT_NONE);
    check_block(DATA, VCODE_RODATA_BASE, 17, false, VM_FAULT_WILD_READ);
    check_block(VCODE_RODATA_BASE, DATA, 1, false, VM_FAULT_READ_ONLY);
    check_block(0, DATA, 4, false, VM_FAULT_NULL_POINTER);
    check_block(0, 0, 0, false, VM_FAULT_NONE);
    check_block(HEAP - 100, DATA, 100, false, VM_FAULT_NONE);
    check_block(HEAP - 99, DATA, 100, false, VM_FAULT_WILD_WRITE);
    check_block(DATA, 0, (1 << 24) - 1, true, VM_FAULT_WILD_WRITE);
    check_block(DATA, 0, 65536 + 3, true, VM_FAULT_NONE);
    check_block(0, 0, 1, true, VM_FAULT_NULL_POINTER);
}

/* -- the interface for those above ------------------------------------------------------------- */

Test(memory, reading_and_writing_from_outside)
{
    Run run;
    run_open(&run, access_program(VCODE_LD8U, DATA), 1);
    VmRank *rank = run.rank;
    cr_assert_eq(run_on(&run, 100), VM_STOP_EXITED);
    cr_assert_str_eq(vm_rank_string(rank, VCODE_RODATA_BASE), "constant text!!");
    cr_assert_str_eq(vm_rank_string(rank, VCODE_RODATA_BASE + 9), "text!!");
    cr_assert_null(vm_rank_string(rank, 0));
    cr_assert_null(vm_rank_string(rank, VCODE_RODATA_BASE + 16));
    cr_assert_null(vm_rank_write(rank, VCODE_RODATA_BASE, 1));
    cr_assert_not_null(vm_rank_read(rank, VCODE_RODATA_BASE, 16));
    cr_assert_null(vm_rank_read(rank, VCODE_RODATA_BASE, 17));
    cr_assert_not_null(vm_rank_read(rank, 0, 0));
    cr_assert_not_null(vm_rank_write(rank, DATA, HEAP - DATA));
    cr_assert_null(vm_rank_write(rank, DATA, HEAP - DATA + 1));
    cr_assert_null(vm_rank_write(rank, DATA, UINT64_MAX));
    cr_assert_null(vm_rank_read(rank, UINT64_MAX, 2));
    memset(vm_rank_write(rank, HEAP - 8, 8), 'x', 8);
    cr_assert_null(vm_rank_string(rank, HEAP - 8), "no end before memory ends");
    run_close(&run);
}

Test(memory, heap_end_moves)
{
    Run run;
    run_open(&run, access_program(VCODE_LD8U, DATA), 1);
    VmRank *rank = run.rank;
    cr_assert_eq(vm_rank_heap_start(rank), HEAP);
    cr_assert_null(vm_rank_write(rank, HEAP, 1));
    cr_assert_eq(vm_rank_sbrk(rank, 10000), HEAP);
    memset(vm_rank_write(rank, HEAP, 10000), 7, 10000);
    cr_assert_null(vm_rank_write(rank, HEAP + 10000, 1));
    cr_assert_eq(vm_rank_sbrk(rank, -9000), HEAP + 10000);
    cr_assert_null(vm_rank_read(rank, HEAP + 1000, 1));
    cr_assert_eq(vm_rank_sbrk(rank, 9000), HEAP + 1000);
    const uint8_t *bytes = vm_rank_read(rank, HEAP, 10000);
    for (unsigned i = 0; i < 10000; i++)
        cr_assert_eq(bytes[i], i < 1000 ? 7 : 0, "byte %u", i);
    cr_assert_eq(vm_rank_sbrk(rank, -10001), 0, "not below the heap's start");
    cr_assert_eq(vm_rank_sbrk(rank, INT64_MAX), 0);
    cr_assert_eq(vm_rank_sbrk(rank, INT64_MIN), 0);
    cr_assert_eq(vm_rank_sbrk(rank, 0), HEAP + 10000);
    run_close(&run);
}

/* The very next instruction sees a heap that an extern has moved. */
Test(memory, heap_grows_under_the_loop)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 5);
    asm_imm(&a, VCODE_MOVI, 0, 1, 64);
    asm_callx(&a, "grow", 1, 1);
    asm_imm(&a, VCODE_MOVI, 0, 2, 99);
    asm_i(&a, VCODE_ST64, 0, 2, 1, 56);
    asm_i(&a, VCODE_LD64, 0, 3, 1, 56);
    asm_callx(&a, "put", 3, 1);
    asm_i(&a, VCODE_ST8, 0, 2, 1, 64);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 100), VM_STOP_FAULT);
    cr_assert_eq(run_put(&run, 0)->value, 99);
    cr_assert_eq(vm_rank_fault_info(run.rank)->pc, 6);
    cr_assert(strstr(vm_rank_fault_info(run.rank)->reason, "heap"));
    run_close(&run);
}

/* Every rank writes its number everywhere in its memory, and no rank sees another's. */
Test(memory, ranks_are_isolated)
{
    enum { RANKS = 40 };
    Run run;
    run_open(&run, access_program(VCODE_LD8U, DATA), RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        VmRank *rank = vm_world_rank(run.world, r);
        cr_assert_eq(vm_rank_sbrk(rank, 5000), HEAP);
        memset(vm_rank_write(rank, DATA, HEAP + 5000 - DATA), (int)r + 1, HEAP + 5000 - DATA);
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        const uint8_t *bytes = vm_rank_read(vm_world_rank(run.world, r), DATA, HEAP + 5000 - DATA);
        for (uint32_t i = 0; i < HEAP + 5000 - DATA; i += 97)
            cr_assert_eq(bytes[i], r + 1);
    }
    run_close(&run);
}

/* -- starting ---------------------------------------------------------------------------------- */

Test(worlds, arguments_and_environment)
{
    static const char *const argv[] = {"prog", "-x", "", NULL}, *const envp[] = {"HOME=/", NULL};
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 3, 5);
    asm_i(&a, VCODE_LD64, 0, 3, 1, 8); /* argv[1] */
    asm_i(&a, VCODE_LD8U, 0, 3, 3, 1); /* 'x' */
    asm_rrr(&a, VCODE_ADD_L, 3, 3, 0);
    asm_r(&a, VCODE_RET, 3);
    VcodeModule *m = asm_close(&a);
    g_autoptr(GError) error = NULL;
    VmImage *image = vm_image_new(m, NULL, 0, NULL, &error);
    VmWorld *world = vm_world_new(1, NULL, NULL, &error);
    cr_assert(vm_world_start(world, 0, image, argv, envp, 1, &error));
    VmRank *rank = vm_world_rank(world, 0);
    uint64_t args[3], pointers[6];
    memcpy(args, vm_rank_frame(rank, 0).registers, sizeof args);
    cr_assert_eq(args[0], 3);
    memcpy(pointers, vm_rank_read(rank, args[1], sizeof pointers), sizeof pointers);
    cr_assert_str_eq(vm_rank_string(rank, pointers[0]), "prog");
    cr_assert_str_eq(vm_rank_string(rank, pointers[2]), "");
    cr_assert_eq(pointers[3], 0);
    cr_assert_eq(args[2], args[1] + 32);
    cr_assert_str_eq(vm_rank_string(rank, pointers[4]), "HOME=/");
    cr_assert_eq(pointers[5], 0);
    cr_assert_not_null(vm_rank_write(rank, vm_rank_errno_address(rank), 4));
    cr_assert_eq(vm_rank_errno_address(rank) % 4, 0);
    cr_assert_eq(vm_rank_frame(rank, 0).frame_base % 16, 0);
    cr_assert_eq(vm_rank_run(rank, 100), VM_STOP_EXITED);
    cr_assert_eq(vm_rank_exit_status(rank), 'x' + 3);
    vm_world_free(world);
    vm_image_unref(image);
}

Test(worlds, impossible_counts_are_refused)
{
    static const uint32_t counts[] = {0, UINT32_MAX, 100000000};
    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(GError) error = NULL;
        cr_assert_null(vm_world_new(counts[i], NULL, NULL, &error));
        cr_assert(error && error->domain == VM_ERROR && error->code == VM_ERROR_MEMORY);
    }
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = UINT64_C(1) << 45;
    g_autoptr(GError) error = NULL;
    cr_assert_null(vm_world_new(64, &limits, NULL, &error));
    cr_assert(strstr(error->message, "stack"), "%s", error->message);
}

Test(worlds, static_data_that_does_not_fit_is_refused)
{
    Asm a;
    asm_open(&a);
    a.module->bss_bytes = UINT64_C(1) << 38;
    asm_function(&a, "main", 0, 1);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    g_autoptr(GError) error = NULL;
    VmImage *image = vm_image_new(asm_close(&a), NULL, 0, NULL, &error);
    cr_assert(image);
    VmWorld *world = vm_world_new(4, NULL, NULL, &error);
    cr_assert(world);
    cr_assert_not(vm_world_start(world, 0, image, NULL, NULL, 1, &error));
    cr_assert(error && error->code == VM_ERROR_MEMORY);
    vm_world_free(world);
    vm_image_unref(image);
}

/* Pages of zeros in the initialised data stay uncommitted until touched, as do stack and heap. */
Test(worlds, a_rank_that_does_little_costs_little)
{
    enum { RANKS = 2000, DATA_BYTES = 100 * VM_PAGE };
    Asm a;
    asm_open(&a);
    uint8_t *data = vcode_push_many(a.module, data, DATA_BYTES);
    data[50 * VM_PAGE] = 1;
    asm_function(&a, "main", 0, 1);
    asm_imm(&a, VCODE_ENTER, 0, 0, 64);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open(&run, asm_close(&a), RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        cr_assert_eq(vm_rank_run(vm_world_rank(run.world, r), 1000), VM_STOP_EXITED);
    unsigned char resident[(DATA_BYTES + (1 << 20) + 0x10000) / VM_PAGE];
    unsigned pages = 0;
    cr_assert_eq(mincore(run.rank->memory + run.rank->data_base, sizeof resident * VM_PAGE, resident), 0);
    for (unsigned i = 0; i < sizeof resident; i++)
        pages += resident[i] & 1;
    cr_assert_leq(pages, 2, "one page of data, one of stack, but %u", pages);
    run_close(&run);
}

/* Stack, data, bss and the beginning of the heap of a small program share a page. */
Test(worlds, a_small_program_takes_one_page)
{
    VcodeModule *m = access_program(VCODE_LD8U, VCODE_DATA_BASE);
    m->data_base = VCODE_DATA_BASE;
    Run run;
    run_open(&run, m, 100);
    cr_assert_eq(vm_rank_run(run.rank, 1000), VM_STOP_EXITED);
    cr_assert_eq(vm_rank_sbrk(run.rank, 1000), vm_rank_heap_start(run.rank));
    memset(vm_rank_write(run.rank, vm_rank_heap_start(run.rank), 1000), 1, 1000);
    unsigned char resident[(1 << 20) / VM_PAGE + 1];
    unsigned pages = 0;
    cr_assert_eq(mincore(run.rank->memory + run.rank->data_base, sizeof resident * VM_PAGE, resident), 0);
    for (unsigned i = 0; i < sizeof resident; i++)
        pages += resident[i] & 1;
    cr_assert_eq(pages, 1, "%u", pages);
    run_close(&run);
}

/* Programs may mention a missing extern. Only a call of it is a fault, which names it. */
Test(worlds, a_missing_extern_is_named_when_it_is_called)
{
    static const char *const names[] = {NULL, "no_such_thing", "fork"};
    static const char *const reasons[] = {NULL, "neither the program nor Orrery has this function",
                                          "cannot start processes"};
    for (unsigned called = 0; called < G_N_ELEMENTS(names); called++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 1);
        if (called)
            asm_callx(&a, names[called], 0, 0);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        asm_function(&a, "unused", 0, 1);
        asm_callx(&a, "nor_this", 0, 0);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1000), called ? VM_STOP_FAULT : VM_STOP_EXITED);
        const VmFault *fault = called ? vm_rank_fault_info(run.rank) : NULL;
        cr_expect(!called || fault->kind == VM_FAULT_LIBRARY);
        cr_expect(!called || (g_str_has_prefix(fault->reason, names[called]) && strstr(fault->reason, reasons[called])),
                  "%s", fault->reason);
        run_close(&run);
    }
}

Test(worlds, released_ranks_are_out_of_reach)
{
    Run run;
    run_open(&run, access_program(VCODE_LD8U, DATA), 2);
    VmRank *running = vm_world_rank(run.world, 1);
    run_on(&run, 100);
    vm_world_release_rank(run.rank);
    vm_world_release_rank(run.rank);
    vm_world_release_rank(running); /* before it ended */
    cr_assert_null(vm_rank_read(run.rank, DATA, 1));
    cr_assert_eq(vm_rank_depth(run.rank), 0);
    cr_assert_eq(vm_rank_run(running, 100), VM_STOP_EXITED);
    run_close(&run);
}

/* -- externs that end the process; faults of the library --------------------------------------- */

Test(worlds, externs_exit_and_fail)
{
    for (int fail = 0; fail < 2; fail++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 2);
        asm_imm(&a, VCODE_MOVI, 0, 1, 7);
        asm_callx(&a, fail ? "fail" : "leave", 1, 1);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1), fail ? VM_STOP_FAULT : VM_STOP_EXITED);
        if (fail)
            cr_assert_str_eq(vm_rank_fault_info(run.rank)->reason, "fail was called");
        else
            cr_assert_eq(vm_rank_exit_status(run.rank), 7);
        cr_assert_eq(vm_rank_frame(run.rank, 0).pc, 1);
        run_close(&run);
    }
}

/* -- clocks ------------------------------------------------------------------------------------ */

Test(clocks, exact_in_128_bits)
{
    /* 3 GHz is 333 1/3 ps: after 3 * 10^15 cycles the rounding error of a double would show. */
    uint64_t period = (uint64_t)(((unsigned __int128)1000 << 32) / 3);
    VmClock clock = {.base_ps = 5, .cycles = UINT64_C(3000000000000000) << 8, .period_q32 = period};
    unsigned __int128 expected = ((unsigned __int128)UINT64_C(3000000000000000) * period) >> 32;
    cr_assert_eq(vm_clock_now(&clock), 5 + (uint64_t)expected);
    clock = (VmClock){.cycles = UINT64_MAX, .period_q32 = UINT64_C(100) << 32};
    cr_assert_eq(vm_clock_now(&clock), (uint64_t)(((unsigned __int128)UINT64_MAX * 100) >> 8));
}

Test(clocks, rounding_down_and_anchors)
{
    VmClock clock = {.period_q32 = UINT64_C(1) << 31}; /* half a picosecond */
    clock.cycles = 1 << 8;
    cr_assert_eq(vm_clock_now(&clock), 0);
    clock.cycles = 2 << 8;
    cr_assert_eq(vm_clock_now(&clock), 1);
    clock.cycles = 3 << 8;
    vm_clock_set(&clock, 100);
    cr_assert_eq(vm_clock_now(&clock), 100);
    clock.cycles += 1 << 8;
    cr_assert_eq(vm_clock_now(&clock), 100);
    clock.cycles += 1 << 8;
    cr_assert_eq(vm_clock_now(&clock), 101);
}

Test(clocks, division_faults)
{
    static const struct {
        VcodeOp op;
        uint64_t b, c;
        VmFaultKind kind;
    } cases[] = {
        {VCODE_DIV_W, 1, 0, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_DIV_UW, 1, 0, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_DIV_L, 1, 0, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_DIV_UL, 1, 0, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_MOD_W, 1, 0, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_MOD_UL, 1, 0, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_DIV_W, (uint64_t)INT32_MIN, UINT64_MAX, VM_FAULT_DIVIDE_OVERFLOW},
        {VCODE_MOD_W, (uint64_t)INT32_MIN, UINT64_MAX, VM_FAULT_DIVIDE_OVERFLOW},
        {VCODE_DIV_L, (uint64_t)INT64_MIN, UINT64_MAX, VM_FAULT_DIVIDE_OVERFLOW},
        {VCODE_MOD_L, (uint64_t)INT64_MIN, UINT64_MAX, VM_FAULT_DIVIDE_OVERFLOW},
        /* not canonical, as damaged code may produce it: only the low half counts */
        {VCODE_DIV_UW, 1, UINT64_C(1) << 32, VM_FAULT_DIVIDE_BY_ZERO},
        {VCODE_DIV_W, UINT64_C(0x180000000), UINT64_C(0xffffffff), VM_FAULT_DIVIDE_OVERFLOW},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 4);
        asm_rk(&a, 1, cases[i].b);
        asm_rk(&a, 2, cases[i].c);
        asm_rrr(&a, cases[i].op, 3, 1, 2);
        asm_r(&a, VCODE_RET, 3);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1), VM_STOP_FAULT);
        cr_assert_eq(vm_rank_fault_info(run.rank)->kind, cases[i].kind, "case %u", i);
        cr_assert_eq(vm_rank_fault_info(run.rank)->signal, 8);
        cr_assert_eq(vm_rank_fault_info(run.rank)->pc, 2);
        run_close(&run);
    }
}
