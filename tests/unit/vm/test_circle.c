/* test_circle.c - whether a rank that makes a request again has gone round in a circle. It has only if registers and
 * memory are as before, and nothing in between looked outside.
 */
#include "assembler.h"

/* main prepares, then repeats for ever: ask(), and the code of `between`. r0 is 0, r2 an address of its own memory. */
static VcodeModule *polling(void (*between)(Asm *a))
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 8);
    unsigned top = asm_label(&a);
    asm_imm(&a, VCODE_ENTER, 0, 0, 64);
    asm_r(&a, VCODE_GETSP, 2);
    asm_rrr(&a, VCODE_ST64, 0, 2, 0);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    asm_callx(&a, "ask", 4, 0);
    between(&a);
    asm_branch(&a, VCODE_JMP, 0, 0, top);
    return asm_close(&a);
}

static void run_to_request(Run *run)
{
    cr_assert_eq(run_on(run, 1 << 20), VM_STOP_REQUEST);
}

/* Runs from one request, answered with `first`, to the next. Returns whether that closes a circle. */
static bool comes_round(void (*between)(Asm *a), uint64_t first)
{
    Run run;
    run_open(&run, polling(between), 1);
    run_to_request(&run);
    vm_rank_complete(run.rank, 0);
    run_to_request(&run);
    cr_assert(vm_circle_begin(run.rank));
    vm_rank_complete(run.rank, first);
    run_to_request(&run);
    bool closed = vm_circle_closed(run.rank);
    vm_circle_end(run.rank);
    run_close(&run);
    return closed;
}

static void nothing(Asm *a)
{
    (void)a;
}

static void count_in_register(Asm *a)
{
    asm_rrr(a, VCODE_ADDI_L, 1, 1, 1);
}

static void count_in_memory(Asm *a)
{
    asm_rrr(a, VCODE_LD64, 1, 2, 0);
    asm_rrr(a, VCODE_ADDI_L, 1, 1, 1);
    asm_rrr(a, VCODE_ST64, 1, 2, 0);
    asm_imm(a, VCODE_MOVI, 0, 1, 0);
}

static void write_and_put_back(Asm *a)
{
    asm_imm(a, VCODE_MOVI, 0, 1, 99);
    asm_rrr(a, VCODE_ST64, 1, 2, 0);
    asm_imm(a, VCODE_MOVI, 0, 1, 0);
    asm_rrr(a, VCODE_ST64, 1, 2, 0);
}

static void keep_answer(Asm *a)
{
    asm_rrr(a, VCODE_MOV, 3, 4, 0);
}

static void look_outside(Asm *a)
{
    asm_imm(a, VCODE_MOVI, 0, 4, 1);
    asm_callx(a, "put", 4, 1);
}

Test(circle, a_loop_that_changes_nothing_is_one)
{
    cr_expect(comes_round(nothing, 0));
}

Test(circle, what_is_put_back_does_no_harm)
{
    cr_expect(comes_round(write_and_put_back, 0));
}

Test(circle, a_counter_in_a_register_is_none)
{
    cr_expect_not(comes_round(count_in_register, 0));
}

Test(circle, a_counter_in_memory_is_none)
{
    cr_expect_not(comes_round(count_in_memory, 0));
}

Test(circle, another_answer_that_is_kept_makes_it_none)
{
    cr_expect(comes_round(keep_answer, 0));
    cr_expect_not(comes_round(keep_answer, 1));
}

Test(circle, a_function_that_looks_outside_makes_it_none)
{
    cr_expect_not(comes_round(look_outside, 0));
}
