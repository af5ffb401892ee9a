/* terminal.c - reads commands: from an editor of lines on a terminal, plain lines otherwise. */
#include "cli/debug/desk.h"

#include <stdlib.h>
#include <string.h>

static const char *prompt(void *user)
{
    const DebugSession *session = user;
    return cli_console_scripts_collects(session->desk->scripts) || cli_debug_collects(session)
               ? ">"
               : session->desk->settings[DEBUG_SET_PROMPT];
}

static void complete(void *user, const char *line, GPtrArray *lines)
{
    cli_debug_complete(user, line, lines);
}

static ConsoleEditor *open_editor(DebugSession *session, const char *past)
{
    unsigned most = MIN(cli_debug_number(session->desk, DEBUG_SET_HISTORY_SIZE), 100000);
    return cli_console_editor_new(&(ConsoleEditorOptions){prompt, complete, session, past, most});
}

void cli_debug_read_terminal(DebugSession *session)
{
    DebugDesk *desk = session->desk;
    const char *line;
    g_autofree char *past = cli_debug_past_file(desk);
    desk->editor = open_editor(session, past);
    while (!session->quit) {
        if (desk->full_screen && !cli_debug_full_screen(session))
            desk->full_screen = false;
        cli_debug_flush(session);
        if (session->quit || !(line = cli_console_editor_line(desk->editor)))
            break;
        g_autofree char *text = g_strstrip(g_strdup(line));
        if (*text)
            cli_console_editor_remember(desk->editor, text);
        (void)cli_debug_type(session, text);
    }
    cli_console_editor_free(desk->editor);
    desk->editor = NULL;
}

void cli_debug_read_lines(DebugSession *session)
{
    char *line = NULL;
    size_t capacity = 0;
    while (!session->quit && getline(&line, &capacity, stdin) >= 0)
        (void)cli_debug_type(session, line);
    (void)cli_console_scripts_end(session->desk->scripts);
    free(line);
}
