/* cmd_gui.c - `orrery gui`: run a program, then look at it. */
#include "cli.h"
#include "gui/gui.h"

#include <stdio.h>
#include <string.h>

typedef struct GuiTarget {
    CliRunOptions run;
    char *screenshot, *size;
    gboolean window;
} GuiTarget;

const CliOption cli_gui_options[] = {
    CLI_RUN_OPTIONS(GuiTarget),
    {"screenshot", 0, CLI_FILE, "FILE", offsetof(GuiTarget, screenshot),
     "write the picture to a .png or .svg file instead of opening a window", "--screenshot run.svg"},
    {"window", 0, CLI_FLAG, NULL, offsetof(GuiTarget, window),
     "with --screenshot: open the window all the same, and write what it shows", "--window --screenshot run.png"},
    {"size", 0, CLI_TEXT, "WIDTHxHEIGHT", offsetof(GuiTarget, size), "of the window or picture (default 1280x800)",
     "--size 1920x1080"},
    {0}};

static const CliUsage gui_usage = {
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

static bool parse_size(const char *text, GuiOptions *options, GError **error)
{
    char rest;
    if (text == NULL)
        return true;
    if (sscanf(text, "%dx%d%c", &options->width, &options->height, &rest) == 2 && options->width >= 320 &&
        options->height >= 240 && options->width <= 16384 && options->height <= 16384)
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                "--size %s: expected WIDTHxHEIGHT in pixels, from 320x240 to 16384x16384, like 1280x800", text);
    return false;
}

static bool check_screenshot(const char *path, GError **error)
{
    if (path == NULL || g_str_has_suffix(path, ".png") || g_str_has_suffix(path, ".svg"))
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--screenshot %s: the name must end in .png or .svg", path);
    return false;
}

static int show(CliRun *run, const GuiOptions *options, GError **error)
{
    Machine *machine = cli_run_machine(run, error);
    if (machine == NULL)
        return CLI_STATUS_USAGE;
    MonRecording *recording = mon_recording_new(machine);
    MachStop stop = mach_run(machine);
    cli_run_explain(machine, stop); /* what happened up to a fault or deadlock is worth a look, too */
    int status = gui_show(machine, recording, options, error) ? mach_exit_status(machine) : CLI_STATUS_USAGE;
    mach_free(machine);
    mon_recording_free(recording);
    return status;
}

int cli_gui(int argc, char **argv)
{
    GuiTarget target = {0};
    CliRun run = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_parse(&gui_usage, &target, &argc, argv, &done, &error) && !done) {
        GuiOptions options = {.screenshot = target.screenshot, .window = target.window};
        if (parse_size(target.size, &options, &error) && check_screenshot(target.screenshot, &error) &&
            cli_run_prepare(&run, &target.run, argc - 1, argv + 1, false, &error)) {
            options.title = run.arguments[0][0];
            status = show(&run, &options, &error);
        }
    }
    if (error != NULL)
        status = cli_fail(error);
    cli_run_clear(&run);
    cli_options_clear(cli_gui_options, &target);
    return status;
}
