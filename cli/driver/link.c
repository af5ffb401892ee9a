/* link.c - the last step of `orrery cc`: a program, an object joined of several (-r), or a library
 * (-shared).
 *
 * A simulated program is one file with everything in it. A "shared" library is therefore an object that is linked like
 * one: what the program defines itself has precedence, as it would when libraries are loaded.
 */
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/driver/driver.h"
#include "vcode/vcode.h"

#include <glib/gstdio.h>
#include <string.h>

/* -- libraries --------------------------------------------------------------------------------- */

/* Libraries that are part of the runtime or of the simulator, under the names that systems and MPIs give them. */
static bool is_builtin_library(const char *name)
{
    static const char *const names[] = {
        "m",        "c",     "pthread", "rt",     "dl",  "util",   "mpi",  "mpich", "pmpi",       "gcc",   "gomp",
        "pmpich",   "gcc_s", "gcc_eh",  "atomic", "nsl", "resolv", "mpl",  "opa",   "mpi_c",      "msmpi", "open-rte",
        "open-pal", "hwloc", "crypt",   "anl",    "omp", "iomp5",  "mvec", "ssp",   "bsd-compat", NULL};
    return g_strv_contains(names, name);
}

/* Whether a path is that of the host's own libm.so, libc.so.6 and the like, which build systems find by themselves. */
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

/* Where a library is: in each directory the shared one before the static one. Files that are not ours are passed over,
 * as linkers do. */
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
        CLI_LANGUAGE_LINKER) /* what is no file of ours may be a library of the host that we have too */
        return is_builtin_path(input->name) ||
               cli_build_add_file(&driver->build, input->name, input->whole_archive, error);
    VcodeModule *module = cli_driver_compile_for_link(driver, input, error);
    if (module)
        cli_build_add_module(&driver->build, module);
    return module;
}

/* All inputs are looked at, so that all errors are seen; the first that is not printed yet is left in `error`. */
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

/* What stands behind #! in a program. The kernel ends the interpreter's path at a blank; env -S takes one in quotes. */
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
        g_file_test(path, G_FILE_TEST_IS_REGULAR)) /* as cc: no older result that could be taken for this one */
        g_unlink(path);
    return good;
}
