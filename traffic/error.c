/* error.c - refusals of experiments. */
#include "traffic/internal.h"

GQuark traffic_error_quark(void)
{
    return g_quark_from_static_string("orrery-traffic-error");
}

bool traffic_error_refuse(GError **error, TrafficError code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, TRAFFIC_ERROR, (gint)code, why);
    return false;
}
