/* gui_options.h - what `orrery gui` takes: shared by the command and by the program with the window. */
#ifndef ORRERY_CLI_GUI_OPTIONS_H
#define ORRERY_CLI_GUI_OPTIONS_H

#include "cli.h"

typedef struct GuiTarget {
    CliRunOptions run;
    char *screenshot, *size;
    gboolean window;
} GuiTarget;

extern const CliUsage cli_gui_usage;

#endif
