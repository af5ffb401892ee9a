/* cmd_cc.c - `orrery cc`: a drop-in for cc. Compiles each source to an object, links objects to a program.
 *
 * A linked program begins with "#!/path/of/orrery run", so it runs by itself. The work is done by the files named in
 * driver.h; here are the help, which is made from a table like that of all commands, and the order of things.
 */
#include "driver.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* For the help and the shells; all options and what they do are in driver_options.def. */
const CliOption cli_cc_options[] = {
    {"", 'c', CLI_FLAG, NULL, 0, "compile, do not link", "-c"},
    {"", 'E', CLI_FLAG, NULL, 0, "preprocess only; with -dM, -P, -C as cpp", "-E"},
    {"", 'S', CLI_FLAG, NULL, 0, "compile to vCode as text", "-S"},
    {"", 'o', CLI_FILE, "FILE", 0, "name of the result", "-o hello"},
    {"", 'I', CLI_FOLDERS, "DIR", 0, "look for headers there too; also -iquote, -isystem, -idirafter", "-Iinclude"},
    {"", 'D', CLI_LIST, "NAME[=VALUE]", 0, "define a macro", "-DN=100"},
    {"", 'U', CLI_LIST, "NAME", 0, "take a macro away", "-UNDEBUG"},
    {"", 'M', CLI_TEXT, "[M|D|MD|F FILE|T NAME|P|G]", 0, "write rules for make, as cc does", "-MMD -MF hello.d"},
    {"", 'O', CLI_TEXT, "LEVEL", 0, "optimise: 0 to 3, s, g, fast", "-O2"},
    {"", 'g', CLI_FLAG, NULL, 0, "keep variables and types for the debugger; -g0: do not", "-g"},
    {"std", 0, CLI_CHOICE, "c89|c99|c11|c17|gnu89|gnu99|gnu11|gnu17", 0,
     "the language, with GNU's words or without; -ansi", "-std=c99"},
    {"", 'x', CLI_CHOICE, "c|cpp-output|c-header|none", 0, "what the files that follow are, whatever their names",
     "-x c -"},
    {"", 'l', CLI_TEXT, "NAME", 0, "link libNAME; m, c, pthread, mpi and the like are always there", "-lm"},
    {"", 'L', CLI_FOLDERS, "DIR", 0, "look for libraries there", "-Llib"},
    {"", 'r', CLI_FLAG, NULL, 0, "join objects to one", "-r -o both.o"},
    {"shared", 0, CLI_FLAG, NULL, 0, "make a library that is linked like an object", "-shared -o libpart.so"},
    {"", 'W', CLI_TEXT, "NAME", 0, "warnings: all, extra, error, NAME, no-NAME; --help=warnings lists them", "-Wall"},
    {"", 'f', CLI_TEXT, "NAME", 0,
     "how to compile: -fsyntax-only, -funsigned-char, -fopenmp ...; what is of no use here is accepted",
     "-fsyntax-only"},
    {"save-temps", 0, CLI_FLAG, NULL, 0, "keep what is between: NAME.i, NAME.s", "-save-temps"},
    {"", 'v', CLI_FLAG, NULL, 0, "say what is done; -###: only say it", "-v"},
    {"version", 0, CLI_FLAG, NULL, 0, "print the version; also -dumpversion, -print-search-dirs ...", "--version"},
    {0}};

void cli_append_cc_help(GString *out)
{
    g_string_append(
        out, "Usage: orrery cc [OPTION...] FILE...\n\n"
             "Compiles C files and links them with objects and archives like cc. The result runs by itself or under\n"
             "`orrery run`. Options of cc that make no difference here (-m..., -pipe, most -f...) are accepted; @FILE\n"
             "stands for the words in a file.\n\n"
             "  orrery cc -O2 -o hello hello.c\n  orrery run -n 4 ./hello\n\nOptions:\n");
    for (const CliOption *option = cli_cc_options; option->name; option++) {
        if (*option->name)
            g_string_append_printf(out, "  --%s%s%s", option->name, option->value ? "=" : "",
                                   option->value ? option->value : "");
        else
            g_string_append_printf(out, "  -%c%s%s", option->letter, option->value ? " " : "",
                                   option->value ? option->value : "");
        g_string_append_printf(out, "\n        %s\n        Example: %s\n", option->help, option->example);
    }
}

