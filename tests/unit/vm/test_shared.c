/* test_shared.c - memory that ranks share: accesses take effect in the order of clocks, whatever the quantum and the
 * loop; what is no segment of a rank stays a fault; segments live as long as somebody has them. */
#include "assembler.h"

enum { RANKS = 3, TURNS = 200, WORDS = 4 };

/* Each rank does, TURNS times: shared[0] = 3 * shared[0] + its index + 1, clears shared[2..3] or copies shared[0] to
 * shared[1], and works for a time that depends on its index. It puts its last value, then shared[1]. */
static VcodeModule *program(void)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 10);
    asm_callx(&a, "ask", 1, 0);
    asm_rk(&a, 2, VCODE_SHARED_BASE);
    asm_rk(&a, 3, VCODE_SHARED_BASE + 8);
    asm_rk(&a, 4, VCODE_SHARED_BASE + 16);
    asm_imm(&a, VCODE_MOVI, 0, 0, TURNS);
    unsigned loop = asm_label(&a);
    asm_branch(&a, VCODE_JMP, 0, 0, loop);
    asm_place(&a, loop);
    asm_i(&a, VCODE_LD64, 0, 5, 2, 0);
    asm_rrr(&a, VCODE_MULI_L, 5, 5, 3);
    asm_rrr(&a, VCODE_ADD_L, 5, 5, 1);
    asm_rrr(&a, VCODE_ADDI_L, 5, 5, 1);
    asm_i(&a, VCODE_ST64, 0, 5, 2, 0);
    asm_i(&a, VCODE_BCOPY, 0, 3, 2, 8);
    asm_i(&a, VCODE_BZERO, 0, 4, 0, 16);
    asm_rrr(&a, VCODE_MULI_L, 6, 1, 7);
    asm_callx(&a, "work", 6, 1);
    asm_rrr(&a, VCODE_ADDI_L, 0, 0, -1);
    asm_branch(&a, VCODE_BGTI, 0, 0, loop);
    asm_rrr(&a, VCODE_MOV, 7, 5, 0);
    asm_callx(&a, "put", 7, 1);
    asm_i(&a, VCODE_LD64, 0, 7, 3, 0);
    asm_callx(&a, "put", 7, 1);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    return asm_close(&a);
}

/* Lets the ranks run in the order of their clocks, ready ranks before requests, as the machine does. */
static void drive(Run *run, uint32_t ranks, uint64_t quantum)
{
    bool asked[RANKS] = {false}, ended[RANKS] = {false};
    for (;;) {
        uint32_t next = ranks;
        for (uint32_t i = 0; i < ranks; i++) {
            const VmRank *rank = vm_world_rank(run->world, i), *best = vm_world_rank(run->world, MIN(next, ranks - 1));
            uint64_t now = rank->clock.cycles, then = best->clock.cycles;
            if (!ended[i] && (next == ranks || now < then || (now == then && !asked[i] && asked[next])))
                next = i;
        }
        if (next == ranks)
            return;
        VmRank *rank = vm_world_rank(run->world, next);
        if (asked[next] && vm_rank_request(rank)->in_order)
            cr_assert_eq(vm_rank_perform(rank), VM_STOP_QUANTUM);
        else if (asked[next])
            vm_rank_complete(rank, next);
        VmStop stop = asked[next] ? VM_STOP_QUANTUM : vm_rank_run(rank, quantum);
        asked[next] = stop == VM_STOP_REQUEST;
        ended[next] = stop == VM_STOP_EXITED;
        cr_assert(stop == VM_STOP_QUANTUM || asked[next] || ended[next], "%s", rank->fault.reason);
    }
}

static uint64_t *share(Run *run, uint32_t ranks)
{
    VmSegment *segment = vm_shared_new(run->rank, WORDS * 8);
    cr_assert_eq(vm_shared_address(segment), VCODE_SHARED_BASE);
    for (uint32_t i = 0; i < ranks; i++)
        vm_shared_attach(vm_world_rank(run->world, i), segment, 0);
    vm_shared_drop(segment);
    return vm_rank_write(run->rank, VCODE_SHARED_BASE, WORDS * 8);
}

static bool charge(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user)
{
    (void)address, (void)size, (void)write;
    if (user)
        vm_rank_charge(rank, 700);
    return true;
}

typedef enum Watched { NOBODY, A_HOOK, ACCESSES } Watched;

