/* help.c - `help` by groups and by command, with an example each, and `apropos`. */
#include "cli/debug/desk.h"

#include <string.h>

typedef struct Topic {
    const char *command, *group, *example;
} Topic;

static const Topic topics[] = {
#define DEBUG_TOPIC(command, group, example) {command, group, example},
#include "cli/debug/help.def"
};

static const struct {
    const char *name, *help;
} groups[] = {
#define DEBUG_TOPIC_GROUP(name, help) {name, help},
#include "cli/debug/help.def"
};

static const Topic *topic_of(const char *command)
{
    for (size_t i = 0; i < G_N_ELEMENTS(topics); i++)
        if (strcmp(topics[i].command, command) == 0)
            return &topics[i];
    return NULL;
}

const char *cli_debug_example(const char *command)
{
    const Topic *topic = topic_of(command);
    return topic ? topic->example : "";
}

/* -- one command ------------------------------------------------------------------------------- */

static void append_form(DebugSession *session, const char *name, const char *aliases)
{
    const char *help, *form = cli_debug_command_form(session, name, &help);
    g_autofree char *whole = g_strdup_printf("%s %s", name, form);
    g_string_append_printf(session->out, "  %-46s %-4.*s %s\n", whole, (int)strcspn(aliases ? aliases : "", " "),
                           aliases ? aliases : "", help);
}

static void help_command(DebugSession *session, const char *name)
{
    size_t n;
    const ConsoleName *names = cli_debug_commands(session, &n);
    const char *example = cli_debug_example(name);
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i].name, name) == 0) {
            append_form(session, name, names[i].aliases);
            if (names[i].aliases && strchr(names[i].aliases, ' '))
                g_string_append_printf(session->out, "  short: %s\n", names[i].aliases);
        }
    if (*example)
        g_string_append_printf(session->out, "  for example: %s\n", example);
}

static void help_own(DebugSession *session, const char *name)
{
    const char *document = cli_console_scripts_document(session->desk->scripts, name);
    g_string_append(session->out,
                    *document ? document : "a command of your own, without a text: document gives it one\n");
}

/* -- groups ------------------------------------------------------------------------------------ */

static void help_group(DebugSession *session, size_t group)
{
    size_t n;
    const ConsoleName *names = cli_debug_commands(session, &n);
    for (size_t i = 0; i < n; i++) {
        const Topic *topic = topic_of(names[i].name);
        if (topic && strcmp(topic->group, groups[group].name) == 0)
            append_form(session, names[i].name, names[i].aliases);
    }
}

static void help_own_commands(DebugSession *session)
{
    g_autofree const char **names = cli_console_scripts_names(session->desk->scripts);
    for (const char **name = names; *name; name++) {
        const char *document = cli_console_scripts_document(session->desk->scripts, *name);
        g_string_append_printf(session->out, "  %-46s      %.*s\n", *name, (int)strcspn(document, "\n"), document);
    }
}

static void help_groups(DebugSession *session)
{
    size_t n;
    const ConsoleName *names = cli_debug_commands(session, &n);
    for (size_t g = 0; g < G_N_ELEMENTS(groups); g++) {
        const char *between = "";
        g_string_append_printf(session->out, "%s: %s\n  ", groups[g].name, groups[g].help);
        for (size_t i = 0; i < n; i++) {
            const Topic *topic = topic_of(names[i].name);
            if (!topic || strcmp(topic->group, groups[g].name) != 0)
                continue;
            g_string_append_printf(session->out, "%s%s", between, names[i].name);
            between = ", ";
        }
        g_string_append_c(session->out, '\n');
    }
    g_autofree const char **own = cli_console_scripts_names(session->desk->scripts);
    if (*own)
        g_string_append(session->out, "your own:\n");
    help_own_commands(session);
    g_string_append(session->out,
                    "help COMMAND, help GROUP and help all say more; apropos WORD searches; a beginning of a "
                    "name that fits one command alone will do\n");
}

static int find_group(const char *text)
{
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
        if (strcmp(groups[i].name, text) == 0)
            return (int)i;
    return -1;
}

void cli_debug_do_help(DebugSession *session, const char *arguments)
{
    g_autoptr(GString) why = g_string_new(NULL);
    g_autofree char *word = g_strndup(arguments, strcspn(arguments, " \t"));
    int group = find_group(arguments);
    const char *name = *word ? cli_debug_command(session, word, why) : NULL;
    if (*word == '\0')
        help_groups(session);
    else if (strcmp(word, "all") == 0)
        for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
            help_group(session, i);
    else if (cli_console_scripts_document(session->desk->scripts, word))
        help_own(session, word);
    else if (group >= 0)
        help_group(session, (size_t)group);
    else if (name)
        help_command(session, name);
    else
        cli_debug_fail(session, "%s", why->str);
}

/* -- apropos ----------------------------------------------------------------------------------- */

static bool has(const char *text, const char *word)
{
    g_autofree char *a = g_ascii_strdown(text, -1), *b = g_ascii_strdown(word, -1);
    return strstr(a, b);
}

void cli_debug_do_apropos(DebugSession *session, const char *arguments)
{
    size_t n;
    const ConsoleName *names = cli_debug_commands(session, &n);
    gsize before = session->out->len;
    const char *help;
    for (size_t i = 0; i < n; i++) {
        (void)cli_debug_command_form(session, names[i].name, &help);
        if (has(names[i].name, arguments) || has(help, arguments))
            g_string_append_printf(session->out, "%s: %s\n", names[i].name, help);
    }
    for (int i = 0; i < DEBUG_SETTINGS; i++) {
        const char *name = cli_debug_setting_name((DebugSetting)i, &help);
        if (has(name, arguments) || has(help, arguments))
            g_string_append_printf(session->out, "set %s: %s\n", name, help);
    }
    if (session->out->len == before)
        g_string_append_printf(session->out, "nothing is said about '%s'\n", arguments);
}
