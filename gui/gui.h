/* gui.h - shows a finished or running simulation: network, ranks with their states, space-time diagram.
 *
 * One drawing code (Cairo and Pango) for the SDL2 window, PNG and SVG. Stands on monitor.h like every front end.
 */
#ifndef ORRERY_GUI_H
#define ORRERY_GUI_H

#include "monitor/monitor.h"

#define GUI_WIDTH  1280 /* where options say no other */
#define GUI_HEIGHT 800

typedef struct GuiOptions {
    const char *title;
    const char
        *screenshot;   /* write the first complete picture to this PNG or SVG and return at once; NULL: interactive */
    bool window;       /* with screenshot: still open a real SDL2 window and read the picture back from it */
    int width, height; /* 0: GUI_WIDTH, GUI_HEIGHT */
} GuiOptions;

/* Whether there is a display for what the options want: asked before a program is compiled and run for it. */
bool gui_window_check_display(const GuiOptions *options, GError **error);
/* Opens a window on a finished run. Blocks until it is closed. */
bool gui_window_show(Machine *machine, const MonRecording *recording, const GuiOptions *options, GError **error);

#endif
