/* say.c - output of commands: remarks on stderr, results on stdout. */
#include "cli/base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    fprintf(stderr, "orrery: %s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
}

bool cli_say_bytes(const char *bytes, size_t size)
{
    fflush(stdout);
    if (fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    if (errno != EPIPE)
        cli_say("cannot write: %s", g_strerror(errno));
    return false;
}

bool cli_say_output(const char *text)
{
    return cli_say_bytes(text, strlen(text));
}
