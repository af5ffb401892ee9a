/* error.c - refusals: an error message about a parameter begins with the name of its key. */
#include "netsim/params/params.h"

GQuark net_error_quark(void)
{
    return g_quark_from_static_string("orrery-net-error");
}

bool net_error_refuse(GError **error, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, NET_ERROR, NET_ERROR_PARAMETER, "%s: %s", key, reason);
    return false;
}
