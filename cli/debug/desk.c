/* desk.c - lines that are typed, and those of scripts; what happens around each stop. */
#include "cli/debug/desk.h"

#include "cli/base/base.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>

void cli_debug_fail(DebugSession *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(session->out, format, arguments);
    va_end(arguments);
    g_string_append_c(session->out, '\n');
    session->failed = true;
}

/* -- what scripts ask -------------------------------------------------------------------------- */

static bool execute(void *user, const char *line)
{
    DebugSession *session = user;
    session->failed = false;
    cli_debug_execute(session, line);
    if (session->failed && session->desk->batch)
        cli_debug_batch_failed(session->desk->batch, line);
    return !session->failed;
}

static bool truth(void *user, const char *text, bool *value)
{
    DebugSession *session = user;
    g_autofree char *expression = cli_debug_with_values(session, text);
    g_autofree char *told = expression ? cli_debug_value(session, expression) : NULL;
    if (told) {
        g_autofree char *number = g_strndup(told, strcspn(told, " "));
        gboolean pointer = g_str_has_prefix(number, "0x");
        *value = pointer ? g_ascii_strtoull(number, NULL, 16) != 0 : g_ascii_strtod(number, NULL) != 0;
    }
    cli_debug_flush(session);
    return told;
}

/* Ctrl-C is blocked while a line is executed: it is seen here. */
static bool stops(void *user)
{
    const DebugSession *session = user;
    sigset_t pending, interrupt;
    sigpending(&pending);
    if (session->desk->editor && sigismember(&pending, SIGINT)) {
        sigemptyset(&interrupt);
        sigaddset(&interrupt, SIGINT);
        (void)sigtimedwait(&interrupt, NULL, &(struct timespec){0});
        return true;
    }
    return session->quit;
}

static bool collects(void *user)
{
    return cli_debug_collects(user);
}

static void say(void *user, const char *text)
{
    DebugSession *session = user;
    g_string_append_printf(session->out, "%s\n", text);
    cli_debug_flush(session);
}

static const char *built_in(void *user, const char *word)
{
    g_autoptr(GString) why = g_string_new(NULL);
    return cli_debug_command(user, word, why);
}

/* -- the desk ---------------------------------------------------------------------------------- */

static gint compare(gconstpointer a, gconstpointer b, gpointer user)
{
    (void)user;
    return strcmp(a, b);
}

void cli_debug_desk_open(DebugSession *session)
{
    ConsoleHost host = {execute, truth, stops, collects, say, built_in, session};
    DebugDesk *desk = g_new0(DebugDesk, 1);
    desk->scripts = cli_console_scripts_new(&host);
    desk->values = g_tree_new_full(compare, NULL, g_free, g_free);
    desk->warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    desk->exit_status = -1;
    desk->next_display = 1;
    cli_debug_settings_open(desk);
    cli_debug_commands_open(desk);
    session->desk = desk;
}

void cli_debug_desk_close(DebugSession *session)
{
    DebugDesk *desk = session->desk;
    if (!desk)
        return;
    cli_console_scripts_free(desk->scripts);
    cli_debug_settings_close(desk);
    cli_debug_commands_close(desk);
    g_tree_unref(desk->values);
    g_clear_pointer(&desk->displays, g_ptr_array_unref);
    cli_debug_batch_free(desk->batch);
    g_hash_table_unref(desk->warned);
    g_free(desk->last);
    g_free(desk->filter);
    g_free(desk->next_memory);
    g_free(desk);
    session->desk = NULL;
}

/* -- lines ------------------------------------------------------------------------------------- */

bool cli_debug_enter(DebugSession *session, const char *line)
{
    bool good = cli_console_scripts_line(session->desk->scripts, line);
    cli_debug_flush(session);
    return good;
}

