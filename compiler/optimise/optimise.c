/* optimise.c - the driver of the passes: ssa_passes.def, and a table of the passes before and after it.
 *
 * At -O0 the flow graph is cleaned and dead code is removed, no more. Functions that SSA form does not suit (computed
 * goto, setjmp, hundreds of thousands of instructions) get the same, and copies within a block are replaced by their
 * sources. Every pass is near-linear in the size of the function. A pass that could cost more has a limit beyond which
 * it does less.
 */
#include "compiler/optimise/optimise.h"

#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

typedef enum When { ALWAYS, WITH_LOOPS } When;

static const struct {
    void (*run)(CcSsa *s);
    When when;
} ssa_passes[] = {
#define CC_SSA_PASS(function, when) {function, when},
#include "compiler/optimise/ssa_passes.def"
};

static void run_in_ssa(CcIrFunction *f)
{
    CcSsa s;
    if (!cc_ssa_enter(&s, f)) { /* ssa.c: into SSA form; removes copies */
        cc_optimise_copies(f);  /* copies.c */
        return;
    }
    bool wanted = true;
    When when = ALWAYS;
    for (size_t i = 0; i < G_N_ELEMENTS(ssa_passes); i++) {
        if (ssa_passes[i].when != when) {
            when = ssa_passes[i].when;
            wanted = when == ALWAYS || s.n_loops;
        }
        if (wanted)
            ssa_passes[i].run(&s);
    }
    cc_ssa_leave(&s); /* leave.c: out of SSA form */
    cc_flow_clean(f);
    cc_coalesce(f); /* coalesce.c: removes copies again */
}

/* Passes over the array form, and the optimisation level from which on they run. */
static const struct {
    void (*run)(CcIrFunction *f);
    int level;
} passes[] = {
    {cc_flow_clean, 0},                            /* flow.c: jumps to jumps, unreachable blocks */
    {cc_flow_copy_loop_tests, 1},                  /* flow.c: loops with their test at the bottom */
    {cc_flow_clean, 1},           {run_in_ssa, 1}, /* ssa_passes.def */
    {cc_optimise_dead, 0},                         /* dead.c: results that nothing reads */
    {cc_flow_clean, 0},
};

void cc_optimise(CcIrFunction *f, int level)
{
    for (size_t i = 0; i < G_N_ELEMENTS(passes); i++)
        if (level >= passes[i].level)
            passes[i].run(f);
}
