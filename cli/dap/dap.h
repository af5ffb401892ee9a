/* dap.h - `orrery debug --dap`: the Debug Adapter Protocol over a debugging session (monitor/debugger.h). Ranks are
 * threads of one session, so an editor's window goes from one to the other, and back in time.
 */
#ifndef ORRERY_CLI_DAP_H
#define ORRERY_CLI_DAP_H

#include "cli/run/run.h"

/* Answers one client until it disconnects: over stdin and stdout, or at a TCP port of this host (0: any free one, which
 * is told on stderr). `options` and `argc` arguments are what the command line says of the program: the client's launch
 * request goes before them. Returns the exit status; sets an error if nobody can be answered. */
int cli_dap_serve(const char *port, const CliRunOptions *options, int argc, char **argv, GError **error);

#endif
