/* parse.c - the front end as a whole: text in, typed tree out. */
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/pipeline.h"
#include "compiler/report/report.h"
#include "compiler/syntax/syntax.h"
#include "compiler/tree/tree.h"

CcUnit *cc_parse(const char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics)
{
    unsigned mistakes = cc_diagnostics_mistakes(diagnostics);
    CcUnit *unit = cc_unit_new(text, size, name, options, diagnostics);
    static const CcLoc nowhere = {0, 0, 0, 0};
    if (size > INT32_MAX - 2) { /* the scanner counts offsets in 31 bits */
        cc_report(unit, CC_FATAL, nowhere, NULL, "the preprocessed source is larger than 2 GiB");
        cc_unit_free(unit);
        return NULL;
    }
    bool read = cc_syntax_read(unit);
    if (read && cc_diagnostics_mistakes(diagnostics) == mistakes)
        return unit;
    if (read)
        cc_checks_run_local(unit);
    cc_diagnostics_flush(diagnostics);
    cc_unit_free(unit);
    return NULL;
}
