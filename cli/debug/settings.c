/* settings.c - `set` and `show`: how the debugger talks, the program's arguments, values with names. */
#include "cli/debug/desk.h"

#include "cli/base/base.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PAST = 100000 };

typedef enum Kind { KIND_NUMBER, KIND_SWITCH, KIND_STYLE, KIND_TEXT } Kind;

static const struct Row {
    const char *name;
    Kind kind;
    const char *value, *help;
} rows[] = {
#define DEBUG_SETTING(id, name, kind, value, help) {name, KIND_##kind, value, help},
#include "cli/debug/settings.def"
};

void cli_debug_settings_open(DebugDesk *desk)
{
    for (int i = 0; i < DEBUG_SETTINGS; i++)
        desk->settings[i] = g_strdup(rows[i].value);
}

void cli_debug_settings_close(DebugDesk *desk)
{
    for (int i = 0; i < DEBUG_SETTINGS; i++)
        g_clear_pointer(&desk->settings[i], g_free);
}

unsigned cli_debug_number(const DebugDesk *desk, DebugSetting setting)
{
    guint64 number = 0;
    (void)g_ascii_string_to_unsigned(desk->settings[setting], 10, 0, UINT32_MAX, &number, NULL);
    return number == 0 ? UINT32_MAX : (unsigned)number;
}

bool cli_debug_is_on(const DebugDesk *desk, DebugSetting setting)
{
    return strcmp(desk->settings[setting], "on") == 0;
}

bool cli_debug_coloured(const DebugDesk *desk)
{
    const char *style = desk->settings[DEBUG_SET_STYLE];
    return !desk->shown && cli_console_coloured(strcmp(style, "on") == 0    ? "always"
                                                : strcmp(style, "off") == 0 ? "never"
                                                                            : "auto");
}

const char *cli_debug_setting_name(DebugSetting setting, const char **help)
{
    if (help)
        *help = rows[setting].help;
    return rows[setting].name;
}

char *cli_debug_past_file(const DebugDesk *desk)
{
    const char *path = desk->settings[DEBUG_SET_HISTORY_FILE];
    if (!cli_debug_is_on(desk, DEBUG_SET_HISTORY_SAVE))
        return NULL;
    return *path ? g_strdup(path) : cli_console_state_file("debug_history");
}

/* -- finding ----------------------------------------------------------------------------------- */

/* Whether the text begins with a setting's name, each word of which may be abbreviated. *rest: what follows. */
static bool fits(const char *name, const char *text, const char **rest, bool *whole)
{
    g_auto(GStrv) words = g_strsplit(name, " ", -1);
    *whole = true;
    for (char **word = words; *word; word++) {
        size_t length = strcspn(text, " \t");
        if (length == 0 || strncmp(*word, text, length) != 0)
            return word > words && length == 0 && strcmp(name, "style enabled") == 0;
        *whole = *whole && (*word)[length] == '\0';
        text += length;
        text += strspn(text, " \t");
        *rest = text;
    }
    return true;
}

/* Returns the setting that the text begins with, DEBUG_SETTINGS if there is none or several. A whole name comes first.
 */
static int find(const char *text, const char **rest, GString *several)
{
    int found = DEBUG_SETTINGS, count = 0;
    for (int i = 0; i < DEBUG_SETTINGS; i++) {
        const char *behind = "";
        bool whole = false;
        if (!fits(rows[i].name, text, &behind, &whole))
            continue;
        found = i;
        *rest = behind;
        if (whole)
            return i;
        g_string_append_printf(several, "%s%s", count++ ? ", " : "", rows[i].name);
    }
    return count == 1 ? found : DEBUG_SETTINGS;
}

/* -- set --------------------------------------------------------------------------------------- */

static bool is_one_of(const char *text, const char *a, const char *b, const char *c)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0 || strcmp(text, c) == 0;
}

