/* options.c - command-line options from tables: one table gives the parser, --help and the shell completions.
 *
 * GOption does the parsing. It does not know -O2 and -Idir (value in the same word as the letter), nor the -np of
 * mpirun, so these are rewritten first. Options end at the first argument that is none: what follows belongs to the
 * program.
 */
#include "base/nearest.h"
#include "base/write_file.h"
#include "cli/base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* -- help -------------------------------------------------------------------------------------- */

static char *option_head(const CliOption *option)
{
    if (!*option->name)
        return g_strdup_printf("-%c %s", option->letter, option->value);
    g_autofree char *letter = option->letter ? g_strdup_printf("-%c, ", option->letter) : g_strdup("    ");
    if (option->argument == CLI_CHECKS)
        return g_strdup_printf("%s--%s[=%s]", letter, option->name, option->value);
    return g_strdup_printf("%s--%s%s%s", letter, option->name, option->value ? " " : "",
                           option->value ? option->value : "");
}

static bool print_help(const CliUsage *usage, GError **error)
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
    bool good = cli_say_output(out->str);
    g_string_free(out, TRUE);
    if (!good)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_OUTPUT, "standard output");
    return good;
}

/* -- parsing ----------------------------------------------------------------------------------- */

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
        if (length > 0 && strlen(options->name) == length && strncmp(options->name, text, length) == 0)
            return options;
    return NULL;
}

/* Returns whether the next argument may be the value of an option. */
static bool takes_next(const CliOption *option)
{
    return option && option->argument != CLI_FLAG && option->argument != CLI_CHECKS;
}

static const CliOption help_option = {
    .name = "help", .letter = 'h', .argument = CLI_FLAG, .help = "this text", .example = "--help"};

/* Reports an unknown option, and the one that is probably meant. */
static void refuse_unknown(const CliUsage *usage, const char *argument, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const CliOption *option = usage->options; option->name; option++)
        if (*option->name)
            g_ptr_array_add(names, (char *)option->name);
    g_ptr_array_add(names, (char *)help_option.name);
    g_ptr_array_add(names, NULL);
    g_autofree char *word = g_strndup(argument, strcspn(argument, "="));
    const char *near =
        strlen(word) > 3 ? base_nearest(word + strspn(word, "-"), (const char *const *)names->pdata) : NULL;
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "unknown option %s; %s%s%ssee `orrery %s --help`", word,
                near ? "did you mean --" : "", near ? near : "", near ? "? " : "", usage->command);
}

/* Returns the option that an argument begins with, or NULL with an error. */
static const CliOption *find_option(const CliUsage *usage, const char *argument, GError **error)
{
    const CliOption *option = argument[1] == '-' ? find_long(usage->options, argument + 2, strcspn(argument, "=") - 2)
                                                 : find_letter(usage->options, argument[1]);
    if (!option && (strcmp(argument, "--help") == 0 || argument[1] == 'h'))
        option = &help_option;
    if (!option)
        refuse_unknown(usage, argument, error);
    return option;
}

/* Appends an option in a form that GOption accepts. Returns whether the next argument is its value. */
static bool write_out(const CliOption *option, const char *argument, GPtrArray *out)
{
    if (argument[1] == '-') {
        bool valued = strchr(argument, '='), bare = option->argument == CLI_CHECKS && !valued;
        g_ptr_array_add(out, g_strconcat(argument, bare ? "=" : NULL, NULL));
        return takes_next(option) && !valued;
    }
    if (option->argument == CLI_FLAG || !argument[2]) {
        g_ptr_array_add(out, g_strdup(argument));
        return option->argument != CLI_FLAG;
    }
    g_ptr_array_add(out, g_strndup(argument, 2));
    g_ptr_array_add(out, g_strdup(argument + 2));
    return false;
}

typedef struct SplitArguments {
    GPtrArray *options; /* rewritten for GOption, after argv[0]; ends with NULL */
    GPtrArray *others;  /* all other elements of argv */
} SplitArguments;

/* Adds the option argv[*i], and argv[*i + 1] if that is its value. Returns false with an error if there is no such
 * option or no value.
 */
static bool split_option(const CliUsage *usage, int argc, char **argv, int *i, SplitArguments *split, GError **error)
{
    const char *argument = strcmp(argv[*i], "-np") == 0 ? "-n" : argv[*i];
    const CliOption *option = find_option(usage, argument, error);
    if (!option)
        return false;
    if (!write_out(option, argument, split->options))
        return true;
    if (++*i == argc)
        return cli_error_usage(error, "%s needs %s behind it, as in %s; see `orrery %s --help`", argument,
                               option->value, option->example, usage->command);
    g_ptr_array_add(split->options, g_strdup(argv[*i]));
    return true;
}

