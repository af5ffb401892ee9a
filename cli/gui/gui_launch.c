/* gui_launch.c - what `orrery` does when a window or a PNG is asked for: it starts orrery-gui. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/gui/gui.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

GByteArray *(*const cli_gui_paint)(const PlotCanvas *canvas, bool png, GError **error) = NULL;

int cli_gui_hand_over(int argc, char **argv)
{
    g_autofree char *own = cli_path_executable(), *folder = g_path_get_dirname(own);
    g_autofree char *program = g_build_filename(folder, "orrery-gui", NULL);
    g_autofree char **arguments = g_new0(char *, (gsize)argc + 2);
    arguments[0] = program;
    memcpy(arguments + 1, argv, (gsize)argc * sizeof *argv);
    execv(program, arguments);
    cli_say("%s cannot be started: %s; is the graphical interface installed?", program, g_strerror(errno));
    return CLI_STATUS_USAGE;
}

#ifdef ORRERY_GUI
int cli_gui(int argc, char **argv)
{
    return cli_gui_hand_over(argc, argv);
}
#endif
