/* say.c - messages of `orrery cc` on stderr: they begin with its name, as with cc. */
#include "cli/driver/driver.h"

#include <stdio.h>

void cli_driver_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    fprintf(stderr, "orrery cc: %s\n", text);
}

void cli_driver_say_error(const GError *error)
{
    if (error->domain != CLI_ERROR || error->code != CLI_ERROR_PRINTED)
        cli_driver_say("error: %s", error->message);
}
