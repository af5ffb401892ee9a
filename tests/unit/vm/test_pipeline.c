/* test_pipeline.c - what blocks cost beyond their instructions: dependence chains in loops, conditional moves, branches
 * by kind, ends of loops, the window. Costs are in cycles here; those not given are 0.
 */
#include "assembler.h"

enum { CYCLE = 256 };

typedef struct Costs {
    VcodeModule *module;
    uint64_t *of; /* by instruction of function 0, in 1/256 cycle */
} Costs;

static Costs costs_of(Asm *a, const VmCosts *costs)
{
    Costs result = {.module = asm_close(a)};
    result.of = g_new(uint64_t, result.module->functions.items[0].code_count);
    vm_block_costs(result.module, 0, costs, result.of);
    return result;
}

static uint64_t sum(const Costs *costs)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < costs->module->functions.items[0].code_count; i++)
        all += costs->of[i];
    return all;
}

static void release(Costs *costs)
{
    vcode_module_free(costs->module);
    g_free(costs->of);
}

/* while (n-- > 0) x += y, with n in r0, x and y in r1 and r2. It is one block from 1 to 3, entered from 0. */
static void adding_loop(Asm *a)
{
    asm_open(a);
    asm_function(a, "main", 3, 8);
    unsigned top = asm_label(a);
    asm_r(a, VCODE_FALL, 0);
    asm_place(a, top);
    asm_rrr(a, VCODE_ADD_D, 1, 1, 2);
    asm_rrr(a, VCODE_ADDI_W, 0, 0, -1);
    asm_branch(a, VCODE_BGTI, 0, 0, top);
    asm_r(a, VCODE_RET, 1);
}

Test(pipeline, nothing_is_added_where_nothing_is_asked_for)
{
    Asm a;
    adding_loop(&a);
    VmCosts costs;
    vm_costs_default(&costs);
    Costs c = costs_of(&a, &costs);
    cr_expect_eq(c.of[3], costs.class_q8[VCODE_COST_FP_ADD] + costs.class_q8[VCODE_COST_INTEGER] +
                              costs.class_q8[VCODE_COST_BRANCH]);
    release(&c);
}

Test(pipeline, a_turn_waits_for_the_last_one)
{
    Asm a;
    adding_loop(&a);
    VmCosts costs = {.latency_q8[VCODE_COST_FP_ADD] = 4 * CYCLE};
    Costs c = costs_of(&a, &costs);
    cr_expect_eq(c.of[3], 4 * CYCLE);
    cr_expect_eq(sum(&c), 4 * CYCLE);
    release(&c);
}

Test(pipeline, the_larger_of_chain_and_throughput_counts)
{
    for (uint32_t own = 1; own <= 6; own++) {
        Asm a;
        adding_loop(&a);
        VmCosts costs = {.latency_q8[VCODE_COST_FP_ADD] = 4 * CYCLE, .class_q8[VCODE_COST_FP_ADD] = own * CYCLE};
        Costs c = costs_of(&a, &costs);
        cr_expect_eq(c.of[3], MAX(own, 4) * CYCLE, "%u", own);
        release(&c);
    }
}

/* *r2 = *r2 + 1 in memory: a load waits for the store before it. */
Test(pipeline, a_load_waits_for_the_store_to_its_place)
{
    for (int distance = 0; distance <= 8; distance += 8) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 3, 8);
        unsigned top = asm_label(&a);
        asm_r(&a, VCODE_FALL, 0);
        asm_place(&a, top);
        asm_rrr(&a, VCODE_LD64, 1, 2, 0);
        asm_rrr(&a, VCODE_MUL_L, 1, 1, 1);
        asm_rrr(&a, VCODE_ST64, 1, 2, distance);
        asm_rrr(&a, VCODE_ADDI_W, 0, 0, -1);
        asm_branch(&a, VCODE_BGTI, 0, 0, top);
        asm_r(&a, VCODE_RETV, 0);
        VmCosts costs = {.latency_q8[VCODE_COST_MULTIPLY] = 3 * CYCLE};
        Costs c = costs_of(&a, &costs);
        cr_expect_eq(sum(&c), distance ? 0 : 3 * CYCLE, "at %d", distance);
        release(&c);
    }
}

