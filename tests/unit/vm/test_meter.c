/* test_meter.c - what ranks execute, by path of calls and by instruction: that all of a rank's time is added up, that
 * neither quantum nor cut leaves traces, and that recursion folds. */
#include "assembler.h"

#include "vm/meter.h"

enum { CALLS = 50, DEPTH = 5 };

/* main calls leaf(i) in a loop, and down(DEPTH), which calls itself. */
static VcodeModule *program(void)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 8);
    unsigned top = asm_label(&a);
    asm_rk(&a, 0, 0);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, top);
    asm_imm(&a, VCODE_CALL, 1, 4, 1);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_branch(&a, VCODE_BLTI, 0, CALLS, top);
    asm_rk(&a, 4, DEPTH);
    asm_imm(&a, VCODE_CALL, 1, 4, 2);
    asm_rk(&a, 0, 0);
    asm_r(&a, VCODE_RET, 0);
    asm_function(&a, "leaf", 1, 4);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_rrr(&a, VCODE_ADDI_W, 0, 0, 1);
    asm_r(&a, VCODE_RET, 0);
    asm_function(&a, "down", 1, 8);
    unsigned end = asm_label(&a);
    asm_branch(&a, VCODE_BEQI, 0, 0, end);
    asm_rrr(&a, VCODE_ADDI_W, 4, 0, -1);
    asm_imm(&a, VCODE_CALL, 1, 4, 2);
    asm_r(&a, VCODE_FALL, 0);
    asm_place(&a, end);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

static uint64_t passed(void *user, VmRank *rank, VmMeterCell *cell, uint64_t elapsed_ps, uint64_t computed_ps,
                       void **undo)
{
    (void)user, (void)rank, (void)cell, (void)elapsed_ps, (void)undo;
    return computed_ps;
}

static const VmMeterClient client = {.passed = passed};

static uint64_t sum_of(const VmMeterNode *node)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->end - node->start; i++)
        sum += node->cells[i] ? node->cells[i]->compute_ps : 0;
    for (guint i = 0; i < node->nodes->len; i++)
        sum += sum_of(g_array_index(node->nodes, VmMeterNode *, i));
    return sum;
}

static const VmMeterNode *root_of(const VmMeter *meter)
{
    cr_assert_eq(vm_meter_roots(meter)->len, 1);
    return g_ptr_array_index(vm_meter_roots(meter), 0);
}

static const VmMeterEdge *edge_to(const VmMeterNode *node, uint32_t function)
{
    for (guint i = 0; i < node->edges->len; i++)
        if (g_array_index(node->edges, VmMeterEdge, i).function == function)
            return &g_array_index(node->edges, VmMeterEdge, i);
    return NULL;
}

Test(meter, all_time_is_some_instructions)
{
    static const uint64_t quanta[] = {0, 1, 7, 1 << 20};
    for (size_t i = 0; i < G_N_ELEMENTS(quanta); i++) {
        Run r;
        run_open(&r, program(), 1);
        VmMeter *meter = vm_meter_new(1, &client, NULL);
        vm_meter_attach(meter, r.rank, NULL);
        cr_assert_eq(run_on(&r, quanta[i]), VM_STOP_EXITED);
        uint64_t end_ps = vm_clock_now(vm_rank_clock(r.rank));
        vm_meter_flush(r.rank);
        cr_expect_eq(vm_meter_rank_ps(meter, 0), end_ps);
        cr_expect_eq(sum_of(root_of(meter)), end_ps);
        vm_meter_free(meter);
        run_close(&r);
    }
}

/* Sums of cells by function and instruction, in the order of the code. */
static void describe(const VmMeterNode *node, GString *out)
{
    for (uint32_t i = 0; i < node->end - node->start; i++)
        if (node->cells[i])
            g_string_append_printf(out, "%u: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", node->cells[i]->pc,
                                   node->cells[i]->times, node->cells[i]->compute_ps);
    for (guint i = 0; i < node->edges->len; i++)
        g_string_append_printf(out, "to %u: %" G_GUINT64_FORMAT "\n",
                               g_array_index(node->edges, VmMeterEdge, i).function,
                               g_array_index(node->edges, VmMeterEdge, i).calls);
    for (guint i = 0; i < node->nodes->len; i++)
        describe(g_array_index(node->nodes, VmMeterNode *, i), out);
}

