/* on_finding.h - `orrery run --debug-on-finding`: the debugger opens where a run has gone wrong.
 *
 * The run itself is that of `orrery run`, as fast as ever. When something has been found, or the run has ended badly,
 * the program is started again in a session of the debugger, which comes to the same moment, as everything happens in
 * the same order. What has been printed is not printed again; what was read of standard input is read again. */
#ifndef ORRERY_CLI_ON_FINDING_H
#define ORRERY_CLI_ON_FINDING_H

#include "cli/run/run.h"

typedef struct CliDebugWatch CliDebugWatch; /* the functions do nothing if it is NULL */

/* Keeps copies of the command line PROGRAM [ARGUMENT...]. `options` and `commands`, what the debugger does first, or
 * NULL, must live as long. The debugger opens on a terminal or where there are commands. */
CliDebugWatch *cli_debug_watch_new(const CliRunOptions *options, int argc, char **argv, char **commands);
void cli_debug_watch_free(CliDebugWatch *watch);
/* Lets standard input be kept. Returns false with an error. */
bool cli_debug_watch_prepare(CliDebugWatch *watch, MachOptions *options, GError **error);
/* Around mach_run(): a finding cuts the run short, if the debugger can open. The second one returns whether the
 * debugger will open, and so tell why the run has stopped. */
void cli_debug_watch_begin(CliDebugWatch *watch, Machine *machine);
bool cli_debug_watch_end(CliDebugWatch *watch, MachStop stop);
/* When the machine is gone: opens the debugger, if there is a reason, and stays in it. A run that was cut short gets
 * the exit status that the program had in the debugger, or `found` if that is 0 or it has not ended. */
void cli_debug_watch_open(CliDebugWatch *watch, CliProgress *progress, int found, int *status);

#endif
