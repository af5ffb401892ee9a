/* gui.h - the parts that need SDL or Cairo: the window of `orrery gui`, PNG of `orrery topo`, PNG and PDF of `orrery
 * plot`.
 *
 * The program `orrery` has neither. It starts `orrery-gui`, the same command with both. Loading the libraries for a
 * window (SDL, Cairo, Pango and what they need) takes longer than most simulations, and `orrery run` should not wait
 * for that. *_launch.c is in `orrery` only, *_window.c in `orrery-gui` only.
 */
#ifndef ORRERY_CLI_GUI_H
#define ORRERY_CLI_GUI_H

#include "cli/run/run.h"
#include "plot/plot.h"

typedef struct GuiTarget {
    CliRunOptions run;
    char *screenshot, *size;
    gboolean window;
} GuiTarget;

extern const CliUsage cli_gui_usage;

/* Returns a picture as bytes of a PNG file, of two pixels for each of the canvas, or else of a PDF file. NULL without
 * Cairo. */
extern GByteArray *(*const cli_gui_paint)(const PlotCanvas *canvas, bool png, GError **error);
/* Replaces this process by the same command of orrery-gui. Returns only if that cannot be started: an exit status. */
int cli_gui_hand_over(int argc, char **argv);

#endif