Test(meter, samples_add_up_and_do_not_depend_on_the_quantum)
{
    static const uint64_t quanta[] = {1 << 20, 0, 1, 7, 33};
    const VmMeterSampling sampling = {.exact = 40, .burst = 15, .least = 20, .most = 60};
    g_autofree char *first = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(quanta); i++) {
        Run r;
        run_open(&r, program(), 1);
        VmMeter *meter = vm_meter_new(1, &client, &sampling);
        vm_meter_attach(meter, r.rank, NULL);
        cr_assert_eq(run_on(&r, quanta[i]), VM_STOP_EXITED);
        uint64_t end_ps = vm_clock_now(vm_rank_clock(r.rank));
        vm_meter_flush(r.rank);
        cr_expect_eq(vm_meter_rank_ps(meter, 0), end_ps);
        cr_expect_eq(sum_of(root_of(meter)), end_ps);
        cr_expect_gt(vm_meter_estimated_ps(meter, 0), end_ps / 4);
        cr_expect_lt(vm_meter_estimated_ps(meter, 0), end_ps);
        g_autoptr(GString) text = g_string_new(NULL);
        describe(root_of(meter), text);
        first = first ? first : g_strdup(text->str);
        cr_expect_str_eq(text->str, first, "quantum %" G_GUINT64_FORMAT, quanta[i]);
        vm_meter_free(meter);
        run_close(&r);
    }
}

Test(meter, calls_are_counted_and_recursion_folds)
{
    Run r;
    run_open(&r, program(), 1);
    VmMeter *meter = vm_meter_new(1, &client, NULL);
    vm_meter_attach(meter, r.rank, NULL);
    cr_assert_eq(run_on(&r, 3), VM_STOP_EXITED);
    const VmMeterNode *root = root_of(meter);
    cr_assert_eq(root->nodes->len, 2);
    cr_expect_eq(edge_to(root, 1)->calls, CALLS);
    cr_expect_eq(edge_to(root, 2)->calls, 1);
    const VmMeterNode *down = edge_to(root, 2)->to;
    cr_expect_eq(down->nodes->len, 0);
    cr_expect_eq(edge_to(down, 2)->to, down);
    cr_expect_eq(edge_to(down, 2)->calls, DEPTH);
    g_autoptr(GArray) loops = vm_meter_loops(root->image, 0);
    cr_assert_eq(loops->len, 1);
    cr_expect_eq(g_array_index(loops, VmMeterLoop, 0).first, 2);
    cr_expect_eq(g_array_index(loops, VmMeterLoop, 0).last, 4);
    vm_meter_free(meter);
    run_close(&r);
}

Test(meter, phases_have_trees_of_their_own)
{
    Run r;
    run_open(&r, program(), 1);
    VmMeter *meter = vm_meter_new(1, &client, NULL);
    vm_meter_attach(meter, r.rank, NULL);
    cr_assert_eq(vm_rank_run(r.rank, 20), VM_STOP_QUANTUM);
    uint64_t before_ps = vm_clock_now(vm_rank_clock(r.rank));
    vm_meter_set_phase(r.rank, 3);
    cr_assert_eq(run_on(&r, 1 << 20), VM_STOP_EXITED);
    vm_meter_flush(r.rank);
    cr_assert_eq(vm_meter_roots(meter)->len, 2);
    const VmMeterNode *first = g_ptr_array_index(vm_meter_roots(meter), 0),
                      *second = g_ptr_array_index(vm_meter_roots(meter), 1);
    cr_expect_eq(first->phase, 0);
    cr_expect_eq(second->phase, 3);
    cr_expect_eq(sum_of(first), before_ps);
    cr_expect_eq(sum_of(first) + sum_of(second), vm_clock_now(vm_rank_clock(r.rank)));
    vm_meter_free(meter);
    run_close(&r);
}

/* What lies behind the cut never happened; what had been settled stays. */
Test(meter, what_is_cut_is_taken_back)
{
    Run r;
    run_open(&r, program(), 1);
    VmMeter *meter = vm_meter_new(1, &client, NULL);
    vm_meter_attach(meter, r.rank, NULL);
    cr_assert_eq(vm_rank_run(r.rank, 40), VM_STOP_QUANTUM);
    uint64_t cut_ps = vm_clock_now(vm_rank_clock(r.rank));
    vm_meter_flush(r.rank);
    vm_rank_settle(r.rank, cut_ps / 2);
    cr_assert_eq(vm_rank_run(r.rank, 100), VM_STOP_QUANTUM);
    vm_rank_cut(r.rank, cut_ps);
    cr_expect_eq(vm_meter_rank_ps(meter, 0), cut_ps);
    cr_assert_eq(run_on(&r, 1 << 20), VM_STOP_EXITED);
    cr_expect_eq(vm_meter_rank_ps(meter, 0), cut_ps);
    cr_expect_eq(sum_of(root_of(meter)), cut_ps);
    vm_meter_free(meter);
    run_close(&r);
}
