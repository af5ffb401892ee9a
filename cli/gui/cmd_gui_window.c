/* cmd_gui_window.c - `orrery gui`: runs a program, then shows the run in a window.
 *
 * Only in the program orrery-gui: see gui.h.
 */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/gui/gui.h"
#include "cli/run/run.h"
#include "gui/gui.h"
#include "machine/machine.h"
#include "monitor/monitor.h"

#include <stdio.h>
#include <string.h>

static bool parse_size(const char *text, GuiOptions *options, GError **error)
{
    char rest;
    if (!text)
        return true;
    if (sscanf(text, "%dx%d%c", &options->width, &options->height, &rest) == 2 && options->width >= 320 &&
        options->height >= 240 && options->width <= 16384 && options->height <= 16384)
        return true;
    return cli_error_usage(
        error, "--size %s: expected WIDTHxHEIGHT in pixels, from 320x240 to 16384x16384, like 1280x800", text);
}

static bool check_screenshot(const char *path, GError **error)
{
    if (!path || g_str_has_suffix(path, ".png") || g_str_has_suffix(path, ".svg"))
        return true;
    return cli_error_usage(error, "--screenshot %s: the name must end in .png or .svg", path);
}

static int show(CliRun *run, const GuiOptions *options, GError **error)
{
    Machine *machine = cli_run_machine(run, error);
    if (!machine)
        return CLI_STATUS_USAGE;
    MonRecording *recording = mon_recording_new(machine);
    MachStop stop = mach_run(machine);
    mon_recording_settle(recording);
    cli_run_explain(machine, stop); /* what happened up to a fault or deadlock is worth a look, too */
    int status = gui_window_show(machine, recording, options, error) ? mach_run_exit_status(machine) : CLI_STATUS_USAGE;
    mach_run_free(machine);
    mon_recording_free(recording);
    return status;
}

int cli_gui(int argc, char **argv)
{
    GuiTarget target = {0};
    CliRun run = {.example = "orrery gui -n 4 hello.c"};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&cli_gui_usage, &target, &argc, argv, &done, &error) && !done) {
        GuiOptions options = {.screenshot = target.screenshot, .window = target.window};
        if (parse_size(target.size, &options, &error) && check_screenshot(target.screenshot, &error) &&
            gui_window_check_display(&options, &error) &&
            cli_run_prepare(&run, &target.run, argc - 1, argv + 1, &error)) {
            options.title = run.arguments[0][0];
            status = show(&run, &options, &error);
        }
    }
    if (error)
        status = cli_error_report(error);
    cli_run_clear(&run);
    cli_option_clear(cli_gui_options, &target);
    return status;
}
