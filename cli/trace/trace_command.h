/* trace_command.h - what the actions of `orrery trace` share. An action is a file of this folder and a row of the table
 * in cmd_trace.c. */
#ifndef ORRERY_CLI_TRACE_COMMAND_H
#define ORRERY_CLI_TRACE_COMMAND_H

#include "cli/export/export.h"
#include "trace/trace.h"

typedef struct TraceTarget { /* the options of the command */
    char *from, *to, *ranks, *kinds, *output, *format;
} TraceTarget;

/* Makes the selection that --from, --to, --ranks and --kinds say. selection->locations is for g_array_unref(). Returns
 * false with an error. */
bool cli_trace_select(const TraceTarget *target, const TraceReader *reader, TraceSelection *selection, GError **error);
/* Returns the name of a location: "3", or "3.2" for thread 2 of rank 3. For g_free(). */
char *cli_trace_location(const TraceReader *reader, uint32_t location);
/* Begins text that goes to --output, or to standard output. */
TraceText *cli_trace_text_new(const TraceTarget *target, GError **error);

bool cli_trace_info(const TraceTarget *target, char **files, GError **error);
bool cli_trace_cut(const TraceTarget *target, char **files, GError **error);
bool cli_trace_convert(const TraceTarget *target, char **files, GError **error);
bool cli_trace_diff(const TraceTarget *target, char **files, GError **error);

#endif
