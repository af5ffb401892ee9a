/* errors.c - errors of a command: how they are reported, and which exit status they give. */
#include "cli/base/base.h"
#include "compiler/compiler.h"

#include <stdio.h>
#include <string.h>

GQuark cli_error_quark(void)
{
    return g_quark_from_static_string("orrery-cli-error");
}

bool cli_error_usage(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, why);
    return false;
}

/* Returns whether a message has a position file:line:column. It is then printed unchanged, for editors. */
static bool has_place(const char *message)
{
    const char *mark = strstr(message, ": error: ");
    return mark && mark > message && g_ascii_isdigit(mark[-1]) && !memchr(message, '\n', (size_t)(mark - message));
}

/* Returns a copy in which very long lines are cut: a word of a mebibyte would make them unreadable. */
static char *shortened(const char *message)
{
    enum { MOST = 2000 };
    GString *result = g_string_new(NULL);
    for (const char *line = message; *line;) {
        size_t length = strcspn(line, "\n");
        g_string_append_len(result, line, (gssize)MIN(length, MOST));
        g_string_append(result, length > MOST ? "[...]" : "");
        g_string_append_len(result, line + length, line[length] == '\n');
        line += length + (line[length] == '\n');
    }
    return g_string_free(result, FALSE);
}

int cli_error_report(const GError *error)
{
    if (error->domain == CLI_ERROR && error->code == CLI_ERROR_PRINTED)
        return CLI_STATUS_COMPILE;
    if (error->domain == CLI_ERROR && error->code == CLI_ERROR_OUTPUT)
        return CLI_STATUS_USAGE;
    g_autofree char *message = shortened(error->message);
    if (has_place(message))
        fprintf(stderr, "%s\n", message);
    else
        cli_say("%s", message);
    return error->domain == CC_ERROR ? CLI_STATUS_COMPILE : CLI_STATUS_USAGE;
}