/* Returns what the ranks put, with their clocks. */
static GArray *outcome(uint64_t quantum, Watched watched, uint64_t *words)
{
    Run run;
    run_open(&run, program(), RANKS);
    const uint64_t *shared = share(&run, RANKS);
    for (uint32_t i = 0; i < RANKS; i++) {
        if (watched == A_HOOK)
            vm_rank_set_hook(vm_world_rank(run.world, i), hook_go_on, NULL);
        if (watched == ACCESSES)
            vm_rank_add_access_hook(vm_world_rank(run.world, i), charge, NULL);
    }
    drive(&run, RANKS, quantum);
    memcpy(words, shared, WORDS * 8);
    GArray *trace = g_array_copy(run.trace);
    run_close(&run);
    return trace;
}

static int by_rank(gconstpointer a, gconstpointer b)
{
    const Put *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

Test(shared, neither_quantum_nor_loop_shows)
{
    uint64_t expected[WORDS], words[WORDS];
    g_autoptr(GArray) first = outcome(1, NOBODY, expected);
    g_array_sort(first, by_rank);
    cr_assert_eq(first->len, 2 * RANKS);
    cr_assert_neq(expected[0], 0);
    cr_assert_eq(expected[1], expected[0]);
    const uint64_t quanta[] = {2, 7, 100, 1000, 1000000};
    for (size_t i = 0; i < G_N_ELEMENTS(quanta); i++)
        for (Watched watched = NOBODY; watched <= ACCESSES; watched++) {
            g_autoptr(GArray) trace = outcome(quanta[i], watched, words);
            g_array_sort(trace, by_rank);
            cr_expect_arr_eq(words, expected, sizeof words, "quantum %lu, watched %d", quanta[i], watched);
            cr_expect_eq(trace->len, first->len);
            cr_expect_arr_eq(trace->data, first->data, first->len * sizeof(Put), "quantum %lu, watched %d", quanta[i],
                             watched);
        }
}

/* A hook that charges for accesses moves the clock in the middle of an instruction. */
Test(shared, hooks_may_charge)
{
    Run run;
    run_open(&run, program(), 2);
    share(&run, 2);
    for (uint32_t i = 0; i < 2; i++)
        vm_rank_add_access_hook(vm_world_rank(run.world, i), charge, &run);
    drive(&run, 2, 1000);
    cr_expect_eq(run.trace->len, 4);
    run_close(&run);
}

Test(shared, only_ranks_that_have_it_may_access_it)
{
    Run run;
    run_open(&run, program(), 2);
    VmSegment *segment = vm_shared_new(run.rank, 10);
    VmRank *other = vm_world_rank(run.world, 1);
    uint64_t at = vm_shared_address(segment), room;
    vm_shared_attach(run.rank, segment, 0);
    cr_expect(vm_rank_write(run.rank, at, 10));
    cr_expect(vm_rank_write(run.rank, at + 9, 1));
    cr_expect_null(vm_rank_write(run.rank, at, 11));
    cr_expect_null(vm_rank_write(run.rank, at + 10, 1));
    cr_expect_null(vm_rank_read(run.rank, at - 1, 2));
    cr_expect_null(vm_rank_read(other, at, 1));
    cr_expect(vm_memory_reach(run.rank, at + 4, &room));
    cr_expect_eq(room, 6);
    memset(vm_rank_write(run.rank, at, 10), 'x', 10);
    cr_expect_null(vm_rank_string(run.rank, at), "no zero before the end");
    memcpy(vm_rank_write(run.rank, at, 3), "ab", 3);
    cr_expect_str_eq(vm_rank_string(run.rank, at), "ab");
    vm_shared_attach(other, segment, 0);
    cr_expect_str_eq(vm_rank_string(other, at), "ab");
    vm_shared_drop(segment);
    vm_shared_detach(run.rank, segment, 0);
    cr_expect_null(vm_rank_read(run.rank, at, 1));
    cr_expect_str_eq(vm_rank_string(other, at), "ab");
    run_close(&run);
}

Test(shared, the_address_space_is_finite)
{
    Run run;
    run_open(&run, program(), 1);
    cr_expect_null(vm_shared_new(run.rank, UINT64_MAX));
    cr_expect_null(vm_shared_new(run.rank, VCODE_SHARED_BYTES));
    VmSegment *empty = vm_shared_new(run.rank, 0), *next = vm_shared_new(run.rank, 100);
    cr_expect_gt(vm_shared_address(next), vm_shared_address(empty) + 4096);
    vm_shared_drop(empty);
    vm_shared_drop(next);
    run_close(&run);
}

Test(shared, without_it_the_access_is_a_fault)
{
    Run run;
    run_open(&run, program(), 1);
    cr_assert_eq(run_on(&run, 1000), VM_STOP_REQUEST);
    vm_rank_complete(run.rank, 0);
    cr_assert_eq(run_on(&run, 1000), VM_STOP_FAULT);
    cr_expect_eq(run.rank->fault.kind, VM_FAULT_WILD_READ);
    run_close(&run);
}