/* -- messages ---------------------------------------------------------------------------------- */

void cli_cc_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    fprintf(stderr, "orrery cc: %s\n", text);
}

void cli_cc_fail(const GError *error)
{
    if (error->domain != CLI_ERROR || error->code != CLI_ERROR_PRINTED)
        cli_cc_say("error: %s", error->message);
}

/* -- the job ----------------------------------------------------------------------------------- */

static void free_input(gpointer data)
{
    DriverInput *input = data;
    g_free(input->name);
    g_free(input);
}

static void open_driver(Driver *driver)
{
    *driver = (Driver){.stage = DRIVER_LINK, .language = DRIVER_BY_NAME};
    cli_build_init(&driver->build);
    driver->inputs = g_ptr_array_new_with_free_func(free_input);
    driver->directories = g_ptr_array_new_with_free_func(g_free);
    driver->questions = g_ptr_array_new();
}

static void close_driver(Driver *driver)
{
    g_free(driver->output);
    g_ptr_array_unref(driver->inputs);
    g_ptr_array_unref(driver->directories);
    g_ptr_array_unref(driver->questions);
    cli_build_clear(&driver->build);
}

/* -###: the command line, quoted, as cc shows those that it would run. */
static void show_words(const Driver *driver)
{
    g_autofree char *executable = cli_executable();
    g_autoptr(GString) out = g_string_new(NULL);
    g_string_append_printf(out, " \"%s\" \"cc\"", executable);
    for (guint i = 0; i < driver->words->len; i++)
        g_string_append_printf(out, " \"%s\"", (const char *)g_ptr_array_index(driver->words, i));
    fprintf(stderr, "%s\n", out->str);
}

static bool compile_all(Driver *driver)
{
    bool good = true;
    for (guint i = 0; i < driver->inputs->len; i++) {
        g_autoptr(GError) error = NULL;
        if (driver_compile(driver, g_ptr_array_index(driver->inputs, i), &error))
            continue;
        cli_cc_fail(error);
        good = false;
    }
    return good;
}

static bool work(Driver *driver, GError **error)
{
    if (driver->verbose || driver->dry_run)
        driver_print_version_details(driver);
    if ((driver->verbose && driver->inputs->len) || driver->dry_run)
        show_words(driver);
    if (driver->dry_run || (driver->verbose && !driver->inputs->len))
        return true;
    if (!driver->inputs->len)
        return cli_refuse(error, "no input files; for example: orrery cc hello.c");
    if (driver->n_sources > 1 && driver->output && driver->stage != DRIVER_LINK)
        return cli_refuse(error, "-o cannot name the results of several files");
    bool headers = true;
    for (guint i = 0; i < driver->inputs->len; i++)
        headers &= ((DriverInput *)g_ptr_array_index(driver->inputs, i))->language == DRIVER_HEADER;
    if (driver->stage != DRIVER_LINK || headers) {
        driver->stage = MIN(driver->stage, DRIVER_OBJECT);
        if (compile_all(driver))
            return true;
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "compiling");
        return false;
    }
    return driver_link(driver, error);
}

static bool answer(const Driver *driver, GError **error)
{
    for (guint i = 0; i < driver->questions->len; i++)
        if (!driver_answer(driver, g_ptr_array_index(driver->questions, i), error))
            return false;
    return true;
}

int cli_cc(int argc, char **argv)
{
    Driver driver;
    g_autoptr(GError) error = NULL;
    signal(SIGXFSZ, SIG_IGN); /* too large a file is an error of write(), handled where it happens */
    open_driver(&driver);
    g_autoptr(GPtrArray) words = driver_expand(argc, argv, &error);
    bool good = words && driver_parse(&driver, words, &error);
    if (good)
        good = driver.questions->len ? answer(&driver, &error) : work(&driver, &error);
    if (error)
        cli_cc_fail(error);
    close_driver(&driver);
    return good ? 0 : CLI_STATUS_COMPILE;
}