static bool split_arguments(const CliUsage *usage, int argc, char **argv, SplitArguments *split, GError **error)
{
    bool open = true; /* an option may still come */
    g_ptr_array_add(split->options, g_strdup(argv[0]));
    for (int i = 1; i < argc; i++) {
        if (open && strcmp(argv[i], "--") == 0) {
            open = false;
        } else if (open && argv[i][0] == '-' && argv[i][1]) {
            if (!split_option(usage, argc, argv, &i, split, error))
                return false;
        } else {
            g_ptr_array_add(split->others, argv[i]);
            open = open && usage->mixed && strcmp(argv[i], ":") != 0; /* behind it are options of another program */
        }
    }
    g_ptr_array_add(split->options, NULL);
    return true;
}

/* Checks that results can be written, before the work and not after it. */
static bool check_results(const CliOption *options, const void *target, GError **error)
{
    for (; options->name; options++) {
        const char *name =
            options->argument == CLI_RESULT ? *(char *const *)((const char *)target + options->offset) : NULL;
        g_autofree char *path =
            g_strconcat(name ? name : "", strcmp(options->value ? options->value : "", "NAME") ? "" : ".csv", NULL);
        if (!name || base_write_possible(path, error))
            continue;
        g_prefix_error(error, "--%s: ", options->name);
        return false;
    }
    return true;
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
        case CLI_FILE:
        case CLI_RESULT:
        case CLI_RESULTS: entry.arg = G_OPTION_ARG_FILENAME; break;
        default: entry.arg = G_OPTION_ARG_STRING;
        }
        g_array_append_val(entries, entry);
    }
    GOptionEntry entry = {.long_name = "help", .short_name = 'h', .arg = G_OPTION_ARG_NONE, .arg_data = help};
    g_array_append_val(entries, entry);
    return (GOptionEntry *)g_array_free(entries, FALSE);
}

/* Lets GOption parse the options, and reports its errors. */
static bool parse_split(const CliUsage *usage, void *target, const SplitArguments *split, gboolean *help,
                        GError **error)
{
    g_autofree GOptionEntry *entries = option_entries(usage->options, target, help);
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) wrong = NULL;
    char **parsed = g_strdupv((char **)split->options->pdata); /* GOption takes pointers out of it */
    bool good = g_option_context_parse_strv(context, &parsed, &wrong);
    g_option_context_free(context);
    g_strfreev(parsed);
    return good || cli_error_usage(error, "%c%s; see `orrery %s --help`", g_ascii_tolower(*wrong->message),
                                   wrong->message + 1, usage->command);
}

bool cli_option_parse(const CliUsage *usage, void *target, int *argc, char **argv, bool *done, GError **error)
{
    gboolean help = FALSE;
    g_autoptr(GPtrArray) options = g_ptr_array_new_with_free_func(g_free), others = g_ptr_array_new();
    SplitArguments split = {options, others};
    if (!split_arguments(usage, *argc, argv, &split, error) || !parse_split(usage, target, &split, &help, error))
        return false;
    *done = help;
    if (help ? !print_help(usage, error) : !check_results(usage->options, target, error))
        return false;
    for (guint i = 0; i < others->len; i++)
        argv[1 + i] = g_ptr_array_index(others, i);
    *argc = 1 + (int)others->len;
    return true;
}

void cli_option_clear(const CliOption *options, void *target)
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

bool cli_option_number(const char *option, const char *text, uint64_t least, uint64_t greatest, uint64_t *value,
                       GError **error)
{
    guint64 number;
    if (g_ascii_string_to_unsigned(text, 10, least, greatest, &number, NULL)) {
        *value = number;
        return true;
    }
    return cli_error_usage(error, "%s %s: a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " is needed",
                           option, text, least, greatest);
}

int cli_option_choice(const char *option, const char *choices, const char *text, GError **error)
{
    g_auto(GStrv) names = g_strsplit(choices, "|", -1);
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    g_autofree char *all = g_strjoinv(", ", names);
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s %s: it is one of %s", option, text, all);
    return -1;
}

const PlotTheme *cli_option_theme(const char *text, GError **error)
{
    int theme = text ? cli_option_choice("--theme", BASE_CHOICE_ALTERNATIVES(PLOT_THEMES), text, error) : PLOT_LIGHT;
    return theme < 0 ? NULL : plot_theme((PlotThemeName)theme);
}
