/* pipeline.h - the compiler's stages, which compile.c puts in a row. */
#ifndef ORRERY_COMPILER_PIPELINE_H
#define ORRERY_COMPILER_PIPELINE_H

#include "compiler/tree/tree.h"

/* Front end: text to typed tree (parse.c). NULL if there were errors (reported); warnings that count as errors are
 * none. The unit goes by cc_unit_free() of front/front.h; `text` must live as long. */
CcUnit *cc_parse(const char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics);
/* Runs every check that is on over every function of the unit (checks.c). Linear in the size of the unit, if each check
 * is. */
void cc_checks_run(CcUnit *unit);
/* The local ones only: for a unit with errors. */
void cc_checks_run_local(CcUnit *unit);
/* Back end: typed tree to object (unit.c). Never fails. */
VcodeModule *cc_unit_generate(CcUnit *unit);

#endif
