/* options.c - how a unit is compiled unless somebody says otherwise. */
#include "compiler/compiler.h"

void cc_options_default(CcOptions *options)
{
    *options = (CcOptions){.optimise = 1, .debug = true};
}
