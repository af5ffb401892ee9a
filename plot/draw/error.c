/* error.c - the domain of errors of pictures. */
#include "plot/plot.h"

GQuark plot_error_quark(void)
{
    return g_quark_from_static_string("plot-error-quark");
}