/* What an empty line does: the same again, but for what would do harm; list and x go on from where they were. */
static char *repeated(const DebugSession *session, const char *text)
{
    static const char *const once[] = {"run",   "start", "kill", "delete", "source", "define", "document", "if",
                                       "while", "quit",  "tui",  "layout", "shell",  "cd",     "set"};
    g_autoptr(GString) why = g_string_new(NULL);
    size_t length = strcspn(text, " \t/");
    g_autofree char *word = g_strndup(text, length);
    const char *name = cli_debug_command(session, word, why);
    for (size_t i = 0; name && i < G_N_ELEMENTS(once); i++)
        if (strcmp(once[i], name) == 0)
            return NULL;
    if (name && strcmp(name, "list") == 0)
        return g_strdup(g_str_has_suffix(text, " -") ? text : "list");
    if (name && strcmp(name, "x") == 0 && text[length] == '/')
        return g_strndup(text, length + strcspn(text + length, " \t"));
    return g_strdup(text);
}

bool cli_debug_type(DebugSession *session, const char *line)
{
    DebugDesk *desk = session->desk;
    g_autofree char *text = g_strstrip(g_strdup(line));
    if (cli_console_scripts_collects(desk->scripts) || cli_debug_collects(session))
        return cli_debug_enter(session, text);
    if (*text == '\0' && !desk->last)
        return true;
    if (*text != '\0') {
        g_free(desk->last);
        desk->last = *text == '#' ? NULL : repeated(session, text);
    }
    g_autofree char *now = *text != '\0' ? g_steal_pointer(&text) : g_strdup(desk->last);
    return cli_debug_enter(session, now);
}

bool cli_debug_first(DebugSession *session, const char *text)
{
    if (*text == ' ' || !g_file_test(text, G_FILE_TEST_EXISTS))
        return cli_debug_enter(session, text);
    bool good = cli_console_scripts_source(session->desk->scripts, text);
    cli_debug_flush(session);
    return good;
}

bool cli_debug_read_init(DebugSession *session)
{
    g_autofree char *path = cli_console_config_file("debuginit");
    return !path || !g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
           cli_console_scripts_source(session->desk->scripts, path);
}

void cli_debug_do_source(DebugSession *session, const char *arguments)
{
    g_autofree char *path = g_str_has_prefix(arguments, "~/") ? g_build_filename(g_get_home_dir(), arguments + 2, NULL)
                                                              : g_strdup(arguments);
    session->failed = !cli_console_scripts_source(session->desk->scripts, path);
}

/* These are met as commands only where no block can begin. */
static void misplaced(DebugSession *session, const char *name)
{
    cli_debug_fail(session, "%s begins a block of lines, which can only be on lines of their own", name);
}

void cli_debug_do_define(DebugSession *session, const char *arguments)
{
    (void)arguments;
    misplaced(session, "define");
}

void cli_debug_do_document(DebugSession *session, const char *arguments)
{
    (void)arguments;
    misplaced(session, "document");
}

void cli_debug_do_if(DebugSession *session, const char *arguments)
{
    (void)arguments;
    misplaced(session, "if");
}

void cli_debug_do_while(DebugSession *session, const char *arguments)
{
    (void)arguments;
    misplaced(session, "while");
}

/* -- stops ------------------------------------------------------------------------------------- */

void cli_debug_before_stop(DebugSession *session, const MonStop *stop)
{
    DebugDesk *desk = session->desk;
    if (!desk)
        return;
    cli_debug_keep_number(desk, "_rank", session->rank);
    cli_debug_keep_number(desk, "bpnum", stop->breakpoint);
    if (stop->reason == MON_ENDED) {
        cli_debug_keep_number(desk, "_exitcode", stop->exit_status);
        desk->exit_status = stop->exit_status;
    }
    bool failed = session->failed;
    cli_debug_flush(session);
    (void)cli_console_scripts_hook(desk->scripts, "hook-", "stop");
    session->failed = failed;
}

void cli_debug_after_stop(DebugSession *session, const MonStop *stop)
{
    if (!session->desk)
        return;
    if (stop->reason != MON_ENDED)
        cli_debug_show_displays(session);
    if (session->desk->batch)
        cli_debug_batch_stop(session, stop);
}