/* do { t = a; a = b; b = t; } while (a < b): no register is a counter, and the search for one ends. */
Test(pipeline, registers_that_move_in_a_circle_do_not_hang_it)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 2, 8);
    unsigned top = asm_label(&a);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    asm_rrr(&a, VCODE_MOV, 2, 0, 0);
    asm_rrr(&a, VCODE_MOV, 0, 1, 0);
    asm_rrr(&a, VCODE_MOV, 1, 2, 0);
    asm_branch(&a, VCODE_BLT, 0, 1, top);
    asm_r(&a, VCODE_RETV, 0);
    VmCosts costs = {.exit_order_q8 = 7 * CYCLE, .branch_exit_q8 = CYCLE};
    Costs c = costs_of(&a, &costs);
    cr_expect_eq(sum(&c), 7 * CYCLE);
    release(&c);
}

/* Compares a value from memory with another. The caller says what the branch skips. */
static void deciding_loop(Asm *a, VcodeOp op, void (*skipped)(Asm *a))
{
    asm_open(a);
    asm_function(a, "main", 4, 8);
    unsigned top = asm_label(a), next = asm_label(a);
    asm_r(a, VCODE_FALL, 0);
    asm_place(a, top);
    asm_rrr(a, VCODE_LD64, 1, 2, 0);
    asm_branch(a, op, 3, 1, next);
    skipped(a);
    asm_r(a, VCODE_FALL, 0);
    asm_place(a, next);
    asm_rrr(a, VCODE_ADDI_L, 2, 2, 8);
    asm_rrr(a, VCODE_ADDI_W, 0, 0, -1);
    asm_branch(a, VCODE_BGTI, 0, 0, top);
    asm_r(a, VCODE_RET, 3);
}

static void store_both(Asm *a)
{
    asm_rrr(a, VCODE_ST64, 1, 2, 8);
    asm_rrr(a, VCODE_ST64, 3, 2, 16);
}

static void take_value(Asm *a)
{
    asm_rrr(a, VCODE_MOV, 3, 1, 0);
    asm_rrr(a, VCODE_ADDI_W, 4, 4, 1);
}

static void count_up(Asm *a)
{
    asm_rrr(a, VCODE_ADDI_W, 4, 4, 1);
}

