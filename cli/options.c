/* options.c - command-line options from tables: one table gives the parser, --help and the shell completions.
 *
 * GOption does the parsing. It knows neither -O2 nor -Idir (value behind the letter) nor the -np of mpirun, so those
 * are written out before it sees them. Options end at the first argument that is none: what follows belongs to the
 * program.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK(cli - error - quark, cli_error)

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    fprintf(stderr, "orrery: %s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
}

/* A message that begins with file:line:column is left so, for editors. */
static bool has_place(const char *message)
{
    const char *mark = strstr(message, ": error: ");
    return mark && mark > message && g_ascii_isdigit(mark[-1]) && !memchr(message, '\n', (size_t)(mark - message));
}

/* A copy in which lines that a word of a mebibyte has made unreadable are cut. */
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

int cli_fail(const GError *error)
{
    if (error->domain == CLI_ERROR && error->code == CLI_ERROR_PRINTED)
        return CLI_STATUS_COMPILE;
    g_autofree char *message = shortened(error->message);
    if (has_place(message))
        fprintf(stderr, "%s\n", message);
    else
        cli_say("%s", message);
    return error->domain == CC_ERROR ? CLI_STATUS_COMPILE : CLI_STATUS_USAGE;
}

bool cli_print(const char *text)
{
    fflush(stdout);
    if (fputs(text, stdout) != EOF && fflush(stdout) == 0)
        return true;
    if (errno != EPIPE)
        cli_say("cannot write: %s", g_strerror(errno));
    return false;
}

/* -- help --------------------------------------------------------------------------------------------------- */

static char *option_head(const CliOption *option)
{
    g_autofree char *letter = option->letter ? g_strdup_printf("-%c, ", option->letter) : g_strdup("    ");
    if (option->argument == CLI_CHECKS)
        return g_strdup_printf("%s--%s[=%s]", letter, option->name, option->value);
    return g_strdup_printf("%s--%s%s%s", letter, option->name, option->value ? " " : "",
                           option->value ? option->value : "");
}

static void print_help(const CliUsage *usage)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "Usage: orrery %s %s\n\n%s\n", usage->command, usage->synopsis, usage->text);
    if (usage->options->name)
        g_string_append(out, "\nOptions:\n");
    for (const CliOption *option = usage->options; option->name; option++) {
        g_autofree char *head = option_head(option);
        g_string_append_printf(out, "  %s\n        %s\n        Example: %s\n", head, option->help, option->example);
    }
    g_string_append(out, "  -h, --help\n        this text\n");
    cli_print(out->str);
    g_string_free(out, TRUE);
}

/* -- parsing --------------------------------------------------------------------------------------------------- */

static const CliOption *find_letter(const CliOption *options, char letter)
{
    for (; options->name; options++)
        if (options->letter == letter)
            return options;
    return NULL;
}

static const CliOption *find_long(const CliOption *options, const char *text, size_t length)
{
    for (; options->name; options++)
        if (strlen(options->name) == length && strncmp(options->name, text, length) == 0)
            return options;
    return NULL;
}

/* Whether the value of an option may be the argument behind it. */
static bool takes_next(const CliOption *option)
{
    return option && option->argument != CLI_FLAG && option->argument != CLI_CHECKS;
}

/* Writes one option out as GOption likes it; answers whether its value is the next argument. */
static bool write_out(const CliOption *options, const char *argument, GPtrArray *out)
{
    if (strcmp(argument, "-np") == 0)
        argument = "-n";
    if (argument[1] == '-') {
        const char *equals = strchr(argument, '=');
        size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
        const CliOption *option = find_long(options, argument + 2, length - 2);
        bool bare = option && option->argument == CLI_CHECKS && !equals;
        g_ptr_array_add(out, g_strconcat(argument, bare ? "=" : NULL, NULL));
        return takes_next(option) && !equals;
    }
    const CliOption *option = find_letter(options, argument[1]);
    if (!option || option->argument == CLI_FLAG || !argument[2]) {
        g_ptr_array_add(out, g_strdup(argument));
        return option && option->argument != CLI_FLAG;
    }
    g_ptr_array_add(out, g_strndup(argument, 2));
    g_ptr_array_add(out, g_strdup(argument + 2));
    return false;
}

