/* source.c - the debugger command that shows source text. */
#include "cli/debug/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_LISTED = 10 };

/* The answer begins with the lines listed and their file. */
static void say_lines(DebugSession *session, const char *answer)
{
    char *at;
    uint32_t first = (uint32_t)strtoul(answer, &at, 10);
    session->listed_last = (uint32_t)strtoul(at, &at, 10);
    const char *end = strchr(at, '\n');
    g_free(session->listed_file);
    session->listed_file = g_strndup(at + 1, (gsize)(end - at - 1));
    if (first > session->listed_last)
        g_string_append_printf(session->out, "the file has %u lines\n", session->listed_last);
    else
        g_string_append(session->out, end + 1);
}

/* Without arguments it lists the lines around the current one, and then on from there. */
void cli_debug_do_list(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) answer = g_string_new(NULL);
    g_autofree char *next = NULL;
    if (*arguments == '\0' && !session->started && session->listed_last == 0) {
        arguments = "main";
    } else if (*arguments == '\0' && session->listed_last > 0) {
        next = g_strdup_printf("%s:%u,%u", session->listed_file, session->listed_last + 1,
                               session->listed_last + LINES_LISTED);
        arguments = next;
    }
    if (cli_debug_ask(session, MON_QUERY_LIST, arguments, answer, &error))
        say_lines(session, answer->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}
