/* checks.c - runs the checks of the typed tree: those of check/checks.def, then those of check_mpi/mpi_checks.def. */
#include "compiler/check/check.h"
#include "compiler/check_mpi/check_mpi.h"
#include "compiler/compiler.h"
#include "compiler/pipeline.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

typedef void (*Check)(CcUnit *unit, CcSymbol *symbol);

static const struct {
    Check run;
    CcWarningId warning;
    bool local;
} checks[] = {
#define CC_CHECK(function, warning)       {function, CC_WARNING_##warning, false},
#define CC_LOCAL_CHECK(function, warning) {function, CC_WARNING_##warning, true},
#include "compiler/check/checks.def"
    {NULL, CC_WARNING_COUNT, false},
};

static const struct {
    void (*run)(CcUnit *unit);
    CcWarningId warning;
} unit_checks[] = {
#define CC_UNIT_CHECK(function, warning) {function, CC_WARNING_##warning},
#include "compiler/check/checks.def"
#define CC_MPI_CHECK(function, warning) {cc_check_mpi, CC_WARNING_##warning},
#include "compiler/check_mpi/mpi_checks.def"
};

/* Returns whether check `i` is to run. A check that has several rows runs once. */
static bool runs(const CcUnit *unit, size_t i, bool *done)
{
    if (i > 0 && checks[i].run == checks[i - 1].run && *done)
        return false;
    *done = cc_warning_possible(unit, checks[i].warning);
    return *done;
}

static void run_unit_checks(CcUnit *unit)
{
    bool done = false;
    for (size_t i = 0; i < G_N_ELEMENTS(unit_checks); i++) {
        if (done && unit_checks[i].run == unit_checks[i - 1].run)
            continue;
        done = cc_warning_possible(unit, unit_checks[i].warning);
        if (done)
            unit_checks[i].run(unit);
    }
}

static void run_checks(CcUnit *unit, bool all)
{
    for (guint k = 0; k < unit->symbols->len; k++) {
        CcSymbol *symbol = g_ptr_array_index(unit->symbols, k);
        if (symbol->kind != CC_SYM_FUNCTION || !symbol->body || !symbol->body->body)
            continue;
        bool done = false;
        for (size_t i = 0; checks[i].run; i++)
            if ((all || checks[i].local) && runs(unit, i, &done))
                checks[i].run(unit, symbol);
    }
}

void cc_checks_run(CcUnit *unit)
{
    run_checks(unit, true);
    run_unit_checks(unit);
}

void cc_checks_run_local(CcUnit *unit)
{
    run_checks(unit, false);
}
