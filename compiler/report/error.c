/* error.c - the GError domain of the compiler. */
#include "compiler/compiler.h"

GQuark cc_error_quark(void)
{
    return g_quark_from_static_string("orrery-compiler-error");
}
