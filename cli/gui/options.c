/* options.c - options and help of `orrery gui`. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/gui/gui.h"
#include "cli/run/run.h"

const CliOption cli_gui_options[] = {
    CLI_RUN_OPTIONS(GuiTarget),
    {"screenshot", 0, CLI_RESULT, "FILE", offsetof(GuiTarget, screenshot),
     "write the picture to a .png or .svg file instead of opening a window", "--screenshot run.svg"},
    {"window", 0, CLI_FLAG, NULL, offsetof(GuiTarget, window),
     "with --screenshot: open the window all the same, and write what it shows", "--window --screenshot run.png"},
    {"size", 0, CLI_TEXT, "WIDTHxHEIGHT", offsetof(GuiTarget, size), "of the window or picture (default 1280x800)",
     "--size 1920x1080"},
    {0}};

const CliUsage cli_gui_usage = {
    .command = "gui",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...]",
    .text = "Runs a program as `orrery run` does and shows the finished run: the network with its busy links, the\n"
            "ranks with their states, and the space-time diagram with all messages. In the window: click or drag in\n"
            "the diagram to choose the moment that network and ranks show, turn the wheel to zoom the time axis,\n"
            "shift and wheel to scroll the ranks, 0 for the whole run, S to write orrery.svg, Q to quit.\n\n"
            "  orrery gui -n 8 --machine mesh-4x4 samples/greetings.c\n"
            "  orrery gui -n 8 --machine ring-8 --screenshot ring.png samples/bitonic_sort.c",
    .options = cli_gui_options,
};
