/* gui.h - shows a finished run: network, ranks with their states, space-time diagram.
 *
 * The same drawing code (Cairo and Pango) serves the SDL2 window, PNG and SVG. Like every front end, it uses only
 * monitor.h and machine.h.
 */
#ifndef ORRERY_GUI_H
#define ORRERY_GUI_H

#include "monitor/monitor.h"

#define GUI_WIDTH  1280 /* size of the window or picture if the options give none */
#define GUI_HEIGHT 800

typedef struct GuiOptions {
    const char *title;
    /* Write the first complete picture to this PNG or SVG file and return at once; NULL: interactive. */
    const char *screenshot;
    bool window;       /* with `screenshot`: still open a real SDL2 window and read the picture back from it */
    int width, height; /* 0: GUI_WIDTH, GUI_HEIGHT */
} GuiOptions;

/* Checks that there is a display if the options need one. Called before a program is compiled and run. */
bool gui_window_check_display(const GuiOptions *options, GError **error);
/* Opens a window on a finished run, and blocks until the window is closed. */
bool gui_window_show(Machine *machine, const MonRecording *recording, const GuiOptions *options, GError **error);

#endif
