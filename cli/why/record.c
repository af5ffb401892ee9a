/* record.c - runs a program for its trace alone: what it prints is dropped. */
#include "cli/base/base.h"
#include "cli/why/why.h"
#include "monitor/monitor.h"

#include <glib/gstdio.h>
#include <unistd.h>

void cli_why_drop_output(void *user, int stream, const char *bytes, size_t size)
{
    (void)user, (void)stream, (void)bytes, (void)size;
}

static char *temporary_file(GError **error)
{
    char *name = NULL;
    int file = g_file_open_tmp("orrery-XXXXXX.trace", &name, error);
    if (file < 0)
        return NULL;
    close(file);
    return name;
}

/* The links that messages take are recorded where the network has any. */
static MonExports *watch(Machine *machine, MonExportsAsked *asked, GError **error)
{
    static char with_links[] = "waits,hops", without[] = "waits";
    asked->texts[MON_EXPORT_TEXT_trace_detail] = with_links;
    MonExports *exports = mon_exports_new(machine, asked, NULL);
    if (exports)
        return exports;
    asked->texts[MON_EXPORT_TEXT_trace_detail] = without;
    return mon_exports_new(machine, asked, error);
}

static int simulate(Machine *machine, MonExportsAsked *asked, GError **error)
{
    MonExports *exports = watch(machine, asked, error);
    if (!exports)
        return CLI_STATUS_USAGE;
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, false);
    MachStop stop = mach_run(machine);
    cli_interrupt_end(interrupt);
    cli_run_explain(machine, stop);
    mon_exports_write(exports, error);
    mon_exports_free(exports);
    return mach_run_exit_status(machine);
}

int cli_why_record(const CliRunOptions *options, int argc, char **argv, char **file, GError **error)
{
    CliRun run = {.example = "orrery critical-path -n 4 hello.c"};
    MonExportsAsked asked = {0};
    int status = CLI_STATUS_USAGE;
    asked.paths[MON_EXPORT_trace] = *file = temporary_file(error);
    if (*file && cli_run_prepare(&run, options, argc, argv, error)) {
        run.options.output = cli_why_drop_output;
        Machine *machine = cli_run_machine(&run, error);
        if (machine)
            status = simulate(machine, &asked, error);
        mach_run_free(machine);
    }
    cli_run_clear(&run);
    return status;
}
