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

/* Copies events into another trace. */
typedef struct TraceCopy {
    const TraceReader *reader;
    TraceWriter *writer;
    const uint32_t *locations; /* new numbers of the first n_locations locations; NULL: they keep theirs */
    uint32_t n_locations;
    GArray *texts, *sites; /* of uint32_t: new numbers by old ones, 0: not known yet; NULL: none is */
} TraceCopy;
/* Gives an event, and what it speaks of, their numbers in the new trace. O(1). */
void cli_trace_copy_translate(TraceCopy *copy, TraceEvent *event);
void cli_trace_copy_clear(TraceCopy *copy);
/* For trace_reader_notes(): adds a note to the writer `user`. */
void cli_trace_copy_note(void *user, const char *key, const char *value);

/* Finds which places in the source of two versions of a program are the same: calls of the same functions in the same
 * order in the same caller. Returns for each site of the second trace, by number, that of the first one, or 0, as an
 * array of uint32_t for g_array_unref(); NULL with an error if a trace cannot be read. */
GArray *cli_trace_match_sites(TraceReader *const readers[2], GError **error);

/* Appends by which lines on the critical paths of two runs the makespan changes: the changes add up to that. Nothing if
 * there are none, or no path. `sites`: as cli_trace_match_sites() returns them. The traces fit into memory, as for
 * analysis_critical_path(). */
void cli_trace_append_path_changes(TraceReader *const readers[2], const GArray *sites, GString *out);

bool cli_trace_info(const TraceTarget *target, char **files, GError **error);
bool cli_trace_cut(const TraceTarget *target, char **files, GError **error);
bool cli_trace_convert(const TraceTarget *target, char **files, GError **error);
bool cli_trace_merge(const TraceTarget *target, char **files, GError **error);
bool cli_trace_diff(const TraceTarget *target, char **files, GError **error);

#endif
