/* replay.h - traces of other tools as tables for the program that replays them (clib/replay).
 *
 *   trace.c  which format a file has                    table.c  the file with the tables of all ranks
 *   ti.c     time-independent traces of SimGrid         graph.c  the operations of a rank, and what depends on what
 *   goal.c   GOAL schedules as text                     goal_binary.c  the same in LogGOPSim's binary format
 */
#ifndef ORRERY_CLI_REPLAY_H
#define ORRERY_CLI_REPLAY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ReplayTrace {
    uint32_t ranks;
    char *table;      /* path of the file with the tables */
    GPtrArray *files; /* paths of what was read */
    GArray *file_of;  /* uint32_t, by rank: index of its file */
    bool has_lines;   /* lines of the table are those of text, else numbers of operations */
    uint32_t streams; /* processors that a schedule asks for */
} ReplayTrace;

/* Reads a trace from files and writes its table to a temporary file. `flop_rate`: floating-point operations that a
 * processor of a time-independent trace does in a second. Errors name file and line. */
ReplayTrace *replay_trace_new(char **paths, int n, double flop_rate, GError **error);
/* Removes the table. */
void replay_trace_free(ReplayTrace *trace);
/* Returns "FILE:LINE: text of the line", for g_free(). */
char *replay_trace_line(const ReplayTrace *trace, uint32_t rank, uint32_t line);

#endif
