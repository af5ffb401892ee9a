/* test_core_access.c - access hooks: which accesses they see, in which order, what they may do, and that they do not
 * change the results of the program.
 */
#include "assembler.h"

enum { DATA = 0x20000 };

typedef struct Seen {
    uint64_t address, size;
    bool write;
    uint32_t pc;
    char who;
} Seen;

typedef struct Watcher {
    char who;
    GArray *seen;     /* of Seen */
    uint64_t charge;  /* cycles that each access costs */
    uint64_t refuses; /* address at which accesses are refused; 0: none */
} Watcher;

static bool watch(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user)
{
    Watcher *watcher = user;
    Seen seen = {address, size, write, rank->pc, watcher->who};
    g_array_append_val(watcher->seen, seen);
    vm_rank_charge(rank, watcher->charge << 8);
    if (address == watcher->refuses)
        vm_rank_fault(rank, VM_FAULT_LIBRARY, address, "refused");
    return address != watcher->refuses;
}

/* Ten times: loads a word (through a register index), stores it next to it, copies both by bcopy, clears them by bzero,
 * and copies once more by memcpy(). Puts the clock each time. */
static VcodeModule *accesses(void)
{
    Asm a;
    asm_open(&a);
    memset(vcode_push_many(a.module, data, 64), 0x81, 64);
    asm_function(&a, "main", 0, 10);
    asm_rk(&a, 1, DATA);
    asm_rk(&a, 2, 0);
    asm_rk(&a, 5, DATA + 32);
    unsigned top = asm_label(&a);
    asm_branch(&a, VCODE_FALL, 0, 0, top);
    asm_place(&a, top);
    asm_i(&a, VCODE_LDX32S, 2, 3, 1, 2);
    asm_i(&a, VCODE_ST16, 0, 3, 1, 4);
    asm_i(&a, VCODE_BCOPY, 0, 5, 1, 16);
    asm_i(&a, VCODE_BZERO, 0, 5, 0, 8);
    asm_rrr(&a, VCODE_MOV, 6, 5, 0);
    asm_rrr(&a, VCODE_MOV, 7, 1, 0);
    asm_rk(&a, 8, 12);
    asm_callx(&a, "memcpy", 6, 3);
    asm_rrr(&a, VCODE_MOV, 6, 3, 0);
    asm_callx(&a, "put", 6, 1);
    asm_rrr(&a, VCODE_ADDI_W, 2, 2, 1);
    asm_branch(&a, VCODE_BLTI, 2, 10, top);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    return asm_close(&a);
}

static void expect_seen(const GArray *seen, guint i, uint64_t address, uint64_t size, bool write, char who)
{
    cr_assert(i < seen->len, "only %u accesses were seen", seen->len);
    const Seen *s = &g_array_index(seen, Seen, i);
    cr_expect(s->address == address && s->size == size && s->write == write && s->who == who,
              "access %u: %s of %lu bytes at 0x%lx by %c", i, s->write ? "write" : "read", s->size, s->address, s->who);
}

Test(access, hooks_see_code_and_library_in_order)
{
    Watcher first = {.who = '1', .seen = g_array_new(FALSE, FALSE, sizeof(Seen))}, second = first;
    second.who = '2';
    Run run;
    run_open(&run, accesses(), 1);
    vm_rank_add_access_hook(run.rank, watch, &first);
    vm_rank_add_access_hook(run.rank, watch, &second);
    cr_assert_eq(run_on(&run, 1), VM_STOP_EXITED);
    cr_assert_eq(first.seen->len, 10 * 7 * 2);
    static const struct {
        uint64_t address, size;
        bool write;
    } expected[] = {{DATA + 4, 4, false}, {DATA + 4, 2, true}, {DATA, 16, false},    {DATA + 32, 16, true},
                    {DATA + 32, 8, true}, {DATA, 12, false},   {DATA + 32, 12, true}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) /* in the second iteration */
        for (guint who = 0; who < 2; who++)
            expect_seen(first.seen, 2 * (7 + i) + who, expected[i].address, expected[i].size, expected[i].write,
                        "12"[who]);
    run_close(&run);
    g_array_free(first.seen, TRUE);
}

static void run_watched(Watcher *watcher, uint64_t quantum, GArray *puts, uint64_t *cycles)
{
    Run run;
    run_open(&run, accesses(), 1);
    if (watcher)
        vm_rank_add_access_hook(run.rank, watch, watcher);
    cr_assert_eq(run_on(&run, quantum), VM_STOP_EXITED);
    g_array_append_vals(puts, run.trace->data, run.trace->len);
    *cycles = vm_rank_clock(run.rank)->cycles;
    run_close(&run);
}

