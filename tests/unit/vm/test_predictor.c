/* test_predictor.c - simulated branch predictors: which patterns they learn, what a misprediction costs, and that
 * neither the quantum nor the loop of the interpreter changes anything.
 */
#include "assembler.h"

enum { TURNS = 6000, MISPREDICTION = 20 << 8 };

/* for (i = 0; i < TURNS; i++) if (i & mask) { x++; y++; }: one branch that no conditional move replaces, and a counting
 * loop, which the predictor leaves alone. */
static VcodeModule *deciding_loop(int mask)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 8);
    unsigned top = asm_label(&a), skip = asm_label(&a);
    asm_rk(&a, 0, 0);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    asm_rrr(&a, VCODE_ANDI, 1, 0, mask);
    asm_branch(&a, VCODE_BEQI, 1, 0, skip);
    asm_rrr(&a, VCODE_ADDI_W, 2, 2, 1);
    asm_rrr(&a, VCODE_ADDI_W, 3, 3, 1);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, skip);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_branch(&a, VCODE_BLTI, 0, TURNS, top);
    asm_r(&a, VCODE_RET, 2);
    return asm_close(&a);
}

typedef struct Outcome {
    VmPredictorCounts counts;
    uint64_t cycles;
} Outcome;

static Outcome run(VcodeModule *module, VmPredictorKind predictor, uint64_t quantum, bool hooked)
{
    VmCosts costs;
    Run r;
    vm_costs_default(&costs);
    costs.predictor = predictor;
    costs.misprediction_q8 = MISPREDICTION;
    run_open_costs(&r, module, 1, &costs);
    if (hooked)
        vm_rank_set_hook(r.rank, hook_go_on, NULL);
    cr_assert_eq(run_on(&r, quantum), VM_STOP_EXITED);
    const VmPredictorCounts *counts = vm_predictor_counts(r.rank);
    Outcome outcome = {counts ? *counts : (VmPredictorCounts){0}, vm_rank_clock(r.rank)->cycles};
    run_close(&r);
    return outcome;
}

Test(predictor, without_one_nothing_is_counted)
{
    cr_expect_eq(run(deciding_loop(1), VM_PREDICTOR_NONE, 1 << 30, false).counts.branches, 0);
}

Test(predictor, each_misprediction_costs_the_same)
{
    uint64_t without = run(deciding_loop(1), VM_PREDICTOR_NONE, 1 << 30, false).cycles;
    for (VmPredictorKind kind = VM_PREDICTOR_NONE + 1; vm_predictors()[kind]; kind++) {
        Outcome with = run(deciding_loop(1), kind, 1 << 30, false);
        cr_expect_eq(with.counts.branches, TURNS, "%s", vm_predictors()[kind]);
        cr_expect_eq(with.cycles, without + with.counts.mispredicted * MISPREDICTION, "%s", vm_predictors()[kind]);
    }
}

/* A counter cannot learn an alternating branch. */
Test(predictor, histories_learn_what_counters_do_not)
{
    cr_expect_geq(run(deciding_loop(1), VM_PREDICTOR_BIMODAL, 1 << 30, false).counts.mispredicted, TURNS / 2 - 2);
    cr_expect_lt(run(deciding_loop(1), VM_PREDICTOR_GSHARE, 1 << 30, false).counts.mispredicted, TURNS / 50);
    cr_expect_lt(run(deciding_loop(1), VM_PREDICTOR_TAGE, 1 << 30, false).counts.mispredicted, TURNS / 50);
}

/* The branch goes the other way once in 32 iterations: a history of 12 outcomes does not help. */
Test(predictor, tage_looks_further_back_than_gshare)
{
    uint64_t gshare = run(deciding_loop(31), VM_PREDICTOR_GSHARE, 1 << 30, false).counts.mispredicted;
    cr_expect_geq(gshare, TURNS / 32 - 5);
    cr_expect_lt(run(deciding_loop(31), VM_PREDICTOR_TAGE, 1 << 30, false).counts.mispredicted, gshare / 2);
}

Test(predictor, what_never_changes_is_known_at_once)
{
    for (VmPredictorKind kind = VM_PREDICTOR_NONE + 1; vm_predictors()[kind]; kind++)
        cr_expect_leq(run(deciding_loop(0), kind, 1 << 30, false).counts.mispredicted, 3, "%s", vm_predictors()[kind]);
}

