/* error.c - the domain of the compiler's errors. */
#include "compiler/compiler.h"

GQuark cc_error_quark(void)
{
    return g_quark_from_static_string("orrery-compiler-error");
}
