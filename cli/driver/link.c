/* link.c - the last step of `orrery cc`: makes a program, one object of several (-r), or a library (-shared).
 *
 * A simulated program is one file with everything in it. So a "shared" library is an object that is linked statically.
 * Definitions in the program itself take precedence, as they would with a library that is loaded.
 */
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/driver/driver.h"
#include "vcode/vcode.h"

#include <glib/gstdio.h>
#include <string.h>

/* -- libraries --------------------------------------------------------------------------------- */

/* Returns whether a library is part of the runtime or of the simulator, by a name that systems and MPIs give it. */
static bool is_builtin_library(const char *name)
{
    static const char *const names[] = {
        "m",        "c",     "pthread", "rt",     "dl",  "util",   "mpi",  "mpich", "pmpi",       "gcc",   "gomp",
        "pmpich",   "gcc_s", "gcc_eh",  "atomic", "nsl", "resolv", "mpl",  "opa",   "mpi_c",      "msmpi", "open-rte",
        "open-pal", "hwloc", "crypt",   "anl",    "omp", "iomp5",  "mvec", "ssp",   "bsd-compat", NULL};
    return g_strv_contains(names, name);
}

/* Returns whether a path is that of the host's libm.so, libc.so.6 and so on, which build systems find by themselves. */
static bool is_builtin_path(const char *path)
{
    const char *what;
    g_autofree char *base = g_path_get_basename(path);
    char *end = strstr(base, ".so");
    if (!end && g_str_has_suffix(base, ".a"))
        end = base + strlen(base) - 2;
    if (!end || !g_str_has_prefix(base, "lib"))
        return false;
    *end = '\0';
    return is_builtin_library(base + 3) && cli_file_kind(path, &what) != CLI_FILE_VCODE;
}

static bool is_ours(const char *path, char **foreign)
{
    const char *what;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return false;
    if (cli_file_kind(path, &what) != CLI_FILE_FOREIGN)
        return true;
    if (!*foreign)
        *foreign = g_strdup_printf("%s is %s", path, what);
    return false;
}

/* Returns the path of a library. In each directory, the shared library comes before the static one. Files that are not
 * vCode are skipped, as linkers skip incompatible files. */
static char *find_library(const Driver *driver, const DriverInput *input, char **foreign)
{
    bool exact = input->name[0] == ':';
    for (guint i = 0; i < driver->directories->len; i++) {
        const char *directory = g_ptr_array_index(driver->directories, i);
        for (unsigned way = exact || input->static_only ? 1 : 0; way < 2; way++) {
            g_autofree char *file =
                exact ? g_strdup(input->name + 1) : g_strdup_printf(way ? "lib%s.a" : "lib%s.so", input->name);
            g_autofree char *path = g_build_filename(directory, file, NULL);
            if (is_ours(path, foreign))
                return g_steal_pointer(&path);
        }
    }
    return NULL;
}

static bool add_library(Driver *driver, const DriverInput *input, GError **error)
{
    g_autofree char *foreign = NULL;
    g_autofree char *path = find_library(driver, input, &foreign);
    if (path)
        return cli_build_add_file(&driver->build, path, input->whole_archive, error);
    if (is_builtin_library(input->name))
        return true;
    if (foreign)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "-l%s: %s; build the library with `orrery cc`", input->name,
                    foreign);
    else if (input->name[0] == ':')
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "-l%s: there is no %s in the directories given with -L",
                    input->name, input->name + 1);
    else
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "-l%s: there is no lib%s.a in the directories given with -L",
                    input->name, input->name);
    return false;
}

/* -- linking ----------------------------------------------------------------------------------- */

static bool add_input(Driver *driver, const DriverInput *input, GError **error)
{
    if (input->language == CLI_LANGUAGE_LIBRARY)
        return add_library(driver, input, error);
    if (input->language ==
        CLI_LANGUAGE_LINKER) /* a path that is not vCode may be a library of the host that is built in */
        return is_builtin_path(input->name) ||
               cli_build_add_file(&driver->build, input->name, input->whole_archive, error);
    VcodeModule *module = cli_driver_compile_for_link(driver, input, error);
    if (module)
        cli_build_add_module(&driver->build, module);
    return module;
}

/* Adds all inputs, even after an error, so that all errors are seen. `error` gets the first one not yet printed. */
static bool add_inputs(Driver *driver, GError **error)
{
    bool good = true;
    for (guint i = 0; i < driver->inputs->len; i++) {
        g_autoptr(GError) why = NULL;
        if (add_input(driver, g_ptr_array_index(driver->inputs, i), &why))
            continue;
        cli_driver_say_error(why);
        good = false;
    }
    if (!good)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "inputs");
    return good;
}

/* Returns what comes after #! in a program. The kernel ends the interpreter's path at a blank; env -S takes one in
 * quotes. */
static char *interpreter_line(const char *executable)
{
    if (!strpbrk(executable, " \t\n"))
        return g_strconcat(executable, " run", NULL);
    g_autoptr(GString) line = g_string_new("/usr/bin/env -S \"");
    for (const char *at = executable; *at; at++) {
        if (*at == '\n') {
            g_string_append(line, "\\n");
            continue;
        }
        if (strchr("\"\\$", *at))
            g_string_append_c(line, '\\');
        g_string_append_c(line, *at);
    }
    return g_strconcat(line->str, "\" run", NULL);
}

static bool write_program(Driver *driver, const char *path, GError **error)
{
    g_autoptr(VcodeModule) program = cli_build_link(&driver->build, error);
    if (!program)
        return false;
    g_autofree char *executable = cli_path_executable();
    g_autofree char *interpreter = interpreter_line(executable);
    return vcode_file_write(program, path, interpreter, error);
}

static bool write_joined(Driver *driver, const char *path, GError **error)
{
    g_autoptr(VcodeModule) object = cli_build_join(&driver->build, driver->shared, error);
    return object && vcode_file_write(object, path, NULL, error);
}

bool cli_driver_link(Driver *driver, GError **error)
{
    const char *path = driver->output ? driver->output : "a.out";
    driver->build.no_runtime = driver->no_runtime;
    if (!add_inputs(driver, error))
        return false;
    bool good =
        driver->shared || driver->partial ? write_joined(driver, path, error) : write_program(driver, path, error);
    if (!good &&
        g_file_test(path, G_FILE_TEST_IS_REGULAR)) /* as cc: no older result remains that could be taken for this one */
        g_unlink(path);
    return good;
}
