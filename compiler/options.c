/* options.c - the default options of a compilation. */
#include "compiler/compiler.h"

void cc_options_default(CcOptions *options)
{
    *options = (CcOptions){.optimise = 1, .debug = true};
}
