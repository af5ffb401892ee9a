/* commands.c - the commands of the debugger: finds the row of commands.def and calls its function, if it is possible
 * now. */
#include "cli/base/base.h"
#include "cli/debug/debug.h"

#include <string.h>

typedef struct Command {
    const char *name, *alias, *arguments, *help;
    void (*function)(DebugSession *session, const char *arguments);
    enum { DEBUG_ANY_TIME, DEBUG_STARTED, DEBUG_RANK, DEBUG_RUNNING } needs;
} Command;

static const Command commands[] = {
#define DEBUG_COMMAND(name, alias, form, text, needs) {#name, alias, form, text, cli_debug_do_##name, DEBUG_##needs},
#include "cli/debug/commands.def"
};

/* Names have hyphens where C has underscores. */
static bool is_prefix(const char *word, const char *name, bool whole)
{
    while (*word && (*word == *name || (*word == '-' && *name == '_')))
        word++, name++;
    return *word == '\0' && (!whole || *name == '\0');
}

/* Finds a command by name, alias, or the beginning of a name (the first in the table wins). */
static const Command *find_command(const char *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (g_strcmp0(commands[i].alias, word) == 0 || is_prefix(word, commands[i].name, true))
            return &commands[i];
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (is_prefix(word, commands[i].name, false))
            return &commands[i];
    return NULL;
}

static void append_form(GString *out, const Command *command)
{
    g_autofree char *name = g_strdelimit(g_strdup(command->name), "_", '-');
    g_autofree char *form = g_strdup_printf("%s %s", name, command->arguments);
    g_string_append_printf(out, "  %-46s %-4s %s\n", form, command->alias ? command->alias : "", command->help);
}

void cli_debug_do_help(DebugSession *session, const char *arguments)
{
    const Command *command = *arguments != '\0' ? find_command(arguments) : NULL;
    if (command)
        append_form(session->out, command);
    else if (*arguments != '\0')
        g_string_append_printf(session->out, "no command '%s'; type help\n", arguments);
    for (size_t i = 0; *arguments == '\0' && i < G_N_ELEMENTS(commands); i++)
        append_form(session->out, &commands[i]);
}

void cli_debug_do_quit(DebugSession *session, const char *arguments)
{
    (void)arguments;
    session->quit = true;
}

/* Checks that arguments are given if the command needs some, and none if it takes none. */
static bool takes(const Command *command, const char *arguments, GString *out)
{
    bool none = *command->arguments == '\0', optional = *command->arguments == '[';
    if (*arguments != '\0' ? !none : none || optional)
        return true;
    g_string_append_printf(out, none ? "%s takes nothing behind it: %s\n" : "%s what? type %s %s\n", command->name,
                           command->name, command->arguments);
    return false;
}

/* Whether a command only looks at one thread. */
static bool looks(const Command *command)
{
    bool acts = command->function == cli_debug_do_thread || command->function == cli_debug_do_set;
    return (command->needs == DEBUG_RANK && !acts) || command->function == cli_debug_do_backtrace ||
           command->function == cli_debug_do_info || command->function == cli_debug_do_list;
}

/* Finds the command and calls its function, or appends why not. */
static void dispatch(DebugSession *session, const char *line, bool only_looks)
{
    g_autofree char *text = g_strstrip(g_strdup(line));
    if (*text == '\0' || *text == '#')
        return;
    char *arguments = text + strcspn(text, " \t/"); /* x/4xb */
    if (cli_debug_is_group(text)) {
        cli_debug_do_group(session, text);
        return;
    }
    g_autofree char *format = *arguments == '/' ? g_strdup(arguments) : NULL;
    if (*arguments != '\0')
        *arguments++ = '\0';
    arguments = format ? format : g_strchug(arguments);
    const Command *command = find_command(text);
    if (!command)
        g_string_append_printf(session->out, "no command '%s'; type help\n", text);
    else if (only_looks && !looks(command))
        g_string_append_printf(session->out, "%s is not for several threads at once\n", command->name);
    else if (!takes(command, arguments, session->out))
        ; /* reported already */
    else if (command->needs != DEBUG_ANY_TIME && !session->started)
        g_string_append(session->out, "the program is not running yet: type run\n");
    else if (command->needs == DEBUG_RUNNING && session->ended)
        g_string_append(session->out, "the program has ended: type run to start it again\n");
    else if (command->needs != DEBUG_RANK || cli_debug_still_there(session, session->rank))
        command->function(session, arguments);
}

void cli_debug_look(DebugSession *session, const char *line)
{
    dispatch(session, line, true);
}

void cli_debug_flush(DebugSession *session)
{
    if (!cli_say_output(session->out->str))
        session->quit = session->unheard = true;
    g_string_truncate(session->out, 0);
}

void cli_debug_execute(DebugSession *session, const char *line)
{
    if (cli_debug_collect(session, line))
        return;
    dispatch(session, line, false);
    cli_debug_flush(session);
    cli_debug_run_scripts(session);
}