/* Returns the value as it is kept, or NULL if there is none such. */
static char *read_value(Kind kind, const char *text)
{
    guint64 number;
    switch (kind) {
    case KIND_NUMBER:
        if (strcmp(text, "unlimited") == 0 || strcmp(text, "0") == 0)
            return g_strdup("unlimited");
        return g_ascii_string_to_unsigned(text, 10, 1, INT32_MAX, &number, NULL) ? g_strdup(text) : NULL;
    case KIND_STYLE:
        if (strcmp(text, "auto") == 0)
            return g_strdup(text);
        /* fall through */
    case KIND_SWITCH:
        if (*text == '\0' || is_one_of(text, "on", "1", "yes"))
            return g_strdup("on");
        return is_one_of(text, "off", "0", "no") ? g_strdup("off") : NULL;
    case KIND_TEXT: break;
    }
    size_t length = strlen(text);
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"')
        return g_strndup(text + 1, length - 2);
    return g_strdup(text);
}

static void change(DebugSession *session, int setting, const char *text)
{
    static const char *const wanted[] = {"a number, or unlimited", "on or off", "on, off or auto", "text"};
    char *value = read_value(rows[setting].kind, text);
    if (!value) {
        cli_debug_fail(session, "set %s takes %s, not '%s'", rows[setting].name, wanted[rows[setting].kind], text);
        return;
    }
    g_free(session->desk->settings[setting]);
    session->desk->settings[setting] = value;
}

static bool is_word(const char *text, const char *word, const char **rest)
{
    size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] && !g_ascii_isspace(text[length])))
        return false;
    *rest = text + length + strspn(text + length, " \t");
    return true;
}

/* The command line of the program becomes its name and these. */
void cli_debug_set_arguments(DebugSession *session, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) words = NULL;
    int n = 0;
    if (*text && !g_shell_parse_argv(text, &n, &words, &error)) {
        cli_debug_fail(session, "%s", error->message);
        return;
    }
    char **argv = g_new0(char *, (gsize)n + 2);
    argv[0] = g_strdup(session->argv[0]);
    for (int i = 0; i < n; i++)
        argv[i + 1] = g_strdup(words[i]);
    g_strfreev(session->own_argv);
    session->own_argv = session->argv = argv;
    session->argc = n + 1;
    session->desk->arguments_changed = true;
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (g_ascii_isalnum(text[length]) || text[length] == '_')
        length++;
    return length;
}

/* "$x = EXPRESSION" */
static void set_value(DebugSession *session, const char *text)
{
    size_t length = name_length(text + 1);
    g_autofree char *name = g_strndup(text + 1, length);
    const char *behind = text + 1 + length + strspn(text + 1 + length, " \t");
    if (length == 0 || *behind != '=' || behind[1] == '=') {
        cli_debug_fail(session, "set $NAME = EXPRESSION gives a value a name");
        return;
    }
    behind += 1 + strspn(behind + 1, " \t");
    g_autofree char *expression = cli_debug_with_values(session, behind);
    if (expression)
        (void)cli_debug_keep(session, name, expression);
}

/* Whether the text is an assignment: to a variable of the program, without `var`. */
static bool assigns(const char *text)
{
    const char *equals = strchr(text, '=');
    return equals && equals > text && equals[1] != '=' && !strchr("=!<>", equals[-1]);
}

void cli_debug_do_set(DebugSession *session, const char *arguments)
{
    const char *rest = arguments;
    g_autoptr(GString) several = g_string_new(NULL);
    if (cli_debug_set_locking(session, arguments))
        return;
    bool variable = is_word(arguments, "var", &rest) || is_word(arguments, "variable", &rest);
    if (*rest == '$') {
        set_value(session, rest);
        return;
    }
    int setting = variable ? DEBUG_SETTINGS : find(arguments, &rest, several);
    if (is_word(arguments, "args", &rest)) {
        cli_debug_set_arguments(session, rest);
    } else if (setting < DEBUG_SETTINGS) {
        change(session, setting, rest);
    } else if (variable || assigns(arguments)) {
        g_autofree char *assignment = cli_debug_with_values(session, rest);
        if (assignment && !session->started)
            cli_debug_fail(session, "the program is not running yet: type run");
        else if (assignment && cli_debug_still_there(session, session->rank))
            cli_debug_set_variable(session, assignment);
    } else if (several->len > 0) {
        cli_debug_fail(session, "'%s' could be: %s", arguments, several->str);
    } else {
        cli_debug_fail(session, "set var VARIABLE = EXPRESSION changes a variable; NAME = RANKS names a set of ranks; "
                                "'show' lists what else can be set");
    }
}

/* -- show -------------------------------------------------------------------------------------- */

