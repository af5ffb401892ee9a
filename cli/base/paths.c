/* paths.c - where Orrery's own files are: headers, runtime library, machines.
 *
 * They are in one directory, which looks the same in the build tree and when installed:
 *
 *     $ORRERY_SHARE, or  <directory of the executable>/../share/orrery
 *         include/   headers that simulated programs see
 *         lib/       the runtime library, compiled: *.vco
 *         configs/   machines: *.machine
 *         shims/     mpicc, mpirun, mpiexec
 *
 * /proc tells a program which file it is. If /proc is not mounted (a bare chroot), argv[0] has to do. It is the path of
 * the file unless the caller made it up.
 */
#include "cli/base/base.h"

#include <errno.h>
#include <stdlib.h>

char *cli_path_executable(void)
{
    char *path = g_file_read_link("/proc/self/exe", NULL);
    if (path)
        return path;
    g_autofree char *started = g_find_program_in_path(program_invocation_name);
    path = started ? realpath(started, NULL) : NULL;
    return path ? path : g_strdup(program_invocation_name);
}

static char *share_directory(void)
{
    const char *given = g_getenv("ORRERY_SHARE");
    if (given && *given)
        return g_strdup(given);
    g_autofree char *executable = cli_path_executable();
    g_autofree char *bin = g_path_get_dirname(executable);
    g_autofree char *root = g_path_get_dirname(bin);
    return g_build_filename(root, "share", "orrery", NULL);
}

char *cli_path_share(const char *name)
{
    g_autofree char *share = share_directory();
    return g_build_filename(share, name, NULL);
}

bool cli_path_share_missing(const char *name, const char *what, GError **error)
{
    const char *given = g_getenv("ORRERY_SHARE");
    g_autofree char *directory = cli_path_share(name), *executable = cli_path_executable();
    bool lost = !(given && *given) && !g_path_is_absolute(executable);
    const char *why = lost ? "without /proc, and not started by its path, Orrery does not know where it is"
                           : "Orrery was moved, or is not wholly built or installed";
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s missing in %s: %s; %s, or set ORRERY_SHARE to its share/orrery",
                what, directory, why, lost ? "mount /proc" : "install or build it again");
    return false;
}

bool cli_path_share_check(const char *name, const char *what, GError **error)
{
    g_autofree char *directory = cli_path_share(name);
    return g_file_test(directory, G_FILE_TEST_IS_DIR) || cli_path_share_missing(name, what, error);
}
