/* manual.c - `orrery complete man NAME PART`: prints the parts of manual pages that come from tables (mdoc): options of
 * a command, lists of commands, variables and measures. The pages in docs/man hold each part between two marks. The
 * test cli.others checks that they are up to date.
 *
 * The tables hold plain text. Words that begin with a dash become literals, and `orrery NAME` becomes a reference to
 * its page.
 */
#include "cli/table.h"

#include <string.h>

enum { WIDTH = 116 };

static size_t at_column(const GString *out)
{
    const char *line = strrchr(out->str, '\n');
    return strlen(line ? line + 1 : out->str);
}

/* Begins a new line: a macro must be at the beginning of a line, and so must what follows it. */
static void begin_line(GString *out)
{
    if (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, '\n');
}

/* Returns the length of NAME if the text begins with "`orrery NAME`", else 0. */
static size_t command_name(const char *text)
{
    if (!g_str_has_prefix(text, "`orrery "))
        return 0;
    size_t length = strspn(text + strlen("`orrery "), "abcdefghijklmnopqrstuvwxyz");
    return text[strlen("`orrery ") + length] == '`' ? length : 0;
}

/* Appends a word; if it begins with a dash, its dashes become literal. Returns the end of the word. */
static const char *append_word(GString *out, const char *text)
{
    size_t length = strcspn(text, " \n");
    size_t quotes = strspn(text, "(\"`");
    bool option = length > quotes + 1 && text[quotes] == '-';
    if ((*text == '.' || *text == '\'') && (!out->len || out->str[out->len - 1] == '\n'))
        g_string_append(out, "\\&");
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\\')
            g_string_append(out, "\\e");
        else
            g_string_append_printf(out, option && text[i] == '-' ? "\\%c" : "%c", text[i]);
    return text + length;
}

/* Appends the first line of a text as sentences, each on a line of its own. `stop`: the last one ends with a full
 * stop. */
static void append_text(GString *out, const char *text, bool stop)
{
    size_t length = strcspn(text, "\n");
    stop = stop && length && text[length - 1] != '.';
    g_autofree char *line = g_strdup_printf("%.*s%s", (int)length, text, stop ? "." : "");
    *line = g_ascii_toupper(*line);
    for (const char *at = line + strspn(line, " "); *at; at += strspn(at, " ")) {
        size_t name = command_name(at);
        if (name) {
            const char *rest = at + strlen("`orrery `") + name;
            size_t marks = strspn(rest, ".,;:)");
            begin_line(out);
            g_string_append_printf(out, ".Xr orrery-%.*s 1%s%.*s\n", (int)name, at + strlen("`orrery "),
                                   marks ? " " : "", (int)marks, rest);
            at = rest + marks;
            continue;
        }
        at = append_word(out, at);
        bool last = at[-1] == '.' && g_ascii_isupper(at[strspn(at, " ")]);
        g_string_append_c(out, last || at_column(out) + strcspn(at + strspn(at, " "), " ") > WIDTH ? '\n' : ' ');
    }
    begin_line(out);
}

/* Appends the further lines of a help text: sentences and, after a sentence that ends in a colon, a list of names with
 * explanations. */
static void append_further(GString *out, const char *text, bool with_list)
{
    bool list = false;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        text += strspn(text, " ");
        size_t length = strcspn(text, "\n"), name = strcspn(text, ":\n");
        bool colon = length && text[length - 1] == ':';
        if (colon && !with_list)
            return;
        if (!memchr(text, ' ', name) && text[name] == ':') {
            if (!list)
                g_string_append(out, ".Bl -tag -width uninitialised -compact\n");
            list = true;
            g_string_append_printf(out, ".It %.*s\n", (int)name, text);
            text += name + 1 + strspn(text + name + 1, " ");
        }
        append_text(out, text, !list && !colon);
    }
    if (list)
        g_string_append(out, ".El\n");
}

/* Remarks that --help leaves out, for options of that name in all commands (NULL) or in one. */
static const struct {
    const char *command, *option, *text;
} remarks[] = {
    {NULL, "fs", "what it does not get is told, once"},
    {NULL, "env",
     "NAME* stands for all whose names begin so. Without it they find PATH, HOME, USER and LANG with fixed "
     "values. Behind a : it is for that program alone"},
    {"explore", "jobs", "here: executions at a time (default: one per core)"},
    {"explore", "choices", "here it is refused: exploring makes all choices"},
    {"map", "json", "- is standard output, in place of the table"},
};

/* How a command writes its long options: commands that imitate other programs follow those. */
static const struct Form {
    const char *command, *dashes, *value;
} forms[] = {{"cc", "Fl Fl", " Ns = Ns "}, {"mpirun", "Fl", " "}, {NULL, "Fl Fl", " "}};

