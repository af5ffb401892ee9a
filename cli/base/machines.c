/* machines.c - finds machines by name: those that come with Orrery, and the user's files. */
#include "cli/base/base.h"
#include "machine/machine.h"

char **cli_machine_search(void)
{
    char **search = g_new0(char *, 2);
    search[0] = cli_path_share("configs");
    return search;
}

MachConfig *cli_machine(const char *name, GError **error)
{
    g_auto(GStrv) search = cli_machine_search();
    if (!g_file_test(name, G_FILE_TEST_EXISTS) && !cli_path_share_check("configs", "the machines are", error))
        return NULL;
    return mach_config_load(name, (const char *const *)search, error);
}
