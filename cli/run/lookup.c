/* lookup.c - finds the programs that a running program starts (MPI_Comm_spawn), as `orrery run` finds those of its
 * command line: an executable of `orrery cc`, or a .c file, which is compiled.
 *
 * A name without a leading "/" is looked for in the directories of the info key `path`, in that of `wdir`, in the one
 * in which the ranks begin, and beside the program that asks. The rules of --fs hold for all of them, except that what
 * lies beside the program may be started, too. */
#include "cli/run/run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* -- where ------------------------------------------------------------------------------------- */

static char *run_directory(const CliRun *run)
{
    return run->options.directory ? g_strdup(run->options.directory) : g_get_current_dir();
}

/* Adds a directory; a relative one begins at that of the run. */
static void add_directory(GPtrArray *directories, const char *base, const char *directory)
{
    g_ptr_array_add(directories, g_canonicalize_filename(directory, base));
}

static GPtrArray *directories_of(const CliRun *run, const MachLookup *lookup)
{
    GPtrArray *directories = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *base = run_directory(run), *beside = g_path_get_dirname(lookup->beside);
    g_auto(GStrv) path = g_strsplit_set(lookup->path ? lookup->path : "", ":;", -1);
    for (char **directory = path; *directory; directory++)
        if (**directory)
            add_directory(directories, base, *directory);
    if (lookup->directory)
        add_directory(directories, base, lookup->directory);
    add_directory(directories, base, ".");
    add_directory(directories, base, beside);
    return directories;
}

/* -- whether --------------------------------------------------------------------------------------- */

static bool lies_in(const char *path, const char *directory)
{
    char *root = realpath(directory, NULL), *full = realpath(path, NULL);
    size_t length = root ? strlen(root) : 0;
    bool inside = root && full && strncmp(full, root, length) == 0 && (full[length] == '/' || root[length - 1] == '/');
    free(root);
    free(full);
    return inside;
}

static bool is_allowed(const CliRun *run, const MachLookup *lookup, const char *path)
{
    if (run->options.fs != VM_FS_CWD)
        return run->options.fs == VM_FS_ALL;
    g_autofree char *base = run_directory(run), *beside = g_path_get_dirname(lookup->beside);
    g_autofree char *beside_full = g_canonicalize_filename(beside, base);
    return lies_in(path, base) || lies_in(path, beside_full);
}

/* -- which --------------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* Returns the file of the program, or NULL. A program of the host may have the name of our source. */
static char *find_here(const char *directory, const char *command)
{
    g_autofree char *plain = g_canonicalize_filename(command, directory), *source = g_strconcat(plain, ".c", NULL);
    bool there = is_file(plain);
    if (there && (cli_file_is_source(plain) || vcode_file_is_vcode(plain)))
        return g_steal_pointer(&plain);
    if (is_file(source))
        return g_steal_pointer(&source);
    return there ? g_steal_pointer(&plain) : NULL;
}

/* Messages of the compiler name files as people do: from the directory that they are in. */
static char *from_here(const char *path)
{
    g_autofree char *here = g_get_current_dir();
    size_t length = strlen(here);
    bool below = strncmp(path, here, length) == 0 && path[length] == '/';
    return g_strdup(below ? path + length + 1 : path);
}

static char *find(const CliRun *run, const MachLookup *lookup, GError **error)
{
    g_autoptr(GPtrArray) directories = directories_of(run, lookup);
    for (guint i = 0; i < directories->len; i++) {
        g_autofree char *path = find_here(directories->pdata[i], lookup->command);
        if (path && is_allowed(run, lookup, path))
            return from_here(path);
        if (path) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s may not be read (--fs)", path);
            return NULL;
        }
    }
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "there is no program \"%s\", nor a source %s.c", lookup->command,
                lookup->command);
    return NULL;
}

VcodeModule *cli_run_lookup(void *user, const MachLookup *lookup, GError **error)
{
    const CliRun *run = user;
    if (!*lookup->command) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "the name of the program is empty");
        return NULL;
    }
    g_autofree char *path = find(run, lookup, error);
    CliBuild build;
    if (!path)
        return NULL;
    bool ready = cli_run_init_build(&build, run->given, error);
    VcodeModule *module = ready ? cli_build_program(&build, &path, 1, error) : NULL;
    cli_build_clear(&build);
    return module;
}
