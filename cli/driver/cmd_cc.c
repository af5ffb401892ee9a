/* cmd_cc.c - `orrery cc`: a drop-in for cc. Compiles each source to an object, links objects to a program.
 *
 * A linked program begins with "#!/path/of/orrery run", so it can be executed. The files listed in driver.h do the
 * work; this one has the order of the steps.
 */
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/commands.h"
#include "cli/driver/driver.h"

#include <stdio.h>
#include <string.h>

/* -- the job ----------------------------------------------------------------------------------- */

static void free_input(gpointer data)
{
    DriverInput *input = data;
    g_free(input->name);
    g_free(input);
}

static void open_driver(Driver *driver)
{
    *driver = (Driver){.stage = DRIVER_LINK, .language = CLI_LANGUAGE_BY_NAME};
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

/* -###: prints the command line in quotes, as cc prints the ones that it would run. */
static void show_words(const Driver *driver)
{
    g_autofree char *executable = cli_path_executable();
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
        if (cli_driver_compile(driver, g_ptr_array_index(driver->inputs, i), &error))
            continue;
        cli_driver_say_error(error);
        good = false;
    }
    return good;
}

static bool work(Driver *driver, GError **error)
{
    if (driver->verbose || driver->dry_run)
        cli_driver_print_version_details(driver);
    if ((driver->verbose && driver->inputs->len) || driver->dry_run)
        show_words(driver);
    if (driver->dry_run || (driver->verbose && !driver->inputs->len))
        return true;
    if (!driver->inputs->len)
        return cli_error_usage(error, "no input files; for example: orrery cc hello.c");
    if (driver->n_sources > 1 && driver->output && driver->stage != DRIVER_LINK)
        return cli_error_usage(error, "-o cannot name the results of several files");
    bool headers = true;
    for (guint i = 0; i < driver->inputs->len; i++)
        headers &= ((DriverInput *)g_ptr_array_index(driver->inputs, i))->language == CLI_LANGUAGE_HEADER;
    if (driver->stage != DRIVER_LINK || headers) {
        driver->stage = MIN(driver->stage, DRIVER_OBJECT);
        if (compile_all(driver))
            return true;
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "compiling");
        return false;
    }
    return cli_driver_link(driver, error);
}

static bool answer(const Driver *driver, GError **error)
{
    for (guint i = 0; i < driver->questions->len; i++)
        if (!cli_driver_answer(driver, g_ptr_array_index(driver->questions, i), error))
            return false;
    return true;
}

int cli_cc(int argc, char **argv)
{
    Driver driver;
    g_autoptr(GError) error = NULL;
    open_driver(&driver);
    g_autoptr(GPtrArray) words = cli_driver_expand(argc, argv, &error);
    bool good = words && cli_driver_parse(&driver, words, &error);
    if (good)
        good = driver.questions->len ? answer(&driver, &error) : work(&driver, &error);
    if (error)
        cli_driver_say_error(error);
    close_driver(&driver);
    return good ? 0 : CLI_STATUS_COMPILE;
}
