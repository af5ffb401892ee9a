/* paths.c - where Orrery's own files are: headers, runtime library, machines.
 *
 * They lie in one directory, which is the same in the build tree and when installed:
 *
 *     $ORRERY_SHARE, or  <directory of the executable>/../share/orrery
 *         include/   headers that simulated programs see
 *         lib/       the runtime library, compiled: *.vco
 *         configs/   machines: *.machine
 *         shims/     mpicc, mpirun, mpiexec
 */
#include "cli.h"

char *cli_executable(void)
{
    char *path = g_file_read_link("/proc/self/exe", NULL);
    return path ? path : g_find_program_in_path("orrery");
}

static char *share_directory(void)
{
    const char *given = g_getenv("ORRERY_SHARE");
    if (given && *given)
        return g_strdup(given);
    g_autofree char *executable = cli_executable();
    g_autofree char *bin = executable ? g_path_get_dirname(executable) : g_strdup(".");
    g_autofree char *root = g_path_get_dirname(bin);
    return g_build_filename(root, "share", "orrery", NULL);
}

char *cli_share(const char *name)
{
    g_autofree char *share = share_directory();
    return g_build_filename(share, name, NULL);
}

char **cli_machine_search(void)
{
    char **search = g_new0(char *, 2);
    search[0] = cli_share("configs");
    return search;
}