Test(access, a_hook_that_charges_moves_the_clock_by_that_and_nothing_else)
{
    Watcher idle = {.seen = g_array_new(FALSE, FALSE, sizeof(Seen))}, costly = {.seen = idle.seen, .charge = 1000};
    const uint64_t quanta[] = {1, 7, 1000000};
    for (guint q = 0; q < G_N_ELEMENTS(quanta); q++) {
        GArray *plain = g_array_new(FALSE, FALSE, sizeof(Put)), *watched = g_array_new(FALSE, FALSE, sizeof(Put));
        GArray *charged = g_array_new(FALSE, FALSE, sizeof(Put));
        uint64_t plain_cycles, watched_cycles, charged_cycles;
        run_watched(NULL, quanta[q], plain, &plain_cycles);
        run_watched(&idle, quanta[q], watched, &watched_cycles);
        run_watched(&costly, quanta[q], charged, &charged_cycles);
        cr_assert_eq(plain->len, 10);
        cr_expect_eq(plain_cycles, watched_cycles);
        cr_expect_arr_eq(plain->data, watched->data, plain->len * sizeof(Put));
        cr_expect_eq(charged_cycles, plain_cycles + (10 * 7 * UINT64_C(1000) << 8));
        for (guint i = 0; i < plain->len; i++)
            cr_expect_eq(g_array_index(charged, Put, i).cycles,
                         g_array_index(plain, Put, i).cycles + ((i + 1) * 7 * UINT64_C(1000) << 8));
        g_array_free(plain, TRUE);
        g_array_free(watched, TRUE);
        g_array_free(charged, TRUE);
    }
    g_array_free(idle.seen, TRUE);
}

/* The first hook that refuses ends the access: the next hook is not called, nothing is accessed, and the fault has the
 * pc. */
static void check_refusal(uint64_t address, uint32_t pc, guint asked)
{
    Watcher strict = {.who = '1', .seen = g_array_new(FALSE, FALSE, sizeof(Seen)), .refuses = address}, second = strict;
    second = (Watcher){.who = '2', .seen = g_array_new(FALSE, FALSE, sizeof(Seen))};
    Run run;
    run_open(&run, accesses(), 1);
    vm_rank_add_access_hook(run.rank, watch, &strict);
    vm_rank_add_access_hook(run.rank, watch, &second);
    cr_expect_eq(run_on(&run, 100), VM_STOP_FAULT);
    cr_expect_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_LIBRARY);
    cr_expect_eq(vm_rank_fault_info(run.rank)->pc, pc);
    cr_expect_eq(strict.seen->len, asked);
    cr_expect_eq(second.seen->len, asked - 1);
    cr_expect_eq(*(const uint8_t *)vm_rank_peek(run.rank, DATA + 32, 1), 0x81, "nothing was written");
    run_close(&run);
    g_array_free(strict.seen, TRUE);
    g_array_free(second.seen, TRUE);
}

Test(access, a_hook_that_refuses_is_a_fault_at_the_access)
{
    check_refusal(DATA, 4, 1);      /* the load */
    check_refusal(DATA + 4, 5, 2);  /* the store: the load was at DATA */
    check_refusal(DATA + 32, 6, 4); /* the target of bcopy */
}

Test(access, what_the_space_does_not_allow_is_not_asked)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 2);
    asm_rk(&a, 1, 8);
    asm_i(&a, VCODE_LD64, 0, 0, 1, 0);
    asm_r(&a, VCODE_RET, 0);
    Watcher watcher = {.seen = g_array_new(FALSE, FALSE, sizeof(Seen))};
    Run run;
    run_open(&run, asm_close(&a), 1);
    vm_rank_add_access_hook(run.rank, watch, &watcher);
    cr_expect_eq(run_on(&run, 100), VM_STOP_FAULT);
    cr_expect_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_NULL_POINTER);
    cr_expect_eq(watcher.seen->len, 0);
    cr_expect_null(vm_rank_read(run.rank, 0, 4));
    cr_expect_null(vm_rank_write(run.rank, VCODE_RODATA_BASE, 1));
    cr_expect_eq(watcher.seen->len, 0);
    cr_expect_not_null(vm_rank_peek(run.rank, run.rank->stack_low, 4));
    cr_expect_eq(watcher.seen->len, 0, "who looks from outside makes no access");
    cr_expect_not_null(vm_rank_read(run.rank, run.rank->stack_low, 4));
    expect_seen(watcher.seen, 0, run.rank->stack_low, 4, false, 0);
    run_close(&run);
    g_array_free(watcher.seen, TRUE);
}
