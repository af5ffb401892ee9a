/* pipeline.h - the stages of the compiler; compile.c runs them in order. */
#ifndef ORRERY_COMPILER_PIPELINE_H
#define ORRERY_COMPILER_PIPELINE_H

#include "compiler/tree/tree.h"

/* Returns the text without those prototypes of mpi.h that nothing mentions, and its size in *left; NULL: it has none.
 * O(size). The caller frees it with g_free() (prototypes.c). */
char *cc_prototypes_trim(const char *text, size_t size, const CcOptions *options, size_t *left);
/* Front end: parses text into the typed tree (parse.c). Returns NULL if there were errors, after reporting them. A
 * warning that counts as an error does not make it fail. The caller frees the unit with cc_unit_free() of
 * front/front.h. `text` must live as long as the unit. */
CcUnit *cc_parse(const char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics);
/* Runs every enabled check over every function of the unit (checks.c). Takes time linear in the size of the unit if
 * each check does. */
void cc_checks_run(CcUnit *unit);
/* Runs only the local checks. They are safe for a unit with errors. */
void cc_checks_run_local(CcUnit *unit);
/* Back end: compiles the typed tree to an object (unit.c). Never fails. */
VcodeModule *cc_unit_generate(CcUnit *unit);
/* Runs a function on a thread with a stack that holds the deepest trees the parser allows (compile.c). Returns false
 * with `error` set if the host cannot give it. */
bool cc_compile_on_large_stack(void *(*run)(void *), void *data, GError **error);

#endif
