/* error.c - the error domain of this library. */
#include "trace/trace.h"

GQuark trace_error_quark(void)
{
    return g_quark_from_static_string("orrery-trace-error");
}
