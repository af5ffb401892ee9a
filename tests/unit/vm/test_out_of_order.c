/* test_out_of_order.c - out-of-order execution: what waits for what, what does not, and that neither the quantum nor a
 * debugger changes anything. Expected cycles are worked out by hand; the start and the end of a loop add a few.
 */
#include "assembler.h"

enum { TURNS = 1000, MARGIN = 40 };

static VmCosts core(void)
{
    VmCosts costs = {.execution = VM_EXECUTION_OUT_OF_ORDER, .dispatch_q8 = 64, .window = 100, .library_q8 = 256};
    costs.class_q8[VCODE_COST_INTEGER] = 64;
    costs.class_q8[VCODE_COST_MULTIPLY] = 256;
    costs.class_q8[VCODE_COST_DIVIDE] = 6 * 256;
    costs.class_q8[VCODE_COST_LOAD] = costs.class_q8[VCODE_COST_STORE] = 128;
    costs.latency_q8[VCODE_COST_INTEGER] = 256;
    costs.latency_q8[VCODE_COST_MULTIPLY] = 3 * 256;
    costs.latency_q8[VCODE_COST_DIVIDE] = 20 * 256;
    costs.latency_q8[VCODE_COST_LOAD] = 5 * 256;
    costs.latency_q8[VCODE_COST_STORE] = 2 * 256;
    return costs;
}

static uint64_t cycles_of(VcodeModule *module, const VmCosts *costs, uint64_t quantum, bool hooked)
{
    Run r;
    run_open_costs(&r, module, 1, costs);
    if (hooked)
        vm_rank_set_hook(r.rank, hook_go_on, NULL);
    cr_assert_eq(run_on(&r, quantum), VM_STOP_EXITED);
    uint64_t cycles = vm_rank_clock(r.rank)->cycles;
    run_close(&r);
    return (cycles + 128) / 256;
}

typedef void Body(Asm *a);

/* Makes for (R0 = 0; R0 < TURNS; R0++) body. R1 is 5, R10 an address, R11 is 7 and comes from a parameter. */
static VcodeModule *loop_of(Body *body)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 12);
    unsigned top = asm_label(&a);
    asm_imm(&a, VCODE_ENTER, 0, 10, 64);
    asm_rk(&a, 0, 0);
    asm_rk(&a, 1, 5);
    asm_rrr(&a, VCODE_ADDI_L, 11, 1, 2);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    body(&a);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_branch(&a, VCODE_BLTI, 0, TURNS, top);
    asm_r(&a, VCODE_RETV, 0);
    return asm_close(&a);
}

static void expect_turn(Body *body, const VmCosts *costs, double cycles)
{
    uint64_t took = cycles_of(loop_of(body), costs, 1 << 30, false);
    double expected = cycles * TURNS;
    cr_expect(took + 1 >= expected && took <= expected + MARGIN, "%.2f a turn, not %.2f", (double)took / TURNS, cycles);
}

static void independent(Asm *a)
{
    for (unsigned r = 2; r < 8; r++)
        asm_rrr(a, VCODE_ADDI_L, r, 1, 1);
}

static void chain(Asm *a)
{
    for (unsigned k = 0; k < 6; k++)
        asm_rrr(a, VCODE_ADDI_L, 2, 2, 1);
}

Test(out_of_order, what_waits_for_nothing_costs_the_front_end)
{
    VmCosts costs = core();
    expect_turn(independent, &costs, 2.0); /* eight instructions of a quarter of a cycle */
    expect_turn(chain, &costs, 6.0);
}

static void product(Asm *a)
{
    asm_rrr(a, VCODE_MUL_L, 3, 11, 11);
    asm_rrr(a, VCODE_MUL_L, 3, 3, 11);
    asm_rrr(a, VCODE_MUL_L, 3, 3, 11);
    asm_rrr(a, VCODE_MUL_L, 3, 3, 11);
}

/* An iteration has twelve cycles of dependent operations, and four of the unit. Iterations overlap as far as the window
 * goes. */
Test(out_of_order, turns_overlap_within_the_window)
{
    VmCosts costs = core();
    expect_turn(product, &costs, 4.0);
    costs.window = 6;
    uint64_t narrow = cycles_of(loop_of(product), &costs, 1 << 30, false);
    cr_expect_gt(narrow, 6 * TURNS);
    costs.window = 0; /* one after the other */
    cr_expect_gt(cycles_of(loop_of(product), &costs, 1 << 30, false), 12 * TURNS);
}