static void show(DebugSession *session, int setting)
{
    g_string_append_printf(session->out, "%-17s %-10s %s\n", rows[setting].name, session->desk->settings[setting],
                           rows[setting].help);
}

static void show_arguments(DebugSession *session)
{
    g_string_append(session->out, "args             ");
    for (int i = 1; i < session->argc; i++) {
        bool plain = strcspn(session->argv[i], " \t'\"\\$*") == strlen(session->argv[i]) && *session->argv[i];
        g_autofree char *quoted = plain ? g_strdup(session->argv[i]) : g_shell_quote(session->argv[i]);
        g_string_append_printf(session->out, " %s", quoted);
    }
    g_string_append_c(session->out, '\n');
}

static void show_commands(DebugSession *session, const char *name)
{
    g_autofree const char **names = cli_console_scripts_names(session->desk->scripts);
    bool any = false;
    for (const char **one = names; *one; one++)
        if (*name == '\0' || strcmp(*one, name) == 0)
            any = cli_console_scripts_show(session->desk->scripts, *one, session->out);
    if (!any && *name)
        cli_debug_fail(session, "there is no command '%s' of yours", name);
    else if (!any)
        g_string_append(session->out, "no commands of your own: define NAME makes one\n");
}

void cli_debug_do_show(DebugSession *session, const char *arguments)
{
    const char *rest = "";
    g_autoptr(GString) several = g_string_new(NULL);
    int setting = find(arguments, &rest, several);
    if (is_word(arguments, "convenience", &rest) || is_word(arguments, "conv", &rest)) {
        cli_debug_show_values(session);
    } else if (is_word(arguments, "user", &rest)) {
        show_commands(session, rest);
    } else if (is_word(arguments, "version", &rest)) {
        g_string_append(session->out, "orrery " ORRERY_VERSION "\n");
    } else if (is_word(arguments, "args", &rest)) {
        show_arguments(session);
    } else if (setting < DEBUG_SETTINGS) {
        show(session, setting);
    } else if (*arguments && several->len == 0) {
        cli_debug_fail(session, "there is no setting '%s': 'show' lists them", arguments);
    } else {
        show_arguments(session);
        for (int i = 0; i < DEBUG_SETTINGS; i++)
            if (*arguments == '\0' || g_str_has_prefix(rows[i].name, arguments))
                show(session, i);
    }
}

/* -- the system -------------------------------------------------------------------------------- */

void cli_debug_do_pwd(DebugSession *session, const char *arguments)
{
    (void)arguments;
    g_autofree char *folder = g_get_current_dir();
    g_string_append_printf(session->out, "%s\n", folder);
}

/* The program's own path keeps its meaning. */
static void keep_program(DebugSession *session)
{
    if (g_path_is_absolute(session->argv[0]) || !g_file_test(session->argv[0], G_FILE_TEST_EXISTS))
        return;
    char **argv = g_new0(char *, (gsize)session->argc + 1);
    argv[0] = g_canonicalize_filename(session->argv[0], NULL);
    for (int i = 1; i < session->argc; i++)
        argv[i] = g_strdup(session->argv[i]);
    g_strfreev(session->own_argv);
    session->own_argv = session->argv = argv;
}

void cli_debug_do_cd(DebugSession *session, const char *arguments)
{
    const char *folder = *arguments ? arguments : g_get_home_dir();
    g_autofree char *path = g_str_has_prefix(folder, "~/")
                                ? g_build_filename(g_get_home_dir(), folder + 2, NULL)
                                : g_strdup(strcmp(folder, "~") == 0 ? g_get_home_dir() : folder);
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        cli_debug_fail(session, "there is no directory %s", path);
        return;
    }
    keep_program(session);
    if (chdir(path) != 0)
        cli_debug_fail(session, "%s: %s", path, g_strerror(errno));
    else
        cli_debug_do_pwd(session, "");
    session->desk->arguments_changed = true; /* the program will be in another directory */
}

void cli_debug_do_shell(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *told = NULL;
    const char *argv[] = {"/bin/sh", "-c", arguments, NULL};
    int status = 0;
    bool captured = session->desk->shown;
    cli_debug_flush(session);
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, captured ? &told : NULL,
                      NULL, &status, &error))
        cli_debug_fail(session, "%s", error->message);
    else if (told)
        g_string_append(session->out, told);
    cli_debug_keep_number(session->desk, "_shell_exitcode", status >> 8);
}
