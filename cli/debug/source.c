/* source.c - the debugger command that shows source text. */
#include "cli/debug/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The answer begins with the lines listed and their file. */
static void say_lines(DebugSession *session, const char *answer)
{
    char *at;
    uint32_t first = (uint32_t)strtoul(answer, &at, 10), last = (uint32_t)strtoul(at, &at, 10);
    const char *end = strchr(at, '\n');
    g_free(session->listed_file);
    session->listed_file = g_strndup(at + 1, (gsize)(end - at - 1));
    if (first > last) {
        cli_debug_fail(session, "the file has %u lines", last);
        return;
    }
    session->listed_first = first;
    session->listed_last = last;
    cli_debug_warn_of_source(session, session->listed_file);
    cli_debug_append_listing(session, session->listed_file, end + 1);
}

static uint32_t list_size(const DebugSession *session)
{
    return MIN(cli_debug_number(session->desk, DEBUG_SET_LISTSIZE), 1U << 30);
}

static char *range_of(const char *file, uint32_t first, uint32_t last)
{
    return g_strdup_printf("%s:%u,%u", file, first, last);
}

/* The lines that are meant where gdb's forms, or the setting, say more than the query knows. NULL: the text as it is.
 * Free it with g_free(). */
static char *lines_meant(DebugSession *session, const char *text)
{
    uint32_t size = list_size(session);
    guint64 line;
    char *end;
    if (session->listed_last > 0 && *text == '\0')
        return range_of(session->listed_file, session->listed_last + 1, session->listed_last + size);
    if (session->listed_last > 0 && strcmp(text, "-") == 0)
        return range_of(session->listed_file, session->listed_first > size ? session->listed_first - size : 1,
                        MAX(session->listed_first, 2) - 1);
    if (*text == ',') {
        line = g_ascii_strtoull(text + 1 + strspn(text + 1, " "), &end, 10);
        return *end || line == 0 || line > INT32_MAX
                   ? NULL
                   : g_strdup_printf("%u,%u", (uint32_t)(line > size ? line - size + 1 : 1), (uint32_t)line);
    }
    line = g_ascii_strtoull(text, &end, 10);
    if (end > text && strcmp(end, ",") == 0 && line <= INT32_MAX)
        return g_strdup_printf("%u,%u", (uint32_t)line, (uint32_t)line + size - 1);
    return NULL;
}

/* Cuts what the query shows around a line to as many lines as are wanted, or asks for more. */
static bool around(DebugSession *session, GString *answer)
{
    char *at;
    uint32_t first = (uint32_t)strtoul(answer->str, &at, 10), last = (uint32_t)strtoul(at, &at, 10);
    uint32_t size = list_size(session), n = last - first + 1;
    enum { USUAL = 10 };
    if (size == USUAL || first > last)
        return true;
    g_autofree char *file = g_strndup(at + 1, strcspn(at + 1, "\n"));
    uint32_t middle = first + n / 2, from = middle > size / 2 ? middle - size / 2 : 1;
    g_autofree char *range = range_of(file, from, (uint32_t)MIN((uint64_t)from + size - 1, INT32_MAX));
    g_string_truncate(answer, 0);
    return cli_debug_ask(session, MON_QUERY_LIST, range, answer, NULL);
}

/* Without arguments it lists the lines around the current one, and then on from there. */
void cli_debug_do_list(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) answer = g_string_new(NULL);
    if (strcmp(arguments, "-") == 0 && session->listed_last > 0 && session->listed_first <= 1) {
        cli_debug_fail(session, "the beginning of %s has been listed", session->listed_file);
        return;
    }
    g_autofree char *meant = lines_meant(session, arguments);
    bool whole = meant || strchr(arguments, ',');
    if (*arguments == '\0' && !session->started && session->listed_last == 0)
        arguments = "main";
    else if (strcmp(arguments, "-") == 0)
        arguments = "";
    if (cli_debug_ask(session, MON_QUERY_LIST, meant ? meant : arguments, answer, &error) &&
        (whole || around(session, answer)))
        say_lines(session, answer->str);
    else
        cli_debug_fail(session, "%s", error ? error->message : "the source text is not there");
}
