/* table.h - the parts of reading traces for replay. */
#ifndef ORRERY_CLI_REPLAY_TABLE_H
#define ORRERY_CLI_REPLAY_TABLE_H

#include "base/sorter.h"
#include "cli/replay/replay.h"
#include "replay_table.h"

enum { REPLAY_MOST_RANKS = 1 << 24, REPLAY_MOST_BYTES = INT32_MAX /* of a message: what an int counts */ };

/* A table that is being made. Records of ranks may come in any order; those of a rank stay in theirs. */
typedef struct ReplayTable {
    ReplayHeader header;
    ReplayRank *ranks;
    BaseSorter *sorter;
} ReplayTable;
ReplayTable *replay_table_new(uint32_t kind, uint32_t ranks);
void replay_table_free(ReplayTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReplayTable, replay_table_free)
void replay_table_add(ReplayTable *table, uint32_t rank, const void *bytes, size_t size);
/* Writes the table to a temporary file, whose path the trace gets. */
bool replay_table_write(ReplayTable *table, ReplayTrace *trace, GError **error);

/* Sets the error that a line is wrong: "FILE:LINE: message". Returns false. */
bool replay_table_error(const char *path, uint64_t line, GError **error, const char *format, ...) G_GNUC_PRINTF(4, 5);

/* The operations of a rank of a schedule. */
typedef struct ReplayEdge {
    uint32_t from, to; /* `to` depends on `from` */
    bool begun;        /* on its beginning */
} ReplayEdge;
typedef struct ReplayGraph {
    GArray *ops;   /* ReplayOp, without its dependents */
    GArray *edges; /* ReplayEdge */
} ReplayGraph;
void replay_graph_init(ReplayGraph *graph);
void replay_graph_clear(ReplayGraph *graph);
/* Puts the operations into the table and empties the graph. Returns false if operations depend on each other in a
 * circle; *line is that of one of them then. */
bool replay_graph_add_to(ReplayGraph *graph, ReplayTable *table, uint32_t rank, uint32_t *line);
/* Returns NULL if the operation can be replayed, else what is wrong with it. */
const char *replay_graph_wrong(const ReplayOp *op, uint32_t ranks);

/* Read a trace whose format is known. */
bool replay_read_ti(ReplayTrace *trace, double flop_rate, GError **error);
bool replay_read_goal(ReplayTrace *trace, GError **error);
bool replay_read_goal_binary(ReplayTrace *trace, GError **error);
/* Whether a line is one of a time-independent trace, not the name of a file that has some. */
bool replay_is_ti(const char *line);
#define REPLAY_GOAL_COOKIE UINT64_C(4223) /* with which binary schedules begin */

#endif
