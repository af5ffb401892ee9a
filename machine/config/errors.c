/* errors.c - the error domain of machine/, and errors with a position in a file. */
#include "machine/machine.h"

GQuark mach_error_quark(void)
{
    return g_quark_from_static_string("orrery-machine-error");
}

bool mach_error_at_line(GError **error, const char *path, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s:%u:1: error: %s", path, line, reason);
    return false;
}