static void append_option(GString *out, const CliCommand *command, const CliOption *option)
{
    const struct Form *form = forms;
    while (form->command && strcmp(form->command, command->name) != 0)
        form++;
    g_string_append(out, ".It");
    if (option->letter)
        g_string_append_printf(out, " Fl %c%s", option->letter, *option->name ? " ," : "");
    if (*option->name)
        g_string_append_printf(out, " %s %s", form->dashes, option->name);
    if (option->argument == CLI_CHECKS)
        g_string_append_printf(out, " Ns Op Ns = Ns Ar %s", option->value);
    else if (option->value)
        g_string_append_printf(out, "%sAr %s", *option->name ? form->value : " ", option->value);
    g_string_append_c(out, '\n');
    append_text(out, option->help, true);
    const char *further = strchr(option->help, '\n');
    bool elsewhere = option->argument == CLI_CHECKS && strcmp(command->name, "run") != 0;
    if (further)
        append_further(out, further + 1, !elsewhere);
    if (elsewhere)
        append_text(out, "The names are in `orrery run`", true);
    for (size_t i = 0; i < G_N_ELEMENTS(remarks); i++)
        if (strcmp(remarks[i].option, option->name) == 0 &&
            (!remarks[i].command || strcmp(remarks[i].command, command->name) == 0))
            append_text(out, remarks[i].text, true);
    g_autoptr(GString) example = g_string_new(option->example);
    g_string_replace(example, "-", "\\-", 0);
    g_string_append_printf(out, "Example:\n.Ql %s\n", example->str);
}

static bool append_options(const char *name, GString *out)
{
    const CliCommand *command = cli_table_find(name);
    if (!command)
        return false;
    g_string_append(out, ".Bl -tag -width Ds\n");
    for (const CliOption *option = command->options; option->name; option++)
        append_option(out, command, option);
    if (strcmp(name, "cc") != 0)
        g_string_append(out, ".It Fl h , Fl Fl help\nThis text.\n");
    g_string_append(out, ".El\n");
    return true;
}

/* -- other tables ------------------------------------------------------------------------------ */

static void append_commands(GString *out)
{
    g_string_append(out, ".Bl -tag -width calibrate\n");
    for (const CliCommand *command = cli_table; command->name; command++) {
        bool itself = command->function == cli_help;
        g_autofree char *text =
            itself ? g_strdup_printf("%s, as `orrery COMMAND --help`; or on the environment", command->help)
                   : g_strdup_printf("%s; see `orrery %s`", command->help, command->name);
        g_string_append_printf(out, ".It Cm %s%s\n", command->name, itself ? " Op Ar command | Cm environment" : "");
        append_text(out, text, true);
    }
    g_string_append(out, ".El\n");
}

static void append_environment(GString *out)
{
    g_string_append(out, ".Bl -tag -width Ds\n");
    for (const CliVariable *variable = cli_table_variables; variable->name; variable++) {
        g_string_append_printf(out, ".It Ev %s\n", variable->name);
        append_text(out, variable->help, true);
    }
    g_string_append(out, ".El\n");
}

static void append_debugger_commands(GString *out)
{
    static const struct {
        const char *name, *alias, *arguments, *help;
    } rows[] = {
#define DEBUG_COMMAND(name, alias, arguments, help, needs) {#name, alias, arguments, help},
#include "cli/debug/commands.def"
    };
    g_string_append(out, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_string_append_printf(out, ".It Cm %s%s%s", rows[i].name, rows[i].alias ? " , " : "",
                               rows[i].alias ? rows[i].alias : "");
        g_string_append_printf(out, *rows[i].arguments ? " Ar %s\n" : "%s\n", rows[i].arguments);
        append_text(out, rows[i].help, true);
    }
    g_string_append(out, ".El\n");
}

static void append_measures(GString *out)
{
    g_string_append(out, ".Bl -tag -width makespan\n");
    for (unsigned i = 0; i < MACH_MEASURES; i++) {
        const MachStatistic *row = mach_statistics_measure(i);
        g_string_append_printf(out, ".It Cm %s\n", row->measure);
        append_text(out, row->help, true);
    }
    g_string_append(out, ".El\n");
}

bool cli_manual_append(const char *name, const char *part, GString *out)
{
    static const struct {
        const char *name, *part;
        void (*append)(GString *out);
    } parts[] = {{"orrery", "commands", append_commands},
                 {"orrery", "environment", append_environment},
                 {"debug", "commands", append_debugger_commands},
                 {"sweep", "measures", append_measures}};
    if (strcmp(part, "options") == 0)
        return append_options(name, out);
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (strcmp(parts[i].name, name) == 0 && strcmp(parts[i].part, part) == 0) {
            parts[i].append(out);
            return true;
        }
    return false;
}
