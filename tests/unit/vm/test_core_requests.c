/* test_core_requests.c - the interface to the layer that completes requests: results, order, nesting of upcalls and
 * requests to any depth. Neither the quantum nor the loop shows in results or clocks.
 */
#include "assembler.h"

enum { CALLBACK = 1, NESTED = 2, FAULTY = 3, LEAVER = 4, SPINNER = 5 };

/* main: r1 = ask(11, 22); put(r1); r1 = ask(33); put(r1); return 5, with locals that must survive.
 * callback(x, y): loops x times adding y, puts the sum, returns it
 * nested(x): if x > 0 then put(ask(x)); return x + 1000
 * faulty(): divides by zero     leaver(): exits 9     spinner(): endless loop */
static VcodeModule *program(void)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 8);
    asm_imm(&a, VCODE_MOVI, 0, 0, 12345);
    asm_imm(&a, VCODE_MOVI, 0, 4, 11);
    asm_imm(&a, VCODE_MOVI, 0, 5, 22);
    asm_callx(&a, "ask", 4, 2);
    asm_callx(&a, "put", 4, 1);
    asm_imm(&a, VCODE_MOVI, 0, 4, 33);
    asm_callx(&a, "ask", 4, 1);
    asm_callx(&a, "put", 4, 1);
    asm_rrr(&a, VCODE_MOV, 4, 0, 0);
    asm_callx(&a, "put", 4, 1);
    asm_imm(&a, VCODE_MOVI, 0, 1, 5);
    asm_r(&a, VCODE_RET, 1);

    asm_function(&a, "callback", 2, 5);
    unsigned loop = asm_label(&a), done = asm_label(&a);
    asm_branch(&a, VCODE_JMP, 0, 0, loop);
    asm_place(&a, loop);
    asm_branch(&a, VCODE_BLEI, 0, 0, done);
    asm_rrr(&a, VCODE_ADD_L, 2, 2, 1);
    asm_rrr(&a, VCODE_ADDI_L, 0, 0, -1);
    asm_branch(&a, VCODE_JMP, 0, 0, loop);
    asm_place(&a, done);
    asm_rrr(&a, VCODE_MOV, 3, 2, 0);
    asm_callx(&a, "put", 3, 1);
    asm_r(&a, VCODE_RET, 2);

    asm_function(&a, "nested", 1, 4);
    unsigned none = asm_label(&a);
    asm_imm(&a, VCODE_ENTER, 0, 3, 64);
    asm_branch(&a, VCODE_BLEI, 0, 0, none);
    asm_rrr(&a, VCODE_MOV, 1, 0, 0);
    asm_callx(&a, "ask", 1, 1);
    asm_callx(&a, "put", 1, 1);
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
    asm_place(&a, none);
    asm_rrr(&a, VCODE_ADDI_L, 1, 0, 1000);
    asm_r(&a, VCODE_RET, 1);

    asm_function(&a, "faulty", 0, 3);
    asm_imm(&a, VCODE_MOVI, 0, 0, 1);
    asm_rrr(&a, VCODE_DIV_W, 2, 0, 1);
    asm_r(&a, VCODE_RET, 2);

    asm_function(&a, "leaver", 0, 2);
    asm_imm(&a, VCODE_MOVI, 0, 0, 9);
    asm_callx(&a, "leave", 0, 1);
    asm_r(&a, VCODE_RET, 0);

    asm_function(&a, "spinner", 0, 1);
    unsigned again = asm_label(&a);
    asm_branch(&a, VCODE_JMP, 0, 0, again);
    asm_place(&a, again);
    asm_branch(&a, VCODE_JMP, 0, 0, again);
    return asm_close(&a);
}

static uint64_t address(unsigned function)
{
    return VCODE_CODE_BASE + UINT64_C(16) * function;
}

