/* test_threads.c - several threads in a rank: each has its clock, frames, stack and requests; they share the rest. */
#include "assembler.h"

#include "vm/rank/rank.h"

enum { WORKER = 1, DEEP = 2, BYTES = 65536 };

/* main: r0 = ask(1); put(r0); return r0
 * worker(x): stores x on its stack, r1 = ask(x), loads x again, put(x + r1), ask(0), and loops for ever */
static VcodeModule *program(void)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_imm(&a, VCODE_MOVI, 0, 0, 1);
    asm_callx(&a, "ask", 0, 1);
    asm_callx(&a, "put", 0, 1);
    asm_imm(&a, VCODE_MOVI, 0, 0, 3);
    asm_r(&a, VCODE_RET, 0);

    asm_function(&a, "worker", 1, 6);
    asm_imm(&a, VCODE_ENTER, 0, 1, 64);
    asm_i(&a, VCODE_ST64, 0, 0, 1, 8);
    asm_rrr(&a, VCODE_MOV, 3, 0, 0);
    asm_callx(&a, "ask", 3, 1);
    asm_i(&a, VCODE_LD64, 0, 2, 1, 8);
    asm_rrr(&a, VCODE_ADD_L, 3, 3, 2);
    asm_callx(&a, "put", 3, 1);
    unsigned again = asm_label(&a);
    asm_branch(&a, VCODE_JMP, 0, 0, again);
    asm_place(&a, again);
    asm_callx(&a, "ask", 3, 1);
    asm_branch(&a, VCODE_JMP, 0, 0, again);

    asm_function(&a, "deep", 1, 3); /* needs a page, and there are some bytes less */
    asm_imm(&a, VCODE_ENTER, 0, 1, VM_LEAST_STACK);
    asm_callx(&a, "ask", 0, 1);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

static uint32_t make(Run *run, uint64_t x, uint64_t start_ps)
{
    VmThreadStack stack = {vm_library_malloc(run->rank, BYTES), BYTES};
    return vm_thread_new(run->rank, VCODE_CODE_BASE + 16 * WORKER, &x, 1, stack, start_ps);
}

Test(threads, have_their_own_clocks_stacks_and_requests)
{
    for (uint64_t quantum = 1; quantum <= 1000; quantum *= 1000) {
        Run run;
        run_open(&run, program(), 1);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_REQUEST);
        uint64_t main_ps = vm_clock_now(vm_rank_clock(run.rank));
        uint32_t a = make(&run, 100, 5000), b = make(&run, 200, 7000);
        cr_expect_eq(a, 1);
        cr_expect_eq(b, 2);
        cr_expect_eq(vm_thread_count(run.rank), 3);
        cr_expect_eq(vm_thread_selected(run.rank), 0);
        cr_expect_eq(vm_rank_request(run.rank)->args[0], 1, "the request of main is still there");
        vm_thread_select(run.rank, b);
        cr_expect_eq(vm_clock_now(vm_rank_clock(run.rank)), 7000);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_REQUEST);
        cr_expect_eq(vm_rank_request(run.rank)->args[0], 200);
        vm_thread_select(run.rank, a);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_REQUEST);
        cr_expect_eq(vm_rank_request(run.rank)->args[0], 100);
        uint64_t a_ps = vm_clock_now(vm_rank_clock(run.rank));
        cr_expect_geq(a_ps, 5000);
        vm_thread_select(run.rank, b);
        vm_rank_complete(run.rank, 7);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_REQUEST);
        cr_expect_eq(run_put(&run, 0)->value, 207, "its own frame");
        vm_thread_select(run.rank, a);
        cr_expect_eq(vm_clock_now(vm_rank_clock(run.rank)), a_ps);
        vm_rank_complete(run.rank, 9);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_REQUEST);
        cr_expect_eq(run_put(&run, 1)->value, 109);
        vm_thread_select(run.rank, 0);
        cr_expect_eq(vm_clock_now(vm_rank_clock(run.rank)), main_ps);
        vm_rank_complete(run.rank, 11);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_EXITED);
        vm_thread_select(run.rank, b);
        vm_rank_complete(run.rank, 7);
        cr_expect_neq(run_on(&run, quantum), VM_STOP_EXITED, "others go on until the end takes effect");
        vm_thread_select(run.rank, 0);
        vm_rank_conclude(run.rank);
        cr_expect_eq(vm_rank_exit_status(run.rank), 3);
        vm_thread_select(run.rank, a);
        cr_expect_eq(run_on(&run, quantum), VM_STOP_EXITED, "the end of the process is that of its threads");
        run_close(&run);
    }
}

Test(threads, numbers_are_used_again)
{
    Run run;
    run_open(&run, program(), 1);
    cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
    for (int round = 0; round < 100; round++) {
        uint32_t a = make(&run, 1, 0), b = make(&run, 2, 0);
        cr_assert_eq(a, 1);
        cr_assert_eq(b, 2);
        vm_thread_select(run.rank, a);
        cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
        vm_thread_end(run.rank, a, 0);
        cr_assert_not(vm_thread_lives(run.rank, a));
        vm_thread_select(run.rank, b);
        cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
        vm_thread_end(run.rank, b, 0);
        cr_assert_eq(vm_thread_count(run.rank), 1);
    }
    run_close(&run);
}

Test(threads, bad_stacks_and_functions_are_refused)
{
    Run run;
    run_open(&run, program(), 1);
    cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
    uint64_t x = 0, stack = vm_library_malloc(run.rank, BYTES);
    uint64_t worker = VCODE_CODE_BASE + 16 * WORKER;
    cr_expect_eq(vm_thread_new(run.rank, worker, &x, 1, (VmThreadStack){stack, 100}, 0), VM_NO_THREAD);
    cr_expect_eq(vm_thread_new(run.rank, worker, &x, 1, (VmThreadStack){0, BYTES}, 0), VM_NO_THREAD);
    cr_expect_eq(vm_thread_new(run.rank, worker, &x, 1, (VmThreadStack){UINT64_MAX - 10, BYTES}, 0), VM_NO_THREAD);
    cr_expect_eq(vm_thread_new(run.rank, worker + 1, &x, 1, (VmThreadStack){stack, BYTES}, 0), VM_NO_THREAD);
    cr_expect_eq(vm_thread_count(run.rank), 1);
    run_close(&run);
}

Test(threads, a_stack_that_is_too_small_overflows)
{
    Run run;
    run_open(&run, program(), 1);
    cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
    uint64_t x = 0;
    VmThreadStack stack = {vm_library_malloc(run.rank, VM_LEAST_STACK), VM_LEAST_STACK};
    uint32_t thread = vm_thread_new(run.rank, VCODE_CODE_BASE + 16 * DEEP, &x, 1, stack, 0);
    cr_assert_neq(thread, VM_NO_THREAD);
    vm_thread_select(run.rank, thread);
    cr_assert_eq(run_on(&run, 1), VM_STOP_FAULT);
    cr_expect_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_STACK_OVERFLOW);
    run_close(&run);
}
