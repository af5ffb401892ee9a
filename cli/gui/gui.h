/* gui.h - what needs SDL or Cairo: the window of `orrery gui` and PNG of `orrery topo`.
 *
 * The program `orrery` has none of it, and hands over to `orrery-gui`, the same command with both in it: loading the
 * libraries behind a window (SDL, Cairo, Pango and theirs) takes longer than most simulations, and `orrery run` should
 * not wait for them. *_launch.c is part of the one, *_window.c of the other.
 */
#ifndef ORRERY_CLI_GUI_H
#define ORRERY_CLI_GUI_H

#include "cli/run/run.h"
#include "cli/topo/topo.h"

typedef struct GuiTarget {
    CliRunOptions run;
    char *screenshot, *size;
    gboolean window;
} GuiTarget;

extern const CliUsage cli_gui_usage;

/* A PNG file as bytes; NULL in the program that is without Cairo. */
extern GByteArray *(*const cli_gui_png)(const TopoPicture *picture, GError **error);
/* The same command in the program that has Cairo; answers only if it cannot be started: an exit status. */
int cli_gui_hand_over(int argc, char **argv);

#endif