static void divisions(Asm *a)
{
    asm_rrr(a, VCODE_DIV_L, 3, 1, 11);
    asm_rrr(a, VCODE_DIV_L, 4, 11, 11);
}

static void division_by_constant(Asm *a)
{
    asm_rrr(a, VCODE_DIV_L, 3, 11, 1);
}

Test(out_of_order, a_unit_is_busy)
{
    VmCosts costs = core();
    expect_turn(divisions, &costs, 12.0);
    expect_turn(division_by_constant, &costs, 1.0);
}

static void through_memory(Asm *a)
{
    asm_i(a, VCODE_LD64, 0, 3, 10, 8);
    asm_rrr(a, VCODE_ADDI_L, 3, 3, 1);
    asm_i(a, VCODE_ST64, 0, 3, 10, 8);
}

static void elsewhere(Asm *a)
{
    asm_i(a, VCODE_LD64, 0, 3, 10, 16);
    asm_rrr(a, VCODE_ADDI_L, 3, 3, 1);
    asm_i(a, VCODE_ST64, 0, 3, 10, 8);
}

/* A load waits for the store before it: an addition, and two cycles of forwarding. */
Test(out_of_order, stores_hand_over_to_loads)
{
    VmCosts costs = core();
    expect_turn(through_memory, &costs, 3.0);
    expect_turn(elsewhere, &costs, 1.25);
}

/* Emits if (R0 & 1) R2 += R2 + 1, without a branch or, with two registers changed, with one. */
static void decide(Asm *a, bool branch)
{
    unsigned skip = asm_label(a);
    asm_rrr(a, VCODE_ANDI, 3, 0, 1);
    asm_branch(a, VCODE_BEQI, 3, 0, skip);
    asm_rrr(a, VCODE_ADDI_L, 2, 1, 1);
    if (branch)
        asm_rrr(a, VCODE_ADDI_L, 4, 1, 1);
    asm_r(a, VCODE_FALL, 0);
    asm_place(a, skip);
}

static void move(Asm *a)
{
    decide(a, false);
}

static void jump(Asm *a)
{
    decide(a, true);
}

/* A counter cannot learn an alternating branch, so at least every second iteration ends with a misprediction. */
Test(out_of_order, mispredictions_cost_where_there_is_a_branch)
{
    VmCosts costs = core();
    uint64_t known = cycles_of(loop_of(jump), &costs, 1 << 30, false);
    costs.predictor = VM_PREDICTOR_BIMODAL;
    costs.misprediction_q8 = 20 << 8;
    uint64_t select = cycles_of(loop_of(move), &costs, 1 << 30, false);
    uint64_t taken = cycles_of(loop_of(jump), &costs, 1 << 30, false);
    cr_expect_lt(known, 3 * TURNS);
    cr_expect_lt(select, 3 * TURNS);
    cr_expect_gt(taken, known + 10 * (TURNS - 10));
}

static VcodeModule *recursion(void)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_rk(&a, 1, 12);
    asm_imm(&a, VCODE_CALL, 1, 1, 1);
    asm_r(&a, VCODE_RET, 1);
    asm_function(&a, "fibonacci", 1, 4);
    unsigned more = asm_label(&a);
    asm_branch(&a, VCODE_BGTI, 0, 1, more);
    asm_r(&a, VCODE_RET, 0);
    asm_place(&a, more);
    asm_rrr(&a, VCODE_ADDI_W, 2, 0, -1);
    asm_imm(&a, VCODE_CALL, 1, 2, 1);
    asm_rrr(&a, VCODE_ADDI_W, 3, 0, -2);
    asm_imm(&a, VCODE_CALL, 1, 3, 1);
    asm_rrr(&a, VCODE_ADD_W, 0, 2, 3);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

Test(out_of_order, neither_quantum_nor_debugger_counts)
{
    VmCosts costs = core();
    costs.predictor = VM_PREDICTOR_TAGE;
    costs.misprediction_q8 = 15 << 8;
    uint64_t cycles = cycles_of(recursion(), &costs, 1 << 30, false);
    cr_expect_gt(cycles, 500);
    cr_expect_eq(cycles_of(recursion(), &costs, 1, false), cycles);
    cr_expect_eq(cycles_of(recursion(), &costs, 37, true), cycles);
}

/* Without a predictor nothing is counted. */
Test(out_of_order, counts_of_a_predictor_that_is_none)
{
    VmCosts costs = core();
    Run r;
    run_open_costs(&r, recursion(), 1, &costs);
    cr_assert_eq(run_on(&r, 1 << 30), VM_STOP_EXITED);
    cr_expect_null(vm_predictor_counts(r.rank));
    run_close(&r);
}