Test(requests, arguments_and_result)
{
    Run run;
    run_open(&run, program(), 1);
    cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
    const VmRequest *request = vm_rank_request(run.rank);
    cr_assert_str_eq(request->function->name, "ask");
    cr_assert_eq(request->n, 2);
    cr_assert_eq(request->args[0], 11);
    cr_assert_eq(request->args[1], 22);
    cr_assert_eq(vm_rank_run(run.rank, 1), VM_STOP_REQUEST, "an open request must not go away by itself");
    vm_rank_complete(run.rank, 77);
    cr_assert_eq(run_on(&run, 1), VM_STOP_REQUEST);
    cr_assert_eq(vm_rank_request(run.rank)->args[0], 33);
    vm_rank_complete(run.rank, 88);
    cr_assert_eq(run_on(&run, 1), VM_STOP_EXITED);
    cr_assert_null(vm_rank_request(run.rank));
    cr_assert_eq(vm_rank_exit_status(run.rank), 5);
    cr_assert_eq(run_put(&run, 0)->value, 77);
    cr_assert_eq(run_put(&run, 1)->value, 88);
    cr_assert_eq(run_put(&run, 2)->value, 12345);
    run_close(&run);
}

static VmStop upcall(Run *run, unsigned function, const uint64_t *args, unsigned n, uint64_t quantum)
{
    cr_assert(vm_rank_upcall(run->rank, address(function), args, n));
    return run_on(run, quantum);
}

/* Completes the two requests of main. The first has two upcalls inside, and the second of these nests `depth` deep. */
static void drive(Run *run, uint64_t quantum, uint64_t depth)
{
    cr_assert_eq(run_on(run, quantum), VM_STOP_REQUEST);
    cr_assert_eq(upcall(run, CALLBACK, (uint64_t[]){100, 7}, 2, quantum), VM_STOP_UPCALL_DONE);
    cr_assert_eq(vm_rank_upcall_result(run->rank), 700);
    cr_assert_eq(vm_rank_request(run->rank)->args[1], 22, "an upcall must leave the request's arguments alone");
    for (uint64_t x = depth; x > 0; x--) { /* every level makes a request, inside which the next level is called */
        cr_assert_eq(upcall(run, NESTED, &x, 1, quantum), VM_STOP_REQUEST);
        cr_assert_eq(vm_rank_request(run->rank)->args[0], x);
    }
    cr_assert_eq(vm_rank_depth(run->rank), 1 + depth);
    for (uint64_t x = 1; x <= depth; x++) {
        cr_assert_eq(upcall(run, CALLBACK, (uint64_t[]){x, x}, 2, quantum), VM_STOP_UPCALL_DONE);
        vm_rank_complete(run->rank, vm_rank_upcall_result(run->rank));
        cr_assert_eq(run_on(run, quantum), VM_STOP_UPCALL_DONE);
        cr_assert_eq(vm_rank_upcall_result(run->rank), 1000 + x);
    }
    vm_clock_set(vm_rank_clock(run->rank), vm_clock_now(vm_rank_clock(run->rank)) + 1000);
    vm_rank_complete(run->rank, 1);
    cr_assert_eq(run_on(run, quantum), VM_STOP_REQUEST);
    vm_rank_complete(run->rank, 2);
    cr_assert_eq(run_on(run, quantum), VM_STOP_EXITED);
}

Test(requests, upcalls_nest_and_no_quantum_shows)
{
    static const uint64_t quanta[] = {1, 7, 1000, 1000000000, UINT64_MAX};
    enum { DEPTH = 300 };
    Run first;
    run_open(&first, program(), 1);
    drive(&first, quanta[0], DEPTH);
    for (unsigned q = 0; q < 2 * G_N_ELEMENTS(quanta); q++) {
        Run run;
        run_open(&run, program(), 1);
        if (q % 2)
            vm_rank_set_hook(run.rank, hook_go_on, NULL);
        drive(&run, quanta[q / 2], DEPTH);
        cr_assert_eq(run.trace->len, first.trace->len);
        cr_assert_eq(memcmp(run.trace->data, first.trace->data, run.trace->len * sizeof(Put)), 0,
                     "values or clocks differ under quantum %lu", quanta[q / 2]);
        cr_assert_eq(vm_rank_clock(run.rank)->cycles, vm_rank_clock(first.rank)->cycles);
        cr_assert_eq(vm_clock_now(vm_rank_clock(run.rank)), vm_clock_now(vm_rank_clock(first.rank)));
        run_close(&run);
    }
    run_close(&first);
}

