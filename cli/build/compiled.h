/* compiled.h - objects of sources that were compiled before, kept on disk (compiled.c). Shared by the files of build/.
 */
#ifndef ORRERY_CLI_COMPILED_H
#define ORRERY_CLI_COMPILED_H

#include "cli/build/build.h"

/* What is known of a source before it is compiled. */
typedef struct CliCompiled CliCompiled;

/* Returns a search for the object of the source `path` under the options of `build`, or NULL if it must be compiled in
 * any case: it comes from a pipe, or its compilation has other results than the object. */
CliCompiled *cli_compiled_new(const CliBuild *build, const char *path);
void cli_compiled_free(CliCompiled *compiled); /* NULL is allowed */

/* Returns the object, if the source was compiled before and nothing that it depends on has changed; else NULL. */
VcodeModule *cli_compiled_find(CliCompiled *compiled);

/* Keeps the object for later. `text` is what the preprocessor has made of the source. It is not kept if a file changed
 * while it was compiled. */
void cli_compiled_keep(CliCompiled *compiled, const char *text, const VcodeModule *object);

#endif