/* The options of argv in long hand; *rest: index of the first argument that is none, behind a "--" that ends them. */
static char **split_options(const CliOption *options, int argc, char **argv, int *rest)
{
    GPtrArray *out = g_ptr_array_new();
    int i = 1;
    g_ptr_array_add(out, g_strdup(argv[0]));
    while (i < argc && argv[i][0] == '-' && argv[i][1]) {
        const char *argument = argv[i++];
        if (strcmp(argument, "--") == 0)
            break;
        if (write_out(options, argument, out) && i < argc)
            g_ptr_array_add(out, g_strdup(argv[i++]));
    }
    g_ptr_array_add(out, NULL);
    *rest = i;
    return (char **)g_ptr_array_free(out, FALSE);
}

static GOptionEntry *option_entries(const CliOption *options, void *target, gboolean *help)
{
    GArray *entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
    for (; options->name; options++) {
        GOptionEntry entry = {
            .long_name = options->name, .short_name = options->letter, .arg_data = (char *)target + options->offset};
        switch (options->argument) {
        case CLI_FLAG: entry.arg = G_OPTION_ARG_NONE; break;
        case CLI_LIST: entry.arg = G_OPTION_ARG_STRING_ARRAY; break;
        case CLI_FOLDERS: entry.arg = G_OPTION_ARG_FILENAME_ARRAY; break;
        case CLI_FILE: entry.arg = G_OPTION_ARG_FILENAME; break;
        default: entry.arg = G_OPTION_ARG_STRING;
        }
        g_array_append_val(entries, entry);
    }
    GOptionEntry entry = {.long_name = "help", .short_name = 'h', .arg = G_OPTION_ARG_NONE, .arg_data = help};
    g_array_append_val(entries, entry);
    return (GOptionEntry *)g_array_free(entries, FALSE);
}

bool cli_parse(const CliUsage *usage, void *target, int *argc, char **argv, bool *done, GError **error)
{
    gboolean help = FALSE;
    int rest;
    char **arguments = split_options(usage->options, *argc, argv, &rest);
    g_auto(GStrv) owned = g_strdupv(arguments); /* GOption takes pointers out of the other one */
    g_autofree GOptionEntry *entries = option_entries(usage->options, target, &help);
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) wrong = NULL;
    char **parsed = g_strdupv(owned);
    bool good = g_option_context_parse_strv(context, &parsed, &wrong);
    g_option_context_free(context);
    g_strfreev(arguments);
    g_strfreev(parsed);
    if (!good) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s; see `orrery %s --help`", wrong->message, usage->command);
        return false;
    }
    *done = help;
    if (help)
        print_help(usage);
    for (int i = rest; i < *argc; i++)
        argv[1 + i - rest] = argv[i];
    *argc = 1 + *argc - rest;
    return true;
}

void cli_options_clear(const CliOption *options, void *target)
{
    for (; options->name; options++) {
        void *field = (char *)target + options->offset;
        switch (options->argument) {
        case CLI_FLAG: break;
        case CLI_LIST:
        case CLI_FOLDERS: g_clear_pointer((char ***)field, g_strfreev); break;
        default: g_clear_pointer((char **)field, g_free);
        }
    }
}

bool cli_parse_number(const char *option, const char *text, uint64_t least, uint64_t greatest, uint64_t *value,
                      GError **error)
{
    guint64 number;
    if (g_ascii_string_to_unsigned(text, 10, least, greatest, &number, NULL)) {
        *value = number;
        return true;
    }
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                "%s %s: a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " is needed", option, text,
                least, greatest);
    return false;
}

int cli_parse_choice(const char *option, const char *choices, const char *text, GError **error)
{
    g_auto(GStrv) names = g_strsplit(choices, "|", -1);
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    g_autofree char *all = g_strjoinv(", ", names);
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s %s: it is one of %s", option, text, all);
    return -1;
}