Test(requests, upcall_faults)
{
    Run run;
    run_open(&run, program(), 1);
    run_on(&run, 10);
    cr_assert_eq(upcall(&run, FAULTY, NULL, 0, 10), VM_STOP_FAULT);
    cr_assert_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_DIVIDE_BY_ZERO);
    cr_assert_eq(vm_rank_depth(run.rank), 2, "the frames stay for the backtrace");
    VmFrame inner = vm_rank_frame(run.rank, 0), outer = vm_rank_frame(run.rank, 1);
    cr_assert(inner.upcall && !outer.upcall);
    cr_assert_eq(inner.function, FAULTY);
    cr_assert_eq(inner.pc, vm_rank_fault_info(run.rank)->pc);
    cr_assert_eq(outer.function, 0);
    cr_assert_eq(outer.pc, 3, "the frame below shows the call that made the request");
    cr_assert_eq(vm_rank_run(run.rank, 10), VM_STOP_FAULT);
    run_close(&run);
}

Test(requests, upcall_exits)
{
    Run run;
    run_open(&run, program(), 1);
    run_on(&run, 10);
    cr_assert_eq(upcall(&run, LEAVER, NULL, 0, 10), VM_STOP_EXITED);
    cr_assert_eq(vm_rank_exit_status(run.rank), 9);
    cr_assert_eq(vm_rank_run(run.rank, 10), VM_STOP_EXITED);
    run_close(&run);
}

Test(requests, upcall_runs_out_of_quantum_and_can_be_left)
{
    Run run;
    run_open(&run, program(), 1);
    run_on(&run, 10);
    cr_assert(vm_rank_upcall(run.rank, address(SPINNER), NULL, 0));
    for (int i = 0; i < 5; i++)
        cr_assert_eq(vm_rank_run(run.rank, 1000), VM_STOP_QUANTUM);
    cr_assert_geq(vm_rank_clock(run.rank)->cycles, 5000u << 8);
    vm_rank_exit(run.rank, 3); /* as for an MPI_Abort by another rank */
    cr_assert_eq(vm_rank_run(run.rank, 1000), VM_STOP_EXITED);
    run_close(&run);
}

Test(requests, upcall_to_nowhere_is_a_fault)
{
    static const uint64_t bad[] = {0, 1, VCODE_CODE_BASE + 8, VCODE_CODE_BASE + 16 * 6, UINT64_MAX, VCODE_LABEL_BASE};
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        Run run;
        run_open(&run, program(), 1);
        run_on(&run, 10);
        cr_assert_not(vm_rank_upcall(run.rank, bad[i], NULL, 0));
        cr_assert_eq(vm_rank_run(run.rank, 10), VM_STOP_FAULT);
        cr_assert_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_BAD_FUNCTION);
        run_close(&run);
    }
}

/* Missing arguments are 0, extra ones do no harm, and a variadic callee gets no variable ones. */
Test(requests, upcall_arguments)
{
    Run run;
    run_open(&run, program(), 1);
    run_on(&run, 10);
    cr_assert_eq(upcall(&run, CALLBACK, (uint64_t[]){3, 5, 9, 9}, 4, 10), VM_STOP_UPCALL_DONE);
    cr_assert_eq(vm_rank_upcall_result(run.rank), 15);
    cr_assert_eq(upcall(&run, CALLBACK, (uint64_t[]){1}, 1, 10), VM_STOP_UPCALL_DONE);
    cr_assert_eq(vm_rank_upcall_result(run.rank), 0);
    run_close(&run);

    VcodeModule *m = program();
    m->functions.items[CALLBACK].flags |= VCODE_FUNCTION_VARIADIC;
    run_open(&run, m, 1);
    run_on(&run, 10);
    cr_assert_eq(upcall(&run, CALLBACK, (uint64_t[]){3}, 1, 10), VM_STOP_UPCALL_DONE);
    cr_assert_eq(vm_rank_upcall_result(run.rank), 0, "the hidden argument is 0");
    run_close(&run);
}

/* A request from above while the stacks must grow: arguments stay reachable. */
Test(requests, stacks_grow_inside_requests)
{
    Run run;
    run_open(&run, program(), 1);
    run_on(&run, 10);
    for (uint64_t x = 5000; x > 0; x--)
        cr_assert_eq(upcall(&run, NESTED, &x, 1, 100), VM_STOP_REQUEST);
    for (uint64_t x = 1; x <= 5000; x++) {
        cr_assert_eq(vm_rank_request(run.rank)->args[0], x);
        vm_rank_complete(run.rank, x);
        cr_assert_eq(run_on(&run, 100), VM_STOP_UPCALL_DONE);
    }
    cr_assert_eq(vm_rank_request(run.rank)->args[0], 11);
    run_close(&run);
}
