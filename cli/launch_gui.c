/* launch_gui.c - what the command itself does not do, the window of `orrery gui` and PNG of `orrery topo`: it hands
 * over to orrery-gui, the same command with both in it.
 *
 * They are two programs because loading the libraries behind a window (SDL, Cairo, Pango and theirs) takes longer than
 * most simulations: `orrery run` should not wait for them.
 */
#include "cli.h"
#include "topo.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

GByteArray *(*const cli_topo_png)(const TopoPicture *picture, GError **error) = NULL;

int cli_hand_over(int argc, char **argv)
{
    g_autofree char *own = cli_executable(), *folder = g_path_get_dirname(own);
    g_autofree char *program = g_build_filename(folder, "orrery-gui", NULL);
    g_autofree char **arguments = g_new0(char *, (gsize)argc + 2);
    arguments[0] = program;
    memcpy(arguments + 1, argv, (gsize)argc * sizeof *argv);
    execv(program, arguments);
    cli_say("%s cannot be started: %s; is the graphical interface installed?", program, g_strerror(errno));
    return CLI_STATUS_USAGE;
}

int cli_gui(int argc, char **argv)
{
    return cli_hand_over(argc, argv);
}
