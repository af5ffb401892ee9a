/* test_direct.c - direct code: who has it, who gives it up, and that nothing of a run depends on it. What single
 * instructions do there, test_core_instructions.c and the random programs of test_core_fuzz.c show, in all other tests
 * of the VM as well.
 */
#include "assembler.h"
#include "vm/direct/direct.h"

enum { TURNS = 200 };

/* main puts the sum of half(i) for i up to TURNS, a double; half(x) = x * 0.5 as a double, read from the constants. */
static VcodeModule *program(void)
{
    Asm a;
    asm_open(&a);
    double half = 0.5;
    memcpy(vcode_push_many(a.module, rodata, sizeof half), &half, sizeof half);
    asm_function(&a, "main", 0, 8);
    unsigned again = asm_label(&a);
    asm_imm(&a, VCODE_MOVI, 0, 0, 0);
    asm_imm(&a, VCODE_MOVI, 0, 1, 0);
    asm_rrr(&a, VCODE_CVT_D_L, 1, 1, 0);
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
    asm_place(&a, again);
    asm_rrr(&a, VCODE_MOV, 2, 0, 0);
    asm_imm(&a, VCODE_CALL, 1, 2, 1);
    asm_rrr(&a, VCODE_ADD_D, 1, 1, 2);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_branch(&a, VCODE_BLTI, 0, TURNS, again);
    asm_rrr(&a, VCODE_MOV, 2, 1, 0);
    asm_callx(&a, "put", 2, 1);
    asm_r(&a, VCODE_RET, 0);
    asm_function(&a, "half", 1, 4);
    asm_imm(&a, VCODE_MOVI, 0, 1, VCODE_RODATA_BASE);
    asm_rrr(&a, VCODE_LD64, 2, 1, 0);
    asm_rrr(&a, VCODE_CVT_D_L, 0, 0, 0);
    asm_rrr(&a, VCODE_MUL_D, 0, 0, 2);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

static bool has_code(const Run *run, uint32_t function)
{
    return run->image->functions[function].entry->direct;
}

static void expect_sum(Run *run)
{
    double sum = TURNS * (TURNS - 1) / 4.0;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    cr_assert_eq(run->trace->len, 1);
    cr_assert_eq(run_put(run, 0)->value, bits);
}

static uint64_t cycles_without(uint64_t quantum)
{
    Run run;
    run_open(&run, program(), 1);
    vm_direct_forgo(run.image);
    cr_assert_eq(run_on(&run, quantum), VM_STOP_EXITED);
    expect_sum(&run);
    cr_assert(!has_code(&run, 0) && !has_code(&run, 1));
    uint64_t cycles = vm_rank_clock(run.rank)->cycles;
    run_close(&run);
    return cycles;
}

Test(direct, functions_have_it_when_they_have_been_called)
{
    Run run;
    run_open(&run, program(), 1);
    cr_assert(!has_code(&run, 0) && !has_code(&run, 1));
    cr_assert_eq(run_on(&run, 1000000), VM_STOP_EXITED);
#if defined(__x86_64__) && defined(__linux__)
    cr_assert(has_code(&run, 0) && has_code(&run, 1));
#endif
    expect_sum(&run);
    cr_assert_eq(vm_rank_clock(run.rank)->cycles, cycles_without(1000000));
    run_close(&run);
}

Test(direct, no_quantum_shows)
{
    for (uint64_t quantum = 1; quantum < 40; quantum += 3) {
        Run run;
        run_open(&run, program(), 1);
        cr_assert_eq(run_on(&run, quantum), VM_STOP_EXITED);
        expect_sum(&run);
        cr_assert_eq(vm_rank_clock(run.rank)->cycles, cycles_without(quantum), "quantum %d", (int)quantum);
        run_close(&run);
    }
}

/* As when native code comes: at any time, whoever is in it. */
Test(direct, is_withdrawn_in_the_middle)
{
    for (unsigned function = 0; function < 2; function++) {
        Run run;
        run_open(&run, program(), 1);
        for (unsigned k = 0; k < 5; k++)
            cr_assert_eq(vm_rank_run(run.rank, 100), VM_STOP_QUANTUM);
        vm_direct_withdraw(run.image, function);
        cr_assert_eq(run_on(&run, 100), VM_STOP_EXITED);
        cr_assert(!has_code(&run, function));
        expect_sum(&run);
        cr_assert_eq(vm_rank_clock(run.rank)->cycles, cycles_without(100));
        run_close(&run);
    }
}