Test(pipeline, branches_cost_by_what_they_compare)
{
    const struct {
        VcodeOp op;
        void (*skipped)(Asm *a);
        uint64_t cycles;
        const char *what;
    } cases[] = {{VCODE_BLT, store_both, 10, "order"},
                 {VCODE_BEQ, store_both, 2, "equality is a test"},
                 {VCODE_BLEI, store_both, 0, "no value from memory"},
                 {VCODE_BLT, take_value, 2, "a search for the greatest"},
                 {VCODE_BLT, count_up, 0, "a conditional move"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asm a;
        deciding_loop(&a, cases[i].op, cases[i].skipped);
        VmCosts costs = {.branch_order_q8 = 10 * CYCLE, .branch_test_q8 = 2 * CYCLE};
        Costs c = costs_of(&a, &costs);
        cr_expect_eq(sum(&c), cases[i].cycles * CYCLE, "%s: %" G_GUINT64_FORMAT, cases[i].what, sum(&c) / CYCLE);
        release(&c);
    }
}

/* The result of a conditional move goes round the loop, so each iteration waits for its condition. */
static void choose_value(Asm *a)
{
    asm_rrr(a, VCODE_MOV, 3, 1, 0);
}

Test(pipeline, a_conditional_move_waits_for_its_condition)
{
    Asm a;
    deciding_loop(&a, VCODE_BLT, choose_value);
    VmCosts costs = {.latency_q8[VCODE_COST_INTEGER] = 3 * CYCLE, .branch_order_q8 = 50 * CYCLE};
    Costs c = costs_of(&a, &costs);
    cr_expect_eq(sum(&c), 6 * CYCLE, "compare and move: %" G_GUINT64_FORMAT, sum(&c));
    release(&c);
}

/* for (r0 = from; r0 < 100; r0++); `constant`: the number of iterations is known. */
static void counting_loop(Asm *a, bool constant, int from)
{
    asm_open(a);
    asm_function(a, "main", 2, 8);
    unsigned top = asm_label(a);
    if (constant)
        asm_imm(a, VCODE_MOVI, 0, 0, from);
    asm_r(a, VCODE_FALL, 0);
    asm_place(a, top);
    asm_rrr(a, VCODE_ADDI_W, 0, 0, 1);
    asm_branch(a, VCODE_BLTI, 0, 100, top);
    asm_r(a, VCODE_RETV, 0);
}

Test(pipeline, the_end_of_a_loop_is_a_surprise_unless_after_a_few_constant_turns)
{
    const struct {
        bool constant;
        int from;
        uint64_t cycles;
    } cases[] = {{false, 0, 5}, {true, 0, 5}, {true, 90, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asm a;
        counting_loop(&a, cases[i].constant, cases[i].from);
        VmCosts costs = {.branch_exit_q8 = 5 * CYCLE, .exit_test_q8 = 100 * CYCLE, .exit_order_q8 = 100 * CYCLE};
        Costs c = costs_of(&a, &costs);
        uint32_t last = c.module->functions.items[0].code_count - 1;
        cr_expect_eq(c.of[last], cases[i].cycles * CYCLE, "case %zu", i);
        cr_expect_eq(sum(&c), c.of[last], "charged where the loop is left");
        release(&c);
    }
}

Test(pipeline, other_ends_cost_by_what_they_compare)
{
    for (int two = 0; two <= 1; two++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 3, 8);
        unsigned top = asm_label(&a);
        asm_r(&a, VCODE_FALL, 0);
        asm_place(&a, top);
        asm_rrr(&a, VCODE_LD64, 0, 0, 0);
        if (two)
            asm_branch(&a, VCODE_BNE, 0, 1, top);
        else
            asm_branch(&a, VCODE_BNEI, 0, 0, top);
        asm_r(&a, VCODE_RETV, 0);
        VmCosts costs = {.exit_test_q8 = 3 * CYCLE, .exit_order_q8 = 20 * CYCLE};
        Costs c = costs_of(&a, &costs);
        cr_expect_eq(sum(&c), (two ? 20 : 3) * CYCLE);
        release(&c);
    }
}

/* Floating-point values live across a call (r1) go through memory, integers (r0) do not. */
Test(pipeline, floating_point_across_a_call_goes_through_memory)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 3, 8);
    unsigned top = asm_label(&a);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    asm_imm(&a, VCODE_CALL, 0, 4, 1);
    asm_rrr(&a, VCODE_ADD_D, 1, 1, 2);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, -1);
    asm_branch(&a, VCODE_BGTI, 0, 0, top);
    asm_r(&a, VCODE_RET, 1);
    asm_function(&a, "nothing", 0, 1);
    asm_r(&a, VCODE_RETV, 0);
    VmCosts costs = {.latency_q8[VCODE_COST_FP_ADD] = 2 * CYCLE, .latency_q8[VCODE_COST_LOAD] = 5 * CYCLE};
    Costs c = costs_of(&a, &costs);
    cr_expect_eq(sum(&c), 7 * CYCLE, "%" G_GUINT64_FORMAT, sum(&c));
    release(&c);
}

/* A sum that begins anew for each of `r4` rows: 16 iterations of 3 instructions are assumed to fill a part of the
 * window. */
Test(pipeline, short_loops_overlap_with_their_neighbours)
{
    const struct {
        uint32_t window;
        uint64_t q8;
    } cases[] = {{0, 8 * CYCLE}, {48, 8 * CYCLE}, {96, 4 * CYCLE}, {384, CYCLE}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 6, 8);
        unsigned row = asm_label(&a), top = asm_label(&a);
        asm_r(&a, VCODE_FALL, 0);
        asm_place(&a, row);
        asm_rrr(&a, VCODE_MOV, 1, 3, 0);
        asm_rrr(&a, VCODE_MOV, 0, 5, 0);
        asm_r(&a, VCODE_FALL, 0);
        asm_place(&a, top);
        asm_rrr(&a, VCODE_ADD_D, 1, 1, 2);
        asm_rrr(&a, VCODE_ADDI_W, 0, 0, -1);
        asm_branch(&a, VCODE_BGTI, 0, 0, top);
        asm_rrr(&a, VCODE_ADDI_W, 4, 4, -1);
        asm_branch(&a, VCODE_BGTI, 4, 0, row);
        asm_r(&a, VCODE_RET, 1);
        VmCosts costs = {.latency_q8[VCODE_COST_FP_ADD] = 8 * CYCLE, .window = cases[i].window};
        Costs c = costs_of(&a, &costs);
        cr_expect_eq(sum(&c), cases[i].q8, "window %u: %" G_GUINT64_FORMAT, cases[i].window, sum(&c));
        release(&c);
    }
}