Test(predictor, neither_quantum_nor_hook_changes_anything)
{
    for (VmPredictorKind kind = VM_PREDICTOR_NONE + 1; vm_predictors()[kind]; kind++) {
        Outcome first = run(deciding_loop(5), kind, 1 << 30, false);
        Outcome small = run(deciding_loop(5), kind, 7, false), hooked = run(deciding_loop(5), kind, 1000, true);
        cr_expect(memcmp(&first, &small, sizeof first) == 0, "%s", vm_predictors()[kind]);
        cr_expect(memcmp(&first, &hooked, sizeof first) == 0, "%s", vm_predictors()[kind]);
    }
}

/* switch (i & mask) with two cases that count: jumps that alternate, and one that always goes the same way. */
static VcodeModule *switching_loop(int mask)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 8);
    unsigned top = asm_label(&a), next = asm_label(&a);
    asm_rk(&a, 0, 0);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    asm_rrr(&a, VCODE_ANDI, 1, 0, mask);
    asm_imm(&a, VCODE_SWITCH, 0, 1, 0);
    uint32_t cases[2];
    for (int k = 0; k < 2; k++) {
        cases[k] = asm_pc(&a);
        asm_rrr(&a, VCODE_ADDI_W, (unsigned)(2 + k), (unsigned)(2 + k), 1);
        asm_branch(&a, VCODE_JMP, 0, 0, next);
    }
    asm_place(&a, next);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_branch(&a, VCODE_BLTI, 0, TURNS, top);
    asm_r(&a, VCODE_RET, 2);
    *vcode_push(a.module, switches) = (VcodeSwitch){.count = 2, .default_target = cases[0]};
    for (int k = 0; k < 2; k++)
        *vcode_push(a.module, targets) = cases[k];
    return asm_close(&a);
}

Test(predictor, jumps_go_where_they_went_unless_history_tells)
{
    cr_expect_geq(run(switching_loop(1), VM_PREDICTOR_BIMODAL, 1 << 30, false).counts.mispredicted, TURNS - 2);
    cr_expect_lt(run(switching_loop(1), VM_PREDICTOR_TAGE, 1 << 30, false).counts.mispredicted, TURNS / 50);
    cr_expect_leq(run(switching_loop(0), VM_PREDICTOR_BIMODAL, 1 << 30, false).counts.mispredicted, 1);
}

/* Counts are those of an instant, however far the rank has run beyond it, in whichever loop and pieces. */
Test(predictor, counts_are_cut_at_an_instant)
{
    VmPredictorCounts first = {0};
    for (int way = 0; way < 6; way++) {
        VmCosts costs;
        Run r;
        vm_costs_default(&costs);
        costs.predictor = VM_PREDICTOR_GSHARE;
        costs.misprediction_q8 = MISPREDICTION;
        run_open_costs(&r, deciding_loop(1), 1, &costs);
        if (way % 2)
            vm_rank_set_hook(r.rank, hook_go_on, NULL);
        static const uint64_t quanta[] = {1, 1000, 1 << 20};
        uint64_t cut_ps = UINT64_C(7000123), quantum = quanta[way / 2];
        while (vm_clock_now(vm_rank_clock(r.rank)) <= cut_ps) {
            vm_rank_settle(r.rank, MIN(vm_clock_now(vm_rank_clock(r.rank)), cut_ps));
            vm_rank_run(r.rank, quantum);
        }
        vm_rank_cut(r.rank, cut_ps);
        const VmPredictorCounts *counts = vm_predictor_counts(r.rank);
        cr_assert_not_null(counts);
        if (way == 0)
            first = *counts;
        cr_expect(counts->branches > 0 && counts->branches < TURNS);
        cr_expect_eq(counts->branches, first.branches, "way %d", way);
        cr_expect_eq(counts->mispredicted, first.mispredicted, "way %d", way);
        run_on(&r, 1 << 30);
        cr_expect_eq(vm_predictor_counts(r.rank)->branches, first.branches, "what happens later does not count");
        run_close(&r);
    }
}
