/* commands.c - the commands of the debugger: finds the row of commands.def and calls its function, if it is possible
 * now. */
#include "cli/base/base.h"
#include "cli/debug/desk.h"

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
void cli_debug_commands_open(DebugDesk *desk)
{
    desk->names = g_new(ConsoleName, G_N_ELEMENTS(commands));
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        desk->names[i] = (ConsoleName){g_strdelimit(g_strdup(commands[i].name), "_", '-'), commands[i].alias};
}

void cli_debug_commands_close(DebugDesk *desk)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        g_free((char *)desk->names[i].name);
    g_free(desk->names);
}

static const struct {
    const char *alias, *name;
} aliases[] = {
#define DEBUG_ALIAS(alias, name) {alias, name},
#include "cli/debug/aliases.def"
};

const ConsoleName *cli_debug_commands(const DebugSession *session, size_t *n)
{
    *n = G_N_ELEMENTS(commands);
    return session->desk->names;
}

static const char *name_of(const DebugSession *session, const Command *command)
{
    return session->desk->names[command - commands].name;
}

/* Finds a command by name, further name, or a beginning that fits no other. Appends why if there is none. */
static const Command *find_command(const DebugSession *session, const char *word, GString *why)
{
    size_t index = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(aliases); i++)
        if (strcmp(aliases[i].alias, word) == 0)
            word = aliases[i].name;
    return cli_console_find(session->desk->names, G_N_ELEMENTS(commands), word, "command", &index, why) == CONSOLE_FOUND
               ? &commands[index]
               : NULL;
}

const char *cli_debug_command(const DebugSession *session, const char *word, GString *why)
{
    const Command *command = find_command(session, word, why);
    return command ? name_of(session, command) : NULL;
}

const char *cli_debug_command_form(const DebugSession *session, const char *name, const char **help)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (strcmp(session->desk->names[i].name, name) == 0) {
            *help = commands[i].help;
            return commands[i].arguments;
        }
    *help = "";
    return "";
}

void cli_debug_do_quit(DebugSession *session, const char *arguments)
{
    (void)arguments;
    session->quit = true;
}

/* Checks that arguments are given if the command needs some, and none if it takes none. */
static bool takes(DebugSession *session, const Command *command, const char *arguments)
{
    bool none = *command->arguments == '\0', optional = *command->arguments == '[';
    if (*arguments != '\0' ? !none : none || optional)
        return true;
    if (none)
        cli_debug_fail(session, "%s takes nothing behind it: %s", name_of(session, command), name_of(session, command));
    else
        cli_debug_fail(session, "%s what? type %s %s", name_of(session, command), name_of(session, command),
                       command->arguments);
    return false;
}

/* Whether a command only looks at one thread. */
static bool looks(const Command *command)
{
    bool acts = command->function == cli_debug_do_thread || command->function == cli_debug_do_set;
    return (command->needs == DEBUG_RANK && !acts) || command->function == cli_debug_do_backtrace ||
           command->function == cli_debug_do_info || command->function == cli_debug_do_list;
}

/* Whether $x means a value in what stands behind a command. */
static bool has_values(const Command *command)
{
    static void (*const without[])(DebugSession *, const char *) = {
        cli_debug_do_set,  cli_debug_do_echo, cli_debug_do_shell,    cli_debug_do_help, cli_debug_do_apropos,
        cli_debug_do_show, cli_debug_do_info, cli_debug_do_complete, cli_debug_do_run,  cli_debug_do_start};
    for (size_t i = 0; i < G_N_ELEMENTS(without); i++)
        if (command->function == without[i])
            return false;
    return true;
}

/* Says why a command cannot be done now. */
static bool can_be_done(DebugSession *session, const Command *command)
{
    if (command->needs != DEBUG_ANY_TIME && !session->started)
        cli_debug_fail(session, "the program is not running yet: type run");
    else if (command->needs == DEBUG_RUNNING && session->ended)
        cli_debug_fail(session, "the program has ended: type run to start it again");
    else if (command->needs != DEBUG_RANK || cli_debug_still_there(session, session->rank))
        return true;
    session->failed = true;
    return false;
}

/* What needs no program: whole numbers. */
static bool print_number(DebugSession *session, const Command *command, const char *typed, const char *text)
{
    gint64 number;
    if (command->function != cli_debug_do_print || (session->started && !session->ended) ||
        !cli_console_arithmetic(text, &number))
        return false;
    g_string_append_printf(session->out, "%s = %" G_GINT64_FORMAT "\n", typed, number);
    return true;
}

/* Calls the function of a command, with the values of $x. An answer begins with what was typed. */
static void call(DebugSession *session, const Command *command, const char *typed)
{
    gsize before = session->out->len;
    g_autofree char *text =
        has_values(command) && strchr(typed, '$') ? cli_debug_with_values(session, typed) : g_strdup(typed);
    if (!text || print_number(session, command, typed, text) || !can_be_done(session, command))
        return;
    command->function(session, text);
    if (strcmp(text, typed) != 0 && session->out->len > before && g_str_has_prefix(session->out->str + before, text)) {
        g_string_erase(session->out, (gssize)before, (gssize)strlen(text));
        g_string_insert(session->out, (gssize)before, typed);
    }
}

static void hook(DebugSession *session, const char *prefix, const Command *command)
{
    bool failed = session->failed;
    cli_debug_flush(session);
    (void)cli_console_scripts_hook(session->desk->scripts, prefix, name_of(session, command));
    session->failed = failed;
}

/* Whether the line is a command of the user, which is run then. */
static bool is_own(DebugSession *session, const char *word, const char *arguments)
{
    bool known = false;
    cli_debug_flush(session);
    bool good = cli_console_scripts_call(session->desk->scripts, word, arguments, &known);
    session->failed = known ? !good : session->failed;
    return known;
}

/* Finds the command and calls its function, or appends why not. */
static void dispatch(DebugSession *session, const char *line, bool only_looks)
{
    g_autofree char *text = g_strstrip(g_strdup(line));
    g_autoptr(GString) why = g_string_new(NULL);
    if (*text == '\0' || *text == '#')
        return;
    char *arguments = text + (*text == '!' ? 1 : strcspn(text, " \t/")); /* x/4xb, !ls */
    if (cli_debug_is_group(text)) {
        cli_debug_do_group(session, text);
        return;
    }
    g_autofree char *format = *arguments == '/' || *text == '!' ? g_strdup(arguments) : NULL;
    if (*arguments != '\0')
        *arguments++ = '\0';
    arguments = format ? g_strchug(format) : g_strchug(arguments);
    if (*text == '!')
        strcpy(text, "!");
    if (!only_looks && is_own(session, text, arguments))
        return;
    const Command *command = find_command(session, text, why);
    if (!command) {
        cli_debug_fail(session, "%s", why->str);
    } else if (only_looks && !looks(command)) {
        cli_debug_fail(session, "%s is not for several threads at once", name_of(session, command));
    } else if (takes(session, command, arguments)) {
        hook(session, "hook-", command);
        call(session, command, arguments);
        hook(session, "hookpost-", command);
    }
}

void cli_debug_look(DebugSession *session, const char *line)
{
    dispatch(session, line, true);
}

void cli_debug_flush(DebugSession *session)
{
    if (session->desk && session->desk->shown)
        g_string_append(session->desk->shown, session->out->str);
    else if (session->out->len > 0 && !cli_say_output(session->out->str))
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
